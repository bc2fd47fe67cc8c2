// What leaving rows out solves of class problems that are solved one by one (left_out_rounds.h).
#pragma once

#include <memory>
#include <vector>

#include "decide/leaving.h"
#include "decide/left_out_losses.h"
#include "decide/left_out_rounds.h"

namespace dualmargin::decide {

// none: what the fit alone tells; one: one step of each set whose class it leaves open.
enum class Effort { none, one, all };

class LeftOut final : public LeftOutRounds {
 public:
  using Problems = std::vector<std::unique_ptr<Removable>>;

  std::vector<Ends> ends;  // of each class problem

  LeftOut(const Problems& problems, const LeftOutLosses& losses, Sets sets, double precision,
          Effort effort, Tick& tick);

  Interval loss(Index i) const final { return losses_.at(i, ends); }

 private:
  void begin(Tick& tick);

  bool decided(Index i) const final { return losses_.decided(i, ends); }
  double in_training() const final;

  // Is the class of a row open, or its loss wider than aimed at? of one class problem
  bool open(Index i, const Interval& at, const Round& round) const;
  bool still_open(const Leaving& set, const Round& round) const;
  bool still_open(std::size_t s, const Round& round) const;

  void solve(const Round& round, Tick& tick) final;
  // Each until it is as the round has it for every class problem, or once.
  void solve(const Round& round, bool once, Tick& tick);

  const Problems& problems_;
  const LeftOutLosses& losses_;
  std::vector<std::size_t> set_of_;      // of each row
  std::vector<std::vector<bool>> gone_;  // of each class problem: sets without an optimum
};

}  // namespace dualmargin::decide
