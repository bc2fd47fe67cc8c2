// Kernel matrices across the border: from the user's rows and the description of a kernel to the
// form of its matrix that the memory allows.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "border/call.h"
#include "border/dispatch_kernel_function.h"
#include "border/indefinite.h"
#include "border/names.h"
#include "kernel/kernel_store.h"
#include "kernel/width.h"
#include "rows/row_store.h"

namespace dualmargin::kernel {

inline MixedRows mixed_rows(const Rcpp::List& list, Index originals) {
  const auto places = [&](const char* name) {
    auto from_one = Rcpp::as<std::vector<Index>>(list[name]);
    for (Index& i : from_one) --i;
    return from_one;
  };
  return {originals, places("first"), places("second"),
          Rcpp::as<std::vector<double>>(list["share"])};
}

// How the user's own rows are scaled. movable: the problem does not change when an affine kernel
// gets another origin, as where the intercept is free and coefficients sum to zero. center: the
// columns' means are subtracted, which isotropic kernels do not see.
struct OwnRows {
  Vec omega;
  bool scale, movable, center = false;
};

// What the rows became. An affine kernel of moved rows x_i - c has another intercept than that of
// the rows themselves; `shift` tells by how much, sum_i beta_i (x_i - c)'c times the kernel's
// scale.
struct RowsOfKernel {
  Vec scales, centre;  // in the unit of the columns; centre: empty where it is not part of the fit
  Vec origin;          // what else was subtracted from them, of no account but for the digits
  double sigma = NA_REAL;
  bool moved = false;
  std::function<double(const Vec& beta)> shift = [](const Vec&) { return 0.0; };
};

template <class Data>
double inner_shift(const Data& data, const MixedRows& mixed, const Vec& centre, const Vec& beta) {
  Vec own = beta.head(mixed.originals);
  for (Index i = mixed.originals; i < beta.size(); ++i) {
    const Mixture x = mixed[i];
    own[x.first] += (1 - x.share) * beta[i];
    own[x.second] += x.share * beta[i];
  }
  return sum_over(own.size(), [&](Index i) { return own[i] * data.dot(i, centre); });
}

// Whether no sum or product of two values can leave the range of double precision.
inline bool in_range(const KernelSize& size) { return size.scale.maxCoeff() < 1e75; }

// f(rows, count, out) by an R function of row numbers that returns an n x count matrix.
inline EvaluateKernel evaluated_by(const Rcpp::Function& in_r, Index n) {
  return [in_r, n](const Index* rows, Index count, double* out) {
    Rcpp::IntegerVector places(count);
    for (Index k = 0; k < count; ++k) places[k] = static_cast<int>(rows[k]) + 1;
    const Rcpp::NumericMatrix values = in_r(places);
    std::copy(values.begin(), values.begin() + n * count, out);
  };
}

// f(arguments, kernel, rows) for a kernel known by a formula, its width chosen where it is not
// given.
template <class F>
void with_arguments(SEXP x, const Rcpp::List& given, const OwnRows& own, const MixedRows& mixed,
                    Team& team, Tick tick, F f) {
  const border::Options of_kernel(given);
  KernelFunction kernel = kernel_function(of_kernel.text("name"), of_kernel);
  const bool centred = own.center && !kernel.isotropic();
  const bool moves = own.movable && kernel.affine();
  const Origin origin = centred                       ? Origin::mean
                        : kernel.isotropic() || moves ? Origin::exact
                                                      : Origin::fixed;
  const MatrixView view = border::view(x);
  const RowStore rows(view, own.omega, own.scale, origin, team, Reading::one_by_one, Vec(), tick);
  if (moves)
    kernel.offset = 0;  // as any constant that is added, it only hides the digits of the rest
  rows.visit_by_type(0, [&](const auto& data) {
    const ComputedArguments arguments(data, kernel.isotropic(), team,
                                      rows.rest().cwiseQuotient(rows.scales()));
    if (kernel.isotropic() && std::isnan(kernel.sigma)) {
      const double median = median_squared_distance(arguments, view, own.omega, tick);
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
        return factor * inner_shift(data, mixed, centre, beta);
      };
    }
    f(arguments, kernel, made);
    return 0;
  });
}

// Why there is no fit: `beyond`, what the values of the kernel reach if that is too large to work
// with, or what shows that it is not positive semidefinite.
struct Refused {
  double beyond = 0;
  Indefinite shown;

  explicit operator bool() const { return beyond != 0 || shown; }
  Rcpp::List list() const {
    if (shown) return Rcpp::List::create(Rcpp::Named("indefinite") = border::as_list(shown));
    return Rcpp::List::create(Rcpp::Named("beyond") = beyond);
  }
};

// f(store, rows) with the kernel matrix that `given` describes.
template <class F>
Refused with_kernel(SEXP x, const Rcpp::List& given, const OwnRows& own, const MixedRows& mixed,
                    const KernelStore::Budget& budget, Team& team, Tick& tick, F f) {
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
