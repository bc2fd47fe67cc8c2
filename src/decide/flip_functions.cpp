#include "decide/flip_functions.h"

#include <utility>

#include "decide/flip_curved.h"

namespace dualmargin::decide {

namespace {

// Of columns i in [begin, end) of some products, those of s_j v_j.
Mat with_masses(Mat products, const RowVec& s, Index begin) {
  for (Index c = 0; c < products.cols(); ++c) {
    for (Index j = 0; j < products.rows(); ++j) products(j, c) *= s[j] * s[begin + c];
  }
  return products;
}

// As AroundCentre.
class FunctionsAroundCentre {
 public:
  FunctionsAroundCentre(const FittedFunction& fit, const region::TiltMass& mass,
                        const AskedFunctions& asked, Tick& tick)
      : rows_(fit.problem.rows),
        asked_(asked),
        centre_{Vec::Zero(rows_.n()), Vec::Zero(rows_.n())} {
    if (mass.usable()) {
      centre_ = rows_.function(RowVec(fit.problem.share * mass.h / mass.mean).local(), tick);
      lost_ = fit.W() * mass.mean * rows_.coefficient_rounding(centre_, 16);
    }
    lengths_ = roots(rows_.squared_distances(centre_));
    const FunctionRows& others = asked.rows();
    of_centre_ = others.values({&centre_}, tick)[0];
    norms_ = roots(others.squared_distances(centre_, of_centre_));
    const Square own = rows_.square(centre_);
    square_ = own.computed;
    square_lost_ = own.rounding;
    of_rows_ = rows_.roundings(centre_, 0);
    of_asked_ = others.roundings(centre_, 0);
  }

  const RowVec& lengths() const { return lengths_; }
  double lost() const { return lost_; }
  SeenRow seen(Index i, Tick&) const {
    const double here = square_ - of_centre_[i];
    SeenRow row{norms_[i], RowVec(asked_.column(i)),
                rows_.value_roundings(asked_.scale(i), asked_.error(i))};
    for (Index j = 0; j < rows_.n(); ++j) {
      row.noise[j] += of_rows_[j] + of_asked_[i] + square_lost_ +
                      rounding::of(4) * (std::abs(row.inner[j]) + std::abs(centre_.values[j]) +
                                         std::abs(of_centre_[i]) + square_);
      row.inner[j] += here - centre_.values[j];
    }
    return row;
  }
  double spectrum(const RowVec& steep, Tick& tick) const {
    const Index n = rows_.n();
    const auto products = [&](Index begin, Index end) {
      Mat part = rows_.gram().middleCols(begin, end - begin);
      for (Index c = 0; c < part.cols(); ++c) {
        part.col(c).array() += square_ - centre_.values[begin + c] - centre_.values.array();
      }
      return with_masses(std::move(part), steep, begin);
    };
    double noise = 0, mass = 0;
    for (Index j = 0; j < n; ++j) {
      const double s = rows_.sizes().scale[j];
      noise = std::max(noise, 4 * of_rows_[j] + square_lost_ +
                                  rounding::of(2 * rows_.sizes().error[j] + 32) * s * s);
      mass += steep[j] * steep[j];
    }
    return spectral_size(rows_, products, 4 * noise * mass, tick);
  }

 private:
  const FunctionRows& rows_;
  const AskedFunctions& asked_;
  Function centre_;
  RowVec lengths_, norms_, of_rows_, of_asked_;
  Vec of_centre_;
  double lost_ = 0, square_ = 0, square_lost_ = 0;
};

class FunctionsInCurvature {
 public:
  FunctionsInCurvature(const FittedFunction& fit, const AskedFunctions& asked, Tick& tick)
      : rows_(fit.problem.rows), e_(fit.ellipsoid), mu_(fit.problem.g.l2), asked_(asked) {
    const Index n = rows_.n();
    const region::FunctionFactor& H = e_.factor;
    double least = 1;
    const FunctionRows& others = asked.rows();
    const RowVec squares = others.squares(Vec());
    norms_ = region::inverse_norms(
        H, asked.rows(), squares, [&](Index begin, Index end) { return asked.columns(begin, end); },
        least, tick);
    if (e_.free) last_ = Vec::Ones(n) - rows_.function(H.inner(Vec::Ones(n), n), tick).values;
    const RowVec own = rows_.squares();
    noise_ = RowVec::of(n, [&](Index j) { return 2 * std::sqrt(lost(own[j], last(j))); });
    of_asked_ = squares;
  }

  const RowVec& lengths() const { return e_.norms; }
  SeenRow seen(Index i, Tick&) const {
    double last = 0;
    const Mat inner = products(asked_.column(i), &last);
    const double off = 2 * std::sqrt(lost(of_asked_[i], last));
    return {norms_[i], RowVec(Vec(inner.col(0))), RowVec(off * noise_)};
  }
  double spectrum(const RowVec& steep, Tick& tick) const {
    double off = 0;
    for (Index j = 0; j < rows_.n(); ++j) off += steep[j] * steep[j] * noise_[j] * noise_[j];
    const auto some = [&](Index begin, Index end) {
      return with_masses(products(rows_.gram().middleCols(begin, end - begin), nullptr), steep,
                         begin);
    };
    return spectral_size(rows_, some, 4 * off, tick);
  }

 private:
  double last(Index j) const { return e_.free ? last_[j] : 0.0; }
  double lost(double own, double last) const {
    return e_.factor.lost(own, e_.free ? last * last / e_.factor.mass() : 0.0);
  }
  // Of functions with such values at the rows, with all rows.
  Mat products(const Mat& values, double* last) const {
    const region::FunctionFactor& H = e_.factor;
    const Index n = rows_.n();
    const Mat inside = H.inner(values, n);
    Mat out = values - rows_.gram() * inside;
    for (Index c = 0; c < out.cols() && e_.free; ++c) {
      const double own = 1 - inside.col(c).sum();
      out.col(c) += own / H.mass() * last_;
      if (last != nullptr) *last = own;
    }
    return out / mu_;
  }

  const FunctionRows& rows_;
  const region::FunctionEllipsoid& e_;
  double mu_;
  const AskedFunctions& asked_;
  Vec last_;
  RowVec norms_, noise_, of_asked_;
};

}  // namespace

std::vector<std::unique_ptr<FlipBound>> flip_bounds(const FittedFunction& fit,
                                                    const RowChanges& changes,
                                                    const AskedFunctions& asked, Tick& tick) {
  return flip_bounds_in<FunctionsAroundCentre, FunctionsInCurvature>(fit, changes, asked, tick);
}

}  // namespace dualmargin::decide
