# The models of each method and the scores of the rows that are counted by them.

# split: `holdout`, or half of the rows, and one model that has not seen them.
conformal_split <- function(fit, task, counted, score, arguments) {
  job <- list()
  if (is.null(counted)) {
    n <- length(task$response)
    train <- sort(sample.int(n, n %/% 2L))
    count <- setdiff(seq_len(n), train)
    job <- list(train = train)
    assert_all_classes(task, list(train))
    inform(sprintf(paste(
      "The fit has seen all rows: it is refitted on %d of them, and sets are counted over the",
      "other %d. Rows that it has not seen are `holdout`."
    ), length(train), length(count)))
    counted <- list(x = take_rows(task$x, count), response = task$response[count],
                    rows = task$rows[count], given = task$given, frame = task$frame,
                    weights = task$weights[count])
  } else if (score$name %in% c("quantile", "normalised")) {
    job <- list(train = seq_along(task$response), fit = fit)
  } else {
    made <- list(model = list(fit = without_rows(fit)))
  }
  if (!is.null(job$train)) made <- conformal_model(job, task, score, family_name(fit), arguments)
  output <- conformal_output(made$model, counted$x, score)
  list(models = list(made$model), counted = counted, model = rep(1L, length(counted$response)),
       own = own_scores(output, counted$response), certificates = made$certificate)
}

fit_seed <- function(fit) if (is.null(fit$settings$control$seed)) 1L else fit$settings$control$seed

# cv+: a model without each fold, and the rows of the fold by it.
conformal_cv <- function(fit, task, fold, score, arguments) {
  folds <- max(fold)
  trains <- lapply(seq_len(folds), function(k) which(fold != k))
  search <- if (!is.null(fit$tuned)) c(fit$search, list(control = fit$settings$control))
  assert_all_classes(task, trains)
  jobs <- Map(function(train, seed) list(train = train, seed = seed), trains,
              sample.int(.Machine$integer.max, folds))
  told <- progress_teller(folds, shows_progress(fit$settings$control))
  made <- each_job(jobs, conformal_model, task = task, score = score, family = family_name(fit),
                   arguments = arguments, search = search, told = told)
  own <- numeric(length(fold))
  for (k in seq_len(folds)) {
    out <- which(fold == k)
    own[out] <- own_scores(conformal_output(made[[k]]$model, take_rows(task$x, out), score),
                           task$response[out])
  }
  list(models = lapply(made, `[[`, "model"), model = fold, own = own,
       counted = list(response = task$response, rows = task$rows, given = task$given,
                      frame = task$frame, weights = task$weights),
       certificates = do.call(rbind, lapply(made, `[[`, "certificate")),
       searched = names(search$settings))
}

own_scores <- function(output, response) {
  if (is.null(output$strange)) {
    return(unname(residual_scores(output, response)))
  }
  output$strange[cbind(seq_along(response), as.integer(response))]
}

# Every part has rows that count, and all classes that any of these has.
assert_all_classes <- function(task, trains) {
  counts <- task$weights > 0
  for (train in trains) {
    train <- train[counts[train]]
    if (length(train) == 0L) {
      abort_input(paste(
        "`folds` has all rows that count in one fold (the others have the weight 0), so there is",
        "nothing to fit without it; give other folds."
      ), "folds")
    }
    if (!is.factor(task$response)) next
    absent <- setdiff(as.character(task$response[counts]), as.character(task$response[train]))
    if (length(absent) > 0L) {
      abort_input(sprintf(paste(
        "`data` has %s of class \"%s\", all in one fold, so that the model without that fold has",
        "no such class. Use more folds or another seed, or leave the class out."
      ), count(sum(task$response[counts] == absent[1L]), "row"), absent[1L]), "data")
    }
  }
}

# What a person sees of conformal sets.

