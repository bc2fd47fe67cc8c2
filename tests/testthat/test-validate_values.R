# Losses, kernels and the like that were changed or forged: refused where they enter, by name.

changed <- function(object, name, value) {
  object[name] <- list(value)
  object
}
forged <- function(class, ...) structure(list(...), class = class)

small <- function() {
  set.seed(1)
  list(x = matrix(rnorm(80), 20), y = rep(c(-1, 1), 10))
}

test_that("every maker's value passes its own check unchanged", {
  losses <- list(as_loss("hinge"), loss_smooth_hinge(0.3), loss_squared_hinge(2), as_loss("logistic"),
                 as_loss("squared"), loss_huber(7))
  for (loss in losses) expect_identical(as_loss(loss), loss)
  ntk <- kernel_ntk(3, seed = 1)
  kernels <- list(kernel_rbf(), kernel_rbf(2), kernel_laplace(0.1), kernel_polynomial(3, 2, 0),
                  as_kernel("linear"), kernel_precomputed(), ntk, settle_kernel(ntk, 4L), kernel_ntk(3),
                  kernel_ntk(weights = list(W = diag(2), a = 1:2)), as_kernel(function(a, b) 1))
  for (kernel in kernels) expect_identical(as_kernel(kernel), kernel)
  perturbations <- list(new_perturbation(), perturb_dropout(0.2) + perturb_gaussian(3),
                        perturb_rescale(), perturb_image(c(2, 2)), perturb_custom(function(v, u) v))
  for (p in perturbations) expect_identical(checked_perturbation(p), p)
  controls <- list(margin_control(), margin_control(tol = 0.1, seed = 3, max_seconds = 2,
                                                    solver_options = list(step = 1)))
  for (control in controls) expect_identical(checked_control(control), control)
  for (metric in known_metrics()) expect_identical(checked_metric(metric), metric)
  pairs <- mixup_pairs(3, 0.2, "same")
  expect_identical(checked_mixup(pairs), pairs)
  spec <- spec_margin("robust", intercept = "none", scale = FALSE)
  expect_identical(checked_spec(spec), spec)
  set.seed(2)
  shares <- matrix(runif(60), 20)
  soft <- soft_labels(shares / rowSums(shares))
  expect_identical(checked_soft_labels(soft), soft)
})

test_that("losses", {
  d <- small()
  cases <- list(
    forged("margin_loss"), structure("hinge", class = "margin_loss"),
    changed(as_loss("hinge"), "name", "x"), changed(as_loss("hinge"), "gamma", 1),
    changed(loss_smooth_hinge(), "gamma", -1),
    changed(loss_smooth_hinge(), "parameter", c(gamma = NaN)),
    changed(loss_huber(), "parameter", -1), changed(loss_huber(), "parameter", "a"),
    changed(as_loss("squared"), "task", NULL), changed(as_loss("squared"), "smooth", FALSE),
    changed(as_loss("logistic"), "name", NA_character_),
    structure(unclass(as_loss("hinge"))[-1L], class = "margin_loss")
  )
  for (loss in cases) {
    for (fit in list(margin_linear, margin_kernel, margin_augmented, margin_path)) {
      expect_input_error(fit(d$x, d$y, loss = loss), "loss", "is a damaged margin_loss")
    }
    expect_input_error(margin_cv(d$x, d$y, loss = loss), "loss", "is a damaged margin_loss")
  }
  expect_input_error(margin_linear(d$x, d$y, loss = cases[[5L]]), "loss",
                     "its `gamma` is -1, which does not go with the rest; make it again by")
})

test_that("kernels", {
  d <- small()
  cases <- list(
    forged("kernel_function"), structure(1, class = "kernel_function"),
    changed(kernel_rbf(1), "sigma", "a"), changed(kernel_rbf(1), "sigma", -1),
    changed(kernel_rbf(1), "sigma", NaN), changed(kernel_rbf(1), "name", "zzz"),
    changed(kernel_rbf(1), "name", NULL), changed(kernel_rbf(1), "name", "evaluated"),
    changed(kernel_rbf(1), "degree", 2), changed(kernel_polynomial(), "degree", 1e9),
    changed(kernel_polynomial(), "offset", -1), changed(kernel_ntk(), "width", 1e9),
    changed(kernel_ntk(), "weights", list(W = 1, a = 1)), changed(kernel_ntk(), "normalize", NA)
  )
  for (kernel in cases) {
    expect_input_error(margin_kernel(d$x, d$y, kernel = kernel, intercept = "none"),
                       "kernel", "is a damaged kernel")
    expect_input_error(margin_hard(d$x, d$y, kernel = kernel, intercept = "none"),
                       "kernel", "is a damaged kernel")
  }
  expect_input_error(print(cases[[3L]]), "kernel", "is a damaged kernel")
})

