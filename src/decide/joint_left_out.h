// Rows that leave a fit of all classes in one problem: bounds for all rows alone, then those sets
// solved in which a class is open, and those whose losses are known least, until the sum of the
// losses is known to a share `precision` of it.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "decide/joint_problem.h"
#include "decide/joint_removal.h"
#include "region/classes.h"

namespace dualmargin::decide {

// precision: infinite where classes are all that is asked for; weight: of a row's loss in the sum.
struct JointRemovals {
  std::vector<std::vector<Index>> sets;
  double precision = HUGE_VAL;
  RowVec weight;
};

template <class Data>
class JointLeftOut {
 public:
  enum class By { bound, step, refit, no_optimum };

  std::vector<Ends> ends;  // of each class, as differences to the class of the row
  std::vector<By> by;
  Index undecided = 0;  // rows whose class the fit alone leaves open
  Index solved = 0;     // sets

  JointLeftOut(const JointFit<Data>& fit, const JointRemovals& asked, Tick& tick)
      : fit_(fit),
        asked_(asked),
        rows_(fit.moved, fit.given.problem.own, fit.classes()),
        by_set_(asked.sets.size(), By::bound),
        spent_(asked.sets.size(), false) {
    const bool alone = static_cast<Index>(asked_.sets.size()) == fit_.n();
    ends = alone ? JointRemoval<Data>(fit_).bounds(tick) : nothing_of(fit_.n(), fit_.classes());
    without_class();
    for (Index i = 0; i < fit_.n(); ++i) undecided += region::certain_class(ends, i) < 0;
    std::vector<double> target(asked_.sets.size(), HUGE_VAL);
    for (int round = 0; round < 8; ++round) {
      const std::vector<std::size_t> todo = next(target, round == 0);
      if (todo.empty()) break;
      solve(todo, target, tick);
    }
    for (std::size_t s = 0; s < by_set_.size(); ++s) {
      solved += by_set_[s] == By::step || by_set_[s] == By::refit;
    }
    by.assign(static_cast<std::size_t>(fit_.n()), By::bound);
    for (std::size_t s = 0; s < by_set_.size(); ++s) {
      for (const Index i : asked_.sets[s]) by[i] = gone_[s] ? By::no_optimum : by_set_[s];
    }
  }

  // From the least to the largest 2 omega log sum_c e^(z_c - z_y).
  Interval loss(Index i) const {
    if (!(asked_.weight[i] > 0)) return {0, 0};
    const Index y = fit_.given.problem.own[i];
    double least = 0, most = 0;
    for (std::size_t c = 0; c < ends.size(); ++c) {
      if (static_cast<Index>(c) == y) continue;
      least += std::exp(ends[c].low[i] - ends[y].high[i]);
      most += std::exp(ends[c].high[i] - ends[y].low[i]);
    }
    if (std::isnan(least)) least = 0;
    if (std::isnan(most)) most = HUGE_VAL;
    return {2 * asked_.weight[i] * std::log1p(least) * (1 - 1e-12),
            2 * asked_.weight[i] * std::log1p(most) * (1 + 1e-12)};
  }

 private:
  // Without all rows of a class and free intercepts what the fit says of the others is void.
  void without_class() {
    const auto k = static_cast<std::size_t>(fit_.classes());
    std::vector<Index> count(k, 0);
    const std::vector<Index>& own = fit_.given.problem.own;
    for (Index i = 0; i < fit_.n(); ++i) count[own[i]] += fit_.given.omega[i] > 0;
    for (const std::vector<Index>& set : asked_.sets) {
      std::vector<Index> left = count;
      for (const Index i : set) left[own[i]] -= fit_.given.omega[i] > 0;
      const auto emptied = [&](std::size_t c) { return left[c] == 0 && count[c] > 0; };
      bool gone = false;
      for (std::size_t c = 0; c < k; ++c) gone = gone || (fit_.free() && emptied(c));
      gone_.push_back(gone);
      for (std::size_t c = 0; gone && c < k; ++c) {
        for (const Index i : set) {
          ends[c].low[i] = -HUGE_VAL;
          ends[c].high[i] = emptied(c) ? -HUGE_VAL : HUGE_VAL;
        }
      }
    }
  }

