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
