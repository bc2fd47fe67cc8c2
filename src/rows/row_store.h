// The rows of a user's matrix: less the centre of their columns, divided by the columns' scale.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/team.h"
#include "rows/columns.h"
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
  exact,  // anything that can be taken from them without rounding (column_scale.h)
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
           Tick tick = silent_tick());
  // As they are.
  explicit RowStore(const MatrixView& x, Tick tick = silent_tick());
  // A copy in a frame that is known.
  RowStore(const MatrixView& x, const RowFrame& frame, Tick tick = silent_tick());
  // The rows x of a store as they are, which is to stay, in a frame of their own.
  RowStore(const RowStore& plain, const MatrixView& x, const Vec& weights, bool scale,
           Origin origin, Team& team);
  RowStore(const RowStore&) = delete;

  const Vec& scales() const { return scales_; }
  // What was subtracted before the division, in the unit of the columns as they were given; zero
  // for most of them.
  const Vec& centre() const { return centre_; }
  // What is to be subtracted beside it at run time: the mean of a column with zeros that are not
  // stored.
  const Vec& rest() const { return rest_; }
  Index n() const { return n_; }
  Index columns() const { return p_; }
  bool copied() const { return values_ || by_rows_; }

  double largest() const;
  // All entries, in another unit.
  void divide(double unit);

  // The rows, with a bias coordinate unless bias is 0; they refer to this store.
  std::unique_ptr<Storage> storage(double bias) const;
  std::unique_ptr<Storage> storage(const RowFrame& frame) const {
    return frame.moved(storage(frame.constant));
  }
  template <class F>  // f(data) of them
  auto visit(double bias, F f) const {
    const std::unique_ptr<Storage> data = storage(bias);
    return f(static_cast<const Storage&>(*data));
  }

 private:
  struct Nothing {};
  RowStore(const MatrixView& x, Nothing);

  void find_frame(const MatrixView& x, const Vec& weights, bool scale, Origin origin, Team& team,
                  Tick& tick, const Vec& factor = Vec());
  void use_frame();

  // By rows, with the values that they have there.
  void take(const MatrixView& x, Tick& tick);
  // With centre and scale.
  void copy(const MatrixView& x, Tick& tick);
  // By rows, in this frame.
  void copy_by_rows(const MatrixView& x, const ColumnFrame& frame, Tick& tick);
  void copy_dense(const MatrixView& x, const ColumnFrame& frame, Tick& tick);
  // new_value(k) for the entry in place k, in values of our own.
  template <class F>
  void change(F new_value, Tick& tick);

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

// The columns of a user's matrix, for solvers that ask for them. What lies by columns is used where
// it lies; rows are transposed, whole numbers converted, when a solver asks for the first time and
// not before.
class ColumnStore {
 public:
  // the matrix, centres and scales must outlive the store
  ColumnStore(const MatrixView& x, const Vec& centres, const Vec& scales)
      : x_(x), centres_(centres), scales_(scales) {}

  Columns view(double bias, Tick tick = silent_tick());

 private:
  void convert(Tick& tick);

  void transpose(Tick& tick);

  std::mutex mutex_;
  MatrixView x_;
  const Vec &centres_, &scales_;
  std::unique_ptr<Transposed> by_columns_;
  std::unique_ptr<double[]> values_;
};

}  // namespace dualmargin
