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

test_that("a linear kernel bounds what the linear model bounds, and finds what it finds", {
  for (loss in c("logistic", "smooth_hinge", "squared_hinge", "hinge", "squared")) {
    for (intercept in c("none", "penalized", "free")) {
      case <- kernel_case(loss = loss, intercept = intercept, kernel = as_kernel("linear"),
                          center = FALSE)
      linear <- case
      fit <- suppressWarnings(margin_linear(
        case$x, case$y, loss = loss, lambda = 0.05, intercept = intercept, scale = FALSE,
        control = margin_control(tol = 1e-13, seed = 1, max_epochs = 5000, progress = FALSE)
      ))
      linear$certain <- margin_certain(fit, case$x, case$y)
      labels <- replace(rep(NA, case$n), 7, rev(levels(case$y))[case$y[7]])
      for (refits in c(0, Inf)) {
        a <- changed_ends(case, remove = 1:3, relabel = labels, refits = refits)
        b <- changed_ends(linear, remove = 1:3, relabel = labels, refits = refits)
        label <- paste(loss, intercept, refits)
        # many dual points serve a hinge with a free intercept; refits end where classes are known
        if (loss == "hinge" && (intercept == "free" || refits > 0)) {
          expect_true(all(pmax(a[, 1L], b[, 1L]) <= pmin(a[, 2L], b[, 2L])), label = label)
        } else {
          expect_lte(max(abs(a - b)), 1e-4, label = label)
        }
      }
    }
  }
})

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
    as_fitted <- as.matrix(predict(case$certain, case$new, data = case$x, refits = 0)[2:3])
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
