# Each refit of a bootstrap is the fit of its rows, drawn as said; what is read from the refits is
# counted by hand, and by package boot.

tight <- margin_control(tol = 1e-10)
pair <- droplevels(iris[51:150, ])
counts_of <- function(boot, r) counts_of_resample(boot$draws, boot$seeds[r])
but_seconds <- function(boot) {
  boot$results$seconds <- NULL
  boot
}
# The fit of the rows, each as often as it counts.
copied <- function(fit, x, y, times, ...) {
  rows <- rep(seq_along(times), times)
  update(fit, x = x[rows, , drop = FALSE], y = y[rows], lambda = fit$settings$lambda, ...)
}

test_that("a refit is the same call on the rows that were drawn, copied", {
  x <- as.matrix(pair[1:4])
  sparse <- methods::as(x, "CsparseMatrix")
  y <- pair$Species
  cars <- as.matrix(mtcars[c("wt", "hp", "qsec")])
  cases <- list(
    list(x, y, margin_linear(x, y, control = tight)),
    list(sparse, y, margin_linear(sparse, y, loss = "squared_hinge", cost = 0.1, control = tight)),
    list(x, y, margin_linear(x, y, loss = "hinge", intercept = "penalized", control = tight,
                             lambda = 0.05, class_weights = c(versicolor = 1, virginica = 2))),
    list(x, y, margin_linear(x, y, lambda = 0.02, mixture = 0.5, scale = FALSE, control = tight)),
    list(sparse, y, margin_linear(sparse, y, class_weights = "balanced", control = tight)),
    list(cars, mtcars$mpg, margin_linear(cars, mtcars$mpg, lambda = 0.1, control = tight)),
    list(cars, mtcars$mpg, margin_linear(cars, mtcars$mpg, loss = loss_huber(), lambda = 0.1,
                                         control = tight)),
    list(as.matrix(iris[1:4]), iris$Species,
         margin_linear(as.matrix(iris[1:4]), iris$Species, lambda = 0.01, control = tight,
                       multiclass = "softmax", intercept = "penalized"))
  )
  for (case in cases) {
    fit <- case[[3L]]
    boot <- margin_bootstrap(fit, case[[1L]], case[[2L]], resamples = 3, seed = 4)
    expect_true(all(boot$results$certified))
    for (r in 1:3) {
      times <- counts_of(boot, r)
      expect_identical(sum(times), length(case[[2L]]))
      expect_identical(c(boot$results$drawn[r], boot$results$left_out[r]),
                       c(sum(times > 0L), sum(times == 0L)))
      again <- copied(fit, case[[1L]], case[[2L]], times)
      expect_equal(unname(boot$replicates[r, ]), as.vector(coef(again)), tolerance = 1e-4,
                   label = format(fit$settings$loss))
    }
  }
})

test_that("case weights count in a refit, and rows of weight 0 are never drawn", {
  x <- as.matrix(pair[1:4])
  w <- rep_len(c(0, 1, 2, 1), 100)
  fit <- margin_linear(x, pair$Species, weights = w, lambda = 0.02, control = tight)
  boot <- margin_bootstrap(fit, x, pair$Species, resamples = 3, seed = 1)
  expect_identical(boot$nobs, sum(w > 0))
  for (r in 1:3) {
    times <- counts_of(boot, r)
    expect_identical(times[w == 0], integer(sum(w == 0)))
    expect_identical(sum(times), sum(w > 0))
    rows <- rep(seq_along(times), times * w)
    again <- margin_linear(x[rows, ], pair$Species[rows], lambda = 0.02, control = tight)
    expect_equal(unname(boot$replicates[r, ]), unname(coef(again)), tolerance = 1e-4)
    expect_identical(boot$results$left_out[r], sum(times == 0 & w > 0))
  }
})

