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
#include "region/calculus.h"
#include "region/region.h"

namespace dualmargin::border {

inline region::Calculus calculus(const std::string& name, double parameter) {
  return with_loss(name, parameter, [](const auto& loss) { return region::Calculus::of(loss); });
}

inline bool has(const Rcpp::List& list, const char* name) {
  return list.containsElementNamed(name) && !Rf_isNull(list[name]);
}
inline Vec vec_at(const Rcpp::List& list, const char* name) {
  return has(list, name) ? vec(list[name]) : Vec();
}
inline Mat mat_at(const Rcpp::List& list, const char* name) {
  return has(list, name) ? mat(list[name]) : Mat();
}
inline Rcpp::List list_at(const Rcpp::List& list, const char* name) { return list[name]; }
inline double number_at(const Rcpp::List& list, const char* name) {
  return Rcpp::as<double>(list[name]);
}

// scales, centre (NULL: the rows stay where they are), constant
inline region::Frame row_frame(const Rcpp::List& list) {
  return {vec_at(list, "scales"), vec_at(list, "centre"), number_at(list, "constant")};
}

// Where the moved rows' origin is, in their units.
inline Vec offsets(const region::Frame& frame, Index dim) {
  Vec at = Vec::Zero(dim);
  if (frame.moves()) at.head(frame.scales.size()) = frame.centre.cwiseQuotient(frame.scales);
  return at;
}

// Asks the user, and has all the time.
inline Tick patient() {
  return {Rcpp::checkUserInterrupt, Tick::Clock::now(), std::numeric_limits<double>::infinity()};
}

inline std::vector<Index> rows_of(SEXP set) {
  std::vector<Index> out;
  for (const int i : Rcpp::IntegerVector(set)) out.push_back(i - 1);
  return out;
}

inline decide::Rule rule(const Rcpp::List& list) {
  return named<decide::Rule>("rule", Rcpp::as<std::string>(list["rule"]),
                             {{"cost", decide::Rule::cost}, {"lambda", decide::Rule::lambda}});
}

inline region::Interval interval(const Rcpp::NumericVector& ends) { return {ends[0], ends[1]}; }
inline Rcpp::NumericVector as_vector(const region::Interval& ends) {
  return Rcpp::NumericVector::create(ends.low, ends.high);
}

inline Rcpp::List as_list(const region::Ellipsoid& e) {
  using Rcpp::Named;
  return Rcpp::List::create(Named("root") = e.factor.root, Named("size") = e.factor.size,
                            Named("inverse") = e.factor.inverse,
                            Named("inflation") = e.factor.inflation, Named("free") = e.free,
                            Named("reach") = e.reach, Named("nu") = e.nu,
                            Named("factor") = e.radius);
}
inline region::Ellipsoid as_ellipsoid(const Rcpp::List& list) {
  region::Ellipsoid e;
  e.factor = {mat_at(list, "root"), vec_at(list, "size"), vec_at(list, "inverse"),
              number_at(list, "inflation")};
  e.free = number_at(list, "free") != 0;
  e.reach = number_at(list, "reach");
  e.nu = number_at(list, "nu");
  e.radius = number_at(list, "factor");
  return e;
}

inline Rcpp::List as_list(const region::TiltSums& t) {
  using Rcpp::Named;
  return Rcpp::List::create(Named("kappa") = t.kappa, Named("size") = t.size,
                            Named("upper") = t.upper, Named("lower") = t.lower,
                            Named("rounding") = t.rounding);
}
inline region::TiltSums as_tilt_sums(const Rcpp::List& list) {
  return {number_at(list, "kappa"), vec_at(list, "size"), vec_at(list, "upper"),
          vec_at(list, "lower"), vec_at(list, "rounding")};
}

inline Rcpp::List as_list(const region::Region& r) {
  using Rcpp::Named;
  Rcpp::LogicalVector zero(r.zero.begin(), r.zero.end());
  Rcpp::List list =
      Rcpp::List::create(Named("w") = r.w, Named("b") = r.b, Named("free") = r.free,
                         Named("ball") = Rcpp::List::create(Named("centre") = r.ball.centre,
                                                            Named("radius") = r.ball.radius,
                                                            Named("gap") = r.ball.gap),
                         Named("zero") = zero, Named("centre_score") = as_vector(r.centre),
                         Named("offset") = r.offset);
  if (r.free) list["intercept"] = as_vector(r.intercept);
  if (r.tilt.usable()) {
    Rcpp::List tilt = as_list(static_cast<const region::TiltSums&>(r.tilt));
    tilt["centre"] = r.tilt.centre;
    tilt["e"] = r.tilt.e;
    list["tilt"] = tilt;
  }
  if (r.ellipsoid.factor.usable()) {
    list["ellipsoid"] = as_list(r.ellipsoid);
  }
  return list;
}

inline region::Region as_region(const Rcpp::List& list) {
  region::Region r;
  r.w = vec_at(list, "w");
  r.b = number_at(list, "b");
  r.free = number_at(list, "free") != 0;
  const Rcpp::List ball = list["ball"];
  r.ball = {vec_at(ball, "centre"), number_at(ball, "radius"), number_at(ball, "gap")};
  r.centre = interval(list["centre_score"]);
  r.offset = number_at(list, "offset");
  if (has(list, "tilt")) {
    const Rcpp::List t = list["tilt"];
    r.tilt = {as_tilt_sums(t), vec_at(t, "centre"), vec_at(t, "e")};
  }
  if (has(list, "ellipsoid")) r.ellipsoid = as_ellipsoid(list["ellipsoid"]);
  return r;
}

inline Mat side_by_side(const std::vector<region::Ends>& ends, RowVec region::Ends::*end) {
  const Index n = ends.empty() ? 0 : (ends[0].*end).size();
  Mat all(n, static_cast<Index>(ends.size()));
  for (std::size_t k = 0; k < ends.size(); ++k) all.col(k) = (ends[k].*end).local();
  return all;
}

inline Rcpp::List as_list(const std::vector<region::Ends>& ends) {
  return Rcpp::List::create(Rcpp::Named("lower") = side_by_side(ends, &region::Ends::low),
                            Rcpp::Named("upper") = side_by_side(ends, &region::Ends::high));
}

}  // namespace dualmargin::border
