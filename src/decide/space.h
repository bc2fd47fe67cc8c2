// The space where the function f = -(1/kappa) sum_j m_j k(x_j, .) of masses m lives, for steps in dual
// variables. A Space is what these ask of it,
//
//   square(i)               |x_i|^2, about
//   inner(E)                K_EE, the products of some rows with one another
//   scores(m, kappa, tick)  those of f at all rows
//
// and its models are those below: of columns and of a kernel.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "region/function_rows.h"
#include "region/moved_rows.h"

namespace dualmargin::decide {

template <class S, class = void>
struct IsSpace : std::false_type {};
template <class S>
struct IsSpace<
    S, std::void_t<decltype(std::declval<const S&>().square(Index())),
                   decltype(std::declval<const S&>().inner(std::vector<Index>())),
                   decltype(std::declval<const S&>().scores(RowVec(), 1.0, std::declval<Tick&>()))>>
    : std::bool_constant<
          std::is_same_v<decltype(std::declval<const S&>().square(Index())), double> &&
          std::is_same_v<decltype(std::declval<const S&>().inner(std::vector<Index>())), Mat> &&
          std::is_same_v<decltype(std::declval<const S&>().scores(RowVec(), 1.0,
                                                                  std::declval<Tick&>())),
                         RowVec>> {};

class ColumnSpace {
 public:
  ColumnSpace(const region::MovedRows& rows, Tick& tick)
      : rows_(rows), squares_(rows.squares(tick)) {}

  // from above
  double square(Index i) const { return squares_[i]; }
  Mat inner(const std::vector<Index>& at) const {
    const auto m = static_cast<Index>(at.size());
    Mat K(m, m);
    if (!rows_.rows.storage().of_some_columns()) {
      Mat X(rows_.dim(), m);
      for (Index k = 0; k < m; ++k) X.col(k) = rows_.row(at[k]);
      K.noalias() = X.transpose() * X;
      return K;
    }
    for (Index k = 0; k < m; ++k) {
      const Vec x = rows_.row(at[k]);
      const double moved = rows_.shifted ? rows_.shift.dot(x) : 0.0;
      for (Index l = k; l < m; ++l) K(l, k) = K(k, l) = rows_.rows.dot(at[l], x) - moved;
    }
    return K;
  }
  // -(1/kappa) sum_j m_j x_j, and its scores
  Vec point(const RowVec& mass, double kappa, Tick& tick) const {
    return -rows_.cross(mass, tick) / kappa;
  }
  RowVec scores(const RowVec& mass, double kappa, Tick& tick) const {
    return rows_.multiply(point(mass, kappa, tick), tick);
  }

 private:
  const region::MovedRows& rows_;
  const RowVec& squares_;
};

// gram: of the same rows.
class GramSpace {
 public:
  GramSpace(const region::FunctionRows& rows, const Gram& gram) : rows_(rows), gram_(gram) {}

  double square(Index i) const { return rows_.sizes().scale[i] * rows_.sizes().scale[i]; }
  // From the rows that are stored, else in panels of n values a row: no other rows are computed.
  Mat inner(const std::vector<Index>& at) const {
    constexpr Index width = 64;
    const KernelMatrix& kernel = gram_.kernel();
    const auto m = static_cast<Index>(at.size());
    Mat K(m, m);
    if (m > 0 && kernel.stored_row(at[0]).found()) {
      kernel.block(at.data(), m)->square(K);
    } else {
      for (Index first = 0; first < m; first += width) {
        const Index count = std::min(width, m - first);
        Mat panel = Mat::Zero(gram_.n(), count);
        kernel.block(at.data() + first, count)->add(Mat::Identity(count, count), panel);
        for (Index k = 0; k < m; ++k) K.row(k).segment(first, count) = panel.row(at[k]);
      }
    }
    K.array() += gram_.constant();
    return K;
  }
  RowVec scores(const RowVec& mass, double kappa, Tick& tick) const {
    return RowVec(rows_.function(-mass.local() / kappa, tick).values);
  }

 private:
  const region::FunctionRows& rows_;
  const Gram& gram_;
};

static_assert(IsSpace<ColumnSpace>::value && IsSpace<ColumnSpace>::value);
static_assert(IsSpace<GramSpace>::value);

}  // namespace dualmargin::decide