test_that("groups are drawn whole, strata keep their counts, both together too", {
  fit <- margin_linear(Species ~ ., pair, lambda = 0.02)
  groups <- rep(1:20, each = 5)
  strata <- rep(c("a", "b"), c(30, 70))
  boot <- margin_bootstrap(fit, pair, resamples = 5, groups = groups, seed = 1)
  expect_identical(c(boot$draws$noun, boot$draws$units), c("group", "20"))
  for (r in 1:5) {
    times <- counts_of(boot, r)
    expect_identical(unname(tapply(times, groups, function(of) length(unique(of)))),
                     array(rep(1L, 20)))
    expect_identical(sum(times), 100L)
  }
  boot <- margin_bootstrap(fit, pair, resamples = 5, strata = strata, seed = 1)
  for (r in 1:5) expect_identical(c(tapply(counts_of(boot, r), strata, sum)), c(a = 30L, b = 70L))
  both <- margin_bootstrap(fit, pair, resamples = 5, strata = strata, groups = groups, seed = 1)
  for (r in 1:5) {
    times <- counts_of(both, r)
    expect_identical(c(tapply(times, strata, sum)), c(a = 30L, b = 70L))
    expect_true(all(tapply(times, groups, function(of) length(unique(of))) == 1L))
  }
  expect_input_error(margin_bootstrap(fit, pair, groups = groups, strata = rep(1:2, 50)), "strata",
                     "two strata")
  expect_output(print(both, level = 0.5), "5 resamples of 20 groups (100 rows) within 2",
                fixed = TRUE)
})

test_that("one seed, one result; R's stream is left alone", {
  fit <- margin_linear(Species ~ ., pair, lambda = 0.02)
  run <- function(seed = 5) but_seconds(margin_bootstrap(fit, pair, resamples = 6, seed = seed))
  set.seed(1)
  before <- .Random.seed
  one <- run()
  expect_identical(.Random.seed, before)
  expect_identical(run(), one)
  expect_false(identical(run(6)$replicates, one$replicates))
  drawn <- run(NULL)
  set.seed(1)
  expect_identical(run(NULL), drawn)
})

test_that("metrics are those of the rows left out, by the refit", {
  fit <- margin_linear(Species ~ ., pair, lambda = 0.02)
  boot <- margin_bootstrap(fit, pair, resamples = 4,
                         seed = 2,
                           metrics = c("log_loss", "accuracy", "auroc"))
  kernel <- margin_kernel(Species ~ ., pair, kernel = kernel_rbf(0.3), lambda = 0.02)
  of_kernel <- margin_bootstrap(kernel, pair, resamples = 4,
                         seed = 2, metrics = "log_loss")
  for (r in 1:4) {
    times <- counts_of(boot, r)
    again <- update(fit, data = pair[rep(1:100, times), ], control = tight)
    out <- pair[times == 0, ]
    judged <- margin_performance(again, out, c("log_loss", "accuracy", "auroc"))$metrics$value
    expect_equal(unlist(boot$results[r, c("log_loss", "accuracy", "auroc")], use.names = FALSE),
                 judged, tolerance = 1e-3)
    again <- update(kernel, data = pair[rep(1:100, counts_of(of_kernel, r)), ],
                    lambda = kernel$settings$lambda)
    out <- pair[counts_of(of_kernel, r) == 0, ]
    expect_equal(of_kernel$results$log_loss[r],
                 margin_performance(again, out, "log_loss")$metrics$value, tolerance = 1e-3)
  }
  table <- summary(boot, what = "metrics")
  expect_equal(table$mean, unname(colMeans(boot$results[c("log_loss", "accuracy", "auroc")])))
  expect_null(of_kernel$estimates)
  expect_identical(summary(of_kernel)$metric, "log_loss")
  expect_input_error(confint(of_kernel), "object", "no coefficients of columns")
  # with the threshold of the fit
  cut <- margin_bootstrap(margin_threshold(fit, at = 0.9, on = "prob"), pair, resamples = 4,
                         seed = 2,
                          metrics = "accuracy")
  again <- update(fit, data = pair[rep(1:100, counts_of(cut, 1)), ], control = tight)
  out <- pair[counts_of(cut, 1) == 0, ]
  said <- predict(again, out, type = "prob")[, 2] >= 0.9
  expect_equal(cut$results$accuracy[1], mean(said == (out$Species == "virginica")))
})

