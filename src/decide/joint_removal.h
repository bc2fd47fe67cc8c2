// Bounds on the scores that a row would have without it, for all rows at once from the fit of all
// classes in one problem, as removal_bounds.h has them of a class problem. kappa = lambda W stands
// beside sum omega phi; rule "lambda" has kappa_i = lambda (W - omega_i).
//
//   Ball   (a ridge, no or a penalised intercept) u_i = e_y, so that a_i = 0, and w kept: with e_c = kappa_i
//          w_c + U_c - omega_i a_ic x_i the optimum is within F_i/kappa_i + |e|^2/(4 kappa_i^2) of
//          w - e/(2 kappa_i), squared, F_i = sum_{j != i} omega_j [phi(z_j) + phi*(a_j) - a_j'z_j].
//   Step   (softmax) With p the probabilities of z_i, a = p - e_y, L L' = diag(p) - p p' and
//          N = [(e_c (x) x_i)'H^-1 (e_d (x) x_i)], a removal changes H in k classes alone:
//            N_- = N + share_i N L (I - share_i L'N L)^{-1} L'N.
//          t = d R_i, d = share_i (a'N_- a)^{1/2}, g = |G| and R_i = R over (1 - lev_i)^{1/2}, lev_i
//          the largest eigenvalue of share_i L'N L. A difference s'z of scores is within
//          (s'N_- s)^{1/2} nu psi(nu R_i), nu = g + d, of s'z_i, and within (s'N_- s e^t)^{1/2} nu
//          psi(nu R_i e^{t/2}), nu = e^{t/2} (g + d (e^t - 1 - t)/t), of s'(z_i + share_i N_- a), but
//          with an l1 part, whose subgradient stays where the step has not been taken.
//          Rule "lambda": H shrinks by at most 1 - share_i.
#pragma once

#include <vector>

#include "decide/joint_fit.h"
#include "region/region.h"

namespace dualmargin::decide {

using region::Ends;

class JointRemoval {
 public:
  explicit JointRemoval(const JointFit& fit) : fit_(fit), W_(fit.rows.total_weight) {}

  std::vector<Ends> bounds(Tick& tick) const;

 private:
  Index own(Index i) const { return fit_.given.problem.own[i]; }
  double share_left(Index i) const { return weight_left(fit_.given.omega, W_, &i, 1) / W_; }
  bool cost() const { return fit_.given.rule == Rule::cost; }

  void by_ball(std::vector<Ends>& ends, Tick& tick) const;

  void by_step(std::vector<Ends>& ends, Tick& tick) const;

  // R and |G| of the fit, that of the penalty's part of G
  struct Around {
    double reach, nu, pull;
  };
  // N: of differences of classes
  void stepped(Index i, const Mat& N, const Around& at, std::vector<Ends>& ends) const;

  const JointFit& fit_;
  const double W_;
};

}  // namespace dualmargin::decide
