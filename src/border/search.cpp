#include "border/search.h"

#include <vector>

namespace dualmargin::border {

namespace {

Rcpp::NumericVector as_numbers(const std::vector<double>& values) {
  return Rcpp::NumericVector(values.begin(), values.end());
}

}  // namespace

Rcpp::List as_list(const decide::Search& found) {
  std::vector<double> lambda, lower, upper, undecided;
  for (const decide::SearchPoint& p : found.points) {
    lambda.push_back(p.lambda);
    lower.push_back(p.errors.lower);
    upper.push_back(p.errors.upper);
    undecided.push_back(p.errors.undecided);
  }
  Rcpp::List intervals(found.intervals.size());
  for (std::size_t i = 0; i < found.intervals.size(); ++i) {
    const decide::SearchInterval& one = found.intervals[i];
    intervals[i] = Rcpp::List::create(Rcpp::Named("positions") = as_numbers(one.steps.positions),
                                      Rcpp::Named("bound") = as_numbers(one.steps.bound),
                                      Rcpp::Named("lowest") = one.lowest);
  }
  return Rcpp::List::create(
      Rcpp::Named("lambda") = as_numbers(lambda), Rcpp::Named("lower") = as_numbers(lower),
      Rcpp::Named("upper") = as_numbers(upper), Rcpp::Named("undecided") = as_numbers(undecided),
      Rcpp::Named("intervals") = intervals, Rcpp::Named("total") = found.total,
      Rcpp::Named("ended") = found.ended);
}

}  // namespace dualmargin::border
