#' Comparison of solvers on one problem
#'
#' Fits the same problem (one loss, one penalty, one intercept, one scaling) by several solvers in
#' one run and keeps the path of each. All of them are checked against the registry before the first
#' starts: one that cannot do the problem is not fitted, and its row says why.
#'
#' This is about *solvers*, which all seek the same optimum. [margin_compare()] is about *models*:
#' whether one predicts better than another.
#'
#' @param x,y Data as for [margin_linear()]; or a formula as `x` and the data frame as `y` or
#'   `data`. For `print()` and `plot()`, `x` is a comparison.
#' @param solvers Names from [margin_solvers()]. `NULL` takes the default solver of the family and
#'   its best known others: `r default_solvers_text()`.
#' @param family The family, `"linear"`, `"kernel"`, `"robust"`, `"augmented"` or
#'   `"hard"`.
#' @param ... Arguments of the function of that family, [margin_linear()] and so on, such as
#'   `loss`, `lambda`, `radius`, `intercept`, `scale`, `data`, `weights` and `control`. Without
#'   `intercept`, or where it is `NULL`, all fits have the first of `"free"`, `"penalized"` and
#'   `"none"` that every solver can fit; where that is not the default of the family, a message says
#'   which it is. So it is with `multiclass = "auto"`: `"one_vs_rest"` unless every solver fits the
#'   same model of all classes. Points that are mixed and networks that are drawn are the same for all.
#' @param object A comparison.
#' @param against `"epochs"` or `"seconds"`.
#' @param class For three or more classes, which levels to draw; `NULL` for all.
#' @param gaps Relative gaps at which `summary()` looks.
#' @return `compare_solvers()`: a list of class `"margin_comparison"` with `fits`, named by solver,
#'   `refused`, the reasons of the solvers that cannot do the problem, named by solver,
#'   and `trace`, a data frame with columns `solver`, `class`, `epoch`, `seconds`, `value`, `bound`,
#'   `gap`, `relative_gap` (gap divided by the larger of value and bound in size) and
#'   `suboptimality` (value minus the best bound that any of the solvers found for the class,
#'   divided by the best value: at least the true relative error of the value).
#'   `summary()`: a data frame with one row per solver: its final certificate (where each class has a
#'   problem, the sums of values and bounds, and the largest relative gap) and, for each of
#'   `gaps`, the epochs and seconds after which its own certificate was that small, summed over
#'   classes (`NA`: never); `reason` says why a solver was not fitted.
#'   `plot()`: the numbers drawn, invisibly.
#' @section Not certified:
#' A solver that misses its tolerance is marked in the print, with the reason, and in `summary()`;
#' no warning is raised.
#' @examples
#' comparison <- compare_solvers(a1a$x, factor(a1a$y), loss = "logistic", lambda = 1e-3,
#'                               control = margin_control(seed = 1, max_epochs = 100))
#' comparison
#' summary(comparison)
#' plot(comparison)
#' @export
compare_solvers <- function(x, y, solvers = NULL, family = "linear", ...) {
  assert_choice(family, names(families()), "family")
  if (family == "oneclass") {
    abort_input("`family` is \"oneclass\", which has one solver, smo, and so nothing to compare.",
                "family")
  }
  if (is.null(solvers)) solvers <- families()[[family]]$compared
  if (!is.character(solvers) || length(solvers) == 0L) {
    abort_input("`solvers` must be names of solvers, as in c(\"auto\", \"sdca\").", "solvers")
  }
  for (solver in solvers) assert_choice(solver, names(solvers_by_family[[family]]), "solvers")
  if (anyDuplicated(solvers)) {
    abort_input(sprintf("`solvers` names \"%s\" twice; name each once.",
                        solvers[anyDuplicated(solvers)]), "solvers")
  }
  formula <- if (!missing(x) && inherits(x, "formula")) x
  if (!missing(x) && is.language(x) && is.null(formula)) margin_linear.default(x)
  arguments <- as.list(match.call())[-1L]
  if (is.call(arguments$x)) arguments$x <- x
  arguments <- arguments[!names(arguments) %in% c("solvers", "family")]
  if ("solver" %in% names(arguments)) {
    abort_input("`solver` is not an argument of compare_solvers(); name them in `solvers`.",
                "solver")
  }
  for (name in setdiff(names(arguments), c("", names(formals(families()[[family]]$of_matrix))))) {
    meant <- nearest(name, c("solvers", "family", "formula", "data", "subset", "na.action"))
    if (isTRUE(meant %in% c("solvers", "family"))) {
      abort_input(sprintf("`%s` is not an argument of compare_solvers() (did you mean `%s`?).", name, meant),
                  name)
    }
  }
  if (!is.null(formula)) {
    names(arguments) <- sub("^x$", "formula", sub("^y$", "data", names(arguments)))
  }
  where <- parent.frame()
  arguments <- evaluate_once(arguments, !is.null(formula), where)
  refuse_checkpoint(eval(arguments$control, where), "compare_solvers()")
  refuse_ranks(eval(arguments$control, where), "compare_solvers()")
  checked <- check_before_fitting(solvers, family, formula, arguments, where)
  refused <- checked$refused
  arguments$intercept <- checked$intercept
  if (!is.null(checked$multiclass)) arguments$multiclass <- checked$multiclass
  arguments <- judged_once(arguments, is.null(formula), where)
  arguments <- drawn_once(arguments, family, where)
  fits <- list()
  said <- character()
  for (solver in setdiff(solvers, names(refused))) {
    # some bounds on lambda are known only once the rows are
    fit <- tryCatch(
      withCallingHandlers(
        eval(as.call(c(families()[[family]]$fit, arguments, list(solver = solver))), where),
        dualmargin_not_certified = function(condition) invokeRestart("muffleWarning"),
        # what is said of the data is said once
        dualmargin_message = function(condition) {
          text <- conditionMessage(condition)
          if (text %in% said) invokeRestart("muffleMessage")
          said <<- c(said, text)
        }
      ),
      dualmargin_input_error = function(condition) {
        if (!grepl(sprintf("\"%s\"", solver), conditionMessage(condition), fixed = TRUE)) {
          stop(condition)
        }
        condition
      }
    )
    if (inherits(fit, "error")) {
      refused[[solver]] <- conditionMessage(fit)
    } else {
      fits[[solver]] <- fit
    }
  }
  if (length(fits) == 0L) {
    abort_input(sprintf("`solvers` has none that can do this problem. \"%s\": %s",
                        names(refused)[1L],
                        refused[[1L]]), "solvers")
  }
  call <- compact_call(public_call(match.call(), quote(compare_solvers)))
  # what fits it again means the same formula
  if (!is.null(formula)) call$x <- recorded_formula(call$x, fits[[1L]]$terms)
  new_margin_comparison(fits, refused, call)
}

