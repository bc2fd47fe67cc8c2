#' Certificate and convergence of a fit
#'
#' Ask how near a fit is to the best one of its problem, and how it got there. A *certificate* is a
#' pair of numbers computed from the definitions at the point that was returned: `value`, the
#' objective there, and `bound`, which the optimum cannot cross. Whatever the
#' solver did, the optimum lies between the two, so their difference, the *gap*, bounds the
#' *suboptimality* of the fit: the optimisation error of the penalised training objective. It says
#' nothing about predictive error, which is judged on rows that were not fitted; see [margin_cv()].
#'
#' For kind `"duality gap"` the value is the primal objective and the bound the dual objective at a
#' feasible dual point,
#' \deqn{\mathrm{bound} = D(a) \le P^\star \le P(w, b) = \mathrm{value}, \qquad
#'   \mathrm{relative\ gap} = \frac{\mathrm{value} - \mathrm{bound}}
#'   {\max(|\mathrm{value}|, |\mathrm{bound}|, 10^{-10} P(0, b_0))}}{
#'   bound = D(a) <= P* <= P(w, b) = value,
#'   relative gap = (value - bound) / max(|value|, |bound|, 1e-10 P(0, b0)),}
#' and the fit is *certified* when the relative gap is at most `tol`. \eqn{b_0}{b0} is the best
#' intercept of the null model \eqn{w = 0} where the intercept is free, and 0 elsewhere; the term
#' matters only where the optimum is nearly 0. The problem meant is the one that was solved: with
#' `scale = TRUE` the one on the scaled columns, with `center` on centred ones, and for a regression
#' with the Huber loss that of the response divided by its spread (`response_scale`). See
#' [margin_linear()] for \eqn{P} and \eqn{D}.
#'
#' In every kind `gap` is the difference of `value` and `bound`, up to the rounding of these two;
#' a gap smaller than that rounding is kept as it was summed. What is *printed* of it is possible:
#' no objective here is negative, so a negative lower bound is printed as 0 (and the gap as the
#' value). The data frames keep what was computed.
#'
#' The gap includes a bound on what the rounding of the summed terms, of the decision values and of
#' the dual sum can have done to it, so that a right certificate never has a negative gap; what that
#' leaves is the rounding floor that `status` speaks of.
#'
#' An *epoch* is the work of one pass over the nonzero entries of the data; second-order solvers
#' report fractions of it.
#'
#' @param fit a fit, or a comparison from [compare_solvers()]; for a path see
#'   [margin_path-methods].
#' @param by `"worst"`: one row, for the class with the largest relative gap, of those that are not certified where
#'   there are some (a factor with more than two levels is fitted one-vs-rest, each problem with its
#'   own certificate, unless it is one multinomial model, see [margin_kernel()]);
#'   `"class"`: a row for every class; `"tau"`: one for every tau of a fit of several quantiles,
#'   with a column `tau` instead of `class`.
#' @param ... nothing: unknown arguments are errors.
#' @return `certificate()`: a data frame with columns
#'   * `kind`: what the numbers are: `"gradient bound"` or `"confidence bound"` for a fit of
#'     [margin_augmented()], `"margin interval"` for one of [margin_hard()], see there; else
#'     `"duality gap"`, for a kernel fit with landmarks `"duality gap (Nystrom, m landmarks)"`,
#'     which is one of the approximated problem, and for a robust fit without radius and ridge one
#'     that says up to which norm it holds;
#'   * `class`: the level of the one-vs-rest problem, `NA` for two classes, a multinomial model or a
#'     regression;
#'   * `value`, `bound`, `gap`: in the units of the objective (mean loss plus penalty); the gap is
#'     value - bound, for a margin interval bound - value;
#'   * `relative_gap`: without unit;
#'   * `tol`: the tolerance that was asked for;
#'   * `certified`: `relative_gap <= tol`;
#'   * `assumes`: what the bound takes for granted without a check: `""`, or `"positive semidefinite
#'     kernel"` for a kernel that was given and not checked as a whole, see [kernels].
#'
#'   `convergence()`: a data frame with one row for each certificate taken on the way, `class`,
#'   `epoch`, `seconds` (since the start of that class's problem), `value`, `bound` and `gap`. The
#'   value is that of the iterate, even where the fit returns a better one from before, and the gap
#'   is value - bound. The bound is the best so far where the solver keeps one. Those on the way are
#'   estimates where the solver carries decision values or a dual sum along, or samples them; the
#'   last, which ends the fit, is computed anew. On the way kernel values of mixed rows have single
#'   precision where `tol` is 1e-5 or more, and estimates no more digits than these leave.
#'
#'   For a comparison both have the column `solver` in front.
#' @references Shalev-Shwartz, S. and Zhang, T. (2013) Stochastic dual coordinate ascent methods for
#'   regularized loss minimization. *Journal of Machine Learning Research* 14, 567--599.
#'   \doi{10.48550/arXiv.1209.1873}
#' @examples
#' fit <- margin_linear(Species ~ ., data = iris)
#' certificate(fit)
#' certificate(fit, by = "class")
#' tail(convergence(fit), 3)
#' @export
certificate <- function(fit, ...) UseMethod("certificate")

