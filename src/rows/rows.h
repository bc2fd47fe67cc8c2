// The samples of a problem: data, labels, weights and the threads that work on them. Here are the
// passes over the entries of all samples and what they are summed up to. Each is cut into ranges of
// rows that the data decide on, and adds up their results in order: the same bits for every number
// of threads.
//
//   multiply            z_i = x_i'w
//   transpose_multiply  u = sum_i c_i x_i
//   gradient            sum_i phi_i'(x_i'w) x_i
//   normal_multiply     sum_i h_i (x_i'v + s) x_i
//   column_sums         sums over the rows of any vector as long as w
//   gram                sum_i h_i x_i x_i'
//   products            x_r'x_s
//   squares, ...        bounds that hold in spite of rounding
//   sum, max, any       of one number a row, see row_sums.h
//
// What is known of the rows alone (norms, lengths) is found when first asked for and kept.
//
// Rows may be moved: row i is then x_i - shift, x_i as it is stored. So are those of multiply(), dot(),
// transpose_multiply(), row() and of all bounds; what else reads entries reads those that are stored,
// and solvers take unmoved().
//
// The rows may be those of one rank of several (base/ranks.h). Sums are then those of all rows, on
// every rank; n(), y, weights, multiply() and norms of rows are of the rows here.
#pragma once

#include <memory>
#include <vector>

#include "base/function_ref.h"
#include "rows/row_sums.h"
#include "rows/storage.h"

namespace dualmargin {

// Some of the rows, with labels and weights of their own: those of a sample make up for the rows
// that are left out.
struct RowChoice {
  std::vector<Index> id;
  RowVec y, weights, offset;
};

class Rows : public RowSums {
 public:
  const RowVec& y;
  const RowVec& weights;
  const double total_weight;
  const RowVec* offset = nullptr;  // what is added to the score of each row; null: nothing
  const Vec shift;                 // zeros: the rows are not moved
  const bool shifted;

  Rows(const Storage& x, const RowVec& y_, const RowVec& weights_, Team& team_);
  // The same rows with other labels, or other weights too: what does not depend on them is found
  // once.
  Rows(const Rows& rows, const RowVec& y_) : Rows(rows, y_, rows.weights) {}
  Rows(const Rows& rows, const RowVec& y_, const RowVec& weights_);
  // Some of all rows, each row as often as it is named; `some` must outlive this.
  Rows(const Rows& all, const RowChoice& some);

  Rows unmoved() const;

  const Storage& storage() const { return x_; }
  Index dim() const { return x_.dim(); }
  double bias() const { return x_.bias(); }
  bool is_kernel() const { return x_.is_kernel(); }
  double share(Index i) const { return weights[i] / total_weight; }

  // One row. W: a vector or a part of one.
  Index at(Index i) const { return id_ == nullptr ? i : (*id_)[i]; }
  Index nonzeros(Index i) const { return x_.nonzeros(at(i)); }
  Index place(Index i) const { return x_.place(at(i)); }
  template <class W>
  double dot(Index i, const W& w) const {
    const double z = x_.row_dot(at(i), w.data());
    return shifted ? z - shift.dot(w) : z;
  }
  Vec row(Index i) const;
  template <class W>
  void axpy(Index i, double a, W&& w) const {
    x_.row_axpy(at(i), a, w.data());
  }
  template <class F>  // f(j, x_ij) for the stored coordinates, the bias last
  void for_each(Index i, F f) const {
    x_.for_each(at(i), f);
  }

  // f(begin, end, tick) for ranges of rows, side by side; no two write to the same place.
  void for_ranges(FunctionRef<void(Index, Index, Tick&)> f, Tick& tick) const;

  RowVec multiply(const Vec& w, Tick& tick) const;
  // For each column of W.
  Mat multiply_all(const ConstMatRef& W, Tick& tick) const;
  // Of some rows, in their order.
  Vec multiply(const std::vector<Index>& some, const Vec& w, Tick& tick) const;

  // Rows whose coefficients are zero cost nothing. Of the many additions to a coordinate at most
  // additions() enter the error of its sum.
  Vec transpose_multiply(const RowSpan& coef, Tick& tick) const;
  template <class E>
  Vec transpose_multiply(const RowExpr<E>& coef, Tick& tick) const {
    return transpose_multiply(RowSpan(RowVec(coef)), tick);
  }
  // The same for each column.
  Mat transpose_multiply_all(const Mat& coef, Tick& tick) const;
  double additions() const;

