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