#' @rdname certificate
#' @export
certificate.margin_fit <- function(fit, by = c("worst", "class", "tau"), ...) {
  assert_no_extra("certificate()", ...)
  assert_fit(fit, "fit")
  by <- one_of(by, c("worst", "class", "tau"), "by")
  table <- fit$certificate
  if (by == "tau") {
    if (!has_quantiles(fit)) {
      abort_input("`by` is \"tau\", but the fit is not one of several quantiles; use \"class\".",
                  "by")
    }
    return(without_row_names(named_by_tau(fit, table)))
  }
  if (by == "class") {
    return(without_row_names(table))
  }
  worst_certificate(table)
}

#' @rdname certificate
#' @export
convergence <- function(fit, ...) UseMethod("convergence")

#' @rdname certificate
#' @export
convergence.margin_fit <- function(fit, ...) {
  assert_no_extra("convergence()", ...)
  assert_fit(fit, "fit")
  without_row_names(fit$trace)
}

# What has none: R's own words would be of methods.
#' @export
certificate.default <- function(fit, ...) abort_no_fit(fit, "certificate()")

#' @export
convergence.default <- function(fit, ...) abort_no_fit(fit, "convergence()")

abort_no_fit <- function(fit, caller) {
  abort_input(sprintf("`fit` is %s, but %s is asked of a fit, as of margin_linear().",
                      show_value(fit), caller), "fit")
}

# A fit is as good as its worst class.
worst_certificate <- function(certificate) {
  without_row_names(certificate[worst_of(certificate), , drop = FALSE])
}

# What is not certified is worse than what is: a bound that rests on a condition may have a small gap.
worst_of <- function(certificate) {
  gap <- certificate$relative_gap
  certified <- if (is.null(certificate$certified)) logical(length(gap)) else certificate$certified
  order(certified, is.finite(gap), -gap)[1L]
}

without_row_names <- function(frame) {
  rownames(frame) <- NULL
  frame
}

# How a fit ended: an error, a warning, or nothing to say.

# Numbers that are not numbers are an error; a gap above the tolerance is a warning, once, of the
# worst class.
signal_outcome <- function(fit, problem = NULL) {
  assert_finite_outcome(statuses_of(fit), fit, fit$status$class)
  # of several ranks none has the rows that a cause shows in
  if (!is.null(problem) && is.null(meeting_of(problem$settings))) {
    fit$cause <- likely_cause(fit, problem)
  }
  if (isFALSE(fit$separable)) {
    warn_not_separable(fit)
  } else if (!all(statuses_of(fit) == "certified")) {
    warn_not_certified(fit)
  }
  fit
}

# The family for classes that overlap, on the same columns or kernel.
soft_family <- function(fit) {
  if (is.null(fit$settings$kernel)) "margin_linear" else "margin_kernel"
}

# Not a failure of the solver: what was asked for does not exist.
warn_not_separable <- function(fit) {
  warning(structure(
    class = c("dualmargin_not_separable", "dualmargin_not_certified", "warning", "condition"),
    list(message = sprintf(paste(
      "Not separable: no direction has a positive margin. The proof is weights of the rows whose",
      "weighted sum is zero up to rounding (its length is %s). The best margin seen is %s.",
      "For classes that overlap use %s(loss = \"hinge\")."
    ), format(fit$residual, digits = 2L), format(fit$certificate$value, digits = 3L),
    soft_family(fit)),
    call = NULL, gap = fit$certificate$gap, relative_gap = fit$certificate$relative_gap,
    tol = fit$certificate$tol, status = "not_separable", class = NA_character_,
    residual = fit$residual)
  ))
}

