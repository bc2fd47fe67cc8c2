# Weak penalties on rows that can be separated: Newton's steps would be short without end, unless
# the penalty comes down step by step.

expect_certified <- function(...) {
  fit <- quiet_fit(..., control = margin_control(seed = 1))
  expect_true(all(fit$certificate$certified))
  fit
}

test_that("groups of indicators, separable, weak ridge, free intercept", {
  set.seed(3)
  groups <- lapply(1:12, function(k) factor(sample(letters[1:8], 1500L, replace = TRUE)))
  x <- unname(do.call(cbind, lapply(groups, function(g) stats::model.matrix(~ g - 1))))
  y <- factor(drop(x %*% rnorm(ncol(x))) > 0)
  for (loss in c("smooth_hinge", "squared_hinge")) for (lambda in 10^-(4:8)) {
    expect_certified(x, y, loss = loss, lambda = lambda)
  }
  mushrooms <- tryCatch(margin_data("mushrooms"), dualmargin_input_error = function(e) NULL)
  if (!is.null(mushrooms)) {
    expect_certified(mushrooms$x, factor(mushrooms$y), loss = "smooth_hinge", lambda = 1e-6)
  }
})

# The dual polishing stalls on one in fifty of these, on another one with another BLAS, and says so.
test_that("rows of full rank, fewer than columns: colon, rotated, nearly all have a certificate", {
  p <- 500L
  ends <- character()
  for (seed in 1:2) for (loss in c("smooth_hinge", "squared_hinge")) for (scale in c(TRUE, FALSE)) {
    set.seed(seed)
    x <- as.matrix(colon$x)[, seq_len(p)] %*% qr.Q(qr(matrix(rnorm(p^2), p)))
    fit <- quiet_fit(x, colon$y, loss = loss, lambda = 1e-3, scale = scale, control = margin_control(seed = 1))
    expect_identical(fit$certificate$certified, fit$status$status == "certified")
    ends <- c(ends, fit$status$status)
  }
  expect_true(all(ends %in% c("certified", "stalled")))
  expect_lte(sum(ends == "stalled"), 2L)
})

test_that("columns on many scales, elastic net", {
  for (seed in 1:12) for (scale in c(TRUE, FALSE)) for (mixture in c(0, 0.5)) {
    set.seed(seed)
    x <- matrix(rnorm(14 * 34), 14) %*% diag(10^runif(34, -2, 2))
    y <- rep(c(-1, 1), 7)[sample(14)]
    for (solver in c("auto", "newton")) {
      expect_certified(x, y, loss = "smooth_hinge", lambda = 9e-5, mixture = mixture,
                       scale = scale, solver = solver)
    }
  }
})
