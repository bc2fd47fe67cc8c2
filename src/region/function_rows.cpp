#include "region/function_rows.h"

#include <algorithm>
#include <numeric>

#include "rows/rows.h"

namespace dualmargin::region {

double inner(const Function& f, const Function& g) {
  if (f.zero() || g.zero()) return 0;
  return sum_over(f.coef.size(), [&](Index j) { return f.coef[j] * g.values[j]; });
}

Function scaled(double s, const Function& f) {
  return f.zero() ? f : Function{s * f.coef, s * f.values};
}

Function combined(double s, const Function& f, double t, const Function& g) {
  if (g.zero()) return {s * f.coef, s * f.values};
  if (f.zero()) return {t * g.coef, t * g.values};
  return {s * f.coef + t * g.coef, s * f.values + t * g.values};
}

Samples::Samples(const RowVec& y_, const RowVec& weights_, Team& team_)
    : RowSums(y_.size(), team_),
      y(y_),
      weights(weights_),
      total_weight(accurate_sum([&](Index i) { return weights_[i]; })) {}

void Samples::for_ranges(FunctionRef<void(Index, Index, Tick&)> f, Tick& tick) const {
  const Index chunks = team.chunks(1000 * static_cast<double>(n()));
  team.for_chunks(
      chunks, [&](Index k, Tick& t) { f(k * n() / chunks, (k + 1) * n() / chunks, t); }, tick);
}

FunctionSizes FunctionSizes::some(const std::vector<Index>& at) const {
  FunctionSizes s;
  s.scale = s.error = Vec(static_cast<Index>(at.size()));
  for (Index k = 0; k < s.scale.size(); ++k) {
    s.scale[k] = scale[at[k]];
    s.error[k] = error[at[k]];
  }
  return s;
}

FunctionSizes FunctionSizes::part(Index from, Index count) const {
  FunctionSizes s;
  s.scale = scale.segment(from, count);
  s.error = error.segment(from, count);
  return s;
}

FunctionRows::FunctionRows(const Samples& rows_, const Gram& gram, FunctionSizes sizes)
    : FunctionRows(rows_, [&gram](const Mat& coef, Tick& t) { return gram.multiply(coef, t); },
                   sizes, sizes, gram.additions(), std::make_shared<Values>(gram), {}) {}

Function FunctionRows::function(Vec coef, Tick& tick) const {
  Vec values = products_(coef, tick).col(0);
  return {std::move(coef), std::move(values)};
}

std::vector<Vec> FunctionRows::values(const std::vector<const Function*>& functions,
                                      Tick& tick) const {
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

RowVec FunctionRows::products(const Function& f, const Vec& values) const {
  return moved() ? RowVec(Vec(values.array() - inner(f, centre_))) : RowVec(values);
}

RowVec FunctionRows::squares(const Vec& values) const {
  return moved() ? squared_distances(centre_, values)
                 : RowVec::of(n(), [&](Index i) { return own_square(i); });
}

RowVec FunctionRows::squared_distances(const Function& at, const Vec& values) const {
  const Sums of = sums(at);
  const double square = inner(at, at), lost = rounding::unit * crossed(of, of);
  return RowVec::of(n(), [&](Index i) {
    const double own = own_square(i);
    return square_above(own - 2 * values[i] + square,
                        2 * value_rounding(i, of) + lost + rounding::of(6) * (own + square));
  });
}

RowVec FunctionRows::squared_distances(const Vec& values, double scale, double error) const {
  return RowVec::of(n(), [&](Index i) {
    const double s = own_.scale[i], own = s * s, other = scale * scale;
    const double lost = own_.error[i] * (2 * own + 2 * s * scale) +
                        error * (2 * other + 2 * s * scale) + 6 * (own + other);
    return square_above(own - 2 * values[i] + other, rounding::unit * lost);
  });
}

RowVec FunctionRows::products(const Function& f) const {
  return f.zero() ? RowVec::Zero(n()) : products(f, f.values);
}

RowVec FunctionRows::roundings(const Function& f, double b) const {
  const Sums of = sums(f);
  const double shared =
      rounding::unit * crossed(of, centre_sums_) + rounding::of(4) * of.size * centre_sums_.size;
  return RowVec::of(n(), [&](Index i) {
    return value_rounding(i, of) + shared +
           rounding::of(4) * (own_.scale[i] * of.size + std::abs(b));
  });
}

RowVec FunctionRows::value_roundings(double scale, double error) const {
  return RowVec::of(n(), [&](Index i) {
    return rounding::unit * (own_.error[i] + error + 4) * own_.scale[i] * scale;
  });
}

double FunctionRows::coefficient_rounding(const Function& f, double k) const {
  return rounding::of(k) * sums(f).size;
}

Square FunctionRows::square(const Function& f) const {
  const Sums of = sums(f);
  return {inner(f, f), rounding::unit * crossed(of, of)};
}

const Mat& FunctionRows::Values::all() {
  return kept_.get([&] {
    std::vector<Index> all(static_cast<std::size_t>(gram_.n()));
    std::iota(all.begin(), all.end(), Index(0));
    Mat values;
    gram_.kernel().block(all.data(), gram_.n())->square(values);
    values.array() += gram_.constant();
    return values;
  });
}

FunctionRows::FunctionRows(const Samples& rows_, Products products, FunctionSizes of_rows,
                           FunctionSizes of_points, double additions,
                           std::shared_ptr<Values> values, Function centre)
    : Samples(rows_),
      products_(std::move(products)),
      own_(std::move(of_rows)),
      points_(std::move(of_points)),
      additions_(additions),
      values_(std::move(values)),
      centre_(std::move(centre)),
      centre_sums_(sums(centre_)) {}

FunctionRows::Sums FunctionRows::sums(const Function& f) const {
  Sums of;
  for (Index j = 0; j < f.coef.size(); ++j) {
    const double term = points_.scale[j] * std::abs(f.coef[j]);
    of.size += term;
    of.error += points_.error[j] * term;
  }
  const double more = 1 + rounding::of(static_cast<double>(f.coef.size()) + 4);
  return {of.size * more, of.error * more};
}

double FunctionRows::value_rounding(Index i, const Sums& of) const {
  return rounding::unit * own_.scale[i] * ((own_.error[i] + additions_ + 4) * of.size + of.error);
}

double FunctionRows::crossed(const Sums& f, const Sums& g) const {
  const double terms = static_cast<double>(points_.scale.size());
  const double k = additions_ + 6 + rounding::of_sum(terms) / rounding::unit;
  return f.error * g.size + f.size * g.error + k * f.size * g.size;
}

double FunctionRows::own_square(Index i) const {
  return own_.scale[i] * own_.scale[i] * (1 + rounding::of(2 * own_.error[i] + 4));
}

}  // namespace dualmargin::region
