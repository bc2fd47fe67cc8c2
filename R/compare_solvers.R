#' Several solvers on one problem
#'
#' Fits the same problem (one loss, one penalty, one intercept, one scaling) by several solvers in
#' one
#' run and keeps the path of each. All of them are checked against the registry before the first
#' starts.
#'
#' @param x,y Data as for [margin_linear()]; or a formula as `x` with `data` among the further
#'   arguments. For `print()` and `plot()`, `x` is a comparison.
#' @param solvers Names from [margin_solvers()], at least one.
#' @param family The family; `"linear"`.
#' @param ... Arguments of [margin_linear()], such as `loss`, `lambda`, `intercept`, `scale`, `data`
#'   and `control`. `solver_options` must suit every solver.
#' @param object A comparison.
#' @param against `"epochs"` or `"seconds"`.
#' @param gaps Relative gaps at which `summary()` looks.
#' @return `compare_solvers()`: a list of class `"margin_comparison"` with `fits`, named by solver,
#'   and
#'   `trace`, a data frame with columns `solver`, `class`, `epoch`, `seconds`, `value`, `bound`,
#'   `gap`
#'   and `relative_gap` (gap divided by the larger of value and bound in size).
#'   `summary()`: one row per solver: its final certificate and, for each of `gaps`, the epochs and
#'   seconds after which its own certificate was that small (`NA`: never).
#' @section Not certified:
#' A solver that misses its tolerance is marked in the print and in `summary()`; no warning is
#' raised.
#' @examples
#' comparison <- compare_solvers(a1a$x, a1a$y, solvers = c("auto", "sdca"), intercept = "none")
#' comparison
#' summary(comparison)
#' plot(comparison)
#' @export
compare_solvers <- function(x, y, solvers, family = "linear", ...) {
  assert_choice(family, "linear", "family")
  if (missing(solvers) || !is.character(solvers) || length(solvers) == 0L) {
    abort_input("`solvers` must be names of solvers, as in c(\"auto\", \"sdca\").", "solvers")
  }
  if (anyDuplicated(solvers)) {
    abort_input(sprintf("`solvers` names \"%s\" twice; name each once.",
                        solvers[anyDuplicated(solvers)]), "solvers")
  }
  dots <- list(...)
  if ("solver" %in% names(dots)) {
    abort_input("`solver` is not an argument of compare_solvers(); name them in `solvers`.",
                "solver")
  }
  check_before_fitting(solvers, family, x, dots)
  arguments <- if (inherits(x, "formula")) list(formula = x) else list(x = x, y = y)
  fits <- lapply(stats::setNames(solvers, solvers), function(solver) {
    withCallingHandlers(
      do.call(margin_linear, c(arguments, list(solver = solver), dots)),
      dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
    )
  })
  new_margin_comparison(fits)
}

# What a solver cannot do is told before the others have spent their time.
check_before_fitting <- function(solvers, family, x, dots) {
  given <- function(name) {
    if (is.null(dots[[name]])) eval(formals(margin_linear.matrix)[[name]]) else dots[[name]]
  }
  loss <- as_loss(given("loss"))
  removed <- inherits(x, "formula") && !is.null(dots$data) &&
    attr(stats::terms(x, data = dots$data), "intercept") == 0L
  intercept <- if (removed) "none" else given("intercept")
  for (solver in solvers) {
    assert_solver(find_solver(solver, family), loss, intercept, given("mixture"))
  }
}

new_margin_comparison <- function(fits) {
  rows <- lapply(names(fits), function(solver) {
    trace <- fits[[solver]]$trace
    size <- pmax(abs(trace$value), abs(trace$bound))
    cbind(solver = solver, trace, relative_gap = ifelse(size > 0, trace$gap / size, 0))
  })
  structure(list(fits = fits, trace = do.call(rbind, rows)), class = "margin_comparison")
}

#' @rdname certificate
#' @export
certificate.margin_comparison <- function(object, by = c("worst", "class"), ...) {
  assert_no_extra("certificate()", ...)
  by <- one_of(by, c("worst", "class"), "by")
  rows <- lapply(object$fits, certificate, by = by)
  without_row_names(cbind(solver = rep(names(rows), vapply(rows, nrow, 0L)), do.call(rbind, rows)))
}

#' @rdname certificate
#' @export
convergence.margin_comparison <- function(object, ...) {
  assert_no_extra("convergence()", ...)
  without_row_names(object$trace)
}

#' @rdname compare_solvers
#' @export
summary.margin_comparison <- function(object, gaps = c(1e-2, 1e-4, 1e-6), ...) {
  assert_no_extra("summary()", ...)
  first <- function(fit, gap, what) {
    by_class <- split(fit$trace, factor(fit$trace$class, exclude = NULL))
    reached <- vapply(by_class, function(trace) {
      size <- pmax(abs(trace$value), abs(trace$bound))
      hit <- which(trace$gap <= gap * size)
      if (length(hit) == 0L) NA_real_ else trace[[what]][hit[1L]]
    }, 0)
    sum(reached)
  }
  rows <- lapply(names(object$fits), function(solver) {
    fit <- object$fits[[solver]]
    worst <- worst_certificate(fit$certificate)
    reached <- lapply(gaps, function(gap) {
      stats::setNames(list(first(fit, gap, "epoch"), first(fit, gap, "seconds")),
                      paste0(c("epochs_to_", "seconds_to_"), format(gap)))
    })
    data.frame(solver = solver, worst[c("value", "bound", "relative_gap", "certified")],
               reached, check.names = FALSE)
  })
  do.call(rbind, rows)
}

#' @rdname compare_solvers
#' @param digits Significant digits.
#' @export
print.margin_comparison <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  fit <- x$fits[[1L]]
  cat(sprintf("<margin_comparison> %d solvers on one problem\n", length(x$fits)))
  cat(describe_model(fit, digits)[-1L], sep = "\n")
  table <- summary(x)
  table$verdict <- ifelse(table$certified, "certified", "NOT certified")
  print(table[c("solver", "value", "bound", "relative_gap", "verdict")], digits = digits,
        row.names = FALSE)
  invisible(x)
}

#' @rdname compare_solvers
#' @export
plot.margin_comparison <- function(x, against = c("epochs", "seconds"), ...) {
  against <- one_of(against, c("epochs", "seconds"), "against")
  trace <- x$trace
  label <- ifelse(is.na(trace$class), trace$solver, paste(trace$solver, trace$class))
  series <- split(trace, factor(label, unique(label)))
  column <- c(epochs = "epoch", seconds = "seconds")[[against]]
  draw_gaps(series, column, if (against == "epochs") "epochs (passes over the data)" else
    "seconds", x$fits[[1L]]$settings$tol, "Relative gap of each solver", ...)
  invisible(trace)
}
