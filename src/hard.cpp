// Glue of margin_hard(): names to types, then one call.
#include "border/call.h"
#include "border/indefinite.h"
#include "border/kernel_store.h"
#include "border/names.h"
#include "border/refit_hard.h"
#include "hard/hard_margin.h"
#include "hard/solvers.h"
#include "rows/rows.h"

using namespace dualmargin;
using namespace dualmargin::hard;

namespace dualmargin::hard {
namespace {

// Around a small support only rows of the kernel that enter it are asked for.
bool asks_for_few_rows(const std::string& solver) {
  return solver == "auto" || solver == "active_set" || solver == "smo";
}

// `option` reads an option by name; the registry on the R side fills in every default. cache_bytes:
// for columns of products.
Solution solve_hard(const std::string& solver, const HardMargin& problem,
                    const border::Options& option, double cache_bytes, Sampler& sampler, Run& run) {
  Solution s;
  if (zero_row(problem, run, s)) return s;
  if (solver == "auto") return automatic(problem, {{}, cache_bytes, true}, sampler, run);
  if (solver == "active_set") {
    const ActiveSetOptions few{static_cast<Index>(option.number("batch")),
                               static_cast<Index>(option.number("max_support"))};
    return automatic(problem, {few, cache_bytes, false}, sampler, run);
  }
  if (solver == "dual_cd") {
    return dual_descent(problem, {option.flag("shrinking"), 0}, Vec(), sampler, run);
  }
  if (solver == "smo") return smo(problem, cache_bytes, Vec(), run);
  if (solver == "momentum") {
    const bool logistic = border::named<bool>("loss", option.text("loss"),
                                              {{"logistic", true}, {"exponential", false}});
    return momentum(problem, logistic, run);
  }
  if (solver == "adaptive") {
    const bool fast = border::named<bool>("schedule", option.text("schedule"),
                                          {{"momentum", true}, {"theory", false}});
    return adaptive(problem, {fast, run.most_epochs()}, sampler, run);
  }
  if (solver == "ngd") return gradient_descent(problem, true, run);
  if (solver == "gd") return gradient_descent(problem, false, run);
  if (solver == "perceptron") return perceptron(problem, run);
  border::unknown("solver", solver);
}

// What a call asks for, and how its answer is made: shared by the fits on columns and those on a
// kernel.
struct HardCall : border::FitCall {
  RowVec labels, omega;

  HardCall(const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
           const Rcpp::List& given, const Rcpp::List& control)
      : border::FitCall(given, control), labels(border::vec(y)), omega(border::vec(weights)) {}

  // The rows of a margin problem made of `data`. of_values: the rounding of a kernel's.
  ExampleRows rows(const Storage& data, double of_values = 0, double allowance = 0,
                   bool given = false) {
    return ExampleRows({data, labels, omega, team}, classes(), of_values, allowance, given);
  }

  double cache_bytes() const { return 1e6 * option.number("cache_mb"); }
  // working: what the solver is given; exact: what its answer is judged by; held: how much of the
  // cache they take.
  Report solve(const MarginRows& working, const MarginRows& exact, double held) const {
    border::Progress bar(progress, 1, limits.tol);
    // a margin that is nearly zero decides whether there is one: no yardstick
    Run run(limits, 0, Rcpp::checkUserInterrupt,
            [&](double, double relative_gap) { bar.show(relative_gap); });
    Sampler sampler(seed);
    const HardMargin problem(working, free());
    if (!std::isfinite(exact.largest_norm())) return broken(exact);
    Solution s =
        solve_hard(solver, problem, option, std::max(0.0, cache_bytes() - held), sampler, run);
    Report r = report(HardMargin(exact, free()), std::move(s), run);
    if (problem.negative()) r.negative = problem.negative();
    r.negative.value *= exact.largest_norm() * exact.largest_norm();
    return r;
  }

  // Rows whose length is no number: the status is that of an outcome that was never reached.
  static Report broken(const MarginRows& rows) {
    Report r;
    r.solution.w = Vec::Zero(rows.dim());
    r.solution.c = r.solution.q = Vec::Zero(rows.size());
    r.scores = rows.coefficients(r.solution.c);
    return r;
  }

  // For k classes scores are in the unit of the margin at length 1 / sqrt(2).
  double length() const { return classes() > 1 ? std::sqrt(0.5) : 1.0; }

