// What methods have in common that step in a metric and learn of it from their steps: the inverse of a
// Hessian, H_0, or a multiple of 1, and pairs of steps and changes of the gradient.
// J. Nocedal (1980), Mathematics of Computation 35, 773-782.
#pragma once

#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "base/numeric.h"
#include "linear/cost_model.h"
#include "linear/problem.h"
#include "rows/rows.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

// Inverse: solve(g) is H_0 g.
template <class Inverse>
class Metric {
 public:
  bool has_matrix() const { return start_.has_value(); }
  void renew(Inverse start) {
    pairs_.clear();
    start_.emplace(std::move(start));
  }
  // Of a step and the change of g.
  void learn(Vec s, Vec y) {
    constexpr std::size_t memory = 10;
    const double product = s.dot(y);
    constexpr double least_cosine = 1e-16;  // below it the product is rounding, its sign too
    if (!(product > least_cosine * s.norm() * y.norm())) return;
    if (pairs_.size() == memory) pairs_.pop_front();
    pairs_.push_back({std::move(s), std::move(y), product});
  }
  // By the two loops of Nocedal.
  Vec times(Vec g) const {
    std::vector<double> alpha;
    for (auto k = pairs_.rbegin(); k != pairs_.rend(); ++k) {
      alpha.push_back(k->s.dot(g) / k->product);
      g -= alpha.back() * k->y;
    }
    if (start_) {
      g = start_->solve(g);
    } else if (!pairs_.empty()) {
      g *= pairs_.back().product / pairs_.back().y.squaredNorm();
    }
    for (const Pair& k : pairs_) {
      g += (alpha.back() - k.y.dot(g) / k.product) * k.s;
      alpha.pop_back();
    }
    return g;
  }

 private:
  struct Pair {
    Vec s, y;
    double product;
  };
  std::optional<Inverse> start_;
  std::deque<Pair> pairs_;
};

// The value falls as long as go() says so, and the Hessian is renewed whenever the rate of the gap does
// not promise `target` in as many steps as that takes. Of a Descent:
//   gap(), step(metric), renew(metric)
//   price()           of a Hessian, in steps
//   steps_of_rate     that the rate is taken over
//   steps_after(r)    steps after a renewal until the gap is 1 / r of what it is
template <class Descent, class Inverse>
void descend(Descent& descent, Metric<Inverse>& metric, double target, Run& run,
             FunctionRef<bool()> go) {
  std::vector<double> gaps;
  const auto steps_left = [&] {
    constexpr std::size_t steps = Descent::steps_of_rate;
    const std::size_t k = gaps.size();
    if (k <= steps) return metric.has_matrix() ? 0.0 : 11.0;  // as without a matrix, at best
    const double rate = std::log(gaps[k - 1 - steps] / gaps[k - 1]) / static_cast<double>(steps);
    return rate > 0 ? std::log(gaps[k - 1] / target) / rate : HUGE_VAL;
  };
  while (go()) {
    gaps.push_back(descent.gap());
    if (steps_left() > descent.price() + descent.steps_after(gaps.back() / target)) {
      descent.renew(metric);
      gaps = {gaps.back()};
    }
    if (!run.in_time()) break;
    descent.step(metric);
  }
}

// The step along a direction on which the value falls by `fall` at 0: to a tenth of that, which Newton's
// method within a bracket finds from t on. slope_at(t): slope and curvature, of the step last.
double step_along(double fall, double t, FunctionRef<std::array<double, 2>(double)> slope_at);

// Passes that a Hessian of one score takes, beside those of a step.
double price_of_hessian(const Rows& rows);

// Forty rows a column of those of all ranks, one of each of as many stretches of about the same length;
// no sample where there are not twice as many.
std::optional<RowChoice> draw_sample(const Rows& rows, Sampler& sampler);

// From its start to about the minimum of a sample, and a metric there; where `cold` is false the metric
// alone. null_value: of the fit
template <class Descent, class Inverse>
void descend_on_sample(Descent& descent, Metric<Inverse>& metric, bool cold, double null_value,
                       Run& run) {
  constexpr double accuracy = 1e-3;
  constexpr int most_steps = 50;
  int steps = 0;
  const auto unfinished = [&] {
    return cold && steps++ < most_steps && descent.gap() > accuracy * descent.value() &&
           !run.exhausted();
  };
  descend(descent, metric, accuracy * null_value, run, unfinished);
  descent.renew(metric);
}

// L-BFGS from a start, or from the minimum of a sample where there is a sampler. Of a Descent:
//   Descent(problem, price, share, run)   price: as above; share: of the rows of the fit
//   start(primal), primal(), value(), gap()
//   certify(d)                            of the dual point here, which d becomes
//   samples(problem, price)               is a sample of use?
//   solve_part(problem, sample, choice, solve)   solve() of the sample's problem, if it has a minimum
template <class Descent, class Problem, class Solution>
Solution descend_from(const Problem& problem, const Solution& start, Sampler* sampler, Run& run) {
  Solution s = problem.begin(start, "lbfgs");
  const bool small = problem.dim() <= cost::matrix_columns;
  const double price = small ? price_of_hessian(problem.rows) : HUGE_VAL;
  Metric<typename Descent::Inverse> metric;
  const auto start_on_sample = [&] {
    const std::optional<RowChoice> some = draw_sample(problem.rows, *sampler);
    if (!some) return;
    const Rows sample(problem.rows, *some);
    Descent::solve_part(problem, sample, *some, [&](const Problem& part) {
      Descent descent(part, price, sample.count() / problem.rows.count(), run);
      descent.start(s);
      const bool cold = start.w.rows() != problem.dim();
      descend_on_sample(descent, metric, cold, run.null_value(), run);
      static_cast<PrimalOf<typename Problem::Array>&>(s) = descent.primal();
    });
  };
  if (sampler != nullptr && small && Descent::samples(problem, price)) start_on_sample();

  Descent descent(problem, price, 1, run);
  descent.start(s);
  BestOf<typename Problem::Array> best(run.iterate());
  const auto cached = [&] {
    DualOf<typename Problem::Array> d;
    const Certificate c = descent.certify(d);
    best.offer_primal(descent.primal(), c.value);
    best.offer_dual(d, c.bound);
    return best.certificate();
  };
  const auto exact = [&] { return certify_best(problem, best, run); };
  descend(descent, metric, run.tolerance() * descent.value(), run,
          [&] { return run.proceed(cached, exact, 0); });
  return {best.primal(), best.dual(), "lbfgs"};
}

}  // namespace dualmargin::linear
