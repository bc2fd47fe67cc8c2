#include "augmented/gaussian_loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace dualmargin::augmented {

namespace {

// The iterated tails of the normal distribution at -|x|, all positive:
//
//   q0 = N(-|x|),   q1 = \int_{|x|}^\infty (t - |x|) dN(t),   q2 = the same of (t - |x|)^2 / 2.
//
// Far out q1 = N' - |x| q0 and 2 q2 = q0 - |x| q1 cancel. There the recurrence (k + 1) q_{k+1} =
// q_{k-1} - |x| q_k, whose least solution they are, is run downwards for the ratios of neighbours.
// W. Gautschi (1967), SIAM Review 9, 24-82, doi:10.1137/1009002.
struct NormalTails {
  explicit NormalTails(double x) {
    const double t = std::abs(x);
    q0 = normal_probability(-t);
    if (t < 2) {
      q1 = normal_density(t) - t * q0;
      q2 = 0.5 * (q0 - t * q1);
    } else if (q0 > 0) {
      double ratio = 0;  // q_{k-1} / q_{k-2}
      for (int k = 22 + static_cast<int>(300 / (t * t)); k >= 3; --k) ratio = 1 / (t + k * ratio);
      q1 = q0 / (t + 2 * ratio);
      q2 = ratio * q1;
    }
  }
  double q0 = 0, q1 = 0, q2 = 0;
};

// \int_0^1 f by Gauss and Legendre's rule of eight nodes: exact to rounding for what is made of the
// normal density at its arguments' own scale.
template <class F>
double unit_integral(F f) {
  constexpr std::array<double, 4> node{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                       0.9602898564975363};
  constexpr std::array<double, 4> weight{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                         0.1012285362903763};
  double sum = 0;
  for (std::size_t k = 0; k < node.size(); ++k) {
    sum += 0.5 * weight[k] * (f(0.5 - 0.5 * node[k]) + f(0.5 + 0.5 * node[k]));
  }
  return sum;
}

// N(hi) - N(lo), hi - lo = width, without cancellation.
double normal_mass(double lo, double hi, double width) {
  if (width * std::max(1.0, std::abs(hi)) <= 1) {
    return width * unit_integral([&](double x) { return normal_density(hi - width * x); });
  }
  if (lo >= 0) return normal_probability(-lo) - normal_probability(-hi);
  if (hi <= 0) return normal_probability(hi) - normal_probability(lo);
  return 1 - normal_probability(-hi) - normal_probability(lo);
}

// The mean under u + tau e of the ramp
//
//   \int_0^width (u - t)_+ dt = u_+^2 / 2 up to u = width, and linear beyond.
//
// With hi = u / tau, lo = (u - width) / tau and G(x) = E (x + e)_+ = x_+ + q1(x) its value is
// tau^2 \int_lo^hi G and its slope tau \int_lo^hi N, all of positive integrands. A wide ramp has
// them by the ramp itself and the tails at its ends; on a narrow one those cancel, and the integral
// is taken as it stands.
LossMeans ramp_mean(double u, double width, double tau) {
  const double hi = u / tau, lo = (u - width) / tau, d = width / tau;
  const double curvature = normal_mass(lo, hi, d);
  if (d * std::max(1.0, std::abs(hi)) <= 1) {
    return {width * tau * unit_integral([&](double x) {
              const double at = hi - d * x;
              return std::max(at, 0.0) + NormalTails(at).q1;
            }),
            width * unit_integral([&](double x) { return normal_probability(hi - d * x); }),
            curvature};
  }
  const NormalTails upper(hi), lower(lo);
  const double upper2 = hi > 0 ? 0.5 - upper.q2 : upper.q2;
  const double lower2 = lo > 0 ? 0.5 - lower.q2 : lower.q2;
  const double inside = std::clamp(u, 0.0, width);
  const double plain = u < width ? 0.5 * inside * inside : width * (u - 0.5 * width);
  return {plain + tau * tau * (upper2 - lower2), inside + tau * (upper.q1 - lower.q1), curvature};
}

// The hinges: a ramp in u = 1 - y z, over its width where it is smoothed into one.
class GaussianHinge {
 public:
  explicit GaussianHinge(const Hinge&) {}
  explicit GaussianHinge(const SmoothHinge& loss) : width_(loss.gamma()), rate_(1 / loss.gamma()) {}
  explicit GaussianHinge(const SquaredHinge& loss) : width_(HUGE_VAL), rate_(1 / loss.gamma()) {}

  LossMeans operator()(double z, double y, double tau) const {
    const double u = 1 - y * z;
    LossMeans sum;
    sum.add(rate_, width_ > 0 ? ramp_mean(u, width_, tau) : kink(u, tau));
    sum.slope *= -y;
    return sum;
  }

 private:
  static LossMeans kink(double u, double tau) {
    const double x = u / tau;
    return {std::max(u, 0.0) + tau * NormalTails(x).q1, normal_probability(x),
            normal_density(x) / tau};
  }
  double width_ = 0, rate_ = 1;
};

// The losses of a residual r = z - y: a ramp on either side of r = 0. Near it the ramps' slopes
// cancel, and their sum is the integral of the curvature from 0 to r.
class GaussianResidual {
 public:
  explicit GaussianResidual(double delta) : delta_(delta) {}

