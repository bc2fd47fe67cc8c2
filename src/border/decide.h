// Questions on the exact optimum across the border: the rows of a fit and what was found for each
// class problem come in, regions go out as lists and come back for other rows.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "base/team.h"
#include "border/border.h"
#include "border/dispatch_loss.h"
#include "border/names.h"
#include "decide/refit.h"
#include "region/region.h"

namespace dualmargin::border {

// Of a problem: its loss and parameter.
LossPtr loss_of(const Rcpp::List& problem);

bool has(const Rcpp::List& list, const char* name);
Vec vec_at(const Rcpp::List& list, const char* name);
Vec vec_at(const Rcpp::List& list, const char* name, Index size);
Mat mat_at(const Rcpp::List& list, const char* name);
Rcpp::List list_at(const Rcpp::List& list, const char* name);
double number_at(const Rcpp::List& list, const char* name);

// scales, centre (NULL: the rows stay where they are), constant
RowFrame row_frame(const Rcpp::List& list);
// move: TRUE where the centre is to be the weighted means.
RowFrame row_frame(const Rcpp::List& list, FunctionRef<Vec()> means);

// Of a fit with n rows: does what a question holds go with them, and with the `dim` columns of
// the problem (0: it has none)?
void assert_problem(const Rcpp::List& problem, Index n, Index dim);

// Asks the user, and has all the time.
inline Tick patient() {
  return {Rcpp::checkUserInterrupt, Tick::Clock::now(), std::numeric_limits<double>::infinity()};
}

std::vector<Index> rows_of(SEXP set);
std::vector<std::vector<Index>> sets_of(const Rcpp::List& asked);

decide::Rule rule(const Rcpp::List& list);

// A fit whose rows change, or leave. geometry: "columns", of which frame and problem are as
// certain_cpp() has them; "kernel", as certain_kernel_cpp() has kernel and problem, and whether it is
// a regression; "classes", as certain_joint_cpp(). refit, control: of what is solved again.
struct FittedRows {
  SEXP x;
  const std::string geometry;
  const Rcpp::List frame, problem, refit, control;

  explicit FittedRows(const Rcpp::List& given);
};

inline region::Interval interval(const Rcpp::NumericVector& ends) {
  assert_length("interval", ends.size(), 2);
  return {ends[0], ends[1]};
}
Rcpp::NumericVector as_vector(const region::Interval& ends);

Rcpp::List as_list(const region::Ellipsoid& e);
region::Ellipsoid as_ellipsoid(const Rcpp::List& list);

Rcpp::List as_list(const region::TiltSums& t);
region::TiltSums as_tilt_sums(const Rcpp::List& list);

Rcpp::List as_list(const region::Region& r);

// q: coordinates of the rows
region::Region as_region(const Rcpp::List& list, Index q);

Mat side_by_side(const std::vector<region::Ends>& ends, RowVec region::Ends::*end);

Rcpp::List as_list(const std::vector<region::Ends>& ends);

}  // namespace dualmargin::border
