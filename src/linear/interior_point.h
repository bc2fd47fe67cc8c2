// The interior point method for piecewise linear losses.
#pragma once

#include <vector>

#include "algebra/cholesky.h"
#include "algebra/interior_point.h"
#include "algebra/normal_matrix.h"
#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

class InnerPoint {
 public:
  // price: of a pass over the rows, in epochs
  InnerPoint(const LinearProblem& problem, Run& run, double price = 1);

  struct Step {
    Vec v;
    Slacks::Step terms;
  };
  bool finite(const Step& step) const;

  const Slacks& terms() const { return kinks_.slacks; }
  bool joint() const { return l2_ > 0; }
  // Mehrotra's, 1 - O(mu) near the end: superlinear convergence.
  double share(double mu) const { return std::max(0.995, 1 - mu); }

  // false: not positive definite in double precision, or the time is over
  bool factor();
  Step direction(const Vec& aim);
  void move(const Step& step, const StepLengths& length);

  // The best of the points so far, by the scores that are carried along.
  Certificate offer(Best& best);

 private:
  // q_k = side (w_j - place)
  struct PenaltyKink {
    Index column;
    double side, place, rise;
  };

  // The kinks as rows: their weight is omega_i r, their label the sign of q_k in s - z.
  RowChoice kinks_of(const LinearProblem& problem);
  // The ends of the domain of phi*, on the left and on the right.
  double far_slope(Index i, double side) const;
  double feasible(Index i, double t) const;
  // t, and the kinks of the penalty, of which it has what lies between them.
  Vec tilt();
  // What |u_j| cannot exceed.
  Vec steepest_slopes();

  // beta = 1/2, made smaller on the heavier side where the intercept is free, and for the quantile
  // loss what makes a = 0: then sum_i omega_i a_i = 0 at the start and, the constraint being
  // linear, ever after. Rows and penalty get equal shares of the gap, however small l1 is: the dual
  // point stays as far inside |u_j| <= l1 as rounding needs.
  KinkTerms start();

  // G v and G't
  Vec slopes(const Vec& v);
  Vec gather(const Vec& t);

  // Conjugate gradients preconditioned by the factor of (nearly) the same matrix: iterative
  // refinement that also undoes a regularised pivot.
  Vec solve(const Vec& right);

  const LinearProblem& problem_;
  Run& run_;
  const double price_;
  RowVec between_;                 // e
  std::vector<double> at_, rise_;  // s and r of the kinks
  const RowChoice some_;
  const Rows rows_;
  WeightedGram gram_;
  Index m_, p_;
  double l2_;
  bool free_;
  std::vector<PenaltyKink> penalty_kinks_;
  const Vec tilt_;      // t
  Vec c_, v_, offset_;  // weights of the kinks; (w, b); q at v = 0
  KinkTerms kinks_;
  Vec q_, t_;  // offset + G v; c h
  Cholesky factor_;
};

struct InteriorPointOptions {};

// A start is not used: from near a solution interior point methods are slower than from afar.
Solution interior_point(const LinearProblem&, const InteriorPointOptions&, const Solution& start,
                        Sampler&, Run&);

}  // namespace dualmargin::linear
