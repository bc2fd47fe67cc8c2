# Leave-one-out of groups, weights, several classes; what is read from it.

test_that("a row of weight 0 has the fit's own interval, the only row of its class no optimum", {
  set.seed(6)
  x <- matrix(rnorm(40), 20)
  y <- factor(rep(c("a", "b"), c(1, 19)))
  fit <- margin_linear(x, y, lambda = 0.1, weights = c(rep(1, 19), 0))
  loo <- margin_loo(fit, x, y)
  expect_identical(loo$rows$by[1L], "no optimum")
  expect_identical(as.character(loo$rows$class[1L]), "b")
  expect_true(loo$rows$wrong[1L])
  expect_identical(loo$summary$nobs, 19L)
  own_interval <- predict(margin_certain(fit, x, y))[20L, ]
  expect_true(loo$rows$lower[20L] <= own_interval$upper &&
                loo$rows$upper[20L] >= own_interval$lower)
})

test_that("what is printed, drawn and refused", {
  rows <- seq(1, nrow(spambase), by = 20)
  fit <- margin_linear(type ~ ., data = spambase[rows, ], lambda = 0.01)
  loo <- margin_loo(fit, spambase[rows, ])
  expect_output(print(loo), "training error.*left-out error.*proven.*solved again")
  expect_identical(tidy(loo)$row, seq_along(rows))
  expect_identical(nrow(glance(loo)), 1L)
  drawn <- on_null_device(plot(loo))
  expect_identical(sum(drawn$changed), sum(loo$rows$wrong != loo$rows$wrong_in_training))
  s <- loo$summary
  expect_true(s$deviance_lower <= s$deviance_upper && s$brier_lower <= s$brier_upper)
  refused <- function(code, text) expect_error(code, text, class = "dualmargin_input_error")
  refused(margin_loo(fit, spambase[rows, ], rule = "C"), "rule")
  refused(margin_loo(fit, spambase[rows, ], groups = 1:3), "`groups` is")
  refused(margin_loo(fit, spambase[rows, ], groups = rep(1, length(rows))), "all rows into one")
  refused(margin_loo(fit, spambase[rows, ], groups = c(NA, rows[-1L])), "NA at position 1")
  refused(margin_loo(fit, spambase[rows, ], k = 5), "`k` is not an argument")
  refused(margin_loo(update(fit, mixture = 1), spambase[rows, ]), "mixture = 1")
})

# Rows of much leverage are taken out of the norm in which the optimum is looked for, and what that
# loses to rounding can be more than all: no ball follows then.
test_that("groups of rows that hold a direction alone are left out as refits have it", {
  for (seed in c(29, 123)) {
    problem <- certain_problem(seed)
    problem$arguments$mixture <- 0
    fit <- certain_fit(problem, 1e-8)
    n <- nrow(problem$x)
    groups <- rep_len(1:4, n)
    loo <- margin_loo(fit, problem$x, problem$y, groups = groups)$rows
    weights <- problem$arguments$weights
    for (g in 1:4) {
      out <- which(groups == g)
      omega <- replace(if (is.null(weights)) rep(1, n) else weights, out, 0)
      if (length(unique(problem$y[omega > 0])) < 2L) next
      best <- changed_optimum(fit, problem$x, problem$y, omega, problem$x[out, , drop = FALSE])
      expect_true(all(loo$lower[out] <= best[, 2L] & loo$upper[out] >= best[, 1L]), info = seed)
    }
  }
})

test_that("groups of which one has all the weight are refused", {
  set.seed(1)
  x <- matrix(rnorm(20), 10)
  fit <- margin_linear(x, rnorm(10), weights = rep(1:0, c(4, 6)))
  groups <- rep(1:2, c(4, 6))
  for (verb in list(margin_loo, margin_sensitivity)) {
    expect_error(verb(fit, x, fit$response, groups = groups), "all rows into one",
                 class = "dualmargin_input_error")
  }
})
