# What a person reads of a change of the rows.

new_sensitivity <- function(certain, found, change, sets, groups, new, rule) {
  fit <- certain$fit
  grouped <- !is.null(groups)
  tables <- lapply(found, function(one) changed_table(fit, one$ends, new))
  table <- do.call(rbind, unname(tables))
  if (grouped) {
    group <- factor(rep(names(sets), each = length(new$row)), levels = names(sets))
    table <- cbind(group = group, table)
  }
  rownames(table) <- NULL
  old <- response_codes(fit, fit$response, "relabel")
  weight <- unname(fit$weights)
  numbers <- lapply(seq_along(found), function(k) {
    out <- found[[k]]$out
    counts <- data.frame(
      removed = sum(out & weight > 0), relabelled = sum(!out & change$response != old),
      reweighted = sum(!out & change$weights != weight), added = length(change$added$weights)
    )
    counts <- cbind(counts, changed_counts(fit, tables[[k]]), solved = found[[k]]$solved)
    if (grouped) cbind(group = names(sets)[k], counts) else counts
  })
  new_object(list(
    rows = table, summary = do.call(rbind, numbers), levels = fit$levels, task = fit$task,
    loss = fit$settings$loss, lambda = fit$settings$lambda, rule = rule, grouped = grouped,
    fitted = length(weight), certificate = worst_certificate(fit$certificate)
  ), "margin_sensitivity")
}

changed_table <- function(fit, ends, new) {
  lose <- function(values) {
    if (is.matrix(values)) values[new$na_rows, ] <- NA else values[new$na_rows] <- NA
    values
  }
  score <- lose(new$score)
  found <- list(lower = lose(bind_ends(ends, 1L)), upper = lose(bind_ends(ends, 2L)))
  # of one problem of all classes each is compared with another, as of two classes
  table <- present(fit, score, found, "response", joint = FALSE)
  rownames(table) <- NULL
  if (fit$task != "regression") {
    fitted <- as_response(fit, unname(class_of_scores(score)))
    table$flips <- ifelse(table$decided, table$class != fitted, NA)
  }
  cbind(row = new$row, table)
}

changed_counts <- function(fit, table) {
  lower <- as.matrix(table[grep("^lower", names(table))])
  upper <- as.matrix(table[grep("^upper", names(table))])
  known <- !is.na(lower[, 1L])
  width <- (upper - lower)[known, ]
  # nothing is open of what all others are compared with
  if (is_joint(fit)) {
    scores <- as.matrix(table[grep("^score_", names(table))])
    width <- width[scores[known, ] != 0]
  }
  half <- stats::median(width) / 2
  if (fit$task == "regression") {
    return(data.frame(predicted = sum(known), half_width = half))
  }
  data.frame(predicted = sum(known), same = sum(!table$flips[known], na.rm = TRUE),
             flipped = sum(table$flips[known], na.rm = TRUE), open = sum(is.na(table$flips[known])),
             half_width = half)
}

#' @exportS3Method
as.data.frame.margin_sensitivity <- as.data.frame.margin_flips

#' @exportS3Method
tidy.margin_sensitivity <- tidy.margin_flips

#' @exportS3Method
glance.margin_sensitivity <- glance.margin_flips

#' @exportS3Method
summary.margin_sensitivity <- summary.margin_flips

#' @exportS3Method
print.margin_sensitivity <- function(x, digits = 3L, ...) {
  assert_no_extra("print()", ...)
  s <- x$summary
  cat(fold_lines(sprintf(
    "<margin_sensitivity> %s, rule \"%s\", %s loss, lambda = %s", describe_change(x), x$rule,
    format(x$loss), format(x$lambda, digits = digits)
  )), sep = "\n")
  of_all <- function(n) {
    sprintf("%s of %s", format(n, big.mark = ","), count(s$predicted[1L], "prediction"))
  }
  lines <- if (x$task == "regression") {
    c("half-width" = sprintf("%s (median%s)", format(max(s$half_width), digits = digits),
                             if (x$grouped) ", of the group where it is largest" else ""))
  } else if (x$grouped) {
    worst <- which.max(s$open + s$flipped)
    untouched <- rowsum(as.integer(!is.na(x$rows$flips) & !x$rows$flips), x$rows$row) == nrow(s)
    c("same class" = paste(of_all(sum(untouched)), "whichever group is removed"),
      "most touched" = sprintf(
        "by group %s: %s certainly another class, %s open", s$group[worst],
        format(s$flipped[worst], big.mark = ","), format(s$open[worst], big.mark = ",")
      ))
  } else {
    c("same class" = of_all(s$same), "another class" = of_all(s$flipped), "open" = of_all(s$open))
  }
  cat(key_lines(lines), sep = "\n")
  cat(fold_lines(c("These statements concern the exact optimum of the changed problem.",
                   open_because(s))),
      describe_held(x$loss, digits), sep = "\n")
  invisible(x)
}

