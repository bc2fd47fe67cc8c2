// Rows that leave a fit, together or alone, and what a class problem is asked about them.
#pragma once

#include <functional>
#include <vector>

#include "region/region.h"

namespace dualmargin::decide {

using region::Ends;
using region::Interval;

// Rows that leave together, with the interval of each and the penalty without them.
struct Leaving {
  std::vector<Index> out;
  double kappa = 0;
  std::vector<Interval> ends;

  void intersect(std::size_t j, double low, double high) {
    if (low > ends[j].low) ends[j].low = low;
    if (high < ends[j].high) ends[j].high = high;
  }
  // what is left of them
  RowVec weights(RowVec omega) const {
    for (const Index i : out) omega[i] = 0;
    return omega;
  }
};

// Where the optimum without them is: within `radius` of w + step, w that of the fit; step in the
// coordinates of its problem, or as coefficients of the functions of all rows. intercept: of the
// user, where it is free.
struct Displaced {
  Vec step;
  double radius = HUGE_VAL;
  Interval intercept;
};

// Is this set to be solved further?
using Open = std::function<bool(const Leaving&)>;
enum class How { step, refit };

// A class problem, whatever its rows are.
class Removable {
 public:
  virtual ~Removable() = default;

  // of the fit
  virtual const RowVec& scores() const = 0;
  // The score of each row without it, as far as the fit alone tells.
  virtual Ends bounds(Tick& tick) const = 0;
  // -1 or 1 where only rows of that class stay: a free intercept of a margin loss has no optimum
  // then.
  virtual int class_left(const std::vector<Index>& out) const = 0;
  // Solves each set until it is open no more or no way is left; how it was done.
  virtual std::vector<How> solve(std::vector<Leaving>& sets, const Open& open, Tick& tick) = 0;
  // Of each set, as near as it is to be had; nothing of one without an optimum.
  virtual std::vector<Displaced> displaced(std::vector<Leaving>& sets, Tick& tick) = 0;
};

}  // namespace dualmargin::decide
