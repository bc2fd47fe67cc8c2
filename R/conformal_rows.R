# The rows that sets are counted over, and the groups within which they are.

# Rows that the fit has not seen: coded, with their response.
conformal_holdout <- function(fit, holdout) {
  labels <- NULL
  rows <- holdout
  if (!identical(fit$interface, "formula")) {
    if (!is.list(holdout) || is.data.frame(holdout) || !all(c("x", "y") %in% names(holdout))) {
      abort_input(sprintf(paste(
        "`holdout` is %s, but the fit was made from `x` and `y`; give rows that it has not seen as",
        "holdout = list(x = , y = )."
      ), show_value(holdout)), "holdout")
    }
    rows <- holdout$x
    labels <- holdout$y
  } else if (!is.data.frame(holdout)) {
    abort_input(sprintf(paste(
      "`holdout` is %s, but must be a data frame of rows that the fit has not seen, with their",
      "response."
    ), show_value(holdout)), "holdout")
  }
  refuse_file(rows, "holdout")
  design <- named_as("holdout", design_newdata(fit, rows))
  truth <- given_response(fit, rows, labels, "holdout", nrow(design$x))
  at <- setdiff(which(!is.na(truth)), design$na_rows)
  if (length(at) == 0L) {
    abort_input("`holdout` has no complete row with a response; give some.", "holdout")
  }
  x <- take_rows(design$x, at)
  fitted <- compared_with_training(fit, x, truth[at], score_design(fit, x))$fitted
  if (isTRUE(fitted)) {
    abort_input(paste(
      "`holdout` has the rows of the fit, which knows them; give rows that it has not seen, or",
      "leave `holdout` out."
    ), "holdout")
  }
  if (is.na(fitted)) warn_maybe_training("holdout", "sets hold less than they say") else
    tell_shared_rows(fit, x, truth[at])
  list(x = x, response = truth[at], rows = at, given = nrow(design$x), frame = rows)
}

# A fit does not keep its rows, but the values that it gave them. Rows are alike by chance too: more
# of `holdout` are like one of the fit than rows of the fit are like another one.
tell_shared_rows <- function(fit, x, response) {
  key <- function(scores, response) {
    paste(apply(signif(as.matrix(scores), 12), 1L, paste, collapse = " "), as.character(response))
  }
  used <- fit$weights > 0
  own <- key(some_scores(fit$scores, used), fit$response[used])
  new <- key(score_design(fit, x), response)
  twice <- duplicated(own) | duplicated(own, fromLast = TRUE)
  expected <- (sum(twice) + 1) / (length(own) + 1) * length(new)
  shared <- sum(new %in% own)
  if (shared > expected + 3 * sqrt(expected)) {
    warn_shared_rows(sprintf(paste(
      "%s of %s of `holdout` have the response and the decision value of a row of the fit, which",
      "it knows if it is the same row: sets hold less than they say. Give rows that it has not",
      "seen."
    ), format(shared), count(length(new), "row")))
  }
}

refuse_file <- function(rows, arg, caller = "margin_conformal()") {
  if (is_rows(rows)) {
    abort_input(sprintf(paste(
      "`%s` is rows in a file, which %s has no way for yet; give rows in memory."
    ), arg, caller), arg)
  }
}

# by: how groups are told of new rows; group: that of each counted row.
conformal_by <- function(by, fit, counted) {
  if (is.null(by)) {
    return(list(by = "none", group = rep(1L, length(counted$response)), groups = "all"))
  }
  if (identical(by, "label")) {
    if (fit$task == "regression") {
      abort_input("`by` is \"label\", but a regression has none; name a column of the rows.", "by")
    }
    return(list(by = "label", group = as.integer(counted$response), groups = fit$levels))
  }
  named <- is.character(by) && length(by) == 1L && counted$given > 1L
  values <- if (named) by_column(counted$frame, by) else by_vector(by, counted$given)
  values <- values[counted$rows]
  if (anyNA(values)) {
    abort_input(sprintf("`by` has NA in row %d; give every row that is counted its level.",
                        counted$rows[which(is.na(values))[1L]]), "by")
  }
  groups <- sort(unique(values), method = "radix")
  list(by = if (named) "column" else "vector", column = if (named) by,
       group = match(values, groups), groups = groups)
}

by_column <- function(frame, by, arg = "by") {
  if (!is.data.frame(frame) || !by %in% names(frame)) {
    abort_input(sprintf("`%s` is \"%s\", which is neither \"label\" nor a column of %s.", arg,
                        readable(by),
                        if (is.data.frame(frame)) "the rows" else
                          "a data frame; give a vector along the rows"), arg)
  }
  as_levels(frame[[by]], arg)
}

by_vector <- function(by, n) {
  if (!is.atomic(by) || !is.null(dim(by)) || length(by) != n) {
    abort_input(sprintf("`by` is %s, but must be \"label\", the name of a column or %s.",
                        show_value(by), sprintf("a vector along the %s", count(n, "row"))), "by")
  }
  as_levels(by, "by")
}

as_levels <- function(values, arg) {
  if (!is.atomic(values) || (is.double(values) && any(values != round(values), na.rm = TRUE))) {
    abort_input(sprintf("`%s` has values that are no levels; cut() them into groups first.", arg),
                arg)
  }
  as.character(values)
}

# The group of new rows, 0 where no counted row has it and NA where it is not known.
new_groups <- function(object, newdata, by, n) {
  if (object$by %in% c("none", "label")) {
    if (!is.null(by)) {
      abort_input("`by` is given, but the sets were not made by a vector; leave it out.", "by")
    }
    return(rep(1L, n))
  }
  values <- if (!is.null(by)) {
    by_vector(by, n)
  } else if (object$by == "column") {
    named_as("newdata", by_column(newdata, object$column, "newdata"))
  } else {
    abort_input("`by` is missing: the sets hold by levels, so give a vector along `newdata`.", "by")
  }
  group <- match(values, object$groups, nomatch = 0L)
  group[is.na(values)] <- NA
  group
}
