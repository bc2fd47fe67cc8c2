// How large the values of a kernel matrix are and how exact: what a certificate has to know of
// them.
#pragma once

#include <algorithm>

#include "kernel/arguments.h"
#include "kernel/kernel_function.h"
#include "rows/gram.h"

namespace dualmargin::kernel {

// |K_ij| <= scale_i scale_j, and K_ij is wrong by no more than rounding (error_i + error_j)
// scale_i scale_j. k roundings to a sum of m terms: k = 2 + sqrt(m), see N. J. Higham and T. Mary
// (2019), doi:10.1137/18M1226312.
struct KernelSize {
  static constexpr double rounding = 2.2e-16;

  Vec scale, error;
  double mixing = 0;  // how far apart, in units of the kernel's width, the parents of a mixture are

  KernelSize() = default;
  // Values of unknown origin: a few roundings each, which is also how far from positive
  // semidefinite their matrix may be.
  explicit KernelSize(const KernelMatrix& kernel)
      : scale(kernel.n()), error(Vec::Constant(kernel.n(), 4)) {
    for (Index i = 0; i < scale.size(); ++i) scale[i] = std::sqrt(std::abs(kernel.diagonal(i)));
  }
  // divided: have the rows been divided by the scales of their columns? centred: were column means
  // subtracted from them?
  KernelSize(const Arguments& source, const MixedRows& rows, const KernelFunction& kernel,
             bool divided, bool centred = false)
      : scale(rows.n()), error(rows.n()) {
    const bool rbf = kernel.kind == KernelKind::rbf;
    for (Index i = 0; i < rows.n(); ++i) {
      const Mixture x = rows[i];
      const double s = x.share;
      const double most = std::max(source.entries(x.first), source.entries(x.second));
      const double u = source.squared_norm(x.first), v = source.squared_norm(x.second);
      const double k = 2 + std::sqrt(most);
      if (kernel.isotropic()) {
        // Of mixtures: some roundings of `cross`. The root of that in a Laplace kernel, where d is
        // below 1e-6 of it, is not allowed for.
        scale[i] = 1;
        const double cross = s == 0 ? 0.0 : s * (1 - s) * source.pair(x.first, x.second);
        mixing = std::max(mixing, kernel.sigma * (rbf ? cross : std::sqrt(cross)));
        error[i] = 1 + 0.2 * k +
                   distance_error(kernel, weighted(1 - s, u) + weighted(s, v), k, divided) +
                   (rbf ? 4 : 2000) * kernel.sigma * (rbf ? cross : std::sqrt(cross));
      } else {
        // Where rows are moved at run time, |x'y| is wrong by the roundings of reach_x reach_y, and
        // a row that becomes nothing is taken for one of a millionth of that.
        const double reach =
            weighted(1 - s, source.reach(x.first)) + weighted(s, source.reach(x.second));
        const double own = weighted(1 - s, std::sqrt(u)) + weighted(s, std::sqrt(v));
        const double norm = reach > own ? std::max(own, 1e-6 * reach) : own;
        scale[i] = norm * norm;
        error[i] = 0.5 * (kernel.kind == KernelKind::linear ? 1 : kernel.degree) *
                   (1 + k + centred) * excess(kernel, reach, norm);
      }
      error[i] = std::min(error[i], 0.5 / rounding);
    }
    if (kernel.isotropic()) return;
    kernel.apply(scale.data(), scale.size());
    scale = scale.cwiseSqrt();
  }

  // An upper bound on the values.
  double largest() const { return scale.maxCoeff() * scale.maxCoeff(); }

 private:
  // What the error of a squared distance d does to exp(-t), t = sigma d or sigma sqrt(d): k
  // roundings of the squared norms, which are together no more than d / least_distance,
  // arguments.h; t exp(-t) <= 0.37. Rows that were divided were rounded then, which moves sqrt(d)
  // by half a unit of the two norms however it is computed; 2 t exp(-t^2) <= 0.86.
  static double distance_error(const KernelFunction& kernel, double norm2, double k, bool divided) {
    constexpr double most = 0.37 / least_distance;
    const double norm = std::sqrt(norm2), moved = divided ? norm : 0.0;
    if (kernel.kind == KernelKind::rbf) {
      return k * std::min(kernel.sigma * norm2, most) + 0.5 * std::sqrt(kernel.sigma) * moved;
    }
    return k * std::min(4 * kernel.sigma * norm, 0.5 * most) + 0.5 * kernel.sigma * moved;
  }
  // By how much the errors of an inner product are larger beside the values of the kernel than
  // those of rows that were not moved: with s the factor of x'y and c what is added to it
  //   s reach_x reach_y / sqrt((s |x|^2 + c) (s |y|^2 + c)),
  // the geometric mean of a factor for each row.
  static double excess(const KernelFunction& kernel, double reach, double norm) {
    if (!(reach > norm)) return 1;
    const bool linear = kernel.kind == KernelKind::linear;
    const double s = linear ? 1 : kernel.scale, c = linear ? 0 : kernel.offset;
    return std::max(1.0, s * reach * reach / (s * norm * norm + c));
  }
  // 0 times infinity is 0 here
  static double weighted(double share, double value) { return share > 0 ? share * value : 0.0; }
};

// 3/2 |beta|'|e| for the errors e of the scores (K + constant) beta, summed in so many additions:
//
//   |e_i| <= rounding \sum_j (error_i + error_j + k) scale_i scale_j |\beta_j|.
class ScoreRounding {
 public:
  ScoreRounding(const KernelSize& size, double constant, double additions)
      : scale_((size.scale.array().square() + constant).sqrt()),
        error_(scale_.array() * size.error.array()),
        k_(2 + std::sqrt(additions)) {}

  template <class Beta>
  double of(const Beta& beta) const {
    const double sum = scale_.dot(beta.cwiseAbs()), errors = error_.dot(beta.cwiseAbs());
    return 1.5 * KernelSize::rounding * sum * (2 * errors + k_ * sum);
  }

 private:
  Vec scale_, error_;
  double k_;
};

}  // namespace dualmargin::kernel
