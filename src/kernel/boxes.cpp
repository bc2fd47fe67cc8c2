#include "kernel/boxes.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "algebra/cholesky.h"

namespace dualmargin::kernel {

namespace {

// Exact steps in one or two variables of the quadratic program, whose objective changes
// by g_i s + g_j t - 1/2 (K_ii s^2 + 2 K_ij s t + K_jj t^2) with a step s in u and t in v.

// The curvature of rows that are equal: it is replaced by tau, as Fan, Chen and Lin do.
constexpr double least_eta = 1e-12;

struct BoxModel {
  double g_i, g_j, k_ii, k_jj, k_ij;
};
struct BoxStep {
  double i, j;
};

BoxStep in_one(const BoxModel& m, Box& u) {
  const double old = u.c;
  u.c = std::clamp(old + m.g_i / std::max(m.k_ii, least_eta), u.low, u.high);
  return {u.c - old, 0};
}

// Along e_i - e_j, as far as both boxes go. A bound that is reached is reached exactly.
BoxStep along_difference(const BoxModel& m, Box& u, Box& v) {
  const double eta = std::max(m.k_ii + m.k_jj - 2 * m.k_ij, least_eta);
  const double room_u = u.high - u.c, room_v = v.c - v.low;
  const double t = std::min({(m.g_i - m.g_j) / eta, room_u, room_v});
  u.c = t == room_u ? u.high : u.c + t;
  v.c = t == room_v ? v.low : v.c - t;
  return {t, -t};
}

// In the plane of both: the stationary point if it lies in the rectangle, else the best of the four
// edges, on each of which the maximum has a closed form.
BoxStep in_both(const BoxModel& m, Box& u, Box& v) {
  const double k_ii = std::max(m.k_ii, least_eta), k_jj = std::max(m.k_jj, least_eta);
  const double old_u = u.c, old_v = v.c, det = k_ii * k_jj - m.k_ij * m.k_ij;
  if (det > least_eta * k_ii * k_jj) {
    const double to_u = old_u + (m.g_i * k_jj - m.g_j * m.k_ij) / det;
    const double to_v = old_v + (m.g_j * k_ii - m.g_i * m.k_ij) / det;
    if (u.low <= to_u && to_u <= u.high && v.low <= to_v && to_v <= v.high) {
      u.c = to_u;
      v.c = to_v;
      return {to_u - old_u, to_v - old_v};
    }
  }
  double best = 0;
  const auto offer = [&](double to_u, double to_v) {
    const double s = to_u - old_u, t = to_v - old_v;
    const double gain =
        m.g_i * s + m.g_j * t - 0.5 * (k_ii * s * s + k_jj * t * t) - m.k_ij * s * t;
    if (!(gain > best)) return;
    best = gain;
    u.c = to_u;
    v.c = to_v;
  };
  for (const double to_u : {u.low, u.high}) {
    const double slope = m.g_j - m.k_ij * (to_u - old_u);
    offer(to_u, std::clamp(old_v + slope / k_jj, v.low, v.high));
  }
  for (const double to_v : {v.low, v.high}) {
    const double slope = m.g_i - m.k_ij * (to_v - old_v);
    offer(std::clamp(old_u + slope / k_ii, u.low, u.high), to_v);
  }
  return {u.c - old_u, v.c - old_v};
}

}  // namespace

template <class Slope>
void Boxes::choose(Slope slope) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Index count = static_cast<Index>(active_.size());
  double top = balanced_ ? -infinity : 0, bottom = infinity, best = 0, best_eta = 1;
  first_ = -1;
  for (Index k = 0; k < count; ++k) {
    Active& v = active_[k];
    const double g = slope(v);
    if (balanced_) {
      if ((v.can & grow) && g > top) {
        top = g;
        first_ = k;
      }
      if ((v.can & fall) && g < bottom) bottom = g;
    } else if (v.can_follow(g)) {
      top = std::max(top, std::abs(g));
      if (!(g * g * best_eta > best * v.diagonal)) continue;
      best = g * g;
      best_eta = v.diagonal;
      first_ = k;
    }
  }
  top_ = top;
  bottom_ = balanced_ ? bottom : -top;
  if (first_ >= 0 || balanced_) return;
  for (Index k = 0; k < count && first_ < 0; ++k) {
    const Active& v = active_[k];
    if (v.g != 0 && std::abs(v.g) == top && v.can_follow(v.g)) first_ = k;
  }
}

template <class Promise>
Index Boxes::most_promising(Promise promise) const {
  double best = 0, best_eta = 1, d = 0, eta = 0;
  Index j = first_;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    if (!promise(active_[k], d, eta)) continue;
    eta = std::max(eta, least_eta);
    if (d * d * best_eta <= best * eta) continue;
    best = d * d;
    best_eta = eta;
    j = static_cast<Index>(k);
  }
  if (best > 0) return j;
  double most = 0;  // of differences whose squares are 0
  for (std::size_t k = 0; k < active_.size(); ++k) {
    if (!promise(active_[k], d, eta) || !(std::abs(d) > most)) continue;
    most = std::abs(d);
    j = static_cast<Index>(k);
  }
  return j;
}

Index Boxes::second(const double* row_i) const {
  const Active& i = active_[first_];
  if (balanced_) {
    return most_promising([&](const Active& j, double& d, double& eta) {
      d = i.g - j.g;
      eta = i.diagonal + j.diagonal - 2.0 * row_i[j.row];
      return (j.can & fall) && d > 0;
    });
  }
  const double constant = kernel_.constant(), own = std::max(i.diagonal, least_eta);
  const Box& v = box_[i.id];
  const double t = std::clamp(i.g / own, v.low - v.c, v.high - v.c),
               inside = t == i.g / own ? 1 / own : 0;
  return most_promising([&](const Active& j, double& d, double& eta) {
    const double entry = row_i[j.row] + constant;
    d = j.g - entry * t;
    eta = j.diagonal - entry * entry * inside;
    return j.can_follow(d) && &j != &i;
  });
}

