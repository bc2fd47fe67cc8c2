# Which rows, and how many, could flip a prediction: against refits of every subset.

exact <- margin_control(tol = 1e-12, seed = 1, max_epochs = 5000, progress = FALSE)

# A small problem of two classes without an l1 part.
small_problem <- function(seed, most = 9L) {
  problem <- certain_problem(seed)
  problem$arguments$mixture <- 0
  keep <- seq_len(min(nrow(problem$x), most))
  problem$x <- problem$x[keep, , drop = FALSE]
  problem$y <- problem$y[keep]
  problem$arguments$weights <- problem$arguments$weights[keep]
  problem
}

weights_of <- function(problem) {
  omega <- problem$arguments$weights
  if (is.null(omega)) rep(1, nrow(problem$x)) else omega
}

# The ends of the new rows' values with the rows `which` changed; NULL without two classes.
after_change <- function(fit, problem, which, change) {
  omega <- weights_of(problem)
  y <- problem$y
  if (change == "remove") omega[which] <- 0 else y[which] <- rev(levels(y))[y[which]]
  if (length(unique(y[omega > 0])) < 2L) {
    return(NULL)
  }
  # rule "cost": the penalty is that of the fit, also where class weights change the sum
  changed_optimum(fit, problem$x, y, omega, problem$new, tol = 1e-11)
}

test_that("no row alone moves a value by more than its bound", {
  seeds <- if (is_extended()) 1:200 else 1:8
  answers <- lapply(seeds, function(seed) {
    problem <- small_problem(seed)
    if (any(table(problem$y[weights_of(problem) > 0]) < 2)) return(NULL)
    change <- if (seed %% 4L == 0L) "relabel" else "remove"
    fit <- certain_fit(problem, 1e-11)
    if (seed %% 2L == 0L) fit <- loosened(fit, problem$x, 10^runif(1, -5, -1.5))
    ask <- function(refits) {
      margin_sensitivity(fit, problem$x, problem$y, problem$new, count = TRUE, change = change,
                         most = 99, refits = refits)
    }
    problem_weights <- weights_of(problem)
    flips <- ask(0)
    settled <- ask(Inf)
    score <- flips$rows$score
    side <- ifelse(score >= 0, 1, -1)
    over <- lapply(seq_len(nrow(problem$x)), function(j) {
      ends <- after_change(fit, problem, j, change)
      if (is.null(ends)) return(NULL)
      # how far towards the other class, at least
      moved <- ifelse(side > 0, score - ends[, 2L], ends[, 1L] - score)
      turned <- ifelse(side > 0, ends[, 2L] < 0, ends[, 1L] >= 0)
      stays <- ifelse(side > 0, ends[, 1L] >= 0, ends[, 2L] < 0)
      of_row <- function(found, part) {
        mine <- found$bounds[found$bounds$changed == j, ]
        mine[[part]][match(seq_along(score), mine$row)]
      }
      state <- of_row(settled, "flips")
      over <- moved - pmin(of_row(flips, "bound"), of_row(settled, "bound"))
      data.frame(over = over - 1e-9 * (1 + abs(score)),
                 tight = ifelse(moved > 1e-3, of_row(flips, "bound") / moved, NA),
                 wrong = (turned & !is.na(state) & !state) | (stays & !is.na(state) & state) |
                   (problem_weights[j] > 0 & turned & settled$rows$alone == 0) |
                   (turned & settled$rows$needed > 1),
                 open = is.na(state) & (turned | stays))
    })
    over <- do.call(rbind, over)
    data.frame(seed, worst = max(over$over), tight = median(over$tight, na.rm = TRUE),
               wrong = sum(over$wrong), open = mean(over$open),
               smooth = problem$arguments$loss$gamma > 0)
  })
  answers <- do.call(rbind, answers)
  expect_identical(answers$seed[answers$worst > 0], integer())
  expect_identical(answers$seed[answers$wrong > 0], integer())
  # next to nothing stays open
  expect_lte(stats::median(answers$open), 0)
  expect_lte(mean(answers$open), 0.02)
  expect_gte(nrow(answers), 6L)
  expect_lte(min(answers$tight, na.rm = TRUE), 10)
})

test_that("no smaller set of rows flips a class than the bound says, by all subsets", {
  seeds <- if (is_extended()) 1:60 else c(1, 8)
  answers <- lapply(seeds, function(seed) {
    problem <- small_problem(seed, 8L)
    problem$arguments$lambda <- 0.3
    problem$new <- problem$new[c(1L, 4L, 5L), , drop = FALSE]
    change <- if (seed %% 4L == 0L) "relabel" else "remove"
    fit <- certain_fit(problem, 1e-11)
    flips <- as.data.frame(margin_sensitivity(fit, problem$x, problem$y, problem$new, count = TRUE,
                                              change = change))
    truth <- rep(Inf, nrow(problem$new))
    for (k in 1:2) {
      for (which in utils::combn(nrow(problem$x), k, simplify = FALSE)) {
        ends <- after_change(fit, problem, which, change)
        if (is.null(ends)) next
        flipped <- ifelse(flips$score >= 0, ends[, 2L] < 0, ends[, 1L] >= 0)
        truth[flipped] <- pmin(truth[flipped], k)
      }
    }
    data.frame(seed, needed = flips$needed, truth)
  })
  answers <- do.call(rbind, answers)
  expect_identical(sum(answers$needed > answers$truth), 0L)
  expect_true(any(answers$truth <= 2) && any(answers$needed >= 2))
})

