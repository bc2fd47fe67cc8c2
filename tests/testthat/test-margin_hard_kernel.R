# Rows that a line through the origin separates by some distance; two classes, or k.
apart <- function(n = 60L, d = 4L, k = 2L, seed = 1L) {
  set.seed(seed)
  centre <- matrix(rnorm(k * d, sd = 1.3), k, d)
  class <- rep_len(seq_len(k), n)
  x <- centre[class, ] + 0.3 * matrix(rnorm(n * d), n, d)
  colnames(x) <- paste0("x", seq_len(d))
  list(x = x, y = if (k == 2L) c(-1, 1)[class] else factor(letters[class]))
}

# Two rings, which no line separates.
rings <- function(n = 60L, seed = 2L) {
  set.seed(seed)
  angle <- runif(n, 0, 2 * pi)
  inner <- rep(c(TRUE, FALSE), length.out = n)
  radius <- ifelse(inner, runif(n, 0.4, 0.8), runif(n, 1.2, 1.6))
  list(x = cbind(east = radius * cos(angle), north = radius * sin(angle)),
       y = factor(ifelse(inner, "inner", "outer")))
}

# The smallest distance by the scores of the training rows.
smallest_distance <- function(fit) {
  scores <- fit$scores
  own <- as.integer(as.factor(fit$response))
  if (!is.matrix(scores)) {
    return(min(scores * c(-1, 1)[own]))
  }
  at <- cbind(seq_len(nrow(scores)), own)
  min(scores[at] - apply(replace(scores, at, -Inf), 1L, max))
}

# Value, bound and scores from the kernel matrix, in plain R.
expect_honest_margin <- function(fit, K) {
  constant <- fit$settings$intercept == "penalized"
  K <- K + constant
  k <- max(1L, length(fit$levels) * (length(fit$levels) > 2L))
  beta <- matrix(0, nrow(K), k)
  beta[fit$support$at, ] <- own_slopes(fit)
  free <- if (fit$settings$intercept == "free") coef(fit)[[1L]] else 0
  scores <- K %*% beta + free
  expect_equal(unname(as.matrix(fit$scores)), unname(scores), tolerance = 1e-8)
  # of length one, or for several classes 1 / sqrt(2)
  length <- sqrt(sum(beta * (K %*% beta)))
  expect_equal(length, if (k == 1L) 1 else sqrt(0.5), tolerance = 1e-8)
  expect_equal(smallest_distance(fit), fit$certificate$value, tolerance = 1e-7)
  own <- as.integer(as.factor(fit$response))
  if (k == 1L) {
    expect_equal(sum(fit$dual), 1)
    sides <- drop(rowsum(unname(fit$dual), own))
    if (fit$settings$intercept == "free") expect_equal(as.vector(sides), c(0.5, 0.5))
    mass <- matrix(fit$dual * c(-1, 1)[own])
  } else {
    expect_equal(sum(fit$dual), 1)
    mass <- -unname(fit$dual)
    at <- cbind(seq_along(own), own)
    expect_identical(fit$dual[at], numeric(length(own)))
    mass[at] <- rowSums(fit$dual)
    mass <- mass * sqrt(0.5)
  }
  bound <- sqrt(sum(mass * (K %*% mass)))
  # the bound is that of the unit-length direction of all classes
  expect_equal(bound, fit$certificate$bound, tolerance = 1e-7)
}

test_that("a polynomial kernel gives the margin of its features", {
  problem <- rings()
  x <- problem$x
  # (x.x' + 1)^2
  features <- cbind(x[, 1]^2, x[, 2]^2, sqrt(2) * x[, 1] * x[, 2], sqrt(2) * x, 1)
  for (intercept in c("none", "penalized", "free")) {
    plain <- margin_hard(features, problem$y, intercept = intercept)
    fit <- margin_hard(x, problem$y, kernel = kernel_polynomial(2), intercept = intercept)
    expect_equal(fit$certificate$value, plain$certificate$value, tolerance = 1e-9)
    expect_equal(fit$scores, plain$scores, tolerance = 1e-7, ignore_attr = TRUE)
    expect_honest_margin(fit, tcrossprod(features))
  }
})

