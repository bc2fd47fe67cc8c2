#include "loss/class_losses.h"

#include <algorithm>
#include <utility>

namespace dualmargin {

ClassLosses::ClassLosses(ClassLossPtr loss_, const std::vector<Index>& y_, const RowVec& omega_,
                         bool free, Team& team, double total)
    : y(y_),
      held(std::move(loss_)),
      loss(*held),
      omega(omega_),
      free_intercept(free),
      over_(omega_.size(), team),
      total_weight(total),
      shares(sums(over_, classes(), [&](Index i, Index c) { return y[i] == c ? share(i) : 0.0; })) {
}

double ClassLosses::null_value() const {
  if (!free_intercept || !smooth()) return loss.at_zero;
  return sum_over(classes(),
                  [&](Index c) { return shares[c] > 0 ? -shares[c] * std::log(shares[c]) : 0.0; });
}

Vec ClassLosses::null_intercept() const {
  if (free_intercept && smooth()) return shares.array().log();
  return Vec::Zero(classes());
}

double ClassLosses::value(const RowMat& z) const {
  return over_.sum([&](Index i) { return share(i) * loss.value(z.at(i), y[i]); });
}

FenchelSums ClassLosses::fenchel(const RowMat& z, const RowMat& a, double) const {
  const auto [value, gap, size] = over_.sum([&](Index i) {
    const double* zi = z.at(i);
    const double own = loss.value(zi, y[i]);
    double largest = 0;
    for (Index c = 0; c < classes(); ++c) largest = std::max(largest, std::abs(zi[c]));
    return std::array<double, 3>{share(i) * own, share(i) * loss.fenchel_gap(zi, a.at(i), y[i]),
                                 share(i) * (own + loss.at_zero + 2 * largest)};
  });
  return {value, gap, size};
}

// The derivative of the softmax loss's \sum_c u_c \log u_c along a = (u - e_y) / theta is what is
// left of it without \log u_y, over theta.
std::array<double, 2> ClassLosses::conjugate(const RowMat& a, double theta) const {
  Vec u(classes());
  return over_.sum([&](Index i) {
    u = theta * a[i];
    double& own = u[y[i]];
    own += 1 - theta;
    const double value = loss.conjugate(u.data(), y[i]);
    const double slope = theta > 0        ? (value - std::log(std::max(own, 1e-300))) / theta
                         : a(i, y[i]) < 1 ? -HUGE_VAL
                                          : 0.0;
    return std::array<double, 2>{share(i) * value, share(i) > 0 ? share(i) * slope : 0.0};
  });
}

RowMat ClassLosses::rest() const {
  RowMat u = RowMat::zero(n(), classes());
  for (Index i = 0; i < n(); ++i) u(i, y[i]) = 1;
  return u;
}

RowMat ClassLosses::weighted(RowMat a) const {
  for (Index i = 0; i < n(); ++i) {
    a(i, y[i]) -= 1;
    a[i] *= share(i);
  }
  return a;
}

void ClassLosses::scale(RowMat& a, double theta) const {
  for (Index i = 0; i < n(); ++i) {
    a[i] *= theta;
    a(i, y[i]) += 1 - theta;
  }
}

void ClassLosses::balance(RowMat& a) const {
  if (!free_intercept) return;
  const ClassBalance made = balance_of(mean(a), shares);
  if (!(made.theta > 0)) return;
  const Vec constant = made.theta * made.point;
  for (Index i = 0; i < n(); ++i) a[i] = (1 - made.theta) * a[i] + constant;
}

Vec ClassLosses::drift(const RowMat& a) const {
  return sums(over_, classes(),
              [&](Index i, Index c) { return share(i) * (a(i, c) - (c == y[i] ? 1 : 0)); });
}

double ClassLosses::drift_share(const RowMat& a) const {
  constexpr Index together = 4;
  double largest = 0;
  for (Index first = 0; first < classes(); first += together) {
    const Index here = std::min(together, classes() - first);
    const auto part = over_.sum([&](Index i) {
      std::array<double, 2 * together> terms{};
      for (Index c = 0; c < here; ++c) {
        const double own = share(i) * (a(i, first + c) - (first + c == y[i] ? 1 : 0));
        terms[c] = own;
        terms[together + c] = std::abs(own);
      }
      return terms;
    });
    for (Index c = 0; c < here; ++c) {
      const double off = std::abs(part[c]) + over_.sum_rounding() * part[together + c];
      largest = std::max(largest, off / shares[first + c]);
    }
  }
  return largest;
}

Vec ClassLosses::squared_slopes(const RowMat& a) const {
  return sums(over_, classes(), [&](Index i, Index c) {
    const double own = a(i, c) - (c == y[i] ? 1 : 0);
    return share(i) * own * own;
  });
}

RowMat ClassLosses::slopes(RowMat z, double mu) const {
  for (Index i = 0; i < n(); ++i) {
    auto u = z[i];
    u[y[i]] -= loss.margin;
    u.array() -= u.maxCoeff();
    if (mu != 1) u /= mu;
    u = u.array().exp();
    u /= u.sum();
  }
  return z;
}

Vec ClassLosses::slopes_at_best(const RowMat& z, Vec b, RowMat& a) const {
  a = slopes(z + b);
  if (!free_intercept) return b;
  best_class_intercepts(
      shares, b, a, [&](const Vec& to) { return slopes(z + to); },
      [&](const RowMat& p) { return mean(p); }, [&](const RowMat& p) { return bend(p); });
  return b;
}

std::array<double, 2> ClassLosses::along(const RowMat& z, const RowMat& dz, double t,
                                         double mu, RowMat& p) const {
  return over_.sum([&](Index i) {
    const double *at = z.at(i), *d = dz.at(i);
    double top = -HUGE_VAL, total = 0, mean = 0, squares = 0;
    const auto moved = [&](Index c) { return at[c] + t * d[c] - (c == y[i] ? loss.margin : 0.0); };
    for (Index c = 0; c < classes(); ++c) top = std::max(top, moved(c));
    for (Index c = 0; c < classes(); ++c) {
      const double e = std::exp((moved(c) - top) / mu);
      if (p.size() > 0) p(i, c) = e;
      total += e;
      mean += e * d[c];
      squares += e * d[c] * d[c];
    }
    mean /= total;
    if (p.size() > 0) p[i] /= total;
    if (share(i) == 0) return std::array<double, 2>{0, 0};  // squares may be no numbers
    return std::array<double, 2>{share(i) * (mean - d[y[i]]),
                                 share(i) * (squares / total - mean * mean) / mu};
  });
}

Vec ClassLosses::mean(const RowMat& p) const {
  return sums(over_, classes(), [&](Index i, Index c) { return share(i) * p(i, c); });
}

Mat ClassLosses::bend(const RowMat& p) const {
  std::vector<std::pair<Index, Index>> place;
  for (Index l = 0; l < classes(); ++l) {
    for (Index c = l; c < classes(); ++c) place.emplace_back(c, l);
  }
  const Vec entry = sums(over_, static_cast<Index>(place.size()), [&](Index i, Index e) {
    const auto [c, l] = place[e];
    return share(i) * p(i, c) * ((c == l ? 1.0 : 0.0) - p(i, l));
  });
  Mat H(classes(), classes());
  for (std::size_t e = 0; e < place.size(); ++e) {
    const auto [c, l] = place[e];
    H(c, l) = H(l, c) = entry[e];
  }
  return H;
}

Mat dual_of(const RowMat& u, const std::vector<Index>& y) {
  Mat a = u.local().transpose();
  for (Index i = 0; i < a.rows(); ++i) a(i, y[i]) -= 1;
  return a;
}

}  // namespace dualmargin
