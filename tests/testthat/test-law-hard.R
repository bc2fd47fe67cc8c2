# What holds for every solver of the hard family.

few <- 1500  # epochs: enough for a first interval of the slow ones

test_that("every interval contains the exact margin, and all of them overlap", {
  table <- reference_hard()
  for (case in c("tiny_raw", "small_icpt")) {
    data <- reference_hard_data(case)
    margin <- table$value[table$case == case & table$quantity == "margin"]
    for (solver in hard_solvers()) {
      ce <- hard_fit(data$x, data$y, solver, max_epochs = few)$certificate
      expect_lte(ce$value, margin + 1e-11, label = paste(case, solver))
      expect_gte(ce$bound, margin - 1e-11, label = paste(case, solver))
      expect_lte(ce$value, ce$bound * (1 + 1e-12))
    }
  }
  data <- separable_classes(40L, 4L, 3L)
  margin <- hard_fit(data$x, data$y)$certificate$value
  for (solver in hard_solvers()) {
    ce <- hard_fit(data$x, data$y, solver, max_epochs = few)$certificate
    expect_lte(ce$value, margin + 1e-9, label = solver)
    expect_gte(ce$bound, margin - 1e-9, label = solver)
  }
})

test_that("the value is the smallest margin of the scores, for every intercept", {
  data <- separable_problem(40L, 4L, seed = 4L)
  for (intercept in c("none", "penalized", "free")) for (solver in hard_solvers(intercept)) {
    fit <- hard_fit(data$x, data$y, solver, intercept = intercept, max_epochs = few)
    w <- if (intercept == "free") coef(fit)[-1L] else coef(fit)
    expect_equal(min(data$y * fit$scores) / sqrt(sum(w^2)), fit$certificate$value,
                 tolerance = 1e-9, label = paste(solver, intercept))
  }
})

test_that("peers with a hard cost agree within their tolerance", {
  data <- separable_problem(60L, 4L, seed = 7L)
  if (requireNamespace("e1071", quietly = TRUE)) {
    peer <- e1071::svm(data$x, factor(data$y, c(1, -1)), kernel = "linear", scale = FALSE,
                       cost = 1e6, tolerance = 1e-8)
    w <- drop(crossprod(peer$coefs, peer$SV))
    fit <- hard_fit(data$x, data$y, intercept = "free")
    expect_equal(1 / sqrt(sum(w^2)), fit$certificate$value, tolerance = 1e-4)
  }
  skip_if_not_installed("LiblineaR")
  peer <- LiblineaR::LiblineaR(data$x, factor(data$y), type = 3, cost = 1e4, bias = 0,
                               epsilon = 1e-9)
  fit <- hard_fit(data$x, data$y)
  expect_equal(1 / sqrt(sum(peer$W[1:4]^2)), fit$certificate$value, tolerance = 1e-3)
})

test_that("where nothing separates, no solver says otherwise", {
  set.seed(8)
  x <- matrix(rnorm(150), 50)
  y <- rep(c(1, -1), 25)
  for (intercept in c("none", "free")) for (solver in hard_solvers(intercept)) {
    fit <- hard_fit(x, y, solver, intercept = intercept, max_epochs = few)
    expect_lt(fit$certificate$value, 0, label = solver)
    expect_gte(fit$certificate$bound, 0)
    expect_false(fit$certificate$certified)
  }
})

test_that("work is counted on over a relay, and its budget holds", {
  data <- separable_problem(200L, 30L, gap = 0.05, seed = 1L)
  for (intercept in c("none", "free")) for (kernel in list(NULL, kernel_rbf(0.05))) {
    for (solver in hard_solvers(intercept)) for (most in c(3, 60)) {
      # an active set of more than four rows hands over
      few <- if (solver == "active_set") list(max_support = 4)
      fit <- hard_fit(data$x, data$y, solver, kernel = kernel, intercept = intercept,
                      max_epochs = most, options = as.list(few))
      what <- paste(solver, intercept, most)
      expect_false(is.unsorted(fit$trace$epoch), label = what)
      expect_lte(fit$trace$epoch[1L], 3, label = what)
      expect_equal(fit$trace$epoch[nrow(fit$trace)], fit$status$epochs, label = what)
      # beyond it by one step at most; the exact solution on a batch of fifty rows is one
      step <- if (solver %in% c("auto", "active_set") && is.null(kernel)) 50 else 2
      expect_lte(fit$status$epochs, most + step, label = what)
    }
  }
})
