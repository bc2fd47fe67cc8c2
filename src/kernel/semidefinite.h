// Is a matrix K of kernel values that somebody else computed positive semidefinite, up to rounding?
//
// With S = diag(s), s_i^2 = k_ii, all entries of H = S^{-1} K S^{-1} are at most 1 in size. Its
// Cholesky factor R is exact for some H + tI + F with |F|_2 <= c_n trace(R'R) (N. J. Higham 2002,
// Accuracy and Stability of Numerical Algorithms, Theorems 10.3 and 10.7). There c_n is (n + 1) u; a
// sum of n + 1 roundings is as large as sqrt(n + 1) u (N. J. Higham and T. Mary 2019,
// doi:10.1137/18M1226312), of which c_n = 2 sqrt(n + 1) u is the double, in all n^2 entries and of
// one sign. So where the factorisation succeeds
//
//   a'Ka >= -(t + 1.1 n c_n) |Sa|^2   for every a,
//
// the allowance, which enters every bound, algebra/function_space.h. A semidefinite K whose values are
// wrong by 4 u s_i s_j has a smallest eigenvalue of H of -4 n u at least, and t = n (4 u + c_n)
// succeeds. Values that are made of differences, such as distances between rows that are far from
// the origin, have lost more: t grows by tens up to 1e-8, half of the digits, and no further.
#pragma once

#include <vector>

#include "algebra/function_space.h"
#include "algebra/growing_cholesky.h"
#include "algebra/normal_matrix.h"

namespace dualmargin::kernel {

constexpr double most_allowance = 1e-8;

// What shows that a matrix is not positive semidefinite.
struct Indefinite {
  // diagonal: value = k_ii < 0; pair: value = k_ij, k_ij^2 > k_ii k_jj; sides: k_ij = value and
  // k_ji = other; vector: value = a'Ka < 0 with |a| = 1
  enum class Kind { nothing, diagonal, minor, sides, vector };

  Kind kind = Kind::nothing;
  Index i = 0, j = 0;
  double value = 0, other = 0;
  Vec a;

  explicit operator bool() const { return kind != Kind::nothing; }
};

struct Judgement {
  Vec scale;
  double allowance = 0;
  bool factored = false;  // false: pairs of rows alone were looked at
  Indefinite shown;
};

class Semidefinite {
 public:
  using Values = Eigen::Map<const Mat>;

  // s; of a row whose k_ii is nothing but rounding as large as |k_ij| <= s_i s_j asks for.
  static Vec scales(const Values& K) {
    const Index n = K.rows();
    const double top = K.diagonal().maxCoeff(), least = 1e-14 * std::max(top, 0.0);
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

  // factor: with the factorisation; which ends early where the time is over.
  static Judgement judge(const Values& K, bool factor, Tick& tick) {
    Judgement made;
    made.scale = scales(K);
    const Semidefinite of(K, made.scale);
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

 private:
  Semidefinite(const Values& K, const Vec& scale) : K_(K), scale_(scale) {}

  double unit(Index i, Index j) const { return scale_[i] * scale_[j]; }
  double entry(Index i, Index j) const {
    const double s = unit(i, j);
    return s > 0 ? K_(i, j) / s : 0.0;
  }
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
      if (K_(i, i) < -1e-14 * top && -K_(i, i) > most) {
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
    GrowingCholesky factor;
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

  const Values& K_;
  const Vec& scale_;
};

}  // namespace dualmargin::kernel
