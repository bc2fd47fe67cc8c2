# Rows on several ranks: the same methods, the same certificate. Ranks are threads of this process
# here (src/probes/ranks.h); every number that a method goes by is then a sum over all of them, and a
# debug build of the core compares the order of the sums.

ranked_data <- function(n, p, seed = 1L) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n, p)
  score <- as.vector(x %*% rnorm(p)) / sqrt(p) + rnorm(n)
  list(x = x, y = ifelse(score > 0.4, 1, -1), number = score,
       weights = sample(c(0, 1, 1, 2.5), n, replace = TRUE))
}

as_sparse <- function(x) methods::as(methods::as(x, "generalMatrix"), "CsparseMatrix")

# What every rank found, of rows that `rank` deals out.
ranked <- function(data, rank, solver, loss, lambda, intercept = "free", mixture = 0,
                   parameter = 1, tol = 1e-7, sparse = FALSE, late = -1L, stop = -1L,
                   y = if (loss == "squared") data$number else data$y) {
  rows <- lapply(sort(unique(rank)), function(r) which(rank == r))
  deal <- function(f) lapply(rows, f)
  probe("linear_ranks",
        deal(function(i) {
          part <- data$x[i, , drop = FALSE]
          if (sparse) as_sparse(part) else part
        }),
        deal(function(i) y[i]), deal(function(i) data$weights[i]),
        list(intercept = intercept, loss = loss, parameter = parameter, lambda = lambda,
             mixture = mixture),
        solver, tol, as.integer(late), as.integer(stop))
}

expect_same_certificate <- function(one, several, info) {
  expect_identical(unique(vapply(several, function(a) a$fault, "")), "", info = info)
  # every rank says the same, to the bit
  for (what in c("value", "bound", "gap", "status", "epochs", "w", "b")) {
    expect_length(unique(lapply(several, function(a) a[[what]])), 1L)
  }
  first <- several[[1L]]
  expect_identical(first$status, "certified", info = info)
  # one number is in both intervals
  expect_lte(max(one$bound, first$bound), min(one$value, first$value) + one$rounding +
               first$rounding)
}

test_that("two ranks give the certificate of one, for every method that asks for whole passes", {
  skip_without_probes()
  data <- ranked_data(600L, 12L)
  deal <- rep(0:1, length.out = 600L)
  for (case in list(c("newton", "logistic"), c("newton", "squared"), c("newton", "squared_hinge"),
                    c("fista", "logistic"), c("lbfgs", "logistic"), c("lbfgs", "squared_hinge"),
                    c("ssnal", "hinge"), c("ssnal", "logistic"),
                    c("interior_point", "hinge"))) {
    for (intercept in c("free", "none", "penalized")) {
      for (sparse in c(FALSE, TRUE)) {
        info <- paste(c(case, intercept, sparse), collapse = " ")
        fit <- function(rank) {
          ranked(data, rank, case[1L], case[2L], 1e-2, intercept, sparse = sparse)
        }
        expect_same_certificate(fit(rep(0L, 600L))[[1L]], fit(deal), info)
      }
    }
  }
})

test_that("so do the methods of several classes", {
  skip_without_probes()
  data <- ranked_data(300L, 6L, seed = 6L)
  class <- as.numeric(cut(data$number, c(-Inf, -0.5, 0.5, Inf)))
  joint <- function(rank, intercept, solver, late = -1L) {
    rows <- lapply(sort(unique(rank)), function(r) which(rank == r))
    deal <- function(f) lapply(rows, f)
    probe("joint_ranks", deal(function(i) data$x[i, , drop = FALSE]), deal(function(i) class[i]),
          deal(function(i) data$weights[i]),
          list(intercept = intercept, loss = "softmax", lambda = 0.02, solver = solver), 3L, 1e-7, late)
  }
  for (intercept in c("free", "none")) for (solver in c("newton", "lbfgs")) {
    one <- joint(rep(0L, 300L), intercept, solver)[[1L]]
    deals <- list(two = rep(0:1, length.out = 300L), classes = as.integer(class) - 1L,
                  one_row = rep(0:1, c(299L, 1L)))
    for (deal in names(deals)) {
      expect_same_certificate(one, joint(deals[[deal]], intercept, solver),
                              paste(deal, intercept, solver))
    }
  }
})

