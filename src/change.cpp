// Glue of margin_sensitivity() and margin_flips(): the rows of a fit and those that come are stored
// once, and other weights and labels make changed problems of them.
#include "decide/change.h"

#include <memory>
#include <vector>

#include "border/decide.h"
#include "border/refit.h"
#include "decide/flips.h"
#include "rows/column_store.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace {

RowVec first_of(const Vec& v, Index n) {
  Vec out = Vec::Zero(n);
  out.head(v.size()) = v;
  return RowVec(out);
}

// Of the rows of a fit and those that come f(change, classes, asked, tick), see change_cpp().
template <class F>
auto with_change(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                 const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                 const Rcpp::List& control, F f) {
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
  const std::unique_ptr<AskedRows> rows = AskedRows::of(others, call.team);
  return stored.visit([&](const auto& data) {
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
    const Change<Data> all(classes, data, old_omega, border::rule(change),
                           border::number_at(change, "regression") != 0, *rows, solve,
                           [&] { return columns.view(data.bias()); });
    return f(all, classes, *rows, tick);
  });
}

}  // namespace

// x: the rows of the fit, and after them those that come. frame and problem as certain_cpp() has
// them, of the rows of the fit. change: of all rows y with a column for each class problem and
// omega, after the change; sets of rows that leave beside it, each by itself; rule; refits, how many
// of the sets may be solved; regression. asked: the rows to predict. refit, control: of the refits.
// Of each set the ends, with a column for each class problem, and whether it was solved.
// [[Rcpp::export(rng = false)]]
Rcpp::List change_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                      const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                      const Rcpp::List& control) {
  std::vector<std::vector<Index>> sets;
  for (const SEXP set : Rcpp::List(change["sets"])) sets.push_back(border::rows_of(set));
  const RowVec omega(border::vec_at(change, "omega"));
  const auto answers_of = [&](const auto& all, const auto&, const AskedRows&, Tick& tick) {
    const auto setting_of = [&](Index s) {
      Setting own{omega, {}, {}};
      for (const Index i : sets[s]) own.omega[i] = 0;
      return own;
    };
    return all.answers(static_cast<Index>(sets.size()), setting_of,
                       border::number_at(change, "refits"), tick);
  };
  const std::vector<Answer> answers =
      with_change(x, frame, problem, change, asked, refit, control, answers_of);
  Rcpp::List out(answers.size());
  for (std::size_t s = 0; s < answers.size(); ++s) {
    out[s] = Rcpp::List::create(
        Rcpp::Named("lower") = border::side_by_side(answers[s].ends, &region::Ends::low),
        Rcpp::Named("upper") = border::side_by_side(answers[s].ends, &region::Ends::high),
        Rcpp::Named("solved") = answers[s].solved);
  }
  return out;
}

// change: y, omega, rule "cost" and regression FALSE as change_cpp() has them of an unchanged fit of
// two classes; turned, the weights that rows have with the other label, or NULL where they leave;
// most, how many rows are listed for each prediction; refits, for how many rows the changed problem
// is solved. Matrices have a column for each prediction; flips is NA where that is open.
// [[Rcpp::export(rng = false)]]
Rcpp::List flips_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                     const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                     const Rcpp::List& control) {
  const auto count = [&](const auto& all, const auto& classes, const AskedRows& rows, Tick& tick) {
    const auto& fit = classes[0];
    const auto known = fit.space.at(fit.g);
    const region::Pair pair = region::pair_of(known, fit.w, fit.b, fit.a, tick);
    const region::Ball ball = region::ball_of(known, pair);
    const region::Ellipsoid ellipsoid = region::ellipsoid_of(known, pair, tick);
    using Data = typename std::decay_t<decltype(known.rows.rows)>::Data;
    const Fitted<Data> fitted{known, pair, ball, ellipsoid, Rule::cost};
    const FlipCount flips(fitted, border::vec_at(change, "turned"), rows,
                          static_cast<Index>(border::number_at(change, "most")), tick);
    std::vector<Prediction> found = flips.bounds(tick);
    flips.settle(found, all, border::number_at(change, "refits"), tick);
    flips.conclude(found);
    return found;
  };
  const std::vector<Prediction> found =
      with_change(x, frame, problem, change, asked, refit, control, count);
  const auto m = static_cast<int>(found.size());
  const int listed = m == 0 ? 0 : static_cast<int>(found[0].rows.size());
  Rcpp::NumericVector needed(m), room(m);
  Rcpp::IntegerVector alone(m), proven(m);
  Rcpp::IntegerMatrix top(listed, m);
  Rcpp::NumericMatrix bound(listed, m);
  Rcpp::LogicalMatrix state(listed, m);
  for (int i = 0; i < m; ++i) {
    const Prediction& p = found[i];
    needed[i] = p.needed;
    room[i] = p.room;
    alone[i] = static_cast<int>(p.alone);
    proven[i] = static_cast<int>(p.proven);
    for (int k = 0; k < listed; ++k) {
      const Flip& flip = p.rows[k];
      top(k, i) = static_cast<int>(flip.row) + 1;
      bound(k, i) = flip.bound;
      state(k, i) = flip.flips == Flips::open ? NA_LOGICAL : flip.flips == Flips::yes;
    }
  }
  using Rcpp::Named;
  return Rcpp::List::create(Named("needed") = needed, Named("room") = room, Named("alone") = alone,
                            Named("proven") = proven, Named("top") = top, Named("bound") = bound,
                            Named("state") = state);
}
