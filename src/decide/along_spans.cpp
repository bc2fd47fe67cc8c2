#include "decide/along_spans.h"

#include <array>
#include <cmath>
#include <numeric>

#include "base/rounding.h"
#include "base/slack.h"
#include "base/square.h"

namespace dualmargin::decide {

Interval not_wrong_share(double z1, double z2, double g, double Q) {
  const auto q = [&](double th) { return z1 + (z2 - z1) * th + g + Q * th * (1 - th); };
  const double B = z2 - z1 + Q, C = z1 + g;
  const double top = Q > 0 ? std::clamp(B / (2 * Q), 0.0, 1.0) : (B > 0 ? 1.0 : 0.0);
  const double room = rounding::of(8) * (std::abs(z1) + std::abs(z2) + g + Q);
  const auto wrong = [&](double th) { return q(th) + room < 0; };
  if (wrong(top)) return {HUGE_VAL, -HUGE_VAL};
  const double root = std::sqrt(std::max(0.0, B * B + 4 * Q * C));
  const double h = -(B + (B < 0 ? -root : root)) / 2;
  const double one = h != 0 ? C / h : 0, two = Q > 0 ? -h / Q : one;
  double low = std::min(one, two), high = std::max(one, two);
  // with Q = 0 there is one root, on the side where the line rises or falls
  if (Q <= 0) (B < 0 ? low : high) = B < 0 ? 0 : 1;
  // `at`, moved towards `end` until the row is wrong there; at the end itself nothing is claimed
  const auto inward = [&](double at, double end) {
    for (const double shrink : {0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.1}) {
      const double moved = at + shrink * (end - at);
      if (wrong(moved)) return moved;
    }
    return end;
  };
  const auto within = [](double v, double least, double most) {
    return v > least ? std::min(v, most) : least;  // NaN: least
  };
  return {inward(within(low, 0, top), 0), inward(within(high, top, 1), 1)};
}

DualBall::DualBall(const AlongPoint& p)
    : pair_(p), v0_(1 / p.lambda), uu_(p.u.squaredNorm()), lost_(p.u_rounding.norm()) {
  const Vec e = p.lambda * p.w + p.u;
  ee_ = e.squaredNorm();
  ue_ = p.u.dot(e);
}

double DualBall::length(double v) const {
  const double step = v - v0_, terms = ee_ * v0_ * v0_ + uu_ * step * step;
  const Square square{terms + 2 * ue_ * v0_ * step, 2 * rounding::of_score(pair_.w.size()) * terms};
  if (!square.possible()) return HUGE_VAL;
  return std::sqrt(square.value() + square.rounding) + lost_ * v;
}

double DualBall::radius() const {
  const double off = length(v0_);
  return rounding::raised * std::sqrt(pair_.mean_excess * v0_ + off * off / 4);
}

double DualBall::reach(double score, double dual, double norm, double slack, double end) const {
  const auto wrong = [&](double v) {
    const double off = length(v);
    const double width = rounding::raised * std::sqrt(4 * pair_.mean_excess * v + off * off);
    return score + dual * v + norm * width + slack < 0;
  };
  if (!(score < 0) || !wrong(v0_)) return pair_.lambda;
  if (wrong(1 / end)) return end;
  double low = 0, high = std::log(end / pair_.lambda);
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (low + high);
    (wrong(std::exp(-middle) * v0_) ? low : high) = middle;
  }
  return pair_.lambda * std::exp(low);
}

void StepsOf::add(const Interval& span, double weight) {
  weight_ += weight;
  if (nowhere(span)) return;
  changes_.push_back({span.low, weight});
  changes_.push_back({span.high, -weight});
}

StepBounds StepsOf::steps(double from, double to, double always) {
  std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return a.at < b.at || (a.at == b.at && a.by > b.by);
  });
  const double total = weight_ + always;
  StepBounds out{{from}, {total}};
  Sum open;
  for (const Change& change : changes_) {
    open.add(change.by);
    out.positions.push_back(change.at);
    out.bound.push_back(total - open.value());
  }
  out.positions.push_back(to);
  return out;
}

}  // namespace dualmargin::decide
