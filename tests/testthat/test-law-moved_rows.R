# A free intercept moves rows to their mean: dense ones when they are stored, compressed ones as they
# are used. Either way statements are on the same optimum, as sharp, and the solvers' rows stay.

moved_problem <- function(seed, loss) {
  set.seed(seed)
  n <- 24L
  x <- matrix(rnorm(n * 4L, 4), n)
  x[sample(n * 4L, 40L)] <- 0
  score <- x[, 1L] - x[, 2L] + rnorm(n)
  several <- loss == "softmax"
  y <- if (several) cut(score, 3L, c("a", "b", "c")) else factor(ifelse(score > 0, "a", "b"))
  list(x = x, y = y, new = matrix(rnorm(20L, 4), 5L), loss = if (several) "logistic" else loss, several = several)
}

# Ends of all statements, a row each.
moved_ends <- function(problem, storage) {
  as_stored <- function(x) if (storage == "sparse") as(x, "CsparseMatrix") else x
  x <- as_stored(problem$x)
  new <- as_stored(problem$new)
  control <- margin_control(tol = 1e-9, seed = 1, progress = FALSE)
  fit <- margin_linear(x, problem$y, loss = problem$loss, lambda = 0.05, control = control,
                       multiclass = if (problem$several) "softmax" else "auto")
  known <- margin_certain(fit, x, problem$y)
  ends <- function(data) {
    sides <- names(data)[grepl("^lower", names(data))]
    data.frame(lower = unlist(data[sides], use.names = FALSE),
               upper = unlist(data[sub("^lower", "upper", sides)], use.names = FALSE))
  }
  removed <- function(refits) {
    ends(margin_sensitivity(fit, x, problem$y, new, remove = 1:3, refits = refits)$rows)
  }
  loo <- margin_loo(fit, x, problem$y)
  all <- list(certain = ends(predict(known, new)), loo = ends(loo$rows), removed = removed(0),
              solved = removed(Inf))
  if (!problem$several) {
    flips <- margin_sensitivity(fit, x, problem$y, new, count = TRUE, refits = 0)
    all$flips <- data.frame(lower = 0, upper = flips$bounds$bound)
  }
  all
}

test_that("rows that are moved as they are used say what those say that are moved as stored", {
  skip_if_not_installed("Matrix")
  for (loss in c("logistic", "hinge", "squared_hinge", "softmax")) {
    problem <- moved_problem(7L, loss)
    dense <- moved_ends(problem, "dense")
    sparse <- moved_ends(problem, "sparse")
    for (of in names(dense)) {
      a <- dense[[of]]
      b <- sparse[[of]]
      finite <- is.finite(a$upper - a$lower)
      expect_identical(is.finite(b$upper - b$lower), finite, label = paste("known:", loss, of))
      a <- a[finite, ]
      b <- b[finite, ]
      size <- 1e-5 * (1 + pmax(abs(a$lower), abs(a$upper)))
      expect_true(all(pmax(a$lower, b$lower) <= pmin(a$upper, b$upper) + size),
                  label = paste("they meet:", loss, of))
      expect_lte(max(0, abs((b$upper - b$lower) - (a$upper - a$lower)) / (a$upper - a$lower + size)),
                 0.2, label = paste("as sharp:", loss, of))
    }
  }
})
