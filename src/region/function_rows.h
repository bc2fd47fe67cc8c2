// The rows of a kernel problem as statements on its optimum read them: row i is the function
// k_i = k(x_i, .), a vector w is one of their span. The twin of moved_rows.h, with kernel values for
// the products of entries; where the intercept is free rows are moved to a centre c, a function too:
// row i is k_i - c, at the price of a product with c.
//
// Kernel values are as exact as KernelSize says: a value between a row and a point is off by
// u (e_i + e_j) s_i s_j, so the value of sum_j coef_j k_j at row i, in sums of m additions, by
//
//   u s_i sum_j (e_i + e_j + m) s_j |coef_j| = u s_i [(e_i + m) S + E].
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "algebra/function_space.h"
#include "base/kept.h"
#include "region/moved_rows.h"
#include "rows/row_sums.h"

namespace dualmargin::region {

// sum_j coef_j k(p_j, .) of some points, with its values there; without coefficients: zero.
struct Function {
  Vec coef, values;

  bool zero() const { return coef.size() == 0; }
};
inline double inner(const Function& f, const Function& g) {
  if (f.zero() || g.zero()) return 0;
  return sum_over(f.coef.size(), [&](Index j) { return f.coef[j] * g.values[j]; });
}
inline Function scaled(double s, const Function& f) {
  return f.zero() ? f : Function{s * f.coef, s * f.values};
}
inline Function combined(double s, const Function& f, double t, const Function& g) {
  if (g.zero()) return {s * f.coef, s * f.values};
  if (f.zero()) return {t * g.coef, t * g.values};
  return {s * f.coef + t * g.coef, s * f.values + t * g.values};
}

// Of what is no square nothing is known.
inline double most_of(const Square& s) { return s.possible() ? s.most() : HUGE_VAL; }

// Labels and weights without entries: what Rows (rows/rows.h) are for sums.
class Samples : public RowSums {
 public:
  const RowVec &y, &weights;
  const double total_weight;

  Samples(const RowVec& y_, const RowVec& weights_, Team& team_)
      : RowSums(y_.size(), team_),
        y(y_),
        weights(weights_),
        total_weight(accurate_sum([&](Index i) { return weights_[i]; })) {}

  // f(begin, end, tick), side by side: for what costs some thousand operations a row.
  template <class F>
  void for_ranges(F f, Tick& tick) const {
    const Index chunks = team.chunks(1000 * static_cast<double>(n()));
    team.for_chunks(
        chunks, [&](Index k, Tick& t) { f(k * n() / chunks, (k + 1) * n() / chunks, t); }, tick);
  }
};

// Lengths and errors of rows: with the constant of a penalised intercept in the kernel.
struct FunctionSizes {
  Vec scale, error;

  FunctionSizes() = default;
  FunctionSizes(const KernelSize& size, double constant)
      : scale((size.scale.array().square() + constant).sqrt()), error(size.error) {}
  FunctionSizes some(const std::vector<Index>& at) const {
    FunctionSizes s;
    s.scale = s.error = Vec(static_cast<Index>(at.size()));
    for (Index k = 0; k < s.scale.size(); ++k) {
      s.scale[k] = scale[at[k]];
      s.error[k] = error[at[k]];
    }
    return s;
  }
  FunctionSizes part(Index from, Index count) const {
    FunctionSizes s;
    s.scale = scale.segment(from, count);
    s.error = error.segment(from, count);
    return s;
  }
};

class FunctionRows {
 public:
  // Values of functions, a column of coefficients each, at the rows.
  using Products = std::function<Mat(const Mat& coef, Tick& tick)>;

  const Samples& rows;

