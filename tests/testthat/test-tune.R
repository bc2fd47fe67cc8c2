# The proven minimum of a cross-validated error, against the errors of fits at other penalties.

two_classes <- function(n, p, strength = 1) {
  x <- matrix(rnorm(n * p), n)
  y <- factor(ifelse(x %*% rnorm(p) * strength + rlogis(n) > 0, "yes", "no"))
  list(x = x, y = y)
}

# Weight of the rows that fits at 1e-12 misclassify, fold by fold; of rows that stand on the border
# to 1e-7, which the reference does not decide, also the weight.
reference_error <- function(d, folds, lambda, weights = rep(1, length(d$y)), ...) {
  wrong <- vapply(sort(unique(folds)), function(fold) {
    train <- folds != fold
    fit <- suppressWarnings(margin_linear(d$x[train, ], d$y[train], lambda = lambda,
                                          weights = weights[train],
                                          control = margin_control(tol = 1e-13, seed = 1), ...))
    score <- predict(fit, d$x[!train, , drop = FALSE], type = "score")
    bad <- (score >= 0) != (d$y[!train] == levels(d$y)[2L])
    near <- abs(score) < 1e-7
    c(sum(weights[!train][bad & !near]), sum(weights[!train][near]))
  }, c(0, 0))
  rowSums(wrong) / sum(weights)
}

expect_proof <- function(tune, d, folds, n, ...) {
  lambda <- exp(runif(n, log(tune$range[1L]), log(tune$range[2L])))
  for (one in lambda) {
    error <- reference_error(d, folds, one, ...)
    info <- format(one, digits = 16)
    expect_gte(sum(error), tune$least - 1e-12, label = info)
    step <- tune$bound$lower[tune$bound$from <= one & tune$bound$to >= one]
    expect_gte(sum(error), min(step) - 1e-12, label = info)
  }
  best <- reference_error(d, folds, tune$lambda, ...)
  expect_gte(sum(best), tune$error[["lower"]] - 1e-12)
  expect_lte(best[1L], tune$error[["upper"]] + 1e-12)
}

test_that("no random penalty beats the proven one: losses, intercepts, weights, scales", {
  set.seed(21)
  cases <- list(
    list(loss = "logistic", intercept = "free"), list(loss = "logistic", intercept = "none"),
    list(loss = "squared", intercept = "free"), list(loss = "squared", intercept = "penalized"),
    list(loss = "squared_hinge", intercept = "penalized", eps = 0.05),
    list(loss = "smooth_hinge", intercept = "none", eps = 0.05),
    list(loss = "huber", intercept = "penalized", eps = 0.05),
    list(loss = "hinge", intercept = "penalized", eps = 0.1)
  )
  for (case in cases) {
    d <- two_classes(40, 3)
    folds <- rep_len(1:4, 40)[sample(40)]
    weights <- sample(c(0.5, 1, 2.25), 40, TRUE)
    given <- case[c("loss", "intercept")]
    tune <- do.call(margin_tune, c(list(d$x, d$y, range = c(0.01, 1), folds = folds,
                                        weights = weights), case))
    expect_true(tune$proven, info = case$loss)
    expect_lte(tune$error[["upper"]] - tune$least, tune$eps + 1e-12)
    do.call(expect_proof, c(list(tune, d, folds, 6L, weights = weights), given))
  }
})

test_that("with eps = 0 the minimum is that of a fine grid around it", {
  set.seed(22)
  d <- two_classes(60, 2)
  folds <- rep_len(1:3, 60)
  tune <- margin_tune(d$x, d$y, range = c(1e-3, 1), folds = folds)
  expect_true(tune$proven)
  expect_identical(tune$error[["lower"]], tune$error[["upper"]])
  fine <- vapply(tune$lambda * exp(seq(-0.3, 0.3, length.out = 15)),
                 function(one) reference_error(d, folds, one)[1L], 0)
  expect_equal(min(fine, tune$error[["upper"]]), tune$least)
  expect_equal(reference_error(d, folds, tune$lambda)[1L], tune$least)
  expect_true(tune$among[1L] <= tune$lambda && tune$lambda <= tune$among[2L])
})

