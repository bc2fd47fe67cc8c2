// Glue of margin_kernel() and its path over lambda: names to types, then one call into a function
// per class problem and lambda.
#include "border_kernel.h"
#include "dispatch_kernel.h"

using namespace dualmargin;

namespace {

// f(store, sigma, scales) with the kernel matrix that `problem` describes.
template <class F>
void with_kernel(SEXP x, const Vec& weights, const Rcpp::List& problem, const MixedRows& mixed,
                 const KernelStore::Budget& budget, Monitor& monitor, F f) {
  const Rcpp::List given = problem["kernel"];
  const border::Options ask(given);
  const std::string name = ask.text("name");
  if (name == "precomputed") {
    const Rcpp::NumericMatrix values(x);
    return f(KernelStore(values.begin(), values.nrow()), NA_REAL, Vec());
  }
  if (name == "evaluated") {
    const Vec diagonal = border::vec(given["diagonal"]);
    const EvaluateKernel evaluate = border::evaluated_by(given["evaluate"], diagonal.size());
    return f(KernelStore(evaluate, diagonal, budget, monitor), NA_REAL, Vec());
  }
  KernelFunction kernel = kernel_function(name, ask);
  border::Rows rows(x, weights.head(mixed.originals), border::Options(problem).flag("scale"));
  if (kernel.isotropic()) rows.subtract(rows.means());
  rows.visit(0, [&](const auto& data) {
    const ComputedArguments arguments(data, kernel.isotropic());
    if (kernel.isotropic() && std::isnan(kernel.sigma)) {
      const double median = median_squared_distance(arguments);
      kernel.sigma = kernel.kind == KernelKind::rbf ? 1 / median : 1 / std::sqrt(median);
    }
    f(KernelStore(arguments, mixed, kernel, budget, monitor), kernel.sigma, rows.scales());
    return 0;
  });
}

}  // namespace

// targets: a column for each class problem, original rows first, then the mixed ones; so also
// weights. problem$lambda: the points, visited in their order, each started from the one before;
// with `relative` in units of the first one of a path.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_kernel_cpp(SEXP x, const Rcpp::NumericMatrix& targets,
                          const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                          const Rcpp::List& control) {
  const border::Options ask(problem), knobs(control), option(control["options"]);
  const Vec omega = border::vec(weights);
  const std::string intercept = ask.text("intercept"), solver = knobs.text("solver");
  const bool brief = ask.flag("brief"), free = intercept == "free";
  const int classes = targets.ncol();
  const Monitor::Limits limits{knobs.number("tol"), knobs.number("max_epochs"),
                               knobs.number("max_seconds"), knobs.flag("certify_every_epoch")};
  const Index originals = static_cast<Index>(ask.number("n"));
  const MixedRows mixed = border::mixed_rows(problem["mixed"], originals);
  const KernelStore::Budget budget{1e6 * ask.number("cache_mb"), limits.tol >= 1e-5};
  const AnyLoss loss = any_loss(ask.text("loss"), ask.number("parameter"), ask.flag("regression"));
  const RowLossOf<AnyLoss> row_loss(loss);
  Vec lambda = border::vec(problem["lambda"]);
  Rcpp::List solutions(classes);
  double sigma = NA_REAL, bytes = 0;
  Vec scales;

  Monitor building(limits, 1, Rcpp::checkUserInterrupt, [](double, double) {});
  const auto solve = [&](const KernelStore& store, double width, const Vec& divided_by) {
    sigma = width;
    scales = divided_by;
    bytes = store.working().bytes();
    const Gram data(store.working(), intercept == "penalized" ? 1.0 : 0.0);
    const auto with_problem = [&](int k, double strength, const auto& f) {
      const Vec target = border::vec(Rcpp::NumericVector(targets.column(k)));
      f(KernelErm(data, store.exact(), target, omega, loss, row_loss, strength, free));
    };
    if (ask.flag("relative")) {
      with_problem(0, 1, [&](const auto& p) { lambda *= first_lambda(p); });
    }
    border::Progress progress(knobs.flag("progress"), static_cast<double>(classes * lambda.size()),
                              limits.tol);
    for (int k = 0; k < classes; ++k) {
      Sampler sampler(static_cast<std::uint64_t>(knobs.number("seed")) + k);
      Solution start = border::kernel_start(control["start"], k);
      Rcpp::List path(lambda.size());
      for (Index i = 0; i < lambda.size(); ++i, progress.next_part()) {
        with_problem(k, lambda[i], [&](const KernelErm& p) {
          Monitor monitor(limits, p.null_value(), Rcpp::checkUserInterrupt,
                          [&](double, double relative_gap) { progress.show(relative_gap); });
          KernelReport result =
              report(p, solve_kernel(solver, p, option, start, sampler, monitor), monitor);
          path[i] = border::as_list(result, originals, brief);
          start = std::move(result.solution);
        });
      }
      solutions[k] = path;
    }
  };
  with_kernel(x, omega, problem, mixed, budget, building, solve);
  return Rcpp::List::create(Rcpp::Named("scales") = scales, Rcpp::Named("lambda") = lambda,
                            Rcpp::Named("sigma") = sigma, Rcpp::Named("bytes") = bytes,
                            Rcpp::Named("solutions") = solutions);
}
