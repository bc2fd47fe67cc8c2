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
//   sum, max, any       of one number a row, see row_sums.h
//
// What is known of the rows alone (norms, lengths) is found when first asked for and kept.
//
// The rows may be those of one rank of several (base/ranks.h). Sums are then those of all rows, on
// every rank; n(), y, weights, multiply() and norms of rows are of the rows here.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/kept.h"
#include "rows/dense.h"
#include "rows/gram.h"
#include "rows/row_sums.h"
#include "rows/sparse.h"
#include "rows/weighted_gram.h"

namespace dualmargin {

// Some of the rows, with labels and weights of their own: those of a sample make up for the rows
// that are left out.
struct RowChoice {
  std::vector<Index> id;
  RowVec y, weights, offset;
};

template <class D>
class Rows : public RowSums {
 public:
  using Data = D;

  const RowVec& y;
  const RowVec& weights;
  const double total_weight;
  const RowVec* offset = nullptr;  // what is added to the score of each row; null: nothing

  Rows(const Data& x, const RowVec& y_, const RowVec& weights_, Team& team_)
      : Rows(x, y_, weights_, team_, nullptr, std::make_shared<Known>()) {}
  // The same rows with other labels.
  Rows(const Rows& rows, const RowVec& y_)
      : Rows(rows.x_, y_, rows.weights, rows.team, rows.id_, rows.known_) {
    offset = rows.offset;
  }
  // Some of all rows, each row as often as it is named; `some` must outlive this.
  Rows(const Rows& all, const RowChoice& some)
      : Rows(all.x_, some.y, some.weights, all.team, &some.id, std::make_shared<Known>()) {
    if (all.offset != nullptr) offset = &some.offset;
  }

  Index dim() const { return x_.dim(); }
  double share(Index i) const { return weights[i] / total_weight; }

  // One row.
  Index at(Index i) const { return id_ == nullptr ? i : (*id_)[i]; }
  template <class W>
  double dot(Index i, const W& w) const {
    return x_.dot(at(i), w);
  }
  template <class W>
  void axpy(Index i, double a, W&& w) const {
    x_.axpy(at(i), a, std::forward<W>(w));
  }
  template <class F>
  void for_each(Index i, F f) const {
    x_.for_each(at(i), f);
  }
  template <class F>
  void for_each_of(Index i, Index from, Index end, F f) const {
    x_.for_each_of(at(i), from, end, f);
  }
  std::pair<Index, double> entry(Index i, Index k) const { return x_.entry(at(i), k); }
  Index nonzeros(Index i) const { return x_.nonzeros(at(i)); }
  // As in dense.h.
  double bias() const { return x_.bias(); }
  Index place(Index i) const { return x_.place(at(i)); }
  const double* entries(Index i) const { return x_.entries(at(i)); }
  template <class F>
  void for_each_place(Index i, F f) const {
    x_.for_each_place(at(i), f);
  }
  double dot_of(Index i, const double* v, const Vec& w) const { return x_.dot_of(at(i), v, w); }

  // Their entries before the division by the columns' scales; rows by their number at(i).
  Pass<Data> pass() const { return Pass<Data>(x_); }

  // f(begin, end, tick) for ranges of rows, side by side; no two write to the same place.
  template <class F>
  void for_ranges(F f, Tick& tick) const {
    const std::vector<Index>& bound = ranges();
    const auto count = static_cast<Index>(bound.size()) - 1;
    team.for_chunks(
        count, [&](Index k, Tick& t) { f(bound[k], bound[k + 1], t); }, tick);
  }

  RowVec multiply(const Vec& w, Tick& tick) const {
    RowVec z(n());
    const Pass<Data> pass(x_, w);
    for_ranges(
        [&](Index begin, Index end, Tick& t) {
          for (Index i = begin; i < end; ++i) {
            z[i] = pass.dot(at(i));
            t.row(i);
          }
        },
        tick);
    return z;
  }

  // Of some rows, in their order.
  Vec multiply(const std::vector<Index>& some, const Vec& w, Tick& tick) const {
    const auto count = static_cast<Index>(some.size());
    Vec z(count);
    const double each =
        Data::has_entries && n() > 0 ? entries_here().total / static_cast<double>(n()) : 1;
    const Index chunks = team.chunks(each * static_cast<double>(count));
    const Pass<Data> pass(x_, w);
    const auto range = [&](Index c, Tick& t) {
      for (Index k = c * count / chunks; k < (c + 1) * count / chunks; ++k) {
        z[k] = pass.dot(at(some[k]));
        t.row(k);
      }
    };
    team.for_chunks(chunks, range, tick);
    return z;
  }

