# The worst distribution, moved and weighed again from scratch.

fit_worst <- function(..., intercept = "none", scale = FALSE) {
  margin_robust(..., intercept = intercept, scale = scale, solver = "pdhg",
                control = margin_control(seed = 1))
}

quiet <- function(code) {
  withCallingHandlers(
    code,
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
  )
}

size_of <- function(v, norm) {
  switch(norm, l1 = sum(abs(v)), l2 = sqrt(sum(v^2)), linf = max(abs(v)))
}

# The mean hinge loss of the rows moved and relabelled as a worst case says, and what that costs,
# from the user's columns and nothing else of the fit but w.
moved_by_hand <- function(fit, worst, x, class = NULL) {
  x <- as.matrix(x)
  kappa <- fit$settings$label_cost
  dual <- c(l1 = "linf", l2 = "l2", linf = "l1")[[fit$settings$norm]]
  w <- as.matrix(fit$coefficients)[, if (is.null(class)) 1L else class]
  if (fit$settings$intercept == "none") w <- c("(Intercept)" = 0, w)
  side <- ifelse(worst$label == attr(worst, "labels")[2L], 1, -1)
  direction <- attr(worst, "direction")
  bias <- if ("(Intercept)" %in% names(direction)) direction[["(Intercept)"]] else 0
  shift <- direction[colnames(x)]
  rows <- x[worst$row, , drop = FALSE] + outer(side * worst$distance, shift)
  z <- drop(rows %*% w[-1L]) + w[[1L]] * (1 + side * worst$distance * bias)
  before <- as.integer(fit$response) == if (is.null(class)) 2L else match(class, fit$levels)
  flipped <- (side > 0) != before[worst$row]
  solved <- c(bias, shift / fit$scales)
  cost <- worst$mass * worst$distance * size_of(solved, dual)
  if (any(flipped)) cost <- cost + worst$mass * kappa * flipped
  list(loss = sum(worst$mass * pmax(1 - side * z, 0)), cost = sum(cost), flipped = flipped)
}

# value - ridge part: the robust risk the core has found, by its own best t
risk_of <- function(fit, class = NULL) {
  column <- if (is.null(class)) 1L else class
  w <- as.matrix(fit$coefficients)[, column]
  has <- fit$settings$intercept != "none"
  w <- c(if (fit$settings$intercept == "penalized") w[[1L]],
         (if (has) w[-1L] else w) * fit$scales)
  value <- fit$certificate$value[if (is.null(class)) 1L else match(class, fit$levels)]
  value - fit$settings$ridge / 2 * sum(w^2)
}

expect_worst <- function(fit, x, y, class = NULL, attained = TRUE) {
  worst <- worst_case(fit, x, y, class = class)
  hand <- moved_by_hand(fit, worst, x, class)
  shares <- fit$weights
  if (!is.null(fit$settings$class_weights)) {
    shares <- shares * fit$settings$class_weights[as.character(fit$response)]
  }
  shares <- shares / sum(shares)
  kept <- tapply(worst$mass, factor(worst$row, seq_along(shares)), sum, default = 0)
  expect_equal(as.vector(kept), unname(shares), tolerance = 1e-14)
  expect_equal(sum(worst$cost), hand$cost, tolerance = 1e-12)
  expect_lte(hand$cost, attr(worst, "radius") + 1e-12)
  expect_identical(worst$flipped, hand$flipped)
  expect_equal(attr(worst, "risk"), risk_of(fit, class), tolerance = 1e-10)
  expect_equal(sum(worst$mass * worst$loss), hand$loss, tolerance = 1e-10)
  expect_identical(attr(worst, "attained"), attained)
  expect_lte(abs(hand$loss - attr(worst, "risk")), if (attained) 1e-8 else 1e-6)
  invisible(worst)
}

rows <- small_problem(40L, 4L)

test_that("it attains the robust risk for every norm, ridge, label cost and intercept", {
  for (norm in c("l1", "l2", "linf")) for (ridge in c(0, 0.3)) for (kappa in c(0.5, 2, Inf)) {
    for (intercept in c("none", "penalized", "free")) {
      # any w will do: a rough fit has a worst case like any other
      fit <- quiet(margin_robust(rows$x, rows$y, norm = norm, radius = 0.15, label_cost = kappa,
                                 ridge = ridge, intercept = intercept, weights = rows$weights,
                                 solver = "pdhg", control = margin_control(max_epochs = 60),
                                 scale = FALSE))
      expect_worst(fit, rows$x, rows$y)
    }
  }
})

test_that("labels are changed where that pays, and some only in part", {
  fit <- quiet(fit_worst(rows$x, rows$y, norm = "l2", radius = 0.11, label_cost = 0.5))
  fit$coefficients[] <- c(2, 0, 0, 0)
  fit$scores[] <- drop(rows$x %*% fit$coefficients)
  worst <- worst_case(fit, rows$x, rows$y)
  # flips gain at least 2u > 1 = kappa |w|: the radius pays for a share 0.11 / 0.5, none is moved
  expect_equal(sum(worst$mass[worst$flipped]), 0.22, tolerance = 1e-12)
  expect_true(all(worst$distance == 0))
  expect_identical(sum(duplicated(worst$row)), 1L)
  gain <- function(part) with(part, pmax(1 + margin_before, 0) - pmax(1 - margin_before, 0))
  expect_gte(min(gain(worst[worst$flipped, ])),
             max(gain(worst[!worst$flipped & !worst$row %in% worst$row[worst$flipped], ])))
})

