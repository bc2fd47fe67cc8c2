// The Newton direction of a ridge problem: with h_i >= 0 and, where the intercept is free, delta_b,
//
//   min  gradient'delta + r delta_b + 1/2 sum_i h_i (x_i'delta + delta_b)^2 + ridge/2 |delta|^2.
//
// One linear system in three shapes: over the coordinates (p x p), over the active rows (m x m, by
// the Woodbury identity), or by conjugate gradients when both matrices would be too large.
#pragma once

#include "algebra/conjugate_gradients.h"
#include "algebra/normal_matrix.h"
#include "linear/erm.h"

namespace dualmargin::linear {

struct Direction {
  Vec delta;
  double delta_b = 0;
};

template <class Data>
class NewtonSystem {
 public:
  NewtonSystem(const Erm<Data>& problem, const std::vector<Index>& rows)
      : problem_(problem), rows_(rows), gram_(problem.x, rows) {
    for (Index i : rows) nonzeros_ += static_cast<double>(problem.x.nonzeros(i));
  }

  // r: derivative with respect to the intercept. Adds the passes over the data to `epochs`. Of no
  // use once the run is out of time.
  Direction solve(const Vec& h, const Vec& gradient, double r, double ridge, double& epochs,
                  Tick& tick) {
    ridge_ = ridge;
    const double p = static_cast<double>(problem_.x.dim());
    double active = 0, touched = 0;  // rows with curvature, and their nonzeros
    double largest = 0;              // h_i |x_i|^2
    for (Index i = 0; i < h.size(); ++i) {
      if (!(h[i] > 0)) continue;
      ++active;
      touched += static_cast<double>(problem_.x.nonzeros(rows_[i]));
      largest = std::max(largest, h[i] * problem_.x.squared_norm(rows_[i]));
    }
    Direction d;
    const bool few = h.size() <= few_rows || active <= 800;
    // the Woodbury identity subtracts what is `largest / ridge` times larger than its result
    if (active < p && few && affordable(active, touched) && largest < 1e13 * ridge &&
        over_rows(h, gradient, r, d, epochs, tick)) {
      return d;
    }
    if (affordable(p, nonzeros_) && tick.in_time() &&
        over_coordinates(h, gradient, r, d, epochs, tick)) {
      return d;
    }
    return conjugate_gradients(h, gradient, r, epochs, tick);
  }

 private:
  static constexpr Index few_rows = 2800;

  // A factorisation of 2,800 rows takes 64 MB; beyond that only where the data are larger. Its work
  // is set against that of a few hundred conjugate gradient steps.
  static bool affordable(double size, double nonzeros) {
    const bool fits = size <= 2800 || size * size < nonzeros;
    return fits && size * size * size / 12 <= 1600 * nonzeros;
  }

  // false, here and below: the matrix is singular in double precision, or the time is over.
  bool over_coordinates(const Vec& h, const Vec& gradient, double r, Direction& d, double& epochs,
                        Tick& tick) {
    epochs += gram_.update(h, tick);
    if (!tick.in_time()) return false;
    const Index p = gram_.size(), border = problem_.free_intercept ? 1 : 0;
    Vec right(p + border);
    right.head(p) = -gradient;
    if (border) right[p] = -r;
    // without curvature b stays where it is; the Schur complement of its pivot vanishes in rounding
    // where columns sum to a constant
    const auto raise = [&](Mat& A, double share) {
      if (border) A(p, p) = A(p, p) > 0 ? A(p, p) * (1 + share) : 1.0;
    };
    Cholesky factor;
    if (!factor.factor(gram_.bordered(border, ridge_), {1e-12, 1e-8, 1e-4}, raise, tick)) {
      gram_.clear();  // the dust of many updates: build it afresh next time
      return false;
    }
    const Vec solution = factor.solve(right);
    d.delta = solution.head(p);
    d.delta_b = border ? solution[p] : 0.0;
    return true;
  }

  // delta = -(gradient + X's) / ridge with s_i = h_i (x_i'delta + delta_b), so that over active
  // rows
  //   (K + ridge diag(1/h)) s = -X gradient + ridge delta_b 1   and   sum s = -r.
  bool over_rows(const Vec& h, const Vec& gradient, double r, Direction& d, double& epochs,
                 Tick& tick) {
    std::vector<Index> active;
    for (Index i = 0; i < h.size(); ++i) {
      if (h[i] > 0) active.push_back(i);
    }
    const Index m = static_cast<Index>(active.size());
    Mat A = kernel_of(active, epochs, tick);
    if (!tick.in_time()) return false;
    Vec projected(m);
    for (Index k = 0; k < m; ++k) {
      A(k, k) += ridge_ / h[active[k]];
      projected[k] = problem_.x.dot(rows_[active[k]], gradient);
    }
    d = {-gradient, 0};
    if (m > 0) {
      Cholesky factor;
      if (!factor.factor(A, tick)) return false;
      Vec s = -factor.solve(projected);
      if (problem_.free_intercept) {
        const Vec ones = factor.solve(Vec::Ones(m));
        d.delta_b = -(r + s.sum()) / (ridge_ * ones.sum());
        s += ridge_ * d.delta_b * ones;
      }
      for (Index k = 0; k < m; ++k) problem_.x.axpy(rows_[active[k]], -s[k], d.delta);
    }
    d.delta /= ridge_;
    return true;
  }

