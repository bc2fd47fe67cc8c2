# The changed problems of a fit, which the core solves (src/decide/change.h).

# For each set of rows that leaves beside the change: ends for each class problem, which rows leave,
# and whether the changed problem was solved.
change_rows <- function(fit, x, change, sets, new, rule, refits) {
  if (!is.null(change$added)) x <- stack_rows(x, change$added$x)
  omega <- changed_omega(fit, change)
  for (out in sets) assert_weight_left(replace(omega, out, 0))
  codes <- c(change$response, change$added$response)
  classes <- seq_len(ncol(coef_matrix(fit)))
  y <- vapply(classes, changed_response, numeric(length(codes)), fit = fit, response = codes)
  found <- ask_of_change(fit, x, new$x, c(change_cpp, change_kernel_cpp), list(
    y = matrix(y, length(codes)), omega = omega, sets = sets, rule = rule, refits = refits,
    regression = fit$task == "regression"
  ))
  as_changes(found, change, sets)
}

as_changes <- function(found, change, sets) {
  Map(function(answer, out) {
    change$out[out] <- TRUE
    list(ends = lapply(seq_len(ncol(answer$lower)),
                       function(k) cbind(answer$lower[, k], answer$upper[, k])),
         out = change$out, solved = answer$solved)
  }, found, unname(sets))
}

# x: all rows, asked: those to predict; entries: for rows of columns and for those of a kernel.
ask_of_change <- function(fit, x, asked, entries, change) {
  refit <- list(intercept = if (fit$settings$intercept == "free") "free" else "none")
  if (!inherits(fit, "margin_kernel")) {
    question <- question_of_fit(fit)
    return(in_core(entries[[1L]](
      in_core_form(x), frame_of_fit(fit, move = question$free), question, change,
      in_core_form(asked), refit, refit_control(fit)
    )))
  }
  frame <- kernel_frame(fit, x)
  both <- stack_rows(kernel_frame(fit, asked)$x, frame$x)
  in_core(entries[[2L]](
    in_core_form(frame$x), kernel_for_core(fit, frame),
    c(question_of_kernel(fit), list(regression = fit$task == "regression")), change,
    in_core_form(both), refit, refit_control(fit, "kernel")
  ))
}

assert_weight_left <- function(omega) {
  total <- sum(omega)
  if (!is.finite(total) || total <= 0) {
    abort_input("The change leaves no row with a positive weight; there is nothing to fit.",
                "remove")
  }
}

# Weights with those of classes, of all rows.
changed_omega <- function(fit, change) {
  omega <- c(ifelse(change$out, 0, change$weights), change$added$weights)
  class_weights <- fit$settings$class_weights
  if (is.null(class_weights)) omega else
    omega * unname(class_weights)[c(change$response, change$added$response)]
}

# The coded response of class problem k, as problem_response().
changed_response <- function(k, fit, response) {
  if (fit$task == "regression") {
    response
  } else if (length(fit$levels) == 2L) {
    2 * response - 3
  } else {
    ifelse(response == k, 1, -1)
  }
}

# ---- The change ----

# TRUE for each row of data that leaves.
removed_rows <- function(remove, given) {
  if (is.null(remove)) {
    return(logical(given))
  }
  fail <- function(...) abort_input(sprintf(...), "remove")
  if (is.object(remove) || !is.null(dim(remove)) || !(is.numeric(remove) || is.logical(remove))) {
    fail("`remove` is %s, but must be numbers of rows of `data`, or TRUE and FALSE for each.",
         show_value(remove))
  }
  if (anyNA(remove)) fail("`remove` has NA at position %d.", which(is.na(remove))[1L])
  if (is.logical(remove)) {
    if (length(remove) != given) {
      fail("`remove` has length %d, but `data` has %s; give TRUE or FALSE for each.",
           length(remove), count(given, "row"))
    }
    return(as.vector(remove))
  }
  wrong <- which(remove < 1 | remove > given | remove != round(remove))
  if (length(wrong) > 0L) {
    fail("`remove` has %s at position %d, but must be numbers of rows from 1 to %d.",
         format(remove[wrong[1L]]), wrong[1L], given)
  }
  seq_len(given) %in% remove
}

# The response of the fit with new labels: codes of classes, or numbers.
relabelled_response <- function(fit, relabel, given, at) {
  old <- response_codes(fit, fit$response, "relabel")
  if (is.null(relabel)) {
    return(old)
  }
  if (!is.atomic(relabel) || !is.null(dim(relabel)) || length(relabel) != given) {
    abort_input(sprintf(
      "`relabel` is %s, but must be a vector of %d: a label for each row of `data`, NA to keep it.",
      show_value(relabel), given
    ), "relabel")
  }
  relabel <- relabel[at]
  new <- !is.na(relabel)
  old[new] <- response_codes(fit, relabel[new], "relabel")
  old
}

# Labels as codes of the fit's levels, or as numbers in its unit.
response_codes <- function(fit, labels, arg) {
  if (fit$task == "regression") {
    if (!is.numeric(labels) || any(!is.finite(labels))) {
      abort_input(sprintf("`%s` has responses that are no finite numbers.", arg), arg)
    }
    return(as.vector(unname(labels)) / unit_of(fit))
  }
  codes <- match(as.character(labels), fit$levels)
  if (anyNA(codes)) {
    abort_input(sprintf("`%s` has the label \"%s\", but the fit has %s.", arg,
                        as.character(labels)[is.na(codes)][1L], quote_list(fit$levels)), arg)
  }
  codes
}

changed_weights <- function(fit, weights, given, at) {
  if (is.null(weights)) {
    return(unname(fit$weights))
  }
  as.vector(assert_weights(weights, given))[at]
}

# x, response and weights of rows that come.
added_rows <- function(fit, add) {
  if (is.null(add)) {
    return(NULL)
  }
  fail <- function(...) abort_input(sprintf(...), "add")
  formula <- identical(fit$interface, "formula")
  parts <- if (formula && is.data.frame(add)) list(data = add) else add
  wanted <- if (formula) "data" else c("x", "y")
  if (!is.list(parts) || is.data.frame(parts) || !all(wanted %in% names(parts)) ||
        !all(names(parts) %in% c(wanted, "weights"))) {
    fail("`add` is %s, but must be %s.", show_value(add),
         if (formula) "a data frame with the response, or a list of `data` and `weights`" else
           "a list of `x` and `y`, and of `weights` if they are not 1")
  }
  as_add <- function(value) {
    tryCatch(value, dualmargin_input_error = function(condition) {
      fail("`add` has rows that do not fit: %s", conditionMessage(condition))
    })
  }
  rows <- parts[[wanted[1L]]]
  design <- as_add(design_newdata(fit, rows))
  n <- nrow(design$x)
  if (length(design$na_rows) > 0L) {
    fail("`add` has a missing or infinite entry in row %d.", design$na_rows[1L])
  }
  labels <- if (formula) observed_response(fit, rows) else as_add(plain_labels(parts$y))
  if (length(labels) != n) {
    fail("`add` has %s, but %s; give one for each.", count(n, "row"),
         if (formula && is.null(labels)) "no response" else count(length(labels), "label"))
  }
  weights <- parts$weights
  if (is.null(weights)) weights <- rep(1, n)
  if (!is.numeric(weights) || is.object(weights) || length(weights) != n ||
        any(!is.finite(weights) | weights < 0)) {
    fail("`add` has weights that are no %s, finite and not negative.", count(n, "number"))
  }
  list(x = design$x, response = response_codes(fit, labels, "add"), weights = as.vector(weights))
}
