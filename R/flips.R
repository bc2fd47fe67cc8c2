# Which rows of the fit, and how many, a predicted class hangs on.

#' Which training rows could flip a prediction, and how many it takes
#'
#' @description
#' Finds the training rows that could flip a prediction: one that a single mislabelled row could
#' turn is no prediction to act on. For each row to predict `margin_flips()` lists the rows of the
#' fit whose removal (or relabelling) **alone** could give the exact optimum another class, and a
#' **proven lower bound** on how many rows must be removed (or relabelled) together for that. All of
#' it follows from the one fit. For the effect of a given change see [margin_sensitivity()].
#' ```r
#' certain <- margin_certain(fit, train)
#' margin_flips(certain, train, newdata = test)
#' ```
#'
#' @details
#' Nothing here says that so many rows are enough: the bound is below the truth, often by a large
#' factor. At a small penalty, as the default `lambda` is, it is one or two rows for most
#' predictions and of little use; it rises with `lambda`, and `print()` then names one to try.
#' Searches for a smallest set of rows (Broderick, Giordano and Meager 2020) come from the other
#' side: what they find is enough, and fewer might do.
#'
#' The bound compares how far any `k` rows together could move the decision value with its distance
#' from 0. For a ridge each row moves it by a known amount at most, and the amounts add up. For the
#' logistic and the squared loss the Hessian at the fit says more: the Newton step of each row, and
#' how much the steps can miss. All of it counts the gap of the fit, so it holds for a loose fit
#' too, and the largest of the bounds is reported. Derivation: `vignette("proofs")`.
#'
#' For each row that could flip a prediction by itself the changed problem is then solved as
#' [margin_sensitivity()] does (`refits`), which tells whether it does: `alone` and `proven` are
#' equal then but for what rounding leaves. What several rows do together is bounded, not solved.
#' The penalty beside the sum of losses stays as it is (rule `"cost"` of [margin_sensitivity()]).
#' Kernel fits of more than 2,000 rows have the first of the two bounds alone.
#'
#' @param certain What [margin_certain()] returned for a fit of two classes, of [margin_linear()]
#'   with `mixture = 0` or of [margin_kernel()].
#' @param data,y The rows and labels of the fit, as they were given, in their order: neither the fit
#'   nor `certain` keeps them. For a fit from a formula `data` is the data frame and `y` is left
#'   out.
#' @param newdata Rows to predict, as for [predict.margin_fit()]; without it the rows of the fit.
#' @param change What may happen to a row of the fit: `"remove"`, or `"relabel"` (it gets the other
#'   class).
#' @param most How many rows of the fit are listed for each prediction.
#' @param refits For how many rows of the fit, those that could flip the most predictions, the
#'   changed problem is solved, which may take as many refits; 0 leaves it at the bounds.
#' @param ... Not used; an unknown argument is an error.
#' @return An object of class `"margin_flips"`, a list:
#'   * `rows`: a data frame with a row for each row to predict: `row`, its number in `newdata` (or
#'     `data`), `score` and `class` of the fit, `alone` (how many rows of the fit could each flip
#'     the class alone), `proven` (how many of them certainly do), `needed` (no fewer rows together
#'     can flip it; 0 where already the exact optimum of the fit's own problem is not known to have
#'     that class, `Inf` where no number of rows can), `first` (the row of `data` with the largest
#'     bound);
#'   * `bounds`: a data frame with the `most` largest bounds for each prediction, the largest first:
#'     `row`, `changed` (the row of `data`), `bound` (how far the change of that row alone can move
#'     the decision value towards the other class, the gap of the fit included) and `flips`: `TRUE`
#'     where it certainly turns the class, `FALSE` where certainly not, `NA` where that is open;
#'   * `summary`: one row: `change`, `predicted`, `undecided` (with `needed` 0), `alone`
#'     (predictions that one row could flip), `proven` (that one row certainly flips), `least`,
#'     `median` and `most` of `needed`.
#'
#'   [as.data.frame()] and [tidy()] give `rows`, [summary()] and [glance()] give `summary`. `plot()`
#'   draws how many predictions have which `needed`; `plot(x, row = 3)` the bounds of the third
#'   prediction, in decreasing order, beside what it takes to flip it.
#' @section Errors:
#' Another kind of fit, several classes, a regression, an l1 part (`mixture` above 0), and rows and
#' labels that are not those of the fit are errors of class `dualmargin_input_error`.
#' @references
#' Hanada H, Shibagaki A, Sakuma J, Takeuchi I (2018). Efficiently monitoring small data
#' modification effect for large-scale learning in changing environment. *Proceedings of the AAAI
#' Conference on Artificial Intelligence* 32(1), 1314-1321. \doi{10.1609/aaai.v32i1.11516}.
#'
#' Broderick T, Giordano R, Meager R (2020). An automatic finite-sample robustness metric: when can
#' dropping a little data make a big difference? arXiv:2011.14999.
#' @seealso [margin_sensitivity()], [margin_certain()], `vignette("decisions")`.
#' @examples
#' train <- spambase[seq(1, nrow(spambase), by = 5), ]
#' test <- spambase[seq(2, nrow(spambase), by = 20), ]
#' fit <- margin_linear(type ~ ., data = train, lambda = 0.1, intercept = "penalized")
#' certain <- margin_certain(fit, train)
#' flips <- margin_flips(certain, train, newdata = test)
#' flips
#' # predictions that one row of the training set could turn, and which rows those are
#' fragile <- subset(as.data.frame(flips), alone > 0)
#' head(fragile)
#' head(subset(flips$bounds, is.na(flips) | flips))
#' plot(flips)
#' @export
margin_flips <- function(certain, data, y, newdata, change = c("remove", "relabel"), most = 5,
                         refits = Inf, ...) {
  assert_no_extra("margin_flips()", ...)
  fit <- fit_of_certain(certain, "margin_flips()")
  change <- one_of(change, c("remove", "relabel"), "change")
  assert_number(most, "most", lower = 1, upper = 1e6, open = FALSE, whole = TRUE)
  assert_refits(refits)
  if (fit$task == "regression" || length(fit$levels) != 2L) {
    abort_input(sprintf("`certain` is about %s, but flips are counted for two classes; %s.",
                        if (fit$task == "regression") "a regression" else
                          count(length(fit$levels), "class problem"),
                        "margin_sensitivity() has the intervals after a change"), "certain")
  }
  if (isTRUE(fit$settings$mixture > 0)) {
    abort_input(paste("`certain` is about a fit with an l1 part (mixture above 0), for which flips",
                      "are not counted; margin_sensitivity() has the intervals after a change."),
                "certain")
  }
  design <- training_design(fit, data, y)
  at <- design$rows
  x <- design$x
  new <- rows_to_predict(fit, newdata, missing(newdata), x, at)
  found <- count_flips(fit, x, new, change, most, refits)
  new_flips(fit, found, new, at, change)
}