test_that("a kernel that cannot tell the classes apart is found out", {
  x <- rbind(c(1, 2), c(1, 2), c(3, 1), c(2, 2))
  y <- c(-1, 1, 1, -1)
  for (kernel in list(kernel_rbf(1), kernel_polynomial(2))) {
    for (intercept in c("none", "penalized", "free")) {
      fit <- NULL
      expect_warning(fit <- margin_hard(x, y, kernel = kernel, intercept = intercept),
                     class = "dualmargin_not_separable")
      expect_false(fit$separable)
      q <- fit$dual
      K <- plain_kernel(kernel, x) + (intercept == "penalized")
      expect_lte(sqrt(max(0, drop((q * y) %*% K %*% (q * y)))), 1e-7 * sqrt(max(diag(K))))
      expect_equal(sum(q), 1)
    }
  }
})

test_that("every error has its own words", {
  problem <- apart()
  x <- problem$x
  y <- problem$y
  three <- apart(k = 3L)
  K <- tcrossprod(x)
  expect_told("margin_hard_kernel", "kernels", {
    margin_hard(x, y, kernel = "cubic", intercept = "none")
    margin_hard(x, y, kernel = 3, intercept = "none")
    margin_hard(x, y, kernel = kernel_rbf, intercept = "none")
    margin_hard(K, y, kernel = kernel_precomputed(), scale = TRUE, intercept = "none")
    margin_hard(x, y, kernel = kernel_precomputed(), intercept = "none")
    margin_hard(K + row(K), y, kernel = kernel_precomputed(), intercept = "none")
    margin_hard(x, y, kernel = function(a, b) 1, intercept = "none")
    margin_hard(three$x, three$y, kernel = "linear", intercept = "free")
    margin_hard(three$x, three$y, intercept = "free")
  })
  fit <- margin_hard(x, y, intercept = "none")
  expect_told("margin_hard_kernel", "control", {
    margin_hard(x, y, kernel = "linear", control = margin_control(start = fit), intercept = "none")
    margin_hard(x, y, kernel = "linear",
                control = margin_control(solver_options = list(cache_mb = -1)), intercept = "none")
  })
})

test_that("the margin is that of the coefficients where a kernel lacks what is allowed for", {
  # k_13^2 is above k_11 k_33 by 4e-9: the score of a row passes the product of the lengths
  K <- matrix(1, 6, 6)
  near <- c(1, 2, 5, 6)
  K[near, near] <- 1 - 4e-9
  y <- c(1, -1, -1, 1, 1, 1)
  for (solver in hard_solvers("none")) {
    fit <- quiet_hard(K, y, kernel = kernel_precomputed(), solver = solver)
    if (!is.finite(fit$certificate$value)) next
    w <- numeric(6)
    w[fit$support$at] <- fit$coefficients
    margin <- min(y * drop(K %*% w)) / sqrt(sum(w * drop(K %*% w)))
    expect_lte(fit$certificate$value, margin + 1e-12, label = solver)
  }
})

test_that("where pairs creep the default goes on to the active set, which proves what there is to prove", {
  for (seed in 1:8) {
    set.seed(seed)
    x <- matrix(rnorm(150), 50)
    y <- factor(x[, 1] + rnorm(50) > 0)
    fit_of <- function(solver) {
      suppressWarnings(margin_hard(x, y, kernel = kernel_rbf(), scale = TRUE, solver = solver))
    }
    expect_equal(certificate(fit_of("auto"))$value, certificate(fit_of("active_set"))$value, tolerance = 1e-6)
    near <- matrix(rnorm(30))[sample(30, 30, TRUE), , drop = FALSE]
    repeated <- suppressWarnings(margin_hard(near, factor(near + rnorm(30) > 0), kernel = kernel_rbf()))
    expect_false(is.na(repeated$separable))
  }
})
