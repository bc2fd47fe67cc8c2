#include "decide/along_fold.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/rounding.h"
#include "base/slack.h"

namespace dualmargin::decide {

HeldOut::HeldOut(const std::vector<Index>& test, const RowVec& labels, const RowVec& weights,
                 const std::vector<Index>& first) {
  struct Sides {
    Index row;
    double above = 0, below = 0;
  };
  std::vector<Sides> sides;
  std::unordered_map<Index, std::size_t> place;
  for (const Index i : test) {
    const auto [at, is_new] = place.emplace(first[i], sides.size());
    if (is_new) sides.push_back({i});
    (labels[i] > 0 ? sides[at->second].above : sides[at->second].below) += weights[i];
    total += weights[i];
  }
  std::vector<double> sign, net;
  for (const Sides& s : sides) {
    always += std::min(s.above, s.below);
    const double more = s.above - s.below;
    if (!(std::abs(more) > rounding::of_many * (s.above + s.below))) continue;
    rows.id.push_back(s.row);
    sign.push_back(more > 0 ? 1 : -1);
    net.push_back(std::abs(more));
  }
  const auto count = static_cast<Index>(net.size());
  rows.y = RowVec::of(count, [&](Index i) { return sign[i]; });
  rows.weights = RowVec::of(count, [&](Index i) { return net[i]; });
}

AlongFold::AlongFold(const Rows& train, const LossPtr& loss, bool free, const Rows& all,
                     const HeldOut& held, Tick& tick)
    : rows_(train),
      loss_(loss),
      free_(free),
      held_(all, held.rows),
      total_(held.total),
      always_(held.always),
      curved_(has_hessian_chord(*loss, train.dim())) {
  // the flat chord is for other smooth losses and where the points are far apart
  if (!free_ && loss->bends()) operator_norm_ = operator_norm(at(1), tick);
}

FoldPointRef AlongFold::point(const linear::Solution& s, double lambda, Tick& tick) const {
  auto p = std::make_shared<FoldPoint>();
  const Problem problem = at(lambda);
  static_cast<region::Pair&>(*p) = region::pair_of(problem, s.w, free_ ? s.b : 0.0, s.a, tick);
  p->lambda = lambda;
  if (loss_->smooth()) {
    const RowVec slope = region::slopes_of(problem, *p);
    p->gradient = region::gradient_of(problem, p->w, slope, tick);
    p->terms = region::gradient_terms(problem, p->w, slope, tick);
  }
  const RowVec z = held_.multiply(p->w, tick);
  p->held = Vec(count());
  for (Index i = 0; i < count(); ++i) p->held[i] = held_.y[i] * (z[i] + p->b);
  double size = p->w.norm();
  if (!free_) {
    const RowVec zu = held_.multiply(p->u, tick);
    p->dual = Vec(count());
    for (Index i = 0; i < count(); ++i) p->dual[i] = -held_.y[i] * zu[i];
    size += p->u.norm() / lambda;
  }
  p->slack_slope = score_rounding() * size;
  p->slack_level = rounding::of(4) * std::abs(p->b);
  return p;
}

AlongFold::Solution AlongFold::start(const FoldPoint& lower, const FoldPoint& upper,
                                     double share) const {
  Solution s;
  s.w = (1 - share) * lower.w + share * upper.w;
  s.b = (1 - share) * lower.b + share * upper.b;
  s.a = (1 - share) * lower.a + share * upper.a;
  return s;
}

ErrorCount AlongFold::errors(const FoldPoint& p, const std::vector<const FoldInterval*>& beside,
                             Tick& tick) const {
  Vec width;
  for (const FoldInterval* one : beside) {
    if (one->ends.size() == 0) continue;
    width = width.size() == 0 ? one->ends : Vec(width.cwiseMin(one->ends));
  }
  if (curved_ && width.size() == 0) {
    const auto chord = hessian_chord(at(p.lambda), p, p, nullptr, tick);
    if (chord) width = ends_of(*chord, norms(chord->factor, tick));
  }
  const std::optional<DualBall> ball =
      free_ ? std::nullopt : std::optional<DualBall>(std::in_place, p);
  const double radius = ball ? ball->radius() : 0;
  ErrorCount found{always_, always_, 0};
  for (Index i = 0; i < count(); ++i) {
    double low = -HUGE_VAL, high = HUGE_VAL;
    const double norm = norm_of(i), slack = p.slack(norm);
    if (ball) {
      const double centre = (p.held[i] + p.dual[i] / p.lambda) / 2, off = norm * radius + slack;
      low = centre - off;
      high = centre + off;
    }
    if (width.size() > 0) {
      low = std::max(low, p.held[i] - width[i] - slack);
      high = std::min(high, p.held[i] + width[i] + slack);
    }
    const bool positive = held_.y[i] > 0;
    bool wrong = positive ? high < 0 : high <= 0, right = positive ? low >= 0 : low > 0;
    if (still(i)) wrong = !positive, right = positive;
    if (wrong) found.lower += weight(i);
    if (!right) found.upper += weight(i);
    if (!wrong && !right) ++found.undecided;
  }
  return found;
}

FoldInterval AlongFold::between(const FoldPointRef& lower, const FoldPointRef& upper,
                                const FoldInterval* parent, Tick& tick) const {
  const double l1 = lower->lambda, l2 = upper->lambda, from = std::log(l1), to = std::log(l2);
  FoldInterval found;
  found.spans.assign(static_cast<std::size_t>(count()), {from, to});
  if (parent != nullptr) {
    for (Index i = 0; i < count(); ++i) {
      found.spans[i] = {std::max(from, parent->spans[i].low), std::min(to, parent->spans[i].high)};
    }
    found.chord = parent->chord;
    found.caps = parent->caps;
  }
  // an interpolated score that is right at both ends is never certainly wrong
  std::vector<Index> needed;
  for (Index i = 0; i < count(); ++i) {
    const bool wrong = lower->held[i] < 0 || upper->held[i] < 0;
    if (wrong && !nowhere(found.spans[i])) needed.push_back(i);
  }
  std::optional<Widths> widths;
  if (curved_ && !needed.empty()) widths = curved_widths(lower, upper, needed, found, tick);
  if (!free_) {
    if (!widths && loss_->bends()) widths = flat_widths(*lower, *upper);
    meet_balls(*lower, *upper, found.spans);
  }
  if (widths) {
    for (const Index i : needed) {
      const double norm = widths->caps.size() > 0 ? widths->caps[i] : norm_of(i);
      const double slack = lower->slack(norm_of(i)) + upper->slack(norm_of(i));
      const double start = widths->start * norm + slack, bend = widths->bend * norm;
      if (!std::isfinite(start) || !std::isfinite(bend)) continue;
      const Interval share = not_wrong_share(lower->held[i], upper->held[i], start, bend);
      const auto at = [&](double th) {
        return widths->harmonic ? -std::log((1 - th) / l1 + th / l2)
                                : std::log(l1 + th * (l2 - l1));
      };
      Interval& span = found.spans[i];
      if (nowhere(share)) {
        span = share;
      } else {
        span = {std::max(span.low, at(share.low)), std::min(span.high, at(share.high))};
      }
    }
  }
  for (Index i = 0; i < count(); ++i) {
    Interval& span = found.spans[i];
    span.low = std::max(span.low - rounding::of_root * (1 + std::abs(from)), from);
    span.high = std::min(span.high + rounding::of_root * (1 + std::abs(to)), to);
    // certainly wrong at every lambda
    if (nowhere(span) || (still(i) && held_.y[i] < 0)) span = {HUGE_VAL, -HUGE_VAL};
  }
  return found;
}

Vec AlongFold::ends_of(const HessianChord& chord, const Vec& caps) {
  const double factor = chord.squared ? 1 : region::step_factor(chord.g * chord.largest);
  return chord.stretch * rounding::raised * chord.g * factor * caps;
}

std::optional<AlongFold::Widths> AlongFold::curved_widths(const FoldPointRef& lower,
                                                          const FoldPointRef& upper,
                                                          const std::vector<Index>& needed,
                                                          FoldInterval& found, Tick& tick) const {
  const ChordMemory* parent = found.chord ? &*found.chord : nullptr;
  const Problem problem = at(lower->lambda);
  auto chord = hessian_chord(problem, *lower, *upper, parent, tick);
  if (!chord) return {};
  Vec caps;
  if (parent == nullptr) {
    caps = norms(chord->factor, tick);
  } else {
    caps = found.caps * std::exp(chord_shift(problem, *lower, *upper, *parent) / 2);
    const Vec own = norms(chord->factor, tick, &needed);
    for (std::size_t k = 0; k < needed.size(); ++k) {
      caps[needed[k]] = std::min(caps[needed[k]], own[k]);
    }
  }
  const double l2 = upper->lambda;
  const bool harmonic = chord->harmonic * l2 < chord->linear;
  const double bend = (harmonic ? chord->harmonic * l2 : chord->linear) + chord->bend;
  const double psi =
      chord->squared ? 1 : region::step_factor((chord->g + bend / 4) * chord->largest);
  const double unit = psi * chord->stretch * rounding::raised;
  found.chord = ChordMemory{lower->lambda, chord->base, chord->loose, lower, upper};
  found.caps = caps;
  found.ends = ends_of(*chord, caps);
  return Widths{unit * chord->g, unit * bend, harmonic, std::move(caps)};
}

AlongFold::Widths AlongFold::flat_widths(const FoldPoint& lower, const FoldPoint& upper) const {
  const FlatChord chord = flat_chord(at(lower.lambda), lower, upper, operator_norm_);
  return {chord.start, chord.bend, chord.harmonic, Vec()};
}

void AlongFold::meet_balls(const FoldPoint& lower, const FoldPoint& upper,
                           std::vector<Interval>& spans) const {
  const DualBall below(lower), above(upper);
  for (Index i = 0; i < count(); ++i) {
    const double norm = norm_of(i);
    const auto reach = [&](const DualBall& ball, const FoldPoint& p, double end) {
      const double slack = 2 * p.slack(norm) * std::max(1.0, p.lambda / end);
      return std::log(ball.reach(p.held[i], p.dual[i], norm, slack, end));
    };
    spans[i].low = std::max(spans[i].low, reach(below, lower, upper.lambda));
    spans[i].high = std::min(spans[i].high, reach(above, upper, lower.lambda));
  }
}

}  // namespace dualmargin::decide
