#include "robust/incremental.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "algebra/pdhg.h"
#include "robust/saddle.h"

namespace dualmargin::robust {

// Feasible multipliers for a primal point that came without any.
//
// Rows that are clearly in one piece of their loss have a vertex of the triangle for multipliers.
// The others, those near a kink, share what is left: with the clear rows replaced by their pieces
// that is the saddle point of saddle.h on fewer rows, and a piece is never above its row's loss:
// what bounds this problem bounds the whole one. Restarted PDHG solves it, from the point and its
// last multipliers, for as long as it may.
//
// The active pieces alone would not do: at the optimum most rows can lie on a kink, and the share
// of each piece decides whether v and theta fit (J. Li, C. Chen, A. M.-C. So (2020),
// arXiv:2010.12865, have no multipliers and no bound).

namespace {

// Epochs that a recovery may always take, at the limit of the fit's epochs too.
constexpr double least_recovery = 20;

// Splits the rows at the point s; the multipliers of the clear ones are left in s.
class Kinks {
 public:
  // A row is near a kink when its two largest pieces differ by less than this, or when it is among
  // the rows_per_column (columns + 2) nearest ones.
  static constexpr double width = 0.01;
  static constexpr Index rows_per_column = 3;

  Kinks(const RobustSvm& problem, Solution& s, Tick& tick) : p_(problem) {
    const Rows& rows = p_.rows;
    const Index n = p_.n();
    const double kappa = p_.flip_cost();
    s.z = p_.scores(s.w, s.b, tick);
    t_ = p_.radius > 0 ? std::max(s.t, p_.cone.norm(s.w)) : p_.best_t(s.w, s.z);
    value_ = p_.value(s.w, t_, s.z);
    limit_ = p_.norm_limit(s.w);
    RowVec apart(n);
    std::vector<int> piece(n);
    std::vector<Rise> nearest(n);
    for (Index i = 0; i < n; ++i) {
      const double u = rows.y[i] * s.z[i];
      double h[3] = {1 - u, p_.flips() ? 1 + u - kappa * t_ : -HUGE_VAL, 0};
      piece[i] = static_cast<int>(std::max_element(h, h + 3) - h);
      std::sort(h, h + 3);
      apart[i] = rows.weights[i] > 0 ? h[2] - h[1] : HUGE_VAL;
      if (!(apart[i] >= 0)) apart[i] = HUGE_VAL;  // of a score that is not finite
      nearest[i] = {apart[i], 1};
    }
    const auto most = static_cast<double>(rows_per_column * (p_.dim() + 2));
    const double count = std::min(rows.count(), most);
    const double near = std::max(rows.balance_points(nearest, -count, 0).low, width);
    RowVec force = RowVec::Zero(n);
    for (Index i = 0; i < n; ++i) {
      if (apart[i] <= near) {
        some_.id.push_back(i);
        continue;
      }
      s.alpha[i] = piece[i] == 0;
      s.beta[i] = piece[i] == 1;
      force[i] = rows.share(i) * (s.alpha[i] - s.beta[i]) * rows.y[i];
    }
    const auto [labels, flipped, sum] = rows.sum([&](Index i) {
      const double share = apart[i] <= near ? 0.0 : rows.share(i);
      return std::array<double, 3>{force[i], share * s.beta[i], share * (s.alpha[i] + s.beta[i])};
    });
    clear_ = {rows.transpose_multiply(force, tick), p_.free_intercept ? labels : 0.0,
              p_.radius - kappa * flipped, sum};
    some_.y.resize(some_.id.size());
    some_.weights.resize(some_.id.size());
    for (std::size_t k = 0; k < some_.id.size(); ++k) {
      some_.y[k] = rows.y[some_.id[k]];
      some_.weights[k] = rows.weights[some_.id[k]];
    }
  }

  const RowChoice& rows() const { return some_; }
  const Pull& clear() const { return clear_; }
  double value() const { return value_; }

  // The point with the multipliers of these rows, and the other way round.
  Solution start(const Solution& s) const {
    Solution part;
    part.w = s.w;
    part.b = s.b;
    part.t = t_;
    part.alpha = part.beta = RowVec::Zero(some_.y.size());
    for (Index k = 0; k < some_.y.size(); ++k) {
      part.alpha[k] = s.alpha[some_.id[k]];
      if (p_.flips()) part.beta[k] = s.beta[some_.id[k]];
      project_triangle(part.alpha[k], part.beta[k]);
    }
    return part;
  }
  void store(const Dual& part, Dual& s) const {
    for (Index k = 0; k < some_.y.size(); ++k) {
      s.alpha[some_.id[k]] = part.alpha[k];
      s.beta[some_.id[k]] = part.beta[k];
    }
  }

