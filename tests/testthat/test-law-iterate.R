# iterate = "last": the fit is the last iterate, with the certificate of that point, whatever others
# of the run were worth.

of_family <- function(family, last = TRUE) {
  Filter(function(row) {
    row$family == family && row$name != "auto" && ("iterate" %in% names(row$options)) == last
  }, solver_rows())
}
iterate_control <- function(epochs, iterate = "last", ..., seed = 3) {
  options <- if (is.null(iterate)) list(...) else list(iterate = iterate, ...)
  margin_control(tol = 1e-300, max_epochs = epochs, seed = seed, certify_every_epoch = TRUE,
                 stall = FALSE, solver_options = options)
}
silently <- function(code) suppressMessages(suppressWarnings(code))

# What a solver of the linear family is given that it can take.
linear_case <- function(row, storage = "dense") {
  problem <- if (storage == "dense") small_problem() else sparse_problem()
  loss <- if (row$smooth_loss) loss_smooth_hinge() else
    if ("hinge" %in% unlist(row$losses)) as_loss("hinge") else as_loss("logistic")
  mixture <- if (row$l1) 0.5 else 0
  lambda <- lambda_for(row, 0.05, problem$x, loss, mixture)
  function(control, solver = row$name, ...) {
    silently(margin_linear(problem$x, factor(problem$y), loss = loss, lambda = lambda,
                           mixture = mixture, intercept = "none", solver = solver,
                           control = control, ...))
  }
}

test_that("the certificate is that of the last iterate, by plain R, on dense and sparse rows", {
  for (row in of_family("linear")) for (storage in c("dense", "sparse")) {
    fit <- linear_case(row, storage)(iterate_control(3))
    x <- if (storage == "dense") small_problem()$x else sparse_problem()$x
    expect_honest_certificate(fit, x)
    rows <- convergence(fit)
    expect_equal(rows$value[nrow(rows)], certificate(fit)$value, tolerance = 1e-10,
                 label = paste(row$name, storage))
  }
})

test_that("convergence() holds the values of the iterates, whichever point is returned", {
  for (row in of_family("linear")) {
    run <- linear_case(row)
    long <- convergence(run(iterate_control(8)))
    expect_equal(convergence(run(iterate_control(8, "best")))$value, long$value, tolerance = 1e-12,
                 label = row$name)
    expect_equal(long$gap, long$value - long$bound, tolerance = 1e-9)
    # the last iterate after k epochs is where the longer run is then
    for (epochs in c(1, 2, 5)) {
      fit <- run(iterate_control(epochs))
      at <- which(abs(long$epoch - fit$status$epochs) < 1e-9)
      if (length(at) == 0L) next
      expect_equal(certificate(fit)$value, long$value[at[1L]], tolerance = 1e-9,
                   label = paste(row$name, epochs))
    }
  }
})

test_that("the default is the best iterate, and never worse than nothing", {
  for (row in of_family("linear")) {
    run <- linear_case(row)
    last <- run(iterate_control(6))
    best <- run(iterate_control(6, NULL))
    expect_lte(certificate(best)$value, certificate(last)$value * (1 + 1e-12), label = row$name)
    expect_equal(coef(run(iterate_control(6, "best"))), coef(best), tolerance = 0)
  }
  # of rows with columns of 1e4 an epoch makes something worse than no weights at all
  set.seed(3)
  x <- vapply(c(0, 10, 1e3, 1e4), function(m) m + rnorm(40), numeric(40))
  y <- factor(rep(1:2, length.out = 40))
  worse <- 0
  for (solver in c("svrg", "saga", "katyusha", "spdc", "sdca")) {
    fit <- function(iterate) {
      silently(margin_linear(x, y, loss = "smooth_hinge", lambda = 1e-6, intercept = "none",
                             scale = FALSE, solver = solver, control = iterate_control(1, iterate)))
    }
    best <- fit(NULL)
    last <- fit("last")
    expect_lte(certificate(best)$value, 0.5)
    expect_honest_certificate(last, x, tolerance = 1e-8)
    if (certificate(last)$value > 0.5) {
      worse <- worse + 1
      expect_true(any(coef(last) != 0))
    }
    expect_equal(tail(convergence(best)$value, 1L), certificate(last)$value, tolerance = 1e-8)
  }
  expect_gt(worse, 0)
})

