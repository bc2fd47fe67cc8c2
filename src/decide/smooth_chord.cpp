#include "decide/smooth_chord.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/slack.h"

namespace dualmargin::decide {

bool has_hessian_chord(const AlongRows& at) {
  return at.loss.curved() && at.dim() <= region::largest_hessian;
}

double chord_shift(const AlongRows& at, const AlongPoint& lower, const AlongPoint& upper,
                   const ChordMemory& other) {
  if (at.loss.curving() == Curving::constant) return 0;
  const RowVec &z1 = other.lower->z, &z2 = other.upper->z;
  return rounding::raised * at.rows.max([&](Index i) {
    return std::abs((lower.z[i] + upper.z[i]) / 2 - (z1[i] + z2[i]) / 2);
  });
}

namespace {

// What rounding can have done to |grad|_{H^-1}:
//   16 u {sum_j (H^-1)_jj^(1/2) [(1/W) sum omega |phi'| |x_ij| + lambda |w_j|] + R max_i |z_i|},
// where (H^-1)_jj is at most 1/l1 for a penalised coordinate, and |z_i| <= |x_i| |w| + |b|.
double gradient_rounding(const AlongRows& at, const AlongPoint& lower, const AlongPoint& upper,
                         const region::Factor& factor, double largest) {
  const double of_constant = at.free ? factor.inflation * factor.inverse[at.dim()] : 0;
  const double norm = at.largest_norm();
  const auto one = [&](const AlongPoint& p) {
    const auto [entries, slopes] = at.rows.sum([&](Index i) {
      const double slope = at.rows.share(i) * std::abs(at.slope(p, i));
      return std::array<double, 2>{slope * at.size(i), slope};
    });
    return (entries + p.lambda * p.w1) / std::sqrt(lower.lambda) + of_constant * slopes +
           largest * (norm * std::sqrt(p.ww) + std::abs(p.b));
  };
  return rounding::of(16) * std::max(one(lower), one(upper));
}

}  // namespace

std::optional<HessianChord> hessian_chord(const AlongRows& at, const AlongPoint& lower,
                                          const AlongPoint& upper, const ChordMemory* parent,
                                          Tick& tick) {
  constexpr double most = 1;
  const bool squared = at.loss.curving() == Curving::constant;
  const double l1 = lower.lambda, l2 = upper.lambda;
  const auto apart = [&](Index i) {
    const double norm = at.norm(i);
    return std::abs(upper.z[i] - lower.z[i]) + lower.wander(norm) + upper.wander(norm);
  };
  const double t = squared ? 0 : at.rows.max(apart) / 2;
  if (!(t <= most)) return {};
  const RowVec phi =
      RowVec::of(at.n(), [&](Index i) { return at.curvature((lower.z[i] + upper.z[i]) / 2, i); });
  const RowVec weighted = RowVec::of(at.n(), [&](Index i) { return at.rows.share(i) * phi[i]; });
  auto factor =
      region::factored_hessian(at.rows, weighted, Vec::Constant(at.dim(), l1), at.free, tick);
  if (!factor.usable()) return {};
  HessianChord chord{std::move(factor)};
  chord.squared = squared;
  chord.stretch = std::exp(t / 2);
  if (!squared) {
    chord.bend = chord.stretch * std::sqrt(at.mean([&](Index i) {
                   const double norm = at.norm(i), wander = lower.wander(norm) + upper.wander(norm);
                   const double q = at.loss.bend(lower.z[i], upper.z[i], at.y(i), apart(i), wander);
                   return q > 0 ? q * (q / phi[i]) : 0.0;
                 }));
  }
  const auto norm_of = [&](const Vec& v) {
    Vec whole = Vec::Zero(at.dim() + at.free);
    whole.head(at.dim()) = v;
    return chord.factor.norm(whole);
  };
  chord.linear = chord.stretch * (l2 - l1) * norm_of(lower.w - upper.w);
  chord.harmonic = chord.stretch * norm_of(l1 * lower.w - l2 * upper.w) * (l2 - l1) / (l1 * l2);
  const double steps =
      std::max(chord.factor.norm(lower.gradient), chord.factor.norm(upper.gradient));
  const auto with_largest = [&](double base) {
    chord.base = base;
    chord.largest = chord.stretch * base;
    chord.g = chord.stretch * (steps + gradient_rounding(at, lower, upper, chord.factor, base));
  };
  if (parent != nullptr && parent->l1 <= l1) {
    const double shift = std::exp(chord_shift(at, lower, upper, *parent) / 2);
    chord.loose = parent->loose * shift;
    with_largest(parent->base * shift);
    const double twist = std::min(chord.linear, chord.harmonic * l2);
    const double s = chord.nu(0.5, twist) * chord.largest;
    if (s <= 0.5 && s * (1 - 1 / chord.loose) <= 0.08) return chord;
  }
  chord.loose = 1;
  with_largest(region::inverse_norms(chord.factor, at.rows, tick, nullptr).maxCoeff());
  return chord;
}

FlatChord flat_chord(const AlongRows& at, const AlongPoint& lower, const AlongPoint& upper,
                     double largest) {
  const double l1 = lower.lambda, l2 = upper.lambda;
  const auto [by_rows, squares] = at.rows.sum([&](Index i) {
    const double norm = at.norm(i), wander = lower.wander(norm) + upper.wander(norm);
    const double dz = std::abs(upper.z[i] - lower.z[i]) + wander;
    const double q = at.loss.bend(lower.z[i], upper.z[i], at.y(i), dz, wander);
    return std::array<double, 2>{at.rows.share(i) * q * norm, at.rows.share(i) * q * q};
  });
  const double linear = (l2 - l1) * (upper.w - lower.w).norm();
  const double harmonic = (l2 - l1) / l1 * (l1 * lower.w - l2 * upper.w).norm();
  const auto size = [&](const AlongPoint& p) {
    const auto [slopes, wander] = at.rows.sum([&](Index i) {
      const double norm = at.norm(i), share = at.rows.share(i);
      return std::array<double, 2>{share * std::abs(at.slope(p, i)) * norm,
                                   share * p.wander(norm) * norm};
    });
    return p.gradient.norm() + rounding::of(16) * (slopes + p.lambda * std::sqrt(p.ww)) +
           wander / at.loss.gamma();
  };
  const double unit = rounding::raised / l1;
  return {unit * std::max(size(lower), size(upper)),
          unit * (std::min(linear, harmonic) + std::min(by_rows, largest * std::sqrt(squares))),
          harmonic < linear};
}

double operator_norm(const AlongRows& at, Tick& tick) {
  const double trace = at.mean([&](Index i) { return at.norm(i) * at.norm(i); });
  if (at.dim() > 500 || !(trace > 0)) return std::sqrt(trace);
  const RowVec shares = at.rows.weights / at.rows.total_weight;
  Mat power = at.rows.gram(shares, false, tick) / trace;
  double exponent = 1, unit = 1;  // (1/W) X'Omega X / trace = unit power^{1/exponent}, in norm
  for (int k = 0; k < 6; ++k) {
    power = (power * power).eval();
    exponent *= 2;
    const double size = power.norm();
    if (!(size > 0)) return std::sqrt(trace);
    power /= size;
    unit *= std::pow(size, 1 / exponent);
  }
  return std::sqrt(trace * std::min(1.0, unit * (1 + 1e-9) + 1e-10));
}

}  // namespace dualmargin::decide
