// Rows that leave a fit, together or alone, and what a class problem is asked about them.
#pragma once

#include <functional>
#include <vector>

#include "region/region.h"

namespace dualmargin::decide {

using region::Ends;
using region::Interval;

// Rows that leave together, with the ends of each, of every score, and the penalty without them.
struct Leaving {
  std::vector<Index> out;
  double kappa = 0;
  std::vector<Ends> ends;  // in the order of `out`

  // of one score
  void intersect(std::size_t j, double low, double high) {
    ends[0].intersect(static_cast<Index>(j), {low, high});
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
enum class How { pair, step, refit };  // pair: that of the fit was enough

// Has the problem an optimum beside a free intercept? partial: of one of all classes that of those with
// a row.
enum class Optimum { whole, partial, none };

// A class problem, whatever its rows are, of one score or of k.
class Removable {
 public:
  virtual ~Removable() = default;

  // of the fit, a score each
  virtual std::vector<RowVec> scores() const = 0;
  virtual Index count() const { return 1; }
  // The scores of each row without it, as far as the fit alone tells.
  virtual std::vector<Ends> bounds(Tick& tick) const = 0;
  // The same of rows that leave together.
  virtual std::vector<Ends> bounds(const std::vector<std::vector<Index>>& sets, Tick& tick) const = 0;
  // Without these rows; their ends, where that is not the whole problem.
  virtual Optimum optimum_left(const std::vector<Index>& out, std::vector<Ends>& ends) const = 0;
  // Solves each set until it is open no more or no way is left; how it was done.
  virtual std::vector<How> solve(std::vector<Leaving>& sets, const Open& open, Tick& tick) = 0;
  // Of each set, as near as it is to be had; nothing of one without an optimum, or of k scores.
  virtual std::vector<Displaced> displaced(std::vector<Leaving>& sets, Tick&) {
    return std::vector<Displaced>(sets.size());
  }
};

}  // namespace dualmargin::decide
