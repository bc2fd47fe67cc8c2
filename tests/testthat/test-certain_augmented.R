# Fits of perturbed rows: the ball of the limit of a certificate, with its confidence if drawn.

test_that("a drawn expectation gives a level, which is printed", {
  rows <- seq(1, nrow(spambase), by = 20)
  fit <- margin_augmented(type ~ ., data = spambase[rows, ], perturbation = perturb_dropout(0.1),
                          loss = "logistic", lambda = 0.1, control = margin_control(seed = 1))
  certain <- margin_certain(fit, spambase[rows, ])
  expect_identical(certain$level, 0.95)
  expect_equal(certain$problems[[1L]]$ball$radius, sqrt(2 * fit$suboptimality[[1L]] / 0.1),
               tolerance = 1e-6)
  expect_output(print(certain), "confidence of 95 %")
})
