// A problem seen by rows, all of them or a sample. The Newton direction of a ridge problem,
//
//   min  gradient'delta + r delta_b + 1/2 sum_i h_i (x_i'delta + delta_b)^2 + ridge/2 |delta|^2,
//
// is one linear system in three shapes: over the coordinates (p x p), over the active rows (m x m,
// by the Woodbury identity), or by conjugate gradients when both matrices would be too large. With
// an l1 part it is that of a model over the coordinates, or over a working set of them.
#pragma once

#include "linear/erm.h"
#include "linear/l1_model.h"
#include "linear/row_sample.h"
#include "linear/working_set.h"

namespace dualmargin::linear {

template <class Data>
class RowView {
 public:
  static constexpr bool lifts = false;

  RowView(const Erm<Data>& problem, Run& run, RowSample rows)
      : problem_(problem),
        run_(run),
        sample_(std::move(rows)),
        all_(problem.x.dim()),
        gram_(problem.x, sample_.id) {
    std::iota(all_.begin(), all_.end(), Index{0});
    for (Index i : sample_.id) nonzeros_ += static_cast<double>(problem.x.nonzeros(i));
  }
  RowView(const RowView&) = delete;  // the Gram matrix refers to sample_

  const RowSample& rows() const { return sample_; }
  const std::vector<Index>& coordinates() const { return all_; }
  double squared_norm(Index i) const { return problem_.x.squared_norm(sample_.id[i]); }

  Vec multiply(const Vec& w) {
    Vec z(n());
    for (Index i = 0; i < n(); ++i) {
      z[i] = problem_.x.dot(sample_.id[i], w);
      run_.tick().row(i);
    }
    spend(0.5);
    return z;
  }
  Vec transpose_multiply(const Vec& coef, const std::vector<Index>&) {
    Vec u = Vec::Zero(problem_.x.dim());
    for (Index i = 0; i < n(); ++i) {
      if (coef[i] != 0) problem_.x.axpy(sample_.id[i], coef[i], u);
      run_.tick().row(i);
    }
    spend(0.5);
    return u;
  }

  Direction direction(const NewtonModel& m) { return m.g.l1 > 0 ? by_set(m) : by_system(m); }

 private:
  Index n() const { return static_cast<Index>(sample_.id.size()); }
  void spend(double passes) {
    run_.spend(passes * static_cast<double>(n()) / static_cast<double>(problem_.n()));
  }

  // The coordinates that matter: those in use and those whose |u_j| exceeds l1.
  Direction by_set(const NewtonModel& m) {
    constexpr Index few = 1500, most = 3000;
    const Index p = problem_.x.dim();
    if (p > few) {
      const std::vector<Index> before =
          gram_.size() == p ? std::vector<Index>() : gram_.coordinates();
      const Index support = (m.w.array() != 0).count();
      const SetSize size{0, std::max<Index>(200, 2 * support), most};
      gram_.restrict_to(working_set(all_, m.g, m.w, m.u, problem_.column_norms(), size, before));
    }
    spend(gram_.update(m.h, run_));
    if (!run_.in_time()) return {Vec::Zero(p)};
    return l1_direction(gram_, problem_.free_intercept, m, problem_.column_norms(), run_);
  }

  Direction by_system(const NewtonModel& m) {
    ridge_ = m.g.l2 + m.damping;
    const Vec gradient = m.u + m.g.l2 * m.w;
    const double p = static_cast<double>(problem_.x.dim());
    double active = 0, touched = 0;  // rows with curvature, and their nonzeros
    double largest = 0;              // h_i |x_i|^2
    for (Index i = 0; i < n(); ++i) {
      if (!(m.h[i] > 0)) continue;
      ++active;
      touched += static_cast<double>(problem_.x.nonzeros(sample_.id[i]));
      largest = std::max(largest, m.h[i] * squared_norm(i));
    }
    Direction d;
    const bool few = n() <= few_rows || active <= 800;
    // the Woodbury identity subtracts what is `largest / ridge` times larger than its result
    const bool by_rows = active < p && few && affordable(active, touched) &&
                         largest < 1e13 * ridge_ && over_rows(m.h, gradient, m.r, d);
    if (!by_rows &&
        !(affordable(p, nonzeros_) && run_.in_time() && over_coordinates(m.h, gradient, m.r, d))) {
      conjugate_gradients(m.h, gradient, m.r, d);
    }
    d.predicted = -0.5 * (gradient.dot(d.delta) + m.r * d.delta_b);
    return d;
  }

  static constexpr Index few_rows = 2800;

  // A factorisation of 2,800 rows takes 64 MB; beyond that only where the data are larger. Its work
  // is set against that of a few hundred conjugate gradient steps.
  static bool affordable(double size, double nonzeros) {
    const bool fits = size <= 2800 || size * size < nonzeros;
    return fits && size * size * size / 12 <= 1600 * nonzeros;
  }

