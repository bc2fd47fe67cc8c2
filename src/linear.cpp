// Glue of margin_linear() and margin_path(): names to types, then one call into a function template
// per class problem and point (lambda, mixture).
#include "border/linear.h"

#include "border/dispatch_linear.h"
#include "linear/path_scale.h"
#include "rows/column_store.h"

using namespace dualmargin;
using namespace dualmargin::linear;

// problem: lambda and mixture, as long as one another, are the points, visited in their order; with
// `relative` lambda is given in units of the lambda at which a path starts, where an l1 part has
// the null model for its solution. A point starts from the one before if that has its mixture.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_linear_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                          const Rcpp::List& problem, const Rcpp::List& control) {
  border::FitCall call(problem, control);
  Vec labels = border::vec(y), lambda = border::vec(problem["lambda"]);
  const Vec omega = border::vec(weights), mixture = border::vec(problem["mixture"]);
  const bool brief = call.problem.flag("brief"), relative = call.problem.flag("relative");
  const int classes = call.classes();
  // with a free intercept the origin of columns and response is of no account, but for the digits
  const MatrixView view = border::view(x);
  const RowStore rows(view, omega, call.problem.flag("scale"),
                      call.free() ? Origin::free : Origin::fixed);
  ColumnStore columns(view, rows.centre(), rows.scales());
  border::Frame frame{rows, call.penalized(), call.free()};
  const auto typed = [&](auto f) {
    return with_loss(call.problem.text("loss"), call.problem.number("parameter"), f);
  };
  typed([&](const auto& loss) {
    if (!call.free() || classes > 1 || !of_residual<std::decay_t<decltype(loss)>>) return;
    frame.level = column_spread(omega, omega.sum(), [&](auto f) {
                    for (Index i = 0; i < labels.size(); ++i) f(i, labels[i]);
                  }).centre();
    labels.array() -= frame.level;
  });
  const AnyLoss loss = typed([](const auto& phi) { return AnyLoss::of(phi); });
  const std::vector<Solution> starts = starting_points(call.start, classes, frame);

  Rcpp::List solutions;
  rows.visit(call.constant(), [&](const auto& data) {
    const Rows all(data, labels, omega, call.team);
    const auto with_problem = [&](int k, const ElasticNet& penalty, const auto& f) {
      const Vec target = border::target(labels, classes, k);
      const Rows own(all, target);
      LinearProblem problem(own, loss, penalty, call.free());
      problem.columns = [&] { return columns.view(call.constant()); };
      f(problem);
    };
    Run run = call.quiet_run();
    if (classes > 1 && call.team.threads() > 1) all.know_all(run);
    if (relative) {
      PathScale scale;
      for (int k = 0; k < classes; ++k) {
        with_problem(k, ElasticNet(), [&](const auto& p) { scale.add(p, run); });
      }
      for (Index i = 0; i < lambda.size(); ++i) lambda[i] *= scale.first_lambda(mixture[i]);
    }
    solutions = border::run_path(
        call, call.team, starts, lambda.size(),
        [&](int k, Index i, Tick&, const auto& f) {
          with_problem(k, ElasticNet::from(lambda[i], mixture[i]), f);
        },
        [&](const auto& p, int k, Index i, const Solution& before, Sampler& draws, Run& run) {
          const bool first = i == 0 || mixture[i] != mixture[i - 1];
          const Solution start = !first                       ? before
                                 : relative && mixture[i] > 0 ? null_model(p)
                                                              : starts[k];
          return report(p, solve_linear(call.solver, p, typed, call.option, start, draws, run),
                        run);
        },
        [&](const Report& r, int) { return answer(r, frame, brief); });
  });
  return Rcpp::List::create(Rcpp::Named("scales") = rows.scales(),
                            Rcpp::Named("origin") = rows.centre(), Rcpp::Named("lambda") = lambda,
                            Rcpp::Named("solutions") = solutions);
}
