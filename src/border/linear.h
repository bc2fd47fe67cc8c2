// Solutions of the linear family across the border: a start comes in, a report goes out. Inside,
// weights are those of the moved and scaled columns, scores those of the moved response; outside
// they are those of what the user gave.
#pragma once

#include <type_traits>

#include "border/columns.h"
#include "linear/report.h"
#include "loss/huber.h"
#include "loss/squared.h"

namespace dualmargin::linear {

// Losses of z - y alone: a constant may move from the response to a free intercept.
template <class Loss>
constexpr bool of_residual = std::is_same_v<Loss, Squared> || std::is_same_v<Loss, Huber>;

// Where the columns' and the response's origin lie and what the columns were divided by. The
// problem is the same one: x_j = (user's x_j - centre_j) / scale_j, y = user's y - response, b =
// user's b + sum_j user's w_j centre_j - response.
struct Frame {
  const Vec &centres, &scales;
  bool penalized, free;
  double response = 0;

  Frame(const border::RowStore& rows, bool penalized_, bool free_)
      : centres(rows.centre()), scales(rows.scales()), penalized(penalized_), free(free_) {}

  // sum_j w_j centre_j for the user's weights
  double offset(const Vec& w) const {
    Sum sum;
    for (Index j = 0; j < w.size(); ++j) {
      if (centres[j] != 0) sum.add(w[j] * centres[j]);
    }
    return sum.value();
  }
};

// b is 0 where it is not free, whatever the intercept of the start was.
inline Solution starting_point(SEXP start, int k, const Frame& frame) {
  Solution s;
  if (Rf_isNull(start)) return s;
  const Rcpp::List list(start);
  const Rcpp::NumericMatrix coefficients = list["coefficients"];
  const Rcpp::NumericVector intercept = list["intercept"];
  const Index p = frame.scales.size();
  Vec w(p);
  for (Index j = 0; j < p; ++j) w[j] = coefficients(j, k);
  s.w = Vec::Zero(p + frame.penalized);
  s.w.head(p) = w.cwiseProduct(frame.scales);
  if (frame.penalized) {
    s.w[p] = intercept[k];
  } else if (frame.free) {
    s.b = intercept[k] + frame.offset(w) - frame.response;
  }
  if (!Rf_isNull(list["dual"])) {
    const Rcpp::NumericMatrix dual = list["dual"];
    s.a = border::vec(Rcpp::NumericVector(dual.column(k)));
  }
  return s;
}

// `brief`, for a point of a path: nothing of length n.
inline Rcpp::List as_list(const Report& r, const Frame& frame, bool brief) {
  const Index p = frame.scales.size();
  Rcpp::List list = border::as_list(r, r.solution.solver, brief);
  const Vec w = r.solution.w.head(p).cwiseQuotient(frame.scales);
  list["intercept"] =
      frame.penalized ? r.solution.w[p] : r.solution.b - frame.offset(w) + frame.response;
  border::add_coefficients(list, w, brief);
  if (brief) return list;
  list["scores"] = Vec(r.scores.array() + frame.response);
  list["dual"] = r.solution.a;
  return list;
}

}  // namespace dualmargin::linear
