// Dual coordinate descent in random order, with shrinking.
// C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi and S. Sundararajan (2008), ICML, 408-415,
// Algorithm 3; for logistic loss H.-F. Yu, F.-L. Huang and C.-J. Lin (2011), Machine Learning 85,
// 41-75. All classes in one problem, the variables of a row at a time: S. S. Keerthi, S.
// Sundararajan, K.-W. Chang, C.-J. Hsieh and C.-J. Lin (2008), KDD, 408-416; for the multinomial
// logistic loss S. Shalev-Shwartz and T. Zhang (2016), Mathematical Programming 155, 105-145, section
// 5, who take a step of fixed length.
//
//   max_a  D(a),   one exact step in a row's variables after the other; a, w and, where intercepts are
//   free, b as in dual_state.h and joint_dual_state.h
//
//   violation  of a row: how far its score is from those at which phi has the slope a_i
//   range      the largest violation of a pass
//   active     the rows that are visited, in groups of neighbours where they are many: they are fetched
//              in the order of memory. A row leaves when its step stays at an end of a piece of
//              phi*, with a score farther from that end than the range of the pass before.
//
// A pass with a range of at most eps takes in all rows again; when it had all of them it asks for the
// certificate, and one that is not good enough lowers eps in proportion.
//
// differs: LIBLINEAR keeps two thresholds, for violations of either sign; here one, their larger.
// It stops when the range is small; here that only asks, and the duality gap stops.
#include <algorithm>
#include <numeric>
#include <vector>

#include "linear/cost_model.h"
#include "linear/dual_state.h"
#include "linear/joint_dual_state.h"
#include "linear/joint_solvers.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"

namespace dualmargin::linear {

namespace {

// From a score with the slope a at an end of its piece of phi*; beside a tube, from the nearest kink.
double distance_to_end(const Loss& loss, double z, double y, double a) {
  if (loss.smooth() || !loss.of_residual()) return std::abs(z - loss.score(a, y));
  double distance = HUGE_VAL;
  for (const Kink& kink : loss.kinks(y)) {
    if (kink.rise > 0) distance = std::min(distance, std::abs(z - kink.at));
  }
  return distance;
}

// How the rows of a fit are visited. price: of a certificate, in passes; width: of a group.
struct RowPasses {
  Index n, width;
  bool shrinks;
  double price;
};

// visit(i, threshold, range) takes the step of a row, raises the range to its violation, and is true
// where the row leaves.
template <class State, class Visit, class Certify>
void ascend(State& state, const RowPasses& rows, Visit visit, Certify certify, Sampler& sampler,
            Run& run) {
  constexpr Index gone = -1;
  std::vector<Index> active, order;  // order: of groups
  const auto take_all = [&] {
    active.resize(static_cast<std::size_t>(rows.n));
    std::iota(active.begin(), active.end(), Index{0});
  };
  take_all();
  double threshold = HUGE_VAL, eps = -1;  // eps: a share of the first range
  bool ask = false;
  const auto look = [&] {
    const Certificate c = certify();
    if (ask) {
      const double good = run.tolerance() * std::abs(c.value);
      eps *= std::clamp(0.7 * good / c.gap, 0.1, 0.7);
    }
    return c;
  };
  while (run.proceed(look, ask ? 0 : rows.price)) {
    double range = 0;
    const Index width = rows.width, visits = static_cast<Index>(active.size());
    order.resize(static_cast<std::size_t>((visits + width - 1) / width));
    std::iota(order.begin(), order.end(), Index{0});
    sampler.shuffle(width > 1 ? order : active);
    Index visited = 0;
    for (const Index group : order) {
      for (Index k = group * width; k < std::min(visits, (group + 1) * width); ++k) {
        if (visit(active[k], threshold, range)) active[k] = gone;
        run.tick().row(visited++);
      }
    }
    active.erase(std::remove(active.begin(), active.end(), gone), active.end());
    run.spend(static_cast<double>(visits) / static_cast<double>(rows.n));
    state.recentre_intercept();
    if (!rows.shrinks) continue;
    if (eps < 0) eps = 0.1 * range;
    ask = range <= eps && visits == rows.n;
    threshold = range <= eps ? HUGE_VAL : range;
    if (range <= eps) take_all();
  }
}

}  // namespace

Solution dual_cd(const LinearProblem& problem, const DualCdOptions& options, const Solution& start,
                 Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) {
    const Loss& loss = problem.losses.loss;
    const RowVec& y = problem.rows.y;
    const bool shrinks = options.shrink && has_flat_pieces(loss);
    DualState state(problem, rows, start, 0, run);
    Solution s = start;
    s.solver = "dual_cd";
    const auto certify = [&] {
      s.a = state.a();
      s.w = state.w();
      s.b = state.b();
      return problem.certify_dual(s, run);
    };
    const auto visit = [&](Index i, double threshold, double& range) {
      const auto [z, from, to] = state.ascend(i);
      if (!shrinks) return false;
      if (to == from) return threshold < HUGE_VAL && distance_to_end(loss, z, y[i], to) > threshold;
      range = std::max(range, std::abs(z - loss.score(0.5 * (from + to), y[i])));
      return false;
    };
    // rows of many columns are dear to read, and the range knows when that is worth it
    const double price = shrinks && problem.dim() > cost::wide ? 4 * dual_price : dual_price;
    const Index width = cost::neighbours(cost::table(problem.rows));
    ascend(state, {problem.n(), width, shrinks, price}, visit, certify, sampler, run);
    return s;
  });
}

JointSolution joint_dual_cd(const JointProblem& problem, bool shrink, const JointSolution& start,
                            Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) {
    const bool shrinks = shrink && !problem.losses.smooth();
    JointSolution s = problem.begin(start, "dual_cd");
    JointDualState state(problem, rows, s, run);
    JointBest best;
    const auto certify = [&] {
      s.a = state.a();
      s.w = -problem.dual_sum(s.a, run) / problem.penalty.l2;
      s.b = state.b();
      const Certificate c = problem.certify(s, run);
      best.offer_primal(s, c.value);
      best.offer_dual(s, c.bound);
      return c;
    };
    const auto visit = [&](Index i, double threshold, double& range) {
      const auto [moves, violation, distance] = state.ascend(i);
      if (moves) range = std::max(range, violation);
      return shrinks && !moves && distance > threshold;
    };
    // the dual value rises in every epoch, the gap need not fall
    run.be_patient(0.9);
    const Index width = cost::neighbours(cost::table(problem.rows));
    ascend(state, {problem.n(), width, shrinks, 1}, visit, certify, sampler, run);
    return best_of(problem, best, std::move(s), run);
  });
}

}  // namespace dualmargin::linear
