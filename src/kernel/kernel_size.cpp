#include "kernel/kernel_size.h"

#include <algorithm>

#include "base/rounding.h"

namespace dualmargin::kernel {

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

}  // namespace dualmargin::kernel
