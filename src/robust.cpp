// Glue of margin_robust() and its path over the radius: names to types, then one call into a
// function template per class problem and radius.
#include "border/robust.h"

#include "border/dispatch_robust.h"
#include "robust/path_scale.h"

using namespace dualmargin;
using namespace dualmargin::robust;

// problem$radius: the points, visited in their order; each starts from the one before. With
// `relative` they are in units of the radius at which w = 0 becomes optimal.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_robust_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                          const Rcpp::List& problem, const Rcpp::List& control) {
  const border::Options ask(problem), knobs(control), option(control["options"]);
  Run::Limits limits{knobs.number("tol"), knobs.number("max_epochs"), knobs.number("max_seconds"),
                     knobs.flag("certify_every_epoch")};
  const Vec labels = border::vec(y), omega = relative_weights(weights);
  const std::string intercept = ask.text("intercept"), solver = knobs.text("solver");
  const bool brief = ask.flag("brief"), free = intercept == "free";
  const int classes = static_cast<int>(ask.number("n_classes"));
  // with a free intercept the origin of the columns is of no account, but for the digits
  const border::RowStore rows(x, omega, ask.flag("scale"),
                              free ? border::Origin::exact : border::Origin::fixed);
  const RobustFrame frame(rows, intercept == "penalized", free);
  Vec radius = border::vec(problem["radius"]);
  Settings settings =
      frame.settings(norm_from(ask.text("norm")), 0, ask.number("label_cost"), ask.number("ridge"));

  Team team = border::team(knobs);

  const auto with_problem = [&](int k, const auto& f) {
    const Vec target = classes == 1 ? labels : border::one_versus_rest(labels, k + 1);
    frame.visit([&](const auto& data) { f(RobustSvm(Rows(data, target, omega, team), settings)); });
  };
  if (ask.flag("relative")) {
    double first = 0;
    Run run(limits, 1, Rcpp::checkUserInterrupt, [](double, double) {});
    for (int k = 0; k < classes; ++k) {
      with_problem(k,
                   [&](const auto& p) { first = std::max(first, trivial_radius(p, run.tick())); });
    }
    radius *= first > 0 ? first * frame.unit() : 1;
  }

  border::Progress progress(knobs.flag("progress"), static_cast<double>(classes * radius.size()),
                            limits.tol);
  Rcpp::List solutions(classes);
  for (int k = 0; k < classes; ++k) {
    Sampler sampler(static_cast<std::uint64_t>(knobs.number("seed")) + k);
    Solution start = robust_start(control["start"], k, rows.columns(), frame);
    Rcpp::List path(radius.size());
    for (Index i = 0; i < radius.size(); ++i, progress.next_part()) {
      settings.radius = radius[i] / frame.unit();
      with_problem(k, [&](const auto& p) {
        Run run(limits, p.null_value(), Rcpp::checkUserInterrupt,
                [&](double, double relative_gap) { progress.show(relative_gap); });
        Report result = report(p, solve_robust(solver, p, option, start, sampler, run), run);
        path[i] = as_list(result, frame, brief);
        start = std::move(result.solution);
        limits.restart();
      });
    }
    solutions[k] = path;
  }
  return Rcpp::List::create(Rcpp::Named("scales") = rows.scales(), Rcpp::Named("radius") = radius,
                            Rcpp::Named("solutions") = solutions);
}