test_that("the steps cover the range, and the bound is not above the errors that were seen", {
  set.seed(23)
  d <- two_classes(50, 4)
  tune <- margin_tune(d$x, d$y, range = c(1e-3, 1), folds = 5, eps = 0.02, seed = 4)
  bound <- tune$bound
  expect_equal(range(bound$from, bound$to), c(1e-3, 1))
  expect_equal(bound$from[-1L], bound$to[-nrow(bound)])
  for (i in seq_len(nrow(tune$points))) {
    at <- bound$from < tune$points$lambda[i] & bound$to > tune$points$lambda[i]
    expect_true(all(bound$lower[at] <= tune$points$upper[i] + 1e-12))
  }
})

test_that("invariances: row order, doubled rows, turned labels, moved and sparse columns", {
  set.seed(24)
  d <- two_classes(40, 3)
  folds <- rep_len(1:4, 40)
  run <- function(x = d$x, y = d$y, folds. = folds, ...) {
    margin_tune(x, y, range = c(0.01, 1), folds = folds., eps = 0.03, ...)
  }
  base <- run()
  same <- function(other, tolerance = 1e-6) {
    expect_equal(other$least, base$least, tolerance = tolerance)
    expect_equal(other$lambda, base$lambda, tolerance = 1e-6)
    expect_equal(other$points$lambda, base$points$lambda, tolerance = 1e-4)
  }
  order <- sample(40)
  same(run(d$x[order, ], d$y[order], folds[order]))
  twice <- rep(1:40, 2)
  same(run(d$x[twice, ], d$y[twice], folds[twice]))
  same(run(weights = rep(2, 40)))
  same(run(sweep(d$x, 2, c(100, -50, 0), `+`)))
  same(run(y = factor(d$y, rev(levels(d$y)))))
  same(run(methods::as(d$x, "CsparseMatrix")))
})

test_that("half-widths fall fourfold when the step is halved", {
  set.seed(25)
  d <- two_classes(60, 3)
  widths <- function(loss, intercept, flat) {
    settings <- linear_settings(loss, NULL, 0, intercept, TRUE, NULL, "auto",
                                margin_control(tol = 1e-15), NULL)
    problem <- prepare_problem(new_design(d$x, d$y, NULL, "matrix", NULL), settings)
    scales <- solve_point(problem, 1, 0, NULL)$scales
    fold <- tune_fold(problem, scales, d$x, rep(1, 60), rep(1, 60))
    at <- function(lambda) {
      tune_point(fold, solve_point(problem, lambda, 0, NULL)$solutions[[1L]][[1L]], lambda)
    }
    vapply(c(0.4, 0.2), function(step) {
      low <- at(0.05 * exp(-step / 2))
      high <- at(0.05 * exp(step / 2))
      width <- if (flat) flat_half_widths(fold, low, high) else
        held_half_widths(fold, curved_chord(fold$rows, low, high), high$lambda)
      max(width$start + width$bend / 4)
    }, 0)
  }
  for (case in list(list("logistic", "free", FALSE), list("logistic", "none", TRUE),
                    list("squared", "free", FALSE))) {
    width <- do.call(widths, case)
    expect_equal(width[1L] / width[2L], 4, tolerance = 0.15, info = case[[1L]])
  }
})

test_that("the steps begin and end at the range as it was given", {
  set.seed(35)
  d <- two_classes(20, 2)
  range <- c(0.6559929, 6.559929)
  expect_false(identical(exp(log(range)), range))
  bound <- margin_tune(d$x, d$y, range = range, folds = 3, eps = 0.3, seed = 1)$bound
  expect_identical(c(bound$from[1L], bound$to[nrow(bound)]), range)
  # no step is a single point, where the bound would be that of no row at all
  expect_true(all(bound$to > bound$from * (1 + 1e-14)))
})

test_that("equal rows with different labels do not stand in the way of a proof", {
  set.seed(31)
  d <- two_classes(60, 2)
  d$x <- round(d$x)
  folds <- rep_len(1:3, 60)
  expect_true(anyDuplicated(cbind(d$x, folds, d$y)) > 0)
  weights <- sample(c(1, 2), 60, TRUE)
  for (x in list(d$x, methods::as(d$x, "CsparseMatrix"))) {
    tune <- margin_tune(x, d$y, range = c(1e-3, 1), folds = folds, weights = weights)
    expect_true(tune$proven)
    expect_proof(tune, d, folds, 6L, weights = weights)
  }
  merged <- merge_equal_rows(rbind(1:2, 3:4, 1:2, 1:2, 3:4), c(1, 1, -1, 1, -1), c(1, 2, 3, 1, 2))
  expect_identical(merged, list(at = 1L, codes = -1, weights = 1, always = 4))
})

