// Primal-dual interior point method, predictor and corrector: S. Mehrotra (1992), SIAM Journal on
// Optimization 2, 575-601, with the centrality correctors of J. Gondzio (1996), Computational
// Optimization and Applications 6, 137-156. Here are the method and the slacks and
// multipliers it works on; a problem brings the linear system that is left without them.
#pragma once

#include <utility>

#include "rows/row_sums.h"
#include "run/run.h"

namespace dualmargin {

struct StepLengths {
  double primal = 1, dual = 1;

  double shorter() const { return std::min(primal, dual); }
};

// Slacks and their multipliers, all positive, whose products the method drives to mu times their
// targets; each product counts by its weight in the gap. A step solves
//
//   multiplier d slack + slack d multiplier = aim,
//   d slack = (what the variables do to it) + missing,
//
// where `missing` is what the slack falls short of its definition: slacks are variables of their
// own, since a small one computed as a difference would have lost its digits.
//
// They come in blocks of equal length; the first of each block belong to the rows of `over`, if
// there is one, and the others to coordinates, which are the same on all ranks.
struct Slacks {
  Vec slack, multiplier, weight, target;
  const RowSums* over = nullptr;
  Index block = 0;

  struct Step {
    Vec slack, multiplier;
  };

  Vec ratio() const { return multiplier.cwiseQuotient(slack); }
  // the gap that belongs to mu = 1
  double degree() const {
    return sum([&](Index k) { return weight[k] * target[k]; });
  }
  double gap() const {
    return sum([&](Index k) { return weight[k] * slack[k] * multiplier[k]; });
  }
  double gap(const Step& step, const StepLengths& length) const {
    return sum([&](Index k) {
      return weight[k] * (slack[k] + length.primal * step.slack[k]) *
             (multiplier[k] + length.dual * step.multiplier[k]);
    });
  }

  Vec predictor() const { return -slack.cwiseProduct(multiplier); }
  // Centred, and the second-order terms of the predictor's step taken into account.
  Vec corrector(double mu, const Step& affine) const {
    return mu * target - slack.cwiseProduct(multiplier) -
           affine.slack.cwiseProduct(affine.multiplier);
  }
  // Products that would leave [mu / 10, 10 mu] after a longer step are sent back there.
  Vec recentred(const Vec& aim, const Step& step, const StepLengths& hope, double mu) const {
    const Vec product =
        (slack + hope.primal * step.slack).cwiseProduct(multiplier + hope.dual * step.multiplier);
    const Vec back = product.cwiseMax(0.1 * mu * target).cwiseMin(10 * mu * target) - product;
    return aim + back.cwiseMax(-10 * mu * target);
  }

  // d multiplier = ratio (pull - what the variables do)
  Vec pull(const Vec& aim, const Vec& missing) const {
    return aim.cwiseQuotient(multiplier) - missing;
  }
  Step step(const Vec& aim, Vec d_multiplier) const {
    Vec d_slack = (aim - slack.cwiseProduct(d_multiplier)).cwiseQuotient(multiplier);
    return {std::move(d_slack), std::move(d_multiplier)};
  }

  // How far it is to the boundary, up to twice the step.
  StepLengths room(const Step& step) const {
    return {room(slack, step.slack), room(multiplier, step.multiplier)};
  }
  // x - x is zero or not a number
  bool finite(const Step& step) const {
    return std::isfinite(sum([&](Index k) { return step.multiplier[k] - step.multiplier[k]; }));
  }
  void move(const Step& step, const StepLengths& length) {
    slack += length.primal * step.slack;
    multiplier += length.dual * step.multiplier;
  }

