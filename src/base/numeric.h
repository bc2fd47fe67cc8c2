// Shared vocabulary of the core: the vector type, the index type and sums that keep their digits.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace dualmargin {

using Index = std::ptrdiff_t;  // 64 bits: n * p may pass 2^31 although neither factor does
using Start = std::int64_t;    // of a sparse row or column among all stored entries
using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;

// Neumaier (1974): the rounding error of every addition is carried along, found by Knuth's two-sum
// so that nothing depends on which of two numbers is larger.
class Sum {
 public:
  void add(double term) {
    const double next = total_ + term, added = next - total_;
    carry_ += (total_ - (next - added)) + (term - added);
    total_ = next;
  }
  void add(const Sum& others) {
    add(others.total_);
    carry_ += others.carry_;
  }
  void multiply(double power_of_two) {
    total_ *= power_of_two;
    carry_ *= power_of_two;
  }
  double value() const { return total_ + carry_; }

 private:
  double total_ = 0, carry_ = 0;
};

// sum_i term(i), in blocks: plain additions inside a block, Neumaier across blocks.
template <class Term>
double sum_over(Index n, Term term) {
  constexpr Index block = 128;
  Sum total;
  for (Index begin = 0; begin < n; begin += block) {
    const Index end = begin + block < n ? begin + block : n;
    double partial = 0;
    for (Index i = begin; i < end; ++i) partial += term(i);
    total.add(partial);
  }
  return total.value();
}

// sum_i term(i), the error of every addition carried along: of what is divided by later, as weights
// are.
template <class Term>
double accurate_sum(Index n, Term term) {
  Sum total;
  for (Index i = 0; i < n; ++i) total.add(term(i));
  return total.value();
}

// S(v, t): the proximal map of t |.|, i.e. v moved towards zero by t.
inline double soft_threshold(double v, double t) { return v > t ? v - t : v < -t ? v + t : 0.0; }

}  // namespace dualmargin
