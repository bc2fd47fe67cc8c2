# Every lambda of the range has a certificate: held against fits of its own at random lambdas.

drawn_rows <- function(n, p, classes = 2L) {
  x <- matrix(rnorm(n * p), n)
  score <- x %*% matrix(rnorm(p * classes), p) + matrix(rlogis(n * classes), n)
  list(x = x, y = factor(letters[max.col(score)]))
}

# P at the coefficients a path gives for lambda, and the optimum's interval by a fit at 1e-12.
judged <- function(path, d, lambda, loss, mixture = 0, intercept = "free", weights = NULL) {
  tight <- suppressWarnings(margin_linear(
    d$x, d$y, loss = loss, lambda = lambda, mixture = mixture, intercept = intercept,
    weights = weights, control = margin_control(tol = 1e-12, seed = 1), response_scale = FALSE
  ))
  optimum <- certificate(tight)
  w <- drop(as.matrix(coef(path, lambda = lambda)))
  b <- if (intercept == "none") 0 else w[[1L]]
  if (intercept != "none") w <- w[-1L]
  y <- if (is.factor(d$y)) 2 * as.integer(d$y) - 3 else d$y
  omega <- if (is.null(weights)) rep(1, nrow(d$x)) else weights
  w <- w * tight$scales
  x <- sweep(as.matrix(d$x), 2L, tight$scales, `/`)
  own <- plain_objectives(x, y, omega, as_loss(loss), lambda, mixture, intercept, w, b,
                          numeric(nrow(x)))
  list(value = own$primal, low = optimum$bound, high = optimum$value)
}

expect_everywhere <- function(path, d, n, ...) {
  lambda <- exp(runif(n, log(min(path$lambda)), log(max(path$lambda))))
  table <- certificate(path, lambda = lambda)
  for (i in seq_len(n)) {
    j <- judged(path, d, lambda[i], ...)
    slack <- (j$high - j$low) + 1e-13 * j$high
    info <- sprintf("lambda %s, %s", format(lambda[i], digits = 16), table$piece[i])
    expect_gte(table$gap[i], j$value - j$high - slack, label = info)
    expect_lte(table$bound[i], j$high + slack, label = info)
    expect_gte(table$value[i], j$value - slack, label = info)
  }
  expect_true(all(table$relative_gap <= path$everywhere$eps))
  expect_true(all(table$certified))
  invisible(table)
}

test_that("constant pieces need no more fits than the bound for every loss", {
  set.seed(13)
  d <- drawn_rows(40, 5)
  for (loss in c("hinge", "squared_hinge", "logistic")) {
    path <- margin_path(d$x, d$y, loss = loss, lambda = c(1e-3, 1), everywhere = 0.01)
    expect_lte(nrow(path$certificate), ceiling(log(1e3) / log(1.1 / 0.9)))
  }
})

test_that("losses of a regression have bounds between points, too", {
  set.seed(21)
  for (loss in number_losses()) {
    d <- list(x = matrix(rnorm(100), 25))
    d$y <- d$x[, 1L] + rnorm(25)
    for (mixture in c(0, 0.5)) {
      path <- margin_path(d$x, d$y, loss = loss, lambda = c(0.05, 2), mixture = mixture,
                          everywhere = 0.05, response_scale = FALSE)
      expect_everywhere(path, d, 3, loss = loss, mixture = mixture)
    }
  }
})

test_that("a point's own certificate is tight, and only wider elsewhere", {
  set.seed(15)
  d <- drawn_rows(30, 3)
  path <- margin_path(d$x, d$y, loss = "logistic", lambda = c(0.01, 1), everywhere = 0.01)
  own <- certificate(path, lambda = path$lambda)
  expect_equal(own$value, certificate(path)$value, tolerance = 1e-9)
  expect_lte(max(own$relative_gap), 1e-4)
  expect_equal(unclass(coef(path)), path$coefficients, ignore_attr = TRUE)
  expect_identical(attr(coef(path, lambda = 0.05), "certificate"),
                   certificate(path, lambda = 0.05))
})

test_that("several classes, sparse rows, a range from the data, a regression, far columns", {
  set.seed(16)
  d <- drawn_rows(60, 4, 3L)
  path <- margin_path(d$x, d$y, loss = "logistic", lambda_min_ratio = 0.01, everywhere = 0.05)
  table <- certificate(path, by = "class", lambda = sqrt(prod(range(path$lambda))))
  expect_identical(table$class, levels(d$y))
  expect_true(all(table$certified))
  classes <- predict(path, d$x, lambda = table$lambda[1L])
  expect_identical(dim(classes), c(60L, 1L))
  two <- drawn_rows(40, 6)
  two$x[rbinom(240, 1, 0.6) == 1] <- 0
  dense <- margin_path(two$x, two$y, loss = "hinge", lambda = c(0.01, 1), everywhere = 0.05)
  sparse <- margin_path(methods::as(two$x, "CsparseMatrix"), two$y, loss = "hinge",
                        lambda = c(0.01, 1), everywhere = 0.05)
  expect_equal(dense$lambda, sparse$lambda, tolerance = 1e-3)
  expect_everywhere(sparse, two, 3, loss = "hinge")
  r <- list(x = two$x + 1e5, y = two$x[, 1L] + rnorm(40))
  path <- margin_path(r$x, r$y, loss = "squared", lambda = c(0.01, 1), everywhere = 0.01)
  expect_true(all(certificate(path, lambda = c(0.02, 0.5))$certified))
  path <- margin_path(r$x, r$y, loss = "huber", lambda = c(0.01, 1), everywhere = 0.01)
  fit <- margin_linear(r$x, r$y, loss = "huber", lambda = 0.1,
                       control = margin_control(tol = 1e-10))
  table <- certificate(path, lambda = 0.1)
  expect_gte(table$value, certificate(fit)$bound)
  expect_lte(table$bound, certificate(fit)$value)
})

