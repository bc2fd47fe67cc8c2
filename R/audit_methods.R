# What is read from an audit.

#' @rdname margin_audit
#' @param object An audit; the methods of `print()` and the like call it `x`.
#' @export
refit.margin_audit <- function(object, ...) {
  assert_no_extra("refit()", ...)
  if (!is.null(object$fits[[1L]]$solution)) {
    abort_input(paste("`object` is the audit of a fit by landmarks, in which the whole kernel's",
                      "problem is bounded and not solved; fit it with nystrom = NULL."), "object")
  }
  single <- length(object$fits) == 1L && length(object$columns) == 0L
  if (single) {
    return(object$fits[[1L]])
  }
  structure(object[c("fits", "columns", "names", "vote", "threshold", "pairs", "levels", "response", "title")],
            class = "audit_refit")
}

#' @rdname margin_audit
#' @param newdata For `predict()` of what `refit()` returned: rows as the package takes them.
#' @param type `"response"`, the class or the number, or `"score"`: decision values, a column for
#'   each problem.
#' @export
predict.audit_refit <- function(object, newdata, type = c("response", "score"), ...) {
  assert_no_extra("predict()", ...)
  type <- one_of(type, c("response", "score"), "type")
  rows <- audited_columns(object$columns, audited_rows_of(object$columns, newdata, "newdata",
                                                          "the package", object$names))
  scores <- do.call(cbind, lapply(object$fits, function(fit) {
    unname(as.matrix(stats::predict(fit, rows, type = "score")))
  }))
  if (!is.null(object$response)) {
    scores <- scores * object$response$scale + object$response$center
  }
  if (type == "score") {
    return(scores)
  }
  if (is.null(object$levels)) {
    return(unname(scores[, 1L]))
  }
  factor(object$levels[vote_of(object, scores, scores)], object$levels)
}

#' @rdname margin_audit
#' @usage NULL
#' @export
print.audit_refit <- function(x, ...) {
  assert_no_extra("print()", ...)
  cat(sprintf("<audit_refit> %s, solved again: %s\n", x$title, count(length(x$fits), "problem")))
  for (fit in x$fits) cat(sprintf("  %s\n", describe_certificate(fit, 3L)[1L]))
  invisible(x)
}

#' @rdname certificate
#' @export
certificate.margin_audit <- function(fit, by = c("worst", "class"), ...) {
  assert_no_extra("certificate()", ...)
  by <- one_of(by, c("worst", "class"), "by")
  table <- fit$excess
  frame <- data.frame(
    kind = "audit", class = if (nrow(table) == 1L) NA_character_ else table$problem,
    value = table$value, bound = table$bound, gap = table$to, relative_gap = table$relative_gap,
    tol = fit$tol, certified = table$certified, assumes = fit$assumes
  )
  if (by == "class") frame else worst_certificate(frame)
}

#' @rdname certificate
#' @usage NULL
#' @export
certificate.LiblineaR <- function(fit, ...) certificate(margin_audit(fit, ...))

#' @rdname certificate
#' @usage NULL
#' @export
certificate.glmnet <- certificate.LiblineaR

#' @rdname certificate
#' @usage NULL
#' @export
certificate.cv.glmnet <- certificate.LiblineaR

#' @rdname certificate
#' @usage NULL
#' @export
certificate.svm <- certificate.LiblineaR

#' @rdname certificate
#' @usage NULL
#' @export
certificate.ksvm <- certificate.LiblineaR

#' @rdname certificate
#' @usage NULL
#' @export
certificate.glm <- certificate.LiblineaR

#' @rdname certificate
#' @usage NULL
#' @export
certificate.multinom <- certificate.LiblineaR

#' @rdname certificate
#' @usage NULL
#' @export
certificate.rlm <- certificate.LiblineaR

#' @rdname certificate
#' @usage NULL
#' @export
certificate.lassorq <- certificate.LiblineaR

#' @rdname certificate
#' @usage NULL
#' @export
certificate.numeric <- certificate.LiblineaR

# ---- In print ----

