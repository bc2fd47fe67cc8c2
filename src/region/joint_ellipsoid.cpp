#include "region/joint_ellipsoid.h"

#include <algorithm>

namespace dualmargin::region {

void for_row_blocks(const Rows& rows, Index width, FunctionRef<void(Index, Index)> f, Tick& tick) {
  rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index first = begin; first < end; first += width) {
          f(first, std::min(end, first + width));
          t.look();
        }
      },
      tick);
}

std::vector<Mat> white_classes(const Factor& f, const Mat& x, Index classes) {
  std::vector<Mat> white;
  for (Index c = 0; c < classes; ++c) {
    Mat v = Mat::Zero(f.size.size(), x.cols());
    v.middleRows(c * x.rows(), x.rows()) = x;
    white.push_back(f.whitened(v));
  }
  return white;
}

Mat columns_of(const Rows& rows, Index count, FunctionRef<Index(Index)> at, bool bordered) {
  Mat x(rows.dim() + bordered, count);
  for (Index k = 0; k < count; ++k) x.col(k).head(rows.dim()) = rows.row(at(k));
  if (bordered) x.row(rows.dim()).setOnes();
  return x;
}

Index joint_width(const Factor& f, Index classes) {
  return std::max<Index>(16, 1000000 / std::max<Index>(1, classes * f.size.size()));
}

Mat JointRegion::probabilities(const Mat& z) {
  Mat q(z.rows(), z.cols());
  for (Index i = 0; i < z.rows(); ++i) {
    q.row(i) = (z.row(i).array() - z.row(i).maxCoeff()).exp();
    q.row(i) /= q.row(i).sum();
  }
  return q;
}

double JointRegion::value(const Mat& z, const Mat& w) const {
  return mean([&](Index i) {
           const double top = z.row(i).maxCoeff();
           return std::log((z.row(i).array() - top).exp().sum()) + (top - z(i, own(i)));
         }) +
         problem_.g.l2 / 2 * w.squaredNorm() + problem_.g.l1 * w.cwiseAbs().sum();
}

Mat JointRegion::hessian(const Mat& q) const {
  const Index k = q.cols(), d = rows_.dim(), m = d + problem_.free;
  Mat hessian(k * m, k * m);
  for (Index c = 0; c < k; ++c) {
    for (Index o = 0; o <= c; ++o) {
      const RowVec h = RowVec::of(
          n(), [&](Index i) { return share_[i] * q(i, c) * ((c == o ? 1.0 : 0.0) - q(i, o)); });
      hessian.block(c * m, o * m, m, m) = rows_.gram(h, problem_.free, tick_);
      if (o != c) hessian.block(o * m, c * m, m, m) = hessian.block(c * m, o * m, m, m).transpose();
    }
    hessian.diagonal().segment(c * m, d).array() += problem_.g.l2;
  }
  if (!problem_.free) return hessian;
  double last = 0;
  for (Index c = 0; c < k; ++c) last += hessian(c * m + d, c * m + d);
  const double added = last / static_cast<double>(k * k);
  for (Index c = 0; c < k; ++c) {
    for (Index o = 0; o < k; ++o) hessian(c * m + d, o * m + d) += added;
  }
  return hessian;
}

Factor JointRegion::factored(const Mat& hessian) const {
  const Index d = rows_.dim(), m = d + problem_.free;
  double cancelled = 0;
  for (Index j = 0; rows_.shifted && j < hessian.rows(); ++j) {
    if (j % m == d) continue;
    const double moved = rows_.shift[j % m];
    cancelled = std::max(cancelled, moved * moved / hessian(j, j));
  }
  return factor_of(hessian, rounding::of(rows_.gram_additions() + 8), cancelled, tick_);
}

RowVec JointRegion::norms(const Factor& factor) const {
  RowVec norms = RowVec::Zero(n());
  const Index k = factor.size.size() / (rows_.dim() + problem_.free);
  const auto look = [&](Index begin, Index end) {
    const std::vector<Mat> white =
        white_classes(factor, block_of(rows_, begin, end, problem_.free), k);
    for (Index c = 1; c < k; ++c) {
      for (Index o = 0; o < c; ++o) {
        for (Index i = begin; i < end; ++i) {
          const double apart = (white[c].col(i - begin) - white[o].col(i - begin)).norm();
          norms[i] = std::max(norms[i], factor.inflation * apart);
        }
      }
    }
  };
  for_row_blocks(rows_, joint_width(factor, k), look, tick_);
  return norms;
}

typename JointRegion::Slope JointRegion::slope(const JointPair& p, const Mat& q) const {
  const Index k = q.cols(), d = rows_.dim(), m = d + problem_.free;
  Slope s{Vec(k * m), Vec(k * m), Vec::Zero(k * m)};
  for (Index c = 0; c < k; ++c) {
    const RowVec slope =
        RowVec::of(n(), [&](Index i) { return q(i, c) - (own(i) == c ? 1.0 : 0.0); });
    const double size = std::sqrt(mean([&](Index i) { return slope[i] * slope[i]; }));
    s.gradient.segment(c * m, d) = rows_.transpose_multiply(share_ * slope, tick_);
    s.penalty.segment(c * m, d) = problem_.g.l2 * p.w.col(c);
    s.terms.segment(c * m, d) = size * sizes_.stored + problem_.g.l2 * p.w.col(c).cwiseAbs();
    for (Index j = 0; problem_.g.l1 > 0 && j < d; ++j) {
      const double l1 = problem_.g.l1, w = p.w(j, c);
      s.penalty[c * m + j] +=
          w == 0 ? -std::clamp(s.gradient[c * m + j], -l1, l1) : std::copysign(l1, w);
      s.terms[c * m + j] += l1;
    }
    s.gradient.segment(c * m, d) += s.penalty.segment(c * m, d);
    if (!problem_.free) continue;
    s.gradient[c * m + d] = mean([&](Index i) { return slope[i]; });
    s.terms[c * m + d] = size;
  }
  return s;
}

double JointRegion::nu(const JointPair& p, const Slope& slope, const Factor& factor,
                       double reach) const {
  const double most = n() == 0 ? 0.0 : p.z_rounding.maxCoeff();
  return factor.norm(slope.gradient) + rounding() * factor.inverse.dot(slope.terms) + reach * most;
}

Ellipsoid JointRegion::ellipsoid(const JointPair& p) const {
  Ellipsoid e;
  if (!problem_.softmax || p.w.cols() * (p.w.rows() + problem_.free) > largest_joint_hessian) {
    return e;
  }
  const Mat q = probabilities(p.z);
  e.factor = factored(hessian(q));
  if (!e.factor.usable()) return e;
  e.free = problem_.free;
  e.norms = norms(e.factor);
  e.reach = std::max(0.0, rows_.max([&](Index i) { return share_[i] > 0 ? e.norms[i] : 0.0; }));
  e.nu = nu(p, slope(p, q), e.factor, e.reach);
  e.radius = by_curvature(e.nu, e.reach, false);
  return e;
}

}  // namespace dualmargin::region
