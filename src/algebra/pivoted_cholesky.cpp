#include "algebra/pivoted_cholesky.h"

#include <algorithm>

namespace dualmargin {

PivotedCholesky::PivotedCholesky(const Vec& diagonal, const Vec& size, double tolerance, Index most,
                                 FunctionRef<Vec(Index)> column, Tick& tick) {
  const Index n = diagonal.size();
  Vec left = diagonal;
  const auto share = [&](Index i) { return size[i] > 0 ? left[i] / size[i] : 0.0; };
  for (Index t = 0; t < std::min(n, most); ++t) {
    Index i = 0;
    for (Index k = 1; k < n; ++k) {
      if (share(k) > share(i)) i = k;
    }
    if (!(share(i) > tolerance)) break;
    if (t == factor.rows()) factor.conservativeResize(std::min(n, std::max<Index>(64, 2 * t)), n);
    Vec next = column(i);
    next.noalias() -= factor.topRows(t).transpose() * factor.col(i).head(t);
    if (!(next[i] > tolerance * size[i])) break;
    next /= std::sqrt(next[i]);
    factor.row(t) = next;
    left -= next.cwiseAbs2();
    left[i] = 0;
    pivots.push_back(i);
    if (!tick.poll()) break;
  }
  factor.conservativeResize(static_cast<Index>(pivots.size()), n);
}

}  // namespace dualmargin
