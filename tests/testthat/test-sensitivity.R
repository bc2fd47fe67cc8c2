# Changes of the rows against refits, and what intervals must not depend on.

exact <- margin_control(tol = 1e-12, seed = 1, max_epochs = 5000, progress = FALSE)
two_classes <- function(seed, n = 30L, p = 3L) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n, p)
  y <- factor(ifelse(x[, 1L] + 0.5 * x[, 2L] + rnorm(n) > 0, "b", "a"))
  list(x = x, y = y, new = matrix(rnorm(12L * p), 12L, p))
}

# But for the rounding that is stated: its rows are moved before the core has them. The curvature of
# losses with pieces narrows those of margin_certain() alone; a change has it once it is solved.
test_that("no change leaves the intervals of margin_certain()", {
  for (seed in c(1, 4, 7, 12)) {
    problem <- certain_problem(seed)
    fit <- certain_fit(problem, 1e-4)
    certain <- margin_certain(fit, problem$x, problem$y)
    pieces <- !fit$settings$loss$name %in% c("logistic", "squared")
    hold <- function(ends, known) {
      if (!pieces) {
        expect_equal(ends[c("lower", "upper")], known[c("lower", "upper")], tolerance = 1e-10,
                     ignore_attr = TRUE)
      }
      room <- 1e-10 * max(abs(c(known$lower, known$upper)))
      expect_true(all(ends$lower <= known$lower + room & ends$upper >= known$upper - room))
    }
    found <- margin_sensitivity(fit, problem$x, problem$y, problem$new, remove = integer(),
                                refits = 0)
    hold(as.data.frame(found), predict(certain, problem$new, data = problem$x, refits = 0))
    same <- margin_sensitivity(fit, problem$x, problem$y, remove = integer(),
                               relabel = problem$y, rule = "lambda", refits = 0)
    hold(as.data.frame(same), certain$training)
    expect_output(print(same), "no change")
    # without any word of a change it is a slip
    expect_input_error(margin_sensitivity(fit, problem$x, problem$y), "remove",
                       "say what changes")
  }
})

test_that("one change said in several ways has one answer", {
  data <- two_classes(3)
  x <- data$x
  y <- data$y
  for (intercept in c("penalized", "free")) {
    fit <- margin_linear(x, y, lambda = 0.1, intercept = intercept, scale = FALSE, control = exact)
    ends <- function(...) {
      as.data.frame(margin_sensitivity(fit, x, y, data$new, ...))[c("lower", "upper")]
    }
    gone <- ends(remove = 1:3)
    expect_identical(ends(remove = c(3, 1, 2, 2)), gone)
    expect_identical(ends(remove = seq_len(30) <= 3), gone)
    expect_equal(ends(weights = rep(0:1, c(3, 27))), gone, tolerance = 1e-12)
    by_group <- margin_sensitivity(fit, x, y, data$new,
                                   groups = rep(c("g", "h", "i"), c(3, 17, 10)))
    expect_equal(subset(as.data.frame(by_group), group == "g")$lower, gone$lower,
                 tolerance = 1e-12)
    expect_identical(summary(by_group)$removed, c(3L, 17L, 10L))
    # weight 2 is the row twice
    twice <- ends(weights = rep(2:1, c(2, 28)))
    again <- ends(add = list(x = x[1:2, ], y = y[1:2]))
    expect_lte(max(abs(as.matrix(twice) - as.matrix(again))), 0.02)
    # a relabelled row is one that goes and one that comes
    labels <- replace(rep(NA, 30), 4, rev(levels(y))[y[4]])
    moved <- ends(relabel = labels)
    swapped <- ends(remove = 4, add = list(x = x[4, , drop = FALSE], y = labels[4]))
    expect_equal(moved, swapped, tolerance = 1e-10)
    # the order of rows
    other <- sample(30)
    turned <- margin_linear(x[other, ], y[other], lambda = 0.1, scale = FALSE,
                            intercept = intercept, control = exact)
    found <- as.data.frame(margin_sensitivity(turned, x[other, ], y[other], data$new,
                                              remove = match(1:3, other)))
    expect_lte(max(abs(as.matrix(found[c("lower", "upper")]) - as.matrix(gone))), 1e-5)
  }
})

test_that("several classes, class weights, responses and formulas", {
  fit <- margin_linear(Species ~ ., data = iris, lambda = 0.05, class_weights = "balanced",
                       multiclass = "one_vs_rest", control = exact)
  labels <- replace(rep(NA, 150), 60:62, "virginica")
  found <- as.data.frame(margin_sensitivity(fit, iris, newdata = iris[c(1, 71, 107), ],
                                            remove = 1:5, relabel = labels))
  y <- iris$Species
  y[60:62] <- "virginica"
  kept <- 6:150
  omega <- fit$settings$class_weights[as.character(y[kept])]
  old <- sum(fit$settings$class_weights[as.character(iris$Species)])
  x <- sweep(as.matrix(iris[1:4]), 2L, fit$scales, `/`)
  best <- margin_linear(x[kept, ], y[kept], lambda = 0.05 * old / sum(omega), scale = FALSE,
                        weights = unname(omega), multiclass = "one_vs_rest", control = exact)
  scores <- predict(best, x[c(1, 71, 107), ], type = "score")
  for (level in levels(y)) {
    expect_true(all(found[[paste0("lower_", level)]] <= scores[, level] + 1e-5))
    expect_true(all(found[[paste0("upper_", level)]] >= scores[, level] - 1e-5))
    expect_lte(max(found[[paste0("upper_", level)]] - found[[paste0("lower_", level)]]), 0.5)
  }
  cars <- margin_linear(mpg ~ wt + hp, data = mtcars, lambda = 0.1, control = exact)
  moved <- margin_sensitivity(cars, mtcars, relabel = replace(rep(NA, 32), 1, 30),
                              add = list(data = mtcars[3:4, ], weights = c(2, 1)))
  table <- as.data.frame(moved)
  expect_identical(names(table), c("row", "score", "lower", "upper"))
  z <- cbind(1, scale(as.matrix(mtcars[c(1:32, 3:4), c("wt", "hp")]), FALSE, cars$scales))
  omega <- c(rep(1, 32), 2, 1)
  solved <- solve(crossprod(z, omega * z) + diag(0.1 * 32 * c(0, 1, 1)),
                  crossprod(z, omega * c(30, mtcars$mpg[-1], mtcars$mpg[3:4])))
  best <- drop(z[1:32, ] %*% solved)
  expect_true(all(table$lower <= best + 1e-9 & table$upper >= best - 1e-9))
  expect_lte(max(table$upper - table$lower), 1e-6)
  expect_output(print(moved), "1 row relabelled, 2 added")
})

