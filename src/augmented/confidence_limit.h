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

#include <cmath>

#include "base/numeric.h"

namespace dualmargin::augmented {

// What is known of G and of S.
struct Spread {
  double count = 2;                        // B
  double square = 0;                       // |m|^2 - tr(S), on average |G|^2
  double trace = 0, width = 0, along = 0;  // tr(S), tr(S^2)^(1/2), v

  // Of `factor` times the draws, by what is known now.
  Spread after(double factor) const;

  // Of `square`.
  double sd() const;
  // As if |G|^2 were a standard deviation below what it seems.
  Spread at_best() const { return {count, square - sd(), trace, width, along}; }

  // Of |G|^2, at t standard deviations.
  double limit(double t) const;

 private:
  double of_trace() const { return width * std::sqrt(2 * count / (count - 1)); }
};

// From the vectors, one coordinate at a time: add(p_1j, ..., p_Bj).
class SpreadOf {
 public:
  explicit SpreadOf(Index count) : gram_(Mat::Zero(count, count)), along_(Vec::Zero(count)) {}

  void add(Vec& p);

  Spread spread() const;

 private:
  Mat gram_;
  Vec along_;
  double square_ = 0;
};

}  // namespace dualmargin::augmented
