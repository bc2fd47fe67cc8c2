# Full conformal sets: those of the call itself with each new row and response added.

test_that("full sets are the definition with the call itself on all rows and the new one", {
  found <- vapply(1:10, judge_full,
                  c(checked = 0, missed = 0, open = 0, larger = 0, refitted = 0))
  expect_identical(sum(found["missed", ]), 0)
  expect_gt(sum(found["checked", ]), 75)
  expect_lt(sum(found["open", ]), 0.05 * sum(found["checked", ]))
})

test_that("without refits full sets are the same or larger", {
  for (seed in 11:13) expect_identical(judge_full(seed, refits = 0)[["larger"]], 1)
})

# Residuals by plain least squares, and the pieces by the signs between all crossings.
plain_pieces <- function(x, y, new, kappa, k) {
  n <- length(y)
  z <- cbind(1, rbind(x, new))
  hat <- diag(n + 1L) - z %*% solve(crossprod(z) + diag(c(0, rep(kappa, ncol(x)))), t(z))
  a <- drop(hat %*% c(y, 0))
  b <- hat[, n + 1L]
  last <- n + 1L
  cut <- sort(c((a[-last] - a[last]) / (b[last] - b[-last]),
                -(a[-last] + a[last]) / (b[last] + b[-last])))
  inside <- function(t) sum(abs(a + b * t)[-last] >= abs(a[last] + b[last] * t)) >= k
  middle <- c(cut[1L] - 1, (cut[-1L] + cut[-length(cut)]) / 2, cut[length(cut)] + 1)
  ok <- vapply(middle, inside, NA)
  runs <- rle(ok)
  to <- cumsum(runs$lengths)
  from <- to - runs$lengths + 1L
  unname(cbind(c(-Inf, cut)[from], c(cut, Inf)[to])[runs$values, , drop = FALSE])
}

test_that("pieces of a ridge are those of all residuals as lines in the response", {
  set.seed(3)
  several <- 0L
  for (round in 1:20) {
    n <- sample(8:25, 1L)
    x <- matrix(rnorm(2 * n), n)
    new <- matrix(rnorm(4) * sample(c(1, 8), 1L), 2L)
    y <- x[, 1L] + rt(n, 2)
    kappa <- 10^runif(1, -2, 1)
    fit <- margin_linear(x, y, cost = 1 / kappa, scale = FALSE)
    level <- sample(c(0.6, 0.8), 1L)
    sets <- predict(margin_conformal(fit, x, y, method = "full", level = level), new)
    k <- floor((1 - level) * (n + 1) + 1e-9)
    for (t in 1:2) {
      plain <- plain_pieces(x, y, new[t, ], kappa, k)
      expect_equal(unname(sets$pieces[[t]]), plain, tolerance = 1e-7)
      expect_equal(c(sets$lower[t], sets$upper[t]), range(plain), tolerance = 1e-7)
      several <- several + (nrow(plain) > 1L)
    }
  }
  expect_gt(several, 0L)
})

test_that("the count of a class is that of refits, its p-value too", {
  few <- spambase[seq(1, nrow(spambase), by = 40), ]
  # the last so far from the others that its classes take steps from the fit on
  new <- spambase[c(5, 1005, 3005), 1:57]
  new <- rbind(new, 100 * new[3L, ])
  for (loss in c("logistic", "squared_hinge")) {
    fit <- margin_linear(type ~ ., data = few, loss = loss, lambda = 0.01)
    sets <- predict(margin_conformal(fit, few, method = "full"), new)
    for (t in 1:4) for (label in levels(few$type)) {
      more <- rbind(few, cbind(new[t, ], type = label))
      refit <- margin_linear(type ~ ., data = more, loss = loss, lambda = 0.01,
                             control = margin_control(tol = 1e-11, seed = 1))
      margin <- predict(refit, more, type = "score") * ifelse(more$type == "spam", 1, -1)
      count <- sum(margin[seq_len(nrow(few))] <= margin[nrow(more)] + 1e-9)
      expect_equal(sets[[paste0("p_", label)]][t], (1 + count) / (nrow(few) + 1), info = label)
    }
  }
})

test_that("the object, its summary and what is refused", {
  few <- spambase[seq(1, nrow(spambase), by = 40), ]
  new <- spambase[seq(2, nrow(spambase), by = 60), ]
  fit <- margin_linear(type ~ ., data = few, lambda = 0.1)
  object <- margin_conformal(fit, few, method = "full", level = c(0.8, 0.9))
  expect_identical(summary(object)$guaranteed, c(0.8, 0.9))
  expect_true(all(c("open", "refitted") %in% names(summary(object, new))))
  # ties: rows that are twice in the data
  expect_lt(summary(object, new)$open[1L], 0.1 * nrow(new))
  file <- tempfile()
  saveRDS(object, file)
  expect_identical(predict(readRDS(file), new), predict(object, new))
  # blocks of new rows, and threads, change nothing
  expect_identical(predict(object, new[11:20, ], level = 0.9)$set,
                   predict(object, new, level = 0.9)$set[11:20])
  threads <- update(fit, control = margin_control(threads = 2))
  expect_identical(predict(margin_conformal(threads, few, method = "full"), new, level = 0.9)$set,
                   predict(object, new, level = 0.9)$set)
  cars <- margin_linear(mpg ~ wt + hp, data = mtcars)
  ends <- predict(margin_conformal(cars, mtcars, method = "full"), mtcars[c(1, NA, 3), ])
  expect_true(is.na(ends$lower[2L]))
  expect_identical(summary(margin_conformal(cars, mtcars, method = "full"), mtcars)$n, 32L)
  expect_output(print(object), "optimum with each new row")
  robust <- margin_linear(mpg ~ wt + hp, data = mtcars, loss = "huber")
  expect_input_error(margin_conformal(robust, mtcars, method = "full"), "method", "no pieces")
  expect_input_error(margin_conformal(fit, few, method = "full", refits = 3), "refits", "0 for none")
  expect_input_error(margin_conformal(fit, few, method = "full", groups = few$type), "groups",
                     "not \"full\"")
})