test_that("a change that leaves one class, or next to nothing, still has true ends", {
  data <- two_classes(5)
  b <- which(data$y == "b")
  for (loss in c("hinge", "logistic", "squared_hinge")) {
    for (intercept in c("free", "none")) {
      fit <- margin_linear(data$x, data$y, loss = loss, lambda = 0.1, intercept = intercept)
      found <- as.data.frame(margin_sensitivity(fit, data$x, data$y, data$new, remove = b))
      expect_true(all(found$lower <= found$upper))
      if (intercept == "free") {
        expect_identical(found$lower, rep(-Inf, 12L))
        expect_identical(unique(found$upper), if (loss == "logistic") -Inf else -1)
        expect_true(all(found$decided & found$class == "a"))
      } else {
        kept <- 1 * !seq_len(30) %in% b[-1]
        best <- changed_optimum(fit, data$x, data$y, kept, data$new)
        almost <- as.data.frame(margin_sensitivity(fit, data$x, data$y, data$new,
                                                   remove = b[-1]))
        expect_true(all(almost$lower <= best[, 2L] + 1e-9 & almost$upper >= best[, 1L] - 1e-9))
      }
    }
  }
})

test_that("what cannot be meant is refused", {
  data <- two_classes(6)
  fit <- margin_linear(data$x, data$y, lambda = 0.1)
  refused <- function(pattern, ..., of = fit) {
    expect_error(margin_sensitivity(of, data$x, data$y, ...), pattern,
                 class = "dualmargin_input_error")
  }
  refused("numbers of rows", remove = 31)
  refused("numbers of rows", remove = 1.5)
  refused("numbers of rows", remove = "a")
  refused("has length 3", remove = c(TRUE, FALSE, TRUE))
  refused("NA at position 2", remove = c(1, NA))
  refused("leaves no row", remove = 1:30)
  refused("vector of 30", relabel = c("a", "b"))
  refused("label \"c\"", relabel = rep("c", 30))
  refused("length 2", weights = c(1, 2))
  refused("not be negative", weights = rep(-1, 30))
  refused("list of `x` and `y`", add = data$x)
  refused("2 rows, but 1 label", add = list(x = data$x[1:2, ], y = "a"))
  refused("do not fit", add = list(x = data$x[1:2, 1:2], y = c("a", "b")))
  refused("label \"d\"", add = list(x = data$x[1:2, ], y = c("a", "d")))
  refused("weights", add = list(x = data$x[1:2, ], y = c("a", "b"), weights = -1))
  refused("missing or infinite", add = list(x = matrix(NA_real_, 1, 3), y = "a"))
  refused("one group", groups = rep(1, 30))
  refused("not below 0", refits = -1)
  refused("whole number", refits = 1.5)
  refused("rule", rule = "C")
  refused("newdata", newdata = NULL)
  refused("not an argument", drop = 1)
  refused("is asked of a fit", of = margin_certain(fit, data$x, data$y))
  refused("is asked of a fit", of = 1)
  robust <- margin_robust(data$x, data$y, ridge = 0.1)
  refused("a fit of margin_robust\\(\\)", of = robust)
  expect_error(margin_sensitivity(fit, data$x[30:1, ], data$y),
               class = "dualmargin_input_error")
})

test_that("of several groups so many are solved, those with the most open", {
  rows <- spambase[seq(1, nrow(spambase), by = 25), ]
  fit <- margin_linear(type ~ ., data = rows, loss = "hinge", lambda = 0.01)
  groups <- rep(1:6, length.out = nrow(rows))
  ask <- function(refits) summary(margin_sensitivity(fit, rows, groups = groups,
                                                     refits = refits))
  bounds <- ask(0)
  expect_false(any(bounds$solved))
  some <- ask(2)
  expect_identical(which(some$solved), sort(order(-bounds$open)[1:2]))
  expect_identical(some$open[!some$solved], bounds$open[!some$solved])
  all <- ask(Inf)
  expect_identical(sum(all$open), 0L)
  expect_identical(all$flipped[some$solved], some$flipped[some$solved])
  expect_output(print(margin_sensitivity(fit, rows, groups = groups, refits = 0)),
                "refits = Inf solves")
})

test_that("a row whose classes all tie has a change of half-width 0", {
  x <- as.matrix(iris[1:4])
  fit <- margin_linear(x, iris$Species, intercept = "none")
  none <- matrix(0, 1, 4, dimnames = list(NULL, colnames(x)))
  expect_identical(margin_sensitivity(fit, x, iris$Species, remove = 1, newdata = none)$summary$half_width, 0)
})
