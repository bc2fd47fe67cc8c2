// Rows that leave a kernel fit: the bounds of removal_bounds.h in function space, and what they leave
// open by refits in which the rows have no weight, warm and tighter until they are decided.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "decide/remove.h"
#include "kernel/kernel_problem.h"
#include "region/function_ellipsoid.h"

namespace dualmargin::decide {

using region::Function;
using region::FunctionPair;
using region::FunctionProblem;
using region::FunctionRows;

using FittedFunction =
    FittedIn<FunctionProblem, FunctionPair, region::BallIn<Function>, region::FunctionEllipsoid>;

// As Residual: e = kappa w + U is 0 but for its rounding, since w is the function of the dual point.
struct NoResidual {
  double square = 0, own = 0, w_square, rounding;
  RowVec along;

  explicit NoResidual(const FittedFunction& fit)
      : w_square(fit.problem.rows.square(fit.pair.w).value()),
        rounding(fit.kappa() * fit.pair.apart),
        along(RowVec::Zero(fit.n())),
        rows_(fit.problem.rows),
        w_lost_(rows_.square(fit.pair.w).rounding),
        score_lost_(rows_.roundings(fit.pair.w, 0)) {}

  double lost_in_square(Index i, double less, double shift, double terms) const {
    return less * less * w_lost_ + 2 * std::abs(less * shift) * score_lost_[i] +
           rounding::of(16) * terms;
  }
  double lost_in_step(Index i, double less, double score, double out, double x2) const {
    return std::abs(less) * score_lost_[i] + rows_.square_rounding(i) * std::abs(out) * x2 +
           rounding::of(8) * (std::abs(out) * x2 + std::abs(less * score));
  }

 private:
  const FunctionRows& rows_;
  double w_lost_;
  RowVec score_lost_;
};
inline NoResidual residual_of(const FittedFunction& fit, Tick&) { return NoResidual(fit); }

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

// A fit of a problem to a tolerance, from a start.
using FunctionRefit = std::function<kernel::Solution(
    const kernel::KernelProblem& problem, const kernel::Solution& start, double tol, Tick& tick)>;

class FunctionRemoval {
 public:
  // rows, which are their own points, with the kernel that their values are of; size: without the
  // constant of an intercept. loss: as the methods take it.
  FunctionRemoval(const FunctionRows& rows, const Gram& gram, const KernelSize& size,
                  const region::Calculus& phi, const AnyLoss& loss, double mu, bool free,
                  const RowVec& a, Rule rule, FunctionRefit refit, Tick& tick)
      : gram_(gram),
        size_(size),
        loss_(loss),
        refit_(std::move(refit)),
        problem_(rows, phi, {0, mu}, free),
        pair_(region::pair_of(problem_, Vec(), a, used(rows.rows.weights), tick)),
        ball_(region::ball_of(problem_, pair_)),
        ellipsoid_(region::ellipsoid_of(problem_, pair_, gram, tick)),
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
  static std::vector<Index> used(const RowVec& omega) {
    std::vector<Index> at;
    for (Index i = 0; i < omega.size(); ++i) {
      if (omega[i] > 0) at.push_back(i);
    }
    return at;
  }

  void solve(Leaving& leaving, const Open& open, Tick& tick) const {
    const FunctionRows& rows = problem_.rows;
    RowVec omega = rows.rows.weights;
    for (const Index i : leaving.out) omega[i] = 0;
    const region::Samples samples(rows.rows.y, omega, rows.rows.team);
    const double lambda = leaving.kappa / samples.total_weight;
    const kernel::KernelProblem to_solve(
        FunctionSpace(gram_, gram_, size_, omega.local(), lambda),
        {loss_, samples.y, omega, problem_.free(), rows.rows.team, samples.total_weight});
    const FunctionRows less(samples, rows);
    const FunctionProblem problem(less, problem_.phi, {0, lambda}, problem_.free());
    kernel::Solution at;
    at.a = pair_.a.local();
    at.b = pair_.b;
    for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      at = refit_(to_solve, at, tol, tick);
      look(problem, RowVec(at.a), leaving, tick);
      if (!open(leaving)) return;
    }
  }
  // The ball of a refit; a free intercept around each of the rows that left.
  void look(const FunctionProblem& problem, const RowVec& a, Leaving& leaving, Tick& tick) const {
    const FunctionRows& rows = problem.rows;
    const FunctionPair pair = region::pair_of(problem, Vec(), a, used(rows.rows.weights), tick);
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

  const Gram& gram_;
  const KernelSize& size_;
  AnyLoss loss_;
  FunctionRefit refit_;
  FunctionProblem problem_;
  FunctionPair pair_;
  region::BallIn<Function> ball_;
  region::FunctionEllipsoid ellipsoid_;
  FittedFunction fit_;
  std::array<Index, 2> counts_;
};

}  // namespace dualmargin::decide
