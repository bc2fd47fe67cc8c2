// The search of along_search.h as a template: for along_search.cpp, and for the folds of the tests.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "base/rounding.h"
#include "decide/along_search.h"

namespace dualmargin::decide {

template <class Folds>
PenaltySearch<Folds>::PenaltySearch(const Folds& folds, Fit fit, Team& team, Tick& tick)
    : folds_(folds), fit_(std::move(fit)), team_(team), tick_(tick) {
  for (const Fold& fold : folds) {
    found_.total += fold.total();
    always_ += fold.always();
  }
}

template <class Folds>
Search PenaltySearch<Folds>::run(const SearchLimits& limits) && {
  const double tiny = rounding::of_order * found_.total, allow = limits.eps * found_.total;
  begin(limits);
  for (;;) {
    double best = HUGE_VAL;
    for (const Point& p : points_) best = std::min(best, p.errors.upper);
    const double target = best - allow - tiny;
    bool open = false;
    std::size_t chosen = intervals_.size();
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      Interval& one = intervals_[i];
      if (!(one.lowest < target)) {
        one.folds.clear();
        continue;
      }
      open = true;
      if (one.width() > narrow &&
          (chosen == intervals_.size() || goes_before(one, intervals_[chosen], tiny))) {
        chosen = i;
      }
    }
    forget_points();
    if (!open) break;
    if (chosen == intervals_.size()) {
      found_.ended = "narrow";
      break;
    }
    if (static_cast<Index>(points_.size()) >= limits.most) {
      found_.ended = "points";
      break;
    }
    split(chosen, target);
  }
  found_.points.assign(points_.begin(), points_.end());
  found_.intervals.assign(intervals_.begin(), intervals_.end());
  return std::move(found_);
}

template <class Folds>
void PenaltySearch<Folds>::forget_points() {
  const auto closed = [&](std::size_t i) {
    return i >= intervals_.size() || intervals_[i].folds.empty();
  };
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if ((i == 0 || closed(i - 1)) && closed(i)) points_[i].folds.clear();
  }
}

template <class Folds>
bool PenaltySearch<Folds>::goes_before(const SearchInterval& a, const SearchInterval& b,
                                       double tiny) {
  if (std::abs(a.lowest - b.lowest) > tiny) return a.lowest < b.lowest;
  return a.width() > b.width();
}

template <class Folds>
void PenaltySearch<Folds>::for_folds(FunctionRef<void(Index, Tick&)> f) {
  team_.for_chunks(static_cast<Index>(folds_.size()), f, tick_);
}

template <class Folds>
void PenaltySearch<Folds>::begin(const SearchLimits& limits) {
  const double decades = std::log10(limits.high / limits.low);
  const auto few = static_cast<Index>(std::clamp(std::ceil(3 * decades) + 1, 5.0, 25.0));
  const Index count = std::min(few, limits.most);
  const auto folds = folds_.size();
  auto& points = points_;
  auto& intervals = intervals_;
  points.resize(static_cast<std::size_t>(count));
  intervals.resize(points.size() - 1);
  for (Index i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    points[i].lambda = std::exp((1 - share) * std::log(limits.low) + share * std::log(limits.high));
    points[i].folds.resize(folds);
  }
  points.front().lambda = limits.low;
  points.back().lambda = limits.high;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    intervals[i].from = std::log(points[i].lambda);
    intervals[i].to = std::log(points[i + 1].lambda);
    intervals[i].folds.resize(folds);
  }
  std::vector<std::vector<ErrorCount>> errors(folds);
  for_folds([&](Index k, Tick& t) {
    Solution start;
    for (Index i = count - 1; i >= 0; --i) {
      start = fit_(k, points[i].lambda, start, t);
      points[i].folds[k] = folds_[k].point(start, points[i].lambda, t);
    }
    for (Index i = 0; i + 1 < count; ++i) {
      intervals[i].folds[k] =
          folds_[k].between(points[i].folds[k], points[i + 1].folds[k], nullptr, t);
    }
    for (Index i = 0; i < count; ++i) {
      std::vector<const Between*> beside;
      if (i > 0) beside.push_back(&intervals[i - 1].folds[k]);
      if (i + 1 < count) beside.push_back(&intervals[i].folds[k]);
      errors[k].push_back(folds_[k].errors(*points[i].folds[k], beside, t));
    }
  });
  for (const auto& of_fold : errors) {
    for (Index i = 0; i < count; ++i) add(points[i].errors, of_fold[i]);
  }
  for (Interval& one : intervals) find_steps(one);
}

template <class Folds>
void PenaltySearch<Folds>::split(std::size_t at, double target) {
  const auto folds = folds_.size();
  const Point &low = points_[at], &high = points_[at + 1];
  const Interval& around = intervals_[at];
  Point point;
  point.lambda = std::exp(around.middle(target));
  point.folds.resize(folds);
  Interval left, right;
  left.from = around.from;
  left.to = right.from = std::log(point.lambda);
  right.to = around.to;
  left.folds.resize(folds);
  right.folds.resize(folds);
  std::vector<ErrorCount> errors(folds);
  const double share = (point.lambda - low.lambda) / (high.lambda - low.lambda);
  for_folds([&](Index k, Tick& t) {
    const Solution start = folds_[k].start(*low.folds[k], *high.folds[k], share);
    point.folds[k] = folds_[k].point(fit_(k, point.lambda, start, t), point.lambda, t);
    const Between* parent = &around.folds[k];
    left.folds[k] = folds_[k].between(low.folds[k], point.folds[k], parent, t);
    right.folds[k] = folds_[k].between(point.folds[k], high.folds[k], parent, t);
    errors[k] = folds_[k].errors(*point.folds[k], {&left.folds[k], &right.folds[k]}, t);
  });
  for (const ErrorCount& e : errors) add(point.errors, e);
  find_steps(left);
  find_steps(right);
  intervals_[at] = std::move(right);
  const auto place = static_cast<std::ptrdiff_t>(at);
  intervals_.insert(intervals_.begin() + place, std::move(left));
  points_.insert(points_.begin() + place + 1, std::move(point));
}

template <class Folds>
void PenaltySearch<Folds>::find_steps(Interval& one) {
  StepsOf all;
  for (std::size_t k = 0; k < folds_.size(); ++k) {
    for (Index i = 0; i < folds_[k].count(); ++i)
      all.add(one.folds[k].spans[i], folds_[k].weight(i));
    one.folds[k].forget_ends();
  }
  one.steps = all.steps(one.from, one.to, always_);
  one.lowest = one.steps.lowest();
}

template <class Folds>
void PenaltySearch<Folds>::add(ErrorCount& total, const ErrorCount& more) {
  total.lower += more.lower;
  total.upper += more.upper;
  total.undecided += more.undecided;
}

}  // namespace dualmargin::decide
