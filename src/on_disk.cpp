// Glue of margin_linear() and margin_path() for rows in a file: the solvers that read rows in whole
// passes.
#include <utility>

#include "border/disk_rows.h"
#include "border/dispatch_joint.h"
#include "border/fit_joint.h"
#include "border/fit_linear.h"
#include "border/refit.h"

using namespace dualmargin;
using namespace dualmargin::linear;

namespace {

// fit(call, store, labels, omega), or what is wrong with the file.
template <class Fit>
Rcpp::List fit_rows(const Rcpp::List& rows, const Rcpp::NumericVector& y,
                    const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                    const Rcpp::List& control, Fit fit) {
  border::FitCall call(problem, control);
  return border::or_fault([&] {
    const RowVec omega(border::vec(weights));
    if (y.size() != weights.size()) throw std::invalid_argument("not as many labels as weights");
    const border::RowsOfFile store(rows, omega, call, border::column_factor(problem));
    return fit(call, store, RowVec(border::vec(y)), omega);
  });
}

}  // namespace

// rows: list(path, checksum, at), `at` the numbers of some rows or NULL. y, weights: of these rows;
// problem: as for fit_linear() in border/fit_linear.h.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_linear_rows_cpp(const Rcpp::List& rows, const Rcpp::NumericVector& y,
                               const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                               const Rcpp::List& control) {
  const auto fit = [&](border::FitCall& call, const auto& store, RowVec labels,
                       const RowVec& omega) {
    const auto solve = [&](const LinearProblem& p, const Solution& start, Sampler& draws,
                           Run& run) {
      return solve_by_name(call.solver, p, call.option, start, draws, run);
    };
    const auto none = [](Tick&) -> Columns {
      throw std::logic_error("rows in a file have no columns");
    };
    return fit_linear(call, problem, store, std::move(labels), omega, none, call.solver != "fista",
                      solve);
  };
  return fit_rows(rows, y, weights, problem, control, fit);
}

// The same for all classes in one problem of the softmax loss.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_multiclass_rows_cpp(const Rcpp::List& rows, const Rcpp::NumericVector& y,
                                   const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                                   const Rcpp::List& control) {
  const auto fit = [&](border::FitCall& call, const auto& store, const RowVec& labels,
                       const RowVec& omega) {
    const auto solve = [&](const JointProblem& p, const JointSolution& start, Sampler&, Run& run) {
      return solve_joint_in_passes(call.solver, p, call.option, start, run);
    };
    return fit_joint(call, problem, store, labels, omega, class_loss("softmax", call.classes()),
                     solve);
  };
  return fit_rows(rows, y, weights, problem, control, fit);
}

// Means and deviations of columns, as column_frame_cpp() of data.cpp has them.
// [[Rcpp::export(rng = false)]]
Rcpp::List column_frame_rows_cpp(const Rcpp::List& rows, const Rcpp::NumericVector& weights) {
  return border::or_fault([&] {
    Team team;
    const border::RowsOfFile store(rows);
    Vec mean(store.file().d()), sd(mean), scale(mean);
    store.for_each_spread(border::vec(weights), team, [&](Index j, const ColumnSpread& spread) {
      mean[j] = spread.mean();
      sd[j] = spread.sd();
      scale[j] = spread.scale();
    });
    return Rcpp::List::create(Rcpp::Named("mean") = mean, Rcpp::Named("sd") = sd,
                              Rcpp::Named("scale") = scale);
  });
}
