# Seconds of one unit of each kind of pass that the methods are made of: what `auto` reckons with
# when it chooses among them (src/base/pass_seconds.h has these figures as constants, since a fit
# that timed its own machine would not be the same fit again).
#
#   streamed       an entry of dense rows, in the order of memory: a product and a sum
#   gathered       an entry of sparse rows, in order, its coefficient in the cache of the core
#   gathered_far   the same with coefficients that no cache holds
#   jump           an access to memory whose place was not known before, in the cache of all cores
#   jump_far       the same beyond the caches
#   exponential    exp(), one number
#   product        a product and a sum of a Gram matrix
#   factor         the same of a Cholesky factorisation
#
# Seconds are of the processor; the median of `repeats` runs after one that does not count.
#
# Usage: Rscript pass_kinds.R [folder for the results] [--repeats=7]
# writes: pass_kinds.csv
# depends: inst/experiments/_driver.R
# seeds: 1

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
repeats <- as.integer(option("repeats", "7", "3"))

Rcpp::sourceCpp(code = "
// [[Rcpp::depends(RcppEigen)]]
#include <RcppEigen.h>
#include <algorithm>
#include <numeric>
#include <random>

// [[Rcpp::export]]
double streamed(const Eigen::Map<Eigen::MatrixXd> x, const Eigen::Map<Eigen::VectorXd> w) {
  double sum = 0;
  for (Eigen::Index i = 0; i < x.cols(); ++i) sum += x.col(i).dot(w);
  return sum;
}
// [[Rcpp::export]]
double gathered(Rcpp::IntegerVector column, Rcpp::NumericVector value, Rcpp::NumericVector w,
                int entries) {
  double sum = 0;
  for (R_xlen_t k = 0; k < column.size();) {
    double score = 0;
    for (const R_xlen_t end = k + entries; k < end; ++k) score += value[k] * w[column[k]];
    sum += score;
  }
  return sum;
}
// One closed path through all places, in random order.
// [[Rcpp::export]]
Rcpp::IntegerVector random_path(int size) {
  std::vector<int> order(size);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(1);
  std::shuffle(order.begin(), order.end(), random);
  Rcpp::IntegerVector next(size);
  for (int k = 0; k < size; ++k) next[order[k]] = order[(k + 1) % size];
  return next;
}
// [[Rcpp::export]]
int follow(Rcpp::IntegerVector path, int steps) {
  const int* to = path.begin();
  int at = 0;
  for (int k = 0; k < steps; ++k) at = to[at];
  return at;
}
// [[Rcpp::export]]
double exponentials(Rcpp::NumericVector z) {
  double sum = 0;
  for (const double t : z) sum += std::exp(t);
  return sum;
}
// [[Rcpp::export]]
double products(const Eigen::Map<Eigen::MatrixXd> x) {
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(x.rows(), x.rows());
  gram.selfadjointView<Eigen::Lower>().rankUpdate(x);
  return gram(0, 0);
}
// [[Rcpp::export]]
double factor(const Eigen::Map<Eigen::MatrixXd> A) {
  Eigen::MatrixXd L = A;
  return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(L).matrixLLT()(0, 0);
}
")

# Seconds of a unit of what `run()` does.
seconds_of <- function(units, run) {
  run()
  stats::median(vapply(seq_len(repeats), function(k) timed(run())$cpu, 0)) / units
}
set.seed(1)
dense <- matrix(stats::rnorm(1e7), 100)
entries <- 20L
column_of <- function(columns) sample.int(columns, 8e6L, replace = TRUE) - 1L
near <- column_of(1e4L)
far <- column_of(4e6L)
value <- stats::rnorm(8e6)
steps <- 2e7L
path <- random_path(5e5L)
far_path <- random_path(25e6L)
z <- stats::rnorm(5e6)
square <- matrix(stats::rnorm(6e5), 600)
gram <- tcrossprod(square) + diag(600)
kinds <- list(
  streamed = c(1e7, 8e7, function() streamed(dense, dense[, 1L])),
  gathered = c(8e6, 8e4, function() gathered(near, value, stats::rnorm(1e4), entries)),
  gathered_far = c(8e6, 3.2e7, local({
    w <- stats::rnorm(4e6)
    function() gathered(far, value, w, entries)
  })),
  jump = c(steps, 2e6, function() follow(path, steps)),
  jump_far = c(steps / 10, 1e8, function() follow(far_path, steps / 10L)),
  exponential = c(5e6, 4e7, function() exponentials(z)),
  product = c(600 * 601 / 2 * 1000, 8 * 600^2, function() products(square)),
  factor = c(600^3 / 6, 8 * 600^2, function() factor(gram))
)
table <- data.frame(
  kind = names(kinds), bytes = vapply(kinds, function(kind) kind[[2L]], 0),
  seconds = vapply(kinds, function(kind) signif(seconds_of(kind[[1L]], kind[[3L]]), 3), 0),
  row.names = NULL
)
record(table, file.path(folder, "pass_kinds.csv"), table, "kind", skip = "seconds")