#' @exportS3Method
print.margin_conformal <- function(x, digits = 4L, ...) {
  assert_no_extra("print()", ...)
  assert_conformal(x, "x")
  number <- function(value) format(value, digits = digits)
  table <- conformal_groups(x, x$level)
  least <- tapply(table$guaranteed, table$level, min)[as.character(x$level)]
  cat(fold_lines(sprintf("<margin_conformal> method \"%s\", score %s", x$method,
                         format(x$score))), sep = "\n")
  cat(key_lines(c(
    "aimed at" = paste(number(x$level), collapse = ", "),
    "guaranteed" = sprintf("at least %s%s", paste(number(unname(least)), collapse = ", "),
                           if (x$by == "none") "" else sprintf(" within each %s", by_words(x))),
    "counted" = counted_words(x, table),
    "models" = model_words(x),
    "chosen" = x$why,
    "everything" = everything_words(x, table),
    "memory" = format(utils::object.size(x), units = "auto")
  )), sep = "\n")
  cat(fold_lines(paste("Where rows are exchangeable, coverage holds on average over new rows: not",
                       "for one given row, nor after the distribution has changed.")), sep = "\n")
  invisible(x)
}

by_words <- function(object) {
  switch(object$by, label = "class", column = sprintf("level of %s", object$column),
         vector = "level of `by`")
}

counted_words <- function(object, table) {
  counted <- table$counted[table$level == object$level[1L]]
  rows <- count(nrow(object$own), "row")
  if (!is.null(object$own$share)) {
    return(sprintf("%s of %s, which come and leave together", rows,
                   count(object$folds, "group")))
  }
  if (object$by == "none") rows else
    sprintf("%s in %s, from %s to %s each", rows, count(length(counted), "level"),
            format(min(counted)), format(max(counted)))
}

model_words <- function(object) {
  if (object$method == "split") {
    return(if (object$held) "the fit, which has not seen these rows" else
      "a refit without these rows")
  }
  if (object$method == "full") {
    return("the optimum with each new row and response, as predict() finds it")
  }
  if (object$method == "jackknife+") {
    refitted <- sum(object$left_out$refitted)
    return(sprintf("%s, the optima without each %s; %s of them refitted",
                   grouped(object$folds),
                   if (is.null(object$own$share)) "row" else "group",
                   grouped(refitted)))
  }
  sizes <- range(tabulate(object$own$model, object$folds))
  rows <- if (sizes[1L] == sizes[2L]) count(sizes[1L], "row") else
    sprintf("%d to %d rows", sizes[1L], sizes[2L])
  searched <- if (!is.null(object$searched)) {
    sprintf(", %s chosen anew without it", paste(object$searched, collapse = " and "))
  }
  paste0(sprintf("%d, each without a fold of %s", object$folds, rows), searched)
}

# Where there are too few rows for a level.
everything_words <- function(object, table) {
  few <- table[table$rank == 0, ]
  if (nrow(few) == 0L) {
    return(NULL)
  }
  need <- ceiling(1 / (1 - few$level) - 1e-9) - 1
  what <- if (object$task == "regression") "the whole line" else "all classes"
  told <- if (object$by == "none") {
    sprintf("level %s needs %s%s", format(few$level), format(need),
            if (is.null(object$own$share)) "" else " groups")
  } else {
    sprintf("\"%s\" has %s, level %s needs %s", few$group, count_each(few$counted),
            format(few$level), format(need))
  }
  sprintf("%s: too few rows (%s)", what, paste(told, collapse = "; "))
}

count_each <- function(n) vapply(n, count, "", noun = "row")

#' @exportS3Method
summary.margin_conformal <- function(object, newdata = NULL, y = NULL, level = NULL, by = NULL,
                                     ...) {
  assert_no_extra("summary()", ...)
  assert_conformal(object)
  if (is.null(level)) level <- object$level
  assert_coverage_levels(level)
  table <- conformal_groups(object, level)
  if (is.null(newdata)) {
    given <- c(if (!is.null(y)) "y", if (!is.null(by)) "by")
    if (length(given) > 0L) {
      abort_input(sprintf("`%s` is of new rows; give `newdata` too, or leave it out.", given[1L]),
                  given[1L])
    }
    return(table)
  }
  judged <- judged_sets(object, newdata, y, level, by)
  found <- if (is.null(object$models)) conformal_open(object, newdata, level, by)
  rows <- lapply(seq_along(level), function(l) {
    rows <- coverage_table(object, level[l], judged$sets[[l]], judged$truth, judged$group)
    all <- function(value) c(value, rep(NA, nrow(rows) - 1L))
    rows$guaranteed <- all(min(table$guaranteed[table$level == level[l]]))
    if (!is.null(found$open)) rows$open <- all(found$open[l])
    if (!is.null(found$refitted)) rows$refitted <- all(found$refitted)
    rows
  })
  without_row_names(do.call(rbind, rows))
}

