// What rows that leave are asked by columns and by a kernel alike (remove.h, remove_functions.h).
#pragma once

#include <array>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "decide/kink_path.h"
#include "decide/leaving.h"
#include "decide/removal_bounds.h"
#include "region/newton.h"

namespace dualmargin::decide {

template <class Fit, class Space>
class RemovalIn : public Removable {
 protected:
  using AnyProblem = typename Fit::OfProblem;
  using AnyPair = typename Fit::OfPair;
  using Geometry = std::decay_t<decltype(AnyProblem::rows)>;
  using Vector = decltype(AnyPair::w);
  using Path = KinkPath<Fit, Space>;

 public:
  RemovalIn(const RemovalIn&) = delete;

  std::vector<RowVec> scores() const final { return {fit_.pair.z}; }
  std::vector<Ends> bounds(Tick& tick) const final { return removal_bounds(fit_, tick); }
  std::vector<Ends> bounds(const std::vector<std::vector<Index>>& sets, Tick& tick) const final {
    return removal_bounds(fit_, sets, tick);
  }

  Optimum optimum_left(const std::vector<Index>& out, std::vector<Ends>& ends) const final {
    const int left = class_left(out);
    if (left == 0) return Optimum::whole;
    for (const Index i : out) ends[0].low[i] = ends[0].high[i] = left * HUGE_VAL;
    return Optimum::none;
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
  RemovalIn(const AnyProblem& problem, AnyPair pair, Rule rule, bool curved, Tick& tick)
      : fit_(problem, std::move(pair), rule, curved, tick) {
    for (Index i = 0; i < fit_.n(); ++i) {
      if (problem.omega(i) > 0) ++counts_[problem.y(i) > 0];
    }
  }

  // The problem without some rows: its pairs are made of those that stay, whatever a point came from.
  struct Without {
    const RowVec omega;
    const Geometry rows;
    const AnyProblem problem;

    Without(const Fit& fit, const Leaving& leaving)
        : omega(leaving.weights(fit.problem.rows.weights)),
          rows(fit.problem.rows, fit.problem.rows.y, omega),
          problem(rows, fit.problem.losses.held,
                  net(fit.problem.g, leaving.kappa / rows.total_weight), fit.problem.free()) {}
    Without(const Without&) = delete;

   private:
    static ElasticNet net(const ElasticNet& of, double mu) { return {mu * (of.l1 / of.l2), mu}; }
  };
  // Points nearer and nearer to the optimum, as long as this is true of them.
  using See = FunctionRef<bool(const Vector& w, double b, const RowVec& a)>;

  // What all sets share, and one set.
  virtual void prepare(Tick&) {}
  virtual How solve(Leaving& set, const Open& open, Tick& tick) const = 0;
  // By steps in the dual variables of a smooth loss (what `see` said last), and by refits in which
  // rows that leave have no weight, warm and tighter.
  virtual bool steps(const Without&, const Leaving&, See, Tick&) const { return true; }
  virtual void refit(const Without& less, See see, Tick& tick) const = 0;
  // By a pair of the problem without the set.
  virtual Displaced displaced(const AnyProblem& less, const AnyPair& pair, Tick& tick) const = 0;

  void make_path(Tick& tick) {
    const auto again = [&] {
      DualPoint last;
      int fits = 0;
      const auto see = [&](const Vector&, double b, const RowVec& a) {
        last = {a, b, false};
        return ++fits < Path::refits;
      };
      refit(Without(fit_, {{}, fit_.kappa(), {}}), see, tick);
      return last;
    };
    path_ = std::make_unique<Path>(fit_, *space_, again, tick);
  }
  bool along_path(const Without& less, const Leaving& set, See see, Tick& tick) const {
    if (!path_) return true;
    const auto see_dual = [&](const DualPoint& at) {
      return see(space_->point(RowVec(less.omega * at.a), set.kappa, tick), at.b, at.a);
    };
    DualPoint at = path_->solve(set, tick);
    return see_dual(at) && see_dual(path_->refined(set, std::move(at), tick));
  }

  // The ball of a point, where it is free the offset around each of the rows that left, and by
  // columns the curvature that all rows have for certain.
  void look(const Without& less, const Vector& w, double b, const RowVec& a, Leaving& leaving,
            Tick& tick) const {
    const AnyProblem& problem = less.problem;
    const AnyPair pair = region::pair_of(problem, w, b, a, tick);
    const auto ball = region::ball_of(problem, pair);
    const region::AroundRows around =
        region::around_of(less.rows, ball, region::offset_rule(problem), tick);
    const RowVec squares = less.rows.squares(tick);
    for (std::size_t j = 0; j < leaving.out.size(); ++j) {
      const Index i = leaving.out[j];
      const double score = around.score[i], lost = around.rounding[i];
      if (problem.free()) {
        const Interval ends = around.over(region::distances_to(less.rows, i, tick), score, lost);
        leaving.intersect(j, ends.low, ends.high);
        continue;
      }
      const double half = ball.radius * std::sqrt(squares[i]) * (1 + rounding::of(4)) + lost;
      leaving.intersect(j, score - half, score + half);
    }
    if constexpr (Fit::by_columns) {
      const auto curved = region::secant_of(
          problem, pair, ball, problem.free() ? around.over(squares, 0, 0) : Interval{0, 0},
          less.rows, tick);
      if (!curved.usable()) return;
      for (std::size_t j = 0; j < leaving.out.size(); ++j) {
        const Index i = leaving.out[j];
        const double half = curved.norms[i] * curved.radius + pair.z_rounding[i];
        leaving.intersect(j, pair.z[i] - half, pair.z[i] + half);
      }
    }
  }

  const Fit fit_;
  std::unique_ptr<Space> space_;
  std::unique_ptr<Path> path_;

 private:
  // -1 or 1 where only rows of that class stay: a free intercept of a margin loss has no optimum
  // then.
  int class_left(const std::vector<Index>& out) const {
    if (!fit_.problem.free() || !fit_.problem.phi.of_margins()) return 0;
    auto [negative, positive] = counts_;
    for (const Index i : out) {
      if (fit_.problem.omega(i) > 0) --(fit_.problem.y(i) > 0 ? positive : negative);
    }
    return (negative == 0) - (positive == 0);
  }

  Displaced displaced(const Leaving& set, Tick& tick) const {
    const Without less(fit_, set);
    // That of a piecewise linear loss is the root of a gap that vanishes up to rounding.
    constexpr double smooth = 1e-9, kinked = 1e-6;
    const double near =
        (fit_.problem.phi.gamma() > 0 ? smooth : kinked) * region::length(fit_.pair.w);
    Displaced best;
    const auto see = [&](const Vector& w, double b, const RowVec& a) {
      Displaced found = displaced(less.problem, region::pair_of(less.problem, w, b, a, tick), tick);
      if (found.radius < best.radius) best = std::move(found);
      return best.radius > near;
    };
    if (steps(less, set, see, tick) && along_path(less, set, see, tick)) refit(less, see, tick);
    return best;
  }

  void for_each(std::vector<Leaving>& sets, FunctionRef<void(std::size_t, Tick&)> one, Tick& tick) {
    for (Leaving& set : sets) {
      set.kappa = fit_.kappa_without(set.out);
      const auto count = static_cast<Index>(set.out.size());
      if (set.ends.empty()) set.ends = region::nothing_of(count, 1);
    }
    prepare(tick);
    fit_.problem.rows.team.for_chunks(
        static_cast<Index>(sets.size()),
        [&](Index k, Tick& t) { one(static_cast<std::size_t>(k), t); }, tick);
  }

  std::array<Index, 2> counts_{0, 0};  // of rows with a weight: negative and positive ones
};

}  // namespace dualmargin::decide
