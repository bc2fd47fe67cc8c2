# What landmarks cost, and how many are needed: R/audit_kernels.R, R/fit_kernel.R. The
# truth is a fit of the whole kernel.

landmark_case <- local({
  set.seed(3)
  x <- matrix(rnorm(200 * 4), 200)
  z <- sin(2 * x[, 1L]) + x[, 2L] * x[, 3L] + rnorm(200) / 2
  list(x = x, number = 5 * z + 3, class = factor(ifelse(z > 0, "b", "a")),
       weights = rep(c(1, 2, 3, 1), 50))
})
landmark_losses <- c(
  lapply(loss_list, function(row) row$make()),
  list(loss_smooth_hinge(0.5), loss_squared_hinge(2), loss_quantile(0.3),
       loss_epsilon_insensitive(0.4, squared = TRUE))
)
fit_landmark_case <- function(m, loss = "logistic", ..., lambda = 1e-3, tol = 1e-9) {
  loss <- as_loss(loss)
  y <- landmark_case[[if (loss$task == "classification") "class" else "number"]]
  if (loss$name == "logistic") y <- landmark_case$class
  margin_kernel(landmark_case$x, y, kernel_rbf(0.1), loss = loss, nystrom = m, lambda = lambda,
                control = margin_control(tol = tol, seed = 1), ...)
}
audit_of_case <- function(fit) {
  margin_audit(fit, landmark_case$x,
               landmark_case[[if (is.null(fit$levels)) "number" else "class"]])
}

test_that("the bound of landmarks is above their excess, and at all rows the gap of the fit", {
  for (loss in landmark_losses) {
    for (intercept in c("free", "penalized", "none")) {
      fit <- function(m) {
        suppressWarnings(fit_landmark_case(m, loss, intercept = intercept,
                                           weights = landmark_case$weights))
      }
      best <- certificate(fit(NULL))
      for (m in c(20, 80, 200)) {
        part <- fit(m)
        audit <- audit_of_case(part)$excess
        where <- paste(format(as_loss(loss)), intercept, m)
        truth <- certificate(part)$value - best$value
        expect_lte(audit$bound, best$value, label = where)
        expect_gte(audit$to, truth, label = where)
        if (m == 20) expect_gt(truth, 1e-3 * best$value, label = where)
        if (m == 80) expect_lt(audit$to, 2.5 * truth, label = where)
        if (m == 200) {
          expect_lte(audit$to, certificate(part)$gap + 2e-9 * best$value, label = where)
        }
      }
    }
  }
})

test_that("the pass over the whole kernel does not depend on its blocks, and is right", {
  x <- landmark_case$x
  beta <- cbind(sin(1:200), replace(cos(1:200), 30:90, 0))
  K <- exp(-0.3 * as.matrix(dist(x))^2)
  expected <- colSums(beta * (K %*% beta))
  squares <- function(x, size) kernel_squares(kernel_rbf(0.3), x, beta, margin_control(), size)
  for (size in c(1L, 7L, 64L, 199L, 200L, 2048L)) {
    expect_equal(squares(x, size), expected, tolerance = 1e-13)
  }
  positive <- x * (x > 0)
  sparse <- methods::as(Matrix::Matrix(positive, sparse = TRUE), "RsparseMatrix")
  expect_equal(squares(sparse, 64L), squares(positive, 2048L), tolerance = 1e-13)
  beta <- 0 * beta
  expect_identical(squares(x, 64L), c(0, 0))
})

test_that("landmarks of several classes, by any interface, are audited", {
  control <- margin_control(tol = 1e-9, seed = 1)
  fit <- margin_kernel(Species ~ ., iris, nystrom = 30, control = control)
  best <- margin_kernel(Species ~ ., iris, control = control, multiclass = "one_vs_rest")
  audit <- margin_audit(fit, iris)
  expect_identical(audit$excess$problem, levels(iris$Species))
  truth <- certificate(fit, "class")$value - certificate(best, "class")$value
  expect_true(all(audit$excess$to >= truth & truth > 0))
  expect_true(all(audit$training$lower <= best$scores & best$scores <= audit$training$upper))
  expect_equal(unname(certificate(audit, "class")$bound), audit$excess$bound)
  expect_identical(audit$training$after, NA_real_)
  expect_output(print(audit), "take more landmarks")
  expect_false(any(grepl("of the optimum", capture.output(print(audit)))))
  new <- margin_audit(fit, iris, newx = iris[1:9, -5L], newy = iris$Species[1:9])$new
  expect_identical(new$before, 1)
  expect_error(refit(audit), "bounded and not solved", class = "dualmargin_input_error")
})

