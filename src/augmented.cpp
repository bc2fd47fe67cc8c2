// Glue of margin_augmented() and its path over the strength of the perturbation: names to types,
// then one call into a function template per class problem and point.
#include "border/augmented.h"

#include "border/dispatch_augmented.h"

using namespace dualmargin;
using namespace dualmargin::augmented;

// problem$perturbations: the points, visited in their order; each starts from the one before.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_augmented_cpp(SEXP x, const Rcpp::NumericVector& y,
                             const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                             const Rcpp::List& control) {
  const border::Options ask(problem), knobs(control), option(control["options"]);
  Run::Limits limits{knobs.number("tol"), knobs.number("max_epochs"), knobs.number("max_seconds"),
                     knobs.flag("certify_every_epoch")};
  const Vec omega = border::vec(weights);
  Team team = border::team(knobs), alone(1, knobs.number("chunk_entries"));
  const std::string solver = knobs.text("solver");
  const bool penalized = ask.text("intercept") == "penalized", brief = ask.flag("brief");
  const int classes = static_cast<int>(ask.number("n_classes"));
  // a penalised intercept of a regression stands for what is left beside the mean response
  Vec labels = border::vec(y);
  const double level = penalized && ask.flag("regression") ? weighted_mean(labels, omega) : 0.0;
  labels.array() -= level;
  const border::RowStore rows(x, omega, ask.flag("scale"),
                              ask.flag("center") ? border::Origin::mean : border::Origin::fixed);
  const ElasticNet penalty = ElasticNet::from(ask.number("lambda"), ask.number("mixture"));
  const AnyLoss loss = any_loss(ask.text("loss"), ask.number("parameter"), ask.flag("regression"));
  const Rcpp::List points = problem["perturbations"];
  ConfidenceOptions confidence;
  confidence.batches = static_cast<int>(option.number("cycles"));
  for (int b = 0; b <= confidence.batches; ++b) {
    confidence.student.push_back(R::qt(1 - 0.05 / 4, std::max(b - 1, 1), 1, 0));
  }

  border::Progress progress(knobs.flag("progress"), static_cast<double>(classes * points.size()),
                            limits.tol);
  Rcpp::List solutions(classes);
  for (int k = 0; k < classes; ++k) {
    const Vec target = classes == 1 ? labels : border::one_versus_rest(labels, k + 1);
    // certificates have a stream of their own: a run does not depend on when it is looked at
    const std::uint64_t seed = static_cast<std::uint64_t>(knobs.number("seed")) + k;
    Sampler sampler(seed), audit(mix64(seed + golden64));
    Vec start = augmented_start(control["start"], k, rows, penalized, level);
    Rcpp::List path(points.size());
    for (R_xlen_t i = 0; i < points.size(); ++i, progress.next_part()) {
      const Perturbation rho = perturbation(points[i], option.flag("balanced"), Rf_isS4(x));
      rows.visit(penalized ? 1.0 : 0.0, [&](const auto& data) {
        const Rows samples(data, target, omega, rho.users_own() ? alone : team);
        Tick tick(Rcpp::checkUserInterrupt, limits.started, limits.max_seconds);
        const ExpectedErm p{samples, loss, rho, penalty, closed_form(samples, ask, rho, tick)};
        Run run(limits, p.null_value(), Rcpp::checkUserInterrupt,
                [&](double, double relative_gap) { progress.show(relative_gap); });
        Assessment assess(p, confidence, audit, run);
        assess.observe(start.size() == data.dim() ? start : Vec(Vec::Zero(data.dim())));
        AugmentedReport result =
            report(p, solve_augmented(solver, p, option, start, sampler, assess, run), assess, run);
        path[i] = as_list(result, rows, penalized, level, brief);
        start = std::move(result.solution.w);
        limits.restart();
      });
    }
    solutions[k] = path;
  }
  Rcpp::List answer =
      Rcpp::List::create(Rcpp::Named("scales") = rows.scales(), Rcpp::Named("level") = level,
                         Rcpp::Named("solutions") = solutions);
  if (ask.flag("center")) answer["center"] = rows.centre();
  return answer;
}
