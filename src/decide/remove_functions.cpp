#include "decide/remove_functions.h"

#include <utility>

#include "decide/fitted_function.h"
#include "decide/removal.h"

namespace dualmargin::decide {

struct FunctionPlace : TiltPlace {
  RowVec lost;

  double lost_in_square(Index i, double factor) const { return 2 * std::abs(factor) * lost[i]; }
};
// Found by tilted_removal().
FunctionPlace tilt_place(const FittedFunction& fit, const region::TiltMass& mass,
                         const NoResidual& r, Tick& tick) {
  const FunctionRows& rows = fit.problem.rows;
  Function centre = rows.function(RowVec(fit.problem.share * mass.h / mass.mean).local(), tick);
  FunctionPlace at;
  at.of_shift = rows.coefficient_rounding(centre, 16);
  const FunctionRows moved(rows, std::move(centre));
  at.squares = moved.squares();
  at.along = r.along;
  at.score = moved.products(fit.pair.w);
  at.lost = moved.roundings(fit.pair.w, 0);
  return at;
}

namespace {

class FunctionRemoval final : public RemovalIn<FittedFunction, GramSpace> {
 public:
  FunctionRemoval(const FunctionRows& rows, const LossPtr& phi, double mu, bool free,
                  const RowVec& a, Rule rule, FunctionRefits refits, Tick& tick)
      : FunctionRemoval(FunctionProblem(rows, phi, {0, mu}, free), a, rule, std::move(refits),
                        tick) {}

 private:
  FunctionRemoval(const FunctionProblem& problem, const RowVec& a, Rule rule, FunctionRefits refits,
                  Tick& tick)
      : RemovalIn(problem, region::pair_of(problem, Function(), 0, a, tick), rule, true, tick),
        refits_(std::move(refits)) {}

  using Newton = DualSteps<FittedFunction, GramSpace>;

  void prepare(Tick& tick) override {
    if (space_) return;
    space_ = std::make_unique<GramSpace>(fit_.problem.rows, refits_.gram);
    if (fit_.problem.phi.gamma() == 0) {
      make_path(tick);
    } else {
      newton_ = std::make_unique<Newton>(fit_, *space_);
    }
  }
  How solve(Leaving& set, const Open& open, Tick& tick) const override {
    const Without less(fit_, set);
    const auto see = [&](const Function& w, double b, const RowVec& a) {
      look(less, w, b, a, set, tick);
      return open(set);
    };
    if (along_path(less, set, see, tick) && steps(less, set, see, tick)) refit(less, see, tick);
    return How::refit;
  }
  bool steps(const Without&, const Leaving& set, See see, Tick& tick) const override {
    if (!newton_ || !newton_->usable()) return true;
    const DualPoint at = newton_->solve(set, tick);
    return see(Function(), at.b, at.a);
  }
  void refit(const Without& less, See see, Tick& tick) const override {
    kernel::Solution at;
    at.a = fit_.pair.a.local();
    at.b = fit_.pair.b;
    for (const double tol : refit_tolerances) {
      at = refits_.solve(less.rows, less.problem.g.l2, fit_.problem.free(), at, tol, tick);
      if (!see(Function(), at.b, RowVec(at.a))) return;
    }
  }
  Displaced displaced(const FunctionProblem& less, const FunctionPair& pair,
                      Tick& tick) const override {
    const region::FunctionRegion r = region::region_of(less, pair, tick);
    const double lost = less.rows.coefficient_rounding(r.ball.centre, 4) +
                        less.rows.coefficient_rounding(fit_.pair.w, 4);
    return {r.ball.centre.coef - fit_.pair.w.coef, r.ball.radius + lost, r.centre};
  }

  const FunctionRefits refits_;
  std::unique_ptr<Newton> newton_;
};

}  // namespace

std::unique_ptr<Removable> removal_of(const FunctionRows& rows, const LossPtr& phi, double mu,
                                      bool free, const RowVec& a, Rule rule, FunctionRefits refits,
                                      Tick& tick) {
  return std::make_unique<FunctionRemoval>(rows, phi, mu, free, a, rule, std::move(refits), tick);
}

}  // namespace dualmargin::decide
