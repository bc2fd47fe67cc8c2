#include "decide/smooth_chord.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/rounding.h"
#include "base/slack.h"

namespace dualmargin::decide {

bool has_hessian_chord(const Loss& phi, Index dim) {
  return phi.curved() && dim <= region::largest_hessian;
}

double chord_shift(const Problem& at, const AlongPoint& lower, const AlongPoint& upper,
                   const ChordMemory& other) {
  if (at.phi.curving() == Curving::constant) return 0;
  const RowVec &z1 = other.lower->z, &z2 = other.upper->z;
  return rounding::raised * at.rows.max([&](Index i) {
    return std::abs((lower.z[i] + upper.z[i]) / 2 - (z1[i] + z2[i]) / 2);
  });
}

std::optional<HessianChord> hessian_chord(const Problem& at, const AlongPoint& lower,
                                          const AlongPoint& upper, const ChordMemory* parent,
                                          Tick& tick) {
  constexpr double most = 1;
  const bool squared = at.phi.curving() == Curving::constant;
  const double l1 = lower.lambda, l2 = upper.lambda;
  const auto wander = [&](Index i) { return lower.z_rounding[i] + upper.z_rounding[i]; };
  const auto apart = [&](Index i) { return std::abs(upper.z[i] - lower.z[i]) + wander(i); };
  const double t = squared ? 0 : at.rows.max(apart) / 2;
  if (!(t <= most)) return {};
  const RowVec phi = RowVec::of(
      at.n(), [&](Index i) { return at.phi.second((lower.z[i] + upper.z[i]) / 2, at.y(i)); });
  region::Factor factor = region::factored_hessian(at, RowVec(at.share * phi), tick);
  if (!factor.usable()) return {};
  HessianChord chord{std::move(factor)};
  chord.squared = squared;
  chord.stretch = std::exp(t / 2);
  if (!squared) {
    chord.bend = chord.stretch * std::sqrt(at.mean([&](Index i) {
                   const double q =
                       at.phi.bend(lower.z[i], upper.z[i], at.y(i), apart(i), wander(i));
                   return q > 0 ? q * (q / phi[i]) : 0.0;
                 }));
  }
  const auto norm_of = [&](const Vec& v) {
    Vec whole = Vec::Zero(v.size() + at.free());
    whole.head(v.size()) = v;
    return chord.factor.norm(whole);
  };
  chord.linear = chord.stretch * (l2 - l1) * norm_of(lower.w - upper.w);
  chord.harmonic = chord.stretch * norm_of(l1 * lower.w - l2 * upper.w) * (l2 - l1) / (l1 * l2);
  const double steps =
      std::max(chord.factor.norm(lower.gradient), chord.factor.norm(upper.gradient));
  const auto with_largest = [&](double base) {
    chord.base = base;
    chord.largest = chord.stretch * base;
    const auto lost = [&](const AlongPoint& p) {
      return region::gradient_rounding(at, p, p.terms, chord.factor, base);
    };
    chord.g = chord.stretch * (steps + std::max(lost(lower), lost(upper)));
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

FlatChord flat_chord(const Problem& at, const AlongPoint& lower, const AlongPoint& upper,
                     double largest) {
  const double l1 = lower.lambda, l2 = upper.lambda;
  const RowVec& norms = at.rows.lengths();
  const auto [by_rows, squares] = at.rows.sum([&](Index i) {
    const double wander = lower.z_rounding[i] + upper.z_rounding[i];
    const double dz = std::abs(upper.z[i] - lower.z[i]) + wander;
    const double q = at.phi.bend(lower.z[i], upper.z[i], at.y(i), dz, wander);
    return std::array<double, 2>{at.share[i] * q * norms[i], at.share[i] * q * q};
  });
  const double linear = (l2 - l1) * (upper.w - lower.w).norm();
  const double harmonic = (l2 - l1) / l1 * (l1 * lower.w - l2 * upper.w).norm();
  const auto size = [&](const AlongPoint& p) {
    return p.gradient.norm() + at.cross_rounding() * p.terms.norm() +
           at.mean([&](Index i) { return p.z_rounding[i] * norms[i]; }) / at.phi.gamma();
  };
  const double unit = rounding::raised / l1;
  return {unit * std::max(size(lower), size(upper)),
          unit * (std::min(linear, harmonic) + std::min(by_rows, largest * std::sqrt(squares))),
          harmonic < linear};
}

double operator_norm(const Problem& at, Tick& tick) {
  const RowVec& norms = at.rows.lengths();
  const double trace = at.mean([&](Index i) { return norms[i] * norms[i]; });
  if (at.rows.dim() > 500 || !(trace > 0)) return std::sqrt(trace);
  Mat power = at.rows.gram(at.share, false, tick) / trace;
  double exponent = 1, unit = 1;  // (1/W) X'Omega X / trace = unit power^{1/exponent}, in norm
  for (int k = 0; k < 6; ++k) {
    power = (power * power).eval();
    exponent *= 2;
    const double size = power.norm();
    if (!(size > 0)) return std::sqrt(trace);
    power /= size;
    unit *= std::pow(size, 1 / exponent);
  }
  return std::sqrt(trace * std::min(1.0, unit * rounding::raised_factor + rounding::safe_length));
}

}  // namespace dualmargin::decide
