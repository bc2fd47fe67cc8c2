// Glue of margin_augmented() and its path over the strength of the perturbation: names to types,
// then one call per class problem and point.
#include "border/augmented.h"

#include "border/class_rows.h"
#include "border/dispatch_augmented.h"
#include "rows/column_scale.h"
#include "rows/row_store.h"

using namespace dualmargin;
using namespace dualmargin::augmented;

// problem$perturbations: the points, visited in their order; each starts from the one before.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_augmented_cpp(SEXP x, const Rcpp::NumericVector& y,
                             const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                             const Rcpp::List& control) {
  border::FitCall call(problem, control);
  const border::Options& ask = call.problem;
  const bool brief = ask.flag("brief"), regression = ask.flag("regression");
  const int classes = call.classes();
  RowVec labels(border::vec(y));
  const RowVec omega(border::vec(weights));
  const RowStore rows(border::view(x), omega.local(), ask.flag("scale"),
                      ask.flag("center") ? Origin::mean : Origin::fixed, call.team,
                      Reading::one_by_one, Vec(), call.setup());
  // a penalised intercept of a regression stands for what is left beside the mean response
  const bool moves = call.penalized() && regression;
  const border::Frame frame{
      rows, call.penalized(), false,
      moves ? spread_of_values(labels.local(), omega.local(), call.team).mean() : 0.0};
  labels -= frame.level;
  const ElasticNet penalty = ElasticNet::from(ask.number("lambda"), ask.number("mixture"));
  const LossPtr loss = any_loss(ask.text("loss"), ask.number("parameter"), regression);
  std::vector<Perturbation> points;
  bool by_r = false;
  for (const SEXP steps : Rcpp::List(problem["perturbations"])) {
    points.push_back(perturbation(steps, call.option.flag("balanced"), Rf_isS4(x)));
    by_r = by_r || points.back().users_own();
  }
  ConfidenceOptions confidence;
  confidence.batches = static_cast<int>(call.option.number("cycles"));
  for (int b = 0; b <= confidence.batches; ++b) {
    confidence.student.push_back(R::qt(1 - 0.05 / 4, std::max(b - 1, 1), 1, 0));
  }
  // certificates have a stream of their own: a run does not depend on when it is looked at
  std::vector<Sampler> audits;
  for (int k = 0; k < classes; ++k) audits.emplace_back(mix64(call.seed_of(k) + golden64));

  border::Snapshots<Vec, NoDual> seen(
      call.checkpoint, classes,
      [&](int, const Vec& w, const NoDual&, border::Fields& out) { frame.leave(w, 0, out); });
  Rcpp::List solutions;
  rows.visit(call.constant(), [&](const auto& data) {
    Team& team = by_r ? call.alone : call.team;
    const border::ClassRows each(Rows(data, labels, omega, team), classes);
    solutions = border::run_path(
        call, team, starting_points(call.start, classes, frame), static_cast<Index>(points.size()),
        [&](int k, Index i, Tick& tick, const auto& f) {
          f(ExpectedErm{each[k], loss, points[i], penalty,
                        closed_form(each[k], ask, points[i], tick), seen.of(k)});
        },
        [&](const auto& p, int k, Index, const AugmentedSolution& start, Sampler& draws, Run& run) {
          Assessment assess(p, confidence, audits[k], run);
          assess.observe(start.w.size() == p.dim() ? start.w : Vec(Vec::Zero(p.dim())));
          return report(p,
                        solve_augmented(call.solver, p, call.option, start.w, draws, assess, run),
                        assess, run);
        },
        [&](const AugmentedReport& r, int) { return answer(r, frame, brief); });
  });
  Rcpp::List list = Rcpp::List::create(
      Rcpp::Named("scales") = rows.scales(), Rcpp::Named("origin") = rows.centre(),
      Rcpp::Named("level") = frame.level, Rcpp::Named("solutions") = solutions);
  if (ask.flag("center")) list["center"] = rows.centre();
  return list;
}
