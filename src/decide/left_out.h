// What leaving rows out solves, in rounds: first the rows whose class is open, with them those
// whose losses are known least, until the sum of the losses is known to a share `precision` of it.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "decide/leaving.h"
#include "decide/left_out_losses.h"

namespace dualmargin::decide {

// none: what the fit alone tells; one: one step of each set whose class it leaves open.
enum class Effort { none, one, all };

class LeftOut {
 public:
  using Problems = std::vector<std::unique_ptr<Removable>>;
  using Sets = std::vector<std::vector<Index>>;
  enum class By { bound, step, refit, no_optimum };

  std::vector<Ends> ends;  // of each class problem
  std::vector<By> by;      // of each row
  Index undecided = 0;     // rows whose class the fit alone leaves open
  Index solved = 0;        // sets

  LeftOut(const Problems& problems, const LeftOutLosses& losses, Sets sets, double precision,
          Effort effort, Tick& tick)
      : problems_(problems),
        losses_(losses),
        sets_(std::move(sets)),
        precision_(precision),
        spent_(sets_.size(), true),
        was_solved_(sets_.size(), false) {
    begin(tick);
    if (effort == Effort::none) return;
    // of several classes one step first, for all of them; then as many as it takes
    if (losses_.several() || effort == Effort::one) {
      Aim once{open_sets(), {}, {}};
      once.once = true;
      solve(once, tick);
    }
    for (int round = 0; round < 8 && effort == Effort::all; ++round) {
      const Aim aim = next_aim(round == 0);
      if (std::find(aim.todo.begin(), aim.todo.end(), true) == aim.todo.end()) break;
      solve(aim, tick);
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        if (aim.todo[s]) spent_[s] = still_open(s, aim);
      }
    }
    solved = std::count(was_solved_.begin(), was_solved_.end(), true);
  }

 private:
  // Sets that are solved, rows whose class is open, and to what width of its loss each row.
  struct Aim {
    std::vector<bool> todo, deep;
    std::vector<double> target;
    bool once = false;
  };

