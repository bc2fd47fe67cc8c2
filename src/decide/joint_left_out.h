// Rows that leave a fit of all classes in one problem: bounds for all rows alone, then sets solved
// in rounds (left_out_rounds.h).
#pragma once

#include <vector>

#include "decide/joint_problem.h"
#include "decide/left_out_rounds.h"
#include "region/classes.h"

namespace dualmargin::decide {

// precision: infinite where classes are all that is asked for; weight: of a row's loss in the sum.
struct JointRemovals {
  LeftOutRounds::Sets sets;
  double precision = HUGE_VAL;
  RowVec weight;
};

class JointLeftOut final : public LeftOutRounds {
 public:
  std::vector<Ends> ends;  // of each class, as differences to the class of the row

  JointLeftOut(const JointFit& fit, const JointRemovals& asked, Tick& tick);

  // From the least to the largest 2 omega log sum_c e^(z_c - z_y).
  Interval loss(Index i) const final;

 private:
  // Without all rows of a class and free intercepts what the fit says of the others is void.
  void without_class();

  bool decided(Index i) const final { return region::certain_class(ends, i) >= 0; }
  double in_training() const final;

  void solve(const Round& round, Tick& tick) final;
  void mark(std::size_t s, JointWay way);

  const JointFit& fit_;
  const RowVec& weight_;
  const AskedJointIn rows_;
};

}  // namespace dualmargin::decide
