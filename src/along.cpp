// Glue of what is asked of every penalty of a range: names to types, then one call for all fits and
// all that they prove.
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "border/decide.h"
#include "border/dispatch_loss.h"
#include "border/refit.h"
#include "border/search.h"
#include "decide/along_fold.h"
#include "decide/equal_rows.h"
#include "rows/row_store.h"

using namespace dualmargin;
using namespace dualmargin::linear;

namespace {

// Rows without weight are not there.
std::optional<RowChoice> weighted_rows(const RowVec& labels, const RowVec& omega) {
  RowChoice some;
  for (Index i = 0; i < omega.size(); ++i) {
    if (omega[i] > 0) some.id.push_back(i);
  }
  const auto count = static_cast<Index>(some.id.size());
  if (count == omega.size()) return {};
  some.y = RowVec::of(count, [&](Index i) { return labels[some.id[i]]; });
  some.weights = RowVec::of(count, [&](Index i) { return omega[some.id[i]]; });
  return some;
}

// A fold: the rows that are trained on, with their weights, and those held out.
struct FoldRows {
  RowVec omega;
  std::optional<RowChoice> train;
  std::optional<decide::HeldOut> held;
  std::unique_ptr<RowStore> store;  // null: that of all folds
};

}  // namespace

// y: labels -1 and 1, or of several classes, of one softmax problem, their numbers from 1; weights: what
// an error of a row counts; folds: of each the weights in training, 0 for rows not trained on, and the
// numbers from 1 of the rows held out. problem: `from` and `to` are the smallest and the largest lambda;
// the error of the best of at most `most` points shall be within eps of the smallest.
// [[Rcpp::export(rng = false)]]
Rcpp::List tune_search_cpp(SEXP x, SEXP y, const Rcpp::NumericVector& weights,
                           const Rcpp::List& folds, const Rcpp::List& problem,
                           const Rcpp::List& control) {
  border::FitCall call(problem, control);
  const RowVec counted(border::vec(weights));
  const border::Options& given = call.problem;
  const decide::SearchLimits limits{given.number("from"), given.number("to"), given.number("eps"),
                                    static_cast<Index>(given.number("most"))};
  const MatrixView view = border::view(x);
  Tick tick(Rcpp::checkUserInterrupt, Tick::Clock::now(), HUGE_VAL);
  if (call.classes() > 1) {
    return border::search_of_classes(call, view, border::rows_of(y), counted, folds, limits, tick);
  }
  const RowVec labels(border::vec(y));
  const bool scale = given.flag("scale");
  const LossPtr loss = loss_by_name(given.text("loss"), given.number("parameter"));
  const RowStore plain(view, tick);  // the rows of all folds, each fold's in a frame of its own
  const std::vector<Index> first =
      plain.visit(0, [&](const auto& data) { return decide::first_equals(data, tick); });

  std::vector<FoldRows> parts(folds.size());
  const Origin origin = call.free() ? Origin::free : Origin::fixed;
  const auto store_for = [&](const RowVec& omega) {
    return std::make_unique<RowStore>(plain, view, omega.local(), scale, origin, call.team);
  };
  // without scales the frames of all folds are the same
  const auto shared = scale ? nullptr : store_for(counted);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Rcpp::List fold = folds[k];
    const Rcpp::IntegerVector test = fold["test"];
    std::vector<Index> out;
    for (const int i : test) out.push_back(i - 1);
    FoldRows& part = parts[k];
    part.omega = RowVec(border::vec(fold["omega"]));
    part.train = weighted_rows(labels, part.omega);
    part.held.emplace(out, labels, counted, first);
    if (scale) part.store = store_for(part.omega);
  }
  std::vector<std::unique_ptr<Storage>> stored;
  std::deque<Rows> wholes;
  std::vector<decide::AlongFold> along;
  for (const FoldRows& part : parts) {
    stored.push_back((part.store ? *part.store : *shared).storage(call.constant()));
    wholes.emplace_back(*stored.back(), labels, part.omega, call.team);
    const Rows& whole = wholes.back();
    const Rows train = part.train ? Rows(whole, *part.train) : whole;
    along.emplace_back(train, loss, call.free(), whole, *part.held, tick);
  }
  const auto fit = [&](Index k, double lambda, const Solution& start, Tick& t) {
    const auto p = along[k].problem(lambda);
    return refit(call, call.seed, p, start, t).solution;
  };
  return border::as_list(decide::PenaltySearch(along, fit, call.team, tick).run(limits));
}
