# What a fit says about itself. Nothing printed here is about the data alone: the certificate is on
# every page, and a fit that missed its tolerance says so for as long as it exists.

#' Print and summarise a fit
#'
#' `print()` shows what was fitted (loss, penalty, intercept, scaling, data) and the certificate.
#' `summary()` adds the largest coefficients, the number that are not zero, how the fit does on its
#' own training rows, the certificate of every class and the work it took.
#'
#' A fit that missed its tolerance is marked **NOT certified** with the reason: `max_epochs` or
#' `max_seconds` (a limit of [margin_control()] came first), `stalled` (the gap stopped falling),
#' `rounding_floor` (double precision permits no smaller gap on this problem; the figure is the
#' relative gap it does permit), `no_fixed_point` (the
#' certificate holds, but for a size of the residuals that is not theirs, see `unit` of
#' [loss_huber()]) or `invalid_bound` (rounding has made value and bound a pair that no
#' problem can have; the bound is dropped).
#'
#' Where a likely cause is found the warning and the print name it first, with what to do: a column
#' whose mean is more than ten standard deviations from zero in a problem that such a shift makes
#' hard, columns that are not scaled and whose standard deviations differ by more than a factor of a
#' hundred, or rows that are separable under a vanishing penalty.
#'
#' Coefficients are sorted by the absolute value of their scaled form, the coefficient times the
#' standard deviation by which its column was divided (times 1 with `scale = FALSE`): that is what
#' the penalty saw, and it does not depend on the unit of the column.
#'
#' The accuracy, the confusion matrix, the mean loss of a regression (by the metric of
#' [metrics] that is its loss), the root mean squared error and, for a quantile fit, the
#' coverage (the share of rows at or below the predicted quantile) are those of the training rows,
#' by the `weights` of the fit: a row of weight 2 counts as two rows, one of weight 0 as none.
#' [margin_performance()] gives the same numbers for the same rows. They say nothing about new data.
#'
#' @param x,object a fit, or its summary.
#' @param digits significant digits.
#' @param top for a summary, how many coefficients to print.
#' @param ... nothing: unknown arguments are errors.
#' @return `print()`: its argument, invisibly. `summary()`: a list of class `"summary.margin_fit"`:
#'   `model` (what `print()` shows), `coefficients` (data frame `term`, `class` where there are
#'   more than two, `estimate`, `scaled`, sorted), `nonzero` (for each class problem), `performance`
#'   (for a classification `accuracy` and `confusion`, the weight of the rows by observed (in rows)
#'   and predicted class; for a regression `loss`,
#'   named after its metric, `coverage` as in [margin_performance()], `rmse` and `r_squared`),
#'   `certificate` and `status`, one row for each class problem.
#' @examples
#' fit <- margin_linear(Species ~ ., data = iris)
#' fit
#' summary(fit)
#' @name print.margin_fit
NULL

#' @rdname print.margin_fit
#' @export
print.margin_fit <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  assert_fit(x, "x")
  cat(describe_model(x, digits), sep = "\n")
  cat(fold_lines(describe_certificate(x, digits)), sep = "\n")
  invisible(x)
}

# Lines on what was fitted.
describe_model <- function(fit, digits) {
  rows <- model_rows(fit, digits)
  c(fold_lines(sprintf("<%s> %s", class(fit)[1L], describe_task(fit))), key_lines(rows))
}

# The same as a vector of words, by what they are about.
model_rows <- function(fit, digits) {
  settings <- fit$settings
  rows <- c(
    describe_problem(fit, digits),
    intercept = if (fit$task == "one_class") NA_character_ else describe_intercept(settings),
    columns = describe_scaling(settings),
    response = describe_unit(fit, digits),
    residuals = describe_beyond(fit, digits),
    data = describe_data(fit, sum(fit$weights > 0), sum(fit$weights == 0)),
    classes = describe_levels(fit, digits),
    "class weights" = if (!is.null(settings$class_weights)) {
      describe_class_weights(settings$class_weights, digits)
    },
    threshold = if (!is.null(fit$threshold)) fit$threshold$source,
    returned = if (iterate_of(fit$settings$control$solver_options) == "last") {
      "the last iterate, whatever others of the run were worth"
    },
    probabilities = describe_probabilities(fit), agreement = describe_contradictions(fit)
  )
  rows[!is.na(rows)]
}

# The lines on what only this family has.
describe_problem <- function(fit, digits) {
  UseMethod("describe_problem")
}

