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

test_that("unscaled columns of the augmented family are told of scale: the review's example", {
  skip_if_not_installed("MASS")
  result <- warned(margin_augmented(type ~ ., MASS::Pima.tr, loss = "logistic", intercept = "none",
                                    center = FALSE, scale = FALSE,
                                    control = margin_control(max_epochs = 50, seed = 1)))
  sd <- apply(MASS::Pima.tr[1:7], 2L, stats::sd)
  expect_identical(c(result$fit$cause$column, result$fit$cause$other),
                   names(sd)[c(which.max(sd), which.min(sd))])
  expect_match(result$told, "use scale = TRUE", fixed = TRUE)
  # an objective that cannot be negative has no optimum below 0
  expect_gte(result$fit$certificate$bound, 0)
  shown <- as.numeric(sub(".*lower than the value by up to ([0-9.]+).*", "\\1", result$shown))
  expect_lte(shown, result$fit$certificate$value * 1.01)
  expect_true(margin_augmented(type ~ ., MASS::Pima.tr, loss = "logistic", intercept = "penalized",
                               center = TRUE, scale = TRUE,
                               control = margin_control(seed = 1))$certificate$certified)
})

test_that("separable rows with next to no penalty are called that", {
  y <- factor(far$x[, "z"] > 0)
  fit_by <- function(lambda) {
    warned(margin_linear(far$x, y, loss = "logistic", intercept = "free", scale = TRUE,
                         lambda = lambda, control = margin_control(max_epochs = 5, seed = 1)))
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
  expect_match(result$told, "epochs). Raise max_epochs", fixed = TRUE)
  expect_null(margin_linear(far$x, far$y, loss = "logistic", intercept = "none",
                            scale = TRUE)$cause)
})

test_that("the figures are those of the definition: dense, sparse, weighted", {
  set.seed(4)
  x <- cbind(rnorm(30, 5), rbinom(30, 1, 0.3) * rexp(30), 1e9 + rnorm(30), 3)
  omega <- runif(30) * (runif(30) > 0.2)
  share <- omega / sum(omega)
  mean <- colSums(share * x)
  sd <- sqrt(colSums(share * sweep(x, 2L, mean)^2))
  sd[4L] <- 0
  for (form in list(x, methods::as(x, "CsparseMatrix"), methods::as(x, "RsparseMatrix"))) {
    found <- dualmargin:::column_frame(form, omega)
    expect_equal(found$mean, mean)
    expect_equal(found$sd, sd, tolerance = 1e-6)
  }
})

test_that("a path names the cause too", {
  path <- warned(margin_path(far$x, far$y, family = "kernel", kernel = kernel_polynomial(2),
                             lambda = c(0.1, 0.01), loss = "logistic", intercept = "none",
                             center = FALSE, scale = TRUE, control = few_epochs))
  expect_match(path$told, "column `year` .* use center = TRUE\\.")
})

test_that("advice never names what the function lacks", {
  makers <- dualmargin:::families()
  statuses <- c("max_epochs", "max_seconds", "stalled", "rounding_floor", "invalid_bound")
  x <- far$x
  fits <- suppressWarnings(list(
    linear = margin_linear(x, far$y, loss = "logistic", intercept = "none", scale = FALSE,
                           control = few_epochs),
    kernel = margin_kernel(x, far$y, kernel_polynomial(2), loss = "logistic", intercept = "none",
                           center = FALSE, scale = FALSE, control = few_epochs),
    augmented = margin_augmented(x, far$y, loss = "logistic", intercept = "none", center = FALSE,
                                 scale = FALSE, control = few_epochs),
    robust = margin_robust(x, far$y, intercept = "none", scale = FALSE, control = few_epochs),
    hard = margin_hard(x[, 1:3], factor(x[, 1] > 0), intercept = "none", scale = FALSE,
                       control = few_epochs),
    hard = margin_hard(x, far$y, kernel = kernel_polynomial(2), intercept = "none", scale = FALSE,
                       control = few_epochs)
  ))
  sentences <- 0L
  for (i in seq_along(fits)) {
    fit <- fits[[i]]
    has <- c(names(formals(makers[[names(fits)[i]]]$of_matrix)))
    moments <- dualmargin:::column_frame(x, rep(1, nrow(x)))
    causes <- list(NULL, dualmargin:::far_columns(fit, moments),
                   dualmargin:::columns_of_unequal_scale(fit, moments))
    for (cause in causes) for (status in statuses) {
      fit$cause <- cause
      row <- fit$status[1L, ]
      row$status <- status
      row$rounding_floor <- 1e-3
      text <- dualmargin:::remedy_for(row, fit)
      # of calls of other functions: theirs
      text <- gsub("margin_[a-z]+\\([^)]*\\)", "", text)
      named <- regmatches(text, gregexpr("[a-z_]+(?= = )", text, perl = TRUE))[[1L]]
      expect_true(all(named %in% has), label = paste(names(fits)[i], status, text))
      for (word in c("lambda", "ridge")) {
        if (grepl(paste0("(larger|an?) ", word), text)) {
          expect_true(word %in% has, label = paste(names(fits)[i], status, text))
        }
      }
      sentences <- sentences + length(named)
    }
  }
  expect_gt(sentences, 50L)
})

test_that("the advice can be followed: solver auto without stall = FALSE, a cost for a cost", {
  set.seed(4)
  rows <- matrix(rnorm(400), 100)
  y <- factor(rows[, 1L] + rnorm(100) > 0)
  fit <- function(control, ...) {
    warned(margin_linear(rows, y, loss = "hinge", control = control, intercept = "none", ...))$told
  }
  endless <- fit(margin_control(max_epochs = 2, stall = FALSE, tol = 1e-12), solver = "sdca")
  expect_match(endless, "use solver = \"auto\" without stall = FALSE.", fixed = TRUE)
  usual <- fit(margin_control(max_epochs = 2, tol = 1e-12), solver = "sdca")
  expect_match(usual, "use solver = \"auto\".", fixed = TRUE)
  status <- list(status = "stalled", epochs = 1)
  remedy <- function(...) {
    dualmargin:::remedy_for_status(status, margin_linear(rows, y, loss = "hinge", ...))
  }
  expect_match(remedy(cost = 0.1), "Try a smaller cost or")
  expect_match(remedy(lambda = 0.1), "Try a larger lambda or")
})
