// Seconds of one unit of each kind of pass that methods are made of, as inst/bench/pass_kinds.R
// measured them (inst/extdata/results/pass_kinds.csv; one core, R's flags). They are constants: a
// fit that timed its own machine would not be the same fit again. What they are for is which of two
// methods takes longer; a machine that is faster in everything changes nothing.
#pragma once

namespace dualmargin::seconds {

// An entry of the rows in the order of memory, its product and sum: of dense rows; of sparse ones
// with coefficients in the cache of the core; with coefficients that no cache holds.
constexpr double streamed = 4.5e-10, gathered = 1.1e-9, gathered_far = 7.5e-9;
// An access to a place in memory that was not known before, in and beyond the caches.
constexpr double jump = 1.4e-8, jump_far = 1.5e-7;
constexpr double exponential = 5e-9;
// A product and a sum, of a Gram matrix and of a Cholesky factorisation.
constexpr double product = 1.2e-10, factor = 1.3e-10;

// Bytes up to which coefficients stay with their core, and rows in the caches.
constexpr double near_bytes = 4e6, cache_bytes = 32e6;

inline double cholesky(double size) { return size * size * size / 6 * factor; }

// Rows of which a method knows the size alone.
struct Table {
  double rows = 0, columns = 0, nonzeros = 0;

  bool dense() const { return nonzeros >= rows * columns; }
  // All rows once in order: their products with coefficients, or a sum over them.
  double look() const {
    const bool cached = 8 * columns <= near_bytes;
    return nonzeros * (dense() ? streamed : cached ? gathered : gathered_far);
  }
  // All rows at random, alone or in groups of neighbours: each with what a method keeps of it, and one
  // read and one sum an entry; dense rows of no cache take as long again (1e5 and 1e6 x 100).
  double visits(double group = 1) const {
    constexpr double accesses = 4, kept = 40;  // kept: bytes a row
    const double bytes = (dense() ? 8 : 12) * nonzeros + kept * rows;
    const bool cached = bytes <= cache_bytes;
    return rows / group * accesses * (cached ? jump : jump_far) + (cached || !dense() ? 2 : 4) * look();
  }
  // A product and a sum of what is stored.
  double each() const { return dense() ? product : gathered; }
};

}  // namespace dualmargin::seconds
