#include "linear/residual_scale.h"

#include <algorithm>
#include <utility>
#include <vector>

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

struct ScaleSearch {
  static constexpr int most_rounds = 100;
  static constexpr double precision = 1e-8;

  double s;  // where T is to be found next
  int rounds = 0;

  explicit ScaleSearch(double first) : s(first) {}

  // After T(s) = t: true while there is another s to try.
  bool next(double t) {
    ++rounds;
    if (!(t > 0) || std::abs(t - s) <= precision * s || rounds >= most_rounds) return false;
    const double off = t - s;
    (off > 0 ? low_ : high_) = s;
    if (!(low_ < high_)) {  // by what the last fits were off
      (off > 0 ? high_ : low_) = off > 0 ? HUGE_VAL : 0;
    }
    const double secant = rounds > 1 ? s - off * ((s - s_) / (off - off_)) : t;
    // one side alone may creep
    const bool stuck = rounds % 4 == 0 && low_ > 0 && high_ < HUGE_VAL;
    s_ = s;
    off_ = off;
    const auto inside = [&](double trial) {
      return trial > low_ && trial < high_ && trial > 0.05 * s && trial < 20 * s;
    };
    s = !stuck && inside(secant)          ? secant
        : !stuck && t > low_ && t < high_ ? t
        : low_ > 0 && high_ < HUGE_VAL    ? std::sqrt(low_) * std::sqrt(high_)
                                          : t;
    // no number between the ends
    return s != s_;
  }

 private:
  double low_ = 0, high_ = HUGE_VAL, s_ = 0, off_ = 0;
};

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

double null_scale(const ScaledProblems& problems, double first) {
  ScaleSearch search(first);
  double b = 0, t = 0, s = first;
  do {
    s = search.s;
    problems(s, [&](const LinearProblem& p) {
      b = p.losses.best_intercept(RowVec::Zero(p.n()), b);
      t = scale_of(p.rows, RowVec::Constant(p.n(), b));
    });
  } while (search.next(t));
  return t > 0 ? s : 0.0;
}

Report fit_at_scale(const ScaledProblems& problems, const SolveAtScale& solve,
                    const Solution& start, double first, ScaleLimits limits, Run& run) {
  ScaleSearch search(first);
  Report r;
  double t = 0, s = first, done = 0;
  long steps = 0;
  r.solution = start;
  const auto report_at = [&](double scale, bool solved) {
    problems(scale, [&](const LinearProblem& p) {
      limits.run.max_epochs = run.left();
      limits.run.tol = solved ? limits.tight : run.tolerance();
      Run round(
          limits.run, p.null_value(), [&] { run.tick().ask(); }, [](double, double) {});
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
  };
  const auto near = [&](double share) { return t > 0 && std::abs(t - s) <= share * s; };
  const auto proven = [&] {
    return r.certificate.relative_gap(r.null_value) <= run.tolerance() &&
           r.status != Status::invalid_bound && r.status != Status::not_finite &&
           r.status != Status::refused;
  };
  for (;;) {
    s = search.s;
    report_at(s, true);
    const bool more = search.next(t);
    if (near(ScaleSearch::precision)) break;
    const bool tighten = r.status == Status::certified && limits.tight > limits.tightest;
    if (!near(1e-3)) {
      // nothing to be made precise yet
    } else if (more && tighten) {
      limits.tight = std::max(1e-2 * limits.tight, limits.tightest);
    } else if (!more || search.rounds > 8) {
      Report solved = r;
      const double was = s;
      s = t;
      report_at(s, false);
      if (proven()) break;
      r = std::move(solved);
      s = was;
    }
    if (!more || r.status == Status::not_finite || run.exhausted()) break;
  }
  if (proven()) {
    const bool fixed = near(ScaleSearch::precision);
    r.status = fixed             ? Status::certified
               : !run.in_time()  ? Status::max_seconds
               : run.exhausted() ? Status::max_epochs
                                 : Status::no_fixed_point;
  }
  for (TraceRow& row : r.trace) row.epoch += done;
  r.epochs = run.epoch();
  r.steps = steps;
  r.seconds = run.seconds();
  r.residual_scale = t > 0 ? s : 0.0;
  r.rounds = search.rounds;
  return r;
}

}  // namespace dualmargin::linear