test_that("perturbations, and the functions in them", {
  d <- small()
  steps <- function(...) structure(list(steps = list(list(...))), class = "perturbation")
  cases <- list(
    forged("perturbation"), structure(list(steps = "a"), class = "perturbation"),
    structure(list(steps = list("a")), class = "perturbation"), steps(name = "x"), steps(rate = 1),
    steps(name = "dropout", rate = 5), steps(name = "gaussian", sd = NA),
    steps(name = "gaussian", sd = -1), steps(name = "custom", f = "a"),
    steps(name = "rescale", width = 2), steps(name = "image", dim = c(0, 2), shift = 1)
  )
  for (p in cases) {
    expect_input_error(margin_augmented(d$x, d$y, perturbation = p,
                                        intercept = "none", scale = FALSE), "perturbation",
                       "is a damaged perturbation")
    expect_input_error(perturb_dropout() + p, "+", "is a damaged perturbation")
  }
  for (f in list(function(v, u) v[-1L], function(v, u) v * NaN, function(v, u) "a",
                 function(v, u) NULL)) {
    expect_input_error(margin_augmented(d$x, d$y, perturbation = perturb_custom(f),
                                        intercept = "none", scale = FALSE),
                       "perturbation", "of perturb_custom() returned")
  }
})

test_that("controls, pairs and soft labels", {
  d <- small()
  control <- margin_control()
  cases <- list(
    forged("margin_control"), changed(control, "tol", NA), changed(control, "tol", -1),
    changed(control, "max_epochs", NULL), changed(control, "max_epochs", 0),
    changed(control, "max_seconds", NaN), changed(control, "seed", "a"),
    changed(control, "progress", NA), changed(control, "solver_options", "a"),
    changed(control, "start", 1), changed(control, "certify_every_epoch", "yes"),
    changed(control, "threads", -1)
  )
  for (broken in cases) {
    for (fit in list(margin_linear, margin_kernel, margin_robust, margin_augmented, margin_hard)) {
      expect_input_error(fit(d$x, d$y, control = broken), "control", "is a damaged margin_control")
    }
  }
  pairs <- list(forged("mixup_pairs"), changed(mixup_pairs(3), "n", -5L),
                changed(mixup_pairs(3), "alpha", NaN), changed(mixup_pairs(3), "pairs", "x"))
  for (mixup in pairs) {
    expect_input_error(margin_kernel(d$x, d$y, mixup = mixup, intercept = "none"),
                       "mixup", "is a damaged mixup_pairs")
  }
  labels <- list(rep(5, 20), rep("a", 20), list(), matrix(2, 20, 2), matrix(NaN, 20, 3),
                 rep(NA_real_, 20), data.frame(a = 1:20))
  for (y in labels) {
    expect_input_error(margin_kernel(d$x, structure(unclass(y), class = "soft_labels"),
                                     intercept = "none"), "y",
                       "`y` is no longer what soft_labels() makes")
  }
  twice <- matrix(0.5, 20, 2, dimnames = list(NULL, c("a", "a")))
  expect_input_error(margin_kernel(d$x, soft_labels(twice), intercept = "none"),
                     "y", "two columns of soft labels")
})

test_that("metrics and models of a comparison", {
  d <- small()
  metrics <- list(forged("margin_metric"), changed(known_metrics()$accuracy, "compute", 1),
                  changed(known_metrics()$accuracy, "needs", "x"),
                  changed(known_metrics()$accuracy, "task", "regression"))
  for (metric in metrics) {
    expect_input_error(margin_cv(d$x, d$y, folds = 2, metric = metric, loss = "smooth_hinge"),
                       "metric",
                       "is a damaged margin_metric")
  }
  expect_input_error(margin_metric("a"), "name", "`name` is missing")
  expect_input_error(margin_metric(function(x) 1, "m"), "compute",
                     "takes 1 argument, but is called")
  expect_input_error(perturb_custom(function(v) v), "f", "is called with 2: (values, u)")
  expect_input_error(margin_hard(d$x, d$y, kernel = function(x) x, intercept = "none"),
                     "kernel", "with 2: (a, b)")
  expect_input_error(margin_metric(), "compute", "`compute` is missing")
  expect_input_error(margin_cv(d$x, d$y, folds = 2, metric = 3, loss = "smooth_hinge"),
                     "metric", "must be names")
  specs <- list(a = spec_margin("linear", loss = "smooth_hinge"),
                b = forged("margin_spec", name = "b"))
  expect_input_error(margin_compare(d$x, d$y, specs, folds = 2), "specs", "a damaged margin_spec")
  expect_input_error(mixup_data(data.frame(d$x), d$y, 3), "x", "a data frame, but must be")
})
