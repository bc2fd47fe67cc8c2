// The default: which of the methods of this family, in which order, for how long.
//
// With an l1 part, a smooth loss and many columns it is the working-set method. Otherwise the
// finisher is a second-order method: Newton's for a smooth loss; for another SSNAL or the interior
// point method, whichever takes fewer seconds by the estimates, and the other where that creeps.
// Dual coordinate descent comes first where a few of its passes cost little beside the finisher, and
// goes on as long as its rate promises the end for less than the finisher takes (dual_passes()). Under
// a ridge and a smooth loss that is not quadratic it is L-BFGS, before all of these, unless products of
// rows are the smaller matrix; the dual method follows there on many columns, under flat pieces alone.
// Where one method creeps another has its turn: none is left out before the end.
//
// Bounds of coefficients are kinks of the penalty, as those of an l1 part are. Under a smooth loss
// and a ridge alone, proximal gradient steps and the dual method have their turns too. Where some
// columns bear no penalty it is Newton's method, with proximal gradient steps where it creeps.
// Newton's method on an l1 problem gets a limited run as well, then the working-set method one.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "linear/cost_model.h"
#include "linear/interior_point.h"
#include "linear/path_scale.h"
#include "linear/solvers.h"
#include "run/relay.h"

namespace dualmargin::linear {

namespace {

// A problem as the estimates see it.
struct Shape {
  seconds::Table table;
  double products = 0;   // sum_i nonzeros_i^2 / 2
  double condition = 0;  // mean |x_i|^2 / (l2 gamma), above that of the mean loss's Hessian
  bool smooth = true, quadratic = false, closed = true;  // the dual method's step: a closed form
  bool here = true;                                      // all rows, none on another rank
  bool kinks = false;                                    // an l1 part or bounds
};

Shape shape_of(const LinearProblem& problem) {
  const auto& rows = problem.rows;
  const Loss& loss = problem.losses.loss;
  Shape s;
  s.table = cost::table(rows);
  s.products = rows.sum([&](Index i) {
    const double entries = static_cast<double>(rows.nonzeros(i));
    return entries * entries / 2;
  });
  const double l2 = problem.penalty.l2;
  s.condition = l2 > 0 ? mean_curvature(problem) / l2 : HUGE_VAL;
  s.smooth = problem.losses.smooth();
  s.quadratic = loss.dual_shift();
  s.closed = !s.smooth || s.quadratic || has_flat_pieces(loss);
  s.here = rows.team.size() == 1;
  s.kinks = problem.penalty.l1 > 0 || problem.penalty.bounded();
  return s;
}

// Seconds of computing that a method takes to the end, as far as that can be known before. The
// numbers of steps are fits to 60 runs (tol 1e-6, lambda 1e-3 to 1e-7, free intercept): Newton's
// method 5 to 13 with a factorisation, without one 20 products with the Hessian at conditions up to
// 1e3 and 150 at 1e7 (text, logistic; flat pieces take five times as many from there on); SSNAL 15 to
// 80 on 2,000 to 150 rows for each column, 60 to 200 on 25 to 5, 13 to 280 without a factorisation.
class Estimate {
 public:
  explicit Estimate(const Shape& shape)
      : s_(shape), n_(shape.table.rows), p_(shape.table.columns), look_(shape.table.look()) {
    by_rows_ = s_.here && n_ < p_ && cost::factor_pays(n_, s_.table.nonzeros);
    by_columns_ = !by_rows_ && cost::factor_pays(p_, s_.table.nonzeros);
  }

  double newton() const {
    if (!factors()) return (s_.quadratic ? 4 : 20) * std::pow(ill(), 0.22) * product();
    return first_matrix() + (s_.quadratic ? 1 : 8) * (2 * look_ + losses() + system());
  }

  // Of L-BFGS: with a Hessian of a sample, of all rows or none; iterations of the last grow like the
  // root of the condition (1.5 times it on ijcnn1, a9a, covtype; 5e4 columns less).
  double lbfgs() const {
    const double step = 2 * look_ + 2 * losses();
    const double plain = 1.5 * std::sqrt(s_.condition) * step;
    if (p_ > static_cast<double>(cost::matrix_columns)) return plain;
    const double matrix = gram() + seconds::cholesky(p_);
    return std::min(plain, 10 * step + 4 * matrix);
  }
  // Are products of rows with rows the smaller matrix?
  bool by_rows() const { return by_rows_; }

