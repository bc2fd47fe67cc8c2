# Changes of the rows of kernel fits: against refits, beside the linear family, and by hand.

own <- asNamespace("dualmargin")

kernel_case <- function(seed = 1, n = 40L, ..., loss = "logistic", intercept = "free",
                        kernel = kernel_rbf(1), lambda = 0.05, tol = 1e-13) {
  problem <- moons(n = n, seed = seed)
  y <- factor(problem$y)
  fit <- suppressWarnings(margin_kernel(
    problem$x, y, kernel = kernel, loss = loss, lambda = lambda, intercept = intercept,
    scale = FALSE, ..., control = margin_control(tol = tol, seed = 1, max_epochs = 5000,
                                                 progress = FALSE)
  ))
  list(x = problem$x, y = y, new = problem$x[1:9, ] + 0.2, fit = fit, n = n,
       certain = margin_certain(fit, problem$x, y))
}

changed_ends <- function(case, ...) {
  found <- margin_sensitivity(case$certain, case$x, case$y, case$new, ...)
  as.matrix(as.data.frame(found)[c("lower", "upper")])
}

test_that("every interval holds the optimum of the changed problem", {
  rows <- run_decisions("C8", if (is_extended()) 1:500 else 1:20)
  expect_identical(rows$seed[rows$violations > 0], integer())
  expect_identical(unique(rows$failed), "")
  expect_identical(sum(rows$contradicted, na.rm = TRUE), 0)
  expect_gte(max(rows$used, na.rm = TRUE), 0.8)
})

test_that("without a step the ball has the diameter [f, f - Delta/kappa] in function space", {
  for (intercept in c("none", "penalized")) {
    for (loss in c("hinge", "squared_hinge")) {
      case <- kernel_case(loss = loss, intercept = intercept)
      out <- 1:4
      kappa <- 0.05 * case$n
      K <- function(a, b) plain_kernel(kernel_rbf(1), a, b) + (intercept == "penalized")
      mass <- -case$fit$dual[out]
      delta <- drop(K(case$new, case$x[out, ]) %*% mass)
      size <- sqrt(sum(mass * K(case$x[out, ], case$x[out, ]) %*% mass))
      score <- unname(predict(case$fit, case$new, type = "score"))
      middle <- score - delta / (2 * kappa)
      half <- sqrt(1 + (intercept == "penalized")) * size / (2 * kappa)
      ends <- changed_ends(case, remove = out, steps = 0)
      expect_lte(max(abs(ends - cbind(middle - half, middle + half))), 1e-5)
    }
  }
})

test_that("a linear kernel bounds what the linear model bounds", {
  for (loss in c("logistic", "smooth_hinge", "hinge")) {
    for (intercept in c("none", "penalized", "free")) {
      case <- kernel_case(loss = loss, intercept = intercept, kernel = kernel_linear(),
                          center = FALSE)
      linear <- case
      fit <- suppressWarnings(margin_linear(
        case$x, case$y, loss = loss, lambda = 0.05, intercept = intercept, scale = FALSE,
        control = margin_control(tol = 1e-13, seed = 1, max_epochs = 5000, progress = FALSE)
      ))
      linear$certain <- margin_certain(fit, case$x, case$y)
      labels <- replace(rep(NA, case$n), 7, rev(levels(case$y))[case$y[7]])
      # curvature is the linear family's alone without a step
      steps <- if (loss == "logistic") 3 else 0
      a <- changed_ends(case, remove = 1:3, relabel = labels, steps = steps)
      b <- changed_ends(linear, remove = 1:3, relabel = labels, steps = steps)
      if (intercept != "free" || loss == "logistic") {
        expect_lte(max(abs(a - b)), 1e-4)
      } else {
        # around the mean of other rows, and a hinge balanced by others where several serve; the
        # linear model is tilted towards each new row as well
        wider <- log((a[, 2L] - a[, 1L]) / (b[, 2L] - b[, 1L]))
        expect_gte(min(wider), -0.1)
        expect_lte(max(wider), 0.5)
      }
    }
  }
})

