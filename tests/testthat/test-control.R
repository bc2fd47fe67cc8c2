test_that("the defaults are the documented ones", {
  control <- margin_control()
  expect_s3_class(control, "margin_control")
  expect_identical(unclass(control)[c("tol", "max_epochs", "max_seconds", "seed", "start",
                                       "threads")],
                   list(tol = NULL, max_epochs = 1000, max_seconds = Inf, seed = NULL,
                        start = NULL, threads = NULL))
  expect_true(control$stall)
  expect_identical(control$progress, interactive())
  expect_identical(control$solver_options, list())
})

test_that("each bad setting is an error of its own", {
  bad <- alist(
    tol = margin_control(tol = 0), tol = margin_control(tol = -1e-3),
    tol = margin_control(tol = NA), tol = margin_control(tol = c(1, 2)),
    tol = margin_control(tol = Inf),
    max_epochs = margin_control(max_epochs = 0), max_epochs = margin_control(max_epochs = 2.5),
    max_epochs = margin_control(max_epochs = Inf), max_epochs = margin_control(max_epochs = NULL),
    max_seconds = margin_control(max_seconds = 0), max_seconds = margin_control(max_seconds = NaN),
    seed = margin_control(seed = -1), seed = margin_control(seed = 0.5),
    seed = margin_control(seed = 2^31), seed = margin_control(seed = "1"),
    start = margin_control(start = list()), start = margin_control(start = lm(dist ~ speed, cars)),
    progress = margin_control(progress = NA), progress = margin_control(progress = 1),
    solver_options = margin_control(solver_options = "uniform"),
    solver_options = margin_control(solver_options = cars),
    solver_options = margin_control(solver_options = list("uniform")),
    solver_options = margin_control(solver_options = list(gamma = 1, gamma = 2)),
    threads = margin_control(threads = 0), threads = margin_control(threads = 1.5),
    threads = margin_control(threads = NA)
  )
  conditions <- lapply(bad, function(call) tryCatch(eval(call), error = identity))
  messages <- vapply(conditions, conditionMessage, "")
  for (condition in conditions) {
    expect_s3_class(condition, "dualmargin_input_error")
  }
  expect_identical(vapply(conditions, function(c) c$arg, "", USE.NAMES = FALSE), names(bad))
  expect_identical(anyDuplicated(messages), 0L)
  expect_recorded("control", "settings", messages)
})

test_that("a control object prints what it holds", {
  expect_told("control", "printed", {
    margin_control(progress = FALSE)
    margin_control(tol = 1e-9, max_epochs = 100000, max_seconds = 2.5, seed = 123456,
                   progress = TRUE, solver_options = list(sampling = "uniform", shrink = 0.2),
                   threads = 3)
  })
})

test_that("tol, max_epochs and max_seconds stop the fit, and the fit says why", {
  x <- as.matrix(iris[51:150, 1:4])
  y <- droplevels(iris$Species[51:150])
  fit <- function(...) {
    margin_linear(x, y, lambda = 1e-6, intercept = "none", solver = "sdca",
                  control = margin_control(seed = 1, ...), loss = "smooth_hinge")
  }
  warned <- expect_warning(short <- fit(max_epochs = 2), class = "dualmargin_not_certified")
  expect_identical(warned$status, "max_epochs")
  expect_identical(warned$gap, short$certificate$gap)
  expect_gt(warned$relative_gap, warned$tol)
  expect_identical(warned$tol, 1e-6)
  expect_match(conditionMessage(warned), "max_epochs", fixed = TRUE)
  expect_false(short$certificate$certified)
  expect_lte(short$status$epochs, 2)
  warned <- expect_warning(fit(max_seconds = 1e-6), class = "dualmargin_not_certified")
  expect_identical(warned$status, "max_seconds")
  loose <- margin_linear(x, y, control = margin_control(tol = 0.5), loss = "smooth_hinge")
  expect_identical(loose$certificate$tol, 0.5)
  tight <- margin_linear(x, y, control = margin_control(tol = 1e-10), loss = "smooth_hinge")
  expect_lte(tight$certificate$relative_gap, 1e-10)
})

