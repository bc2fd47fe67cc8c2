# Full conformal sets: the optimum with each new row and response added to those of the fit, as
# src/decide/conformal_full.h finds it.

# What the object keeps: the rows of the fit, and its problem.
conformal_full <- function(fit, task, refits) {
  counted <- which(task$weights > 0)
  if (is.finite(refits) && refits != 0) {
    abort_input(sprintf(paste(
      "`refits` is %s, but of method \"full\" each new row takes its own: give 0 for none, or Inf."
    ), format(refits)), "refits")
  }
  question <- conformal_question(fit, if (lambda_given(fit)) "lambda" else "cost")
  weights <- fit$settings$class_weights
  full <- list(x = in_core_form(task$x), question = question,
               frame = frame_of_fit(fit, move = question$free),
               # a new row has the weight 1
               omega = if (is.null(weights)) c(1, 1) else unname(weights),
               rescale = isTRUE(fit$settings$scale), unit = unit_of(fit), refits = refits,
               counted = counted)
  list(full = full, own = rep(NA_real_, length(counted)), model = rep(1L, length(counted)),
       counted = list(response = task$response[counted], rows = task$rows[counted],
                      given = task$given, frame = task$frame))
}

# steps: with the Hessian of the fit, at most.
asked_of_full <- function(object, group_new, steps = 12L) {
  full <- object$full
  group <- integer(NROW(full$x))
  group[full$counted] <- object$own$group
  storage.mode(group_new) <- "integer"
  list(group = group, group_new = group_new, omega = full$omega, steps = steps,
       refits = full$refits, rescale = full$rescale)
}

assert_usable <- function(found) {
  if (found$usable == 0) {
    stop(structure(
      class = c("dualmargin_numerical_error", "dualmargin_error", "error", "condition"),
      list(message = paste("The Hessian of the fit has no factor in double precision, so sets of",
                           "method \"full\" are not found; use method = \"cv+\", or a larger lambda."),
           call = NULL)
    ))
  }
  found
}

# group: of each new row and label (a column).
full_counts <- function(object, x, group, steps = 12L) {
  full <- object$full
  assert_usable(in_core(conformal_full_counts_cpp(
    full$x, full$frame, full$question, in_core_form(x), asked_of_full(object, group, steps)
  )))
}

# In the units of the response: a column of ends for each level, and of each new row, level after
# level, its pieces.
full_pieces <- function(object, x, group, level) {
  full <- object$full
  found <- assert_usable(in_core(conformal_full_pieces_cpp(
    full$x, full$frame, full$question, in_core_form(x), asked_of_full(object, cbind(group)),
    group_ranks(object, level)
  )))
  scaled <- c("lower", "upper", "off")
  found[scaled] <- lapply(found[scaled], `*`, full$unit)
  found$pieces <- lapply(found$pieces, function(one) {
    matrix(full$unit * one, ncol = 2L, dimnames = list(NULL, c("lower", "upper")))
  })
  found
}
