# What one pass of dual coordinate ascent costs beside a plain loop over the same rows, and what a
# short run costs besides its passes.
#
# The plain loop is twenty lines of C++, compiled here with R's own flags: a shuffle, and for each
# row a product, a step of the hinge or the squared hinge and an update, on the arrays of the
# dgRMatrix as they are. It computes no certificate and looks at no clock.
#
#   pass         of ours: (time of 32 passes - time of 4, certificates taken off) / 28
#   plain        the same of the plain loop; `ratio` is pass / plain
#   certificate  (32 passes with a certificate after each - 32 without) / certificates more
#   setup        a run of one pass that is certified then, less that pass and its certificates:
#                checks, labels, norms of the rows, the answer; `setup_passes` is setup / pass. (A
#                fit that is not certified looks for the cause, which is no part of it.)
#   share_4      certificates in a run of 4 passes, as a part of it; share_16 of one of 16
#
# Times are seconds of the processor, the least of the repeats, in turns, of the whole call.
# lambda = 1e-4, no intercept,
# columns as they are.
#
# Usage: Rscript linear_pass.R [folder for the results] [--repeats=7] [--sets=regex]
# The larger sets are left out where margin_data() does not find them.
# writes: linear_pass.csv
# depends: core src/linear R/margin_linear.R
# seeds: 1

library(dualmargin)
home <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(home, "_arguments.R"))
source(file.path(home, "_clock.R"))
source(file.path(home, "_table.R"))
repeats <- as.integer(option("repeats", "7"))

Rcpp::cppFunction(includes = "#include <random>", code = "
double plain_passes(S4 x, NumericVector y, double lambda, bool square, int passes) {
  IntegerVector p = x.slot(\"p\"), j = x.slot(\"j\");
  NumericVector v = x.slot(\"x\");
  const int n = y.size(), d = INTEGER(x.slot(\"Dim\"))[1];
  std::vector<double> w(d), a(n), q(n);
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) {
    order[i] = i;
    for (int k = p[i]; k < p[i + 1]; ++k) q[i] += v[k] * v[k] / (lambda * n);
  }
  std::mt19937 bits(1);
  while (passes-- > 0) {
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[bits() * (i + 1ULL) >> 32]);
    for (int i : order) {
      double z = 0;
      for (int k = p[i]; k < p[i + 1]; ++k) z += v[k] * w[j[k]];
      const double next = square
        ? std::max(0.0, a[i] + (1 - y[i] * z - a[i] / 2) / (q[i] + 0.5))
        : std::min(1.0, std::max(0.0, a[i] + (1 - y[i] * z) / std::max(q[i], 1e-300)));
      const double move = y[i] * (next - a[i]) / (lambda * n);
      a[i] = next;
      if (move != 0) for (int k = p[i]; k < p[i + 1]; ++k) w[j[k]] += move * v[k];
    }
  }
  double size = 0;
  for (double value : w) size += value * value;
  return size;
}")

# ---- data --------------------------------------------------------------------------------------
synthetic <- function(n, d, k) {
  set.seed(n + d + k)
  columns <- lapply(seq_len(n), function(i) sort(sample.int(d, k)))
  x <- Matrix::sparseMatrix(j = unlist(columns), p = seq(0, n * k, by = k), dims = c(n, d),
                            x = stats::rnorm(n * k) / sqrt(k), repr = "R")
  z <- as.vector(x %*% stats::rnorm(d))
  list(x = x, y = ifelse((z > 0) != (stats::runif(n) < 0.1), 1, -1))
}
real <- function(name) {
  function() {
    data <- tryCatch(margin_data(name), dualmargin_input_error = function(condition) NULL)
    if (is.null(data)) return(NULL)
    list(x = methods::as(data$x, "RsparseMatrix"),
         y = if (name == "imdb") ifelse(data$y > 5, 1, -1) else data$y)
  }
}
sets <- list(a9a = real("a9a"), ijcnn1 = real("ijcnn1"), covtype = real("covtype_sub92962"),
             imdb = real("imdb"),
             "synthetic, 131,072 x 200, 20 a row" = function() synthetic(131072, 200, 20))

# ---- one set -----------------------------------------------------------------------------------
lambda <- 1e-4
fit <- function(data, loss, solver, passes, every, tol = 1e-15) {
  run <- timed(margin_linear(
    data$x, data$f, loss = if (loss == "hinge") "hinge" else loss_squared_hinge(0.5),
    lambda = lambda, scale = FALSE, intercept = "none", solver = solver,
    control = margin_control(tol = tol, seed = 1, progress = FALSE, max_epochs = passes,
                             certify_every_epoch = every)
  ))
  if (!is.null(run$error)) stop(run$error)
  list(seconds = run$cpu, certificates = nrow(convergence(run$value)))
}
measure <- function(name, data, loss, solver) {
  data$f <- factor(data$y, c(-1, 1))
  runs <- expand.grid(passes = c(1, 4, 16, 32), every = c(FALSE, TRUE))
  runs$certificates <- NA
  times <- matrix(Inf, nrow(runs), repeats)
  plain <- matrix(Inf, 2L, repeats)
  least <- list(seconds = Inf)
  for (round in seq_len(repeats)) {
    for (k in seq_len(nrow(runs))) {
      gc(FALSE)
      one <- fit(data, loss, solver, runs$passes[k], runs$every[k])
      times[k, round] <- one$seconds
      runs$certificates[k] <- one$certificates
    }
    gc(FALSE)
    one <- fit(data, loss, solver, 1, FALSE, tol = 1 - 1e-9)
    if (one$seconds < least$seconds) least <- one
    for (k in 1:2) {
      plain[k, round] <- timed(plain_passes(data$x, data$y, lambda, loss != "hinge",
                                            c(4, 32)[k]))$cpu
    }
  }
  runs$seconds <- apply(times, 1L, min)
  at <- function(passes, every = FALSE) runs[runs$passes == passes & runs$every == every, ]
  certificate <- with(list(a = at(32, TRUE), b = at(32)), {
    (a$seconds - b$seconds) / (a$certificates - b$certificates)
  })
  net <- function(passes) at(passes)$seconds - certificate * at(passes)$certificates
  pass <- (net(32) - net(4)) / 28
  plain_pass <- diff(apply(plain, 1L, min)) / 28
  setup <- least$seconds - certificate * least$certificates - pass
  share <- function(passes) certificate * at(passes)$certificates / at(passes)$seconds
  data.frame(data = name, n = nrow(data$x), nonzeros = length(data$x@x), loss = loss,
             solver = solver, pass = pass, plain = plain_pass, ratio = pass / plain_pass,
             certificate = certificate, certificate_passes = certificate / pass,
             setup = setup, setup_passes = setup / pass, share_4 = share(4),
             share_16 = share(16), repeats = repeats, seed = 1)
}
for (name in grep(option("sets", "."), names(sets), value = TRUE)) {
  data <- sets[[name]]()
  if (is.null(data)) {
    message(name, ": margin_data() does not find it; left out.")
    next
  }
  for (loss in c("hinge", "squared_hinge")) {
    for (solver in c("sdca", "dual_cd")) {
      row <- measure(name, data, loss, solver)
      print(row[c(1, 4:14)], row.names = FALSE, digits = 3)
      keep_table(row, "linear_pass.csv", c("data", "loss", "solver"), "linear_pass.R",
                 c("Rcpp", "Matrix"))
    }
  }
}