#' @exportS3Method
tidy.margin_conformal <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  assert_conformal(x, "x")
  as_tibble_if_installed(conformal_groups(x, x$level))
}

#' @exportS3Method
glance.margin_conformal <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_conformal(x, "x")
  level <- x$level[1L]
  table <- conformal_groups(x, level)
  left_out <- x$left_out
  as_tibble_if_installed(data.frame(
    method = x$method, score = x$score$name, by = x$by, level = level,
    guaranteed = min(table$guaranteed), counted = nrow(x$own), groups = length(x$groups),
    models = if (x$method == "full") NA_integer_ else x$folds,
    refits = if (x$method == "full") NA_integer_ else if (is.null(left_out)) {
      NROW(x$certificates)
    } else {
      sum(left_out$refitted)
    },
    certified = all(x$certificates$certified)
  ))
}

#' @exportS3Method
augment.margin_conformal <- function(x, newdata, level = NULL, by = NULL, ...) {
  assert_no_extra("augment()", ...)
  assert_conformal(x, "x")
  if (missing(newdata) || is.null(newdata)) {
    abort_input("`newdata` is missing; give the rows to add sets to.", "newdata")
  }
  if (is.null(level)) level <- x$level
  assert_coverage_levels(level, one = TRUE)
  sets <- predict(x, newdata, level = level, by = by)
  sets <- sets[intersect(names(sets), c("lower", "upper", "pieces", "set", "size"))]
  names(sets) <- paste0(".", names(sets))
  if (is.data.frame(newdata) || is.matrix(newdata)) {
    sets <- cbind(as.data.frame(newdata), without_row_names(sets))
  }
  as_tibble_if_installed(without_row_names(sets))
}

# Coverage, sizes and intervals of conformal sets for rows with a known response.

#' @rdname margin_conformal
#' @param which `"coverage"`: the share of responses in the sets against the level, with exact
#'   binomial intervals, beside what is aimed at and what is guaranteed. `"sizes"`: how many sets
#'   have which size, or how wide intervals are. `"intervals"`, for a regression: intervals against
#'   the response, those that miss it marked.
#' @export
plot.margin_conformal <- function(x, newdata, y = NULL,
                                  which = c("coverage", "sizes", "intervals"), by = NULL, ...) {
  which <- one_of(which, c("coverage", "sizes", "intervals"), "which")
  assert_plot_arguments("plot()", ...)
  assert_conformal(x, "x")
  assert_newdata_given(missing(newdata) || is.null(newdata))
  if (which == "intervals" && x$task != "regression") {
    abort_input("`which` is \"intervals\", which sets of classes are not; use \"sizes\".", "which")
  }
  drawn <- switch(which, coverage = plot_set_coverage(coverage_of_levels(x, newdata, y, by), list(...)),
                  sizes = plot_set_sizes(x, newdata, y, by, list(...)),
                  intervals = plot_set_intervals(x, newdata, y, by, list(...)))
  invisible(drawn)
}

assert_newdata_given <- function(missing) {
  if (missing) abort_input("`newdata` is missing; give rows with their response.", "newdata")
}

coverage_of_levels <- function(object, newdata, y, by = NULL) {
  level <- sort(unique(c(seq(0.5, 0.95, by = 0.05), object$level)))
  table <- summary(object, newdata, y, level, by)
  table[table$of == "all", ]
}

plot_set_coverage <- function(table, theirs) {
  level <- table$level
  key <- c("measured, 95 % interval", "aimed at", "guaranteed at least")
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  colour <- margin_colours(1L, theirs[["col"]])
  draw(graphics::plot, list(
    x = level, y = table$coverage, type = "n", las = 1, xlim = range(level),
    ylim = range(table$lower, table$upper, table$guaranteed, level), xlab = "level",
    ylab = "share of responses in the set",
    main = sprintf("Coverage of %s", count(table$n[1L], "row"))
  ), theirs)
  graphics::lines(level, level, lty = 2, col = "grey30")
  graphics::lines(level, table$guaranteed, lty = 3, lwd = 2, col = "grey30")
  graphics::segments(level, table$lower, level, table$upper, col = colour)
  graphics::points(level, table$coverage, pch = 21, bg = colour, col = colour)
  side_legend(room, key, col = c(colour, "grey30", "grey30"), pt.bg = colour, pch = c(21, NA, NA),
              lty = c(1, 2, 3), lwd = c(1, 1, 2))
  table
}

