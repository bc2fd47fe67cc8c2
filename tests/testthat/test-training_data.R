# The rows of a fit: known again whatever their order and storage, counted by their weights, and found
# by the fit's own subset where they are asked for again.

set.seed(21)
n <- 48L
x <- matrix(rnorm(4 * n), n, dimnames = list(NULL, paste0("x", 1:4)))
class <- factor(ifelse(x[, 1] + rnorm(n) > 0, "b", "a"))
times <- rep(0:3, n / 4)
again <- rep(seq_len(n), times)

fitted_of <- function(...) suppressMessages(margin_performance(...))$fitted

test_that("other rows are not taken for those of the fit where decision values are nearly constant", {
  train <- spambase[seq(1, 4600, 8), ]
  test <- spambase[seq(2, 4600, 8), ]
  flat <- margin_linear(type ~ ., train, lambda = 1e8)
  expect_false(margin_performance(flat, test)$fitted)
  expect_true(margin_performance(flat, train[nrow(train):1, ])$fitted)
  expect_s3_class(margin_conformal(flat, holdout = test), "margin_conformal")
  expect_identical(margin_threshold(flat, test, rows = "validation")$threshold$n, nrow(test))
  expect_s3_class(held_out(flat, test), "data.frame")
  for (asked in list(quote(margin_conformal(flat, holdout = train)),
                     quote(margin_threshold(flat, train, rows = "validation")),
                     quote(margin_report(flat, test = train)))) {
    expect_error(eval(asked), class = "dualmargin_input_error")
  }
})

test_that("in doubt a result is made, and the doubt is said", {
  cells <- data.frame(f = rep(c("u", "v"), each = 40), k = factor(rep(c("a", "b", "b", "a", "b"), 16)))
  few <- margin_linear(k ~ f, cells, lambda = 0.05)
  expect_identical(fitted_of(few, cells), NA)
  expect_output(print(margin_performance(few, cells)), "may be the training rows")
  expect_warning(margin_threshold(few, cells, rows = "validation"), "`data` may be the rows",
                 class = "dualmargin_shared_rows")
  expect_warning(margin_conformal(few, holdout = cells), "`holdout` may be the rows",
                 class = "dualmargin_shared_rows")
  expect_warning(held_out(few, cells), "`test` may be the rows",
                 class = "dualmargin_shared_rows")
  # features computed anew, which differ in their last digits
  d <- data.frame(x1 = x[, 1], k = class)
  curve <- margin_linear(k ~ poly(x1, 3), d, lambda = 0.05, weights = times)
  expect_false(isFALSE(fitted_of(curve, d)))
  expect_true(margin_performance(curve, d)$weighted)
  expect_false(fitted_of(curve, transform(d, x1 = rev(x1))))
})

test_that("the subset of a fit is found in its data by all that asks for the rows again", {
  d <- data.frame(x, k = class, z = x[, 1] + rnorm(n), f = rep(c("u", "v", "w"), n / 3))
  d$x2[c(7, 20)] <- NA
  kept <- which(d$x3 > -0.8 & d$f != "w")
  part <- d[kept, ]
  whole <- function(formula, ..., of = margin_linear) {
    of(formula, d, subset = x3 > -0.8 & f != "w", lambda = 0.05, ...)
  }
  fit <- whole(k ~ x1 + x2 + f)
  line <- whole(z ~ x1 + x2 + f)
  rbf <- whole(k ~ x1 + x2, of = margin_kernel, kernel = kernel_rbf(0.3))
  # the level "w" is unknown to the fits
  expect_error(predict(fit, d), class = "dualmargin_input_error")
  asked <- list(
    function(data) margin_bootstrap(fit, data, resamples = 3, seed = 1)$replicates,
    function(data) as.data.frame(margin_loo(line, data))[-1L],
    function(data) as.data.frame(margin_loo(rbf, data))[-1L],
    function(data) margin_conformal(line, data, method = "jackknife+")$own$score,
    function(data) margin_conformal(fit, data, method = "cv+", seed = 1)$own$score,
    function(data) margin_calibrate(fit, data, seed = 1)$calibration$maps,
    function(data) margin_threshold(fit, data, seed = 1)$threshold$curve,
    function(data) tidy(margin_certain(fit, data)),
    function(data) predict(margin_certain(rbf, data), part[1:3, ], data = data),
    function(data) as.data.frame(margin_sensitivity(fit, data, newdata = part[1:5, ],
                                                    groups = rep_len(1:3, nrow(data)))),
    function(data) {
      as.data.frame(margin_sensitivity(fit, data, newdata = part[1:5, ], count = TRUE))$proven
    }
  )
  for (i in setdiff(seq_along(asked), 10L)) {
    expect_equal(asked[[i]](d), asked[[i]](part), info = i)
  }
  # rows are numbered as they are given, and vectors along them too
  groups <- rep_len(1:3, n)
  of_all <- margin_loo(line, d, groups = groups)
  of_part <- margin_loo(line, part, groups = groups[kept])
  expect_equal(as.data.frame(of_all)[-1L], as.data.frame(of_part)[-1L])
  expect_identical(as.data.frame(of_all)$row, kept[as.data.frame(of_part)$row])
  bound <- augment(line, data = d)
  expect_identical(nrow(bound), nrow(d))
  expect_equal(bound$.fitted[kept], augment(line, data = part)$.fitted)
  expect_true(all(is.na(bound$.fitted[-kept])))
  robust <- margin_robust(k ~ x1 + x2, d, subset = x3 > -0.8 & f != "w", radius = 0.1)
  expect_identical(worst_case(robust, d)$row, kept[worst_case(robust, part)$row])
  # a number of all rows is that of all rows, as in lm()
  centred <- margin_linear(z ~ I(x1 - mean(x1)), d, subset = f == "u", lambda = 0.05)
  expect_equal(nrow(as.data.frame(margin_loo(centred, d))), sum(d$f == "u"))
  # which rows these were is kept with the fit, but for rows that were taken twice
  local({
    mine <- which(d$f == "u")
    local_fit <<- margin_linear(z ~ x1, d, subset = mine, lambda = 0.05)
    mine <- c(mine, mine[1L])
    hidden <<- margin_linear(z ~ x1, d, subset = mine, lambda = 0.05)
  })
  expect_equal(as.data.frame(margin_loo(local_fit, d))$row, which(d$f == "u"))
  expect_error(margin_loo(hidden, d), "subset = mine", class = "dualmargin_input_error")
  # names of such rows may be those of others
  twice <- d[c(1, 1, 2:n), ]
  taken <- margin_linear(z ~ x1, twice, subset = c(1, 1, 4:48), lambda = 0.05)
  expect_equal(nrow(as.data.frame(margin_loo(taken, twice))), 47L)
  expect_error(margin_loo(line, d[-kept, ]), "subset = x3", class = "dualmargin_input_error")
})