# For each prediction `needed`, `alone`, `proven`, the room that it has, and by columns the rows
# with the largest bounds: src/decide/flips.h.
count_flips <- function(fit, x, new, change, most, refits) {
  known <- responses_of_fit(fit)
  ask_of_change(fit, x, new$x, c(flips_cpp, flips_kernel_cpp), list(
    y = known$y, omega = known$omega, rule = "cost", regression = FALSE, score = new$score,
    turned = if (change == "relabel") turned_weights(fit), most = most, refits = refits
  ))
}

# Of rows with the other class.
turned_weights <- function(fit) {
  weights <- unname(fit$weights)
  class_weights <- fit$settings$class_weights
  if (is.null(class_weights)) weights else
    weights * unname(class_weights)[3L - as.integer(fit$response)]
}

new_flips <- function(fit, found, new, at, change) {
  listed <- nrow(found$top)
  score <- new$score
  lost <- seq_along(score) %in% new$na_rows
  score[lost] <- NA
  class <- as_response(fit, unname(class_of_scores(score)))
  first <- at[if (listed > 0L) found$top[1L, ]] # of no row to predict nothing is listed
  table <- data.frame(row = new$row, score = score, class = class, alone = found$alone,
                      proven = found$proven, needed = found$needed, first = first)
  table[lost, c("alone", "proven", "needed", "first")] <- NA
  bounds <- data.frame(row = rep(new$row, each = listed), changed = at[as.vector(found$top)],
                       bound = as.vector(found$bound), flips = as.vector(found$state))
  bounds <- bounds[!rep(lost, each = listed), ]
  rownames(bounds) <- NULL
  needed <- table$needed[!lost]
  summary <- data.frame(
    change = change, predicted = length(needed), undecided = sum(needed == 0),
    alone = sum(table$alone[!lost] > 0), proven = sum(table$proven[!lost] > 0),
    least = smallest(needed), median = stats::median(needed), most = -smallest(-needed)
  )
  new_object(list(
    rows = table, bounds = bounds, summary = summary, room = found$room, change = change,
    fitted = length(at), loss = fit$settings$loss, lambda = fit$settings$lambda,
    certificate = worst_certificate(fit$certificate)
  ), "margin_flips")
}

smallest <- function(values) if (length(values) > 0L) min(values) else NA_real_

#' @exportS3Method
as.data.frame.margin_flips <- function(x, ...) {
  assert_no_extra("as.data.frame()", ...)
  x$rows
}

#' @exportS3Method
tidy.margin_flips <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(x$rows)
}

#' @exportS3Method
glance.margin_flips <- function(x, ...) {
  assert_no_extra("glance()", ...)
  as_tibble_if_installed(x$summary)
}

