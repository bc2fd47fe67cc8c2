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

std::array<double, 2> ClassLosses::conjugate(const RowMat& a, double theta) const {
  Vec own(classes()), u(classes());
  return over_.sum([&](Index i) {
    own = a[i];
    own[y[i]] -= 1;
    u = theta * own;
    u[y[i]] += 1;
    return std::array<double, 2>{share(i) * loss.conjugate(u.data(), y[i]),
                                 share(i) * loss.conjugate_along(u.data(), own.data(), y[i])};
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
  const Vec mass = sums(over_, classes(), [&](Index i, Index c) { return share(i) * a(i, c); });
  const ClassBalance made = balance_of(mass, shares);
  if (!(made.theta > 0)) return;
  const Vec constant = made.theta * made.point;
  for (Index i = 0; i < n(); ++i) a[i] = (1 - made.theta) * a[i] + constant;
}

Vec ClassLosses::drift(const RowMat& a) const {
  return sums(over_, classes(),
              [&](Index i, Index c) { return share(i) * (a(i, c) - (c == y[i] ? 1 : 0)); });
}

double ClassLosses::drift_share(const RowMat& a) const {
  const Vec sizes = sums(over_, classes(), [&](Index i, Index c) {
    return share(i) * std::abs(a(i, c) - (c == y[i] ? 1 : 0));
  });
  const Vec off = drift(a).cwiseAbs() + over_.sum_rounding() * sizes;
  double largest = 0;
  for (Index c = 0; c < classes(); ++c) largest = std::max(largest, off[c] / shares[c]);
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
    u = ((u.array() - u.maxCoeff()) / mu).exp();
    u /= u.sum();
  }
  return z;
}

Vec ClassLosses::slopes_at_best(const RowMat& z, Vec b, RowMat& a) const {
  a = slopes(z + b);
  if (!free_intercept) return b;
  best_class_intercepts(
      shares, b, a, [&](const Vec& to) { return slopes(z + to); },
      [&](const RowMat& p) -> Vec { return drift(p) + shares; },
      [&](const RowMat& p) { return bend(p); });
  return b;
}

std::array<double, 2> ClassLosses::along(const RowMat& z, const RowMat& dz, double t,
                                         double mu) const {
  return over_.sum([&](Index i) {
    const double *at = z.at(i), *d = dz.at(i);
    double top = -HUGE_VAL, total = 0, mean = 0, squares = 0;
    const auto moved = [&](Index c) { return at[c] + t * d[c] - (c == y[i] ? loss.margin : 0.0); };
    for (Index c = 0; c < classes(); ++c) top = std::max(top, moved(c));
    for (Index c = 0; c < classes(); ++c) {
      const double e = std::exp((moved(c) - top) / mu);
      total += e;
      mean += e * d[c];
      squares += e * d[c] * d[c];
    }
    mean /= total;
    return std::array<double, 2>{share(i) * (mean - d[y[i]]),
                                 share(i) * (squares / total - mean * mean) / mu};
  });
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