test_that("max_seconds counts from the call, once", {
  rows <- as.matrix(iris[51:150, 1:4])
  y <- droplevels(iris$Species[51:150])
  # what R does before the core has the rows takes longer than the limit, every fit alike
  hour <- 0
  slow <- function(values) {
    hour <<- hour + 1
    values
  }
  now <- function() 3600 * hour
  limit <- margin_control(max_seconds = 3000, tol = 1e-15)
  fits <- at_time(now, suppressMessages(suppressWarnings(list(
    margin_linear(rows, slow(y), control = limit), margin_kernel(rows, slow(y), control = limit),
    margin_robust(rows, slow(y), radius = 0.1, control = limit),
    # the fit that the radius is found from has the clock of the call, and leaves it to the other
    margin_robust(rows, slow(y), control = limit),
    margin_augmented(rows, slow(y), control = limit), margin_linear(y ~ slow(rows), control = limit)
  ))))
  for (fit in fits) {
    expect_identical(fit$status$status, "max_seconds")
    expect_gte(fit$status$seconds, 3600)
    expect_true(is.finite(fit$certificate$gap)) # that of the point it returns
  }
  # a call within a call has a clock of its own, and leaves none behind
  inner <- function() margin_linear(rows, y, control = margin_control(max_seconds = 3000))
  outer <- at_time(now, margin_linear(rows, {
    slow(1)
    inside <- inner()
    y
  }))
  expect_true(inside$certificate$certified)
  expect_lt(inside$status$seconds, 3600)
  expect_gte(outer$status$seconds, 3600)
})

test_that("a start is checked, helps, and is not kept in the fit", {
  first <- margin_linear(iris[1:4], iris$Species, loss = "smooth_hinge")
  again <- margin_linear(iris[1:4], iris$Species, control = margin_control(start = first),
                         loss = "smooth_hinge")
  expect_lt(sum(again$status$epochs), sum(first$status$epochs))
  expect_equal(coef(again), coef(first), tolerance = 1e-3)
  expect_null(again$settings$control$start)
  expect_identical(names(again$settings$control), names(margin_control()))
  same <- margin_linear(iris[1:4], iris$Species, loss = "logistic", lambda = 0.3,
                        control = margin_control(start = first))
  cold <- margin_linear(iris[1:4], iris$Species, loss = "logistic", lambda = 0.3)
  expect_equal(certificate(same)$value, certificate(cold)$value, tolerance = 2e-6)
  from <- margin_control(start = first)
  bad <- list(
    tryCatch(margin_linear(iris[1:3], iris$Species, control = from, loss = "smooth_hinge"),
             error = identity),
    tryCatch(margin_linear(iris[c(2, 1, 3, 4)], iris$Species, control = from,
                           loss = "smooth_hinge"), error = identity),
    tryCatch(margin_linear(iris[1:4], iris$Species == "setosa", control = from,
                           loss = "smooth_hinge"), error = identity)
  )
  for (condition in bad) {
    expect_s3_class(condition, "dualmargin_input_error")
    expect_identical(condition$arg, "start")
  }
  expect_recorded("control", "start", vapply(bad, conditionMessage, ""))
})

test_that("options go to the solver they belong to", {
  x <- as.matrix(iris[51:150, 1:4])
  y <- droplevels(iris$Species[51:150])
  fit <- function(solver, ...) {
    margin_linear(x, y, intercept = "none", solver = solver,
                  control = margin_control(solver_options = list(...)), loss = "smooth_hinge")
  }
  bad <- alist(
    solver_options = fit("sdca", samplng = "uniform"), solver_options = fit("newton", shrink = 0.3),
    sampling = fit("sdca", sampling = "unifrm"), subsample = fit("newton", subsample = 1),
    shrink = fit("ssnal", shrink = 1), gamma = fit("ssnal", gamma = 0),
    dual_passes = fit("auto", dual_passes = -1), dual_passes = fit("auto", dual_passes = 1.5)
  )
  conditions <- lapply(bad, function(call) tryCatch(eval(call), error = identity))
  for (condition in conditions) {
    expect_s3_class(condition, "dualmargin_input_error")
  }
  expect_identical(vapply(conditions, function(c) c$arg, "", USE.NAMES = FALSE), names(bad))
  expect_recorded("control", "solver_options", vapply(conditions, conditionMessage, ""))
  expect_true(fit("auto", dual_passes = 0)$certificate$certified)
})
