# summary() of a fit and its print method; documented in print.R.

#' @rdname print.margin_fit
#' @export
summary.margin_fit <- function(object, ...) {
  assert_no_extra("summary()", ...)
  assert_fit(object, "object")
  structure(
    list(
      model = c(lapply(stats::setNames(nm = intersect(shown_of_fit, names(object))),
                       function(name) object[[name]]),
                if (has_offset(object)) list(offset = TRUE),
                list(zero_weights = sum(object$weights == 0),
                     contradicting = contradicting_rows(object),
                     beyond = residuals_beyond(object))),
      family = class(object)[1L],
      n = stats::nobs(object),
      coefficients = named_by_tau(object, sorted_coefficients(object)),
      nonzero = count_nonzero(object),
      performance = training_performance(object),
      calibration = calibration_summary(object),
      certificate = without_row_names(object$certificate),
      status = without_row_names(object$status),
      call = object$call
    ),
    class = "summary.margin_fit"
  )
}

# What describe_model() and those below it read of a fit, where it has them.
shown_of_fit <- c("settings", "response_scale", "response_center", "levels", "task", "features",
                  "na.action", "sparse", "certificate", "status", "multiclass", "calibration",
                  "cause", "threshold", "rule", "file", "rho", "radius", "boundary",
                  "on_boundary", "outside")

# The rows of tidy(), with the coefficients of the scaled columns; the largest of these first,
# intercepts last.
sorted_coefficients <- function(fit) {
  slopes <- scaled_slopes(fit)
  estimates <- coef_matrix(fit)
  scaled <- if (has_intercept(fit)) rbind(estimates[1L, ], slopes) else slopes
  table <- cbind(coefficients_of_classes(fit, estimates), scaled = as.vector(scaled))
  columns <- intersect(c("term", "class", "estimate", "scaled"), names(table))
  without_row_names(table[order(table$term == "(Intercept)", -abs(table$scaled)), columns])
}

count_nonzero <- function(fit) {
  slopes <- scaled_slopes(fit)
  stats::setNames(as.integer(colSums(slopes != 0)), problem_classes(fit))
}

describe_nonzero <- function(nonzero) {
  if (length(nonzero) == 1L) {
    return(format(nonzero))
  }
  if (min(nonzero) == max(nonzero)) {
    return(sprintf("%d for each %s", nonzero[1L], problem_noun(names(nonzero))))
  }
  if (length(nonzero) > 6L) sprintf("%d to %d by %s", min(nonzero), max(nonzero), problem_noun(names(nonzero))) else
    paste(shorten(names(nonzero), 16L), nonzero, collapse = ", ")
}

# Soft labels count for the class with the largest share.
hard_response <- function(fit) {
  response <- fit$response
  if (!inherits(response, "soft_labels")) {
    return(response)
  }
  values <- unclass(response)
  index <- if (is.matrix(values)) max.col(values, "first") else 1L + (values >= 0)
  factor(fit$levels[index], levels = fit$levels)
}

# By the weights of the fit, as margin_performance() judges its rows: one of weight 0 is none.
training_performance <- function(fit) {
  if (fit$task == "one_class") {
    return(oneclass_shares(fit))
  }
  used <- fit$weights > 0
  weights <- unname(fit$weights[used])
  scores <- unname_rows(some_scores(fit$scores, used))
  weighted <- any(weights != 1)
  if (fit$task == "regression") {
    truth <- unname(fit$response[used])
    predicted <- present_scores(fit, scores, "response")
    loss <- fit$settings$loss
    own <- default_metric(fit$task, list(loss), FALSE)
    compute <- known_metrics(loss, unit_of(fit))[[own]]$compute
    judged <- list(weighted = weighted,
                   loss = stats::setNames(compute(truth, predicted, weights), own),
                   coverage = coverage_of(loss, truth, predicted, weights))
    if (has_quantiles(fit)) {
      return(judged)
    }
    return(c(judged, list(rmse = rmse_of(truth, predicted, weights),
                          r_squared = r2_of(truth, predicted, weights))))
  }
  predicted <- factor(fit$levels[class_by(fit, scores)], levels = fit$levels)
  confusion <- weighted_table(hard_response(fit)[used], predicted, weights)
  names(dimnames(confusion)) <- c("observed", "predicted")
  list(weighted = weighted, accuracy = sum(diag(confusion)) / sum(confusion),
       confusion = as.table(confusion))
}

