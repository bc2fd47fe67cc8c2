// Glue of margin_linear(multiclass = ) and its path over lambda: one problem of all classes.
#include "border/dispatch_joint.h"
#include "border/frame.h"

using namespace dualmargin;
using namespace dualmargin::linear;

namespace {

// u on the simplex from dual variables a: rounding in R leaves them off it by as much.
RowMat simplex_points(const Mat& dual, const std::vector<Index>& y) {
  RowMat u(dual.transpose());
  for (Index i = 0; i < u.size(); ++i) {
    u(i, y[i]) += 1;
    u[i] = u[i].cwiseMax(0);
    u[i] /= u[i].sum();
  }
  return u;
}

JointSolution starting_point(const border::FitCall& call, const border::Frame& frame,
                             const std::vector<Index>& y, Index classes) {
  JointSolution s;
  if (!call.start.has("coefficients")) return s;
  s.b = Vec::Zero(classes);
  for (int c = 0; c < classes; ++c) {
    Vec w;
    frame.enter(call.start, c, w, s.b[c]);
    if (c == 0) s.w.resize(w.size(), classes);
    s.w.col(c) = w;
  }
  if (call.start.has("dual")) s.u = simplex_points(call.start.all("dual"), y);
  return s;
}

border::Answer answer(const JointReport& r, const border::Frame& frame, bool brief) {
  border::Answer out(r, r.solution.solver, brief);
  const Index p = frame.rows.columns(), classes = r.solution.w.cols();
  Mat slopes(p, classes);
  Vec near(classes), intercept(classes);
  for (Index c = 0; c < classes; ++c) {
    const auto w = r.solution.w.col(c);
    slopes.col(c) = w.head(p).cwiseQuotient(frame.rows.scales());
    near[c] = frame.penalized ? w[p] : r.solution.b[c];
    intercept[c] = near[c] - frame.rows.offset(slopes.col(c));
  }
  out.add("near", std::move(near));
  out.add("intercept", std::move(intercept));
  out.add("coefficients", std::move(slopes));
  if (brief) return out;
  out.add("scores", r.scores);
  out.add("dual", r.dual);
  return out;
}

}  // namespace

// y: classes, from 1; problem: as for fit_linear_cpp(), with `loss` "softmax" or "crammer_singer"
// and no mixture.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_multiclass_cpp(SEXP x, const Rcpp::NumericVector& y,
                              const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                              const Rcpp::List& control) {
  border::FitCall call(problem, control);
  const RowVec omega(border::vec(weights)), codes(border::vec(y));
  Vec lambda = border::vec(problem["lambda"]);
  const bool brief = call.problem.flag("brief"), relative = call.problem.flag("relative");
  const Index classes = call.classes();
  std::vector<Index> label(codes.size());
  for (Index i = 0; i < codes.size(); ++i) label[i] = static_cast<Index>(codes[i]) - 1;
  const RowStore rows(border::view(x), omega.local(), call.problem.flag("scale"),
                      call.free() ? Origin::free : Origin::fixed, call.team,
                      call.solver == "newton" ? Reading::in_passes : Reading::one_by_one);
  const border::Frame frame{rows, call.penalized(), call.free()};
  const std::vector<JointSolution> starts{starting_point(call, frame, label, classes)};

  Rcpp::List solutions;
  const auto fit = [&](const auto& data, auto loss) {
    using Data = std::decay_t<decltype(data)>;
    using Problem = JointProblem<Data, decltype(loss)>;
    const Rows<Data> all(data, codes, omega, call.team);
    const auto problem_at = [&](double strength) {
      return Problem{all, label, classes, strength, call.free()};
    };
    if (relative) lambda *= first_joint_lambda(problem_at(1));
    solutions = border::run_path(
        call, call.alone, starts, lambda.size(),
        [&](int, Index i, Tick&, const auto& f) { f(problem_at(lambda[i])); },
        [&](const auto& p, int, Index, const JointSolution& start, Sampler& draws, Run& run) {
          return report(p, solve_joint(call.solver, p, call.option, start, draws, run), run);
        },
        [&](const JointReport& r, int) { return answer(r, frame, brief); });
  };
  rows.visit(call.constant(), [&](const auto& data) {
    with_joint_loss(call.problem.text("loss"), classes, [&](auto loss) { fit(data, loss); });
  });
  return Rcpp::List::create(Rcpp::Named("scales") = rows.scales(),
                            Rcpp::Named("origin") = rows.centre(), Rcpp::Named("lambda") = lambda,
                            Rcpp::Named("solutions") = solutions);
}