 private:
  template <class Term>
  double sum(Term term) const {
    Sum total;
    if (over) {
      total.add(over->sum([&](Index i) {
        double in_row = 0;
        for (Index k = i; k < slack.size(); k += block) in_row += term(k);
        return in_row;
      }));
    }
    for_coordinates([&](Index k) { total.add(term(k)); });
    return total.value();
  }
  double room(const Vec& v, const Vec& dv) const {
    double step = 2;
    const auto shorten = [&](Index k, double& s) {
      if (dv[k] < 0) s = std::min(s, -v[k] / dv[k]);
    };
    if (over) {
      step = std::min(step, -over->max([&](Index i) {
        double in_row = 2;
        for (Index k = i; k < v.size(); k += block) shorten(k, in_row);
        return -in_row;
      }));
    }
    for_coordinates([&](Index k) { shorten(k, step); });
    return step;
  }
  template <class F>
  void for_coordinates(F f) const {
    const Index first = over ? over->n() : 0, length = over ? block : slack.size();
    for (Index begin = 0; begin < slack.size(); begin += length) {
      for (Index k = begin + first; k < begin + length; ++k) f(k);
    }
  }
};

// The pieces of sum_i c_i max(q_i, r_i, 0). With the height s_i above all three,
//
//   sum_i c_i s_i,   s_i - q_i >= 0,   s_i >= 0,   s_i - r_i >= 0,
//
// whose multipliers are c_i alpha_i, c_i gamma_i, c_i beta_i, alpha_i + beta_i + gamma_i = 1. Each
// row aims at mu target_i in all three products: with target 1 a row of weight 2 is two rows. The
// slacks stand in three blocks in this order; the last is empty where there is no second piece.
class KinkTerms {
 public:
  Slacks slacks;

  // The first of all are those of `rows`. At q and r, which may be empty, from multipliers in the
  // triangle's interior.
  KinkTerms(const RowSums& rows, const Vec& c, const Vec& target, const Vec& q, const Vec& r,
            const Vec& alpha, const Vec& beta)
      : c_(c), m_(c.size()), second_(r.size() > 0) {
    slacks.over = &rows;
    slacks.block = m_;
    const Index size = (second_ ? 3 : 2) * m_;
    for (Vec* v : {&slacks.slack, &slacks.multiplier, &slacks.weight, &slacks.target})
      v->resize(size);
    const auto fill = [&](Index block, const Vec& slack, const Vec& multiplier) {
      slacks.slack.segment(block * m_, m_) = slack;
      slacks.multiplier.segment(block * m_, m_) = multiplier;
      slacks.weight.segment(block * m_, m_) = c;
      slacks.target.segment(block * m_, m_) = target;
    };
    const Vec top = second_ ? Vec(q.cwiseMax(r)) : q, height = top.cwiseMax(0) + target;
    Vec gamma = (1 - alpha.array()).matrix();
    if (second_) gamma -= beta;
    fill(0, height - q, alpha);
    fill(1, height, gamma);
    if (second_) fill(2, height - r, beta);
  }

  // The multipliers of the two pieces among any in these blocks.
  Vec first(const Vec& multiplier) const { return multiplier.head(m_); }
  Vec second(const Vec& multiplier) const {
    if (!second_) return Vec::Zero(m_);
    return multiplier.tail(m_);
  }

  // Where the pieces are: what the slacks fall short of, and the curvature of each piece.
  void look(const Vec& q, const Vec& r) {
    D_ = slacks.ratio();
    missing_ = Vec::Zero(slacks.slack.size());
    const Vec height = slacks.slack.segment(m_, m_);
    missing_.head(m_) = height - q - slacks.slack.head(m_);
    if (second_) missing_.tail(m_) = height - r - slacks.slack.tail(m_);
  }

  // Second derivatives once the heights are eliminated, and det = qq rr - qr^2: sums of positive
  // terms, but for qr, which is negative.
  struct Curvature {
    double qq, qr, rr, det;
  };
  Curvature curvature(Index i) const {
    const double D1 = D_[i], D2 = second(D_, i), D3 = D_[m_ + i], per = c_[i] / (D1 + D2 + D3);
    return {per * D1 * (D2 + D3), -per * D1 * D2, per * D2 * (D1 + D3), per * c_[i] * D1 * D2 * D3};
  }

  // What the multipliers do for the sake of the aim alone, and when q moves by dq and r by dr.
  // Piece k wants its height moved by g_k; s moves by their mean with weights D_k, and what is left
  // of g_k - ds is written in differences of the g: nothing cancels, however unequal the D_k.
  Vec at_rest(const Vec& aim) const {
    const Vec pull = slacks.pull(aim, missing_);
    return exchange([&](Index i) { return Heights{pull[i], second(pull, i), pull[m_ + i]}; });
  }
  Vec response(const Vec& dq, const Vec& dr) const {
    return exchange([&](Index i) { return Heights{dq[i], second_ ? dr[i] : 0.0, 0}; });
  }

