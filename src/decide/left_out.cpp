#include "decide/left_out.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dualmargin::decide {

namespace {

double finite(double x) { return std::isfinite(x) ? x : 0.0; }

// of an infinite loss that is known 0
double width_of(const Interval& loss) { return loss.low == loss.high ? 0.0 : loss.width(); }

Ends some_of(const Ends& all, const std::vector<Index>& rows) {
  const auto count = static_cast<Index>(rows.size());
  return {RowVec::of(count, [&](Index j) { return all.low[rows[j]]; }),
          RowVec::of(count, [&](Index j) { return all.high[rows[j]]; })};
}

}  // namespace

LeftOut::LeftOut(const Problems& problems, const LeftOutLosses& losses, Sets sets, double precision,
                 Effort effort, Tick& tick)
    : by(static_cast<std::size_t>(losses.n()), LeftOutBy::bound),
      problems_(problems),
      losses_(losses),
      sets_(std::move(sets)),
      precision_(precision),
      spent_(sets_.size(), true),
      was_solved_(sets_.size(), false),
      set_of_(by.size()) {
  constexpr int most_rounds = 8;
  begin(tick);
  if (effort == Effort::none) return;
  // of several class problems one step first, for all of them; then as many as it takes
  if (problems_.size() > 1 || effort == Effort::one) solve(open_sets(), true, tick);
  const bool of_losses = losses_.kind() != LeftOutLosses::Kind::none;
  for (int count = 0; effort == Effort::all && count < most_rounds; ++count) {
    const Round next = of_losses ? with_losses(open_sets(), count == 0) : open_sets();
    if (std::find(next.todo.begin(), next.todo.end(), true) == next.todo.end()) return;
    solve(next, tick);
  }
}

void LeftOut::begin(Tick& tick) {
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    for (const Index i : sets_[s]) set_of_[i] = s;
  }
  for (const auto& problem : problems_) {
    std::vector<Ends> known = alone() ? problem->bounds(tick) : problem->bounds(sets_, tick);
    std::vector<bool> gone;
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      const Optimum left = problem->optimum_left(sets_[s], known);
      gone.push_back(left == Optimum::none);
      if (left != Optimum::none) spent_[s] = false;
      if (left == Optimum::whole) continue;
      for (const Index i : sets_[s]) by[i] = LeftOutBy::no_optimum;
    }
    first_.push_back(ends.size());
    for (Ends& of : known) ends.push_back(std::move(of));
    gone_.push_back(std::move(gone));
  }
  for (Index i = 0; i < losses_.n(); ++i) undecided += !losses_.decided(ends, i);
}

LeftOut::Round LeftOut::open_sets() const {
  std::vector<bool> open(sets_.size());
  const auto undecided = [&](Index i) { return !losses_.decided(ends, i); };
  for (std::size_t s = 0; s < sets_.size(); ++s) open[s] = !spent_[s] && any(s, undecided);
  return {open, open, std::vector<double>(sets_.size(), HUGE_VAL)};
}

