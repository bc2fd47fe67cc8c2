// The spread of a column: what it is divided by, and where its origin is moved to.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "rows/column_parts.h"

namespace dualmargin {

// Weighted mean and population standard deviation of one column, in one pass by blocks of rows: two
// looks at a block give its mean and the squares about it, and blocks are joined by the pairwise
// update of T. F. Chan, G. H. Golub and R. J. LeVeque (1983), doi:10.1080/00031305.1983.10483115,
//
//   M = M_a + M_b + W_a W_b / (W_a + W_b) (m_b - m_a)^2.
//
// A mean is a number and what it lacks, so that differences of means have the digits of a column
// far from the origin. Rows without an entry are zeros, rows without weight are not there. Weights
// are divided by their total W last: whole ones add up without rounding, and a column and its
// complement have the same deviation.
class ColumnSpread {
 public:
  struct Sums {
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
  struct Block {
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
  struct Moments {
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
  // About the mean of all rows. `first` would be zero if that were not rounded.
  struct Deviations {
    double squares = 0, first = 0;
  };

  // rows, and the total of their weights
  ColumnSpread(const Sums& sums, double rows, double total)
      : low_(sums.low), high_(sums.high), total_(total), full_(sums.entries == rows) {
    rest_ = full_ ? 0.0 : std::max(0.0, total - sums.stored);
    if (rest_ > 1e-12 * total) low_ = std::min(low_, 0.0), high_ = std::max(high_, 0.0);
    middle_ = std::clamp(sums.sum.value() / total, low_, std::max(low_, high_));
    unit_ = near(std::max(high_ - middle_, middle_ - low_));
  }
  // Of some of the rows.
  Deviations deviations(const Moments& some) const {
    if (!(some.sums.stored > 0)) return {};
    const double off = some.middle / unit_ - middle_ / unit_ + some.lack / unit_;
    const double first = some.sums.stored * off;
    return {some.squares_in(unit_).value() + first * off, first};
  }
  // Of all of them, but for the zeros that are not stored.
  void find_sd(Deviations all) {
    if (rest_ > 0) {
      const double off = -middle_ / unit_;
      all.squares += rest_ * off * off;
      all.first += rest_ * off;
    }
    const double first = all.first / total_;
    const double sd = std::sqrt(std::max(0.0, all.squares / total_ - first * first));
    sd_ = low_ < high_ ? unit_ * sd : 0;
  }

  // Zeros that are not stored included.
  double mean() const { return std::isfinite(middle_) ? middle_ : 0; }
  double sd() const { return std::isfinite(sd_) ? sd_ : 0; }
  // Has every row an entry?
  bool full() const { return full_; }

  // A constant column gives 1: nothing to divide by.
  double scale() const { return sd_ > 0 && std::isfinite(sd_) ? sd_ : 1; }

  // Near the mean of a column that is far from the origin for its spread, so that entries minus it
  // have the digits which their sums would lose; 0 for any other. A multiple of a power of two near
  // the deviation: integers stay integers. A column with zeros is not far.
  double centre() const {
    constexpr double least = 10;
    if (!full_ || !std::isfinite(middle_) || !std::isfinite(sd_)) return 0;
    if (!(low_ < high_)) return low_ == high_ ? low_ : 0;
    if (!(std::abs(middle_) > least * sd_) || !(sd_ > 0)) return 0;
    const double unit = std::ldexp(1.0, std::ilogb(sd_));
    const double near = std::nearbyint(middle_ / unit) * unit;
    return std::isfinite(near) ? near : 0;
  }

 private:
  static double near(double size) {
    if (!(size > 0 && std::isfinite(size))) return 1;
    return std::ldexp(1.0, std::clamp(std::ilogb(size), -1000, 1000));
  }

  double low_, high_, total_, rest_ = 0, middle_ = 0, sd_ = 0, unit_ = 1;
  bool full_;
};

// f(j, spread) for all columns: the one definition of their means and scales. Of all ranks the sums
// of entries, and then of squares about the common mean.
template <class View, class F>
void for_each_spread(const View& x, const Vec& weights, Team& team, F f,
                     Tick tick = silent_tick()) {
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

inline ColumnSpread spread_of_values(const Vec& values, const Vec& weights, Team& team) {
  std::optional<ColumnSpread> found;
  for_each_spread(MatrixView::of(values), weights, team,
                  [&](Index, const ColumnSpread& spread) { found = spread; });
  return *found;
}

}  // namespace dualmargin
