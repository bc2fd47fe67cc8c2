// The spread of a column: what it is divided by, and where its origin is moved to.
#pragma once

#include "base/team.h"
#include "rows/matrix_view.h"

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
  // Of some of the rows: sums of a column's entries, and what is found in a block of them.
  struct Sums;
  struct Block;
  struct Moments;
  // About the mean of all rows. `first` would be zero if that were not rounded.
  struct Deviations {
    double squares = 0, first = 0;
  };

  // rows, and the total of their weights
  ColumnSpread(const Sums& sums, double rows, double total);
  // Of some of the rows.
  Deviations deviations(const Moments& some) const;
  // Of all of them, but for the zeros that are not stored.
  void find_sd(Deviations all);

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
  double centre() const;

 private:
  double low_, high_, total_, rest_ = 0, middle_ = 0, sd_ = 0, unit_ = 1;
  bool full_;
};

// f(j, spread) for all columns: the one definition of their means and scales. Of all ranks the sums
// of entries, and then of squares about the common mean.
// View: as in column_parts.h; of a matrix or of a file.
template <class View>
void for_each_spread(const View& x, const Vec& weights, Team& team,
                     FunctionRef<void(Index, const ColumnSpread&)> f, Tick tick = silent_tick());

// (1/W) sum omega x_j, in the order of the rows
template <class View>
Vec weighted_means(const View& x, const Vec& omega);

ColumnSpread spread_of_values(const Vec& values, const Vec& weights, Team& team);

// What can be taken from the columns without any rounding, so that rows far from the origin keep
// the digits in which they differ.

// For each column its mean, which rounding does not take out of the range of the entries (a
// constant column becomes zeros); where a difference from that may round, the mean to thirty bits
// of the largest entry; where that may as well, or the column has zeros that are not stored, 0.
//
// Entries and centre are multiples of 2^k; so are their differences, which are exact if they are
// below 2^(53 + k). Where the entries are closer to each other than to the origin all of them are.
Vec exact_centres(const MatrixView& x, Team& team, Tick tick = silent_tick());

}  // namespace dualmargin
