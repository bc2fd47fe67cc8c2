# The jackknife+: sets are those of the call itself on the rows without each, and the optima without
# a row are where they are said to be.

own <- asNamespace("dualmargin")

test_that("the jackknife+ is the definition with the call itself on the rows left", {
  found <- vapply(1:12, judge_jackknife,
                  c(checked = 0, missed = 0, open = 0, larger = 0, refitted = 0))
  expect_identical(sum(found["missed", ]), 0)
  expect_gt(sum(found["checked", ]), 100)
  expect_lt(sum(found["open", ]), 0.05 * sum(found["checked", ]))
})

test_that("without refits sets are the same or larger", {
  for (seed in 25:30) expect_identical(judge_jackknife(seed, refits = 0)[["larger"]], 1)
})

# f without each row at new rows, by the call itself, and how far that can be off.
left_out_references <- function(problem, rows, new) {
  vapply(rows, function(i) {
    fit <- fit_conformal(problem, setdiff(seq_along(problem$y), i), tol = 1e-14)
    unname(predict(fit, new, type = if (problem$task == "regression") "response" else "score"))
  }, numeric(nrow(new)))
}

test_that("every value without a row is within its half-width of that of a refit", {
  case <- 0L
  for (loss in c("logistic", "squared_hinge", "smooth_hinge", "squared")) {
    for (intercept in c("free", "penalized", "none")) {
      case <- case + 1L
      form <- c("dense", "sparse", "far")[(case + case %/% 3L) %% 3L + 1L]
      small <- small_problem(n = 40L, p = 4L, seed = case)
      regression <- loss == "squared"
      x <- switch(form, dense = small$x, far = small$x + 30,
                  sparse = methods::as(small$x * (abs(small$x) > 0.4), "CsparseMatrix"))
      problem <- list(
        task = if (regression) "regression" else "two", x = x,
        y = if (regression) small$response else factor(small$y),
        arguments = c(list(loss = loss, intercept = intercept, scale = case %% 2L == 0L),
                      if (case %% 3L == 0L) list(lambda = 0.05) else list(cost = 0.5)),
        weights = if (case %% 2L == 1L) small$weights[1:40]
      )
      rows <- c(1L, 7L, 13L, 24L, 40L)
      fit <- fit_conformal(problem, tol = 10^-(case %% 3L * 3 + 3))
      task <- own$conformal_task(fit, x, problem$y)
      refitted <- left_out_references(problem, rows, x)
      for (steps in c(1L, 2L, 12L)) {
        refits <- if (steps == 12L) Inf else 0
        left <- own$conformal_left_out(fit, task, refits, steps = steps)$left_out
        new <- own$left_out_values(left, x)
        exact <- refitted / left$unit
        half <- outer(new$norm, left$known$radius[rows])
        plain <- outer(new$length, left$known$plain[rows])
        half <- pmin(half, plain) + outer(new$length + 1, left$known$lost[rows])
        info <- paste(loss, intercept, form, steps)
        # the refit has an error of its own
        room <- 1e-8 * (1 + max(abs(exact)))
        expect_true(all(abs(new$values[, rows] - exact) <= half + room), info = info)
        at <- cbind(rows, seq_along(rows))
        expect_true(all(abs(left$known$own[rows] - exact[at]) <=
                          left$known$own_half[rows] + room), info = info)
        # and that says something
        if (refits == Inf) {
          expect_lte(max(half), (if (form == "far") 1e-4 else 1e-6) * (1 + max(abs(exact))),
                     label = info)
        }
      }
    }
  }
})

test_that("cv+ with a fold for each row is the jackknife+", {
  some <- mtcars[c("mpg", "wt", "hp")]
  fit <- margin_linear(mpg ~ ., data = some, lambda = 0.05)
  jackknife <- predict(margin_conformal(fit, some), some)
  cv <- predict(margin_conformal(fit, some, folds = 32), some)
  expect_equal(jackknife, cv, tolerance = 1e-6)
  expect_identical(summary(margin_conformal(fit, some))$guaranteed, 1 - 2 * (1 - 0.9))
})

test_that("the default is the jackknife+ where it is to be had, and says why not elsewhere", {
  few <- spambase[seq(1, nrow(spambase), by = 30), ]
  of <- function(...) margin_conformal(margin_linear(type ~ ., data = few, ...), few, seed = 1)
  expect_identical(of(lambda = 0.1)$method, "jackknife+")
  expect_identical(of(lambda = 0.1)$why, NULL)
  for (case in list(list(loss = "hinge", lambda = 0.1, why = "loss \"hinge\""),
                    list(mixture = 0.5, lambda = 0.01, why = "mixture > 0"),
                    list(class_weights = "balanced", lambda = 0.1, why = "balanced"))) {
    object <- do.call(of, case[setdiff(names(case), "why")])
    expect_identical(object$method, "cv+")
    expect_match(object$why, case$why)
  }
  expect_match(margin_conformal(margin_linear(mpg ~ wt, data = mtcars, loss = "huber"), mtcars,
                                seed = 1)$why, "loss \"huber\"")
})

