#include "decide/left_out.h"

#include <utility>

namespace dualmargin::decide {

LeftOut::LeftOut(const Problems& problems, const LeftOutLosses& losses, Sets sets, double precision,
                 Effort effort, Tick& tick)
    : LeftOutRounds(std::move(sets), losses.n(), precision),
      problems_(problems),
      losses_(losses),
      set_of_(static_cast<std::size_t>(losses.n())) {
  begin(tick);
  if (effort == Effort::none) return;
  // of several classes one step first, for all of them; then as many as it takes
  if (losses_.several() || effort == Effort::one) solve(open_sets(), true, tick);
  if (effort == Effort::all) rounds(losses_.kind() != LeftOutLosses::Kind::none, tick);
}

void LeftOut::begin(Tick& tick) {
  std::vector<bool> spent(sets().size(), true);
  for (std::size_t s = 0; s < spent.size(); ++s) {
    for (const Index i : sets()[s]) set_of_[i] = s;
  }
  for (const auto& problem : problems_) {
    Ends known = alone() ? problem->bounds(tick) : std::move(region::nothing_of(losses_.n(), 1)[0]);
    std::vector<bool> gone;
    for (std::size_t s = 0; s < spent.size(); ++s) {
      const int left = problem->class_left(sets()[s]);
      gone.push_back(left != 0);
      if (left == 0) spent[s] = false;
      for (const Index i : sets()[s]) {
        if (left == 0) continue;
        known.low[i] = known.high[i] = left * HUGE_VAL;
        by[i] = LeftOutBy::no_optimum;
      }
    }
    ends.push_back(std::move(known));
    gone_.push_back(std::move(gone));
  }
  for (std::size_t s = 0; s < spent.size(); ++s) spend(s, spent[s]);
  count_undecided();
}

double LeftOut::in_training() const {
  std::vector<Ends> trained;
  for (const auto& problem : problems_) trained.push_back({problem->scores(), problem->scores()});
  return losses_.sum(trained);
}

bool LeftOut::open(Index i, const Interval& at, const Round& round) const {
  const std::size_t s = set_of_[i];
  const double target = round.target[s] / static_cast<double>(sets()[s].size());
  if (losses_.several()) {
    // the loss changes by no more than twice the sum of what the scores do
    const double width = 2 * static_cast<double>(problems_.size()) * losses_.weight(i) * at.width();
    return width > target || round.open[s];
  }
  if (losses_.of_classes() && at.low < 0 && at.high >= 0) return true;
  const double wide = width(losses_.at(i, at));
  return !std::isfinite(wide) || wide > target;
}

bool LeftOut::still_open(const Leaving& set, const Round& round) const {
  for (std::size_t j = 0; j < set.out.size(); ++j) {
    if (open(set.out[j], set.ends[j], round)) return true;
  }
  return false;
}

bool LeftOut::still_open(std::size_t s, const Round& round) const {
  return any(s, [&](Index i) {
    for (const Ends& of : ends) {
      if (open(i, {of.low[i], of.high[i]}, round)) return true;
    }
    return false;
  });
}

void LeftOut::solve(const Round& round, Tick& tick) {
  solve(round, false, tick);
  for (std::size_t s = 0; s < sets().size(); ++s) {
    if (round.todo[s]) spend(s, still_open(s, round));
  }
}

void LeftOut::solve(const Round& round, bool once, Tick& tick) {
  for (std::size_t k = 0; k < problems_.size(); ++k) {
    std::vector<Leaving> leaving;
    for (std::size_t s = 0; s < sets().size(); ++s) {
      if (!round.todo[s] || gone_[k][s]) continue;
      leaving.push_back({sets()[s], 0, {}});
      count_solved(s);
    }
    if (leaving.empty()) continue;
    const std::vector<How> how = problems_[k]->solve(
        leaving, [&](const Leaving& set) { return !once && still_open(set, round); }, tick);
    for (std::size_t s = 0; s < leaving.size(); ++s) {
      for (std::size_t j = 0; j < leaving[s].out.size(); ++j) {
        const Index i = leaving[s].out[j];
        ends[k].intersect(i, leaving[s].ends[j]);
        by[i] = how[s] == How::step ? LeftOutBy::step : LeftOutBy::refit;
      }
    }
  }
}

}  // namespace dualmargin::decide