test_that("the error of a step falls like the square of the change", {
  for (intercept in c("penalized", "free")) {
    case <- kernel_case(intercept = intercept, lambda = 0.1)
    widths <- vapply(c(0.2, 0.1, 0.05), function(by) {
      ends <- changed_ends(case, weights = 1 + by * (seq_len(case$n) <= 5), steps = 1)
      stats::median(ends[, 2L] - ends[, 1L])
    }, 0)
    expect_true(all(widths[-3L] / widths[-1L] > 3))
    expect_lte(widths[3L], 1e-3)
  }
  steps <- vapply(0:3, function(k) {
    ends <- changed_ends(case, remove = 1:4, steps = k)
    stats::median(ends[, 2L] - ends[, 1L])
  }, 0)
  expect_true(all(diff(steps) <= 1e-9))
  expect_lte(steps[4L], 1e-5)
})

test_that("one change said in several ways has one answer, and no change none", {
  for (loss in c("squared_hinge", "logistic")) {
    case <- kernel_case(seed = 3, loss = loss)
    gone <- changed_ends(case, remove = 1:3)
    expect_equal(changed_ends(case, weights = rep(0:1, c(3, 37))), gone, tolerance = 1e-10)
    by_group <- as.data.frame(margin_sensitivity(
      case$certain, case$x, case$y, case$new, groups = rep(c("g", "h"), c(3, 37))
    ))
    expect_equal(by_group$lower[by_group$group == "g"], unname(gone[, 1L]), tolerance = 1e-10)
    twice <- changed_ends(case, weights = rep(2:1, c(2, 38)))
    again <- changed_ends(case, add = list(x = case$x[1:2, ], y = case$y[1:2]))
    expect_lte(max(abs(twice - again)), 1e-4)
    none <- changed_ends(case, remove = integer())
    as_fitted <- as.matrix(predict(case$certain, case$new, data = case$x)[2:3])
    expect_lte(max(abs(none - as_fitted)), 1e-6)
  }
})

test_that("several classes, sparse centred rows and one class left", {
  rows <- seq(1, 150, by = 2)
  exact <- margin_control(tol = 1e-12, seed = 1, progress = FALSE)
  fit <- margin_kernel(Species ~ ., data = iris[rows, ], lambda = 0.05, loss = "squared_hinge",
                       control = exact)
  certain <- margin_certain(fit, iris[rows, ])
  new <- iris[c(2, 72, 108, 134), ]
  found <- as.data.frame(margin_sensitivity(certain, iris[rows, ], newdata = new, remove = 1:10))
  left <- rows[-(1:10)]
  scaled <- function(x) sweep(as.matrix(x[1:4]), 2L, fit$scales, `/`)
  best <- margin_kernel(scaled(iris[left, ]), iris$Species[left], kernel = fit$settings$kernel,
                        lambda = 0.05 * 75 / 65, loss = "squared_hinge", scale = FALSE,
                        control = exact)
  scores <- predict(best, scaled(new), type = "score")
  for (level in levels(iris$Species)) {
    lower <- found[[paste0("lower_", level)]]
    upper <- found[[paste0("upper_", level)]]
    expect_true(all(lower <= scores[, level] + 1e-5 & upper >= scores[, level] - 1e-5))
    expect_lte(max(upper - lower), 0.01)
  }
  problem <- moons(30L)
  y <- factor(problem$y)
  sparse <- methods::as(problem$x, "CsparseMatrix")
  ask <- function(x, out) {
    fit <- margin_kernel(x, y, kernel = kernel_polynomial(2, 1, 1), lambda = 0.1,
                         loss = "logistic", center = TRUE, control = exact)
    as.data.frame(margin_sensitivity(margin_certain(fit, x, y), x, y, remove = out))
  }
  expect_equal(ask(sparse, 1:3)$lower, ask(problem$x, 1:3)$lower, tolerance = 1e-5)
  alone <- ask(problem$x, which(y == levels(y)[1L]))
  expect_identical(unique(alone$lower), Inf)
  expect_true(all(alone$decided & alone$class == levels(y)[2L]))
})