test_that("landmarks are judged on their own rows and weights", {
  fit <- fit_landmark_case(20)
  for (refused in list(
    quote(margin_audit(fit, landmark_case$x[200:1, ], landmark_case$class)),
    quote(margin_audit(fit, landmark_case$x[200:1, ], rev(landmark_case$class))),
    quote(margin_audit(fit, landmark_case$x[-1, ], landmark_case$class[-1]))
  )) {
    expect_identical(expect_error(eval(refused), class = "dualmargin_input_error")$arg, "x")
  }
  expect_error(
    margin_audit(fit, landmark_case$x, landmark_case$class, weights = landmark_case$weights),
    "`weights`", class = "dualmargin_input_error"
  )
})

test_that("nystrom = \"auto\" doubles the landmarks until the excess is proven", {
  fit <- fit_landmark_case("auto", nystrom_tol = 0.02, tol = 1e-6, lambda = 0.01)
  tries <- fit$landmarks
  expect_identical(tries$landmarks, c(100, 200)[seq_len(nrow(tries))])
  expect_identical(fit$settings$nystrom, utils::tail(tries$landmarks, 1L))
  expect_lte(utils::tail(tries$proven, 1L), 0.02)
  truth <- certificate(fit)$value / certificate(fit_landmark_case(NULL, lambda = 0.01))$value - 1
  expect_lte(truth, utils::tail(tries$proven, 1L) * 1.02)
  expect_equal(certificate(audit_of_case(fit))$relative_gap, utils::tail(tries$proven, 1L))
  printed <- gsub("\\s+", " ", paste(utils::capture.output(print(fit)), collapse = " "))
  expect_match(printed, "above the optimum of the whole kernel at most", fixed = TRUE)
  # what cannot be proven is told
  expect_warning(none <- fit_landmark_case("auto", nystrom_tol = 1e-14), "not within nystrom_tol",
                 class = "dualmargin_not_certified")
  expect_identical(none$settings$nystrom, 200)
  expect_false(anyNA(utils::tail(none$landmarks$proven, 1L)))
  # regressions have a unit
  number <- fit_landmark_case("auto", "squared", nystrom_tol = 0.05, lambda = 0.1)
  expect_lte(utils::tail(number$landmarks$proven, 1L), 0.05)
})

test_that("nystrom = \"auto\" is refused where there is no proof yet", {
  expect_refused <- function(call, pattern) {
    expect_error(call, pattern, class = "dualmargin_input_error")
  }
  expect_refused(fit_landmark_case("auto", mixup = mixup_pairs(20)), "mixed rows")
  soft <- soft_labels(tanh(landmark_case$number))
  expect_refused(margin_kernel(landmark_case$x, soft, nystrom = "auto"), "soft labels")
  expect_refused(fit_landmark_case("auto", nystrom_tol = 0), "nystrom_tol")
  expect_refused(fit_landmark_case("many"), "`nystrom`")
  expect_refused(margin_path(landmark_case$x, landmark_case$class, family = "kernel",
                             nystrom = "auto"), "`nystrom`")
})

test_that("a kernel fit of three classes is audited as the model that it is", {
  for (intercept in c("free", "penalized", "none")) {
    for (model in c("auto", "softmax", "one_vs_rest")) {
      fit <- margin_kernel(Species ~ ., iris, intercept = intercept, multiclass = model)
      audit <- margin_audit(fit, iris)
      expect_identical(audit$verdict, "exact")
      expect_equal(audit$excess$value, unname(certificate(fit, "class")$value))
    }
  }
})
