#include "decide/joint_removal.h"

#include <Eigen/LU>
#include <algorithm>

#include "base/slack.h"
#include "base/square.h"
#include "decide/eigenvalues.h"
#include "decide/joint_asked.h"
#include "region/joint_ellipsoid.h"

namespace dualmargin::decide {

std::vector<Ends> JointRemoval::bounds(Tick& tick) const {
  std::vector<Ends> ends = nothing_of(fit_.n(), fit_.classes());
  for (Index i = 0; i < fit_.n(); ++i) ends[own(i)].intersect(i, {0, 0});
  if (!fit_.free() && !fit_.sparse()) by_ball(ends, tick);
  if (fit_.factor.usable()) by_step(ends, tick);
  return ends;
}

void JointRemoval::by_ball(std::vector<Ends>& ends, Tick& tick) const {
  const region::JointPair& pair = fit_.pair;
  const Index k = fit_.classes();
  const double kappa = fit_.g().l2 * W_, size = static_cast<double>(pair.w.size());
  const Mat e = kappa * pair.w + W_ * pair.v;
  const double square = e.squaredNorm(), along_w = e.cwiseProduct(pair.w).sum();
  const double w_square = pair.w.squaredNorm();
  const double rounding =
      W_ * pair.v_rounding.norm() + rounding::of(4) * (kappa * pair.w.norm() + W_ * pair.v.norm());
  const Mat along = region::class_scores(fit_.rows, e, Vec::Zero(k), tick);
  const double lost_in_square = rounding::of(4 * size + 16);
  const double lost_in_step = rounding::of(2 * (static_cast<double>(pair.w.rows()) + 3));
  const double all = W_ * fit_.region.spread(pair);
  const RowVec& squares = fit_.rows.squares(tick);
  const auto one = [&](Index i) {
    const double omega = fit_.given.omega[i], rest = W_ * share_left(i);
    if (!(rest > 0)) return;
    const double kappa_i = cost() ? kappa : fit_.g().l2 * rest, less = kappa - kappa_i;
    const Vec out = omega * pair.a.row(i).transpose(), z = pair.z.row(i), pull = along.row(i);
    const double x2 = squares[i], x = std::sqrt(x2);
    const double terms = square + less * less * w_square + out.squaredNorm() * x2;
    const double e2 = terms - 2 * less * along_w - 2 * out.dot(pull) + 2 * less * out.dot(z);
    const double length =
        std::sqrt(square_above(
            e2, lost_in_square *
                    (terms + 2 * x * out.norm() * std::sqrt(square) +
                     2 * std::abs(less) *
                         (std::sqrt(square * w_square) + x * out.norm() * std::sqrt(w_square))))) +
        rounding;
    const double excess = std::max(0.0, all - omega * fit_.region.excess(pair, i));
    const double radius =
        std::sqrt(excess / kappa_i + length * length / (4 * kappa_i * kappa_i)) * rounding::raised;
    const Vec centre = z - (pull - less * z - x2 * out) / (2 * kappa_i);
    const Vec lost =
        lost_in_step * ((x2 * out + less * z).cwiseAbs() + Vec::Constant(k, x * e.norm()));
    const Index y = own(i);
    for (Index c = 0; c < k; ++c) {
      if (c == y) continue;
      const double half = std::sqrt(2.0) * x * (radius + rounding / kappa_i) +
                          2 * pair.z_rounding[i] + (lost[c] + lost[y]) / kappa_i;
      ends[c].intersect(i, {centre[c] - centre[y] - half, centre[c] - centre[y] + half});
    }
  };
  fit_.rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i, t.row(i)) one(i);
      },
      tick);
}

void JointRemoval::by_step(std::vector<Ends>& ends, Tick& tick) const {
  const region::JointPair& pair = fit_.pair;
  const Index k = fit_.classes();
  Around at{fit_.reach(fit_.given.omega), 0, 0};
  const auto slope = fit_.region.slope(pair, fit_.probabilities);
  at.nu = fit_.region.nu(pair, slope, fit_.factor, at.reach);
  if (!cost()) at.pull = fit_.factor.norm(slope.penalty);
  const auto block = [&](Index begin, Index end) {
    std::vector<Mat> white =
        region::white_classes(fit_.factor, region::block_of(fit_.rows, begin, end, fit_.free()), k);
    Mat mean = white[0];
    for (Index c = 1; c < k; ++c) mean += white[c];
    for (Mat& of : white) of -= mean / static_cast<double>(k);
    Mat own(white[0].rows(), k);
    for (Index i = begin; i < end; ++i) {
      for (Index c = 0; c < k; ++c) own.col(c) = white[c].col(i - begin);
      stepped(i, own.transpose() * own, at, ends);
    }
  };
  region::for_row_blocks(fit_.rows, region::joint_width(fit_.factor, k), block, tick);
}

void JointRemoval::stepped(Index i, const Mat& N, const Around& at, std::vector<Ends>& ends) const {
  const Index k = fit_.classes(), y = own(i);
  const double share = fit_.given.omega[i] / W_, shrink = cost() ? 1.0 : share_left(i);
  const double inflation = fit_.factor.inflation;
  const Vec p = fit_.probabilities.row(i).transpose(), root = p.cwiseSqrt();
  const Mat L = Mat(root.asDiagonal()) - p * root.transpose();
  const Mat NL = N * L;
  const Mat M = share * L.transpose() * NL;
  const Vec found = eigenvalues(M);
  if (found.size() == 0) return;
  const double lev = found.maxCoeff() * inflation * inflation / shrink;
  if (!(shrink > 0 && lev < 1 - 1e-6)) return;
  // N and its inverse are known to a share of this
  const double off = 4 * (inflation - 1) / (1 - lev) + rounding::slack;
  if (!(off < 0.05)) return;
  const auto without = [&](double shrink) {
    const Mat core = Mat::Identity(k, k) - M / shrink;
    return Mat((N + share / shrink * NL * core.partialPivLu().solve(NL.transpose())) / shrink);
  };
  const Mat step_norm = without(1), norm = cost() ? step_norm : without(shrink);
  const auto length = [&](const Vec& s) {
    return std::sqrt(std::max(0.0, s.dot(norm * s))) * (1 + 2 * off);
  };
  Vec a = p;
  a[y] -= 1;
  const double factor = 1 / std::sqrt(shrink * (1 - lev));
  const double g = (at.nu + share * at.pull) * factor, reach = at.reach * factor;
  const double drop = share * length(a);
  const region::Left left = region::by_leaving(g, drop, reach, shrink, false);
  const Vec z = fit_.pair.z.row(i), to = z + share * step_norm * a;
  const double lost = 2 * fit_.pair.z_rounding[i];
  for (Index c = 0; c < k; ++c) {
    if (c == y) continue;
    const double norm_of = length(Vec::Unit(k, c) - Vec::Unit(k, y));
    const double rounding =
        lost + rounding::of(8) * (std::abs(z[c]) + std::abs(z[y]) + std::abs(to[c] - z[c]) +
                                  std::abs(to[y] - z[y]));
    const double half = norm_of * left.direct * rounding::raised_exp + rounding;
    ends[c].intersect(i, {z[c] - z[y] - half, z[c] - z[y] + half});
    if (!std::isfinite(left.stepped) || fit_.sparse())
      continue;  // coefficients at zero may not make the step
    const double near = norm_of * (left.stepped + 4 * off * drop) * rounding::raised_exp + rounding;
    ends[c].intersect(i, {to[c] - to[y] - near, to[c] - to[y] + near});
  }
}

}  // namespace dualmargin::decide