# Of each family the default solver, and others that a comparison should hold.
default_solvers_text <- function() {
  of_family <- vapply(families()[setdiff(names(families()), "oneclass")], function(of) {
    paste0("`\"", of$compared, "\"`", collapse = ", ")
  }, "")
  paste0(names(of_family), ": ", of_family, collapse = "; ")
}

# One problem for all: an expression is evaluated once, before the fits, so a value that is language
# is quoted. Names stay names, for the calls of the fits; weights and subset of a formula stay for
# model.frame() to look up in the data.
evaluate_once <- function(arguments, has_formula, where) {
  looked_up <- if (has_formula) c("weights", "subset")
  for (i in which(!names(arguments) %in% looked_up)) {
    if (!is.call(arguments[[i]])) next
    value <- eval(arguments[[i]], where)
    is_code <- is.language(value) && !inherits(value, "formula")
    arguments[i] <- list(if (is_code) call("quote", value) else value)
  }
  arguments
}

# A kernel matrix is judged for all solvers.
judged_once <- function(arguments, of_rows, where) {
  x <- if (of_rows) eval(arguments$x, where)
  if (!is.matrix(x) || !is.numeric(x) || anyNA(x) || is.null(arguments$kernel)) {
    return(arguments)
  }
  kernel <- eval(arguments$kernel, where)
  if (is_precomputed(list(kernel = kernel))) {
    arguments$kernel <- with_judged_kernel(list(kernel = kernel), x)$kernel
  }
  arguments
}

