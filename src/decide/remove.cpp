#include "decide/remove.h"

#include <utility>

#include "decide/kink_path.h"
#include "decide/removal.h"
#include "decide/removal_refits.h"
#include "decide/removal_steps.h"

namespace dualmargin::decide {

namespace {

class Removal final : public RemovalIn<Fitted> {
 public:
  Removal(const Workspace& workspace, Vec origin, const ElasticNet& g, const Vec& w, double b,
          const RowVec& a, Rule rule, bool curved, Refit refit, std::function<Columns()> columns,
          Tick& tick)
      : RemovalIn(
            workspace.at(g), rule, curved,
            [&](const Problem& problem) { return region::pair_of(problem, w, b, a, tick); }, tick),
        origin_(std::move(origin)),
        refits_(fit_, std::move(refit), std::move(columns)) {}

 private:
  using Path = KinkPath<Fitted, ColumnSpace>;

  void prepare(Tick& tick) override {
    const auto& problem = problem_;
    if (problem.g.l1 > 0 || steps_ || path_) return;
    if (problem.phi.gamma() == 0) {
      space_ = std::make_unique<ColumnSpace>(problem.rows, tick);
      const auto again = [&] {
        DualPoint at;
        const WithoutRows all(fit_, {{}, fit_.kappa(), {}});
        int fits = 0;
        const auto see = [&](const Vec&, double b, const RowVec& a) {
          at = {a, b, false};
          return ++fits < Path::refits;
        };
        refits_.solve(all, see, tick);
        return at;
      };
      path_ = std::make_unique<Path>(fit_, *space_, again, tick);
    } else if (problem.rows.dim() + problem.free() <= region::largest_hessian) {
      steps_ = std::make_unique<Steps>(fit_, tick);
    }
  }
  How solve(Leaving& set, const Open& open, Tick& tick) const override {
    if (steps_) {
      steps_->solve(set, open, tick);
      // steps without a line search need not converge where slopes have kinks
      if (!open(set)) return How::step;
    }
    const WithoutRows less(fit_, set);
    const auto see = [&](const Vec& w, double b, const RowVec& a) {
      less.look(w, b, a, set, tick);
      return open(set);
    };
    if (path_ && !along_path(less, set, see, tick)) return How::step;
    refits_.solve(less, see, tick);
    return How::refit;
  }

  Displaced displaced(const Leaving& set, Tick& tick) const override {
    const WithoutRows less(fit_, set);
    Displaced best;
    const auto see = [&](const Vec& w, double b, const RowVec& a) {
      Displaced found = less.displaced(pair_.w, w, b, a, origin_, tick);
      if (found.radius < best.radius) best = std::move(found);
      return best.radius > near() * pair_.w.norm();
    };
    bool more = true;
    if (steps_) {
      const auto see_slopes = [&](const Vec& w, double b) {
        const DualAt at = less.slopes_at(w, b, tick);
        return more = see(w, at.b, at.a);
      };
      steps_->points(set, see_slopes, tick);
    }
    if (path_) more = along_path(less, set, see, tick);
    if (more) refits_.solve(less, see, tick);
    return best;
  }

  // As long as see(w, b, a); what that said last.
  bool along_path(const WithoutRows& less, const Leaving& set,
                  FunctionRef<bool(const Vec& w, double b, const RowVec& a)> see,
                  Tick& tick) const {
    const auto see_dual = [&](const DualPoint& at) {
      return see(space_->point(RowVec(less.rows.weights * at.a), set.kappa, tick), at.b, at.a);
    };
    DualPoint at = path_->solve(set, tick);
    return see_dual(at) && see_dual(path_->refined(set, std::move(at), tick));
  }

  const Vec origin_;
  Refits refits_;
  std::unique_ptr<Steps> steps_;
  std::unique_ptr<ColumnSpace> space_;
  std::unique_ptr<Path> path_;
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