describe_task <- function(fit) {
  family <- class(fit)[1L]
  if (fit$task == "regression") {
    return(switch(family, margin_kernel = "kernel regression",
                  margin_augmented = "linear regression with data augmentation",
                  paste0("linear regression", if (has_quantiles(fit)) {
                    sprintf(" of %d quantiles", length(taus_of(fit$settings$loss)))
                  })))
  }
  if (fit$task == "one_class") {
    return("one-class support vector machine")
  }
  model <- switch(family, margin_kernel = "kernel classifier",
                  margin_augmented = "linear classifier with data augmentation",
                  margin_robust = "distributionally robust SVM",
                  margin_hard = "hard-margin SVM", "linear classifier")
  k <- length(fit$levels)
  paste0(model, ", ", k, " classes", if (k > 2L) paste0(", ", class_model(fit)$shown))
}

# zero_weights: how many rows beside these have weight 0.
describe_data <- function(fit, rows, zero_weights) {
  left_out <- length(fit$na.action)
  paste0(
    count(rows, "row"),
    # its own, those that the fit has decision values of
    if (!is.null(fit$exchanged)) sprintf(" of one of %.0f ranks", fit$exchanged[["ranks"]]),
    ", ", count(length(fit$features), "feature"),
    if (isTRUE(fit$sparse)) ", sparse",
    if (!is.null(fit$file)) {
      sprintf(", read in whole passes by %s from the file \"%s\"",
              paste(unique(fit$status$solver), collapse = " and "), basename(fit$file))
    },
    if (!is.null(fit$exchanged)) sprintf(", %.0f exchanges", fit$exchanged[["exchanges"]]),
    if (zero_weights > 0L) sprintf("; %s of weight 0 left out", count(zero_weights, "row")),
    if (left_out > 0L) sprintf("; %s with missing values left out", count(left_out, "row"))
  )
}

describe_levels <- function(fit, digits = 4L) {
  if (is.null(fit$levels)) {
    return(NA_character_)
  }
  if (length(fit$levels) == 2L) {
    return(sprintf("%s, %s (positive: %s means %s)", fit$levels[1L], fit$levels[2L],
                   describe_cut(fit$threshold, digits), fit$levels[2L]))
  }
  paste(fit$levels, collapse = ", ")
}

describe_class_weights <- function(class_weights, digits) {
  values <- format(unlist(class_weights), digits = digits, trim = TRUE)
  if (is.null(names(values))) values else paste(names(values), values, sep = " = ", collapse = ", ")
}

# Whose shares of the classes the probabilities are, where these are not those of the data.
describe_probabilities <- function(fit) {
  weights <- unlist(fit$settings$class_weights)
  if (!is.null(fit$calibration)) {
    return(paste0(describe_calibration(fit$calibration), if (length(unique(weights)) > 1L)
      "; class_weights move the predicted classes, not these"))
  }
  if (!identical(loss_name(fit), "logistic") || length(unique(weights)) < 2L) {
    return(NA_character_)
  }
  paste("those of classes reweighted by class_weights, not of the data's shares; calibrate",
        "(margin_calibrate()) or fit without class_weights")
}

# Thousands apart, by a mark that is not that of decimals.
grouped <- function(x, ...) {
  format(x, ..., big.mark = if (identical(getOption("OutDec"), ",")) "." else ",")
}

count <- function(n, noun) {
  sprintf("%s %s%s", grouped(n, scientific = FALSE), noun, if (n == 1) "" else "s")
}

there_are <- function(n, noun) paste(if (n == 1) "there is" else "there are", count(n, noun))

plural <- function(noun) if (noun == "class") "classes" else paste0(noun, "s")

# Of a console that is narrower than a page of text, its width.
line_width <- function() min(80L, max(40L, getOption("width")))

# "  name          text", the text folded and cut after three lines, more on a narrow console.
key_lines <- function(rows, most = 3L) {
  width <- line_width() - 16L
  most <- ceiling(most * 64 / width)
  lines <- lapply(seq_along(rows), function(i) {
    folded <- strwrap(rows[[i]], width)
    if (length(folded) > most) {
      folded <- c(folded[seq_len(most - 1L)], paste(substr(folded[most], 1L, width - 6L), "..."))
    }
    sprintf("  %-13s %s", c(names(rows)[i], rep("", length(folded) - 1L)), substr(folded, 1L, width))
  })
  unlist(lines)
}

# Lines of words, folded with an indent that tells them from the next.
fold_lines <- function(lines) {
  folded <- lapply(lines, function(line) {
    if (nchar(line) <= line_width()) {
      return(line)
    }
    indent <- nchar(sub("[^ ].*", "", line))
    strwrap(line, line_width(), indent = indent, exdent = indent + 2L)
  })
  unlist(folded)
}

