// A problem seen by rows, all of them or a sample. The Newton direction of a ridge problem,
//
//   min  gradient'delta + r delta_b + 1/2 sum_i h_i (x_i'delta + delta_b)^2 + ridge/2 |delta|^2,
//
// is one linear system in three shapes: over the coordinates (p x p), over the active rows (m x m,
// by the Woodbury identity), or by conjugate gradients when both matrices would be too large. With
// an l1 part or bounds it is that of a model over the coordinates, or over a working set of them.
#include <array>
#include <numeric>
#include <vector>

#include "algebra/cholesky.h"
#include "algebra/conjugate_gradients.h"
#include "algebra/normal_matrix.h"
#include "linear/cost_model.h"
#include "linear/proximal_newton.h"
#include "linear/working_set.h"

namespace dualmargin::linear {

namespace {

class RowView final : public View {
 public:
  RowView(const LinearProblem& problem, Run& run, const Rows& rows)
      : run_(run),
        rows_(rows),
        free_(problem.losses.free_intercept),
        share_(rows.count() / problem.rows.count()),
        all_(rows.dim()),
        gram_(rows) {
    std::iota(all_.begin(), all_.end(), Index{0});
  }

  const Rows& rows() const override { return rows_; }
  const std::vector<Index>& coordinates() const override { return all_; }

  RowVec multiply(const Vec& w) override {
    spend(0.5);
    return rows_.multiply(w, run_);
  }
  Vec transpose_multiply(const RowVec& coef, const std::vector<Index>&) override {
    spend(0.5);
    return rows_.transpose_multiply(coef, run_);
  }
  Direction direction(const NewtonModel& m) override {
    return m.g.l1 > 0 || m.g.bounded() ? by_set(m) : by_system(m);
  }
  bool lifts() const override { return false; }

 private:
  void spend(double passes) { run_.spend(passes * share_); }

  // Where nothing bounds the curvature from below even small weights count, in the end.
  void update(const RowVec& h, bool exact) {
    constexpr int many = 8;
    if (exact && ++updates_ > many) {
      gram_.rebuild(h, run_);
      spend(1);
    } else {
      spend(gram_.update(h, run_));
    }
  }

  // The coordinates that matter: those in use and those that want to enter.
  Direction by_set(const NewtonModel& m) {
    const Vec& norms = rows_.column_norms(run_);
    if (rows_.dim() > cost::matrix_columns) {
      const bool first = gram_.size() == rows_.dim();
      const Index support = (m.w.array() != 0).count();
      const SetSize size{0, std::max<Index>(200, 2 * support), cost::set_columns};
      gram_.restrict_to(working_set(all_, m.g, m.w, m.u, norms, size,
                                    first ? std::vector<Index>() : gram_.coordinates()));
    }
    update(m.h, m.g.any_free());
    if (!run_.in_time()) return {Vec::Zero(rows_.dim())};
    return l1_direction(gram_, free_, m, norms, run_);
  }

  Direction by_system(const NewtonModel& m) {
    ridge_ = m.g.l2 + m.damping;
    free_columns_ = m.g.any_free() ? m.g.columns->free : std::vector<Index>();
    Vec gradient = m.u + m.g.l2 * m.w;
    for (Index j : free_columns_) gradient[j] = m.u[j];
    ridges_ = Vec::Constant(m.w.size(), ridge_);
    for (Index j : free_columns_) ridges_[j] = m.damping;
    const double p = static_cast<double>(rows_.dim());
    std::vector<Index> active;  // rows with curvature
    // what is nothing beside the most would be a pivot without bound over the rows
    const double least = 1e-30 * rows_.max([&](Index i) { return m.h[i]; });
    for (Index i = 0; i < rows_.n(); ++i) {
      if (m.h[i] > least) active.push_back(i);
    }
    // how many they are, and their nonzeros
    const auto [size, touched] = rows_.sum([&](Index i) {
      const bool counts = m.h[i] > least;
      return std::array<double, 2>{counts ? 1.0 : 0.0,
                                   counts ? static_cast<double>(rows_.nonzeros(i)) : 0.0};
    });
    const RowVec& squares = rows_.squared_norms();
    const double largest = rows_.max([&](Index i) { return m.h[i] * squares[i]; });
    Direction d;
    // all of them must lie here
    const bool few =
        rows_.team.size() == 1 && (rows_.n() <= cost::matrix_rows || size <= cost::active_rows);
    // the Woodbury identity subtracts what is `largest / ridge` times larger than its result
    const bool by_rows = size < p && few && free_columns_.empty() &&
                         cost::factor_pays(size, touched) && largest < 1e13 * ridge_ &&
                         over_rows(active, m.h, gradient, m.r, d);
    if (!by_rows && !(cost::factor_pays(p, rows_.nonzeros()) && run_.in_time() &&
                      over_coordinates(m.h, gradient, m.r, d))) {
      conjugate_gradients(m.h, touched, gradient, m.r, d);
    }
    d.predicted = -0.5 * (gradient.dot(d.delta) + m.r * d.delta_b);
    return d;
  }

