#include "loss/softmax.h"

#include <algorithm>

#include "base/elementary.h"

namespace dualmargin {

namespace {

template <class Entry>
void normalise(double* u, Index k, Entry entry) {
  double total = 0;
  for (Index c = 0; c < k; ++c) total += u[c] = entry(c);
  for (Index c = 0; c < k; ++c) u[c] /= total;
}

}  // namespace

double Softmax::log_sum_exp(const double* z, Index k) {
  const double top = *std::max_element(z, z + k);
  double sum = 0;
  for (Index c = 0; c < k; ++c) sum += std::exp(z[c] - top);
  return top + std::log(sum);
}

double Softmax::value(const double* z, const double* t, Index k) {
  const double* top = std::max_element(z, z + k);
  double rest = 0, below = 0;
  for (Index c = 0; c < k; ++c) {
    if (z + c != top) rest += std::exp(z[c] - *top);
    below += t[c] * (*top - z[c]);
  }
  return std::log1p(rest) + below;
}

double Softmax::fenchel_gap(const double* z, const double* u, Index k) {
  const double total = log_sum_exp(z, k);
  double sum = 0;
  for (Index c = 0; c < k; ++c) {
    const double log_p = z[c] - total;
    if (!(u[c] > 0)) {
      sum += std::exp(log_p);
      continue;
    }
    const double d = std::log(u[c]) - log_p;
    sum += d > -1 ? u[c] * (d + std::expm1(-d)) : u[c] * (d - 1) + std::exp(log_p);
  }
  return sum;
}

void SoftmaxStep::operator()(const double* z, double q, double* u) {
  constexpr double rounding = 4e-16;
  const Index k = static_cast<Index>(w_.size());
  for (Index c = 0; c < k; ++c) w_[c] = z[c] + q * u[c];
  const Index largest = std::max_element(w_.begin(), w_.end()) - w_.begin();
  const double top = w_[largest];
  for (double& w : w_) w -= top;
  if (q < 1e-20) return normalise(u, k, [&](Index c) { return std::exp(w_[c]); });
  const double log_q = std::log(q), own = u[largest];
  double low = -q, high = std::log(static_cast<double>(k)) - q / static_cast<double>(k);
  double mu = own > 0 ? std::clamp(-std::log(own) - q * own, low, high) : low;
  for (int iteration = 0; iteration < 100; ++iteration) {
    double excess = -1, fall = 0;
    for (Index c = 0; c < k; ++c) {
      const double y = wright_omega(w_[c] - mu + log_q);
      excess += y / q;
      fall += y / (q * (1 + y));
    }
    if (std::abs(excess) <= rounding) break;
    (excess > 0 ? low : high) = mu;
    double next = mu + excess / fall;
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    const double move = std::abs(next - mu);
    mu = next;
    if (move <= rounding * (1 + std::abs(mu))) break;
  }
  normalise(u, k, [&](Index c) { return wright_omega(w_[c] - mu + log_q); });
}

}  // namespace dualmargin
