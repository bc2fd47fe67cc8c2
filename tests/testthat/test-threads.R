# The number of threads changes nothing but the time. Chunks are made so small here that small problems
# have several.

threaded <- function(threads, fit) {
  old <- options(dualmargin.chunk_entries = 200)
  on.exit(options(old))
  quiet(fit(threads))
}
quiet <- function(expression) suppressWarnings(expression, classes = "dualmargin_not_certified")

# What a fit says, without the seconds it took.
said <- function(fit) {
  fit$settings$control$threads <- NULL
  fit$status$seconds <- NULL
  fit$call <- NULL
  fit$trace <- lapply(fit$trace, function(rows) rows[setdiff(names(rows), "seconds")])
  fit
}

threads_data <- local({
  set.seed(11)
  n <- 300L
  x <- matrix(rnorm(n * 12L), n) * (matrix(runif(n * 12L), n) < 0.5)
  score <- x[, 1L] - x[, 2L] + rnorm(n)
  list(dense = x + 0.1, sparse = methods::as(Matrix::Matrix(x, sparse = TRUE), "RsparseMatrix"),
       columns = Matrix::Matrix(x, sparse = TRUE), class = factor(score > 0), response = score,
       apart = factor(x[, 1L] > 0), three = cut(score, c(-Inf, -1, 1, Inf), labels = FALSE))
})

short <- function(threads, ...) {
  margin_control(seed = 5, max_epochs = 30, progress = FALSE, threads = threads, ...)
}

test_that("classes side by side have the bits of classes one after the other", {
  d <- threads_data
  three <- factor(d$three)
  # four threads for three classes, and two, which both work on the last class
  expect_same_classes <- function(fit, info) {
    one <- said(threaded(1, fit))
    for (threads in c(2, 4)) {
      expect_identical(said(threaded(threads, fit)), one, info = paste(info, threads))
    }
  }
  for (x in d[c("dense", "sparse", "columns")]) {
    for (solver in c("auto", "sdca", "newton", "interior_point", "spdc")) {
      expect_same_classes(function(threads) {
        margin_linear(x, three, loss = if (solver == "interior_point") "hinge" else "smooth_hinge",
                      lambda = 0.01, mixture = if (solver == "auto") 0.5 else 0, solver = solver,
                      intercept = if (solver %in% c("sdca", "spdc")) "none" else "free",
                      control = short(threads))
      }, solver)
    }
    expect_same_classes(function(threads) {
      path <- margin_path(x, three, n_lambda = 4, mixture = 0.5, control = short(threads))
      list(path$coefficients, path$certificate)
    }, "path")
    for (solver in c("auto", "pdhg")) {
      expect_same_classes(function(threads) {
        margin_robust(x, three, radius = 0.05, solver = solver, control = short(threads))
      }, paste("robust", solver))
    }
    for (solver in c("auto", "smiso", "exact")) {
      expect_same_classes(function(threads) {
        margin_augmented(x, three, perturb_dropout(0.3), lambda = 0.05, solver = solver,
                         loss = if (solver == "exact") "squared" else "logistic",
                         control = short(threads))
      }, paste("augmented", solver))
    }
  }
  in_r <- function(a, b) tcrossprod(as.matrix(a), as.matrix(b))
  kernels <- list(kernel_rbf(0.1), kernel_linear(), in_r)
  for (kernel in kernels) {
    for (solver in c("auto", "block_sdca", "smo")) {
      for (memory in if (solver == "block_sdca") 2000 else c(2000, 0.001)) {
        expect_same_classes(function(threads) {
          margin_kernel(d$sparse, three, kernel, loss = "hinge", lambda = 0.01, solver = solver,
                        multiclass = "one_vs_rest",
                        control = short(threads, solver_options = list(cache_mb = memory)))
        }, paste("kernel", solver, memory))
      }
    }
  }
  # in single precision, with exact values computed for certificates
  expect_same_classes(function(threads) {
    margin_kernel(d$dense, three, kernel_rbf(0.1), loss = "smooth_hinge", lambda = 0.01,
                  mixup = mixup_pairs(100), multiclass = "one_vs_rest",
                  control = short(threads, tol = 1e-4))
  }, "mixup")
  expect_same_classes(function(threads) {
    margin_kernel(d$dense, three, kernel_rbf(0.1), loss = "smooth_hinge", nystrom = 80,
                  lambda = 0.01, control = short(threads))
  }, "nystrom")
  # a perturbation that R computes
  custom <- perturb_custom(function(v, u) v * (u > 0.2))
  expect_same_classes(function(threads) {
    margin_augmented(d$dense, three, custom, lambda = 0.05, control = short(threads))
  }, "perturbation")
})