test_that("a row of zeros without an intercept is wrong for ever, and proven so", {
  set.seed(26)
  d <- two_classes(30, 2)
  d$x[1:3, ] <- 0
  d$y[1:3] <- c("no", "no", "yes")
  tune <- margin_tune(d$x, d$y, range = c(0.01, 1), folds = rep_len(1:3, 30), intercept = "none")
  expect_true(tune$proven)
  expect_equal(sum(reference_error(d, rep_len(1:3, 30), tune$lambda, intercept = "none")),
               tune$least + 1 / 30)
})

test_that("what is not proven is said: points used up, best at the end", {
  set.seed(27)
  d <- two_classes(60, 3)
  expect_warning(
    tune <- margin_tune(d$x, d$y, loss = "hinge", intercept = "none", range = c(1e-3, 1),
                        folds = 3, max_points = 10, seed = 1),
    "Not proven within eps = 0", class = "dualmargin_not_certified"
  )
  expect_false(tune$proven)
  expect_identical(tune$ended, "points")
  expect_identical(nrow(tune$points), 10L)
  expect_output(print(tune), "NOT proven within eps = 0")
  on_null_device(plot(tune))
  wide <- margin_tune(d$x, d$y, range = c(100, 200), folds = 3, seed = 1, eps = 1)
  expect_output(print(wide), "extend it")
})

test_that("print, glance, refit and a formula", {
  two <- droplevels(iris[51:150, ])
  tune <- margin_tune(Species ~ ., data = two, range = c(0.01, 1), folds = 5, eps = 0.01, seed = 3)
  expect_output(print(tune), "proven.*: no penalty between 0.01 and 1 has")
  expect_s3_class(glance(tune), "data.frame")
  expect_identical(nrow(as.data.frame(tune)), glance(tune)$points)
  fit <- refit(tune)
  expect_equal(fit$settings$lambda, tune$lambda)
  expect_identical(fit$settings$loss$name, "logistic")
  own <- margin_tune(two[1:4], two$Species, range = c(0.01, 1), folds = 5, eps = 0.01, seed = 3)
  expect_identical(own$points, tune$points)
  on_null_device(drawn <- plot(tune))
  expect_identical(drawn, tune$bound)
  expect_lte(nrow(update(tune, eps = 0.2)$points), nrow(tune$points))
  expect_input_error(predict(tune), "object", "refit")
})

test_that("errors name the argument", {
  set.seed(28)
  d <- two_classes(20, 2)
  tell <- function(arg, text, ..., y = d$y) expect_input_error(margin_tune(d$x, y, ...), arg, text)
  tell("range", "must be two", range = 1)
  tell("range", "position 1", range = c(-1, 1))
  tell("eps", "from 0 to 1", eps = 2)
  tell("intercept", "penalized", loss = "hinge")
  tell("y", "3 classes", y = factor(rep_len(1:3, 20)))
  tell("y", "numeric", y = rnorm(20))
  tell("grid", "give the `range`", grid = 1)
  tell("lambda", "give the `range`", lambda = 1)
  tell("mixture", "not an argument", mixture = 1)
  tell("max_points", "above 1", max_points = 1)
})

test_that("a1a: 257 of 1,605 is the smallest error of all penalties from 1e-4 to 1", {
  d <- a1a
  x <- d$x[, Matrix::colSums(d$x) > 0]
  set.seed(1)
  folds <- sample(rep(1:5, length.out = 1605))
  tune <- margin_tune(x, factor(d$y), folds = folds, scale = FALSE, seed = 1)
  expect_true(tune$proven)
  expect_equal(tune$least * 1605, 257)
  expect_lte(nrow(tune$points), 45L)
  # on scaled columns two rows that differ in their labels only would else stop the proof
  scaled <- margin_tune(x, factor(d$y), folds = folds, seed = 1)
  expect_true(scaled$proven)
  expect_equal(scaled$least * 1605, 257)
})

# A fold of all rows, held out too, and its points at any lambda.
fold_of <- function(d, loss, intercept, held = d$x) {
  settings <- linear_settings(loss, NULL, 0, intercept, FALSE, NULL, "auto",
                              margin_control(tol = 1e-14, seed = 1), NULL)
  problem <- prepare_problem(new_design(d$x, d$y, NULL, "matrix", NULL), settings)
  fold <- tune_fold(problem, rep(1, ncol(d$x)), held, rep(1, nrow(held)), rep(1, nrow(held)))
  list(fold = fold, at = function(lambda) {
    tune_point(fold, solve_point(problem, lambda, 0, NULL)$solutions[[1L]][[1L]], lambda)
  })
}

