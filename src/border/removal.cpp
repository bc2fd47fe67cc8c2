#include "border/removal.h"

#include <algorithm>
#include <memory>
#include <string>

namespace dualmargin::border {

namespace {

const char* word_of(decide::LeftOutBy by) {
  switch (by) {
    case decide::LeftOutBy::bound:
      return "bound";
    case decide::LeftOutBy::step:
      return "step";
    case decide::LeftOutBy::refit:
      return "refit";
    default:
      return "no optimum";
  }
}

}  // namespace

Rcpp::List left_out(const decide::LeftOut::Problems& problems, const decide::LeftOutLosses& losses,
                    const Rcpp::List& asked, Tick& tick) {
  using decide::Effort;
  using Rcpp::Named;
  const decide::LeftOut found(
      problems, losses, sets_of(asked), number_at(asked, "precision"),
      named<Effort>("effort", Rcpp::as<std::string>(asked["effort"]),
                    {{"none", Effort::none}, {"one", Effort::one}, {"all", Effort::all}}),
      tick);
  const auto n = static_cast<Index>(found.by.size());
  Rcpp::List both;
  for (const region::Ends& of : found.ends) {
    Mat two(n, 2);
    two << of.low.local(), of.high.local();
    both.push_back(Rcpp::wrap(two));
  }
  Rcpp::CharacterVector by(n);
  for (Index i = 0; i < n; ++i) by[i] = word_of(found.by[i]);
  Rcpp::List list = Rcpp::List::create(
      Named("ends") = both, Named("by") = by,
      Named("undecided") = losses.of_classes() ? static_cast<int>(found.undecided) : NA_INTEGER,
      Named("solved") = static_cast<int>(found.solved));
  if (losses.kind() != decide::LeftOutLosses::Kind::none) {
    Mat widths(n, 2);
    for (Index i = 0; i < n; ++i) {
      const region::Interval loss = found.loss(i);
      widths.row(i) << loss.low, loss.high;
    }
    list["losses"] = widths;
  }
  return list;
}

namespace {

// asked: sets of rows, from 1. Of each class problem a column of steps for each set, with radii and
// the ends of intercepts.
Rcpp::List displaced(const decide::LeftOut::Problems& problems, const Rcpp::List& asked,
                     Tick& tick) {
  using Rcpp::Named;
  std::vector<decide::Leaving> sets;
  for (auto& set : sets_of(asked)) sets.push_back({std::move(set), 0, {}});
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

}  // namespace

Rcpp::List removal(const decide::LeftOut::Problems& problems, const Rcpp::List& problem,
                   const Rcpp::List& asked, Tick& tick) {
  if (has(asked, "coefficients")) return displaced(problems, asked, tick);
  using Kind = decide::LeftOutLosses::Kind;
  const decide::LeftOutLosses losses(
      named<Kind>("losses", Rcpp::as<std::string>(asked["losses"]),
                  {{"none", Kind::none}, {"logistic", Kind::logistic}, {"squared", Kind::squared}}),
      mat_at(problem, "y"), vec_at(asked, "weight"));
  return left_out(problems, losses, asked, tick);
}

}  // namespace dualmargin::border
