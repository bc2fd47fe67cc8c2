#include "rows/row_store.h"

#include <algorithm>
#include <utility>

#include "rows/column_scale.h"

namespace dualmargin {

namespace {

std::unique_ptr<double[]> allocated(Index count) {
  return std::unique_ptr<double[]>(new double[count]);  // no first pass that sets zeros
}

}  // namespace

template <class F>
void RowStore::change(F new_value, Tick& tick) {
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
  const Index from = start_ == nullptr ? 0 : start_[0];
  values_ = allocated(stored_);
  fill(values_.get(), from);
  value_ = values_.get();
  if (from == 0) return;
  starts_.assign(start_, start_ + n_ + 1);
  for (Start& start : starts_) start -= from;
  start_ = starts_.data();
  column_ += from;
}

RowStore::RowStore(const MatrixView& x, const Vec& weights, bool scale, Origin origin, Team& team,
                   Reading reading, const Vec& factor, Tick tick)
    : RowStore(x, Nothing()) {
  find_frame(x, weights, scale, origin, team, tick, factor);
  if (reading == Reading::in_passes) {
    take(x, tick);
    use_frame();
  } else {
    copy(x, tick);
  }
}

RowStore::RowStore(const MatrixView& x, Tick tick) : RowStore(x, Nothing()) { take(x, tick); }

RowStore::RowStore(const MatrixView& x, const RowFrame& frame, Tick tick) : RowStore(x, Nothing()) {
  frame.assert_columns(x.p);
  centre_ = frame.centre_of(x.form == MatrixView::Form::dense);
  scales_ = divisors_ = frame.scales;
  copy(x, tick);
}

RowStore::RowStore(const RowStore& plain, const MatrixView& x, const Vec& weights, bool scale,
                   Origin origin, Team& team)
    : RowStore(x, Nothing()) {
  Tick tick = silent_tick();
  find_frame(x, weights, scale, origin, team, tick);
  start_ = plain.start_;
  column_ = plain.column_;
  value_ = plain.value_;
  use_frame();
}

double RowStore::largest() const {
  double most = 0;
  const std::unique_ptr<Storage> data = storage(0);
  for (Index i = 0; i < n_; ++i) {
    data->for_each(i, [&](Index, double v) { most = std::max(most, std::abs(v)); });
  }
  return most;
}

void RowStore::divide(double unit) {
  divisors_ *= unit;
  if (framed_) {
    use_frame();
  } else {
    Tick tick = silent_tick();
    change([&](Index k) { return value_[k] / unit; }, tick);
  }
}

std::unique_ptr<Storage> RowStore::storage(double bias) const {
  if (start_ == nullptr) return std::make_unique<Dense>(value_, n_, p_, bias, frame_);
  return std::make_unique<Sparse>(start_, column_, value_, n_, p_, bias, frame_);
}

RowStore::RowStore(const MatrixView& x, Nothing)
    : n_(x.n),
      p_(x.p),
      stored_(x.stored()),
      widened_(x.widened),
      scales_(Vec::Ones(p_)),
      centre_(Vec::Zero(p_)),
      rest_(centre_),
      divisors_(scales_) {}

void RowStore::find_frame(const MatrixView& x, const Vec& weights, bool scale, Origin origin,
                          Team& team, Tick& tick, const Vec& factor) {
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

void RowStore::use_frame() {
  framed_ = true;
  frame_ = ColumnFrame(centre_, divisors_);
}

void RowStore::take(const MatrixView& x, Tick& tick) {
  if (x.form == MatrixView::Form::rows) {
    start_ = x.start;
    column_ = x.index;
    value_ = x.real;
  } else {
    copy_by_rows(x, ColumnFrame(), tick);
  }
}

void RowStore::copy(const MatrixView& x, Tick& tick) {
  const ColumnFrame frame(centre_, divisors_);
  if (x.form != MatrixView::Form::rows) return copy_by_rows(x, frame, tick);
  take(x, tick);
  if (frame.none()) return;
  change([&](Index k) { return frame.of(column_[k], value_[k]); }, tick);
}

void RowStore::copy_by_rows(const MatrixView& x, const ColumnFrame& frame, Tick& tick) {
  if (x.form == MatrixView::Form::dense) return copy_dense(x, frame, tick);
  by_rows_ = std::make_unique<Transposed>(x, frame, tick);
  start_ = by_rows_->start.data();
  column_ = by_rows_->index.get();
  value_ = by_rows_->value.get();
}

void RowStore::copy_dense(const MatrixView& x, const ColumnFrame& frame, Tick& tick) {
  values_ = allocated(stored_);
  value_ = values_.get();
  double* own = values_.get();
  constexpr Index tile = 32;  // columns at a time, so that both sides stay in cache
  x.with_values([&](const auto* from) {
    for (Index first = 0; first < p_; first += tile) {
      const Index last = std::min(p_, first + tile);
      for (Index i = 0; i < n_; ++i) {
        for (Index j = first; j < last; ++j) {
          own[i * p_ + j] = frame.of(j, static_cast<double>(from[j * n_ + i]));
        }
        tick.row(i);
      }
    }
  });
}

Columns ColumnStore::view(double bias, Tick tick) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (x_.real == nullptr) convert(tick);
  if (x_.form == MatrixView::Form::rows) transpose(tick);
  if (x_.form == MatrixView::Form::dense) {
    return Columns::dense(x_.real, x_.n, centres_, scales_, bias);
  }
  return Columns::sparse(x_.start, x_.index, x_.real, x_.n, centres_, scales_, bias);
}

void ColumnStore::convert(Tick& tick) {
  std::unique_ptr<double[]> values(new double[x_.stored()]);
  for (Index j = 0; j < x_.p; ++j, tick.look()) {
    std::copy(x_.whole + j * x_.n, x_.whole + (j + 1) * x_.n, values.get() + j * x_.n);
  }
  values_ = std::move(values);
  x_.real = values_.get();
}

void ColumnStore::transpose(Tick& tick) {
  by_columns_ = std::make_unique<Transposed>(x_, ColumnFrame(), tick);
  x_.form = MatrixView::Form::columns;
  x_.real = by_columns_->value.get();
  x_.start = by_columns_->start.data();
  x_.index = by_columns_->index.get();
}

}  // namespace dualmargin