  // Fewer steps where columns have many rows, as they start from the minimum of a sample.
  double ssnal() const {
    const double columns_a_row = p_ / n_;
    if (!factors()) {
      const double steps = std::clamp(30 * std::sqrt(columns_a_row), 10.0, 60.0);
      return steps * std::min(std::pow(ill(), 0.6), 30.0) * product();
    }
    const double few = 60, steps = std::clamp(450 * std::sqrt(columns_a_row), 15.0, 250.0);
    return first_matrix() + (by_rows_ ? few : steps) * ssnal_step();
  }
  double ssnal_step() const {
    if (s_.kinks) return 2 * look_ + losses() + l1_model();
    return factors() ? 2 * look_ + losses() + vectors() + system() : product();
  }

  double interior() const {
    constexpr double steps = 32, row = 60;  // in exponentials: barriers, lengths, right-hand sides
    return steps * (n_ * row * seconds::exponential + 3 * look_ + gram() + seconds::cholesky(p_));
  }

  // Of an l1 problem: Newton's method on all columns, sets of columns. Logistic loss, l1 a tenth and
  // a hundredth of the largest, with and without common factors, Newton / sets: 500 rows, 300
  // columns 0.5 to 1, 600 columns 0.8 to 7, 1,500 columns 5 to 12; 4,000 rows, 300 columns 0.7 to
  // 1.7, 1,500 columns 1.5 to 4.
  double l1_newton() const { return gram() / 2 + seconds::cholesky(p_) + l1_model(); }
  double l1_sets() const { return 60 * look_; }

 private:
  bool factors() const { return by_rows_ || by_columns_; }
  double losses() const { return n_ * seconds::exponential * (s_.closed ? 1 : 2); }
  double vectors() const { return 10 * p_ * seconds::streamed; }
  // of a step by conjugate gradients, with the Hessian
  double product() const { return 3 * look_ + losses() + vectors(); }
  double ill() const { return std::max(1.0, s_.condition / 1e3); }
  double gram() const { return s_.products * s_.table.each(); }
  // The model of a step with an l1 part: a part of its matrix anew, and sweeps over its columns.
  double l1_model() const {
    const double size = std::min(p_, static_cast<double>(cost::matrix_columns));
    return gram() / 2 + 20 * size * size * seconds::gathered;
  }
  // Products of rows are made once; of those of columns each step makes a part anew.
  double first_matrix() const {
    return by_rows_ ? n_ * s_.table.nonzeros / 2 * s_.table.each() : gram() / 2;
  }
  double system() const {
    return by_rows_ ? seconds::cholesky(n_) : gram() / 2 + seconds::cholesky(p_);
  }