  // P at the point less what certify() will make of these multipliers, but for the balancing of a
  // free intercept, which costs about |v_b|.
  double gap(const Pull& g) const {
    const double flipped = p_.radius - g.t, force = p_.cone.dual_norm(g.w);
    double bound = g.sum - std::abs(g.b);
    if (p_.conditional()) return value_ - bound + limit_ * force;
    const double needs = (p_.ridge > 0 ? 0 : force) + flipped;
    const double fits = needs > p_.radius ? p_.radius / needs : 1.0;
    bound -= (1 - fits) * g.sum;
    if (p_.ridge > 0) {
      const double theta = std::max(p_.radius - fits * flipped, 0.0);
      bound -= p_.cone.dual().squared_distance(theta, fits * g.w) / (2 * p_.ridge);
    }
    return value_ - bound;
  }
  // `weight`: that of the rows near a kink. The multipliers can move that far; the point, from which
  // these rows were chosen, hardly.
  double primal_weight(const Vec& w, double weight) const {
    return std::sqrt(weight / p_.rows.total_weight) / (0.01 * (1 + w.norm()));
  }

 private:
  const RobustSvm& p_;
  double t_, value_, limit_;
  RowChoice some_;
  Pull clear_;
};

// Multipliers of s for its (w, b, t), in place; the ones it has are where the search starts. Spends
// about `work` epochs, or less if the bound is good enough.
void recover_dual(const RobustSvm& problem, Solution& s, double work, Run& run) {
  constexpr int power_iterations = 15, between_bounds = 8;
  using Form = Saddle;
  using Iterate = typename Form::Iterate;
  const Kinks kinks(problem, s, run);
  const Rows rows(problem.rows, kinks.rows());
  const Form form(problem, rows, kinks.clear());
  const double k = form.norm(power_iterations, 0.05, run), goal = 0.1 * run.tolerance();
  // of a step, in epochs
  const double price = 2.0 * static_cast<double>(kinks.rows().id.size()) / problem.n();
  double spent = 0, least = HUGE_VAL;
  const auto spend = [&](double epochs) {
    spent += epochs;
    run.spend(epochs);
  };
  spend(8 * price);  // the norm and the start
  const auto may_go_on = [&] {
    return spent < work && run.tick().poll() && (spent < least_recovery || !run.exhausted());
  };
  Iterate best = form.iterate(kinks.start(s), run);
  const auto step = [&](Iterate& now, double nu) {
    if (!may_go_on()) return false;
    form.step(now, nu, k, run);
    spend(price);
    return true;
  };
  const auto look = [&](const Iterate& now, const Iterate& mean) -> std::optional<SaddleGaps> {
    const SaddleGaps gaps{kinks.gap(now.pull), kinks.gap(mean.pull)};
    const double gap = std::min(gaps.iterate, gaps.average);
    if (gap < least) {
      best = gaps.average < gaps.iterate ? mean : now;
      least = gap;
    }
    if (!(least > goal * kinks.value()) || !may_go_on()) return std::nullopt;
    return gaps;
  };
  dualmargin::pdhg(best, kinks.primal_weight(s.w, rows.total_weight), between_bounds, step, look);
  kinks.store(best.at, s);
}

}  // namespace

double StepSchedule::at(long k) const {
  const double epoch = static_cast<double>(k);
  switch (decay) {
    case Decay::geometric:
      return first * std::pow(shrink, epoch - 1);
    case Decay::inverse:
      return first / epoch;
    default:
      return first / std::sqrt(epoch);
  }
}

IncrementalRun::IncrementalRun(const RobustSvm& problem_, const IncrementalOptions& options,
                               const Solution& start, Sampler& sampler, Run& run)
    : problem(problem_),
      point(starting_point(problem_, start)),
      visits(problem_.n(), options.order, sampler, run),
      batch(std::min(options.batch, problem_.n())),
      schedule_(options.schedule),
      unit_(1 / std::max(mean_slope(), 1e-300)),
      least_(options.floor),
      run_(run),
      best_(problem_.null_point(run.iterate())) {
  release_t();
}

bool IncrementalRun::proceed(double until) {
  run_.spend(epoch_ > 0);
  if (!point.finite(
          problem.rows)) {  // steps too long for double precision: there is no next iterate
    point = {best_.primal(), best_.dual()};
    release_t();
    return false;
  }
  const bool more = schedule_.at(epoch_ + 1) > std::max(until, least_) * schedule_.first;
  if (!more) return false;
  // a gap that does not fall says nothing while the steps still do
  const double work = recovery_share * epoch_;
  if (!certified(work, 2 + work)) {
    if (run_.ended()) return false;
    run_.begin();
  }
  ++epoch_;
  run_.count_step();
  return true;
}

Solution IncrementalRun::finish(const char* solver) {
  const double work = std::max(static_cast<double>(epoch_), least_recovery);
  if (run_.status() != Status::certified) certified(work, 0);
  return {best_.primal(), best_.dual(), solver};
}

void IncrementalRun::release_t() {
  if (!(problem.radius > 0)) point.t = std::numeric_limits<double>::max();
}

double IncrementalRun::mean_slope() const {
  const double kappa = problem.flip_cost();
  return problem.free_intercept + kappa * std::min(kappa, problem.radius) + problem.mean_square();
}

bool IncrementalRun::certified(double work, double price) {
  const auto recovered = [&] {
    Solution s = point;
    recover_dual(problem, s, work, run_);
    run_.spend(1);
    const Certificate c = problem.offer(best_, s, problem.certify(s, run_));
    point.alpha = s.alpha;
    point.beta = s.beta;
    return c;
  };
  return run_.proceed(
      recovered, [&] { return problem.certify(best_, run_); }, price);
}

}  // namespace dualmargin::robust
