#include "region/newton.h"

#include <utility>

#include "algebra/conjugate_gradients.h"

namespace dualmargin::region {

double penalty(const FunctionProblem& problem, const Function& w) {
  return problem.g.l2 / 2 * inner(w, w);
}

template <class Geometry>
Bends::Bends(const ProblemIn<Geometry>& problem, const RowTerms& pair)
    : slope(slopes_of(problem, pair)), h(RowVec::of(problem.n(), [&](Index i) {
        return problem.share[i] * problem.phi.second(pair.z[i], problem.y(i));
      })) {}

std::optional<Vec> direction(const Problem& problem, const Pair& pair, Tick& tick) {
  const Bends at(problem, pair);
  const Factor factor = factored_hessian(problem, at.h, tick);
  if (!factor.usable()) return {};
  Vec step = factor.solve(gradient_of(problem, pair.w, at.slope, tick)).head(pair.w.size());
  if (!step.allFinite()) return {};
  return step;
}

std::optional<Function> direction(const FunctionProblem& problem, const FunctionPair& pair,
                                  Tick& tick) {
  const Bends at(problem, pair);
  const FunctionFactor factor = factored_hessian(problem, at.h, tick);
  if (!factor.solvable()) return {};
  const FunctionGradient g = gradient_of(problem, pair, at.slope, tick);
  Vec step = factor.solve(g.of_w, g.of_b).first;
  if (!step.allFinite()) return {};
  return problem.rows.function(std::move(step), tick);
}

std::optional<Function> direction(const FunctionProblem& problem, const FunctionPair& pair,
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

Function moved(const Function& w, double share, const Function& direction) {
  return combined(1, w, -share, direction);
}

Function remade(const FunctionProblem& problem, Function w, Tick& tick) {
  return problem.rows.function(std::move(w.coef), tick);
}

FunctionPair pair_of(const FunctionProblem& problem, Function w, double, RowVec a, Tick& tick) {
  return pair_of(problem, std::move(w), std::move(a), used_rows(problem.losses.omega), tick);
}

template Bends::Bends(const ProblemIn<Rows>&, const RowTerms&);
template Bends::Bends(const ProblemIn<FunctionRows>&, const RowTerms&);

}  // namespace dualmargin::region
