# What a leave-one-out run solves, in rounds: first the rows whose class is open, with them those
# whose losses are known least, until the sum of the losses is known to `precision`.

# The ends for each class problem, and by what they were found. work: what core_removals() returns.
leave_out <- function(fit, work, sets, precision) {
  parts <- work$parts
  n <- nrow(parts[[1L]]$ends)
  state <- list(ends = lapply(parts, `[[`, "ends"), by = rep("bound", n),
                solved = logical(length(sets)), spent = logical(length(sets)))
  for (part in parts) state$by[unlist(sets[part$gone])] <- "no optimum"
  gone <- Reduce(`&`, lapply(parts, `[[`, "gone"))
  state$spent <- gone
  undecided <- if (fit$task == "regression") NA_integer_ else sum(open_classes(state$ends))
  # of several classes one step first, for all of them; then as many as it takes
  if (length(parts) > 1L) {
    todo <- !gone & any_of(open_classes(state$ends), sets)
    state <- solve_round(state, work, sets, list(todo = todo, once = TRUE))
  }
  for (round in 1:8) {
    aim <- next_aim(fit, state, sets, precision, first = round == 1L)
    if (!any(aim$todo)) break
    still <- still_open(fit, aim)
    state <- solve_round(state, work, sets, aim)
    left <- vapply(sets[aim$todo], function(out) {
      any(vapply(state$ends, function(ends) still(out, ends[out, , drop = FALSE]), NA))
    }, NA)
    state$spent[aim$todo] <- left
  }
  list(ends = state$ends, by = state$by, solved = sum(state$solved), undecided = undecided)
}

any_of <- function(rows, sets) vapply(sets, function(out) any(rows[out]), NA)

open_classes <- function(ends) !decide(bind_ends(ends, 1L), bind_ends(ends, 2L))$decided

open_classes_of <- function(fit, ends) {
  if (fit$task == "regression") logical(nrow(ends[[1L]])) else open_classes(ends)
}

# The sets of `todo`, each until it is as the aim has it for every class problem.
solve_round <- function(state, work, sets, aim) {
  for (k in seq_along(work$parts)) {
    which <- which(aim$todo & !work$parts[[k]]$gone)
    if (length(which) == 0L) next
    answers <- work$solve(k, which, aim)
    for (j in seq_along(which)) {
      out <- sets[[which[j]]]
      state$ends[[k]][out, ] <- narrowed(state$ends[[k]][out, , drop = FALSE], answers[[j]]$ends)
      state$by[out] <- answers[[j]]$how
      state$solved[which[j]] <- TRUE
    }
  }
  state
}

# Which sets are solved next, and to what width of its loss each row. The budget is `precision`
# times what the losses sum to at least; in the first round, when that is little, what they are in
# training, which no removal improves. Half of what solved rows leave of it is for the rows that
# stay as they are, the other half for those that are solved. spent: sets that rounding keeps wide.
next_aim <- function(fit, state, sets, precision, first) {
  todo <- !state$spent & any_of(open_classes_of(fit, state$ends), sets)
  losses <- left_out_losses(fit, state$ends)
  deep <- seq_along(state$by) %in% unlist(sets[todo])
  aim <- list(todo = todo, deep = deep, target = rep(Inf, length(state$by)))
  if (is.null(losses)) {
    return(aim)
  }
  width <- widths_of(losses)
  # an infinite loss is worth a step whatever the precision
  aim$todo <- todo | !state$spent & any_of(!is.finite(width), sets)
  if (precision == Inf) {
    return(aim)
  }
  least <- sum(losses[is.finite(losses[, 1L]), 1L])
  if (first) {
    trained <- left_out_losses(fit, training_ends(fit))
    least <- max(least, sum(trained[, 1L]))
  }
  of_set <- vapply(sets, function(out) sum(width[out]), 0)
  room <- precision * least - sum(of_set[state$spent & is.finite(of_set)])
  if (sum(of_set[!state$spent]) <= room || room <= 0) {
    return(aim)
  }
  by_width <- order(of_set)
  by_width <- by_width[!state$spent[by_width]]
  wide <- by_width[cumsum(of_set[by_width]) > room / 2]
  aim$todo[wide] <- TRUE
  at <- unlist(sets[wide])
  aim$target[at] <- room / 2 / length(at)
  aim
}

# Also of ends that are both infinite.
widths_of <- function(losses) {
  ifelse(losses[, 1L] == losses[, 2L], 0, losses[, 2L] - losses[, 1L])
}

# Is a class of the rows `out` open, or a loss wider than aimed at? ends: of one class problem.
still_open <- function(fit, aim) {
  several <- length(fit$levels) > 2L
  weight <- unname(fit$weights)
  function(out, ends) {
    if (several) {
      # the loss changes by no more than twice the sum of what the scores do
      width <- ends[, 2L] - ends[, 1L]
      far <- 2 * length(fit$levels) * weight[out] * width > aim$target[out]
      return(any(far | aim$deep[out]))
    }
    if (fit$task != "regression" && any(ends[, 1L] < 0 & ends[, 2L] >= 0)) {
      return(TRUE)
    }
    losses <- left_out_losses(fit, list(ends), out)
    if (is.null(losses)) {
      return(FALSE)
    }
    width <- widths_of(losses)
    any(!is.finite(width) | width > aim$target[out])
  }
}

# The decision values of the fit as ends.
training_ends <- function(fit) {
  scores <- unname(as.matrix(fit$scores)) / unit_of(fit)
  lapply(seq_len(ncol(scores)), function(k) cbind(scores[, k], scores[, k]))
}

# A row for each of the rows `at`: least and largest weighted loss within the ends, which sum to the
# left-out deviance of the logistic loss, or to the mean squared error of a regression; NULL for a
# loss that has neither. Rows without weight have 0.
left_out_losses <- function(fit, ends, at = seq_along(fit$weights)) {
  weight <- unname(fit$weights)
  lower <- bind_ends(ends, 1L)
  upper <- bind_ends(ends, 2L)
  found <- if (fit$task == "regression") {
    y <- unname(fit$response)[at] / unit_of(fit)
    weight <- weight / sum(weight)
    unit_of(fit)^2 * cbind(pmax(0, lower - y, y - upper), pmax(abs(lower - y), abs(upper - y)))^2
  } else if (!identical(loss_name(fit), "logistic")) {
    return(NULL)
  } else if (is.matrix(lower)) {
    2 * share_losses(lower, upper, as.integer(fit$response)[at])
  } else {
    positive <- as.integer(fit$response)[at] == 2L
    -2 * cbind(stats::plogis(ifelse(positive, upper, -lower), log.p = TRUE),
               stats::plogis(ifelse(positive, lower, -upper), log.p = TRUE))
  }
  found <- weight[at] * found
  found[weight[at] == 0, ] <- 0
  cbind(found[, 1L] * (1 - 1e-12), found[, 2L] * (1 + 1e-12))
}

# -log of the share p_y / sum p of one-vs-rest problems, p = 1/(1 + e^-z): falls in z_y and rises in
# the others.
share_losses <- function(lower, upper, own) {
  log_of <- function(z) matrix(stats::plogis(z, log.p = TRUE), nrow(z))
  one_end <- function(of_own, of_others, unknown) {
    at <- cbind(seq_along(own), own)
    ratio <- exp(of_others - of_own[at])
    ratio[at] <- 0
    ratio[is.nan(ratio)] <- unknown
    log1p(rowSums(ratio))
  }
  cbind(one_end(log_of(upper), log_of(lower), 0), one_end(log_of(lower), log_of(upper), Inf))
}
