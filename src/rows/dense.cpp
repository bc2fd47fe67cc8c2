#include "rows/dense.h"

#include <algorithm>

#include "rows/storage_loops.h"
#include "rows/weighted_gram.h"

namespace dualmargin {

double Dense::row_dot(Index i, const double* w) const {
  return dot(i, Eigen::Map<const Vec>(w, dim()));
}
void Dense::row_axpy(Index i, double a, double* w) const { axpy(i, a, Eigen::Map<Vec>(w, dim())); }
double Dense::row_square(Index i) const { return squared_norm(i); }
void Dense::read_row(Index i, FunctionRef<void(const RowPiece&)> f) const {
  read_framed(nullptr, values_ + i * columns_, columns_, frame_, f);
  read_bias(*this, f);
}
std::unique_ptr<PassLoops> Dense::pass(const double* w) const {
  return std::make_unique<LoopsOf<FramedReader<Dense>>>(*this, w);
}

Mat Dense::products(const std::vector<Index>& rows, const Vec& metric, Team& team,
                    Tick& tick) const {
  constexpr Index depth = 256;
  const auto m = static_cast<Index>(rows.size());
  const Index p = columns();
  const bool plain = metric.size() == 0;
  const double constant = bias() * bias() * (plain || bias() == 0 ? 1 : metric[p]);
  Mat K = Mat::Constant(m, m, constant), panel(m, depth), scaled(plain ? 0 : m, depth);
  for (Index first = 0; first < p; first += depth) {
    const Index filled = std::min(depth, p - first);
    const Index chunks = team.chunks(static_cast<double>(m * filled));
    team.for_chunks(chunks, [&](Index part) {
      for (Index k = part * m / chunks; k < (part + 1) * m / chunks; ++k) {
        const auto fill = [&](Index j, double v) { panel(k, j - first) = v; };
        for_each_of(rows[k], first, first + filled, fill);
      }
    });
    if (!plain) {
      scaled.leftCols(filled) = panel.leftCols(filled) * metric.segment(first, filled).asDiagonal();
    }
    add_tiles(plain ? panel : scaled, panel, filled, K, team, tick);
    if (!tick.poll()) break;
  }
  return K;
}

}  // namespace dualmargin
