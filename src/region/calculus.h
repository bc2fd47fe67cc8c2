// What a statement on the optimum asks of a loss, beside what AnyLoss has: one-sided slopes, the
// nearest point of the domain of phi^*, Fenchel-Young terms that do not cancel and directions that
// stay in that domain. A loss chosen at run time; y: a label -1 or 1, or a number.
//
//   left right   one-sided derivatives of phi in z
//   curvature    phi'' where it exists, at a kink of phi' the larger one
//   excess       phi(z) + phi^*(a) - a z as a sum of terms none of which is negative. Hinges, with
//                alpha = -y a, m = y z, alpha(z) = -y phi'(z):
//                  gamma/2 (alpha - alpha(z))^2 + alpha (m - 1)_+ + (1 - alpha) (1 - gamma - m)_+
//                (the last term but for the squared hinge); logistic: the Kullback-Leibler
//                divergence of alpha from alpha(z); residuals r = z - y: what is left of the two parts of r,
//                within the tube and beyond
//   nearest      a within the domain of phi^*
//   least_curvature  what phi' rises by at least for each unit of a score within [low, high]
//   margin_at    of a loss of margins the y z at which it is `level` > 0, from above; NaN of others
//   tilt         h >= 0 such that a + tau h is in the domain, and phi^* smooth up to there, for
//                |tau| <= reach
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "loss/any_loss.h"
#include "loss/hinge.h"
#include "loss/huber.h"
#include "loss/logistic.h"
#include "loss/pinball.h"
#include "loss/smooth_hinge.h"
#include "loss/squared.h"
#include "loss/squared_hinge.h"
#include "loss/squared_tube.h"

