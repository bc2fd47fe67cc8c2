// The one-class support vector machine of B. Scholkopf, J. C. Platt, J. Shawe-Taylor, A. J. Smola
// and R. C. Williamson (2001), Estimating the Support of a High-Dimensional Distribution, Neural
// Computation 13, 1443-1471, doi:10.1162/089976601750264965, with weights: u_i = omega_i / (nu W),
//
//   P(f, rho) = 1/2 |f|_H^2 - rho + sum_i u_i max(0, rho - f(x_i))
//   D(a)      = -1/2 a'K a   over   0 <= a_i <= u_i,  sum_i a_i = 1
//
// At f = sum_i a_i k(x_i, .) and the best rho, the gap P - D is a sum of terms none of which is
// negative,
//
//   sum_{f_i > rho} a_i (f_i - rho) + sum_{f_i < rho} (u_i - a_i) (rho - f_i).
//
// P is strongly convex in f and D strongly concave in f_a, both by |.|_H^2, so that with f = f_a
// |f - f*|_H^2 <= P - D.
//
// Where k(x, x) is the same c for all rows it is the smallest ball that holds all but the slacks
// (D. M. J. Tax and R. P. W. Duin, 2004, Support Vector Data Description, Machine Learning 54, 45-66,
// doi:10.1023/B:MACH.0000008084.60811.49): its centre is f, its squared radius c + |f|_H^2 - 2 rho.
//
// SMO of smo.cpp, in pairs that leave sum_i a_i as it is.
#pragma once

#include "algebra/function_space.h"
#include "kernel/solvers.h"
#include "run/outcome.h"
#include "run/snapshot.h"

namespace dualmargin::kernel {

struct OneClassSolution {
  Vec a, f;
  double rho = 0, square = 0;  // |f|_H^2
};

// beta: the coefficients of f, which are a unless nothing is better than its best multiple.
struct OneClassReport : Outcome {
  NegativeSquare negative;
  OneClassSolution solution;
  Vec beta;
};

// The smallest score with sum u >= 1 over the rows up to it: there P does not fall either way. It
// rises with every score.
double best_rho(const Vec& f, const Vec& u);

using OneClassSeen = Snapshot<double, Vec>;  // rho, and the a that f is made of

struct OneClassProblem {
  FunctionSpace space;           // with lambda = 1
  Vec u;                         // the most that each a_i can be; their sum is at least 1
  OneClassSeen* seen = nullptr;  // is told of every a whose pair is certified or estimated

  OneClassProblem(const FunctionSpace& space_, const Vec& u_) : space(space_), u(u_) {}
  OneClassProblem(const OneClassProblem&) = delete;

  Index n() const { return u.size(); }
  // P(0, 0): no optimum is above it. Where it is the optimum the relative gap has no unit: a bound
  // that is not 0 itself is as far from the value as both are from 0, and nothing is certified.
  double null_value() const { return 0; }

  // From the definitions, at exact kernel values.
  Certificate certify(OneClassSolution& s, Tick& tick) const;
  Certificate estimate(OneClassSolution& s) const;

  // For a value above 0, that of nothing: the best multiple t < 1 of (f, rho), against the same a.
  //
  //   P(t f, t rho) = t^2/2 |f|^2 - t m,  m = rho - sum_i u_i max(0, rho - f_i)
  double best_multiple(const OneClassSolution& s, const Certificate& c) const;
};

OneClassSolution smo(const OneClassProblem& problem, const SmoOptions& options,
                     const OneClassSolution& start, Run& run);
OneClassReport report(const OneClassProblem& problem, OneClassSolution s, Run& run);

}  // namespace dualmargin::kernel
