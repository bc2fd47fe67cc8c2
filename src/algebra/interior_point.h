// Primal-dual interior point method, predictor and corrector: S. Mehrotra (1992), SIAM Journal on
// Optimization 2, 575-601, with the centrality correctors of J. Gondzio (1996), Computational
// Optimization and Applications 6, 137-156. Here are the method and the slacks and
// multipliers it works on; a problem brings the linear system that is left without them.
#pragma once

#include <algorithm>
#include <optional>
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

  Vec ratio() const;
  // the gap that belongs to mu = 1
  double degree() const;
  double gap() const;
  double gap(const Step& step, const StepLengths& length) const;

  Vec predictor() const;
  // Centred, and the second-order terms of the predictor's step taken into account.
  Vec corrector(double mu, const Step& affine) const;
  // Products that would leave [mu / 10, 10 mu] after a longer step are sent back there.
  Vec recentred(const Vec& aim, const Step& step, const StepLengths& hope, double mu) const;

  // d multiplier = ratio (pull - what the variables do)
  Vec pull(const Vec& aim, const Vec& missing) const;
  Step step(const Vec& aim, Vec d_multiplier) const;

  // How far it is to the boundary, up to twice the step.
  StepLengths room(const Step& step) const;
  // x - x is zero or not a number
  bool finite(const Step& step) const;
  void move(const Step& step, const StepLengths& length);

 private:
  template <class Term>
  double sum(Term term) const;
  double room(const Vec& v, const Vec& dv) const;
  template <class F>
  void for_coordinates(F f) const;
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
            const Vec& alpha, const Vec& beta);

  // The multipliers of the two pieces among any in these blocks.
  Vec first(const Vec& multiplier) const;
  Vec second(const Vec& multiplier) const;

  // Where the pieces are: what the slacks fall short of, and the curvature of each piece.
  void look(const Vec& q, const Vec& r);

  // Second derivatives once the heights are eliminated, and det = qq rr - qr^2: sums of positive
  // terms, but for qr, which is negative.
  struct Curvature {
    double qq, qr, rr, det;
  };
  Curvature curvature(Index i) const;

  // What the multipliers do for the sake of the aim alone, and when q moves by dq and r by dr.
  // Piece k wants its height moved by g_k; s moves by their mean with weights D_k, and what is left
  // of g_k - ds is written in differences of the g: nothing cancels, however unequal the D_k.
  Vec at_rest(const Vec& aim) const;
  Vec response(const Vec& dq, const Vec& dr) const;

 private:
  struct Heights {
    double g1, g2, g3;
  };
  template <class HeightsOf>
  Vec exchange(HeightsOf heights) const;
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
template <class Problem>
void interior_point(Problem& problem, Run& run, FunctionRef<Certificate()> estimate,
                    FunctionRef<std::optional<Certificate>()> exact) {
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
    const auto inside = [](double length) {
      constexpr double off = 1e-9;
      return length > 1 + off ? 1 : length * (1 - off);
    };
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
