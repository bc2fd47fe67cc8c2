# L-BFGS as Nocedal prints it, dense, without an intercept: after so many steps from 0, or from w,
# with the inverse of `matrix` for H_0, or where there is none the scaled identity.
plain_lbfgs <- function(p, steps, matrix = NULL, w = numeric(p$p)) {
  value <- function(w) {
    sum(p$omega * plain_loss(p$loss, drop(p$x %*% w), p$y)) / p$W + p$l2 / 2 * sum(w^2)
  }
  gradient <- function(w) dual_sum(p, p$slope(drop(p$x %*% w), seq_len(p$n))) + p$l2 * w
  S <- Y <- list()
  for (k in seq_len(steps)) {
    g <- gradient(w)
    q <- g
    alpha <- numeric(length(S))
    for (i in rev(seq_along(S))) {
      alpha[i] <- sum(S[[i]] * q) / sum(S[[i]] * Y[[i]])
      q <- q - alpha[i] * Y[[i]]
    }
    if (!is.null(matrix)) {
      q <- solve(matrix, q)
    } else if (length(S) > 0L) {
      last <- length(S)
      q <- q * sum(S[[last]] * Y[[last]]) / sum(Y[[last]]^2)
    }
    for (i in seq_along(S)) {
      q <- q + (alpha[i] - sum(Y[[i]] * q) / sum(S[[i]] * Y[[i]])) * S[[i]]
    }
    t <- optimize(function(t) value(w - t * q), c(0, 100 * sum(g * q) / sum(q^2)), tol = 1e-14)$minimum
    S <- utils::tail(c(S, list(-t * q)), 10L)
    Y <- utils::tail(c(Y, list(gradient(w - t * q) - g)), 10L)
    w <- w - t * q
  }
  w
}

test_that("of a quadratic loss, whose steps are exact, the iterates are those of L-BFGS", {
  # too many columns for a Hessian
  p <- plain_problem(as_loss("squared"), lambda = 0.3, n = 60L, p = 1501L)
  for (steps in 1:4) {
    fit <- fit_epochs(p, "lbfgs", steps + 1, seed = 1, iterate = "last")
    expect_equal(unname(coef(fit)), plain_lbfgs(p, steps), tolerance = 1e-6)
  }
  # and with a Hessian one step is enough
  p <- plain_problem(as_loss("squared"), lambda = 1e-3, n = 200L, p = 8L)
  fit <- quiet_fit(p$x, p$y, loss = "squared", lambda = p$lambda, intercept = "none",
                   scale = FALSE, weights = p$omega, solver = "lbfgs",
                   control = margin_control(tol = 1e-12))
  expect_equal(unname(coef(fit)), solve(crossprod(p$x * p$omega / p$W, p$x) + diag(p$l2, p$p),
                                        crossprod(p$x, p$omega * p$y) / p$W)[, 1L],
               tolerance = 1e-8)
  expect_lte(fit$status$steps, 1)
})

test_that("the gap of each step is the squared gradient over twice the ridge", {
  for (intercept in c("free", "penalized", "none")) {
    p <- plain_problem(as_loss("logistic"), lambda = 1e-3, n = 300L, p = 5L)
    fit <- quiet_fit(p$x, factor(p$y), loss = "logistic", lambda = p$lambda, scale = FALSE,
                     intercept = intercept, weights = p$omega, solver = "lbfgs",
                     control = margin_control(tol = 1e-10, max_epochs = 2,
                                              solver_options = list(iterate = "last")))
    x <- if (intercept == "penalized") cbind(p$x, 1) else p$x
    w <- unname(coef(fit))
    if (intercept != "none") w <- w[c(2:6, if (intercept == "penalized") 1L)]
    g <- colSums(p$omega * fit$dual * x) / p$W + p$l2 * w
    expect_equal(certificate(fit)$gap, sum(g^2) / (2 * p$l2), tolerance = 1e-5)
    if (intercept == "free") expect_lt(abs(sum(p$omega * fit$dual)), 1e-11 * p$W)
  }
})

test_that("a sample and the Hessian of all rows save passes, and change no optimum", {
  set.seed(6)
  x <- matrix(rnorm(4e4), 4000) %*% diag(10^seq(0, -2, length.out = 10))
  y <- factor(x[, 1] + 30 * x[, 9] + rnorm(4000) > 0)
  for (loss in c("logistic", "squared_hinge")) for (lambda in c(1e-2, 1e-6)) {
    fit <- function(solver, ...) {
      margin_linear(x, y, loss = loss, lambda = lambda, scale = FALSE, solver = solver,
                    control = margin_control(tol = 1e-9, seed = 1, max_epochs = 5000,
                                             solver_options = list(...)))
    }
    sampled <- fit("lbfgs")
    whole <- fit("lbfgs", subsample = FALSE)
    expect_equal(coef(sampled), coef(whole), tolerance = 1e-3)
    expect_lte(sampled$status$epochs, whole$status$epochs)
    expect_lte(sampled$status$epochs, fit("fista")$status$epochs / 2)
  }
})

