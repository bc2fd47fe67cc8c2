// Glue of margin_kernel() with landmarks: features in the place of the kernel, the same for every
// class problem and lambda.
#include "kernel/nystrom.h"

#include "border/kernel_call.h"

namespace dualmargin::kernel {

// KernelCall finds it by the type of the report.
inline Rcpp::List as_list(const NystromReport& r, Index originals, bool brief) {
  Rcpp::List list = border::as_list(r, r.solution.solver, brief);
  list["intercept"] = r.intercept;
  list["landmarks"] = static_cast<double>(r.landmarks);
  border::add_coefficients(list, r.beta, brief);
  if (brief) return list;
  list["scores"] = Vec(r.scores.head(originals).array() + r.level);
  list["dual"] = r.solution.a;
  return list;
}

}  // namespace dualmargin::kernel

using namespace dualmargin;
using namespace dualmargin::kernel;

namespace {

Rcpp::List fit_features(KernelCall& call, const NystromFeatures& features, const RowsOfKernel& rows,
                        const Mat& targets) {
  const Dense data = features.data(call.constant());
  const auto problem = [&](const Vec& target, double lambda) {
    return NystromProblem{
        {Rows(data, target, call.omega, call.team), call.loss, {0, lambda}, call.free()}, features};
  };
  return call.columns<linear::Solution>(targets, rows, problem, solve_nystrom);
}

}  // namespace

// As fit_kernel_cpp(); problem$nystrom: the number of landmarks.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_nystrom_cpp(SEXP x, const Rcpp::NumericMatrix& targets,
                           const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                           const Rcpp::List& control) {
  KernelCall call(weights, problem, control);
  Sampler sampler = call.sampler(0);
  const Index most = static_cast<Index>(call.ask.number("nystrom"));
  const auto drawn = draw_landmarks(call.omega, call.originals, most, sampler);
  Rcpp::List answer;
  OwnRows own = call.own_rows();
  own.movable = false;  // landmarks of moved rows span other functions
  with_arguments(
      x, problem["kernel"], own, call.mixed, call.team,
      [&](const Arguments& arguments, const KernelFunction& kernel, const RowsOfKernel& rows) {
        const KernelSize size = kernel_size(arguments, call.mixed, kernel, own.scale, own.center);
        if (!in_range(size)) {
          answer = Rcpp::List::create(Rcpp::Named("beyond") = size.largest());
          return;
        }
        Run run = call.plain_run();
        const NystromFeatures features(arguments, call.mixed, kernel, drawn, run);
        const Rcpp::List paths = fit_features(call, features, rows, mat(targets));
        answer = call.answer(paths, rows, features.bytes());
      });
  return answer;
}