test_that("augment() interpolates with the certificate too", {
  set.seed(19)
  d <- drawn_rows(30, 3)
  path <- margin_path(d$x, d$y, lambda = c(0.01, 1), everywhere = 0.05)
  rows <- data.frame(V1 = d$x[, 1], V2 = d$x[, 2], V3 = d$x[, 3])
  expect_quiet(table <- augment(path, newdata = rows, lambda = 0.1))
  expect_equal(table$.score, as.vector(predict(path, d$x, lambda = 0.1, type = "score")))
})

test_that("what cannot be is told by argument", {
  set.seed(17)
  d <- drawn_rows(20, 2)
  tell <- function(arg, text, ...) {
    expect_input_error(margin_path(d$x, d$y, ...), arg, text)
  }
  tell("everywhere", "strictly between 0 and 1", everywhere = 0)
  tell("n_lambda", "everywhere", everywhere = 0.1, n_lambda = 5)
  tell("lambda", "its two ends", everywhere = 0.1, lambda = 0.1)
  tell("mixture", "has one", everywhere = 0.1, mixture = c(0, 1))
  path <- margin_path(d$x, d$y, lambda = c(0.1, 1), everywhere = 0.1)
  expect_input_error(coef(path, lambda = 2), "lambda", "goes from")
  expect_input_error(plot(path, which = "risk"), "which", "gap")
  expect_output(print(path), "at every lambda from 0.1 to 1 the relative gap is at most 0.1")
  on_null_device(drawn <- plot(path))
  expect_true(all(c(0.1, 1) %in% drawn$lambda))
  on_null_device(plot(path, which = "coefficients"))
})

# What a path keeps of a pair, written out: `gap` is P - D of w, b and a multiple of a at lambda.
kept_pair <- function(lambda, mixture, w, a, x, loss, gap) {
  u <- drop(crossprod(x, a)) / nrow(x)
  l1 <- lambda * mixture
  l2 <- lambda * (1 - mixture)
  misfit <- function(share) {
    soft <- pmax(abs(share * u) - l1, 0)
    gap(share) - (l1 * sum(abs(w)) + l2 / 2 * sum(w^2) + sum(soft^2) / (2 * l2) + share * sum(u * w))
  }
  e <- lambda * w + u
  point <- c(lambda = lambda, misfit = misfit(1), loss = loss, w1 = sum(abs(w)), ww = sum(w^2),
             we = sum(w * e), ee = sum(e^2), du = 0, dim = length(w))
  shares <- c(0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9998, 0.9999, 1)
  list(points = cbind(point, point), w = cbind(w, w), u = cbind(u, u),
       misfits = cbind(vapply(shares, misfit, 0))[, c(1, 1)],
       # a chord that says nothing
       chords = cbind(c(l1 = 1e-3, l2 = 10, f12 = 1e300, f21 = 1e300, curved = 0, numeric(6))))
}

test_that("the gap of a pair that is not optimal holds at every lambda", {
  set.seed(20)
  for (mixture in c(0, 0.4)) {
    d <- drawn_rows(30, 4)
    fit <- function(lambda) {
      margin_linear(d$x, d$y, loss = "logistic", lambda = lambda, mixture = mixture, scale = FALSE,
                    control = margin_control(tol = 1e-13, seed = 1))
    }
    found <- fit(0.1)
    y <- 2 * as.integer(d$y) - 3
    w <- unname(coef(found))[-1L] * 1.3
    b <- coef(found)[[1L]]
    # the pair's own P and D, written out, of a balanced
    a <- unname(found$dual) * runif(30, 0.8, 1)
    up <- sum(pmax(a, 0))
    down <- sum(pmax(-a, 0))
    a <- ifelse(a > 0, a * min(1, down / up), a * min(1, up / down))
    own <- function(lambda, share = 1) {
      plain_objectives(d$x, y, rep(1, 30), as_loss("logistic"), lambda, mixture, "free", w, b, share * a)
    }
    kept <- kept_pair(0.1, mixture, w, a, d$x, own(0)$primal, function(share) {
      one <- own(0.1, share)
      one$primal - one$dual
    })
    for (lambda in c(0.03, 0.1, 0.3)) {
      told <- path_pieces_cpp(kept, mixture, 2L, 1L, lambda)
      expect_false(told$interpolated)
      expect_equal(told$value, own(lambda)$primal, tolerance = 1e-12)
      expect_gte(told$gap, own(lambda)$primal - certificate(fit(lambda))$value - 1e-9)
      least <- if (mixture == 0) own(lambda)$dual else
        max(vapply(seq(0, 1, 0.01), function(share) own(lambda, share)$dual, 0))
      expect_equal(told$gap, own(lambda)$primal - least, tolerance = if (mixture == 0) 1e-8 else 0.05)
    }
  }
})
