# What is kept of a leave-one-out run.

new_loo <- function(fit, found, at, groups, rule, precision) {
  lower <- bind_ends(found$ends, 1L)
  upper <- bind_ends(found$ends, 2L)
  table <- data.frame(row = at)
  if (!is.null(groups)) table$group <- groups
  table$observed <- fit$response
  unit <- unit_of(fit)
  scores <- scores_against(fit, fit$scores, as.integer(fit$response))
  table <- cbind(table, levels_side_by_side("score", scores, unit * lower, unit * upper,
                                            fit$levels))
  if (fit$task == "regression") {
    table$by <- found$by
  } else {
    index <- decide(lower, upper)
    open <- !index$decided
    tie <- open & is_tie(lower, upper, unname(fit$scores))
    found$by[open] <- ifelse(tie[open], "tie", "open")
    # of a tie what predict() makes of it: the positive class, or the first of equal ones
    class <- ifelse(tie, class_of_scores(tied_scores(lower, upper)), index$class)
    own <- as.integer(fit$response)
    table$class <- as_response(fit, class)
    table$by <- found$by
    table$wrong <- class != own
    table$wrong_in_training <- unname(class_of_scores(fit$scores)) != own
  }
  rownames(table) <- NULL
  new_object(list(
    rows = table, summary = loo_summary(fit, table, lower, upper, found),
    weights = unname(fit$weights), levels = fit$levels, task = fit$task,
    loss = fit$settings$loss, lambda = fit$settings$lambda, rule = rule,
    grouped = !is.null(groups), precision = precision, certificate = worst_certificate(fit$certificate)
  ), "margin_loo")
}

# Are the decision values 0, or those of all classes that can win equal, as far as doubles tell? A
# score known by a duality gap that vanishes to rounding, u = 2^-53, is known to u^(1/2).
is_tie <- function(lower, upper, scores) {
  room <- sqrt(unit_roundoff) * max(1, abs(scores))
  if (!is.matrix(lower)) {
    return(pmax(abs(lower), abs(upper)) <= room)
  }
  wins <- upper >= apply(lower, 1L, max)
  apply(ifelse(wins, upper, -Inf), 1L, max) - apply(ifelse(wins, lower, Inf), 1L, min) <= room
}

# Scores of which the first winner of each row of several classes is the largest; 0 of two.
tied_scores <- function(lower, upper) {
  if (!is.matrix(lower)) 0 * seq_along(lower) else 1 * (upper >= apply(lower, 1L, max))
}

loo_summary <- function(fit, table, lower, upper, found) {
  weight <- unname(fit$weights)
  used <- weight > 0
  share <- weight / sum(weight)
  total <- if (!is.null(found$losses)) colSums(found$losses)
  # how far the sum is open, in units of what it is at least
  reached <- if (!is.null(total)) if (total[1L] == total[2L]) 0 else diff(total) / total[1L]
  if (fit$task == "regression") {
    off <- unname(fit$response) - unname(fit$scores)
    return(data.frame(nobs = sum(used), training_mse = sum(share * off^2), mse_lower = total[1L],
                      mse_upper = total[2L], precision = reached, solved = found$solved))
  }
  by <- table$by[used]
  certain <- table$wrong[used] & by != "tie"
  unsure <- sum(by %in% c("tie", "open"))
  wrong <- sum(certain, na.rm = TRUE)
  result <- data.frame(
    nobs = sum(used), training_errors = sum(table$wrong_in_training[used]),
    errors = sum(table$wrong[used]), errors_lower = wrong, errors_upper = wrong + unsure,
    error = sum((share * table$wrong)[used]), ties = sum(by == "tie"), open = sum(by == "open"),
    undecided = found$undecided, solved = found$solved
  )
  if (!is.null(total)) {
    result$deviance_lower <- total[1L]
    result$deviance_upper <- total[2L]
    if (length(fit$levels) == 2L) {
      sign <- 2 * as.integer(fit$response) - 3
      brier <- function(z) sum((share * stats::plogis(-sign * z)^2)[used])
      ends <- c(brier(ifelse(sign > 0, upper, lower)), brier(ifelse(sign > 0, lower, upper)))
      result$brier_lower <- ends[1L] * (1 - 1e-12)
      result$brier_upper <- ends[2L] * (1 + 1e-12)
    }
    result$precision <- reached
  }
  result
}

#' @exportS3Method
as.data.frame.margin_loo <- as.data.frame.margin_flips

#' @exportS3Method
tidy.margin_loo <- tidy.margin_flips

#' @exportS3Method
glance.margin_loo <- glance.margin_flips

#' @exportS3Method
summary.margin_loo <- summary.margin_flips
