// Kernel fits that are asked for their optimum, across the border: rows as the kernel sees them, which
// R has scaled and moved as for a prediction, and regions of functions, which are kept by their
// support vectors.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "border/decide.h"
#include "border/dispatch_kernel_function.h"
#include "kernel/arguments.h"
#include "kernel/kernel_store.h"
#include "region/of_kernel.h"
#include "rows/row_store.h"

namespace dualmargin::border {

// name, sigma, degree, scale, offset; rest: what is to be subtracted from all rows beside, or
// nothing; constant: of a penalised intercept; divided, centred: were the rows?
struct FormulaKernel {
  kernel::KernelFunction function;
  Vec rest;
  double constant, bytes;
  bool divided, centred;

  explicit FormulaKernel(const Rcpp::List& given) : FormulaKernel(given, Options(given)) {}

  // f(arguments) of the rows x
  template <class F>
  auto arguments(SEXP x, Team& team, F f) const {
    const MatrixView view = border::view(x);
    const RowStore rows(view);
    return rows.visit_by_type(0, [&](const auto& data) {
      const kernel::ComputedArguments all(data, function.isotropic(), team, rest);
      return f(all);
    });
  }
  // The same to keep, with the rows, which lie in x or in a copy.
  std::shared_ptr<const kernel::Arguments> kept_arguments(SEXP x, Team& team) const {
    const auto rows = std::make_shared<const RowStore>(border::view(x));
    return rows->visit_by_type(0, [&](const auto& data) {
      using Data = std::decay_t<decltype(data)>;
      const auto kept = std::make_shared<const Kept<Data>>(rows, data, *this, team);
      return std::shared_ptr<const kernel::Arguments>(kept, &kept->arguments);
    });
  }
  KernelSize size(const kernel::Arguments& arguments) const {
    return kernel::kernel_size(arguments, unmixed(arguments), function, divided, centred);
  }
  // The kernel of all rows. few: will some of its rows be enough?
  kernel::KernelStore store(const kernel::Arguments& arguments, const KernelSize& size, bool few,
                            Tick& tick) const {
    return {arguments, unmixed(arguments), function, size, {bytes, 0, few}, tick};
  }
  // k(x_i, .) at the rows from a given one on
  Vec values(const kernel::Arguments& arguments, Index i, Index from) const {
    Vec v(arguments.n() - from);
    const kernel::Mixture row{i, i, 0};
    arguments.columns(&row, 1, from, v.data());
    function.apply(v.data(), v.size());
    return v.array() + constant;
  }

 private:
  template <class Data>
  struct Kept {
    std::shared_ptr<const RowStore> rows;
    Data data;
    kernel::ComputedArguments<Data> arguments;

    Kept(std::shared_ptr<const RowStore> rows_, const Data& data_, const FormulaKernel& kernel,
         Team& team)
        : rows(std::move(rows_)),
          data(data_),
          arguments(data, kernel.function.isotropic(), team, kernel.rest) {}
  };

  static kernel::MixedRows unmixed(const kernel::Arguments& arguments) {
    kernel::MixedRows rows;
    rows.originals = arguments.n();
    return rows;
  }
  FormulaKernel(const Rcpp::List& given, const Options& of)
      : function(kernel::kernel_function(of.text("name"), of)),
        rest(vec_at(given, "rest")),
        constant(of.number("constant")),
        bytes(1e6 * of.number("cache_mb")),
        divided(of.flag("divided")),
        centred(of.flag("centred")) {}
};

// At some points alone, at which all coefficients are that are not 0.
inline Rcpp::List as_list(const region::Function& f, const std::vector<Index>& at) {
  const auto some = [&](const Vec& v) {
    Vec part(f.zero() ? 0 : static_cast<Index>(at.size()));
    for (Index k = 0; k < part.size(); ++k) part[k] = v[at[k]];
    return part;
  };
  return Rcpp::List::create(Rcpp::Named("coef") = some(f.coef),
                            Rcpp::Named("values") = some(f.values));
}
inline region::Function as_function(const Rcpp::List& list) {
  return {vec_at(list, "coef"), vec_at(list, "values")};
}

// rows: of the problem, moved to their centre, and as they are. scores, lost: of these at the centre
// of the ball.
inline Rcpp::List as_list(const region::FunctionRegion& r, const region::FunctionRows& rows,
                          const region::FunctionRows& plain, const std::vector<Index>& at) {
  using Rcpp::Named;
  Rcpp::List list = Rcpp::List::create(
      Named("ball") =
          Rcpp::List::create(Named("centre") = as_list(r.ball.centre, at),
                             Named("radius") = r.ball.radius, Named("gap") = r.ball.gap),
      Named("scores") = r.ball.centre.values,
      Named("lost") = plain.roundings(r.ball.centre, 0).local(), Named("b") = r.b,
      Named("free") = r.free, Named("offset") = as_vector(r.offset),
      Named("rows_centre") = as_list(rows.centre(), at));
  if (r.tilt.usable()) {
    Rcpp::List tilt = as_list(static_cast<const region::TiltSums&>(r.tilt));
    tilt["centre"] = as_list(r.tilt.centre, at);
    list["tilt"] = tilt;
  }
  return list;
}
inline region::FunctionRegion as_function_region(const Rcpp::List& list) {
  region::FunctionRegion r;
  const Rcpp::List ball = list["ball"];
  r.ball = {as_function(ball["centre"]), number_at(ball, "radius"), number_at(ball, "gap")};
  r.b = number_at(list, "b");
  r.free = number_at(list, "free") != 0;
  r.offset = interval(list["offset"]);
  if (has(list, "tilt")) {
    const Rcpp::List tilt = list["tilt"];
    static_cast<region::TiltSums&>(r.tilt) = as_tilt_sums(tilt);
    r.tilt.centre = as_function(tilt["centre"]);
  }
  return r;
}

}  // namespace dualmargin::border
