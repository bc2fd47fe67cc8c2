# What a leave-one-out run says of rows that it cannot decide, and how well it knows their losses.

hot_days <- function() {
  a <- stats::na.omit(airquality)
  data.frame(hot = factor(a$Temp > 79), Ozone = a$Ozone, Solar = a$Solar.R, Wind = a$Wind,
             Date = 1973 + a$Month / 12 + a$Day / 365)
}
expect_holds <- function(loo, exact) {
  expect_true(all(loo$rows$lower <= exact$score + exact$off &
                    loo$rows$upper >= exact$score - exact$off))
}
# What is printed, in one line.
said <- function(loo) gsub("\\s+", " ", paste(utils::capture.output(print(loo)), collapse = " "))

test_that("columns far from the origin and a small lambda leave no row open, and no tie is made up", {
  d <- hot_days()
  y <- ifelse(d$hot == "TRUE", 1, -1)
  for (lambda in c(1e-5, 1e-4)) {
    fit <- margin_linear(hot ~ ., d, loss = "smooth_hinge", lambda = lambda,
                         intercept = "penalized")
    loo <- margin_loo(fit, d)
    exact <- plain_left_out(fit, d[-1L], y)
    expect_lt(max(exact$off), 1e-6)
    expect_holds(loo, exact)
    expect_identical(loo$summary$errors, sum(y * exact$score < 0))
    expect_identical(unlist(loo$summary[c("ties", "open")], use.names = FALSE), c(0L, 0L))
    expect_identical(loo$summary$errors_lower, loo$summary$errors_upper)
  }
})

test_that("a row whose interval has both signs is open: it has no class and counts both ways", {
  d <- hot_days()
  fit <- margin_linear(hot ~ ., d, loss = "hinge", lambda = 1e-5, intercept = "penalized",
                       control = margin_control(tol = 1e-2))
  found <- list(ends = list(cbind(fit$scores - 1, fit$scores + 1)), by = rep("refit", nrow(d)),
                solved = nrow(d), undecided = nrow(d))
  loo <- new_loo(fit, found, seq_len(nrow(d)), NULL, "cost", 0.05)
  open <- abs(fit$scores) <= 1
  expect_identical(unname(loo$rows$by == "open"), unname(open))
  expect_true(all(is.na(loo$rows$class[open]) & is.na(loo$rows$wrong[open])))
  s <- loo$summary
  expect_identical(s$errors, NA_integer_)
  expect_identical(s$error, NA_real_)
  wrong <- sum((as.integer(predict(fit, d)) != as.integer(d$hot))[!open])
  expect_identical(c(s$errors_lower, s$errors_upper), c(wrong, wrong + sum(open)))
  expect_match(said(loo), sprintf("from %d to %d of 111 rows.*: %d open", wrong,
                                  wrong + sum(open), sum(open)))
  expect_no_match(said(loo), "proven")
})

test_that("a tie has the value 0: an elastic net without slopes", {
  set.seed(1)
  x <- matrix(rnorm(30), 10)
  y <- factor(rep(1:2, 5))
  # without a row of each class all is even
  fit <- margin_linear(x, y, loss = "squared", lambda = 2, mixture = 0.9)
  loo <- margin_loo(fit, x, y, groups = rep(1:5, each = 2))
  expect_identical(loo$rows$by, rep("tie", 10L))
  expect_identical(as.character(loo$rows$class), rep("2", 10L))
  expect_lte(max(abs(loo$rows$lower), abs(loo$rows$upper)), 1e-7)
  expect_identical(unlist(loo$summary[c("errors", "errors_lower", "errors_upper", "ties")],
                          use.names = FALSE), c(5L, 0L, 10L, 10L))
  expect_match(said(loo), "from 0 to 10 of 10 rows .*10 ties of value 0 up to rounding")
  # of three classes: two that are equal, and one below both
  lower <- rbind(c(0, 0, -1), c(0, 0.1, -1), c(-1, -1, -1))
  upper <- rbind(c(0, 0, -1), c(0.2, 0.3, -1), c(1, 1, 1))
  expect_identical(is_tie(lower, upper, 0), c(TRUE, FALSE, FALSE))
})

test_that("so is that of several classes, and the squared error of a regression", {
  fit <- margin_linear(Species ~ ., iris, lambda = 0.01, multiclass = "one_vs_rest")
  prob <- vapply(seq_len(150), function(i) {
    x <- sweep(as.matrix(iris[1:4]), 2L, fit$scales, `/`)
    if (i %% 10 != 1) return(NA_real_)
    p <- vapply(levels(iris$Species), function(level) {
      y <- ifelse(iris$Species == level, 1, -1)
      best <- plain_optimum(x[-i, ], y[-i], rep(1, 149), as_loss("logistic"), 0.01 * 150 / 149, TRUE)
      stats::plogis(plain_optimum_scores(best, x[i, , drop = FALSE])$score)
    }, 0)
    (p / sum(p))[[as.integer(iris$Species)[i]]]
  }, 0)
  loo <- margin_loo(fit, iris, precision = 0.002)
  s <- loo$summary
  expect_lte(s$deviance_upper - s$deviance_lower, 0.002 * s$deviance_lower)
  # the class's share is largest with its own score at its upper end and the others' at their lower
  end <- function(name) stats::plogis(as.matrix(loo$rows[paste0(name, levels(iris$Species))]))
  at <- cbind(1:150, as.integer(iris$Species))
  share <- function(own, others) own[at] / (own[at] + rowSums(others) - others[at])
  losses <- -2 * log(cbind(share(end("upper_"), end("lower_")), share(end("lower_"), end("upper_"))))
  expect_equal(colSums(losses), c(s$deviance_lower, s$deviance_upper), tolerance = 1e-9)
  seen <- !is.na(prob)
  expect_true(all(losses[seen, 1L] <= -2 * log(prob[seen]) + 1e-7 &
                    losses[seen, 2L] >= -2 * log(prob[seen]) - 1e-7))
  for (loss in list("huber", "squared")) {
    fit <- margin_linear(mpg ~ ., mtcars, loss = loss, lambda = 1e-3)
    for (precision in c(0.05, 1e-5)) {
      s <- margin_loo(fit, mtcars, precision = precision)$summary
      expect_lte(s$mse_upper - s$mse_lower, precision * s$mse_lower)
    }
  }
})

test_that("a precision that rounding does not allow is said not to be kept", {
  d <- transform(mtcars, am = factor(am))
  fit <- margin_linear(am ~ wt + hp + qsec, d, lambda = 0.01)
  loo <- margin_loo(fit, d, precision = 1e-14)
  s <- loo$summary
  expect_gt(s$precision, 1e-14)
  # nearly all digits of a double nevertheless
  expect_lte(s$precision, 1e-5)
  expect_match(said(loo), "precision 1e-14 is NOT kept: refits reach no more")
})
