#' Hard-margin support vector machine with a certificate
#'
#' @description
#' Finds the boundary that separates two classes by the largest margin (a hard-margin support vector
#' machine), or proves that no boundary separates them.
#' ```r
#' fit <- margin_hard(Species ~ ., data = train)
#' support_rows(fit)
#' ```
#' The fit comes with a *certificate*, which bounds its *suboptimality*: how far its margin on the
#' training rows is from the largest. A certificate says nothing about predictive error; estimate
#' that on rows that were not fitted, as [margin_cv()] does.
#'
#' @details
#' The fit is the direction along which the classes are farthest apart: for labels \eqn{y_i} of -1
#' and +1 the maximum margin
#' \deqn{\bar\gamma = \max_{|w|_2 = 1,\, b}\; \min_i\; y_i (w'x_i + b)
#'   = \min_{q}\; \Big|\sum_i q_i y_i x_i\Big|_2,
#'   \qquad q_i \ge 0, \quad \sum_i q_i = 1,}{
#'   gamma = max over |w|_2 = 1, b of min_i y_i (w'x_i + b)
#'         = min over q of |sum_i q_i y_i x_i|_2,   q_i >= 0, sum_i q_i = 1,}
#' which is the smallest distance of a row from the boundary. Nothing is tuned: there is no loss and
#' no penalty. It exists only where the classes can be separated; where they cannot, the fit says so
#' and proves it.
#'
#' @section Intercept:
#' With `"none"`, as in the paper, the boundary goes through the origin. `"penalized"` appends a
#' column of ones that is treated as any other, so the distance is measured in one dimension more.
#' `"free"` is the hard-margin support vector machine: each class has half of the weights q, and b
#' lies in the middle. Several classes have no free one: give `"penalized"` or `"none"`.
#'
#' @section Several classes:
#' One model with a vector \eqn{u_c} for each class, in the reduction of Ji, Srebro and Telgarsky
#' (2021, Section 5.2) to rows \eqn{x_i (e_{c_i} - e_j)' / \sqrt 2}{x_i (e_(c_i) - e_j)' / sqrt(2)},
#' one for each example and each other class, which are never formed:
#' \deqn{\bar\gamma = \max_{\sum_c |u_c|^2 = 1/2}\; \min_{i,\, j \ne c_i}\; x_i'(u_{c_i} - u_j).}{
#'   gamma = max over sum_c |u_c|^2 = 1/2 of min over i, j not c_i of x_i'(u_(c_i) - u_j).}
#' For two classes this is the same number as above; the paper's multiclass margin is
#' \eqn{\sqrt 2}{sqrt(2)} times it.
#'
#' @section Kernels:
#' With a `kernel` the direction is a function of length one in the space of the kernel, see
#' [kernels]; `kernel = NULL` is the linear margin on the columns. The space exists for positive
#' semidefinite kernels only. One that is given as values or as a function is judged, and where it
#' is not positive semidefinite there is an error and no statement on whether rows can be separated.
#'
#' @section Certificate:
#' Of kind `"margin interval"`: `value` is the margin that the returned direction has, recomputed
#' from the rows, and `bound` is \eqn{|\sum_i q_i y_i x_i|}{|sum_i q_i y_i x_i|} at the returned
#' weights q, so that \deqn{\mathrm{value} \le \bar\gamma \le \mathrm{bound}.}{value <= gamma <=
#' bound.} Both are in the unit of the columns, scaled if `scale = TRUE`; so are the decision values
#' of a fit, which are signed distances from the boundary (for several classes, the own decision
#' value minus the largest other one is).
#'
#' `value` is that of the returned direction as computed; how far rounding can have moved either
#' number is part of `bound` and `gap`.
#'
#' Rows that no direction separates have weights q with \eqn{\sum_i q_i y_i x_i = 0}{sum_i q_i y_i
#' x_i = 0}. What is proved of that is in `fit$separable`, whatever the solver:
#' * `TRUE`: the margin of the returned direction is positive by more than its rounding. Only such a
#'   fit can be certified.
#' * `FALSE`: the returned weights have a sum of zero, in each column up to the rounding of its own
#'   terms, and no direction was seen whose margin is positive; the length of the sum is
#'   `fit$residual`. What was asked for does not exist: a warning of class
#'   `dualmargin_not_separable`, and the fit holds the least bad direction that was seen. Where all
#'   rows are zero there is none, the coefficients are 0 and the value is `-Inf`.
#'   Rounding is some 1e-15 of the longest row; of a kernel the square of the sum is rounded, so
#'   that margins below some 1e-7 of it are taken for none.
#' * `NA`: neither, since the run ended too early, or the margin is smaller than its rounding: a
#'   warning of class `dualmargin_not_certified`. The active set (`solver = "auto"`) finds weights
#'   of the second kind where they exist; other solvers seldom do.
#'
#' @param x,y,formula,data As for [margin_linear()]; `y` must be classes.
#' @param kernel `NULL`, or a kernel as for [margin_kernel()]; see also [kernel_ntk()].
#' @param intercept `"free"`, `"penalized"` or `"none"`, see below. Several classes take the last
#'   two.
#' @param scale Divide each column by its standard deviation for the fit? Distances are then those
#'   of the scaled columns. `FALSE` unless asked for, unlike in the other families: a margin is a
#'   distance in the units of `x`, and whether rows are separable does not depend on the scale. See
#'   [margin_linear()].
#' @param weights Which rows count: those of positive weight. How large a weight is changes nothing,
#'   since a margin is that of the nearest row. There are no class weights for the same reason.
#' @param subset,na.action,contrasts,sparse As for [margin_linear()].
#' @param solver `"auto"` or a name from [margin_solvers()] with `family = "hard"`.
#' @param control How the fit is computed, see [margin_control()]. `tol = NULL` is 1e-9.
#' @param ... Not used; an unknown argument is an error.
#' @return An object of class `c("margin_hard", "margin_fit")`, with the same methods as a fit of
#'   [margin_linear()]; its coefficients are the direction \eqn{w} of length one (several classes:
#'   the \eqn{u_c} in columns) divided by the columns' scales. Beside what all fits have it holds
#'   `dual`, the weights q (for several classes a matrix with a column for each other class);
#'   `separable` (`TRUE`, `FALSE` or `NA`); and `residual`. [support_rows()] lists the
#'   support vectors.
#' @section Errors and warnings:
#' As for [margin_linear()], and the warning `dualmargin_not_separable`.
#' @references
#' Ji Z, Srebro N, Telgarsky M (2021). Fast margin maximization via dual acceleration.
#' *International Conference on Machine Learning* 139, 4860-4869. arXiv:2107.00595.
#'
#' Lawson CL, Hanson RJ (1974). *Solving Least Squares Problems*, chapter 23. Prentice-Hall.
#' \doi{10.1137/1.9781611971217}.
#' @seealso [support_rows()], [margin_linear()] with `loss = "hinge"` for rows that cannot be
#'   separated, `vignette("margin")`.
#' @examples
#' flowers <- droplevels(iris[iris$Species != "virginica", ])
#' train <- seq(1, nrow(flowers), by = 2)
#' test <- flowers[-train, ]
#' fit <- margin_hard(Species ~ ., data = flowers[train, ])
#' fit
#' support_rows(fit)
#' mean(predict(fit, test) == test$Species)
#'
#' two <- margin_hard(Species ~ Petal.Length + Petal.Width, data = flowers)
#' plot(two, which = "boundary", data = flowers)
#' plot(two, which = "scores")
#' @usage NULL
#' @export
margin_hard <- function(x, ...) {
  UseMethod("margin_hard", leading_argument(x, ...))
}