#' @rdname margin_audit
#' @param digits Significant digits.
#' @export
print.margin_audit <- function(x, digits = 4L, ...) {
  assert_no_extra("print()", ...)
  number <- function(value) format(value, digits = digits)
  table <- x$excess
  worst <- table[which.max(table$relative_gap), ]
  several <- nrow(table) > 1L
  cat(fold_lines(sprintf("<margin_audit> %s: %s, %s, %s", x$title, count(x$nobs, "row"),
                         count(x$features, "column"), count(nrow(table), "problem"))), sep = "\n")
  cause <- audit_cause(x)
  lines <- c(
    verdict = x$verdict,
    here = x$here,
    value = sprintf(
      "%s; the optimum is at least %s%s", number(worst$value), number(worst$bound),
      if (several) sprintf(" (%s, the worst of %d)", worst$problem, nrow(table)) else ""
    ),
    excess = sprintf("%s to %s above the optimum, of which rounding is at most %s",
                     percent_words(worst$relative_from), percent_words(worst$relative_to),
                     percent_words(worst$rounding / max(abs(c(worst$bound, worst$value))))),
    "own dual" = if (!anyNA(table$dual_short)) {
      sprintf("%s below the optimum, at most", percent_words(max(table$dual_short / abs(table$value))))
    },
    training = change_words(x$training, x, number),
    "new rows" = if (!is.null(x$new)) change_words(x$new, x, number),
    "why, perhaps" = cause,
    assumes = if (nzchar(x$assumes)) x$assumes,
    "best fit" = if (is.null(x$fits[[1L]]$solution)) "refit(audit)"
  )
  cat(key_lines(lines), sep = "\n")
  invisible(x)
}

percent_words <- function(share, digits = 3L) {
  if (!is.finite(share)) "unknown" else if (share == 0) "0" else
    if (share < 1e-4) format(share, digits = 2) else
      sprintf("%s %%", grouped(100 * share, digits = digits, scientific = FALSE))
}

change_words <- function(rows, audit, number) {
  if (is.null(audit$levels)) {
    moved <- sprintf(
      "predictions move by %s%s", number(rows$moved), if (is.null(rows$spread)) "" else
        sprintf(" at most, %s of the residuals' sd", percent_words(rows$moved / rows$spread))
    )
    return(paste0(moved, if (!is.null(rows$before)) {
      paste0("; rmse ", number(rows$before),
             if (!is.na(rows$after)) sprintf(", of the optimum %s", number(rows$after)))
    }, unproven_words(rows)))
  }
  paste0(
    sprintf("%s of %s get another class", grouped(rows$changed),
            grouped(rows$n)),
    if (rows$open > 0L) sprintf(", %s undecided", grouped(rows$open)),
    if (!is.null(rows$before)) {
      paste0("; accuracy ", format(round(rows$before, 4)), if (!is.na(rows$after)) {
        sprintf(", of the optimum %s", format(round(rows$after, 4)))
      })
    },
    if (!is.null(rows$prob_moved)) sprintf("; probabilities move by %s at most",
                                           format(rows$prob_moved, digits = 2)),
    unproven_words(rows)
  )
}

unproven_words <- function(rows) if (!rows$proven) " (beside our fit, not proven)" else ""

# What stands out, with the remedy of the package.
audit_cause <- function(audit) {
  if (audit$verdict == "exact") {
    return(NULL)
  }
  spread <- audit$spread
  unequal <- if (spread[2L] > 100 * spread[1L] || spread[2L] > 100) {
    sprintf("standard deviations of the columns are %s to %s", format(spread[1L], digits = 2),
            format(spread[2L], digits = 3))
  }
  words <- c(unequal, if (nzchar(audit$remedy)) audit$remedy)
  if (length(words) > 0L) paste(words, collapse = "; ")
}

# ---- Tables ----

#' @rdname margin_audit
#' @export
tidy.margin_audit <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(x$excess)
}