# Coefficients of the user's columns may be beyond double precision where those of the scaled ones
# are not.
assert_finite_outcome <- function(statuses, fit, classes) {
  broken <- which(statuses == "not_finite")
  slopes <- if (is_linear_oneclass(fit)) oneclass_slopes(fit)
  returned <- list(fit$coefficients, slopes)
  if (length(broken) == 0L && all_finite(returned)) {
    return(invisible())
  }
  class <- c(classes[broken], NA)[1L]
  # what a run makes of a matrix that is not semidefinite need not be numbers
  unchecked <- any(fit$certificate$assumes != "")
  stop(structure(
    class = c("dualmargin_numerical_error", "dualmargin_error", "error", "condition"),
    list(message = paste0(
      "The fit left the range of double precision",
      if (!is.na(class)) sprintf(" for class \"%s\"", class),
      if (unchecked) paste("; perhaps the kernel is not positive semidefinite, which",
                           "check = \"full\" of kernel_precomputed() or kernel_custom() tells.") else
      if (!fit$settings$scale) "; use scale = TRUE or rescale the columns." else
        if (inherits(fit, "margin_hard") || is_oneclass(fit)) "; rescale the columns." else
          sprintf("; rescale the columns or give %s.", larger_penalty(fit))
    ), call = NULL)
  ))
}

# Of vectors and matrices, sparse ones too, in lists of them.
all_finite <- function(numbers) {
  if (is.list(numbers)) return(all(vapply(numbers, all_finite, NA)))
  all(is.finite(if (isS4(numbers)) numbers@x else numbers))
}

# A solver whose convergence hangs on lambda says where: an error below its threshold, a note where
# its theory does not reach. solutions: for each class problem a list of points.
signal_strength <- function(solutions, lambda, mixture, solver) {
  strength <- lambda * (1 - mixture)
  threshold <- max(vapply(solutions, function(points) points[[1L]]$threshold, 0))
  weakest <- which.min(strength)
  refused <- vapply(unlist(solutions, recursive = FALSE), function(s) s$status == "refused", NA)
  slow <- isTRUE(threshold > 0 && strength[weakest] < 4 * threshold)
  if (!slow && !any(refused)) {
    return(invisible())
  }
  of_data <- sprintf("%s (max of weight x |row|^2 / (gamma x sum of weights))",
                     format(threshold, digits = 4))
  shown <- sprintf("lambda (1 - mixture) = %s", format(strength[weakest], digits = 4))
  if (any(refused)) {
    abort_input(sprintf(paste(
      "`lambda` is %s, and %s is not above %s, below which solver \"%s\" diverges on these rows;",
      "use a larger lambda, or solver \"aspdc_i\" or \"auto\"."
    ), format(lambda[weakest], digits = 4), shown, of_data, solver), "lambda")
  }
  inform(sprintf(paste(
    "Solver \"%s\": %s is below 4 times %s, where the rate of its theorem ends; it may be slow."
  ), solver, shown, of_data))
}

# One epoch, or a number of them that may be no whole one.
epochs_words <- function(epochs, digits) {
  paste(format(epochs, digits = digits), if (epochs == 1) "epoch" else "epochs")
}

warn_not_certified <- function(fit) {
  worst <- worst_of(fit$certificate)
  row <- fit$certificate[worst, ]
  signal_not_certified("Not certified:", row, fit$status[worst, ], fit)
}

# `place` leads the message; row and status are those of the worst certificate; what else the
# condition should tell comes in `...`.
signal_not_certified <- function(place, row, status, fit, ...,
                                 remedy = remedy_for(status, fit)) {
  message <- sprintf(
    "%s relative gap %s %s tol %s%s (%s after %s). %s%s", place,
    format(row$relative_gap, digits = 3), if (row$relative_gap <= row$tol) "<=" else ">",
    format(row$tol, digits = 3),
    if (is.na(row$class)) "" else if (problem_noun(row$class) == "class")
      sprintf(" for class \"%s\"", row$class) else paste(" for", row$class),
    status$status, epochs_words(status$epochs, 4),
    paste0(undecided_sentence(fit), sought_sentence(row, status)), remedy
  )
  warning(structure(
    class = c("dualmargin_not_certified", "warning", "condition"),
    list(message = message, call = NULL, gap = row$gap, relative_gap = row$relative_gap,
         tol = row$tol, status = status$status, class = row$class, ...)
  ))
}

# A margin that is not proved positive, on rows that are not proved inseparable either.
is_undecided <- function(fit) inherits(fit, "margin_hard") && isTRUE(is.na(fit$separable))

undecided_sentence <- function(fit) {
  if (is_undecided(fit)) "Whether any direction separates the rows is undecided. " else ""
}

# Within tol, and not certified: a limit ended the search for what Huber's delta counts.
is_sought <- function(row, status) {
  row$relative_gap <= row$tol & status$status %in% c("max_epochs", "max_seconds")
}

