// A vector of a number a row, of the rows that this process holds. It offers what is done row by
// row and nothing that adds, compares or selects over rows: a sum over the rows here is not a sum
// over all rows, and a plain one loses more than is stated. Those are members of Rows (row_sums.h).
//
//   a + b   a - b   a * b   a / b   row by row, of vectors, expressions of them and numbers
//   abs max min square              row by row
//   each(a, f)                      f(a_i)
//
// An expression refers to the vectors it is made of, as Eigen's do.
#pragma once

#include <type_traits>
#include <utility>

#include "base/numeric.h"

namespace dualmargin {

namespace row_by_row {
struct Arrays;  // what stands behind a vector or an expression
}

template <class E>  // E: of Eigen's array expressions
class RowExpr {
 public:
  explicit RowExpr(const E& e) : e_(e) {}
  Index size() const { return e_.size(); }
  double coeff(Index i) const { return e_.coeff(i); }
  double operator[](Index i) const { return e_.coeff(i); }

 private:
  friend struct row_by_row::Arrays;
  friend class RowVec;
  E e_;
};

class RowVec {
 public:
  RowVec() = default;
  explicit RowVec(Index n) : v_(n) {}
  // the numbers of the rows of this process
  explicit RowVec(Vec v) : v_(std::move(v)) {}
  template <class E>
  RowVec(const RowExpr<E>& e) : v_(e.e_.matrix()) {}
  template <class E>
  RowVec& operator=(const RowExpr<E>& e) {
    v_ = e.e_.matrix();
    return *this;
  }

  static RowVec Constant(Index n, double value) { return RowVec(Vec::Constant(n, value)); }
  static RowVec Zero(Index n) { return Constant(n, 0); }
  static RowVec Ones(Index n) { return Constant(n, 1); }
  template <class F>  // f(i)
  static RowVec of(Index n, F f) {
    RowVec v(n);
    for (Index i = 0; i < n; ++i) v[i] = f(i);
    return v;
  }

  Index size() const { return v_.size(); }
  bool empty() const { return v_.size() == 0; }
  double operator[](Index i) const { return v_[i]; }
  double& operator[](Index i) { return v_[i]; }
  double coeff(Index i) const { return v_[i]; }
  const double* data() const { return v_.data(); }
  void resize(Index n) { v_.resize(n); }
  void swap(RowVec& other) { v_.swap(other.v_); }

  template <class Other>
  RowVec& operator+=(const Other& other);
  template <class Other>
  RowVec& operator-=(const Other& other);
  template <class Other>
  RowVec& operator*=(const Other& other);
  template <class Other>
  RowVec& operator/=(const Other& other);

  // As a vector like any other, for what leaves the core and for methods whose rows all lie in this
  // process: those of a kernel, of single rows and of columns.
  const Vec& local() const { return v_; }
  Vec& local() { return v_; }

 private:
  friend struct row_by_row::Arrays;
  Vec v_;
};

// Read only, of a RowVec or of what lies in this process; no copy. For arguments alone.
class RowSpan {
 public:
  RowSpan(const RowVec& v) : data_(v.data()), size_(v.size()) {}
  RowSpan(const Vec& v) : data_(v.data()), size_(v.size()) {}
  Index size() const { return size_; }
  const double* data() const { return data_; }
  double operator[](Index i) const { return data_[i]; }
  double coeff(Index i) const { return data_[i]; }

 private:
  const double* data_;
  Index size_;
};

namespace row_by_row {

template <class T>
struct is_row : std::false_type {};
template <>
struct is_row<RowVec> : std::true_type {};
template <class E>
struct is_row<RowExpr<E>> : std::true_type {};

template <class T>
constexpr bool row = is_row<std::decay_t<T>>::value;
template <class T>
constexpr bool number = std::is_arithmetic_v<std::decay_t<T>>;
// a vector and a vector, or a vector and a number
template <class A, class B>
using operands = std::enable_if_t<(row<A> && (row<B> || number<B>)) || (number<A> && row<B>), int>;

struct Arrays {
  static auto of(const RowVec& v) { return v.v_.array(); }
  template <class E>
  static const E& of(const RowExpr<E>& e) {
    return e.e_;
  }
};
template <class A>
auto operand(const A& a) {
  if constexpr (row<A>) {
    return Arrays::of(a);
  } else {
    return static_cast<double>(a);
  }
}
template <class E>
RowExpr<E> expression(const E& e) {
  return RowExpr<E>(e);
}

}  // namespace row_by_row

template <class A, class B, row_by_row::operands<A, B> = 0>
auto operator+(const A& a, const B& b) {
  return row_by_row::expression(row_by_row::operand(a) + row_by_row::operand(b));
}
template <class A, class B, row_by_row::operands<A, B> = 0>
auto operator-(const A& a, const B& b) {
  return row_by_row::expression(row_by_row::operand(a) - row_by_row::operand(b));
}
template <class A, class B, row_by_row::operands<A, B> = 0>
auto operator*(const A& a, const B& b) {
  return row_by_row::expression(row_by_row::operand(a) * row_by_row::operand(b));
}
template <class A, class B, row_by_row::operands<A, B> = 0>
auto operator/(const A& a, const B& b) {
  return row_by_row::expression(row_by_row::operand(a) / row_by_row::operand(b));
}
template <class A, std::enable_if_t<row_by_row::row<A>, int> = 0>
auto operator-(const A& a) {
  return row_by_row::expression(-row_by_row::operand(a));
}
template <class A, class B, row_by_row::operands<A, B> = 0>
auto max(const A& a, const B& b) {
  return row_by_row::expression((row_by_row::operand(a).max)(row_by_row::operand(b)));
}
template <class A, class B, row_by_row::operands<A, B> = 0>
auto min(const A& a, const B& b) {
  return row_by_row::expression((row_by_row::operand(a).min)(row_by_row::operand(b)));
}
template <class A, std::enable_if_t<row_by_row::row<A>, int> = 0>
auto abs(const A& a) {
  return row_by_row::expression(row_by_row::operand(a).abs());
}
template <class A, std::enable_if_t<row_by_row::row<A>, int> = 0>
auto square(const A& a) {
  return row_by_row::expression(row_by_row::operand(a).square());
}
template <class A, class F, std::enable_if_t<row_by_row::row<A>, int> = 0>
auto each(const A& a, F f) {
  return row_by_row::expression(row_by_row::operand(a).unaryExpr(f));
}

template <class Other>
RowVec& RowVec::operator+=(const Other& other) {
  v_.array() += row_by_row::operand(other);
  return *this;
}
template <class Other>
RowVec& RowVec::operator-=(const Other& other) {
  v_.array() -= row_by_row::operand(other);
  return *this;
}
template <class Other>
RowVec& RowVec::operator*=(const Other& other) {
  v_.array() *= row_by_row::operand(other);
  return *this;
}
template <class Other>
RowVec& RowVec::operator/=(const Other& other) {
  v_.array() /= row_by_row::operand(other);
  return *this;
}

}  // namespace dualmargin
