# One thread beside two, in turns: what margin_control(threads = 2) saves where the core shares work
# between threads, and that it changes no number.
#
# A cell is work of one kind at a size where that work is nearly all there is: Newton's method
# (Gram matrix of the columns, and conjugate gradients on sparse rows), the Gram matrix of wide
# rows, the values of a kernel, prediction from a kernel fit, passes of certificates, the interior
# point of the robust family, classes side by side. `speedup` is the median over rounds of the
# seconds of the clock with one thread over those with two; `cpu` are seconds of the processor,
# which tell what the second thread costs. `same` is whether coefficients, certificates and
# predictions are the same bits. The certificate cells are twenty epochs of dual coordinate ascent,
# which run in one thread, each with a certificate. `stream` is the same ratio for a plain sum of as
# many bytes as the rows take: what the machine's memory has to give.
#
# Usage: Rscript threads.R [folder for the results] [--cells=regex] [--rounds=5] [--small]
# The machine must be quiet. Sets that margin_data() does not find are left out.
# writes: threads.csv
# depends: core src/linear R/margin_linear.R src/kernel R/margin_kernel.R src/augmented
# depends: R/margin_augmented.R src/robust R/margin_robust.R src/hard R/margin_hard.R
# seeds: rows + columns (data), 1 (solvers)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
rounds <- as.integer(option("rounds", "5"))
small <- "--small" %in% arguments
counts <- if ("threads" %in% names(formals(margin_control))) 1:2 else 1L
if (length(counts) == 1L) message("This version has no `threads`: one thread only.")

# ---- the cells ---------------------------------------------------------------------------------
control <- function(threads, ...) {
  given <- list(seed = 1, progress = FALSE, ...)
  if (length(counts) > 1L) given$threads <- threads
  do.call(margin_control, given)
}
normal <- function(n, p, classes = 2L) {
  if (small) n <- ceiling(n / 8)
  set.seed(n + p)
  x <- matrix(stats::rnorm(as.double(n) * p), n)
  score <- drop(x %*% stats::rnorm(p)) / sqrt(p) + stats::rnorm(n)
  cuts <- stats::quantile(score, seq_len(classes - 1L) / classes)
  list(x = x, y = cut(score, c(-Inf, cuts, Inf), labels = letters[seq_len(classes)]))
}
real <- function(name) {
  data <- data_or_null(name)
  if (is.null(data)) return(NULL)
  y <- if (name == "imdb") data$y > 5 else data$y > 0
  list(x = methods::as(data$x, "RsparseMatrix"), y = factor(y))
}
# 1e7 nonzeros, 50 a row
sparse <- function() {
  n <- if (small) 25000 else 200000
  set.seed(1)
  x <- Matrix::sparseMatrix(rep(seq_len(n), each = 50), sample.int(50000, 50 * n, replace = TRUE),
                            x = stats::rnorm(50 * n) / sqrt(50), dims = c(n, 50000), repr = "R")
  score <- as.vector(x %*% stats::rnorm(50000))
  list(x = x, y = factor(score + stats::sd(score) * stats::rnorm(n) > 0))
}
linear <- function(solver, epochs = 1000, every = FALSE, lambda = 1e-4, loss = "logistic",
                   multiclass = "auto", ...) {
  function(data, threads) {
    y <- if (loss == "squared") 2 * as.numeric(data$y) - 3 else data$y
    margin_linear(data$x, y, loss = loss, lambda = lambda, solver = solver,
                  scale = FALSE, intercept = "none", multiclass = multiclass,
                  control = control(threads, max_epochs = epochs, certify_every_epoch = every, ...))
  }
}
kernel <- function(epochs, ...) {
  function(data, threads) {
    margin_kernel(data$x, data$y, kernel = kernel_rbf(1 / ncol(data$x)), loss = "logistic",
                  lambda = 1e-4, intercept = "none", scale = FALSE,
                  control = control(threads, max_epochs = epochs), ...)
  }
}
cells <- list(
  "Newton, dense, 60,000 x 300" = list(data = function() normal(60000, 300),
                                       run = linear("newton", lambda = 1e-6)),
  "Newton, imdb" = list(data = function() real("imdb"), run = linear("newton")),
  "Gram of rows, 2,500 x 8,000" = list(data = function() normal(2500, 8000),
                                       run = linear("newton", lambda = 1e-2)),
  "Gram of columns, 20,000 x 800" = list(data = function() normal(20000, 800),
                                         run = linear("newton", epochs = 400)),
  "kernel matrix, rbf, 6,000 x 400" = list(data = function() normal(6000, 400),
                                           run = kernel(1, solver = "sdca")),
  "kernel fit, rbf, 3,000 x 50" = list(data = function() normal(3000, 50),
                                       run = kernel(1000)),
  "kernel prediction, rbf, 4,000 x 100" = list(
    data = function() {
      data <- normal(4000, 100)
      data$fit <- suppressWarnings(kernel(2, solver = "sdca")(data, 1L))
      data$new <- normal(20000, 100)$x
      data
    },
    run = function(data, threads) {
      fit <- data$fit
      if (length(counts) > 1L) fit$settings$control$threads <- threads
      list(coefficients = predict(fit, data$new, type = "score"), certificate = NULL)
    }
  ),
  "certificate passes, covtype" = list(data = function() real("covtype_sub92962"),
                                       run = linear("sdca", 20, TRUE, tol = 1e-15)),
  "certificate passes, imdb" = list(data = function() real("imdb"),
                                    run = linear("sdca", 20, TRUE, tol = 1e-15)),
  "robust interior point, a9a" = list(data = function() real("a9a"), run = function(data, threads) {
    margin_robust(data$x, data$y, norm = "l2", radius = 0.1, ridge = 1, scale = FALSE,
                  intercept = "none", solver = "interior_point", control = control(threads))
  }),
  "augmented, exact, 100,000 x 60" = list(
    data = function() normal(100000, 60),
    run = function(data, threads) {
      margin_augmented(data$x, data$y, perturbation = perturb_gaussian(0.3), loss = "logistic",
                       lambda = 1e-4, scale = FALSE, center = FALSE, intercept = "none",
                       solver = "exact", control = control(threads))
    }
  ),
  "eight classes, 20,000 x 100" = list(data = function() normal(20000, 100, 8L),
                                       run = linear("auto", multiclass = "one_vs_rest")),
  "logistic, Newton, 1e7 nonzeros" = list(data = sparse, run = linear("newton")),
  "squared hinge, Newton, 1e7 nonzeros" = list(data = sparse,
                                               run = linear("newton", loss = "squared_hinge")),
  "squared loss, Newton, 1e7 nonzeros" = list(data = sparse,
                                              run = linear("newton", loss = "squared")),
  "hinge, SSNAL, 1e7 nonzeros" = list(data = sparse,
                                      run = linear("ssnal", loss = "hinge", lambda = 1e-3)),
  "hinge, auto, 1e7 nonzeros" = list(data = sparse,
                                     run = linear("auto", loss = "hinge", lambda = 1e-3)),
  "logistic, FISTA, 1e7 nonzeros" = list(data = sparse, run = linear("fista", 40)),
  "leave-one-out, 20,000 x 100" = list(
    data = function() {
      data <- normal(20000, 100)
      data$fit <- linear("auto", tol = 1e-10)(data, 1L)
      data
    },
    run = function(data, threads) {
      data$fit$settings$control$threads <- threads
      loo <- margin_loo(data$fit, data$x, data$y)
      list(coefficients = loo$rows, certificate = NULL)
    }
  ),
  "cross-validation, 40,000 x 100" = list(
    data = function() normal(40000, 100),
    run = function(data, threads) {
      cv <- margin_cv(data$x, data$y, grid = list(lambda = 10^-(2:5)), loss = "logistic", folds = 5,
                      seed = 1, control = control(threads))
      list(coefficients = cv$results[c("score", "relative_gap")], certificate = NULL)
    }
  )
)

