# The response: labels or numbers as given -> the numbers the core wants, and what they mean.

# response: factor or numeric; codes: -1/+1, 1..k or the numbers; n_classes: 1 unless k >= 3.
new_response <- function(values, type) {
  if (!is.factor(values)) {
    return(list(response = values, codes = values, levels = NULL, type = type,
                task = "regression", n_classes = 1L))
  }
  k <- nlevels(values)
  codes <- as.double(as.integer(values))
  list(response = values, codes = if (k == 2L) 2 * codes - 3 else codes, levels = levels(values),
       type = type, task = "classification", n_classes = if (k == 2L) 1L else k)
}

code_response <- function(y, loss, n) {
  if (inherits(y, "soft_labels")) {
    abort_input("`y` holds soft labels, which margin_kernel() alone takes; give classes.", "y")
  }
  y <- plain_labels(y)
  if (length(y) != n) {
    abort_input(sprintf("`y` has length %d, but `x` has %d rows; give one label a row.",
                        length(y), n), "y")
  }
  assert_labels_complete(y, loss)
  response <- if (is.factor(y)) {
    new_response(used_levels(y), "factor")
  } else if (is.logical(y)) {
    new_response(factor(y, levels = c(FALSE, TRUE)), "logical")
  } else if (is.character(y)) {
    new_response(character_labels(y), "character")
  } else if (loss$task == "both") {
    new_response(as.double(y), "numeric")
  } else {
    new_response(signed_labels(y), "sign")
  }
  assert_two_classes(response)
  response
}

# One column without its dimensions. An ordered factor stays one; no loss here uses the order.
plain_labels <- function(y) {
  if (is.list(y)) {
    abort_input(sprintf("`y` is %s, but must be a vector; pick one column, as in data$y.",
                        if (is.data.frame(y)) "a data frame" else "a list"), "y")
  }
  # NCOL(NULL) is 0 from R 4.4 on and was 1 before
  if (!is.null(y) && !isS4(y) && NCOL(y) != 1L) {
    abort_input(sprintf("`y` has %d columns, but must be a vector of one label a row.", NCOL(y)),
                "y")
  }
  known <- is.factor(y) ||
    (!is.object(y) && (is.numeric(y) || is.logical(y) || is.character(y)))
  if (!known) {
    abort_input(sprintf(
      "`y` is %s, but must be a factor, logical, character, or -1/+1 (any number for %s).",
      show_value(y), quote_list(regression_losses())
    ), "y")
  }
  dim(y) <- NULL
  names(y) <- NULL
  y
}

assert_labels_complete <- function(y, loss) {
  if (anyNA(levels(y))) {
    abort_input("`y` has NA among its levels; give that level a name or remove its rows.", "y")
  }
  bad <- if (is.double(y)) !is.finite(y) else is.na(y)
  if (any(bad)) {
    row <- which(bad)[1L]
    abort_input(sprintf("`y` has %s at position %d; remove that row%s.", format(y[row]), row,
                        if (is.na(y[row])) " (the formula method can, by its na.action)" else ""),
                "y")
  }
}

used_levels <- function(y) {
  unused <- levels(y)[tabulate(y, nlevels(y)) == 0L]
  if (length(unused) > 0L && nlevels(y) - length(unused) >= 2L) {
    inform(sprintf("`y` has no rows of level %s; the fit leaves it out.", quote_list(unused)))
    y <- factor(y, levels = setdiff(levels(y), unused))
  }
  y
}

# Sorted as in the C locale, so that which class is positive does not depend on the machine.
character_labels <- function(y) {
  y <- factor(y, levels = sort(unique(y), method = "radix"))
  inform(sprintf("`y` is character: made a factor with levels %s%s.", quote_list(levels(y)),
                 if (nlevels(y) == 2L) sprintf("; \"%s\" is positive", levels(y)[2L]) else ""))
  y
}

signed_labels <- function(y) {
  values <- unique(y)
  if (all(values %in% c(-1, 1))) {
    # as factor(y, levels = c(-1, 1)), which would format every number
    return(structure(1L + (y > 0), levels = c("-1", "1"), class = "factor"))
  }
  if (all(values %in% c(0, 1))) {
    abort_input(paste(
      "`y` is 0/1; use factor(y) or y == 1 to say these are classes",
      "(or margin_linear(loss = \"squared\") for a regression)."
    ), "y")
  }
  odd <- values[!values %in% c(-1, 1)][1L]
  abort_input(sprintf(paste(
    "`y` is numeric with the value %s; use factor(y) if these are classes (only -1 and +1 are",
    "taken as they are), or margin_linear(loss = \"squared\") for a regression."
  ), format(odd, digits = 4)), "y")
}

assert_two_classes <- function(response) {
  if (response$task == "classification" && length(unique(response$response)) < 2L) {
    abort_input(sprintf("`y` has one class only, \"%s\"; a classifier needs rows of two or more.",
                        as.character(response$response[1L])), "y")
  }
}

# Every class must carry weight: without it a one-versus-rest problem has no second class.
assert_weighted_classes <- function(response, weights, arg) {
  if (response$task == "classification" && is.factor(response$response)) {
    total <- drop(rowsum(weights, as.integer(response$response), reorder = TRUE))
    if (any(total == 0)) {
      abort_input(sprintf(
        "`%s` leaves class \"%s\" no weight at all; every class needs a row that counts.",
        arg, response$levels[which(total == 0)[1L]]
      ), arg)
    }
  }
}

# NULL, "balanced" or numbers named by level -> NULL or numbers in the order of the levels.
resolve_class_weights <- function(class_weights, response, weights) {
  if (is.null(class_weights)) {
    return(NULL)
  }
  if (inherits(response$response, "soft_labels")) {
    abort_input("`class_weights` has no meaning for soft labels; use `weights`.", "class_weights")
  }
  if (response$task == "regression") {
    abort_input("`class_weights` has no meaning in a regression; use `weights`.", "class_weights")
  }
  levels <- response$levels
  if (identical(class_weights, "balanced")) {
    total <- drop(rowsum(weights, as.integer(response$response), reorder = TRUE))
    return(stats::setNames(sum(weights) / (length(levels) * total), levels))
  }
  assert_class_weights(class_weights, levels)
  stats::setNames(as.double(class_weights[levels]), levels)
}

assert_class_weights <- function(class_weights, levels) {
  fail <- function(...) abort_input(sprintf(...), "class_weights")
  given <- names(class_weights)
  if (!is.numeric(class_weights) || is.null(given)) {
    fail("`class_weights` is %s, but must be \"balanced\" or numbers named by level (%s).",
         show_value(class_weights), quote_list(levels))
  }
  unknown <- setdiff(given, levels)
  if (length(unknown) > 0L) {
    fail("`class_weights` names \"%s\", which is not a level of `y`. The levels are %s.",
         unknown[1L], quote_list(levels))
  }
  absent <- setdiff(levels, given)
  if (length(absent) > 0L) {
    fail("`class_weights` has no number for level \"%s\"; give every level one.", absent[1L])
  }
  if (anyDuplicated(given)) {
    fail("`class_weights` names \"%s\" twice; give each level one number.",
         given[anyDuplicated(given)])
  }
  bad <- which(!is.finite(class_weights) | class_weights <= 0)
  if (length(bad) > 0L) {
    fail("`class_weights` is %s for level \"%s\"; it must be a positive finite number.",
         format(class_weights[[bad[1L]]], digits = 4), given[bad[1L]])
  }
}
