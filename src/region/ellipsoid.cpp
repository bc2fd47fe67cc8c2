#include "region/ellipsoid.h"

#include <algorithm>
#include <utility>

#include "algebra/cholesky.h"
#include "region/offset.h"

namespace dualmargin::region {

double step_factor(double s) {
  if (!(std::isfinite(s) && s <= 0.9)) return HUGE_VAL;
  return s < 1e-8 ? 1 + s : -std::log1p(-s) / s;
}

Mat Factor::whitened(const ConstMatRef& v) const {
  Mat scaled = size.cwiseInverse().asDiagonal() * v;
  root.triangularView<Eigen::Upper>().transpose().solveInPlace(scaled);
  return scaled;
}

Vec Factor::solve(const Vec& v) const {
  Vec x = whitened(v);
  root.triangularView<Eigen::Upper>().solveInPlace(x);
  return x.cwiseQuotient(size);
}

Factor factor_of(const Mat& hessian, double adding, double cancelled, Tick& tick) {
  Factor f;
  const Index q = hessian.rows();
  const Vec size = hessian.diagonal().cwiseMax(0).cwiseSqrt();
  if (q == 0 || !size.allFinite() || !(size.minCoeff() > 0)) return f;
  const Vec to_unit = size.cwiseInverse();
  Cholesky cholesky;
  if (!cholesky.factor(to_unit.asDiagonal() * hessian * to_unit.asDiagonal(), tick) ||
      !(cholesky.least_pivot() >= 1e-6)) {
    return f;
  }
  const Mat inverse = cholesky.inverse(tick);
  if (inverse.size() == 0) return f;
  const double rounding = 8 * static_cast<double>(q) *
                          (adding + static_cast<double>(q) * rounding::unit) * (1 + 4 * cancelled) *
                          inverse.cwiseAbs().rowwise().sum().maxCoeff();
  if (!(rounding <= 0.1)) return f;
  f.root = cholesky.lower().transpose();
  f.size = size;
  f.inverse = inverse.diagonal().cwiseSqrt().cwiseProduct(to_unit);
  f.inflation = 1 + 1e-8 + rounding;
  return f;
}

RowVec inverse_norms(const Factor& f, const MovedRows& rows, bool bordered, Tick& tick) {
  const Index d = rows.dim(), q = d + bordered;
  RowVec norms(rows.n());
  if (!rows.rows.storage().is_sparse()) {
    rows.rows.for_ranges(
        [&](Index begin, Index end, Tick& t) {
          constexpr Index width = 64;
          Mat block(q, width);
          for (Index first = begin; first < end; first += width) {
            const Index count = std::min(width, end - first);
            for (Index i = 0; i < count; ++i) {
              rows.rows.for_each(first + i,
                                 [&](Index j, double v) { block(j, i) = v - rows.shift[j]; });
              if (bordered) block(d, i) = 1;
            }
            const Mat white = f.whitened(block.leftCols(count));
            for (Index i = 0; i < count; ++i) norms[first + i] = white.col(i).norm() * f.inflation;
            t.look();
          }
        },
        tick);
  } else {
    // column j: D^-1 R^-1, row j, so that a row costs its entries times q
    const Mat inverse = (f.size.cwiseInverse().asDiagonal() *
                         f.root.template triangularView<Eigen::Upper>().solve(Mat::Identity(q, q)))
                            .transpose();
    Vec start = bordered ? Vec(inverse.col(d)) : Vec(Vec::Zero(q));
    start -= inverse.leftCols(d) * rows.shift;
    rows.rows.for_ranges(
        [&](Index begin, Index end, Tick& t) {
          Vec y(q);
          for (Index i = begin; i < end; ++i, t.row(i)) {
            y = start;
            rows.rows.for_each(
                i, [&](Index j, double v) { y.tail(q - j) += v * inverse.col(j).tail(q - j); });
            norms[i] = y.norm() * f.inflation;
          }
        },
        tick);
  }
  return norms;
}

double Ellipsoid::length_of(const Vec& w) const {
  Vec v = Vec::Zero(w.size() + free);
  v.head(w.size()) = w;
  return factor.norm(v);
}

Factor factored_hessian(const Problem& problem, const RowVec& h, Tick& tick) {
  const auto& rows = problem.rows;
  const auto infinite = [&](Index i) { return !std::isfinite(h[i]); };
  if (rows.rows.any(infinite)) return {};
  Mat hessian = rows.gram(h, problem.free(), tick);
  hessian.diagonal().head(rows.dim()).array() += problem.g.l2;
  double cancelled = 0;
  if (rows.shifted) {
    const double total = rows.rows.sum([&](Index i) { return h[i]; });
    for (Index j = 0; j < rows.dim(); ++j) {
      cancelled = std::max(cancelled, total * rows.shift[j] * rows.shift[j] / hessian(j, j));
    }
  }
  return factor_of(hessian, rounding::of(rows.rows.gram_additions() + 8), cancelled, tick);
}

Vec gradient_of(const Problem& problem, const Vec& w, const RowVec& slope, Tick& tick) {
  const Index d = w.size();
  const double l1 = problem.g.l1;
  Vec gradient(d + problem.free());
  gradient.head(d) = problem.rows.cross(problem.share * slope, tick) + problem.g.l2 * w;
  if (l1 > 0) {
    for (Index j = 0; j < d; ++j) {
      gradient[j] += w[j] != 0 ? std::copysign(l1, w[j]) : std::clamp(-gradient[j], -l1, l1);
    }
  }
  if (problem.free()) gradient[d] = problem.mean([&](Index i) { return slope[i]; });
  return gradient;
}

Ellipsoid ellipsoid_of(const Problem& problem, const Pair& pair, Tick& tick) {
  Ellipsoid e;
  const auto& rows = problem.rows;
  const Index d = rows.dim(), n = problem.n();
  const Curving curving = problem.phi.curving();
  if (curving == Curving::sudden || problem.g.l2 == 0 || d + problem.free() > largest_hessian) {
    return e;
  }
  RowVec h(n), slope(n);
  for (Index i = 0; i < n; ++i) {
    h[i] = problem.share[i] * problem.phi.second(pair.z[i], problem.y(i));
    slope[i] = problem.phi.left(pair.z[i], problem.y(i));
  }
  e.factor = factored_hessian(problem, h, tick);
  if (!e.factor.usable()) return e;
  e.free = problem.free();
  e.norms = inverse_norms(e.factor, rows, e.free, tick);
  const auto of_used = [&](const RowVec& v) {
    return rows.rows.max([&](Index i) { return problem.omega(i) > 0 ? v[i] : 0.0; });
  };
  e.reach = of_used(e.norms);
  const Vec gradient = gradient_of(problem, pair.w, slope, tick);
  // a share of sum_j (H^-1)_jj^(1/2) [(1/W) sum omega |phi'| |x_ij| + lambda |w_j|], and what the
  // scores are off by
  const double slope_rms = std::sqrt(problem.mean([&](Index i) { return slope[i] * slope[i]; }));
  Vec terms(d + e.free);
  terms.head(d) = slope_rms * problem.sizes(tick).stored + problem.g.l2 * pair.w.cwiseAbs();
  terms.head(d).array() += problem.g.l1;
  if (e.free) terms[d] = slope_rms;
  const double rounding =
      problem.cross_rounding() * e.factor.inverse.dot(terms) + e.reach * of_used(pair.z_rounding);
  e.nu = e.factor.norm(gradient) + rounding;
  e.radius = e.nu * (curving == Curving::constant ? 1.0 : step_factor(e.nu * e.reach));
  return e;
}

}  // namespace dualmargin::region