test_that("rows whose values are beyond double precision have everything", {
  x <- as.matrix(mtcars[c("wt", "hp")]) * 1e-5
  far <- cbind(wt = c(1.7e308, 1e308), hp = c(-1.7e308, 1e308))
  sets <- predict(margin_conformal(margin_linear(x, factor(mtcars$am), lambda = 0.01), x,
                                   factor(mtcars$am)), far)
  expect_identical(sets$size, c(2L, 2L))
  ends <- predict(margin_conformal(margin_linear(x, mtcars$mpg, lambda = 0.01), x, mtcars$mpg), far)
  expect_identical(ends, data.frame(lower = c(-Inf, -Inf), upper = c(Inf, Inf)))
})

test_that("far from the origin no interval is wider than rounding has it", {
  x <- as.matrix(mtcars[c("wt", "hp")])
  x[, 2L] <- x[, 2L] / sd(x[, 2L])
  ends <- function(far, ...) {
    fit <- margin_linear(x + far, mtcars$mpg, lambda = 0.1)
    object <- margin_conformal(fit, x + far, mtcars$mpg, ...)
    list(sets = predict(object, x + far), open = summary(object, x + far, mtcars$mpg)$open)
  }
  near <- ends(0)
  for (far in c(1e4, 2^20)) {
    moved <- ends(far)
    expect_lte(moved$open, 1e-12 * far)
    expect_equal(moved$sets, near$sets, tolerance = 1e-13 * far)
    # and not narrower than with a fit for each row
    refitted <- ends(far, folds = 32, seed = 1)$sets
    room <- 1e-14 * far
    expect_true(all(moved$sets$lower <= refitted$lower + room))
    expect_true(all(moved$sets$upper >= refitted$upper - room))
  }
})

test_that("a fit that is only as near as asked takes no more refits than the optimum", {
  x <- scale(as.matrix(spambase[seq(1, nrow(spambase), by = 8), 1:57]), center = FALSE)
  x <- x[, colSums(x^2) > 0]
  y <- spambase$type[seq(1, nrow(spambase), by = 8)]
  refitted <- vapply(c(1e-2, 1e-4, 1e-12), function(tol) {
    fit <- margin_linear(x, y, loss = "squared_hinge", lambda = 0.1, intercept = "penalized", scale = FALSE,
                         control = margin_control(tol = tol, progress = FALSE))
    mean(margin_conformal(fit, x, y, method = "jackknife+")$left_out$refitted)
  }, 0)
  expect_lte(max(refitted), refitted[3L] + 0.01)
})

test_that("the Hessian is made anew at once where a row moves others much, so that few are left to refits", {
  x <- scale(as.matrix(spambase[seq(1, nrow(spambase), by = 8), 1:57]), center = FALSE)
  x <- x[, colSums(x^2) > 0]
  y <- spambase$type[seq(1, nrow(spambase), by = 8)]
  fit <- margin_linear(x, y, loss = "logistic", lambda = 1e-4, scale = FALSE)
  # 38 of 576 where the second step had the Hessian of the fit still
  expect_lte(sum(margin_conformal(fit, x, y, method = "jackknife+")$left_out$refitted), 30)
})

test_that("the optimum without a row of zeros is known as that without any other", {
  set.seed(17)
  x <- matrix(rnorm(180), 60)
  x[c(5, 15, 25), ] <- 0
  y <- factor(drop(x %*% c(1, 2, -1)) + rlogis(60) > 0)
  for (loss in c("logistic", "squared")) {
    fit <- margin_linear(x, y, loss = loss, lambda = 1, intercept = "none", scale = FALSE)
    left <- margin_conformal(fit, x, y, method = "jackknife+")$left_out
    expect_identical(sum(left$refitted), 0L)
    expect_lt(max(left$known$radius), 1e-8)
  }
})

test_that("scores of rows of zeros are known however little is known of an optimum", {
  set.seed(1)
  x <- round(matrix(rnorm(80), 40))
  y <- 100 + 5 * rnorm(40)
  fit_of <- function(x, y, ...) {
    margin_linear(x, y, loss = "squared_epsilon_insensitive", intercept = "none",
                  response_scale = FALSE, ...)
  }
  sets <- margin_conformal(fit_of(x, y), x, y, method = "jackknife+", level = 0.5)
  expect_true(all(is.finite(sets$left_out$known$own_half)))
  ends <- vapply(1:40, function(i) {
    refit <- fit_of(x[-i, ], y[-i], control = margin_control(tol = 1e-12))
    off <- abs(y[i] - predict(refit, x[i, , drop = FALSE]))
    predict(refit, x[1L, , drop = FALSE]) + c(-off, off)
  }, numeric(2))
  expect_equal(unlist(predict(sets, x[1L, , drop = FALSE])[c("lower", "upper")], use.names = FALSE),
               c(sort(ends[1L, ])[20L], sort(ends[2L, ], decreasing = TRUE)[20L]), tolerance = 1e-6)
})

test_that("without a factor of the Hessian and without refits sets are everything", {
  set.seed(1)
  x <- matrix(rnorm(40), 20)
  fit <- margin_linear(x, rep(c(1, 1.05), 10), loss = "squared_epsilon_insensitive",
                       response_scale = FALSE)
  sets <- margin_conformal(fit, x, rep(c(1, 1.05), 10), method = "jackknife+", refits = 0)
  expect_identical(unlist(predict(sets, x[1L, , drop = FALSE])[c("lower", "upper")], use.names = FALSE),
                   c(-Inf, Inf))
})
