// What rows lose that were left out, as far as the ends of their scores tell: for the logistic loss
// 2 omega log(1 + exp(-y z)), of several classes -2 omega log(p_y / sum p), with shares p = 1/(1 + e^-z)
// one-vs-rest and p = e^z in one problem (softmax), and for a regression omega (z - y)^2.
#pragma once

#include <utility>
#include <vector>

#include "region/region.h"
#include "rows/row_vec.h"

namespace dualmargin::decide {

using region::Ends;
using region::Interval;

class LeftOutLosses {
 public:
  enum class Kind { none, logistic, squared, softmax };

  // y: a column for each class problem. weight: of a row's loss in the sum.
  LeftOutLosses(Kind kind, Mat y, Vec weight);
  // Of one problem of all classes.
  LeftOutLosses(Kind kind, std::vector<Index> own, Vec weight)
      : kind_(kind), weight_(std::move(weight)), own_(std::move(own)) {}

  Kind kind() const { return kind_; }
  bool of_classes() const { return kind_ != Kind::squared; }
  bool several() const { return !own_.empty(); }
  Index n() const { return weight_.size(); }
  double weight(Index i) const { return weight_[i]; }

  // Is there one class for every score within the ends? place: of a row among them.
  bool decided(const std::vector<Ends>& ends, Index place) const;

  // From the least to the largest loss.
  Interval at(Index i, const std::vector<Ends>& ends, Index place) const;
  // of one class problem
  Interval at(Index i, const Interval& ends) const;
  // at least
  double sum(const std::vector<Ends>& ends) const;

 private:
  double log_share(double z) const;
  Interval weighted(Index i, double low, double high) const;
  // It falls in the score of the own class and rises in the others.
  double share_loss(Index i, const std::vector<Ends>& ends, Index place, RowVec Ends::*of_own,
                    RowVec Ends::*of_others, double unknown) const;

  Kind kind_;
  Mat y_;
  Vec weight_;
  std::vector<Index> own_;
};

}  // namespace dualmargin::decide
