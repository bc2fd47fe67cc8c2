#include "region/joint_intervals.h"

#include "region/joint_ellipsoid.h"

namespace dualmargin::region {

KnownJoint known_joint(const JointRegion& region, const JointPair& pair,
                       const JointProblem& problem) {
  const auto ball = region.ball(pair);
  return {pair.w,   ball.centre,  pair.b,           ball.radius,
          ball.gap, problem.free, problem.g.l1 > 0, region.ellipsoid(pair)};
}

void JointEnds::intersect(const JointEnds& other) {
  const auto larger = [](Mat& a, const Mat& b) { a = (b.array() > a.array()).select(b, a); };
  const auto smaller = [](Mat& a, const Mat& b) { a = (b.array() < a.array()).select(b, a); };
  larger(lower, other.lower);
  larger(prob_lower, other.prob_lower);
  smaller(upper, other.upper);
  smaller(prob_upper, other.prob_upper);
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = std::max(first[i], other.first[i]);
}

JointEnds intervals(const KnownJoint& joint, const Rows& rows, Tick& tick) {
  const Index n = rows.n(), k = joint.classes();
  const bool curved = joint.ellipsoid.usable();
  const Vec none = Vec::Zero(k);
  const Mat middle = class_scores(rows, joint.centre, none, tick);
  const Mat middle_lost = class_roundings(rows, joint.centre, none, tick);
  const Mat score = class_scores(rows, joint.w, joint.b, tick);
  const Mat score_lost = class_roundings(rows, joint.w, joint.b, tick);
  const RowVec& squares = rows.squares(tick);
  JointEnds all{Mat(n, k), Mat(n, k), Mat(n, k), Mat(n, k),
                std::vector<int>(static_cast<std::size_t>(n), -1)};
  const double wider = rounding::of(8 * static_cast<double>(k));
  const Index width = curved ? joint_width(joint.ellipsoid.factor, k) : 256;
  const auto block = [&](Index begin, Index end) {
    std::vector<Mat> white;
    if (curved) {
      white = white_classes(joint.ellipsoid.factor,
                            block_of(rows, begin, end, joint.ellipsoid.free), k);
    }
    Vec step(curved ? joint.ellipsoid.factor.size.size() : 0);
    // The ends of sum_c t_c z_c, sum_c t_c = 0: in the ball it moves by at most r |t| |x|.
    const auto ends = [&](Index i, const Vec& t) {
      const Vec size = t.cwiseAbs();
      Interval found;
      if (!joint.free) {
        const double at = middle.row(i).dot(t);
        const double half =
            t.norm() * joint.radius * std::sqrt(squares[i]) + middle_lost.row(i).dot(size);
        found = {at - half, at + half};
      }
      if (curved) {
        step.setZero();
        for (Index c = 0; c < k; ++c) {
          if (t[c] != 0) step += t[c] * white[c].col(i - begin);
        }
        const double at = score.row(i).dot(t);
        const double half =
            step.norm() * joint.ellipsoid.factor.inflation * joint.ellipsoid.radius +
            score_lost.row(i).dot(size);
        found = found.intersect({at - half, at + half});
      }
      return found;
    };
    for (Index i = begin; i < end; ++i) {
      Vec below = none, above = none;
      std::vector<char> first(static_cast<std::size_t>(k), 1);
      for (Index c = 0; c < k; ++c) {
        Vec t = Vec::Constant(k, -1 / static_cast<double>(k));
        t[c] += 1;
        const Interval own = ends(i, t);
        all.lower(i, c) = own.low;
        all.upper(i, c) = own.high;
        for (Index d = c + 1; d < k; ++d) {
          // of equal scores that of c, which comes before d, counts as the larger
          t.setZero();
          t[c] = 1;
          t[d] = -1;
          const Interval pair = ends(i, t);
          first[c] = first[c] && pair.low >= 0;
          first[d] = first[d] && pair.high < 0;
          // sum over the others of e^(z_other - z_own), at most and at least
          above[c] += std::exp(-pair.low);
          below[c] += std::exp(-pair.high);
          above[d] += std::exp(pair.high);
          below[d] += std::exp(pair.low);
        }
      }
      if (std::count(first.begin(), first.end(), 1) == 1) {
        const auto at = std::find(first.begin(), first.end(), 1);
        all.first[i] = static_cast<int>(at - first.begin());
      }
      for (Index c = 0; c < k; ++c) {
        all.prob_lower(i, c) = (1 - wider) / (1 + above[c]);
        all.prob_upper(i, c) = std::min((1 + wider) / (1 + below[c]), 1.0);
      }
    }
  };
  for_row_blocks(rows, width, block, tick);
  return all;
}

std::vector<JointClass> each_class(const KnownJoint& joint, const Vec& origin) {
  const Index k = joint.classes(), d = joint.w.rows(), m = d + joint.free;
  std::vector<JointClass> all(static_cast<std::size_t>(k));
  const Ellipsoid& e = joint.ellipsoid;
  if (!e.factor.usable()) return all;
  const auto centred = [&](std::vector<Mat> v) {
    Mat mean = v[0];
    for (Index c = 1; c < k; ++c) mean += v[c];
    for (Mat& own : v) own -= mean / static_cast<double>(k);
    return v;
  };
  Mat point(m, 1);
  point.col(0).head(d) = origin;
  if (joint.free) point(d, 0) = 1;
  auto units = white_classes(e.factor, Mat::Identity(m, d), k);
  if (!joint.sparse) units = centred(std::move(units));
  const auto at = centred(white_classes(e.factor, point, k));
  const double level = (origin.transpose() * joint.w).mean() + joint.b.mean();
  for (Index c = 0; c < k; ++c) {
    all[c].inverse = units[c].colwise().norm();
    if (!joint.free || !e.usable()) continue;
    const Vec w = joint.w.col(c);
    const double half = at[c].norm() * e.factor.inflation * e.radius +
                        rounding::of(2 * (static_cast<double>(d) + 3)) *
                            (2 * origin.cwiseAbs().dot(w.cwiseAbs()) + std::abs(joint.b[c]) +
                             2 * (origin.cwiseAbs().transpose() * joint.w.cwiseAbs()).mean());
    const double here = origin.dot(w) + joint.b[c] - level;
    all[c].intercept = {here - half, here + half};
  }
  return all;
}

}  // namespace dualmargin::region
