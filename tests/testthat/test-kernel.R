test_that("kernel values are those of kernlab", {
  skip_if_not_installed("kernlab")
  set.seed(1)
  a <- matrix(rnorm(15), 5L)
  b <- matrix(rnorm(12), 4L)
  pairs <- list(
    list(kernel_rbf(0.3), kernlab::rbfdot(0.3)),
    list(kernel_laplace(0.3), kernlab::laplacedot(0.3)),
    list(kernel_polynomial(3, 0.5, 2), kernlab::polydot(3, 0.5, 2)),
    list(as_kernel("linear"), kernlab::vanilladot())
  )
  # its Laplace kernel is good to eleven digits
  for (pair in pairs) {
    theirs <- kernlab::kernelMatrix(pair[[2L]], a, b)@.Data
    expect_equal(plain_kernel(pair[[1L]], a, b), theirs, tolerance = 1e-10, ignore_attr = TRUE)
    taken <- as_kernel(pair[[2L]])
    expect_equal(taken$evaluate(a, b), theirs)
  }
})

test_that("scores of new rows are those of the formula, whatever they are stored in", {
  set.seed(4)
  sparse <- function(n) matrix(rnorm(n * 9L) * (runif(n * 9L) < 0.5), n)
  x <- sparse(80L)
  new <- rbind(sparse(150L), x[3L, ] + c(1e-9, numeric(8L)))
  y <- cut(x[, 1L] + rnorm(80L), c(-Inf, -0.5, 0.5, Inf), labels = c("a", "b", "c"))
  kernels <- list(kernel_rbf(0.2), kernel_laplace(0.2), kernel_polynomial(3, 0.5, 1), as_kernel("linear"))
  for (kernel in kernels) for (mixup in list(NULL, mixup_pairs(30))) {
    fit <- suppressWarnings(margin_kernel(x, y, kernel, lambda = 0.01, mixup = mixup,
                                          intercept = "penalized", center = FALSE,
                                          control = margin_control(max_epochs = 10, seed = 1)),
                            classes = "dualmargin_not_certified")
    support <- fit$support
    own <- sweep(support$x, 2L, fit$scales, `/`)
    points <- (1 - support$share) * own[support$first, ] + support$share * own[support$second, ]
    beta <- coef(fit)[-1L, ]
    theirs <- sweep(plain_kernel(kernel, sweep(new, 2L, fit$scales, `/`), points) %*% beta, 2L,
                    coef(fit)[1L, ], `+`)
    one <- predict(fit, new, type = "score")
    expect_lt(max(abs(one - theirs)), 1e-12 * max(abs(theirs)))
    for (form in c("CsparseMatrix", "RsparseMatrix")) {
      again <- predict(fit, methods::as(Matrix::Matrix(new, sparse = TRUE), form), type = "score")
      expect_lt(max(abs(again - theirs)), 1e-12 * max(abs(theirs)))
    }
    for (threads in 2:3) {
      fit$settings$control$threads <- threads
      expect_identical(predict(fit, new, type = "score"), one)
    }
  }
})

test_that("bad parameters have their own words", {
  expect_told("kernel", "parameters", {
    kernel_rbf(-1)
    kernel_laplace("wide")
    kernel_polynomial(degree = 1.5)
    kernel_polynomial(scale = 0)
    kernel_polynomial(offset = -1)
  })
})

test_that("sparse rows with names are predicted in silence", {
  set.seed(1)
  x <- Matrix::rsparsematrix(30, 4, 0.5)
  dimnames(x) <- list(sprintf("r%d", 1:30), sprintf("v%d", 1:4))
  y <- factor(rep(c("a", "b"), 15))
  for (kernel in list(kernel_rbf(1), function(a, b) exp(-squared_distances(as.matrix(a),
                                                                           as.matrix(b))))) {
    fit <- margin_kernel(x, y, kernel = kernel, scale = FALSE)
    expect_silent(scores <- predict(fit, x, type = "score"))
    expect_equal(unname(scores), unname(fit$scores), tolerance = 1e-8)
  }
})
