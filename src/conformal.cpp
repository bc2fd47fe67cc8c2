// Glue of margin_conformal(): what the models of counted rows say of new rows, counted and ranked.
#include "border/decide.h"
#include "decide/conformal_counts.h"

using namespace dualmargin;

namespace {

std::vector<Index> places(const Rcpp::IntegerVector& from_one) {
  std::vector<Index> at;
  for (const int i : from_one) at.push_back(i - 1);
  return at;
}

// own: score, model and group of the counted rows, both from 1, and how many there are
decide::Counted counted(const Rcpp::List& own, Index models, Index groups) {
  decide::Counted rows{border::vec_at(own, "score"), places(own["model"]), places(own["group"])};
  border::assert_length("model", static_cast<R_xlen_t>(rows.model.size()), rows.n());
  border::assert_length("group", static_cast<R_xlen_t>(rows.group.size()), rows.n());
  for (const Index m : rows.model) {
    if (m < 0 || m >= models) border::assert_length("models", models, m + 1);
  }
  for (const Index g : rows.group) {
    if (g < 0 || g >= groups) border::assert_length("groups", groups, g + 1);
  }
  return rows;
}

}  // namespace

// How many counted rows of the group of each question are at least as strange as it. others: a row
// a question, a column a model; group: 0 where no counted row has it.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector conformal_counts_cpp(const Rcpp::List& own, const Rcpp::NumericMatrix& others,
                                         const Rcpp::IntegerVector& group, double tie) {
  Tick tick = border::patient();
  const Mat values = border::mat(others).transpose();
  const auto groups = static_cast<Index>(border::number_at(own, "groups"));
  const decide::Counted rows = counted(own, values.rows(), groups);
  const decide::AtLeast at_least(rows, values.rows(), groups, tie);
  Rcpp::IntegerVector counts(group.size());
  for (Index q = 0; q < values.cols(); ++q, tick.row(q)) {
    counts[q] = static_cast<int>(at_least.count(values.col(q), group[q] - 1));
  }
  return counts;
}

// Ends of intervals. lower, upper, width: a row a new row, a column a model; ranks: of each group
// (from 1) a row, a column for each level.
// [[Rcpp::export(rng = false)]]
Rcpp::List conformal_ends_cpp(const Rcpp::List& own, const Rcpp::NumericMatrix& lower,
                              const Rcpp::NumericMatrix& upper, const Rcpp::NumericMatrix& width,
                              const Rcpp::IntegerVector& group, const Rcpp::IntegerMatrix& ranks) {
  Tick tick = border::patient();
  const decide::Counted rows = counted(own, lower.ncol(), ranks.nrow());
  const Mat low = border::mat(lower).transpose(), high = border::mat(upper).transpose(),
            wide = border::mat(width).transpose();
  decide::RankedEnds ends(rows, ranks.nrow());
  Mat from(low.cols(), ranks.ncol()), to(low.cols(), ranks.ncol());
  for (Index t = 0; t < low.cols(); ++t, tick.row(t)) {
    const Index g = group[t] - 1;
    std::vector<Index> ks(static_cast<std::size_t>(ranks.ncol()), 0);
    for (std::size_t l = 0; g >= 0 && l < ks.size(); ++l) ks[l] = ranks(g, l);
    const auto found = ends.at(low.col(t), high.col(t), wide.col(t), g, ks);
    for (std::size_t l = 0; l < ks.size(); ++l) {
      from(t, l) = found[l].low;
      to(t, l) = found[l].high;
    }
  }
  return Rcpp::List::create(Rcpp::Named("lower") = from, Rcpp::Named("upper") = to);
}