  // coef: a vector or an expression of vectors. Rows whose coefficients are zero cost nothing. Of
  // the many additions to a coordinate at most additions() enter the error of its sum.
  template <class Coef>
  Vec transpose_multiply(const Coef& coef, Tick& tick) const {
    if constexpr (Data::has_entries) {
      const Pass<Data> pass(x_);
      const auto visit = [&](Index i, Vec& u) {
        const double c = coef.coeff(i);
        if (c != 0) pass.axpy(at(i), c, u);
      };
      return pass.divided(column_sums(visit, tick));
    } else {
      return x_.multiply(Vec(coef), tick);
    }
  }
  // The same for each column, of a kernel.
  Mat transpose_multiply_all(const Mat& coef, Tick& tick) const { return x_.multiply(coef, tick); }
  double additions() const {
    if constexpr (Data::has_entries) {
      const double chunks = static_cast<double>(wide_ranges().size()) - 1;
      const double rows = std::max(1.0, std::ceil(static_cast<double>(n()) / chunks));
      const double width = static_cast<double>(block_rows);
      const double entries = std::max(1.0, longest_row());
      const double block = std::min(rows, std::max(width, block_entries() / entries));
      double most = block + std::min(rows / block, width) + rows / (block * width) + chunks;
      team.max(most);
      return most + team.size() - 1;
    } else {
      return x_.additions();
    }
  }

  // sum_i h_i x_ij^2 for every coordinate j
  template <class Coef>
  Vec column_squares(const Coef& h, Tick& tick) const {
    const Pass<Data> pass(x_);
    const auto visit = [&](Index i, Vec& u) {
      const double c = h.coeff(i);
      if (c != 0) pass.for_each(at(i), [&](Index j, double v) { u[j] += c * v * v; });
    };
    return pass.divided(pass.divided(column_sums(visit, tick)));
  }

  // sum_i c_i x_i with c_i = slope(i, x_i'w), each row read once.
  template <class Slope>
  Vec gradient(const Vec& w, Slope slope, Tick& tick) const {
    const Pass<Data> pass(x_, w);
    const auto visit = [&](Index i, Vec& u) {
      const double c = slope(i, pass.dot(at(i)));
      if (c != 0) pass.axpy(at(i), c, u);
    };
    return pass.divided(column_sums(visit, tick));
  }
  // sum_i s_i x_i and sum_i s_i, s_i = h_i (x_i'v + shift)
  struct NormalProduct {
    Vec image;
    double total;
  };
  template <class V>
  NormalProduct normal_multiply(const RowVec& h, const V& v, double shift, Tick& tick) const {
    RowVec s = RowVec::Zero(n());
    const Pass<Data, V> pass(x_, v);
    const auto visit = [&](Index i, Vec& u) {
      if (h[i] == 0) return;  // most rows, where the loss has flat pieces
      s[i] = h[i] * (pass.dot(at(i)) + shift);
      pass.axpy(at(i), s[i], u);
    };
    Vec image = pass.divided(column_sums(visit, tick));
    return {std::move(image), sum([&](Index i) { return s[i]; })};
  }

  // H += sum_k h_k x_r x_r', r = rows[k], in the lower triangle, on the coordinates j with
  // map[j] >= 0 at place map[j]; of no use once the time is over.
  void gram(std::vector<Index> rows, const Vec& h, const std::vector<Index>& map, Mat& H,
            Tick& tick) const {
    for (Index& i : rows) i = at(i);
    if (team.size() == 1) return add_weighted_gram(x_, rows, h, map, H, team, tick);
    Mat G = Mat::Zero(H.rows(), H.cols());
    add_weighted_gram(x_, rows, h, map, G, team, tick);
    team.sum(G.data(), G.size());
    H.template triangularView<Eigen::Lower>() += G;
  }

  // sum of what visit(i, u) adds to u
  template <class Visit>
  Vec column_sums(Visit visit, Tick& tick) const {
    const std::vector<Index>& bound = wide_ranges();
    const Index count = static_cast<Index>(bound.size()) - 1, p = dim();
    const auto range = [&](Index k, Tick& t) {
      Vec low = Vec::Zero(p), middle, high;
      double entries = 0;
      Index rows = 0, blocks = 0;
      const auto carry = [p](Vec& from, Vec& to) {
        if (to.size() == 0) to = Vec::Zero(p);
        to += from;
        from.setZero();
      };
      for (Index i = bound[k]; i < bound[k + 1]; ++i) {
        visit(i, low);
        t.row(i);
        entries += static_cast<double>(nonzeros(i));
        if (++rows < block_rows || entries < block_entries() || i + 1 == bound[k + 1]) continue;
        carry(low, middle);
        rows = 0;
        entries = 0;
        if (++blocks < block_rows) continue;
        carry(middle, high);
        blocks = 0;
      }
      if (middle.size() > 0) low += middle;
      if (high.size() > 0) low += high;
      return low;
    };
    std::vector<Vec> part(static_cast<std::size_t>(team.threads() == 1 ? 0 : count));
    if (!part.empty()) {
      team.for_chunks(
          count, [&](Index k, Tick& t) { part[k] = range(k, t); }, tick);
    }
    Vec total = part.empty() ? range(0, tick) : std::move(part[0]);
    for (Index k = 1; k < count; ++k) total += part.empty() ? range(k, tick) : part[k];
    team.sum(total.data(), p);
    return total;
  }

