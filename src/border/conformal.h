// Conformal sets across the border: the rows of a fit, stored once, and the optimum they have.
#pragma once

#include "base/function_ref.h"
#include "border/decide.h"
#include "decide/altered.h"
#include "rows/column_scale.h"
#include "rows/row_store.h"

namespace dualmargin::border {

// frame and problem as certain_cpp() has them, with the rule.
struct ConformalRows {
  const MatrixView view;
  const Vec omega;
  const RowFrame place;
  const RowStore stored;
  const Vec origin;
  const bool free;

  ConformalRows(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem)
      : view(border::view(x)),
        omega(vec_at(problem, "omega")),
        place(row_frame(frame, [this] { return weighted_means(view, omega); })),
        stored(view, place),
        origin(place.offsets()),
        free(number_at(problem, "free") != 0) {
    assert_problem(problem, view.n, origin.size());
  }

  // f(optima, tick) with the optima that are altered
  Rcpp::List visit(const Rcpp::List& frame, const Rcpp::List& problem,
                   FunctionRef<Rcpp::List(const decide::AlteredOptima&, Tick&)> f) const;
};

}  // namespace dualmargin::border
