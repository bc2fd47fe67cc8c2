# Leave-one-out of elastic nets from the fit alone: with no l1 part left it is the ridge's, and it
# is worth having.

test_that("most rows of an elastic net need no refit", {
  rows <- seq(1, nrow(spambase), by = 10)
  fit <- margin_linear(type ~ ., data = spambase[rows, ], lambda = 0.05, mixture = 0.3)
  loo <- margin_loo(fit, spambase[rows, ])
  expect_lte(loo$summary$undecided, length(rows) / 5)
  expect_true(all(loo$rows$wrong[loo$rows$wrong_in_training]))
})
