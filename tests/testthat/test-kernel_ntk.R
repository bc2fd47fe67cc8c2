# The gradients of sum_j V_cj max(w_j.x, 0) of all outputs c, with respect to V and the w_j, a row
# for each row of x.
network_gradients <- function(x, W, V) {
  V <- if (is.matrix(V)) V else matrix(V, 1L)
  t(apply(as.matrix(x), 1L, function(row) {
    hidden <- drop(W %*% row)
    blocks <- lapply(seq_len(nrow(V)), function(c) {
      of_V <- matrix(0, nrow(V), ncol(V))
      of_V[c, ] <- pmax(hidden, 0)
      c(of_V, outer(V[c, ] * (hidden > 0), row))
    })
    unlist(blocks)
  }))
}

ntk_between <- function(kernel, a, b = a) {
  kernel_values(kernel, a, kernel_points(kernel, b))
}

network_rows <- function(n = 12L, d = 5L) {
  set.seed(4)
  matrix(rnorm(n * d), n, d)
}

test_that("the closed form is the product of explicit gradients", {
  x <- network_rows()
  other <- network_rows(7L)[, 5:1]
  W <- matrix(rnorm(8 * 5), 8L)
  for (a in list(rnorm(8), matrix(rnorm(24), 3L))) {
    kernel <- kernel_ntk(weights = list(W = W, a = a), normalize = FALSE)
    here <- network_gradients(x, W, a)
    there <- network_gradients(other, W, a)
    expect_equal(ntk_between(kernel, x, other), tcrossprod(here, there), tolerance = 1e-12)
    unit <- function(g) g / sqrt(rowSums(g^2))
    normalised <- kernel_ntk(weights = list(W = W, a = a))
    expect_equal(ntk_between(normalised, x, other), tcrossprod(unit(here), unit(there)),
                 tolerance = 1e-12)
    rows <- tangent_rows(normalised, x)$kernel
    expect_equal(rows$diagonal, rep(1, 12), tolerance = 1e-14)
    expect_equal(rows$evaluate(c(3L, 1L)), tcrossprod(unit(here), unit(here)[c(3, 1), ]),
                 tolerance = 1e-12)
  }
})

test_that("a seed draws the same weights whatever R's stream is, which stays where it is", {
  x <- network_rows(20L)
  y <- rep(c(-1, 1), 10L)
  fitted <- function(kernel) {
    control <- margin_control(seed = 1)
    margin_hard(x, y, kernel = kernel, control = control, intercept = "none")$settings$kernel
  }
  set.seed(1)
  before <- .Random.seed
  first <- fitted(kernel_ntk(width = 16, seed = 3))
  expect_identical(.Random.seed, before)
  set.seed(2)
  expect_identical(fitted(kernel_ntk(width = 16, seed = 3)), first)
  expect_false(identical(fitted(kernel_ntk(width = 16, seed = 4))$weights, first$weights))
  # without one set.seed() rules, and the seed that was drawn is told
  set.seed(5)
  drawn <- fitted(kernel_ntk(width = 16))
  set.seed(5)
  expect_identical(fitted(kernel_ntk(width = 16)), drawn)
  again <- fitted(kernel_ntk(width = 16, seed = drawn$seed))
  expect_identical(again$weights, drawn$weights)
  expect_identical(dim(first$weights$W), c(16L, 5L))
  expect_equal(first$weights$a, rep(0.25, 16))
})

test_that("a fit with drawn weights is the fit with those weights", {
  x <- network_rows(30L)
  y <- ifelse(rowSums(x^2) > 5, 1, -1)
  drawn <- margin_kernel(x, y, kernel = kernel_ntk(width = 20, seed = 3), loss = "squared_hinge",
                         intercept = "none", center = FALSE)
  weights <- drawn$settings$kernel$weights
  given <- margin_kernel(x, y, kernel = kernel_ntk(weights = weights), loss = "squared_hinge",
                         intercept = "none", center = FALSE)
  expect_identical(given$scores, drawn$scores)
  # the columns that the kernel sees are the scaled ones
  rows <- sweep(x, 2L, drawn$scales, `/`)
  plain <- network_gradients(rows, weights$W, weights$a)
  plain <- plain / sqrt(rowSums(plain^2))
  beta <- numeric(30)
  beta[drawn$support$at] <- coef(drawn)
  expect_equal(drawn$scores, drop(tcrossprod(plain) %*% beta), tolerance = 1e-10)
  # and mixed rows are mixed before the network sees them
  mixed <- margin_kernel(x, y, kernel = kernel_ntk(width = 20, seed = 3), mixup = mixup_pairs(10),
                         center = FALSE, control = margin_control(seed = 1), intercept = "none")
  expect_equal(predict(mixed, x, type = "score"), mixed$scores, tolerance = 1e-10)
})

test_that("every bad argument has its own words", {
  good <- list(W = matrix(1, 3L, 2L), a = rep(1, 3))
  expect_told("kernel_ntk", "parameters", {
    kernel_ntk(width = 0)
    kernel_ntk(seed = -1)
    kernel_ntk(normalize = NA)
    kernel_ntk(width = 3, weights = good)
    kernel_ntk(seed = 3, weights = good)
    kernel_ntk(weights = good$W)
    kernel_ntk(weights = list(W = good$W, a = 1:2))
    kernel_ntk(weights = list(W = 1:3, a = 1:3))
    kernel_ntk(weights = list(W = good$W * NA, a = 1:3))
    kernel_ntk(weights = list(W = good$W, a = c("x", "y", "z")))
  })
  x <- network_rows()
  y <- rep(c(-1, 1), 6L)
  expect_told("kernel_ntk", "fits", {
    margin_hard(x, y, kernel = kernel_ntk(weights = good), intercept = "none")
    margin_kernel(x, y, kernel = "ntk", nystrom = 5, intercept = "none")
    margin_hard(x, y, kernel = kernel_ntk, intercept = "none")
  })
})
