# Are these the rows that a fit was made from? A fit keeps scores and labels, but not its rows.

# The rows that were fitted, after every check that they are those: their places in data, `rows`,
# and coded as they were, `x`. on_disk: does the caller read rows in a file by blocks?
training_design <- function(fit, data, y, on_disk = FALSE) {
  if (!missing(data)) assert_matrix(data, "data")
  labels <- training_labels(fit, data, y)
  rows <- fitted_places(fit, data)
  assert_as_many_rows(fit, data, rows)
  if (!is.null(labels)) assert_same_labels(fit, labels[rows], !missing(y))
  design <- coded_training(fit, data, rows)
  # which refuses rows in a file by name
  if (!on_disk && is_rows(data)) design_newdata(fit, data)
  design
}

training_rows <- function(fit, data, y) training_design(fit, data, y, on_disk = TRUE)$rows

# rows: the places of the rows of the fit in data.
coded_training <- function(fit, data, rows) {
  design <- named_as("data", design_newdata(fit, data, on_disk = TRUE, rows = rows))
  scores <- scores_of_design(fit, design, if (fit$interface != "formula") fit$offset)
  assert_same_scores(fit, as.matrix(scores), rows)
  list(rows = rows, x = design$x)
}

# The places in data of n rows of the fit: of all rows, or of those that the subset of its call
# leaves there, as lm() would take them, without those that na.action left out.
fitted_places <- function(fit, data, n = NROW(fit$scores), left_out = fit$na.action) {
  complete <- function(rows) {
    if (length(left_out) > 0L && length(rows) == n + length(left_out)) rows[-left_out] else rows
  }
  rows <- complete(seq_len(NROW(data)))
  if (length(rows) == n || is.null(fit$call$subset) || !is.data.frame(data)) {
    return(rows)
  }
  where <- environment(fit$terms)
  subset <- tryCatch(eval(fit$call$subset, data, where), error = function(condition) {
    abort_input(sprintf("`data` has %s, but the fit was made from %d, and %s (%s).",
                        count(nrow(data), "row"), n, subset_remedy(fit),
                        sub("[.]$", "", conditionMessage(condition))), "data")
  })
  left <- complete(unname(stats::setNames(seq_len(nrow(data)), row.names(data))[subset]))
  if (length(left) == n && !anyNA(left)) left else rows
}

assert_as_many_rows <- function(fit, data, rows) {
  if (length(rows) != NROW(fit$scores)) {
    abort_input(sprintf(
      "`data` has %s, but the fit was made from %d; %s.", count(NROW(data), "row"),
      NROW(fit$scores), subset_remedy(fit, "give it those, in their order")
    ), "data")
  }
}

# What a fit of some of its data asks for; otherwise the remedy as it is.
subset_remedy <- function(fit, otherwise) {
  subset <- fit$call$subset
  if (is.null(subset)) {
    return(otherwise)
  }
  text <- deparse(subset, width.cutoff = 60L)
  sprintf(paste(
    "its call has subset = %s%s: give the data that it is evaluated in, or the rows that it",
    "leaves, in their order"
  ), text[1L], if (length(text) > 1L) " ..." else "")
}