#' @rdname print.margin_fit
#' @export
print.summary.margin_fit <- function(x, digits = max(3L, getOption("digits") - 3L), top = 10L,
                                     ...) {
  assert_no_extra("print()", ...)
  model <- structure(x$model, class = c(x$family, "margin_fit"))
  model$weights <- rep(1:0, c(x$n, x$model$zero_weights))
  cat(describe_model(model, digits), sep = "\n")
  shown <- min(top, nrow(x$coefficients))
  # where no column was scaled both columns would be the same numbers
  scaled <- !isFALSE(x$model$settings$scale)
  cat(sprintf("\nCoefficients (%d of %d, largest %sfirst; not zero: %s)\n", shown,
              nrow(x$coefficients), if (scaled) "scaled " else "", describe_nonzero(x$nonzero)))
  print(utils::head(x$coefficients[scaled | names(x$coefficients) != "scaled"], shown),
        digits = digits, row.names = FALSE)
  print_performance(x$performance, digits)
  print_calibration(x$calibration)
  print_summary_end(x, model, digits)
  invisible(x)
}

print_performance <- function(performance, digits) {
  cat(if (isTRUE(performance$weighted)) "\nOn the training rows, weighted\n" else
    "\nOn the training rows\n")
  if (!is.null(performance$shares)) {
    cat(oneclass_lines(performance, digits), sep = "\n")
  } else if (is.null(performance$confusion)) {
    cat(regression_lines(performance, digits), sep = "\n")
  } else {
    cat(sprintf("  accuracy %s\n", format(performance$accuracy, digits = digits)))
    print(performance$confusion, digits = digits)
  }
}

# The fit's own loss first; R squared speaks of the squared one.
regression_lines <- function(performance, digits) {
  own <- performance$loss
  if (is.null(performance$rmse)) {
    return(c(sprintf("  mean loss (%s) %s", names(own), format(unname(own), digits = digits)),
             coverage_line(performance$coverage, "the training rows", digits)))
  }
  error <- sprintf("root mean squared error %s", format(performance$rmse, digits = digits))
  if (is.null(own) || names(own) == "mse") {
    return(sprintf("  %s, R squared %s", error, format(performance$r_squared, digits = digits)))
  }
  c(sprintf("  mean loss (%s) %s, %s", names(own), format(unname(own), digits = digits), error),
    coverage_line(performance$coverage, "the training rows", digits))
}

# The certificate, that of every class where there are several, and the work.
print_summary_end <- function(x, model, digits) {
  cat("\n")
  cat(fold_lines(describe_certificate(model, digits)), sep = "\n")
  if (nrow(x$certificate) > 1L) {
    columns <- c("class", "value", "bound", "relative_gap", "certified")
    print(named_by_tau(model, possible_numbers(x$certificate)[columns]), digits = digits,
          row.names = FALSE)
  }
  steps <- sum(x$status$steps)
  cat(sprintf("work: %s epochs in all%s, by %s\n", format(sum(x$status$epochs), digits = digits),
              if (steps > 0) paste0(", ", count(steps, "Newton step")) else "",
              paste(unique(x$status$solver), collapse = ", ")))
}

# Where the rows of the solved problem had their origin.
#
# With a free intercept the core moves columns that are far from the origin for their spread, and
# affine and isotropic kernels move with the rows; the user's intercept b - sum_j w_j c_j is then as
# large as what it takes away from w'x, and the sum of the two has lost the digits of z. A fit
# therefore keeps c and b as well, and decision values are w'(x - c) + b, the ones that the
# certificate is of; coef() is for reading.