  LossMeans operator()(double z, double y, double tau) const {
    const double r = z - y;
    if (delta_ == HUGE_VAL) return {0.5 * r * r + 0.5 * tau * tau, r, 1};
    const LossMeans right = ramp_mean(r, delta_, tau), left = ramp_mean(-r, delta_, tau);
    return {right.value + left.value,
            std::abs(r) > tau ? right.slope - left.slope
                              : r * unit_integral([&](double x) { return inside(r * x, tau); }),
            inside(r, tau)};
  }

 private:
  // P(|r + tau e| < delta)
  double inside(double r, double tau) const {
    r = std::abs(r);
    return normal_mass((r - delta_) / tau, (r + delta_) / tau, 2 * delta_ / tau);
  }
  double delta_;
};

// The logistic loss, by the trapezium rule, which is exponentially accurate for analytic functions
// that decay (L. N. Trefethen and J. A. C. Weideman 2014, SIAM Review 56, 385-458,
// doi:10.1137/130932132): with poles at distance pi from the real line and N'(x / tau) / tau, which
// grows like exp(pi^2 / (2 tau^2)) up to there, the error of spacing h is of the order
//
//   exp(-2 pi^2 / h + pi^2 / (2 tau^2)),  1e-15 for h = 1/2 and tau >= 1.
//
// Where tau is below 1 the nodes are spaced in e, with 1/2 tau for h. Where it is above, the loss
// is far from zero in many nodes, but not its difference from s G(-x / s), G(t) = t N(t) + N'(t),
// whose mean is that with sqrt(s^2 + tau^2) for s. It decays like exp(-|x|), and its values at the
// nodes do not depend on m and tau.
class GaussianLogistic {
 public:
  GaussianLogistic() {
    for (Index k = -reach; k <= reach; ++k) {
      // an even function, whose values for x > 0 have no cancellation
      LossMeans rest = plain(h * std::abs(k));
      rest.add(-1, probit(h * std::abs(k), s));
      if (k < 0) rest.slope = -rest.slope;
      rest_.push_back(rest);
    }
    for (Index k = -width; k <= width; ++k) weights_.push_back(h * normal_density(h * k));
  }

  LossMeans operator()(double z, double y, double tau) const {
    LossMeans sum = at(y * z, tau);
    sum.slope *= y;
    return sum;
  }

 private:
  LossMeans at(double m, double tau) const {
    LossMeans sum;
    if (tau <= 1) {
      for (Index k = -width; k <= width; ++k) {
        sum.add(weights_[k + width], plain(m + tau * h * k));
      }
      return sum;
    }
    sum = probit(m, std::hypot(s, tau));
    const Index last = node(m / h + width * tau);
    for (Index k = node(m / h - width * tau); k <= last; ++k) {
      sum.add(h / tau * normal_density((h * k - m) / tau), rest_[k + reach]);
    }
    return sum;
  }

  static constexpr double h = 0.5, s = 1.7;
  static constexpr Index width = 17, reach = 76;  // in units of h: N'(8.5), exp(-38)

  static Index node(double x) {
    return static_cast<Index>(std::clamp(x, -1.0 * reach, 1.0 * reach));
  }
  static LossMeans plain(double m) {
    const double e = std::exp(-std::abs(m)), p = e / (1 + e);
    return {std::log1p(e) + std::max(0.0, -m), m >= 0 ? -p : p - 1, p / (1 + e)};
  }
  static LossMeans probit(double m, double r) {
    const double t = -m / r, p = normal_probability(t), density = normal_density(t);
    return {r * (t * p + density), -p, density / r};
  }
  std::vector<LossMeans> rest_;
  std::vector<double> weights_;
};

}  // namespace

NormalMeans under_normal_noise(const Hinge& loss) { return GaussianHinge(loss); }
NormalMeans under_normal_noise(const SmoothHinge& loss) { return GaussianHinge(loss); }
NormalMeans under_normal_noise(const SquaredHinge& loss) { return GaussianHinge(loss); }
NormalMeans under_normal_noise(const Squared&) { return GaussianResidual(HUGE_VAL); }
NormalMeans under_normal_noise(const Huber& loss) { return GaussianResidual(loss.delta()); }
NormalMeans under_normal_noise(const Logistic&) { return GaussianLogistic(); }

double normal_quantile(double p) {
  const bool upper = p > 0.5;
  const double q = upper ? 1 - p : p;  // antisymmetric to the last bit
  double x;
  if (q < 0.02425) {
    const double t = std::sqrt(-2 * std::log(q));
    x = (((((-7.784894002430293e-03 * t - 3.223964580411365e-01) * t - 2.400758277161838) * t -
           2.549732539343734) *
              t +
          4.374664141464968) *
             t +
         2.938163982698783) /
        ((((7.784695709041462e-03 * t + 3.224671290700398e-01) * t + 2.445134137142996) * t +
          3.754408661907416) *
             t +
         1);
  } else {
    const double s = q - 0.5, t = s * s;
    x = (((((-3.969683028665376e+01 * t + 2.209460984245205e+02) * t - 2.759285104469687e+02) * t +
           1.383577518672690e+02) *
              t -
          3.066479806614716e+01) *
             t +
         2.506628277459239) *
        s /
        (((((-5.447609879822406e+01 * t + 1.615858368580409e+02) * t - 1.556989798598866e+02) * t +
           6.680131188771972e+01) *
              t -
          1.328068155288572e+01) *
             t +
         1);
  }
  const double e = (normal_probability(x) - q) / normal_density(x);
  x -= e / (1 + 0.5 * x * e);
  return upper ? -x : x;
}

}  // namespace dualmargin::augmented
