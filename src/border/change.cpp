#include "border/change.h"

namespace dualmargin::border {

std::vector<decide::Answer> answers(const decide::Change& all, const Rcpp::List& change,
                                    Tick& tick) {
  const std::vector<std::vector<Index>> sets = sets_of(change);
  const RowVec omega(vec_at(change, "omega"));
  const auto setting_of = [&](Index s) {
    decide::Setting own{omega, {}, {}};
    for (const Index i : sets[s]) own.omega[i] = 0;
    return own;
  };
  return all.answers(static_cast<Index>(sets.size()), setting_of, number_at(change, "refits"),
                     tick);
}

Rcpp::List as_list(const std::vector<decide::Answer>& answers) {
  Rcpp::List out(answers.size());
  for (std::size_t s = 0; s < answers.size(); ++s) {
    out[s] = Rcpp::List::create(
        Rcpp::Named("lower") = side_by_side(answers[s].ends, &region::Ends::low),
        Rcpp::Named("upper") = side_by_side(answers[s].ends, &region::Ends::high),
        Rcpp::Named("solved") = answers[s].solved);
  }
  return out;
}

RowVec followed_by_nothing(const Vec& v, Index n) {
  if (v.size() > n) assert_length("weights", v.size(), n);
  Vec out = Vec::Zero(n);
  out.head(v.size()) = v;
  return RowVec(out);
}

}  // namespace dualmargin::border
