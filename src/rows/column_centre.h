// What can be taken from the columns without any rounding, so that rows far from the origin keep
// the digits in which they differ.
#pragma once

#include <algorithm>
#include <limits>

#include "rows/column_parts.h"

namespace dualmargin {

// For each column its mean, which rounding does not take out of the range of the entries (a
// constant column becomes zeros); where a difference from that rounds, the mean to thirty bits of
// the largest entry; where that rounds as well, or the column has zeros that are not stored, 0.
inline Vec exact_centres(const MatrixView& x, Team& team) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  struct Entries {
    double mean = 0, stored = 0, least = inf, most = -inf;
    void add(const Entries& others) {
      mean += others.mean;
      stored += others.stored;
      least = std::min(least, others.least);
      most = std::max(most, others.most);
    }
  };
  struct Rounds {
    bool fine = false, coarse = false;
    void add(const Rounds& others) {
      fine = fine || others.fine;
      coarse = coarse || others.coarse;
    }
  };
  const auto rows = static_cast<double>(x.n);
  const auto entries = column_parts<Entries>(x, team, [rows](Index) {
    return [rows](Entries& e, Index, double v) {
      e.mean += v / rows;
      e.stored += 1;
      e.least = std::min(e.least, v);
      e.most = std::max(e.most, v);
    };
  });
  Vec mean = Vec::Zero(x.p), coarse = mean;
  for (Index j = 0; j < x.p; ++j) {
    const Entries& e = entries[j];
    if (e.stored == 0) continue;
    mean[j] = std::clamp(e.mean, e.least, e.most);
    int exponent = 0;
    std::frexp(std::max(-e.least, e.most), &exponent);
    const double unit = std::ldexp(1.0, exponent - 30);
    coarse[j] = unit > 0 ? std::nearbyint(mean[j] / unit) * unit : 0.0;
  }
  // Knuth's two-sum: what the difference lost
  const auto lost = [](double v, double c) {
    const double d = v - c, back = d - v;
    return (v - (d - back)) - (c + back) != 0;
  };
  const auto rounds = column_parts<Rounds>(x, team, [&](Index j) {
    return [lost, fine = mean[j], rough = coarse[j]](Rounds& r, Index, double v) {
      r.fine = r.fine || lost(v, fine);
      r.coarse = r.coarse || lost(v, rough);
    };
  });
  for (Index j = 0; j < x.p; ++j) {
    const bool all = entries[j].stored == rows;
    mean[j] = !all ? 0.0 : !rounds[j].fine ? mean[j] : !rounds[j].coarse ? coarse[j] : 0.0;
    if (!std::isfinite(mean[j])) mean[j] = 0;
  }
  return mean;
}

}  // namespace dualmargin
