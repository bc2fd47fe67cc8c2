// L-BFGS in the metric of a Hessian, with exact steps on cached scores, for a smooth loss and a ridge.
// J. Nocedal (1980), Mathematics of Computation 35, 773-782, with H_0 the inverse Hessian of a sample
// of the rows; where its rate does not promise the end the Hessian of all rows takes its place.
// Renewed in each step this is Newton's method, never renewed L-BFGS.
//
//   min_w  f(w) = min_b (1/W) sum_i omega_i phi(w'x_i + b; y_i) + l2/2 |w|^2
//
//   b      the best one at w; 0 where it is not free
//   a, h   phi' and phi'' at the scores z_i = w'x_i + b, so that sum omega_i a_i = 0
//   g      grad f(w) = (1/W) sum omega_i a_i x_i + l2 w
//   H      about the inverse of f'': a matrix or a multiple of 1, and pairs of steps and changes of g
//
//   d      = -H g, by the two loops of Nocedal;  m_i = d'x_i + d_b,  d_b the change of the best b
//   t      = argmin of the sum over b and w along (d, d_b), by z + t m
//   w, b, z  += t (d, d_b, m)
//
// The dual point a makes the gap |g|^2 / (2 l2): it is known at every step, and costs nothing.
#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "algebra/cholesky.h"
#include "base/mix64.h"
#include "linear/cost_model.h"
#include "linear/solvers.h"

