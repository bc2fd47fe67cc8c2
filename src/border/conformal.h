// Conformal sets across the border: the rows of a fit, stored once, and the optimum they have.
#pragma once

#include "base/function_ref.h"
#include "border/decide.h"
#include "decide/conformal_altered.h"

namespace dualmargin::border {

// frame and problem as certain_cpp() has them, with the rule.
struct ConformalRows {
  const MatrixView view;
  const Vec omega;
  const region::Frame place;
  const region::StoredRows stored;
  const Vec origin;
  const bool free;

  ConformalRows(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem)
      : view(border::view(x)),
        omega(vec_at(problem, "omega")),
        place(placed(view, frame, omega)),
        stored(view, place),
        origin(offsets(place, mat_at(problem, "w").rows())),
        free(number_at(problem, "free") != 0) {}

  // f(optima, tick) with the optima that are altered
  Rcpp::List visit(const Rcpp::List& frame, const Rcpp::List& problem,
                   FunctionRef<Rcpp::List(const decide::AlteredOptima&, Tick&)> f) const;

 private:
  static region::Frame placed(const MatrixView& view, const Rcpp::List& frame, const Vec& omega);
};

}  // namespace dualmargin::border