  // Rows that are the points themselves.
  FunctionRows(const Samples& rows_, const Gram& gram, FunctionSizes sizes)
      : FunctionRows(rows_, [&gram](const Mat& coef, Tick& t) { return gram.multiply(coef, t); },
                     sizes, sizes, gram.additions(), std::make_shared<Values>(gram), {}) {}
  // Other rows than the points, moved to a centre. additions: that a term of a product passes.
  FunctionRows(const Samples& rows_, Products products, FunctionSizes of_rows,
               FunctionSizes of_points, double additions, Function centre)
      : FunctionRows(rows_, std::move(products), std::move(of_rows), std::move(of_points),
                     additions, nullptr, std::move(centre)) {}
  // The same moved to another centre.
  FunctionRows(const FunctionRows& like, Function centre)
      : FunctionRows(like.rows, like.products_, like.own_, like.points_, like.additions_,
                     like.values_, std::move(centre)) {}
  // The same with other labels or weights.
  FunctionRows(const Samples& rows_, const FunctionRows& like)
      : FunctionRows(rows_, like.products_, like.own_, like.points_, like.additions_, like.values_,
                     like.centre_) {}

  Index n() const { return own_.scale.size(); }
  Index dim() const { return points_.scale.size(); }
  const Function& centre() const { return centre_; }
  bool moved() const { return !centre_.zero(); }
  const FunctionSizes& sizes() const { return own_; }

  // Where the points are the rows: the values of all rows with each other, as they are before they
  // are moved.
  const Mat& gram() const { return values_->all(); }
  Function function(Vec coef, Tick& tick) const {
    Vec values = products_(coef, tick).col(0);
    return {std::move(coef), std::move(values)};
  }
  // The values of some functions at the rows as they are before they are moved, one pass for all.
  std::vector<Vec> values(const std::vector<const Function*>& functions, Tick& tick) const {
    std::vector<Vec> found;
    Mat coef(points_.scale.size(), static_cast<Index>(functions.size()));
    for (std::size_t k = 0; k < functions.size(); ++k) {
      const Function& f = *functions[k];
      if (closed()) found.push_back(f.zero() ? Vec(Vec::Zero(n())) : f.values);
      coef.col(static_cast<Index>(k)) = f.zero() ? Vec(Vec::Zero(coef.rows())) : f.coef;
    }
    if (closed()) return found;
    const Mat made = products_(coef, tick);
    for (Index k = 0; k < made.cols(); ++k) found.emplace_back(made.col(k));
    return found;
  }

  // Of a function with such values: <f, x_i> of the moved rows; |x_i|^2 and |x_i - f|^2 from above,
  // for the centre and for a function as the rows are before they are moved.
  RowVec products(const Function& f, const Vec& values) const {
    return moved() ? RowVec(Vec(values.array() - inner(f, centre_))) : RowVec(values);
  }
  RowVec squares(const Vec& values) const {
    return moved() ? squared_distances(centre_, values)
                   : RowVec::of(n(), [&](Index i) { return own_square(i); });
  }
  RowVec squared_distances(const Function& at, const Vec& values) const {
    const Sums of = sums(at);
    const double square = inner(at, at), lost = rounding::unit * crossed(of, of);
    return RowVec::of(n(), [&](Index i) {
      const double own = own_square(i);
      return square_above(own - 2 * values[i] + square,
                          2 * value_rounding(i, of) + lost + rounding::of(6) * (own + square));
    });
  }
  // The same to a row of its own, with values k(x_i, x), of such a length and error.
  RowVec squared_distances(const Vec& values, double scale, double error) const {
    return RowVec::of(n(), [&](Index i) {
      const double s = own_.scale[i], own = s * s, other = scale * scale;
      const double lost = own_.error[i] * (2 * own + 2 * s * scale) +
                          error * (2 * other + 2 * s * scale) + 6 * (own + other);
      return square_above(own - 2 * values[i] + other, rounding::unit * lost);
    });
  }
  // Where the points are the rows.
  RowVec products(const Function& f) const {
    return f.zero() ? RowVec::Zero(n()) : products(f, f.values);
  }
  RowVec squares() const { return squares(centre_.values); }
  RowVec squares(Tick&) const { return squares(); }
  RowVec squared_distances(const Function& at) const { return squared_distances(at, at.values); }

