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
#include "decide/flip_curved.h"

namespace dualmargin::decide {

enum class Flips { no, yes, open };

// How far the change of a row moves a prediction towards the other class at most.
struct Flip {
  Index row;
  double bound;
  Flips flips;
};

struct Prediction {
  double score, room, side;  // room: how far it is certain to be from the other class
  double needed = 0;
  Index alone = 0, proven = 0;
  std::vector<Flip> rows;  // those that could flip it, and so many more as are asked for
};

template <class Data>
class FlipCount {
 public:
  // turned: as row_changes() has it; most: of the rows with the largest bounds are listed
  FlipCount(const Fitted<Data>& fit, const Vec& turned, const AskedRows& asked, Index most,
            Tick& tick)
      : fit_(fit),
        turned_(turned),
        changes_(row_changes(fit.problem, fit.pair, turned)),
        asked_(asked),
        most_(std::min(most, fit.n())) {
    const auto add = [&](std::unique_ptr<FlipBound> bound) {
      if (bound) bounds_.push_back(std::move(bound));
    };
    if (fit.problem.free()) {
      add(TiltedFlips<Data>::of(fit, changes_, tick));
    } else {
      add(std::make_unique<BallFlips<Data>>(fit, changes_, tick));
    }
    add(CurvedFlips<Data>::of(fit, changes_, tick));
  }

  FlipCount(const FlipCount&) = delete;

  std::vector<Prediction> bounds(Tick& tick) const {
    const auto [score, lost] = asked_.scores(fit_.pair.w, fit_.pair.b, tick);
    std::vector<Prediction> all(static_cast<std::size_t>(asked_.n()));
    const auto one = [&, &score = score, &lost = lost](Index i, Tick& t) {
      Prediction& p = all[i];
      p.score = score[i];
      p.room = std::max(0.0, std::abs(score[i]) - lost[i]);
      p.side = score[i] >= 0 ? 1 : -1;
      count(p, asked_.row(i), t);
    };
    fit_.problem.rows.rows.team.for_chunks(asked_.n(), one, tick);
    return all;
  }

  // The rows that could flip the most predictions, at most `refits` of them, are solved.
  void settle(std::vector<Prediction>& all, const Change<Data>& change, double refits,
              Tick& tick) const {
    std::vector<std::vector<std::pair<Index, std::size_t>>> named(fit_.n());
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
      Setting setting{fit_.problem.rows.rows.weights, {fit_.problem.rows.rows.y}, {}};
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
    fit_.problem.rows.rows.team.for_chunks(static_cast<Index>(chosen.size()), solve, tick);
  }

  // A row without weight is no row that flips anything; no row alone is one row more.
  void conclude(std::vector<Prediction>& all) const {
    for (Prediction& p : all) {
      p.alone = p.proven = 0;
      for (const Flip& flip : p.rows) {
        if (!(fit_.problem.omega(flip.row) > 0)) continue;
        p.alone += flip.flips != Flips::no;
        p.proven += flip.flips == Flips::yes;
      }
      if (p.needed == 1 && p.alone == 0) p.needed = fit_.n() > 1 ? 2 : HUGE_VAL;
      std::stable_sort(p.rows.begin(), p.rows.end(),
                       [](const Flip& a, const Flip& b) { return a.bound > b.bound; });
      p.rows.resize(static_cast<std::size_t>(most_));
    }
  }

 private:
  void count(Prediction& p, const Vec& x, Tick& tick) const {
    const auto n = static_cast<std::size_t>(fit_.n());
    std::vector<double> each(n, HUGE_VAL);
    for (const auto& bound : bounds_) {
      Moves moves = bound->of(x, p.side, tick);
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
                     [&](Index i, Index j) { return each[i] > each[j]; });
    for (std::size_t k = 0; k < n; ++k) {
      const Index j = order[k];
      const bool could = each[j] >= p.room;
      if (!could && static_cast<Index>(k) >= most_) break;
      p.rows.push_back({j, each[j], could ? Flips::open : Flips::no});
    }
  }

  const Fitted<Data>& fit_;
  const Vec turned_;
  const RowChanges changes_;
  const AskedRows& asked_;
  const Index most_;
  std::vector<std::unique_ptr<FlipBound>> bounds_;
};

}  // namespace dualmargin::decide