# What the machine has to give: a sum of as many bytes as the rows take, in one thread and in two.
Rcpp::cppFunction(includes = "#include <thread>", depends = character(), code = "
double stream(NumericVector x, int threads) {
  const double* p = x.begin();
  const R_xlen_t n = x.size();
  std::vector<double> part(threads);
  std::vector<std::thread> team;
  for (int t = 0; t < threads; ++t) {
    team.emplace_back([=, &part] {
      double s[8] = {0};
      R_xlen_t end = n / threads * (t + 1);
      for (R_xlen_t i = n / threads * t; i + 8 <= end; i += 8)
        for (int k = 0; k < 8; ++k) s[k] += p[i + k];
      for (double one : s) part[t] += one;
    });
  }
  for (auto& one : team) one.join();
  return part[0];
}")
streamed <- function(bytes) {
  x <- numeric(max(bytes / 8, 1e6))
  times <- vapply(seq_len(15L), function(i) {
    vapply(1:2, function(k) timed(stream(x, k))$seconds, 0)
  }, numeric(2))
  stats::median(times[1L, ] / times[2L, ])
}

# ---- the run -----------------------------------------------------------------------------------
numbers_of <- function(fit) {
  certificate <- if (!is.null(fit$certificate)) fit$certificate[c("value", "bound", "gap")]
  list(fit$coefficients, certificate)
}
measure <- function(cell) {
  data <- cell$data()
  if (is.null(data)) return(NULL)
  seconds <- cpu <- matrix(NA_real_, rounds, length(counts))
  answers <- vector("list", length(counts))
  for (round in seq_len(rounds)) for (k in seq_along(counts)) {
    gc(FALSE)
    run <- timed(cell$run(data, counts[k]))
    if (!is.null(run$error)) stop(run$error)
    seconds[round, k] <- run$seconds
    cpu[round, k] <- run$cpu
    answers[[k]] <- numbers_of(run$value)
  }
  status <- run$value$status$status
  two <- length(counts) > 1L
  median_of <- function(x) stats::median(x)
  data.frame(
    n = nrow(data$x), d = ncol(data$x), one = median_of(seconds[, 1L]),
    two = if (two) median_of(seconds[, 2L]) else NA_real_,
    speedup = if (two) median_of(seconds[, 1L] / seconds[, 2L]) else NA_real_,
    cpu_one = median_of(cpu[, 1L]), cpu_two = if (two) median_of(cpu[, 2L]) else NA_real_,
    same = if (two) identical(answers[[1L]], answers[[2L]]) else NA,
    stream = streamed(if (is.matrix(data$x)) 8 * length(data$x) else 12 * length(data$x@x)),
    status = if (is.null(status)) "" else paste(unique(status), collapse = " "), rounds = rounds,
    seed = 1
  )
}
for (name in grep(option("cells", ".", spot = "Newton, imdb|Gram of rows"), names(cells), value = TRUE)) {
  row <- measure(cells[[name]])
  if (is.null(row)) {
    message(name, ": margin_data() does not find it; left out.")
    next
  }
  row <- data.frame(cell = name, row)
  print(row[setdiff(names(row), "seed")], row.names = FALSE, digits = 3)
  keep_table(row, "threads.csv", c("cell", "n"), "Matrix")
}