  Shape s_;
  double n_, p_, look_;
  bool by_rows_ = false, by_columns_ = false;
};

// Dual passes before a second-order method: a trial, which may take a third of what that method would
// and takes a twentieth where that is more, then as many as that is worth, as long as the rate
// promises the end within them. Where the finisher takes long a short trial says little: on counts of
// words the bound of the hinge rises at one speed for tens of passes before the gap falls.
//
// On few columns the passes of a loss with kinks can be estimated: at a condition of r n the hinge takes
// 12 + 18 r (a1a, a9a, w8a, ijcnn1, spambase, covtype, lambda 1e-2 to 1e-6: r .003 to 120,
// 9 to 1,000 and more; no more than 1.6 times as many, and down to a third of them where r > 20).
StopRule dual_passes(const Shape& shape, bool matrix, double trial, double finisher) {
  const double worth = finisher / cost::dual_pass(shape.table, shape.closed);
  StopRule rule{3 * trial <= worth ? HUGE_VAL : 0, std::max(trial, worth / 20), worth};
  if (!shape.smooth && matrix) {
    const double passes = 12 + 18 * shape.condition / shape.table.rows;
    rule.epochs = passes <= worth ? HUGE_VAL : 0;
    rule.worth = 1.5 * worth;
  }
  rule.ascent = true;
  return rule;
}

}  // namespace

Solution automatic(const LinearProblem& problem, const AutoOptions& options, const Solution& start,
                   Sampler& sampler, Run& run) {
  using Method = Stage<Solution>;
  const auto second_order = [&](const Solution& s) {
    if (problem.losses.smooth()) return newton(problem, NewtonOptions{}, s, sampler, run);
    SsnalOptions smoothed;
    if (s.a.size() > 0) smoothed.gamma = 0.1;  // a warm dual point: smooth less around it
    return ssnal(problem, smoothed, s, sampler, run);
  };
  const auto by_columns = [&](const Solution& s) {
    return lasso(problem, LassoOptions{}, s, sampler, run);
  };
  const auto inner = [&](const Solution& s) {
    return interior_point(problem, {}, s, sampler, run);
  };
  const auto dual = [&](const Solution& s) { return dual_cd(problem, {}, s, sampler, run); };
  const bool smooth = problem.losses.smooth(), flat = has_flat_pieces(problem.losses.loss);
  const bool cold = start.w.size() == 0 && start.a.size() == 0;
  const StopRule no_limit;

  const auto gradient = [&](const Solution& s) {
    return fista(problem, FistaOptions{}, s, sampler, run);
  };
  const auto stages = [&]() -> std::vector<Method> {
    if (problem.penalty.any_free()) {
      return {{{cost::newton_trial}, second_order},
              {{cost::columns_trial}, gradient},
              {no_limit, second_order}};
    }
    const bool strong = problem.penalty.l2 > 0, sparse = problem.penalty.l1 > 0;
    const Shape shape = shape_of(problem);
    const Estimate estimate(shape);
    if (smooth && sparse && estimate.l1_sets() < estimate.l1_newton()) {
      return {{no_limit, by_columns}};
    }
    const bool matrix = problem.dim() <= cost::interior_columns;
    const bool gradients =
        smooth && strong && !shape.quadratic && !shape.kinks && !estimate.by_rows();
    const double outer = gradients ? std::min(estimate.newton(), estimate.lbfgs())
                         : smooth  ? estimate.newton()
                                   : estimate.ssnal();
    const double inside = !smooth && matrix ? estimate.interior() : HUGE_VAL;
    const StopRule passes = dual_passes(shape, matrix, options.dual_passes, std::min(outer, inside));
    const bool renewed = problem.dim() <= cost::matrix_columns;
    const bool conjugate = gradients && !renewed;
    const Method first{passes, [=](const Solution& s) { return dual(conjugate ? Solution() : s); },
                       [=](const Solution&) {
                         return cold && strong && (!gradients || (conjugate && flat)) &&
                                options.dual_passes > 0 && passes.epochs > 0;
                       }};
    // without a matrix as long as its rate promises an end in a fifth of what Newton's method takes,
    // since the first rates flatter; ill conditions spare it unless the first passes find few of them
    const StopRule promising =
        renewed
            ? StopRule{HUGE_VAL, cost::newton_trial, cost::newton_trial}
            : StopRule{HUGE_VAL, shape.condition < cost::ill ? cost::lbfgs_trial : 3,
                       std::max(cost::lbfgs_trial, estimate.newton() / (10 * shape.table.look()))};
    const Method quasi{promising,
                       [&](const Solution& s) { return lbfgs(problem, {}, s, sampler, run); },
                       [=](const Solution&) { return gradients; }};
    // Flat pieces make Newton's steps short from where the dual method gave up, and conjugate gradients
    // are many from where L-BFGS did; from the minimum of a sample of the rows, where it starts by
    // itself, neither is so (IMDB, lambda 1e-6: 50 passes a step, and 98).
    const auto anew = [=](const Solution& s) {
      return second_order(cold && (flat || conjugate) ? Solution() : s);
    };
    const double worth = conjugate ? cost::dual_trial : cost::newton_trial;
    if (smooth && sparse) {  // each has rows on which the other creeps
      return {first,
              {{cost::l1_model_trial}, second_order},
              {{cost::columns_trial}, by_columns},
              {no_limit, second_order}};
    }
    if (smooth && problem.penalty.bounded()) {
      return {first,
              {{cost::l1_model_trial}, second_order},
              {{cost::columns_trial}, gradient},
              {{cost::dual_trial}, dual},
              {no_limit, gradient}};
    }
    if (smooth && strong) {
      // Newton's step is a difference of large numbers where l2 is tiny beside |x_i|^2; a
      // coordinate step in the dual is not
      return {quasi,
              first,
              {{HUGE_VAL, cost::newton_trial, worth}, anew},
              {{cost::dual_trial}, dual},
              {no_limit, second_order}};
    }
    if (smooth) return {{no_limit, second_order}};
    // on far rows, or fewer than columns, the scores of SSNAL's subproblems round at a gap that a
    // coordinate step in the dual, a closed form of one row, goes below
    const Method by_rows{{cost::dual_trial}, dual};
    if (matrix) {
      const Method last = strong ? by_rows : Method{no_limit, second_order};
      // which knows no start
      if (cold && !sparse && inside < outer) {
        if (!strong) return {first, {no_limit, inner}, last};
        return {first, {no_limit, inner}, last, {no_limit, second_order}};
      }
      const double steps = std::min(inside / estimate.ssnal_step(), cost::ssnal_trial);
      return {first, {{HUGE_VAL, steps / 2, steps}, anew}, {no_limit, inner}, last};
    }
    if (!strong) return {{no_limit, second_order}};
    return {first,
            {{cost::newton_trial}, second_order},
            by_rows,
            {no_limit, second_order},
            {no_limit, dual}};
  };
  return relay(start, stages(), run, [&](Solution before, Solution after) {
    return best_of(problem, std::move(before), std::move(after), run);
  });
}

}  // namespace dualmargin::linear