namespace dualmargin::region {

// How fast a second derivative changes: not at all, by at most e^|s| over a step of s, or at once.
enum class Curving { constant, self_concordant, sudden };

// The formulas, a loss at a time.
namespace formulas {

inline double above(double x) { return std::max(0.0, x); }
inline double in_unit(double x) { return std::clamp(x, 0.0, 1.0); }

// The parameters of residual losses.
inline double low(const Pinball& phi) { return phi.slope(-1e300, 0); }
inline double high(const Pinball& phi) { return phi.slope(1e300, 0); }
inline double tube(const Pinball& phi) { return phi.kinks(0)[1].at; }
inline double tube(const SquaredTube& phi) { return phi.score(1e-300, 0); }

// p log(p/q) + (1 - p) log((1 - p)/(1 - q)) with q = 1/(1 + e^m); near p = q by log1p of p - q.
inline double divergence(double p, double m) {
  const double q = Logistic::sigmoid(-m), r = Logistic::sigmoid(m), d = p - q;
  if (std::abs(d) < 0.5 * std::min(q, r)) {
    return p * std::log1p(d / q) + (1 - p) * std::log1p(-d / r);
  }
  const auto log_sigmoid = [](double s) {
    return std::min(s, 0.0) - std::log1p(std::exp(-std::abs(s)));
  };
  const double one = p > 0 ? p * (std::log(p) - log_sigmoid(-m)) : 0.0;
  return one + (p < 1 ? (1 - p) * (std::log1p(-p) - log_sigmoid(m)) : 0.0);
}

template <class L>
Curving curving(const L&) {
  return Curving::sudden;
}
inline Curving curving(const Squared&) { return Curving::constant; }
inline Curving curving(const Logistic&) { return Curving::self_concordant; }

template <class L>
double curvature(const L& phi, double z, double y) {
  return phi.curvature(z, y, 0, 0, phi.slope(z, y));
}
inline double curvature(const Logistic&, double z, double) {
  return Logistic::sigmoid(z) * Logistic::sigmoid(-z);
}

template <class L>
double one_sided(const L& phi, double z, double y, bool) {
  return phi.slope(z, y);
}
inline double one_sided(const Hinge&, double z, double y, bool right) {
  const double m = y * z;
  return m < 1 || (m == 1 && right == (y < 0)) ? -y : 0.0;
}
inline double one_sided(const Pinball& phi, double z, double y, bool right) {
  const double r = z - y, e = tube(phi);
  if (right) return r >= e ? high(phi) : r >= -e ? 0.0 : low(phi);
  return r <= -e ? low(phi) : r <= e ? 0.0 : high(phi);
}

template <class L>
double least_curvature(const L&, double, double, double) {
  return 0;
}
inline double least_curvature(const SmoothHinge& phi, double low, double high, double y) {
  const double least = y > 0 ? low : -high, most = y > 0 ? high : -low, g = phi.gamma();
  return least >= 1 - g && most <= 1 ? 1 / g : 0.0;
}
inline double least_curvature(const SquaredHinge& phi, double low, double high, double y) {
  return (y > 0 ? high : -low) <= 1 ? 1 / phi.gamma() : 0.0;
}
// falls on both sides of 0
inline double least_curvature(const Logistic& phi, double low, double high, double y) {
  return std::min(curvature(phi, low, y), curvature(phi, high, y)) * (1 - 1e-12);
}
inline double least_curvature(const Squared&, double, double, double) { return 1; }
inline double least_curvature(const Huber& phi, double low, double high, double y) {
  return std::max(std::abs(low - y), std::abs(high - y)) <= phi.delta() ? 1.0 : 0.0;
}
inline double least_curvature(const SquaredTube& phi, double low, double high, double y) {
  const double e = tube(phi);
  return low - y >= e || high - y <= -e ? 1.0 : 0.0;
}

template <class L>
double margin_at(const L&, double) {
  return std::numeric_limits<double>::quiet_NaN();
}
inline double margin_at(const Hinge&, double level) { return 1 - level; }
inline double margin_at(const SmoothHinge& phi, double level) {
  const double g = phi.gamma();
  return level >= g / 2 ? 1 - level - g / 2 : 1 - std::sqrt(2 * g * level);
}
inline double margin_at(const SquaredHinge& phi, double level) {
  return 1 - std::sqrt(2 * phi.gamma() * level);
}
inline double margin_at(const Logistic&, double level) {
  return -std::log(std::expm1(std::min(level, 700.0))) - above(level - 700);
}

inline double hinge_excess(double alpha, double m, double low) {
  return alpha * above(m - 1) + (1 - alpha) * above(low - m);
}
inline double excess(const Hinge&, double z, double a, double y) {
  return hinge_excess(-y * a, y * z, 1);
}
inline double excess(const SmoothHinge& phi, double z, double a, double y) {
  const double off = a - phi.slope(z, y), g = phi.gamma();
  return g / 2 * off * off + hinge_excess(-y * a, y * z, 1 - g);
}
inline double excess(const SquaredHinge& phi, double z, double a, double y) {
  const double off = a - phi.slope(z, y);
  return phi.gamma() / 2 * off * off - y * a * above(y * z - 1);
}
inline double excess(const Logistic&, double z, double a, double y) {
  return divergence(-y * a, y * z);
}
inline double excess(const Squared&, double z, double a, double y) {
  const double off = a - (z - y);
  return 0.5 * off * off;
}
inline double excess(const Huber& phi, double z, double a, double y) {
  const double r = z - y, c = phi.slope(z, y);
  return 0.5 * (a - c) * (a - c) + (a - c) * (c - r);
}
inline double excess(const Pinball& phi, double z, double a, double y) {
  const double e = tube(phi), r = z - y, size = std::abs(a);
  if (r > e) return (high(phi) - a) * (r - e) + e * (size - a);
  if (r < -e) return (low(phi) - a) * (r + e) + e * (size + a);
  return size * e - a * r;
}
inline double excess(const SquaredTube& phi, double z, double a, double y) {
  const double r = z - y, s = phi.slope(z, y), inside = r - s;
  return 0.5 * (a - s) * (a - s) + std::abs(a) * tube(phi) - a * inside;
}

template <class L>
double nearest(const L&, double a, double y) {
  return -y * in_unit(-y * a);
}
inline double nearest(const SquaredHinge&, double a, double y) { return -y * above(-y * a); }
inline double nearest(const Squared&, double a, double) { return a; }
inline double nearest(const SquaredTube&, double a, double) { return a; }
inline double nearest(const Huber& phi, double a, double) {
  return std::clamp(a, -phi.delta(), phi.delta());
}
inline double nearest(const Pinball& phi, double a, double) {
  return std::clamp(a, low(phi), high(phi));
}

template <class L>
double tilt(const L&, double a, double y) {
  const double alpha = in_unit(-y * a);
  return alpha * (1 - alpha);
}
inline double tilt(const Squared&, double, double) { return 1; }
inline double tilt(const SquaredHinge&, double a, double y) { return in_unit(-y * a); }
inline double tilt(const SquaredTube&, double a, double) { return std::min(1.0, std::abs(a)); }
// not times |a|: that leaves the box where delta > 1
inline double tilt(const Huber& phi, double a, double) { return above(phi.delta() - std::abs(a)); }
// phi^* has a kink at 0 if there is a tube
inline double tilt(const Pinball& phi, double a, double) {
  const double least = tube(phi) > 0 && a > 0 ? 0 : low(phi);
  const double most = tube(phi) > 0 && a < 0 ? 0 : high(phi);
  return above(a - least) * above(most - a) / (most - least);
}
template <class L>
double reach(const L&) {
  return 1;
}
inline double reach(const Squared&) { return HUGE_VAL; }

}  // namespace formulas

class Calculus {
 public:
  using Block = AnyLoss::Block;

