#include "rows/column_centre.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "rows/column_parts.h"

namespace dualmargin {

namespace {

// The exponent of the last digit of a number that is not zero, a multiple of that power of two.
int last_digit(double v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof bits);
  constexpr std::uint64_t implied = std::uint64_t{1} << 52;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t digits = (bits & (implied - 1)) | (exponent > 0 ? implied : 0);
  // of a power of two, which the last digit is, the exponent can be read
  const auto last = static_cast<double>(static_cast<std::int64_t>(digits & (~digits + 1)));
  std::memcpy(&bits, &last, sizeof bits);
  return static_cast<int>(bits >> 52) - 1023 + std::max(exponent, 1) - 1075;
}

}  // namespace

Vec exact_centres(const MatrixView& x, Team& team, Tick tick) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  struct Entries {
    double mean = 0, stored = 0, least = inf, most = -inf;
    int last = std::numeric_limits<int>::max();
    void add(const Entries& others) {
      mean += others.mean;
      stored += others.stored;
      least = std::min(least, others.least);
      most = std::max(most, others.most);
      last = std::min(last, others.last);
    }
  };
  auto rows = static_cast<double>(x.n);
  team.sum(&rows, 1);
  const auto entries = column_parts<Entries>(x, team, tick, [rows](Index) {
    return [rows](Entries& e, Index, double v) {
      e.mean += v / rows;
      e.stored += 1;
      e.least = std::min(e.least, v);
      e.most = std::max(e.most, v);
      if (v != 0) e.last = std::min(e.last, last_digit(v));
    };
  });
  Mat sums(2, x.p), ends(3, x.p);
  for (Index j = 0; j < x.p; ++j) {
    const Entries& e = entries[j];
    sums.col(j) << e.mean, e.stored;
    ends.col(j) << -e.least, e.most, -static_cast<double>(e.last);
  }
  team.sum(sums.data(), sums.size());
  team.max(ends.data(), ends.size());

  Vec centre = Vec::Zero(x.p);
  for (Index j = 0; j < x.p; ++j) {
    const double least = -ends(0, j), most = ends(1, j);
    const int last = static_cast<int>(-ends(2, j));
    if (sums(1, j) != rows || !std::isfinite(least) || !std::isfinite(most)) continue;
    const auto exact = [&](double c) {
      return c == 0 ||
             std::max(most - c, c - least) < std::ldexp(1.0, 53 + std::min(last, last_digit(c)));
    };
    const double mean = std::clamp(sums(0, j), least, most);
    int exponent = 0;
    std::frexp(std::max(-least, most), &exponent);
    const double unit = std::ldexp(1.0, exponent - 30);
    const double coarse = unit > 0 ? std::nearbyint(mean / unit) * unit : 0.0;
    centre[j] = exact(mean) ? mean : exact(coarse) ? coarse : 0;
  }
  return centre;
}

}  // namespace dualmargin
