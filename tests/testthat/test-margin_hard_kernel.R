# Rows that a line through the origin separates by some distance; two classes, or k.
apart <- function(n = 60L, d = 4L, k = 2L, seed = 1L) {
  set.seed(seed)
  centre <- matrix(rnorm(k * d, sd = 1.3), k, d)
  class <- rep_len(seq_len(k), n)
  x <- centre[class, ] + 0.3 * matrix(rnorm(n * d), n, d)
  colnames(x) <- paste0("x", seq_len(d))
  list(x = x, y = if (k == 2L) c(-1, 1)[class] else factor(letters[class]))
}

# Two rings, which no line separates.
rings <- function(n = 60L, seed = 2L) {
  set.seed(seed)
  angle <- runif(n, 0, 2 * pi)
  inner <- rep(c(TRUE, FALSE), length.out = n)
  radius <- ifelse(inner, runif(n, 0.4, 0.8), runif(n, 1.2, 1.6))
  list(x = cbind(east = radius * cos(angle), north = radius * sin(angle)),
       y = factor(ifelse(inner, "inner", "outer")))
}

# The smallest distance by the scores of the training rows.
smallest_distance <- function(fit) {
  scores <- fit$scores
  own <- as.integer(as.factor(fit$response))
  if (!is.matrix(scores)) {
    return(min(scores * c(-1, 1)[own]))
  }
  at <- cbind(seq_len(nrow(scores)), own)
  min(scores[at] - apply(replace(scores, at, -Inf), 1L, max))
}

# Value, bound and scores from the kernel matrix, in plain R.
expect_honest_margin <- function(fit, K) {
  constant <- fit$settings$intercept == "penalized"
  K <- K + constant
  k <- max(1L, length(fit$levels) * (length(fit$levels) > 2L))
  beta <- matrix(0, nrow(K), k)
  beta[fit$support$at, ] <- dualmargin:::kernel_coefficients(fit)
  free <- if (fit$settings$intercept == "free") coef(fit)[[1L]] else 0
  scores <- K %*% beta + free
  expect_equal(unname(as.matrix(fit$scores)), unname(scores), tolerance = 1e-8)
  # of length one, or for several classes 1 / sqrt(2)
  length <- sqrt(sum(beta * (K %*% beta)))
  expect_equal(length, if (k == 1L) 1 else sqrt(0.5), tolerance = 1e-8)
  expect_equal(smallest_distance(fit), fit$certificate$value, tolerance = 1e-7)
  own <- as.integer(as.factor(fit$response))
  if (k == 1L) {
    expect_equal(sum(fit$dual), 1)
    sides <- drop(rowsum(unname(fit$dual), own))
    if (fit$settings$intercept == "free") expect_equal(as.vector(sides), c(0.5, 0.5))
    mass <- matrix(fit$dual * c(-1, 1)[own])
  } else {
    expect_equal(sum(fit$dual), 1)
    mass <- -unname(fit$dual)
    at <- cbind(seq_along(own), own)
    expect_identical(fit$dual[at], numeric(length(own)))
    mass[at] <- rowSums(fit$dual)
    mass <- mass * sqrt(0.5)
  }
  bound <- sqrt(sum(mass * (K %*% mass)))
  # the bound is that of the unit-length direction of all classes
  expect_equal(bound, fit$certificate$bound, tolerance = 1e-7)
}

test_that("the linear kernel gives the linear margin", {
  for (k in c(2L, 3L)) {
    problem <- apart(k = k)
    for (intercept in c("none", "penalized", if (k == 2L) "free")) {
      plain <- margin_hard(problem$x, problem$y, intercept = intercept)
      fit <- margin_hard(problem$x, problem$y, kernel = as_kernel("linear"), intercept = intercept)
      expect_true(fit$certificate$certified)
      expect_equal(fit$certificate$value, plain$certificate$value, tolerance = 1e-9)
      expect_equal(fit$scores, plain$scores, tolerance = 1e-9)
      expect_honest_margin(fit, tcrossprod(problem$x))
      slopes <- crossprod(problem$x[fit$support$at, , drop = FALSE],
                          dualmargin:::kernel_coefficients(fit))
      first <- if (intercept == "none") 0 else -1
      of_columns <- as.matrix(coef(plain))
      if (first < 0) {
        expect_equal(as.matrix(coef(fit))[1L, ], of_columns[1L, ], tolerance = 1e-8)
        of_columns <- of_columns[-1L, , drop = FALSE]
      }
      expect_equal(slopes, of_columns, tolerance = 1e-8, ignore_attr = TRUE)
    }
  }
})

