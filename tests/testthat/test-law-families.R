# Laws over families() and the registry: every solver of every family, on the case of its family.

families_here <- family_names()

test_that("every family has a case and a solver", {
  for (family in families_here) {
    expect_identical(case_of(family)$family, family)
    expect_gte(length(case_solvers(family)), 1L)
  }
  expect_setequal(vapply(solver_rows(), function(row) row$family, ""), families_here)
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
}