  void begin(Tick& tick) {
    const Index n = losses_.n();
    by.assign(static_cast<std::size_t>(n), By::bound);
    const bool alone = static_cast<Index>(sets_.size()) == n;
    for (const auto& problem : problems_) {
      Ends known{RowVec::Constant(n, -HUGE_VAL), RowVec::Constant(n, HUGE_VAL)};
      if (alone) known = problem->bounds(tick);
      std::vector<bool> gone;
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        const int left = problem->class_left(sets_[s]);
        gone.push_back(left != 0);
        if (left == 0) spent_[s] = false;
        for (const Index i : sets_[s]) {
          if (left == 0) continue;
          known.low[i] = known.high[i] = left * HUGE_VAL;
          by[i] = By::no_optimum;
        }
      }
      ends.push_back(std::move(known));
      gone_.push_back(std::move(gone));
    }
    for (Index i = 0; i < n; ++i) undecided += !losses_.decided(i, ends);
  }

  template <class Holds>
  bool any(std::size_t s, Holds holds) const {
    return std::any_of(sets_[s].begin(), sets_[s].end(), holds);
  }
  std::vector<bool> open_sets() const {
    std::vector<bool> open(sets_.size());
    for (std::size_t s = 0; s < open.size(); ++s) {
      open[s] = !spent_[s] && any(s, [&](Index i) { return !losses_.decided(i, ends); });
    }
    return open;
  }

  // Is a class of the rows open, or a loss wider than aimed at? of one class problem
  bool open(const Leaving& set, const Aim& aim) const {
    if (aim.once) return false;
    for (std::size_t j = 0; j < set.out.size(); ++j) {
      if (open(set.out[j], set.ends[j], aim)) return true;
    }
    return false;
  }
  bool open(Index i, const Interval& at, const Aim& aim) const {
    if (losses_.several()) {
      // the loss changes by no more than twice the sum of what the scores do
      const double far = 2 * static_cast<double>(problems_.size()) * losses_.weight(i) * at.width();
      return far > aim.target[i] || aim.deep[i];
    }
    if (losses_.of_classes() && at.low < 0 && at.high >= 0) return true;
    const double width = LeftOutLosses::width(losses_.at(i, at));
    return !std::isfinite(width) || width > aim.target[i];
  }
  bool still_open(std::size_t s, const Aim& aim) const {
    return any(s, [&](Index i) {
      for (const Ends& of : ends) {
        if (open(i, {of.low[i], of.high[i]}, aim)) return true;
      }
      return false;
    });
  }

  // Each until it is as the aim has it for every class problem.
  void solve(const Aim& aim, Tick& tick) {
    for (std::size_t k = 0; k < problems_.size(); ++k) {
      std::vector<Leaving> leaving;
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        if (!aim.todo[s] || gone_[k][s]) continue;
        leaving.push_back({sets_[s], 0, {}});
        was_solved_[s] = true;
      }
      if (leaving.empty()) continue;
      const std::vector<How> how = problems_[k]->solve(
          leaving, [&](const Leaving& set) { return open(set, aim); }, tick);
      for (std::size_t s = 0; s < leaving.size(); ++s) {
        for (std::size_t j = 0; j < leaving[s].out.size(); ++j) {
          const Index i = leaving[s].out[j];
          const Interval& at = leaving[s].ends[j];
          if (at.low > ends[k].low[i]) ends[k].low[i] = at.low;
          if (at.high < ends[k].high[i]) ends[k].high[i] = at.high;
          by[i] = how[s] == How::step ? By::step : By::refit;
        }
      }
    }
  }

  // The budget is `precision` times what the losses sum to at least; in the first round, when that
  // is little, what they are in training, which no removal improves. Half of what solved rows leave
  // of it is for the rows that stay as they are, the other half for those that are solved.
  Aim next_aim(bool first) const {
    const Index n = losses_.n();
    Aim aim{open_sets(), std::vector<bool>(static_cast<std::size_t>(n), false),
            std::vector<double>(static_cast<std::size_t>(n), HUGE_VAL)};
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      for (const Index i : sets_[s]) aim.deep[i] = aim.todo[s];
    }
    if (losses_.kind() == LeftOutLosses::Kind::none) return aim;
    double least = 0;
    std::vector<double> width(sets_.size(), 0);
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      for (const Index i : sets_[s]) {
        const Interval loss = losses_.at(i, ends);
        if (std::isfinite(loss.low)) least += loss.low;
        width[s] += LeftOutLosses::width(loss);
      }
      // an infinite loss is worth a step whatever the precision
      if (!spent_[s] && !std::isfinite(width[s])) aim.todo[s] = true;
    }
    if (!std::isfinite(precision_)) return aim;
    if (first) least = std::max(least, in_training());
    double room = precision_ * least, all = 0;
    std::vector<std::size_t> by_width;
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      if (!spent_[s]) {
        all += width[s];
        by_width.push_back(s);
      } else if (std::isfinite(width[s])) {
        room -= width[s];
      }
    }
    if (all <= room || room <= 0) return aim;
    std::stable_sort(by_width.begin(), by_width.end(),
                     [&](std::size_t a, std::size_t b) { return width[a] < width[b]; });
    double sum = 0;
    std::vector<Index> wide;
    for (const std::size_t s : by_width) {
      sum += width[s];
      if (!(sum > room / 2)) continue;
      aim.todo[s] = true;
      wide.insert(wide.end(), sets_[s].begin(), sets_[s].end());
    }
    for (const Index i : wide) aim.target[i] = room / 2 / static_cast<double>(wide.size());
    return aim;
  }

  double in_training() const {
    std::vector<Ends> trained;
    for (const auto& problem : problems_) trained.push_back({problem->scores(), problem->scores()});
    double sum = 0;
    for (Index i = 0; i < losses_.n(); ++i) sum += losses_.at(i, trained).low;
    return sum;
  }

  const Problems& problems_;
  const LeftOutLosses& losses_;
  Sets sets_;
  double precision_;
  std::vector<bool> spent_;  // sets without an optimum, or that rounding keeps wide
  std::vector<bool> was_solved_;
  std::vector<std::vector<bool>> gone_;  // of each class problem: sets without an optimum
};

}  // namespace dualmargin::decide
