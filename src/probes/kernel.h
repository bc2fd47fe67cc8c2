// For the tests of the kernel family: a kernel matrix asked in every way there is, one proximal
// step, conjugate or exponential at a time.
#pragma once

#include "base/elementary.h"
#include "border/border.h"
#include "border/dispatch_loss.h"
#include "border/kernel_store.h"
#include "kernel/mixup_step.h"
#include "kernel/one_class.h"
#include "linear/problem.h"
#include "probes/probe.h"
#include "rows/row_store.h"
#include "run/sampler.h"

namespace dualmargin::kernel {

// A certificate is of the space a function lives in: one of weights takes no function of a kernel
// for a vector of weights, nor the other way round.
template <class Problem, class Solution, class = void>
struct has_certify : std::false_type {};
template <class Problem, class Solution>
struct has_certify<
    Problem, Solution,
    std::void_t<decltype(std::declval<const Problem&>().certify(
        std::declval<Solution&>(), std::declval<Solution&>(), std::declval<Run&>()))>>
    : std::true_type {};

static_assert(has_certify<KernelProblem, Solution>::value);
static_assert(has_certify<SoftmaxProblem, SoftmaxSolution>::value);
static_assert(!has_certify<KernelProblem, linear::Solution>::value);
static_assert(!has_certify<KernelProblem, SoftmaxSolution>::value);
static_assert(!has_certify<SoftmaxProblem, Solution>::value);
static_assert(!has_certify<linear::LinearProblem, Solution>::value);

// given: list(name, sigma, degree, scale, offset); mixed: list(first, second, share). What a method
// works on (`bytes` of memory, single precision or not) or, with `exact`, what its certificate is
// computed from. `row`, `block`, `product`: K coef by single rows, by blocks of `width` rows, and
// at once. `square`: the blocks' own squares of K in their places, zero elsewhere.
inline Rcpp::List probe_kernel_matrix(SEXP x, const Rcpp::List& given, const Rcpp::List& mixed,
                                      int n, double bytes, bool single, bool exact,
                                      const Rcpp::NumericVector& coef, int width) {
  const border::Options ask(given);
  const MixedRows mixtures = mixed_rows(mixed, n);
  const RowStore rows(border::view(x));
  const KernelFunction kernel = kernel_function(ask);
  const Vec beta = border::vec(coef);
  Run run = probes::quiet_run();
  Team team(2, 64);
  const std::unique_ptr<Storage> data = rows.storage(0);
  const auto arguments = computed_arguments(*data, kernel.isotropic(), team);
  const KernelSize size = kernel_size(*arguments, mixtures, kernel, false);
  const KernelStore store(*arguments, mixtures, kernel, size, {bytes, single ? 1.0 : 0.0}, run);
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
  K.multiply(beta, product, run);
  return Rcpp::List::create(Rcpp::Named("entries") = entries, Rcpp::Named("diagonal") = diagonal,
                            Rcpp::Named("square") = squares, Rcpp::Named("row") = row,
                            Rcpp::Named("block") = block, Rcpp::Named("product") = product,
                            Rcpp::Named("bytes") = K.bytes(),
                            Rcpp::Named("additions") = K.additions());
}

// The exp() of base/elementary.h.
inline Rcpp::NumericVector probe_exp(const Rcpp::NumericVector& x, bool single) {
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

// The columns of z, u and the entries of q, one case each: the exact proximal step of the softmax
// loss; with `what` "gap" its Fenchel gap, "value" its value at the shares u, in the first row.
inline Rcpp::NumericMatrix probe_softmax(const std::string& what, const Rcpp::NumericMatrix& z,
                                         const Rcpp::NumericMatrix& u,
                                         const Rcpp::NumericVector& q) {
  const Mat score = border::mat(z);
  Mat out = border::mat(u);
  SoftmaxStep step(out.rows());
  for (Index j = 0; j < out.cols(); ++j) {
    const double* own = score.col(j).data();
    if (what == "step") step(own, q[j], out.col(j).data());
    if (what == "gap") out(0, j) = Softmax::fenchel_gap(own, out.col(j).data(), out.rows());
    if (what == "value") out(0, j) = Softmax::value(own, out.col(j).data(), out.rows());
  }
  return Rcpp::wrap(out);
}

inline Rcpp::NumericVector probe_wright_omega(const Rcpp::NumericVector& x) {
  Rcpp::NumericVector out(x.size());
  for (R_xlen_t i = 0; i < x.size(); ++i) out[i] = wright_omega(x[i]);
  return out;
}

// what: the conjugate of a soft loss at a by search ("search") or bounded from below on a grid of n
// steps up to `level` ("below"); a split into the slopes of two copies and merged again ("merged").
inline Rcpp::NumericVector probe_mixup(std::string loss, double parameter, std::string what,
                                       Rcpp::NumericVector a, Rcpp::NumericVector y, int n,
                                       double level) {
  const LossPtr held = any_loss(loss, parameter, false);
  const Loss& phi = *held;
  Rcpp::NumericVector out(a.size());
  for (R_xlen_t i = 0; i < a.size(); ++i) {
    if (what == "search") out[i] = conjugate_by_search(phi, a[i], y[i]);
    if (what == "below") {
      out[i] = conjugate_from_below(phi, ScoreGrid(phi, y[i], level, n), a[i], y[i]);
    }
    if (what == "merged") out[i] = merge(split(phi, a[i], y[i]), y[i]);
  }
  return out;
}

// The kernel of rows that are orthogonal to each other, of length one: as many as one likes.
class OrthogonalRows final : public KernelMatrix {
 public:
  explicit OrthogonalRows(Index n) : n_(n) {}

  Index n() const override { return n_; }
  double diagonal(Index) const override { return 1; }
  std::unique_ptr<KernelBlock> block(const Index*, Index) const override { return nullptr; }
  void add_row(Index i, double a, Eigen::Ref<Vec> f) const override { f[i] += a; }
  void multiply(const ConstMatRef& beta, MatRef f, Tick&) const override { f += beta; }
  double bytes() const override { return 0; }

 private:
  Index n_;
};

// The certificate of dual variables a; of one class that of coefficients a, y the most of each.
inline Rcpp::List probe_orthogonal(std::string what, const Rcpp::NumericVector& y,
                                   const Rcpp::NumericVector& a, double lambda, bool free) {
  const RowVec labels(border::vec(y)), ones = RowVec::Ones(labels.size());
  const OrthogonalRows kernel(labels.size());
  const Gram gram(kernel);
  const KernelSize size(kernel);
  Run run = probes::quiet_run();
  Certificate c;
  if (what == "one_class") {
    OneClassSolution s{border::vec(a), {}};
    const FunctionSpace space(gram, gram, size, ones.local(), 1);
    c = OneClassProblem(space, labels.local()).certify(s, run);
  } else {
    Team team;
    const FunctionSpace space(gram, gram, size, ones.local(), lambda);
    const KernelProblem problem(space, {any_loss(what, 0, false), labels, ones, free, team});
    Solution s{{}, {border::vec(a)}, ""};
    c = problem.certify(s, run);
  }
  return Rcpp::List::create(Rcpp::Named("value") = c.value, Rcpp::Named("bound") = c.bound,
                            Rcpp::Named("gap") = c.gap, Rcpp::Named("rounding") = c.rounding);
}

inline void add_probes(probes::Table& table) {
  table.add("kernel_matrix", probe_kernel_matrix);
  table.add("orthogonal", probe_orthogonal);
  table.add("exp", probe_exp);
  table.add("softmax", probe_softmax);
  table.add("wright_omega", probe_wright_omega);
  table.add("mixup", probe_mixup);
}

}  // namespace dualmargin::kernel
