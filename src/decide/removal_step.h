// The Newton step of a removal, with a bound on what it misses, of one score and of k, of one row and of
// several that leave together, of the logistic, softmax or squared loss.
//
// With the Hessian H of the mean loss, x_a a score's row in H's coordinates for each score a of the rows
// that leave, N = [x_a'H^-1 x_b], L L' the curvature of their losses in these scores and p their slopes
// there, both with the shares of the rows, a removal changes H in these scores alone:
//
//   N_- = N + N L (I - L'N L)^-1 L'N,
//   lev the largest eigenvalue of L'N L.
//
// d = (p'N_- p)^(1/2), g = |G| (1 - lev)^(-1/2), R_- = R (1 - lev)^(-1/2) and t = d R_-.
// A combination s'z of scores is within (s'N_- s)^(1/2) nu psi(nu R_-), nu = g + d, of that of the fit,
// and within (s'N_- s e^t)^(1/2) nu psi(nu R_- e^(t/2)), nu = e^(t/2) (g + d (e^t - 1 - t)/t), of
// s'(z + N_- p), but with an l1 part, whose subgradient stays where the step has not been
// taken. Rule "lambda": H shrinks by at most 1 less the shares.
#pragma once

#include <cmath>
#include <vector>

#include "base/slack.h"
#include "decide/eigenvalues.h"
#include "decide/fitted.h"
#include "region/joint_ellipsoid.h"

namespace dualmargin::decide {

// Of the fit: R and |G|, the length of its penalty's part, and by what norms may be too large; its rule, and
// what its penalty and its loss are.
struct AroundFit {
  double reach, nu, penalty, inflation;
  bool cost, sparse, constant;
};

// Of rows that leave: N as it was found, but for `loose` of each entry, L, p and the scores; the share of
// all weight that they have, and what it leaves.
template <class Matrix, class Vector>
struct TakenRows {
  Matrix N, L;
  Vector p, z;
  double share, left, loose = 0;
};

template <class Matrix, class Vector>
class RemovalStep {
 public:
  RemovalStep(const AroundFit& at, const TakenRows<Matrix, Vector>& rows)
      : z_(rows.z) {
    const double shrink = at.cost ? 1.0 : rows.left;
    const double inflation = at.inflation * at.inflation;
    const Matrix one = Matrix::Identity(rows.N.rows(), rows.N.cols()), &L = rows.L;
    const Matrix low = rows.N / inflation - rows.loose * one;
    const Matrix high = rows.N * inflation + rows.loose * one;
    const Matrix taken = L.transpose() * high * L;
    const double lev = largest_eigenvalue(taken) / shrink;
    // what an inverse of several rows loses is within `loose` as far as that
    const double most_taken = rows.loose > 0 ? 0.5 : 1 - 1e-6;
    if (!(shrink > 0 && lev < most_taken)) return;
    const auto reduced = [&](const Matrix& N, double left) -> Matrix {
      const Matrix NL = N * L, core = one - L.transpose() * NL / left;
      return (N + NL * inverse_of(core) * NL.transpose() / left) / left;
    };
    const Matrix most = reduced(high, 1) + rows.loose * one;
    range_ = most - reduced(low, 1) + rows.loose * one;
    norm_ = at.cost ? most : reduced(high, shrink) + rows.loose * one;
    const double factor = 1 / std::sqrt(shrink * (1 - lev));
    const double pull = at.cost ? 0.0 : rows.share * at.penalty;
    left_ = region::by_leaving((at.nu + pull) * factor, length(norm_, rows.p), at.reach * factor,
                               shrink, at.constant);
    // after a step another subgradient of an l1 part may be due
    if (at.sparse) left_.stepped = HUGE_VAL;
    step_ = (most - range_ / 2) * rows.p;
    step_rounding_ = length(range_, rows.p);
  }

  // Of a combination of the scores, each of which is off by at most `lost`.
  Interval ends(const Vector& s, double lost) const {
    const double own = s.dot(z_);
    const double off = s.template lpNorm<1>() * lost +
                       rounding::of(8) * s.cwiseAbs().dot(z_.cwiseAbs() + step_.cwiseAbs());
    const double half = moved(norm_, s, left_.direct) * rounding::raised_exp + off;
    const Interval direct{own - half, own + half};
    if (!std::isfinite(left_.stepped)) return direct;
    const double centre = own + s.dot(step_);
    const double near =
        (moved(norm_, s, left_.stepped) + length(range_, s) * step_rounding_) *
            rounding::raised_exp +
        off;
    return direct.intersect({centre - near, centre + near});
  }
  bool usable() const { return std::isfinite(left_.direct) || std::isfinite(left_.stepped); }

