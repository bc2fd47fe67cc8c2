// Random perturbations of a row: a chain of steps, each of which changes the stored values of a row
// in place. The constant column of a penalised intercept is never perturbed.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "augmented/uniforms.h"

namespace dualmargin::augmented {

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

}  // namespace dualmargin::augmented
