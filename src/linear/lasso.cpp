// Working sets of columns for problems with an l1 part and a smooth loss: M. Massias, A. Gramfort
// and J. Salmon (2018), "Celer: a fast solver for the Lasso with dual extrapolation", ICML,
// arXiv:1802.07481, algorithm 4; with the proximal Newton method of G.-X. Yuan, C.-H. Ho and C.-J.
// Lin (2012), Journal of Machine Learning Research 13, 1999-2030, on the set.
//
//   min_{w,b}  (1/W) sum_i omega_i phi(w'x_i + b; y_i) + l1 |w|_1 + l2/2 |w|^2,   w within bounds
//
//   a   dual point: slopes at (w, exact b), scaled into the feasible set
//   u   (1/W) sum_i omega_i a_i x_i; at the optimum u_j + l2 w_j = -l1 sign(w_j), |u_j| <= l1
//       where w_j = 0; at a bound the side that leads beyond it does not count
//
// differs: the paper solves the set by cyclic coordinate descent on the objective; here coordinate
// descent and conjugate gradients solve a Newton model of it, which pays where columns correlate.
// After these steps a dual point of extrapolated scores is no better than the slopes, and not asked.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "algebra/normal_matrix.h"
#include "base/rounding.h"
#include "base/slack.h"
#include "linear/cost_model.h"
#include "linear/proximal_newton.h"
#include "linear/solvers.h"
#include "linear/working_set.h"
#include "rows/columns.h"

namespace dualmargin::linear {

namespace {

// A problem seen by columns, on a set of coordinates: products cost the entries of these columns.
// Where the set is small against its entries the quadratic model is a matrix, else it stays a
// product of columns.
class ColumnView final : public View {
 public:
  ColumnView(const LinearProblem& problem, Run& run, const Columns& x)
      : rows_(problem.rows),
        free_(problem.losses.free_intercept),
        run_(run),
        x_(x),
        nonzeros_(std::max(1.0, x.nonzeros())),
        set_(x.dim()),
        gram_(rows_) {
    std::iota(set_.begin(), set_.end(), Index{0});
  }

  const Rows& rows() const override { return rows_; }
  const std::vector<Index>& coordinates() const override { return set_; }
  // A model over columns is solved to `precision` and expected to cost so many sweeps.
  void restrict_to(std::vector<Index> set, double precision, double sweeps) {
    set_ = std::move(set);
    precision_ = precision;
    sweeps_ = std::max(sweeps, last_sweeps_);
  }

  RowVec multiply(const Vec& w) override {
    RowVec z = RowVec::Zero(x_.n());
    for (Index j : set_) add_column(j, w[j], z);
    return z;
  }
  void add_column(Index j, double step, RowVec& z) {
    if (step == 0) return;
    x_.axpy(j, step, z.local());
    run_.spend(static_cast<double>(x_.nonzeros(j)) / nonzeros_);
    run_.tick().row(j);
  }
  Vec transpose_multiply(const RowVec& coef, const std::vector<Index>& set) override {
    const auto size = static_cast<Index>(set.size());
    const double visited = entries(set);
    const Index chunks = rows_.team.chunks(visited);
    Vec u = Vec::Zero(x_.dim());
    const auto part = [&](Index c, Tick& tick) {
      for (Index k = c * size / chunks; k < (c + 1) * size / chunks; ++k) {
        u[set[k]] = x_.dot(set[k], coef.local());
        tick.row(k);
      }
    };
    rows_.team.for_chunks(chunks, part, run_);
    run_.spend(visited / nonzeros_);
    return u;
  }

  bool lifts() const override { return true; }
  Direction direction(const NewtonModel& model) override {
    const double visited = entries(set_), size = static_cast<double>(set_.size());
    const double pays = cost::matrix(size, visited, static_cast<double>(x_.n()), nonzeros_);
    const Vec& norms = rows_.column_norms(run_);
    if (size <= cost::matrix_columns && pays <= sweeps_ * visited * seconds::gathered) {
      gram_.restrict_to(set_);
      run_.spend(gram_.update(model.h, run_));
      if (!run_.in_time()) return {Vec::Zero(x_.dim())};
      return l1_direction(gram_, free_, model, norms, run_);
    }
    const double most = std::min(200 * visited, run_.left() * nonzeros_);
    ColumnWork work{precision_, most};
    const Direction d = l1_direction(x_, set_, free_, model, norms, work, run_);
    last_sweeps_ = work.visited / visited;
    sweeps_ = std::max(sweeps_, last_sweeps_);
    run_.spend(work.visited / nonzeros_);
    return d;
  }

 private:
  double entries(const std::vector<Index>& set) const {
    double sum = 0;
    for (Index j : set) sum += static_cast<double>(x_.nonzeros(j));
    return sum;
  }

