# What predict() says of the training rows is what the fit's certificate is of: for every family, on
# rows that are near the origin, far from it, on scales from 1e-8 to 1e8, collinear and sparse, the
# decision values agree with those of the solved problem to the rounding of the sums that they are,
# and with them the value of the certificate.

rows_for_scores <- function(case, n = 60L) {
  set.seed(11)
  x <- matrix(rnorm(n * 4L), n, dimnames = list(NULL, letters[1:4]))
  z <- drop(x %*% c(1, -2, 1, 0.5)) + 0.3 * rnorm(n)
  x <- switch(
    case,
    near = x,
    far = sweep(x, 2L, c(1e8, -1e6, 3e3, 0), `+`),
    scaled = sweep(x, 2L, c(1e-8, 1e8, 1, 1e4), `*`) + rep(c(1e-3, 1e13, 1e5, 0), each = n),
    collinear = cbind(x[, 1:3], d = x[, 1] + 1e-7 * x[, 4] + 1e4),
    sparse = methods::as(cbind(x[, 1:3] * (abs(x[, 1:3]) > 0.7), d = x[, 4] + 1e7),
                         "CsparseMatrix")
  )
  list(x = x, z = z, class = factor(z > 0, labels = c("no", "yes")),
       three = cut(z, c(-Inf, -1, 1, Inf), c("low", "mid", "top")))
}

fits_for_scores <- function(q) {
  few <- margin_control(seed = 1, max_epochs = 300)
  weights <- rep(c(0.5, 1, 2), length.out = nrow(q$x))
  by_intercept <- function(intercept) {
    free <- intercept == "free"
    c(list(
      linear = margin_linear(q$x, q$class, loss = "hinge", lambda = 1e-5, intercept = intercept,
                             weights = weights, control = few),
      squared = margin_linear(q$x, 1e3 * q$z, loss = "squared", lambda = 1e-8, control = few,
                              intercept = intercept),
      net = margin_linear(q$x, q$z, loss = "huber", lambda = 1e-4, mixture = 0.5, control = few,
                          intercept = intercept),
      three = margin_linear(q$x, q$three, loss = "logistic", lambda = 1e-4, control = few,
                            intercept = intercept),
      softmax = margin_linear(q$x, q$three, multiclass = "softmax", loss = "logistic",
                              lambda = 1e-4, intercept = intercept, control = few),
      robust = margin_robust(q$x, q$class, radius = 0.01, intercept = intercept, control = few),
      hard = margin_hard(q$x, q$z > 0, intercept = intercept, scale = TRUE, control = few)
    ), if (!free) list(
      augmented = margin_augmented(q$x, q$z, loss = "squared", lambda = 1e-4, control = few,
                                   intercept = intercept)
    ), lapply(list(rbf = kernel_rbf(0.5), plane = as_kernel("linear"), affine = kernel_polynomial(1),
                   parabola = kernel_polynomial(2)), function(kernel) {
      margin_kernel(q$x, q$class, kernel = kernel, loss = "squared_hinge", lambda = 1e-4,
                    intercept = intercept, control = few)
    }))
  }
  suppressWarnings(unlist(lapply(c(free = "free", none = "none", penalized = "penalized"),
                                 by_intercept), recursive = FALSE))
}

# sum of the magnitudes that a score is the sum of, in the coordinates of the solved problem
size_of_scores <- function(fit, x) {
  origin <- fit$origin
  beta <- scoring_coefficients(fit)
  has <- has_intercept(fit)
  slopes <- abs(if (has) beta[-1L, , drop = FALSE] else beta)
  own <- if (has) abs(beta[1L, ]) else 0
  centre <- if (length(origin$center) > 0L) origin$center else numeric(ncol(x))
  moved <- function(rows) sweep(as.matrix(rows), 2L, centre)
  if (is.null(fit$support)) {
    return(sweep(abs(moved(x)) %*% slopes, 2L, own, `+`))
  }
  scaled <- function(rows) {
    rows <- moved(rows)
    if (!is.null(fit$center)) rows <- sweep(rows, 2L, fit$center)
    sweep(rows, 2L, fit$scales, `/`)
  }
  length2 <- function(rows) rowSums(scaled(rows)^2)
  kernel <- fit$settings$kernel
  largest <- function(rows) switch(
    kernel$name, rbf = rep(1, nrow(rows)),
    polynomial = (kernel$scale * length2(rows) + kernel$offset)^(kernel$degree / 2),
    linear = sqrt(length2(rows))
  )
  sweep(outer(largest(x), drop(crossprod(slopes, largest(fit$support$x)))), 2L, own, `+`)
}