test_that("intervals are those of package boot for the same replicates, percentile and BCa", {
  fit <- margin_linear(mpg ~ wt + hp, mtcars, lambda = 0.05, control = tight)
  boot <- margin_bootstrap(fit, mtcars, resamples = 199, seed = 3, type = "bca")
  # without each row
  for (i in c(1, 32)) {
    expect_equal(unname(boot$jackknife$coefficients[i, ]),
                 unname(coef(update(fit, data = mtcars[-i, ], lambda = 0.05))), tolerance = 1e-5)
  }
  skip_if_not_installed("boot")
  theirs <- function(...) getExportedValue("boot", "boot.ci")(...)
  for (j in 1:3) suppressWarnings({ # of extreme order statistics
    known <- structure(list(t0 = coef(fit)[[j]], t = boot$replicates[, j, drop = FALSE], R = 199L,
                            data = mtcars, sim = "ordinary", stype = "i", strata = rep(1, 32),
                            weights = rep(1 / 32, 32), call = quote(boot(mtcars))), class = "boot")
    left <- boot$jackknife$coefficients[, j]
    for (level in c(0.9, 0.95, 0.87)) {
      ends <- theirs(known, conf = level, type = c("perc", "bca"), L = mean(left) - left)
      expect_equal(unname(confint(boot, j, level, type = "percentile")[1, ]), ends$percent[4:5],
                   tolerance = 1e-10)
      # where theirs takes the last replicate for what lies beyond it, ours is NA
      bca <- unname(confint(boot, j, level)[1, ])
      inside <- ends$bca[2:3] >= 1 & ends$bca[2:3] <= 199
      expect_identical(!is.na(bca), inside)
      expect_equal(bca[inside], ends$bca[4:5][inside], tolerance = 1e-10)
    }
  })
})

test_that("how often a lasso picks a column is counted; a ridge has no such share", {
  lasso <- margin_linear(mpg ~ ., mtcars, lambda = 0.3, mixture = 1)
  boot <- margin_bootstrap(lasso, mtcars, resamples = 39, seed = 1)
  table <- summary(boot)
  expect_identical(table$selected, unname(colMeans(boot$replicates != 0)))
  expect_true(any(table$selected < 1) && any(table$selected > 0))
  expect_equal(table$bias, unname(colMeans(boot$replicates) - coef(lasso)))
  expect_equal(table$std.error, unname(apply(boot$replicates, 2, sd)))
  expect_equal(cbind(table$lower, table$upper), unname(confint(boot)))
  told <- as.data.frame(tidy(boot, conf.int = TRUE))
  expect_identical(names(told), c("term", "estimate", "bias", "std.error", "conf.low", "conf.high",
                                  "selected"))
  expect_equal(told$conf.low, table$lower)
  expect_identical(names(tidy(boot)), c("term", "estimate", "bias", "std.error", "selected"))
  one <- glance(boot)
  expect_identical(c(one$resamples, one$refits, one$n_certified), c(39L, 39L, 39L))
  ridge <- margin_bootstrap(margin_linear(mpg ~ wt, mtcars), mtcars, resamples = 3, seed = 1)
  expect_null(summary(ridge, level = 0.5)$selected)
  on_null_device({
    drawn <- plot(boot, which = "selection", top = 4)
    expect_identical(nrow(drawn), 4L)
    expect_identical(drawn$selected, sort(table$selected[-1L], decreasing = TRUE)[1:4])
    intervals <- plot(boot, scaled = FALSE)
    at <- match(intervals$term, table$term)
    expect_equal(intervals$upper, table$upper[at])
    scaled <- plot(boot)
    expect_equal(scaled$lower, table$lower[match(scaled$term, table$term)] *
                   lasso$scales[scaled$term], ignore_attr = TRUE)
    expect_input_error(plot(ridge, which = "selection", level = 0.5), "which",
                       "no coefficient of 0")
    expect_input_error(plot(ridge, pch = 1), "pch", "not an argument")
  })
})

test_that("too few resamples for a level are told, and how many it takes", {
  boot <- margin_bootstrap(margin_linear(mpg ~ wt, mtcars), mtcars, resamples = 19, seed = 1)
  expect_input_error(confint(boot), "level", "resamples = 39")
  expect_input_error(summary(boot), "level", "need 39 resamples, and there are 19")
  expect_identical(unname(confint(boot, "wt", level = 0.9)[1, ]),
                   range(boot$replicates[, "wt"]))
  expect_identical(colnames(confint(boot, level = 0.9)), c("5 %", "95 %"))
  expect_output(print(boot), "Too few resamples for intervals at 95 %", fixed = TRUE)
  expect_output(print(boot, level = 0.9), "Intervals at 90 % of the penalised estimate",
                fixed = TRUE)
})

