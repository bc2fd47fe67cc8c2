# Never worse than nothing, whatever ends a run: the value is not above that of the null model, the
# bound not below the least value of the losses, which is 0.

# Unscaled sparse columns with means up to 1e4, of which nothing is known after one epoch.
hostile <- local({
  set.seed(3)
  n <- 40
  means <- c(0, 10, 1e3, 1e4)
  x <- vapply(means, function(m) (m + rnorm(n)) * rbinom(n, 1, 0.7), numeric(n))
  list(dense = x, sparse = methods::as(x, "CsparseMatrix"), y = x[, 2L] / 10 + rnorm(n),
       two = factor(rep(1:2, length.out = n)), three = factor(rep(1:3, length.out = n)))
})

# P at w = 0 and the best constant.
null_of <- function(loss, y, free) {
  at <- function(b) mean(plain_loss(loss, b, y))
  if (!free) {
    return(at(0))
  }
  ends <- if (loss$task == "classification") c(-30, 30) else range(y)
  min(at(0), optimize(at, ends, tol = 1e-12)$objective)
}

# The certificates that break the law, in words.
worse_than_nothing <- function(fit, null, label) {
  row <- fit$certificate
  slack <- 1e-9 * abs(null) + ifelse(row$certified, row$tol * abs(null), 0)
  bad <- !(row$value <= null + slack & row$bound >= -1e-9 * abs(null))
  if (any(bad)) sprintf("%s: value %g, null %g, bound %g", label, row$value, null, row$bound)[bad]
}

fit_quickly <- function(fun, ...) {
  suppressMessages(suppressWarnings(
    fun(..., control = margin_control(seed = 1, max_epochs = 1, tol = 1e-10))
  ))
}

# All solvers of a family with all losses that they take; more(row, loss): further arguments.
laws_of <- function(family, fun, lambdas, more = function(...) list(), storages = "sparse") {
  found <- character()
  count <- 0L
  for (row in solver_rows(family)) {
    for (loss in all_losses()) for (intercept in unlist(row$intercepts)) for (lambda in lambdas) {
      mixture <- Filter(function(m) solver_takes(row, loss, intercept, m),
                        c(0, 0.5))
      extra <- more(row, loss)
      if (length(mixture) == 0L || is.null(extra)) next
      classes <- loss$task == "classification"
      if (startsWith(row$name, "mixup_") && !classes) next
      y <- if (classes) hostile$two else hostile$y
      args <- list(fun, hostile[[storages]], y, loss = loss, intercept = intercept, scale = FALSE,
                   lambda = lambda, solver = row$name)
      if (family == "linear") args$mixture <- mixture[1L]
      fit <- tryCatch(do.call(fit_quickly, c(args, extra)), dualmargin_error = identity)
      if (inherits(fit, "error")) next
      count <- count + 1L
      # in the unit of the response, as the certificate is
      codes <- if (classes) c(-1, 1)[hostile$two] else hostile$y / unit_of(fit)
      null <- null_of(fit$settings$loss, codes, intercept == "free")
      found <- c(found, worse_than_nothing(fit, null, paste(row$name, format(loss), intercept)))
    }
  }
  list(found = found, count = count)
}

test_that("no linear fit is worse than nothing", {
  law <- laws_of("linear", margin_linear, c(1e-10, 1e-3))
  expect_gt(law$count, 200L)
  expect_identical(law$found, character())
})

test_that("no kernel fit is worse than nothing", {
  for (kernel in list(kernel_polynomial(2L), kernel_rbf(1e-3))) {
    law <- laws_of("kernel", margin_kernel, 1e-10, function(row, loss) {
      if (!startsWith(row$name, "mixup_")) list(kernel = kernel)
    })
    expect_gt(law$count, 60L)
    expect_identical(law$found, character(), label = kernel$name)
  }
})

test_that("no augmented fit is worse than nothing", {
  law <- laws_of("augmented", margin_augmented, 1e-10, function(row, loss) {
    list(perturbation = if (row$closed_form) perturb_gaussian(0.1) else perturb_dropout(0.3),
         center = FALSE)
  }, storages = "dense")
  expect_gt(law$count, 10L)
  expect_identical(law$found, character())
})