#' @rdname margin_hard
#' @export
margin_hard.matrix <- function(x, y, kernel = NULL, intercept = "free", scale = FALSE,
                               weights = NULL, solver = "auto", control = margin_control(), ...) {
  assert_response_given(missing(y))
  design <- matrix_design("hard", x, y, weights, match.call(), list(...))
  intercept <- formula_intercept(design, intercept, missing(intercept))
  fit_hard(design, hard_settings(kernel, intercept, scale, solver, control))
}

#' @rdname margin_hard
#' @usage NULL
#' @export
margin_hard.Matrix <- margin_hard.matrix

#' @rdname margin_hard
#' @usage NULL
#' @export
margin_hard.data.frame <- margin_hard.matrix

#' @rdname margin_hard
#' @usage \special{margin_hard(formula, data, \dots, weights, subset, na.action, contrasts, sparse)}
#' @export
margin_hard.formula <- function(formula, data, ..., weights, subset, na.action, contrasts = NULL,
                                sparse = FALSE) {
  design <- formula_design("hard", match.call(), parent.frame(), data, contrasts, sparse)
  margin_hard.matrix(design, NULL, ...)
}

#' @export
margin_hard.default <- function(x, ...) margin_linear.default(x)

# From a design and settings to a hard-margin SVM, linear or on a kernel: ONE call into C++.

