# Ctrl-C in a child R: it ends a fit that would go on, and the next fit is as if nothing had been.

test_that("an interrupt ends a fit and leaves nothing behind", {
  skip_without_child()
  fits <- c(
    "margin_linear(x, y, loss = 'hinge', lambda = 1e-9, intercept = 'none', solver = 'sdca',
       control = margin_control(tol = 1e-14, max_epochs = 1e9, stall = FALSE, progress = TRUE))",
    # at work in several threads
    "margin_augmented(x, y, perturb_gaussian(0.3), lambda = 1e-9,
       control = margin_control(tol = 1e-14, max_epochs = 1e6, progress = TRUE, threads = 3))",
    "{ cat('updated\\n'); margin_certain(wide, z, side) }"
  )
  child <- start_child(c(
    "set.seed(1)",
    "n <- 50000L; x <- matrix(rnorm(n * 40L), n); y <- factor(x[, 1L] + rnorm(n) > 0)",
    "small <- function() coef(margin_linear(x[1:500, ], y[1:500], loss = 'hinge',",
    "                                       control = margin_control(seed = 1)))",
    "before <- small()",
    "z <- matrix(rnorm(1200 * 800), 1200); side <- factor(z[, 1L] + rnorm(1200) > 0)",
    "wide <- margin_linear(z, side, loss = 'logistic', lambda = 0.1)",
    sprintf(paste(sep = "\n",
      "cat('fit %d\\n')",
      "ended <- tryCatch({ for (i in 1:100) %s; 'finished' }, interrupt = function(c) 'cut')",
      "cat('ended', ended, identical(before, small()), '\\n')"), seq_along(fits), fits)
  ))
  on.exit(child$process$kill())
  for (mark in sprintf("fit %d", seq_along(fits))) {
    expect_says(child, "updated", mark)
    child$process$interrupt()
    expect_match(expect_says(child, "^ended ", mark), "ended cut TRUE")
  }
})
