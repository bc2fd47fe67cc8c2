fit_exact <- function(..., solver = "exact", tol = 1e-12, seed = 1, options = list(),
                      intercept = "none", scale = FALSE) {
  margin_augmented(..., solver = solver, intercept = intercept, center = FALSE, scale = scale,
                   control = margin_control(tol = tol, seed = seed, max_epochs = 5000,
                                            solver_options = options))
}

# F(w) - F* <= |g|^2 / (2 mu) has digits that the certificate, a difference of values, has not.
fit_to_rounding <- function(..., suboptimality = 1e-14) {
  expect_warning(fit <- fit_exact(..., tol = 1e-17), class = "dualmargin_not_certified")
  expect_identical(fit$status$status, "rounding_floor")
  expect_lt(fit$certificate$relative_gap, 1e-12)
  expect_lt(fit$suboptimality, suboptimality * fit$certificate$value)
  fit
}

test_that("it meets exact optima made by other methods, objective and coefficients", {
  table <- read.csv(test_path("reference_augmented.csv"))
  data <- lapply(c(sq = "sq_n100_d20", cls = "cls_n60_d8"), function(name) {
    read.csv(test_path(sprintf("reference_augmented_%s.csv", name)))
  })
  known <- table[table$loss == "squared" | table$perturbation %in% c("none", "gaussian"), ]
  cases <- split(known, known$case)
  expect_length(cases, 10L)
  for (case in cases) {
    d <- data[[if (case$loss[1L] == "squared") "sq" else "cls"]]
    strength <- case$param[1L]
    perturbation <- switch(case$perturbation[1L], none = new_perturbation(),
                           dropout = perturb_dropout(strength),
                           gaussian = perturb_gaussian(strength),
                           rescale = perturb_rescale(strength))
    lambda <- case$mu[1L] + case$l1[1L]
    fit <- fit_to_rounding(as.matrix(d[-1L]),
                           if (case$loss[1L] == "squared") d$y else factor(d$y), perturbation,
                           loss = case$loss[1L], lambda = lambda,
                           mixture = case$l1[1L] / lambda, suboptimality = 1e-17)
    value <- setNames(case$value, case$quantity)
    expect_equal(fit$certificate$value, value[["objective"]], tolerance = 1e-11)
    expect_lt(max(abs(coef(fit) - value[names(coef(fit))])), 1e-8)
    if (case$l1[1L] > 0) expect_identical(sum(coef(fit) != 0), as.integer(value[["nonzeros"]]))
  }
})

test_that("with an l1 part the returned point meets the conditions of optimality", {
  problem <- small_problem(n = 50L, p = 30L)
  for (case in closed_form_cases()) {
    fit <- fit_to_rounding(problem$x, factor(problem$y), case[[2L]], loss = case[[1L]],
                           lambda = 0.08, mixture = 0.9, suboptimality = 1e-15)
    expect_gt(sum(coef(fit) == 0), 3)
    expect_gt(sum(coef(fit) != 0), 1)
    least <- outside_bound(fit, problem$x, problem$y, case[[2L]])$least
    expect_lt(max(abs(least)), 1e-8)
  }
})

test_that("without a perturbation it is margin_linear()", {
  problem <- small_problem()
  for (loss in Filter(function(loss) loss$smooth, class_losses())) for (mixture in c(0, 0.5)) {
    for (intercept in c("none", "penalized")) {
      fit <- fit_exact(problem$x, factor(problem$y), new_perturbation(), loss = loss, lambda = 0.05,
                       mixture = mixture, intercept = intercept, weights = problem$weights,
                       tol = 1e-13)
      peer <- margin_linear(problem$x, factor(problem$y), loss = loss, lambda = 0.05,
                            mixture = mixture, intercept = intercept, weights = problem$weights,
                            scale = FALSE, control = margin_control(tol = 1e-13, seed = 1))
      expect_equal(fit$certificate$value, peer$certificate$value, tolerance = 1e-11)
      expect_lt(max(abs(coef(fit) - coef(peer))), 1e-5)
      expect_gte(fit$certificate$value, peer$certificate$bound * (1 - 1e-14))
      expect_lte(fit$certificate$bound, peer$certificate$value * (1 + 1e-14))
    }
  }
})

test_that("a gap below rounding is called that, and few epochs give a warning", {
  problem <- small_problem()
  expect_warning(
    fit <- fit_exact(problem$x, factor(problem$y), perturb_gaussian(0.3), lambda = 0.1,
                     mixture = 0.2, tol = 1e-300),
    class = "dualmargin_not_certified"
  )
  expect_identical(fit$status$status, "rounding_floor")
  # value and bound have no more digits; the limit of F(w) - F*, made of a gradient, has
  expect_lt(fit$certificate$relative_gap, 1e-13)
  expect_lt(fit$suboptimality, 1e-20)
  expect_warning(
    fit <- margin_augmented(problem$x, factor(problem$y), new_perturbation(), lambda = 1e-4,
                            solver = "exact", control = margin_control(max_epochs = 3, seed = 1),
                            intercept = "none", center = FALSE, scale = FALSE),
    class = "dualmargin_not_certified"
  )
  expect_identical(fit$status$status, "max_epochs")
  expect_lte(fit$status$epochs, 4)
})
