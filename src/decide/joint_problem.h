// The problem that other weights and labels of the rows of a fit of all classes make: its pairs,
// from that of the fit to one at its optimum, and what each says of the rows that are asked about.
// The pair of the fit serves with its dual variables where labels stay, and with the slopes there
// where they are new.
//
// With the Hessian H of the fit all norms are known once; where rho is the least eigenvalue of
// H^{-1/2} H' H^{-1/2}, or below it, those of the changed problem are at most rho^{-1/2} times as
// large. As long as a few rows leave and steps are short, H serves in the place of H'
// (joint_chord.h).
#pragma once

#include <vector>

#include "base/function_ref.h"
#include "decide/joint_asked.h"
#include "decide/joint_chord.h"
#include "decide/leaving.h"

namespace dualmargin::decide {

class JointChanged {
 public:
  // own: the class of each row, from 0
  JointChanged(const JointFit& fit, RowVec omega, const std::vector<Index>& own, Tick& tick);
  JointChanged(const JointChanged&) = delete;

  const JointOptimum& known() const { return known_; }

  // A Newton step of the softmax loss, halved until the objective does not rise. False where there
  // is none, as with an l1 part, or where it brings nothing any more.
  bool step(Tick& tick);
  // The optimum to a relative gap.
  void solve(double tol, Tick& tick);

 private:
  // Without free intercepts a class needs no rows; with them its score falls without end, and the
  // others have an optimum of their own.
  std::vector<Index> classes_with_rows(const std::vector<Index>& own) const;
  region::JointProblem problem_of(const std::vector<Index>& own) const;
  Mat some_of(const Mat& of_all) const;
  // The rows that leave where nothing else changes; none where it does.
  std::vector<Index> leaving(const std::vector<Index>& own) const;
  region::JointPair pair_of_fit(const std::vector<Index>& own) const;
  // phi'(z) + e_own, one of them
  Vec slope_at(const Vec& z, Index own) const;
  region::JointPair pair_at(const Mat& w, const Vec& b, Mat u) const;

  void take(const Mat& w, const Vec& b, Mat u);
  void tell();
  void tell_ball();
  void tell_chord();
  void tell_curvature();
  // rho, from below; of the classes that are left, whose norms in all of H are larger yet
  double least_ratio(const Mat& hessian) const;
  Mat part_of(const Mat& hessian) const;

  static constexpr int most_by_chord = 6;

  const JointFit& fit_;
  const RowVec omega_;
  const Rows rows_;
  const std::vector<Index> classes_;
  const region::JointProblem problem_;
  const region::JointRegion region_;
  region::JointPair pair_;
  const JointChord chord_;
  bool by_chord_;  // does H serve?
  JointOptimum known_;
  region::Factor factor_;
  typename region::JointRegion::Slope slope_;
  double nu_ = HUGE_VAL;
  int steps_ = 0, stalled_ = 0;
};

// Solved until open() is false or no way is left; each pair that comes by meets the ends.
How settle(JointChanged& changed, const AskedJoint& asked, const std::vector<Index>& some,
                const Mat& norms, std::vector<Ends>& ends, FunctionRef<bool()> open, Tick& tick);

}  // namespace dualmargin::decide
