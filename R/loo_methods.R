# What a person reads of a leave-one-out run.

new_loo <- function(fit, found, at, groups, rule) {
  lower <- bind_ends(found$ends, 1L)
  upper <- bind_ends(found$ends, 2L)
  table <- data.frame(row = at)
  if (!is.null(groups)) table$group <- groups
  table$observed <- fit$response
  unit <- unit_of(fit)
  table <- cbind(table, levels_side_by_side("score", fit$scores, unit * lower, unit * upper,
                                            fit$levels))
  if (fit$task == "regression") {
    table$by <- found$by
  } else {
    index <- decide(lower, upper)
    open <- !index$decided
    found$by[open] <- "tie"
    middle <- if (is.matrix(lower)) (lower + upper) / 2 else 0 * seq_along(lower)
    middle[!is.finite(middle)] <- 0
    class <- ifelse(open, class_of_scores(middle), index$class)
    own <- as.integer(fit$response)
    table$class <- as_response(fit, class)
    table$by <- found$by
    table$wrong <- class != own
    table$wrong_in_training <- unname(class_of_scores(fit$scores)) != own
  }
  rownames(table) <- NULL
  structure(
    list(rows = table, summary = loo_summary(fit, table, lower, upper, found),
         weights = unname(fit$weights), levels = fit$levels, task = fit$task,
         loss = fit$settings$loss, lambda = fit$settings$lambda, rule = rule,
         grouped = !is.null(groups), certificate = worst_certificate(fit$certificate),
         version = own_version()),
    class = "margin_loo"
  )
}

loo_summary <- function(fit, table, lower, upper, found) {
  weight <- unname(fit$weights)
  used <- weight > 0
  share <- weight / sum(weight)
  if (fit$task == "regression") {
    y <- unname(fit$response) / unit_of(fit)
    near <- pmax(0, lower - y, y - upper)
    far <- pmax(abs(lower - y), abs(upper - y))
    mse <- function(off) unit_of(fit)^2 * sum((share * off^2)[used])
    off <- unname(fit$response) - unname(fit$scores)
    return(data.frame(nobs = sum(used), training_mse = sum(share * off^2),
                      mse_lower = mse(near), mse_upper = mse(far), solved = found$solved))
  }
  result <- data.frame(
    nobs = sum(used), training_errors = sum(table$wrong_in_training[used]),
    errors = sum(table$wrong[used]), error = sum((share * table$wrong)[used]),
    ties = sum(table$by[used] == "tie"), undecided = found$undecided, solved = found$solved
  )
  if (identical(loss_name(fit), "logistic") && length(fit$levels) == 2L) {
    sign <- 2 * as.integer(fit$response) - 3
    ends <- cbind(ifelse(sign > 0, upper, -lower), ifelse(sign > 0, lower, -upper))
    total <- function(f, margin) sum((weight * f(margin))[used])
    deviance <- function(margin) 2 * (pmax(0, -margin) + log1p(exp(-abs(margin))))
    brier <- function(margin) stats::plogis(-margin)^2 / sum(weight)
    rounding <- 1 + c(-1, 1) * 1e-12
    result$deviance_lower <- total(deviance, ends[, 1L]) * rounding[1L]
    result$deviance_upper <- total(deviance, ends[, 2L]) * rounding[2L]
    result$brier_lower <- total(brier, ends[, 1L]) * rounding[1L]
    result$brier_upper <- total(brier, ends[, 2L]) * rounding[2L]
  }
  result
}

#' @exportS3Method
as.data.frame.margin_loo <- function(x, ...) {
  assert_no_extra("as.data.frame()", ...)
  x$rows
}

#' @exportS3Method
tidy.margin_loo <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(x$rows)
}

#' @exportS3Method
glance.margin_loo <- function(x, ...) {
  assert_no_extra("glance()", ...)
  as_tibble_if_installed(x$summary)
}

#' @exportS3Method
print.margin_loo <- function(x, digits = 4L, ...) {
  assert_no_extra("print()", ...)
  s <- x$summary
  what <- if (x$grouped) "leave-group-out" else "leave-one-out"
  range <- function(name) {
    ends <- c(s[[paste0(name, "_lower")]], s[[paste0(name, "_upper")]])
    if (!is.null(ends)) sprintf("from %s to %s", format(ends[1L], digits = digits),
                                format(ends[2L], digits = digits))
  }
  errors <- function(n) {
    sprintf("%s of %s (%s %%)", format(n, big.mark = ","), count(s$nobs, "row"),
            format(100 * n / s$nobs, digits = 3L))
  }
  lines <- if (x$task == "regression") {
    c("training" = paste("mean squared error", format(s$training_mse, digits = digits)),
      "left out" = paste("mean squared error", range("mse")))
  } else {
    c("training error" = errors(s$training_errors),
      "left-out error" = paste0(errors(s$errors), if (s$ties > 0L) {
        sprintf(", with %s", count(s$ties, "tie"))
      } else {
        ", proven"
      }),
      "left-out deviance" = range("deviance"), "left-out Brier score" = range("brier"))
  }
  lines <- c(lines, "solved again" = sprintf(
    "%s%s, the others follow from the fit", count(s$solved, if (x$grouped) "group" else "row"),
    if (x$task == "regression" || x$grouped) "" else
      sprintf(" (%s to decide the class)", format(s$undecided, big.mark = ","))
  ))
  cat(sprintf("<margin_loo> %s, rule \"%s\", %s loss, lambda = %s\n", what, x$rule,
              format(x$loss), format(x$lambda, digits = digits)))
  cat(key_lines(lines), sep = "\n")
  cat(fold_lines(paste("Proven is what exact optima without these rows predict; the error on rows",
                       "of the population has a variance that this does not speak of.")),
      sep = "\n")
  invisible(x)
}

#' @exportS3Method
plot.margin_loo <- function(x, ...) {
  table <- x$rows
  if (x$task == "regression" || length(x$levels) > 2L) {
    abort_input(paste(
      "`x` is no leave-one-out run of two classes, of which alone the margins are drawn;",
      "as.data.frame(x) has every row."
    ), "x")
  }
  sign <- ifelse(as.character(table$observed) == x$levels[2L], 1, -1)
  if (!is.factor(table$observed)) sign <- 2 * as.integer(as.factor(table$observed)) - 3
  within <- function(v) pmin(1e6, pmax(-1e6, v))
  left <- sign * (within(table$lower) + within(table$upper)) / 2
  trained <- sign * table$score
  changed <- table$wrong != table$wrong_in_training
  drawn <- data.frame(row = table$row, trained = trained, left_out = left,
                      low = pmin(sign * table$lower, sign * table$upper),
                      high = pmax(sign * table$lower, sign * table$upper), changed = changed)
  colours <- margin_colours(2L)
  span <- range(trained, left[abs(left) < 1e5])
  draw(graphics::plot, list(
    x = trained, y = pmin(pmax(left, span[1L]), span[2L]), pch = 20L, cex = 0.5,
    col = grDevices::adjustcolor("grey40", 0.5), ylim = span,
    xlab = "margin in training", ylab = "margin without the row",
    main = sprintf("%s on the other side when left out", count(sum(changed), "row"))
  ), list(...))
  graphics::abline(0, 1, col = "grey70")
  graphics::abline(h = 0, v = 0, lty = 2, col = "grey40")
  at <- drawn[changed, ]
  graphics::segments(at$trained, pmax(at$low, span[1L]), at$trained, pmin(at$high, span[2L]),
                     col = colours[1L])
  graphics::points(at$trained, at$left_out, pch = 19L, col = colours[1L])
  invisible(drawn)
}