# What stays open, where something does.
open_because <- function(s) {
  open <- s$open > 0
  if (!any(open)) {
    return(NULL)
  }
  paste("Open is what stays undecided, not what changes",
        if (all(s$solved[open])) "; the changed problem is solved as far as rounding allows." else
          ": the bounds of the fit alone leave it; refits = Inf solves the changed problem.", sep = "")
}

describe_change <- function(x) {
  s <- x$summary
  if (x$grouped) {
    return(sprintf("%s, each removed in turn", count(nrow(s), "group")))
  }
  parts <- c(removed = s$removed, relabelled = s$relabelled, reweighted = s$reweighted,
             added = s$added)
  parts <- parts[parts > 0L]
  if (length(parts) == 0L) {
    return("no change")
  }
  counted <- c(count(parts[[1L]], "row"), format(parts[-1L], big.mark = ",", trim = TRUE))
  paste(counted, names(parts), collapse = ", ")
}

#' @exportS3Method
plot.margin_sensitivity <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  if (x$task != "regression" && length(x$levels) > 2L) {
    abort_input(paste("`x` has several classes, whose decision values are not drawn;",
                      "as.data.frame(x) has every row."), "x")
  }
  table <- x$rows[!is.na(x$rows$score), ]
  if (nrow(table) == 0L) {
    abort_input("`x` has no prediction to draw; give `newdata` rows without missing values.", "x")
  }
  if (x$grouped && x$task != "regression") {
    return(plot_groups(x, ...))
  }
  table <- table[order(table$score), ]
  span <- range(table$score, pmin(pmax(c(table$lower, table$upper), 3 * min(table$score, -1)),
                                  3 * max(table$score, 1)))
  within <- function(v) pmin(pmax(v, span[1L]), span[2L])
  theirs <- list(...)
  draw(graphics::plot, list(
    x = table$score, y = table$score, type = "n", ylim = span,
    xlab = "decision value of the fit", ylab = "after the change", main = describe_changed(x, table)
  ), theirs[names(theirs) != "col"])
  graphics::abline(0, 1, col = "grey70")
  if (x$task != "regression") graphics::abline(h = 0, v = 0, lty = 2, col = "grey40")
  state <- if (x$task == "regression") rep("same", nrow(table)) else
    ifelse(is.na(table$flips), "open", ifelse(table$flips, "flipped", "same"))
  colours <- margin_colours(2L, theirs[["col"]])
  colours <- c(same = grDevices::adjustcolor("grey40", 0.5), open = colours[2L],
               flipped = colours[1L])
  # what flips hides behind nothing
  for (one in names(colours)) {
    of <- table[state == one, ]
    low <- within(of$lower)
    high <- within(of$upper)
    graphics::segments(of$score, low, of$score, high, col = colours[[one]])
    graphics::points(of$score, (low + high) / 2, col = colours[[one]],
                     pch = c(same = 20L, open = 1L, flipped = 19L)[[one]],
                     cex = if (one == "same") 0.5 else 0.9)
  }
  invisible(table)
}

# The change and what it does: as print() has it where nothing is open.
describe_changed <- function(x, table) {
  if (x$task == "regression") {
    return(describe_change(x))
  }
  open <- sum(is.na(table$flips))
  touched <- open + sum(table$flips, na.rm = TRUE)
  sprintf("%s: %s class", describe_change(x),
          if (open > 0L) paste(count(touched, "prediction"), "could change") else
            changed_predictions(touched))
}

# How many predictions the removal of each group could touch, the most first.
plot_groups <- function(x, ...) {
  s <- x$summary
  s <- s[order(s$open + s$flipped, decreasing = TRUE), ]
  shown <- utils::head(s, 30L)
  colours <- margin_colours(2L)
  draw(graphics::barplot, list(
    height = rbind(shown$flipped, shown$open), names.arg = shorten(shown$group, 12L), las = 2,
    col = c(colours[1L], "grey75"), border = NA, xlab = "group removed", ylab = "predictions",
    main = "certainly another class (coloured), open (grey)"
  ), list(...))
  invisible(s)
}
