# Changes of the rows of kernel fits: against refits, beside the linear family, and by hand.

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

test_that("bounds fall with the change, and solved problems are known", {
  for (loss in c("logistic", "squared_hinge", "squared", "huber")) {
    for (intercept in c("penalized", "free")) {
      case <- kernel_case(intercept = intercept, lambda = 0.1, loss = loss)
      width <- function(by, refits) {
        ends <- changed_ends(case, weights = 1 + by * (seq_len(case$n) <= 5), refits = refits)
        stats::median(ends[, 2L] - ends[, 1L])
      }
      bounds <- vapply(c(0.2, 0.1, 0.05), width, 0, refits = 0)
      expect_true(all(bounds[-3L] / bounds[-1L] > 1.7))
      expect_lte(width(0.2, 1), 1e-5)
    }
  }
})

test_that("as many groups are solved as are asked for, with any number of threads the same", {
  case <- kernel_case(n = 60L, lambda = 0.001, loss = "hinge")
  groups <- rep(1:6, 10)
  ask <- function(refits, threads = 1L) {
    certain <- case$certain
    certain$fit$settings$control$threads <- threads
    margin_sensitivity(certain, case$x, case$y, case$new, groups = groups, refits = refits)
  }
  bounds <- ask(0)
  some <- ask(2)
  all <- ask(Inf)
  expect_identical(sum(bounds$summary$solved), 0L)
  expect_identical(sum(some$summary$solved), 2L)
  expect_gt(sum(bounds$summary$open), sum(some$summary$open))
  expect_identical(sum(all$summary$open), 0L)
  expect_true(all(all$rows$lower >= bounds$rows$lower & all$rows$upper <= bounds$rows$upper))
  expect_identical(ask(Inf, 2L)$rows, all$rows)
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
