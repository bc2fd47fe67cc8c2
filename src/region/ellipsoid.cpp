#include "region/ellipsoid.h"

#include <algorithm>
#include <utility>

#include "algebra/cholesky.h"
#include "base/slack.h"
#include "region/offset.h"

namespace dualmargin::region {

double step_factor(double s) {
  if (!(std::isfinite(s) && s <= 0.9)) return HUGE_VAL;
  return s < 1e-8 ? 1 + s : -std::log1p(-s) / s;
}

double by_curvature(double nu, double reach, bool constant, double stretch) {
  return stretch * nu * (constant ? 1.0 : step_factor(nu * reach * stretch));
}

double missed_by_step(double t) {
  return t < 1e-5 ? t / 2 + t * t / 6 * (1 + t) : (std::expm1(t) - t) / t;
}

Left by_leaving(double g, double drop, double reach, double shrink, bool constant) {
  constexpr double most_moved = 50;
  Left of{by_curvature(g + drop, reach, constant), HUGE_VAL};
  const double t = constant ? 0.0 : drop * reach, stretch = std::exp(t / 2);
  if (!(t < most_moved)) return of;
  const double nu = stretch * (g + drop * (missed_by_step(t) + 1 / shrink - 1));
  of.stepped = by_curvature(nu, reach, constant, stretch);
  return of;
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
  f.inflation = rounding::raised_factor + rounding;
  return f;
}

Vec inverse_norms(const Factor& f, const Rows& rows, Tick& tick, const std::vector<Index>* some) {
  const Index d = rows.dim(), q = f.size.size();
  const bool bordered = q > d;
  const auto at = [&](Index k) { return some == nullptr ? k : (*some)[k]; };
  Vec norms(some == nullptr ? rows.n() : static_cast<Index>(some->size()));
  const auto for_parts = [&](FunctionRef<void(Index, Index, Tick&)> part) {
    if (some == nullptr) return rows.for_ranges(part, tick);
    const Index n = norms.size();
    const Index parts = rows.team.chunks(static_cast<double>(n * q) * static_cast<double>(q) / 8);
    rows.team.for_chunks(
        parts, [&](Index k, Tick& t) { part(k * n / parts, (k + 1) * n / parts, t); }, tick);
  };
  if (!rows.storage().is_sparse()) {
    for_parts([&](Index begin, Index end, Tick& t) {
      constexpr Index width = 64;
      Mat block(q, width);
      for (Index first = begin; first < end; first += width) {
        const Index count = std::min(width, end - first);
        for (Index i = 0; i < count; ++i) {
          rows.for_each(at(first + i), [&](Index j, double v) { block(j, i) = v - rows.shift[j]; });
          if (bordered) block(d, i) = 1;
        }
        const Mat white = f.whitened(block.leftCols(count));
        norms.segment(first, count) = f.inflation * white.colwise().norm().transpose();
        t.look();
      }
    });
  } else {
    // column j: D^-1 R^-1, row j, so that a row costs its entries times q
    const Mat inverse = (f.size.cwiseInverse().asDiagonal() *
                         f.root.template triangularView<Eigen::Upper>().solve(Mat::Identity(q, q)))
                            .transpose();
    Vec start = bordered ? Vec(inverse.col(d)) : Vec(Vec::Zero(q));
    start -= inverse.leftCols(d) * rows.shift;
    for_parts([&](Index begin, Index end, Tick& t) {
      Vec y(q);
      for (Index i = begin; i < end; ++i, t.row(i)) {
        y = start;
        rows.for_each(at(i),
                      [&](Index j, double v) { y.tail(q - j) += v * inverse.col(j).tail(q - j); });
        norms[i] = y.norm() * f.inflation;
      }
    });
  }
  return norms;
}

Factor factored_hessian(const Rows& rows, const RowVec& h, const Vec& ridge, bool bordered,
                        Tick& tick, const Mat& more) {
  if (rows.any([&](Index i) { return !std::isfinite(h[i]); })) return {};
  Mat hessian = rows.gram(h, bordered, tick);
  hessian.diagonal().head(rows.dim()) += ridge;
  double cancelled = 0;
  if (rows.shifted) {
    const double total = rows.sum([&](Index i) { return h[i]; });
    for (Index j = 0; j < rows.dim(); ++j) {
      cancelled = std::max(cancelled, total * rows.shift[j] * rows.shift[j] / hessian(j, j));
    }
  }
  if (more.size() > 0) hessian += more;
  return factor_of(hessian, rounding::of(rows.gram_additions() + 8), cancelled, tick);
}

Factor factored_hessian(const Problem& problem, const RowVec& h, Tick& tick, double) {
  const Vec ridge = Vec::Constant(problem.rows.dim(), problem.g.l2);
  return factored_hessian(problem.rows, h, ridge, problem.free(), tick);
}

Vec gradient_of(const Problem& problem, const Vec& w, const RowVec& slope, Tick& tick) {
  const Index d = w.size();
  const double l1 = problem.g.l1;
  Vec gradient(d + problem.free());
  gradient.head(d) =
      problem.rows.transpose_multiply(problem.share * slope, tick) + problem.g.l2 * w;
  if (l1 > 0) {
    for (Index j = 0; j < d; ++j) {
      gradient[j] += w[j] != 0 ? std::copysign(l1, w[j]) : std::clamp(-gradient[j], -l1, l1);
    }
  }
  if (problem.free()) gradient[d] = problem.mean([&](Index i) { return slope[i]; });
  return gradient;
}

}  // namespace dualmargin::region