plot_set_sizes <- function(object, newdata, y, by, theirs) {
  judged <- judged_sets(object, newdata, y, object$level[1L], by)
  sets <- judged$sets[[1L]]
  size <- set_sizes(object, sets)
  hit <- covers(object, sets, judged$truth)
  colours <- margin_colours(2L, theirs[["col"]])
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  key <- c("response in the set", "not in it")
  room <- make_legend_room(key)
  title <- sprintf("Sets at level %s", format(object$level[1L], digits = 4L))
  if (object$task == "regression") {
    finite <- is.finite(size)
    if (!any(finite)) {
      abort_input("`newdata` has no row with a finite interval; use a smaller level.", "newdata")
    }
    breaks <- pretty(range(size[finite]), 30L)
    if (length(breaks) < 2L) breaks <- breaks + c(-0.5, 0.5)
    part <- function(inside) graphics::hist(size[finite & inside], breaks, plot = FALSE)$counts
    counts <- rbind(part(hit), part(!hit))
    middle <- (breaks[-1L] + breaks[-length(breaks)]) / 2
    draw(graphics::plot, list(
      x = range(breaks), y = c(0, 1.05 * max(colSums(counts))), type = "n", las = 1, ylab = "rows",
      xlab = "width of the interval", main = title
    ), theirs)
    graphics::rect(breaks[-length(breaks)], 0, breaks[-1L], counts[1L, ], col = colours[1L],
                   border = NA)
    graphics::rect(breaks[-length(breaks)], counts[1L, ], breaks[-1L], colSums(counts),
                   col = colours[2L], border = NA)
    side_legend(room, key, fill = colours, border = NA)
    return(data.frame(width = middle, inside = counts[1L, ], missed = counts[2L, ]))
  }
  sizes <- 0:length(object$levels)
  counts <- rbind(tabulate(size[hit] + 1L, length(sizes)), tabulate(size[!hit] + 1L, length(sizes)))
  draw(graphics::barplot, list(
    height = counts, names.arg = sizes, las = 1, border = NA,
    ylim = c(0, 1.05 * max(colSums(counts))), xlab = "classes in the set",
    ylab = "rows", main = title
  ), utils::modifyList(theirs, list(col = colours)))
  side_legend(room, key, fill = colours, border = NA)
  data.frame(size = sizes, inside = counts[1L, ], missed = counts[2L, ])
}

plot_set_intervals <- function(object, newdata, y, by, theirs) {
  judged <- judged_sets(object, newdata, y, object$level[1L], by)
  sets <- judged$sets[[1L]]
  hit <- covers(object, sets, judged$truth)
  colours <- margin_colours(2L, theirs[["col"]])
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  key <- c("holds the response", "misses it")
  room <- make_legend_room(key)
  ends <- c(sets$lower, sets$upper)
  limits <- range(judged$truth, ends[is.finite(ends)])
  inner <- function(end) pmin(pmax(end, limits[1L] - diff(limits)), limits[2L] + diff(limits))
  draw(graphics::plot, list(
    x = range(judged$truth), y = limits, type = "n", las = 1, xlab = "response",
    ylab = "interval",
    main = sprintf("Intervals at level %s", format(object$level[1L], digits = 4L))
  ), theirs)
  shown <- sets$lower <= sets$upper
  graphics::segments(judged$truth[shown], inner(sets$lower[shown]), judged$truth[shown],
                     inner(sets$upper[shown]), col = colours[2L - hit[shown]],
                     lty = ifelse(hit, 1, 2)[shown])
  graphics::abline(0, 1, col = "grey40")
  side_legend(room, key, col = colours, lty = 1:2)
  data.frame(response = judged$truth, sets, inside = hit)
}
