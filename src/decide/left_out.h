// Which sets that leave a fit are solved, in rounds: first those in which a class is open, with them
// those whose losses are known least, until the sum of the losses is known to a share of it. A fit is
// one class problem, of one score or of all classes, or one for each class.
#pragma once

#include <memory>
#include <vector>

#include "base/function_ref.h"
#include "base/tick.h"
#include "decide/leaving.h"
#include "decide/left_out_losses.h"

namespace dualmargin::decide {

// none: what the fit alone tells; one: one step of each set whose class it leaves open.
enum class Effort { none, one, all };

// How what is known of a row was found; no_optimum: without it the problem has none.
enum class LeftOutBy { bound, step, refit, no_optimum };

class LeftOut {
 public:
  using Problems = std::vector<std::unique_ptr<Removable>>;
  using Sets = std::vector<std::vector<Index>>;

  std::vector<Ends> ends;     // of each score
  std::vector<LeftOutBy> by;  // of each row
  Index undecided = 0;        // rows whose class the fit alone leaves open
  Index solved = 0;           // sets

  // precision: infinite where no width is asked for
  LeftOut(const Problems& problems, const LeftOutLosses& losses, Sets sets, double precision,
          Effort effort, Tick& tick);
  LeftOut(const LeftOut&) = delete;

  // From the least to the largest loss of a row.
  Interval loss(Index i) const { return losses_.at(i, ends, i); }

 private:
  // Sets to solve, those of them in which a class is open, and what width is left to the losses of
  // each.
  struct Round {
    std::vector<bool> todo, open;
    std::vector<double> target;
  };

  void begin(Tick& tick);
  bool alone() const { return sets_.size() == by.size(); }

  Round open_sets() const;
  // The budget is `precision` times what the losses sum to at least; in the first round, when that
  // is little, what they are in training, which no removal improves. Half of what solved sets leave
  // of it is for those that stay as they are, the other half for those that are solved.
  Round with_losses(Round round, bool first) const;
  double in_training() const;  // the sum of the losses

  // Is the class of a row open, or its loss wider than aimed at, as far as a class problem tells? at:
  // its place among `known`.
  bool open(Index i, const std::vector<Ends>& known, Index at, const Round& round) const;
  // Of one of several class problems.
  bool open(Index i, const Interval& known, const Round& round) const;
  bool open(const Leaving& set, const Round& round) const;
  bool open(std::size_t s, const Round& round) const;

  // Each until it is as the round has it for every class problem, or once.
  void solve(const Round& round, bool once, Tick& tick);
  void solve(const Round& round, Tick& tick);

  bool any(std::size_t s, FunctionRef<bool(Index)> holds) const;
  double width(std::size_t s) const;

  const Problems& problems_;
  const LeftOutLosses& losses_;
  const Sets sets_;
  const double precision_;
  // Sets without an optimum, or kept wide by rounding, so that nothing is solved again.
  std::vector<bool> spent_;
  std::vector<bool> was_solved_;
  std::vector<std::size_t> set_of_;      // of each row
  std::vector<std::size_t> first_;       // score of each class problem
  std::vector<std::vector<bool>> gone_;  // of each class problem: sets without an optimum
};

}  // namespace dualmargin::decide
