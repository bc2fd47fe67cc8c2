# A path over the radius: each point is the fit of its radius.

robust_path_of <- function(problem, ..., intercept = "none", scale = FALSE) {
  withCallingHandlers(
    margin_path(problem$x, factor(problem$y), family = "robust", ..., intercept = intercept,
                scale = scale),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
  )
}

test_that("the chosen sequence starts where w = 0 is optimal", {
  problem <- small_problem()
  for (norm in c("l1", "l2", "linf")) for (label_cost in c(0.4, 3, Inf)) {
    path <- robust_path_of(problem, norm = norm, label_cost = label_cost, n_radius = 3,
                           radius_min_ratio = 0.1)
    expect_equal(path$certificate$value[1L], 1, tolerance = 1e-6)
    moved <- colMeans(problem$y * problem$x)
    dual <- plain_norm(moved, dual_norms[[norm]])
    expect_equal(path$radius, min(dual, label_cost / 2) * c(1, sqrt(0.1), 0.1))
  }
})

test_that("methods of a path pick by radius", {
  path <- margin_path(Species ~ ., data = iris, family = "robust", norm = "l2", scale = TRUE,
                      radius = c(0.02, 0.3, 0.1), intercept = "free")
  expect_identical(path$radius, c(0.3, 0.1, 0.02))
  expect_identical(dim(coef(path, radius = 0.1)$setosa), c(5L, 1L))
  expect_identical(dim(predict(path, iris, type = "score")), c(150L, 3L, 3L))
  expect_named(certificate(path)[3L], "radius")
  expect_named(tidy(path), c("radius", "class", "term", "estimate"))
  expect_named(glance(path)[1:2], c("radius", "nobs"))
  alone <- margin_robust(Species ~ ., data = iris, norm = "l2", scale = TRUE, radius = 0.1,
                         intercept = "free")
  expect_gt(mean(predict(path, iris, radius = 0.1)[[1L]] == predict(alone)), 0.98)
  expect_told("path_robust", "printed", print(path), mask = function(lines) {
    sub("(work +|relative gap )[0-9].*", "\\1...", lines)
  })
  expect_identical(nrow(certificate(path, by = "class")), 9L)
})

test_that("bad input to a robust path names argument, value and remedy", {
  x <- matrix(c(1, 2, -1, 0, 3, 1, 4, 2), 4)
  y <- c(1, -1, 1, -1)
  expect_told("path_robust", "input", {
    margin_path(x, y, family = "rob")
    margin_path(x, y, family = "robust", radius = c(0.1, -1), intercept = "none", scale = FALSE)
    margin_path(x, y, family = "robust", radius = c(0.1, 0.1), intercept = "none", scale = FALSE)
    margin_path(x, y, family = "robust", radius = 0.1, n_radius = 3,
                intercept = "none", scale = FALSE)
    margin_path(x, y, family = "robust", radius = 0.1, radius_min_ratio = 0.3,
                intercept = "none", scale = FALSE)
    margin_path(x, y, family = "robust", n_radius = 0, intercept = "none", scale = FALSE)
    margin_path(x, y, family = "robust", lambda = 1, intercept = "none", scale = FALSE)
    margin_path(x, family = "robust", intercept = "none", scale = FALSE)
  })
  path <- margin_path(x, y, family = "robust", radius = c(0.1, 0.2), norm = "l2",
                      intercept = "none", scale = FALSE)
  linear <- margin_path(x, factor(y), lambda = c(0.1, 0.2), loss = "smooth_hinge")
  expect_told("path_robust", "methods", {
    coef(path, lambda = 0.1)
    coef(path, radius = 0.35)
    coef(linear, radius = 0.1)
    plot(linear, which = "risk")
    plot(path, which = "risk", data = x)
    plot(path, which = "risk", data = x, y = y[-1])
    plot(path, which = "risk", data = x, y = c(1, -1, 1, 2))
  })
})

# A bound that rests on a condition may have the smallest gap.
test_that("the worst point of a path is one that is not certified", {
  set.seed(1)
  x <- matrix(rnorm(240), 30)
  y <- factor(x[, 1] + rnorm(30) > 0)
  said <- tryCatch(margin_path(x, y, family = "robust", radius = c(0, 0.1)),
                   dualmargin_not_certified = identity)
  expect_identical(said$radius, 0)
  expect_identical(said$status, "conditional")
})