test_that("no other distribution in the ball does worse", {
  set.seed(4)
  for (norm in c("l1", "l2", "linf")) for (kappa in c(0.4, 2)) {
    radius <- 0.2
    fit <- quiet(fit_worst(rows$x, rows$y, norm = norm, radius = radius, label_cost = kappa,
                           weights = rows$weights))
    worst <- expect_worst(fit, rows$x, rows$y)
    dual <- c(l1 = "linf", l2 = "l2", linf = "l1")[[norm]]
    shares <- rows$weights / sum(rows$weights)
    others <- vapply(1:300, function(k) {
      # each row in three parts, the first relabelled; half the plans move downhill
      flip <- runif(40L) * (runif(40L) < runif(1L)) * shares
      flip <- flip * min(1, runif(1L) * radius / (kappa * sum(flip)), na.rm = TRUE)
      keep <- runif(40L) * (shares - flip)
      mass <- c(flip, keep, shares - flip - keep)
      side <- rows$y * rep(c(-1, 1, 1), each = 40L)
      move <- matrix(rnorm(480L), 120L) * rexp(120L)^3
      if (k %% 2L == 0L) move <- outer(-side * rexp(120L)^3, sign(coef(fit))) + 0.05 * move
      distance <- apply(move, 1L, size_of, dual)
      move <- move * (radius - kappa * sum(flip)) / sum(mass * distance)
      z <- drop((rows$x[rep(1:40, 3L), ] + move) %*% coef(fit))
      sum(mass * pmax(1 - side * z, 0))
    }, 0)
    expect_lte(max(others), attr(worst, "risk") + 1e-10)
    # and they come near it, so that the comparison says something
    expect_gt(max(others), 0.6 * attr(worst, "risk"))
  }
})

test_that("without radius nothing moves; free labels are all changed; w = 0 has nowhere to go", {
  still <- quiet(fit_worst(rows$x, rows$y, radius = 0, ridge = 0.1))
  worst <- expect_worst(still, rows$x, rows$y)
  expect_true(all(worst$distance == 0) && !any(worst$flipped))
  expect_identical(worst$row, 1:40)
  free <- fit_worst(rows$x, rows$y, radius = 0.1, label_cost = 0)
  free$coefficients[] <- c(1, -1, 0, 0)
  free$scores[] <- drop(rows$x %*% free$coefficients)
  worst <- worst_case(free, rows$x, rows$y)
  expect_equal(moved_by_hand(free, worst, rows$x)$loss, mean(1 + abs(free$scores)) + 0.1 * 2,
               tolerance = 1e-10)
  none <- fit_worst(rows$x, rows$y, radius = 0.1, label_cost = 0)
  worst <- worst_case(none, rows$x, rows$y)
  expect_identical(c(sum(worst$mass * worst$loss), sum(worst$cost)), c(1, 0))
})

test_that("bad input is an error of its own", {
  fit <- quiet(fit_worst(rows$x, rows$y, radius = 0.1))
  three <- quiet(fit_worst(as.matrix(iris[1:4]), iris$Species, radius = 0.1))
  d <- data.frame(rows$x, y = factor(rows$y))
  model <- quiet(fit_worst(y ~ ., data = d, radius = 0.1))
  x <- rows$x
  y <- rows$y
  bad <- alist(
    fit = worst_case(lm(dist ~ speed, cars), cars),
    data = worst_case(fit),
    data = worst_case(fit, x[, 1L], y),
    data = worst_case(fit, x[-1L, ], y[-1L]),
    data = worst_case(fit, x[, -1L], y),
    data = worst_case(fit, replace(x, 3L, NA), y),
    data = worst_case(fit, x * 1.001, y),
    data = worst_case(model),
    data = worst_case(model, x),
    data = worst_case(model, d[1:4]),
    data = worst_case(model, transform(d, y = rev(y))),
    y = worst_case(fit, x),
    y = worst_case(fit, x, y[-1L]),
    y = worst_case(fit, x, -y),
    y = worst_case(fit, x, list(y)),
    y = worst_case(model, d, y),
    class = worst_case(fit, x, y, class = "1"),
    class = worst_case(three, iris[1:4], iris$Species),
    class = worst_case(three, iris[1:4], iris$Species, class = c("setosa", "virginica")),
    class = worst_case(three, iris[1:4], iris$Species, class = "rose"),
    tolerance = worst_case(fit, x, y, tolerance = 0),
    tolerance = worst_case(fit, x, y, tolerance = 1),
    radius = worst_case(fit, x, y, radius = 0.2)
  )
  messages <- vapply(seq_along(bad), function(k) {
    condition <- tryCatch(eval(bad[[k]]), error = identity)
    expect_s3_class(condition, "dualmargin_input_error")
    expect_identical(condition$arg, names(bad)[k], info = deparse1(bad[[k]]))
    conditionMessage(condition)
  }, "")
  expect_identical(anyDuplicated(messages), 0L)
  expect_recorded("worst_case", "input", messages)
})

test_that("a row that is flipped whole has no part that rounding left of it", {
  set.seed(10)
  two <- droplevels(iris[iris$Species != "setosa", ])[sample(100, 60), ]
  worst <- quiet(worst_case(margin_robust(Species ~ ., two, radius = 0.05, ridge = 0.01), two))
  expect_true(all(worst$mass > 1e-12))
  for (wrong in list(NA, "a", -1, c(1, 2))) {
    expect_input_error(print(worst, top = wrong), "top", "`top`")
  }
})