#' @exportS3Method
summary.margin_flips <- function(object, ...) {
  assert_no_extra("summary()", ...)
  object$summary
}

# What a person sees of the rows that predictions hang on.

#' @exportS3Method
print.margin_flips <- function(x, digits = 3L, ...) {
  assert_no_extra("print()", ...)
  s <- x$summary
  done <- if (x$change == "remove") "removed" else "relabelled"
  of_all <- function(n) {
    sprintf("%s of %s", format(n, big.mark = ","), count(s$predicted, "prediction"))
  }
  cat(fold_lines(sprintf("<margin_flips> rows %s, of %s; %s loss, lambda = %s", done,
                         count(x$fitted, "row"), format(x$loss),
                         format(x$lambda, digits = digits))), sep = "\n")
  cat(key_lines(c(
    "one row" = paste0(of_all(s$alone), " could be flipped by one row alone",
                       if (s$alone > 0L) sprintf(", %d certainly", s$proven)),
    "undecided" = if (s$undecided > 0L) {
      paste(of_all(s$undecided), "may not have the class of the exact optimum as it is")
    }
  )), sep = "\n")
  if (s$predicted > 0L) {
    number <- function(n) format(n, big.mark = ",")
    cat(fold_lines(c(
      sprintf(paste("Lower bound on the rows needed: median %s, range %s to %s. Fewer rows cannot",
                    "flip the prediction; this many may not suffice."),
              number(s$median), number(s$least), number(s$most)),
      flips_advice(x, digits)
    )), sep = "\n")
  }
  invisible(x)
}

# Where the bound of most predictions is one or two rows, it says next to nothing: the change of a
# row moves scores by no more than 1/lambda allows, so a larger penalty has larger bounds, those of
# hinges less so, which have no curvature.
flips_advice <- function(x, digits) {
  s <- x$summary
  if (s$median > 2) {
    return(NULL)
  }
  if (2 * s$undecided > s$predicted) {
    return(paste("The bound is 0 where the fit leaves the class open: solve it further, by",
                 "margin_control(tol = ), and ask again."))
  }
  curved <- x$loss$name %in% c("logistic", "squared")
  sprintf(paste(
    if (s$most <= 1) "The bound is empty at lambda = %s: it is one row for every prediction." else
      "So small a bound is of little use at lambda = %s.",
    "It rises with the penalty%s: try a fit with lambda = %s."
  ), format(x$lambda, digits = digits), if (curved) "" else
    " and is larger for the logistic loss", format(signif(100 * x$lambda, 1)))
}

#' @exportS3Method
plot.margin_flips <- function(x, row = NULL, ...) {
  assert_plot_arguments("plot()", ...)
  table <- x$rows
  theirs <- list(...)
  others <- theirs[names(theirs) != "col"]
  done <- if (x$change == "remove") "removed" else "relabelled"
  colour <- margin_colours(1L, theirs[["col"]])
  if (!is.null(row)) {
    if (!check_number(row, whole = TRUE)$ok || !row %in% x$bounds$row) {
      abort_input(sprintf("`row` is %s, but must be the number of one of the predicted rows.",
                          show_value(row)), "row")
    }
    bounds <- x$bounds[x$bounds$row == row, ]
    room <- abs(table$score[match(row, table$row)])
    draw(graphics::barplot, list(
      height = pmax(0, pmin(bounds$bound, 2 * room)), names.arg = bounds$changed, las = 2,
      border = NA, col = ifelse(is.na(bounds$flips) | bounds$flips, colour, "grey75"),
      ylim = c(0, max(1.05 * room, pmin(bounds$bound, 2 * room))),
      xlab = sprintf("row %s", done), ylab = "decision value moves by at most",
      main = sprintf("prediction %s: at least %s to flip", format(row),
                     count(table$needed[match(row, table$row)], "row"))
    ), others)
    graphics::abline(h = room, lty = 2, col = "grey40")
    return(invisible(bounds))
  }
  table <- table[is.finite(table$needed), ]
  needed <- table$needed
  if (length(needed) == 0L) {
    abort_input("`x` has no prediction with a finite number of rows to draw.", "x")
  }
  # one bar a number of rows, or a range of them where there are many
  width <- max(1, ceiling((max(needed) + 1) / 40))
  from <- seq(min(needed, 1), max(needed), by = width)
  heights <- tabulate((needed - from[1L]) %/% width + 1, length(from))
  draw(graphics::barplot, list(
    height = heights, col = colour, border = NA, las = 1, space = 0.2,
    names.arg = if (width == 1) from else sprintf("%d-%d", from, from + width - 1),
    xlab = sprintf("rows that must be %s, at least", done), ylab = "predictions",
    main = sprintf("%s that one row could flip", count(x$summary$alone, "prediction"))
  ), others)
  invisible(table[c("row", "needed")])
}
