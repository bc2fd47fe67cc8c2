// The border between R and the core: R objects come in as rows, plain lists go out. Besides the
// glue files only this file and border_*.h know R.
#pragma once

#include <RcppEigen.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/team.h"
#include "border/progress.h"
#include "rows/column_centre.h"
#include "rows/column_scale.h"
#include "rows/dense.h"
#include "rows/sparse.h"
#include "run/outcome.h"

namespace dualmargin::border {

// A named list of options, read by name; a missing name is R's error, not a silent default.
class Options {
 public:
  explicit Options(Rcpp::List list) : list_(list) {}
  double number(const char* name) const { return Rcpp::as<double>(list_[name]); }
  bool flag(const char* name) const { return Rcpp::as<bool>(list_[name]); }
  std::string text(const char* name) const { return Rcpp::as<std::string>(list_[name]); }

 private:
  Rcpp::List list_;
};

// The threads of a fit.
inline Team team(const Options& knobs) {
  return Team(static_cast<int>(knobs.number("threads")), knobs.number("chunk_entries"));
}

inline Vec vec(const Rcpp::NumericVector& v) { return Eigen::Map<const Vec>(v.begin(), v.size()); }

// One entry of a base matrix, whatever it stores.
inline double entry(SEXP x, R_xlen_t k) {
  switch (TYPEOF(x)) {
    case REALSXP:
      return REAL(x)[k];
    case INTSXP:
      return INTEGER(x)[k];
    default:
      return LOGICAL(x)[k];
  }
}

// Where the rows of a problem have their origin: where it is told, or where it is best, if the
// problem does not change by moving it.
enum class Origin {
  fixed,
  mean,   // the weighted mean of each column, which is part of the problem
  free,   // anything: columns far from it are moved near their mean (column_scale.h)
  exact,  // anything that can be taken from them without rounding (column_centre.h)
};

// The rows of an R matrix: a base matrix (double, integer, logical), a dgCMatrix or a dgRMatrix.
// Columns become rows, less their centre and divided by their scale, in one pass; a dgRMatrix of
// which nothing changes is used where it lies. R's object is only read.
class RowStore {
 public:
  RowStore(SEXP x, const Vec& weights, bool scale, Origin origin = Origin::fixed)
      : x_(x), scale_(scale), origin_(origin) {
    const bool sparse = Rf_isS4(x);
    const Rcpp::IntegerVector dim = sparse ? Rcpp::IntegerVector(Rcpp::S4(x).slot("Dim"))
                                           : Rcpp::IntegerVector(Rf_getAttrib(x, R_DimSymbol));
    n_ = dim[0];
    p_ = dim[1];
    scales_ = Vec::Ones(p_);
    centre_ = rest_ = Vec::Zero(p_);
    if (spreads()) weights_ = weights;
    if (!sparse) {
      take_dense();
    } else if (Rf_inherits(x, "dgCMatrix")) {
      take_columns();
    } else {
      take_rows();
    }
  }

  const Vec& scales() const { return scales_; }
  // What was subtracted before the division, in the unit of the columns as they were given; zero
  // for most of them.
  const Vec& centre() const { return centre_; }
  // What is to be subtracted beside it at run time: the mean of a column with zeros that are not
  // stored.
  const Vec& rest() const { return rest_; }
  Index columns() const { return p_; }

  template <class F>  // f(data), data: Dense or Sparse, with a bias coordinate unless bias is 0
  auto visit(double bias, F f) const -> decltype(f(std::declval<Dense>())) {
    if (start_ == nullptr) return f(Dense(values_.data(), n_, p_, bias));
    return f(Sparse(start_, column_, value_, n_, p_, bias));
  }

 private:
  void take(Index j, const ColumnSpread& spread) {
    if (scale_) scales_[j] = spread.scale();
    if (origin_ == Origin::free) centre_[j] = spread.centre();
    if (origin_ == Origin::mean) (spread.full() ? centre_ : rest_)[j] = spread.mean();
  }
  bool spreads() const { return scale_ || origin_ == Origin::free || origin_ == Origin::mean; }
  template <class Each>
  void take_exactly(Each each) {
    if (origin_ == Origin::exact) centre_ = exact_centres(n_, p_, each);
  }
  double moved(Index j, double x) const { return (x - centre_[j]) / scales_[j]; }

  void take_dense() {
    values_.resize(n_ * p_);
    constexpr Index tile = 32;  // columns at a time, so that both sides stay in cache
    take_exactly([&](auto f) {
      for (R_xlen_t k = 0; k < static_cast<R_xlen_t>(n_) * p_; ++k) f(k / n_, entry(x_, k));
    });
    for (Index j = 0; spreads() && j < p_; ++j) {
      take(j, column_spread(weights_, [&](auto f) {
             for (Index i = 0; i < n_; ++i) f(i, entry(x_, j * n_ + i));
           }));
    }
    for (Index first = 0; first < p_; first += tile) {
      const Index last = std::min(p_, first + tile);
      for (Index i = 0; i < n_; ++i) {
        for (Index j = first; j < last; ++j) {
          values_[i * p_ + j] = moved(j, entry(x_, j * n_ + i));
        }
      }
    }
  }

