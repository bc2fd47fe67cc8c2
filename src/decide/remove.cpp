#include "decide/remove.h"

#include <utility>

#include "decide/removal.h"
#include "decide/removal_steps.h"

namespace dualmargin::decide {

namespace {

class Removal final : public RemovalIn<Fitted, ColumnSpace> {
 public:
  Removal(const Workspace& workspace, Vec origin, const ElasticNet& g, const Vec& w, double b,
          const RowVec& a, Rule rule, bool curved, Refit refit, std::function<Columns()> columns,
          Tick& tick)
      : RemovalIn(workspace.at(g), region::pair_of(workspace.at(g), w, b, a, tick), rule, curved,
                  tick),
        origin_(std::move(origin)),
        refit_(std::move(refit)),
        columns_(std::move(columns)) {}

 private:
  void prepare(Tick& tick) override {
    if (fit_.problem.g.l1 > 0 || steps_ || path_) return;
    if (fit_.problem.phi.gamma() == 0) {
      space_ = std::make_unique<ColumnSpace>(fit_.problem.rows, tick);
      make_path(tick);
    } else if (fit_.problem.rows.dim() + fit_.problem.free() <= region::largest_hessian) {
      steps_ = std::make_unique<Steps>(fit_, tick);
    }
  }
  How solve(Leaving& set, const Open& open, Tick& tick) const override {
    if (steps_) {
      steps_->solve(set, open, tick);
      // steps without a line search need not converge where slopes have kinks
      if (!open(set)) return How::step;
    }
    const Without less(fit_, set);
    const auto see = [&](const Vec& w, double b, const RowVec& a) {
      look(less, w, b, a, set, tick);
      return open(set);
    };
    if (!along_path(less, set, see, tick)) return How::step;
    refit(less, see, tick);
    return How::refit;
  }
  bool steps(const Without& less, const Leaving& set, See see, Tick& tick) const override {
    bool more = true;
    if (!steps_) return more;
    const Problem& problem = less.problem;
    // with the best b and the slopes there
    const auto see_slopes = [&](const Vec& w, double b) {
      RowVec z = less.rows.multiply(w, tick);
      b = problem.losses.best_intercept(z, b);
      z += b;
      return more = see(w, b, RowVec::of(problem.n(), [&](Index i) {
                          return problem.phi.left(z[i], problem.y(i));
                        }));
    };
    steps_->points(set, see_slopes, tick);
    return more;
  }
  void refit(const Without& less, See see, Tick& tick) const override {
    linear::LinearProblem to_solve(less.rows.unmoved(), fit_.problem.losses.held, less.problem.g,
                                   fit_.problem.free());
    to_solve.columns = columns_;
    const Vec& shift = fit_.problem.rows.shift;
    linear::Solution at{{fit_.pair.w, fit_.pair.b - shift.dot(fit_.pair.w)}, {fit_.pair.a}, ""};
    for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      at = refit_(to_solve, at, tol, tick);
      if (!see(at.w, fit_.problem.free() ? at.b + shift.dot(at.w) : 0.0, at.a)) return;
    }
  }
  Displaced displaced(const Problem& less, const Pair& pair, Tick& tick) const override {
    const region::Region r = region::region_of(less, pair, origin_, tick, false);
    const double lost = rounding::of(4) * (fit_.pair.w.norm() + r.ball.centre.norm());
    return {r.ball.centre - fit_.pair.w, r.ball.radius + lost, r.intercept};
  }

  const Vec origin_;  // the user's, as the moved rows are
  const Refit refit_;
  const std::function<Columns()> columns_;
  std::unique_ptr<Steps> steps_;
};

}  // namespace

std::unique_ptr<Removable> removal_of(const Workspace& workspace, Vec origin, const ElasticNet& g,
                                      const Vec& w, double b, const RowVec& a, Rule rule,
                                      bool curved, Refit refit, std::function<Columns()> columns,
                                      Tick& tick) {
  return std::make_unique<Removal>(workspace, std::move(origin), g, w, b, a, rule, curved,
                                   std::move(refit), std::move(columns), tick);
}

}  // namespace dualmargin::decide
