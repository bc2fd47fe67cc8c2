#include "augmented/perturbation.h"

#include <algorithm>
#include <cmath>

#include "augmented/gaussian_loss.h"

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

namespace {

// A step that treats every row alone: Derived::row(uniforms, x, count).
template <class Derived>
class RowStep : public PerturbationStep {
 public:
  using PerturbationStep::PerturbationStep;
  void apply(std::uint64_t seed, const std::vector<PerturbedRow>& rows,
             double* values) const final {
    for (const PerturbedRow& r : rows) {
      static_cast<const Derived*>(this)->row(Uniforms(seed, cycle(), r.at), values + r.first,
                                             r.count);
    }
  }
};

// Every value becomes 0 with probability `rate`, else x / (1 - rate).
class Dropout final : public RowStep<Dropout> {
 public:
  Dropout(double rate, bool balanced)
      : RowStep(balanced ? Cycle::lattice(rate) : Cycle::independent()),
        rarest_(std::min(rate, 1 - rate)),
        threshold_(static_cast<std::uint64_t>(std::ldexp(rate, 64))),
        scale_(1 / (1 - rate)) {}
  double rarest() const override { return rarest_; }
  double keep() const override { return 1 / scale_; }
  void row(const Uniforms& u, double* x, Index count) const {
    for (Index k = 0; k < count; ++k) x[k] = u.bits(k) < threshold_ ? 0.0 : x[k] * scale_;
  }
  double norm_after(double norm, Index) const override { return norm * scale_; }
  void change(Moments& m) const override { m.multiply(scale_); }

 private:
  double rarest_;
  std::uint64_t threshold_;
  double scale_;
};

// Every value is multiplied by a number uniform on (1 - width, 1 + width).
class Rescale final : public RowStep<Rescale> {
 public:
  Rescale(double width, bool balanced) : RowStep(Cycle::mirrors_if(balanced)), width_(width) {}
  void row(const Uniforms& u, double* x, Index count) const {
    for (Index k = 0; k < count; ++k) x[k] *= 1 + width_ * (2 * u.uniform(k) - 1);
  }
  double norm_after(double norm, Index) const override { return norm * (1 + width_); }
  void change(Moments& m) const override { m.multiply(1 + width_ * width_ / 3); }

 private:
  double width_;
};

// Normal noise with mean zero on every value.
class GaussianNoise final : public RowStep<GaussianNoise> {
 public:
  GaussianNoise(double sd, bool balanced) : RowStep(Cycle::mirrors_if(balanced)), sd_(sd) {}
  void row(const Uniforms& u, double* x, Index count) const {
    for (Index k = 0; k < count; ++k) x[k] += sd_ * normal_quantile(u.uniform(k));
  }
  double norm_after(double norm, Index count) const override {
    return norm + sd_ * std::sqrt(static_cast<double>(count));
  }
  void change(Moments& m) const override { m.added += sd_ * sd_; }

 private:
  double sd_;
};

// An image of `height` x `width` (the index of height runs fastest), repeated in as many planes as
// the row holds, moved by whole pixels, at most `shift` in either direction; what comes in from
// outside is 0.
class ImageShift final : public RowStep<ImageShift> {
 public:
  ImageShift(Index height, Index width, Index shift, bool balanced)
      : RowStep(Cycle::mirrors_if(balanced)), height_(height), width_(width), shift_(shift) {}
  void row(const Uniforms& u, double* x, Index count) const {
    const Index down = step(u.uniform(0)), right = step(u.uniform(1)), plane = height_ * width_;
    if (down == 0 && right == 0) return;
    std::vector<double> moved(plane);
    for (Index p = 0; p + plane <= count; p += plane) {
      std::fill(moved.begin(), moved.end(), 0.0);
      for (Index c = std::max<Index>(0, right); c < std::min(width_, width_ + right); ++c) {
        for (Index r = std::max<Index>(0, down); r < std::min(height_, height_ + down); ++r) {
          moved[c * height_ + r] = x[p + (c - right) * height_ + r - down];
        }
      }
      std::copy(moved.begin(), moved.end(), x + p);
    }
  }
  double norm_after(double norm, Index) const override { return norm; }

 private:
  Index step(double u) const {
    return static_cast<Index>(std::floor(u * static_cast<double>(2 * shift_ + 1))) - shift_;
  }
  Index height_, width_, shift_;
};

}  // namespace

std::unique_ptr<PerturbationStep> dropout(double rate, bool balanced) {
  return std::make_unique<Dropout>(rate, balanced);
}

std::unique_ptr<PerturbationStep> rescale(double width, bool balanced) {
  return std::make_unique<Rescale>(width, balanced);
}

std::unique_ptr<PerturbationStep> gaussian_noise(double sd, bool balanced) {
  return std::make_unique<GaussianNoise>(sd, balanced);
}

std::unique_ptr<PerturbationStep> image_shift(Index height, Index width, Index shift,
                                              bool balanced) {
  return std::make_unique<ImageShift>(height, width, shift, balanced);
}

}  // namespace dualmargin::augmented
