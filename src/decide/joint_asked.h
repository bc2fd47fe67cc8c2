// Rows that are asked about a problem of all classes: intervals of their scores as differences to
// that of one class of each row, its reference. They are what predictions and probabilities rest
// on; a ball of radius r leaves 2^(1/2) r |x| of them.
#pragma once

#include <utility>
#include <vector>

#include "decide/change_problem.h"

namespace dualmargin::decide {

using region::Interval;

// What is known of the optimum of a problem of some classes, which the columns of w are.
struct JointOptimum {
  std::vector<Index> classes;
  Mat w, centre;
  Vec b;
  double ball = HUGE_VAL;  // radius; not with free intercepts
  double step = HUGE_VAL;  // how far w and b are off, in the norm that AskedJoint::norms() goes by
};

// Rows that are asked about, however they are stored, in the coordinates of the rows of the fit.
class AskedJoint {
 public:
  virtual ~AskedJoint() = default;
  virtual Index n() const = 0;
  // |(e_c - e_r) (x) (x_i, 1)|_{H^-1} of some rows with references r, from above
  virtual Mat norms(const region::Factor& factor, bool free, const std::vector<Index>& some,
                    Tick& tick) const = 0;
  // norms, ends: of these rows
  virtual void look(const JointOptimum& known, const std::vector<Index>& some, const Mat& norms,
                    std::vector<Ends>& ends, Tick& tick) const = 0;
};

class AskedJointIn : public AskedJoint {
 public:
  AskedJointIn(const Rows& rows, std::vector<Index> reference, Index classes)
      : rows_(rows), reference_(std::move(reference)), classes_(classes) {}

  Index n() const override { return rows_.n(); }
  Mat norms(const region::Factor& factor, bool free, const std::vector<Index>& some,
            Tick& tick) const override;

  void look(const JointOptimum& known, const std::vector<Index>& some, const Mat& norms,
            std::vector<Ends>& ends, Tick& tick) const override;

 private:
  // A score, and what rounding can have done to it.
  struct Score {
    double value, lost;
  };
  class Scores {
   public:
    Scores(const Rows& rows, const RowVec& squares, const Mat& w, const Vec& b);
    std::vector<Score> of(Index i) const;

   private:
    const Rows& rows_;
    const RowVec& squares_;
    const Vec b_;
    const double moving_;
    std::vector<Vec> w_;
    std::vector<double> length_, shift_;
  };

  const Rows& rows_;
  const std::vector<Index> reference_;
  const Index classes_;
};

}  // namespace dualmargin::decide