test_that("the last iterate of perturbed rows has the value of its own objective", {
  p <- few_columns()
  runs <- list(nsaga = list(step = 30),
               sgd = list(averaging = FALSE, step = 10, sampling = "uniform"),
               smiso = list(averaging = FALSE), saga_decay = list())
  for (solver in names(runs)) {
    fit <- function(epochs, iterate) {
      silently(quiet_augmented(
        p$x, p$y, perturbation = perturb_dropout(0.5), loss = "squared", lambda = 0.01,
        solver = solver, weights = p$weights,
        control = do.call(iterate_control, c(list(epochs, iterate), runs[[solver]]))
      ))
    }
    value_of <- function(fit) {
      dropout_objective(p$x, p$y, unname(coef(fit)), 0.5, plain_losses$squared, 0.01,
                        weights = p$weights)
    }
    long <- convergence(fit(12, "best"))
    for (epochs in c(1, 4, 12)) {
      last <- fit(epochs, "last")
      expect_equal(certificate(last)$value, value_of(last), tolerance = 1e-9, label = solver)
      expect_equal(value_of(last), long$value[match(epochs, long$epoch)], tolerance = 1e-9,
                   label = paste(solver, epochs))
    }
    best <- fit(12, NULL)
    expect_lte(certificate(best)$gap, certificate(last)$gap * (1 + 1e-9), label = solver)
    expect_lte(value_of(best), mean(p$weights * p$y^2) / mean(p$weights) / 2 * (1 + 1e-9))
  }
})

test_that("where the mean over perturbations is known the point of least value is returned", {
  p <- few_columns(100L, 5L)
  p$x[, 1] <- 20 * p$x[, 1]
  for (solver in c("sgd", "nsaga", "saga_decay", "smiso")) for (rate in c(0, 0.3)) {
    fit <- silently(quiet_augmented(
      p$x, p$y, perturbation = perturb_dropout(rate), loss = "squared", lambda = 1e-3,
      solver = solver, control = iterate_control(15, NULL)
    ))
    expect_lte(certificate(fit)$value, min(convergence(fit)$value) * (1 + 1e-12), label = solver)
    expect_gte(certificate(fit)$bound, max(convergence(fit)$bound) - 1e-12, label = solver)
    optimum <- certificate(quiet_augmented(
      p$x, p$y, perturbation = perturb_dropout(rate), loss = "squared", lambda = 1e-3,
      control = margin_control(tol = 1e-9)
    ))
    expect_lte(certificate(fit)$bound, optimum$value, label = solver)
  }
})

test_that("a cloud of N-SAGA is returned as it is, where the default is the null model", {
  p <- few_columns()
  p$x[1:6, ] <- 40 * p$x[1:6, ]
  fit <- function(iterate) {
    quiet_augmented(p$x, p$y, perturbation = perturb_dropout(0.5), loss = "logistic", lambda = 0.01,
                    solver = "nsaga", control = iterate_control(4, iterate, step = 30))
  }
  expect_true(all(coef(fit(NULL)) == 0))
  last <- fit("last")
  expect_true(all(coef(last) != 0))
  expect_gt(certificate(last)$value, log(2))
  expect_false(certificate(last)$certified)
})

test_that("robust, hard and kernel fits have it too", {
  p <- small_problem(80L, 4L)
  y <- factor(p$y)
  for (row in of_family("robust")) {
    fit <- function(epochs, iterate) {
      options <- if (row$name %in% c("isg", "ippa", "hybrid")) list(step = 30, shrink = 0.99)
      silently(margin_robust(p$x, y, norm = "l2", radius = 0.1, label_cost = 1, intercept = "none",
                             scale = FALSE, solver = row$name,
                             control = do.call(iterate_control, c(list(epochs, iterate), options))))
    }
    last <- fit(12, "last")
    w <- unname(coef(last))
    u <- p$y * drop(p$x %*% w)
    t <- last$norm_bound
    expect_gte(t, sqrt(sum(w^2)) * (1 - 1e-12))
    expect_equal(certificate(last)$value, 0.1 * t + mean(pmax(1 - u, 1 + u - t, 0)),
                 tolerance = 1e-10)
    expect_lte(certificate(fit(12, NULL))$value, certificate(last)$value * (1 + 1e-12))
    rows <- convergence(fit(12, "best"))
    expect_equal(rows$value[nrow(rows)], tail(convergence(last)$value, 1L), tolerance = 1e-9,
                 label = row$name)
  }
  set.seed(4)
  x <- matrix(rnorm(40 * 6), 40)
  two <- factor(x[, 1] + 0.5 * x[, 2] > 0)
  x[, 1] <- x[, 1] + ifelse(two == "TRUE", 0.3, -0.3)
  side <- ifelse(two == "TRUE", 1, -1)
  for (row in of_family("hard")) {
    fit <- function(iterate) {
      silently(margin_hard(x, two, intercept = "none", solver = row$name,
                           control = iterate_control(30, iterate)))
    }
    last <- fit("last")
    w <- coef(last)
    expect_equal(certificate(last)$value, min(side * x %*% w) / sqrt(sum(w^2)), tolerance = 1e-10)
    best <- fit(NULL)
    expect_gte(certificate(best)$value, certificate(last)$value - 1e-12)
    expect_equal(tail(convergence(best)$value, 1L), certificate(last)$value, tolerance = 1e-9,
                 label = row$name)
    expect_gte(certificate(best)$value, max(convergence(best)$value) - 1e-9)
  }
  for (row in of_family("kernel")) {
    fit <- function(iterate, ...) {
      silently(margin_kernel(p$x, y, kernel = kernel_rbf(0.1), intercept = "none", lambda = 1e-3,
                             loss = if (row$smooth_loss) "smooth_hinge" else "hinge",
                             solver = row$name, control = iterate_control(5, iterate, ...)))
    }
    last <- fit("last")
    expect_equal(tail(convergence(fit(NULL))$value, 1L), certificate(last)$value, tolerance = 1e-8,
                 label = row$name)
  }
  cloud <- function(iterate) {
    silently(margin_kernel(p$x, y, kernel = kernel_rbf(0.1), intercept = "none", lambda = 1e-3,
                           loss = "squared_hinge", solver = "sgd",
                           control = iterate_control(3, iterate, step = 3)))
  }
  expect_true(all(predict(cloud(NULL), type = "score") == 0))
  expect_gt(certificate(cloud("last"))$value, 0.5)
})

