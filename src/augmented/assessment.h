// What a run of the augmented family learns about itself: how noisy its gradients are, which of its
// points is best, and when that is good enough. The draws are not those of the training.
#pragma once

#include <array>
#include <optional>
#include <utility>
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
      : problem_(problem), sampler_(problem, options, sampler), seeds_(sampler), run_(run) {}

  // Whether the average is taken once there is one, or the better point by the estimates.
  void always_average(bool always) { always_average_ = always; }

  // Run::proceed() of a method whose points are last() and, once it has one, average(), else empty:
  // the better of them is put into w, or the best of all so far where gaps are exact and the user
  // does not ask for the last iterate. (Of estimates the least would be that with the luckiest
  // draws.) Its gap is estimated; where the estimate is within the tolerance comes the certificate,
  // if one is due, and where the time is over that alone.
  template <class Last, class Average>
  bool proceed(Last last, Average average, Vec& w) {
    const auto certificate = [&](double budget) {
      certify(w, budget, false);
      return std::optional<Certificate>(bound_);
    };
    if (!run_.in_time()) {
      const auto at_once = [&] {
        w = best_.size() > 0 ? best_ : last();
        if (Vec v = average(); best_.size() == 0 && v.size() > 0 && ahead()) w = std::move(v);
        return certificate(0);
      };
      return run_.proceed(at_once, sampler_.estimate_price());
    }
    const auto estimate = [&] {
      std::vector<Vec> points(1, last());
      if (run_.epoch() >= 2 && noise_.size() < 2) observe(points[0]);
      if (Vec v = average(); v.size() > 0) points.push_back(std::move(v));
      const std::vector<Certificate> c = sampler_.estimate(points, run_);
      const bool averaging = points.size() > 1;
      if (averaging) lead_ = memory * lead_ + (c[1].gap <= c[0].gap ? 1 : -1);
      const bool other = averaging && ahead();
      w = points[other];
      Certificate of_w(c[other].value, std::max(0.0, c[other].gap));
      if (problem_.known() && !always_average_ && run_.iterate() == Iterate::best) {
        const double value = of_w.value;
        if (best_.size() == 0 || of_w.gap < best_gap_.gap) {
          best_ = w;
          best_gap_ = of_w;
        }
        w = best_;
        of_w = best_gap_;
        if (of_w.value != value) of_w.iterate = value;
      }
      return problem_.told(w, of_w);
    };
    const auto exact = [&]() -> std::optional<Certificate> {
      if (!problem_.known() && run_.epoch() < next_) return std::nullopt;
      const auto c = certificate(std::max(0.0, run_.epoch() - spent()));
      next_ = std::max(retry * run_.epoch(), spent() + std::min(sampler_.wanted(), run_.epoch()));
      return c;
    };
    return run_.proceed(estimate, exact, sampler_.estimate_price());
  }

  // The certificate of w, at the end of a run. A run without one may cost as much again, and more
  // where that promises one.
  const GradientBound& certify(const Vec& w) {
    certify(w, run_.epoch(), true);
    return bound_;
  }

  // Two draws of every row's gradient at w.
  void observe(const Vec& w) {
    const auto& rows = problem_.rows;
    const auto seed = static_cast<std::uint64_t>(seeds_.below(seeds));
    const double n = static_cast<double>(rows.n());
    const double mu = problem_.penalty.l2, ridge = mu * mu * w.squaredNorm();
    Mat of_row = Mat::Zero(2, rows.n());
    const auto look = [&](Index begin, Index end, Tick& tick) {
      PerturbedRows<typename Problem::Data> perturbed(rows, problem_.perturbation, seed);
      std::vector<Visit> twice;
      for (Index i = begin; i < end; ++i) {
        // a cycle is stratified, so the second draw is the first of another one
        twice.push_back({i, 0});
        twice.push_back({i, problem_.perturbation.cycle() * 1000003});
      }
      Vec first;
      Index calls = 0;
      perturbed.each(twice, [&](Index i, const double* values) {
        tick.row(i);
        const Eigen::Map<const Vec> xi(values, rows.nonzeros(i));
        const double z = rows.dot_of(i, values, w);
        const double slope = n * rows.share(i) * problem_.loss.slope(z, rows.y[i]);
        // |slope xi + mu w|^2
        of_row(1, i) += 0.5 * (slope * slope * xi.squaredNorm() + 2 * mu * slope * z + ridge);
        if (calls++ % 2 == 0) {
          first = slope * xi;
        } else {
          of_row(0, i) = 0.5 * (first - slope * xi).squaredNorm();
        }
      });
    };
    rows.for_ranges(look, run_);
    const auto total = rows.sum([&](Index i) {
      return std::array<double, 2>{of_row(0, i), of_row(1, i)};
    });
    noise_.push_back({run_.epoch(), total[0] / n, total[1] / n});
  }

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
  void certify(const Vec& w, double budget, bool last) {
    const auto enough = [&](const Certificate& c) { return run_.within_tolerance(c); };
    if (certified_.size() == w.size() && certified_ == w && enough(bound_)) return;
    bound_ = sampler_.certify(w, budget, last, enough, run_);
    problem_.told(w, bound_);
    certified_ = w;
  }

  const Problem& problem_;
  ConfidenceSampler<Problem> sampler_;
  Sampler& seeds_;
  Run& run_;
  std::vector<NoiseRow> noise_;
  Vec certified_, best_;  // best_: with its gap, where gaps are exact
  Certificate best_gap_;
  GradientBound bound_;
  double next_ = 0, lead_ = 0;
  bool always_average_ = false;
};

}  // namespace dualmargin::augmented
