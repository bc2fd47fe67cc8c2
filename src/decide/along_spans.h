// For which penalties between two solved ones a held-out row is not certainly wrong, and what that
// says of the error of all rows: a step function that is nowhere above it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/rounding.h"
#include "base/square.h"
#include "decide/along_rows.h"

namespace dualmargin::decide {

// A row is not certainly wrong at ln lambda within [from, to]; nowhere where from > to.
struct Span {
  double from, to;

  bool nowhere() const { return !(from <= to); }
};

// The weight of rows that are certainly wrong at a penalty, of those not certainly right, and how
// many are neither.
struct ErrorCount {
  double lower = 0, upper = 0, undecided = 0;
};

// The shares th in [0, 1] outside of which z1 + (z2 - z1) th + g + Q th (1 - th) < 0, Q >= 0, a
// function that is concave in th. Roots by the form without cancellation; each is moved inwards
// until the inequality really holds there, on the side where it is monotone.
inline Span not_wrong_share(double z1, double z2, double g, double Q) {
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

// The ball around (w - u v)/2 of squared radius F v + |w + u v|^2/4, v = 1/lambda, holds the
// optimum for the pair of another lambda_0, of any loss without a free intercept. A row of length
// |x|, y x'w = score and -y x'u = dual is certainly wrong where
//
//   score + dual v + |x| (4 F v + |w + u v|^2)^(1/2) < 0,
//
// on an interval of v: w + u v = e v0 + u (v - v0), which does not cancel near v0 = 1/lambda_0.
// A. Shibagaki, Y. Suzuki, M. Karasuyama and I. Takeuchi (2015), arXiv:1502.02344.
class DualBall {
 public:
  explicit DualBall(const AlongPoint& p)
      : pair_(p), v0_(1 / p.lambda), uu_(p.u.squaredNorm()), ue_(p.u.dot(p.e)) {}

  // |w + u v|, from above
  double length(double v) const {
    const double step = v - v0_, terms = pair_.ee * v0_ * v0_ + uu_ * step * step;
    const Square square{terms + 2 * ue_ * v0_ * step, 2 * rounding::of_score(pair_.dim) * terms};
    if (!square.possible()) return HUGE_VAL;
    return std::sqrt(square.value() + square.rounding) + pair_.du * v;
  }
  // Of the ball at the pair's own lambda, around (w - u v0)/2.
  double radius() const {
    const double off = length(v0_);
    return PenaltyShare::raised * std::sqrt(pair_.misfit * v0_ + off * off / 4);
  }

  // The lambda up to which a row that is certainly wrong at the pair's own stays so on the way to
  // `end`, by bisection of the logarithm; its own where it is not certainly wrong.
  double reach(double score, double dual, double norm, double slack, double end) const {
    const auto wrong = [&](double v) {
      const double off = length(v);
      const double width = PenaltyShare::raised * std::sqrt(4 * pair_.misfit * v + off * off);
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

 private:
  const AlongPoint& pair_;
  double v0_, uu_, ue_;
};

// The lower bound of the error between two lambdas: bound[i] from positions[i] to positions[i + 1],
// in ln lambda.
struct Steps {
  std::vector<double> positions, bound;

  double lowest() const { return *std::min_element(bound.begin(), bound.end()); }
};

// Spans and the weights of their rows, collected over all folds.
class StepsOf {
 public:
  void add(const Span& span, double weight) {
    weight_ += weight;
    if (span.nowhere()) return;
    changes_.push_back({span.from, weight});
    changes_.push_back({span.to, -weight});
  }
  // always: the weight that is wrong at every lambda. At equal places spans open before they close.
  Steps steps(double from, double to, double always) {
    std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
      return a.at < b.at || (a.at == b.at && a.by > b.by);
    });
    const double total = weight_ + always;
    Steps out{{from}, {total}};
    Sum open;
    for (const Change& change : changes_) {
      open.add(change.by);
      out.positions.push_back(change.at);
      out.bound.push_back(total - open.value());
    }
    out.positions.push_back(to);
    return out;
  }

 private:
  struct Change {
    double at, by;
  };
  std::vector<Change> changes_;
  double weight_ = 0;
};

}  // namespace dualmargin::decide