hard_settings <- function(kernel, intercept, scale, solver, control) {
  if (!is.null(kernel)) kernel <- as_kernel(kernel)
  settings <- common_settings("hard", list(kernel = kernel), intercept, scale, NULL, solver,
                              control, tol = 1e-9)
  assert_unscaled(kernel, scale)
  refuse_checkpoint(control, "margin_hard()")
  if (!is.null(control$start)) {
    abort_input("`start` was given, but no solver of margin_hard() uses one; leave it out.",
                "start")
  }
  assert_solver(settings$solver, as_loss("hinge"), intercept, 0)
  settings
}

fit_hard <- function(design, settings) {
  if (!is.null(settings$kernel)) {
    return(fit_hard_kernel(design, settings))
  }
  problem <- prepare_hard(design, settings)
  result <- in_core(fit_hard_cpp(problem$design$x, problem$response$codes, problem$omega,
                                 core_hard(problem), core_control(settings, NULL)))
  signal_outcome(new_margin_fit("margin_hard", problem, result, function(columns) {
    hard_elements(problem, result)
  }), problem)
}

fit_hard_kernel <- function(design, settings) {
  assert_kernel_matrix(settings$kernel, design)
  settings$kernel <- judged_kernel(
    settle_kernel(settings$kernel, ncol(design$x), nrow(design$x), settings$control$seed), design$x
  )
  problem <- prepare_hard(design, settings)
  given <- kernel_rows(problem)
  result <- in_core(fit_hard_kernel_cpp(given$x, problem$response$codes, problem$omega,
                                        c(core_hard(problem), list(kernel = given$kernel)),
                                        core_control(settings, NULL)))
  assert_kernel_range(result, settings$kernel)
  if (!is.null(given$scales)) result$scales <- given$scales
  signal_outcome(new_expansion("margin_hard", problem, result, function(columns) {
    c(hard_elements(problem, result), list(bytes = result$bytes))
  }), problem)
}

prepare_hard <- function(design, settings) {
  problem <- prepare_problem(design, settings, "margin_hard()")
  if (settings$intercept == "free" && problem$response$n_classes > 1L) {
    naming_response(design$response_name, abort_input(sprintf(paste(
      "`intercept` is \"free\", which margin_hard() has for two classes only, and `y` has %d;",
      "use \"penalized\" or \"none\"."
    ), problem$response$n_classes), "intercept"))
  }
  problem
}

core_hard <- function(problem) {
  settings <- problem$settings
  list(intercept = settings$intercept, scale = settings$scale,
       n_classes = problem$response$n_classes)
}

# What only a hard-margin SVM has.
hard_elements <- function(problem, result) {
  solution <- result$solutions[[1L]]
  list(dual = row_weights(problem, solution$dual), separable = solution$separable,
       residual = solution$residual)
}

