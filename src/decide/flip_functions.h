// The rows of a kernel fit as bounds on flips see them, as flip_columns.h has it: products are kernel
// values.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/slack.h"
#include "decide/asked_functions.h"
#include "decide/fitted_function.h"
#include "decide/flip_bounds.h"

namespace dualmargin::decide {

// The largest singular value of n functions by their products, products(begin, end) those of some
// with all: of few by their eigenvalues, else by the sums of the products' sizes. off: the
// largest error of an eigenvalue.
template <class Products>
double spectral_size(const region::Samples& over, Products products, double off, Tick& tick) {
  const Index n = over.n();
  if (n > region::largest_hessian) return HUGE_VAL;
  if (n <= largest_spectrum) {
    const Mat gram = products(0, n);
    return spectral_size(Mat(0.5 * (gram + gram.transpose())), off);
  }
  std::vector<double> sums(static_cast<std::size_t>(n), 0);
  over.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        constexpr Index width = 64;
        for (Index first = begin; first < end; first += width) {
          const Index last = std::min(end, first + width);
          const Vec sizes = products(first, last).cwiseAbs().colwise().sum();
          for (Index i = first; i < last; ++i) sums[i] = sizes[i - first];
          t.look();
        }
      },
      tick);
  const double most = *std::max_element(sums.begin(), sums.end());
  return std::isfinite(most) ? std::sqrt(most * rounding::raised_factor + off) : HUGE_VAL;
}

// Whatever bounds there are.
std::vector<std::unique_ptr<FlipBound>> flip_bounds(const FittedFunction& fit,
                                                    const RowChanges& changes,
                                                    const AskedFunctions& asked, Tick& tick);

}  // namespace dualmargin::decide