test_that("a sample without one of the classes is none", {
  x <- matrix(c(rnorm(4999), 50), 5000)
  y <- factor(seq_len(5000) == 5000)
  for (seed in 1:5) {
    fit <- margin_linear(x, y, loss = "logistic", lambda = 1e-4, solver = "lbfgs",
                         control = margin_control(tol = 1e-9, seed = seed))
    expect_true(certificate(fit)$certified)
  }
})

# ---- several classes in one problem ----
classes_data <- function(n, p, k, sparse = FALSE) {
  x <- matrix(rnorm(n * p), n) %*% diag(10^seq(0, -1, length.out = p))
  if (sparse) x <- Matrix::Matrix(x * (runif(n * p) < 0.3), sparse = TRUE)
  list(x = x, y = factor(max.col(as.matrix(x)[, seq_len(k)] + 0.5 * matrix(rnorm(n * k), n))),
       weights = sample(0:3, n, TRUE) + runif(n))
}
softmax_fit <- function(data, solver, tol = 1e-10, ...) {
  margin_linear(data$x, data$y, weights = data$weights, multiclass = "softmax", scale = FALSE,
                solver = solver, ...,
                control = margin_control(tol = tol, seed = 1, max_epochs = 5000))
}

test_that("of all classes it ends where Newton's method does, in fewer passes where these are many", {
  set.seed(7)
  for (data in list(classes_data(3000L, 10L, 4L), classes_data(2000L, 20L, 3L, sparse = TRUE),
                    classes_data(60L, 90L, 3L))) {
    for (intercept in c("free", "penalized", "none")) for (lambda in c(1e-1, 1e-4)) {
      one <- softmax_fit(data, "lbfgs", intercept = intercept, lambda = lambda)
      two <- softmax_fit(data, "newton", intercept = intercept, lambda = lambda)
      expect_true(certificate(one)$certified)
      expect_equal(certificate(one)$value, certificate(two)$value, tolerance = 1e-9)
      expect_equal(coef(one), coef(two), tolerance = 1e-4)
      if (nrow(data$x) > 1000) expect_lte(one$status$epochs, two$status$epochs)
    }
  }
})

test_that("the gap of all classes is that of the gradient, at balanced probabilities", {
  set.seed(8)
  data <- classes_data(400L, 6L, 3L)
  for (intercept in c("free", "none")) {
    fit <- suppressWarnings(margin_linear(
      data$x, data$y, weights = data$weights, multiclass = "softmax", scale = FALSE, lambda = 1e-3,
      intercept = intercept, solver = "lbfgs",
      control = margin_control(max_epochs = 4, seed = 1)
    ))
    share <- data$weights / sum(data$weights)
    expect_lt(max(abs(colSums(share * fit$dual))), if (intercept == "free") 1e-12 else Inf)
    w <- coef(fit)
    w <- w[setdiff(rownames(w), "(Intercept)"), ]
    gradient <- crossprod(data$x, share * fit$dual) + 1e-3 * w
    told <- certificate(fit)
    expect_gt(told$relative_gap, 1e-9)
    expect_equal(told$gap, sum(gradient^2) / 2e-3, tolerance = 1e-2)
  }
})

test_that("a sample of all classes changes no optimum, and one without a class is none", {
  set.seed(9)
  data <- classes_data(4000L, 8L, 5L)
  for (rare in c(FALSE, TRUE)) {
    if (rare) data$y <- factor(ifelse(seq_len(4000L) == 17L, 5L, pmin(as.integer(data$y), 4L)))
    data$weights[17L] <- 1
    sampled <- softmax_fit(data, "lbfgs", lambda = 1e-4)
    whole <- margin_linear(data$x, data$y, weights = data$weights, multiclass = "softmax",
                           scale = FALSE, solver = "lbfgs", lambda = 1e-4,
                           control = margin_control(tol = 1e-10,
                                                    solver_options = list(subsample = FALSE)))
    expect_equal(coef(sampled), coef(whole), tolerance = 1e-4)
    if (!rare) expect_lt(sampled$status$epochs, whole$status$epochs)
  }
})

test_that("the default of the softmax loss is L-BFGS, and then Newton's method, where matrices pay", {
  set.seed(10)
  expect_identical(softmax_fit(classes_data(500L, 8L, 3L), "auto")$status$solver, "lbfgs")
  expect_identical(softmax_fit(classes_data(40L, 50L, 3L), "auto")$status$solver, "newton")
})

