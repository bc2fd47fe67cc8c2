#include "augmented/assessment.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace dualmargin::augmented {

bool Assessment::proceed(Point last, Point average, Vec& w) {
  const auto certificate = [&](double budget) {
    certify(w, budget, false);
    return std::optional<Certificate>(bound_);
  };
  if (!run_.in_time()) {
    const auto at_once = [&] {
      const bool none = best_.primal().size() == 0;
      w = none ? last() : best_.primal();
      if (Vec v = average(); none && v.size() > 0 && ahead()) w = std::move(v);
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
      best_.offer_primal(w, of_w.value);
      best_.offer_dual(NoDual(), of_w.bound);
      w = best_.primal();
      of_w = best_.certificate();
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

const GradientBound& Assessment::certify(const Vec& w) {
  certify(w, run_.epoch(), true);
  return bound_;
}

void Assessment::observe(const Vec& w) {
  const Rows& rows = problem_.rows;
  const auto seed = static_cast<std::uint64_t>(seeds_.below(seeds));
  const double n = static_cast<double>(rows.n());
  const double mu = problem_.penalty.l2, ridge = mu * mu * w.squaredNorm();
  Mat of_row = Mat::Zero(2, rows.n());
  const auto look = [&](Index begin, Index end, Tick& tick) {
    PerturbedRows perturbed(rows, problem_.perturbation, seed);
    std::vector<Visit> twice;
    for (Index i = begin; i < end; ++i) {
      // a cycle is stratified, so the second draw is the first of another one
      twice.push_back({i, 0});
      twice.push_back({i, problem_.perturbation.cycle() * 1000003});
    }
    Vec first;
    Index calls = 0;
    perturbed.each(twice, [&](Index i, const ShownRow& shown) {
      tick.row(i);
      const Eigen::Map<const Vec> xi = shown.values();
      const double z = shown.dot(w);
      const double slope = n * rows.share(i) * problem_.loss->slope(z, rows.y[i]);
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

void Assessment::certify(const Vec& w, double budget, bool last) {
  const auto enough = [&](const Certificate& c) { return run_.within_tolerance(c); };
  if (certified_.size() == w.size() && certified_ == w && enough(bound_)) return;
  bound_ = sampler_.certify(w, budget, last, enough, run_);
  bound_.raise_bound(best_.bound());
  problem_.told(w, bound_);
  certified_ = w;
}

}  // namespace dualmargin::augmented
