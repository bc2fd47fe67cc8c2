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
print.margin_audits <- function(x, ...) {
  assert_no_extra("print()", ...)
  table <- audits_table(x)
  cat(sprintf("<margin_audits> %s\n", count(length(x), "audit")))
  shown <- data.frame(
    audit = shorten(table$audit, 40L),
    "above the optimum" = vapply(table$relative_to, percent_words, ""),
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