  // What rounding can have done to <f, x_i> + b, and to what it is compared with.
  RowVec roundings(const Function& f, double b) const {
    const Sums of = sums(f);
    const double shared =
        rounding::unit * crossed(of, centre_sums_) + rounding::of(4) * of.size * centre_sums_.size;
    return RowVec::of(n(), [&](Index i) {
      return value_rounding(i, of) + shared +
             rounding::of(4) * (own_.scale[i] * of.size + std::abs(b));
    });
  }
  // The same of k(x_i, x), x a row of its own of such a length and error.
  RowVec value_roundings(double scale, double error) const {
    return RowVec::of(n(), [&](Index i) {
      return rounding::unit * (own_.error[i] + error + 4) * own_.scale[i] * scale;
    });
  }
  // The share of |k_i|^2 that its bound can be above it.
  double square_rounding(Index i) const { return rounding::of(4 * own_.error[i] + 8); }
  // How far a function can be from what it is meant to be if each coefficient has k roundings.
  double coefficient_rounding(const Function& f, double k) const {
    return rounding::of(k) * sums(f).size;
  }
  // |f|^2 up to its rounding.
  Square square(const Function& f) const {
    const Sums of = sums(f);
    return {inner(f, f), rounding::unit * crossed(of, of)};
  }

 private:
  // Made when they are first asked for.
  class Values {
   public:
    explicit Values(const Gram& gram) : gram_(gram) {}
    const Mat& all() {
      return kept_.get([&] {
        std::vector<Index> all(static_cast<std::size_t>(gram_.n()));
        std::iota(all.begin(), all.end(), Index(0));
        Mat values;
        gram_.kernel().block(all.data(), gram_.n())->square(values);
        values.array() += gram_.constant();
        return values;
      });
    }

   private:
    const Gram& gram_;
    Kept<Mat> kept_;
  };

  FunctionRows(const Samples& rows_, Products products, FunctionSizes of_rows,
               FunctionSizes of_points, double additions, std::shared_ptr<Values> values,
               Function centre)
      : rows(rows_),
        products_(std::move(products)),
        own_(std::move(of_rows)),
        points_(std::move(of_points)),
        additions_(additions),
        values_(std::move(values)),
        centre_(std::move(centre)),
        centre_sums_(sums(centre_)) {}

  bool closed() const { return values_ != nullptr; }

  // S and E
  struct Sums {
    double size = 0, error = 0;
  };
  Sums sums(const Function& f) const {
    Sums of;
    for (Index j = 0; j < f.coef.size(); ++j) {
      const double term = points_.scale[j] * std::abs(f.coef[j]);
      of.size += term;
      of.error += points_.error[j] * term;
    }
    const double more = 1 + rounding::of(static_cast<double>(f.coef.size()) + 4);
    return {of.size * more, of.error * more};
  }
  // a product with the coefficient beside the additions, and the constant of the kernel
  double value_rounding(Index i, const Sums& of) const {
    return rounding::unit * own_.scale[i] * ((own_.error[i] + additions_ + 4) * of.size + of.error);
  }
  // Of <f, g> in u: of the values of g at the points, and of their sum with the coefficients of f.
  double crossed(const Sums& f, const Sums& g) const {
    const double terms = static_cast<double>(points_.scale.size());
    const double k = additions_ + 6 + rounding::of_sum(terms) / rounding::unit;
    return f.error * g.size + f.size * g.error + k * f.size * g.size;
  }
  double own_square(Index i) const {
    return own_.scale[i] * own_.scale[i] * (1 + rounding::of(2 * own_.error[i] + 4));
  }

  Products products_;
  FunctionSizes own_, points_;
  double additions_;
  std::shared_ptr<Values> values_;  // where the points are the rows
  Function centre_;
  Sums centre_sums_;
};

}  // namespace dualmargin::region
