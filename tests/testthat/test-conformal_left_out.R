# The jackknife+: sets are those of the call itself on the rows without each, and the optima without
# a row are where they are said to be.

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
