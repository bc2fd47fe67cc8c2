# Hard margins: the direction of the largest margin is in the ball of the margin interval.

test_that("the ball has the radius of its formula, around the middle of both vectors", {
  pair <- droplevels(iris[iris$Species != "virginica", ])
  x <- as.matrix(pair[1:4])
  y <- ifelse(pair$Species == "versicolor", 1, -1)
  for (intercept in c("penalized", "none")) {
    fit <- suppressWarnings(margin_hard(x, pair$Species, intercept = intercept, solver = "adaptive",
                                        scale = FALSE, control = margin_control(tol = 1e-2)))
    ball <- margin_certain(fit, x, pair$Species)$problems[[1L]]$ball
    rows <- cbind(x, if (intercept == "penalized") 1)
    w <- coef(fit)[c(colnames(x), if (intercept == "penalized") "(Intercept)")]
    direction <- colSums(fit$dual * y * rows) / certificate(fit)$bound
    m <- unname((w + direction) / 2)
    expect_equal(ball$centre, m, tolerance = 1e-9)
    ratio <- certificate(fit)$value / certificate(fit)$bound
    expect_equal(ball$radius^2, 1 + sum(m^2) - 2 * sqrt(ratio), tolerance = 1e-6)
    expect_lt(ball$radius, sqrt(2 * (1 - ratio)))
  }
})
