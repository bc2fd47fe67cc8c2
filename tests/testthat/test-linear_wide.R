# Wide dense rows: what the automatic solver takes, and Newton's method over products of rows.

wide <- function(n, p, factors = 0L, seed = 1L) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  if (factors > 0L) x <- x + matrix(rnorm(n * factors), n) %*% matrix(rnorm(factors * p), factors)
  list(x = x, y = factor(ifelse(x[, 1] + x[, 2] + rnorm(n) > 0, "b", "a")))
}
fit_by <- function(data, solver, loss = "logistic", intercept = "free", ...) {
  margin_linear(data$x, data$y, loss = loss, intercept = intercept, scale = TRUE, solver = solver,
                ..., control = margin_control(seed = 1, max_epochs = 5000))
}

test_that("auto takes the dual method on wide dense rows, for every smooth classification loss", {
  data <- wide(320L, 900L)
  for (loss in c("logistic", "smooth_hinge", "squared_hinge")) {
    for (intercept in c("free", "penalized", "none")) for (lambda in c(1, 1e-2) / 320) {
      fit <- fit_by(data, "auto", loss, intercept, lambda = lambda)
      expect_identical(fit$status$solver, "dual_cd", label = paste(loss, intercept, lambda))
      expect_true(fit$certificate$certified)
    }
  }
})

test_that("auto leaves it where it is slow, and ends with a certificate all the same", {
  data <- wide(320L, 900L, factors = 10L)
  for (loss in c("logistic", "squared_hinge")) {
    fit <- fit_by(data, "auto", loss, lambda = 1e-2 / 320)
    expect_true(fit$certificate$certified)
    newton <- fit_by(data, "newton", loss, lambda = 1e-2 / 320)
    expect_lte(fit$certificate$bound, newton$certificate$value)
    expect_lte(newton$certificate$bound, fit$certificate$value)
  }
  # few columns, and few rows
  expect_identical(fit_by(wide(320L, 100L), "auto", lambda = 1 / 320)$status$solver, "lbfgs")
  expect_identical(fit_by(wide(50L, 200L), "auto", lambda = 1 / 50)$status$solver, "newton")
})

test_that("ill conditioned counts of words keep the dual method, whose bound rises steadily", {
  set.seed(4)
  documents <- 4000L
  words <- 3000L
  row <- rep(seq_len(documents), times = pmin(400L, rgeom(documents, 1 / 60) + 5L))
  column <- sample(words, length(row), TRUE, prob = 1 / seq_len(words))
  x <- Matrix::sparseMatrix(row, column, x = 1, dims = c(documents, words))
  score <- as.vector(x %*% rnorm(words))
  y <- factor(score + rnorm(documents, sd = sd(score) / 3) > median(score))
  relative_gap <- function(loss, lambda) {
    fit <- suppressWarnings(margin_linear(x, y, loss = loss, lambda = lambda, intercept = "none", scale = FALSE,
                                          control = margin_control(seed = 1)))
    certificate(fit)$relative_gap
  }
  # .06 and .7 where conjugate gradients had all passes
  expect_lt(relative_gap("hinge", 1e-4), 0.01)
  expect_lt(relative_gap("squared_hinge", 1e-6), 0.1)
})
