# What must be true of every fit, whatever the family; what it says is compared with what the
# judges of the families find (helper-fuzz_linear.R says what they return).

known_status <- c("certified", "max_epochs", "max_seconds", "stalled", "rounding_floor",
                  "conditional", "invalid_bound", "not_separable", "no_fixed_point")

# A list of the problems found, each "what: numbers".
wrong <- function(what, ...) {
  numbers <- list(...)
  text <- vapply(numbers, function(v) paste(format(v, digits = 17), collapse = " "), "")
  paste0(what, ": ", paste(sprintf("%s = %s", names(numbers), text), collapse = ", "))
}

# Certificate and status agree with themselves, and with the warning.
check_words <- function(fit, warned) {
  ce <- fit$certificate
  status <- fit$status$status
  found <- character()
  say <- function(...) found <<- c(found, wrong(...))
  maximum <- ce$kind[1L] == "margin interval"
  if (anyNA(unlist(ce[c("value", "bound", "gap", "relative_gap", "certified")]))) {
    say("NA in the certificate", value = ce$value, bound = ce$bound, gap = ce$gap)
    return(found)
  }
  if (any(!is.finite(ce$value) & !maximum)) say("value not finite", value = ce$value)
  if (!all(status %in% known_status)) say("unknown status", status = status)
  if (any(ce$certified != (status == "certified"))) {
    say("certified and status differ", certified = ce$certified, status = status)
  }
  if (any(ce$certified & !(ce$relative_gap <= ce$tol))) {
    say("certified above tol", relative_gap = ce$relative_gap, tol = ce$tol)
  }
  excused <- status %in% c("conditional", "invalid_bound", "not_separable") |
    is_search_cut(fit, status)
  if (any(!ce$certified & ce$relative_gap <= ce$tol & !excused)) {
    say("not certified within tol", relative_gap = ce$relative_gap, tol = ce$tol, status = status)
  }
  both <- is.finite(ce$value) & is.finite(ce$bound)
  if (any(both & off_difference(fit) > 8 * eps * (abs(ce$value) + abs(ce$bound)))) {
    say("gap is not the difference", value = ce$value, bound = ce$bound, gap = ce$gap)
  }
  if (any(ce$gap < 0)) say("negative gap", gap = ce$gap, value = ce$value, bound = ce$bound)
  warnings <- sum(warned$class == "dualmargin_not_certified")
  if (warnings != as.integer(!all(ce$certified))) {
    say("warning and certified differ", warnings = warnings, certified = ce$certified)
  }
  if (any(warned$class == "other")) {
    found <- c(found, paste("another warning:", warned$message[warned$class == "other"][1L]))
  }
  if (!all(is.finite(unlist(fit$coefficients)))) say("coefficients not finite")
  if (any(!is.finite(fit$status$epochs) | fit$status$epochs < 0)) {
    say("epochs", epochs = fit$status$epochs)
  }
  found
}

# How far a gap is from the difference of value and bound. Beside a bound of 0, the least value of a
# loss, the gap of an augmented fit goes up to the limit of F(w) - F*, which has rounding of its own.
off_difference <- function(fit) {
  ce <- fit$certificate
  less <- if (ce$kind[1L] == "margin interval") ce$bound - ce$value else ce$value - ce$bound
  more <- less
  if (!is.null(fit$suboptimality)) {
    more <- ifelse(ce$bound == 0, pmax(less, fit$suboptimality), less)
  }
  pmax(less - ce$gap, ce$gap - more, 0)
}

# By how much the size of the residuals that Huber's delta counts is off that of the residuals, at
# least or, `most`, at most, as rounding of the residuals has it: 0 where delta counts something else.
off_fixed_point <- function(fit, most = FALSE) {
  of_residuals <- !is.null(fit$residual_scale) ||
    identical(fit$settings$loss$found$unit, "residual")
  if (!of_residuals || !inherits(fit, "margin_linear")) {
    return(0)
  }
  size <- huber_scale(fit)
  used <- fit$weights > 0
  r <- abs(fit$response - fit$scores)[used]
  median <- weighted_median(r, fit$weights[used]) / 0.6745
  rounding <- 64 * eps * (max(abs(fit$response)) + max(abs(fit$scores)))
  max(0, abs(median - size) + (if (most) rounding else -rounding)) / size
}

