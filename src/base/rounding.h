// What rounding can do to a sum: the one model that all certificates state their rounding by. Each
// function says how far a result can be off, as a share of the sum of the sizes of its terms.
//
// Every operation is exact but for a factor 1 + d, |d| <= u = 2^-53, and k of them one after another
// make a factor 1 + e with |e| <= gamma_k = k u / (1 - k u): N. J. Higham (2002), Accuracy and
// Stability of Numerical Algorithms, 2nd edition, SIAM, Lemma 3.1. No root of k takes the place of
// k, as random roundings would allow (Higham and Mary 2019, doi:10.1137/18M1226312): data do not draw
// at random. The terms 1, u, u, ... lose all but the first, equal ones a thirtieth of k.
#pragma once

namespace dualmargin::rounding {

constexpr double unit = 0x1p-53;  // u

// gamma_k, that of k roundings of one number.
constexpr double of(double roundings) { return roundings * unit / (1 - roundings * unit); }

// A sum of k terms, one after another or in any other order: a term passes at most k - 1 additions,
// each a factor 1 + d, so that the sum is that of t_i (1 + e_i), |e_i| <= gamma_{k-1} (Higham,
// section 4.2), and is off by gamma_{k-1} sum |t_i| at most.
constexpr double of_plain_sum(double terms) { return of(terms > 1 ? terms - 1 : 0); }

// sum_over() and Rows::sum(): 127 plain additions in a block; the sums of the blocks are added with
// their errors carried along, which leaves 2 u of their sizes (Higham, (4.8); the m^2 u^2 for m
// blocks are below another u up to 2^33 rows).
constexpr double of_sum() { return of(127 + 3); }
// With no more than one block there is nothing to carry.
constexpr double of_sum(double terms) { return terms > 128 ? of_sum() : of_plain_sum(terms); }

// accurate_sum(), Neumaier's: u of the sum itself and the m^2 u^2 of m terms, below another u up to
// 9e7 of them (T. Ogita, S. M. Rump and S. Oishi 2005, doi:10.1137/030601818, Proposition 4.5). Rows
// add up blocks like this, and then the blocks.
constexpr double of_accurate_sum() { return of(5); }

// A dot product of k terms: each is a product, which is one rounding, and passes at most k - 1
// additions, so that it carries k. One of products that are themselves rounded carries these too.
constexpr double of_dot(double terms) { return of(terms); }

// A score x'w + b of a row of k entries, in units of sum |x_j w_j| + |b|: a dot product, one more
// addition for b, and two operations for the scale and the centre of a column.
constexpr double of_score(double entries) { return of(entries + 3); }

// A term of a value: phi(z), phi^*(a), a z, a penalty. What the elementary functions leave (1 to 2 u
// each) and the few operations on them, times a weight and over W: 8 of them at most, and where a row
// has several scores the additions over these.
constexpr double of_term(double scores = 1) { return of(8 + scores - 1); }

// A mean (1/W) sum omega_i t_i of such terms, in units of (1/W) sum omega_i |t_i|: the terms, the
// sum and W, which is an accurate one.
constexpr double of_value() { return of(8 + 130 + 5); }

// Where a number is compared and no bound is computed, what rounding can have left: `dust` of a zero, as
// a share of the largest of its kind; `of_order` of a sum of numbers whose additions may have had another
// order, `of_many` of a number after many operations, as shares of them.
constexpr double dust = 1e-14, of_order = 1e-12, of_many = 1e-13;
// By this share lengths from squares that are bounds are on the safe side.
constexpr double safe_length = 1e-10;
// What is scaled to a bound is not beyond it.
constexpr double inside = 1 - 4e-16;

}  // namespace dualmargin::rounding