sought_sentence <- function(row, status) {
  if (is_sought(row, status)) {
    "The size of the residuals, which `delta` counts, was not found by then. "
  } else if (status$status == "no_fixed_point") {
    "The size of the residuals, which `delta` counts, is not that of the residuals of the fit. "
  } else ""
}

larger_penalty <- function(fit) {
  if (!takes(fit, "lambda")) "a ridge above 0" else
    if (is.null(fit$call$cost)) "a larger lambda" else "a smaller cost"
}

# Which refuses `stall = FALSE`.
auto_solver <- function(fit) {
  paste0("solver = \"auto\"", if (isFALSE(fit$settings$control$stall)) " without stall = FALSE")
}

# What to try: first against the cause, where one was found.
remedy_for <- function(status, fit) {
  trimws(paste(cause_sentence(fit), remedy_for_status(status, fit)))
}

remedy_for_status <- function(status, fit) {
  if (is_oneclass(fit)) {
    return(remedy_of_oneclass(status, fit))
  }
  limits <- c(max_epochs = "max_epochs", max_seconds = "max_seconds")
  if (status$status %in% names(limits)) {
    return(sprintf("Raise %s in margin_control()%s.", limits[status$status],
                   if (fit$settings$solver != "auto") paste(" or use", auto_solver(fit)) else ""))
  }
  if (status$status == "conditional") {
    return("Without radius and ridge the bound is one of limited norm only; give one of them.")
  }
  if (status$status == "no_fixed_point") {
    return(paste("Give loss_huber() a unit: \"response\", or a number; or give a smaller tol, by which",
                 "residuals are known better."))
  }
  told <- identical(fit$cause$what, "unequal")
  columns <- if (!fit$settings$scale && !told) "scale = TRUE"
  if (is_undecided(fit)) {
    finds <- fit$settings$solver %in% c("auto", "active_set")
    try <- c(if (!finds) paste0(auto_solver(fit), ", which looks for a proof"),
             if (finds) columns,
             if (finds && is.null(fit$cause)) "rows shifted to the origin")
    overlap <- sprintf("or classes that overlap use %s(loss = \"hinge\").", soft_family(fit))
    return(if (length(try) == 0L) paste0("F", overlap) else
      sprintf("Try %s; f%s", paste(try, collapse = " or "), overlap))
  }
  if (status$status == "invalid_bound") {
    return(sprintf(
      "The bound was dropped, since rounding has made it impossible; rescale the columns%s.",
      if (inherits(fit, "margin_hard")) "" else paste(", or give", larger_penalty(fit))
    ))
  }
  if (status$status == "rounding_floor") {
    return(sprintf("Rounding permits a relative gap of about %s here; try %s.",
                   if (is.finite(status$rounding_floor)) format(status$rounding_floor, digits = 2)
                   else "1",
                   paste(c(columns, "a larger tol"), collapse = " or ")))
  }
  other <- if (fit$settings$solver != "auto") auto_solver(fit) else
    if (!inherits(fit, "margin_hard")) larger_penalty(fit)
  sprintf("Try %s.", paste(c(columns, other, "a larger tol"), collapse = " or "))
}

# One warning for many fits. results: a row per fit; what: a noun for them; place: a function of the
# worst row; remedy: a sentence.
signal_fits <- function(results, what, place, remedy) {
  missed <- which(!results$certified)
  if (length(missed) == 0L) {
    return(invisible())
  }
  worst <- results[worst_of(results), ]
  warning(structure(
    class = c("dualmargin_not_certified", "warning", "condition"),
    list(message = sprintf(
      "Not certified: %d of %d %s, the worst with a relative gap of %s (%s). %s", length(missed),
      nrow(results), what, format(worst$relative_gap, digits = 3), place(worst), remedy
    ), call = NULL, relative_gap = worst$relative_gap, missed = length(missed))
  ))
}

# Why a fit is not certified: what columns, penalty and rows have that makes a problem hard. Looked
# for where a fit ends without a certificate, in time O(nonzeros); a few numbers are kept.

# From here on it is worth a word: a mean this many standard deviations from zero, standard
# deviations that differ by this factor, a lambda this small beside 1 / (sum of weights).
far_mean <- 10
unequal_columns <- 100
vanishing_penalty <- 1e-3

# The first that is found, of a fit or of a path: a list of `what`, its figures and, for means far
# from zero, what to use; or NULL.
likely_cause <- function(fit, problem) {
  ended <- statuses_of(fit)
  if (all(ended == "certified") || any(ended %in% c("conditional", "not_separable", "not_finite"))) {
    return(NULL)
  }
  x <- problem$design$x
  moments <- if (!identical(fit$settings$kernel$name, "precomputed")) {
    column_frame(x, problem$omega)
  }
  cause <- far_columns(fit, moments)
  if (is.null(cause)) cause <- columns_of_unequal_scale(fit, moments)
  if (is.null(cause)) cause <- separable_rows(fit, problem$omega)
  cause
}

