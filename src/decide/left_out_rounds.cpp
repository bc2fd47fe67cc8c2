#include "decide/left_out_rounds.h"

#include <algorithm>

#include "region/region.h"

namespace dualmargin::decide {

void LeftOutRounds::rounds(bool of_losses, Tick& tick) {
  for (int count = 0; count < 8; ++count) {
    const Round next = of_losses ? with_losses(open_sets(), count == 0) : open_sets();
    if (std::find(next.todo.begin(), next.todo.end(), true) == next.todo.end()) return;
    solve(next, tick);
  }
}

Round LeftOutRounds::open_sets() const {
  std::vector<bool> open(sets_.size());
  for (std::size_t s = 0; s < sets_.size(); ++s) open[s] = !spent_[s] && is_open(s);
  return {open, open, std::vector<double>(sets_.size(), HUGE_VAL)};
}

bool LeftOutRounds::is_open(std::size_t s) const {
  return any(s, [&](Index i) { return !decided(i); });
}

bool LeftOutRounds::any(std::size_t s, FunctionRef<bool(Index)> holds) const {
  return std::any_of(sets_[s].begin(), sets_[s].end(), holds);
}

void LeftOutRounds::count_undecided() {
  for (std::size_t i = 0; i < by.size(); ++i) undecided += !decided(static_cast<Index>(i));
}

void LeftOutRounds::count_solved(std::size_t s) {
  if (!was_solved_[s]) ++solved;
  was_solved_[s] = true;
}

double LeftOutRounds::width(std::size_t s) const {
  double sum = 0;
  for (const Index i : sets_[s]) sum += width(loss(i));
  return sum;
}

Round LeftOutRounds::with_losses(Round round, bool first) const {
  double least = first && std::isfinite(precision_) ? in_training() : 0, known = 0, all = 0;
  std::vector<double> width_of(sets_.size());
  std::vector<std::size_t> by_width;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    for (const Index i : sets_[s]) known += finite(loss(i).low);
    width_of[s] = width(s);
    if (spent_[s]) continue;
    all += width_of[s];
    by_width.push_back(s);
    // an infinite loss is worth a step whatever the precision
    if (!std::isfinite(width_of[s])) round.todo[s] = true;
  }
  if (!std::isfinite(precision_)) return round;
  double room = precision_ * std::max(least, known);
  for (std::size_t s = 0; s < sets_.size(); ++s) room -= spent_[s] ? finite(width_of[s]) : 0.0;
  if (all <= room || room <= 0) return round;
  std::stable_sort(by_width.begin(), by_width.end(),
                   [&](std::size_t a, std::size_t b) { return width_of[a] < width_of[b]; });
  double sum = 0, rows = 0;
  std::vector<std::size_t> wide;
  for (const std::size_t s : by_width) {
    sum += width_of[s];
    if (sum <= room / 2) continue;
    wide.push_back(s);
    rows += static_cast<double>(sets_[s].size());
  }
  for (const std::size_t s : wide) {
    round.todo[s] = true;
    round.target[s] = room / 2 * (static_cast<double>(sets_[s].size()) / rows);
  }
  return round;
}

}  // namespace dualmargin::decide
