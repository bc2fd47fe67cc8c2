// Which sets that leave a fit are solved, in rounds: first those in which a class is open, with them
// those whose losses are known least, until the sum of the losses is known to a share of it.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "base/tick.h"
#include "region/offset.h"
#include "rows/row_vec.h"

namespace dualmargin::decide {

using region::Interval;

// How what is known of a row was found; no_optimum: without it the problem has none.
enum class LeftOutBy { bound, step, refit, no_optimum };

// Sets to solve, those of them in which a class is open, and what width is left to the losses of
// each.
struct Round {
  std::vector<bool> todo, open;
  std::vector<double> target;
};

class LeftOutRounds {
 public:
  using Sets = std::vector<std::vector<Index>>;

  std::vector<LeftOutBy> by;  // of each row
  Index undecided = 0;        // rows whose class the fit alone leaves open
  Index solved = 0;           // sets

  LeftOutRounds(const LeftOutRounds&) = delete;
  virtual ~LeftOutRounds() = default;

  // From the least to the largest loss of a row.
  virtual Interval loss(Index i) const = 0;

 protected:
  // precision: infinite where no width is asked for
  LeftOutRounds(Sets sets, Index n, double precision)
      : by(static_cast<std::size_t>(n), LeftOutBy::bound),
        sets_(std::move(sets)),
        spent_(sets_.size(), false),
        was_solved_(sets_.size(), false),
        precision_(precision) {}

  const Sets& sets() const { return sets_; }
  bool alone() const { return sets_.size() == by.size(); }

  void rounds(bool of_losses, Tick& tick);
  Round open_sets() const;
  bool is_open(std::size_t s) const;
  bool any(std::size_t s, FunctionRef<bool(Index)> holds) const;
  void count_undecided();
  // Is it without an optimum, or kept wide by rounding, so that nothing is solved again?
  void spend(std::size_t s, bool spent) { spent_[s] = spent; }
  void count_solved(std::size_t s);

  // of an infinite loss that is known 0
  static double width(const Interval& loss) { return loss.low == loss.high ? 0.0 : loss.width(); }
  double width(std::size_t s) const;

 private:
  virtual bool decided(Index i) const = 0;
  virtual double in_training() const = 0;  // the sum of the losses
  virtual void solve(const Round& round, Tick& tick) = 0;

  // The budget is `precision` times what the losses sum to at least; in the first round, when that
  // is little, what they are in training, which no removal improves. Half of what solved sets leave
  // of it is for those that stay as they are, the other half for those that are solved.
  Round with_losses(Round round, bool first) const;
  static double finite(double x) { return std::isfinite(x) ? x : 0.0; }

  const Sets sets_;
  std::vector<bool> spent_, was_solved_;
  double precision_;
};

}  // namespace dualmargin::decide
