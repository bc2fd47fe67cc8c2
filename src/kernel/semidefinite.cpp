#include "kernel/semidefinite.h"

#include <algorithm>

#include "algebra/cholesky.h"
#include "base/rounding.h"

namespace dualmargin::kernel {

namespace {

// H of a matrix K, with its scales.
class ScaledValues {
 public:
  using Values = Semidefinite::Values;

  ScaledValues(const Values& K, const Vec& scale) : K_(K), scale_(scale) {}

  Mat scaled(double t) const {
    const Index n = K_.rows();
    Mat H(n, n);
    for (Index j = 0; j < n; ++j) {
      for (Index i = j; i < n; ++i) H(i, j) = entry(i, j);
      H(j, j) = (scale_[j] > 0 ? H(j, j) : 1.0) + t;
    }
    return H;
  }

  // The diagonal, the two sides and all pairs of rows; the worst of them.
  Indefinite entries(Tick& tick) const {
    Indefinite worst;
    const Index n = K_.rows();
    const double top = K_.diagonal().cwiseAbs().maxCoeff();
    double most = 0;
    for (Index i = 0; i < n; ++i) {
      if (K_(i, i) < -rounding::dust * top && -K_(i, i) > most) {
        most = -K_(i, i);
        worst = {Indefinite::Kind::diagonal, i, i, K_(i, i), 0, Vec()};
      }
    }
    if (worst) return worst;
    for (Index j = 0; j < n; ++j) {
      tick.row(j);
      for (Index i = j + 1; i < n; ++i) {
        const double value = K_(i, j), other = K_(j, i), s = unit(i, j);
        const double apart = std::abs(value - other), beyond = std::abs(value) - s;
        if (std::max(apart, beyond) <= most_allowance * s) continue;
        const double excess = s > 0 ? std::max(apart, beyond) / s : HUGE_VAL;
        if (excess <= most) continue;
        most = excess;
        worst = {apart > beyond ? Indefinite::Kind::sides : Indefinite::Kind::minor,
                 i,
                 j,
                 value,
                 other,
                 Vec()};
      }
    }
    return worst;
  }

  // The first leading block that has no factor, row by row: with H = LL' so far and r = L^{-1} h the
  // vector v = (-L'^{-1} r, 1) has v'Hv = h_kk - |r|^2. Nothing if there is none.
  Indefinite vector(double t, Tick& tick) const {
    Indefinite shown;
    Cholesky factor;
    for (Index k = 0; k < K_.rows(); ++k) {
      tick.look();
      Vec r(k);
      for (Index j = 0; j < k; ++j) r[j] = entry(k, j);
      factor.solve_lower(r);
      const double pivot = (scale_[k] > 0 ? entry(k, k) : 1.0) + t - r.squaredNorm();
      if (pivot > 0) {
        factor.append(r, std::sqrt(pivot));
        continue;
      }
      factor.solve_upper(r);
      Vec a = Vec::Zero(K_.rows());
      for (Index j = 0; j < k; ++j) a[j] = scale_[j] > 0 ? -r[j] / scale_[j] : 0.0;
      a[k] = scale_[k] > 0 ? 1 / scale_[k] : 0.0;
      a /= a.norm();
      const double square = a.dot(K_.selfadjointView<Eigen::Lower>() * a);
      shown = {Indefinite::Kind::vector, k, k, square, 0, std::move(a)};
      return shown;
    }
    return shown;
  }

 private:
  double unit(Index i, Index j) const { return scale_[i] * scale_[j]; }
  double entry(Index i, Index j) const {
    const double s = unit(i, j);
    return s > 0 ? K_(i, j) / s : 0.0;
  }

  const Values& K_;
  const Vec& scale_;
};

}  // namespace

Vec Semidefinite::scales(const Values& K) {
  const Index n = K.rows();
  const double top = K.diagonal().maxCoeff(), least = rounding::dust * std::max(top, 0.0);
  Vec scale = K.diagonal().cwiseMax(0).cwiseSqrt();
  const Vec own = scale;
  for (Index i = 0; i < n; ++i) {
    if (K(i, i) >= least) continue;
    double reach = 0;
    for (Index j = 0; j < n; ++j) {
      const double entry = std::abs(K(j, i));
      if (j != i && entry > 0) {
        reach = std::max(reach, K(j, j) >= least ? entry / own[j] : std::sqrt(entry));
      }
    }
    scale[i] = std::max(own[i], std::min(reach, std::sqrt(least)));
  }
  return scale;
}

Judgement Semidefinite::judge(const Values& K, bool factor, Tick& tick) {
  Judgement made;
  made.scale = scales(K);
  const ScaledValues of(K, made.scale);
  made.shown = of.entries(tick);
  if (made.shown || !factor) return made;
  const double n = static_cast<double>(K.rows()), u = rounding::unit;
  const double of_factor = 2 * std::sqrt(n + 1) * u;
  Cholesky cholesky;
  for (double t = std::min(n * (4 * u + of_factor), most_allowance);;
       t = std::min(10 * t, most_allowance)) {
    if (cholesky.factor(of.scaled(t), tick)) {
      made.allowance = t + 1.1 * n * of_factor;
      made.factored = true;
      return made;
    }
    if (!tick.in_time()) return made;
    if (t < most_allowance) continue;
    made.shown = of.vector(t, tick);
    return made;
  }
}

}  // namespace dualmargin::kernel
