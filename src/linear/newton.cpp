// Newton's method for smooth losses: subsampled start, cached scores, exact line search, and a
// Hessian that is corrected row by row as rows change their curvature. For squared hinge losses: O.
// L. Mangasarian (2002), Optimization Methods and Software 17, 913-929; S. S. Keerthi and D.
// DeCoste (2005), Journal of Machine Learning Research 6, 341-361.
//
//   min_{w,b}  (1/W) sum_i omega_i phi(w'x_i + b; y_i) + g(w)
//
// With a = slope at (w, exact b) the dual point comes free with the gradient, so the certificate is
// looked at after every step: for ridge its gap is |grad P|^2 / (2 l2).
//
// Where the penalty is weak and the loss has flat pieces, the few rows with curvature change with
// every step, and the steps are short without end. Then g is strengthened until a few steps reach
// its minimum, and weakened again from one minimum to the next (Continuation).
#include <algorithm>

#include "linear/proximal_newton.h"
#include "linear/solvers.h"

namespace dualmargin::linear {

namespace {

// How strong a penalty a descent method works with that is stuck with the one it was given: `factor`
// times the problem's. At factor 1 a method that is far from the optimum after `patience` steps is
// stuck: the factor rises until `few` steps are enough for its minimum, then falls by `ratio` from one
// minimum to the next, and by less where that was too much.
class Continuation {
 public:
  // After a step. there: at the minimum for the present factor; gap: the relative gap of the
  // problem itself. True where the factor has changed.
  bool change(bool there, double gap) {
    ++steps_;
    if (factor_ > 1 && there) {
      if (steps_ <= few / 2) ratio_ = std::min(2 * ratio_, 16.0);
      reached_ = true;
      return set(std::max(1.0, factor_ / ratio_));
    }
    const bool stuck = factor_ > 1 ? steps_ >= few : steps_ >= patience && gap > 1e-3;
    if (!stuck || factor_ >= strongest || ++rises_ > most_rises) return false;
    const double rise = reached_ ? std::sqrt(ratio_) : 64.0;
    if (reached_) ratio_ = std::max(1.2, rise);
    reached_ = false;
    return set(factor_ * rise);
  }
  ElasticNet strengthened(const ElasticNet& g) const {
    return {factor_ * g.l1, factor_ * g.l2, g.columns};
  }

 private:
  static constexpr int patience = 16, few = 10, most_rises = 12;
  static constexpr double strongest = 1e15;

  bool set(double factor) {
    factor_ = factor;
    steps_ = 0;
    return true;
  }

  double factor_ = 1, ratio_ = 4;
  int steps_ = 0, rises_ = 0;
  bool reached_ = false;
};

}  // namespace

Solution newton(const LinearProblem& problem, const NewtonOptions& options, const Solution& start,
                Sampler& sampler, Run& run) {
  Solution s = problem.begin(start, "newton");
  const bool cold = start.w.size() != problem.dim();
  // a quadratic loss, the one whose dual domain is all of R, is solved by its first step from
  // anywhere
  const bool quadratic = problem.losses.loss.dual_shift();
  const bool samples = options.subsample && !quadratic && !problem.penalty.any_free();
  if (cold && samples) s = subsample_start(problem, 0, s, sampler, run);

  const auto view = view_by_rows(problem, run, problem.rows);
  ProximalNewton descent(problem, run, *view);
  descent.start(s.w, s.b);
  Continuation continuation;
  double gap = HUGE_VAL;  // relative
  const auto cached = [&] {
    static_cast<Primal&>(s) = {descent.w(), descent.b()};
    const ScoredPrimal primal{s, descent.scores()};
    SummedDual dual = problem.of_slopes(descent.slope(), descent.dual_sum(), run);
    // at the slopes the losses' share of a ridge gap is zero: it spares a logarithm or two a row
    const bool ridge = problem.penalty.l1 == 0 && !problem.penalty.any_free();
    const Certificate c =
        ridge
            ? problem.told(primal, dual,
                           Certificate(problem.losses.value(primal.z) + problem.penalty.value(s.w),
                                       problem.penalty.gap(s.w, dual.u)))
            : problem.certify(primal, dual, run);
    s.a = std::move(dual.a);
    gap = run.relative_gap(c);
    return c;
  };
  // the cached scores have drifted by some roundings: the last word is said without them
  const auto exact = [&] { return problem.certify(s, run); };
  while (run.proceed(cached, exact, 0)) {
    const double hope = descent.aim();
    if (!run.in_time()) break;
    const bool there =
        hope <= 1e-3 * descent.penalty() || descent.gap() <= 1e-2 * descent.penalty();
    if (continuation.change(there, gap)) {
      descent.penalise(continuation.strengthened(problem.penalty));
      run.renew_patience();
      descent.aim();
      if (!run.in_time()) break;
    }
    if (!descent.has_direction()) break;
    descent.move();
  }
  return s;
}

}  // namespace dualmargin::linear