test_that("refits that are not certified are counted in one warning", {
  fit <- margin_linear(Species ~ ., pair, lambda = 0.1, loss = "hinge", intercept = "penalized")
  fit$settings$solver <- "sdca"
  fit$settings$control$max_epochs <- 1
  expect_warning(boot <- margin_bootstrap(fit, pair, resamples = 5, seed = 1),
                 "of 5 refits, the worst", class = "dualmargin_not_certified")
  expect_lt(sum(boot$results$certified), 5)
  expect_output(print(boot, level = 0.5), "NOT all: ", fixed = TRUE)
})

test_that("what has no bootstrap is refused by name, before any refit", {
  fit <- margin_linear(Species ~ ., pair, lambda = 0.02)
  refused <- function(fit, arg, words, ...) {
    expect_input_error(margin_bootstrap(fit, pair, ...), arg, words)
  }
  refused(3, "fit", "must be a fit")
  refused(margin_oneclass(pair[1:4], nu = 0.5), "fit", "one class")
  refused(margin_calibrate(fit, pair, seed = 1), "fit", "margin_calibrate()")
  refused(margin_kernel(as.matrix(pair[1:4]), pair$Species, mixup = mixup_pairs(20),
                        intercept = "none"), "fit", "mixup")
  refused(fit, "resamples", "from 2", resamples = 1)
  refused(fit, "resamples", "whole", resamples = 2.5)
  refused(fit, "strata", "a stratum for each", strata = 1:3)
  refused(fit, "strata", "NA at position 2", strata = c(1, NA, rep(1, 98)))
  refused(fit, "groups", "a group for each", groups = 1:3)
  refused(fit, "groups", "all rows into one group", groups = rep(1, 100))
  refused(fit, "metrics", "which is for a regression", metrics = "mse")
  refused(margin_linear(Species ~ ., pair, loss = "hinge"), "metrics", "probabilities",
          metrics = "log_loss")
  refused(fit, "type", "bca", type = "basic")
  refused(update(fit, mixture = 0.5), "type", "ridge alone", type = "bca")
  refused(fit, "R", "did you mean `resamples`?", R = 99)
  refused(fit, "seed", "seed", seed = -1)
  expect_input_error(margin_bootstrap(fit, pair[100:1, ]), "data", "the fit has")
  expect_input_error(margin_bootstrap(fit, as.matrix(pair[1:4])), "data", "data frame")
  expect_input_error(confint(fit), "object", "margin_bootstrap()")
  few <- pair[c(1:3, 60:90), ] # three rows of the first class
  rare <- margin_linear(Species ~ ., few)
  expect_input_error(margin_bootstrap(rare, few, seed = 1), "resamples", "give strata =")
  expect_s3_class(margin_bootstrap(rare, few, resamples = 9, seed = 1, strata = few$Species),
                  "margin_bootstrap")
  boot <- margin_bootstrap(fit, pair, resamples = 39, seed = 1)
  expect_input_error(confint(boot, "nosuch"), "parm", "names or numbers of coefficients")
  expect_input_error(confint(boot, 99), "parm", "names or numbers")
  expect_input_error(confint(boot, type = "bca"), "type", "margin_bootstrap(type =")
  expect_input_error(confint(boot, level = 95), "level", "between 0 and 1")
  for (generic in list(coef, residuals)) {
    expect_error(generic(boot), class = "dualmargin_input_error")
  }
  for (generic in list(predict, vcov, refit)) expect_error(generic(boot))
})

test_that("a coefficient whose replicates are all on one side has no BCa interval, and the others have", {
  set.seed(1)
  x <- cbind(a = rnorm(40), b = rnorm(40), constant = 0)
  y <- x[, 1] + rnorm(40)
  boot <- margin_bootstrap(margin_linear(x, y, lambda = 0.1), x, y, resamples = 199, seed = 1, type = "bca")
  ends <- confint(boot)
  expect_true(all(is.na(ends["constant", ])))
  expect_false(anyNA(ends[c("a", "b"), ]))
  expect_output(print(boot), "constant")
})
