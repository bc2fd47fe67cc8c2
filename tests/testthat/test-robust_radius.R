# margin_robust(radius = NULL): the radius by robust Wasserstein profile inference.

test_that("the radius is the formula of the help, of the SVM with cost 1 on the same columns", {
  data <- iris[51:150, ]
  data$Species <- droplevels(data$Species)
  weights <- rep(c(1, 2), 50)
  for (norm in c("l1", "l2", "linf")) for (w in list(rep(1, 100), weights)) {
    fit <- margin_robust(Species ~ ., data, norm = norm, weights = w)
    svm <- margin_linear(Species ~ ., data, loss = "hinge", weights = w,
                         control = margin_control(tol = 1e-8, seed = 1))
    u <- (2 * (data$Species == "virginica") - 1) * unname(svm$scores)
    share <- sum(w * (ifelse(abs(u - 1) <= 1e-3, 0.5, u < 1))) / sum(w)
    spread <- stats::mad(rep(u, w))
    width <- 1.06 * spread * sum(w)^(-1 / 5)
    density <- sum(w * stats::dnorm((u - 1) / width)) / (sum(w) * width)
    slopes <- coef(svm)[-1L] * svm$scales
    size <- switch(norm, l1 = sum(abs(slopes)), l2 = sqrt(sum(slopes^2)), linf = max(abs(slopes)))
    radius <- share / density * stats::qchisq(0.95, 5) / (2 * size * sum(w))
    expect_equal(fit$settings$radius, radius, tolerance = 1e-6)
    expect_identical(fit$rule, "profile")
    given <- margin_robust(Species ~ ., data, norm = norm, weights = w,
                           radius = fit$settings$radius)
    expect_identical(coef(given), coef(fit))
    expect_null(given$rule)
  }
})

# One feature, no intercept, w* known: the least cost of moving rows such that the mean slope is 0,
# row by row across the kink, the cheapest first.
profile_of <- function(x, y, w) {
  u <- y * x * w
  h <- mean(y * x * (u < 1))
  # moving a row into the margin adds y x to the sum, moving one out takes it away
  into <- u >= 1
  change <- ifelse(into, 1, -1) * y * x
  helps <- change * h < 0
  cost <- abs(u - 1) / abs(w)
  at <- order(ifelse(helps, cost / abs(change), Inf))
  gained <- cumsum(abs(change[at])) / length(x)
  k <- which(gained >= abs(h))[1L]
  sum(cost[at][seq_len(k)]) / length(x)
}

test_that("n times the profile function is the chi-squared of the rule, whatever n is", {
  # x normal and P(y = 1 | x) logistic; w* is the root of E[y x; y x w < 1] = 0
  set.seed(1)
  draw <- function(n) {
    x <- stats::rnorm(n)
    list(x = x, y = ifelse(stats::runif(n) < stats::plogis(2 * x), 1, -1))
  }
  large <- draw(4e5)
  slope <- function(w) mean(large$y * large$x * (large$y * large$x * w < 1))
  w <- stats::uniroot(slope, c(0.1, 10))$root
  u <- large$y * large$x * w
  inside <- mean(large$x^2 * (u < 1))
  near <- abs(u - 1) < 0.02
  on_kink <- mean(large$x^2 * near) / 0.04
  limit <- inside / on_kink / (2 * w)
  for (n in c(500, 4000)) {
    found <- replicate(600, {
      d <- draw(n)
      n * profile_of(d$x, d$y, w)
    })
    expect_equal(mean(found), limit, tolerance = 0.15)
    expect_equal(unname(stats::quantile(found, 0.95)), limit * stats::qchisq(0.95, 1),
                 tolerance = 0.2)
  }
})

test_that("degenerate rows have a positive finite radius", {
  x <- matrix(stats::rnorm(200), 10)
  y <- factor(rep(1:2, 5))
  radius <- function(...) margin_robust(...)$settings$radius
  for (r in c(radius(x, y), radius(matrix(0, 10, 2), y), radius(x[, 1L, drop = FALSE], y),
              radius(x, y, intercept = "none", scale = FALSE), radius(1e8 * x, y, scale = FALSE))) {
    expect_true(is.finite(r) && r > 0)
  }
})
