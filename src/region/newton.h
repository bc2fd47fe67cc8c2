// What a Newton step asks of a point of a problem, where it lives: among columns or functions.
//
//   scores     x_i'w of the rows
//   penalty    g(w)
//   direction  (w, b) less H^-1 G is the next point: w's part of H^-1 G; nothing where there is none
//   moved      w - share * direction;  remade: the same point, its values computed anew
#pragma once

#include <optional>
#include <utility>

#include "algebra/conjugate_gradients.h"
#include "region/function_ellipsoid.h"

namespace dualmargin::region {

inline RowVec scores(const Problem& problem, const Vec& w, Tick& tick) {
  return problem.rows.multiply(w, tick);
}
inline RowVec scores(const FunctionProblem& problem, const Function& w, Tick&) {
  return problem.rows.products(w);
}

inline double penalty(const Problem& problem, const Vec& w) { return problem.g.value(w); }
inline double penalty(const FunctionProblem& problem, const Function& w) {
  return problem.g.l2 / 2 * inner(w, w);
}

inline double length(const Vec& w) { return w.norm(); }
inline double length(const Function& w) { return std::sqrt(std::max(0.0, inner(w, w))); }

// Slopes at the pair and shares of weights times curvatures.
struct Bends {
  RowVec slope, h;

  template <class Geometry>
  Bends(const ProblemIn<Geometry>& problem, const RowTerms& pair)
      : slope(problem.n()), h(problem.n()) {
    for (Index i = 0; i < problem.n(); ++i) {
      h[i] = problem.share[i] * problem.phi.curvature(pair.z[i], problem.y(i));
      slope[i] = problem.phi.left(pair.z[i], problem.y(i));
    }
  }
};
inline std::optional<Vec> direction(const Problem& problem, const Pair& pair, Tick& tick) {
  const Bends at(problem, pair);
  const Factor factor = factored_hessian(problem, at.h, tick);
  if (!factor.usable()) return {};
  Vec step = factor.solve(gradient_of(problem, pair.w, at.slope, tick)).head(pair.w.size());
  if (!step.allFinite()) return {};
  return step;
}
inline std::optional<Function> direction(const FunctionProblem& problem, const FunctionPair& pair,
                                         Tick& tick) {
  const Bends at(problem, pair);
  const FunctionFactor factor = factored_hessian(problem, at.h, tick);
  if (!factor.solvable()) return {};
  const FunctionGradient g = gradient_of(problem, pair, at.slope, tick);
  Vec step = factor.solve(g.of_w, g.of_b).first;
  if (!step.allFinite()) return {};
  return problem.rows.function(std::move(step), tick);
}

// The same by conjugate gradients with the factor of a problem nearby: a step of n^2 operations each,
// for n^3/3. Nothing where these do not get there in a few.
inline std::optional<Function> direction(const FunctionProblem& problem, const FunctionPair& pair,
                                         const FunctionFactor& nearby, Tick& tick) {
  constexpr int most = 40;
  constexpr double least = 1e-10;  // of the square of the residual
  const Bends at(problem, pair);
  const Mat& K = problem.rows.gram();
  const double mu = problem.g.l2;
  const Vec d = at.h.local().array().sqrt();
  const FunctionGradient g = gradient_of(problem, pair, at.slope, tick);
  bool found = true;
  const auto solved = [&](const Vec& right) -> Vec {
    double first = 0;
    const auto apply = [&](const Vec& v) -> Vec {
      const Vec image = K * d.cwiseProduct(v);
      return mu * v + d.cwiseProduct(image);
    };
    const auto precondition = [&](const Vec& v) { return nearby.inverse(v); };
    const auto more = [&](int step, double rho) {
      tick.look();
      if (step == 0) first = rho;
      if (!(rho > least * first)) return false;
      if (step == most) found = false;
      return step < most;
    };
    return pcg(apply, precondition, right, more).solution;
  };
  Vec y = solved(d.cwiseProduct(g.of_w.values));
  if (problem.free() && found) {
    const Vec border = solved(d);
    y += (g.of_b - d.dot(y)) / d.dot(border) * border;
  }
  Vec step = (g.of_w.coef - d.cwiseProduct(y)) / mu;
  if (!found || !step.allFinite()) return {};
  return problem.rows.function(std::move(step), tick);
}

inline Vec moved(const Vec& w, double share, const Vec& direction) { return w - share * direction; }
inline Function moved(const Function& w, double share, const Function& direction) {
  return combined(1, w, -share, direction);
}

inline Vec remade(const Problem&, Vec w, Tick&) { return w; }
inline Function remade(const FunctionProblem& problem, Function w, Tick& tick) {
  return problem.rows.function(std::move(w.coef), tick);
}

// A pair at any point. Of functions b is the best one.
inline FunctionPair pair_of(const FunctionProblem& problem, Function w, double, RowVec a,
                            Tick& tick) {
  return pair_of(problem, std::move(w), std::move(a), used_rows(problem.losses.omega), tick);
}

}  // namespace dualmargin::region