  // |x_i|^2, and |x_i| also where its square is no number
  const RowVec& squared_norms() const {
    return known_->squares.get(
        [&] { return of_rows([&](Index i) { return x_.squared_norm(at(i)); }); });
  }
  const RowVec& lengths() const {
    return known_->lengths.get([&] { return of_rows([&](Index i) { return length(i); }); });
  }
  // sqrt((1/W) sum_i omega_i x_ij^2)
  const Vec& column_norms(Tick& tick) const {
    return known_->column_norms.get(
        [&]() -> Vec { return column_squares(weights / total_weight, tick).cwiseSqrt(); });
  }
  // The most stored coordinates of a row, and those of all rows together.
  double longest_row() const { return entries().longest; }
  double nonzeros() const { return entries().total; }
  // The rows of all ranks.
  double count() const { return entries().rows; }

 private:
  struct Entries {
    double total = 0, longest = 0, rows = 0;
  };
  struct Known {
    Kept<RowVec> squares, lengths;
    Kept<Vec> column_norms;
    Kept<double> total_weight;
    Kept<Entries> here, everywhere;
    Kept<std::vector<Index>> ranges, wide_ranges;
  };

  Rows(const Data& x, const RowVec& y_, const RowVec& weights_, Team& team_,
       const std::vector<Index>* id, std::shared_ptr<Known> known)
      : RowSums(id == nullptr ? x.n() : static_cast<Index>(id->size()), team_),
        y(y_),
        weights(weights_),
        total_weight(known->total_weight.get(
            [&] { return accurate_sum([&](Index i) { return weights_[i]; }); })),
        x_(x),
        id_(id),
        known_(std::move(known)) {}

  // of the rows here, and of all
  const Entries& entries_here() const {
    return known_->here.get([&] {
      Entries all;
      for (Index i = 0; i < n(); ++i) {
        const double entries = static_cast<double>(nonzeros(i));
        all.total += entries;
        all.longest = std::max(all.longest, entries);
      }
      all.rows = static_cast<double>(n());
      return all;
    });
  }
  const Entries& entries() const {
    return known_->everywhere.get([&] {
      Entries all = entries_here();
      double both[2] = {all.total, all.rows};
      team.sum(both, 2);
      team.max(all.longest);
      return Entries{both[0], all.longest, both[1]};
    });
  }

  // Bounds of ranges of about as many entries each.
  std::vector<Index> cut(Index count) const {
    std::vector<Index> bound(1, 0);
    double entries = 0;
    for (Index i = 0; i < n(); ++i) {
      entries += static_cast<double>(nonzeros(i));
      const double share = entries_here().total * static_cast<double>(bound.size()) / count;
      if (entries >= share && static_cast<Index>(bound.size()) < count) bound.push_back(i + 1);
    }
    bound.push_back(n());
    return bound;
  }
  const std::vector<Index>& ranges() const {
    return known_->ranges.get([&] { return cut(team.chunks(entries_here().total)); });
  }

  // Sums by columns come in two levels of blocks within a range, and then over the ranges. A block
  // is worth adding once it has some entries for each coordinate.
  static constexpr Index block_rows = 32;
  double block_entries() const { return 4 * static_cast<double>(dim()); }
  const std::vector<Index>& wide_ranges() const {
    return known_->wide_ranges.get([&] {
      const double total = entries_here().total;
      const double most = std::floor(total / std::max(1.0, block_entries()));
      return cut(team.chunks(total, std::clamp(most, 1.0, 16.0)));
    });
  }

  template <class Norm>
  RowVec of_rows(Norm norm) const {
    RowVec all(n());
    const std::vector<Index>& bound = ranges();
    team.for_chunks(static_cast<Index>(bound.size()) - 1, [&](Index k) {
      for (Index i = bound[k]; i < bound[k + 1]; ++i) all[i] = norm(i);
    });
    return all;
  }
  double length(Index i) const {
    const double square = x_.squared_norm(at(i));
    if constexpr (Data::has_entries) {
      if (square > 1e-280 && square < 1e280) return std::sqrt(square);
      double largest = 0, scaled = 0;
      for_each(i, [&](Index, double v) { largest = std::max(largest, std::abs(v)); });
      if (!(largest > 0)) return largest;
      for_each(i, [&](Index, double v) { scaled += (v / largest) * (v / largest); });
      return largest * std::sqrt(scaled);
    }
    return std::sqrt(square);
  }

  const Data& x_;
  const std::vector<Index>* id_;  // null: all rows
  std::shared_ptr<Known> known_;
};

}  // namespace dualmargin
