#include "base/elementary.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace dualmargin {

namespace {

// Of 16 numbers: fixed sizes become packets, whatever the compiler's own vectoriser does.
Eigen::Array<float, 16, 1> exp_of(const Eigen::Array<float, 16, 1>& given) {
  using Array = Eigen::Array<float, 16, 1>;
  // its sum with a smaller number holds that, rounded, and the bias of an exponent in its last bits
  constexpr float magic = 12582912.0F + 127;
  constexpr float high = 0x1.62e4p-1F, low = 0x1.7f7d1cp-20F;  // log 2; k high is exact
  constexpr int mantissa = 23;
  const Array x = given.max(-87.0F).min(87.0F);
  const Array shifted = x * 1.44269504F + magic;
  const Array k = shifted - magic;
  std::uint32_t bits[16];
  std::memcpy(bits, shifted.data(), sizeof(bits));
  for (std::uint32_t& word : bits) word <<= mantissa;
  Array power;
  std::memcpy(power.data(), bits, sizeof(bits));
  const Array r = (x - k * high) - k * low;
  const Array r2 = r * r;
  const Array head = (1 + r) + r2 * (0.5F + r * (1.0F / 6));
  const Array tail = (1.0F / 24 + r * (1.0F / 120)) + r2 * (1.0F / 720 + r * (1.0F / 5040));
  return (head + (r2 * r2) * tail) * power;
}

}  // namespace

void exp_in_place(double* values, Index n) {
  Eigen::Map<Eigen::ArrayXd> x(values, n);
  x = x.exp();
}

void exp_in_place(float* values, Index n) {
  using Array = Eigen::Array<float, 16, 1>;
  Index i = 0;
  for (; i + 16 <= n; i += 16) {
    Eigen::Map<Array> here(values + i);
    here = exp_of(here);
  }
  if (i == n) return;
  Array last = Array::Zero();
  std::copy(values + i, values + n, last.data());
  last = exp_of(last);
  std::copy(last.data(), last.data() + (n - i), values + i);
}

double wright_omega(double x) {
  if (x < -50) return std::exp(x);
  if (x > 1e20) return x;
  double w = x < -2  ? std::exp(x)
             : x < 1 ? std::exp(2 * (x - 1) / 3)
                     : x - std::log(x) + std::log(x) / x;
  for (int step = 0; step < 2; ++step) {
    const double r = x - w - std::log(w), next = 1 + w, t = 2 * next * (next + 2 * r / 3);
    w *= 1 + r / next * (t - r) / (t - 2 * r);
  }
  return w;
}

}  // namespace dualmargin