# A certificate of the problem of another size of the residuals is none of the problem that was
# asked for: the search was cut short, or has no end.
is_search_cut <- function(fit, status) {
  status %in% c("max_epochs", "max_seconds", "no_fixed_point") & off_fixed_point(fit, most = TRUE) > 0.9e-8
}

check_fixed_point <- function(fit) {
  off <- off_fixed_point(fit)
  certified <- all(fit$certificate$certified)
  if (certified && off > 2e-8) wrong("certified off the fixed point", by = off) else character()
}

# A minimum. `found`: from a judge, one class problem; row: of the certificate.
check_minimum <- function(row, status, found) {
  out <- character()
  say <- function(...) out <<- c(out, wrong(...))
  P <- found$primal
  D <- found$dual
  # told by check_words()
  if (anyNA(row[c("value", "bound", "gap", "relative_gap")])) {
    return(out)
  }
  bound_holds <- status != "conditional" && !grepl("norm <=", row$kind)
  loose <- function(name) if (is.null(found[[name]])) 0 else found[[name]]
  if (!all(is.finite(unlist(found[c("primal_slack", "dual_slack", "loose", "dual_loose")])))) {
    return(out)
  }
  if (!is.finite(P) || is.na(D)) {
    return(out)
  }
  if (abs(row$value - P) > 32 * found$primal_slack + loose("loose") + 1e-300) {
    say("value is not that of coef()", value = row$value, exact = P, slack = found$primal_slack)
  }
  if (bound_holds && is.finite(row$bound) &&
        row$bound > D + found$dual_slack + loose("dual_loose") + 1e-300) {
    say("bound above that of the dual point", bound = row$bound, exact = D,
        slack = found$dual_slack, value = row$value)
  }
  if (!is.null(found$out) && found$out > 8 * eps) {
    say("dual variable outside its domain", by = found$out)
  }
  size <- max(abs(P), abs(D), 1e-10 * found$null)
  # the yardstick 1e-10 P(null) counts only where both objectives are about zero
  stated <- max(abs(row$value), abs(row$bound), 1e-10 * found$null * 1.001)
  if (is.finite(row$bound) && isTRUE(row$relative_gap < row$gap / stated * (1 - 1e-9))) {
    say("relative gap of another yardstick", relative_gap = row$relative_gap, gap = row$gap,
        value = row$value, bound = row$bound, null = found$null)
  }
  if (row$certified && P - D > row$tol * size * (1 + 1e-9) +
        2 * found$primal_slack + found$dual_slack) {
    say("FALSE CERTIFICATE", value = row$value, bound = row$bound, primal = P, dual = D,
        tol = row$tol, slack = found$primal_slack, dual_slack = found$dual_slack)
  }
  out
}

# No bound on the way is above the value at the end; those of kernels are estimates.
check_trace <- function(fit, k, value, slack) {
  trace <- fit$trace
  row <- fit$certificate[k, ]
  if (!is.na(row$class)) trace <- trace[trace$class == row$class, ]
  bound <- trace$bound[is.finite(trace$bound)]
  found <- character()
  if (anyNA(trace[c("epoch", "seconds", "value", "gap")])) found <- "NA in the trace"
  if (any(diff(trace$epoch) < 0)) found <- c(found, "epochs of the trace fall")
  if (length(bound) > 0L && !grepl("norm <=", row$kind) && is.finite(value + slack) &&
        max(bound) > value + slack) {
    found <- c(found, wrong("a bound of the trace above the value", bound = max(bound),
                            value = value, slack = slack))
  }
  found
}

# The bound against objectives at other points, each already with its slack.
check_crossing <- function(row, status, others, slack = 0) {
  others <- others[is.finite(others)]
  if (status == "conditional" || grepl("norm <=", row$kind) || !is.finite(row$bound) ||
        length(others) == 0L) {
    return(character())
  }
  low <- which.min(others)
  if (row$bound > others[low] + slack + 16 * eps * abs(row$bound)) {
    return(wrong("bound above another point", bound = row$bound, other = others[[low]],
                 which = names(others)[low], certified = row$certified))
  }
  character()
}