# The weights q of the rows of the problem, given to the examples they belong to: for several
# classes a column for each, the weight of the example against that class.
row_weights <- function(problem, q) {
  used <- which(problem$omega > 0)
  k <- problem$response$n_classes
  if (k == 1L) {
    return(replace(numeric(length(problem$omega)), used, q))
  }
  own <- problem$response$codes[used]
  weights <- matrix(0, length(problem$omega), k, dimnames = list(NULL, problem$response$levels))
  pairs <- matrix(q, ncol = k - 1L, byrow = TRUE)
  for (r in seq_len(k - 1L)) weights[cbind(used, r + (r >= own))] <- pairs[, r]
  weights
}

# What the methods of all fits ask of a hard-margin SVM, and its support vectors.

#' @exportS3Method
describe_problem.margin_hard <- function(fit, digits) {
  support <- rowSums(as.matrix(fit$dual) > 0)
  c(kernel = if (is.null(fit$settings$kernel)) NA_character_ else format(fit$settings$kernel),
    margin = if (is.na(fit$separable)) {
      "not known, nothing proves that the classes can be separated or that they cannot"
    } else if (fit$separable) {
      sprintf("%s, %s", format(fit$certificate$value, digits = digits),
              count(sum(support > 0), "support vector"))
    } else {
      "none, the classes cannot be separated"
    })
}

#' @exportS3Method
problem_columns.margin_hard <- function(fit) {
  kernel <- fit$settings$kernel
  data.frame(kernel = if (is.null(kernel)) NA_character_ else kernel$name,
             separable = fit$separable)
}

#' @exportS3Method
score_design.margin_hard <- function(model, x, coefficients = scoring_coefficients(model)) {
  if (has_kernel(model)) kernel_scores(model, x, coefficients) else NextMethod()
}

#' @exportS3Method
slope_scales.margin_hard <- function(fit) if (has_kernel(fit)) 1 else fit$scales

#' @exportS3Method
summary.margin_hard <- function(object, ...) {
  assert_no_extra("summary()", ...)
  made <- NextMethod()
  made$model[c("dual", "separable")] <- object[c("dual", "separable")]
  if (has_kernel(object)) summary_of_expansion(object, made) else made
}

#' Support vectors
#'
#' Find the training rows that a fit rests on: those whose dual variable is not zero. Without the
#' other rows the fit would be the same.
#'
#' For [margin_hard()] these are the rows at the smallest distance from the boundary, and their
#' weights \eqn{q_i} sum to one. For [margin_linear()] and [margin_kernel()] with a hinge loss they
#' are the rows at or inside the margin; with a smooth loss they are all rows with a slope.
#'
#' @param fit A fit of [margin_hard()], [margin_linear()] or [margin_kernel()].
#' @param ... Not used; an unknown argument is an error.
#' @return A data frame with one row for each support vector (for several classes: for each support
#'   vector and class problem or other class), by weight:
#'   * `row` (its name, or number) and `response`;
#'   * `class` (several classes only): the class that the problem tells from the rest, for
#'     [margin_hard()] the class that the row is told from;
#'   * `weight`: the size of the dual variable, never negative;
#'   * `coefficient` \eqn{c_i}: with its sign, what the row counts in the score,
#'     \deqn{z(x) = \sum_i c_i\, k(\tilde x_i, \tilde x) + b,}{
#'       z(x) = sum_i c_i k(x_i, x) + b,}
#'     of columns divided by `fit$scales` (and centred, where the fit has a `center`), with
#'     \eqn{k(x, x') = x^\top x'}{k(x, x') = x'x} for a fit without a kernel and the intercept
#'     \eqn{b} (where it is penalised, a column of ones is part of \eqn{x}). For two classes it is
#'     positive for rows of the second level and negative for those of the first, so the sum is
#'     positive where the second is predicted. (In e1071 and LIBSVM the first label is the positive
#'     one, and `coefs` have the opposite sign.) For several classes it belongs to the score of
#'     `class`; for [margin_hard()] to that of the row's own class, and with the opposite sign to
#'     that of `class`. `NA` where the score is no such sum: `mixture` above 0, `nystrom`, finite
#'     `lower` or `upper`, a `penalty_factor` of 0, [margin_robust()]. With `mixup` the rows that were
#'     mixed count as well and are not in the table;
#'   * `score`.
#' @section Errors:
#' A fit without dual variables is an error of class `dualmargin_input_error`.
#' @examples
#' flowers <- droplevels(iris[iris$Species != "virginica", ])
#' support_rows(margin_hard(Species ~ ., data = flowers))
#' nrow(support_rows(margin_linear(Species ~ ., data = flowers, loss = "hinge")))
#' @export
support_rows <- function(fit, ...) UseMethod("support_rows")