  const Rows& rows_;
  bool free_;
  Run& run_;
  const Columns& x_;
  double nonzeros_;
  std::vector<Index> set_;
  WeightedGram gram_;
  double precision_ = 0.1, sweeps_ = 0, last_sweeps_ = 0;
};

// Gap-safe screening: O. Fercoq, A. Gramfort and J. Salmon (2015), ICML, arXiv:1505.03410; E.
// Ndiaye, O. Fercoq, A. Gramfort and J. Salmon (2017), Journal of Machine Learning Research
// 18(128), theorem 6.
//
// phi is 1/gamma-smooth, so phi^* is gamma-strongly convex and the dual gamma-strongly concave in
// |a|^2 = (1/W) sum_i omega_i a_i^2: the dual optimum lies within r = sqrt(2 gap / gamma) of a.
// Hence
//   |u_j(a*)| <= |u_j(a)| + r |x_j|,
// and where this is below l1, w_j* = 0: for l2 = 0 by complementarity, for l2 > 0 because
// w* = S(-u*, l1) / l2. On a side where w_j has the bound 0 it need not be below. With a free
// intercept a* - a is orthogonal to the constant, and |x_j| may be taken of the centred column.
class Screening {
 public:
  Screening(const LinearProblem& problem, const Columns& x, Tick& tick)
      : norm_(x.dim()), live_(x.dim()) {
    const RowVec h = problem.rows.weights / problem.rows.total_weight;
    for (Index j = 0; j < x.dim(); ++j) {
      const Columns::Moments m = x.moments(j, h.local());
      const double centre = problem.losses.free_intercept ? m.first * m.first : 0.0;
      // not below the rounding of the difference: a norm too small would not be safe
      norm_[j] = std::sqrt(std::max(m.second - centre, rounding::dust * m.second));
      live_[j] = j;
      tick.row(j);
    }
  }

  // Removes, for good, the columns that are zero in every optimum, and returns them. u and gap
  // belong to one feasible dual point; `rounding` is what the gap may be wrong by.
  std::vector<Index> remove(const ElasticNet& g, double gamma, const Vec& u, double gap,
                            double rounding) {
    const double radius = std::sqrt(2 * (std::max(gap, 0.0) + rounding) / gamma);
    const auto stays = [&](Index j) {
      const double room = g.l1_of(j) * rounding::lowered - radius * norm_[j];
      const bool grows = g.upper(j) > 0 && !(-u[j] < room);
      const bool falls = g.lower(j) < 0 && !(u[j] < room);
      return grows || falls;
    };
    const auto out = std::stable_partition(live_.begin(), live_.end(), stays);
    const std::vector<Index> removed(out, live_.end());
    live_.erase(out, live_.end());
    return removed;
  }

  const std::vector<Index>& live() const { return live_; }
  const Vec& norms() const { return norm_; }  // weighted, of the columns

 private:
  Vec norm_;
  std::vector<Index> live_;
};

}  // namespace

Solution lasso(const LinearProblem& problem, const LassoOptions& options, const Solution& start,
               Sampler&, Run& run) {
  const ElasticNet& g = problem.penalty;
  const Columns x = problem.columns();
  Screening screening(problem, x, run);
  Best incumbent(run.iterate());
  Vec gradient;         // u at the slopes
  Vec best_dual_sum;    // u of the incumbent's dual point
  double rounding = 0;  // of its certificate
  double l1 = 0;        // of the stage
  ColumnView view(problem, run, x);
  ProximalNewton descent(problem, run, view);
  const bool cold = start.w.size() != x.dim();
  descent.start(cold ? Vec::Zero(x.dim()) : start.w, start.b);

  const auto offer_dual_point = [&](RowVec a) {
    problem.losses.balance(a);
    Vec u = descent.dual_sum(a, screening.live());
    SummedDual dual{{std::move(a)}, u};
    const ScoredPrimal primal{{descent.w(), descent.b()}, descent.scores()};
    const Certificate c = problem.certify(primal, dual, run);
    incumbent.offer_primal(primal, c.value, c.rounding);
    if (c.bound > incumbent.bound()) {
      best_dual_sum = dual.u;
      rounding = c.rounding;
    }
    incumbent.offer_dual(dual, c.bound);
    return u;
  };
  // Of the columns that are left: what was screened is zero in every optimum, so that a bound for
  // the others is a bound for all. The last word is said on all columns.
  const auto carried = [&] {
    gradient = offer_dual_point(descent.slope());
    return incumbent.certificate();
  };
  const auto exact = [&] { return certify_best(problem, incumbent, run); };

  if (start.a.size() == problem.n()) offer_dual_point(start.a);
  // A large set is reached by way of larger l1, each solution the start of the next: there few
  // columns are in use, and steps on too few of them would be steps of another problem.
  while (run.proceed(carried, exact, 0)) {
    const double gap = std::max(incumbent.value() - incumbent.bound(), 0.0);
    // a first point without numbers leaves no dual point to screen by
    if (options.screening && best_dual_sum.size() > 0) {
      // twice, as the scores are carried along
      descent.discard(screening.remove(g, problem.losses.gamma(), best_dual_sum, gap, 2 * rounding),
                      [&](Index j, double step, RowVec& z) { view.add_column(j, step, z); });
    }
    const bool few = static_cast<Index>(screening.live().size()) <= 3 * options.working_set;
    const double ahead = few ? 0 : 0.4 * (l1 == 0 ? gradient.cwiseAbs().maxCoeff() : l1);
    l1 = std::max(g.l1, ahead);
    const bool last = l1 == g.l1;
    if (!last) run.renew_patience();
    const ElasticNet stage{l1, g.l2, g.columns};
    descent.penalise(stage);
    view.restrict_to(working_set(screening.live(), stage, descent.w(), gradient, screening.norms(),
                                 {options.working_set}),
                     last ? 0.03 : 0.1, last ? 60 : 10);
    descent.renew();
    for (int step = 0; step < (last ? 12 : 1) && !run.exhausted(); ++step) {
      if (descent.gap() <= (last ? 0.1 * gap : 0)) break;
      descent.aim();
      if (!run.in_time() || !descent.move()) break;
    }
  }
  return {incumbent.primal(), incumbent.dual(), "lasso"};
}

}  // namespace dualmargin::linear
