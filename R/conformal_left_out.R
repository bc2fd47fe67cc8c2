# The jackknife+: the optima without each row, as src/decide/conformal_left_out.h finds them, and
# the sets that they give. All in the units of the solved problem.

# groups: NULL, or the group of each row of the task: what leaves together. steps: with the Hessian
# of the fit, at most.
conformal_left_out <- function(fit, task, refits, groups = NULL, steps = 12L) {
  counted <- which(task$weights > 0)
  sets <- if (is.null(groups)) as.list(counted) else
    unname(split(counted, droplevels(groups[counted])))
  if (length(sets) < 2L) {
    abort_input(sprintf(
      "`data` has one %s that counts, without which there is no fit; give more.",
      if (is.null(groups)) "row" else "group"
    ), "data")
  }
  assert_classes_left(task, counted, sets, groups)
  # what the call was given stays as rows leave
  rule <- if (lambda_given(fit)) "lambda" else "cost"
  found <- if (has_kernel(fit)) {
    left_out_kernel(fit, task, sets, rule, refits)
  } else if (loss_name(fit) %in% kinked_losses()) {
    left_out_kinks(fit, task, sets, rule, refits)
  } else {
    left_out_smooth(fit, task, sets, rule, refits, steps)
  }
  order <- match(counted, unlist(sets))
  model <- rep(seq_along(sets), lengths(sets))[order]
  y <- problem_response(fit, 1L)[counted]
  own <- found$own[order]
  share <- 1 / lengths(sets)[model]
  parts <- c("coefficients", "white", "scales", "offset", "machine", "length")
  left_out <- c(found[intersect(parts, names(found))], list(
    unit = unit_of(fit),
    known = c(list(sign = y, y = y, own = own, own_half = found$own_half[order], share = share),
              found[c("radius", "plain", "lost")]),
    steps = found$steps, refitted = found$refitted
  ))
  strange <- if (fit$task == "regression") unit_of(fit) * abs(y - own) else -y * own
  list(left_out = left_out, own = strange, model = model,
       share = if (!is.null(groups)) share,
       counted = list(response = task$response[counted], rows = task$rows[counted],
                      given = task$given, frame = task$frame))
}

# Of the problem as it was solved: rows moved to their means where the intercept is free.
left_out_smooth <- function(fit, task, sets, rule, refits, steps) {
  question <- conformal_question(fit, rule)
  found <- in_core(conformal_left_out_cpp(
    in_core_form(task$x), frame_of_fit(fit, move = question$free), question,
    list(sets = sets, steps = steps, refits = refits, rescale = isTRUE(fit$settings$scale))
  ))
  if (!all(is.finite(pmin(found$radius, found$plain))) && is.infinite(refits)) {
    abort_numerical(sum(!is.finite(pmin(found$radius, found$plain))))
  }
  p <- length(fit$features)
  scales <- unname(fit$scales)
  slopes <- found$w[seq_len(p), , drop = FALSE]
  shift <- found$offset[seq_len(p)]
  constant <- if (nrow(found$w) > p) found$w[p + 1L, ] else 0
  b <- found$b - drop(crossprod(slopes, shift)) + constant
  white <- found$white
  last <- if (ncol(white) > p) white[, p + 1L] else 0
  c(found[c("own", "own_half", "radius", "plain", "steps", "refitted")], list(
    coefficients = rbind(b, slopes / scales, deparse.level = 0),
    white = rbind(last - drop(white[, seq_len(p), drop = FALSE] %*% shift),
                  t(white[, seq_len(p), drop = FALSE]) / scales, deparse.level = 0),
    scales = scales, offset = sqrt(sum(shift^2)) + has_intercept(fit),
    lost = values_lost(slopes, found$b + constant)
  ))
}

# Times the length of a new row, which counts the shift: |b| is at most |b + constant| of the moved
# rows and the slopes times that.
values_lost <- function(slopes, constant) {
  2^-50 * (nrow(slopes) + 3) * (sqrt(colSums(slopes^2)) + abs(constant))
}

conformal_question <- function(fit, rule) {
  question <- c(question_of_fit(fit), list(rule = rule))
  question$y <- question$y[, 1L]
  question
}