  bool open(std::size_t s, double target) const {
    for (const Index i : asked_.sets[s]) {
      if (region::certain_class(ends, i) < 0) return true;
    }
    return width(s) > target;
  }
  // an infinite loss that is known has none
  double width(std::size_t s) const {
    double sum = 0;
    for (const Index i : asked_.sets[s]) {
      const Interval at = loss(i);
      sum += at.low == at.high ? 0 : at.high - at.low;
    }
    return sum;
  }

  // Sets to solve, and the width that is left to their losses. Half of the room that the sum has is
  // for those that stay as they are, half for those that are solved.
  std::vector<std::size_t> next(std::vector<double>& target, bool first) const {
    const std::size_t count = asked_.sets.size();
    std::vector<bool> todo(count, false);
    std::vector<double> width_of(count, 0);
    for (std::size_t s = 0; s < count; ++s) {
      todo[s] = !spent_[s] && open(s, HUGE_VAL);
      target[s] = HUGE_VAL;
      width_of[s] = width(s);
    }
    if (std::isfinite(asked_.precision)) {
      double least = 0, room = 0, all = 0;
      for (Index i = 0; i < fit_.n(); ++i) least += finite(loss(i).low);
      if (first) least = std::max(least, in_training());
      room = asked_.precision * least;
      std::vector<std::size_t> order;
      for (std::size_t s = 0; s < count; ++s) {
        if (spent_[s]) room -= finite(width_of[s]);
        if (spent_[s]) continue;
        all += width_of[s];
        order.push_back(s);
      }
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return width_of[a] < width_of[b]; });
      double sum = 0;
      std::vector<std::size_t> wide;
      for (const std::size_t s : order) {
        sum += width_of[s];
        if (all > room && room > 0 && !(sum <= room / 2)) wide.push_back(s);
        // an infinite loss is worth a step whatever the precision
        if (!std::isfinite(width_of[s])) todo[s] = true;
      }
      for (const std::size_t s : wide) {
        todo[s] = true;
        target[s] = room / 2 / static_cast<double>(wide.size());
      }
    }
    std::vector<std::size_t> chosen;
    for (std::size_t s = 0; s < count; ++s) {
      if (todo[s]) chosen.push_back(s);
    }
    return chosen;
  }
  static double finite(double x) { return std::isfinite(x) ? x : 0.0; }
  double in_training() const {
    return fit_.rows.sum([&](Index i) {
      const auto z = fit_.pair.z.row(i);
      const double top = z.maxCoeff();
      const double loss =
          std::log((z.array() - top).exp().sum()) + top - z[fit_.given.problem.own[i]];
      return asked_.weight[i] > 0 ? 2 * asked_.weight[i] * loss : 0.0;
    });
  }

  void solve(const std::vector<std::size_t>& todo, const std::vector<double>& target, Tick& tick) {
    std::vector<char> left(todo.size(), 0);  // written side by side
    const auto one = [&](Index at, Tick& t) {
      const std::size_t s = todo[at];
      const std::vector<Index>& set = asked_.sets[s];
      RowVec omega = fit_.given.omega;
      for (const Index i : set) omega[i] = 0;
      if (std::none_of(omega.data(), omega.data() + omega.size(), [](double o) { return o > 0; })) {
        left[at] = 1;
        return;
      }
      JointChanged<Data> changed(fit_, std::move(omega), fit_.given.problem.own, t);
      const Mat norms = rows_.norms(fit_.factor, fit_.free(), set, t);
      const auto more = [&] { return open(s, target[s]); };
      const JointWay way = settle(changed, rows_, set, norms, ends, more, t);
      if (way != JointWay::pair) by_set_[s] = way == JointWay::step ? By::step : By::refit;
      left[at] = more();
    };
    fit_.rows.team.for_chunks(static_cast<Index>(todo.size()), one, tick);
    for (std::size_t at = 0; at < todo.size(); ++at) spent_[todo[at]] = left[at] != 0;
  }

  const JointFit<Data>& fit_;
  const JointRemovals& asked_;
  const AskedJointIn<Data> rows_;
  std::vector<By> by_set_;
  std::vector<bool> spent_, gone_;  // sets that rounding keeps open; that leave no row of a class
};

}  // namespace dualmargin::decide