far_columns <- function(fit, moments) {
  varies <- which(moments$sd > 0)
  # a precomputed kernel has no columns
  if (length(varies) == 0L) {
    return(NULL)
  }
  ratio <- abs(moments$mean[varies]) / moments$sd[varies]
  if (!isTRUE(max(ratio) > far_mean)) {
    return(NULL)
  }
  use <- centring_of(fit)
  worst <- which.max(ratio)
  if (!is.null(use)) {
    list(what = "far", column = fit$features[varies[worst]], figure = ratio[worst], use = use)
  }
}

columns_of_unequal_scale <- function(fit, moments) {
  sd <- moments$sd
  varies <- which(sd > 0)
  if (isTRUE(fit$settings$scale) || length(varies) < 2L || !takes(fit, "scale") ||
        !isTRUE(max(sd) / min(sd[varies]) > unequal_columns)) {
    return(NULL)
  }
  small <- varies[which.min(sd[varies])]
  list(what = "unequal", column = fit$features[which.max(sd)], other = fit$features[small],
       figure = max(sd) / sd[small])
}

# All rows on their side of the boundary, and next to no penalty: coefficients grow without end.
separable_rows <- function(fit, omega) {
  lambda <- fit$settings$lambda
  # a path keeps no scores
  if (is.null(fit$scores) || is.null(lambda) || fit$task != "classification" ||
        inherits(fit$response, "soft_labels") || !is.null(fit$settings$mixup) ||
        is_joint(fit)) {
    return(NULL)
  }
  product <- lambda * sum(omega)
  worst <- worst_of(fit$certificate)
  score <- if (is.matrix(fit$scores)) fit$scores[, worst] else fit$scores
  level <- fit$levels[if (is.matrix(fit$scores)) worst else 2L]
  own <- hard_response(fit) == level
  used <- omega > 0
  apart <- isTRUE(all(ifelse(own, score, -score)[used] > 0))
  if (apart && isTRUE(product <= vanishing_penalty)) list(what = "separable", figure = product)
}

# What this fit's function takes: advice never names what it lacks.
takes <- function(fit, argument) {
  argument %in% names(formals(family_of(fit)$of_matrix))
}

# What takes the means out of this problem, as an argument with its value; NULL where nothing is to
# be done: they are out already, or move nothing.
centring_of <- function(fit) {
  settings <- fit$settings
  if (isTRUE(settings$center)) {
    return(NULL)
  }
  kernel <- settings$kernel$name
  if (!is.null(kernel)) {
    moved <- kernel %in% c("polynomial", "linear", "ntk")
    return(if (moved && takes(fit, "center")) "center = TRUE" else if (moved) by_hand)
  }
  if (!is.null(settings$perturbation)) {
    # those of the values as they are refuse it
    steps <- vapply(settings$perturbation$steps, `[[`, "", "name")
    able <- takes(fit, "center") && !isTRUE(fit$sparse) && !any(steps %in% c("image", "custom"))
    return(if (able) "center = TRUE")
  }
  if (settings$intercept == "free" || (class_model(fit)$compared && length(fit$levels) > 2L)) {
    return(NULL)
  }
  loss <- if (is.null(settings$loss)) as_loss("hinge") else settings$loss
  mixture <- if (is.null(settings$mixture)) 0 else max(settings$mixture)
  row <- find_solver(settings$solver, family_name(fit))
  able <- check_solver(row, loss, "free", mixture)$ok
  paste0("intercept = \"free\"", if (!able) paste(" with", auto_solver(fit)))
}

by_hand <- "columns from which the mean has been subtracted"

# A sentence, "" where no cause was found.
cause_sentence <- function(fit) {
  cause <- fit$cause
  if (is.null(cause)) {
    return("")
  }
  plain <- cause$figure >= 1e-3 && cause$figure < 1e9
  figure <- grouped(signif(cause$figure, 2L), scientific = !plain)
  switch(
    cause$what,
    far = sprintf("The mean of column `%s` is %s times its standard deviation: use %s.",
                  cause$column, figure, cause$use),
    unequal = sprintf(paste(
      "Column `%s` has %s times the standard deviation of column `%s`: use scale = TRUE."
    ), cause$column, figure, cause$other),
    separable = sprintf(paste(
      "The rows are separable and lambda is only %s / (sum of weights), so that coefficients grow",
      "all but without end: use %s, or margin_hard()."
    ), figure, larger_penalty(fit))
  )
}