# Labels as text, one for each row of data; NULL where the fit has none.
training_labels <- function(fit, data, y) {
  if (fit$task == "one_class") {
    return(no_labels(data, y))
  }
  if (!missing(data) && is_rows(data)) {
    if (!missing(y)) {
      abort_input("`y` is given, but rows in a file have their own response; leave `y` out.", "y")
    }
    return(label_text(labels_of_rows(data, fit)))
  }
  if (identical(fit$interface, "formula")) {
    if (!missing(y)) {
      abort_input("`y` is given, but the fit has a formula and finds it in `data`; leave `y` out.",
                  "y")
    }
    if (missing(data) || !is.data.frame(data)) {
      abort_input(sprintf(
        "`data` is %s, but the fit has a formula; give the data frame it was fitted to.",
        if (missing(data)) "missing" else show_value(data)
      ), "data")
    }
    observed <- observed_response(fit, data)
    if (is.null(observed)) {
      abort_input(sprintf("`data` lacks the response \"%s\" of the fit; give the whole data frame.",
                          deparse1(stats::formula(fit$terms)[[2L]])), "data")
    }
    return(label_text(observed))
  }
  if (missing(data)) {
    abort_input("`data` is missing; a fit does not keep its rows, give those it was fitted to.",
                "data")
  }
  if (is.null(dim(data))) {
    abort_input(sprintf("`data` is %s, but must be the matrix or data frame of the fitted rows.",
                        show_value(data)), "data")
  }
  if (missing(y)) {
    abort_input(paste("`y` is missing; give the labels the fit was made from, one for each row of",
                      "`data`."), "y")
  }
  labels <- if (inherits(y, "soft_labels")) label_text(y) else as.character(plain_labels(y))
  if (length(labels) != nrow(data)) {
    abort_input(sprintf("`y` has length %d, but `data` has %s; give the labels of these rows.",
                        length(labels), count(nrow(data), "row")), "y")
  }
  labels
}

no_labels <- function(data, y) {
  if (missing(data) || is.null(dim(data))) {
    abort_input(sprintf("`data` is %s, but must be the rows that were fitted.",
                        if (missing(data)) "missing" else show_value(data)), "data")
  }
  if (!missing(y)) {
    abort_input("`y` is given, but the fit is of one class and has no labels; leave `y` out.", "y")
  }
}

# One text a row, also of soft labels.
label_text <- function(y) {
  if (!inherits(y, "soft_labels")) {
    return(as.character(y))
  }
  values <- unclass(y)
  if (is.matrix(values)) do.call(paste, as.data.frame(values)) else as.character(values)
}

assert_same_labels <- function(fit, labels, given) {
  fitted <- label_text(fit$response)
  other <- which(is.na(labels) | labels != fitted)
  if (length(other) > 0L) {
    abort_input(sprintf(
      "%s has the label \"%s\" at fitted row %d, where the fit has \"%s\"; %s.",
      if (given) "`y`" else "The response in `data`", labels[other[1L]], other[1L],
      fitted[other[1L]], "give the rows as fitted"
    ), if (given) "y" else "data")
  }
}

assert_same_scores <- function(fit, scores, rows) {
  fitted <- as.matrix(fit$scores)
  # an intercept that makes up for rows far from the origin leaves no more digits than its own
  level <- if (has_intercept(fit) && !has_kernel(fit)) max(abs(coef_matrix(fit)[1L, ])) else 0
  off <- abs(unname(scores) - unname(fitted)) > 1e-8 * (1 + max(abs(fitted))) + 1e-14 * level
  other <- which(rowSums(is.na(off) | off) > 0)
  if (length(other) > 0L) {
    abort_input(sprintf(
      paste("`data` has the decision value %s in row %d, where the fit has %s; give the rows it",
            "was fitted to, unchanged and in their order, or fit these."),
      format(scores[other[1L], 1L], digits = 6), rows[other[1L]],
      format(fitted[other[1L], 1L], digits = 6)
    ), "data")
  }
}

# The two labels of a class problem, the negative one first.
assert_one_problem <- function(fit, class) {
  assert_plot_class(fit, class)
  if (is.null(problem_classes(fit))) {
    return(fit$levels)
  }
  if (length(class) != 1L) {
    abort_input(sprintf("`class` is %s, but a fit of several classes needs one of %s.",
                        show_value(class), quote_list(fit$levels)), "class")
  }
  c(paste("not", class), class)
}

# The mass of each row: its weight, times that of its class, of all.
row_shares <- function(fit) {
  omega <- fit$weights
  class_weights <- fit$settings$class_weights
  if (!is.null(class_weights)) {
    omega <- omega * unname(class_weights)[as.integer(fit$response)]
  }
  unname(omega / sum(omega))
}
