#include "augmented/perturbation.h"

#include <algorithm>

namespace dualmargin::augmented {

void Moments::multiply(double square) {
  normal = false;
  scale *= square;
  added *= square;
}

void Perturbation::apply(std::uint64_t seed, const std::vector<PerturbedRow>& rows,
                         double* values) const {
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    steps_[s]->apply(mix64(seed + golden64 * (s + 1)), rows, values);
  }
}

double Perturbation::norm_after(double norm, Index count) const {
  for (const auto& step : steps_) norm = step->norm_after(norm, count);
  return norm;
}

Moments Perturbation::moments() const {
  Moments m;
  for (const auto& step : steps_) step->change(m);
  return m;
}

bool Perturbation::users_own() const {
  for (const auto& step : steps_) {
    if (step->users_own()) return true;
  }
  return false;
}

double Perturbation::keep() const {
  double all = 1;
  for (const auto& step : steps_) all *= step->keep();
  return all;
}

double Perturbation::rarest() const {
  double least = 1;
  for (const auto& step : steps_) least = std::min(least, step->rarest());
  return least;
}

std::uint64_t Perturbation::cycle() const {
  std::uint64_t length = 1;
  for (const auto& step : steps_) length = std::max(length, step->cycle().length);
  return length;
}

}  // namespace dualmargin::augmented
