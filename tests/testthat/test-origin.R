# A problem with a free intercept does not know where the origin of its columns lies, nor, for
# losses of z - y, that of its response. Nor may its certificate.

offset_data <- function(offset, size = 1, n = 40L, p = 3L) {
  set.seed(5)
  x <- matrix(rnorm(n * p), n, p)
  far <- size * (round(x * 2^10) / 2^10 + offset)
  score <- x[, 1L] - x[, 2L] + 0.5 * rnorm(n)
  # the difference is exact: the two are within a factor of two
  list(x = far - size * offset, far = far, label = factor(score > 0), score = score,
       weights = sample(c(0.5, 1, 2), n, replace = TRUE))
}

# Sparse storage of a matrix without zeros, by rows or by columns.
every_entry_stored <- function(x, class) {
  x <- as(as(Matrix::Matrix(x, sparse = TRUE), "generalMatrix"), "CsparseMatrix")
  if (class == "dgRMatrix") as(x, "RsparseMatrix") else x
}

expect_same_optimum <- function(far, near, tolerance = 1e-6) {
  expect_true(all(far$certificate$certified))
  slack <- 1e-12 * pmax(abs(near$certificate$value), abs(far$certificate$value))
  expect_true(all(far$certificate$bound <= near$certificate$value + slack))
  expect_true(all(near$certificate$bound <= far$certificate$value + slack))
  slopes <- as.matrix(coef(near))[-1L, ]
  expect_lte(max(abs(as.matrix(coef(far))[-1L, ] - slopes)), tolerance * max(abs(slopes)))
}

for (loss in all_losses()) {
  test_that(paste("columns far from the origin give the fit of columns near it:", format(loss)), {
    for (case in list(c(1e3, 1e8), c(1e5, 1), c(1e8, 1e-8))) {
      size <- case[2L]
      data <- offset_data(case[1L], size)
      y <- if (loss$task != "classification") data$score else data$label
      control <- margin_control(tol = 1e-9, seed = 1)
      fit <- function(x, scale) {
        margin_linear(x, y, loss = loss, lambda = if (scale) 0.01 else 0.01 * size^2, scale = scale,
                      weights = data$weights, control = control)
      }
      for (scale in c(TRUE, FALSE)) {
        near <- fit(data$x, scale)
        expect_same_optimum(fit(data$far, scale), near)
        for (class in if (scale && size == 1) c("dgCMatrix", "dgRMatrix")) {
          expect_same_optimum(fit(every_entry_stored(data$far, class), scale), near)
        }
      }
    }
  })
}

for (loss in list(as_loss("squared"), loss_huber(0.3))) {
  test_that(paste("a response far from the origin gives the fit of one near it:", format(loss)), {
    for (case in list(c(1e3, 1e8), c(1e5, 1), c(1e8, 1e-8))) for (mixture in c(0, 0.5, 1)) {
      offset <- case[1L]
      size <- case[2L]
      data <- offset_data(0)
      stored <- size * (round(data$score * 2^10) / 2^10 + offset)
      loss_here <- if (loss$name == "huber") loss_huber(0.3 * size) else loss
      fit <- function(y) {
        margin_linear(data$x, y, loss = loss_here, mixture = mixture,
                      lambda = 0.01 * if (mixture > 0) size else 1, response_scale = FALSE,
                      control = margin_control(tol = 1e-9, seed = 1))
      }
      far <- fit(stored)
      near <- fit(stored - size * offset)
      expect_same_optimum(far, near, 1e-5)
      expect_equal(unname(coef(far)[1L] - coef(near)[1L]), size * offset, tolerance = 1e-8)
      expect_equal(fitted(far) - fitted(near), rep(size * offset, nrow(data$x)), tolerance = 1e-7,
                   ignore_attr = TRUE)
    }
  })
}

test_that("the yardstick is the null model with its best intercept", {
  # an optimum of nearly zero: the response is a line of the column
  x <- matrix(c(1, 2, 3, 5))
  y <- 1e6 + 3 * x[, 1L]
  fit <- margin_linear(x, y, loss = "squared", lambda = 1e-14, scale = FALSE)
  spread <- mean((y - mean(y))^2) / 2
  row <- fit$certificate
  expect_equal(row$relative_gap, row$gap / max(row$value, abs(row$bound), 1e-10 * spread))
})

test_that("the standard deviation of a column far away has its digits, dense or sparse", {
  for (offset in c(0, 1e3, 1e8)) {
    data <- offset_data(offset)
    W <- sum(data$weights)
    centred <- sweep(data$x, 2L, colSums(data$weights * data$x) / W)
    sd <- sqrt(colSums(data$weights * centred^2) / W)
    scales <- function(x) {
      unname(margin_linear(x, data$label, loss = "smooth_hinge", weights = data$weights)$scales)
    }
    expect_equal(scales(data$far), sd, tolerance = 1e-13)
    expect_identical(scales(every_entry_stored(data$far, "dgCMatrix")), scales(data$far))
    expect_identical(scales(every_entry_stored(data$far, "dgRMatrix")), scales(data$far))
  }
  # n ones but one: what is not stored is the difference of two counts, which do not round
  n <- 1605L
  ones <- Matrix::sparseMatrix(i = 2:n, j = rep(1L, n - 1L), x = 1, dims = c(n, 1L))
  rare <- margin_linear(ones, rep(c(-1, 1), length.out = n), loss = "smooth_hinge")
  expect_equal(unname(rare$scales), sqrt(n - 1) / n, tolerance = 1e-15)
  huge <- margin_linear(cbind(c(1, 3, 5, 7) * 1e90), c(-1, 1, -1, 1), loss = "hinge")
  expect_equal(unname(huge$scales), sqrt(5) * 1e90)
  tiny <- margin_linear(cbind(c(1, 3, 5, 7) * 1e-90), c(-1, 1, -1, 1), loss = "hinge")
  expect_equal(unname(tiny$scales), sqrt(5) * 1e-90)
})

