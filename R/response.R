# The response: labels or numbers as given -> the numbers the core wants, and what they mean.

# response: factor or numeric; codes: -1/+1, 1..k or the numbers; n_classes: 1 unless k >= 3.
new_response <- function(values, type) {
  if (!is.factor(values)) {
    return(list(response = values, codes = values, levels = NULL, type = type,
                task = "regression", n_classes = 1L))
  }
  k <- nlevels(values)
  list(response = values, codes = if (k == 2L) c(-1, 1)[values] else as.double(values),
       levels = levels(values), type = type, task = "classification",
       n_classes = if (k == 2L) 1L else k)
}

# The task is decided here, once, on all rows of y; folds and points of a path inherit it. A factor,
# logicals and text are classes. Numbers are those of a regression where `loss`, NULL unless the
# user named one, is for regressions; else they are classes if they are nothing but -1 and +1, or 0
# and 1, and numbers otherwise. classes_only: the name of a function that has no regression; name:
# what messages call the response.
code_response <- function(y, loss, n, classes_only = NULL, name = "y") {
  naming_response(name, code_labels(y, loss, n, classes_only))
}

# Messages about `y` say what the user's formula has in its place.
naming_response <- function(name, expression) {
  if (identical(name, "y")) {
    return(expression)
  }
  renamed <- function(condition) {
    name <- response_text(name)
    for (form in c("`%s`", "factor(%s)")) {
      condition$message <- gsub(sprintf(form, "y"), sprintf(form, name), condition$message,
                                fixed = TRUE)
    }
    condition
  }
  withCallingHandlers(expression, dualmargin_message = function(condition) {
    message(renamed(condition))
    invokeRestart("muffleMessage")
  }, dualmargin_input_error = function(condition) stop(renamed(condition)))
}

code_labels <- function(y, loss, n, classes_only) {
  if (inherits(y, "soft_labels")) {
    abort_input(paste(
      "`y` holds soft labels, which margin_kernel() alone fits, and which held-out rows cannot be",
      "scored by; give classes."
    ), "y")
  }
  y <- sound_labels(y, n)
  if (is.numeric(y)) {
    return(code_numbers(as.double(y), loss, classes_only))
  }
  assert_classes_possible(loss, if (is.factor(y)) "a factor" else typeof(y))
  response <- if (is.factor(y)) {
    new_response(used_levels(y), "factor")
  } else if (is.logical(y)) {
    new_response(factor(y, levels = c(FALSE, TRUE)), "logical")
  } else {
    new_response(character_labels(y), "character")
  }
  assert_two_classes(response)
  if (is.ordered(y)) {
    inform("`y` is an ordered factor: its levels are taken as nominal, their order is not used.")
  }
  response
}

# One label a row, none of them missing.
sound_labels <- function(y, n) {
  y <- plain_labels(y)
  if (length(y) != n) {
    abort_input(sprintf("`y` has length %d, but `x` has %d rows; give one label a row.",
                        length(y), n), "y")
  }
  assert_labels_complete(y)
  y
}

# The loss that a response has where none is named.
task_loss <- function(task) as_loss(c(classification = "logistic", regression = "squared")[[task]])

# One column without its dimensions. An ordered factor stays one; no loss here uses the order.
plain_labels <- function(y) {
  remedy <- class_remedy(y)
  if (!is.null(remedy)) {
    abort_input(sprintf("`y` is %s, but must be a factor, logical, character or numeric; %s.",
                        show_value(y), remedy), "y")
  }
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
    abort_input(sprintf("`y` is %s, but must be a factor, logical, character or numeric.",
                        show_value(y)), "y")
  }
  if (is.factor(y) && !all(unclass(y) %in% c(NA, seq_along(levels(y))))) {
    abort_input("`y` is a damaged factor, with codes that no level has; make it again by factor().",
                "y")
  }
  dim(y) <- NULL
  names(y) <- NULL
  y
}

