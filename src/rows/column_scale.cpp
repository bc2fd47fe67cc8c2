#include "rows/column_scale.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/rounding.h"
#include "rows/column_parts.h"
#include "rows/disk_store.h"

namespace dualmargin {

namespace {

double near(double size) {
  if (!(size > 0 && std::isfinite(size))) return 1;
  return std::ldexp(1.0, std::clamp(std::ilogb(size), -1000, 1000));
}

}  // namespace

struct ColumnSpread::Sums {
  double entries = 0, low = HUGE_VAL, high = -HUGE_VAL, stored = 0;
  Sum sum;

  void add(double weight, double x) {
    ++entries;
    if (!(weight > 0)) return;
    low = std::min(low, x);
    high = std::max(high, x);
    stored += weight;
    sum.add(weight * x);
  }
  void add(const Sums& others) {
    entries += others.entries;
    low = std::min(low, others.low);
    high = std::max(high, others.high);
    stored += others.stored;
    sum.add(others.sum);
  }
  double mean(double weights) const { return std::clamp(sum.value() / weights, low, high); }
  // Squares are summed in a power of two near the largest, out of reach of over- and underflow.
  double unit() const {
    const double wide = high - low;
    return near(std::isfinite(wide) ? wide : 0.5 * high - 0.5 * low);
  }
};
// The entries of a block of rows, looked at twice.
struct ColumnSpread::Block {
  Sums sums;
  double middle = 0, unit = 1;
  Sum squares, first;

  void add(double weight, double x) { sums.add(weight, x); }
  void turn() {
    if (!(sums.stored > 0)) return;
    middle = sums.mean(sums.stored);
    unit = sums.unit();
  }
  void deviate(double weight, double x) {
    if (!(weight > 0)) return;
    const double d = (x - middle) / unit;
    squares.add(weight * d * d);
    first.add(weight * d);
  }
};
// Of blocks: mean middle + lack, and squares about it in that of `unit`.
struct ColumnSpread::Moments {
  Sums sums;
  double middle = 0, lack = 0, unit = 1;
  Sum squares;