# `center`: of the columns, empty where none was moved; `intercept`: that of the moved rows, one for
# each class, of a path one for each point, as a list by class where there are several. NULL: the
# rows are those of the user.
fit_origin <- function(result, has_intercept) {
  new_origin(result, if (has_intercept) {
    unname(unlist(lapply(result$solutions, `[[`, "near")))
  })
}

path_origin <- function(result, has_intercept, levels) {
  near <- lapply(result$solutions, function(path) unlist(lapply(path, `[[`, "near")))
  # one problem of all classes of a kernel has no moved rows, and nothing to keep
  new_origin(result, if (has_intercept && length(unlist(near)) > 0L) {
    if (is.null(levels)) near[[1L]] else stats::setNames(near, levels)
  })
}

new_origin <- function(result, intercept) {
  center <- as.numeric(result$origin)
  moved <- any(center != 0)
  # of a kernel it is known that nothing was moved
  if (!moved && is.null(result$sigma)) {
    return(NULL)
  }
  list(center = if (moved) center else numeric(), intercept = intercept)
}

# What scores are made of: a matrix of coefficients, or for a path of several classes a list of
# them, with the intercept of the moved rows.
scoring_coefficients <- function(model) {
  near <- model$origin$intercept
  all <- if (inherits(model, "margin_path")) model$coefficients else coef_matrix(model)
  if (length(near) == 0L) {
    return(all)
  }
  put <- function(one, intercept) {
    one[1L, ] <- intercept
    one
  }
  if (is.list(all)) Map(put, all, near[names(all)]) else put(all, near)
}

# Rows as the coefficients of columns see them; sparse ones stay sparse, since a column with zeros
# is never moved.
moved_rows <- function(model, x) {
  if (is.null(model$origin)) x else subtract_columns(x, model$origin$center)
}

# Sizes against the memory there is, before the work starts.

# Up to here nothing is asked about the machine, so that small problems are the same on all.
small_memory <- 1e9

# Memory that a result may take, in bytes: the physical memory, less where a container or the option
# says so; where nothing is known 16 GB.
memory_limit <- function() {
  given <- getOption("dualmargin.memory")
  if (!is.null(given)) {
    assert_number(given, "dualmargin.memory", lower = 0, infinite = TRUE,
                  remedy = "the option is in bytes, options(dualmargin.memory = 64e9) is 64 GB")
    return(given)
  }
  number_in <- function(path, pattern) {
    lines <- tryCatch(suppressWarnings(readLines(path, n = 5L)), error = function(e) character())
    as.numeric(sub(pattern, "\\1", grep(pattern, lines, value = TRUE)[1L]))
  }
  found <- c(
    physical_memory_cpp(),
    number_in("/sys/fs/cgroup/memory.max", "^([0-9]+)$"),
    number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes", "^([0-9]+)$")
  )
  found <- found[is.finite(found) & found > 0]
  if (length(found) == 0L) 16e9 else min(found)
}

# what: "has 7 rows"; remedy: what to give instead.
assert_memory <- function(bytes, arg, what, remedy) {
  if (bytes <= small_memory) {
    return(invisible())
  }
  limit <- memory_limit()
  if (bytes > limit) {
    abort_input(sprintf("`%s` %s, for which at least %s of memory are needed and %s are there; %s.",
                        arg, what, show_bytes(bytes), show_bytes(limit), remedy), arg)
  }
}

show_bytes <- function(bytes) sprintf("%s GB", grouped(signif(bytes / 1e9, 2)))

# The one call of a family into the core. Memory that runs out all the same is an error of ours.
in_core <- function(expression) {
  tryCatch(expression, error = function(condition) {
    said <- conditionMessage(condition)
    if (inherits(condition, "dualmargin_error") ||
          !grepl("bad_alloc|bad_array_new_length|cannot allocate|length_error", said)) {
      stop(condition)
    }
    stop(structure(
      class = c("dualmargin_memory_error", "dualmargin_error", "error", "condition"),
      list(message = paste(
        "The fit needs more memory than there is; give fewer rows or columns, another solver,",
        "or for a kernel a smaller cache_mb or `nystrom`."
      ), call = NULL)
    ))
  })
}