  // false, here and below: the matrix is singular in double precision, or the time is over.
  bool over_coordinates(const RowVec& h, const Vec& gradient, double r, Direction& d) {
    update(h, !free_columns_.empty());
    if (!run_.in_time()) return false;
    const Index p = gram_.size();
    // without curvature b stays where it is; the Schur complement of its pivot vanishes in rounding
    // where columns sum to a constant. So it is with columns that have no penalty.
    const auto raise = [&](Mat& A, double share) {
      const auto pivot = [&](Index j) { A(j, j) = A(j, j) > 0 ? A(j, j) * (1 + share) : 1.0; };
      if (free_) pivot(p);
      for (Index j : free_columns_) pivot(j);
    };
    Mat A = gram_.bordered(free_, 0);
    A.diagonal().head(p) += ridges_;
    Cholesky factor;
    if (!factor.factor(std::move(A), beside_updates, raise, run_)) {
      gram_.clear();  // the dust of many updates: build it afresh next time
      return false;
    }
    d = split(factor.solve(joined(-gradient, -r)));
    return true;
  }

  // delta = -(gradient + X's) / ridge with s_i = h_i (x_i'delta + delta_b), so that over active
  // rows
  //   (K + ridge diag(1/h)) s = -X gradient + ridge delta_b 1   and   sum s = -r.
  bool over_rows(const std::vector<Index>& active, const RowVec& h, const Vec& gradient, double r,
                 Direction& d) {
    const Index m = static_cast<Index>(active.size());
    Mat A = products(active);
    if (!run_.in_time()) return false;
    Vec projected(m);
    RowVec coef = RowVec::Zero(rows_.n());
    for (Index k = 0; k < m; ++k) {
      A(k, k) += ridge_ / h[active[k]];
      projected[k] = rows_.dot(active[k], gradient);
      run_.tick().row(k);
    }
    d = {-gradient};
    if (m > 0) {
      Cholesky factor;
      if (!factor.factor(std::move(A), run_)) return false;
      Vec s = -factor.solve(projected);
      if (free_) {
        const Vec ones = factor.solve(Vec::Ones(m));
        d.delta_b = -(r + s.sum()) / (ridge_ * ones.sum());
        s += ridge_ * d.delta_b * ones;
      }
      for (Index k = 0; k < m; ++k) coef[active[k]] = s[k];
      d.delta -= rows_.transpose_multiply(coef, run_);
    }
    d.delta /= ridge_;
    return true;
  }

  // x_i'x_j for the active rows. Kept for all rows when there are few, since it never changes.
  Mat products(const std::vector<Index>& active) {
    const bool keep = rows_.n() <= cost::matrix_rows, asked = keep && products_.size() > 0;
    const Index rows = keep ? rows_.n() : static_cast<Index>(active.size());
    if (!asked) spend(0.5 * static_cast<double>(rows) / rows_.n());
    if (!keep) return rows_.products(active, Vec(), run_);
    if (!asked) products_ = rows_.products(Vec(), run_);
    const Index m = static_cast<Index>(active.size());
    Mat K(m, m);
    for (Index j = 0; j < m; ++j) {
      for (Index i = j; i < m; ++i) K(i, j) = products_(active[i], active[j]);
    }
    return K;
  }

  // Jacobi-preconditioned, to a twentieth of the residual: the line search makes up for the rest.
  // touched: nonzeros of the rows with curvature, the only ones that are visited.
  void conjugate_gradients(const RowVec& h, double touched, const Vec& gradient, double r,
                           Direction& d) {
    const double total = rows_.sum([&](Index i) { return h[i]; });
    const Vec squares = rows_.column_squares(h, run_);
    const Vec diagonal = joined(squares + ridges_, std::max(total, 1e-300)).cwiseMax(1e-300);
    spend(1);
    const auto apply = [&](const Vec& v) {
      spend(touched / rows_.nonzeros());
      const auto w = v.head(rows_.dim());
      auto product = rows_.normal_multiply(h, w, free_ ? v[rows_.dim()] : 0.0, run_);
      product.image += ridges_.cwiseProduct(w);
      return free_ ? joined(product.image, product.total) : std::move(product.image);
    };
    const auto scaled = [&](const Vec& v) { return Vec(v.cwiseQuotient(diagonal)); };
    double target = 0;
    const auto more = [&](int step, double rho) {
      if (step == 0) target = 2.5e-3 * rho;
      return step < 2000 && rho > target && run_.in_time();
    };
    d = split(pcg(apply, scaled, joined(-gradient, total > 0 ? -r : 0), more).solution);
  }

  // (w, b) as one vector, without b where the intercept is not free.
  Vec joined(const Vec& w, double b) const {
    Vec v(w.size() + free_);
    v.head(w.size()) = w;
    if (free_) v[w.size()] = b;
    return v;
  }
  Direction split(const Vec& v) const {
    return {v.head(v.size() - free_), free_ ? v[v.size() - 1] : 0.0};
  }

  Run& run_;
  const Rows rows_;
  bool free_;
  double share_;  // of all rows
  std::vector<Index> all_;
  WeightedGram gram_;
  Mat products_;
  int updates_ = 0;
  double ridge_ = 0;
  std::vector<Index> free_columns_;  // no penalty on these
  Vec ridges_;
};

}  // namespace

std::unique_ptr<View> view_by_rows(const LinearProblem& problem, Run& run, const Rows& rows) {
  return std::make_unique<RowView>(problem, run, rows);
}

}  // namespace dualmargin::linear
