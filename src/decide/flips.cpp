#include "decide/flips.h"

#include <numeric>

namespace dualmargin::decide {

std::vector<Prediction> FlipCount::bounds(const Scored& scores, Tick& tick) const {
  std::vector<Prediction> all(static_cast<std::size_t>(scores.own.size()));
  const auto one = [&](Index i, Tick& t) {
    Prediction& p = all[i];
    p.score = scores.given[i];
    p.off = std::abs(p.score - scores.own[i]) + scores.lost[i];
    p.room = std::max(0.0, std::abs(p.score) - p.off);
    p.side = p.score >= 0 ? 1 : -1;
    count(p, i, t);
  };
  team_.for_chunks(scores.own.size(), one, tick);
  return all;
}

void FlipCount::settle(std::vector<Prediction>& all, const Change& change, double refits,
                       Tick& tick) const {
  std::vector<std::vector<std::pair<Index, std::size_t>>> named(static_cast<std::size_t>(n_));
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = 0; k < all[i].rows.size(); ++k) {
      const Flip& flip = all[i].rows[k];
      if (flip.flips == Flips::open) named[flip.row].emplace_back(i, k);
    }
  }
  std::vector<Index> chosen(named.size());
  std::iota(chosen.begin(), chosen.end(), Index(0));
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](Index i, Index j) { return named[i].size() > named[j].size(); });
  while (!chosen.empty() &&
         (named[chosen.back()].empty() || static_cast<double>(chosen.size()) > refits)) {
    chosen.pop_back();
  }
  const auto solve = [&](Index c, Tick& t) {
    const Index j = chosen[c];
    Setting setting{omega_, {y_}, {}};
    setting.omega[j] = changes_.omega[j];
    setting.y[0][j] = changes_.y[j];
    for (const auto& [i, k] : named[j]) setting.some.push_back(i);
    const Ends ends = change.settled(setting, t).ends[0];
    for (const auto& [i, k] : named[j]) {
      const Prediction& p = all[i];
      Flip& flip = all[i].rows[k];
      const bool up = p.side > 0;
      if (up ? ends.high[i] < 0 : ends.low[i] >= 0) flip.flips = Flips::yes;
      if (up ? ends.low[i] >= 0 : ends.high[i] < 0) flip.flips = Flips::no;
      const double moved = up ? p.score - ends.low[i] : ends.high[i] - p.score;
      if (moved < flip.bound) flip.bound = moved;
    }
  };
  team_.for_chunks(static_cast<Index>(chosen.size()), solve, tick);
}

void FlipCount::conclude(std::vector<Prediction>& all) const {
  for (Prediction& p : all) {
    p.alone = p.proven = 0;
    for (const Flip& flip : p.rows) {
      if (!(omega_[flip.row] > 0)) continue;
      p.alone += flip.flips != Flips::no;
      p.proven += flip.flips == Flips::yes;
    }
    if (p.needed == 1 && p.alone == 0) p.needed = n_ > 1 ? 2 : HUGE_VAL;
    std::stable_sort(p.rows.begin(), p.rows.end(),
                     [](const Flip& a, const Flip& b) { return a.bound > b.bound; });
    p.rows.resize(static_cast<std::size_t>(most_));
  }
}

void FlipCount::count(Prediction& p, Index i, Tick& tick) const {
  const auto n = static_cast<std::size_t>(n_);
  std::vector<double> each(n, HUGE_VAL);
  for (const auto& bound : bounds_) {
    Moves moves = bound->of(i, p.side, tick);
    const double any = moves.next_set();
    for (std::size_t j = 0; j < n; ++j) {
      if (moves.each[j] < each[j]) each[j] = moves.each[j];
      if (any < each[j]) each[j] = any;
    }
    if (!(moves.none < p.room)) continue;
    double enough = 1;
    for (double set = any; enough <= static_cast<double>(n) && set < p.room; ++enough) {
      if (enough < static_cast<double>(n)) set = moves.next_set();
    }
    p.needed = std::max(p.needed, enough > static_cast<double>(n) ? HUGE_VAL : enough);
  }
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(), [&](Index j, Index k) { return each[j] > each[k]; });
  for (std::size_t k = 0; k < n; ++k) {
    const Index j = order[k];
    const bool could = each[j] >= p.room;
    if (!could && static_cast<Index>(k) >= most_) break;
    p.rows.push_back({j, each[j] + p.off, could ? Flips::open : Flips::no});
  }
}

}  // namespace dualmargin::decide
