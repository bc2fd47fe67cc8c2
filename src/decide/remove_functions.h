// Rows that leave a kernel fit: the bounds of removal_bounds.h in function space, and what they leave
// open by refits in which the rows have no weight, warm and tighter until they are decided.
#pragma once

#include <utility>
#include <vector>

#include "decide/fitted_function.h"
#include "decide/refit_functions.h"
#include "decide/remove.h"

namespace dualmargin::decide {

struct FunctionPlace : TiltPlace {
  RowVec lost;

  double lost_in_square(Index i, double factor) const { return 2 * std::abs(factor) * lost[i]; }
};
inline FunctionPlace tilt_place(const FittedFunction& fit, const region::TiltMass& mass,
                                const NoResidual& r, Tick& tick) {
  const FunctionRows& rows = fit.problem.rows;
  Function centre = rows.function(RowVec(fit.problem.share * mass.h / mass.mean).local(), tick);
  FunctionPlace at;
  at.of_shift = rows.coefficient_rounding(centre, 16);
  const FunctionRows moved(rows, std::move(centre));
  at.far = moved.squares();
  at.along = r.along;
  at.score = moved.products(fit.pair.w);
  at.lost = moved.roundings(fit.pair.w, 0);
  return at;
}

class FunctionRemoval {
 public:
  // rows, which are their own points, and not moved
  FunctionRemoval(const FunctionRows& rows, const region::Calculus& phi, double mu, bool free,
                  const RowVec& a, Rule rule, FunctionRefits refits, Tick& tick)
      : refits_(std::move(refits)),
        problem_(rows, phi, {0, mu}, free),
        pair_(region::pair_of(problem_, Function(), a, region::used_rows(rows.rows.weights), tick)),
        ball_(region::ball_of(problem_, pair_)),
        ellipsoid_(region::ellipsoid_of(problem_, pair_, tick)),
        fit_{problem_, pair_, ball_, ellipsoid_, rule},
        counts_(class_counts(problem_)) {}
  FunctionRemoval(const FunctionRemoval&) = delete;

  Ends bounds(Tick& tick) const { return removal_bounds(fit_, tick); }
  int class_left(const std::vector<Index>& out) const {
    return decide::class_left(problem_, out, counts_[0], counts_[1]);
  }
  std::vector<How> solve(std::vector<Leaving>& sets, const Open& open, Tick& tick) const {
    for (Leaving& set : sets) begin(fit_, set);
    const auto one = [&](Index k, Tick& t) { solve(sets[k], open, t); };
    problem_.rows.rows.team.for_chunks(static_cast<Index>(sets.size()), one, tick);
    return std::vector<How>(sets.size(), How::refit);
  }

 private:
  void solve(Leaving& leaving, const Open& open, Tick& tick) const {
    const FunctionRows& rows = problem_.rows;
    RowVec omega = rows.rows.weights;
    for (const Index i : leaving.out) omega[i] = 0;
    const region::Samples samples(rows.rows.y, omega, rows.rows.team);
    const double lambda = leaving.kappa / samples.total_weight;
    const FunctionRows less(samples, rows);
    const FunctionProblem problem(less, problem_.phi, {0, lambda}, problem_.free());
    kernel::Solution at;
    at.a = pair_.a.local();
    at.b = pair_.b;
    for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      at = refits_.solve(samples, lambda, problem_.free(), at, tol, tick);
      look(problem, RowVec(at.a), leaving, tick);
      if (!open(leaving)) return;
    }
  }
  // The ball of a refit; a free intercept around each of the rows that left.
  void look(const FunctionProblem& problem, const RowVec& a, Leaving& leaving, Tick& tick) const {
    const FunctionRows& rows = problem.rows;
    const FunctionPair pair =
        region::pair_of(problem, Function(), a, region::used_rows(rows.rows.weights), tick);
    const region::BallIn<Function> ball = region::ball_of(problem, pair);
    const region::AroundRows around = region::around_of(problem, ball);
    const RowVec squares = rows.squares();
    for (std::size_t j = 0; j < leaving.out.size(); ++j) {
      const Index i = leaving.out[j];
      const double score = around.score[i], lost = around.rounding[i];
      if (problem.free()) {
        const Vec values = rows.function(Vec::Unit(rows.n(), i), tick).values;
        const Interval ends = around.over(
            rows.distances(values, rows.sizes().scale[i], rows.sizes().error[i]), score, lost);
        leaving.meet(j, ends.low, ends.high);
        continue;
      }
      const double half = ball.radius * std::sqrt(squares[i]) * (1 + rounding::of(4)) + lost;
      leaving.meet(j, score - half, score + half);
    }
  }

  FunctionRefits refits_;
  FunctionProblem problem_;
  FunctionPair pair_;
  region::BallIn<Function> ball_;
  region::FunctionEllipsoid ellipsoid_;
  FittedFunction fit_;
  std::array<Index, 2> counts_;
};

}  // namespace dualmargin::decide