#' @rdname support_rows
#' @export
support_rows.default <- function(fit, ...) abort_no_fit(fit, "support_rows()")

#' @export
support_rows.margin_fit <- function(fit, ...) {
  assert_no_extra("support_rows()", ...)
  assert_fit(fit, "fit")
  refuse_quantiles(fit, "support_rows()")
  if (is.null(fit[["dual"]])) {
    abort_input(sprintf(
      "`fit` is a fit of %s(), which has no dual variables and so no support vectors.",
      class(fit)[1L]
    ), "fit")
  }
  dual <- as.matrix(fit$dual)[seq_len(NROW(fit$scores)), , drop = FALSE]
  at <- which(dual != 0, arr.ind = TRUE)
  at <- at[order(-abs(dual[at])), , drop = FALSE]
  scores <- as.matrix(fit$scores)
  names <- rownames(scores)
  if (is.null(names)) names <- names(fit$scores)
  if (is.null(names)) names <- seq_len(nrow(scores))
  i <- at[, 1L]
  table <- data.frame(row = names[i], response = hard_response(fit)[i])
  if (ncol(dual) > 1L) table$class <- fit$levels[at[, 2L]]
  table$weight <- abs(dual[at])
  table$coefficient <- expansion_coefficients(fit, dual)[at]
  table$score <- if (ncol(scores) > 1L) scores[at] else scores[i]
  without_row_names(table)
}

# What each row counts in the score, a column for each class problem: score(x) = sum_i c_i k(x_i, x)
# + b.
expansion_coefficients <- function(fit, dual) {
  if (inherits(fit, "margin_hard")) {
    bound <- fit$certificate$bound # the norm of the sum that the weights make
    if (length(fit$levels) > 2L) {
      return(dual / (2 * bound))
    }
    return(dual * ifelse(hard_response(fit) == fit$levels[2L], 1, -1) / bound)
  }
  if (!is_sum_of_rows(fit)) {
    return(NA * dual)
  }
  if (has_kernel(fit)) {
    beta <- kernel_coefficients(fit)
    place <- match(seq_len(nrow(dual)), fit$support$at)
    found <- matrix(0, nrow(dual), ncol(dual))
    found[!is.na(place), ] <- as.matrix(beta)[place[!is.na(place)], ]
    return(found)
  }
  # the dual variables are those of the response in its unit, the scores in that of the user
  unit <- if (is.null(fit$response_scale)) 1 else fit$response_scale
  -unit * row_shares(fit) * dual / fit$settings$lambda
}

# Not with an l1 penalty, columns without one or with bounds, perturbed rows, or landmarks in the place
# of rows.
is_sum_of_rows <- function(fit) {
  settings <- fit$settings
  !inherits(fit, "margin_robust") && is.null(settings$nystrom) && !isTRUE(settings$mixture > 0) &&
    !any(is.finite(c(settings$lower, settings$upper))) && !any(settings$penalty_factor == 0)
}

# Scores from which on a row is as far away as the margin asks.
margin_of_scores <- function(fit) {
  if (!inherits(fit, "margin_hard")) {
    return(1)
  }
  max(fit$certificate$value, 0)
}

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
      paste("the", grouped(shown), "heaviest") else grouped(shown)),
    whole,
    if (bounded == nrow(table)) ", all at the bound of their weight" else
      if (bounded > 0L) sprintf("; %s at the bound", grouped(bounded))
  )
}

