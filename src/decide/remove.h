// Rows that leave a fit, alone or in groups: what its scores of them would be without them. Bounds
// for all rows from the pair of the fit; what they leave open by Newton steps without the row where
// the loss is smooth and the penalty a ridge, by refits otherwise. Sets are solved side by side.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "decide/removal_refits.h"
#include "decide/workspace.h"

namespace dualmargin::decide {

// Is this set to be solved further?
using Open = std::function<bool(const Leaving&)>;
enum class How { step, refit };

// -1 or 1 where only rows of that class stay: a free intercept of a margin loss has no optimum
// then.
template <class AnyProblem>
int class_left(const AnyProblem& problem, const std::vector<Index>& out, Index negative,
               Index positive) {
  if (!problem.free() || !problem.phi.of_margins()) return 0;
  for (const Index i : out) {
    if (problem.omega(i) > 0) --(problem.y(i) > 0 ? positive : negative);
  }
  return (negative == 0) - (positive == 0);
}

// Rows with a weight that are negative and positive.
template <class AnyProblem>
std::array<Index, 2> class_counts(const AnyProblem& problem) {
  std::array<Index, 2> counts{0, 0};
  for (Index i = 0; i < problem.n(); ++i) {
    if (problem.omega(i) > 0) ++counts[problem.y(i) > 0];
  }
  return counts;
}

// Before a set is solved.
template <class Fit>
void begin(const Fit& fit, Leaving& set) {
  double weight = 0;
  for (const Index i : set.out) weight += fit.problem.omega(i);
  set.kappa = fit.kappa_without(weight);
  set.ends.assign(set.out.size(), Interval());
}

template <class Data>
class Removal {
 public:
  Removal(const Workspace<Data>& space, const Data& data, const ElasticNet& g, const Vec& w,
          double b, const RowVec& a, Rule rule, bool curved, Refit<Data> refit,
          std::function<Columns()> columns, Tick& tick)
      : problem_(space.at(g)),
        pair_(region::pair_of(problem_, w, b, a, tick)),
        ball_(region::ball_of(problem_, pair_)),
        ellipsoid_(curved ? region::ellipsoid_of(problem_, pair_, tick) : region::Ellipsoid()),
        fit_{problem_, pair_, ball_, ellipsoid_, rule},
        refits_(fit_, data, std::move(refit), std::move(columns)),
        counts_(class_counts(problem_)) {}
  Removal(const Removal&) = delete;

  Ends bounds(Tick& tick) const { return removal_bounds(fit_, tick); }
  int class_left(const std::vector<Index>& out) const {
    return decide::class_left(problem_, out, counts_[0], counts_[1]);
  }

  // For each set the intervals of its rows and how they were found.
  std::vector<How> solve(std::vector<Leaving>& sets, const Open& open, Tick& tick) {
    std::vector<How> how(sets.size(), How::refit);
    for (Leaving& set : sets) begin(fit_, set);
    const Index d = pair_.w.size() + problem_.free();
    const bool smooth =
        problem_.phi.gamma() > 0 && problem_.g.l1 == 0 && d <= region::largest_hessian;
    if (smooth && !steps_) steps_ = std::make_unique<Steps<Data>>(fit_, tick);
    const auto one = [&](Index k, Tick& t) {
      Leaving& set = sets[k];
      if (smooth) {
        steps_->solve(set, open, t);
        how[k] = How::step;
        // steps without a line search need not converge where slopes have kinks
        if (!open(set)) return;
        how[k] = How::refit;
      }
      refits_.solve(set, open, t);
    };
    problem_.rows.rows.team.for_chunks(static_cast<Index>(sets.size()), one, tick);
    return how;
  }

 private:
  Problem<Data> problem_;
  Pair pair_;
  region::Ball ball_;
  region::Ellipsoid ellipsoid_;
  Fitted<Data> fit_;
  Refits<Data> refits_;
  std::array<Index, 2> counts_;
  std::unique_ptr<Steps<Data>> steps_;
};

}  // namespace dualmargin::decide
