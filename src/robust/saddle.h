// The robust problem as a saddle point on all or some of its rows, for the method of
// algebra/pdhg.h:
//
//   min_{x = (w, b, t)} max_{(alpha_i, beta_i) in the triangle}
//     t theta_0 - v_0'w - v_b b + c/2 |w|^2
//     + sum_i omega_i / W [alpha_i (1 - u_i) + beta_i (1 + u_i - kappa t)],   |w|_q <= t,
//
// where v_0, v_b and theta_0 come from the rows that are left out, with multipliers that stay. The
// norm of the multipliers is weighted by omega_i / W. Two passes over the rows a step, and nothing
// of size d^2: for many columns.
#pragma once

#include "robust/robust_svm.h"

namespace dualmargin::robust {

// Everything that is linear in the multipliers: v, its part for b, theta and the multipliers' sum.
struct Pull {
  Vec w;
  double b = 0, t = 0, sum = 0;
};

// (alpha, beta) onto alpha, beta >= 0, alpha + beta <= 1
void project_triangle(double& alpha, double& beta);

class Saddle {
 public:
  // pull: that of the rows left out, and the radius
  Saddle(const RobustSvm& problem, const Rows& rows, const Pull& pull);

  struct Iterate {
    const Saddle* form;
    Solution at;
    Pull pull;

    void mix(double part, const Iterate& other);
    std::pair<double, double> distance(const Iterate& o) const;
  };
  Iterate iterate(const Solution& s, Tick& tick) const { return {this, s, pull(s, fixed_, tick)}; }

  // nu k and nu / k for a primal weight of nu
  void step(Iterate& s, double nu, double k, Tick& tick) const;

  // The norm of x -> (-u_i, u_i - kappa t) by power iteration; the share `more` is added for what
  // that misses. Of no use once the time is over.
  double norm(int iterations, double more, Tick& tick) const;

 private:
  Pull pull(const Dual& s, const Pull& fixed, Tick& tick) const;

  const RobustSvm& p_;
  const Rows rows_;
  const RowVec share_;
  double kappa_;
  const Pull fixed_;
};

}  // namespace dualmargin::robust
