# Each point is the solution of its own problem, and says how far it is from it.

seeded <- margin_control(seed = 1)
spam <- as.matrix(spambase[names(spambase) != "type"])

for (loss in all_losses()) {
  test_that(paste("the first lambda is where coefficients begin:", format(loss)), {
    problem <- small_problem()
    y <- if (loss$task != "classification") problem$response else factor(problem$y)
    for (intercept in c("free", "penalized", "none")) for (mixture in c(0.3, 1)) {
      fit <- function(...) {
        quiet_path(problem$x, y, loss = loss, mixture = mixture, intercept = intercept,
                   weights = problem$weights, control = margin_control(tol = 1e-9, seed = 1), ...)
      }
      first <- fit(n_lambda = 1)
      expect_identical(first$df, 0L)
      if (intercept == "penalized") expect_identical(unname(coef(first)[1L, 1L]), 0)
      # the null model is optimal there
      expect_lte(first$certificate$relative_gap, 1e-12)
      below <- fit(lambda = 0.98 * first$lambda)
      expect_true(any(coef(below)[if (intercept == "free") -1L else TRUE, 1L] != 0) ||
                    (loss$name == "hinge" && intercept == "free"))
    }
  })
}

test_that("a chosen sequence is logarithmic, with the ends that help states", {
  path <- margin_path(spam, spambase$type, n_lambda = 5, mixture = c(0, 1), control = seeded,
                      loss = "smooth_hinge")
  steps <- tapply(path$lambda, path$mixture, function(v) diff(log(v)))
  expect_equal(unname(unlist(steps)), rep(log(c(1e-6, 1e-3)) / 4, each = 4))
  scaled <- sweep(spam, 2L, path$scales, `/`)
  expect_equal(path$lambda[1L], mean(rowSums(scaled^2)))
  # at the best intercept alone the smaller class has slope -1, the larger what balances it
  spam_rows <- spambase$type == "spam"
  a <- ifelse(spam_rows, -1, sum(spam_rows) / sum(!spam_rows))
  expect_equal(path$lambda[6L], max(abs(colMeans(a * scaled))), tolerance = 1e-8)
  wide <- margin_path(colon$x, colon$y, n_lambda = 3, mixture = 1, control = seeded,
                      loss = "smooth_hinge")
  expect_equal(wide$lambda[3L] / wide$lambda[1L], 1e-2)
  asked <- margin_path(spam, spambase$type, n_lambda = 3, lambda_min_ratio = 0.5, control = seeded,
                       loss = "smooth_hinge")
  expect_equal(asked$lambda / asked$lambda[1L], 0.5^c(0, 0.5, 1))
})

test_that("a warm path takes less work than cold fits", {
  some <- seq(1, nrow(spam), by = 4)
  for (loss in c("smooth_hinge", "logistic", "hinge")) for (mixture in c(0, 1)) {
    path <- margin_path(spam[some, ], spambase$type[some], loss = loss, mixture = mixture,
                        n_lambda = 20, lambda_min_ratio = 1e-2, control = seeded)
    cold <- lapply(path$lambda, function(lambda) {
      margin_linear(spam[some, ], spambase$type[some], loss = loss, mixture = mixture, lambda = lambda,
                    control = seeded)$status
    })
    # a step of one method is not one of another, and a cold hinge changes methods on the way
    if (loss != "hinge") {
      expect_lt(sum(path$status$steps), sum(vapply(cold, function(s) s$steps, 0)))
    }
    expect_lt(sum(path$status$epochs), sum(vapply(cold, function(s) s$epochs, 0)))
  }
})

test_that("lasso and elastic net paths are glmnet's, by value and by first lambda", {
  skip_if_not_installed("glmnet")
  x <- as.matrix(mtcars[-1])
  # glmnet divides the response by its standard deviation, which moves the ridge part
  y <- mtcars$mpg / sqrt(mean((mtcars$mpg - mean(mtcars$mpg))^2))
  for (mixture in c(1, 0.5)) {
    path <- margin_path(x, y, loss = "squared", mixture = mixture, n_lambda = 12,
                        lambda_min_ratio = 1e-2)
    peer <- precise_glmnet(x, y, alpha = mixture, lambda = path$lambda, thresh = 1e-14)
    expect_equal(glmnet::glmnet(x, y, alpha = mixture)$lambda[1L], path$lambda[1L],
                 tolerance = 1e-6)
    theirs <- path
    theirs$coefficients <- as.matrix(stats::coef(peer))
    theirs <- drop(outside_values(theirs, x, y))
    expect_true(all(path$certificate$bound <= theirs * (1 + 1e-12)))
    expect_equal(theirs, path$certificate$value, tolerance = 1e-6)
  }
})

