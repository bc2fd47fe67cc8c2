// Rows that leave a fit of all classes in one problem: bounds for all rows alone, then sets solved
// in rounds (left_out_rounds.h).
#pragma once

#include <vector>

#include "decide/joint_problem.h"
#include "decide/left_out_losses.h"
#include "decide/left_out_rounds.h"

namespace dualmargin::decide {

class JointLeftOut final : public LeftOutRounds {
 public:
  std::vector<Ends> ends;  // of each class, as differences to the class of the row

  // precision: infinite where classes are all that is asked for
  JointLeftOut(const JointFit& fit, const LeftOutLosses& losses, Sets sets, double precision,
               Tick& tick);

  Interval loss(Index i) const final { return losses_.at(i, ends); }

 private:
  // Without all rows of a class and free intercepts what the fit says of the others is void.
  void without_class();

  bool decided(Index i) const final { return losses_.decided(i, ends); }
  double in_training() const final;

  void solve(const Round& round, Tick& tick) final;
  void mark(std::size_t s, JointWay way);

  const JointFit& fit_;
  const LeftOutLosses& losses_;
  const AskedJointIn rows_;
};

}  // namespace dualmargin::decide