test_that("where 0 is the better bound of an augmented fit, F(w) - F* is at most F(w)", {
  p <- few_columns(n = 100L, p = 12L)
  fits <- list(masks = list(p$x[, 1:4], perturb_dropout(0.3)),
               known = list(p$x, perturb_gaussian(0.5)), drawn = list(p$x, perturb_dropout(0.3)))
  for (what in names(fits)) for (seed in 1:3) {
    # so small a penalty that |g|^2 / (2 lambda) is far above the value
    fit <- suppressMessages(suppressWarnings(margin_augmented(
      fits[[what]][[1L]], p$y, fits[[what]][[2L]], lambda = 1e-8, loss = "logistic",
      intercept = "none", solver = if (what == "known") "auto" else "sgd",
      control = margin_control(seed = seed, max_epochs = 2)
    )))
    row <- fit$certificate
    expect_identical(row$kind, if (what == "drawn") "confidence bound" else "gradient bound")
    if (what != "known") expect_identical(row$bound, 0)
    expect_lte(row$bound, row$value)
    # the value that was drawn may lie below F(w), by its error at the t quantile of ten batches
    error <- if (what == "drawn") stats::qt(1 - 0.05 / 4, 9) * fit$value_se else 0
    expect_lte(fit$suboptimality, (row$value + error) * (1 + 1e-12))
    if (what == "drawn") expect_gte(fit$suboptimality, row$value)
  }
})

test_that("where 0 is the better bound, the gap of an augmented fit holds the value's rounding", {
  # beside columns of 1e6 a score of one has lost digits, which the slope hands on to the value
  for (seed in 1:6) for (loss in list(loss_squared_hinge(), loss_squared_hinge(0.1266))) {
    set.seed(seed)
    x <- matrix(sample(-9:9, 12, TRUE), 3) * 1e5
    fit <- suppressMessages(suppressWarnings(margin_augmented(
      x, c(-1, 1, 1), perturb_gaussian(0.05), loss = loss, lambda = 0.006, intercept = "none",
      scale = FALSE, solver = "sgd",
      control = margin_control(tol = 1e-9, max_epochs = 200, seed = 1)
    )))
    expect_identical(fit$certificate$bound, 0)
    expect_gte(fit$certificate$gap, fit$suboptimality, label = paste("seed", seed, format(loss)))
    # which is a share of the value, and no more
    expect_equal(fit$certificate$gap, fit$certificate$value, tolerance = 1e-4)
  }
})

test_that("no robust fit and no fit of joint classes is worse than nothing", {
  found <- character()
  for (row in solver_rows("robust")) {
    for (intercept in unlist(row$intercepts)) for (radius in c(1e-8, 0.1)) {
      fit <- fit_quickly(margin_robust, hostile$sparse, hostile$two, radius = radius,
                         intercept = intercept, scale = FALSE, solver = row$name)
      found <- c(found, worse_than_nothing(fit, 1, paste(row$name, intercept)))
    }
  }
  for (joint in c("softmax", "crammer_singer")) for (solver in joint_solvers) {
    for (intercept in c("free", "penalized", "none")) for (lambda in c(1e-10, 1e-3)) {
      fit <- tryCatch(fit_quickly(margin_linear, hostile$sparse, hostile$three, multiclass = joint,
                                  intercept = intercept, scale = FALSE, lambda = lambda,
                                  solver = solver), dualmargin_error = identity)
      if (inherits(fit, "error")) next
      null <- if (joint == "softmax") log(3) else 1
      found <- c(found, worse_than_nothing(fit, null, paste(joint, solver, intercept)))
    }
  }
  expect_identical(found, character())
})

test_that("what is returned in place of a worse point is one pair", {
  fit <- fit_quickly(margin_kernel, hostile$sparse, hostile$y, loss = "squared", intercept = "free",
                     kernel = kernel_polynomial(2L), lambda = 1e-10, scale = FALSE)
  expect_equal(fit$certificate$value, mean((fit$scores - hostile$y)^2) / 2, tolerance = 1e-9)
  expect_equal(unname(fit$scores), unname(predict(fit, hostile$sparse, type = "score")),
               tolerance = 1e-9)
  expect_identical(fit$certificate$gap, fit$certificate$value - fit$certificate$bound)
})
