#include "decide/remove_functions.h"

#include <utility>
#include <vector>

#include "decide/fitted_function.h"
#include "decide/kink_path.h"
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

class FunctionRemoval final : public RemovalIn<FittedFunction> {
 public:
  FunctionRemoval(const FunctionRows& rows, const LossPtr& phi, double mu, bool free,
                  const RowVec& a, Rule rule, FunctionRefits refits, Tick& tick)
      : RemovalIn(
            FunctionProblem(rows, phi, {0, mu}, free), rule, true,
            [&](const FunctionProblem& problem) {
              return region::pair_of(problem, Function(), a, region::used_rows(rows.weights), tick);
            },
            tick),
        refits_(std::move(refits)) {}

 private:
  using Path = KinkPath<FittedFunction, GramSpace>;
  using Newton = DualSteps<FittedFunction, GramSpace>;

  void prepare(Tick& tick) override {
    if (space_) return;
    space_ = std::make_unique<GramSpace>(problem_.rows, refits_.gram);
    if (problem_.phi.gamma() == 0) {
      const auto again = [&] {
        DualPoint last;
        int fits = 0;
        const auto see = [&](const DualPoint& at) {
          last = at;
          return ++fits < Path::refits;
        };
        refit(Without(*this, {{}, fit_.kappa(), {}}), see, tick);
        return last;
      };
      path_ = std::make_unique<Path>(fit_, *space_, again, tick);
    } else {
      newton_ = std::make_unique<Newton>(fit_, *space_);
    }
  }
  How solve(Leaving& leaving, const Open& open, Tick& tick) const override {
    const Without less(*this, leaving);
    const auto see = [&](const DualPoint& at) {
      look(less.problem, at.a, leaving, tick);
      return open(leaving);
    };
    find(less, leaving, see, tick);
    return How::refit;
  }
  Displaced displaced(const Leaving& leaving, Tick& tick) const override {
    const Without less(*this, leaving);
    const double length = std::sqrt(problem_.rows.square(pair_.w).most());
    Displaced best;
    const auto see = [&](const DualPoint& at) {
      const FunctionPair pair = region::pair_of(less.problem, Function(), at.a,
                                                region::used_rows(less.rows.weights), tick);
      const region::FunctionRegion r = region::region_of(less.problem, pair, tick);
      const double lost = less.rows.coefficient_rounding(r.ball.centre, 4) +
                          less.rows.coefficient_rounding(pair_.w, 4);
      if (r.ball.radius + lost < best.radius) {
        best = {r.ball.centre.coef - pair_.w.coef, r.ball.radius + lost, r.offset};
      }
      return best.radius > near() * length;
    };
    find(less, leaving, see, tick);
    return best;
  }

  // The problem without some rows.
  struct Without {
    const RowVec omega;
    const FunctionRows rows;
    const FunctionProblem problem;

    Without(const FunctionRemoval& of, const Leaving& leaving)
        : omega(leaving.weights(of.problem_.rows.weights)),
          rows({of.problem_.rows.y, omega, of.problem_.rows.team}, of.problem_.rows),
          problem(rows, of.problem_.losses.held, {0, leaving.kappa / rows.total_weight},
                  of.problem_.free()) {}
    Without(const Without&) = delete;
  };

  // Points nearer and nearer to the optimum, as long as see(point).
  void find(const Without& less, const Leaving& leaving, FunctionRef<bool(const DualPoint&)> see,
            Tick& tick) const {
    if (path_) {
      DualPoint at = path_->solve(leaving, tick);
      if (!see(at) || !see(path_->refined(leaving, std::move(at), tick))) return;
    }
    if (newton_ && newton_->usable() && !see(newton_->solve(leaving, tick))) return;
    refit(less, see, tick);
  }
  void refit(const Without& less, FunctionRef<bool(const DualPoint&)> see, Tick& tick) const {
    kernel::Solution at;
    at.a = pair_.a.local();
    at.b = pair_.b;
    for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      at = refits_.solve(less.rows, less.problem.g.l2, problem_.free(), at, tol, tick);
      if (!see({RowVec(at.a), at.b, false})) break;
    }
  }

  // The ball of a refit; a free intercept around each of the rows that left.
  void look(const FunctionProblem& problem, const RowVec& a, Leaving& leaving, Tick& tick) const {
    const FunctionRows& rows = problem.rows;
    const FunctionPair pair =
        region::pair_of(problem, Function(), a, region::used_rows(rows.weights), tick);
    const region::BallIn<Function> ball = region::ball_of(problem, pair);
    const region::AroundRows around = region::around_of(problem, ball);
    const RowVec squares = rows.squares();
    for (std::size_t j = 0; j < leaving.out.size(); ++j) {
      const Index i = leaving.out[j];
      const double score = around.score[i], lost = around.rounding[i];
      if (problem.free()) {
        const Vec values = rows.function(Vec::Unit(rows.n(), i), tick).values;
        const Interval ends = around.over(
            rows.squared_distances(values, rows.sizes().scale[i], rows.sizes().error[i]), score,
            lost);
        leaving.intersect(j, ends.low, ends.high);
        continue;
      }
      const double half = ball.radius * std::sqrt(squares[i]) * (1 + rounding::of(4)) + lost;
      leaving.intersect(j, score - half, score + half);
    }
  }

  FunctionRefits refits_;
  std::unique_ptr<GramSpace> space_;
  std::unique_ptr<Path> path_;
  std::unique_ptr<Newton> newton_;
};

}  // namespace

std::unique_ptr<Removable> removal_of(const FunctionRows& rows, const LossPtr& phi, double mu,
                                      bool free, const RowVec& a, Rule rule, FunctionRefits refits,
                                      Tick& tick) {
  return std::make_unique<FunctionRemoval>(rows, phi, mu, free, a, rule, std::move(refits), tick);
}

}  // namespace dualmargin::decide
