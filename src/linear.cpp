// Glue of margin_linear() and margin_path(): names to types, then one call into a function template
// per class problem and point (lambda, mixture).
#include "border/linear.h"

#include "border/dispatch_linear.h"
#include "linear/path_scale.h"

using namespace dualmargin;
using namespace dualmargin::linear;

// problem: lambda and mixture, as long as one another, are the points, visited in their order; with
// `relative` lambda is given in units of the lambda at which a path starts, where an l1 part has
// the null model for its solution. A point starts from the one before if that has its mixture.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_linear_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                          const Rcpp::List& problem, const Rcpp::List& control) {
  const border::Options ask(problem), knobs(control), option(control["options"]);
  Run::Limits limits{knobs.number("tol"), knobs.number("max_epochs"), knobs.number("max_seconds"),
                     knobs.flag("certify_every_epoch")};
  const Vec labels = border::vec(y), omega = border::vec(weights);
  const std::string intercept = ask.text("intercept"), solver = knobs.text("solver");
  const bool penalized = intercept == "penalized", brief = ask.flag("brief");
  const bool relative = ask.flag("relative");
  const int classes = static_cast<int>(ask.number("n_classes"));
  // with a free intercept the origin of columns and response is of no account, but for the digits
  const bool free = intercept == "free";
  const border::RowStore rows(x, omega, ask.flag("scale"),
                              free ? border::Origin::free : border::Origin::fixed);
  border::ColumnStore columns(x, rows.centre(), rows.scales());
  Frame frame(rows, penalized, free);
  const Vec mixture = border::vec(problem["mixture"]);
  Vec lambda = border::vec(problem["lambda"]);
  const Index points = lambda.size();

  Vec moved = labels;
  with_loss(ask.text("loss"), ask.number("parameter"), [&](const auto& loss) {
    if (!free || classes > 1 || !of_residual<std::decay_t<decltype(loss)>>) return;
    frame.response = column_spread(omega, [&](auto f) {
                       for (Index i = 0; i < labels.size(); ++i) f(i, labels[i]);
                     }).centre();
    moved.array() -= frame.response;
  });

  Team team = border::team(knobs);
  const auto typed = [&](auto f) {
    return with_loss(ask.text("loss"), ask.number("parameter"), f);
  };
  const AnyLoss loss = typed([](const auto& phi) { return AnyLoss::of(phi); });
  border::Progress progress(knobs.flag("progress"), static_cast<double>(classes * points),
                            limits.tol);
  Rcpp::List solutions(classes);
  rows.visit(penalized ? 1.0 : 0.0, [&](const auto& data) {
    const Rows all(data, moved, omega, team);
    const auto with_problem = [&](int k, const ElasticNet& penalty, const auto& f) {
      const Vec target = classes == 1 ? moved : border::one_versus_rest(labels, k + 1);
      const Rows own(all, target);
      LinearProblem problem(own, loss, penalty, free);
      problem.columns = [&] { return columns.view(penalized ? 1.0 : 0.0); };
      f(problem);
    };
    if (relative) {
      PathScale scale;
      Run run(limits, 1, Rcpp::checkUserInterrupt, [](double, double) {});
      for (int k = 0; k < classes; ++k) {
        with_problem(k, ElasticNet(), [&](const auto& p) { scale.add(p, run); });
      }
      for (Index i = 0; i < points; ++i) lambda[i] *= scale.first_lambda(mixture[i]);
    }
    for (int k = 0; k < classes; ++k) {
      Sampler sampler(static_cast<std::uint64_t>(knobs.number("seed")) + k);
      Solution start;
      Rcpp::List path(points);
      for (Index i = 0; i < points; ++i, progress.next_part()) {
        const bool first = i == 0 || mixture[i] != mixture[i - 1];
        if (first) start = starting_point(control["start"], k, frame);
        with_problem(k, ElasticNet::from(lambda[i], mixture[i]), [&](const auto& p) {
          if (first && relative && mixture[i] > 0) start = null_model(p);
          Run run(limits, p.null_value(), Rcpp::checkUserInterrupt,
                  [&](double, double relative_gap) { progress.show(relative_gap); });
          Report result =
              report(p, solve_linear(solver, p, typed, option, start, sampler, run), run);
          path[i] = as_list(result, frame, brief);
          start = std::move(result.solution);
          limits.restart();
        });
      }
      solutions[k] = path;
    }
  });
  return Rcpp::List::create(Rcpp::Named("scales") = rows.scales(), Rcpp::Named("lambda") = lambda,
                            Rcpp::Named("solutions") = solutions);
}
