// What a run of the augmented family learns about itself: how noisy its gradients are, which of its
// points is best, and when that is good enough. The draws are not those of the training.
#pragma once

#include <vector>

#include "augmented/confidence.h"

namespace dualmargin {

// sigma_p^2 = \frac1n \sum_i Var_\rho(grad f_i), what perturbations add, and sigma_tot^2 =
// \frac1n \sum_i E_\rho |grad f_i|^2, which SGD feels, at the w of some epoch.
struct NoiseRow {
  double epoch, perturbation, total;
};

template <class Problem>
class Assessment {
 public:
  Assessment(const Problem& problem, const ConfidenceOptions& options, Sampler& sampler,
             Monitor& monitor)
      : problem_(problem), sampler_(problem, options, sampler), seeds_(sampler), monitor_(monitor) {
    monitor.be_patient(1);  // rates of 1/t are slow but steady
  }

  // In passes over the data, of an estimate.
  static constexpr double price = 4;

  // For Monitor::proceed(): the better of the last point and, once there is one, the average, put
  // into w. An estimate; where it is within the tolerance the certificate.
  template <class Average>
  Certificate operator()(const Vec& last, bool averaging, Average average, Vec& w) {
    w = last;
    if (monitor_.epoch() == 0 || (monitor_.epoch() >= 2 && noise_.size() < 2)) observe(w);
    Certificate best = sampler_.estimate(w, monitor_);
    if (averaging) {
      Vec other = average();
      const Certificate c = sampler_.estimate(other, monitor_);
      if (c.gap < best.gap) {
        best = c;
        w = std::move(other);
      }
    }
    if (monitor_.within_tolerance(best)) return certify(w);
    return best;
  }
  Certificate operator()(const Vec& last, Vec& w) {
    return (*this)(
        last, false, [] { return Vec(); }, w);
  }

  // The certificate of w; of the same w twice the same.
  const ConfidenceBound& certify(const Vec& w) {
    if (!(certified_.size() == w.size() && certified_ == w)) {
      bound_ = sampler_.certify(w, monitor_);
      certified_ = w;
      spent_ += bound_.epochs;
    }
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
    noise_.push_back(
        {monitor_.epoch(), within / static_cast<double>(n), all / static_cast<double>(n)});
  }

  const std::vector<NoiseRow>& noise() const { return noise_; }
  double spent() const { return spent_; }

 private:
  static constexpr Index seeds = Index{1} << 53;

  const Problem& problem_;
  ConfidenceSampler<Problem> sampler_;
  Sampler& seeds_;
  Monitor& monitor_;
  std::vector<NoiseRow> noise_;
  Vec certified_;
  ConfidenceBound bound_;
  double spent_ = 0;
};

}  // namespace dualmargin