test_that("a polynomial kernel gives the margin of its features", {
  problem <- rings()
  x <- problem$x
  # (x.x' + 1)^2
  features <- cbind(x[, 1]^2, x[, 2]^2, sqrt(2) * x[, 1] * x[, 2], sqrt(2) * x, 1)
  for (intercept in c("none", "penalized", "free")) {
    plain <- margin_hard(features, problem$y, intercept = intercept)
    fit <- margin_hard(x, problem$y, kernel = kernel_polynomial(2), intercept = intercept)
    expect_equal(fit$certificate$value, plain$certificate$value, tolerance = 1e-9)
    expect_equal(fit$scores, plain$scores, tolerance = 1e-7, ignore_attr = TRUE)
    expect_honest_margin(fit, tcrossprod(features))
  }
})

test_that("the free margin is that of a support vector machine with a huge cost", {
  problem <- rings()
  fit <- margin_hard(problem$x, problem$y, kernel = kernel_rbf(1), intercept = "free")
  label <- ifelse(problem$y == "outer", 1, -1)
  if (requireNamespace("e1071", quietly = TRUE)) {
    theirs <- e1071::svm(problem$x, factor(label), kernel = "radial", gamma = 1, cost = 1e6,
                         scale = FALSE, tolerance = 1e-8)
    norm <- sqrt(drop(t(theirs$coefs) %*% plain_kernel(kernel_rbf(1), theirs$SV) %*% theirs$coefs))
    expect_equal(1 / norm, fit$certificate$value, tolerance = 1e-5)
    expect_setequal(theirs$index, fit$support$at)
  }
  skip_if_not_installed("kernlab")
  theirs <- kernlab::ksvm(problem$x, factor(label), kernel = "rbfdot", kpar = list(sigma = 1),
                          C = 1e6, scaled = FALSE, tol = 1e-8)
  K <- plain_kernel(kernel_rbf(1), problem$x)
  beta <- numeric(60)
  beta[kernlab::alphaindex(theirs)[[1L]]] <- kernlab::coef(theirs)[[1L]]
  expect_equal(1 / sqrt(drop(beta %*% K %*% beta)), fit$certificate$value, tolerance = 1e-5)
})

test_that("single precision never reaches a certificate", {
  problem <- rings()
  # room for values of four bytes, not of eight
  control <- margin_control(tol = 1e-5, solver_options = list(cache_mb = 60^2 * 5 / 1e6))
  fit <- margin_hard(problem$x, problem$y, kernel = kernel_rbf(1), control = control,
                     intercept = "none")
  best <- margin_hard(problem$x, problem$y, kernel = kernel_rbf(1), intercept = "none")
  expect_identical(fit$bytes, 60^2 * 4)
  expect_equal(fit$certificate$value, best$certificate$value, tolerance = 1e-5)
  scores <- plain_kernel(kernel_rbf(1), problem$x[fit$support$at, ]) %*% coef(fit)
  expect_equal(sum(scores * coef(fit)), 1, tolerance = 1e-12)
  expect_equal(smallest_distance(fit), fit$certificate$value, tolerance = 1e-12)
})

test_that("a fit is small", {
  problem <- rings(400L)
  fit <- margin_hard(problem$x, problem$y, kernel = kernel_rbf(1), intercept = "free")
  expect_identical(nrow(fit$support$x), length(coef(fit)) - 1L)
  expect_lt(nrow(fit$support$x), 100L)
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  on.exit(unlink(file))
  expect_lt(file.size(file), 30000)
})

