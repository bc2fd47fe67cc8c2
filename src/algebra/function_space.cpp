#include "algebra/function_space.h"

#include <algorithm>
#include <utility>

#include "base/kept.h"
#include "base/rounding.h"

namespace dualmargin {

namespace {

double product(const ConstVecRef& beta, const ConstVecRef& f) {
  return sum_over(beta.size(), [&](Index i) { return beta[i] * f[i]; });
}

}  // namespace

struct FunctionSpace::Known {
  Vec weights;
  double total_weight;
  Vec scale, error;
  double k, allowance;
  bool given;
  mutable Kept<double> mean_square, largest_square;

  Known(const Gram& exact, const KernelSize& size, const Vec& weights_)
      : weights(weights_),
        total_weight(accurate_sum(weights.size(), [&](Index i) { return weights[i]; })),
        scale((size.scale.array().square() + exact.constant()).sqrt()),
        error(scale.array() * size.error.array()),
        k(4 + exact.additions() +
          rounding::of_sum(static_cast<double>(weights.size())) / rounding::unit),
        allowance(size.allowance),
        given(size.given) {}
};

Square FunctionSpace::square(const ConstVecRef& beta, const ConstVecRef& f) const {
  return {product(beta, f), rounding_of_square(beta)};
}

KernelSize::KernelSize(Index n, double errors) : scale(n), error(Vec::Constant(n, errors)) {}

KernelSize::KernelSize(const KernelMatrix& kernel) : KernelSize(kernel.n(), 8) {
  for (Index i = 0; i < scale.size(); ++i) scale[i] = std::sqrt(std::abs(kernel.diagonal(i)));
}

void NegativeSquare::tell(double square, const ConstMatRef& a) {
  value = square / a.squaredNorm();
  support = (a.array() != 0).count();
}

FunctionSpace::FunctionSpace(const Gram& working, const Gram& exact, const KernelSize& size,
                             const Vec& weights, double lambda)
    : FunctionSpace(working, exact, std::make_shared<const Known>(exact, size, weights), lambda) {}

double FunctionSpace::value(const ConstMatRef& beta, const ConstMatRef& f) const {
  double total = 0;
  for (Index c = 0; c < beta.cols(); ++c) total += product(beta.col(c), f.col(c));
  return 0.5 * lambda_ * total;
}

double FunctionSpace::gap(const Gram& kernel, const ConstMatRef& rest, Tick& tick) const {
  const Mat f = kernel.multiply(rest, tick);
  return squares(rest, f) ? value(rest, f) : std::nan("");
}

double FunctionSpace::largest_gap(const ConstMatRef& rest) const {
  return 0.5 * lambda_ * (known_->scale.transpose() * rest.cwiseAbs()).squaredNorm();
}

bool FunctionSpace::squares(const ConstMatRef& beta, const ConstMatRef& f) const {
  for (Index c = 0; known_->given && c < beta.cols(); ++c) {
    const Square length = square(beta.col(c), f.col(c));
    if (length.possible() || !std::isfinite(length.computed)) continue;
    negative_.tell(length.computed, beta.col(c));
    return false;
  }
  return true;
}

const Mat& FunctionSpace::exact_scores(const ConstMatRef& beta, Tick& tick) const {
  thread_.assert_own();
  if (known_beta_.rows() != beta.rows() || known_beta_ != beta) {
    known_f_ = exact_.multiply(beta, tick);
    known_beta_ = beta;
  }
  return known_f_;
}

double FunctionSpace::mean_square() const {
  return known_->mean_square.get([&] {
    const Vec& weights = known_->weights;
    const double sum =
        sum_over(weights.size(), [&](Index i) { return weights[i] * working_.squared_norm(i); });
    return sum / known_->total_weight;
  });
}

double FunctionSpace::rounding_floor(double value) const {
  const double largest = known_->largest_square.get([&] {
    const Vec& weights = known_->weights;
    double most = 0;
    for (Index i = 0; i < weights.size(); ++i) {
      if (weights[i] > 0) most = std::max(most, working_.squared_norm(i));
    }
    return most;
  });
  return value > 0 ? 4e-32 * largest / (2 * lambda_ * value) : 0.0;
}

double FunctionSpace::rounding(const ConstMatRef& beta) const {
  double total = 0;
  for (Index c = 0; c < beta.cols(); ++c) total += 1.5 * rounding_of_square(beta.col(c));
  return lambda_ * total;
}

Vec FunctionSpace::rounding_of_scores(const Vec& beta) const {
  const Known& of = *known_;
  const double sum = of.scale.dot(beta.cwiseAbs()), errors = of.error.dot(beta.cwiseAbs());
  const double lack = of.allowance > 0 ? of.allowance * of.scale.cwiseProduct(beta).norm() : 0.0;
  return (rounding::unit * sum) * (of.error + of.k * of.scale) +
         (rounding::unit * errors + lack) * of.scale;
}

FunctionSpace::FunctionSpace(const Gram& working, const Gram& exact,
                             std::shared_ptr<const Known> known, double lambda)
    : working_(working),
      exact_(exact),
      known_(std::move(known)),
      lambda_(lambda),
      unit_(known_->weights / (-lambda * known_->total_weight)) {}

double FunctionSpace::rounding_of_square(const ConstVecRef& beta) const {
  const Known& of = *known_;
  const double sum = of.scale.dot(beta.cwiseAbs()), errors = of.error.dot(beta.cwiseAbs());
  const double lack =
      of.allowance > 0 ? of.allowance * of.scale.cwiseProduct(beta).squaredNorm() : 0.0;
  return rounding::unit * sum * (2 * errors + of.k * sum) + lack;
}

double FunctionSpace::total_weight() const { return known_->total_weight; }

double FunctionSpace::longest() const { return known_->scale.maxCoeff(); }

}  // namespace dualmargin
