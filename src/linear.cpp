// Glue of margin_linear(): names to types, then one call into a function template per class
// problem.
#include "border_columns.h"
#include "dispatch.h"
#include "linear/report.h"

using namespace dualmargin;

namespace {

Solution starting_point(SEXP start, int k, const Vec& scales, bool penalized) {
  Solution s;
  if (Rf_isNull(start)) return s;
  const Rcpp::List list(start);
  const Rcpp::NumericMatrix coefficients = list["coefficients"];
  const Rcpp::NumericVector intercept = list["intercept"];
  const Index p = scales.size();
  s.w = Vec::Zero(p + penalized);
  for (Index j = 0; j < p; ++j) s.w[j] = coefficients(j, k) * scales[j];
  (penalized ? s.w[p] : s.b) = intercept[k];
  if (!Rf_isNull(list["dual"])) {
    const Rcpp::NumericMatrix dual = list["dual"];
    s.a = border::vec(Rcpp::NumericVector(dual.column(k)));
  }
  return s;
}

Rcpp::List as_list(const Report& r, const Vec& scales, bool penalized) {
  const Index p = scales.size();
  const Vec coefficients = r.solution.w.head(p).cwiseQuotient(scales);
  return Rcpp::List::create(
      Rcpp::Named("coefficients") = coefficients,
      Rcpp::Named("intercept") = penalized ? r.solution.w[p] : r.solution.b,
      Rcpp::Named("scores") = r.scores, Rcpp::Named("dual") = r.solution.a,
      Rcpp::Named("value") = r.certificate.value, Rcpp::Named("bound") = r.certificate.bound,
      Rcpp::Named("gap") = r.certificate.gap, Rcpp::Named("null_value") = r.null_value,
      Rcpp::Named("status") = to_string(r.status), Rcpp::Named("rounding_floor") = r.rounding_floor,
      Rcpp::Named("solver") = r.solution.solver, Rcpp::Named("epochs") = r.epochs,
      Rcpp::Named("steps") = r.steps, Rcpp::Named("seconds") = r.seconds,
      Rcpp::Named("trace") = border::as_list(r.trace));
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_linear_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                          const Rcpp::List& problem, const Rcpp::List& control) {
  const border::Options ask(problem), knobs(control), option(control["options"]);
  const Vec labels = border::vec(y), omega = border::vec(weights);
  const std::string intercept = ask.text("intercept"), solver = knobs.text("solver");
  const bool penalized = intercept == "penalized";
  const int classes = static_cast<int>(ask.number("n_classes"));
  const border::Rows rows(x, omega, ask.flag("scale"));
  border::ColumnStore columns(x, rows.scales());
  const ElasticNet penalty = ElasticNet::from(ask.number("lambda"), ask.number("mixture"));
  const Monitor::Limits limits{knobs.number("tol"), knobs.number("max_epochs"),
                               knobs.number("max_seconds")};
  border::Progress progress(knobs.flag("progress"), classes, limits.tol);

  Rcpp::List solutions(classes);
  for (int k = 0; k < classes; ++k, progress.next_part()) {
    const Vec target = classes == 1 ? labels : one_versus_rest(labels, k + 1);
    const Solution start = starting_point(control["start"], k, rows.scales(), penalized);
    Sampler sampler(static_cast<std::uint64_t>(knobs.number("seed")) + k);
    const auto fit = [&](const auto& data, const auto& loss) {
      const RowLossOf<std::decay_t<decltype(loss)>> row_loss(loss);
      Erm erm(data, target, omega, row_loss, penalty, intercept == "free");
      erm.columns = [&] { return columns.view(penalized ? 1.0 : 0.0); };
      const ErmWithLoss with_loss(erm, loss);
      Monitor monitor(limits, erm.null_value(), Rcpp::checkUserInterrupt,
                      [&](double, double relative_gap) { progress.show(relative_gap); });
      return report(erm, solve_linear(solver, with_loss, option, start, sampler, monitor), monitor);
    };
    const Report result = rows.visit(penalized ? 1.0 : 0.0, [&](const auto& data) {
      return with_loss(ask.text("loss"), ask.number("gamma"),
                       [&](const auto& loss) { return fit(data, loss); });
    });
    solutions[k] = as_list(result, rows.scales(), penalized);
  }
  return Rcpp::List::create(Rcpp::Named("scales") = rows.scales(),
                            Rcpp::Named("solutions") = solutions);
}
