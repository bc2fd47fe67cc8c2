// What a run of the augmented family learns about itself: how noisy its gradients are, which of its
// points is best, and when that is good enough. The draws are not those of the training.
#pragma once

#include <vector>

#include "augmented/confidence.h"

namespace dualmargin::augmented {

// sigma_p^2 = \frac1n \sum_i Var_\rho(grad f_i), what perturbations add, and sigma_tot^2 =
// \frac1n \sum_i E_\rho |grad f_i|^2, which SGD feels, at the w of some epoch.
struct NoiseRow {
  double epoch, perturbation, total;
};

template <class Problem>
class Assessment {
 public:
  Assessment(const Problem& problem, const ConfidenceOptions& options, Sampler& sampler, Run& run)
      : problem_(problem), sampler_(problem, options, sampler), seeds_(sampler), run_(run) {
    // rates of 1/t are slow but steady, and estimates of them are noisy: never stalled
    run.be_patient(problem.expectation != nullptr ? 1 : 2);
  }

  // In passes over the data, of an estimate.
  double price() const { return sampler_.estimate_price(); }

  // For Run::proceed(): the better of the last point and, once there is one, the average, put
  // into w. An estimate; where it is within the tolerance the certificate, if one is due, and where
  // the time is over the certificate alone.
  template <class Average>
  Certificate operator()(const Vec& last, bool averaging, Average average, Vec& w) {
    if (!run_.in_time()) {
      w = averaging && lead_ >= 0 ? average() : last;
      certify(w, 0, false);
      return bound_;
    }
    if (run_.epoch() >= 2 && noise_.size() < 2) observe(last);
    std::vector<Vec> points(1, last);
    if (averaging) points.push_back(average());
    const std::vector<Certificate> estimates = sampler_.estimate(points, run_);
    if (averaging) lead_ = memory * lead_ + (estimates[1].gap <= estimates[0].gap ? 1 : -1);
    const bool other = averaging && lead_ >= 0;
    w = points[other];
    Certificate estimate = estimates[other];
    estimate = Certificate(estimate.value, std::max(0.0, estimate.gap));
    if (!run_.within_tolerance(estimate)) return estimate;
    if (due()) {
      certify(w, std::max(0.0, run_.epoch() - spent()), false);
      next_ = std::max(retry * run_.epoch(), spent() + std::min(sampler_.wanted(), run_.epoch()));
      return bound_;
    }
    estimate.estimated = true;  // nothing to rely on, so it may not end the run
    return estimate;
  }
  Certificate operator()(const Vec& last, Vec& w) {
    return (*this)(
        last, false, [] { return Vec(); }, w);
  }

  // The certificate of w, at the end of a run. A run without one may cost as much again, and more
  // where that promises one.
  const ConfidenceBound& certify(const Vec& w) {
    certify(w, run_.epoch(), true);
    return bound_;
  }

  // Two draws of every row's gradient at w.
  void observe(const Vec& w) {
    const Index n = problem_.n();
    PerturbedRows<typename Problem::Data> rows(problem_.x, problem_.perturbation,
                                               static_cast<std::uint64_t>(seeds_.below(seeds)));
    std::vector<Visit> twice;
    for (Index i = 0; i < n; ++i) {
      // a cycle is stratified, so the second draw is the first of another one
      twice.push_back({i, 0});
      twice.push_back({i, problem_.perturbation.cycle() * 1000003});
    }
    const double mu = problem_.penalty.l2, ridge = mu * mu * w.squaredNorm();
    double within = 0, all = 0;
    std::vector<double> first;
    Index calls = 0;
    rows.each(twice, [&](Index i, const double* xi) {
      run_.tick().row(i);
      const Index length = problem_.x.nonzeros(i);
      const double z = problem_.x.dot_of(i, xi, w);
      const double share = static_cast<double>(n) * problem_.share(i);
      const double slope = share * problem_.loss.slope(z, problem_.y[i]);
      double square = 0;
      for (Index k = 0; k < length; ++k) square += xi[k] * xi[k];
      // |slope xi + mu w|^2
      all += 0.5 * (slope * slope * square + 2 * mu * slope * z + ridge);
      if (calls++ % 2 == 0) {
        first.resize(length);
        for (Index k = 0; k < length; ++k) first[k] = slope * xi[k];
      } else {
        for (Index k = 0; k < length; ++k) {
          within += 0.5 * (first[k] - slope * xi[k]) * (first[k] - slope * xi[k]);
        }
      }
    });
    noise_.push_back({run_.epoch(), within / static_cast<double>(n), all / static_cast<double>(n)});
  }

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

  bool due() const { return problem_.expectation != nullptr || run_.epoch() >= next_; }

  void certify(const Vec& w, double budget, bool last) {
    const auto enough = [&](const Certificate& c) { return run_.within_tolerance(c); };
    if (certified_.size() == w.size() && certified_ == w && enough(bound_)) return;
    bound_ = sampler_.certify(w, budget, last, enough, run_);
    certified_ = w;
  }

  const Problem& problem_;
  ConfidenceSampler<Problem> sampler_;
  Sampler& seeds_;
  Run& run_;
  std::vector<NoiseRow> noise_;
  Vec certified_;
  ConfidenceBound bound_;
  double next_ = 0, lead_ = 0;
};

}  // namespace dualmargin::augmented