#' @rdname margin_audit
#' @export
glance.margin_audit <- function(x, ...) {
  assert_no_extra("glance()", ...)
  rows <- x$training
  number <- function(value) if (is.null(value)) NA_real_ else as.double(value)
  worst <- x$excess[which.max(x$excess$relative_gap), c("relative_from", "relative_to")]
  as_tibble_if_installed(data.frame(
    peer = x$peer, nobs = x$nobs, n_features = x$features, problems = nrow(x$excess),
    verdict = x$verdict, worst, certified = all(x$excess$certified), changed = number(rows$changed),
    undecided = number(rows$open), moved = rows$moved, before = number(rows$before),
    after = number(rows$after), proven = rows$proven, row.names = NULL
  ))
}

#' @rdname margin_audit
#' @export
augment.margin_audit <- function(x, ...) {
  assert_no_extra("augment()", ...)
  rows <- x$training
  side <- function(name, prefix) {
    values <- as.data.frame(rows[[name]])
    names(values) <- if (ncol(values) == 1L) prefix else
      paste0(prefix, "_", if (nrow(x$excess) == 1L) x$levels else x$excess$problem)
    values
  }
  table <- cbind(side("scores", ".score"), side("best", ".score_best"), side("lower", ".lower"),
                 side("upper", ".upper"))
  if (!is.null(x$levels)) {
    named <- function(place) factor(x$levels[place], x$levels)
    table <- cbind(table, .class = named(rows$class), .class_optimum = named(rows$optimum))
  }
  as_tibble_if_installed(table)
}

# Pictures of an audit: decision values of the fit beside those of the optimum; and of several, the
# excess of each.

#' @rdname margin_audit
#' @param problem For `plot()` the problem to draw, by name or number; `NULL` is the one whose
#'   decision values move most.
#' @export
plot.margin_audit <- function(x, problem = NULL, ...) {
  assert_plot_arguments("plot()", ..., also = c("pch", "cex"))
  names <- x$excess$problem
  rows <- x$training
  # one problem of all classes has a column for each of them
  if (ncol(rows$scores) != length(names)) names <- x$levels
  place <- if (is.null(problem)) {
    which.max(apply(abs(rows$scores - rows$best), 2L, max))
  } else if (is.character(problem)) {
    assert_choice(problem, names, "problem")
    match(problem, names)
  } else {
    assert_number(problem, "problem", lower = 1, upper = length(names), open = FALSE, whole = TRUE)
    problem
  }
  table <- data.frame(score = rows$scores[, place], best = rows$best[, place],
                      lower = rows$lower[, place], upper = rows$upper[, place])
  table$changed <- if (is.null(x$levels)) FALSE else
    !is.na(rows$optimum) & rows$optimum != rows$class
  colours <- margin_colours(2L)
  limits <- range(table$score, table$best)
  draw(graphics::plot, list(
    x = table$score, y = table$best, col = ifelse(table$changed, colours[2L], colours[1L]),
    pch = ifelse(table$changed, 19, 1), xlim = limits, ylim = limits,
    xlab = sprintf("decision value, %s", x$title), ylab = "at the optimum",
    main = sprintf("%s: %s", if (length(names) > 1L) names[place] else x$peer, x$verdict)
  ), list(...))
  graphics::abline(0, 1, col = "grey60")
  if (!is.null(x$levels)) graphics::abline(h = 0, v = 0, lty = 3, col = "grey60")
  shown <- is.finite(table$lower) & is.finite(table$upper) & table$upper > table$lower
  if (any(shown)) {
    graphics::segments(table$score[shown], table$lower[shown], y1 = table$upper[shown],
                       col = "grey60")
  }
  # not hidden by the others
  graphics::points(best ~ score, table[table$changed, ], pch = 19, col = colours[2L])
  invisible(table)
}

