# Refits of predict(certain, newdata, data = ): they narrow what is known, contradict none of it, and
# leave nothing open but ties.

# 0, 1, 2 and all refits, one within the other, and the optimum in all of them.
expect_refits_narrow <- function(certain, x, new, exact, info, slack = 1e-6) {
  found <- lapply(c(0, 1, 2, Inf), function(refits) {
    predict(certain, new, data = x, refits = refits)
  })
  class <- NULL
  for (k in seq_along(found)) {
    one <- found[[k]]
    room <- slack * (1 + abs(exact))
    lower <- as.matrix(one[startsWith(names(one), "lower")])
    upper <- as.matrix(one[startsWith(names(one), "upper")])
    expect_true(all(lower <= exact + room & upper >= exact - room), info = info)
    if (k > 1L) {
      before <- found[[k - 1L]]
      expect_true(all(lower >= before[startsWith(names(one), "lower")] &
                        upper <= before[startsWith(names(one), "upper")]), info = info)
      known <- before$decided %in% TRUE
      expect_identical(one$class[known], before$class[known], info = info)
      expect_true(all(one$decided[known]), info = info)
    }
  }
  found[[4L]]
}

test_that("refits of robust, hard, kernel and joint fits decide what they left open", {
  rows <- seq(1, nrow(spambase), by = 15)
  some <- spambase[rows, ]
  new <- spambase[rows + 1L, ]
  loose <- margin_control(tol = 1e-2, seed = 1)
  exact <- margin_control(tol = 1e-10, seed = 1)
  two <- list(
    robust = function(control, ...) {
      margin_robust(type ~ ., data = some, radius = 0.02, ridge = 0.05, control = control, ...)
    },
    trusted = function(control, ...) {
      margin_robust(type ~ ., data = some, norm = "l2", radius = 0.02, ridge = 0.05,
                    label_cost = Inf, control = control, ...)
    },
    kernel = function(control, ...) {
      margin_kernel(type ~ ., data = some, kernel = kernel_rbf(0.02), loss = "hinge",
                    lambda = 0.005, control = control, ...)
    }
  )
  for (name in names(two)) for (intercept in c("free", "penalized")) {
    fit <- suppressWarnings(two[[name]](loose, intercept = intercept))
    best <- suppressWarnings(two[[name]](exact, intercept = intercept))
    certain <- margin_certain(fit, some)
    score <- unname(predict(best, new, type = "score"))
    found <- expect_refits_narrow(certain, some, new, score, paste(name, intercept), 1e-4)
    expect_gt(sum(!predict(certain, new)$decided), 0)
    expect_lte(sum(!found$decided & abs(score) > 1e-3), 0, label = paste(name, intercept))
    own <- predict(certain, data = some)
    expect_gte(sum(own$decided), summary(certain)$decided)
  }
  pair <- droplevels(iris[1:100, ])
  between <- transform(pair[1:50, ], Petal.Length = Petal.Length + 0.9,
                       Petal.Width = Petal.Width + 0.45)
  for (intercept in c("free", "none")) {
    fit <- suppressWarnings(margin_hard(Species ~ ., data = pair, solver = "smo",
                                        intercept = intercept, control = margin_control(tol = 0.3)))
    best <- margin_hard(Species ~ ., data = pair, intercept = intercept)
    certain <- margin_certain(fit, pair)
    score <- unname(predict(best, between, type = "score"))
    found <- expect_refits_narrow(certain, pair, between, score, intercept, 1e-6)
    expect_true(all(found$decided | abs(score) < 1e-5))
  }
})

test_that("refits of several classes decide them, in one problem and one for each", {
  odd <- seq(1, 150, by = 2)
  models <- list(
    list(loss = "logistic", multiclass = "softmax", solver = "dual_cd"),
    list(loss = "hinge", multiclass = "crammer_singer", intercept = "penalized"),
    list(loss = "hinge", multiclass = "one_vs_rest"),
    list(loss = "hinge", multiclass = "one_vs_rest", intercept = "none")
  )
  for (model in models) {
    fit_of <- function(tol) {
      suppressWarnings(do.call(margin_linear, c(
        list(Species ~ ., data = iris[odd, ], lambda = 1e-3,
             control = margin_control(tol = tol, seed = 1)), model
      )))
    }
    certain <- margin_certain(fit_of(0.05), iris[odd, ])
    best <- fit_of(1e-11)
    before <- predict(certain, iris)
    found <- predict(certain, iris, data = iris[odd, ])
    expect_gt(sum(!before$decided), 0, label = model$multiclass)
    expect_identical(sum(!found$decided), 0L, label = model$multiclass)
    expect_identical(found$class[before$decided], before$class[before$decided])
    expect_identical(found$class, predict(best, iris), ignore_attr = TRUE)
    own <- predict(certain, data = iris[odd, ])
    expect_true(all(own$decided))
    expect_identical(own$class, predict(best, iris[odd, ]), ignore_attr = TRUE)
  }
})

test_that("what refits cannot do is refused in words", {
  fit <- margin_linear(am ~ wt + hp, mtcars, lambda = 0.1)
  certain <- margin_certain(fit, mtcars)
  expect_input_error(predict(certain, mtcars, refits = 3), "refits",
                     "predict(certain, newdata, data = <the rows of the fit>, refits = 3)")
  expect_input_error(predict(certain, refits = Inf), "refits",
                     "predict(certain, data = <the rows of the fit>, refits = Inf)")
  expect_identical(predict(certain, mtcars, refits = 0), predict(certain, mtcars))
  for (bad in list(-1, 0.5, NA, "all", c(1, 2))) {
    expect_input_error(predict(certain, mtcars, data = mtcars, refits = bad), "refits", "refits")
  }
  noisy <- margin_augmented(am ~ wt + hp, mtcars, loss = "squared", lambda = 0.1)
  known <- margin_certain(noisy, mtcars)
  expect_input_error(predict(known, mtcars, data = mtcars), "data", "margin_control(tol = 1e-9)")
  expect_no_match(paste(utils::capture.output(print(known)), collapse = " "), "by refits",
                  fixed = TRUE)
})
