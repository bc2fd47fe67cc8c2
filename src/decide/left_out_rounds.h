// Which sets that leave a fit are solved, in rounds: first those in which a class is open, with them
// those whose losses are known least, until the sum of the losses is known to a share of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "region/region.h"

namespace dualmargin::decide {

using region::Interval;

// How what is known of a row was found; no_optimum: without it the problem has none.
enum class LeftOutBy { bound, step, refit, no_optimum };

// Sets to solve, those of them in which a class is open, and what width is left to the losses of
// each.
struct Round {
  std::vector<bool> todo, open;
  std::vector<double> target;
};

class LeftOutRounds {
 public:
  using Sets = std::vector<std::vector<Index>>;

  std::vector<LeftOutBy> by;  // of each row
  Index undecided = 0;        // rows whose class the fit alone leaves open
  Index solved = 0;           // sets

  LeftOutRounds(const LeftOutRounds&) = delete;
  virtual ~LeftOutRounds() = default;

  // From the least to the largest loss of a row.
  virtual Interval loss(Index i) const = 0;

 protected:
  // precision: infinite where no width is asked for
  LeftOutRounds(Sets sets, Index n, double precision)
      : by(static_cast<std::size_t>(n), LeftOutBy::bound),
        sets_(std::move(sets)),
        spent_(sets_.size(), false),
        was_solved_(sets_.size(), false),
        precision_(precision) {}

  const Sets& sets() const { return sets_; }
  bool alone() const { return sets_.size() == by.size(); }

  void rounds(bool of_losses, Tick& tick) {
    for (int count = 0; count < 8; ++count) {
      const Round next = of_losses ? with_losses(open_sets(), count == 0) : open_sets();
      if (std::find(next.todo.begin(), next.todo.end(), true) == next.todo.end()) return;
      solve(next, tick);
    }
  }
  Round open_sets() const {
    std::vector<bool> open(sets_.size());
    for (std::size_t s = 0; s < sets_.size(); ++s) open[s] = !spent_[s] && is_open(s);
    return {open, open, std::vector<double>(sets_.size(), HUGE_VAL)};
  }
  bool is_open(std::size_t s) const {
    return any(s, [&](Index i) { return !decided(i); });
  }
  template <class Holds>
  bool any(std::size_t s, Holds holds) const {
    return std::any_of(sets_[s].begin(), sets_[s].end(), holds);
  }
  void count_undecided() {
    for (std::size_t i = 0; i < by.size(); ++i) undecided += !decided(static_cast<Index>(i));
  }
  // Is it without an optimum, or kept wide by rounding, so that nothing is solved again?
  void spend(std::size_t s, bool spent) { spent_[s] = spent; }
  void count_solved(std::size_t s) {
    if (!was_solved_[s]) ++solved;
    was_solved_[s] = true;
  }

  // of an infinite loss that is known 0
  static double width(const Interval& loss) { return loss.low == loss.high ? 0.0 : loss.width(); }
  double width(std::size_t s) const {
    double sum = 0;
    for (const Index i : sets_[s]) sum += width(loss(i));
    return sum;
  }

 private:
  virtual bool decided(Index i) const = 0;
  virtual double in_training() const = 0;  // the sum of the losses
  virtual void solve(const Round& round, Tick& tick) = 0;

  // The budget is `precision` times what the losses sum to at least; in the first round, when that
  // is little, what they are in training, which no removal improves. Half of what solved sets leave
  // of it is for those that stay as they are, the other half for those that are solved.
  Round with_losses(Round round, bool first) const {
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
  static double finite(double x) { return std::isfinite(x) ? x : 0.0; }

  const Sets sets_;
  std::vector<bool> spent_, was_solved_;
  double precision_;
};

}  // namespace dualmargin::decide