# ---- The certificate in words ----

describe_certificate <- function(fit, digits) {
  all_rows <- fit$certificate
  row <- all_rows[worst_of(all_rows), ]
  c(sprintf("certificate (%s): %s%s", row$kind,
            if (all(all_rows$certified)) "certified" else "NOT certified",
            if (nrow(all_rows) > 1L) {
              sprintf(", %d of %d %s; the worst is %s", sum(all_rows$certified), nrow(all_rows),
                      plural(problem_noun(row$class)), row$class)
            } else {
              ""
            }),
    describe_gap(row, digits, describe_solved(fit)),
    describe_assumes(all_rows), describe_status(fit, digits))
}

# Numbers that are possible, of certificates in rows: no objective but that of one class is below 0,
# and a gap that rounding made negative is none. The data keep what was computed.
possible_numbers <- function(rows) {
  minimum <- !rows$kind %in% c("margin interval", one_class_kind)
  if (!is.null(rows$gap)) {
    rows$gap <- pmax(rows$gap, 0)
    limited <- minimum & rows$bound < 0
    rows$gap[limited] <- pmin(rows$gap, rows$value)[limited]
  }
  rows$bound[minimum] <- pmax(rows$bound[minimum], 0)
  rows
}

describe_gap <- function(row, digits, solved) {
  row <- possible_numbers(row)
  # Value and bound share their leading digits; as many are shown as let the difference be seen, up
  # to ten, and never fewer than the user asks for.
  both <- c(row$value, row$bound)
  shared <- if (row$gap > 0 && is.finite(row$gap)) ceiling(log10(max(abs(both)) / row$gap)) else 0
  places <- max(digits, min(10L, shared + 2L))
  # a bound of 0 is no 0.000, and one of 1e-14 does not turn a value of 1.7 into 1.7e+00
  alike <- isTRUE(min(abs(both)) > 1e-4 * max(abs(both)))
  both <- if (alike) format(both, digits = places, trim = TRUE) else
    vapply(both, format, "", digits = places)
  short <- function(value) format(value, digits = min(digits, 3L))
  c(sprintf("  value %s, bound %s, gap %s", both[1L], both[2L], short(row$gap)),
    sprintf("  relative gap %s %s tol %s%s", short(row$relative_gap),
            if (row$relative_gap <= row$tol) "<=" else ">", short(row$tol), solved))
}

# Why the fit ended, and for a fit that is not certified how suboptimal it may be.
describe_status <- function(fit, digits) {
  c(describe_ends(fit, digits),
    if (!is.null(fit$cause)) wrap_words(cause_sentence(fit)))
}

# "scale = TRUE" is one word.
wrap_words <- function(text) {
  gsub("\001", " ", strwrap(gsub(" = ", "\001=\001", text), line_width(), indent = 2L, exdent = 4L))
}

describe_ends <- function(fit, digits) {
  missed <- which(!fit$certificate$certified)
  lines <- vapply(missed, function(i) {
    status <- fit$status[i, ]
    label <- if (is.na(status$class)) "" else
      paste0(if (problem_noun(status$class) == "class") "class ", status$class, ": ")
    sprintf("  %s%s after %s of %s", label,
            explain_status(status$status, status$rounding_floor,
                           is_sought(fit$certificate[i, ], status)),
            epochs_words(status$epochs, digits), status$solver)
  }, "")
  if (length(missed) == 0L) {
    return(lines)
  }
  most <- 5L
  if (length(lines) > most) {
    lines <- c(lines[seq_len(most)], sprintf("  and %d more %s", length(lines) - most,
                                             plural(problem_noun(fit$status$class))))
  }
  worst <- fit$certificate[worst_of(fit$certificate), ]
  if (is.infinite(worst$gap)) {
    if (isFALSE(fit$separable)) {
      return(lines)
    }
    return(c(lines, "  nothing is known of how far the value is from the optimum"))
  }
  worst <- possible_numbers(worst)
  share <- if (worst$bound > 0) {
    sprintf(", which is %s %% of it", format(100 * worst$gap / worst$value, digits = 2L))
  }
  if (worst$kind == "margin interval") {
    if (isFALSE(fit$separable)) {
      return(lines)
    }
    return(c(lines, paste("  the maximum margin may be larger than the value by up to",
                          format(worst$gap, digits = 2L))))
  }
  norm <- sub("^duality gap on ", "", worst$kind)
  if (norm != worst$kind) {
    return(c(lines, sprintf("  among coefficients of %s the optimum may be lower by up to %s",
                            norm, format(worst$gap, digits = 2L))))
  }
  c(lines, paste0("  the optimum may be lower than the value by up to ",
                  format(worst$gap, digits = 2L), share))
}