# Points that are mixed and networks that are drawn are the same for all solvers: by one seed, that of
# the first draw.
drawn_once <- function(arguments, family, where) {
  if (family != "kernel") {
    return(arguments)
  }
  control <- if (is.null(arguments$control)) margin_control() else eval(arguments$control, where)
  kernel <- if (!is.null(arguments$kernel)) eval(arguments$kernel, where)
  draws <- !is.null(arguments$mixup) && !is.null(eval(arguments$mixup, where)) ||
    inherits(kernel, "kernel_function") && kernel$name == "ntk" && is.null(kernel$seed)
  if (draws && inherits(control, "margin_control") && is.null(control$seed)) {
    control$seed <- resolve_seed(NULL)
    arguments$control <- control
  }
  arguments
}

# What the solvers cannot do, before any has spent its time: `refused`, reasons by solver, and the
# `intercept` and `multiclass` that the fits are to be given (NULL: what the family or the formula says).
check_before_fitting <- function(solvers, family, formula, arguments, where) {
  entry <- families()[[family]]
  given <- function(name) {
    if (name %in% names(arguments)) {
      return(eval(arguments[[name]], where))
    }
    eval(formals(entry$of_matrix)[[name]])
  }
  names <- intersect(names(formals(entry$settings)), names(formals(entry$of_matrix)))
  settings <- sapply(setdiff(names, "solver"), given, simplify = FALSE)
  assert_one_tau_each(settings$loss)
  response <- if (has_loss(family)) response_ahead(arguments, formula, given, where)
  if (is.null(settings$loss) && !is.null(response)) settings$loss <- task_loss(response$task)
  without <- !is.null(formula) &&
    attr(stats::terms(formula, allowDotAsName = TRUE), "intercept") == 0L
  if (without) settings$intercept <- "none"
  for (solver in solvers) find_solver(solver, family)
  why_not <- function(solver, settings) {
    tryCatch({
      do.call(entry$settings, c(settings, list(solver = solver)), quote = TRUE)
      NULL
    }, dualmargin_input_error = conditionMessage)
  }
  reasons <- function(settings) {
    Filter(Negate(is.null), sapply(solvers, why_not, settings, simplify = FALSE))
  }
  asked <- without || !is.null(settings$intercept) && "intercept" %in% names(arguments)
  if (asked) assert_choice(settings$intercept, intercept_kinds, "intercept")
  usual <- eval(formals(entry$of_matrix)$intercept)
  kinds <- if (asked) settings$intercept else unique(c(usual, intercept_kinds))
  refused <- lapply(kinds, function(kind) {
    reasons(utils::modifyList(settings, list(intercept = kind)))
  })
  best <- which.min(lengths(refused))
  if (!asked && best > 1L) {
    inform(sprintf("`intercept` is \"%s\", which more of the solvers can fit than \"%s\".",
                   kinds[best], usual))
  }
  # what the default solver cannot do either is no property of a solver
  if (length(refused[[best]]) == length(solvers)) {
    do.call(entry$settings, c(utils::modifyList(settings, list(intercept = kinds[best])),
                              list(solver = "auto")), quote = TRUE)
  }
  settings$intercept <- kinds[best]
  able <- setdiff(solvers, names(refused[[best]]))
  models <- vapply(able, function(solver) {
    model_of_classes(do.call(entry$settings, c(settings, list(solver = solver)), quote = TRUE),
                     response)
  }, "")
  apart <- length(unique(models)) > 1L
  if (apart) {
    inform(sprintf("`multiclass` is \"one_vs_rest\", which more of the solvers can fit than \"%s\".",
                   setdiff(models, "one_vs_rest")[1L]))
  }
  list(refused = refused[[best]], intercept = if (!asked && best > 1L) kinds[best] else
    if (!is.null(arguments$intercept)) settings$intercept, multiclass = if (apart) "one_vs_rest")
}

