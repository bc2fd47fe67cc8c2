#include "kernel/kernel_function.h"

#include <algorithm>

#include "base/elementary.h"
#include "base/rounding.h"
#include "rows/distinct_rows.h"
#include "rows/row_sums.h"

namespace dualmargin::kernel {

namespace {

// Whole powers by repeated squaring.
template <class Array>
void raise(Array& v, double degree) {
  using Scalar = typename Array::Scalar;
  Eigen::Array<Scalar, Eigen::Dynamic, 1> base = v;
  v.setOnes();
  for (long power = static_cast<long>(degree); power > 0; power /= 2) {
    if (power % 2 == 1) v *= base;
    if (power > 1) base = base.square().eval();
  }
}

}  // namespace

template <class Scalar>
void KernelFunction::apply(const Scalar* arguments, Scalar* values, Index n) const {
  using Array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
  const Eigen::Map<const Array> t(arguments, n);
  Eigen::Map<Array> v(values, n);
  const Scalar s = static_cast<Scalar>(sigma);
  switch (kind) {
    case KernelKind::rbf:
      v = t.max(Scalar(0)) * -s;
      exp_in_place(values, n);
      return;
    case KernelKind::laplace:
      v = t.max(Scalar(0)).sqrt() * -s;
      exp_in_place(values, n);
      return;
    case KernelKind::polynomial:
      v = t * static_cast<Scalar>(scale) + static_cast<Scalar>(offset);
      raise(v, degree);
      return;
    case KernelKind::linear:
      if (values != arguments) v = t;
      return;
  }
}

template void KernelFunction::apply(const float*, float*, Index) const;
template void KernelFunction::apply(const double*, double*, Index) const;

namespace {

// What the error of a squared distance d does to exp(-t), t = sigma d or sigma sqrt(d), in u: k
// roundings of the squared norms, which are together no more than d / least_distance,
// arguments.h; t exp(-t) <= 0.37. Rows that were divided were rounded then, which moves sqrt(d)
// by half a unit of the two norms however it is computed; 2 t exp(-t^2) <= 0.86.
double distance_error(const KernelFunction& kernel, double norm2, double k, bool divided) {
  constexpr double most = 0.37 / least_distance;
  const double norm = std::sqrt(norm2), moved = divided ? norm : 0.0;
  if (kernel.kind == KernelKind::rbf) {
    return k * std::min(kernel.sigma * norm2, most) + std::sqrt(kernel.sigma) * moved;
  }
  return k * std::min(4 * kernel.sigma * norm, 0.5 * most) + kernel.sigma * moved;
}
// By how much the errors of an inner product are larger beside the values of the kernel than
// those of rows that were not moved: with s the factor of x'y and c what is added to it
//   s reach_x reach_y / sqrt((s |x|^2 + c) (s |y|^2 + c)),
// the geometric mean of a factor for each row.
double excess(const KernelFunction& kernel, double reach, double norm) {
  if (!(reach > norm)) return 1;
  const bool linear = kernel.kind == KernelKind::linear;
  const double s = linear ? 1 : kernel.scale, c = linear ? 0 : kernel.offset;
  return std::max(1.0, s * reach * reach / (s * norm * norm + c));
}
// 0 times infinity is 0 here
double weighted(double share, double value) { return share > 0 ? share * value : 0.0; }

}  // namespace

KernelSize kernel_size(const Arguments& source, const MixedRows& rows, const KernelFunction& kernel,
                       bool divided, bool centred) {
  KernelSize size(rows.n(), 0);
  Vec &scale = size.scale, &error = size.error;
  double& mixing = size.mixing;
  const bool rbf = kernel.kind == KernelKind::rbf;
  for (Index i = 0; i < rows.n(); ++i) {
    const Mixture x = rows[i];
    const double s = x.share;
    const double most = std::max(source.entries(x.first), source.entries(x.second));
    const double u = source.squared_norm(x.first), v = source.squared_norm(x.second);
    const double k = most + 3;  // of an inner product
    if (kernel.isotropic()) {
      // Of mixtures: some roundings of `cross`. The root of that in a Laplace kernel, where d is
      // below 1e-6 of it, is not allowed for.
      scale[i] = 1;
      const double cross = s == 0 ? 0.0 : s * (1 - s) * source.value(x.first, x.second);
      mixing = std::max(mixing, kernel.sigma * (rbf ? cross : std::sqrt(cross)));
      error[i] = 2 + 0.2 * k +
                 distance_error(kernel, weighted(1 - s, u) + weighted(s, v), k, divided) +
                 (rbf ? 8 : 4000) * kernel.sigma * (rbf ? cross : std::sqrt(cross));
    } else {
      // Where rows are moved at run time, |x'y| is wrong by the roundings of reach_x reach_y, and
      // a row that becomes nothing is taken for one of a millionth of that.
      const double reach =
          weighted(1 - s, source.reach(x.first)) + weighted(s, source.reach(x.second));
      const double own = weighted(1 - s, std::sqrt(u)) + weighted(s, std::sqrt(v));
      const double norm = reach > own ? std::max(own, 1e-6 * reach) : own;
      scale[i] = norm * norm;
      error[i] = 0.5 * (kernel.kind == KernelKind::linear ? 1 : kernel.degree) *
                 (2 + k + 2 * centred) * excess(kernel, reach, norm);
    }
    error[i] = std::min(error[i], 0.5 / rounding::unit);
  }
  if (kernel.isotropic()) return size;
  kernel.apply(scale.data(), scale.size());
  scale = scale.cwiseSqrt();
  return size;
}

namespace {

double median_squared_distance(const Arguments& distances, WeightedRows rows, Tick& tick) {
  constexpr Index tile = 32;  // rows at a time, so that they stay in cache
  const Index m = rows.size(), tiles = (m + tile - 1) / tile;
  if (m < 2) return 1;
  // weights of all sizes, whose products are to stay numbers
  rows.weight = (rows.weight / rows.weight.maxCoeff()).cwiseMax(1e-150);
  std::vector<Rise> pairs(static_cast<std::size_t>(m * (m - 1) / 2));
  distances.team.for_chunks(
      tiles,
      [&](Index t, Tick& own) {
        const Index end = std::min(m, (t + 1) * tile);
        for (Index begin = 0; begin < end; begin += tile, own.look()) {
          for (Index i = t * tile; i < end; ++i) {
            Rise* pair = pairs.data() + i * (i - 1) / 2;
            for (Index j = begin; j < std::min(i, begin + tile); ++j) {
              pair[j] = {distances.value(rows.row[i], rows.row[j]),
                         rows.weight[i] * rows.weight[j]};
            }
          }
        }
      },
      tick);
  const auto equal = [](const Rise& pair) { return !(pair.at > 0); };
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(), equal), pairs.end());
  if (pairs.empty()) return 1;
  const RowSums sums(static_cast<Index>(pairs.size()), distances.team);
  const double total = sums.sum([&](Index k) { return pairs[k].by; });
  return sums.balance_point(pairs, -0.5 * total, rounding::of_order * total);
}

}  // namespace

