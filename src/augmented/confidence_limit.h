// An upper limit of |G| from B independent vectors p_1, ..., p_B of mean G.
//
// With m their mean, e = m - G, S the covariance of e, u = G / |G| and e = (e'u) u + d:
//
//   |G| = -e'u + sqrt(|m|^2 - |d|^2).
//
// e'u has mean 0 and variance v = u'Su; |d|^2 has mean tr(S) - v, variance at most 2 tr(S^2), and
// is not negative. Where e is normal or nearly so the limit is the largest value of the right side
// on the ellipse of t standard deviations in both.
//
// tr(S) and tr(S^2) are estimated without bias (from a Wishart matrix of B - 1 degrees of freedom),
// v in the direction of m, where u is up to the noise, or in the direction to be expected of e
// itself where that is more.
#pragma once

#include <algorithm>

#include "base/numeric.h"

namespace dualmargin::augmented {

// What is known of G and of S.
struct Spread {
  double count = 2;                        // B
  double square = 0;                       // |m|^2 - tr(S), on average |G|^2
  double trace = 0, width = 0, along = 0;  // tr(S), tr(S^2)^(1/2), v

  // Of `factor` times the draws, by what is known now.
  Spread after(double factor) const {
    return {count, square, trace / factor, width / factor, along / factor};
  }

  // Of `square`.
  double sd() const {
    return std::hypot(2 * std::sqrt(std::max(square, 0.0)) * std::sqrt(along), of_trace());
  }
  // As if |G|^2 were a standard deviation below what it seems.
  Spread at_best() const { return {count, square - sd(), trace, width, along}; }

  // Of |G|^2, at t standard deviations.
  double limit(double t) const {
    constexpr int grid = 64;
    const double right = 1.5707963267948966;
    // |m|^2 - tr(S) has the error of the trace too
    const double lack = std::min(t * of_trace(), std::max(0.0, trace - along));
    double largest = 0;
    for (int k = 0; k <= grid; ++k) {
      const double angle = right * k / grid;
      const double rest = square + along + lack * std::sin(angle);
      largest = std::max(largest,
                         t * std::sqrt(along) * std::cos(angle) + std::sqrt(std::max(0.0, rest)));
    }
    return largest * largest;
  }

 private:
  double of_trace() const { return width * std::sqrt(2 * count / (count - 1)); }
};

// From the vectors, one coordinate at a time: add(p_1j, ..., p_Bj).
class SpreadOf {
 public:
  explicit SpreadOf(Index count) : gram_(Mat::Zero(count, count)), along_(Vec::Zero(count)) {}

  void add(Vec& p) {
    const double mean = p.mean();
    p.array() -= mean;
    square_ += mean * mean;
    along_ += mean * p;
    gram_.selfadjointView<Eigen::Lower>().rankUpdate(p);
  }

  Spread spread() const {
    const Mat gram = gram_.selfadjointView<Eigen::Lower>();
    const double count = static_cast<double>(gram.cols()), k = count - 1;
    const double trace = gram.trace() / k;
    // tr(S^2) / tr(S)^2: squares of squares would leave the range of double precision first
    const double ratio = trace > 0 ? (gram / (k * trace)).squaredNorm() - 1 / k : 0;
    Spread s;
    s.count = count;
    s.trace = trace / count;
    s.width = s.trace * std::sqrt(std::max(0.0, k * k / ((k - 1) * (k + 2)) * ratio));
    s.square = square_ - s.trace;
    const double along = square_ > 0 ? along_.stableNorm() / std::sqrt(square_) : 0;
    s.along = along * along / (k * count);
    if (s.trace > 0) s.along = std::max(s.along, s.width * (s.width / s.trace));
    s.along = std::min(s.along, s.trace);
    return s;
  }

 private:
  Mat gram_;
  Vec along_;
  double square_ = 0;
};

}  // namespace dualmargin::augmented
