#include "decide/joint_left_out.h"

#include <algorithm>
#include <utility>

#include "decide/joint_removal.h"

namespace dualmargin::decide {

JointLeftOut::JointLeftOut(const JointFit& fit, const LeftOutLosses& losses, Sets sets,
                           double precision, Tick& tick)
    : LeftOutRounds(std::move(sets), fit.n(), precision),
      fit_(fit),
      losses_(losses),
      rows_(fit.rows, fit.given.problem.own, fit.classes()) {
  ends = alone() ? removal_bounds(fit_, tick) : region::nothing_of(fit_.n(), fit_.classes());
  without_class();
  count_undecided();
  rounds(std::isfinite(precision), tick);
}

void JointLeftOut::without_class() {
  const auto k = static_cast<std::size_t>(fit_.classes());
  std::vector<Index> count(k, 0);
  const std::vector<Index>& own = fit_.given.problem.own;
  for (Index i = 0; i < fit_.n(); ++i) count[own[i]] += fit_.given.omega[i] > 0;
  for (const std::vector<Index>& set : sets()) {
    std::vector<Index> left = count;
    for (const Index i : set) left[own[i]] -= fit_.given.omega[i] > 0;
    const auto emptied = [&](std::size_t c) { return left[c] == 0 && count[c] > 0; };
    bool gone = false;
    for (std::size_t c = 0; c < k; ++c) gone = gone || (fit_.free() && emptied(c));
    if (!gone) continue;
    for (const Index i : set) {
      by[i] = LeftOutBy::no_optimum;
      for (std::size_t c = 0; c < k; ++c) {
        ends[c].low[i] = -HUGE_VAL;
        ends[c].high[i] = emptied(c) ? -HUGE_VAL : HUGE_VAL;
      }
    }
  }
}

double JointLeftOut::in_training() const {
  std::vector<Ends> trained;
  for (Index c = 0; c < fit_.classes(); ++c) {
    const RowVec z(Vec(fit_.pair.z.col(c)));
    trained.push_back({z, z});
  }
  return losses_.sum(trained);
}

void JointLeftOut::solve(const Round& round, Tick& tick) {
  std::vector<std::size_t> todo;
  for (std::size_t s = 0; s < round.todo.size(); ++s) {
    if (round.todo[s]) todo.push_back(s);
  }
  // written side by side
  std::vector<char> left(todo.size(), 0);
  std::vector<JointWay> ways(todo.size(), JointWay::pair);
  const auto one = [&](Index at, Tick& t) {
    const std::size_t s = todo[at];
    RowVec omega = fit_.given.omega;
    for (const Index i : sets()[s]) omega[i] = 0;
    if (std::none_of(omega.data(), omega.data() + omega.size(), [](double o) { return o > 0; })) {
      left[at] = 1;
      return;
    }
    JointChanged changed(fit_, std::move(omega), fit_.given.problem.own, t);
    const Mat norms = rows_.norms(fit_.factor, fit_.free(), sets()[s], t);
    const auto more = [&] { return is_open(s) || width(s) > round.target[s]; };
    ways[at] = settle(changed, rows_, sets()[s], norms, ends, more, t);
    left[at] = more();
  };
  fit_.rows.team.for_chunks(static_cast<Index>(todo.size()), one, tick);
  for (std::size_t at = 0; at < todo.size(); ++at) {
    spend(todo[at], left[at] != 0);
    if (ways[at] != JointWay::pair) mark(todo[at], ways[at]);
  }
}

void JointLeftOut::mark(std::size_t s, JointWay way) {
  count_solved(s);
  for (const Index i : sets()[s]) {
    if (by[i] != LeftOutBy::no_optimum) {
      by[i] = way == JointWay::step ? LeftOutBy::step : LeftOutBy::refit;
    }
  }
}

}  // namespace dualmargin::decide
