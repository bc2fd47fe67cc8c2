# The curvature that is certain around a fit of a loss whose slope has pieces: where rounding keeps
# the ball of its gap wide.

hot <- function() {
  a <- stats::na.omit(airquality)
  list(x = cbind(a$Ozone, a$Solar.R, a$Wind, 1973 + a$Month / 12 + a$Day / 365),
       y = factor(a$Temp > 79))
}

test_that("far from the origin and at a small lambda values are known beyond the gap's ball", {
  d <- hot()
  for (loss in list(loss_smooth_hinge(1), loss_squared_hinge(0.5))) {
    for (intercept in c("penalized", "free")) {
      fit <- quiet_fit(d$x, d$y, loss = loss, lambda = 1e-5, intercept = intercept,
                       control = margin_control(tol = 1e-13, max_epochs = 5000, seed = 1))
      certain <- margin_certain(fit, d$x, d$y)
      found <- predict(certain)
      x <- sweep(d$x, 2L, fit$scales, `/`)
      if (intercept == "free") x <- sweep(x, 2L, colMeans(x))
      if (intercept == "penalized") x <- cbind(x, 1)
      label <- 2 * (d$y == "TRUE") - 1
      best <- plain_optimum(x, label, rep(1, nrow(x)), fit$settings$loss, 1e-5,
                            intercept == "free")
      exact <- plain_optimum_scores(best, x)
      info <- paste(loss$name, intercept)
      expect_true(all(found$lower <= exact$score + exact$off &
                        found$upper >= exact$score - exact$off), info = info)
      width <- stats::median(found$upper - found$lower)
      expect_lte(width, 1e-8, label = info)
      ball <- certain$problems[[1L]]$ball$radius
      expect_gt(ball * stats::median(sqrt(rowSums(x^2))), 1e3 * width)
    }
  }
})

test_that("a loose fit says no more than its ball where rows can cross a kink", {
  d <- hot()
  fit <- quiet_fit(d$x, d$y, loss = loss_smooth_hinge(0.1), lambda = 0.1, intercept = "penalized",
                   control = margin_control(tol = 0.1, seed = 1))
  best <- quiet_fit(d$x, d$y, loss = loss_smooth_hinge(0.1), lambda = 0.1, intercept = "penalized",
                    control = margin_control(tol = 1e-12, seed = 1))
  found <- predict(margin_certain(fit, d$x, d$y))
  expect_true(all(found$lower <= best$scores + 1e-5 & found$upper >= best$scores - 1e-5))
})
