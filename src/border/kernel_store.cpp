#include "border/kernel_store.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "border/names.h"
#include "kernel/kernel_function.h"
#include "rows/row_store.h"

namespace dualmargin::kernel {

namespace {

double inner_shift(const Storage& data, const MixedRows& mixed, const Vec& centre,
                   const Vec& beta) {
  Vec own = beta.head(mixed.originals);
  for (Index i = mixed.originals; i < beta.size(); ++i) {
    const Mixture x = mixed[i];
    own[x.first] += (1 - x.share) * beta[i];
    own[x.second] += x.share * beta[i];
  }
  return sum_over(own.size(), [&](Index i) { return own[i] * data.row_dot(i, centre.data()); });
}

// f(rows, count, out) by an R function of row numbers that returns an n x count matrix.
EvaluateKernel evaluated_by(const Rcpp::Function& in_r, Index n) {
  return [in_r, n](const Index* rows, Index count, double* out) {
    Rcpp::IntegerVector places(count);
    for (Index k = 0; k < count; ++k) places[k] = static_cast<int>(rows[k]) + 1;
    const Rcpp::NumericMatrix values = in_r(places);
    std::copy(values.begin(), values.begin() + n * count, out);
  };
}

}  // namespace

KernelFunction kernel_function(const border::Options& given) {
  KernelFunction k;
  k.kind = border::named<KernelKind>("kernel", given.text("name"),
                                     {{"rbf", KernelKind::rbf},
                                      {"laplace", KernelKind::laplace},
                                      {"polynomial", KernelKind::polynomial},
                                      {"linear", KernelKind::linear}});
  k.sigma = given.number("sigma");
  k.degree = given.number("degree");
  k.scale = given.number("scale");
  k.offset = given.number("offset");
  return k;
}

MixedRows mixed_rows(const Rcpp::List& list, Index originals) {
  const auto places = [&](const char* name) {
    auto from_one = Rcpp::as<std::vector<Index>>(list[name]);
    for (Index& i : from_one) --i;
    return from_one;
  };
  MixedRows rows{originals, places("first"), places("second"),
                 Rcpp::as<std::vector<double>>(list["share"])};
  const auto count = static_cast<R_xlen_t>(rows.first.size());
  border::assert_length("second", static_cast<R_xlen_t>(rows.second.size()), count);
  border::assert_length("share", static_cast<R_xlen_t>(rows.share.size()), count);
  return rows;
}

bool in_range(const KernelSize& size) { return size.scale.maxCoeff() < 1e75; }

void with_arguments(SEXP x, const Rcpp::List& given, const OwnRows& own, const MixedRows& mixed,
                    Team& team, Tick tick, UseArguments f) {
  KernelFunction kernel = kernel_function(border::Options(given));
  const bool centred = own.center && !kernel.isotropic();
  const bool moves = own.movable && kernel.affine();
  const Origin origin = centred                       ? Origin::mean
                        : kernel.isotropic() || moves ? Origin::exact
                                                      : Origin::fixed;
  const MatrixView view = border::view(x);
  const RowStore rows(view, own.omega, own.scale, origin, team, Reading::one_by_one, Vec(), tick);
  if (moves)
    kernel.offset = 0;  // as any constant that is added, it only hides the digits of the rest
  const std::unique_ptr<Storage> data = rows.storage(0);
  const std::unique_ptr<Arguments> arguments =
      computed_arguments(*data, kernel.isotropic(), team, rows.rest().cwiseQuotient(rows.scales()));
  if (kernel.isotropic() && std::isnan(kernel.sigma)) {
    const double median = median_squared_distance(*arguments, view, own.omega, tick);
    kernel.sigma = kernel.kind == KernelKind::rbf ? 1 / median : 1 / std::sqrt(median);
    kernel.sigma = std::clamp(kernel.sigma, 1e-100, 1e100);  // as one that is given
  }
  RowsOfKernel made;
  made.scales = rows.scales();
  made.sigma = kernel.sigma;
  if (centred) {
    made.centre = rows.centre() + rows.rest();
  } else {
    made.origin = rows.centre();
  }
  const Vec centre = rows.centre().cwiseQuotient(rows.scales());
  made.moved = moves && !centred && !centre.isZero(0);
  if (made.moved) {
    const double factor = kernel.kind == KernelKind::polynomial ? kernel.scale : 1.0;
    made.shift = [&, factor](const Vec& beta) {
      return factor * inner_shift(*data, mixed, centre, beta);
    };
  }
  f(*arguments, kernel, made);
}

Rcpp::List Refused::list() const {
  if (shown) return Rcpp::List::create(Rcpp::Named("indefinite") = border::as_list(shown));
  return Rcpp::List::create(Rcpp::Named("beyond") = beyond);
}

Refused with_kernel(SEXP x, const Rcpp::List& given, const OwnRows& own, const MixedRows& mixed,
                    const KernelStore::Budget& budget, Team& team, Tick& tick,
                    FunctionRef<void(const KernelStore&, const RowsOfKernel&)> f) {
  const std::string name = border::Options(given).text("name");
  Refused refused;
  const auto use = [&](const KernelStore& store, const RowsOfKernel& rows) {
    refused.shown = store.judged().shown;
    if (!in_range(store.size())) refused.beyond = store.size().largest();
    if (!refused) f(store, rows);
    refused.shown = store.judged().shown;  // what came in the run as well
  };
  if (name == "precomputed") {
    const Rcpp::NumericMatrix values(x);
    const double allowance = Rcpp::as<double>(given["allowance"]);
    use(KernelStore(values.begin(), values.nrow(), allowance, team), RowsOfKernel());
    return refused;
  }
  if (name == "evaluated") {
    using Check = KernelStore::Check;
    const Vec diagonal = border::vec(given["diagonal"]);
    const EvaluateKernel evaluate = evaluated_by(given["evaluate"], diagonal.size());
    const std::string asked = border::Options(given).text("check");
    const Check check = border::named<Check>("check", asked,
                                             {{"whole", Check::whole},
                                              {"minors", Check::minors},
                                              {"nothing", Check::nothing},
                                              {"own", Check::nothing}});
    use(KernelStore(evaluate, diagonal, check, asked == "own", budget, team, tick), RowsOfKernel());
    return refused;
  }
  with_arguments(
      x, given, own, mixed, team, tick,
      [&](const Arguments& arguments, const KernelFunction& kernel, const RowsOfKernel& rows) {
        const KernelSize size = kernel_size(arguments, mixed, kernel, own.scale, own.center);
        if (in_range(size)) {
          f(KernelStore(arguments, mixed, kernel, size, budget, tick), rows);
        } else {
          refused.beyond = size.largest();
        }
      });
  return refused;
}

}  // namespace dualmargin::kernel
