# Linear fits of fewer rows than columns, which leave rows out by the products of their rows.

own <- asNamespace("dualmargin")

wide_problem <- function(n = 18L, p = 40L, seed = 5L) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n)
  score <- x[, 1L] + x[, 2L] + 0.5 * rnorm(n)
  list(x = x, y = factor(ifelse(score > 0, "b", "a")), response = score)
}

test_that("every interval holds the value of a refit, near and far, dense and sparse", {
  problem <- wide_problem()
  case <- 0L
  for (loss in c("hinge", "logistic", "squared_hinge", "huber", "quantile")) {
    for (form in c("dense", "sparse", "far")) {
      case <- case + 1L
      regression <- loss %in% c("huber", "quantile")
      x <- switch(form, dense = problem$x, far = problem$x + 20,
                  sparse = methods::as(problem$x * (abs(problem$x) > 0.5), "CsparseMatrix"))
      intercept <- c("free", "penalized", "none")[case %% 3L + 1L]
      rule <- c("cost", "lambda")[case %% 2L + 1L]
      y <- if (regression) problem$response else problem$y
      fit <- quiet_fit(x, y, loss = if (loss == "huber") loss_huber(1) else loss,
                       lambda = c(0.5, 0.05)[case %% 2L + 1L],
                       intercept = intercept, response_scale = FALSE,
                       control = margin_control(tol = 10^-(case %% 3 * 2 + 3), seed = 1))
      expect_true(own$is_wide(fit, x))
      rows <- as.data.frame(margin_loo(fit, x, y, rule = rule))
      best <- refitted_scores(fit, x, y, rule)
      room <- 1e-9 * (1 + abs(best[, 1L]))
      info <- paste(loss, form, intercept, rule)
      expect_true(all(rows$lower <= best[, 3L] + room & rows$upper >= best[, 2L] - room),
                  info = info)
      # the columns say the same
      columns <- own$core_removals(fit, x, as.list(seq_along(y)), rule, 0.05)$ends[[1L]]
      expect_true(all(columns[, 1L] <= rows$upper + room & columns[, 2L] >= rows$lower - room),
                  info = info)
    }
  }
})
