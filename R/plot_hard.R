# The plots that belong to maximum margins. Called by plot.margin_fit().

plot_interval <- function(fit, ...) {
  if (!inherits(fit, "margin_hard")) {
    abort_input(sprintf(
      "`which` is \"interval\", which margin_hard() has; of a %s fit draw \"convergence\".",
      sub("margin_", "", class(fit)[1L])
    ), "which")
  }
  trace <- fit$trace
  # a margin below zero says no more than zero does
  ends <- data.frame(epoch = trace$epoch, margin = cummax(pmax(trace$value, 0)),
                     bound = cummin(trace$bound))
  ends <- ends[is.finite(ends$bound), ]
  labels <- c("smallest bound", "largest margin")
  colours <- margin_colours(2L, list(...)[["col"]])
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(labels)
  draw(graphics::plot, list(
    x = range(0, ends$epoch), y = range(0, ends$margin, ends$bound), type = "n", las = 1,
    xlab = "epochs (passes over the data)",
    ylab = sprintf("margin (%s)", column_label("unit of the columns", fit$settings$scale)),
    main = paste0("Interval around the maximum margin", if (is.na(fit$separable))
      ": separable or not is UNDECIDED" else if (!fit$separable) ": NOT separable")
  ), list(...))
  graphics::polygon(c(ends$epoch, rev(ends$epoch)), c(ends$margin, rev(ends$bound)),
                    col = "grey92", border = NA)
  kind <- if (nrow(ends) > 40L) "l" else "o"
  graphics::lines(ends$epoch, ends$bound, type = kind, col = colours[1L], pch = 25L,
                  bg = colours[1L], lwd = 2)
  graphics::lines(ends$epoch, ends$margin, type = kind, col = colours[2L], pch = 24L,
                  bg = colours[2L], lwd = 2)
  side_legend(room, labels, col = colours, pt.bg = colours, pch = c(25, 24), lwd = 2)
  without_row_names(ends)
}

plot_support <- function(fit, top, class, theirs) {
  assert_number(top, "top", lower = 1, upper = Inf, open = FALSE, whole = TRUE)
  table <- support_rows(fit)
  if (!is.null(class)) table <- table[table$class %in% class, ]
  sides <- support_sides(fit, table)
  # those at the bound are all alike: they are counted, unless there are no others
  at_bound <- table$weight >= weight_bound(fit, table) * (1 - 1e-6)
  between <- if (all(at_bound)) rep(TRUE, length(at_bound)) else !at_bound
  shown <- utils::head(which(between), top)
  all <- table
  table <- table[shown, ]
  colours <- stats::setNames(margin_colours(nlevels(sides), theirs[["col"]]), levels(sides))
  upwards <- rev(seq_along(shown))
  label <- shorten(support_labels(fit, table), 28L)
  old <- graphics::par(mar = c(4.2, 1, 3.4, 1) + 0.1)
  on.exit(graphics::par(old))
  graphics::par("fin")
  size <- max(0.35, min(0.8, (graphics::par("fin")[2L] - 1.6) / length(shown) / 0.17))
  inches <- max(graphics::strwidth(label, units = "inches", cex = size)) + 0.3
  graphics::par(mai = replace(graphics::par("mai"), 2L,
                              min(inches, 0.4 * graphics::par("fin")[1L])))
  key <- shorten(levels(sides), 24L)
  room <- make_legend_room(key)
  middles <- draw(graphics::barplot, list(
    height = table$weight[upwards], names.arg = rep("", length(shown)), horiz = TRUE,
    las = 1, border = NA, xlab = "weight (size of the dual variable)",
    main = if (any(at_bound) && !all(at_bound)) "Support vectors below the bound of their weight"
    else "Support vectors"
  ), utils::modifyList(theirs, list(col = unname(colours[as.character(sides[shown][upwards])]))))
  graphics::mtext(count_support(fit, all, length(shown), sum(between), at_bound), line = 0.3,
                  cex = 0.85)
  graphics::axis(2, middles, label[upwards], las = 1, tick = FALSE, cex.axis = size,
                 gap.axis = -1)
  side_legend(room, key, fill = colours, border = NA)
  without_row_names(table)
}

# What the colours tell apart: the classes, or on which side of a regression a row lies.
support_sides <- function(fit, table) {
  if (fit$task != "regression") {
    return(factor(table$response, fit$levels))
  }
  above <- ifelse(is.na(table$coefficient), table$response >= table$score, table$coefficient > 0)
  factor(ifelse(above, "above the fit", "below the fit"), c("below the fit", "above the fit"))
}

# The largest weight that the slope of the loss permits: Inf for one that grows on and for a maximum
# margin; the logistic loss never gets there.
weight_bound <- function(fit, table) {
  loss <- fit$settings$loss
  above <- if (fit$task == "regression") support_sides(fit, table) == "above the fit"
  bound <- if (!is.null(loss)) loss_list[[loss$name]]$bound
  if (is.null(bound)) Inf else bound(loss$parameter[[1L]], above)
}

support_labels <- function(fit, table) {
  if (is.null(table$class)) {
    return(as.character(table$row))
  }
  if (inherits(fit, "margin_hard")) {
    return(paste0(table$row, ", not ", table$class))
  }
  paste0(table$row, ", ", vapply(table$class, class_problem, "", model = fit))
}

# "9 of 104 pairs of a row and a class (39 rows); the other 95 lie at the bound".
count_support <- function(fit, table, shown, between, at_bound) {
  whole <- if (is.null(table$class)) count(nrow(table), "support vector") else
    sprintf("%s of a row and a class (%s)", count(nrow(table), "pair"),
            count(length(unique(table$row)), "row"))
  bounded <- sum(at_bound)
  paste0(
    if (shown < nrow(table)) sprintf("%s of ", if (shown < between)
      paste("the", count_big(shown), "heaviest") else count_big(shown)),
    whole,
    if (bounded == nrow(table)) ", all at the bound of their weight" else
      if (bounded > 0L) sprintf("; %s at the bound", count_big(bounded))
  )
}

count_big <- function(n) format(n, big.mark = ",")