  // sum_i h_i x_ij^2 for every coordinate j
  Vec column_squares(const RowVec& h, Tick& tick) const;

  // sum_i c_i x_i with c_i = slope(i, x_i'w), each row read once.
  Vec gradient(const Vec& w, FunctionRef<double(Index, double)> slope, Tick& tick) const;
  // sum_i s_i x_i and sum_i s_i, s_i = h_i (x_i'v + more)
  struct NormalProduct {
    Vec image;
    double total;
  };
  NormalProduct normal_multiply(const RowVec& h, const Eigen::Ref<const Vec>& v, double more,
                                Tick& tick) const;

  // H += sum_k h_k x_r x_r', r = rows[k], in the lower triangle, on the coordinates j with
  // map[j] >= 0 at place map[j]; of no use once the time is over. Of the additions to an entry at
  // most gram_additions() enter its error.
  void gram(std::vector<Index> rows, const Vec& h, const std::vector<Index>& map, Mat& H,
            Tick& tick) const;
  double gram_additions() const;
  // x_r' diag(metric) x_s for the rows r and s named, or for all, in the lower triangle; of no use
  // once the time is over. An empty metric is one of ones. All rows lie in this process.
  Mat products(const std::vector<Index>& some, const Vec& metric, Tick& tick) const;
  Mat products(const Vec& metric, Tick& tick) const;

  // sum_i h_i (x_i, 1)(x_i, 1)', without the 1 unless `bordered`; h of any sign.
  Mat gram(const RowVec& h, bool bordered, Tick& tick) const;

  // The operations that a product with row i takes.
  double terms(Index i) const { return static_cast<double>(shifted ? dim() + 1 : nonzeros(i)); }
  // |x_i|^2 and |x_i - at|^2 from above.
  const RowVec& squares(Tick& tick) const;
  RowVec squared_distances(const Vec& at, Tick& tick) const;
  // What rounding can have done to x_i'w + b, by the entries that are stored, and to what it is
  // compared with.
  RowVec roundings(const Vec& w, double b, Tick& tick) const;
  // ((1/W) sum_i omega_i x_ij^2)^(1/2) of the moved rows, and from above of the rows as they are
  // stored.
  struct ColumnSizes {
    Vec moved, stored;
  };
  const ColumnSizes& column_sizes(Tick& tick) const;
  // The same with shares of other weights.
  ColumnSizes column_sizes(const RowVec& share, Tick& tick) const;

  // sum of what visit(i, u) adds to u
  Vec column_sums(FunctionRef<void(Index, Vec&)> visit, Tick& tick) const;

  // |x_i|^2, and |x_i| also where its square is no number
  const RowVec& squared_norms() const;
  const RowVec& lengths() const;
  // sqrt((1/W) sum_i omega_i x_ij^2)
  const Vec& column_norms(Tick& tick) const;
  // The most stored coordinates of a row, and those of all rows together.
  double longest_row() const;
  double nonzeros() const;
  // The rows of all ranks.
  double count() const;

 private:
  struct Entries;
  struct Known;
  struct Weighed;  // known with these weights
  using Places = std::shared_ptr<const std::vector<Index>>;

  Rows(const Storage& x, const RowVec& y_, const RowVec& weights_, Team& team_,
       Places id, Vec shift_, std::shared_ptr<Known> known,
       std::shared_ptr<Weighed> weighed);

  // In the storage.
  Places places(const RowChoice& some) const;
  void refuse_moved() const;
  const Index* id() const { return id_ == nullptr ? nullptr : id_->data(); }
  const Entries& entries_here() const;
  const Entries& entries() const;
  std::vector<Index> cut(Index count) const;
  const std::vector<Index>& ranges() const;
  double block_entries() const;
  const std::vector<Index>& wide_ranges() const;
  Vec summed(FunctionRef<void(Index, Index, Vec&)> add, Tick& tick) const;
  RowVec of_rows(FunctionRef<double(Index)> number) const;
  double length(Index i) const;

  const Storage& x_;
  const Places id_;  // null: all rows
  std::shared_ptr<Known> known_;
  std::shared_ptr<Weighed> weighed_;
};

}  // namespace dualmargin