void Boxes::step(Index i, Index j, const double* row_i, const double* row_j) {
  const double constant = kernel_.constant();
  Active &one = active_[i], &other = active_[j];
  Box &u = box_[one.id], &v = box_[other.id];
  const BoxModel model{one.g, other.g, one.diagonal, other.diagonal, row_i[other.row] + constant};
  const BoxStep t = balanced_ ? along_difference(model, u, v)
                    : i == j  ? in_one(model, u)
                              : in_both(model, u, v);
  one.look(u);
  other.look(v);
  const double shift = constant * (t.i + t.j), t_i = t.i, t_j = t.j;
  choose([&](Active& k) { return k.g -= t_i * row_i[k.row] + t_j * row_j[k.row] + shift; });
}

double Boxes::leap(FunctionRef<const double*(Index)> row, Tick& tick) {
  constexpr Index most = 2000;
  std::vector<Index> free;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    if (active_[k].can == (grow | fall)) free.push_back(static_cast<Index>(k));
  }
  const Index count = static_cast<Index>(free.size());
  if (count < 2 || count > most) return 0;
  const double constant = kernel_.constant();
  Mat K(count, count);
  Vec g(count);
  for (Index a = 0; a < count; ++a) {
    const Active& v = active_[free[a]];
    g[a] = v.g;
    const double* values = row(v.row);
    for (Index b = 0; b < a; ++b) K(a, b) = values[active_[free[b]].row] + constant;
    K(a, a) = v.diagonal;
  }
  Cholesky factor;
  const auto raise = [](Mat& A, double share) { A.diagonal() *= 1 + share; };
  if (!factor.factor(K, if_singular, raise, tick)) return 0;

  std::vector<Index> left(static_cast<std::size_t>(count));
  std::iota(left.begin(), left.end(), Index{0});
  Vec moved = Vec::Zero(count);
  for (double t = 0; t < 1 && left.size() > 1 && tick.in_time();) {
    const auto size = static_cast<Index>(left.size());
    Vec d(size);
    for (Index a = 0; a < size; ++a) d[a] = g[left[a]];
    d = factor.solve(d);
    if (balanced_) {
      const Vec even = factor.solve(Vec::Ones(size).eval());
      d -= d.sum() / even.sum() * even;
      d.array() -= d.mean();
    }
    t = 1;
    Index end = -1;
    for (Index a = 0; a < size; ++a) {
      const Box& v = box_[active_[free[left[a]]].id];
      const double room = ((d[a] > 0 ? v.high : v.low) - v.c) / d[a];
      if (!(room < t)) continue;
      t = room;
      end = a;
    }
    Vec step = Vec::Zero(count);
    for (Index a = 0; a < size; ++a) step[left[a]] = t * d[a];
    const Vec fall = K.selfadjointView<Eigen::Lower>() * step;
    if (!(g.dot(step) > 0.5 * fall.dot(step))) break;  // what rounding has left of a direction
    for (Index a = 0; a < size; ++a) {
      Box& v = box_[active_[free[left[a]]].id];
      v.c = a == end ? (d[a] > 0 ? v.high : v.low) : std::clamp(v.c + t * d[a], v.low, v.high);
    }
    g -= fall;
    moved += step;
    if (end < 0) break;
    factor.remove(end, [](Index, double, double) {});
    left.erase(left.begin() + end);
  }
  for (Index a = 0; a < count; ++a) {
    Active& own = active_[free[a]];
    own.look(box_[own.id]);
    const double* values = row(own.row);
    for (Active& v : active_) v.g -= moved[a] * (values[v.row] + constant);
  }
  choose([](const Active& v) { return v.g; });
  const double size = static_cast<double>(count);
  return 2 * size + size * size * size / (12 * static_cast<double>(kernel_.n()));
}

void Boxes::shrink() {
  const auto rests = [&](const Active& v) {
    return v.can == grow ? v.g < bottom_ : v.can == fall && v.g > top_;
  };
  active_.erase(std::remove_if(active_.begin(), active_.end(), rests), active_.end());
  choose([](const Active& v) { return v.g; });
}

Index Boxes::wake(const Gram& kernel, Tick& tick) {
  const Vec beta = coefficients();
  const Vec change = beta - synced_;
  f_ += kernel.multiply(change, tick);
  synced_ = beta;
  activate_all();
  return (change.array() != 0).count();
}

void Boxes::begin(Tick& tick) {
  synced_ = coefficients();
  renew(kernel_.multiply(synced_, tick));
}

void Boxes::renew(const Vec& f) {
  f_ = f;
  activate_all();
}

Vec Boxes::coefficients() const {
  Vec beta = Vec::Zero(kernel_.n());
  for (const Box& v : box_) beta[v.row] += v.c;
  return beta;
}

void Boxes::activate_all() {
  active_.resize(box_.size());
  for (std::size_t k = 0; k < box_.size(); ++k) {
    const Box& v = box_[k];
    active_[k] = {Index(k), v.row, v.at - f_[v.row], kernel_.squared_norm(v.row), 0};
    active_[k].look(v);
  }
  choose([](const Active& v) { return v.g; });
}

}  // namespace dualmargin::kernel
