#include "decide/joint_fold.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/slack.h"
#include "linear/problem.h"

namespace dualmargin::decide {

JointFold::JointFold(const Storage& data, const std::vector<Index>& own, Index classes,
                     RowVec omega, std::vector<Index> test, const RowVec& counted, bool free,
                     JointRefit refit, Team& team)
    : own_(own),
      classes_(classes),
      free_(free),
      none_(RowVec::Zero(omega.size())),
      omega_(std::move(omega)),
      test_(std::move(test)),
      counted_(counted),
      refit_(std::move(refit)),
      rows_(data, none_, omega_, team),
      asked_(rows_, own, classes) {}

double JointFold::total() const {
  return sum_over(count(), [&](Index i) { return weight(i); });
}

JointFold::Solution JointFold::fit(double lambda, const Solution& start, double tol,
                                   Tick& tick) const {
  return refit_({rows_.unmoved(), own_, classes_, true, free_, ElasticNet{0, lambda}}, start, tol,
                tick);
}

JointFold::Solution JointFold::start(const Point& lower, const Point& upper, double share) const {
  const Solution &a = lower.solution, &b = upper.solution;
  Solution s;
  s.w = (1 - share) * a.w + share * b.w;
  s.b = (1 - share) * a.b + share * b.b;
  s.a = RowMat(Mat((1 - share) * a.a.local() + share * b.a.local()));
  return s;
}

JointFold::PointRef JointFold::point(const Solution& s, double lambda, Tick& tick) const {
  auto p = std::make_shared<Point>();
  p->lambda = lambda;
  p->solution = s;
  const Vec b = free_ ? Vec(s.b + s.w.transpose() * rows_.shift) : Vec(Vec::Zero(classes_));
  at(lambda, tick,
     [&](const auto& region) { p->pair = region.pair(s.w, b, Mat(dual_of(s.a, own_))); });
  return p;
}

ErrorCount JointFold::errors(const Point& p, const std::vector<const Between*>&, Tick& tick) const {
  region::Ellipsoid e;
  at(p.lambda, tick, [&](const auto& region) { e = region.ellipsoid(p.pair); });
  Mat norms;
  if (e.usable()) norms = asked_.norms(e.factor, free_, test_, tick);
  ErrorCount found;
  for (Index i = 0; i < count(); ++i) {
    const Index row = test_[i], y = own_[row];
    bool wrong = false, right = true;
    for (Index c = 0; c < classes_; ++c) {
      if (c == y) continue;
      const double ahead = p.pair.z(row, y) - p.pair.z(row, c);
      const double half =
          e.usable() ? norms(i, c) * e.radius + 2 * p.pair.z_rounding[row] : HUGE_VAL;
      const double low = ahead - half, high = ahead + half;
      wrong = wrong || (c < y ? high <= 0 : high < 0);
      right = right && (c < y ? low > 0 : low >= 0);
    }
    if (wrong) found.lower += weight(i);
    if (!right) found.upper += weight(i);
    if (!wrong && !right) ++found.undecided;
  }
  return found;
}

JointFold::Between JointFold::between(const PointRef& lower, const PointRef& upper,
                                      const Between* parent, Tick& tick) const {
  const double l1 = lower->lambda, l2 = upper->lambda, from = std::log(l1), to = std::log(l2);
  Between found;
  found.spans.assign(test_.size(), {from, to});
  std::vector<Index> needed;  // places in test_
  for (Index i = 0; i < count(); ++i) {
    Interval& span = found.spans[i];
    if (parent != nullptr) {
      span = {std::max(from, parent->spans[i].low), std::min(to, parent->spans[i].high)};
    }
    if (!nowhere(span) && (looks_wrong(*lower, i) || looks_wrong(*upper, i))) needed.push_back(i);
  }
  const Widths widths = needed.empty() ? Widths() : widths_between(*lower, *upper, needed, tick);
  for (std::size_t k = 0; k < needed.size() && widths.known(); ++k) {
    const Index i = needed[k], row = test_[i], y = own_[row];
    Interval& span = found.spans[i];
    const auto ahead = [&](const Point& p, Index c) { return p.pair.z(row, y) - p.pair.z(row, c); };
    const double slack = 2 * (lower->pair.z_rounding[row] + upper->pair.z_rounding[row]);
    for (Index c = 0; c < classes_ && !nowhere(span); ++c) {
      if (c == y) continue;
      const double norm = widths.norms(static_cast<Index>(k), c);
      const Interval share = not_wrong_share(ahead(*lower, c), ahead(*upper, c),
                                             widths.start * norm + slack, widths.bend * norm);
      const auto place = [&](double th) { return std::log(l1 + th * (l2 - l1)); };
      span = nowhere(share) ? share
                            : Interval{std::max(span.low, place(share.low)),
                                       std::min(span.high, place(share.high))};
    }
  }
  for (Interval& span : found.spans) {
    span.low = std::max(span.low - rounding::of_root * (1 + std::abs(from)), from);
    span.high = std::min(span.high + rounding::of_root * (1 + std::abs(to)), to);
    if (nowhere(span)) span = {HUGE_VAL, -HUGE_VAL};
  }
  return found;
}

void JointFold::at(double lambda, Tick& tick,
                   FunctionRef<void(const region::JointRegion&)> f) const {
  const region::JointProblem problem{true, free_, ElasticNet{0, lambda}, own_};
  f(region::JointRegion(rows_, problem, tick));
}

bool JointFold::looks_wrong(const Point& p, Index i) const {
  const Index row = test_[i], y = own_[row];
  return p.pair.z(row, y) < p.pair.z.row(row).maxCoeff();
}

JointFold::Widths JointFold::widths_between(const Point& lower, const Point& upper,
                                            const std::vector<Index>& needed, Tick& tick) const {
  constexpr double most_apart = 20;
  Widths found;
  const Mat change = upper.pair.z - lower.pair.z;
  const auto apart = [&](Index i) {
    return change.row(i).maxCoeff() - change.row(i).minCoeff() +
           2 * (lower.pair.z_rounding[i] + upper.pair.z_rounding[i]);
  };
  const double t = rows_.max([&](Index i) { return omega_[i] > 0 ? apart(i) : 0.0; });
  if (!(t < most_apart)) return found;
  const Mat p = region::JointRegion::probabilities(0.5 * (lower.pair.z + upper.pair.z));
  const double squares = rows_.sum([&](Index i) {
    if (!(omega_[i] > 0)) return 0.0;
    const double mean = p.row(i).dot(change.row(i)), far = apart(i);
    const double variance = (p.row(i).array() * (change.row(i).array() - mean).square()).sum() +
                            far * far * rounding::of_value();
    return rows_.share(i) * far * far * variance;
  });
  region::Factor factor;
  double reach = 0, g = 0;
  at(lower.lambda, tick, [&](const auto& region) {
    factor = region.factored(region.hessian(p));
    if (!factor.usable()) return;
    const RowVec norms = region.norms(factor);
    reach = std::max(0.0, rows_.max([&](Index i) { return omega_[i] > 0 ? norms[i] : 0.0; }));
  });
  if (!factor.usable()) return found;
  for (const Point* one : {&lower, &upper}) {
    at(one->lambda, tick, [&](const auto& region) {
      const auto slope = region.slope(one->pair, region.probabilities(one->pair.z));
      g = std::max(g, region.nu(one->pair, slope, factor, reach));
    });
  }
  const Index m = rows_.dim() + free_;
  Vec apart_w = Vec::Zero(m * classes_);
  for (Index c = 0; c < classes_; ++c) {
    apart_w.segment(c * m, rows_.dim()) = upper.pair.w.col(c) - lower.pair.w.col(c);
  }
  const double twist = (upper.lambda - lower.lambda) * factor.norm(apart_w);
  const double bend = std::exp(t / 2) / 2 * std::sqrt(squares);
  const double stretch = std::exp(t / 4);
  const double most = stretch * (g + (twist + bend) / 4);
  const double unit = stretch * stretch * region::step_factor(most * stretch * reach) * rounding::raised_factor;
  std::vector<Index> some;
  for (const Index i : needed) some.push_back(test_[i]);
  found.norms = asked_.norms(factor, free_, some, tick);
  found.start = unit * g;
  found.bend = unit * (twist + bend);
  return found;
}

}  // namespace dualmargin::decide
