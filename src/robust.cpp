// Glue of margin_robust() and its path over the radius: names to types, then one call per
// class problem and radius.
#include "border/robust.h"

#include "border/class_rows.h"
#include "border/dispatch_robust.h"
#include "border/refit_robust.h"

using namespace dualmargin;
using namespace dualmargin::robust;

namespace dualmargin::robust {

Report solved_to(const border::FitCall& call, const Rows& rows, const Settings& settings,
                 const Solution& start, double tol, Tick& tick) {
  const RobustSvm problem(rows, settings);
  Run run = border::another_run(call, tol, problem.null_value(), tick);
  Sampler draws(call.seed);
  return report(problem, solve_robust(call.solver, problem, call.option, start, draws, run), run);
}

}  // namespace dualmargin::robust

// problem$radius: the points, visited in their order; each starts from the one before. With
// `relative` they are in units of the radius at which w = 0 becomes optimal.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_robust_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                          const Rcpp::List& problem, const Rcpp::List& control) {
  border::FitCall call(problem, control);
  const border::Options& ask = call.problem;
  const RowVec labels(border::vec(y)), omega(relative_weights(weights, call.team));
  const bool brief = ask.flag("brief");
  const int classes = call.classes();
  // with a free intercept the origin of the columns is of no account, but for the digits
  RowStore rows(border::view(x), omega.local(), ask.flag("scale"),
                call.free() ? Origin::exact : Origin::fixed, call.team, reading_of(call.solver),
                Vec(), call.setup());
  Vec radius = border::vec(problem["radius"]);
  const bool relative = ask.flag("relative");
  const double unit = change_unit(rows, call.penalized(), relative ? 0 : radius.minCoeff(),
                                  ask.number("label_cost"), call.team);
  const border::Frame frame{rows, call.penalized(), call.free(), 0, unit};

  border::Snapshots<Primal, Dual> seen(
      call.checkpoint, classes, [&](int, const Primal& s, const Dual& d, border::Fields& out) {
        frame.leave(s.w, s.b, out);
        out.add("norm_bound", s.t / frame.unit);
        out.add("alpha", d.alpha);
        out.add("beta", d.beta);
      });
  Rcpp::List solutions;
  rows.visit(call.constant() / unit, [&](const auto& data) {
    const border::ClassRows each(Rows(data, labels, omega, call.team), classes);
    const Settings settings{norm_from(ask.text("norm")), 0, ask.number("label_cost") / unit,
                            ask.number("ridge") / unit / unit, call.free()};
    std::vector<RobustSvm> of_class;
    of_class.reserve(static_cast<std::size_t>(classes));
    for (int k = 0; k < classes; ++k) of_class.emplace_back(each[k], settings);
    const auto with_problem = [&](int k, double at, const auto& f) {
      RobustSvm one(of_class[k], at / unit);
      one.seen = seen.of(k);
      f(one);
    };
    Run run = call.quiet_run();
    if (relative) {
      double first = 0;
      for (int k = 0; k < classes; ++k) {
        with_problem(
            k, 0, [&](const auto& p) { first = std::max(first, trivial_radius(p, run.tick())); });
      }
      radius *= first > 0 ? first * unit : 1;
    }
    solutions = border::run_path(
        call, call.team, starting_points(call.start, classes, frame, labels.size()), radius.size(),
        [&](int k, Index i, Tick&, const auto& f) { with_problem(k, radius[i], f); },
        [&](const auto& p, int, Index, const Solution& start, Sampler& draws, Run& run) {
          return report(p, solve_robust(call.solver, p, call.option, start, draws, run), run);
        },
        [&](const Report& r, int) { return answer(r, frame, brief); });
  });
  return Rcpp::List::create(Rcpp::Named("scales") = rows.scales(),
                            Rcpp::Named("origin") = rows.centre(), Rcpp::Named("radius") = radius,
                            Rcpp::Named("solutions") = solutions);
}