assert_labels_complete <- function(y) {
  if (anyNA(levels(y))) {
    abort_input("`y` has NA among its levels; give that level a name or remove its rows.", "y")
  }
  # a sum is finite where all are, but for an overflow
  if (if (is.double(y)) is.finite(sum(y)) else !anyNA(y)) {
    return(invisible())
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
    inform(sprintf("`y` has no rows of level %s: the fit and its predictions leave it out.", quote_list(unused)))
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

# ---- Numbers ----

# The values that numbers are taken for classes by, the positive one last.
label_values <- list(sign = c(-1, 1), binary = c(0, 1))

code_numbers <- function(y, loss, classes_only) {
  if (takes_numbers(loss)) {
    return(new_response(y, "numeric"))
  }
  type <- type_of_numbers(y)
  if (is.null(type)) {
    assert_regression_possible(y, loss, classes_only)
    tell_whole_numbers(y)
    return(new_response(y, "numeric"))
  }
  response <- number_classes(y, type)
  assert_two_classes(response, is.null(classes_only))
  inform(sprintf(
    "`y` has only %s: fitted as classes (1 = positive). Silence this with factor(y)%s.",
    c(sign = "-1 and 1", binary = "0 and 1")[[type]],
    if (is.null(classes_only)) "; for a regression give loss = \"squared\"" else ""
  ))
  response
}

# The name of the two values that these numbers all are, NULL for others.
type_of_numbers <- function(y) {
  Find(function(type) all(y %in% label_values[[type]]), names(label_values))
}

number_classes <- function(y, type) {
  # as factor(y, levels = ), which would format every number
  new_response(structure(1L + (y > 0), levels = as.character(label_values[[type]]),
                         class = "factor"), type)
}

assert_classes_possible <- function(loss, given) {
  if (identical(loss$task, "regression")) {
    abort_input(sprintf(paste(
      "`loss` is \"%s\", which is for a numeric response, but `y` is %s; give numbers, or loss =",
      "\"logistic\" for classes."
    ), loss$name, given), "loss")
  }
}

assert_regression_possible <- function(y, loss, classes_only) {
  if (is.null(loss) && is.null(classes_only)) {
    return(invisible())
  }
  odd <- y[!y %in% c(-1, 0, 1)]
  odd <- if (length(odd) == 0L) "0 beside -1" else format(odd[1L], digits = 4)
  if (!is.null(classes_only)) {
    abort_input(sprintf(paste(
      "`y` is numeric with the value %s, and %s is for classes; use factor(y) if the numbers are",
      "labels, or margin_linear(loss = \"squared\") for a regression."
    ), odd, classes_only), "y")
  }
  abort_input(sprintf(paste(
    "`loss` is \"%s\", which is for classes, but `y` is numeric with the value %s; use factor(y)",
    "if these are classes, or a loss of a regression: %s."
  ), loss$name, odd, quote_list(regression_losses())), "loss")
}

# Codes of classes are often whole numbers.
tell_whole_numbers <- function(y) {
  distinct <- unique(y)
  if (length(distinct) <= 10L && all(distinct == round(distinct))) {
    inform(sprintf(
      "`y` has %s: fitted as a regression. If these are classes, use factor(y).",
      if (length(distinct) == 1L) sprintf("one value only, %s", format(distinct)) else
        sprintf("only %d values, all whole numbers", length(distinct))
    ))
  }
}

assert_two_classes <- function(response, may_be_numbers = FALSE) {
  if (response$task == "classification" && length(unique(response$codes)) == 1L) {
    abort_input(sprintf(
      "`y` has one class only, \"%s\"; a classifier needs rows of two or more%s.",
      as.character(response$response[1L]),
      if (may_be_numbers) " (and a regression loss = \"squared\")" else ""
    ), "y")
  }
}

# Every class must carry weight: without it a one-versus-rest problem has no second class.
assert_weighted_classes <- function(response, weights, arg, ranks = NULL) {
  # the smallest weight alone takes no memory
  doubtful <- !is.null(ranks) || min(weights) <= 0
  if (response$task == "classification" && is.factor(response$response) && doubtful) {
    total <- class_totals(response, weights, ranks)
    if (any(total == 0)) {
      abort_input(sprintf(
        "`%s` leaves class \"%s\" no weight at all; every class needs a row that counts.",
        arg, response$levels[which(total == 0)[1L]]
      ), arg)
    }
  }
}

# NULL, "balanced" or numbers named by level -> NULL or numbers in the order of the levels.
resolve_class_weights <- function(class_weights, response, weights, ranks = NULL) {
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
    total <- class_totals(response, weights, ranks)
    return(stats::setNames(total_over(ranks, sum(weights)) / (length(levels) * total), levels))
  }
  assert_class_weights(class_weights, levels)
  stats::setNames(as.double(class_weights[levels]), levels)
}

# levels: NULL where the response is not known yet.
assert_class_weights <- function(class_weights, levels) {
  fail <- function(...) abort_input(sprintf(...), "class_weights")
  given <- names(class_weights)
  if (!is.numeric(class_weights) || is.object(class_weights) || is.null(given)) {
    fail("`class_weights` is %s, but must be \"balanced\" or numbers named by level%s%s.",
         show_value(class_weights),
         if (is.null(levels)) "" else sprintf(" (%s)", quote_list(levels)),
         integer64_remedy(class_weights))
  }
  if (is.null(levels)) levels <- unique(given)
  unknown <- setdiff(given, levels)
  if (length(unknown) > 0L) {
    fail("`class_weights` names \"%s\", which no row of `y` has. The levels are %s.",
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

# The unit in which the response of a regression is put to a loss that has a size of its own.

# A residual is large for Huber's loss when it is above delta, whatever the unit, as it is small for
# the epsilon-insensitive ones below epsilon, and the slope of the quantile and the absolute loss
# has none: so the problem is solved for y/s, with s the spread of y. The squared loss knows no such
# size, labels have no unit. That is `sized` in the list of losses.
#
# omega: the weights; one of 2 is the row twice, one of 0 no row.
response_unit <- function(settings, response, omega, ranks = NULL) {
  asked <- isTRUE(settings$response_scale) && is_sized(settings$loss)
  if (asked && response$task == "regression") robust_spread(response$codes, omega, ranks) else 1
}

# 1.4826 times the weighted median absolute deviation from the weighted median, which for normal
# numbers is their standard deviation; that itself where half of the rows have one value, and 1
# where all have.
robust_spread <- function(y, omega, ranks = NULL) {
  y <- y[omega > 0]
  omega <- omega[omega > 0]
  median <- function(values) {
    if (is.null(ranks)) weighted_median(values, omega) else
      median_over_ranks(ranks, values, omega)
  }
  middle <- median(y)
  rounding <- 16 * .Machine$double.eps * abs(middle)
  off <- y - middle
  spread <- 1.4826 * median(abs(off))
  if (spread > rounding) {
    return(spread)
  }
  share <- omega / total_over(ranks, sum(omega))
  mean <- total_over(ranks, sum(share * off))
  spread <- sqrt(total_over(ranks, sum(share * (off - mean)^2)))
  if (spread > rounding) spread else 1
}

# As stats::median() of every value as often as its weight says.
weighted_median <- function(values, weights) weighted_quantile(values, weights, 0.5)

# As stats::quantile(type = 2) of every value as often as its weight says: it does not depend on the
# unit of the weights.
weighted_quantile <- function(values, weights, probs) {
  order <- order(values)
  sorted <- values[order][weights[order] > 0]
  weights <- weights[order][weights[order] > 0]
  below <- cumsum(weights) / sum(weights)
  vapply(probs, function(prob) {
    # a sum of weights that is a share of all is so but for rounding
    ends <- c(sum(below < prob - 1e-12), sum(below <= prob + 1e-12)) + 1L
    mean(sorted[pmin(ends, length(sorted))])
  }, 0)
}

# Numbers of the response divided by the unit.
assert_size_in_units <- function(codes, unit) {
  if (any(abs(codes) > largest_size)) {
    abort_input(sprintf(paste(
      "`y` has %s at position %d, which is beyond double precision in units of its spread, %s; use",
      "response_scale = FALSE."
    ), format(max(abs(codes)) * unit, digits = 4), which.max(abs(codes)),
    format(unit, digits = 4)), "y")
  }
}

# What the core found for y/s, in the unit of y: coefficients and scores. Values, bounds and dual
# variables stay those of the problem that was solved.
in_response_units <- function(result, unit) {
  if (unit != 1) {
    result$solutions <- lapply(result$solutions, function(points) lapply(points, function(point) {
      for (name in intersect(c("coefficients", "intercept", "near", "scores"), names(point))) {
        point[[name]] <- point[[name]] * unit
      }
      point
    }))
    # the centre of a response that was moved as part of the problem
    if (!is.null(result$level)) result$level <- result$level * unit
  }
  result
}

# Of any fit: a family without a loss has none.
unit_of <- function(fit) if (is.null(fit$response_scale)) 1 else fit$response_scale

# "25.9 (y divided by its spread)", or NA where the response was taken as it is.
describe_unit <- function(fit, digits) {
  unit <- unit_of(fit)
  if (unit == 1) NA_character_ else
    sprintf("divided by its spread, %s, for the fit", format(unit, digits = digits))
}