test_that("exact scores lie within the chord's half-widths, and near them", {
  set.seed(32)
  cases <- list(c("logistic", "free"), c("squared", "free"), c("logistic", "none"),
                c("squared_hinge", "none"), c("smooth_hinge", "penalized"), c("huber", "none"))
  closest <- vapply(cases, function(case) {
    used <- unlist(lapply(1:12, function(draw) {
      f <- fold_of(two_classes(25, 2, 3), case[1L], case[2L])
      l1 <- 10^runif(1, -2.5, 1)
      l2 <- l1 * exp(runif(1, 0.2, 1.2))
      low <- f$at(l1)
      high <- f$at(l2)
      width <- if (f$fold$curved) {
        curved <- curved_chord(f$fold$rows, low, high)
        if (is.null(curved)) return(NULL)
        held_half_widths(f$fold, curved, l2)
      } else {
        flat_half_widths(f$fold, low, high)
      }
      share <- c(0.2, 0.5, 0.8)
      lambda <- if (width$harmonic) 1 / ((1 - share) / l1 + share / l2) else l1 + share * (l2 - l1)
      vapply(seq_along(share), function(i) {
        off <- abs(f$at(lambda[i])$held - (1 - share[i]) * low$held - share[i] * high$held)
        max(off / (width$start + share[i] * (1 - share[i]) * width$bend + 1e-9))
      }, 0)
    }))
    max(used)
  }, 0)
  expect_lte(max(closest), 1)
  expect_gte(min(closest), 0.02)
})

test_that("a row that changes sides at a known lambda is open there, and hardly elsewhere", {
  set.seed(33)
  for (case in list(c(0.1, 0.2), c(200, 800))) {
    d <- two_classes(40, 3)
    d$y[1:25] <- "yes"
    middle <- sqrt(prod(case))
    exact <- fold_of(d, "squared", "free")$at(middle)
    # w'x + b = 0 there
    centre <- colMeans(d$x)
    row <- t(centre - exact$b * exact$w / sum(exact$w^2))
    f <- fold_of(d, "squared", "free", row)
    low <- f$at(case[1L])
    high <- f$at(case[2L])
    expect_true(low$held * high$held < 0)
    spans <- open_spans(f$fold, low, high)$spans
    expect_lte(spans[1L, "from"], log(middle) + 1e-7)
    expect_gte(spans[1L, "to"], log(middle) - 1e-7)
    open <- if (low$held < 0) log(middle) - spans[1L, "from"] else spans[1L, "to"] - log(middle)
    expect_lte(open, if (case[1L] > 1) 0.01 else 0.2)
  }
})

test_that("closed spans that touch are open together at the touching point", {
  steps <- lower_bound_steps(cbind(from = c(0, 1, Inf), to = c(1, 2, -Inf)), c(1, 1, 1), c(0, 2))
  expect_identical(min(steps$bound), 1)
  expect_identical(steps$positions[range(which(steps$bound == 1)) + 0:1], c(1, 1))
})

test_that("phi' is off its chord by at most th (1 - th) q", {
  set.seed(34)
  for (loss in list(loss_logistic(), loss_squared(), loss_smooth_hinge(0.6), loss_huber(0.7),
                    loss_squared_hinge())) {
    y <- sample(c(-1, 1), 500, TRUE)
    rows <- list(loss = loss, y = y)
    low <- list(z = rnorm(500, sd = 2), wander = 0)
    high <- list(z = low$z + rnorm(500), wander = 0)
    q <- slope_bend(rows, low, high)
    slope <- function(z) certain_slope(loss, z, y)
    ratio <- vapply(c(0.1, 0.3, 0.5, 0.7, 0.9), function(th) {
      off <- abs(slope((1 - th) * low$z + th * high$z) - (1 - th) * slope(low$z) -
                   th * slope(high$z))
      max((off - 1e-14) / pmax(th * (1 - th) * q, 1e-300))
    }, 0)
    expect_lte(max(ratio), 1 + 1e-9)
    if (loss$name != "squared") expect_gte(max(ratio), 0.5)
  }
})
