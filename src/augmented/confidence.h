// How far a point is from the optimum where the gradient can only be sampled.
//
// B batches, each with random numbers of its own, take the same visits of all rows, as many as it
// needs; their mean subgradients limit |G| (confidence_limit.h) and with it F(w) - F*.
//
// With l1 > 0 a batch's subgradient is the one of least norm, P(g_b) for its gradient g_b. Where
// errors are symmetric |E P(g_b)| >= |P(E g_b)| in every coordinate, so a limit of |E P(g_b)| is
// one of the least subgradient.
//
// Most of the noise is taken out by a control variate (stand_in.h).
//
// The value is the mean over the batches. `bound` is a lower limit of F^*, so the gap, value -
// bound, allows for the standard error of the value beside the limit of F(w) - F^*, which is kept
// as `suboptimality`.
//
// A standard error knows nothing of what has not happened yet: where few rows have so far met a
// rare event of the perturbation (a dropped value), batches agree that have all missed it. So a
// batch goes on until `events` of them are expected in it, rows counted by their weights, or a
// balanced cycle that has the event is complete. Without that there is no bound. Rows so short that
// all masks of a dropout cost no more than that are not left to the draws at all (masks.h).
//
// Where the time is over a certificate takes the batches that are there, or else three of them.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "augmented/confidence_limit.h"
#include "augmented/masks.h"
#include "augmented/stand_in.h"
#include "run/sampler.h"

namespace dualmargin::augmented {

// student: at place B its quantile for B - 1 degrees of freedom at 1 - 0.05 / 4. Two things must
// hold together, and half of the 0.05 is for looking at the same batches more than once.
struct ConfidenceOptions {
  int batches = 10;
  std::vector<double> student;
};

template <class Problem>
class ConfidenceSampler {
 public:
  ConfidenceSampler(const Problem& problem, const ConfidenceOptions& options, Sampler& seeds)
      : problem_(problem), options_(options), seeds_(seeds), masks_(problem) {
    const double count = masks_.count(), rows = problem.rows.count();
    if (problem.known() || !(count < HUGE_VAL)) return;
    const double drawn = options.batches * static_cast<double>(settling_visits());
    const double few = problem.perturbation.keep() < 0.5 ? 4096 : 64;
    if (count <= drawn * rows || count <= std::min(few * rows, few_masks))
      masks_per_row_ = count / rows;
  }

  // Is the mean over the perturbation what the draws say it is?
  bool samples() const { return !problem_.known() && !enumerates(); }

  // Passes over the data so far.
  double spent() const { return spent_; }
  // Passes of an estimate.
  double estimate_price() const { return problem_.known() ? 1 : replaces() ? 3 : 4; }
  // The fewest passes of a certificate's batches.
  double price() const { return enumerates() ? price_of_masks() : options_.batches; }

  // |G|^2 / (2 l2) of every point without its noise's mean, from two batches: for the way,
  // not for the end. It may be negative.
  std::vector<Certificate> estimate(const std::vector<Vec>& points, Tick& tick) {
    std::vector<Certificate> estimates;
    if (problem_.known()) {
      for (const Vec& w : points) estimates.push_back(exact(w, tick));
      return estimates;
    }
    const std::uint64_t visits = replaces() ? 1 : 2;
    Batch one(seed(), points), other(seed(), points);
    const auto replaced = stand_ins(points, tick);
    const auto draws = [&](Index b, Tick& t) {
      Batch& batch = b == 0 ? one : other;
      while (batch.visits < visits) sample(points, replaced, batch, t);
    };
    problem_.rows.team.for_chunks(2, draws, tick);
    spent_ += 2 * static_cast<double>(visits);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Vec& w = points[k];
      const Vec g = problem_.least_subgradient(w, one.gradient(k) / double(visits));
      const Vec h = problem_.least_subgradient(w, other.gradient(k) / double(visits));
      const double value = (one.value(k) + other.value(k)) / (2 * double(visits));
      estimates.emplace_back(value + problem_.penalty.value(w),
                             g.dot(h) / (2 * problem_.penalty.l2));
    }
    return estimates;
  }