namespace dualmargin::linear {

namespace {

class Metric {
 public:
  bool has_matrix() const { return has_matrix_; }
  // Of f'' itself.
  void renew(Mat hessian, Tick& tick) {
    const auto raise = [](Mat& A, double share) { A.diagonal() *= 1 + share; };
    pairs_.clear();
    const Shares shares{0.0, 1e-12, 1e-8};  // a direction of descent is all that is asked of it
    has_matrix_ = hessian_.factor(std::move(hessian), shares, raise, tick);
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
  Vec times(Vec g) const {
    std::vector<double> alpha;
    for (auto k = pairs_.rbegin(); k != pairs_.rend(); ++k) {
      alpha.push_back(k->s.dot(g) / k->product);
      g -= alpha.back() * k->y;
    }
    if (has_matrix_) {
      g = hessian_.solve(g);
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
  Cholesky hessian_;
  bool has_matrix_ = false;
  std::deque<Pair> pairs_;
};

// What is known at a point, of all rows or of a sample.
class Descent {
 public:
  Descent(const LinearProblem& problem, const Rows& rows, Run& run)
      : run_(run),
        rows_(rows),
        losses_(problem.losses.held, rows.y, rows.weights, problem.losses.free_intercept, rows.team,
                rows.total_weight, rows.offset),
        l2_(problem.penalty.l2),
        share_(rows.count() / problem.rows.count()),
        zero_(RowVec::Zero(rows.n())) {}

  void start(const Primal& p) {
    at_.w = p.w;
    at_.b = losses_.free_intercept ? p.b : 0.0;
    at_.z = p.w.isZero(0) ? zero_ : rows_.multiply(p.w, run_);
    at_.z += at_.b;
    losses_.along(at_.z, zero_, 0, loss_);
    settle();
  }
  const ScoredPrimal& primal() const { return at_; }
  const RowVec& slopes() const { return loss_.slope; }
  double value() const { return losses_.value(at_.z) + l2_ / 2 * at_.w.squaredNorm(); }
  double gap() const { return g_.squaredNorm() / (2 * l2_); }

  void renew(Metric& metric) const {
    const Index p = at_.w.size();
    Mat H = rows_.gram(curvature(), losses_.free_intercept, run_);
    run_.spend(share_);
    if (!run_.in_time()) return;
    if (losses_.free_intercept && H(p, p) > 0) {
      const Vec cross = H.row(p).head(p);
      H.topLeftCorner(p, p).triangularView<Eigen::Lower>() -= cross * (cross / H(p, p)).transpose();
    }
    Mat reduced = H.topLeftCorner(p, p);
    reduced.diagonal().array() += l2_;
    metric.renew(std::move(reduced), run_);
  }

  void step(Metric& metric) {
    Vec d = -metric.times(g_);
    RowVec m = rows_.multiply(d, run_);
    double d_b = 0;
    if (losses_.free_intercept) {
      const RowVec h = curvature();
      const auto [cross, total] = rows_.sum([&](Index i) {
        return std::array<double, 2>{h[i] * m[i], h[i]};
      });
      if (total > 0) d_b = -cross / total;
      m += d_b;
    }
    const double t = exact_step(d, m);
    d *= t;
    at_.w += d;
    at_.b += t * d_b;
    at_.z += t * m;
    const Vec before = g_;
    settle();
    metric.learn(std::move(d), g_ - before);
    run_.count_step();
  }

 private:
  RowVec curvature() const { return rows_.weights * loss_.curvature / rows_.total_weight; }

  // Slopes are those of z: the best b next to it, and g there.
  void settle() {
    constexpr double enough = 1e-12;
    if (losses_.free_intercept) {
      const auto [r, rise, size] = rows_.sum([&](Index i) {
        const double a = rows_.weights[i] * loss_.slope[i];
        return std::array<double, 3>{a, rows_.weights[i] * loss_.curvature[i], std::abs(a)};
      });
      if (std::abs(r) > enough * size) {
        const double shift =
            losses_.slopes_at_best(at_.z, zero_, 0, rise > 0 ? -r / rise : 0, loss_, enough);
        at_.b += shift;
        at_.z += shift;
      }
    }
    g_ = rows_.transpose_multiply(rows_.weights * loss_.slope / rows_.total_weight, run_);
    g_ += l2_ * at_.w;
    run_.spend(share_);
  }

  // To a tenth of the slope at 0, which Newton's method within a bracket finds. Slopes are then those
  // there.
  double exact_step(const Vec& d, const RowVec& m) {
    const double fall = -g_.dot(d), rise = l2_ * at_.w.dot(d), bend = l2_ * d.squaredNorm();
    if (!(fall > 0)) return 0;
    const RowVec h = curvature();
    double low = 0, high = HUGE_VAL;
    double t = fall / (rows_.sum([&](Index i) { return h[i] * m[i] * m[i]; }) + bend);
    for (int k = 0;; ++k) {
      const auto [first, second] = losses_.along(at_.z, m, t, loss_);
      const double slope = first + rise + t * bend;
      if (k == 30 || !(std::abs(slope) > 0.1 * fall)) return t;
      (slope > 0 ? high : low) = t;
      t -= slope / (second + bend);
      if (t > low && t < std::min(high, 8 * low)) continue;
      t = std::isfinite(high) ? 0.5 * (low + high) : 8 * low;
    }
  }

  Run& run_;
  const Rows& rows_;
  const RowLosses losses_;
  double l2_, share_;
  const RowVec zero_;
  ScoredPrimal at_;
  Slopes loss_;
  Vec g_;
};

// Passes that a Hessian takes, beside those of a step.
double price_of_hessian(const Rows& rows) {
  constexpr double losses = 6;  // of a step, in exponentials a row
  const seconds::Table table = cost::table(rows);
  const double products = rows.sum([&](Index i) {
    const double entries = static_cast<double>(rows.nonzeros(i));
    return entries * entries / 2;
  });
  return (products * table.each() + seconds::cholesky(table.columns)) /
         (2 * table.look() + losses * table.rows * seconds::exponential);
}

// f falls as long as go() says so. target: of the gap.
void descend(Descent& descent, Metric& metric, double price, double target, Run& run,
             FunctionRef<bool()> go) {
  std::vector<double> gaps;
  const auto steps_left = [&] {
    const std::size_t k = gaps.size();
    if (k < 3) return metric.has_matrix() ? 0.0 : 11.0;  // as without a matrix, at best
    const double rate = 0.5 * std::log(gaps[k - 3] / gaps[k - 1]);
    return rate > 0 ? std::log(gaps[k - 1] / target) / rate : HUGE_VAL;
  };
  while (go()) {
    gaps.push_back(descent.gap());
    if (steps_left() > price + 3) {
      descent.renew(metric);
      gaps = {gaps.back()};
    }
    if (!run.in_time()) break;
    descent.step(metric);
  }
}

// A row of each of so many stretches of about the same length.
RowChoice one_of_each(const Rows& rows, Index stretches, Sampler& sampler) {
  const auto salt = static_cast<std::uint64_t>(sampler.uniform() * 0x1p53);
  RowChoice some;
  for (Index k = 0; k < stretches; ++k) {
    const double draw =
        static_cast<double>(mix64(salt + static_cast<std::uint64_t>(k)) >> 11) * 0x1p-53;
    const auto place = (static_cast<double>(k) + draw) / static_cast<double>(stretches);
    some.id.push_back(
        std::min(rows.n() - 1, static_cast<Index>(place * static_cast<double>(rows.n()))));
  }
  const auto of = [&](const RowVec& all) {
    return RowVec::of(stretches, [&](Index k) { return all[some.id[k]]; });
  };
  some.y = of(rows.y);
  some.weights = of(rows.weights);
  if (rows.offset != nullptr) some.offset = of(*rows.offset);
  return some;
}

// The minimum of a sample, or of all where there is a start, and its metric.
void start_on_sample(const LinearProblem& problem, double price, bool cold, Solution& s,
                     Metric& metric, Sampler& sampler, Run& run) {
  constexpr double rows_a_column = 40, gap = 1e-3;
  const Rows& rows = problem.rows;
  const double wanted = rows_a_column * static_cast<double>(rows.dim());
  if (rows.count() < 2 * wanted) return;
  const RowChoice some = one_of_each(
      rows, static_cast<Index>(wanted * static_cast<double>(rows.n()) / rows.count()), sampler);
  const Rows sample(rows, some);
  const double highest =
      sample.max([&](Index k) { return some.weights[k] > 0 ? some.y[k] : -HUGE_VAL; });
  if (!sample.any([&](Index k) { return some.weights[k] > 0 && some.y[k] < highest; })) return;
  Descent descent(problem, sample, run);
  descent.start(s);
  int steps = 0;
  const auto far = [&] {
    return cold && steps++ < 50 && descent.gap() > gap * descent.value() && run.in_time();
  };
  descend(descent, metric, price, gap * run.null_value(), run, far);
  static_cast<Primal&>(s) = descent.primal();
  descent.renew(metric);
}

}  // namespace

Solution lbfgs(const LinearProblem& problem, const LbfgsOptions& options, const Solution& start,
               Sampler& sampler, Run& run) {
  Solution s = problem.begin(start, "lbfgs");
  const bool cold = start.w.size() != problem.dim(), small = problem.dim() <= cost::matrix_columns;
  const double price = small ? price_of_hessian(problem.rows) : HUGE_VAL;
  // a quadratic loss is solved by the first step with its own Hessian
  const bool own = problem.losses.loss.dual_shift() && price < 8;
  Metric metric;
  if (options.subsample && small && !own)
    start_on_sample(problem, price, cold, s, metric, sampler, run);

  Descent descent(problem, problem.rows, run);
  descent.start(s);
  Best best(run.iterate());
  const auto cached = [&] {
    const ScoredPrimal& p = descent.primal();
    const Dual d{descent.slopes()};
    const Certificate c = problem.told(p, d, Certificate(descent.value(), descent.gap()));
    best.offer_primal(p, c.value);
    best.offer_dual(d, c.bound);
    return best.certificate();
  };
  const auto exact = [&] { return certify_best(problem, best, run); };
  descend(descent, metric, price, run.tolerance() * descent.value(), run,
          [&] { return run.proceed(cached, exact, 0); });
  return {best.primal(), best.dual(), "lbfgs"};
}

}  // namespace dualmargin::linear
