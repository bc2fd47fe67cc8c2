// What a call of a one-class fit asks for, and how its answer is made: the only place where the name
// of a solver of that family becomes a function.
#pragma once

#include <string>
#include <vector>

#include "border/kernel_call.h"
#include "kernel/one_class.h"

namespace dualmargin::kernel {

template <class Option>
OneClassSolution solve_one_class(const std::string& solver, const OneClassProblem& problem,
                                 const Option& option, const OneClassSolution& start, Run& run) {
  if (solver == "smo") {
    const SmoOptions smo_options{option.flag("shrinking"), 1e6 * option.number("cache_mb")};
    return smo(problem, smo_options, start, run);
  }
  border::unknown("solver", solver);
}

// A fit without labels. problem$nu: the points of a path, the shares of the weight that the sum of
// all slacks is divided by.
struct OneClassCall : border::FitCall {
  Vec omega, nu;
  bool brief;

  OneClassCall(const Rcpp::NumericVector& weights, const Rcpp::List& given,
               const Rcpp::List& control)
      : border::FitCall(given, control),
        omega(border::vec(weights)),
        nu(border::vec(given["nu"])),
        brief(problem.flag("brief")) {}

  Rcpp::List path(const KernelStore& store) {
    std::vector<OneClassSolution> starts(1);
    if (start.has("dual")) starts[0].a = start.column("dual", 0, omega.size());
    const FunctionSpace space(Gram(store.working()), Gram(store.exact()), store.size(), omega, 1);
    border::Snapshots<double, Vec> seen(checkpoint, 1,
                                        [](int, double, const Vec& a, border::Fields& out) {
                                          if (a.size() > 0) out.add("dual", a);
                                        });
    return border::run_path(
        *this, alone, starts, nu.size(),
        [&](int, Index i, Tick&, const auto& f) {
          OneClassProblem one(space, omega / (nu[i] * space.total_weight()));
          one.seen = seen.of(0);
          f(one);
        },
        [&](const OneClassProblem& p, int, Index, const OneClassSolution& from, Sampler&,
            Run& run) { return report(p, solve_one_class(solver, p, option, from, run), run); },
        [&](const OneClassReport& r, int) {
          border::Answer out(r, solver.c_str(), brief);
          border::add_square(out, r.negative);
          out.add("intercept", -r.solution.rho);
          out.add("near", -r.solution.rho);
          out.add("square", r.solution.square);
          out.add("longest", space.longest());
          out.add_coefficients(r.beta);
          if (brief) return out;
          out.add("scores", Vec(r.solution.f.array() - r.solution.rho));
          out.add("dual", r.solution.a);
          return out;
        });
  }
};

}  // namespace dualmargin::kernel