  // Takes batches at w, or goes on with those of the last call where it was at the same w, until
  // enough(bound), or until more of them, at most `budget` passes beyond the fewest possible, will
  // not do it; `last`: where `reach` times the budget promises to be enough that much, and else
  // still until they have little more to say.
  template <class Enough>
  GradientBound certify(const Vec& w, double budget, bool last, Enough enough, Tick& tick) {
    if (problem_.known()) return exact(w, tick);
    if (enumerates()) {
      spent_ += price_of_masks();
      return masks_.certify(w, tick);
    }
    if (batches_.empty() || points_[0] != w) {
      points_.assign(1, w);
      replaced_ = stand_ins(points_, tick);
      rounding_ = std::make_unique<Rounding<Problem>>(problem_, points_[0],
                                                      static_cast<double>(problem_.n()));
      batches_.clear();
      visits_ = 0;
      for (int b = 0; b < options_.batches; ++b) batches_.emplace_back(seed(), points_);
      draw(1, tick);
    }
    const std::uint64_t settled = settling_visits();
    if (visits_ < settled && !draw(settled, tick)) {
      GradientBound c = bound_of(spread(), 1);
      c.drop_bound();
      c.value_error = HUGE_VAL;  // batches agree on what all have missed
      return c;
    }
    const double limit = spent_ + budget, farthest = spent_ + (last ? reach : 1) * budget;
    for (;;) {
      const Spread s = spread();
      const GradientBound c = bound_of(s, 1);
      if (enough(c)) return c;
      double factor = 2;
      while (factor <= most && !enough(bound_of(s.at_best(), factor))) factor *= 2;
      const double taken = price() * static_cast<double>(visits_);
      wanted_ = factor > most ? taken : factor * taken;
      const bool promising = factor <= most && spent_ + wanted_ - taken <= farthest;
      const bool vague = last && s.limit(student()) > 1.25 * s.square;
      const std::uint64_t next = more_visits();
      const double cost = price() * static_cast<double>(next - visits_);
      const bool worth_it = promising ? spent_ + cost <= farthest : vague && spent_ + cost <= limit;
      if (!worth_it || !draw(next, tick)) return c;
    }
  }

  // Passes that a certificate takes which has a chance of being enough, by the last one.
  double wanted() const { return wanted_; }

 private:
  // Sums over its visits, for every point, with what each addition leaves out: of some thousand
  // visits of few rows the plain sums lose more digits than the rounding of a visit has.
  struct Batch {
    std::uint64_t seed, visits = 0;
    std::vector<Sum> values;
    std::vector<std::vector<Sum>> gradients;
    Batch(std::uint64_t seed_, const std::vector<Vec>& points)
        : seed(seed_),
          values(points.size()),
          gradients(points.size(), std::vector<Sum>(points[0].size())) {}
    double value(std::size_t k) const { return values[k].value(); }
    double gradient(std::size_t k, Index j) const { return gradients[k][j].value(); }
    Vec gradient(std::size_t k) const {
      Vec g(gradients[k].size());
      for (Index j = 0; j < g.size(); ++j) g[j] = gradient(k, j);
      return g;
    }
    void add(std::size_t k, double value, const Vec& gradient) {
      values[k].add(value);
      for (Index j = 0; j < gradient.size(); ++j) gradients[k][j].add(gradient[j]);
    }
  };

  bool enumerates() const { return masks_per_row_ > 0; }
  // A mask is a step in a tree, where a visit is one of every entry.
  double price_of_masks() const {
    const double entries = problem_.rows.nonzeros() / problem_.rows.count();
    return 2 * masks_per_row_ / std::max(1.0, entries);
  }
  bool replaces() const { return problem_.perturbation.moments().known; }