  // Counting sort: the columns of a dgCMatrix into rows, column indices ascending in each.
  void take_columns() {
    const Rcpp::S4 matrix(x_);
    const Rcpp::IntegerVector p = matrix.slot("p"), i = matrix.slot("i");
    const Rcpp::NumericVector x = matrix.slot("x");
    take_exactly([&](auto f) {
      for (Index j = 0; j < p_; ++j) {
        for (int k = p[j]; k < p[j + 1]; ++k) f(j, x[k]);
      }
    });
    for (Index j = 0; spreads() && j < p_; ++j) {
      take(j, column_spread(weights_, [&](auto f) {
             for (int k = p[j]; k < p[j + 1]; ++k) f(i[k], x[k]);
           }));
    }
    own_start_.assign(n_ + 1, 0);
    for (R_xlen_t k = 0; k < i.size(); ++k) ++own_start_[i[k] + 1];
    for (Index r = 0; r < n_; ++r) own_start_[r + 1] += own_start_[r];
    std::vector<int> next(own_start_.begin(), own_start_.end() - 1);
    own_column_.resize(i.size());
    values_.resize(i.size());
    for (Index j = 0; j < p_; ++j) {
      for (int k = p[j]; k < p[j + 1]; ++k) {
        const int at = next[i[k]]++;
        own_column_[at] = static_cast<int>(j);
        values_[at] = moved(j, x[k]);
      }
    }
    start_ = own_start_.data();
    column_ = own_column_.data();
    value_ = values_.data();
  }

  void take_rows() {
    const Rcpp::S4 matrix(x_);
    const Rcpp::IntegerVector p = matrix.slot("p"), j = matrix.slot("j");
    const Rcpp::NumericVector x = matrix.slot("x");
    start_ = p.begin();  // kept alive by the caller's x
    column_ = j.begin();
    value_ = x.begin();
    take_exactly([&](auto f) {
      for (R_xlen_t k = 0; k < x.size(); ++k) f(Index(j[k]), x[k]);
    });
    if (spreads()) spread_rows();
    if (!scale_ && centre_.isZero(0)) return;
    values_.resize(x.size());
    for (R_xlen_t k = 0; k < x.size(); ++k) values_[k] = moved(j[k], x[k]);
    value_ = values_.data();
  }

  // As column_spread(), for all columns at once.
  void spread_rows() {
    std::vector<ColumnSpread> spread(p_);
    const auto each = [&](auto f) {
      for (Index i = 0; i < n_; ++i) {
        for (int k = start_[i]; k < start_[i + 1]; ++k)
          f(spread[column_[k]], weights_[i], value_[k]);
      }
    };
    each([](ColumnSpread& s, double weight, double v) { s.add(weight, v); });
    for (ColumnSpread& s : spread) s.find_mean(n_, weights_.sum());
    each([](ColumnSpread& s, double weight, double v) { s.deviate(weight, v); });
    for (Index c = 0; c < p_; ++c) {
      spread[c].find_sd();
      take(c, spread[c]);
    }
  }

  SEXP x_;
  bool scale_;
  Origin origin_;
  Index n_, p_;
  Vec scales_, centre_, rest_, weights_;
  std::vector<double> values_;
  std::vector<int> own_start_, own_column_;
  const int* start_ = nullptr;
  const int* column_ = nullptr;
  const double* value_ = nullptr;
};

// +1 for class k, -1 for the rest.
inline Vec one_versus_rest(const Vec& codes, int k) {
  return codes.unaryExpr([k](double code) { return code == k ? 1.0 : -1.0; });
}

inline Rcpp::List as_list(const std::vector<TraceRow>& trace) {
  const R_xlen_t n = static_cast<R_xlen_t>(trace.size());
  Rcpp::NumericVector epoch(n), seconds(n), value(n), bound(n), gap(n);
  for (R_xlen_t k = 0; k < n; ++k) {
    epoch[k] = trace[k].epoch;
    seconds[k] = trace[k].seconds;
    value[k] = trace[k].value;
    bound[k] = trace[k].bound;
    gap[k] = trace[k].gap;
  }
  return Rcpp::List::create(Rcpp::Named("epoch") = epoch, Rcpp::Named("seconds") = seconds,
                            Rcpp::Named("value") = value, Rcpp::Named("bound") = bound,
                            Rcpp::Named("gap") = gap);
}

// What every family reports of a run; the trace is left out where `brief`.
inline Rcpp::List as_list(const Outcome& o, const char* solver, bool brief) {
  Rcpp::List list = Rcpp::List::create(
      Rcpp::Named("value") = o.certificate.value, Rcpp::Named("bound") = o.certificate.bound,
      Rcpp::Named("gap") = o.certificate.gap, Rcpp::Named("null_value") = o.null_value,
      Rcpp::Named("status") = to_string(o.status), Rcpp::Named("rounding_floor") = o.rounding_floor,
      Rcpp::Named("threshold") = o.threshold, Rcpp::Named("solver") = solver,
      Rcpp::Named("epochs") = o.epochs, Rcpp::Named("steps") = o.steps,
      Rcpp::Named("seconds") = o.seconds);
  if (!brief) list["trace"] = as_list(o.trace);
  return list;
}

// Coefficients of the user's columns: for a point of a path those that are not zero, with their
// places.
inline void add_coefficients(Rcpp::List& list, const Vec& coefficients, bool brief) {
  if (!brief) {
    list["coefficients"] = coefficients;
    return;
  }
  std::vector<int> place;
  std::vector<double> entry;
  for (Index j = 0; j < coefficients.size(); ++j) {
    if (coefficients[j] == 0) continue;
    place.push_back(static_cast<int>(j) + 1);
    entry.push_back(coefficients[j]);
  }
  list["place"] = place;
  list["coefficients"] = entry;
}

}  // namespace dualmargin::border
