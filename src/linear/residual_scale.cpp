#include "linear/residual_scale.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/roots.h"
#include "base/rounding.h"

namespace dualmargin::linear {

namespace {

// The middle of where half of the weight lies below: of a row that is there as often as its weight
// says. values: a number a row.
double weighted_median(const Rows& rows, FunctionRef<double(Index)> values) {
  std::vector<Rise> rises;
  rises.reserve(static_cast<std::size_t>(rows.n()));
  for (Index i = 0; i < rows.n(); ++i) {
    if (rows.weights[i] > 0) rises.push_back({values(i), rows.weights[i]});
  }
  return rows.balance_point(rises, -0.5 * rows.total_weight,
                            rounding::of_order * rows.total_weight);
}

}  // namespace

double scale_of(const Rows& rows, const RowVec& z) {
  const RowVec& y = rows.y;
  const double s = weighted_median(rows, [&](Index i) { return std::abs(z[i] - y[i]); }) / 0.6745;
  const double size = rows.max([&](Index i) { return std::abs(z[i]); }) +
                      rows.max([&](Index i) { return std::abs(y[i]); });
  return s > rounding::of(128) * size ? s : 0.0;
}

double spread_of(const Rows& rows, bool free) {
  const double b = free ? weighted_median(rows, [&](Index i) { return rows.y[i]; }) : 0.0;
  const double s = scale_of(rows, RowVec::Constant(rows.n(), b));
  if (s > 0) return s;
  const double squares = rows.sum([&](Index i) {
    const double r = rows.y[i] - b;
    return rows.weights[i] * r * r;
  });
  return squares > 0 ? std::sqrt(squares / rows.total_weight) : 1.0;
}

Report fit_at_scale(const ScaledProblems& problems, const SolveAtScale& solve,
                    const Solution& start, double first, bool precise, Run::Limits limits,
                    Run& run) {
  constexpr double precision = 1e-8, near_enough = 1e-3;
  constexpr int most_rounds = 100, few_rounds = 8;
  limits.tol = precise ? std::min(limits.tol, 1e-12) : 0.1 * limits.tol;
  Report r;
  r.solution = start;
  double s = first, t = 0, done = 0;
  long steps = 0;
  int rounds = 0;
  bool over = false;
  // solved: further, or the same point at another scale
  const auto report_at = [&](double scale, bool solved) {
    problems(scale, [&](const LinearProblem& p) {
      Run::Limits own = limits;
      own.max_epochs = run.left();
      if (!solved) own.tol = run.tolerance();
      Run round(
          own, p.null_value(), [&] { run.tick().ask(); }, [](double, double) {});
      Solution from = r.solution;
      if (from.w.size() > 0) from.a = p.losses.slopes(p.scored(from, round).z);
      const char* solver = from.solver;
      done = run.epoch();
      r = report(p, solved ? solve(p, from, round) : from, round);
      if (!solved) r.solution.solver = solver;
      run.spend(round.epoch());
      steps += round.steps();
      t = scale_of(p.rows, r.scores);
    });
    s = scale;
  };
  const auto off = [&] { return std::abs(t - s) / s; };
  const auto proven = [&] {
    return r.certificate.relative_gap(r.null_value) <= run.tolerance() &&
           r.status != Status::invalid_bound && r.status != Status::not_finite &&
           r.status != Status::refused;
  };
  const auto holds_at_its_own = [&] {
    const Report solved = r;
    const double was = s;
    report_at(t, false);
    if (proven()) return true;
    r = solved;
    s = was;
    return false;
  };
  // T(s)/s - 1, or 0 where there is nothing more to find
  const auto look = [&](double scale) {
    report_at(scale, true);
    over = !(t > 0) || off() <= precision || r.status == Status::not_finite || run.exhausted() ||
           ++rounds == most_rounds;
    if (!over && off() <= near_enough && !(precise && rounds < few_rounds)) {
      over = holds_at_its_own();
    }
    return over ? 0.0 : t / scale - 1;
  };
  const double tightest = precise ? 1e-13 : 1e-3 * run.tolerance();
  double low = first, at_low = look(low), stride = 1;
  while (!over) {
    double high = low * std::pow(1 + at_low, stride), at_high = look(high);
    if (over) break;
    if ((at_high > 0) == (at_low > 0)) {
      low = high;
      at_low = at_high;
      stride *= 2;  // one side alone may creep
      continue;
    }
    if (high < low) {
      std::swap(low, high);
      std::swap(at_low, at_high);
    }
    illinois(look, low, at_low, high, at_high, precision);
    if (over || (off() <= near_enough && holds_at_its_own()) || !(limits.tol > tightest)) break;
    // rough fits have misled it
    limits.tol = std::max(0.1 * limits.tol, tightest);
    low = s;
    at_low = look(low);
    stride = 1;
  }
  if (proven()) {
    r.status = off() <= precision ? Status::certified
               : !run.in_time()   ? Status::max_seconds
               : run.exhausted()  ? Status::max_epochs
                                  : Status::no_fixed_point;
  }
  for (TraceRow& row : r.trace) row.epoch += done;
  r.epochs = run.epoch();
  r.steps = steps;
  r.seconds = run.seconds();
  r.residual_scale = t > 0 ? s : 0.0;
  r.rounds = rounds;
  return r;
}

}  // namespace dualmargin::linear