  using StandIns = std::vector<StandIn<Problem>>;

  StandIns stand_ins(const std::vector<Vec>& points, Tick& tick) {
    StandIns all;
    for (const Vec& w : points) all.emplace_back(problem_, w, tick);
    if (replaces()) spent_ += 1;
    return all;
  }

  std::uint64_t seed() { return static_cast<std::uint64_t>(seeds_.below(seed_range)); }

  static constexpr double events = 20, affordable = 4e4;
  // Of all rows, a second or so. What is mostly dropped is worth more of them: its rare masks leave
  // the largest values.
  static constexpr double few_masks = 2e7;

  // Two drops in one row, where a batch can afford to wait for them, else one.
  std::uint64_t settling_visits() const {
    const double rare = problem_.perturbation.rarest();
    if (rare == 1) return 1;
    const auto [sum, squares] = problem_.rows.sum([&](Index i) {
      const double share = problem_.share(i);
      return std::array<double, 2>{share, share * share};
    });
    const double rows = sum * sum / squares;
    const double both = std::ceil(events / (rows * rare * rare));
    if (problem_.rows.longest_row() > 1 && both * problem_.rows.count() <= affordable) {
      return static_cast<std::uint64_t>(std::max(1.0, both));
    }
    const double visits = std::ceil(events / (rows * rare));
    const double cycle = static_cast<double>(problem_.perturbation.cycle());
    const bool complete = cycle > 1 && cycle * rare >= 1 - 1e-9;
    return static_cast<std::uint64_t>(std::max(1.0, complete ? std::min(visits, cycle) : visits));
  }

  // Twice as many as so far, or the end of the cycle where it is near.
  std::uint64_t more_visits() const {
    const std::uint64_t cycle = problem_.perturbation.cycle();
    return visits_ < cycle && 4 * visits_ > cycle ? cycle : 2 * visits_;
  }

  // All batches go on to so many visits, or none where the time is over; the first visit is that of
  // as many as there is time for, but three.
  bool draw(std::uint64_t visits, Tick& tick) {
    const bool begins = visits_ == 0;
    std::vector<Batch> drawn = batches_;
    const auto go_on = [&](Index b, Tick& t) {
      Batch& batch = drawn[b];
      while (batch.visits < visits && (t.in_time() || (begins && b < fewest))) {
        sample(points_, replaced_, batch, t, begins && b == 0 ? rounding_.get() : nullptr);
      }
    };
    problem_.rows.team.for_chunks(static_cast<Index>(drawn.size()), go_on, tick);
    const auto cut_short = [&](const Batch& b) { return b.visits < visits; };
    for (const Batch& b : drawn) spent_ += static_cast<double>(b.visits - visits_);
    const auto end = std::remove_if(drawn.begin(), drawn.end(), cut_short);
    if (end != drawn.end() && !begins) return false;
    drawn.erase(end, drawn.end());
    batches_.swap(drawn);
    visits_ = visits;
    return true;
  }
  double student() const { return options_.student[batches_.size()]; }

  Spread spread() const {
    const Vec& w = points_[0];
    const Index count = static_cast<Index>(batches_.size());
    const double share = 1 / static_cast<double>(visits_);
    SpreadOf all(count);
    Vec p(count);
    for (Index j = 0; j < w.size(); ++j) {
      for (Index b = 0; b < count; ++b) {
        p[b] = problem_.least_subgradient(w[j], share * batches_[b].gradient(0, j));
      }
      all.add(p);
    }
    return all.spread();
  }

