// Which rows of a fit could give a prediction another class by themselves, and how many it takes at
// least: by bounds (flip_bounds.h, flip_curved.h), and for rows that could by solving the problem
// with them changed (change.h).
#pragma once

#include <algorithm>
#include <memory>
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

  std::vector<Prediction> bounds(const Scored& scores, Tick& tick) const;

  // The rows that could flip the most predictions, at most `refits` of them, are solved.
  void settle(std::vector<Prediction>& all, const Change& change, double refits, Tick& tick) const;

  // A row without weight is no row that flips anything; no row alone is one row more.
  void conclude(std::vector<Prediction>& all) const;

 private:
  void count(Prediction& p, Index i, Tick& tick) const;

  const RowVec &omega_, &y_;
  Team& team_;
  const RowChanges& changes_;
  const Bounds bounds_;
  const Index n_, most_;
};

}  // namespace dualmargin::decide
