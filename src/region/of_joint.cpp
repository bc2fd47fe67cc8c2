#include "region/of_joint.h"

#include <algorithm>
#include <utility>

#include "base/slack.h"
#include "region/region.h"

namespace dualmargin::region {

Mat class_scores(const Rows& rows, const Mat& w, const Vec& b, Tick& tick) {
  Mat z(rows.n(), w.cols());
  for (Index c = 0; c < w.cols(); ++c) z.col(c) = rows.multiply(w.col(c), tick).local();
  return z.rowwise() + b.transpose();
}

Mat class_roundings(const Rows& rows, const Mat& w, const Vec& b, Tick& tick) {
  Mat lost(rows.n(), w.cols());
  for (Index c = 0; c < w.cols(); ++c) lost.col(c) = rows.roundings(w.col(c), b[c], tick).local();
  return lost;
}

JointRegion::JointRegion(const All& rows, const JointProblem& problem, Tick& tick)
    : rows_(rows),
      problem_(problem),
      tick_(tick),
      share_(rows.weights / rows.total_weight),
      sizes_(rows.column_sizes(tick)) {}

JointPair JointRegion::pair(Mat w, Vec b, Mat u) const {
  JointPair p;
  if (problem_.g.l1 == 0) w.colwise() -= Vec(w.rowwise().mean());
  b.array() -= b.mean();
  for (Index i = 0; i < n(); ++i) {
    u(i, own(i)) += 1;
    u.row(i) = u.row(i).cwiseMax(0);
    if (!(u.row(i).sum() > 0)) u.row(i).setOnes();
    u.row(i) /= u.row(i).sum();
  }
  if (problem_.free) balance(u);
  p.a = u;
  for (Index i = 0; i < n(); ++i) p.a(i, own(i)) -= 1;
  p.z = class_scores(rows_, w, b, tick_);
  p.z_rounding = class_roundings(rows_, w, b, tick_).rowwise().maxCoeff();
  p.v = p.v_rounding = Mat(w.rows(), w.cols());
  for (Index c = 0; c < w.cols(); ++c) {
    const RowVec a(Vec(p.a.col(c)));
    p.v.col(c) = rows_.transpose_multiply(share_ * a, tick_);
    const double size = std::sqrt(mean([&](Index i) { return a[i] * a[i]; }));
    p.v_rounding.col(c) = rounding() * size * sizes_.stored;
  }
  p.w = std::move(w);
  p.b = std::move(b);
  p.u = std::move(u);
  return p;
}

BallIn<Mat> JointRegion::ball(const JointPair& p) const {
  const auto all = [](const Mat& m) { return Eigen::Map<const Vec>(m.data(), m.size()); };
  const NetParts net = net_parts(all(p.w), all(p.v), all(p.v_rounding), problem_.g);
  const Eigen::Map<const Mat> dual_w(net.dual_w.data(), p.w.rows(), p.w.cols());
  return ball_around(Mat(0.5 * (p.w + dual_w)), spread(p) + net.misfit, net.apart, problem_.g.l2,
                     net.off);
}

double JointRegion::base(const JointPair& p) const {
  return problem_.softmax ? std::log(static_cast<double>(p.w.cols())) : 1.0;
}

void JointRegion::balance(Mat& u) const {
  const Index k = u.cols();
  Vec mass(k), target(k);
  double theta = 0;
  for (Index c = 0; c < k; ++c) {
    mass[c] = mean([&](Index i) { return u(i, c); });
    target[c] = mean([&](Index i) { return own(i) == c ? 1.0 : 0.0; });
    if (mass[c] > target[c]) theta = std::max(theta, 1 - target[c] / mass[c]);
  }
  const Vec added = (target - (1 - theta) * mass).cwiseMax(0);
  if (theta == 0 || !(added.sum() > 0)) return;
  u = ((1 - theta) * u).rowwise() + theta / added.sum() * added.transpose();
}

double JointRegion::margin(const JointPair& p, Index i, Index c) const {
  return p.z(i, c) + (c == own(i) ? 0.0 : 1.0);
}

double JointRegion::excess(const JointPair& p, Index i) const {
  const Index k = p.w.cols();
  const double own_score = p.z(i, own(i)), lost = p.z_rounding[i];
  double sum = 0, steep = 2, value = 0;
  if (problem_.softmax) {
    // Kullback-Leibler divergence of u from p, term by term not negative
    const double top = p.z.row(i).maxCoeff();
    double total = 0;
    for (Index c = 0; c < k; ++c) total += std::exp(p.z(i, c) - top);
    double apart = 0;
    for (Index c = 0; c < k; ++c) {
      const double q = std::exp(p.z(i, c) - top) / total, u = p.u(i, c);
      const double t = (u - q) / std::max(q, 1e-300);
      const double log_ratio = q > 1e-300 ? std::log1p(std::max(t, -1.0))
                                          : std::log(u) - (p.z(i, c) - top - std::log(total));
      const double term =
          u > 0 ? (q > 1e-300 ? q * ((1 + t) * log_ratio - t) : u * log_ratio - u + q) : q;
      sum += std::max(term, 0.0);
      apart += std::abs(q - u);
    }
    steep = apart + 4 * lost;
    value = std::log(total) + top - own_score;
  } else {
    double top = own_score;
    for (Index c = 0; c < k; ++c) top = std::max(top, margin(p, i, c));
    for (Index c = 0; c < k; ++c) sum += p.u(i, c) * (top - margin(p, i, c));
    value = top - own_score;
  }
  const double largest = p.z.row(i).cwiseAbs().maxCoeff();
  const double size = 2 * (value + base(p) + 2 * largest) + sum;
  return sum + rounding::of(8 + static_cast<double>(k)) * size + lost * steep;
}

double JointRegion::spread(const JointPair& p) const {
  const Index k = p.w.cols();
  double most = mean([&](Index i) { return excess(p, i); }) * (1 + rounding::of_value());
  // what is left of sum_i omega_i a_i by rounding meets an intercept
  if (problem_.free) {
    const double largest = n() == 0 ? 0.0 : p.z.cwiseAbs().maxCoeff();
    double theta = 0;
    for (Index c = 0; c < k; ++c) {
      const double left = std::abs(mean([&](Index i) { return p.a(i, c); })) +
                          rounding::of_value() * mean([&](Index i) { return std::abs(p.a(i, c)); });
      const double mass = mean([&](Index i) { return p.u(i, c); });
      if (mass > 0 || left > 0) theta = std::max(theta, left / std::max(mass, 1e-300));
    }
    most += theta * (base(p) + 1 + 2 * largest);
  }
  const auto all = [](const Mat& m) { return Eigen::Map<const Vec>(m.data(), m.size()); };
  return most + rounding::of_term() * net_size(all(p.w), all(p.v), problem_.g);
}

}  // namespace dualmargin::region
