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
  found <- if (has_kernel(fit) || loss_name(fit) %in% kinked_losses()) {
    left_out_solved(fit, task, sets, rule, refits)
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
  white <- if (ncol(found$white) > 0L) found$white # without it nothing is known of the optima
  last <- if (NCOL(white) > p) white[, p + 1L] else 0
  c(found[c("own", "own_half", "radius", "plain", "steps", "refitted")], list(
    coefficients = rbind(b, slopes / scales, deparse.level = 0),
    white = if (!is.null(white)) rbind(
      last - drop(white[, seq_len(p), drop = FALSE] %*% shift),
      t(white[, seq_len(p), drop = FALSE]) / scales, deparse.level = 0
    ),
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

# Kernels, and losses whose slope jumps: the optimum without each set by the steps, paths and refits
# of margin_loo(), all of it, and a ball around it.
left_out_solved <- function(fit, task, sets, rule, refits) {
  if (is.finite(refits)) {
    abort_input(sprintf(paste(
      "`refits` is %s, but of this fit (%s) every optimum without a row is solved; leave it out."
    ), format(refits), if (has_kernel(fit)) "by a kernel" else
      sprintf("by the loss \"%s\"", loss_name(fit))), "refits")
  }
  found <- core_removals(fit, task$x, sets, rule, coefficients = TRUE)[[1L]]
  if (!all(is.finite(found$radius))) abort_numerical(sum(!is.finite(found$radius)))
  model <- rep(seq_along(sets), lengths(sets))
  known <- (if (has_kernel(fit)) solved_functions else solved_columns)(
    fit, task$x, found, unlist(sets), model
  )
  c(known, list(
    own_half = found$radius[model] * known$own_length + known$lost[model] * (known$own_length + 1),
    radius = rep(Inf, length(sets)), plain = found$radius,
    steps = rep(NA_integer_, length(sets)), refitted = rep(FALSE, length(sets))
  ))
}

# own: of each of the rows `at` by the model that has not seen it.
solved_columns <- function(fit, x, found, at, model) {
  w <- drop(question_of_fit(fit)$w) + found$step
  p <- length(fit$features)
  scales <- unname(fit$scales)
  slopes <- w[seq_len(p), , drop = FALSE]
  b <- if (nrow(w) > p) w[p + 1L, ] else numeric(ncol(w))
  coefficients <- rbind(b, slopes / scales, deparse.level = 0)
  offset <- as.numeric(has_intercept(fit))
  x <- take_rows(x, at)
  own <- unname(Matrix::rowSums(x * t(coefficients[-1L, model, drop = FALSE]))) +
    coefficients[1L, model]
  list(coefficients = coefficients, scales = scales, offset = offset,
       lost = values_lost(slopes, b), own = own, own_length = row_lengths(x, scales) + offset)
}

# k(x, x) is 1, and 1 more where the intercept is penalised.
solved_functions <- function(fit, x, found, at, model) {
  question <- question_of_kernel(fit)
  kappa <- question$mu * sum(question$omega)
  beta <- drop(-question$omega * question$dual[, 1L] / kappa) + found$step
  penalized <- fit$settings$intercept == "penalized"
  half <- 0
  b <- if (penalized) colSums(beta) else numeric(ncol(beta))
  if (question$free) {
    b <- rowMeans(found$intercept)
    half <- (found$intercept[, 2L] - found$intercept[, 1L]) / 2
  }
  length <- sqrt(1 + penalized)
  machine <- without_rows(fit)
  machine$support <- expansion_rows(x, NULL, seq_len(nrow(beta)), fit$settings$kernel)
  left_out <- list(machine = machine, coefficients = rbind(b, beta, deparse.level = 0),
                   length = length, lost = half / (length + 1) +
                     2^-50 * (nrow(beta) + 3) * (colSums(abs(beta)) + abs(b)))
  values <- left_out_functions(left_out, take_rows(x, at))
  c(left_out, list(own = values[cbind(seq_along(at), model)], own_length = length))
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

# The rows that sets are counted over, and the groups within which they are.

# Rows that the fit has not seen: coded, with their response.
conformal_holdout <- function(fit, holdout) {
  labels <- NULL
  rows <- holdout
  refuse_file(rows, "holdout")
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
  if (named && !is.null(fit$terms) && by %in% all.vars(fit$terms[[2L]])) {
    abort_input(sprintf(paste(
      "`by` is \"%s\", the response, which is not known of new rows; use by = \"label\" for groups by",
      "class, or another column."
    ), by), "by")
  }
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

by_column <- function(frame, by) {
  if (!is.data.frame(frame) || !by %in% names(frame)) {
    abort_input(sprintf("`by` is \"%s\", which is neither \"label\" nor a column of %s.", readable(by),
                        if (is.data.frame(frame)) "the rows" else
                          "a data frame; give a vector along the rows"), "by")
  }
  as_levels(frame[[by]], "by")
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
    if (!is.data.frame(newdata) || !object$column %in% names(newdata)) {
      abort_input(sprintf("`newdata` has no column \"%s\", by whose levels the sets hold; give it, or `by`.",
                          readable(object$column)), "newdata")
    }
    as_levels(newdata[[object$column]], "newdata")
  } else {
    abort_input("`by` is missing: the sets hold by levels, so give a vector along `newdata`.", "by")
  }
  group <- match(values, object$groups, nomatch = 0L)
  group[is.na(values)] <- NA
  group
}
