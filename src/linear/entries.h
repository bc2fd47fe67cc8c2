// Entries of the rows, drawn one at a time, each as likely as any other: what the methods share
// that read one x_ij a step. Of dense rows all n d are drawn, zero or not; of sparse rows those
// that are stored, all of which cost the same.
//
//   min_w max_a  sum_i s_i [a_i w'x_i - phi*(a_i)] + g(w),   s_i = omega_i / W
//
//   r_i  entries of row i        c_j  entries of column j        S  all entries
//
// Given its row the column of a draw is uniform over r_i entries, given its column the row over c_j
// of them: r_i x_ij w_j is an unbiased estimate of the score x_i'w, c_j s_i x_ij a_i one of u_j. Of
// dense rows without weights these are d x_ij w_j and x_ij a_i.
//
// A step moves coordinates i and j alone, from the point before it,
//
//   a_i <- argmax_t  t z - phi*(t) - (t - a_i)^2 / (2 sigma_i),   z  the estimate of the score
//   w_j <- prox_{tau_j g}(w_j - tau_j v),                         v  the estimate of u_j
//   tau_j = theta / (c_j max_i s_i |x_i|^2 / gamma),   sigma_i = theta l2 / (r_i max_k m_k),
//
// m_k = sum_i s_i x_ik^2. With Q = l2 |w - w*|^2 + gamma sum_i s_i (a_i - a*_i)^2 and
//
//   V = S sum_j (1 + 2 tau_j l2) / (2 c_j tau_j) (w_j - w*_j)^2
//     + S sum_i s_i (1 + 2 sigma_i gamma) / (2 r_i sigma_i) (a_i - a*_i)^2
//
// the products of both differences cancel in expectation over the draw, and a step changes V by at
// most -Q + theta Q + the scatter of the estimates at (w*, a*), which a reference point (w~, a~)
// makes theta Q~. While tau_j l2 and sigma_i gamma are below 1, Q is about 2 theta rho V or more.
#pragma once

#include <utility>
#include <vector>

#include "linear/problem.h"
#include "run/sampler.h"

namespace dualmargin::linear {

template <class RowsByType>  // the rows, by their type
class Entries {
 public:
  struct Entry {
    Index i, j;
    double x;
  };

  // Two passes over the data.
  Entries(const LinearProblem& problem, const RowsByType& rows, Tick& tick)
      : rows_(rows), start_(static_cast<std::size_t>(problem.n()) + 1, 0) {
    for (Index i = 0; i < rows_.n(); ++i) start_[i + 1] = start_[i] + rows_.nonzeros(i);
    if (rows.storage().is_sparse()) find_guides();
    of_column_ = rows_.column_sums(
        [&](Index i, Vec& c) { rows_.for_each(i, [&](Index j, double) { c[j] += 1; }); }, tick);
    const Vec& norms = rows_.column_norms(tick);
    const double rough = std::max(problem.row_smoothness(), 1e-300);
    const double largest = norms.size() > 0 ? norms.maxCoeff() * norms.maxCoeff() : 0.0;
    const double l2 = problem.penalty.l2, gamma = problem.losses.loss.gamma();
    tau_ = 1 / (rough * of_column_.cwiseMax(1).array());
    stiffness_ = largest / l2;
    rho_ = l2 / (std::max(1.0, static_cast<double>(count())) * std::max(rough, largest / gamma));
  }

  Index count() const { return start_.back(); }                                            // S
  double of_row(Index i) const { return static_cast<double>(start_[i + 1] - start_[i]); }  // r_i
  double of_column(Index j) const { return of_column_[j]; }                                // c_j

  // With theta = 1.
  double tau(Index j) const { return tau_[j]; }
  double inverse_sigma(Index i) const { return of_row(i) * stiffness_; }
  double rho() const { return rho_; }

  // O(1), of sparse rows on average.
  Entry draw(Sampler& sampler) const {
    const Index place = sampler.below(count());
    const Index i = row_of(place);
    const auto [j, x] = rows_.entry(i, place - start_[i]);
    return {i, j, x};
  }

  // What no draw moves: the best response to no score and to no pull.
  void settle(const LinearProblem& problem, Vec& w, RowVec& a) const {
    for (Index j = 0; j < w.size(); ++j) {
      if (of_column_[j] == 0) w[j] = 0;
    }
    for (Index i = 0; i < rows_.n(); ++i) {
      if (of_row(i) > 0) continue;
      a[i] = problem.losses.loss.slope(problem.losses.offset_of(i), rows_.y[i]);
    }
  }

 private:
  // The row in which every 2^shift-th entry is: about as many as there are rows.
  void find_guides() {
    const Index n = rows_.n();
    while (count() >> shift_ > n) ++shift_;
    Index i = 0;
    for (Index k = 0; k < count(); k += Index{1} << shift_) {
      while (start_[i + 1] <= k) ++i;
      guide_.push_back(i);
    }
  }
  Index row_of(Index place) const {
    if (guide_.empty()) return place / rows_.dim();
    Index i = guide_[place >> shift_];
    while (start_[i + 1] <= place) ++i;
    return i;
  }

  const RowsByType& rows_;
  std::vector<Index> start_, guide_;  // entries before row i
  int shift_ = 0;
  Vec of_column_, tau_;
  double stiffness_, rho_;
};

}  // namespace dualmargin::linear
