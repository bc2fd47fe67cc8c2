// A problem seen by columns, on a set of coordinates: products cost the entries of these columns.
// Where the set is small against its entries the quadratic model is a matrix, else it stays a
// product of columns: coordinate descent keeps s = h (X d) and visits the entries of one column a
// step (Yuan, Ho and Lin (2012), JMLR 13, section 4), conjugate gradients those of the columns in
// use.
#pragma once

#include <limits>
#include <numeric>

#include "linear/cost_model.h"
#include "linear/l1_model.h"
#include "linear/problem.h"
#include "run/run.h"

namespace dualmargin::linear {

// H of l1_model.h, without a matrix. `most`: entries to visit; by then a step is worth more than
// the rest of the model.
class ColumnCurvature {
 public:
  ColumnCurvature(const Columns& x, const std::vector<Index>& set, const Vec& h, bool free,
                  double most, Tick& tick)
      : x_(x),
        set_(set),
        h_(h),
        diagonal_(set.size()),
        cross_(Vec::Zero(set.size())),
        s_(Vec::Zero(x.n())),
        total_(free ? h.sum() : 0.0),
        most_(most),
        tick_(tick) {
    for (std::size_t k = 0; k < set.size(); ++k) {
      const Columns::Moments m = x.moments(set[k], h);
      diagonal_[k] = m.second;
      if (total_ > 0) {
        cross_[k] = m.first;
        diagonal_[k] -= m.first * m.first / total_;
        if (diagonal_[k] <= flat * m.second) diagonal_[k] = 0;
      }
      visit(k);
    }
  }

  double diagonal(Index k) const { return diagonal_[k]; }
  double product(Index k) {
    visit(k);
    return x_.dot(set_[k], s_) - (total_ > 0 ? cross_[k] * t_ / total_ : 0.0);
  }
  void add(Index k, double step) {
    x_.axpy(set_[k], step, h_, s_);
    t_ += step * cross_[k];
    visit(k);
  }
  Vec multiply(const std::vector<Index>& set, const Vec& v) {
    Vec product = Vec::Zero(x_.n()), image(v.size());
    double shift = 0;
    for (Index k = 0; k < v.size(); ++k) {
      x_.axpy(set_[set[k]], v[k], product);
      shift += cross_[set[k]] * v[k];
      visit(set[k]);
    }
    product.array() *= h_.array();
    if (total_ > 0) shift /= total_;
    for (Index k = 0; k < v.size(); ++k) {
      image[k] = x_.dot(set_[set[k]], product) - cross_[set[k]] * shift;
      visit(set[k]);
    }
    return image;
  }
  LinearSolution solve(const std::vector<Index>& set, const Vec& ridge, const Vec& right,
                       double precision) {
    Vec scale(right.size());
    for (Index k = 0; k < right.size(); ++k) scale[k] = 1 / (diagonal_[set[k]] + ridge[k]);
    const auto apply = [&](const Vec& v) { return Vec(multiply(set, v) + ridge.cwiseProduct(v)); };
    const auto scaled = [&](const Vec& v) { return Vec(v.cwiseProduct(scale)); };
    double enough = 0;
    const auto more = [&](int step, double rho) {
      if (step == 0) enough = std::max(1e-2 * rho, precision * precision);
      return step < patience_ && rho > enough && in_time();
    };
    return pcg(apply, scaled, right, more);
  }
  // precision pays once the signs have settled
  void settled(bool yes) { patience_ = yes ? 2 * patience_ : 20; }
  bool in_time() { return visited_ < most_ && tick_.poll(); }
  const Vec& cross() const { return cross_; }
  double total() const { return total_; }
  double visited() const { return visited_; }  // entries

 private:
  void visit(Index k) {
    visited_ += static_cast<double>(x_.nonzeros(set_[k]));
    tick_.row(k);
  }

