// Restarted primal-dual hybrid gradient (algebra/pdhg.h) on the saddle point of saddle.h.
#include "algebra/pdhg.h"

#include "robust/saddle.h"
#include "robust/solvers.h"

namespace dualmargin::robust {

Solution pdhg(const RobustSvm& problem, const Solution& start, Run& run) {
  constexpr int power_iterations = 40, between_certificates = 32;
  using Form = Saddle;
  using Iterate = typename Form::Iterate;
  const Form form(problem, problem.rows, {Vec::Zero(problem.dim()), 0, problem.radius, 0});
  const auto norm = [&] {
    run.spend(power_iterations);
    return form.norm(power_iterations, 0.01, run);
  };
  const double k = problem.saddle_norm(norm, run);
  run.be_patient(2);  // the primal weight finds its size in long plateaus

  Best best = problem.null_point(run.iterate());
  Certificate pair;
  const auto step = [&](Iterate& s, double nu) {
    if (!run.tick().poll()) return false;
    form.step(s, nu, k, run);
    run.spend(1);
    run.count_step();
    return true;
  };
  const auto look = [&](const Iterate& now, const Iterate& mean) -> std::optional<SaddleGaps> {
    SaddleGaps gaps{};
    const auto worth = [&](Solution s) {
      const Certificate c = problem.certify(s, run);
      pair = problem.offer(best, s, c);
      run.spend(1);
      return c.gap;
    };
    const auto known = [&] {
      gaps.average = worth(mean.at);
      gaps.iterate = worth(now.at);  // the last that is offered
      return pair;
    };
    const auto exact = [&] { return problem.certify(best, run); };
    // from an iterate that is not finite there is no next one
    if (!run.proceed(known, exact, 0) || !now.at.finite(problem.rows)) return std::nullopt;
    return gaps;
  };
  dualmargin::pdhg(form.iterate(starting_point(problem, start), run), 1, between_certificates, step,
                   look);
  return {best.primal(), best.dual(), "pdhg"};
}

}  // namespace dualmargin::robust
