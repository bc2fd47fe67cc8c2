#include "linear/joint_problem.h"

#include <algorithm>
#include <utility>

#include "base/function_ref.h"
#include "base/rounding.h"
#include "linear/problem.h"
#include "loss/class_intercepts.h"
#include "run/outcome.h"

namespace dualmargin::linear {

namespace {

double over_classes(const Mat& m, FunctionRef<double(const Vec&)> of) {
  return sum_over(m.cols(), [&](Index c) { return of(m.col(c)); });
}

}  // namespace

double JointProblem::null_value() const {
  if (!free_intercept || !loss.smooth) return loss.at_zero;
  const Vec share = class_shares();
  return sum_over(classes,
                  [&](Index c) { return share[c] > 0 ? -share[c] * std::log(share[c]) : 0.0; });
}

Vec JointProblem::class_shares() const {
  return sums(rows, classes, [&](Index i, Index c) { return y[i] == c ? rows.share(i) : 0.0; });
}

JointSolution JointProblem::begin(const JointSolution& start, const char* solver) const {
  JointSolution s = start;
  s.solver = solver;
  if (s.w.rows() != dim() || s.w.cols() != classes) {
    s.w = Mat::Zero(dim(), classes);
    s.b = Vec::Zero(classes);
    if (free_intercept) s.b = class_shares().array().log();
  }
  if (space.l1 == 0) s.w.colwise() -= s.w.rowwise().mean().eval();
  return s;
}

JointSolution JointProblem::null_model() const {
  JointSolution s = with_nothing({}, true, false);
  s.u = probabilities(RowMat(Mat(s.b.replicate(1, n()))));
  balance(s.u);
  return s;
}

JointSolution JointProblem::with_nothing(JointSolution s, bool primal, bool dual) const {
  if (primal) {
    s.w = Mat::Zero(dim(), classes);
    s.b = Vec::Zero(classes);
    if (free_intercept && loss.smooth) s.b = class_shares().array().log();
  }
  if (dual) s.u = no_pull();
  return s;
}

RowMat JointProblem::no_pull() const {
  RowMat u = RowMat::zero(n(), classes);
  for (Index i = 0; i < n(); ++i) u(i, y[i]) = 1;
  return u;
}

RowMat JointProblem::probabilities(RowMat z) {
  for (Index i = 0; i < z.size(); ++i) {
    auto u = z[i];
    u = (u.array() - u.maxCoeff()).exp();
    u /= u.sum();
  }
  return z;
}

RowMat JointProblem::scores(const Mat& w, const Vec& b, Tick& tick) const {
  RowMat z(n(), classes);
  for (Index c = 0; c < classes; ++c) {
    RowVec own = rows.multiply(w.col(c), tick);
    if (free_intercept) own += b[c];
    z.set_entry(c, own);
  }
  return z;
}

JointProblem::Pull JointProblem::pull(const RowMat& q, Tick& tick) const {
  Pull p{Mat(dim(), classes), Vec::Zero(classes)};
  for (Index c = 0; c < classes; ++c) p.v.col(c) = rows.transpose_multiply(q.entry(c), tick);
  if (free_intercept) p.drift = sums(rows, classes, [&](Index i, Index c) { return q(i, c); });
  return p;
}

RowMat JointProblem::shares(const RowMat& u) const {
  RowMat q = u;
  for (Index i = 0; i < n(); ++i) {
    q(i, y[i]) -= 1;
    q[i] *= rows.share(i);
  }
  return q;
}

void JointProblem::balance(RowMat& u) const {
  if (!free_intercept) return;
  const Vec mass = sums(rows, classes, [&](Index i, Index c) { return rows.share(i) * u(i, c); });
  const ClassBalance made = balance_of(mass, class_shares());
  if (!(made.theta > 0)) return;
  const Vec constant = made.theta * made.point;
  for (Index i = 0; i < n(); ++i) u[i] = (1 - made.theta) * u[i] + constant;
}

double JointProblem::dual_scale(const RowMat& u, const Mat& v, Tick& tick) const {
  if (space.l1 == 0) return 1;
  Mat size = v.cwiseAbs();
  if (space.l2 == 0) {
    const Vec squares = squared_slopes(shares(u));
    for (Index c = 0; c < classes; ++c) {
      size.col(c) += dual_rounding(std::sqrt(squares[c])) * rows.column_norms(tick);
    }
  }
  const double largest = size.size() > 0 ? size.maxCoeff() : 0.0;
  if (!(largest > space.l1)) return 1;
  const double fits = space.l1 / largest * (1 - 4e-16);
  if (space.l2 == 0) {
    const Vec& norms = rows.column_norms(tick);
    return std::max(0.0, fits - rounding::of(8) * norms.maxCoeff() / largest);
  }
  const auto lost = [&](double theta) {
    Vec moved(classes);
    const double conjugates = rows.sum([&](Index i) {
      moved = theta * u[i];
      moved[y[i]] += 1 - theta;
      return rows.share(i) * loss.conjugate(moved.data(), y[i]);
    });
    return conjugates +
           over_classes(v, [&](const Vec& of) { return space.conjugate(-theta * of); });
  };
  return lost(fits) < lost(1) ? fits : 1;
}

void JointProblem::scale_dual(RowMat& u, double theta) const {
  if (theta == 1) return;
  for (Index i = 0; i < u.size(); ++i) {
    u[i] *= theta;
    u(i, y[i]) += 1 - theta;
  }
}

double JointProblem::penalty(const Mat& w) const {
  return over_classes(w, [&](const Vec& of) { return space.value(of); });
}

double JointProblem::penalty_gap(const Mat& w, const Mat& v) const {
  return sum_over(classes, [&](Index c) { return space.gap(w.col(c), v.col(c)); });
}

std::array<double, 2> JointProblem::losses_along(const RowMat& z, const RowMat& dz, double t,
                                                 double mu) const {
  const Index k = classes;
  return rows.sum([&](Index i) {
    const double *at = z.at(i), *d = dz.at(i);
    double top = -HUGE_VAL, total = 0, mean = 0, squares = 0;
    const auto moved = [&](Index c) { return at[c] + t * d[c] - (c == y[i] ? loss.margin : 0.0); };
    for (Index c = 0; c < k; ++c) top = std::max(top, moved(c));
    for (Index c = 0; c < k; ++c) {
      const double e = std::exp((moved(c) - top) / mu);
      total += e;
      mean += e * d[c];
      squares += e * d[c] * d[c];
    }
    mean /= total;
    const double share = rows.share(i);
    return std::array<double, 2>{share * (mean - d[y[i]]),
                                 share * (squares / total - mean * mean) / mu};
  });
}

Certificate JointProblem::certify(const RowMat& z, const JointSolution& s, Tick& tick) const {
  const auto [losses, gaps, size] = rows.sum([&](Index i) {
    const double* zi = z.at(i);
    const double share = rows.share(i), value = loss.value(zi, y[i]);
    double largest = 0;
    for (Index c = 0; c < classes; ++c) largest = std::max(largest, std::abs(zi[c]));
    return std::array<double, 3>{share * value, share * loss.fenchel_gap(zi, s.u.at(i), y[i]),
                                 share * (value + loss.at_zero + 2 * largest)};
  });
  const RowMat q = shares(s.u);
  const Pull p = pull(q, tick);
  const double value = losses + penalty(s.w), gap = gaps + penalty_gap(s.w, p.v);
  return told(s, Certificate(value, gap, rounding_of(size, value, s, q, p, tick)));
}

Certificate JointProblem::told(const JointSolution& s, const Certificate& c) const {
  if (seen != nullptr) seen->offer(s, s, c);
  return c;
}

Certificate JointProblem::certify(JointSolution& s, Tick& tick) const {
  balance(s.u);
  if (space.l1 > 0) scale_dual(s.u, dual_scale(s.u, pull(shares(s.u), tick).v, tick));
  return certify(scores(s.w, s.b, tick), s, tick);
}

double JointProblem::rounding_of(double size, double value, const JointSolution& s, const RowMat& q,
                                 const Pull& pull, Tick& tick) const {
  const Vec& norm = rows.column_norms(tick);
  const Vec share = class_shares();
  const Vec squares = squared_slopes(q);
  const Vec sizes = sums(rows, classes, [&](Index i, Index c) { return std::abs(q(i, c)); });
  double sum = Certificate::rounding_of(value) + rounding::of_term() * size, reach = 0, theta = 0;
  double bend = space.l2 > 0 ? 0 : HUGE_VAL, outside = 0;
  for (Index c = 0; c < classes; ++c) {
    const double a_rms = std::sqrt(squares[c]), adding = dual_rounding(a_rms);
    double own = 0;
    for (Index j = 0; j < dim(); ++j) {
      const double d = adding * norm[j], w = s.w(j, c), v = pull.v(j, c);
      own += norm[j] * std::abs(w);
      sum += rounding::of_term() * (space.value(w) + space.conjugate(-v) + std::abs(v * w));
      if (space.l2 > 0) bend += d * (std::abs(space.grad_conjugate(-v) - w) + d / space.l2);
      if (space.l1 > 0) outside = std::max(outside, d / space.l1);
    }
    sum += rounding::of_score(rows.longest_row()) * a_rms * own;
    reach += own;
    if (!free_intercept) continue;
    const double drift = std::abs(pull.drift[c]) + rows.sum_rounding() * sizes[c];
    theta = std::max(theta, drift / share[c]);
    reach += std::abs(s.b[c]);
  }
  const double spread = theta * norm.norm();
  if (space.l2 > 0) bend += 2 * spread * spread / space.l2;
  if (space.l1 > 0) {
    const double most = norm.size() > 0 ? norm.maxCoeff() : 0.0;
    bend = std::min(bend, (outside + 2 * theta * most / space.l1) * (size + std::abs(value)));
  }
  return sum + theta * (loss.at_zero + 1 + reach) + bend;
}

Vec JointProblem::squared_slopes(const RowMat& q) const {
  return sums(rows, classes, [&](Index i, Index c) {
    const double own = rows.share(i);
    return own > 0 ? q(i, c) * q(i, c) / own : 0.0;
  });
}

JointSolution best_of(const JointProblem& problem, JointSolution s, JointSolution later,
                      Tick& tick) {
  const Certificate before = problem.certify(s, tick), after = problem.certify(later, tick);
  JointBest best;
  best.offer_primal(later, after.value);
  best.offer_dual(later, after.bound);
  best.offer_primal(s, before.value);
  best.offer_dual(s, before.bound);
  return {best.primal(), best.dual(), later.solver};
}

JointSolution best_of(const JointProblem& problem, const JointBest& best, JointSolution last,
                      Run& run) {
  if (run.status() == Status::certified || run.iterate() == Iterate::last) return last;
  JointSolution s{best.primal(), best.dual(), last.solver};
  return best_of(problem, std::move(s), std::move(last), run.tick());
}

Mat dual_of(const RowMat& u, const std::vector<Index>& y) {
  Mat a = u.local().transpose();
  for (Index i = 0; i < a.rows(); ++i) a(i, y[i]) -= 1;
  return a;
}

JointReport report(const JointProblem& problem, JointSolution s, Run& run) {
  JointReport r;
  const Certificate c = certify_or_nothing(problem, s, run);
  const RowMat z = problem.scores(s.w, s.b, run);
  const double floor = rounding_floor(problem.rows, problem.space, c.value);
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite() && s.b.allFinite(), floor, run);
  r.scores = z.local().transpose();
  r.dual = dual_of(s.u, problem.y);
  r.solution = std::move(s);
  return r;
}

double first_joint_lambda(const JointProblem& problem, double mixture, Tick& tick) {
  if (mixture > 0) {
    const JointSolution null = problem.null_model();
    const Mat v = problem.pull(problem.shares(null.u), tick).v;
    const double most = v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0;
    return std::max(most, 1e-10 * std::sqrt(problem.null_value())) / mixture;
  }
  const RowVec& squares = problem.rows.squared_norms();
  const double mean = problem.rows.sum([&](Index i) { return problem.rows.share(i) * squares[i]; });
  return mean > 0 ? mean / problem.loss.gamma : 1.0;
}

}  // namespace dualmargin::linear