  // false, here and below: the matrix is singular in double precision, or the time is over.
  bool over_coordinates(const Vec& h, const Vec& gradient, double r, Direction& d) {
    spend(gram_.update(h, run_));
    if (!run_.in_time()) return false;
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
    if (!factor.factor(gram_.bordered(border, ridge_), {1e-12, 1e-8, 1e-4}, raise, run_)) {
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
  bool over_rows(const Vec& h, const Vec& gradient, double r, Direction& d) {
    std::vector<Index> active;
    for (Index i = 0; i < h.size(); ++i) {
      if (h[i] > 0) active.push_back(i);
    }
    const Index m = static_cast<Index>(active.size());
    Mat A = kernel_of(active);
    if (!run_.in_time()) return false;
    Vec projected(m);
    for (Index k = 0; k < m; ++k) {
      A(k, k) += ridge_ / h[active[k]];
      projected[k] = problem_.x.dot(sample_.id[active[k]], gradient);
    }
    d = {-gradient};
    if (m > 0) {
      Cholesky factor;
      if (!factor.factor(A, run_)) return false;
      Vec s = -factor.solve(projected);
      if (problem_.free_intercept) {
        const Vec ones = factor.solve(Vec::Ones(m));
        d.delta_b = -(r + s.sum()) / (ridge_ * ones.sum());
        s += ridge_ * d.delta_b * ones;
      }
      for (Index k = 0; k < m; ++k) problem_.x.axpy(sample_.id[active[k]], -s[k], d.delta);
    }
    d.delta /= ridge_;
    return true;
  }

  // x_i'x_j for the active rows. Kept for all rows when there are few, since it never changes.
  Mat kernel_of(const std::vector<Index>& active) {
    const Index m = static_cast<Index>(active.size());
    if (n() > few_rows) return kernel(active);
    if (kernel_.rows() == 0) {
      std::vector<Index> all(n());
      std::iota(all.begin(), all.end(), Index{0});
      kernel_ = kernel(all);
    }
    Mat K(m, m);
    for (Index j = 0; j < m; ++j) {
      for (Index i = j; i < m; ++i) K(i, j) = kernel_(active[i], active[j]);
    }
    return K;
  }

  // Eight rows at a time, their coordinates side by side: every row is then fetched an eighth as
  // often, and long rows are no longer in the cache when they are next asked for.
  Mat kernel(const std::vector<Index>& active) {
    constexpr Index width = 8;
    const Index m = static_cast<Index>(active.size());
    Mat K(m, m);
    Eigen::Matrix<double, width, Eigen::Dynamic> panel =
        Eigen::Matrix<double, width, Eigen::Dynamic>::Zero(width, problem_.x.dim());
    for (Index j = 0; j < m; j += width) {
      const Index count = std::min(width, m - j);
      for (Index c = 0; c < count; ++c) {
        problem_.x.for_each(sample_.id[active[j + c]], [&](Index k, double v) { panel(c, k) = v; });
      }
      for (Index i = j; i < m; ++i) {
        Eigen::Matrix<double, width, 1> sums = Eigen::Matrix<double, width, 1>::Zero();
        problem_.x.for_each(sample_.id[active[i]],
                            [&](Index k, double v) { sums += v * panel.col(k); });
        for (Index c = 0; c < count; ++c) K(i, j + c) = sums[c];
      }
      for (Index c = 0; c < count; ++c) {
        problem_.x.for_each(sample_.id[active[j + c]], [&](Index k, double) { panel(c, k) = 0; });
      }
      if (!run_.tick().poll()) break;
    }
    run_.spend(0.5 * static_cast<double>(m) / static_cast<double>(problem_.n()));
    return K;
  }

  // Jacobi-preconditioned, to a twentieth of the residual: the line search makes up for the rest.
  void conjugate_gradients(const Vec& h, const Vec& gradient, double r, Direction& d) {
    const Index p = problem_.x.dim(), border = problem_.free_intercept ? 1 : 0;
    Vec diagonal = Vec::Constant(p + border, ridge_);
    double touched = 0;
    for (Index i = 0; i < h.size(); ++i) {
      if (h[i] == 0) continue;
      touched += static_cast<double>(problem_.x.nonzeros(sample_.id[i]));
      problem_.x.for_each(sample_.id[i], [&](Index j, double x) { diagonal[j] += h[i] * x * x; });
    }
    if (border) diagonal[p] = std::max(h.sum(), 1e-300);
    Vec right(p + border);
    right.head(p) = -gradient;
    if (border) right[p] = h.sum() > 0 ? -r : 0.0;
    const double pass = touched / nonzeros_;  // rows without curvature are not visited
    spend(1);
    const auto image = [&](const Vec& v) {
      spend(pass);
      return apply(h, v);
    };
    const auto scaled = [&](const Vec& v) { return Vec(v.cwiseQuotient(diagonal)); };
    double target = 0;
    const auto more = [&](int step, double rho) {
      if (step == 0) target = 2.5e-3 * rho;
      return step < 2000 && rho > target && run_.in_time();
    };
    const Vec solution = pcg(image, scaled, right, more).solution;
    d = {solution.head(p), border ? solution[p] : 0.0};
  }

  Vec apply(const Vec& h, const Vec& v) {
    const Index p = problem_.x.dim();
    Vec image = Vec::Zero(v.size());
    image.head(p) = ridge_ * v.head(p);
    const double shift = problem_.free_intercept ? v[p] : 0.0;
    double total = 0;
    for (Index i = 0; i < h.size(); ++i) {
      run_.tick().row(i);
      if (h[i] == 0) continue;
      const double s = h[i] * (problem_.x.dot(sample_.id[i], v) + shift);
      problem_.x.axpy(sample_.id[i], s, image);
      total += s;
    }
    if (problem_.free_intercept) image[p] = total;
    return image;
  }

  const Erm<Data>& problem_;
  Run& run_;
  RowSample sample_;
  std::vector<Index> all_;
  WeightedGram<Data> gram_;
  Mat kernel_;
  double nonzeros_ = 0, ridge_ = 0;
};

}  // namespace dualmargin::linear
