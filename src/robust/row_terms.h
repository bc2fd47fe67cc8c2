// The rows sum_i c_i max(1 - u_i, 1 + u_i - kappa t, 0) for an interior point method. With the
// height s_i of row i above all three pieces,
//
//   sum_i c_i s_i,   p_i = s_i - 1 + u_i >= 0,   r_i = s_i - 1 - u_i + kappa t >= 0,   s_i >= 0,
//
// whose multipliers are c_i alpha_i, c_i beta_i, c_i gamma_i, alpha_i + beta_i + gamma_i = 1. On
// the central path alpha_i p_i = beta_i r_i = gamma_i s_i = mu: a row of weight 2 is two rows.
//
// The pairs stand in three blocks, (p, alpha), (s, gamma), (r, beta); the last is empty where
// labels cannot be flipped.
#pragma once

#include "robust/pairs.h"

namespace dualmargin::robust {

class RowTerms {
 public:
  // At u = 0. No kappa: no second piece.
  RowTerms(const Vec& share, bool flips, double kappa, double t, const Vec& alpha, double beta)
      : c_(share), m_(share.size()), flips_(flips), kappa_(kappa) {
    pairs.slack.resize(flips ? 3 * m_ : 2 * m_);
    pairs.multiplier.resize(pairs.slack.size());
    pairs.slack.head(m_).setOnes();
    pairs.slack.segment(m_, m_).setConstant(2);
    pairs.multiplier.head(m_) = alpha;
    pairs.multiplier.segment(m_, m_) = (1 - beta - alpha.array()).matrix();
    if (!flips) return;
    pairs.slack.tail(m_).setConstant(1 + kappa * t);
    pairs.multiplier.tail(m_).setConstant(beta);
  }

  Pairs pairs;

  Vec alpha() const { return pairs.multiplier.head(m_); }
  Vec beta() const {
    if (!flips_) return Vec::Zero(m_);
    return pairs.multiplier.tail(m_);
  }
  // Where the rows are: what the slacks fall short of, and the curvature of each piece.
  void look(const Vec& u, double t) {
    D_ = pairs.ratio();
    const auto s = pairs.slack.segment(m_, m_).array();
    missing_ = Vec::Zero(pairs.size());
    missing_.head(m_) = (s - 1 + u.array() - pairs.slack.head(m_).array()).matrix();
    if (!flips_) return;
    missing_.tail(m_) = (s - 1 - u.array() + kappa_ * t - pairs.slack.tail(m_).array()).matrix();
  }

  // Second derivatives by (u, t) once s is eliminated, each a sum of positive terms.
  struct Curvature {
    Vec uu, ut;
    double tt = 0;
  };
  Curvature curvature() const {
    Curvature h{Vec(m_), Vec(flips_ ? m_ : 0), 0};
    for (Index i = 0; i < m_; ++i) {
      const double D1 = D_[i], D2 = flip(D_, i), D3 = D_[m_ + i], S = D1 + D2 + D3;
      h.uu[i] = c_[i] * (4 * D1 * D2 + D3 * (D1 + D2)) / S;
      if (flips_) h.ut[i] = -c_[i] * kappa_ * D2 * (2 * D1 + D3) / S;
    }
    if (flips_) {
      h.tt = kappa_ * kappa_ * sum_over(m_, [&](Index i) {
               const double D1 = D_[i], D2 = D_[2 * m_ + i], D3 = D_[m_ + i];
               return c_[i] * D2 * (D1 + D3) / (D1 + D2 + D3);
             });
    }
    return h;
  }

  // What the multipliers do for the sake of the aim alone, and when u moves by du and t by dt.
  // Piece k wants its height moved by g_k; s moves by their mean with weights D_k, and what is left
  // of g_k - ds is written in differences of the g: nothing cancels, however unequal the D_k.
  Vec at_rest(const Vec& aim) const {
    const Vec pull = pairs.pull(aim, missing_);
    return exchange([&](Index i) {
      return Heights{pull[i], flips_ ? pull[2 * m_ + i] : 0, pull[m_ + i]};
    });
  }
  Vec response(const Vec& du, double dt) const {
    return exchange([&](Index i) { return Heights{-du[i], du[i] - kappa_ * dt, 0}; });
  }

  // alpha - beta, and (kappa / W) sum omega_i beta_i, of any multipliers in these blocks
  Vec forces(const Vec& multiplier) const {
    Vec f = multiplier.head(m_);
    if (flips_) f -= multiplier.tail(m_);
    return f;
  }
  double flipped(const Vec& multiplier) const {
    return flips_ ? kappa_ * c_.dot(multiplier.tail(m_)) : 0.0;
  }

  // sum of c_i times the products, now or after a step
  double gap(const Pairs::Step& step, const StepLengths& length) const {
    const auto block = [&](Index from) {
      return sum_over(m_, [&](Index i) {
        const Index k = from + i;
        return c_[i] * (pairs.slack[k] + length.primal * step.slack[k]) *
               (pairs.multiplier[k] + length.dual * step.multiplier[k]);
      });
    };
    return block(0) + block(m_) + (flips_ ? block(2 * m_) : 0.0);
  }
  double gap() const {
    const Vec none = Vec::Zero(pairs.size());
    return gap({none, none}, {0, 0});
  }
  double degree() const { return flips_ ? 3 : 2; }

 private:
  struct Heights {
    double g1, g2, g3;
  };
  template <class HeightsOf>
  Vec exchange(HeightsOf heights) const {
    Vec d(pairs.size());
    for (Index i = 0; i < m_; ++i) {
      const double D1 = D_[i], D2 = flip(D_, i), D3 = D_[m_ + i], S = D1 + D2 + D3;
      const auto [g1, g2, g3] = heights(i);
      d[i] = D1 * (D2 * (g1 - g2) + D3 * (g1 - g3)) / S;
      d[m_ + i] = D3 * (D1 * (g3 - g1) + D2 * (g3 - g2)) / S;
      if (flips_) d[2 * m_ + i] = D2 * (D1 * (g2 - g1) + D3 * (g2 - g3)) / S;
    }
    return d;
  }
  double flip(const Vec& v, Index i) const { return flips_ ? v[2 * m_ + i] : 0.0; }

  const Vec c_;
  Index m_;
  bool flips_;
  double kappa_;
  Vec D_, missing_;
};

}  // namespace dualmargin::robust
