#include "robust/newton_matrix.h"

#include <array>

#include "robust/cost_model.h"

namespace dualmargin::robust {

namespace {

// Of the diagonal: a proximal term next to the rounding of the rows' 1 / mu, and ten times the least
// where the rows are on the other side.
constexpr Shares proximal{1e-15, 1e-13, 1e-11};
constexpr double proximal_share = 1e-14;

}  // namespace

NewtonMatrix::NewtonMatrix(const RobustSvm& problem, Run& run)
    : p_(problem),
      run_(run),
      gram_(problem.rows),
      d_(problem.dim()),
      over_rows_(cost::step(problem).over_rows()) {}

RowVec NewtonMatrix::slopes(const Vec& x) {
  run_.spend(0.5);
  return p_.rows.y * p_.scores(x.head(d_), intercept(x), run_);
}

Vec NewtonMatrix::gather(const RowVec& a) {
  run_.spend(0.5);
  const RowVec force = p_.rows.y * a;
  Vec x = Vec::Zero(size());
  x.head(d_) = p_.rows.transpose_multiply(force, run_);
  if (p_.free_intercept) x[d_] = p_.rows.sum([&](Index i) { return force[i]; });
  return x;
}

bool NewtonMatrix::factor(const KinkTerms& kinks, const Cone& cone) {
  run_.spend(1);
  cone_ = cone.curvature(p_.ridge);
  const double kappa = p_.flip_cost();
  h_.resize(p_.n());
  RowVec g(p_.n());
  // of t alone, and once the rows are eliminated
  const auto [tt, left] = p_.rows.sum([&](Index i) {
    const auto c = kinks.curvature(i);
    h_[i] = c.qq + c.rr - 2 * c.qr;
    g[i] = kappa * (c.qr - c.rr);
    return std::array<double, 2>{kappa * kappa * c.rr, kappa * kappa * c.det / h_[i]};
  });
  return over_rows_ ? factor_rows(g, left) : factor_columns(g, tt);
}

NewtonMatrix::Move NewtonMatrix::solve(const RowVec& a, const Vec& rest, double ray) {
  const bool has_ray = cone_.stiffness > 0;
  if (!over_rows_) {
    Vec right = rest + gather(a);
    if (has_ray) right += ray * whole_ray();
    const Vec x = factor_.solve(right);
    return {x, slopes(x), has_ray ? ray - cone_.stiffness * whole_ray().dot(x) : 0.0};
  }
  run_.spend(1);
  const Index n = p_.n();
  const Vec &y = p_.rows.y.local(), force = y.cwiseProduct(a.local());
  Vec w = rest.head(d_).cwiseQuotient(cone_.diagonal), moved = Vec::Zero(n + has_ray);
  Vec p = against_rows(w);
  moved.head(n) = force.cwiseQuotient(h_.local());
  if (has_ray) moved[n] = ray / cone_.stiffness;
  p = factor_.solve(p - moved);
  Vec right = rest.tail(size() - d_) - border_.transpose() * p;
  const Index t = right.size() - 1;
  right[t] -= e_.dot(force);
  if (cone_.coupling.size() > 0) right[t] -= cone_.coupling.dot(w);
  right = corner_.solve(right);  // (b, t)
  p += solved_border_ * right;
  if (cone_.coupling.size() > 0) w -= right[t] * cone_.coupling.cwiseQuotient(cone_.diagonal);
  w -= pulled(p);
  Vec x(size());
  x << w, right;
  const Vec score = (moved + p.cwiseProduct(inverse_)).head(n) - right[t] * e_;
  return {x, RowVec(Vec(y.cwiseProduct(score))), has_ray ? -p[n] : 0.0};
}

bool NewtonMatrix::factor_columns(const RowVec& g, double tt) {
  gram_.rebuild(h_, run_);
  if (!run_.in_time()) return false;
  const Index t = size() - 1;
  Mat A = gram_.bordered(p_.free_intercept, 0, 1);
  A.diagonal().head(d_) += cone_.diagonal;
  if (p_.flips()) A.row(t) += gather(g).transpose();
  if (cone_.coupling.size() > 0) A.row(t).head(d_) += cone_.coupling.transpose();
  A(t, t) += tt + cone_.corner;
  if (cone_.stiffness > 0) {
    A.selfadjointView<Eigen::Lower>().rankUpdate(whole_ray(), cone_.stiffness);
  }
  // What the rows leave open, cone and ridge may hold by less than the rounding of the rows'
  // 1 / mu. A proximal term of that size, sum_j share A_jj dx_j^2 / 2, keeps such directions from
  // moving far for nothing. It is not refined away: what it leaves of the dual residual falls
  // with dx. Empty columns without ridge and radius have no diagonal of their own.
  const double least = p_.conditional() ? A.diagonal().maxCoeff() : 0.0;
  const auto raise = [least](Mat& M, double share) {
    M.diagonal() *= 1 + share;
    M.diagonal().array() += share * least;
  };
  return factor_.factor(std::move(A), proximal, raise, run_);
}

bool NewtonMatrix::factor_rows(const RowVec& g, double left) {
  const Index n = p_.n(), ray = cone_.stiffness > 0, t = p_.free_intercept;
  // a proximal term as in factor_columns()
  const Vec loose = proximal_share * p_.rows.column_squares(h_, run_);
  if (cone_.coupling.size() > 0) {
    cone_.left += (cone_.coupling.array().square() * loose.array() /
                   (cone_.diagonal.array() * (cone_.diagonal + loose).array()))
                      .sum();
  }
  cone_.diagonal += loose;
  const Vec inverse = cone_.diagonal.cwiseInverse();
  Mat K = p_.rows.products(inverse, run_);
  if (ray > 0) K.conservativeResize(n + 1, n + 1);
  if (!run_.in_time()) return false;
  const Vec& h = h_.local();
  e_ = p_.rows.y.local().cwiseProduct(g.local()).cwiseQuotient(h);
  border_ = Mat::Zero(n + ray, t + 1);
  if (t > 0) border_.col(0).head(n).setOnes();
  border_.col(t).head(n) = e_;
  inverse_.resize(n + ray);
  inverse_.head(n) = h.cwiseInverse();
  if (ray > 0) {
    const Vec scaled = cone_.ray.cwiseProduct(inverse);
    K.row(n).head(n) = p_.rows.multiply(scaled, run_).local().transpose();
    K(n, n) = cone_.ray.dot(scaled);
    inverse_[n] = 1 / cone_.stiffness;
    border_(n, t) = cone_.lift;
  }
  K.diagonal() += inverse_;
  if (cone_.coupling.size() > 0) {
    border_.col(t) -= against_rows(cone_.coupling.cwiseProduct(inverse));
  }
  const auto raise = [](Mat& M, double share) { M.diagonal() *= 1 + share; };
  if (!factor_.factor(std::move(K), proximal, raise, run_)) return false;
  solved_border_.resize(n + ray, t + 1);
  for (Index k = 0; k <= t; ++k) solved_border_.col(k) = factor_.solve(border_.col(k));
  Mat corner = border_.transpose() * solved_border_;
  corner(t, t) += left + cone_.left;
  return corner_.factor(std::move(corner), proximal, raise, run_);
}

Vec NewtonMatrix::whole_ray() const {
  Vec ray = Vec::Zero(size());
  ray.head(d_) = cone_.ray;
  ray[size() - 1] = cone_.lift;
  return ray;
}

Vec NewtonMatrix::pulled(const Vec& p) const {
  const Index n = p_.n();
  Vec v = p_.rows.transpose_multiply(Vec(p.head(n)), run_);
  if (p.size() > n) v += p[n] * cone_.ray;
  return v.cwiseQuotient(cone_.diagonal);
}

Vec NewtonMatrix::against_rows(const Vec& v) const {
  Vec z = p_.rows.multiply(v, run_).local();
  if (cone_.stiffness == 0) return z;
  z.conservativeResize(z.size() + 1);
  z[z.size() - 1] = cone_.ray.dot(v);
  return z;
}

}  // namespace dualmargin::robust
