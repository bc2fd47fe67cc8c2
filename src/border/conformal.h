// Conformal sets across the border: the rows of a fit, stored once, and the optimum they have.
#pragma once

#include <string>

#include "border/decide.h"
#include "decide/conformal_altered.h"
#include "decide/conformal_scales.h"
#include "decide/workspace.h"

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
  template <class F>
  Rcpp::List visit(const Rcpp::List& frame, const Rcpp::List& problem, F f) const {
    Tick tick = patient();
    Team team(Rcpp::as<int>(frame["threads"]), number_at(frame, "chunk_entries"));
    return stored.visit([&](const auto& data) {
      const decide::Workspace workspace(
          data, stored, RowVec(Vec(vec_at(problem, "y"))), RowVec(omega),
          calculus(Rcpp::as<std::string>(problem["loss"]), number_at(problem, "parameter")), free,
          team);
      const auto at = workspace.at({0, number_at(problem, "mu")});
      const Vec w = vec_at(problem, "w");
      const double b = free ? number_at(problem, "b") + origin.dot(w) : 0.0;
      const decide::AlteredOptima optima(at, w, b, tick);
      return Rcpp::List(f(optima, tick));
    });
  }

 private:
  static region::Frame placed(const MatrixView& view, const Rcpp::List& frame, const Vec& omega) {
    region::Frame place = row_frame(frame);
    if (number_at(frame, "move") != 0) place.centre = region::weighted_means(view, omega);
    return place;
  }
};

}  // namespace dualmargin::border
