test_that("a seed means the same draws under every generator, which is left as it was", {
  old <- RNGkind()
  on.exit(do.call(RNGkind, as.list(old)))
  wanted <- with_seed(7, c(runif(2), rnorm(2), sample(10)))
  set.seed(7, "Mersenne-Twister", "Inversion", "Rejection")
  expect_identical(c(runif(2), rnorm(2), sample(10)), wanted)
  RNGkind("L'Ecuyer-CMRG", "Box-Muller")
  set.seed(1)
  state <- .Random.seed
  expect_identical(with_seed(7, c(runif(2), rnorm(2), sample(10))), wanted)
  expect_identical(.Random.seed, state)
  runif(1) # what was assigned is read at the next draw
  rm(".Random.seed", envir = globalenv())
  with_seed(7, runif(1))
  expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
  expect_identical(RNGkind()[1:2], c("L'Ecuyer-CMRG", "Box-Muller"))
})

test_that("class problems draw by streams of their own, the first as a fit of two classes", {
  set.seed(3)
  x <- matrix(rnorm(160), 40)
  y <- rep(c("a", "b", "c"), length.out = 40)
  slopes <- function(y, seed) {
    # after an epoch the iterates are better than w = 0, which a fit would return instead
    fit <- suppressWarnings(margin_linear(x, y, lambda = 1, solver = "sdca", intercept = "none",
                                          control = margin_control(max_epochs = 1, seed = seed)))
    unname(as.matrix(coef(fit)))
  }
  abc <- factor(y, c("a", "b", "c"))
  bac <- factor(y, c("b", "a", "c"))
  expect_identical(slopes(bac, 2)[, 1L], slopes(factor(y == "b"), 2)[, 1L])
  for (seed in c(0, 1, 7)) {
    # the class that was second with this seed is the first with the next one
    expect_false(identical(slopes(abc, seed)[, 2L], slopes(bac, seed + 1)[, 1L]))
  }
})
