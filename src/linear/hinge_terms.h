// sum_k c_k max(0, q_k) for an interior point method. With slacks,
//
//   sum_k c_k xi_k,   xi_k >= 0,   s_k = xi_k - q_k >= 0,
//
// whose multipliers are c_k eta_k and c_k beta_k, beta_k + eta_k = 1. On the central path
// xi_k eta_k = s_k beta_k = mu tau_k. With tau = 1 for every row a row of weight 2 is two rows.
#pragma once

#include "algebra/mehrotra.h"

namespace dualmargin::linear {

struct HingeTerms {
  Vec c, tau, xi, s, beta, eta;

  struct Step {
    Vec xi, s, beta;  // eta moves by -beta
  };
  // Right-hand sides of the linearised products: eta d xi + xi d eta and beta d s + s d beta.
  struct Aim {
    Vec xi, s;
  };

  HingeTerms(const Vec& weights, const Vec& targets, const Vec& q, const Vec& multiplier)
      : c(weights),
        tau(targets),
        xi(q.cwiseMax(0) + targets),
        s(xi - q),
        beta(multiplier),
        eta((1 - beta.array()).matrix()) {}

  Index size() const { return c.size(); }

  // d beta / d q, all else being eliminated
  Vec curvature() const {
    return (xi.array() / eta.array() + s.array() / beta.array()).inverse().matrix();
  }

  Aim predictor() const { return {-xi.cwiseProduct(eta), -s.cwiseProduct(beta)}; }
  // Centred, and the second-order terms of the predictor's step taken into account.
  Aim corrector(double mu, const Step& affine) const {
    return {mu * tau - xi.cwiseProduct(eta) + affine.xi.cwiseProduct(affine.beta),
            mu * tau - s.cwiseProduct(beta) - affine.s.cwiseProduct(affine.beta)};
  }
  // Products that would leave [mu / 10, 10 mu] after a longer step are sent back there.
  Aim recentred(const Aim& aim, const Step& step, double primal, double dual, double mu) const {
    HingeTerms ahead = *this;
    ahead.move(step, primal, dual);
    const Vec low = 0.1 * mu * tau, high = 10 * mu * tau;
    const auto back = [&](const Vec& product) -> Vec {
      return (product.cwiseMax(low).cwiseMin(high) - product).cwiseMax(-high);
    };
    return {aim.xi + back(ahead.xi.cwiseProduct(ahead.eta)),
            aim.s + back(ahead.s.cwiseProduct(ahead.beta))};
  }

  // The rest of d beta = curvature (dq + pull): residual and aims.
  Vec pull(const Vec& q, const Aim& aim) const {
    return q + s - xi + aim.s.cwiseQuotient(beta) - aim.xi.cwiseQuotient(eta);
  }
  Step step(const Vec& d_beta, const Aim& aim) const {
    return {(aim.xi + xi.cwiseProduct(d_beta)).cwiseQuotient(eta),
            (aim.s - s.cwiseProduct(d_beta)).cwiseQuotient(beta), d_beta};
  }

  double primal_room(const Step& step) const {
    return std::min(step_to_boundary(xi, step.xi), step_to_boundary(s, step.s));
  }
  double dual_room(const Step& step) const {
    return std::min(step_to_boundary(beta, step.beta), step_to_boundary(eta, -step.beta));
  }
  void move(const Step& step, double primal, double dual) {
    xi += primal * step.xi;
    s += primal * step.s;
    beta += dual * step.beta;
    eta -= dual * step.beta;
  }

  // the mu to which the complementarity of all terms together belongs
  double mu() const {
    const double sum =
        sum_over(size(), [&](Index k) { return c[k] * (xi[k] * eta[k] + s[k] * beta[k]); });
    return sum / (2 * c.dot(tau));
  }
};

}  // namespace dualmargin::linear
