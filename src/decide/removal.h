// What rows that leave are asked by columns and by a kernel alike (remove.h, remove_functions.h).
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "decide/leaving.h"
#include "decide/removal_bounds.h"
#include "region/secant.h"

namespace dualmargin::decide {

template <class Fit>
class RemovalIn : public Removable {
 protected:
  using AnyProblem = typename Fit::OfProblem;
  using AnyPair = typename Fit::OfPair;
  using AnyEllipsoid = typename Fit::OfEllipsoid;

 public:
  RemovalIn(const RemovalIn&) = delete;

  const RowVec& scores() const final { return pair_.z; }
  Ends bounds(Tick& tick) const final { return removal_bounds(fit_, tick); }

  int class_left(const std::vector<Index>& out) const final {
    if (!problem_.free() || !problem_.phi.of_margins()) return 0;
    auto [negative, positive] = counts_;
    for (const Index i : out) {
      if (problem_.omega(i) > 0) --(problem_.y(i) > 0 ? positive : negative);
    }
    return (negative == 0) - (positive == 0);
  }

  // Sets are solved side by side.
  std::vector<How> solve(std::vector<Leaving>& sets, const Open& open, Tick& tick) final {
    std::vector<How> how(sets.size());
    for_each(
        sets, [&](std::size_t k, Tick& t) { how[k] = solve(sets[k], open, t); }, tick);
    return how;
  }
  std::vector<Displaced> displaced(std::vector<Leaving>& sets, Tick& tick) final {
    std::vector<Displaced> found(sets.size());
    const auto one = [&](std::size_t k, Tick& t) {
      if (class_left(sets[k].out) == 0) found[k] = displaced(sets[k], t);
    };
    for_each(sets, one, tick);
    return found;
  }

 protected:
  // pair(problem); curved: is the curvature asked for?
  RemovalIn(const AnyProblem& problem, Rule rule, bool curved,
            FunctionRef<AnyPair(const AnyProblem&)> pair, Tick& tick)
      : problem_(problem),
        pair_(pair(problem_)),
        ball_(region::ball_of(problem_, pair_)),
        ellipsoid_(curved ? region::ellipsoid_of(problem_, pair_, tick) : AnyEllipsoid()),
        fit_{problem_, pair_, ball_, ellipsoid_, rule} {
    for (Index i = 0; i < problem_.n(); ++i) {
      if (problem_.omega(i) > 0) ++counts_[problem_.y(i) > 0];
    }
  }

  // What all sets share, and one set.
  virtual void prepare(Tick&) {}
  virtual How solve(Leaving& set, const Open& open, Tick& tick) const = 0;
  virtual Displaced displaced(const Leaving& set, Tick& tick) const = 0;

  // Until a ball is so small beside w it is looked for further. That of a piecewise linear loss is
  // the root of a gap that vanishes up to rounding.
  double near() const { return problem_.phi.gamma() > 0 ? 1e-9 : 1e-6; }

  AnyProblem problem_;
  AnyPair pair_;
  typename Fit::OfBall ball_;
  AnyEllipsoid ellipsoid_;
  Fit fit_;

 private:
  void for_each(std::vector<Leaving>& sets, FunctionRef<void(std::size_t, Tick&)> one, Tick& tick) {
    for (Leaving& set : sets) {
      double weight = 0;
      for (const Index i : set.out) weight += problem_.omega(i);
      set.kappa = fit_.kappa_without(weight);
      set.ends.assign(set.out.size(), Interval());
    }
    prepare(tick);
    problem_.rows.team.for_chunks(
        static_cast<Index>(sets.size()),
        [&](Index k, Tick& t) { one(static_cast<std::size_t>(k), t); }, tick);
  }

  std::array<Index, 2> counts_{0, 0};  // of rows with a weight: negative and positive ones
};

}  // namespace dualmargin::decide
