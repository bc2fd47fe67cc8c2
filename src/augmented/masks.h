// The mean over dropout as the sum over all its masks, where rows have few entries: of m entries
// each of the 2^m subsets stays with its probability, and what stays is divided by `keep`,
//
//   E phi(w'xi) = sum_S keep^|S| (1 - keep)^(m - |S|) phi(b + sum_{j in S} w_j x_j / keep).
//
// What is drawn instead knows nothing of a mask that is rarer than one in all draws, although the
// values that it leaves are the largest: at a rate of .9 with four columns the row that loses
// nothing, ten times as long as itself, is one in ten thousand.
#pragma once

#include <vector>

#include "augmented/rounding.h"

namespace dualmargin::augmented {

class Masks {
 public:
  explicit Masks(const ExpectedErm& problem)
      : problem_(problem), keep_(problem.perturbation.keep()) {}

  // Masks of all rows together; infinite where there are more than anyone waits for, or where
  // something else than dropout happens.
  double count() const;

  GradientBound certify(const Vec& w, Tick& tick) const;

 private:
  struct Means {
    double value = 0, slope = 0, size = 0, steepest = 0;  // E phi, E phi', E |phi|, max |phi'|
  };

  struct Walk;

  // But the constant of a penalised intercept, which comes last.
  std::size_t droppable(Index i) const;

  // Adds the row's part of the gradient to u.
  Means mean_of_row(const Vec& w, Index i, Vec& u) const;

  const ExpectedErm& problem_;
  double keep_;
};

}  // namespace dualmargin::augmented
