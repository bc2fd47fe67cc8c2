# Every form of the kernel matrix against plain R on rows that were mixed beforehand.

plain_kernel <- function(kernel, x) {
  square <- as.matrix(stats::dist(x))^2
  switch(kernel$name,
    rbf = exp(-kernel$sigma * square),
    laplace = exp(-kernel$sigma * sqrt(square)),
    polynomial = (kernel$scale * tcrossprod(x) + kernel$offset)^kernel$degree,
    linear = tcrossprod(x)
  )
}

kernels <- list(
  list(name = "rbf", sigma = 0.2), list(name = "laplace", sigma = 0.4),
  list(name = "polynomial", degree = 3, scale = 0.3, offset = 0.5), list(name = "linear")
)

# More rows than a block of 64 or 256 and a chunk of 1,024, two of them equal; some shares 0 and 1,
# pairs in both orders.
kernel_instance <- function(n = 1100, m = 90, d = 7, seed = 3) {
  set.seed(seed)
  local({
    x <- matrix(rnorm(n * d), n) * rbinom(n * d, 1, 0.4)
    x[9, ] <- x[4, ]
    first <- sample(n, m, replace = TRUE)
    second <- (first + sample(n - 1, m, replace = TRUE) - 1) %% n + 1
    share <- c(0, 1, 1e-12, runif(m - 3))
    first[5:6] <- c(4, 9)
    second[5:6] <- c(9, 4)
    coef <- rnorm(n + m) * rbinom(n + m, 1, 0.8)
    list(x = x, mixed = list(first = first, second = second, share = share), coef = coef,
         all = rbind(x, (1 - share) * x[first, ] + share * x[second, ]))
  })
}

ask_kernel <- function(case, kernel, x = case$x, mixed = case$mixed, stored = TRUE,
                       single = FALSE, exact = FALSE, coef = case$coef, width = 128) {
  given <- utils::modifyList(list(sigma = NA_real_, degree = 1, scale = 1, offset = 0), kernel)
  probe("kernel_matrix", x, given, mixed, nrow(x), if (stored) 1e9 else 0, single, exact, coef,
        width)
}

largest <- function(a, b) max(abs(a - b)) / max(1, abs(b))

# Distances come from inner products, so the root of one near zero has half the digits.
expect_matrix <- function(found, K, coef, tolerance, distance = tolerance) {
  expect_lt(largest(found$entries, K), distance)
  expect_lt(largest(found$diagonal, diag(K)), tolerance)
  own <- found$square != 0
  expect_lt(largest(found$square[own], found$entries[own]), distance)
  product <- drop(K %*% coef)
  scale <- 1 + drop(abs(K) %*% abs(coef))
  for (way in c("row", "block", "product")) {
    expect_lt(max(abs(found[[way]] - product) / scale), distance)
  }
}

test_that("rows, squares and products are those of the kernel on explicitly mixed rows", {
  case <- kernel_instance()
  sparse <- methods::as(case$x, "CsparseMatrix")
  for (kernel in kernels) {
    K <- plain_kernel(kernel, case$all)
    near <- if (kernel$name == "laplace") 1e-7 else 1e-13
    for (x in list(case$x, sparse)) for (stored in c(TRUE, FALSE)) {
      found <- ask_kernel(case, kernel, x, stored = stored)
      expect_matrix(found, K, case$coef, 1e-13, near)
      expect_identical(found$bytes > 0, stored)
    }
  }
})

test_that("entries are exact to 1e-14 where no distance is near zero", {
  case <- kernel_instance(n = 200, m = 40)
  away <- as.matrix(stats::dist(case$all)) > 0.1
  for (kernel in kernels) for (stored in c(TRUE, FALSE)) {
    K <- plain_kernel(kernel, case$all)
    found <- ask_kernel(case, kernel, stored = stored)
    expect_lt(largest(found$entries[away], K[away]), 1e-14)
  }
})

test_that("without mixed rows the kernel itself is stored, once", {
  case <- kernel_instance(m = 10)
  case$coef <- case$coef[seq_len(nrow(case$x))]
  none <- list(first = integer(), second = integer(), share = numeric())
  for (kernel in kernels) {
    K <- plain_kernel(kernel, case$x)
    near <- if (kernel$name == "laplace") 1e-7 else 1e-13
    found <- ask_kernel(case, kernel, mixed = none)
    expect_matrix(found, K, case$coef, 1e-13, near)
    expect_equal(found$bytes, 8 * nrow(K)^2)
    expect_identical(found$entries, t(found$entries))
  }
})

test_that("single precision is good to 1e-5 and its certificate's kernel to 1e-13", {
  case <- kernel_instance()
  for (kernel in kernels[-2L]) {
    K <- plain_kernel(kernel, case$all)
    expect_matrix(ask_kernel(case, kernel, single = TRUE), K, case$coef, 1e-5)
    expect_matrix(ask_kernel(case, kernel, single = TRUE, exact = TRUE), K, case$coef, 1e-13)
  }
  found <- ask_kernel(case, kernels[[1L]], single = TRUE)
  expect_equal(found$bytes, 4 * nrow(case$x)^2)
})

test_that("exp() is within two units in the last place, in lengths that fill no packet", {
  for (n in c(1L, 15L, 16L, 17L, 20001L)) {
    x <- seq(-80, 80, length.out = n)
    expect_lte(max(abs(probe("exp", x, FALSE) / exp(x) - 1)), 2^-51)
    # what single precision makes of an argument is no error of exp()
    x <- round(x * 1024) / 1024
    expect_lte(max(abs(probe("exp", x, TRUE) / exp(x) - 1)), 2^-22)
  }
  expect_identical(probe("exp", numeric(40), TRUE), rep(1, 40))
  expect_lt(max(probe("exp", c(-90, -1e4, -1e30, -Inf), TRUE)), 1e-37)
})