LeftOut::Round LeftOut::with_losses(Round round, bool first) const {
  double least = first && std::isfinite(precision_) ? in_training() : 0, known = 0, all = 0;
  std::vector<double> widths(sets_.size());
  std::vector<std::size_t> by_width;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    for (const Index i : sets_[s]) known += finite(loss(i).low);
    widths[s] = width(s);
    if (spent_[s]) continue;
    all += widths[s];
    by_width.push_back(s);
    // an infinite loss is worth a step whatever the precision
    if (!std::isfinite(widths[s])) round.todo[s] = true;
  }
  if (!std::isfinite(precision_)) return round;
  double room = precision_ * std::max(least, known);
  for (std::size_t s = 0; s < sets_.size(); ++s) room -= spent_[s] ? finite(widths[s]) : 0.0;
  if (all <= room || room <= 0) return round;
  std::stable_sort(by_width.begin(), by_width.end(),
                   [&](std::size_t a, std::size_t b) { return widths[a] < widths[b]; });
  double sum = 0, rows = 0;
  std::vector<std::size_t> wide;
  for (const std::size_t s : by_width) {
    sum += widths[s];
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

double LeftOut::in_training() const {
  std::vector<Ends> trained;
  for (const auto& problem : problems_) {
    for (const RowVec& z : problem->scores()) trained.push_back({z, z});
  }
  return losses_.sum(trained);
}

bool LeftOut::open(Index i, const std::vector<Ends>& known, Index at, const Round& round) const {
  if (!losses_.decided(known, at)) return true;
  const std::size_t s = set_of_[i];
  const double wide = width_of(losses_.at(i, known, at));
  return !std::isfinite(wide) || wide > round.target[s] / static_cast<double>(sets_[s].size());
}

bool LeftOut::open(Index i, const Interval& known, const Round& round) const {
  const std::size_t s = set_of_[i];
  // the loss changes by no more than twice the sum of what the scores do
  const double wide =
      2 * static_cast<double>(problems_.size()) * losses_.weight(i) * known.width();
  return wide > round.target[s] / static_cast<double>(sets_[s].size()) || round.open[s];
}

bool LeftOut::open(const Leaving& set, const Round& round) const {
  for (std::size_t j = 0; j < set.out.size(); ++j) {
    const auto at = static_cast<Index>(j);
    const Ends& own = set.ends[0];
    const bool more = problems_.size() > 1
                          ? open(set.out[j], Interval{own.low[at], own.high[at]}, round)
                          : open(set.out[j], set.ends, at, round);
    if (more) return true;
  }
  return false;
}

bool LeftOut::open(std::size_t s, const Round& round) const {
  return any(s, [&](Index i) {
    if (problems_.size() == 1) return open(i, ends, i, round);
    return std::any_of(ends.begin(), ends.end(), [&](const Ends& of) {
      return open(i, Interval{of.low[i], of.high[i]}, round);
    });
  });
}

void LeftOut::solve(const Round& round, Tick& tick) {
  solve(round, false, tick);
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    if (round.todo[s]) spent_[s] = open(s, round);
  }
}

void LeftOut::solve(const Round& round, bool once, Tick& tick) {
  for (std::size_t p = 0; p < problems_.size(); ++p) {
    std::vector<Leaving> leaving;
    std::vector<std::size_t> which;
    const auto first = ends.begin() + static_cast<std::ptrdiff_t>(first_[p]);
    const auto count = static_cast<std::ptrdiff_t>(problems_[p]->count());
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      if (!round.todo[s] || gone_[p][s]) continue;
      Leaving set{sets_[s], 0, {}};
      for (auto of = first; of != first + count; ++of) set.ends.push_back(some_of(*of, set.out));
      leaving.push_back(std::move(set));
      which.push_back(s);
    }
    if (leaving.empty()) continue;
    const std::vector<How> how = problems_[p]->solve(
        leaving, [&](const Leaving& set) { return !once && open(set, round); }, tick);
    for (std::size_t k = 0; k < leaving.size(); ++k) {
      if (how[k] == How::pair) continue;
      solved += !was_solved_[which[k]];
      was_solved_[which[k]] = true;
      for (const Index i : leaving[k].out) {
        if (by[i] == LeftOutBy::no_optimum) continue;
        by[i] = how[k] == How::step ? LeftOutBy::step : LeftOutBy::refit;
      }
    }
    for (const Leaving& set : leaving) {
      for (std::size_t j = 0; j < set.out.size(); ++j) {
        for (std::size_t c = 0; c < set.ends.size(); ++c) {
          const auto at = static_cast<Index>(j);
          ends[first_[p] + c].intersect(set.out[j], {set.ends[c].low[at], set.ends[c].high[at]});
        }
      }
    }
  }
}

bool LeftOut::any(std::size_t s, FunctionRef<bool(Index)> holds) const {
  return std::any_of(sets_[s].begin(), sets_[s].end(), holds);
}

double LeftOut::width(std::size_t s) const {
  double sum = 0;
  for (const Index i : sets_[s]) sum += width_of(loss(i));
  return sum;
}

}  // namespace dualmargin::decide
