// Exact steps in one or two variables of the quadratic program of boxes.h, whose objective changes
// by g_i s + g_j t - 1/2 (K_ii s^2 + 2 K_ij s t + K_jj t^2) with a step s in u and t in v.
#pragma once

#include <algorithm>

#include "base/numeric.h"

namespace dualmargin::kernel {

// The curvature of rows that are equal: it is replaced by tau, as Fan, Chen and Lin do.
constexpr double least_eta = 1e-12;

// A variable of a row with its box and the score of the kink it stands for.
struct Box {
  Index row;
  double at, low, high, c;
};

struct BoxModel {
  double g_i, g_j, k_ii, k_jj, k_ij;
};
struct BoxStep {
  double i, j;
};

inline BoxStep in_one(const BoxModel& m, Box& u) {
  const double old = u.c;
  u.c = std::clamp(old + m.g_i / std::max(m.k_ii, least_eta), u.low, u.high);
  return {u.c - old, 0};
}

// Along e_i - e_j, as far as both boxes go. A bound that is reached is reached exactly.
inline BoxStep along_difference(const BoxModel& m, Box& u, Box& v) {
  const double eta = std::max(m.k_ii + m.k_jj - 2 * m.k_ij, least_eta);
  const double room_u = u.high - u.c, room_v = v.c - v.low;
  const double t = std::min({(m.g_i - m.g_j) / eta, room_u, room_v});
  u.c = t == room_u ? u.high : u.c + t;
  v.c = t == room_v ? v.low : v.c - t;
  return {t, -t};
}

// In the plane of both: the stationary point if it lies in the rectangle, else the best of the four
// edges, on each of which the maximum has a closed form.
inline BoxStep in_both(const BoxModel& m, Box& u, Box& v) {
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

}  // namespace dualmargin::kernel
