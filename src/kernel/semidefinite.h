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

#include "base/numeric.h"
#include "base/tick.h"

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

struct Semidefinite {
  using Values = Eigen::Map<const Mat>;

  // s; of a row whose k_ii is nothing but rounding as large as |k_ij| <= s_i s_j asks for.
  static Vec scales(const Values& K);
  // factor: with the factorisation; which ends early where the time is over.
  static Judgement judge(const Values& K, bool factor, Tick& tick);
};

}  // namespace dualmargin::kernel
