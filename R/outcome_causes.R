# Why a fit is not certified: what columns, penalty and rows have that makes a problem hard. Looked
# for where a fit ends without a certificate, in time O(nonzeros); a few numbers are kept.

# From here on it is worth a word: a mean this many standard deviations from zero, standard
# deviations that differ by this factor, a lambda this small beside 1 / (sum of weights).
far_mean <- 10
unequal_columns <- 100
vanishing_penalty <- 1e-3

# The first that is found, of a fit or of a path: a list of `what`, its figures and, for means far
# from zero, what to use; or NULL.
likely_cause <- function(fit, problem) {
  settled <- c("conditional", "not_separable", "not_finite")
  if (all(fit$certificate$certified) || any(fit$status$status %in% settled)) {
    return(NULL)
  }
  x <- problem$design$x
  moments <- if (!identical(fit$settings$kernel$name, "precomputed")) {
    column_frame(x, problem$omega)
  }
  cause <- far_columns(fit, moments)
  if (is.null(cause)) cause <- columns_of_unequal_scale(fit, moments)
  if (is.null(cause)) cause <- separable_rows(fit, problem$omega)
  cause
}

far_columns <- function(fit, moments) {
  varies <- which(moments$sd > 0)
  # a precomputed kernel has no columns
  if (length(varies) == 0L) {
    return(NULL)
  }
  ratio <- abs(moments$mean[varies]) / moments$sd[varies]
  if (!isTRUE(max(ratio) > far_mean)) {
    return(NULL)
  }
  use <- centring_of(fit)
  worst <- which.max(ratio)
  if (!is.null(use)) {
    list(what = "far", column = fit$features[varies[worst]], figure = ratio[worst], use = use)
  }
}

columns_of_unequal_scale <- function(fit, moments) {
  sd <- moments$sd
  varies <- which(sd > 0)
  if (isTRUE(fit$settings$scale) || length(varies) < 2L || !takes(fit, "scale") ||
        !isTRUE(max(sd) / min(sd[varies]) > unequal_columns)) {
    return(NULL)
  }
  small <- varies[which.min(sd[varies])]
  list(what = "unequal", column = fit$features[which.max(sd)], other = fit$features[small],
       figure = max(sd) / sd[small])
}

# All rows on their side of the boundary, and next to no penalty: coefficients grow without end.
separable_rows <- function(fit, omega) {
  lambda <- fit$settings$lambda
  # a path keeps no scores
  if (is.null(fit$scores) || is.null(lambda) || fit$task != "classification" ||
        inherits(fit$response, "soft_labels") || !is.null(fit$settings$mixup) ||
        is_joint(fit)) {
    return(NULL)
  }
  product <- lambda * sum(omega)
  worst <- which.max(fit$certificate$relative_gap)
  score <- if (is.matrix(fit$scores)) fit$scores[, worst] else fit$scores
  level <- fit$levels[if (is.matrix(fit$scores)) worst else 2L]
  own <- hard_response(fit) == level
  used <- omega > 0
  apart <- isTRUE(all(ifelse(own, score, -score)[used] > 0))
  if (apart && isTRUE(product <= vanishing_penalty)) list(what = "separable", figure = product)
}

# What this fit's function takes: advice never names what it lacks.
takes <- function(fit, argument) {
  argument %in% names(formals(family_of(fit)$of_matrix))
}

# What takes the means out of this problem, as an argument with its value; NULL where nothing is to
# be done: they are out already, or move nothing.
centring_of <- function(fit) {
  settings <- fit$settings
  if (isTRUE(settings$center)) {
    return(NULL)
  }
  kernel <- settings$kernel$name
  if (!is.null(kernel)) {
    moved <- kernel %in% c("polynomial", "linear", "ntk")
    return(if (moved && takes(fit, "center")) "center = TRUE" else if (moved) by_hand)
  }
  if (!is.null(settings$perturbation)) {
    # those of the values as they are refuse it
    steps <- vapply(settings$perturbation$steps, `[[`, "", "name")
    able <- takes(fit, "center") && !isTRUE(fit$sparse) && !any(steps %in% c("image", "custom"))
    return(if (able) "center = TRUE")
  }
  if (settings$intercept == "free" || (class_model(fit)$compared && length(fit$levels) > 2L)) {
    return(NULL)
  }
  loss <- if (is.null(settings$loss)) as_loss("hinge") else settings$loss
  mixture <- if (is.null(settings$mixture)) 0 else max(settings$mixture)
  row <- find_solver(settings$solver, family_name(fit))
  able <- check_solver(row, loss, "free", mixture)$ok
  paste0("intercept = \"free\"", if (!able) paste(" with", auto_solver(fit)))
}

by_hand <- "columns from which the mean has been subtracted"

# A sentence, "" where no cause was found.
cause_sentence <- function(fit) {
  cause <- fit$cause
  if (is.null(cause)) {
    return("")
  }
  plain <- cause$figure >= 1e-3 && cause$figure < 1e9
  figure <- format(signif(cause$figure, 2L), big.mark = ",", scientific = !plain)
  switch(
    cause$what,
    far = sprintf("The mean of column `%s` is %s times its standard deviation: use %s.",
                  cause$column, figure, cause$use),
    unequal = sprintf(paste(
      "Column `%s` has %s times the standard deviation of column `%s`: use scale = TRUE."
    ), cause$column, figure, cause$other),
    separable = sprintf(paste(
      "The rows are separable and lambda is only %s / (sum of weights), so that coefficients grow",
      "all but without end: use %s, or margin_hard()."
    ), figure, larger_penalty(fit))
  )
}
