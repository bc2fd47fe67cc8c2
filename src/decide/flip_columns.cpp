#include "decide/flip_columns.h"

#include <utility>

#include "decide/flip_curved.h"

namespace dualmargin::decide {

namespace {

// mass: of the tilt around whose centre rows are seen; without one that is the origin.
class AroundCentre {
 public:
  AroundCentre(const Fitted& fit, const region::TiltMass& mass, const AskedRows& asked, Tick& tick)
      : rows_(fit.problem.rows), asked_(asked), centre_(Vec::Zero(rows_.dim())) {
    if (mass.usable()) {
      const RowVec& h = mass.h;
      const double h_rms = std::sqrt(fit.problem.mean([&](Index i) { return h[i] * h[i]; }));
      centre_ = rows_.transpose_multiply(fit.problem.share * h, tick) / mass.mean;
      lost_ =
          fit.W() * fit.problem.cross_rounding() * h_rms * fit.problem.sizes(tick).stored.norm();
    }
    lengths_ = roots(rows_.squared_distances(centre_, tick));
    lost_moving_ = rounding::of(16) * rows_.shift.norm();
    moved_ = (rows_.shift.cwiseAbs() + centre_.cwiseAbs()).norm();
  }

  const RowVec& lengths() const { return lengths_; }
  double lost() const { return lost_; }
  SeenRow seen(Index i, Tick& tick) const {
    const Vec at = asked_.row(i) - centre_;
    const double dim = static_cast<double>(at.size());
    const double norm = at.norm() * (1 + rounding::of(dim + 6)) + lost_moving_;
    const double lost = rounding::of(32 * (dim + 4)) * (norm + 2 * moved_);
    return {norm, RowVec(rows_.multiply(at, tick) - centre_.dot(at)),
            RowVec(lost * (lengths_ + 2 * moved_))};
  }
  double spectrum(const RowVec& steep, Tick& tick) const {
    const Index d = rows_.dim();
    if (d > largest_spectrum) return HUGE_VAL;
    const RowVec h(steep * steep);
    const Mat around = rows_.gram(h, true, tick);
    const Vec sums = around.col(d).head(d);
    const double total = around(d, d);
    const Vec sizes = rows_.column_squares(h, tick);
    const Mat G = around.topLeftCorner(d, d) - centre_ * sums.transpose() -
                  sums * centre_.transpose() + total * centre_ * centre_.transpose();
    const double n = static_cast<double>(rows_.n());
    const double moved = (centre_ + rows_.shift).squaredNorm();
    return spectral_size(G, rounding::of(64 * n) * (sizes.sum() + total * moved));
  }

 private:
  const Rows& rows_;
  const AskedRows& asked_;
  Vec centre_;
  RowVec lengths_;
  double lost_ = 0, lost_moving_ = 0, moved_ = 0;
};

class InCurvature {
 public:
  InCurvature(const Fitted& fit, const AskedRows& asked, Tick&)
      : rows_(fit.problem.rows), e_(fit.ellipsoid), asked_(asked) {}

  const RowVec& lengths() const { return e_.norms; }
  SeenRow seen(Index i, Tick& tick) const {
    const Vec x = asked_.row(i);
    const Index d = x.size();
    Vec at(d + e_.free);
    at.head(d) = x;
    if (e_.free) at[d] = 1;
    const double norm = e_.factor.norm(at), error = 4 * (e_.factor.inflation - 1);
    const Vec inverse = e_.factor.solve(at);
    return {norm, RowVec(rows_.multiply(inverse.head(d), tick) + (e_.free ? inverse[d] : 0.0)),
            RowVec(norm * error * e_.norms)};
  }
  double spectrum(const RowVec& steep, Tick& tick) const {
    const region::Factor& factor = e_.factor;
    if (factor.size.size() > largest_spectrum) return HUGE_VAL;
    const Mat half = factor.whitened(rows_.gram(RowVec(steep * steep), e_.free, tick));
    const Mat white = factor.whitened(half.transpose());
    return spectral_size(0.5 * (white + white.transpose()), 0) * (1 + 4 * (factor.inflation - 1));
  }

 private:
  const Rows& rows_;
  const region::Ellipsoid& e_;
  const AskedRows& asked_;
};

}  // namespace

std::vector<std::unique_ptr<FlipBound>> flip_bounds(const Fitted& fit, const RowChanges& changes,
                                                    const AskedRows& asked, Tick& tick) {
  return flip_bounds_in<AroundCentre, InCurvature>(fit, changes, asked, tick);
}

}  // namespace dualmargin::decide
