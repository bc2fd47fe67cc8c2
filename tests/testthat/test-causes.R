# The advice of a fit that is not certified names the cause where one is found, and nothing where
# none is; it never names what the function lacks. The examples are those of the interface review.

few_epochs <- margin_control(max_epochs = 3, seed = 1)
far <- local({
  set.seed(1)
  n <- 120
  d <- data.frame(z = rnorm(n), year = 2000 + sample(20, n, TRUE), kelvin = 290 + 10 * rnorm(n),
                  seconds = 1.6e9 + 1e7 * rnorm(n))
  y <- factor(ifelse((d$kelvin - 290) / 10 + d$z + rnorm(n) > 0, "yes", "no"))
  list(x = as.matrix(d), y = y)
})
warned <- function(code) {
  told <- NULL
  fit <- withCallingHandlers(code, dualmargin_not_certified = function(w) {
    told <<- conditionMessage(w)
    invokeRestart("muffleWarning")
  })
  list(fit = fit, told = told, shown = paste(trimws(capture.output(print(fit))), collapse = " "))
}
ratio <- function(v) abs(mean(v)) / sqrt(mean((v - mean(v))^2))

test_that("a polynomial kernel of year, Kelvin and epoch seconds names the farthest column", {
  result <- warned(margin_kernel(far$x, far$y, kernel_polynomial(2), loss = "logistic",
                                 intercept = "free", center = FALSE, scale = TRUE,
                                 control = few_epochs))
  figure <- format(signif(ratio(far$x[, "year"]), 2))
  expected <- sprintf(paste("The mean of column `year` is %s times its standard deviation:",
                            "use center = TRUE."), figure)
  expect_match(result$told, paste(").", expected), fixed = TRUE)
  expect_match(result$shown, expected, fixed = TRUE)
  expect_identical(result$fit$cause$column, "year")
  expect_equal(result$fit$cause$figure, ratio(far$x[, "year"]))
  expect_lt(as.numeric(object.size(result$fit$cause)), 2000)
  # what it advises helps: the same fit, certified
  fit <- margin_kernel(far$x, far$y, kernel_polynomial(2), loss = "logistic", intercept = "free",
                       center = TRUE, scale = TRUE)
  expect_true(fit$certificate$certified)
  expect_null(fit$cause)
})

test_that("dropout on far columns names them, and centring is what helps", {
  fit_by <- function(center) {
    warned(margin_augmented(far$x, far$y, perturb_dropout(0.1), loss = "logistic", lambda = 0.1,
                            intercept = "penalized", center = center, scale = TRUE,
                            control = margin_control(max_epochs = 200, seed = 1)))
  }
  result <- fit_by(FALSE)
  expect_match(result$told, "column `year` .* use center = TRUE\\.")
  accuracy <- function(fit) mean(predict(fit, far$x) == far$y)
  centred <- fit_by(TRUE)
  expect_null(centred$fit$cause)
  expect_gt(accuracy(centred$fit), accuracy(result$fit))
})

test_that("where no argument centres, the intercept is named; never where shifts are void", {
  short <- function(maker, ...) {
    warned(maker(far$x, far$y, scale = TRUE, control = few_epochs, ...))
  }
  for (intercept in c("none", "penalized")) {
    told <- short(margin_linear, loss = "logistic", intercept = intercept)$told
    expect_match(told, "column `year` .* use intercept = \"free\"\\.")
  }
  expect_match(short(margin_robust, intercept = "none", solver = "pdhg")$told,
               "use intercept = \"free\"( with solver = \"auto\")?\\.")
  told <- short(margin_linear, loss = "logistic", intercept = "none", solver = "sdca")$told
  expect_match(told, "use intercept = \"free\" with solver = \"auto\"\\.")
  expect_null(short(margin_linear, loss = "logistic", intercept = "free", lambda = 1e-4)$fit$cause)
  expect_null(short(margin_kernel, kernel = kernel_rbf(1), loss = "hinge", intercept = "none",
                    center = FALSE)$fit$cause)
})

test_that("columns of unequal scale name both and the argument, scaled columns nothing", {
  x <- cbind(a = far$x[, "z"], b = 5000 * rev(far$x[, "z"]), c = 1)
  for (maker in list(margin_linear, margin_robust)) {
    result <- warned(maker(x, far$y, intercept = "free", scale = FALSE, control = few_epochs))
    expect_match(result$told, paste("Column `b` has 5,000 times the standard deviation of column",
                                    "`a`: use scale = TRUE."), fixed = TRUE)
    expect_length(gregexpr("scale = TRUE", result$told)[[1L]], 1L)
    scaled <- warned(maker(x, far$y, intercept = "free", scale = TRUE, control = few_epochs))
    expect_null(scaled$fit$cause)
  }
})

test_that("separable rows with next to no penalty are called that", {
  y <- factor(far$x[, "z"] > 0)
  fit_by <- function(lambda) {
    warned(margin_linear(far$x, y, loss = "logistic", intercept = "free", scale = TRUE,
                         lambda = lambda, control = margin_control(max_epochs = 10, seed = 1)))
  }
  result <- fit_by(1e-9)
  expect_match(result$told, "The rows are separable and lambda is only 1.2e-07 / (sum of weights)",
               fixed = TRUE)
  expect_match(result$told, "use a larger lambda, or margin_hard().", fixed = TRUE)
  expect_null(fit_by(1e-2)$fit$cause)
  # the same penalty on rows that overlap
  overlap <- warned(margin_linear(far$x, far$y, loss = "logistic", intercept = "free",
                                  scale = TRUE, lambda = 1e-9, control = few_epochs))
  expect_null(overlap$fit$cause)
})

test_that("a certified fit, and one without a cause, say nothing of one", {
  result <- warned(margin_linear(Species ~ ., iris, loss = "logistic", intercept = "free",
                                 scale = TRUE, control = margin_control(max_epochs = 1)))
  expect_null(result$fit$cause)
  expect_match(result$told, "epochs?[)][.] Raise max_epochs")
  expect_null(margin_linear(far$x, far$y, loss = "logistic", intercept = "none",
                            scale = TRUE)$cause)
})
