# Exact optima made by other methods (Newton in another language, ECOS, glmnet).

reference_fit <- function(row, data) {
  x <- data$x
  intercept <- "none"
  if (row$rows_l2_normalised == 1) {
    if (row$bias_column == 1) x <- cbind(x, 1)
    x <- as(x, "CsparseMatrix")
    x@x <- x@x / sqrt(Matrix::rowSums(x^2))[x@i + 1L]
  } else if (row$bias_column == 1) {
    intercept <- "penalized"
  }
  loss <- switch(row$loss, smhinge = loss_smooth_hinge(1), sqhinge = loss_squared_hinge(0.5),
                 logistic = as_loss("logistic"), squared = as_loss("squared"))
  y <- if (row$loss == "squared") data$y else factor(data$y)
  margin_linear(as(x, "RsparseMatrix"), y, loss = loss, lambda = row$lambda, scale = FALSE,
                intercept = intercept, control = margin_control(tol = 1e-8, seed = 1))
}

test_that("a9a: every optimum of the reference table is bracketed and met to 1e-7", {
  data <- tryCatch(margin_data("a9a"), dualmargin_input_error = function(e) NULL)
  skip_if(is.null(data), "a9a is not on this machine")
  table <- read.csv(test_path("reference_linear.csv"))
  for (i in seq_len(nrow(table))) {
    row <- table[i, ]
    fit <- reference_fit(row, data)
    expect_true(fit$certificate$certified)
    expect_lte(abs(fit$certificate$value - row$P_star), 1e-7 * row$P_star)
    expect_gte(fit$certificate$value, row$P_star * (1 - 1e-11))
    expect_lte(fit$certificate$bound, row$P_star * (1 + 1e-11))
  }
})

test_that("a9a: the plain hinge meets its known optima", {
  data <- tryCatch(margin_data("a9a"), dualmargin_input_error = function(e) NULL)
  skip_if(is.null(data), "a9a is not on this machine")
  known <- c("1e-2" = 0.380703366165, "1e-4" = 0.35176180047, "1e-6" = 0.35081807270)
  for (lambda in names(known)) {
    fit <- margin_linear(data$x, data$y, loss = "hinge", lambda = as.numeric(lambda),
                         scale = FALSE, intercept = "none", control = margin_control(seed = 1))
    expect_true(fit$certificate$certified)
    expect_equal(fit$certificate$value, known[[lambda]], tolerance = 2e-6)
    expect_lte(fit$certificate$bound, known[[lambda]] * (1 + 1e-9))
  }
})

test_that("a free intercept agrees with glmnet (logistic, squared)", {
  skip_if_not_installed("glmnet")
  problem <- small_problem(n = 200L)
  x <- problem$x[, 1:4]
  for (lambda in c(0.1, 0.005)) for (mixture in c(0, 0.5)) {
    peer <- precise_glmnet(x, problem$y, family = "binomial", alpha = mixture, lambda = lambda,
                           standardize = FALSE, thresh = 1e-14, maxit = 1e7)
    fit <- margin_linear(x, factor(problem$y), loss = "logistic", lambda = lambda,
                         mixture = mixture, scale = FALSE, control = margin_control(tol = 1e-11))
    expect_equal(unname(coef(fit)), unname(as.numeric(coef(peer))), tolerance = 1e-4)
    # glmnet divides a Gaussian response by its standard deviation before it uses lambda
    sd <- sqrt(mean((problem$response - mean(problem$response))^2))
    peer <- precise_glmnet(x, problem$response / sd, alpha = mixture, lambda = lambda,
                           standardize = FALSE, thresh = 1e-16, maxit = 1e7)
    fit <- margin_linear(x, problem$response / sd, loss = "squared", lambda = lambda,
                         mixture = mixture, scale = FALSE, control = margin_control(tol = 1e-11))
    expect_equal(unname(coef(fit)), unname(as.numeric(coef(peer))), tolerance = 1e-4)
  }
})

test_that("a free intercept agrees with ECOS (hinge)", {
  skip_if_not_installed("ECOSolveR")
  problem <- small_problem(n = 50L)
  x <- problem$x[, 1:4]
  n <- nrow(x)
  p <- ncol(x)
  lambda <- 0.02
  # variables (w, b, xi, t): min mean(xi) + lambda/2 t, |(2w, t - 1)| <= t + 1, xi >= 0,
  # xi >= 1 - y (x w + b)
  cost <- c(rep(0, p + 1), rep(1 / n, n), lambda / 2)
  margin_rows <- cbind(-problem$y * x, -problem$y, -diag(n), 0)
  positive <- cbind(matrix(0, n, p + 1), -diag(n), 0)
  cone <- rbind(c(rep(0, p + 1 + n), -1), cbind(-2 * diag(p), matrix(0, p, n + 2)),
                c(rep(0, p + 1 + n), -1))
  G <- as(Matrix::Matrix(rbind(margin_rows, positive, cone), sparse = TRUE), "generalMatrix")
  h <- c(rep(-1, n), rep(0, n), 1, rep(0, p), -1)
  peer <- getExportedValue("ECOSolveR", "ECOS_csolve")(
    c = cost, G = as(G, "CsparseMatrix"), h = h, dims = list(l = 2L * n, q = p + 2L, e = 0L),
    control = getExportedValue("ECOSolveR", "ecos.control")(feastol = 1e-10, reltol = 1e-10, abstol = 1e-10)
  )
  fit <- margin_linear(x, factor(problem$y), loss = "hinge", lambda = lambda, scale = FALSE,
                       control = margin_control(tol = 1e-9))
  expect_equal(fit$certificate$value, peer$summary[["pcost"]], tolerance = 1e-7)
  expect_equal(unname(coef(fit)[-1L]), peer$x[seq_len(p)], tolerance = 1e-3)
})

# Unscaled columns, 0.1 to 30: where dual coordinate descent stops far above the optimum.
hard_rows <- function(raw) {
  set.seed(1)
  n <- 1000L
  p <- 30L
  label <- rbinom(n, 1L, 0.5)
  x <- matrix(rnorm(n * p), n) + outer(label, rnorm(p, 0, 0.25))
  if (raw) x <- x %*% diag(exp(seq(log(0.1), log(30), length.out = p)))
  list(x = x, y = factor(label))
}

for (loss in c("hinge", "squared_hinge", "logistic")) {
  test_that(paste("unscaled columns are certified in under 150 Newton steps:", loss), {
    for (raw in c(FALSE, TRUE)) for (cost in c(1, 100, 1e4)) {
      for (intercept in c("free", "penalized", "none")) {
        data <- hard_rows(raw)
        fit <- margin_linear(data$x, data$y, loss = loss, cost = cost, intercept = intercept,
                             scale = FALSE, control = margin_control(seed = 1))
        expect_true(fit$certificate$certified)
        expect_lt(fit$status$steps, 150)
        expect_honest_certificate(fit, data$x, tolerance = 1e-8)
      }
    }
  })
}
