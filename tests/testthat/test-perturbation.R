# Perturbations as values, and those that a user writes.

test_that("perturbations add up, and those that change nothing are left out", {
  both <- perturb_dropout(0.1) + perturb_rescale(0.2)
  expect_identical(vapply(both$steps, `[[`, "", "name"), c("dropout", "rescale"))
  expect_identical(format(both), "dropout(0.1) + rescale(0.2)")
  expect_identical(new_perturbation() + both, both)
  for (none in list(new_perturbation(), perturb_dropout(0), perturb_rescale(0), perturb_gaussian(0),
                    perturb_image(c(2, 2), 0))) {
    expect_length(none$steps, 0L)
    expect_output(print(none), "<perturbation: none>")
  }
  expect_output(print(perturb_image(c(28, 28), 2)), "image(28 x 28, shift 2)", fixed = TRUE)
})

test_that("a parameter out of its range is an error of its own", {
  refused <- function(code, arg) {
    condition <- expect_error(code, class = "dualmargin_input_error")
    expect_identical(condition$arg, arg)
  }
  for (rate in list(1, -0.1, NA, "a", c(0.1, 0.2))) refused(perturb_dropout(rate), "rate")
  for (sd in list(-1, Inf, NULL)) refused(perturb_gaussian(sd), "sd")
  for (width in list(-0.1, 1.1)) refused(perturb_rescale(width), "width")
  for (dim in list(28, c(0, 3), c(2.5, 2), "a")) refused(perturb_image(dim), "dim")
  for (shift in list(-1, 0.5, 9)) refused(perturb_image(c(4, 4), shift), "shift")
  refused(perturb_custom(1), "f")
  refused(perturb_dropout(0.1) + 1, "+")
})

test_that("a user's function is given values and uniforms, and what it does wrong is said", {
  few <- few_columns()
  seen <- new.env()
  look <- perturb_custom(function(values, u) {
    seen$shapes <- c(seen$shapes, list(dim(values)))
    seen$u <- c(seen$u, u)
    stopifnot(identical(dim(values), dim(u)))
    values * (0.5 + u)
  })
  fit <- quiet_augmented(few$x, few$y, look, lambda = 0.5,
                         control = margin_control(tol = 0.05, seed = 1))
  expect_true(all(vapply(seen$shapes, `[`, 0L, 2L) == 5L))
  expect_gt(min(seen$u), 0)
  expect_lt(max(seen$u), 1)
  expect_gt(stats::ks.test(unique(seen$u), "punif")$p.value, 1e-4)
  # the same law as rescale(0.5), so the same optimum
  known <- quiet_augmented(few$x, few$y, perturb_rescale(0.5), lambda = 0.5,
                           control = margin_control(tol = 0.002, seed = 2))
  expect_lte(abs(fit$certificate$value - known$certificate$value),
             fit$certificate$gap + known$certificate$gap + 5 * (fit$value_se + known$value_se))

  sparse <- Matrix::Matrix(few$x * (abs(few$x) > 0.5), sparse = TRUE)
  vectors <- perturb_custom(function(values, u) {
    stopifnot(is.null(dim(values)), length(values) == length(u), all(values != 0))
    values
  })
  expect_s3_class(
    quiet_augmented(sparse, few$y, vectors, lambda = 0.5, intercept = "penalized",
                    control = margin_control(tol = 0.05)),
    "margin_augmented"
  )

  wrong <- function(f) margin_augmented(few$x, few$y, perturb_custom(f), lambda = 0.5,
                                        intercept = "none", scale = FALSE)
  expect_error(wrong(function(values, u) values[1]), "length 1 for values of",
               class = "dualmargin_input_error")
  expect_error(wrong(function(values, u) values / 0), "not finite",
               class = "dualmargin_input_error")
  expect_error(wrong(function(values, u) "a"), "returned \"a\"", class = "dualmargin_input_error")
  expect_error(wrong(function(values, u) stop("mine")), "mine")
})