test_that("a file of all classes has the fit of its rows in memory", {
  set.seed(11)
  data <- classes_data(600L, 6L, 3L)
  path <- tempfile(fileext = ".rows")
  on.exit(unlink(path))
  rows <- write_rows(data$x, path, y = data$y, weights = data$weights)
  on_disk <- margin_linear(read_rows(path), multiclass = "softmax", scale = FALSE, solver = "lbfgs",
                           lambda = 1e-3, control = margin_control(tol = 1e-10))
  expect_true(certificate(on_disk)$certified)
  expect_equal(coef(on_disk), coef(softmax_fit(data, "lbfgs", lambda = 1e-3)), tolerance = 1e-4)
})

test_that("a sample of some rows of a file is of these rows", {
  set.seed(12)
  x <- matrix(rnorm(2400 * 4), 2400)
  x[1:1200, ] <- -3 * x[1:1200, ] + 2
  y <- ifelse(drop(x %*% c(1, -1, 2, 0)) + rnorm(2400) > 0, 1, -1)
  y[1:1200] <- -y[1:1200]
  rows <- disk_rows(x, y)
  on.exit(unlink(rows$path))
  at <- 1201:2400
  for (solver in c("lbfgs", "newton")) {
    fit_of <- function(...) {
      margin_linear(..., loss = "logistic", lambda = 1e-4, solver = solver, scale = FALSE,
                    control = margin_control(seed = 1))
    }
    expect_equal(fit_of(rows_subset(rows, at))$trace$relative_gap[1L],
                 fit_of(x[at, ], y[at])$trace$relative_gap[1L], tolerance = 1e-3)
  }
})

test_that("steps on a sample are among the epochs that a fit may take", {
  set.seed(13)
  x <- matrix(rnorm(2400 * 30), 2400) %*% diag(10^seq(-3, 3, length.out = 30))
  y <- factor(max.col(x %*% matrix(rnorm(120), 30) + rnorm(2400)))
  for (classes in list(y, factor(y == "1"))) {
    kind <- if (nlevels(classes) > 2L) list(multiclass = "softmax") else list(loss = "logistic")
    fit <- suppressWarnings(do.call(margin_linear, c(kind, list(
      x, classes, lambda = 1e-12, scale = FALSE, solver = "lbfgs",
      control = margin_control(max_epochs = 1, seed = 1)
    ))))
    expect_lt(fit$status$epochs, 4)
  }
})

test_that("a class of tiny weight has its intercept, and the fit its certificate", {
  set.seed(14)
  x <- matrix(rnorm(600), 300)
  y <- factor(sample(c("a", "b", "c"), 300, TRUE))
  for (weight in c(1e-9, 1e-11, 1e-12)) for (solver in c("lbfgs", "auto", "newton")) {
    fit <- margin_linear(x, y, weights = ifelse(y == "c", weight, 1), multiclass = "softmax",
                         lambda = 1e-3, solver = solver)
    expect_true(certificate(fit)$certified)
  }
})

test_that("a step falls where the first length is far too long, or there is no curvature at first", {
  set.seed(15)
  x <- matrix(rnorm(120), 60)
  y <- drop(x %*% c(100, 300)) + 10 * rnorm(60)
  for (free in list(c(1, 1), c(0, 1), c(0, 0))) for (lambda in c(1e-3, 1e-13)) {
    fit <- suppressWarnings(margin_linear(
      x, y, loss = loss_huber(0.01), lambda = lambda, solver = "lbfgs", intercept = "none", scale = FALSE,
      response_scale = FALSE, penalty_factor = free
    ))
    expect_true(all(diff(fit$trace$value) <= 1e-9 * fit$trace$value[1L]))
    if (all(free > 0)) expect_true(certificate(fit)$certified)
  }
})

test_that("a row of weight 0 is no row, however far it is", {
  set.seed(16)
  x <- 1e-60 * matrix(rnorm(240), 60)
  y <- factor(sample(c("a", "b", "c"), 60, TRUE))
  for (solver in c("lbfgs", "auto")) for (intercept in c("free", "none")) {
    value_of <- function(...) {
      certificate(margin_linear(..., multiclass = "softmax", scale = FALSE, lambda = 1e-100,
                                intercept = intercept, solver = solver))$value
    }
    expect_equal(value_of(rbind(x, 1e98 * c(1, -1, 1, -1)), factor(c(as.character(y), "a")),
                          weights = rep(1:0, c(60, 1))), value_of(x, y), tolerance = 1e-6)
  }
})