  const Columns& x_;
  const std::vector<Index>& set_;
  const Vec& h_;
  Vec diagonal_, cross_;
  Vec s_;         // h (X d)
  double t_ = 0;  // sum_i s_i
  double total_, most_;
  Tick& tick_;
  int patience_ = 20;  // conjugate gradient steps
  double visited_ = 0;
};

class ColumnView {
 public:
  // Where a loss is nearly linear on many rows a model aims too wide; a row of slope a then gets
  // some curvature in proportion to |a|.
  static constexpr bool lifts = true;

  ColumnView(const LinearProblem& problem, Run& run, const Columns& x)
      : rows_(problem.rows),
        free_(problem.losses.free_intercept),
        run_(run),
        x_(x),
        nonzeros_(std::max(1.0, x.nonzeros())),
        set_(x.dim()),
        gram_(rows_) {
    std::iota(set_.begin(), set_.end(), Index{0});
  }

  const Rows& rows() const { return rows_; }
  const std::vector<Index>& coordinates() const { return set_; }
  // A model over columns is solved to `precision` and expected to cost so many sweeps.
  void restrict_to(std::vector<Index> set, double precision, double sweeps) {
    set_ = std::move(set);
    precision_ = precision;
    sweeps_ = std::max(sweeps, last_sweeps_);
  }

  RowVec multiply(const Vec& w) {
    RowVec z = RowVec::Zero(x_.n());
    for (Index j : set_) add_column(j, w[j], z);
    return z;
  }
  void add_column(Index j, double step, RowVec& z) {
    if (step == 0) return;
    x_.axpy(j, step, z.local());
    run_.spend(static_cast<double>(x_.nonzeros(j)) / nonzeros_);
    run_.tick().row(j);
  }
  Vec transpose_multiply(const RowVec& coef, const std::vector<Index>& set) {
    const auto size = static_cast<Index>(set.size());
    const double visited = entries(set);
    const Index chunks = rows_.team.chunks(visited);
    Vec u = Vec::Zero(x_.dim());
    const auto part = [&](Index c, Tick& tick) {
      for (Index k = c * size / chunks; k < (c + 1) * size / chunks; ++k) {
        u[set[k]] = x_.dot(set[k], coef.local());
        tick.row(k);
      }
    };
    rows_.team.for_chunks(chunks, part, run_);
    run_.spend(visited / nonzeros_);
    return u;
  }

  Direction direction(const NewtonModel& model) {
    const double visited = entries(set_), size = static_cast<double>(set_.size());
    const double pays = cost::matrix(size, visited, static_cast<double>(x_.n()), nonzeros_);
    const Vec& norms = rows_.column_norms(run_);
    if (size <= cost::matrix_columns && pays <= sweeps_ * visited * seconds::gathered) {
      gram_.restrict_to(set_);
      run_.spend(gram_.update(model.h, run_));
      if (!run_.in_time()) return {Vec::Zero(x_.dim())};
      return l1_direction(gram_, free_, model, norms, run_);
    }
    const double most = std::min(200 * visited, run_.left() * nonzeros_);
    ColumnCurvature H(x_, set_, model.h.local(), free_, most, run_);
    L1Model<ColumnCurvature> l1(H, set_, model, norms);
    const Direction d = l1.minimise(precision_, std::numeric_limits<int>::max());
    last_sweeps_ = H.visited() / visited;
    sweeps_ = std::max(sweeps_, last_sweeps_);
    run_.spend(H.visited() / nonzeros_);
    return d;
  }

 private:
  double entries(const std::vector<Index>& set) const {
    double sum = 0;
    for (Index j : set) sum += static_cast<double>(x_.nonzeros(j));
    return sum;
  }

  const Rows& rows_;
  bool free_;
  Run& run_;
  const Columns& x_;
  double nonzeros_;
  std::vector<Index> set_;
  WeightedGram gram_;
  double precision_ = 0.1, sweeps_ = 0, last_sweeps_ = 0;
};

}  // namespace dualmargin::linear
