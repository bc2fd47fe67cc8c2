#include "linear/column_view.h"

#include <numeric>

#include "linear/cost_model.h"

namespace dualmargin::linear {

ColumnView::ColumnView(const LinearProblem& problem, Run& run, const Columns& x)
    : rows_(problem.rows),
      free_(problem.losses.free_intercept),
      run_(run),
      x_(x),
      nonzeros_(std::max(1.0, x.nonzeros())),
      set_(x.dim()),
      gram_(rows_) {
  std::iota(set_.begin(), set_.end(), Index{0});
}

void ColumnView::restrict_to(std::vector<Index> set, double precision, double sweeps) {
  set_ = std::move(set);
  precision_ = precision;
  sweeps_ = std::max(sweeps, last_sweeps_);
}

RowVec ColumnView::multiply(const Vec& w) {
  RowVec z = RowVec::Zero(x_.n());
  for (Index j : set_) add_column(j, w[j], z);
  return z;
}

void ColumnView::add_column(Index j, double step, RowVec& z) {
  if (step == 0) return;
  x_.axpy(j, step, z.local());
  run_.spend(static_cast<double>(x_.nonzeros(j)) / nonzeros_);
  run_.tick().row(j);
}

Vec ColumnView::transpose_multiply(const RowVec& coef, const std::vector<Index>& set) {
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

Direction ColumnView::direction(const NewtonModel& model) {
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
  ColumnWork work{precision_, most};
  const Direction d = l1_direction(x_, set_, free_, model, norms, work, run_);
  last_sweeps_ = work.visited / visited;
  sweeps_ = std::max(sweeps_, last_sweeps_);
  run_.spend(work.visited / nonzeros_);
  return d;
}

double ColumnView::entries(const std::vector<Index>& set) const {
  double sum = 0;
  for (Index j : set) sum += static_cast<double>(x_.nonzeros(j));
  return sum;
}

}  // namespace dualmargin::linear