  // coef: of columns or of rows; b: a value for each class; near: the same for moved rows.
  Rcpp::List answer(const Report& r, const Mat& coef, const Vec& b, const Vec& near) const {
    // one column becomes a vector
    const auto columns = [](const Mat& m) -> border::Answer::Value {
      if (m.cols() > 1) return m;
      return Vec(m.col(0));
    };
    border::Answer out(r, r.solution.solver, false);
    border::add_square(out, r.negative);
    out.add("residual", r.residual);
    out.add("dual", r.solution.q);
    out.add("intercept", b);
    out.add("near", near);
    out.add("coefficients", columns(coef));
    out.add("scores", columns((length() * r.scores).array() + r.solution.b));
    Rcpp::List list = border::as_list(out);
    list["separable"] = Rcpp::LogicalVector::create(
        r.separable == Separable::undecided ? NA_LOGICAL : r.separable == Separable::yes);
    return Rcpp::List::create(list);
  }
};

}  // namespace

Report solved_to(const border::FitCall& call, const Rows& rows, bool free, double tol, Tick& tick) {
  const ExampleRows examples(rows, 1);
  const HardMargin problem(examples, free);
  Run run = border::another_run(call, tol, 0, tick);
  Sampler draws(call.seed);
  const double cache_bytes = 1e6 * call.option.number("cache_mb");
  return report(problem, solve_hard(call.solver, problem, call.option, cache_bytes, draws, run),
                run);
}

}  // namespace dualmargin::hard

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_hard_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                        const Rcpp::List& problem, const Rcpp::List& control) {
  HardCall call(y, weights, problem, control);
  // where the intercept is free the margin does not hang on where the origin is
  const RowStore rows(border::view(x), call.omega.local(), call.problem.flag("scale"),
                      call.free() ? Origin::exact : Origin::fixed, call.team, Reading::one_by_one,
                      Vec(), call.setup());
  const auto data = rows.storage(call.constant());
  const ExampleRows a = call.rows(*data);
  const Report r = call.solve(a, a, 0);
  const Index p = rows.scales().size(), dim = data->dim(), k = a.dim() / dim;
  const Mat w = call.length() * Eigen::Map<const Mat>(r.solution.w.data(), dim, k);
  Vec b = call.penalized() ? Vec(w.row(p).transpose()) : Vec::Constant(k, r.solution.b);
  const Mat slopes = w.topRows(p).array().colwise() / rows.scales().array();
  const Vec near = b;
  if (call.free()) b -= slopes.transpose() * rows.centre();
  return Rcpp::List::create(Rcpp::Named("scales") = rows.scales(),
                            Rcpp::Named("origin") = rows.centre(),
                            Rcpp::Named("solutions") = call.answer(r, slopes, b, near));
}

namespace {

// Are all values zero, or without digits, although not all rows lie at the origin?
bool vanishes(SEXP x, const Vec& origin, const KernelMatrix& kernel) {
  for (Index i = 0; i < kernel.n(); ++i) {
    if (!(kernel.diagonal(i) < 1e-280)) return false;
  }
  const MatrixView view = border::view(x);
  const Vec at = origin.size() > 0 ? origin : Vec::Zero(view.p);
  Vec zeros = Vec::Constant(view.p, static_cast<double>(view.n));  // that are not stored
  bool any = false;
  view.for_each([&](Index j, double value) {
    any = any || value != at[j];
    zeros[j] -= 1;
  });
  return any || (zeros.array() > 0 && at.array() != 0).any();
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_hard_kernel_cpp(SEXP x, const Rcpp::NumericVector& y,
                               const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                               const Rcpp::List& control) {
  HardCall call(y, weights, problem, control);
  const kernel::KernelStore::Budget budget{call.cache_bytes(), call.limits.tol,
                                           asks_for_few_rows(call.solver)};
  kernel::MixedRows none;
  none.originals = call.omega.size();
  Run run = call.quiet_run();
  Rcpp::List result;
  const Rcpp::List asked(problem["kernel"]);
  const bool formula = !Rf_isNull(x);
  // what is given by its values is what they are
  const bool computed = formula && Rcpp::as<std::string>(asked["name"]) != "precomputed";
  const auto solve = [&](const kernel::KernelStore& store, const kernel::RowsOfKernel& own) {
    const Gram working(store.working(), call.constant()), exact(store.exact(), call.constant());
    const double of_values = computed ? 2 * rounding::unit * store.size().error.maxCoeff() : 0.0;
    const KernelSize& size = store.size();
    const auto rows = call.rows(working, of_values, size.allowance, size.given),
               judge = call.rows(exact, of_values, size.allowance, size.given);
    const Report r = formula && vanishes(x, own.origin, store.exact())
                         ? HardCall::broken(judge)
                         : call.solve(rows, judge, store.reserved());
    const Mat beta = call.length() * judge.coefficients(r.solution.c);
    Vec b = call.penalized() ? Vec(beta.colwise().sum().transpose())
                             : Vec::Constant(beta.cols(), r.solution.b);
    const Vec near = b;
    for (Index c = 0; c < b.size(); ++c) b[c] -= own.shift(beta.col(c));
    result = Rcpp::List::create(
        Rcpp::Named("scales") = own.scales, Rcpp::Named("origin") = own.origin,
        Rcpp::Named("sigma") = own.sigma, Rcpp::Named("bytes") = store.working().bytes(),
        Rcpp::Named("judged") = store.judged().factored,
        Rcpp::Named("solutions") = call.answer(r, beta, b, near));
  };
  const kernel::Refused refused =
      with_kernel(x, asked, {call.omega.local(), call.problem.flag("scale"), call.free(), false},
                  none, budget, call.team, run, solve);
  return refused ? refused.list() : result;
}