test_that("so do ranks with few rows, no rows of weight, one class or nearly all of them", {
  skip_without_probes()
  data <- ranked_data(90L, 5L, seed = 2L)
  deals <- list(all_but_one = rep(0:1, c(89L, 1L)), classes = as.integer(data$y > 0),
                weights = as.integer(data$weights == 0), five = rep(0:4, length.out = 90L),
                eight = rep(0:7, c(1L, 2L, 3L, 4L, 5L, 6L, 7L, 62L)))
  for (case in list(c("newton", "logistic"), c("fista", "squared_hinge"), c("ssnal", "hinge"),
                    c("lbfgs", "logistic"), c("interior_point", "hinge"))) {
    one <- ranked(data, rep(0L, 90L), case[1L], case[2L], 0.05)[[1L]]
    for (deal in names(deals)) {
      expect_same_certificate(one, ranked(data, deals[[deal]], case[1L], case[2L], 0.05),
                              paste(c(case, deal), collapse = " "))
    }
  }
})

test_that("with an l1 part, too", {
  skip_without_probes()
  data <- ranked_data(400L, 30L, seed = 3L)
  deal <- rep(0:2, length.out = 400L)
  for (case in list(c("newton", "logistic"), c("fista", "squared"), c("ssnal", "hinge"))) {
    one <- ranked(data, rep(0L, 400L), case[1L], case[2L], 0.02, mixture = 0.7)[[1L]]
    expect_same_certificate(one, ranked(data, deal, case[1L], case[2L], 0.02, mixture = 0.7),
                            paste(case, collapse = " "))
  }
})

test_that("the certificate of several ranks holds for the gathered dual and all rows", {
  skip_without_probes()
  data <- ranked_data(300L, 8L, seed = 4L)
  deal <- rep(0:2, length.out = 300L)
  several <- ranked(data, deal, "ssnal", "hinge", 0.02)
  dual <- numeric(300L)
  for (r in 0:2) dual[deal == r] <- several[[r + 1L]]$dual
  again <- probe("certificate", data$x, data$y, data$weights,
                 list(intercept = "free", loss = "hinge", parameter = 1, lambda = 0.02,
                      mixture = 0), several[[1L]]$w, several[[1L]]$b, dual)
  first <- several[[1L]]
  expect_equal(c(again$value, again$bound), c(first$value, first$bound), tolerance = 1e-13)
})

test_that("a rank that is late ends the run of all, with one certificate that holds", {
  skip_without_probes()
  data <- ranked_data(500L, 10L, seed = 5L)
  deal <- rep(0:1, length.out = 500L)
  for (case in list(c("newton", "logistic"), c("fista", "logistic"), c("ssnal", "hinge"),
                    c("interior_point", "hinge"))) {
    best <- ranked(data, rep(0L, 500L), case[1L], case[2L], 0.02)[[1L]]
    for (late in 0:1) {
      several <- ranked(data, deal, case[1L], case[2L], 0.02, tol = 1e-12, late = late)
      info <- paste(c(case, late), collapse = " ")
      expect_identical(vapply(several, function(a) a$fault, ""), c("", ""), info = info)
      expect_identical(vapply(several, function(a) a$status, ""), rep("max_seconds", 2L),
                       info = info)
      expect_identical(several[[1L]][c("value", "bound", "w", "b")],
                       several[[2L]][c("value", "bound", "w", "b")], info = info)
      expect_lte(several[[1L]]$bound, best$value + best$rounding)
      expect_gte(several[[1L]]$value + several[[1L]]$rounding, best$bound)
    }
  }
})

test_that("a rank that is asked to stop stops all of them with its next sum", {
  skip_without_probes()
  data <- ranked_data(200L, 6L, seed = 7L)
  for (case in list(c("newton", "logistic"), c("fista", "logistic"), c("ssnal", "hinge"),
                    c("interior_point", "hinge"))) {
    for (stop in 0:1) {
      several <- ranked(data, rep(0:1, 100L), case[1L], case[2L], 0.02, stop = stop)
      expect_identical(vapply(several, function(a) a$fault, ""),
                       rep("a rank was asked to stop", 2L), info = paste(case, collapse = " "))
    }
  }
})
