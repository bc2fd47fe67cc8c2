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

// How a method reads rows. Passes over all of them take 1.0 times as long with scales in a frame, 1.0
// to 1.3 times with centres of a few among many columns and 1.3 to 2 times with centres of all
// (column_frame.h); where rows are drawn one by one, each entry is divided as it is read, which takes
// 2 to 3 times as long.
enum class Reading { one_by_one, in_passes };

// The rows as the methods read them. Read in passes they are those of the user, in a frame: where
// they lie if they are compressed rows, else from a copy by rows. Read one by one they are where they
// lie if they are compressed rows that nothing changes; any others are copied, with centre and scale.
class RowStore {
 public:
  // factor: of the scale of each column; none where it is empty
  RowStore(const MatrixView& x, const Vec& weights, bool scale, Origin origin, Team& team,
           Reading reading = Reading::one_by_one, const Vec& factor = Vec(),
           Tick tick = silent_tick())
      : RowStore(x, Nothing()) {
    find_frame(x, weights, scale, origin, team, tick, factor);
    if (reading == Reading::in_passes) {
      take(x, tick);
      use_frame();
    } else {
      copy(x, tick);
    }
  }
  // As they are.
  explicit RowStore(const MatrixView& x, Tick tick = silent_tick()) : RowStore(x, Nothing()) {
    take(x, tick);
  }
  // The rows x of a store as they are, which is to stay, in a frame of their own.
  RowStore(const RowStore& plain, const MatrixView& x, const Vec& weights, bool scale,
           Origin origin, Team& team)
      : RowStore(x, Nothing()) {
    Tick tick = silent_tick();
    find_frame(x, weights, scale, origin, team, tick);
    start_ = plain.start_;
    column_ = plain.column_;
    value_ = plain.value_;
    use_frame();
  }
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
    visit_by_type(0, [&](const auto& data) {
      for (Index i = 0; i < n_; ++i) {
        data.for_each(i, [&](Index, double v) { most = std::max(most, std::abs(v)); });
      }
    });
    return most;
  }
  // All entries, in another unit.
  void divide(double unit) {
    divisors_ *= unit;
    if (framed_) {
      use_frame();
    } else {
      Tick tick = silent_tick();
      change([&](Index k) { return value_[k] / unit; }, tick);
    }
  }

  // The rows, with a bias coordinate unless bias is 0; they refer to this store.
  std::unique_ptr<Storage> storage(double bias) const {
    if (start_ == nullptr) return std::make_unique<Dense>(value_, n_, p_, bias, frame_);
    return std::make_unique<Sparse>(start_, column_, value_, n_, p_, bias, frame_);
  }
  template <class F>  // f(data) of them
  auto visit(double bias, F f) const {
    const std::unique_ptr<Storage> data = storage(bias);
    return f(static_cast<const Storage&>(*data));
  }
  template <class F>  // the same, data: Dense or Sparse
  auto visit_by_type(double bias, F f) const -> decltype(f(std::declval<Dense>())) {
    if (start_ == nullptr) return f(Dense(value_, n_, p_, bias, frame_));
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

  void find_frame(const MatrixView& x, const Vec& weights, bool scale, Origin origin, Team& team,
                  Tick& tick, const Vec& factor = Vec()) {
    if (origin == Origin::exact) centre_ = exact_centres(x, team, tick);
    if (scale || origin == Origin::free || origin == Origin::mean) {
      const auto keep = [&](Index j, const ColumnSpread& spread) {
        if (scale) scales_[j] = spread.scale();
        if (origin == Origin::free) centre_[j] = spread.centre();
        if (origin == Origin::mean) (spread.full() ? centre_ : rest_)[j] = spread.mean();
      };
      for_each_spread(x, weights, team, keep, tick);
    }
    if (factor.size() == p_) scales_ = scales_.cwiseProduct(factor);
    divisors_ = scales_;
  }
  void use_frame() {
    framed_ = true;
    frame_ = ColumnFrame(centre_, divisors_);
  }

  // By rows, with the values that they have there.
  void take(const MatrixView& x, Tick& tick) {
    if (x.form == MatrixView::Form::rows) {
      start_ = x.start;
      column_ = x.index;
      value_ = x.real;
    } else {
      copy(
          x, [](Index, double v) { return v; }, tick);
    }
  }
  // With centre and scale.
  void copy(const MatrixView& x, Tick& tick) {
    if (x.form != MatrixView::Form::rows) {
      copy(
          x, [&](Index j, double v) { return moved(j, v); }, tick);
      return;
    }
    take(x, tick);
    if (ColumnFrame(centre_, divisors_).none()) return;
    change([&](Index k) { return moved(column_[k], value_[k]); }, tick);
  }
  template <class Entry>  // entry(j, v): what becomes of the value v of column j
  void copy(const MatrixView& x, Entry entry, Tick& tick) {
    if (x.form == MatrixView::Form::dense) {
      copy_dense(x, entry, tick);
      return;
    }
    by_rows_ = std::make_unique<Transposed>(x, entry, tick);
    start_ = by_rows_->start.data();
    column_ = by_rows_->index.get();
    value_ = by_rows_->value.get();
  }

  double moved(Index j, double x) const { return (x - centre_[j]) / divisors_[j]; }
  Index first() const { return start_ == nullptr ? 0 : start_[0]; }
  std::unique_ptr<double[]> allocate() const {
    return std::unique_ptr<double[]>(new double[stored_]);  // no first pass that sets zeros
  }
  // new_value(k) for the entry in place k, in values of our own.
  template <class F>
  void change(F new_value, Tick& tick) {
    const auto fill = [&](double* own, Index from) {
      for (Index k = 0; k < stored_; ++k) {
        own[k] = new_value(from + k);
        tick.row(k);
      }
    };
    if (by_rows_ || values_) {
      fill(by_rows_ ? by_rows_->value.get() : values_.get(), 0);
      return;
    }
    const Index from = first();
    values_ = allocate();
    fill(values_.get(), from);
    value_ = values_.get();
    if (from == 0) return;
    starts_.assign(start_, start_ + n_ + 1);
    for (Start& start : starts_) start -= from;
    start_ = starts_.data();
    column_ += from;
  }

  template <class Entry>
  void copy_dense(const MatrixView& x, Entry entry, Tick& tick) {
    values_ = allocate();
    value_ = values_.get();
    double* own = values_.get();
    constexpr Index tile = 32;  // columns at a time, so that both sides stay in cache
    x.with_values([&](const auto* from) {
      for (Index first = 0; first < p_; first += tile) {
        const Index last = std::min(p_, first + tile);
        for (Index i = 0; i < n_; ++i) {
          for (Index j = first; j < last; ++j) {
            own[i * p_ + j] = entry(j, static_cast<double>(from[j * n_ + i]));
          }
          tick.row(i);
        }
      }
    });
  }

  Index n_, p_, stored_;
  std::shared_ptr<const std::vector<Start>> widened_;
  Vec scales_, centre_, rest_, divisors_;  // divisors: scales, in the unit of divide()
  bool framed_ = false;                    // else the entries have centre and scale
  ColumnFrame frame_;
  std::vector<Start> starts_;
  std::unique_ptr<double[]> values_;
  std::unique_ptr<Transposed> by_rows_;
  const Start* start_ = nullptr;
  const int* column_ = nullptr;
  const double* value_ = nullptr;
};

}  // namespace dualmargin