test_that("what a prediction hangs on is shown, and missing rows stay missing", {
  fit <- margin_linear(am ~ wt + hp, data = mtcars, lambda = 0.1, control = exact)
  new <- mtcars[1:4, ]
  new$wt[2] <- NA
  flips <- margin_sensitivity(fit, mtcars, newdata = new, count = TRUE, most = 3)
  table <- as.data.frame(flips)
  expect_identical(is.na(table$needed), c(FALSE, TRUE, FALSE, FALSE))
  expect_identical(unique(flips$bounds$row), c(1L, 3L, 4L))
  expect_identical(nrow(flips$bounds), 9L)
  could <- is.na(flips$bounds$flips) | flips$bounds$flips
  expect_identical(table$alone[-2] > 0, tapply(could, flips$bounds$row, any), ignore_attr = TRUE)
  expect_output(print(flips), "<margin_flips> rows removed, of 32 rows")
  expect_identical(glance(flips)$predicted, 3L)
  expect_identical(nrow(tidy(flips)), 4L)
  # rows of weight 0 do nothing
  weights <- rep(0:1, c(2, 30))
  light <- margin_linear(am ~ wt + hp, data = mtcars, lambda = 0.1, weights = weights,
                         control = exact)
  none <- margin_sensitivity(light, mtcars, count = TRUE, most = 32)
  gone <- none$bounds$bound[none$bounds$changed <= 2]
  expect_lte(max(gone), 1e-4)
  pdf(NULL)
  on.exit(dev.off())
  expect_identical(nrow(plot(flips)), sum(is.finite(table$needed)))
  expect_identical(nrow(plot(flips, row = 3)), 3L)
  expect_error(plot(flips, row = 2), "row", class = "dualmargin_input_error")
})

test_that("what has no flips is refused, with what there is instead", {
  refused <- function(fit, x, y, pattern, ...) {
    expect_error(margin_sensitivity(fit, x, y, count = TRUE, ...), pattern,
                 class = "dualmargin_input_error")
  }
  x <- as.matrix(iris[1:4])
  refused(margin_linear(x, iris$Species, lambda = 0.1), x, iris$Species, "3 classes")
  apart <- margin_linear(x, iris$Species, lambda = 0.1, multiclass = "one_vs_rest")
  refused(apart, x, iris$Species, "two classes")
  y <- factor(iris$Species == "setosa")
  refused(margin_linear(x, y, lambda = 0.1, mixture = 0.5), x, y, "l1 part")
  fit <- margin_linear(x, y, lambda = 0.1)
  refused(fit, x, y, "most", most = 0)
  refused(fit, x, y, "change", change = "swap")
  refused(fit, x, y, "not an argument", k = 3)
  refused(fit, x, y, "`remove` is given beside count", remove = 1)
  refused(fit, x, y, "`rule` is given beside count", rule = "lambda")
  expect_input_error(margin_sensitivity(fit, x, y, remove = 1, most = 3), "most", "count = TRUE")
  refused(margin_linear(x, iris[[1]], lambda = 0.1, loss = "squared"), x, iris[[1]], "regression")
})

test_that("a row that changes class takes the weight of its new one", {
  set.seed(5)
  x <- matrix(rnorm(40), 20)
  y <- factor(ifelse(x[, 1L] + rnorm(20) > 0, "b", "a"))
  new <- matrix(rnorm(6), 3)
  weight <- c(a = 1, b = 4)
  for (loss in c("logistic", "hinge")) {
    fit <- margin_linear(x, y, loss = loss, lambda = 0.3, scale = FALSE, class_weights = weight,
                         intercept = "penalized", control = exact)
    ask <- function(refits) {
      margin_sensitivity(fit, x, y, new, count = TRUE, change = "relabel", most = 20,
                         refits = refits)
    }
    found <- list(ask(0), ask(Inf))
    side <- ifelse(found[[1L]]$rows$score >= 0, 1, -1)
    for (j in 1:5) {
      other <- replace(y, j, rev(levels(y))[y[j]])
      best <- changed_optimum(fit, x, other, unname(weight[as.character(other)]), new,
                              old = weight[as.character(y)], tol = 1e-11)
      for (flips in found) {
        score <- flips$rows$score
        moved <- ifelse(side > 0, score - best[, 2L], best[, 1L] - score)
        expect_true(all(flips$bounds$bound[flips$bounds$changed == j] >= moved - 1e-6))
      }
      labels <- replace(rep(NA, 20), j, as.character(other[j]))
      ends <- as.data.frame(margin_sensitivity(fit, x, y, new, relabel = labels))
      expect_true(all(ends$lower <= best[, 2L] + 1e-6 & ends$upper >= best[, 1L] - 1e-6))
    }
  }
})

test_that("a number of refits settles so many rows", {
  fit <- margin_linear(am ~ wt + hp, data = mtcars, loss = "hinge", lambda = 0.1)
  all <- as.data.frame(margin_sensitivity(fit, mtcars, count = TRUE))
  expect_identical(as.numeric(all$alone), as.numeric(all$proven))
  few <- as.data.frame(margin_sensitivity(fit, mtcars, count = TRUE, refits = 3))
  expect_true(all(all$alone <= few$alone))
})
