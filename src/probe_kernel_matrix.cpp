// Exports for the tests of kernel matrices: one form of the matrix, asked in every way there is.
#include "border/dispatch_kernel_function.h"
#include "border/kernel.h"
#include "run/sampler.h"

using namespace dualmargin;
using namespace dualmargin::kernel;

// given: list(name, sigma, degree, scale, offset); mixed: list(first, second, share). What a method
// works on (`bytes` of memory, single precision or not) or, with `exact`, what its certificate is
// computed from. `row`, `block`, `product`: K coef by single rows, by blocks of `width` rows, and
// at once. `square`: the blocks' own squares of K in their places, zero elsewhere.
// [[Rcpp::export(rng = false)]]
Rcpp::List probe_kernel_matrix_cpp(SEXP x, const Rcpp::List& given, const Rcpp::List& mixed, int n,
                                   double bytes, bool single, bool exact,
                                   const Rcpp::NumericVector& coef, int width) {
  const border::Options ask(given);
  const MixedRows mixtures = mixed_rows(mixed, n);
  const border::RowStore rows(x, Vec::Ones(n), false);
  const KernelFunction kernel = kernel_function(ask.text("name"), ask);
  const Vec beta = border::vec(coef);
  Run run(
      {}, 1, [] {}, [](double, double) {});
  return rows.visit(0, [&](const auto& data) {
    const ComputedArguments arguments(data, kernel.isotropic());
    const KernelStore store(arguments, mixtures, kernel, {arguments, mixtures, kernel, false},
                            {bytes, single}, run);
    const KernelMatrix& K = exact ? store.exact() : store.working();
    const Index total = K.n();
    Mat entries = Mat::Zero(total, total), squares = entries, square;
    Vec row = Vec::Zero(total), block = row, product = row, diagonal = row;
    std::vector<Index> order(total);
    std::iota(order.begin(), order.end(), Index{0});
    Sampler(1).shuffle(order);
    for (Index i = 0; i < total; ++i) {
      Vec column = Vec::Zero(total);
      K.add_row(i, 1, column);
      entries.col(i) = column;
      K.add_row(i, beta[i], row);
      diagonal[i] = K.diagonal(i);
    }
    for (Index first = 0; first < total; first += width) {
      const Index count = std::min<Index>(width, total - first);
      const Index* places = order.data() + first;
      const auto some = K.block(places, count);
      Vec some_beta(count);
      for (Index k = 0; k < count; ++k) some_beta[k] = beta[places[k]];
      some->add(some_beta, block);
      some->square(square);
      for (Index k = 0; k < count; ++k) {
        for (Index j = 0; j < count; ++j) squares(places[j], places[k]) = square(j, k);
      }
    }
    K.multiply(beta, product, [] {});
    return Rcpp::List::create(Rcpp::Named("entries") = entries, Rcpp::Named("diagonal") = diagonal,
                              Rcpp::Named("square") = squares, Rcpp::Named("row") = row,
                              Rcpp::Named("block") = block, Rcpp::Named("product") = product,
                              Rcpp::Named("bytes") = K.bytes());
  });
}

// The exp() of base/exp.h.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector probe_exp_cpp(const Rcpp::NumericVector& x, bool single) {
  Rcpp::NumericVector out = Rcpp::clone(x);
  if (!single) {
    exp_in_place(out.begin(), out.size());
    return out;
  }
  std::vector<float> values(x.begin(), x.end());
  exp_in_place(values.data(), static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}