double median_squared_distance(const Arguments& distances, const MatrixView& x, const Vec& weights,
                               Tick& tick) {
  constexpr Index most = 2000;
  const DistinctRows rows(x, weights, distances.team, tick);
  return median_squared_distance(distances, rows.some(most), tick);
}

Mat expansion(const Arguments& arguments, Index count, const std::vector<Mixture>& mixtures,
              const KernelFunction& kernel, const Mat& beta, Tick& tick) {
  const Index own = arguments.n() - count, terms = beta.rows();
  const Index width = std::clamp<Index>((1 << 21) / std::max<Index>({own, terms, 1}), 8, 64);
  Vec shift = Vec::Zero(terms);
  for (Index k = 0; kernel.isotropic() && k < static_cast<Index>(mixtures.size()); ++k) {
    const auto [first, second, s] = mixtures[k];
    if (s != 0) shift[k] = s * (1 - s) * arguments.value(count + first, count + second);
  }
  Mat scores(count, beta.cols());
  const auto panel = [&](Index p, Tick& t) {
    const Index begin = p * width, rows = std::min(width, count - begin);
    std::vector<Mixture> some;
    for (Index i = begin; i < begin + rows; ++i) some.push_back({i, i, 0});
    Mat values(own, rows);
    arguments.columns(some.data(), rows, count, values.data());
    if (!mixtures.empty()) {
      Mat mixed(terms, rows);
      for (Index i = 0; i < rows; ++i) {
        for (Index k = 0; k < terms; ++k) {
          const auto [first, second, s] = mixtures[k];
          mixed(k, i) = (1 - s) * values(first, i) + (s * values(second, i) - shift[k]);
        }
      }
      values.swap(mixed);
    }
    kernel.apply(values.data(), values.size());
    scores.middleRows(begin, rows).noalias() = values.transpose() * beta;
    t.look();
  };
  arguments.team.for_chunks((count + width - 1) / width, panel, tick);
  return scores;
}

}  // namespace dualmargin::kernel
