#include "rows/sparse.h"

#include <algorithm>

#include "base/team.h"
#include "rows/storage_loops.h"

namespace dualmargin {

double Sparse::row_dot(Index i, const double* w) const { return dot(i, w); }
void Sparse::row_axpy(Index i, double a, double* w) const { axpy(i, a, w); }
double Sparse::row_square(Index i) const { return squared_norm(i); }
void Sparse::read_row(Index i, FunctionRef<void(const RowPiece&)> f) const {
  const Start first = start_[i];
  read_framed(column_ + first, value_ + first, start_[i + 1] - first, frame_, f);
  read_bias(*this, f);
}
std::unique_ptr<PassLoops> Sparse::pass(const double* w) const {
  return std::make_unique<LoopsOf<FramedReader<Sparse>>>(*this, w);
}

// Eight rows at a time, their coordinates side by side: every row is then fetched an eighth as
// often, and long rows are no longer in the cache when they are next asked for.
Mat Sparse::products(const std::vector<Index>& rows, const Vec& metric, Team& team,
                     Tick& tick) const {
  constexpr Index width = 8;
  const auto m = static_cast<Index>(rows.size());
  const bool plain = metric.size() == 0;
  Mat K(m, m);
  const Index panels = (m + width - 1) / width;
  double entries = 0;
  for (const Index i : rows) entries += static_cast<double>(nonzeros(i));
  const Index chunks = team.chunks(0.5 * static_cast<double>(panels) * entries,
                                   std::clamp(static_cast<double>(panels), 1.0, 16.0));
  const FramedReader<Sparse> pass(*this, nullptr);
  const auto fill = [&](Index chunk, Tick& t) {
    Eigen::Matrix<double, width, Eigen::Dynamic> panel =
        Eigen::Matrix<double, width, Eigen::Dynamic>::Zero(width, dim());
    for (Index j = chunk * width; j < m; j += chunks * width) {
      const Index count = std::min(width, m - j);
      for (Index c = 0; c < count; ++c) {
        for_each(rows[j + c], [&](Index k, double v) {
          panel(c, k) = pass.divided(k, plain ? v : v * metric[k]);
        });
      }
      for (Index i = j; i < m; ++i) {
        Eigen::Matrix<double, width, 1> sums = Eigen::Matrix<double, width, 1>::Zero();
        pass.for_each(rows[i], [&](Index k, double v) { sums += v * panel.col(k); });
        for (Index c = 0; c < count; ++c) K(i, j + c) = sums[c];
      }
      for (Index c = 0; c < count; ++c) {
        for_each(rows[j + c], [&](Index k, double) { panel(c, k) = 0; });
      }
      if (!t.poll()) return;
    }
  };
  team.for_chunks(chunks, fill, tick);
  return K;
}

}  // namespace dualmargin