#' @rdname margin_audit
#' @usage NULL
#' @export
plot.margin_audits <- function(x, ...) {
  assert_plot_arguments("plot()", ..., also = c("pch", "cex"))
  table <- audits_table(x)
  # an excess below what doubles resolve is drawn where they end
  floor <- .Machine$double.eps
  ends <- pmax(cbind(table$relative_from, table$relative_to), floor)
  full <- !is.na(table$changed) & table$changed > 0
  colours <- margin_colours(2L)[1L + full]
  path <- attr(x, "lambda")
  common <- list(type = "n", main = "How far above the optimum")
  excess <- "relative excess (filled: classes change)"
  if (is.null(path)) {
    place <- rev(seq_along(x))
    label <- shorten(names(x), 48L)
    inches <- max(graphics::strwidth(label, "inches")) + 0.3
    old <- graphics::par(mai = c(0.85, min(inches, 0.6 * graphics::par("fin")[1L]), 0.6, 0.25))
    on.exit(graphics::par(old))
    draw(graphics::plot, c(list(x = range(ends), y = c(0.5, length(x) + 0.5), log = "x", yaxt = "n",
                                xlab = excess, ylab = ""), common), list(...))
    graphics::abline(h = place, col = "grey93")
    graphics::axis(2, place, label, las = 1, tick = FALSE, gap.axis = -1)
    graphics::segments(ends[, 1L], place, ends[, 2L], col = colours)
    spot <- list(x = ends[, 2L], y = place)
  } else {
    draw(graphics::plot, c(list(x = range(path), y = range(ends), log = "xy", xlab = "lambda",
                                ylab = excess), common), list(...))
    graphics::segments(path, ends[, 1L], path, ends[, 2L], col = colours)
    spot <- list(x = path, y = ends[, 2L])
  }
  graphics::points(spot, pch = ifelse(full, 19, 21), col = colours,
                   bg = ifelse(full, colours, "white"))
  invisible(table)
}

# Several audits in one table and one picture: of several fits, or of the lambda of a path.

#' @rdname margin_audit
#' @usage NULL
#' @export
c.margin_audit <- function(...) {
  given <- list(...)
  if (!all(vapply(given, inherits, NA, c("margin_audit", "margin_audits")))) {
    abort_input("`...` holds something that is not an audit; give results of margin_audit().",
                "...")
  }
  names <- if (is.null(names(given))) rep("", length(given)) else names(given)
  parts <- Map(function(one, name) {
    if (inherits(one, "margin_audits")) unclass(one) else
      stats::setNames(list(one), if (nzchar(name)) name else one$title)
  }, given, names)
  new_audits(do.call(c, unname(parts)))
}

#' @rdname margin_audit
#' @usage NULL
#' @export
c.margin_audits <- c.margin_audit

#' @rdname margin_audit
#' @usage NULL
#' @export
`[.margin_audits` <- function(x, i) {
  places <- stats::setNames(seq_along(x), names(x))[i]
  if (anyNA(places)) {
    abort_input(sprintf("`i` is %s, but there are %s.", show_value(i), count(length(x), "audit")), "i")
  }
  new_audits(unclass(x)[places], attr(x, "lambda")[places])
}

# lambda: of the points of a path.
new_audits <- function(audits, lambda = NULL) {
  structure(audits, lambda = lambda, class = "margin_audits")
}

audits_table <- function(audits) {
  rows <- lapply(audits, function(audit) as.data.frame(glance(audit)))
  without_row_names(data.frame(audit = names(audits), do.call(rbind, unname(rows))))
}

#' @rdname margin_audit
#' @usage NULL
#' @export
print.margin_audits <- function(x, digits = 3L, ...) {
  assert_no_extra("print()", ...)
  table <- audits_table(x)
  cat(sprintf("<margin_audits> %s\n", count(length(x), "audit")))
  shown <- data.frame(
    audit = shorten(table$audit, 40L),
    "above the optimum" = vapply(table$relative_to, percent_words, "", digits),
    verdict = table$verdict, check.names = FALSE
  )
  print(shown, right = FALSE, row.names = FALSE)
  invisible(x)
}

#' @rdname margin_audit
#' @usage NULL
#' @export
tidy.margin_audits <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  rows <- Map(function(audit, name) data.frame(audit = name, audit$excess), x, names(x))
  as_tibble_if_installed(without_row_names(do.call(rbind, unname(rows))))
}

#' @rdname margin_audit
#' @usage NULL
#' @export
glance.margin_audits <- function(x, ...) {
  assert_no_extra("glance()", ...)
  as_tibble_if_installed(audits_table(x))
}