# P at the scores that predict() gives, in the unit of the certificate
value_at <- function(fit, scores, q) {
  unit <- if (is.null(fit$response_scale)) 1 else fit$response_scale
  z <- scores / unit
  y <- if (fit$task == "regression") fit$response / unit else 2 * (as.integer(fit$response) - 1) - 1
  beta <- scoring_coefficients(fit) / unit
  has <- has_intercept(fit)
  w <- drop(if (has) beta[-1L, , drop = FALSE] else beta)
  b <- if (has) beta[1L, ] else 0
  at <- fit$support$at
  penalty <- if (!is.null(at)) {
    if (fit$settings$intercept == "free") sum(w * (z[at] - b)) / 2 else sum(w * z[at]) / 2
  } else {
    w <- c(w * fit$scales, if (fit$settings$intercept == "penalized") b)
    m <- fit$settings$mixture
    (1 - m) / 2 * sum(w^2) + m * sum(abs(w))
  }
  fit$settings$lambda * penalty +
    sum(fit$weights * plain_loss(fit$settings$loss, z, y)) / sum(fit$weights)
}

for (case in c("near", "far", "scaled", "collinear", "sparse")) {
  test_that(paste("training rows are predicted as they were fitted, and certified:", case), {
    q <- rows_for_scores(case)
    fits <- fits_for_scores(q)
    again <- lapply(fits, function(fit) as.matrix(predict(fit, q$x, type = "score")))
    apart <- mapply(function(fit, scores) {
      allowed <- 1e-9 * max(abs(fit$scores)) + 1e-14 * size_of_scores(fit, q$x)
      off <- abs(scores - as.matrix(fit$scores))
      max(ifelse(off == 0, 0, off / allowed))
    }, fits, again)
    expect_identical(names(apart)[apart > 1], character())
    known <- Filter(function(name) {
      grepl("[.](linear|squared|net|rbf|plane|affine|parabola)$", name) &&
        all(fits[[name]]$certificate$certified)
    }, names(fits))
    expect_gte(length(known), 8L)
    off <- vapply(known, function(name) {
      row <- fits[[name]]$certificate
      abs(value_at(fits[[name]], drop(again[[name]]), q) - row$value) /
        (row$tol * abs(row$value) + 1e-12)
    }, 0)
    expect_identical(names(off)[off > 1], character())
  })
}

test_that("a path predicts as the fits at its points, far from the origin too", {
  q <- rows_for_scores("far")
  tight <- margin_control(tol = 1e-10, seed = 1)
  lambda <- c(0.1, 0.01)
  agree <- function(path, fit_at) {
    scores <- predict(path, q$x, type = "score")
    max(abs(scores - vapply(lambda, function(l) fit_at(l)$scores, numeric(nrow(q$x)))))
  }
  expect_lte(agree(margin_path(q$x, q$class, lambda = lambda, control = tight),
                   function(l) margin_linear(q$x, q$class, lambda = l, control = tight)), 1e-4)
  for (kernel in list(as_kernel("linear"), kernel_polynomial(1), kernel_rbf(0.5))) {
    expect_lte(agree(
      margin_path(q$x, q$class, family = "kernel", kernel = kernel, lambda = lambda,
                  control = tight),
      function(l) margin_kernel(q$x, q$class, kernel = kernel, lambda = l, control = tight)
    ), 1e-4)
  }
  between <- suppressMessages(predict(margin_path(q$x, q$class, lambda = lambda, control = tight),
                                      q$x, lambda = 0.05, type = "score"))
  ends <- predict(margin_path(q$x, q$class, lambda = lambda, control = tight), q$x, type = "score")
  expect_true(all(between >= pmin(ends[, 1L], ends[, 2L]) - 1e-9 &
                    between <= pmax(ends[, 1L], ends[, 2L]) + 1e-9))
})

test_that("what is made of a fit reads the same decision values", {
  q <- rows_for_scores("far")
  frame <- data.frame(q$x, y = q$class)
  fit <- margin_linear(y ~ ., frame, loss = "logistic", lambda = 1e-3)
  expect_false(is.null(fit$origin))
  known <- range(fit$scores)
  expect_equal(range(augment(fit, newdata = frame)$.score), known, tolerance = 1e-12)
  told <- suppressMessages(margin_performance(fit, frame, metrics = "log_loss"))
  sign <- ifelse(frame$y == "yes", 1, -1)
  expect_equal(told$metrics$value, mean(log1p(exp(-sign * fit$scores))), tolerance = 1e-12)
  # coef() alone
  old <- fit
  old$origin <- NULL
  expect_equal(unname(predict(old, frame, type = "score")), drop(cbind(1, q$x) %*% coef(fit)),
               tolerance = 1e-7, ignore_attr = TRUE)
})