# sought: a limit ended the search for the size of the residuals.
explain_status <- function(status, rounding_floor, sought = FALSE) {
  before <- if (sought) " before the size of the residuals, which delta counts, was found," else ""
  switch(
    status,
    max_epochs = paste0("stopped by max_epochs", before),
    max_seconds = paste0("stopped by max_seconds", before),
    stalled = "stalled: the gap stopped falling",
    rounding_floor = sprintf(
      "rounding_floor: double precision permits no relative gap below about %s, reached",
      format(rounding_floor, digits = 2L)
    ),
    not_separable = paste("not separable: weights of the rows whose sum is zero prove that no",
                          "margin is positive,"),
    conditional = "conditional: without radius and ridge there is no bound for every norm",
    invalid_bound = paste("invalid_bound: the numbers at the returned point cannot all be right,",
                          "so the bound was dropped;"),
    no_fixed_point = paste("no_fixed_point: no size of the residuals came back as their median",
                           "size / 0.6745,"),
    not_finite = "not_finite: the numbers left the range of double precision",
    paste0("ended with status ", status)
  )
}

# Words for how columns, intercept and response entered the problem that was solved.

describe_intercept <- function(settings) {
  if (settings$intercept == "none" && has_constant(settings)) {
    return("none on the centred columns")
  }
  settings$intercept
}

describe_scaling <- function(settings) {
  if (isTRUE(settings$center)) {
    return(if (!isTRUE(settings$scale)) "centred for the fit, not scaled" else
      "centred and divided by their standard deviation for the fit")
  }
  if (isTRUE(settings$scale)) "divided by their standard deviation for the fit" else
    "as given, not scaled"
}

# Of which problem the certificate is, where the data were changed for it.
describe_solved <- function(fit) {
  done <- c(if (isTRUE(fit$settings$center)) "centred", if (isTRUE(fit$settings$scale)) "scaled")
  response <- c(if (!is.null(fit$response_center)) "centred ", "response",
                if (unit_of(fit) != 1) " divided by its spread")
  changed <- c(if (length(done) > 0L) sprintf("the %s columns", paste(done, collapse = " and ")),
               if (length(response) > 1L) paste(c("the ", response), collapse = ""))
  if (length(changed) > 0L) paste(", of the problem on", paste(changed, collapse = " and ")) else ""
}

# Tables in the console that keep to its width: 80 columns, unless the user has set another.

# A data frame of text and numbers. names: the columns of names, which stand to the left and give
# way where the table would be too wide.
print_table <- function(table, names, width = getOption("width")) {
  table[] <- lapply(table, function(column) {
    column <- as.character(column)
    replace(column, is.na(column), "unknown")
  })
  wide <- vapply(names(table), function(name) max(nchar(c(name, table[[name]]), "width")), 0L)
  others <- setdiff(names(table), names)
  # R begins a new block of columns where a line would be as wide as the console
  room <- (width - 1L - sum(wide[others] + 1L)) %/% length(names) - 1L
  models <- unique(unlist(table[names]))
  short <- stats::setNames(distinct_short(models, max(room, 12L)), models)
  for (name in names) {
    column <- unname(short[table[[name]]])
    size <- max(nchar(c(name, column), "width"))
    table[[name]] <- formatC(column, width = -size)
    names(table)[names(table) == name] <- formatC(name, width = -size)
  }
  print(table, row.names = FALSE)
}

# Names of at most that many characters, which tell apart what they told apart before.
distinct_short <- function(names, most) {
  short <- shorten(names, most)
  twice <- short %in% short[duplicated(short)]
  short[twice] <- paste0(substr(names[twice], 1L, most - 4L), "#", which(twice))
  short
}

# Numbers of one column: as many decimals for all as show the digits of the largest.
show_numbers <- function(values, digits) {
  largest <- max(abs(values[is.finite(values)]), 0)
  if (largest > 0 && (largest < 1e-4 || largest >= 1e7)) {
    return(vapply(signif(values, digits), format, "", digits = digits))
  }
  decimals <- if (largest > 0) max(digits - 1L - floor(log10(largest)), 0) else digits
  text <- formatC(values, digits = decimals, format = "f")
  sub("^-(0[.]?0*)$", "\\1", text) # no negative zeros
}
