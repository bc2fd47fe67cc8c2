// The rows of a user's matrix: less the centre of their columns, divided by the columns' scale.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "rows/column_centre.h"
#include "rows/column_scale.h"
#include "rows/dense.h"
#include "rows/matrix_view.h"
#include "rows/sparse.h"

namespace dualmargin {

// Where the rows of a problem have their origin: where it is told, or where it is best, if the
// problem does not change by moving it.
enum class Origin {
  fixed,
  mean,   // the weighted mean of each column, which is part of the problem
  free,   // anything: columns far from it are moved near their mean (column_scale.h)
  exact,  // anything that can be taken from them without rounding (column_centre.h)
};

// How a method reads rows. With 50 or 100 entries a row, passes over all of them take 1.0 times as
// long with scales in a frame and 1.2 times with centres too (column_frame.h); where rows are drawn
// one by one, each entry is divided as it is read, which takes 2 to 3 times as long.
enum class Reading { one_by_one, in_passes };

// The rows as the methods read them. Compressed rows are used where they lie if nothing changes
// them, or if they are read in passes. Any other matrix is copied once, with centre and scale.
class RowStore {
 public:
  RowStore(const MatrixView& x, const Vec& weights, bool scale, Origin origin, Team& team,
           Reading reading = Reading::one_by_one)
      : RowStore(x, Nothing()) {
    if (origin == Origin::exact) centre_ = exact_centres(x, team);
    if (scale || origin == Origin::free || origin == Origin::mean) {
      for_each_spread(x, weights, team, [&](Index j, const ColumnSpread& spread) {
        if (scale) scales_[j] = spread.scale();
        if (origin == Origin::free) centre_[j] = spread.centre();
        if (origin == Origin::mean) (spread.full() ? centre_ : rest_)[j] = spread.mean();
      });
    }
    divisors_ = scales_;
    take(x, reading);
  }
  // As they are.
  explicit RowStore(const MatrixView& x) : RowStore(x, Nothing()) { take(x, Reading::one_by_one); }
  RowStore(const RowStore&) = delete;

  const Vec& scales() const { return scales_; }
  // What was subtracted before the division, in the unit of the columns as they were given; zero
  // for most of them.
  const Vec& centre() const { return centre_; }
  // What is to be subtracted beside it at run time: the mean of a column with zeros that are not
  // stored.
  const Vec& rest() const { return rest_; }
  Index columns() const { return p_; }
  bool copied() const { return values_ || by_rows_; }

  double largest() const {
    double most = 0;
    const Index from = first();
    for (Index k = from; k < from + stored_; ++k) {
      const double v = frame_.none() ? value_[k] : moved(column_[k], value_[k]);
      most = std::max(most, std::abs(v));
    }
    return most;
  }
  // All entries, in another unit.
  void divide(double unit) {
    divisors_ *= unit;
    if (framed_) {
      frame_ = ColumnFrame(centre_, divisors_);
    } else {
      change([&](Index k) { return value_[k] / unit; });
    }
  }

  template <class F>  // f(data), data: Dense or Sparse, with a bias coordinate unless bias is 0
  auto visit(double bias, F f) const -> decltype(f(std::declval<Dense>())) {
    if (start_ == nullptr) return f(Dense(value_, n_, p_, bias));
    return f(Sparse(start_, column_, value_, n_, p_, bias, frame_));
  }

 private:
  struct Nothing {};
  RowStore(const MatrixView& x, Nothing)
      : n_(x.n),
        p_(x.p),
        stored_(x.stored()),
        widened_(x.widened),
        scales_(Vec::Ones(p_)),
        centre_(Vec::Zero(p_)),
        rest_(centre_),
        divisors_(scales_) {}

  void take(const MatrixView& x, Reading reading) {
    if (x.form == MatrixView::Form::dense) {
      take_dense(x);
    } else if (x.form == MatrixView::Form::columns) {
      by_rows_ = std::make_unique<Transposed>(x, [&](Index j, double v) { return moved(j, v); });
      start_ = by_rows_->start.data();
      column_ = by_rows_->index.get();
      value_ = by_rows_->value.get();
    } else {
      start_ = x.start;
      column_ = x.index;
      value_ = x.real;
      framed_ = reading == Reading::in_passes;
      const ColumnFrame frame(centre_, divisors_);
      if (framed_) {
        frame_ = frame;
      } else if (!frame.none()) {
        change([&](Index k) { return moved(column_[k], value_[k]); });
      }
    }
  }

  double moved(Index j, double x) const { return (x - centre_[j]) / divisors_[j]; }
  Index first() const { return start_ == nullptr ? 0 : start_[0]; }
  std::unique_ptr<double[]> allocate() const {
    return std::unique_ptr<double[]>(new double[stored_]);  // no first pass that sets zeros
  }
  // new_value(k) for the entry in place k, in values of our own.
  template <class F>
  void change(F new_value) {
    if (by_rows_ || values_) {
      double* own = by_rows_ ? by_rows_->value.get() : values_.get();
      for (Index k = 0; k < stored_; ++k) own[k] = new_value(k);
      return;
    }
    const Index from = first();
    values_ = allocate();
    for (Index k = 0; k < stored_; ++k) values_[k] = new_value(from + k);
    value_ = values_.get();
    if (from == 0) return;
    starts_.assign(start_, start_ + n_ + 1);
    for (Start& start : starts_) start -= from;
    start_ = starts_.data();
    column_ += from;
  }

  void take_dense(const MatrixView& x) {
    values_ = allocate();
    value_ = values_.get();
    double* own = values_.get();
    constexpr Index tile = 32;  // columns at a time, so that both sides stay in cache
    x.with_values([&](const auto* from) {
      for (Index first = 0; first < p_; first += tile) {
        const Index last = std::min(p_, first + tile);
        for (Index i = 0; i < n_; ++i) {
          for (Index j = first; j < last; ++j) own[i * p_ + j] = moved(j, from[j * n_ + i]);
        }
      }
    });
  }

  Index n_, p_, stored_;
  std::shared_ptr<const std::vector<Start>> widened_;
  Vec scales_, centre_, rest_, divisors_;  // divisors: scales, in the unit of divide()
  bool framed_ = false;  // are they compressed rows that are used where they lie, in a frame?
  ColumnFrame frame_;
  std::vector<Start> starts_;
  std::unique_ptr<double[]> values_;
  std::unique_ptr<Transposed> by_rows_;
  const Start* start_ = nullptr;
  const int* column_ = nullptr;
  const double* value_ = nullptr;
};

}  // namespace dualmargin
