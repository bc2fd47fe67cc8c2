# Stochastic MISO.

few <- few_columns()
fit_smiso <- function(x = few$x, y = few$y, perturbation = perturb_dropout(0.2), ...,
                      lambda = 0.1, tol = 1e-3, max_epochs = 300, seed = 1, options = list()) {
  quiet_augmented(x, y, perturbation, lambda = lambda, solver = "smiso", ...,
                  control = margin_control(tol = tol, max_epochs = max_epochs, seed = seed,
                                           solver_options = options))
}

test_that("without perturbation it converges linearly, to 1e-12", {
  for (loss in c("logistic", "squared_hinge", "smooth_hinge")) {
    for (sampling in c("uniform", "nonuniform")) {
      fit <- fit_smiso(perturbation = perturb_none(), loss = loss, tol = 1e-12, max_epochs = 2000,
                       options = list(sampling = sampling))
      expect_true(fit$certificate$certified)
      expect_identical(fit$certificate$kind, "gradient bound")
    }
  }
  sparse <- fit_smiso(perturbation = perturb_none(), lambda = 0.2, mixture = 0.5, tol = 1e-12,
                      max_epochs = 2000)
  expect_true(sparse$certificate$certified)
})

test_that("sparse rows are dense rows, and weights are copies", {
  holes <- few$x * (abs(few$x) > 0.6)
  perturbation <- perturb_dropout(0.25) + perturb_rescale(0.1)
  dense <- fit_smiso(holes, perturbation = perturbation, max_epochs = 10)
  # the same seed draws other masks for the zeros that a sparse row does not have
  for (kind in c("CsparseMatrix", "RsparseMatrix")) {
    x <- as(Matrix::Matrix(few$x, sparse = TRUE), kind)
    full <- fit_smiso(x, perturbation = perturbation, max_epochs = 10)
    expect_equal(coef(full), coef(fit_smiso(perturbation = perturbation, max_epochs = 10)),
                 tolerance = 1e-12)
  }
  sparse <- fit_smiso(Matrix::Matrix(holes, sparse = TRUE), perturbation = perturbation)
  expect_lte(abs(sparse$certificate$value - dense$certificate$value),
             sparse$certificate$gap + dense$certificate$gap +
               4 * (sparse$value_se + dense$value_se))
  copies <- rep(c(1L, 2L, 3L), length.out = 60L)
  weighted <- fit_smiso(weights = copies)
  repeated <- fit_smiso(few$x[rep(1:60, copies), ], few$y[rep(1:60, copies)])
  value <- function(fit) {
    dropout_objective(few$x, few$y, coef(fit), 0.2, plain_losses$logistic, 0.1, weights = copies)
  }
  expect_lte(abs(value(weighted) - value(repeated)),
             max(weighted$certificate$gap, repeated$certificate$gap))
})

test_that("balanced draws come nearer to the optimum in the same epochs", {
  far <- function(balanced) {
    mean(vapply(1:5, function(seed) {
      fit <- fit_smiso(tol = 1e-9, max_epochs = 60, seed = seed,
                       perturbation = perturb_dropout(0.1),
                       options = list(balanced = balanced))
      dropout_objective(few$x, few$y, coef(fit), 0.1, plain_losses$logistic, 0.1)
    }, 0))
  }
  best <- fit_smiso(tol = 1e-6, max_epochs = 4000, perturbation = perturb_dropout(0.1))
  optimum <- dropout_objective(few$x, few$y, coef(best), 0.1, plain_losses$logistic, 0.1)
  expect_lt(far(TRUE) - optimum, (far(FALSE) - optimum) / 2)
})

test_that("rows of very uneven length, averages and warm starts keep it on course", {
  x <- few$x * rep(c(0.1, 1, 8), length.out = 60)
  for (sampling in c("auto", "nonuniform")) {
    fit <- fit_smiso(x, perturbation = perturb_dropout(0.1), loss = "squared_hinge", tol = 2e-2,
                     max_epochs = 2000, options = list(sampling = sampling))
    expect_true(fit$certificate$certified)
  }
  last <- fit_smiso(options = list(averaging = FALSE))
  averaged <- fit_smiso()
  expect_lte(abs(last$certificate$value - averaged$certificate$value),
             last$certificate$gap + averaged$certificate$gap +
               4 * (last$value_se + averaged$value_se))
  # a table that knows the start stays there
  done <- fit_smiso(perturbation = perturb_none(), tol = 1e-10, max_epochs = 2000)
  again <- quiet_augmented(few$x, few$y, perturb_none(), lambda = 0.1, solver = "smiso",
                           control = margin_control(tol = 1e-10, seed = 3, start = done))
  expect_lte(again$status$epochs, 1)
})

test_that("a user's perturbation needs no bound of its own", {
  shrink <- perturb_custom(function(values, u) values * (2 * u)^2)
  fit <- fit_smiso(few$x * 5, perturbation = shrink, tol = 5e-2, max_epochs = 500)
  expect_true(all(is.finite(coef(fit))))
  expect_true(fit$certificate$certified)
})
