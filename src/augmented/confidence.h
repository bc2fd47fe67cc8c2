// How far a point is from the optimum where the gradient can only be sampled.
//
// B batches, each with random numbers of its own, take the same visits of all rows, as many as it
// needs; their mean subgradients limit |G| and with it F(w) - F*.
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

#include <cmath>
#include <memory>
#include <vector>

#include "augmented/masks.h"
#include "augmented/stand_in.h"
#include "base/numeric.h"
#include "run/sampler.h"

namespace dualmargin::augmented {

// An upper limit of |G| from B independent vectors p_1, ..., p_B of mean G.
//
// With m their mean, e = m - G, S the covariance of e, u = G / |G| and e = (e'u) u + d:
//
//   |G| = -e'u + sqrt(|m|^2 - |d|^2).
//
// e'u has mean 0 and variance v = u'Su; |d|^2 has mean tr(S) - v, variance at most 2 tr(S^2), and
// is not negative. Where e is normal or nearly so the limit is the largest value of the right side
// on the ellipse of t standard deviations in both.
//
// tr(S) and tr(S^2) are estimated without bias (from a Wishart matrix of B - 1 degrees of freedom),
// v in the direction of m, where u is up to the noise, or in the direction to be expected of e
// itself where that is more.

// What is known of G and of S.
struct Spread {
  double count = 2;                        // B
  double square = 0;                       // |m|^2 - tr(S), on average |G|^2
  double trace = 0, width = 0, along = 0;  // tr(S), tr(S^2)^(1/2), v

  // Of `factor` times the draws, by what is known now.
  Spread after(double factor) const;

  // Of `square`.
  double sd() const;
  // As if |G|^2 were a standard deviation below what it seems.
  Spread at_best() const { return {count, square - sd(), trace, width, along}; }

  // Of |G|^2, at t standard deviations.
  double limit(double t) const;

 private:
  double of_trace() const { return width * std::sqrt(2 * count / (count - 1)); }
};

// From the vectors, one coordinate at a time: add(p_1j, ..., p_Bj).
class SpreadOf {
 public:
  explicit SpreadOf(Index count) : gram_(Mat::Zero(count, count)), along_(Vec::Zero(count)) {}

  void add(Vec& p);

  Spread spread() const;

 private:
  Mat gram_;
  Vec along_;
  double square_ = 0;
};

// student: at place B its quantile for B - 1 degrees of freedom at 1 - 0.05 / 4. Two things must
// hold together, and half of the 0.05 is for looking at the same batches more than once.
struct ConfidenceOptions {
  int batches = 10;
  std::vector<double> student;
};

class ConfidenceSampler {
 public:
  ConfidenceSampler(const ExpectedErm& problem, const ConfidenceOptions& options, Sampler& seeds);

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
  std::vector<Certificate> estimate(const std::vector<Vec>& points, Tick& tick);

  // Takes batches at w, or goes on with those of the last call where it was at the same w, until
  // enough(bound), or until more of them, at most `budget` passes beyond the fewest possible, will
  // not do it; `last`: where `reach` times the budget promises to be enough that much, and else
  // still until they have little more to say.
  GradientBound certify(const Vec& w, double budget, bool last,
                        FunctionRef<bool(const Certificate&)> enough, Tick& tick);

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
  double price_of_masks() const;
  bool replaces() const { return problem_.perturbation.moments().known; }

  using StandIns = std::vector<StandIn>;

  StandIns stand_ins(const std::vector<Vec>& points, Tick& tick);

  std::uint64_t seed() { return static_cast<std::uint64_t>(seeds_.below(seed_range)); }

  static constexpr double events = 20, affordable = 4e4;
  // Of all rows, a second or so. What is mostly dropped is worth more of them: its rare masks leave
  // the largest values.
  static constexpr double few_masks = 2e7;

  // Two drops in one row, where a batch can afford to wait for them, else one.
  std::uint64_t settling_visits() const;

  // Twice as many as so far, or the end of the cycle where it is near.
  std::uint64_t more_visits() const;

  // All batches go on to so many visits, or none where the time is over; the first visit is that of
  // as many as there is time for, but three.
  bool draw(std::uint64_t visits, Tick& tick);
  double student() const { return options_.student[batches_.size()]; }

  Spread spread() const;

  // As it is, or as it will be after `factor` times the draws if s is right.
  GradientBound bound_of(const Spread& s, double factor) const;

  GradientBound exact(const Vec& w, Tick& tick);

  // Adds the next visit of all rows; `rounding`: of the first point, nothing or empty so far. The
  // gradients are summed as the perturbed rows are made, which are not there twice.
  void sample(const std::vector<Vec>& points, const StandIns& replaced, Batch& batch, Tick& tick,
              Rounding* rounding = nullptr) const;

  static constexpr int fewest = 3;         // batches
  static constexpr double most = 1 << 20;  // times as many draws are no prospect
  // The error of a value falls as the root of the draws, and no further training makes it smaller.
  static constexpr double reach = 8;
  static constexpr Index seed_range = Index{1} << 53;
  const ExpectedErm& problem_;
  ConfidenceOptions options_;
  Sampler& seeds_;
  Masks masks_;
  double masks_per_row_ = 0;  // 0: they are not summed
  double spent_ = 0, wanted_ = 0;
  // the batches of the last certificate, and its point
  std::vector<Vec> points_;
  StandIns replaced_;
  std::unique_ptr<Rounding> rounding_;
  std::vector<Batch> batches_;
  std::uint64_t visits_ = 0;
};

}  // namespace dualmargin::augmented