# What multiclass = "auto" would be of a solver.
model_of_classes <- function(settings, response) {
  several <- !is.null(response) && response$n_classes > 1L && !is.null(settings$loss)
  if (!several || !identical(settings$multiclass, "auto")) {
    return("")
  }
  if (settings$solver$family == "kernel") resolve_multiclass(settings, response) else
    settle_multiclass(settings, response)$multiclass
}

# The response that the fits will find; NULL where it cannot be had, of which they tell.
response_ahead <- function(arguments, formula, given, where) {
  tryCatch({
    y <- if (is.null(formula)) given("y") else {
      stats::model.response(model_frame(as.call(c(quote(margin_linear), arguments)), where))
    }
    if (inherits(y, "soft_labels")) {
      return(list(task = "classification", n_classes = if (NCOL(y) > 2L) ncol(y) else 1L))
    }
    quietly(code_response(y, NULL, NROW(y)))
  }, error = function(condition) NULL)
}

new_margin_comparison <- function(fits, refused = list(), call = NULL) {
  rows <- lapply(names(fits), function(solver) {
    trace <- fits[[solver]]$trace
    cbind(solver = solver, trace,
          relative_gap = relative_gap(trace$value, trace$bound, trace$gap, 0))
  })
  trace <- do.call(rbind, rows)
  of_class <- factor(trace$class, exclude = NULL)
  best_value <- stats::ave(trace$value, of_class, FUN = min)
  best_bound <- stats::ave(trace$bound, of_class, FUN = max)
  trace$suboptimality <- relative_gap(best_value, best_bound, trace$value - best_bound, 0)
  new_object(list(fits = fits, refused = unlist(refused), trace = trace, call = call),
             "margin_comparison")
}

#' @rdname certificate
#' @export
certificate.margin_comparison <- function(fit, by = c("worst", "class"), ...) {
  assert_no_extra("certificate()", ...)
  assert_solver_comparison(fit, "fit")
  by <- one_of(by, c("worst", "class"), "by")
  rows <- lapply(fit$fits, certificate, by = by)
  without_row_names(cbind(solver = rep(names(rows), vapply(rows, nrow, 0L)), do.call(rbind, rows)))
}

#' @rdname certificate
#' @export
convergence.margin_comparison <- function(fit, ...) {
  assert_no_extra("convergence()", ...)
  assert_solver_comparison(fit, "fit")
  without_row_names(fit$trace)
}

#' @rdname compare_solvers
#' @export
summary.margin_comparison <- function(object, gaps = c(1e-2, 1e-4, 1e-6), ...) {
  assert_no_extra("summary()", ...)
  assert_solver_comparison(object, "object")
  if (!is.numeric(gaps) || length(gaps) == 0L || !all(is.finite(gaps) & gaps > 0)) {
    abort_input(sprintf("`gaps` is %s, but must be relative gaps above 0.", show_value(gaps)), "gaps")
  }
  first <- function(fit, gap, what) {
    by_class <- split(fit$trace, factor(fit$trace$class, exclude = NULL))
    reached <- vapply(by_class, function(trace) {
      hit <- which(relative_gap(trace$value, trace$bound, trace$gap, 0) <= gap)
      if (length(hit) == 0L) NA_real_ else trace[[what]][hit[1L]]
    }, 0)
    sum(reached)
  }
  rows <- lapply(names(object$fits), function(solver) {
    fit <- object$fits[[solver]]
    ends <- summed_certificate(fit)
    reached <- lapply(gaps, function(gap) {
      stats::setNames(list(first(fit, gap, "epoch"), first(fit, gap, "seconds")),
                      paste0(c("epochs_to_", "seconds_to_"), format(gap)))
    })
    data.frame(solver = solver, ends[c("value", "bound", "relative_gap", "certified")],
               reached, reason = NA_character_, check.names = FALSE)
  })
  not_fitted <- lapply(names(object$refused), function(solver) {
    row <- rows[[1L]]
    row[setdiff(names(row), "certified")] <- NA
    row$certified <- FALSE
    row$solver <- solver
    row$reason <- object$refused[[solver]]
    row
  })
  structure(without_row_names(do.call(rbind, c(rows, not_fitted))),
            class = c("summary.margin_comparison", "data.frame"))
}

