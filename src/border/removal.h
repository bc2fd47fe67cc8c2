// Rows that leave a fit, across the border: class problems, whatever their rows are, and the sets
// that leave them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "border/decide.h"
#include "decide/left_out.h"

namespace dualmargin::border {

inline const char* word_of(decide::LeftOut::By by) {
  switch (by) {
    case decide::LeftOut::By::bound:
      return "bound";
    case decide::LeftOut::By::step:
      return "step";
    case decide::LeftOut::By::refit:
      return "refit";
    default:
      return "no optimum";
  }
}

// asked: sets of rows, from 1; losses and their weights, of which the sum is to be known to
// `precision`; effort.
inline Rcpp::List left_out(const decide::LeftOut::Problems& problems, const Rcpp::List& problem,
                           const Rcpp::List& asked, Tick& tick) {
  using decide::Effort;
  using decide::LeftOut;
  using decide::LeftOutLosses;
  using Rcpp::Named;
  const LeftOutLosses losses(
      named<LeftOutLosses::Kind>("losses", Rcpp::as<std::string>(asked["losses"]),
                                 {{"none", LeftOutLosses::Kind::none},
                                  {"logistic", LeftOutLosses::Kind::logistic},
                                  {"squared", LeftOutLosses::Kind::squared}}),
      mat_at(problem, "y"), vec_at(asked, "weight"));
  LeftOut::Sets sets;
  for (const SEXP set : Rcpp::List(asked["sets"])) sets.push_back(rows_of(set));
  const LeftOut found(
      problems, losses, std::move(sets), number_at(asked, "precision"),
      named<Effort>("effort", Rcpp::as<std::string>(asked["effort"]),
                    {{"none", Effort::none}, {"one", Effort::one}, {"all", Effort::all}}),
      tick);
  Rcpp::List ends;
  for (const region::Ends& of : found.ends) {
    Mat both(losses.n(), 2);
    both << of.low.local(), of.high.local();
    ends.push_back(Rcpp::wrap(both));
  }
  Rcpp::CharacterVector by(losses.n());
  for (Index i = 0; i < losses.n(); ++i) by[i] = word_of(found.by[i]);
  Rcpp::List list = Rcpp::List::create(
      Named("ends") = ends, Named("by") = by,
      Named("undecided") = losses.of_classes() ? static_cast<int>(found.undecided) : NA_INTEGER,
      Named("solved") = static_cast<int>(found.solved));
  if (losses.kind() != LeftOutLosses::Kind::none) {
    Mat both(losses.n(), 2);
    for (Index i = 0; i < both.rows(); ++i) {
      const region::Interval loss = losses.at(i, found.ends);
      both.row(i) << loss.low, loss.high;
    }
    list["losses"] = both;
  }
  return list;
}

// asked: sets of rows, from 1. Of each class problem a column of steps for each set, with radii and
// the ends of intercepts.
inline Rcpp::List displaced(const decide::LeftOut::Problems& problems, const Rcpp::List& asked,
                            Tick& tick) {
  using Rcpp::Named;
  std::vector<decide::Leaving> sets;
  for (const SEXP set : Rcpp::List(asked["sets"])) sets.push_back({rows_of(set), 0, {}});
  Rcpp::List all;
  for (const auto& problem : problems) {
    const std::vector<decide::Displaced> found = problem->displaced(sets, tick);
    const auto count = static_cast<Index>(found.size());
    Index d = 0;
    for (const auto& one : found) d = std::max(d, one.step.size());
    Mat step = Mat::Zero(d, count), intercept(count, 2);
    Vec radius(count);
    for (Index k = 0; k < count; ++k) {
      if (found[k].step.size() > 0) step.col(k) = found[k].step;
      radius[k] = found[k].radius;
      intercept.row(k) << found[k].intercept.low, found[k].intercept.high;
    }
    all.push_back(Rcpp::List::create(Named("step") = step, Named("radius") = radius,
                                     Named("intercept") = intercept));
  }
  return all;
}

// coefficients: are they asked for, or else the scores?
inline Rcpp::List removal(const decide::LeftOut::Problems& problems, const Rcpp::List& problem,
                          const Rcpp::List& asked, Tick& tick) {
  return has(asked, "coefficients") ? displaced(problems, asked, tick)
                                    : left_out(problems, problem, asked, tick);
}

}  // namespace dualmargin::border