test_that("each class has a clock of its own, and what fails in one thread fails the fit", {
  d <- threads_data
  # The first class is late when it begins, by what R did before it. A clock for all three would
  # leave no time to the others either.
  begun <- FALSE
  now <- function() {
    on.exit(begun <<- TRUE)
    if (begun) 1e7 else 0
  }
  for (threads in 1:3) {
    begun <- FALSE
    fit <- at_time(now, quiet(margin_linear(
      d$dense, factor(d$three), loss = "smooth_hinge", lambda = 0.01,
      control = short(threads, max_seconds = 1e6)
    )))
    expect_identical(fit$status$status, c("max_seconds", "certified", "certified"))
    expect_identical(fit$status$seconds >= 1e7, c(TRUE, FALSE, FALSE))
  }
  calls <- 0
  failing <- function(v, u) if ((calls <<- calls + 1) > 3) stop("the user's own") else v
  expect_error(margin_augmented(d$dense, factor(d$three), perturb_custom(failing), lambda = 0.05,
                                control = short(2)), "the user's own")
})

test_that("a process may fork after a fit with threads, and its children take one", {
  skip_on_os("windows")
  d <- threads_data
  fits <- list(
    function(...) margin_augmented(d$dense, d$class, perturb_dropout(0.3), lambda = 0.05, ...),
    function(...) margin_augmented(d$dense, factor(d$three), perturb_dropout(0.3), lambda = 0.05, ...),
    function(...) margin_linear(d$dense, factor(d$three), loss = "logistic", ...),
    function(...) margin_kernel(d$dense, d$class, loss = "logistic", ...),
    function(...) margin_robust(d$dense, d$class, ...)
  )
  for (of_family in fits) {
    fit <- function(threads = NULL) of_family(control = short(threads))
    one <- coef(threaded(2, fit))
    apart <- parallel::mclapply(1:2, function(i) {
      list(coef(threaded(i, fit)), resolve_threads())
    }, mc.cores = 2L)
    for (answer in apart) expect_identical(answer, list(one, 1))
  }
})

test_that("the default is two threads at most, and fewer where the session says so", {
  old <- options(mc.cores = NULL, dualmargin.threads = NULL)
  on.exit(options(old))
  set <- Sys.getenv(c("OMP_THREAD_LIMIT", "OMP_NUM_THREADS"), NA)
  set <- set[!is.na(set)]
  on.exit(if (length(set) > 0L) do.call(Sys.setenv, as.list(set)), add = TRUE)
  Sys.unsetenv(c("OMP_THREAD_LIMIT", "OMP_NUM_THREADS"))
  default <- min(2, processors_cpp(), na.rm = TRUE)
  expect_identical(resolve_threads(), default)
  expect_identical(resolve_threads(5), 5)
  options(mc.cores = 1L)
  expect_identical(resolve_threads(), 1)
  options(mc.cores = 0L)
  expect_identical(resolve_threads(), 1)
  options(mc.cores = 16L)
  expect_identical(resolve_threads(), default)
  for (limit in list(list(OMP_THREAD_LIMIT = "1"), list(OMP_NUM_THREADS = "1,4"))) {
    do.call(Sys.setenv, limit)
    expect_identical(resolve_threads(), 1)
    Sys.unsetenv(names(limit))
  }
  Sys.setenv(OMP_NUM_THREADS = "many")
  expect_identical(resolve_threads(), default)
  Sys.unsetenv("OMP_NUM_THREADS")
  # the option is in place of two, and of nothing else
  options(dualmargin.threads = 64)
  expect_identical(resolve_threads(), min(64, 16, processors_cpp(), na.rm = TRUE))
  expect_identical(resolve_threads(3), 3)
  options(mc.cores = 1L)
  expect_identical(resolve_threads(), 1)
  options(mc.cores = NULL, dualmargin.threads = 1L)
  expect_identical(resolve_threads(), 1)
  for (wrong in list(0, 1.5, "two", NA, c(1, 2))) {
    options(dualmargin.threads = wrong)
    expect_input_error(resolve_threads(), "dualmargin.threads", "options(dualmargin.threads = 4)")
  }
})
