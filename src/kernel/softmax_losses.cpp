#include "kernel/softmax_losses.h"

#include <vector>

#include "base/rounding.h"
#include "loss/class_intercepts.h"

namespace dualmargin::kernel {

Vec raised(const Vec& f, double b) { return (f.array() + b).matrix(); }
Mat raised(const Mat& f, const Vec& b) { return f.rowwise() + b.transpose(); }

Vec raised_columns(const Vec& f, const Vec& b) {
  const Index k = b.size(), n = f.size() / k;
  Vec all(f.size());
  for (Index c = 0; c < k; ++c) all.segment(c * n, n) = f.segment(c * n, n).array() + b[c];
  return all;
}

namespace {

void on_simplex(Mat& u) { u.array().colwise() /= u.rowwise().sum().eval().array(); }

}  // namespace

SoftmaxLosses::SoftmaxLosses(const Mat& share_, const RowVec& omega_, double total, bool free)
    : share(share_),
      omega(omega_),
      total_weight(total),
      free_intercept(free),
      class_share_(mean_of(share_)),
      step_(share_.cols()) {}

double SoftmaxLosses::null_value() const {
  if (!free_intercept) return std::log(static_cast<double>(classes()));
  return sum_over(classes(), [&](Index c) { return -conjugate(c, class_share_[c]); });
}

Vec SoftmaxLosses::best_intercept(const Mat& f, Vec b) const {
  if (!free_intercept) return Vec::Zero(classes());
  if (b.size() != classes()) b = class_share_.array().log();
  Mat u = slopes(raised(f, b));
  best_class_intercepts(
      class_share_, b, u, [&](const Vec& to) { return slopes(raised(f, to)); },
      [&](const Mat& p) { return mean_of(p); }, [&](const Mat& p) { return bend_of(p); });
  b.array() -= b.mean();
  return b;
}

void SoftmaxLosses::balance(Mat& u) const {
  on_simplex(u);
  if (!free_intercept) return;
  const ClassBalance made = balance_of(mean_of(u), class_share_);
  if (!(made.theta > 0)) return;
  u *= 1 - made.theta;
  u.rowwise() += (made.theta * made.point).transpose();
}

Mat SoftmaxLosses::slopes(Mat z) const {
  z.array().colwise() -= z.rowwise().maxCoeff().eval().array();
  z = z.array().exp();
  on_simplex(z);
  return z;
}

std::array<double, 2> SoftmaxLosses::along(const Mat& z, const Mat& dz) const {
  const Mat p = slopes(z), each = p.cwiseProduct(dz);
  const Vec mean = each.rowwise().sum(), pull = mean - share.cwiseProduct(dz).rowwise().sum();
  const Vec bend = each.cwiseProduct(dz).rowwise().sum() - mean.cwiseAbs2();
  return {omega.local().dot(pull) / total_weight, omega.local().dot(bend) / total_weight};
}

FenchelSums SoftmaxLosses::fenchel(const Mat& z, const Mat& u, double) const {
  const double uniform = std::log(static_cast<double>(classes()));
  FenchelSums sums;
  Sum value, gap;
  std::vector<Sum> drift(classes());
  Vec zi(classes()), ti(classes()), ui(classes());
  for (Index i = 0; i < n(); ++i) {
    if (!(omega[i] > 0)) continue;
    zi = z.row(i);
    ti = share.row(i);
    ui = u.row(i);
    const double share_of = omega[i] / total_weight;
    const double loss = Softmax::value(zi.data(), ti.data(), classes());
    value.add(share_of * loss);
    gap.add(share_of * Softmax::fenchel_gap(zi.data(), ui.data(), classes()));
    const double largest = zi.cwiseAbs().maxCoeff();
    sums.score_size += share_of * largest;
    sums.size += share_of * (loss + uniform + 2 * largest);
    for (Index c = 0; c < classes(); ++c) drift[c].add(share_of * (ui[c] - ti[c]));
  }
  sums.value = value.value();
  sums.gap = gap.value();
  for (Index c = 0; c < classes(); ++c) {
    const double of_sum = rounding::of_value() * 2 * class_share_[c];
    sums.slopes = std::max(sums.slopes, (std::abs(drift[c].value()) + of_sum) / class_share_[c]);
  }
  return sums;
}

double SoftmaxLosses::unbalanced(const FenchelSums& sums, const Vec& b, double reach) const {
  if (!free_intercept) return 0;
  const double theta = sums.slopes, largest = b.cwiseAbs().maxCoeff();
  return theta * (std::log(static_cast<double>(classes())) + 2 * sums.score_size + 3 * largest) +
         2 * theta * theta * reach;
}

Vec SoftmaxLosses::mean_of(const Mat& u) const {
  Vec mean(u.cols());
  for (Index c = 0; c < u.cols(); ++c) {
    mean[c] = accurate_sum(u.rows(), [&](Index i) { return omega[i] * u(i, c); }) / total_weight;
  }
  return mean;
}

Mat SoftmaxLosses::bend_of(const Mat& p) const {
  const Vec share_of = omega.local() / total_weight;
  Mat bend = -(p.transpose() * share_of.asDiagonal() * p);
  bend.diagonal() += p.transpose() * share_of;
  return bend;
}

}  // namespace dualmargin::kernel