 private:
  static double length(const Matrix& of, const Vector& s) {
    return std::sqrt(std::max(0.0, s.dot(of * s)));
  }

  // rows of zeros do not move, however little is known of the optimum
  static double moved(const Matrix& of, const Vector& s, double radius) {
    const double by = length(of, s);
    return by > 0 ? by * radius : 0.0;
  }

  Vector z_, step_;
  Matrix norm_, range_;
  region::Left left_{HUGE_VAL, HUGE_VAL};
  double step_rounding_ = 0;
};

extern template class RemovalStep<Mat, Vec>;

// Each score of rows that leave together, or of one.
template <class Fit, class Matrix, class Vector>
void step_removal(const Fit& fit, const AroundFit& at, const std::vector<Index>& out,
                  const TakenRows<Matrix, Vector>& rows, std::vector<Ends>& ends) {
  const RemovalStep<Matrix, Vector> step(at, rows);
  if (!step.usable()) return;
  for (std::size_t a = 0; a < out.size(); ++a) {
    fit.for_contrasts(out[a], [&](std::size_t place, const typename Fit::ScoreVector& own) {
      Vector s = Vector::Zero(rows.z.size());
      s.segment(static_cast<Index>(a) * own.size(), own.size()) = own;
      ends[place].intersect(out[a], step.ends(s, fit.pair.z_rounding[out[a]]));
    });
  }
}

// Of so few scores of rows that leave together the bound costs less than a step: by columns that is a
// pass over all rows, and where the curvature changes the bound of many says nothing.
template <class Fit>
bool is_few(const Fit& fit, const std::vector<Index>& out) {
  constexpr Index few = 8, most = 48;
  const bool cheap = std::is_same_v<Fit, Fitted> && !fit.constant();
  return static_cast<Index>(out.size()) * fit.classes() <= (cheap ? few : most);
}
// white: of the rows in the coordinates of their scores, one row's after another's
inline double loose_of(const Mat& white) {
  const double operations = static_cast<double>(white.rows() + white.cols() * white.cols());
  return rounding::of(8 * operations) * white.squaredNorm();
}

// All rows of a fit of one score, alone.
template <class Fit>
AroundFit around_fit(const Fit& fit) {
  const auto& e = fit.ellipsoid;
  return {e.reach,    e.nu,         fit.problem.g.l2 * e.length_of_w, e.inflation,
          fit.cost(), fit.sparse(), fit.constant()};
}
template <class Fit>
void step_removal(const Fit& fit, std::vector<Ends>& ends) {
  using One = typename Fit::ScoreMatrix;
  const Loss& phi = fit.problem.phi;
  const AroundFit at = around_fit(fit);
  std::vector<Index> out(1);
  for (Index& i = out[0]; i < fit.n(); ++i) {
    const double y = fit.problem.y(i), z = fit.pair.z[i], share = fit.omega(i) / fit.W();
    const double norm = fit.ellipsoid.norms[i] / at.inflation;
    const TakenRows<One, One> row{One(norm * norm),
                                  One(std::sqrt(share * phi.second(z, y))),
                                  One(share * phi.left(z, y)),
                                  One(z),
                                  share,
                                  fit.share_left(i)};
    step_removal(fit, at, out, row, ends);
  }
}

// N of rows, and what rounding leaves of its entries.
inline Mat products_of(const Fitted& fit, const std::vector<Index>& out, double& loose) {
  const Mat white = fit.ellipsoid.factor.whitened(region::columns_of(
      fit.rows, static_cast<Index>(out.size()),
      [&](Index a) { return out[static_cast<std::size_t>(a)]; }, fit.problem.free()));
  loose = loose_of(white);
  return white.transpose() * white;
}

// Some that leave together.
template <class Fit>
void step_removal(const Fit& fit, const std::vector<Index>& out, std::vector<Ends>& ends) {
  const auto count = static_cast<Index>(out.size());
  TakenRows<Mat, Vec> rows{Mat(), Mat::Zero(count, count), Vec(count), Vec(count), 0,
                           fit.share_left(out)};
  rows.N = products_of(fit, out, rows.loose);
  for (Index a = 0; a < count; ++a) {
    const Index i = out[static_cast<std::size_t>(a)];
    const double y = fit.problem.y(i), share = fit.omega(i) / fit.W();
    rows.z[a] = fit.pair.z[i];
    rows.L(a, a) = std::sqrt(share * fit.problem.phi.second(rows.z[a], y));
    rows.p[a] = share * fit.problem.phi.left(rows.z[a], y);
    rows.share += share;
  }
  step_removal(fit, around_fit(fit), out, rows, ends);
}

}  // namespace dualmargin::decide
