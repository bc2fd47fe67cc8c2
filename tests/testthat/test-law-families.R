# Laws over families() and the registry: every solver of every family, on the case of its family.

families_here <- names(dualmargin:::families())

test_that("every family has a case and a solver", {
  for (family in families_here) {
    expect_identical(case_of(family)$family, family)
    expect_gte(length(case_solvers(family)), 1L)
  }
  expect_setequal(vapply(dualmargin:::solver_rows(), function(row) row$family, ""), families_here)
})

for (family in families_here) {
  case <- case_of(family)
  rows <- case_solvers(family)

  # Solvers that take other losses have other optima: a law for each problem.
  problem_of <- function(row) {
    arguments <- case$arguments(row)
    paste(deparse(arguments[setdiff(names(arguments), c("kernel", "perturbation"))]), collapse = "")
  }
  by_problem <- split(rows, vapply(rows, problem_of, ""))

  test_that(paste(family, "solvers meet: the intervals of all, at all budgets, have a point in common"), {
    for (alike in by_problem) {
      fits <- lapply(alike, function(row) case_fit(case, row))
      ends <- vapply(fits, case_interval, c(low = 0, high = 0))
      early <- lapply(alike, function(row) {
        vapply(c(1, 3, 10, 30), function(epochs) {
          case_interval(case_fit(case, row, control = list(max_epochs = epochs)))
        }, c(low = 0, high = 0))
      })
      ends <- do.call(cbind, c(list(ends), early))
      size <- max(abs(ends[, is.finite(colSums(ends))]))
      expect_lte(max(ends["low", ]), min(ends["high", ]) + 1e-12 * size)
      values <- vapply(fits, function(fit) fit$certificate$value, 0)
      best <- fits[[which.min(vapply(fits, function(fit) fit$certificate$relative_gap, 0))]]
      for (k in seq_along(alike)) {
        near <- if (case_proves(case, alike[[k]])) fits[[k]]$certificate$tol else
          case$approaches[[alike[[k]]$name]]
        if (case_proves(case, alike[[k]])) {
          expect_true(fits[[k]]$certificate$certified, info = alike[[k]]$name)
        }
        expect_lte(abs(values[k] - best$certificate$value),
                   near * abs(best$certificate$value) + 1e-12, label = alike[[k]]$name)
      }
    }
  })

  test_that(paste(family, "solvers return the best pair seen: a larger budget has no larger gap"), {
    for (row in rows) {
      fits <- lapply(c(1, 2, 3, 5, 8, 13, 30, 80), function(epochs) {
        case_fit(case, row, control = list(max_epochs = epochs))
      })
      gaps <- vapply(fits, function(fit) diff(case_interval(fit)), 0)
      finite <- gaps[is.finite(gaps)]
      expect_identical(order(is.finite(gaps)), seq_along(gaps), label = row$name)
      if (!row$name %in% case$cut) {
        expect_true(all(diff(finite) <= 1e-12 * max(finite)), label = row$name)
      }
      # and none of the certificates on its way is better
      on_the_way <- vapply(fits, function(fit) min(convergence(fit)$gap, Inf, na.rm = TRUE), 0)
      size <- vapply(fits, function(fit) abs(fit$certificate$value), 0)
      expect_true(all(gaps <= on_the_way + 1e-6 * size), label = row$name)
    }
  })

  for (row in rows) {
    solver <- paste(family, row$name)
    near <- if (case_proves(case, row)) 3 * case_value(case$tol, row$name) else case$approaches[[row$name]]
    value_of <- function(fit) fit$certificate$value

    test_that(paste(solver, "has the optimum of dense rows on sparse ones, and of rows in any order"), {
      problem <- case$sparse()
      as_stored <- function(x) utils::modifyList(problem, list(x = x))
      dense <- case_fit(case, row, as_stored(as.matrix(problem$x)))
      by_columns <- case_fit(case, row, problem)
      by_rows <- case_fit(case, row, as_stored(methods::as(problem$x, "RsparseMatrix")))
      back <- rev(seq_len(nrow(problem$x)))
      turned <- case_fit(case, row, list(x = problem$x[back, ], y = problem$y[back]))
      # a function at which the value is near to the optimum is near to that of it by the root
      expect_near <- function(scores) {
        off <- max(abs(unname(scores) - unname(dense$scores)))
        expect_lte(off, 10 * sqrt(max(near, 1e-9)) * max(abs(dense$scores)))
      }
      for (fit in list(by_columns, by_rows)) expect_near(fit$scores)
      expect_near(turned$scores[back])
      for (other in list(by_columns, by_rows, turned)) {
        expect_equal(value_of(other), value_of(dense), tolerance = max(near, 1e-9))
        expect_lte(max(case_interval(other)[["low"]], case_interval(dense)[["low"]]),
                   min(case_interval(other)[["high"]], case_interval(dense)[["high"]]) * (1 + 1e-11))
      }
    })

    test_that(paste(solver, "takes a weight of 2 for the row twice, of 0 for no row"), {
      problem <- case$rows()
      times <- rep_len(c(1, 2, 0, 3), nrow(problem$x))
      again <- rep(seq_along(times), times)
      weighted <- case_fit(case, row, utils::modifyList(problem, list(weights = times)))
      repeated <- case_fit(case, row, list(x = problem$x[again, ], y = problem$y[again]))
      if (family == "hard") {
        # no weight but zero has a say
        repeated <- case_fit(case, row, list(x = problem$x[times > 0, ], y = problem$y[times > 0]))
      }
      expect_equal(value_of(weighted), value_of(repeated), tolerance = max(near, 1e-9))
      expect_lte(max(case_interval(weighted)[["low"]], case_interval(repeated)[["low"]]),
                 min(case_interval(weighted)[["high"]], case_interval(repeated)[["high"]]) * (1 + 1e-11))
    })

    test_that(paste(solver, "gives the same bits for the same seed, for any threads, from a file"), {
      problem <- case$rows()
      old <- options(dualmargin.chunk_entries = 50)
      on.exit(options(old))
      # what a run says of its time, and the threads themselves
      said <- function(fit) {
        fit$status$seconds <- fit$trace$seconds <- fit$settings$control$threads <- fit$call <- NULL
        fit
      }
      fit <- function(threads) {
        said(case_fit(case, row, problem, control = list(threads = threads, max_epochs = 30)))
      }
      one <- fit(1)
      expect_identical(fit(1), one)
      for (threads in 2:3) expect_identical(fit(threads), one)
      file <- tempfile(fileext = ".rds")
      on.exit(unlink(file), add = TRUE)
      whole <- case_fit(case, row, problem)
      saveRDS(whole, file)
      back <- readRDS(file)
      expect_identical(predict(back, problem$x, type = "score"),
                       predict(whole, problem$x, type = "score"))
      expect_equal(unname(predict(back, problem$x, type = "score")), unname(whole$scores),
                   tolerance = 1e-9)
      expect_identical(certificate(back), certificate(whole))
      if (!case$starts) {
        expect_input_error(case_fit(case, row, problem, control = list(start = back)), "start",
                           "leave it out")
        return(invisible())
      }
      # a start from the file changes the work and not the optimum
      warm <- case_fit(case, row, problem, control = list(start = back))
      expect_equal(value_of(warm), value_of(whole), tolerance = max(near, 1e-9))
      expect_lte(max(case_interval(warm)[["low"]], case_interval(whole)[["low"]]),
                 min(case_interval(warm)[["high"]], case_interval(whole)[["high"]]) * (1 + 1e-11))
    })
  }
}
