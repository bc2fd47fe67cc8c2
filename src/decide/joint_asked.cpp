#include "decide/joint_asked.h"

#include <algorithm>

#include "base/slack.h"
#include "region/joint_ellipsoid.h"

namespace dualmargin::decide {

Mat AskedJointIn::norms(const region::Factor& factor, bool free, const std::vector<Index>& some,
                        Tick& tick) const {
  const auto count = static_cast<Index>(some.size());
  Mat norms = Mat::Zero(count, classes_);
  if (!factor.usable()) return norms;
  const Index width = region::joint_width(factor, classes_);
  const auto look = [&](Index block, Tick& t) {
    const Index first = block * width, here = std::min(width, count - first);
    const Mat x = region::columns_of(
        rows_, here, [&](Index j) { return some[first + j]; }, free);
    const std::vector<Mat> white = region::white_classes(factor, x, classes_);
    for (Index j = 0; j < here; ++j) {
      const Index r = reference_[some[first + j]];
      for (Index c = 0; c < classes_; ++c) {
        norms(first + j, c) = factor.inflation * (white[c].col(j) - white[r].col(j)).norm();
      }
    }
    t.look();
  };
  rows_.team.for_chunks((count + width - 1) / width, look, tick);
  return norms;
}

void AskedJointIn::look(const JointOptimum& known, const std::vector<Index>& some, const Mat& norms,
                        std::vector<Ends>& ends, Tick& tick) const {
  const RowVec& squares = rows_.squares(tick);
  const Scores near(rows_, squares, known.w, known.b);
  const bool in_ball = std::isfinite(known.ball);
  const Scores middle(rows_, squares, in_ball ? known.centre : Mat(),
                      Vec::Zero(known.centre.cols()));
  const auto k = static_cast<Index>(known.classes.size());
  for (Index j = 0; j < static_cast<Index>(some.size()); ++j) {
    const Index i = some[j];
    for (Index c = 0; k < classes_ && c < classes_; ++c) {
      const bool here = std::binary_search(known.classes.begin(), known.classes.end(), c);
      if (!here) ends[c].low[j] = ends[c].high[j] = -HUGE_VAL;
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
        ends[known.classes[c]].intersect(j, {apart - half, apart + half});
      }
    };
    ends[known.classes[r]].intersect(j, {0, 0});
    if (std::isfinite(known.step)) {
      intersect_all(near,
                    [&](Index c) { return (norms(j, known.classes[c]) + detour) * known.step; });
    }
    if (in_ball) {
      const double half = std::sqrt(2 * squares[i]) * rounding::raised * known.ball;
      intersect_all(middle, [&](Index) { return half; });
    }
  }
}

AskedJointIn::Scores::Scores(const Rows& rows, const RowVec& squares, const Mat& w, const Vec& b)
    : rows_(rows), squares_(squares), b_(b), moving_(2 * rows.shift.norm()) {
  for (Index c = 0; c < w.cols(); ++c) {
    w_.push_back(w.col(c));
    length_.push_back(w_.back().norm());
    shift_.push_back(rows.shift.dot(w_.back()));
  }
}

std::vector<AskedJointIn::Score> AskedJointIn::Scores::of(Index i) const {
  const double lost = rounding::of(2 * (rows_.terms(i) + 3));
  const double size = (std::sqrt(squares_[i]) + moving_) * rounding::raised;
  std::vector<Score> all;
  for (std::size_t c = 0; c < w_.size(); ++c) {
    const double b = b_[static_cast<Index>(c)];
    const double z = rows_.storage().row_dot(rows_.at(i), w_[c].data()) - shift_[c];
    all.push_back({z + b, lost * (size * length_[c] + std::abs(b))});
  }
  return all;
}

}  // namespace dualmargin::decide
