#include "decide/remove.h"

#include <algorithm>
#include <utility>

#include "decide/altered.h"
#include "decide/removal.h"

namespace dualmargin::decide {

namespace {

class Removal final : public RemovalIn<Fitted, ColumnSpace> {
 public:
  Removal(const Workspace& workspace, Vec origin, const ElasticNet& g, const Vec& w, double b,
          const RowVec& a, Rule rule, bool curved, Refits refits, Tick& tick)
      : RemovalIn(workspace.at(g), region::pair_of(workspace.at(g), w, b, a, tick), rule, curved,
                  tick),
        origin_(std::move(origin)),
        refits_(std::move(refits)) {}

 private:
  void prepare(Tick& tick) override {
    if (fit_.problem.g.l1 > 0 || optima_ || path_) return;
    if (fit_.problem.phi.gamma() == 0) {
      space_ = std::make_unique<ColumnSpace>(fit_.problem.rows, tick);
      make_path(tick);
    } else if (fit_.problem.rows.dim() + fit_.problem.free() <= region::largest_hessian) {
      optima_ = std::make_unique<AlteredOptima>(fit_.problem, fit_.pair.w, fit_.pair.b, tick,
                                                fit_.ellipsoid);
    }
  }
  How solve(Leaving& set, const Open& open, Tick& tick) const override {
    if (optima_ && optima_->usable() && step(set, open, tick)) return How::step;
    const Without less(fit_, set);
    const auto see = [&](const Vec& w, double b, const RowVec& a) {
      look(less, w, b, a, set, tick);
      return open(set);
    };
    if (!along_path(less, set, see, tick)) return How::step;
    refit(less, see, tick);
    return How::refit;
  }
  // Is the set open no more?
  bool step(Leaving& set, const Open& open, Tick& tick) const {
    constexpr int most = 12;  // with the Hessian of the fit
    constexpr double precise = 1e-9;
    const double enough = fit_.problem.phi.curving() == Curving::sudden ? 1e-6 : 0.01;
    const Altered of{set.out, nullptr, Vec::Constant(fit_.pair.w.size(), set.kappa)};
    Vec w = fit_.pair.w;
    double b = fit_.pair.b;
    int steps = 0;
    const auto use = [&](const AlteredOptima::Point& p) {
      w = p.w;
      b = p.b;
      steps = p.steps;
      double wide = 0;
      for (std::size_t j = 0; j < set.out.size(); ++j) {
        const Interval own = optima_->interval(of, p, set.out[j]);
        set.intersect(j, own.low, own.high);
        wide = std::max(wide, own.width() / std::max(1.0, std::abs(p.at.z[set.out[j]])));
      }
      // of a free intercept steps cost little beside those of refits, and narrow much
      const bool narrows =
          set.out.size() > 1 ? steps < 4 && !(wide <= precise) : steps == 1 && !(wide <= enough);
      return !(fit_.problem.free() && narrows) && !open(set);
    };
    optima_->leave(of, most, use, tick);
    if (open(set)) optima_->newton(of, Vec(w), b, steps, use, tick);
    return !open(set);
  }
  void refit(const Without& less, See see, Tick& tick) const override {
    linear::Solution at{{fit_.pair.w, fit_.pair.b}, {fit_.pair.a}, ""};
    for (const double tol : refit_tolerances) {
      at = refits_.solve(less.problem, std::move(at), tol, tick);
      if (!see(at.w, at.b, at.a)) return;
    }
  }
  Displaced displaced(const Problem& less, const Pair& pair, Tick& tick) const override {
    const region::Region r = region::region_of(less, pair, origin_, tick, false);
    const double lost = rounding::of(4) * (fit_.pair.w.norm() + r.ball.centre.norm());
    return {r.ball.centre - fit_.pair.w, r.ball.radius + lost, r.intercept};
  }

  const Vec origin_;  // the user's, as the moved rows are
  const Refits refits_;
  std::unique_ptr<AlteredOptima> optima_;
};

}  // namespace

std::unique_ptr<Removable> removal_of(const Workspace& workspace, Vec origin, const ElasticNet& g,
                                      const Vec& w, double b, const RowVec& a, Rule rule,
                                      bool curved, Refits refits, Tick& tick) {
  return std::make_unique<Removal>(workspace, std::move(origin), g, w, b, a, rule, curved,
                                   std::move(refits), tick);
}

}  // namespace dualmargin::decide