test_that("the user's matrix stays as it is", {
  data <- offset_data(1e5)
  for (x in list(data$far, every_entry_stored(data$far, "dgRMatrix"))) {
    before <- serialize(x, NULL)
    margin_linear(x, data$label, loss = "logistic", scale = FALSE)
    margin_linear(x, data$label, loss = "logistic", mixture = 1, solver = "lasso", lambda = 0.01)
    expect_identical(serialize(x, NULL), before)
  }
})

for (intercept in c("penalized", "none")) {
  test_that(paste("no false certificate where the origin matters: intercept", intercept), {
    control <- margin_control(tol = 1e-9, seed = 1)
    for (loss in all_losses()[-1L]) for (offset in c(1e3, 1e8)) {
      data <- offset_data(offset)
      y <- if (loss$task != "classification") data$score + offset else data$label
      second <- if (loss$gamma > 0) "newton" else "ssnal"
      fits <- lapply(c("auto", second, "dual_cd"), function(solver) {
        quiet_fit(data$far, y, loss = loss, lambda = 0.01, scale = FALSE, solver = solver,
                  intercept = intercept, control = control)
      })
      rows <- do.call(rbind, lapply(fits, `[[`, "certificate"))
      # every bound is below every value, whatever it says of itself
      size <- 1e-11 * max(abs(rows$value))
      expect_lte(max(rows$bound), min(rows$value) + size)
      certified <- rows[rows$certified, ]
      # a gap is small beside the value or, of a fit that is next to exact, beside the null value
      expect_true(all(certified$value - min(rows$value) <= certified$gap + size))
    }
  })
}

# Sums of products without rounding to speak of: T. J. Dekker (1971), and R's long double sums.
exact_dot <- function(a, b) {
  split <- function(v) {
    c <- 134217729 * v
    high <- c - (c - v)
    list(high = high, low = v - high)
  }
  p <- a * b
  s <- split(a)
  t <- split(b)
  rest <- s$low * t$low - (((p - s$high * t$high) - s$low * t$high) - s$high * t$low)
  sum(c(p, rest))
}

test_that("the rounding of a certificate covers what rounding does, and is not large", {
  lambda <- 1e-3
  worst <- 0
  for (seed in 1:12) for (loss in list(as_loss("squared"), loss_smooth_hinge(), as_loss("hinge"))) {
    set.seed(seed)
    n <- c(50L, 3000L)[1L + seed %% 2L]
    p <- 6L
    # repeated entries and slopes make errors that all have one sign
    x <- matrix(if (seed %% 3L == 0L) 0.1 * rbinom(n * p, 1L, 0.5) else rnorm(n * p), n) %*%
      diag(10^runif(p, -2, 2))
    y <- if (loss$name == "squared") rnorm(n, sd = 10) else sample(c(-1, 1), n, replace = TRUE)
    omega <- rep(1, n)
    fit <- quiet_fit(x, y, loss = loss, lambda = lambda, scale = FALSE, intercept = "none",
                     control = margin_control(tol = 1e-9, seed = 1))
    a <- fit$dual
    c <- probe(
      "certificate", x, y, omega,
      list(loss = loss$name, parameter = loss$parameter, lambda = lambda, mixture = 0,
           intercept = "none"), coef(fit), 0, a
    )
    u <- vapply(seq_len(p), function(j) exact_dot(a, x[, j]) / n, 0)
    conjugate <- switch(loss$name,
      squared = exact_dot(a, y) + exact_dot(a, a) / 2,
      smooth_hinge = exact_dot(a, y) + loss$gamma * exact_dot(a, a) / 2,
      hinge = exact_dot(a, y)
    )
    dual <- -conjugate / n - exact_dot(u, u) / (2 * lambda)
    expect_lte(c$bound, dual * (1 + sign(dual) * 4e-16))
    expect_gte(c$gap, 0)
    expect_lte(c$rounding, 1e-12 * c$value)
    worst <- max(worst, (c$bound + c$rounding - dual) / c$value)
  }
  # there is something to cover
  expect_gt(worst, 0)
})

test_that("no bound in the trace is above the value where a free intercept has lost its last digits", {
  # one pair of rows of either class at one point, half a million units from the origin
  x <- c(0, -2, 4, -7, 4, -12, 1001961, 1001961, 4, 3, -3, 1001961, -9, 2, -12) - 500974.29126608901
  y <- c(-1, -1, -1, -1, -1, -1, 1, 1, 1, -1, -1, 1, -1, -1, -1)
  for (storage in list(as.matrix, function(x) methods::as(as.matrix(x), "CsparseMatrix"))) {
    fit <- margin_linear(storage(cbind(0, x)), y, loss = "hinge", lambda = 0.0064969214,
                         intercept = "free", scale = FALSE, control = margin_control(seed = 1))
    expect_true(certificate(fit)$certified)
    expect_lte(max(convergence(fit)$bound), certificate(fit)$value * (1 + 1e-12))
  }
})
