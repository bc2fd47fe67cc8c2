// Ranks and counts of conformal sets: own scores of the counted rows, each by the model that has not
// seen it and within its group, beside what those models say of new rows.
#pragma once

#include <utility>
#include <vector>

#include "region/offset.h"

namespace dualmargin::decide {

// Of each counted row: its score, its model and its group, from 0.
struct Counted {
  Vec score;
  std::vector<Index> model, group;

  Index n() const { return score.size(); }
};

// #{i of the group: score_i >= value by the model of i}. Ties count: scores that differ by rounding
// alone, up to `tie`, are equal.
class AtLeast {
 public:
  AtLeast(const Counted& rows, Index models, Index groups, double tie);

  // values: of each model; a group that no counted row has is below 0
  Index count(const Eigen::Ref<const Vec>& values, Index group) const;

 private:
  std::size_t cell(Index model, Index group) const;

  Index models_;
  double tie_;
  std::vector<std::vector<double>> sorted_;
};

// [k-th smallest of low_i, k-th largest of high_i] for ends of the rows of a group,
//   low_i = base_low_m - width_m score_i,  high_i = base_high_m + width_m score_i,  m the model of i.
// k = 0: the whole line.
class RankedEnds {
 public:
  RankedEnds(const Counted& rows, Index groups);

  // ks: ranks; both ends of each
  std::vector<region::Interval> at(const Eigen::Ref<const Vec>& base_low,
                                   const Eigen::Ref<const Vec>& base_high,
                                   const Eigen::Ref<const Vec>& width, Index group,
                                   const std::vector<Index>& ks);

 private:
  const Counted& rows_;
  std::vector<std::vector<Index>> of_;
  std::vector<double> low_, high_;
};

// What is known of the values of a new row and of counted rows by the optima without these: each
// within its half-width.
struct Within {
  double middle, half;
};

// The share of the rows of a group with sign_i f_i(x_i) <= sign f_i(x): of those that are so for
// certain, and of those that can be. Values beyond double precision say nothing.
struct Sure {
  double least = 0, most = 0;

  void add(const Within& own, const Within& value, double share);
};

// The smallest lower end up to which rows have more than a share `need` of them, and how much larger
// that of the upper ends is.
Within first_beyond(const std::vector<std::pair<Within, double>>& values, double need);

}  // namespace dualmargin::decide
