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
                   format(object$folds, big.mark = ","),
                   if (is.null(object$own$share)) "row" else "group",
                   format(refitted, big.mark = ",")))
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