  // x_i'x_j for the active rows. Kept for all rows when there are few, since it never changes.
  Mat kernel_of(const std::vector<Index>& active, double& epochs, Tick& tick) {
    const Index n = static_cast<Index>(rows_.size()), m = static_cast<Index>(active.size());
    if (n > few_rows) return kernel(active, epochs, tick);
    if (kernel_.rows() == 0) {
      std::vector<Index> all(n);
      std::iota(all.begin(), all.end(), Index{0});
      kernel_ = kernel(all, epochs, tick);
    }
    Mat K(m, m);
    for (Index j = 0; j < m; ++j) {
      for (Index i = j; i < m; ++i) K(i, j) = kernel_(active[i], active[j]);
    }
    return K;
  }

  // Eight rows at a time, their coordinates side by side: every row is then fetched an eighth as
  // often, and long rows are no longer in the cache when they are next asked for.
  Mat kernel(const std::vector<Index>& active, double& epochs, Tick& tick) const {
    constexpr Index width = 8;
    const Index m = static_cast<Index>(active.size());
    Mat K(m, m);
    Eigen::Matrix<double, width, Eigen::Dynamic> panel =
        Eigen::Matrix<double, width, Eigen::Dynamic>::Zero(width, problem_.x.dim());
    for (Index j = 0; j < m; j += width) {
      const Index count = std::min(width, m - j);
      for (Index c = 0; c < count; ++c) {
        problem_.x.for_each(rows_[active[j + c]], [&](Index k, double v) { panel(c, k) = v; });
      }
      for (Index i = j; i < m; ++i) {
        Eigen::Matrix<double, width, 1> sums = Eigen::Matrix<double, width, 1>::Zero();
        problem_.x.for_each(rows_[active[i]], [&](Index k, double v) { sums += v * panel.col(k); });
        for (Index c = 0; c < count; ++c) K(i, j + c) = sums[c];
      }
      for (Index c = 0; c < count; ++c) {
        problem_.x.for_each(rows_[active[j + c]], [&](Index k, double) { panel(c, k) = 0; });
      }
      if (!tick.poll()) break;
    }
    epochs += 0.5 * static_cast<double>(m) / std::max<std::size_t>(rows_.size(), 1);
    return K;
  }

  // Jacobi-preconditioned, to a twentieth of the residual: the line search makes up for the rest.
  Direction conjugate_gradients(const Vec& h, const Vec& gradient, double r, double& epochs,
                                Tick& tick) const {
    const Index p = problem_.x.dim(), border = problem_.free_intercept ? 1 : 0;
    Vec diagonal = Vec::Constant(p + border, ridge_);
    double touched = 0;
    for (Index i = 0; i < h.size(); ++i) {
      if (h[i] == 0) continue;
      touched += static_cast<double>(problem_.x.nonzeros(rows_[i]));
      problem_.x.for_each(rows_[i], [&](Index j, double x) { diagonal[j] += h[i] * x * x; });
    }
    if (border) diagonal[p] = std::max(h.sum(), 1e-300);
    Vec right(p + border);
    right.head(p) = -gradient;
    if (border) right[p] = h.sum() > 0 ? -r : 0.0;
    const double pass = touched / nonzeros_;  // rows without curvature are not visited
    epochs += 1;
    const auto image = [&](const Vec& v) {
      epochs += pass;
      return apply(h, v, tick);
    };
    const auto scaled = [&](const Vec& v) { return Vec(v.cwiseQuotient(diagonal)); };
    double target = 0;
    const auto more = [&](int step, double rho) {
      if (step == 0) target = 2.5e-3 * rho;
      return step < 2000 && rho > target && tick.in_time();
    };
    const Vec solution = pcg(image, scaled, right, more).solution;
    return {solution.head(p), border ? solution[p] : 0.0};
  }

  Vec apply(const Vec& h, const Vec& v, Tick& tick) const {
    const Index p = problem_.x.dim();
    Vec image = Vec::Zero(v.size());
    image.head(p) = ridge_ * v.head(p);
    const double shift = problem_.free_intercept ? v[p] : 0.0;
    double total = 0;
    for (Index i = 0; i < h.size(); ++i) {
      tick.row(i);
      if (h[i] == 0) continue;
      const double s = h[i] * (problem_.x.dot(rows_[i], v) + shift);
      problem_.x.axpy(rows_[i], s, image);
      total += s;
    }
    if (problem_.free_intercept) image[p] = total;
    return image;
  }

  const Erm<Data>& problem_;
  const std::vector<Index>& rows_;
  WeightedGram<Data> gram_;
  Mat kernel_;
  double nonzeros_ = 0, ridge_ = 0;
};

}  // namespace dualmargin::linear
