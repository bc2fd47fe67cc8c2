// Glue of margin_sensitivity(): the rows of a fit and those that come are stored once, and other
// weights and labels make changed problems of them.
#include "decide/change.h"

#include <memory>
#include <vector>

#include "border/decide.h"
#include "border/refit.h"
#include "rows/column_store.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace {

RowVec first_of(const Vec& v, Index n) {
  Vec out = Vec::Zero(n);
  out.head(v.size()) = v;
  return RowVec(out);
}

region::Ends of_some(const region::Ends& ends, const std::vector<Index>& some) {
  if (some.empty()) return ends;
  const auto n = static_cast<Index>(some.size());
  return {RowVec::of(n, [&](Index i) { return ends.low[some[i]]; }),
          RowVec::of(n, [&](Index i) { return ends.high[some[i]]; })};
}

}  // namespace

// x: the rows of the fit, and after them those that come. frame and problem as certain_cpp() has
// them, of the rows of the fit. change: of all rows y with a column for each class problem and
// omega, after the change; sets of rows that leave beside it, each by itself, or, of two classes with
// `turned`, that have the other label and these weights; rule; refits, how many of the sets may be
// solved; regression; some, for each set which of the rows to predict matter, or NULL. asked: the
// rows to predict. refit, control: of the refits. Of each set the ends of these, with a column for
// each class problem, and whether it was solved.
// [[Rcpp::export(rng = false)]]
Rcpp::List change_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                      const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                      const Rcpp::List& control) {
  Tick tick = border::patient();
  border::FitCall call(refit, control);
  const MatrixView view = border::view(x);
  const RowVec old_omega = first_of(border::vec_at(problem, "omega"), view.n);
  region::Frame at = border::row_frame(frame);
  if (border::number_at(frame, "move") != 0) {
    at.centre = region::weighted_means(view, old_omega.local());
  }
  const region::StoredRows stored(view, at), others(border::view(asked), at);
  const Vec offsets = border::offsets(at, stored.shift().size());
  const Mat old_y = border::mat_at(problem, "y"), w = border::mat_at(problem, "w"),
            dual = border::mat_at(problem, "dual"), y = border::mat_at(change, "y");
  const Vec b = border::vec_at(problem, "b");
  const bool free = border::number_at(problem, "free") != 0;
  const linear::LossName loss{Rcpp::as<std::string>(problem["loss"]),
                              border::number_at(problem, "parameter")};
  const ElasticNet g{border::number_at(problem, "l1"), border::number_at(problem, "mu")};
  const region::Calculus phi = border::calculus(loss.name, loss.parameter);
  const RowVec omega(border::vec_at(change, "omega"));
  const Rcpp::List given = change["sets"];
  std::vector<std::vector<Index>> sets;
  for (const SEXP set : given) sets.push_back(border::rows_of(set));
  std::vector<std::vector<Index>> some(sets.size());
  if (border::has(change, "some")) {
    const Rcpp::List which = change["some"];
    for (std::size_t s = 0; s < some.size(); ++s) some[s] = border::rows_of(which[s]);
  }
  const Vec turned = border::vec_at(change, "turned");
  const std::unique_ptr<AskedRows> rows = AskedRows::of(others, call.team);
  const std::vector<Answer> answers = stored.visit([&](const auto& data) {
    using Data = std::decay_t<decltype(data)>;
    std::vector<std::unique_ptr<Workspace<Data>>> spaces;
    std::vector<ChangedClass<Data>> classes;
    for (Index k = 0; k < y.cols(); ++k) {
      RowVec own(Vec(y.col(k)));
      spaces.push_back(k == 0 ? std::make_unique<Workspace<Data>>(data, stored, std::move(own),
                                                                  omega, phi, free, call.team)
                              : std::make_unique<Workspace<Data>>(*spaces[0], std::move(own)));
      const Vec v = w.col(k);
      classes.push_back({*spaces.back(), g, v, free ? b[k] + offsets.dot(v) : 0.0,
                         RowVec(Vec(dual.col(k))), RowVec(Vec(old_y.col(k)))});
    }
    const Vec centre =
        view.form == MatrixView::Form::dense && at.moves() ? at.centre : Vec(Vec::Zero(view.p));
    ColumnStore columns(view, centre, at.scales);
    const auto solve = [&](const linear::LinearProblem<Data>& p, const linear::Solution& start,
                           double tol,
                           Tick& t) { return linear::solved_to(call, loss, p, start, tol, t); };
    const Change<Data> all(std::move(classes), data, old_omega, border::rule(change),
                           border::number_at(change, "regression") != 0, *rows, solve,
                           [&] { return columns.view(data.bias()); });
    const auto setting_of = [&](Index s) {
      Setting own{omega, {}, some[s]};
      if (turned.size() > 0) own.y = {RowVec(Vec(y.col(0)))};
      for (const Index i : sets[s]) {
        own.omega[i] = turned.size() > 0 ? turned[i] : 0.0;
        if (turned.size() > 0) own.y[0][i] *= -1;
      }
      return own;
    };
    return all.answers(static_cast<Index>(sets.size()), setting_of,
                       border::number_at(change, "refits"), tick);
  });
  Rcpp::List out(answers.size());
  for (std::size_t s = 0; s < answers.size(); ++s) {
    std::vector<region::Ends> ends;
    for (const region::Ends& end : answers[s].ends) ends.push_back(of_some(end, some[s]));
    out[s] =
        Rcpp::List::create(Rcpp::Named("lower") = border::side_by_side(ends, &region::Ends::low),
                           Rcpp::Named("upper") = border::side_by_side(ends, &region::Ends::high),
                           Rcpp::Named("solved") = answers[s].solved);
  }
  return out;
}
