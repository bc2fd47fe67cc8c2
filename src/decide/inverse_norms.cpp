#include "decide/inverse_norms.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "base/function_ref.h"

namespace dualmargin::decide {

namespace {

// f(begin, end, tick) for parts of so many rows, side by side, that cost `each`.
void for_parts(Team& team, Index count, double each, FunctionRef<void(Index, Index, Tick&)> f,
               Tick& tick) {
  const Index parts = team.chunks(static_cast<double>(count) * each);
  team.for_chunks(
      parts, [&](Index k, Tick& t) { f(k * count / parts, (k + 1) * count / parts, t); }, tick);
}

}  // namespace

Vec inverse_norms(const region::Factor& factor, const Rows& rows, const std::vector<Index>& some,
                  Tick& tick) {
  const auto count = static_cast<Index>(some.size());
  const Index p = rows.dim(), dim = factor.size.size();
  const bool constant = dim > p;
  const double each = static_cast<double>(dim) * static_cast<double>(dim) / 8;
  Vec out(count);
  if (rows.storage().is_sparse()) {
    // column j: row j of D^{-1} R^{-1}, so that a row costs its entries times dim
    const Mat inverse =
        (factor.size.cwiseInverse().asDiagonal() *
         factor.root.template triangularView<Eigen::Upper>().solve(Mat::Identity(dim, dim)))
            .transpose();
    const auto part = [&](Index begin, Index end, Tick& t) {
      Vec y(dim);
      for (Index r = begin; r < end; ++r, t.row(r)) {
        y.setZero();
        rows.for_each(some[r], [&](Index j, double v) {
          y.tail(dim - j) += v * inverse.col(j).tail(dim - j);
        });
        if (constant) y[p] += inverse(p, p);
        out[r] = factor.inflation * y.norm();
      }
    };
    for_parts(rows.team, count, each, part, tick);
  } else {
    constexpr Index width = 64;
    const auto part = [&](Index begin, Index end, Tick& t) {
      Mat block(dim, std::min(width, end - begin));
      for (Index from = begin; from < end; from += width) {
        const Index size = std::min(width, end - from);
        for (Index c = 0; c < size; ++c) {
          rows.for_each(some[from + c], [&](Index j, double v) { block(j, c) = v; });
          if (constant) block(p, c) = 1;
        }
        const Mat white = factor.whitened(block.leftCols(size));
        out.segment(from, size) = factor.inflation * white.colwise().norm().transpose();
        t.look();
      }
    };
    for_parts(rows.team, count, each, part, tick);
  }
  return out;
}

Vec inverse_norms(const region::Factor& factor, const Rows& rows, Tick& tick) {
  std::vector<Index> all(static_cast<std::size_t>(rows.n()));
  std::iota(all.begin(), all.end(), Index(0));
  return inverse_norms(factor, rows, all, tick);
}

}  // namespace dualmargin::decide
