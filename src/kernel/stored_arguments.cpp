#include "kernel/stored_arguments.h"

#include <algorithm>
#include <vector>

namespace dualmargin::kernel {

template <class Scalar>
std::unique_ptr<Scalar[]> square_array(const Arguments& source,
                                       FunctionRef<void(double*, Index)> transform, Tick& tick) {
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

template <class Scalar>
StoredArguments<Scalar>::StoredArguments(const Arguments& source, bool distances, Tick& tick)
    : team(source.team),
      n_(source.n()),
      distances_(distances),
      values_(square_array<Scalar>(
          source, [](double*, Index) {}, tick)) {}

template <class Scalar>
void StoredArguments<Scalar>::rows(const Mixture* rows, Index count, Index from,
                                   ArgumentRows<Scalar>& out) const {
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

template std::unique_ptr<float[]> square_array(const Arguments&, FunctionRef<void(double*, Index)>,
                                               Tick&);
template std::unique_ptr<double[]> square_array(const Arguments&, FunctionRef<void(double*, Index)>,
                                                Tick&);
template class StoredArguments<float>;
template class StoredArguments<double>;

}  // namespace dualmargin::kernel
