// Rows that are asked about a problem of all classes: intervals of their scores as differences to
// that of one class of each row, its reference. They are what predictions and probabilities rest
// on; a ball of radius r leaves 2^(1/2) r |x| of them.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "decide/change_problem.h"
#include "region/joint_ellipsoid.h"

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

inline std::vector<Ends> nothing_of(Index n, Index classes) {
  const Ends open{RowVec::Constant(n, -HUGE_VAL), RowVec::Constant(n, HUGE_VAL)};
  return std::vector<Ends>(static_cast<std::size_t>(classes), open);
}

// Rows that are asked about, however they are stored, in the coordinates of the rows of the fit.
class AskedJoint {
 public:
  virtual ~AskedJoint() = default;
  virtual Index n() const = 0;
  // |(e_c - e_r) (x) (x_i, 1)|_{H^-1} of some rows with references r, from above
  virtual Mat norms(const region::Factor& factor, bool free, const std::vector<Index>& some,
                    Tick& tick) const = 0;
  // norms: of these rows
  virtual void look(const JointOptimum& known, const std::vector<Index>& some, const Mat& norms,
                    std::vector<Ends>& ends, Tick& tick) const = 0;
};

class AskedJointIn : public AskedJoint {
 public:
  AskedJointIn(const region::MovedRows& rows, std::vector<Index> reference, Index classes)
      : rows_(rows), reference_(std::move(reference)), classes_(classes) {}

  Index n() const override { return rows_.n(); }
  Mat norms(const region::Factor& factor, bool free, const std::vector<Index>& some,
            Tick& tick) const override {
    const auto count = static_cast<Index>(some.size());
    Mat norms = Mat::Zero(count, classes_);
    if (!factor.usable()) return norms;
    const Index width = region::joint_width(factor, classes_);
    const auto look = [&](Index block, Tick& t) {
      const Index first = block * width, here = std::min(width, count - first);
      Mat x(rows_.dim() + free, here);
      for (Index j = 0; j < here; ++j) x.col(j).head(rows_.dim()) = rows_.row(some[first + j]);
      if (free) x.row(rows_.dim()).setOnes();
      const std::vector<Mat> white = region::white_classes(factor, x, classes_);
      for (Index j = 0; j < here; ++j) {
        const Index r = reference_[some[first + j]];
        for (Index c = 0; c < classes_; ++c) {
          norms(first + j, c) = factor.inflation * (white[c].col(j) - white[r].col(j)).norm();
        }
      }
      t.look();
    };
    rows_.rows.team.for_chunks((count + width - 1) / width, look, tick);
    return norms;
  }

  void look(const JointOptimum& known, const std::vector<Index>& some, const Mat& norms,
            std::vector<Ends>& ends, Tick& tick) const override {
    const RowVec& squares = rows_.squares(tick);
    const Scores near(rows_, squares, known.w, known.b);
    const bool in_ball = std::isfinite(known.ball);
    const Scores middle(rows_, squares, in_ball ? known.centre : Mat(),
                        Vec::Zero(known.centre.cols()));
    const auto k = static_cast<Index>(known.classes.size());
    for (std::size_t j = 0; j < some.size(); ++j) {
      const Index i = some[j];
      for (Index c = 0; k < classes_ && c < classes_; ++c) {
        const bool here = std::binary_search(known.classes.begin(), known.classes.end(), c);
        if (!here) ends[c].low[i] = ends[c].high[i] = -HUGE_VAL;
      }
      // where no row of the reference is left: another
      const auto own = std::find(known.classes.begin(), known.classes.end(), reference_[i]);
      const bool other = own == known.classes.end();
      const Index r = other ? 0 : own - known.classes.begin();
      const double detour = other ? norms(j, known.classes[0]) : 0.0;
      const auto intersect_all = [&](const Scores& scores, const auto& reach) {
        const std::vector<Score> at = scores.of(i);
        for (Index c = 0; c < k; ++c) {
          if (c == r) continue;
          const double apart = at[c].value - at[r].value;
          const double half = reach(c) + at[c].lost + at[r].lost;
          ends[known.classes[c]].intersect(i, {apart - half, apart + half});
        }
      };
      ends[known.classes[r]].intersect(i, {0, 0});
      if (std::isfinite(known.step)) {
        intersect_all(near,
                      [&](Index c) { return (norms(j, known.classes[c]) + detour) * known.step; });
      }
      if (in_ball) {
        const double half = std::sqrt(2 * squares[i]) * (1 + 1e-12) * known.ball;
        intersect_all(middle, [&](Index) { return half; });
      }
    }
  }

 private:
  // A score, and what rounding can have done to it.
  struct Score {
    double value, lost;
  };
  class Scores {
   public:
    Scores(const region::MovedRows& rows, const RowVec& squares, const Mat& w, const Vec& b)
        : rows_(rows), squares_(squares), b_(b), moving_(2 * rows.shift.norm()) {
      for (Index c = 0; c < w.cols(); ++c) {
        w_.push_back(w.col(c));
        length_.push_back(w_.back().norm());
        shift_.push_back(rows.shift.dot(w_.back()));
      }
    }
    std::vector<Score> of(Index i) const {
      const double lost = rounding::of(2 * (rows_.terms(i) + 3));
      const double size = (std::sqrt(squares_[i]) + moving_) * (1 + 1e-12);
      std::vector<Score> all;
      for (std::size_t c = 0; c < w_.size(); ++c) {
        const double b = b_[static_cast<Index>(c)];
        all.push_back(
            {rows_.rows.dot(i, w_[c]) - shift_[c] + b, lost * (size * length_[c] + std::abs(b))});
      }
      return all;
    }

   private:
    const region::MovedRows& rows_;
    const RowVec& squares_;
    const Vec b_;
    const double moving_;
    std::vector<Vec> w_;
    std::vector<double> length_, shift_;
  };

  const region::MovedRows& rows_;
  const std::vector<Index> reference_;
  const Index classes_;
};

}  // namespace dualmargin::decide