test_that("given lambdas are sorted, and every mixture visits all of them", {
  lambda <- c(0.01, 1, 0.1)
  path <- margin_path(a1a$x, a1a$y, lambda = lambda, mixture = c(0.5, 1), control = seeded,
                      loss = "smooth_hinge")
  expect_identical(path$lambda, rep(c(1, 0.1, 0.01), 2))
  expect_identical(path$mixture, rep(c(0.5, 1), each = 3))
  expect_identical(colnames(coef(path))[2L], "0.1, mixture 0.5")
  expect_honest_path(path, a1a$x, a1a$y)
  # one mixture's path does not depend on the others
  alone <- margin_path(a1a$x, a1a$y, lambda = lambda, mixture = 0.5, control = seeded,
                       loss = "smooth_hinge")
  expect_identical(unname(coef(path, mixture = 0.5)), unname(coef(alone)))
  again <- margin_path(a1a$x, a1a$y, lambda = lambda, mixture = 0.5, control = seeded,
                       loss = "smooth_hinge")
  expect_identical(coef(again), coef(alone))
})

test_that("a point that misses the tolerance is counted, named and marked", {
  run <- function() {
    margin_path(spam, spambase$type, loss = "logistic", mixture = 1, n_lambda = 10,
                control = margin_control(max_epochs = 6, seed = 1))
  }
  expect_warning(run(), class = "dualmargin_not_certified")
  raised <- tryCatch(run(), dualmargin_not_certified = identity)
  path <- quiet_path(spam, spambase$type, loss = "logistic", mixture = 1, n_lambda = 10,
                     control = margin_control(max_epochs = 6, seed = 1))
  expect_honest_path(path, spam, spambase$type)
  missed <- sum(!path$certificate$certified)
  worst <- which.max(path$certificate$relative_gap)
  expect_true(missed > 0 && missed < 10)
  expect_identical(raised$missed, missed)
  expect_identical(raised$lambda, path$lambda[worst])
  expect_match(conditionMessage(raised), sprintf("at %d of 10 points", missed))
  expect_match(conditionMessage(raised), format(path$lambda[worst], digits = 4), fixed = TRUE)
  expect_output(print(path), sprintf("NOT certified, %d of 10 points", 10 - missed))
  expect_identical(path$status$status[!path$certificate$certified], rep("max_epochs", missed))
})

test_that("null models without a slope have a sequence too", {
  flat <- margin_path(matrix(c(1, 1, 1, 1), 4), c(2, 2, 2, 2), loss = "squared", mixture = 1,
                      n_lambda = 3)
  expect_true(all(flat$lambda > 0) && all(flat$certificate$certified))
  zero <- margin_path(matrix(0, 4, 2), c(-1, 1, 1, -1), n_lambda = 3, loss = "smooth_hinge")
  expect_true(all(is.finite(zero$lambda)) && all(zero$df == 0L))
})

test_that("bad input is an error of its own", {
  x <- spam[1:50, 1:3]
  y <- rep(c(-1, 1), 25)
  bad <- function(pattern, ...) {
    expect_error(margin_path(x, y, ...), pattern, class = "dualmargin_input_error")
  }
  bad("`lambda` has 0 at position 2", lambda = c(1, 0))
  bad("`lambda` has NA at position 1", lambda = c(NA, 1))
  bad("`lambda` has Inf at position 2", lambda = c(1, Inf))
  bad("`lambda` has 1 twice", lambda = c(1, 2, 1))
  bad("`lambda` is \"a\", but must be positive", lambda = "a")
  bad("`lambda` is a numeric vector of length 0", lambda = numeric())
  bad("`n_lambda` makes a sequence", lambda = 1, n_lambda = 5)
  bad("`lambda_min_ratio` makes a sequence", lambda = 1, lambda_min_ratio = 0.1)
  bad("`n_lambda` is 0", n_lambda = 0)
  bad("`n_lambda` is 2.5", n_lambda = 2.5)
  bad("`lambda_min_ratio` is 1, but", lambda_min_ratio = 1)
  bad("`mixture` has 1.5 at position 2", mixture = c(0, 1.5))
  bad("`mixture` has 0 twice", mixture = c(0, 0))
  bad("`mixture` is NULL", mixture = NULL)
  bad("give `lambda`, which is 1/\\(W cost\\)", cost = 1)
  bad("`lamda` is not an argument of margin_path\\(\\); did you mean `lambda`", lamda = 1)
  bad("control = margin_control\\(tol = \\)", tol = 1e-3)
  bad("`solver` \"sdca\"", solver = "sdca", intercept = "none", mixture = c(0.5, 1))
  expect_error(margin_path(x, loss = "smooth_hinge"),
               "`y` is missing", class = "dualmargin_input_error")
  expect_error(margin_path("a", loss = "smooth_hinge"),
               "`x` is \"a\"", class = "dualmargin_input_error")
  expect_error(margin_path(am ~ wt, mtcars, cost = 1, loss = "smooth_hinge"),
               "lambda", class = "dualmargin_input_error")
  expect_error(margin_path(am ~ wt - 1, mtcars, loss = "squared", intercept = "free"),
               "`formula` removes it", class = "dualmargin_input_error")
})
