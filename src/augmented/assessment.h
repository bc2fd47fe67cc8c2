// What a run of the augmented family learns about itself: how noisy its gradients are, which of its
// points is best, and when that is good enough. The draws are not those of the training.
#pragma once

#include <vector>

#include "augmented/confidence.h"
#include "run/incumbent.h"

namespace dualmargin::augmented {

// sigma_p^2 = \frac1n \sum_i Var_\rho(grad f_i), what perturbations add, and sigma_tot^2 =
// \frac1n \sum_i E_\rho |grad f_i|^2, which SGD feels, at the w of some epoch.
struct NoiseRow {
  double epoch, perturbation, total;
};

class Assessment {
 public:
  Assessment(const ExpectedErm& problem, const ConfidenceOptions& options, Sampler& sampler,
             Run& run)
      : problem_(problem), sampler_(problem, options, sampler), seeds_(sampler), run_(run) {}

  // Whether the average is taken once there is one, or the better point by the estimates.
  void always_average(bool always) { always_average_ = always; }

  // Run::proceed() of a method whose points are last() and, once it has one, average(), else empty:
  // the better of them is put into w, or the one of least value of all so far where gaps are exact and
  // the user does not ask for the last iterate, with the highest bound of all. (Of estimates the least
  // would be that with the luckiest draws.) Its gap is estimated; where the estimate is within the
  // tolerance comes the certificate, if one is due, and where the time is over that alone.
  using Point = FunctionRef<Vec()>;
  bool proceed(Point last, Point average, Vec& w);

  // The certificate of w, at the end of a run. A run without one may cost as much again, and more
  // where that promises one.
  const GradientBound& certify(const Vec& w);

  // Two draws of every row's gradient at w.
  void observe(const Vec& w);

  bool samples() const { return sampler_.samples(); }
  const std::vector<NoiseRow>& noise() const { return noise_; }
  // Passes over the data beside the training.
  double spent() const { return sampler_.spent() + 2 * static_cast<double>(noise_.size()); }

 private:
  static constexpr Index seeds = Index{1} << 53;
  // After a certificate that failed the next is made once so much more work has been done, and
  // once there is as much of it as a better one will take.
  static constexpr double retry = 1.25;
  // One estimate is a noisy judge of which point is better, so older ones have a say.
  static constexpr double memory = 0.8;

  bool ahead() const { return always_average_ || lead_ >= 0; }
  void certify(const Vec& w, double budget, bool last);

  const ExpectedErm& problem_;
  ConfidenceSampler sampler_;
  Sampler& seeds_;
  Run& run_;
  std::vector<NoiseRow> noise_;
  Vec certified_;
  Incumbent<Vec, NoDual> best_;  // where gaps are exact
  GradientBound bound_;
  double next_ = 0, lead_ = 0;
  bool always_average_ = false;
};

}  // namespace dualmargin::augmented
