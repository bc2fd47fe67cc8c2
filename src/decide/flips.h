// Which rows of a fit could give a prediction another class by themselves, and how many it takes at
// least: by bounds (flip_bounds.h, flip_curved.h), and for rows that could by solving the problem
// with them changed (change.h).
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "decide/change.h"
#include "decide/flip_bounds.h"

namespace dualmargin::decide {

enum class Flips { no, yes, open };

// How far the change of a row moves a prediction towards the other class at most.
struct Flip {
  Index row;
  double bound;
  Flips flips;
};

// room: how far it is certain to be from the other class; off: how far its score can be from that of
// the pair that bounds are about.
struct Prediction {
  double score, off, room, side;
  double needed = 0;
  Index alone = 0, proven = 0;
  std::vector<Flip> rows;  // those that could flip it, and so many more as are asked for
};

// The score that the fit has of a prediction, that of its pair, and what that is off by.
struct Scored {
  RowVec given, own, lost;
};

class FlipCount {
 public:
  using Bounds = std::vector<std::unique_ptr<FlipBound>>;

  // most: of the rows with the largest bounds are listed. changes: must outlive this
  FlipCount(const ClassProblems& classes, const RowChanges& changes, Bounds bounds, Index most)
      : omega_(classes.omega()),
        y_(classes.y(0)),
        team_(classes.over().team),
        changes_(changes),
        bounds_(std::move(bounds)),
        n_(classes.over().n()),
        most_(std::min(most, n_)) {}
  FlipCount(const FlipCount&) = delete;

  std::vector<Prediction> bounds(const Scored& scores, Tick& tick) const {
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

  // The rows that could flip the most predictions, at most `refits` of them, are solved.
  void settle(std::vector<Prediction>& all, const Change& change, double refits, Tick& tick) const {
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

  // A row without weight is no row that flips anything; no row alone is one row more.
  void conclude(std::vector<Prediction>& all) const {
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

 private:
  void count(Prediction& p, Index i, Tick& tick) const {
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
    std::stable_sort(order.begin(), order.end(),
                     [&](Index j, Index k) { return each[j] > each[k]; });
    for (std::size_t k = 0; k < n; ++k) {
      const Index j = order[k];
      const bool could = each[j] >= p.room;
      if (!could && static_cast<Index>(k) >= most_) break;
      p.rows.push_back({j, each[j] + p.off, could ? Flips::open : Flips::no});
    }
  }

  const RowVec &omega_, &y_;
  Team& team_;
  const RowChanges& changes_;
  const Bounds bounds_;
  const Index n_, most_;
};

}  // namespace dualmargin::decide