# Losses whose slope jumps: the way from the fit to the optimum without a set, from kink to kink, as
# margin_loo() has it, and a ball around where it ends.
left_out_kinks <- function(fit, task, sets, rule, refits) {
  assert_all_solved(fit, refits)
  found <- coefficients_without(fit, task$x, sets, rule)[[1L]]
  if (!all(is.finite(found$radius))) abort_numerical(sum(!is.finite(found$radius)))
  w <- drop(question_of_fit(fit)$w) + found$step
  p <- length(fit$features)
  scales <- unname(fit$scales)
  slopes <- w[seq_len(p), , drop = FALSE]
  b <- if (nrow(w) > p) w[p + 1L, ] else numeric(ncol(w))
  coefficients <- rbind(b, slopes / scales, deparse.level = 0)
  lost <- values_lost(slopes, b)
  offset <- as.numeric(has_intercept(fit))
  at <- unlist(sets)
  model <- rep(seq_along(sets), lengths(sets))
  x <- take_rows(task$x, at)
  length <- row_lengths(x, scales) + offset
  own <- unname(Matrix::rowSums(x * t(coefficients[-1L, model, drop = FALSE]))) +
    coefficients[1L, model]
  list(coefficients = coefficients, white = NULL, scales = scales, offset = offset, own = own,
       own_half = found$radius[model] * length + lost[model] * (length + 1),
       radius = rep(Inf, length(sets)), plain = found$radius, lost = lost,
       steps = rep(NA_integer_, length(sets)), refitted = rep(FALSE, length(sets)))
}

row_lengths <- function(x, scales) {
  square <- if (isS4(x)) methods::as(x, "CsparseMatrix")^2 else x^2
  unname(sqrt(drop(as.matrix(square %*% scales^-2))))
}

abort_numerical <- function(open) {
  stop(structure(
    class = c("dualmargin_numerical_error", "dualmargin_error", "error", "condition"),
    list(message = sprintf(paste(
      "The optimum without a row is not found in double precision for %s; use method = \"cv+\", a",
      "larger lambda, or refits = 0, for which sets are larger."
    ), count(open, "row")), call = NULL)
  ))
}

assert_classes_left <- function(task, counted, sets, groups) {
  if (!is.factor(task$response)) {
    return(invisible())
  }
  class <- as.integer(task$response)
  all <- tabulate(class[counted], length(task$levels))
  for (set in sets) {
    lost <- which(all > 0L & tabulate(class[set], length(task$levels)) == all)
    if (length(lost) == 0L) next
    abort_input(sprintf(paste(
      "`data` has %s of class \"%s\"%s, without which the fit would know no such class; leave the",
      "class out, or use method = \"split\" with `holdout`."
    ), if (is.null(groups)) "one row" else count(all[lost[1L]], "row"), task$levels[lost[1L]],
    if (is.null(groups)) "" else ", all in one group"), "data")
  }
}

# Of new rows: f without each set, and the norms that the radii are in.
left_out_values <- function(left_out, x) {
  if (!is.null(left_out$machine)) {
    return(list(values = left_out_functions(left_out, x), norm = rep(1, nrow(x)),
                length = rep(left_out$length, nrow(x))))
  }
  scored <- function(coefficients) unname(as.matrix(linear_scores(x, coefficients, TRUE)))
  white <- left_out$white
  list(values = scored(left_out$coefficients),
       norm = if (is.null(white)) rep(1, nrow(x)) else sqrt(rowSums(scored(white)^2)) * (1 + 1e-9),
       length = row_lengths(x, left_out$scales) + left_out$offset)
}

known_of_core <- function(object) {
  c(object$left_out$known,
    list(group = object$own$group, model = object$own$model,
         threads = resolve_threads(object$fit$settings$control$threads)))
}

# lower, upper: a column for each level; off: how far they can be from the exact ones.
left_out_ends <- function(object, x, group, needs) {
  new <- left_out_values(object$left_out, x)
  found <- in_core(conformal_left_out_ends_cpp(known_of_core(object), new$values, new$norm,
                                               new$length, group, needs))
  lapply(found, function(value) object$left_out$unit * value)
}

# group: of each new row and label (a column).
left_out_counts <- function(object, x, group) {
  new <- left_out_values(object$left_out, x)
  in_core(conformal_label_counts_cpp(known_of_core(object), new$values, new$norm, new$length,
                                     group))
}
