// The curvature of a kernel problem, as ellipsoid.h has it for columns. With H = sum_i h_i (k_i, 1)
// (k_i, 1)' + mu I, D = diag(h)^(1/2), M = mu I + D K D and Mi = D M^{-1} D, a function v with the
// values p at the rows, and an entry s for a free intercept,
//
//   |(v, s)|^2_{H^-1} = (1/mu) [|v|^2 - p'Mi p + (s - 1'Mi p)^2 / (1'Mi 1)],
//
// the last term for a free intercept alone. With the values r of (H - mu) v at the rows where h_i > 0
// and sum h_i (v_i + s) = t, y = D (v + s) there: M y = D r + mu s d. M is factored up to 2,000 rows.
#pragma once

#include <utility>
#include <vector>

#include "algebra/cholesky.h"
#include "region/ellipsoid.h"
#include "region/function_rows.h"

namespace dualmargin::region {

using FunctionProblem = ProblemIn<FunctionRows>;
struct FunctionPair;

// The factor of M, with what its norms are off by.
class FunctionFactor {
 public:
  FunctionFactor() = default;
  // wander: how far h is off, as a share of it
  FunctionFactor(const FunctionProblem& problem, const RowVec& h, double wander, Tick& tick);

  bool solvable() const { return solvable_; }
  bool usable() const { return solvable_ && std::isfinite(rounding_) && rounding_ <= 1e-4; }
  double mass() const { return mass_; }

  // L^{-1} D p of values at all rows, a column each.
  Mat white(const Mat& p) const;
  // Of a function with |v|^2 = size from above and such whitened values. Beyond its rounding below
  // zero it is no square.
  Square square(double size, const Vec& whitened, double s) const;
  // H^-1 of some rows with each other: of functions with these products and values at all rows, a
  // column each, and an entry 1 for a free intercept. lost: of their entries.
  Mat products(const Mat& inner, const Mat& values, double& lost) const;
  // Of a square in the norm that is (size + last - ...)/mu.
  double lost(double size, double last) const { return rounding_ * (size + last) / mu_; }
  // M^{-1} v for numbers of all rows.
  Vec inverse(const Vec& v) const;
  // Mi p of values at all rows, as coefficients of functions.
  Mat inner(const Mat& p, Index n) const { return unwhitened(white(p), n); }
  // H^{-1} (v, t): v by its coefficients and values at all rows; the coefficients, and the entry of
  // the intercept.
  std::pair<Vec, double> solve(const Function& v, double t) const;

 private:
  Mat unwhitened(Mat y, Index n) const;

  bool free_ = false, solvable_ = false;
  double mu_ = 0, rounding_ = HUGE_VAL, mass_ = 0;
  std::vector<Index> used_;
  Vec d_, one_;
  Cholesky factor_;
};

using FunctionEllipsoid = EllipsoidIn<FunctionFactor>;

// wander: how far h is off, as a share of it
FunctionFactor factored_hessian(const FunctionProblem& problem, const RowVec& h, Tick& tick,
                                double wander = 0);

// |(k, 1)|_{H^-1} from above, of rows with such |k|^2; values(begin, end): theirs at the rows of the
// problem, a column each. least: the share of a square that is certain, at most.
RowVec inverse_norms(const FunctionFactor& H, const Samples& over, const RowVec& squares,
                     FunctionRef<Mat(Index, Index)> values, double& least, Tick& tick);

// The gradient of P at a pair, a function and an entry of a free intercept.
struct FunctionGradient {
  Function of_w;
  double of_b;
};
FunctionGradient gradient_of(const FunctionProblem& problem, const FunctionPair& pair,
                             const RowVec& slope, Tick& tick);

}  // namespace dualmargin::region
