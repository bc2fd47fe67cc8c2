// How far a point is from the optimum where the gradient can only be sampled.
//
// B independent cycles of visits of all rows give gradients g_1, ..., g_B with mean m, e = m - G
// the error of the mean, S the covariance of one of them, tr = trace(S) / B. With probability 0.95
//
//   |G| <= c + sqrt(c^2 + max(0, |m|^2 - q)),   c = t sqrt(largest eigenvalue of S / B)
//
// where q is a lower limit of |e|^2, which is on average tr and has about nu = trace(S)^2 /
// trace(S^2) degrees of freedom, and c an upper limit of -e'G/|G|: |m|^2 = |G|^2 + 2 e'G + |e|^2.
// With l1 > 0 the subgradient of least norm is a contraction of the gradient, so its norm is at
// most that of the sampled one plus |e|, on the coordinates where the two can differ.
//
// The value is the mean over the cycles; `bound` also allows for its error.
#pragma once

#include <Eigen/Eigenvalues>
#include <vector>

#include "augmented/expected_erm.h"
#include "core/sampler.h"

namespace dualmargin {

// Upper limits at the level 0.05 / 3, for three things that must hold together: Student's quantile
// for B - 1 degrees of freedom, and the normal one.
struct ConfidenceOptions {
  int cycles = 10;
  double student = 2.51, normal = 2.13;
};

struct ConfidenceBound : Certificate {
  double value_se = 0;
  double epochs = 0;  // what it cost, in passes over the data
};

template <class Problem>
class ConfidenceSampler {
 public:
  ConfidenceSampler(const Problem& problem, const ConfidenceOptions& options, Sampler& seeds)
      : problem_(problem), options_(options), seeds_(seeds) {}

  // Passes that a certificate takes.
  double price() const {
    if (problem_.expectation != nullptr) return 1;
    return static_cast<double>(visits() * options_.cycles);
  }

  // |G|^2 / (2 l2) without its noise's mean, from 2 x 2 passes: for the way, not for the end.
  Certificate estimate(const Vec& w, Monitor& monitor) {
    if (problem_.expectation != nullptr) return exact(w);
    Vec gradient(w.size()), other(w.size());
    const std::uint64_t passes = std::min<std::uint64_t>(2, visits());
    const double value =
        0.5 * (sample(w, passes, gradient, monitor) + sample(w, passes, other, monitor));
    const double product =
        problem_.least_subgradient(w, gradient).dot(problem_.least_subgradient(w, other));
    return Certificate(value + problem_.penalty.value(w),
                       std::max(product, 0.0) / (2 * problem_.penalty.l2));
  }

  ConfidenceBound certify(const Vec& w, Monitor& monitor) {
    if (problem_.expectation != nullptr) {
      ConfidenceBound c;
      static_cast<Certificate&>(c) = exact(w);
      c.epochs = 1;
      return c;
    }
    const int B = options_.cycles;
    const double count = B;
    Mat gradients(w.size(), B);
    Vec values(B), g(w.size());
    for (int b = 0; b < B; ++b) {
      values[b] = sample(w, visits(), g, monitor);
      gradients.col(b) = g;
    }
    const Vec mean = gradients.rowwise().mean();
    gradients.colwise() -= mean;
    const Vec least = problem_.least_subgradient(w, mean);
    const Spread spread = spread_of(w, mean, gradients);
    const double t = options_.student, error = spread.trace / count;
    double limit;
    if (problem_.penalty.l1 == 0) {
      const double c = t * std::sqrt(spread.largest / count);
      const double q = error * chi_square(spread, -options_.normal);
      limit = c + std::sqrt(c * c + std::max(0.0, least.squaredNorm() - q));
    } else {
      limit = least.norm() + std::sqrt(error * std::max(t * t, chi_square(spread, t)));
    }
    ConfidenceBound c;
    const double value = values.mean() + problem_.penalty.value(w);
    static_cast<Certificate&>(c) = Certificate(value, limit * limit / (2 * problem_.penalty.l2));
    c.value_se = std::sqrt((values.array() - values.mean()).square().sum() / (count * (count - 1)));
    c.bound = c.value - c.gap - t * c.value_se;
    c.epochs = price();
    return c;
  }

 private:
  // Trace, sum of squares and maximum of the eigenvalues of the covariance.
  struct Spread {
    double trace = 0, squares = 0, largest = 0;
  };

  // A cycle is not followed beyond 20 visits: that of a small rate has little noise to cancel.
  std::uint64_t visits() const {
    return std::min<std::uint64_t>(20, problem_.perturbation.cycle());
  }

  Certificate exact(const Vec& w) const {
    Vec gradient(w.size());
    const double value = (*problem_.expectation)(w, gradient) + problem_.penalty.value(w);
    const Vec g = problem_.least_subgradient(w, gradient);
    return Certificate(value, g.squaredNorm() / (2 * problem_.penalty.l2));
  }

  // The mean loss and its gradient over one cycle, or its first visits, with a seed of its own.
  double sample(const Vec& w, std::uint64_t visits, Vec& gradient, Monitor& monitor) {
    const Index n = problem_.n();
    PerturbedRows<typename Problem::Data> rows(
        problem_.x, problem_.perturbation, static_cast<std::uint64_t>(seeds_.below(seed_range)));
    std::vector<Visit> at(n);
    gradient.setZero();
    Sum total;
    for (std::uint64_t v = 0; v < visits; ++v) {
      for (Index i = 0; i < n; ++i) at[i] = {i, v};
      rows.each(at, [&](Index i, const double* xi) {
        const double share = problem_.share(i) / static_cast<double>(visits);
        if (share == 0) return;
        const double z = problem_.x.dot_of(i, xi, w);
        total.add(share * problem_.loss.value(z, problem_.y[i]));
        const double slope = share * problem_.loss.slope(z, problem_.y[i]);
        problem_.x.for_each_place(i, [&](Index k, Index j) { gradient[j] += slope * xi[k]; });
        monitor.tick_rows(i);
      });
    }
    return total.value();
  }

  // Of the coordinates in which an error of the gradient can change the least subgradient: those
  // that are not at zero, and those whose gradient is within six standard errors of l1.
  Spread spread_of(const Vec& w, const Vec& mean, Mat& deviation) const {
    const Index B = deviation.cols();
    for (Index j = 0; j < w.size() && problem_.penalty.l1 > 0; ++j) {
      const double se =
          std::sqrt(deviation.row(j).squaredNorm() / static_cast<double>(B * (B - 1)));
      if (w[j] == 0 && std::abs(mean[j]) + 6 * se < problem_.penalty.l1) deviation.row(j).setZero();
    }
    const Mat gram = deviation.transpose() * deviation / static_cast<double>(B - 1);
    Spread s;
    s.trace = gram.trace();
    s.squares = gram.squaredNorm();
    s.largest =
        Eigen::SelfAdjointEigenSolver<Mat>(gram, Eigen::EigenvaluesOnly).eigenvalues()[B - 1];
    return s;
  }

  // Quantile of chi^2_nu / nu (Wilson and Hilferty 1931) at `normal` standard deviations.
  static double chi_square(const Spread& s, double normal) {
    if (!(s.squares > 0)) return 0;
    const double k = 2 * s.squares / (9 * s.trace * s.trace);  // 2 / (9 nu)
    const double root = std::max(0.0, 1 - k + normal * std::sqrt(k));
    return root * root * root;
  }

  static constexpr Index seed_range = Index{1} << 53;
  const Problem& problem_;
  ConfidenceOptions options_;
  Sampler& seeds_;
};

}  // namespace dualmargin
