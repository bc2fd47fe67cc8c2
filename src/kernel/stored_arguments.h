// Arguments of a kernel between original rows, or their kernel values, in memory: a symmetric
// array of n^2 numbers, in single or double precision.
#pragma once

#include <memory>
#include <vector>

#include "base/tick.h"
#include "kernel/arguments.h"

namespace dualmargin::kernel {

// Computed once a pair, in double precision; transform(values, length), in place, is what is kept.
// Panels of rows are made side by side; no two write to the same place. Nothing where the time is
// over first.
template <class Scalar, class Transform>
std::unique_ptr<Scalar[]> square_array(const Arguments& source, Transform transform, Tick& tick) {
  constexpr Index width = 64, tile = 16;
  const Index n = source.n();
  std::unique_ptr<Scalar[]> values(new Scalar[n * n]);
  const auto panel = [&](Index p, Tick& t) {
    if (!t.poll()) return;
    const Index first = p * width, count = std::min(width, n - first), length = n - first;
    std::vector<double> columns(length * count);
    std::vector<Mixture> rows(count);
    for (Index k = 0; k < count; ++k) rows[k] = {first + k, first + k, 0};
    source.columns(rows.data(), count, first, columns.data());
    transform(columns.data(), count * length);
    for (Index k = 0; k < count; ++k) {
      const double* column = columns.data() + k * length;
      std::copy(column, column + length, values.get() + (first + k) * n + first);
    }
    for (Index from = count; from < length; from += tile) {
      const Index until = std::min(from + tile, length);
      for (Index k = 0; k < count; ++k) {
        Scalar* mirrored = values.get() + first * n + first + k;
        for (Index i = from; i < until; ++i) {
          mirrored[i * n] = static_cast<Scalar>(columns[k * length + i]);
        }
      }
    }
  };
  source.team.for_chunks((n + width - 1) / width, panel, tick);
  return tick.poll() ? std::move(values) : nullptr;
}

template <class Scalar_>
class StoredArguments {
 public:
  using Scalar = Scalar_;

  Team& team;

  StoredArguments(const Arguments& source, bool distances, Tick& tick)
      : team(source.team),
        n_(source.n()),
        distances_(distances),
        values_(square_array<Scalar>(
            source, [](double*, Index) {}, tick)) {}

  bool complete() const { return values_ != nullptr; }
  Index n() const { return n_; }
  double value(Index i, Index j) const { return row(i)[j]; }
  // An original row lies here already. A mixture is bilinear in its two:
  //   x'z       = (1 - s) x_i'z       + s x_j'z
  //   |x - z|^2 = (1 - s) |x_i - z|^2 + s |x_j - z|^2 - s (1 - s) |x_i - x_j|^2
  void rows(const Mixture* rows, Index count, Index from, ArgumentRows<Scalar>& out) const {
    using Column = Eigen::Map<const Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
    const Index length = n_ - from;
    const auto mixed = std::count_if(rows, rows + count, [](const Mixture& x) { return x.share; });
    out.own.resize(length, mixed);
    out.row.resize(count);
    for (Index k = 0, used = 0; k < count; ++k) {
      const Mixture& x = rows[k];
      out.row[k] = row(x.first) + from;
      if (x.share == 0) continue;
      const Scalar s = static_cast<Scalar>(x.share), rest = 1 - s;
      const Scalar shift = distances_ ? s * rest * row(x.first)[x.second] : 0;
      out.own.col(used).array() = rest * Column(row(x.first) + from, length) +
                                  (s * Column(row(x.second) + from, length) - shift);
      out.row[k] = out.own.data() + length * used++;
    }
  }
  double bytes() const { return sizeof(Scalar) * static_cast<double>(n_) * n_; }

 private:
  const Scalar* row(Index i) const { return values_.get() + i * n_; }

  Index n_;
  bool distances_;
  std::unique_ptr<Scalar[]> values_;
};

}  // namespace dualmargin::kernel