 private:
  struct Heights {
    double g1, g2, g3;
  };
  template <class HeightsOf>
  Vec exchange(HeightsOf heights) const {
    Vec d(slacks.slack.size());
    for (Index i = 0; i < m_; ++i) {
      const double D1 = D_[i], D2 = second(D_, i), D3 = D_[m_ + i], S = D1 + D2 + D3;
      const auto [g1, g2, g3] = heights(i);
      d[i] = D1 * (D2 * (g1 - g2) + D3 * (g1 - g3)) / S;
      d[m_ + i] = D3 * (D1 * (g3 - g1) + D2 * (g3 - g2)) / S;
      if (second_) d[2 * m_ + i] = D2 * (D1 * (g2 - g1) + D3 * (g2 - g3)) / S;
    }
    return d;
  }
  double second(const Vec& v, Index i) const { return second_ ? v[2 * m_ + i] : 0.0; }

  const Vec c_;
  Index m_;
  bool second_;
  Vec D_, missing_;
};

// What it asks of a problem:
//   terms()                its Slacks, or what has their members from degree() to recentred(), and
//                          room()
//   factor() -> bool       the linear system where it stands; false: there is no next iterate
//   direction(aim)         a step; its `terms` are those of the slacks
//   finite(step) -> bool
//   move(step, lengths)
//   joint() -> bool        with strong convexity the dual residual is made of the primal variables,
//                          so that both sides must move as one
//   share(mu)              of the way to the boundary
// estimate() and exact() are those of Run::proceed().
template <class Problem, class Estimate, class Exact>
void interior_point(Problem& problem, Run& run, Estimate estimate, Exact exact) {
  constexpr int correctors = 2;
  // Gondzio's corrector aims at a longer step and is kept when it achieves a tenth of the hope.
  constexpr double hope = 0.3, achieved = 0.1;
  const auto& terms = problem.terms();
  const double degree = terms.degree();
  double value = 0;
  const auto here = [&] {
    const Certificate c = estimate();
    value = c.value;
    return c;
  };
  const auto lengths = [&](const auto& step) {
    const StepLengths room = terms.room(step.terms);
    // a full step may end near the boundary, where it aimed at, but not on it
    const auto inside = [](double length) { return length > 1 + 1e-9 ? 1 : length * (1 - 1e-9); };
    StepLengths length{inside(room.primal), inside(room.dual)};
    if (problem.joint()) length.primal = length.dual = length.shorter();
    return length;
  };

  while (run.proceed(here, exact, 0)) {
    if (!problem.factor()) break;
    const double mu = terms.gap() / degree;
    const auto affine = problem.direction(terms.predictor());
    if (!run.in_time()) break;
    // the better the affine step alone, the less centring
    const double ratio = terms.gap(affine.terms, lengths(affine)) / degree / mu;

    // differs: no smaller than the tolerance asks for. Rounding enters the dual residual like
    // 1 / mu, and without strong convexity the bound pays for it in first order.
    const double enough = 0.3 * run.tolerance() * value / degree;
    const double target = std::max(ratio * ratio * ratio * mu, enough);
    auto aim = terms.corrector(target, affine.terms);
    auto step = problem.direction(aim);
    StepLengths length = lengths(step);
    for (int k = 0; k < correctors && length.shorter() < 0.9 && run.in_time(); ++k) {
      const StepLengths longer{std::min(1.0, length.primal + hope),
                               std::min(1.0, length.dual + hope)};
      aim = terms.recentred(aim, step.terms, longer, target);
      auto corrected = problem.direction(aim);
      const StepLengths gained = lengths(corrected);
      if (gained.primal + gained.dual < length.primal + length.dual + achieved * hope) break;
      if (gained.shorter() < 0.9 * length.shorter()) break;
      step = std::move(corrected);
      length = gained;
    }
    if (!run.in_time() || !problem.finite(step)) break;
    const double share = problem.share(mu);
    if (length.primal < 1) length.primal *= share;
    if (length.dual < 1) length.dual *= share;
    problem.move(step, length);
    run.count_step();
  }
}

}  // namespace dualmargin
