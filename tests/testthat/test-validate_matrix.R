# Matrices with damaged slots: refused by name before anything is read by them.

test_that("every damaged slot is an input error that names x, the slot and the remedy", {
  cases <- tampered_matrices()
  expect_gt(length(cases), 200L)
  for (name in names(cases)) {
    case <- cases[[name]]
    error <- error_of(margin_linear(case$x, rep(c(-1, 1), 10), loss = "smooth_hinge"))
    expect_s3_class(error, "dualmargin_input_error")
    expect_identical(error$arg, "x", info = name)
    # a slot may be found wanting by its neighbour: Dim by the entries, i by p
    expect_match(conditionMessage(error), "damaged .* slot `.*; rebuild it with Matrix::",
                 info = name)
  }
})

test_that("the fault that is told is the one that was made", {
  S <- sound_matrices()$dgCMatrix
  said <- function(slot, at, value) {
    attr(S, slot)[at] <- value
    conditionMessage(error_of(margin_linear(S, rep(c(-1, 1), 10), loss = "smooth_hinge")))
  }
  expect_match(said("i", 1L, 20L), "slot `i` has 20 at position 1, which is not from 0 to 19")
  expect_match(said("i", 3L, NA), "slot `i` has NA at position 3")
  expect_match(said("i", 2L, S@i[1L]), "slot `i` .* at position 2, twice in one column")
  expect_match(said("p", 1L, -1L), "slot `p` starts with -1")
  expect_match(said("p", 5L, 900L), "slot `p` has 900 at position 5, but [0-9]+ stored entries")
})

test_that("all families, paths, comparisons and predictions refuse it alike", {
  S <- sound_matrices()$dgCMatrix
  y <- rep(c(-1, 1), 10)
  bad <- S
  bad@i[1L] <- 20L # one beyond the last row: was a heap overflow without a crash
  specs <- list(spec_margin("linear", loss = "smooth_hinge"),
                spec_margin("robust", intercept = "none", scale = FALSE))
  linear <- suppressWarnings(margin_linear(S, y, loss = "smooth_hinge"))
  robust <- suppressWarnings(margin_robust(S, y, intercept = "none", scale = FALSE))
  path <- suppressWarnings(margin_path(S, y, n_lambda = 3, loss = "smooth_hinge"))
  expect_refused <- function(expression, arg = "x") {
    expect_input_error(expression, arg, "slot `i` has 20 at position 1")
  }
  expect_refused(margin_linear(bad, y, loss = "smooth_hinge"))
  expect_refused(margin_kernel(bad, y, intercept = "none"))
  expect_refused(margin_kernel(bad, y, nystrom = 5, intercept = "none"))
  expect_refused(margin_robust(bad, y, intercept = "none", scale = FALSE))
  expect_refused(margin_hard(bad, y, intercept = "none"))
  expect_refused(margin_hard(bad, y, kernel = kernel_rbf(1), intercept = "none"))
  expect_refused(margin_augmented(bad, y, intercept = "none", scale = FALSE))
  expect_refused(margin_path(bad, y, loss = "smooth_hinge"))
  for (family in c("kernel", "robust", "augmented")) {
    expect_refused(margin_path(bad, y, family = family))
  }
  expect_refused(margin_cv(bad, y, folds = 3, loss = "smooth_hinge"))
  expect_refused(margin_compare(bad, y, specs, folds = 3))
  expect_refused(compare_solvers(bad, y, c("auto", "newton"), loss = "smooth_hinge"))
  expect_refused(margin_calibrate(linear, bad, y), "data")
  expect_refused(worst_case(robust, bad, y), "data")
  expect_refused(mixup_data(bad, y, 3))
  expect_refused(write_libsvm(bad, y, tempfile()))
  expect_refused(predict(linear, bad), "newdata")
  expect_refused(predict(path, bad), "newdata")
  expect_refused(augment(linear, newdata = bad), "newdata")
  plane <- suppressWarnings(margin_linear(as.matrix(S)[, 1:2], y, loss = "smooth_hinge"))
  expect_refused(plot(plane, which = "boundary", data = bad), "data")
})

test_that("what has no rows in memory is refused by its size, at once", {
  wide <- methods::new("dgRMatrix", p = 0:2, j = 0:1, x = c(1, 1), Dim = c(2L, 2147483647L))
  tall <- methods::new("dgCMatrix", i = 0:1, p = 0:2, x = c(1, 1), Dim = c(2147483647L, 2L))
  triplets <- methods::new("dgTMatrix", i = 0:1, j = 0:1, x = c(1, 1), Dim = c(2L, 2147483647L))
  old <- options(dualmargin.memory = 64e9)
  on.exit(options(old))
  # one byte a row or column would be 2 GB
  before <- gc(reset = TRUE)
  for (x in list(wide, triplets)) {
    expect_input_error(margin_linear(x, c(-1, 1), loss = "smooth_hinge"),
                       "x", "2,147,483,647 columns")
    expect_input_error(margin_kernel(x, c(-1, 1), intercept = "none"), "x", "2,147,483,647 columns")
  }
  expect_input_error(margin_linear(tall, c(-1, 1), loss = "smooth_hinge"),
                     "x", "2,147,483,647 rows")
  fit <- margin_linear(diag(2), c(-1, 1), loss = "smooth_hinge")
  expect_input_error(predict(fit, triplets), "newdata", "columns")
  after <- gc()
  expect_lt(sum(after[, ncol(after)]) - sum(before[, 2L]), 500)
})

test_that("the limit of memory is the machine's, or the option's, and small sizes never ask", {
  expect_gt(memory_limit(), 1e8)
  old <- options(dualmargin.memory = 2e9)
  on.exit(options(old))
  expect_identical(memory_limit(), 2e9)
  expect_silent(assert_memory(1.9e9, "x", "has", "give"))
  expect_input_error(assert_memory(2.1e9, "x", "has", "give"), "x", "2.1 GB of memory are needed")
  options(dualmargin.memory = 1)
  expect_silent(assert_memory(1e9, "x", "has", "give"))
  options(dualmargin.memory = "a")
  expect_input_error(memory_limit(), "dualmargin.memory", "must be one number")
  expect_identical(
    class(error_of(in_core(stop("std::bad_alloc"))))[1L], "dualmargin_memory_error"
  )
  expect_identical(conditionMessage(error_of(in_core(stop("other")))), "other")
})
