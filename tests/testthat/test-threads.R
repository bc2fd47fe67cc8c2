# The number of threads changes nothing but the time. Chunks are made so small here that small problems
# have several.

threaded <- function(threads, fit) {
  old <- options(dualmargin.chunk_entries = 200)
  on.exit(options(old))
  quiet(fit(threads))
}
quiet <- function(expression) suppressWarnings(expression, classes = "dualmargin_not_certified")

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
    apart <- getExportedValue("parallel", "mclapply")(1:2, function(i) {
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
