// Glue of margin_tune() for one problem of all classes.
#include <deque>
#include <memory>

#include "border/call.h"
#include "border/change.h"
#include "border/joint.h"
#include "border/search.h"
#include "decide/joint_fold.h"
#include "rows/row_store.h"

using namespace dualmargin;

// As tune_search_cpp(), with the softmax loss; y: classes, from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List tune_joint_cpp(SEXP x, SEXP y, const Rcpp::NumericVector& weights,
                          const Rcpp::List& folds, const Rcpp::List& problem,
                          const Rcpp::List& control) {
  border::FitCall call(problem, control);
  const RowVec counted(border::vec(weights));
  const std::vector<Index> own = border::rows_of(y);
  const border::Options& given = call.problem;
  const decide::SearchLimits limits{given.number("from"), given.number("to"), given.number("eps"),
                                    static_cast<Index>(given.number("most"))};
  const MatrixView view = border::view(x);
  Tick tick(Rcpp::checkUserInterrupt, Tick::Clock::now(), HUGE_VAL);
  const bool scale = given.flag("scale");
  const Origin origin = call.free() ? Origin::free : Origin::fixed;
  std::deque<region::StoredRows> stored;
  std::vector<RowVec> omega;
  std::vector<std::vector<Index>> test;
  for (R_xlen_t k = 0; k < folds.size(); ++k) {
    const Rcpp::List fold = folds[k];
    omega.emplace_back(border::vec(fold["omega"]));
    test.push_back(border::rows_of(fold["test"]));
    const RowStore rows(view, omega.back().local(), scale, origin, call.team, Reading::in_passes);
    region::Frame frame{rows.scales(), Vec(), call.constant()};
    if (call.free()) frame.centre = region::weighted_means(view, omega.back().local());
    stored.emplace_back(view, frame);
  }
  std::vector<std::unique_ptr<Storage>> data;
  std::deque<decide::JointFold> along;
  for (std::size_t k = 0; k < stored.size(); ++k) {
    data.push_back(stored[k].storage());
    along.emplace_back(*data.back(), stored[k], own, call.classes(), omega[k], test[k], counted,
                       call.free(), border::joint_refit(call), call.team);
  }
  const auto fit = [&](Index k, double lambda, const linear::JointSolution& start, Tick& t) {
    return along[k].fit(lambda, start, call.limits.tol, t);
  };
  return border::as_list(decide::PenaltySearch(along, fit, call.team, tick).run(limits));
}