#' @rdname compare_solvers
#' @export
print.summary.margin_comparison <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  if (!all(c("solver", "certified", "reason") %in% names(x))) {
    return(NextMethod()) # some of its columns
  }
  fitted <- is.na(x$reason)
  shown <- x[setdiff(names(x), c("bound", "reason"))]
  class(shown) <- "data.frame"
  print(shown[fitted, ], digits = digits, row.names = FALSE)
  tell_refused(stats::setNames(x$reason[!fitted], x$solver[!fitted]))
  invisible(x)
}

# Value and bound of a problem for each class are sums, which all solvers have of the same problems.
summed_certificate <- function(fit) {
  worst <- worst_certificate(fit$certificate)
  if (NROW(fit$certificate) > 1L) {
    worst$value <- sum(fit$certificate$value)
    worst$bound <- sum(fit$certificate$bound)
  }
  worst
}

tell_refused <- function(reasons) {
  for (solver in names(reasons)) {
    cat(strwrap(sprintf("%s was not fitted: %s", solver, reasons[[solver]]), getOption("width"),
                exdent = 2L), sep = "\n")
  }
}

#' @rdname compare_solvers
#' @param digits Significant digits.
#' @export
print.margin_comparison <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  assert_solver_comparison(x, "x")
  fit <- x$fits[[1L]]
  cat(fold_lines(sprintf("<margin_comparison> %s on one problem: %s",
                         count(length(x$fits), "solver"), describe_task(fit))), sep = "\n")
  cat(key_lines(model_rows(fit, digits)), sep = "\n")
  rows <- lapply(x$fits, function(fit) {
    row <- summed_certificate(fit)
    missed <- unique(fit$status$status[!fit$certificate$certified])
    data.frame(
      value = row$value, relative_gap = row$relative_gap, epochs = sum(fit$status$epochs),
      seconds = sum(fit$status$seconds),
      verdict = if (length(missed) == 0L) "certified" else
        sprintf("NOT certified (%s)", paste(missed, collapse = ", "))
    )
  })
  print(cbind(solver = names(rows), do.call(rbind, rows)), digits = digits,
        row.names = FALSE)
  tell_refused(x$refused)
  if (NROW(fit$certificate) > 1L) {
    cat("Relative gaps are the worst class's, the rest are sums over the classes.\n")
  }
  invisible(x)
}

#' @rdname compare_solvers
#' @export
plot.margin_comparison <- function(x, against = c("epochs", "seconds"), class = NULL, ...) {
  assert_plot_arguments("plot()", ...)
  assert_solver_comparison(x, "x")
  against <- one_of(against, c("epochs", "seconds"), "against")
  fit <- x$fits[[1L]]
  assert_plot_class(fit, class)
  trace <- convergence(x)
  if (!is.null(class)) trace <- trace[trace$class %in% class, ]
  # A line for each class, all those of a solver alike.
  line <- interaction(trace$class, factor(trace$solver, names(x$fits)), drop = TRUE)
  if (all(is.na(trace$class))) line <- factor(trace$solver, names(x$fits))
  series <- split(trace, line)
  column <- c(epochs = "epoch", seconds = "seconds")[[against]]
  label <- c(epochs = "epochs (passes over the data)", seconds = "seconds")[[against]]
  main <- if (length(class) == 1L) sprintf("Relative gap of each solver, %s", class) else
    "Relative gap of each solver"
  draw_gaps(series, vapply(series, function(s) s$solver[1L], ""), column, label, fit$settings$tol,
            main, list(...))
  invisible(without_row_names(trace))
}