  // As it is, or as it will be after `factor` times the draws if s is right.
  GradientBound bound_of(const Spread& s, double factor) const {
    const double count = static_cast<double>(batches_.size());
    Vec values(batches_.size());
    for (Index b = 0; b < values.size(); ++b) {
      values[b] = batches_[b].value(0) / static_cast<double>(visits_);
    }
    const double mean = values.mean();
    const double limit = s.after(factor).limit(student());
    const double se =
        (values.array() - mean).matrix().stableNorm() / std::sqrt(count * (count - 1) * factor);
    GradientBound bound(mean + problem_.penalty.value(points_[0]),
                        limit / (2 * problem_.penalty.l2), rounding_->of_gap(limit), student() * se,
                        rounding_->of_value());
    bound.value_se = se;
    return bound;
  }

  GradientBound exact(const Vec& w, Tick& tick) {
    spent_ += 1;
    Vec gradient(w.size());
    const double value = problem_.expectation(w, gradient, tick) + problem_.penalty.value(w);
    return known_certificate(problem_, w, value, problem_.least_subgradient(w, gradient), tick);
  }

  // Adds the next visit of all rows; `rounding`: of the first point, nothing or empty so far. The
  // gradients are summed as the perturbed rows are made, which are not there twice.
  void sample(const std::vector<Vec>& points, const StandIns& replaced, Batch& batch, Tick& tick,
              Rounding<Problem>* rounding = nullptr) const {
    const auto& x = problem_.rows;
    const Index n = problem_.n();
    PerturbedRows<typename Problem::Data> rows(x, problem_.perturbation, batch.seed);
    std::vector<Visit> at(n);
    for (Index i = 0; i < n; ++i) at[i] = {i, batch.visits};
    Mat values = Mat::Zero(points.size(), n);  // a column a row
    RowVec size = RowVec::Zero(rounding ? n : 0);
    std::vector<Vec> gradients(points.size(), Vec::Zero(points[0].size()));
    Vec sizes = Vec::Zero(rounding ? x.dim() : 0);
    rows.each(at, [&](Index i, const double* xi) {
      const double share = problem_.share(i);
      tick.row(i);
      for (std::size_t p = 0; share > 0 && p < points.size(); ++p) {
        const double z = x.dot_of(i, xi, points[p]), y = problem_.rows.y[i];
        const double value = problem_.loss.value(z, y), slope = problem_.loss.slope(z, y);
        const double known_value = replaced[p].value(i, z), known_slope = replaced[p].slope(i, z);
        const auto each = [&](auto f) {
          x.for_each_place(i, [&](Index k, Index j) { f(j, xi[k]); });
        };
        values(p, i) = share * (value - known_value);
        if (p == 0 && rounding) {
          size[i] = rounding->row(i, value + std::abs(known_value),
                                  std::abs(slope) + std::abs(known_slope),
                                  std::abs(z - replaced[p].score(i)), each, sizes);
        }
        const double rest = share * (slope - known_slope);
        Vec& gradient = gradients[p];
        if (rest != 0) each([&](Index j, double v) { gradient[j] += rest * v; });
      }
    });
    if (rounding) rounding->add(x.sum([&](Index i) { return size[i]; }), sizes);
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double rest = x.accurate_sum([&](Index i) { return values(p, i); });
      gradients[p] += replaced[p].mean_gradient();
      batch.add(p, rest + replaced[p].mean_value(), gradients[p]);
    }
    ++batch.visits;
  }

  static constexpr int fewest = 3;         // batches
  static constexpr double most = 1 << 20;  // times as many draws are no prospect
  // The error of a value falls as the root of the draws, and no further training makes it smaller.
  static constexpr double reach = 8;
  static constexpr Index seed_range = Index{1} << 53;
  const Problem& problem_;
  ConfidenceOptions options_;
  Sampler& seeds_;
  Masks<Problem> masks_;
  double masks_per_row_ = 0;  // 0: they are not summed
  double spent_ = 0, wanted_ = 0;
  // the batches of the last certificate, and its point
  std::vector<Vec> points_;
  StandIns replaced_;
  std::unique_ptr<Rounding<Problem>> rounding_;
  std::vector<Batch> batches_;
  std::uint64_t visits_ = 0;
};

}  // namespace dualmargin::augmented