  Moments() = default;
  explicit Moments(const Block& block)
      : sums(block.sums), middle(block.middle), unit(block.unit), squares(block.squares) {
    if (!(sums.stored > 0)) return;
    const double off = block.first.value() / sums.stored;
    lack = off * unit;
    squares.add(-off * block.first.value());
  }
  void add(const Block& block) {
    if (block.sums.entries > 0) add(Moments(block));
  }
  void add(const Moments& others) {
    const double here = sums.stored, there = others.sums.stored;
    sums.add(others.sums);
    if (!(there > 0)) return;
    if (!(here > 0)) {
      const Sums all = sums;
      *this = others;
      sums = all;
      return;
    }
    const double common = sums.unit(), share = there / (here + there),
                 apart = others.middle / common - middle / common + (others.lack - lack) / common;
    squares = squares_in(common);
    squares.add(others.squares_in(common));
    squares.add(here * share * apart * apart);
    unit = common;
    const double step = share * apart * common, next = middle + step, moved = next - middle;
    lack += (middle - (next - moved)) + (step - moved);  // Knuth's two-sum
    middle = next;
  }
  Sum squares_in(double other) const {
    Sum moved = squares;
    if (squares.value() != 0) moved.multiply((unit / other) * (unit / other));
    return moved;
  }
};

ColumnSpread::ColumnSpread(const Sums& sums, double rows, double total)
    : low_(sums.low), high_(sums.high), total_(total), full_(sums.entries == rows) {
  rest_ = full_ ? 0.0 : std::max(0.0, total - sums.stored);
  if (rest_ > rounding::of_order * total) low_ = std::min(low_, 0.0), high_ = std::max(high_, 0.0);
  middle_ = std::clamp(sums.sum.value() / total, low_, std::max(low_, high_));
  unit_ = near(std::max(high_ - middle_, middle_ - low_));
}

ColumnSpread::Deviations ColumnSpread::deviations(const Moments& some) const {
  if (!(some.sums.stored > 0)) return {};
  const double off = some.middle / unit_ - middle_ / unit_ + some.lack / unit_;
  const double first = some.sums.stored * off;
  return {some.squares_in(unit_).value() + first * off, first};
}

void ColumnSpread::find_sd(Deviations all) {
  if (rest_ > 0) {
    const double off = -middle_ / unit_;
    all.squares += rest_ * off * off;
    all.first += rest_ * off;
  }
  const double first = all.first / total_;
  const double sd = std::sqrt(std::max(0.0, all.squares / total_ - first * first));
  sd_ = low_ < high_ ? unit_ * sd : 0;
}

double ColumnSpread::centre() const {
  constexpr double least = 10;
  if (!full_ || !std::isfinite(middle_) || !std::isfinite(sd_)) return 0;
  if (!(low_ < high_)) return low_ == high_ ? low_ : 0;
  if (!(std::abs(middle_) > least * sd_) || !(sd_ > 0)) return 0;
  const double unit = std::ldexp(1.0, std::ilogb(sd_));
  const double near = std::nearbyint(middle_ / unit) * unit;
  return std::isfinite(near) ? near : 0;
}

template <class View>
void for_each_spread(const View& x, const Vec& weights, Team& team,
                     FunctionRef<void(Index, const ColumnSpread&)> f, Tick tick) {
  using Block = ColumnSpread::Block;
  const double total = sum_over(team, x.n, [&](Index i) { return weights[i]; });
  const auto moments = column_blocks<ColumnSpread::Moments, Block>(
      x, team, tick, [&](Block& block, Index i, double v) { block.add(weights[i], v); },
      [&](Block& block, Index i, double v) { block.deviate(weights[i], v); });
  Mat sums(3, x.p), ends(2, x.p), deviations(2, x.p);
  for (Index j = 0; j < x.p; ++j) {
    const ColumnSpread::Sums& s = moments[j].sums;
    sums.col(j) << s.entries, s.stored, s.sum.value();
    ends.col(j) << -s.low, s.high;
  }
  auto rows = static_cast<double>(x.n);
  team.sum(&rows, 1);
  team.sum(sums.data(), sums.size());
  team.max(ends.data(), ends.size());
  std::vector<ColumnSpread> spread;
  spread.reserve(moments.size());
  for (Index j = 0; j < x.p; ++j) {
    ColumnSpread::Sums s{sums(0, j), -ends(0, j), ends(1, j), sums(1, j), {}};
    s.sum.add(sums(2, j));
    spread.emplace_back(s, rows, total);
    const ColumnSpread::Deviations d = spread[j].deviations(moments[j]);
    deviations.col(j) << d.squares, d.first;
  }
  team.sum(deviations.data(), deviations.size());
  for (Index j = 0; j < x.p; ++j) {
    spread[j].find_sd({deviations(0, j), deviations(1, j)});
    f(j, spread[j]);
  }
}

template void for_each_spread(const MatrixView&, const Vec&, Team&,
                              FunctionRef<void(Index, const ColumnSpread&)>, Tick);
template void for_each_spread(const DiskView&, const Vec&, Team&,
                              FunctionRef<void(Index, const ColumnSpread&)>, Tick);

template <class View>
Vec weighted_means(const View& x, const Vec& omega) {
  if (omega.size() != x.n) throw std::invalid_argument("damaged object: weights of other rows");
  const double total = accurate_sum(x.n, [&](Index i) { return omega[i]; });
  std::vector<Sum> sums(static_cast<std::size_t>(x.p));
  const auto add = [&](Index j, Index i, double v) { sums[j].add(omega[i] * v); };
  if (x.form == MatrixView::Form::rows) {
    for_rows(x, 0, x.n, add);
  } else {
    for (Index j = 0; j < x.p; ++j) {
      x.column(j, 0, x.n, [&](Index i, double v) { add(j, i, v); });
    }
  }
  return Vec::NullaryExpr(x.p, [&](Index j) { return sums[j].value() / total; });
}

template Vec weighted_means(const MatrixView&, const Vec&);
template Vec weighted_means(const DiskView&, const Vec&);

ColumnSpread spread_of_values(const Vec& values, const Vec& weights, Team& team) {
  std::optional<ColumnSpread> found;
  for_each_spread(MatrixView::of(values), weights, team,
                  [&](Index, const ColumnSpread& spread) { found = spread; });
  return *found;
}

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