  template <class Loss>
  static Calculus of(const Loss& loss) {
    return {AnyLoss::of(loss), std::make_shared<const Model<Loss>>(loss)};
  }

  const AnyLoss& loss() const { return loss_; }
  double gamma() const { return loss_.gamma(); }
  Curving curving() const { return model_->curving(); }
  double reach() const { return model_->reach(); }
  double left(double z, double y) const { return model_->one_sided(z, y, false); }
  double right(double z, double y) const { return model_->one_sided(z, y, true); }
  double curvature(double z, double y) const { return model_->curvature(z, y); }
  double excess(double z, double a, double y) const {
    return std::max(0.0, model_->excess(z, a, y));
  }
  double nearest(double a, double y) const { return model_->nearest(a, y); }
  double tilt(double a, double y) const { return model_->tilt(a, y); }
  double least_curvature(double low, double high, double y) const {
    return model_->least_curvature(low, high, y);
  }
  double margin_at(double level) const { return model_->margin_at(level); }
  bool of_margins() const { return !std::isnan(margin_at(1)); }
  // sum omega s and sum omega |s|, s the left or right slope at z + t, of rows with a weight
  std::array<double, 2> slopes(Block rows, const RowSpan& omega, const RowSpan& z, double t,
                               const RowSpan& y, bool right) const {
    return model_->slopes(rows, omega, z, t, y, right);
  }

 private:
  struct Concept {
    virtual ~Concept() = default;
    virtual Curving curving() const = 0;
    virtual double reach() const = 0;
    virtual double one_sided(double z, double y, bool right) const = 0;
    virtual double curvature(double z, double y) const = 0;
    virtual double excess(double z, double a, double y) const = 0;
    virtual double nearest(double a, double y) const = 0;
    virtual double tilt(double a, double y) const = 0;
    virtual double least_curvature(double low, double high, double y) const = 0;
    virtual double margin_at(double level) const = 0;
    virtual std::array<double, 2> slopes(Block rows, const RowSpan& omega, const RowSpan& z,
                                         double t, const RowSpan& y, bool right) const = 0;
  };
  template <class Loss>
  struct Model final : Concept {
    explicit Model(const Loss& loss) : phi(loss) {}
    Curving curving() const override { return formulas::curving(phi); }
    double reach() const override { return formulas::reach(phi); }
    double one_sided(double z, double y, bool right) const override {
      return formulas::one_sided(phi, z, y, right);
    }
    double curvature(double z, double y) const override { return formulas::curvature(phi, z, y); }
    double excess(double z, double a, double y) const override {
      return formulas::excess(phi, z, a, y);
    }
    double nearest(double a, double y) const override { return formulas::nearest(phi, a, y); }
    double tilt(double a, double y) const override { return formulas::tilt(phi, a, y); }
    double least_curvature(double low, double high, double y) const override {
      return formulas::least_curvature(phi, low, high, y);
    }
    double margin_at(double level) const override { return formulas::margin_at(phi, level); }
    std::array<double, 2> slopes(Block rows, const RowSpan& omega, const RowSpan& z, double t,
                                 const RowSpan& y, bool right) const override {
      std::array<double, 2> sums{};
      for (Index i = rows.begin; i < rows.end; ++i) {
        if (!(omega[i] > 0)) continue;
        const double s = omega[i] * formulas::one_sided(phi, z[i] + t, y[i], right);
        sums[0] += s;
        sums[1] += std::abs(s);
      }
      return sums;
    }
    Loss phi;
  };

  Calculus(AnyLoss loss, std::shared_ptr<const Concept> model)
      : loss_(std::move(loss)), model_(std::move(model)) {}

  AnyLoss loss_;
  std::shared_ptr<const Concept> model_;
};

}  // namespace dualmargin::region