test_that("classes, paths and searches pass it on", {
  control <- iterate_control(3)
  several <- silently(margin_linear(Species ~ ., data = iris, loss = "smooth_hinge", lambda = 1e-4,
                                    intercept = "none", solver = "katyusha", control = control))
  expect_honest_certificate(several, iris[1:4])
  for (solver in c("newton", "fista")) {
    joint <- silently(margin_linear(Species ~ ., data = iris, lambda = 1e-4, solver = solver,
                                    control = control))
    expect_equal(tail(convergence(joint)$value, 1L), certificate(joint)$value, tolerance = 1e-10)
  }
  p <- small_problem()
  y <- factor(p$y)
  alone <- silently(margin_linear(p$x, y, loss = "smooth_hinge", lambda = 0.01, intercept = "none",
                                  solver = "katyusha", control = control))
  along <- silently(margin_path(p$x, y, lambda = 0.01, loss = "smooth_hinge", intercept = "none",
                                solver = "katyusha", control = control))
  expect_equal(unname(drop(as.matrix(coef(along)))), unname(coef(alone)), tolerance = 1e-12)
  search <- silently(margin_cv(p$x, y, lambda = 0.01, loss = "smooth_hinge", intercept = "none",
                               folds = 2, solver = "katyusha", control = control))
  expect_identical(refit(search)$settings$control$solver_options$iterate, "last")
  for (path in list(margin_path, margin_cv)) {
    expect_error(path(p$x, y, control = control), "iterate", class = "dualmargin_input_error")
  }
})

test_that("it is said, and refused where there is no last iterate", {
  p <- small_problem()
  y <- factor(p$y)
  fit <- function(iterate, solver, fun = margin_linear, ...) {
    options <- if (is.null(iterate)) list() else list(iterate = iterate)
    silently(fun(p$x, y, solver = solver, ...,
                 control = margin_control(max_epochs = 2, seed = 1, solver_options = options)))
  }
  printed <- function(fit) grep("iterate", capture.output(print(fit)), value = TRUE)
  expect_match(printed(fit("last", "sdca", intercept = "none")), "the last iterate")
  expect_length(printed(fit("best", "sdca", intercept = "none")), 0L)
  expect_length(printed(fit(NULL, "auto")), 0L)
  expect_match(printed(summary(fit("last", "fista"))), "the last iterate")
  refused <- expression(
    fit("last", "auto"), fit("last", "auto", margin_kernel), fit("last", "auto", margin_augmented),
    fit("last", "auto", margin_robust, radius = 0.1), fit("last", "auto", margin_hard),
    fit("last", "gs_admm", margin_robust, radius = 0.1), fit("last", "active_set", margin_hard),
    fit("last", "interior_point", margin_kernel, loss = "hinge"),
    fit("first", "sdca", intercept = "none"), fit(TRUE, "fista")
  )
  conditions <- lapply(refused, function(call) tryCatch(eval(call), error = identity))
  for (condition in conditions) expect_s3_class(condition, "dualmargin_input_error")
  expect_recorded("law-iterate", "refused", vapply(conditions, conditionMessage, ""))
})
