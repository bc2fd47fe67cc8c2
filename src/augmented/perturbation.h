// Random perturbations of a row: a chain of steps, each of which changes the stored values of a row
// in place. The constant column of a penalised intercept is never perturbed.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/mix64.h"
#include "base/numeric.h"

namespace dualmargin::augmented {

// Random numbers of perturbations: a function of (seed, row, visit, coordinate) and of nothing
// else, so that any visit of any row can be drawn again and no state is kept but the number of
// visits.
//
// Balanced: the visits of a row come in cycles. With a fresh hash h of every coordinate and cycle,
// visit c of the cycle gets the uniform number
//
//   u = frac(h + c / m)                                        (lattice of m visits)
//   u = frac(h + 2 floor(c/2) / m), and 1 - u for odd c        (mirrored lattice, m even)
//
// Every u alone is exactly uniform, and independent between coordinates, rows and cycles. Over a
// cycle of the first kind {u < r/m} happens exactly r times; over one of the second the mean of
// every function that is odd about 1/2 is zero. Both are S-MISO's own average over the visits of a
// row, from which the first order of the noise so vanishes.
struct Visit {
  Index row;
  std::uint64_t number;  // 0 the first time
};

// How the visits of one row belong together. Numbers on [0, 1) are 64-bit integers here, in units
// of 2^-64, whose overflow is frac().
struct Cycle {
  std::uint64_t length = 1, rotation = 0;
  bool mirrored = false;

  static Cycle independent() { return {}; }

  static constexpr int longest = 100;
  static constexpr double near_whole = 1e-9;  // shares are given in decimals
  // For an event of probability `share`: m is the smallest with m share whole, or where there is
  // none, 16 visits rotated by the golden ratio.
  static Cycle lattice(double share) {
    for (int m = 1; m <= longest; ++m) {
      if (std::abs(m * share - std::round(m * share)) < near_whole) {
        return {static_cast<std::uint64_t>(m), m == 1 ? 0 : UINT64_MAX / m + 1, false};
      }
    }
    return {16, golden64, false};
  }
  static Cycle mirrors() { return {16, std::uint64_t{1} << 61, true}; }
  static Cycle mirrors_if(bool balanced) { return balanced ? mirrors() : independent(); }
};

// The uniform numbers of one visit, one a coordinate.
class Uniforms {
 public:
  Uniforms(std::uint64_t seed, const Cycle& cycle, const Visit& at) {
    const std::uint64_t turn = at.number / cycle.length, c = at.number % cycle.length;
    const std::uint64_t row = static_cast<std::uint64_t>(at.row);
    base_ = mix64(seed + golden64 * row) ^ mix64(golden64 * (turn + 1));
    base_ = mix64(base_);
    shift_ = (cycle.mirrored ? c / 2 : c) * cycle.rotation;
    flip_ = cycle.mirrored && c % 2 == 1 ? UINT64_MAX : 0;
  }

  std::uint64_t bits(Index k) const {
    return (mix64(base_ + golden64 * static_cast<std::uint64_t>(k)) + shift_) ^ flip_;
  }
  // On (0, 1), 52 bits and a half, so that u and 1 - u are mirror images to the last bit.
  double uniform(Index k) const { return (static_cast<double>(bits(k) >> 12) + 0.5) * 0x1p-52; }

 private:
  std::uint64_t base_, shift_, flip_;
};

// Rows to be perturbed, each for one visit: `count` values from `first` on.
struct PerturbedRow {
  Visit at;
  Index first, count;
};

// What is known of a perturbed value: its mean is x, its mean square scale x^2 + added,
// independently of the others; and is it normal around x?
struct Moments {
  bool known = true, normal = true;
  double scale = 1, added = 0;

  // Times a number that is not normal, of mean 1 and this mean square.
  void multiply(double square);
};

class PerturbationStep {
 public:
  explicit PerturbationStep(const Cycle& cycle) : cycle_(cycle) {}
  virtual ~PerturbationStep() = default;

  virtual void apply(std::uint64_t seed, const std::vector<PerturbedRow>& rows,
                     double* values) const = 0;
  // A bound on |rho x| for |x| = norm, or a typical value where there is none; NaN: unknown.
  virtual double norm_after(double norm, Index count) const = 0;
  // Moments before the step -> after it; those of a step that says nothing are not known.
  virtual void change(Moments& moments) const { moments.known = moments.normal = false; }
  // The probability of the rarest thing that it does to a value; 1 where none stands out.
  virtual double rarest() const { return 1; }
  // The probability with which it keeps a value, where it drops or keeps each of them and nothing
  // else; else 0.
  virtual double keep() const { return 0; }
  // A function of the user's: for the main thread alone, and better called for many rows at once.
  virtual bool users_own() const { return false; }
  const Cycle& cycle() const { return cycle_; }

 private:
  Cycle cycle_;
};

class Perturbation {
 public:
  void add(std::unique_ptr<PerturbationStep> step) { steps_.push_back(std::move(step)); }

  bool none() const { return steps_.empty(); }
  void apply(std::uint64_t seed, const std::vector<PerturbedRow>& rows, double* values) const;
  double norm_after(double norm, Index count) const;
  Moments moments() const;
  bool users_own() const;
  // Of a chain that does nothing but drop values, each 1 / keep times as large where it stays.
  double keep() const;
  double rarest() const;
  // Visits after which every step has completed a cycle or nearly so.
  std::uint64_t cycle() const;

 private:
  std::vector<std::unique_ptr<PerturbationStep>> steps_;
};

// The perturbations that are known by name; each is described where it is defined.
std::unique_ptr<PerturbationStep> dropout(double rate, bool balanced);
std::unique_ptr<PerturbationStep> rescale(double width, bool balanced);
std::unique_ptr<PerturbationStep> gaussian_noise(double sd, bool balanced);
std::unique_ptr<PerturbationStep> image_shift(Index height, Index width, Index shift,
                                              bool balanced);

}  // namespace dualmargin::augmented
