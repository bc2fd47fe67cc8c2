#include "border/function_rows.h"

#include "border/kernel_store.h"
#include "kernel/kernel_function.h"
#include "rows/row_store.h"

namespace dualmargin::border {

namespace {

kernel::MixedRows unmixed(const kernel::Arguments& arguments) {
  kernel::MixedRows rows;
  rows.originals = arguments.n();
  return rows;
}

struct KeptRows {
  RowStore rows;
  std::unique_ptr<Storage> data = rows.storage(0);
  std::unique_ptr<kernel::Arguments> arguments;

  template <class... From>
  explicit KeptRows(const From&... from) : rows(from...) {}
};

std::shared_ptr<const kernel::Arguments> with_rows(const std::shared_ptr<KeptRows>& kept,
                                                   const FormulaKernel& of, Team& team) {
  kept->arguments = kernel::computed_arguments(*kept->data, of.function.isotropic(), team, of.rest);
  return {kept, kept->arguments.get()};
}

}  // namespace

FormulaKernel::FormulaKernel(const Rcpp::List& given)
    : function(kernel::kernel_function(Options(given))),
      rest(vec_at(given, "rest")),
      constant(number_at(given, "constant")),
      bytes(1e6 * number_at(given, "cache_mb")),
      divided(number_at(given, "divided") != 0),
      centred(number_at(given, "centred") != 0) {}

FormulaKernel::FormulaKernel(const RowFrame& at, bool dense, double bytes_)
    : constant(at.constant * at.constant),
      bytes(bytes_),
      divided((at.scales.array() != 1).any()),
      centred(at.moves() && dense) {
  function.kind = kernel::KernelKind::linear;
}

std::shared_ptr<const kernel::Arguments> FormulaKernel::kept_arguments(SEXP x, Team& team) const {
  return with_rows(std::make_shared<KeptRows>(border::view(x)), *this, team);
}

std::shared_ptr<const kernel::Arguments> FormulaKernel::kept_arguments(const MatrixView& view,
                                                                       const RowFrame& at,
                                                                       Team& team) const {
  return with_rows(std::make_shared<KeptRows>(view, at), *this, team);
}

KernelSize FormulaKernel::size(const kernel::Arguments& arguments) const {
  return kernel::kernel_size(arguments, unmixed(arguments), function, divided, centred);
}

kernel::KernelStore FormulaKernel::store(const kernel::Arguments& arguments, const KernelSize& size,
                                         bool few, Tick& tick) const {
  return {arguments, unmixed(arguments), function, size, {bytes, 0, few}, tick};
}

Vec FormulaKernel::values(const kernel::Arguments& arguments, Index i, Index from) const {
  Vec v(arguments.n() - from);
  const kernel::Mixture row{i, i, 0};
  arguments.columns(&row, 1, from, v.data());
  function.apply(v.data(), v.size());
  return v.array() + constant;
}

Rcpp::List as_list(const region::Function& f, const std::vector<Index>& at) {
  const auto some = [&](const Vec& v) {
    Vec part(f.zero() ? 0 : static_cast<Index>(at.size()));
    for (Index k = 0; k < part.size(); ++k) part[k] = v[at[k]];
    return part;
  };
  return Rcpp::List::create(Rcpp::Named("coef") = some(f.coef),
                            Rcpp::Named("values") = some(f.values));
}
region::Function as_function(const Rcpp::List& list, Index points) {
  const Vec coef = vec_at(list, "coef");
  if (coef.size() > 0) assert_length("coef", coef.size(), points);
  return {coef, vec_at(list, "values", coef.size())};
}

Rcpp::List as_list(const region::FunctionRegion& r, const region::FunctionRows& rows,
                   const region::FunctionRows& plain, const std::vector<Index>& at) {
  using Rcpp::Named;
  Rcpp::List list = Rcpp::List::create(
      Named("ball") =
          Rcpp::List::create(Named("centre") = as_list(r.ball.centre, at),
                             Named("radius") = r.ball.radius, Named("gap") = r.ball.gap),
      Named("scores") = r.ball.centre.values,
      Named("lost") = plain.roundings(r.ball.centre, 0).local(), Named("b") = r.b,
      Named("free") = r.free, Named("offset") = as_vector(r.centre),
      Named("rows_centre") = as_list(rows.centre(), at));
  if (r.tilt.usable()) {
    Rcpp::List tilt = as_list(static_cast<const region::TiltSums&>(r.tilt));
    tilt["centre"] = as_list(r.tilt.centre, at);
    list["tilt"] = tilt;
  }
  return list;
}
region::FunctionRegion as_function_region(const Rcpp::List& list, Index points) {
  region::FunctionRegion r;
  const Rcpp::List ball = list["ball"];
  r.ball = {as_function(ball["centre"], points), number_at(ball, "radius"), number_at(ball, "gap")};
  r.w = r.ball.centre;
  r.b = number_at(list, "b");
  r.free = number_at(list, "free") != 0;
  r.centre = interval(list["offset"]);
  if (has(list, "tilt")) {
    const Rcpp::List tilt = list["tilt"];
    static_cast<region::TiltSums&>(r.tilt) = as_tilt_sums(tilt);
    r.tilt.centre = as_function(tilt["centre"], points);
  }
  return r;
}

}  // namespace dualmargin::border