test_that("print and summary tell of the kernel and its support", {
  problem <- rings()
  fit <- margin_hard(problem$x, problem$y, kernel = kernel_rbf(1), intercept = "none")
  shown <- paste(capture.output(print(fit)), collapse = "\n")
  expect_match(shown, "rbf (sigma = 1)", fixed = TRUE)
  expect_match(shown, sprintf("%d support vectors", length(coef(fit))), fixed = TRUE)
  made <- summary(fit)
  expect_identical(made$support$rows, as.numeric(length(coef(fit))))
  expect_identical(made$support$of, 60L)
  shown <- paste(capture.output(print(made)), collapse = "\n")
  expect_match(shown, sprintf("%d of 60", length(coef(fit))), fixed = TRUE)
  # rows have no unit of a column
  expect_equal(sort(made$coefficients$scaled), sort(unname(coef(fit))))
  expect_identical(tidy(fit)$term, names(coef(fit)))
  expect_error(plot(fit, which = "coefficients"), class = "dualmargin_input_error")
  again <- update(fit, kernel = kernel_rbf(2))
  expect_identical(again$settings$kernel$sigma, 2)
})

test_that("a kernel that cannot tell the classes apart is found out", {
  x <- rbind(c(1, 2), c(1, 2), c(3, 1), c(2, 2))
  y <- c(-1, 1, 1, -1)
  for (kernel in list(kernel_rbf(1), kernel_polynomial(2))) {
    for (intercept in c("none", "penalized", "free")) {
      fit <- NULL
      expect_warning(fit <- margin_hard(x, y, kernel = kernel, intercept = intercept),
                     class = "dualmargin_not_separable")
      expect_false(fit$separable)
      q <- fit$dual
      K <- plain_kernel(kernel, x) + (intercept == "penalized")
      expect_lte(sqrt(max(0, drop((q * y) %*% K %*% (q * y)))), 1e-7 * sqrt(max(diag(K))))
      expect_equal(sum(q), 1)
    }
  }
})

test_that("every error has its own words", {
  problem <- apart()
  x <- problem$x
  y <- problem$y
  three <- apart(k = 3L)
  K <- tcrossprod(x)
  expect_told("margin_hard_kernel", "kernels", {
    margin_hard(x, y, kernel = "cubic", intercept = "none")
    margin_hard(x, y, kernel = 3, intercept = "none")
    margin_hard(x, y, kernel = kernel_rbf, intercept = "none")
    margin_hard(K, y, kernel = kernel_precomputed(), scale = TRUE, intercept = "none")
    margin_hard(x, y, kernel = kernel_precomputed(), intercept = "none")
    margin_hard(K + row(K), y, kernel = kernel_precomputed(), intercept = "none")
    margin_hard(x, y, kernel = function(a, b) 1, intercept = "none")
    margin_hard(three$x, three$y, kernel = "linear", intercept = "free")
    margin_hard(three$x, three$y, intercept = "free")
  })
  fit <- margin_hard(x, y, intercept = "none")
  expect_told("margin_hard_kernel", "control", {
    margin_hard(x, y, kernel = "linear", control = margin_control(start = fit), intercept = "none")
    margin_hard(x, y, kernel = "linear",
                control = margin_control(solver_options = list(cache_mb = -1)), intercept = "none")
  })
})

test_that("the margin is that of the coefficients where a kernel lacks what is allowed for", {
  # k_13^2 is above k_11 k_33 by 4e-9: the score of a row passes the product of the lengths
  K <- matrix(1, 6, 6)
  near <- c(1, 2, 5, 6)
  K[near, near] <- 1 - 4e-9
  y <- c(1, -1, -1, 1, 1, 1)
  for (solver in hard_solvers("none")) {
    fit <- quiet_hard(K, y, kernel = kernel_precomputed(), solver = solver)
    if (!is.finite(fit$certificate$value)) next
    w <- numeric(6)
    w[fit$support$at] <- fit$coefficients
    margin <- min(y * drop(K %*% w)) / sqrt(sum(w * drop(K %*% w)))
    expect_lte(fit$certificate$value, margin + 1e-12, label = solver)
  }
})
