#include "augmented/confidence_limit.h"

#include <algorithm>
#include <cmath>

namespace dualmargin::augmented {

Spread Spread::after(double factor) const {
  return {count, square, trace / factor, width / factor, along / factor};
}

double Spread::sd() const {
  return std::hypot(2 * std::sqrt(std::max(square, 0.0)) * std::sqrt(along), of_trace());
}

double Spread::limit(double t) const {
  constexpr int grid = 64;
  const double right = 1.5707963267948966;
  // |m|^2 - tr(S) has the error of the trace too
  const double lack = std::min(t * of_trace(), std::max(0.0, trace - along));
  double largest = 0;
  for (int k = 0; k <= grid; ++k) {
    const double angle = right * k / grid;
    const double rest = square + along + lack * std::sin(angle);
    largest =
        std::max(largest, t * std::sqrt(along) * std::cos(angle) + std::sqrt(std::max(0.0, rest)));
  }
  return largest * largest;
}

void SpreadOf::add(Vec& p) {
  const double mean = p.mean();
  p.array() -= mean;
  square_ += mean * mean;
  along_ += mean * p;
  gram_.selfadjointView<Eigen::Lower>().rankUpdate(p);
}

Spread SpreadOf::spread() const {
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

}  // namespace dualmargin::augmented
