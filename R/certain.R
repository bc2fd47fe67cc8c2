# What is certain about the exact optimum of a fit's problem, from the fit and its rows.

#' What is certain about the exact optimum
#'
#' @description
#' Tells which classes, signs and values would be the same had the optimiser run to the end.
#' A certificate bounds how far the *objective* of a fit is from its optimum; `margin_certain()`
#' turns that bound into statements on what a user looks at: intervals that hold the decision
#' values, probabilities and coefficients of the **exact optimum**, and the classes and signs that
#' no further optimisation can change.
#' ```r
#' certain <- margin_certain(fit, train)
#' predict(certain, test)
#' ```
#'
#' @details
#' Everything here is about the optimum of the stated problem on the rows of the fit. "Decided"
#' means that the exact optimum predicts this class, not that the class is right; the intervals are
#' numerical bounds, not confidence intervals. They say nothing about the population the rows were
#' drawn from: that is what [margin_cv()] and bootstraps are for. Scales of columns
#' (`scale = TRUE`), the unit of a response and a calibration are taken as they are in the fit.
#'
#' The intervals follow from the gap. The objective curves at least as much as its ridge, so a small
#' gap leaves the optimum no room but a ball near the fit,
#' \deqn{|w^\star - m|^2 \le \frac{\mathrm{gap}}{\lambda (1 - \mathrm{mixture})} -
#'   \frac{|w - w(a)|^2}{4}, \qquad m = \frac{w + w(a)}{2},}{|w* - m|^2 <=
#'   gap/(lambda (1 - mixture)) - |w - w(a)|^2/4,  m = (w + w(a))/2,}
#' with the coefficients \eqn{w} of the fit on its scaled columns and those \eqn{w(a)} of its dual
#' variables (Ndiaye and others 2017). The logistic, the squared and other smooth losses have
#' shorter intervals by the curvature of the rows (Bach 2010), a free intercept has a range of its
#' own, and with an l1 part some coefficients of the optimum are certainly zero. Kernel, robust,
#' augmented, hard-margin and multinomial fits have balls of the same kind. Derivation:
#' `vignette("proofs")`.
#'
#' Of these the tightest is reported. All of them hold for any fit, certified or not: a loose fit
#' gives wide intervals, as the root of its gap. Where they leave a class open,
#' `predict(certain, newdata, data = )` solves the problem further until it is decided. For an
#' augmented fit whose certificate is one of confidence, so is all that follows: with 95 % all
#' intervals of a class problem hold at once, see `level`.
#'
#' @param fit A fit of [margin_linear()] with `mixture` below 1 (not of Crammer and Singer's loss
#'   with free intercepts), of [margin_kernel()] with a kernel
#'   by formula, all rows and hard labels (no `nystrom`, `mixup` or multinomial model), of
#'   [margin_robust()] with a positive `ridge`, of [margin_augmented()], or of [margin_hard()]
#'   with a positive margin between two classes, without a kernel.
#' @param data,y The rows and labels it was fitted to, as they were given, in their order: a fit
#'   does not keep its rows. For a fit from a formula `data` is the data frame and `y` is left out,
#'   for one of rows in a file `data` is what [read_rows()] returned.
#' @param compact Leave out the roots of the Hessians, which take `p^2 / 2` numbers of 8 bytes for
#'   `p` columns and each class problem of its own curvature, for one multinomial problem of k
#'   classes `(k p)^2 / 2`? Intervals of new rows then ask for the rows of the fit: `predict(certain,
#'   newdata, data = )`. All else is as without it.
#' @param ... Not used; an unknown argument is an error.
#' @section Rows in a file:
#' The rows of a linear fit may be in a file, all of it: they are read in ten to thirty passes, and
#' what is found is what the same rows in memory give. One thing is left out: with a free intercept,
#' rows whose class is open are looked at a second time in memory, which is a pass each.
#' Ask for it, and for refits, with `predict(certain, newdata, data = rows)`, for the rows that
#' matter.
#' @return An object of class `"margin_certain"`, which holds no rows:
#'   [predict()][predict.margin_certain] it for new rows; [coef()] and [tidy()][tidy.margin_certain]
#'   for the coefficients. A list with `fit`, `problems` (for each class problem the ball, the range
#'   of a free intercept, what the Hessian says of the coefficients), `metrics` (the roots of the
#'   Hessians, each once), `level` (1: proven; less: the confidence with which
#'   all statements hold at once) and `training` (ends of the scores of the rows of the fit).
#' @section Errors:
#' Another kind of fit, and rows or labels that are not those of the fit, are errors of class
#' `dualmargin_input_error`. So is a lasso (`mixture = 1`), whose optimum need not be unique: the
#' message says what is certain nonetheless, `mixture = 0.99` has intervals.
#' @references
#' Ndiaye E, Fercoq O, Gramfort A, Salmon J (2017). Gap safe screening rules for sparsity enforcing
#' penalties. *Journal of Machine Learning Research* 18(128), 1-33. arXiv:1611.05780.
#'
#' Shibagaki A, Karasuyama M, Hatano K, Takeuchi I (2016). Simultaneous safe screening of features
#' and samples in doubly sparse modeling. *Proceedings of the 33rd ICML*. arXiv:1602.02485.
#'
#' Bach F (2010). Self-concordant analysis for logistic regression. *Electronic Journal of
#' Statistics* 4, 384-414. \doi{10.1214/09-EJS521}.
#' @seealso [predict.margin_certain()], [margin_loo()] for what the fit would be without a row,
#'   [margin_sensitivity()] for other changes of the rows,
#'   `vignette("decisions")`.
#' @examples
#' train <- seq(1, nrow(spambase), by = 2)
#' test <- spambase[-train, ]
#' fit <- margin_linear(type ~ ., data = spambase[train, ], lambda = 0.01)
#' certain <- margin_certain(fit, spambase[train, ])
#' certain
#' # which e-mails of the test set could change their class if the fit were solved to the end?
#' found <- predict(certain, test)
#' found[!found$decided, ]
#' # signs of coefficients that are no accident of the optimiser
#' table(tidy(certain)$sign, useNA = "ifany")
#' @export
margin_certain <- function(fit, data, y, compact = FALSE, ...) {
  assert_no_extra("margin_certain()", ...)
  assert_flag(compact, "compact")
  assert_certain_kind(fit, "margin_certain()", all = TRUE)
  if (!missing(data) && is_rows(data)) assert_certain_file(fit, data)
  x <- training_design(fit, data, y, on_disk = TRUE)$x
  if (is_rows(data)) {
    return(with_metrics(certain_of(fit, data), compact))
  }
  if (inherits(fit, "margin_kernel")) {
    return(certain_of_kernel(fit, x))
  }
  if (inherits(fit, "margin_oneclass")) {
    return(certain_of_oneclass(fit, x))
  }
  with_metrics(certain_of(fit, x), compact)
}

# Of columns, in memory or in a file.
certain_of <- function(fit, x) {
  joint <- is_joint(fit)
  if (joint) assert_joint_known(fit)
  question <- if (joint) question_of_joint(fit) else
    if (inherits(fit, "margin_augmented")) augmented_question(fit) else question_of_fit(fit)
  centre <- if (!joint && !is_rows(x)) fit$center
  frame <- frame_of_fit(fit, if (!is.null(centre)) unname(centre), question$free)
  sharper <- fit$task != "regression" && !is_rows(x)
  found <- in_core(certain_cpp(rows_in_core(x), frame, question, sharper))
  found <- from_rows_file(found, "data")
  if (identical(question$mu, 0)) abort_lasso(fit, question, found$problems)
  new_certain(fit, found, certain_level(fit),
              if (joint) found$training else in_vectors(found$training))
}

rows_in_core <- function(x) if (is_rows(x)) rows_of_core(x) else in_core_form(x)

new_certain <- function(fit, found, level = 1, training = in_vectors(found$training)) {
  new_object(list(fit = fit, centre = found$centre, problems = found$problems, joint = found$joint,
                  level = level, training = training), "margin_certain")
}

# all: of every family of which the optimum is known, not of linear fits alone.
assert_certain_kind <- function(fit, caller, all = FALSE) {
  if (!inherits(fit, "margin_fit")) {
    abort_input(sprintf("`fit` is %s, but %s is asked of a fit of margin_linear().",
                        show_value(fit), caller), "fit")
  }
  assert_fit(fit, "fit")
  refuse_quantiles(fit, caller)
  loss <- fit$settings$loss
  of <- family_of(fit)
  if (!is.null(loss) && loss$task == "regression" && is.null(of$fitted)) {
    abort_input(sprintf(paste(
      "`fit` has the loss \"%s\", for which %s has no bounds yet; of the losses of a regression it",
      "has for \"squared\" and \"huber\"."
    ), loss$name, caller), "fit")
  }
  if (if (all) is.null(of$certain) else !inherits(fit, "margin_linear")) {
    abort_input(sprintf(
      "`fit` is a fit of %s(), for which %s has no bounds yet; it has for margin_linear() and %s.",
      class(fit)[1L], caller, "margin_kernel()"
    ), "fit")
  }
  refuse_threshold(fit, caller)
  refuse_offset(fit, caller)
  refuse_column_terms(fit, caller)
  if (all) of$certain(fit, caller)
}

assert_certain_robust <- function(fit, caller) {
  if (fit$settings$ridge == 0) {
    abort_input(paste(
      "`fit` is robust without a ridge, whose optimum need not be unique: no interval holds it;",
      "use a ridge, as in margin_robust(ridge = 1e-3)."
    ), "fit")
  }
  invisible(fit)
}

# The l1 norm alone is not strongly convex: no ball. What its certificate does say.
abort_lasso <- function(fit, question, problems) {
  value <- worst_certificate(fit$certificate)
  zeros <- vapply(problems, function(known) sum(known$zero), 0)
  known <- if (fit$settings$loss$gamma > 0) {
    sprintf("; %s of %s certainly zero", paste(zeros, collapse = ", "),
            count(nrow(question$w), "coefficient"))
  } else {
    ""
  }
  abort_input(sprintf(paste(
    "`fit` is a lasso (mixture = 1), whose optimum need not be unique: it has no interval for",
    "coefficients; use mixture = 0.99. Certain are the optimal value, from %s to %s, the sum of",
    "the absolute scaled coefficients, at most %s%s."
  ), format(max(value$bound, 0), digits = 6), format(value$value, digits = 6),
  format(value$value / question$l1, digits = 4), known), "fit")
}

# What is certain of a linear fit whose rows are in a file, of which src/region reads blocks.

# A part of a file, or of its columns, is none that the core reads for this.
assert_certain_file <- function(fit, rows, arg = "data") {
  assert_rows(rows, arg)
  if (!inherits(fit, "margin_linear")) refuse_rows(arg)
  if (!is.null(rows$share) || !is.null(rows$at)) {
    abort_input(sprintf(
      "`%s` is a share of the rows of a file; give all of them, read_rows(\"%s\").", arg,
      basename(rows$path)
    ), arg)
  }
  if (!identical(rows$features, fit$features)) {
    abort_input(sprintf("`%s` has other columns than the fit; give the rows of the fit.", arg), arg)
  }
}

# Blocks of a file of new rows, one below another; `data` as for predict().
predict_file_certain <- function(certain, rows, ...) {
  rows <- design_stored(certain$fit, rows, TRUE)$x
  tables <- NULL
  for_blocks(rows, function(which) {
    block <- rows_block(rows, which)
    colnames(block) <- certain$fit$features
    tables <<- c(tables, list(stats::predict(certain, block, ...)))
  })
  do.call(rbind, tables)
}

# What the core is asked about exact optima (src/region, src/decide): the rows of a fit, how they
# were coded for its problem, and what was found for each class problem.

# The rows as they come; move: around their weighted mean, as a free intercept allows.
core_frame <- function(scales, centre = NULL, constant = 0, move = FALSE, threads = 1L) {
  list(scales = unname(scales), centre = centre, constant = constant, move = move,
       threads = threads, chunk_entries = chunk_entries())
}

frame_of_fit <- function(fit, centre = NULL, move = FALSE) {
  core_frame(fit$scales, centre, as.numeric(fit$settings$intercept == "penalized"), move = move,
             threads = resolve_threads(fit$settings$control$threads))
}

loss_for_core <- function(loss) {
  list(loss = loss$name, parameter = as.numeric(loss$parameter[[1L]]))
}

# With a column for each class problem where it matters.
question_of_fit <- function(fit) {
  settings <- fit$settings
  classes <- seq_len(ncol(coef_matrix(fit)))
  has <- has_intercept(fit)
  coefficients <- unname(coef_matrix(fit)) / unit_of(fit)
  w <- (if (has) coefficients[-1L, , drop = FALSE] else coefficients) * unname(fit$scales)
  if (settings$intercept == "penalized") w <- rbind(w, coefficients[1L, ])
  c(loss_for_core(family_loss_of(fit)), responses_of_fit(fit),
    list(free = settings$intercept == "free", w = w,
         b = if (has) coefficients[1L, ] else numeric(length(classes)),
         dual = if (!is.null(fit$dual)) unname(as.matrix(fit$dual))),
    family_question(fit))
}

# The response of each class problem, a column each, and the weights of all.
responses_of_fit <- function(fit) {
  omega <- unname(fit$weights)
  class_weights <- fit$settings$class_weights
  if (!is.null(class_weights)) omega <- omega * unname(class_weights)[as.integer(fit$response)]
  y <- vapply(seq_len(ncol(coef_matrix(fit))), problem_response, numeric(length(omega)), fit = fit)
  list(y = matrix(y, length(omega)), omega = omega)
}

# The response as the core had it: -1 and 1 in a classification, else in units of its spread.
problem_response <- function(fit, k) {
  if (fit$task == "regression") {
    return(unname(fit$response) / unit_of(fit))
  }
  codes <- as.integer(fit$response)
  if (length(fit$levels) == 2L) 2 * codes - 3 else ifelse(codes == k, 1, -1)
}

family_question <- function(fit) {
  settings <- fit$settings
  table <- fit$certificate
  if (inherits(fit, "margin_robust")) {
    return(list(family = "robust", norm = settings$norm, radius = settings$radius,
                cost = settings$label_cost, ridge = settings$ridge, value = table$value,
                gap = table$gap,
                flip = if (!is.null(fit$dual_flip)) unname(as.matrix(fit$dual_flip))))
  }
  if (inherits(fit, "margin_hard")) {
    return(list(family = "hard", gap = table$gap, bound = table$bound))
  }
  list(family = "penalised", l1 = settings$lambda * settings$mixture,
       mu = settings$lambda * (1 - settings$mixture))
}

family_loss_of <- function(fit) {
  if (is.null(fit$settings$loss)) as_loss("hinge") else fit$settings$loss
}

# ---- The roots of Hessians, which only other rows are asked with ----

# They are the most of what is known: each is kept once, in `metrics`, since class problems of the
# same curvature have one, or not at all.
with_metrics <- function(certain, compact) {
  metrics <- list()
  numbered <- function(known) {
    root <- known$ellipsoid$root
    if (is.null(root)) {
      return(known)
    }
    place <- Position(function(one) identical(one, root), metrics, nomatch = length(metrics) + 1L)
    metrics[[place]] <<- root
    known$ellipsoid$root <- NULL
    known$ellipsoid$metric <- place
    known
  }
  certain$problems <- lapply(certain$problems, numbered)
  if (!is.null(certain$joint)) certain$joint <- numbered(certain$joint)
  certain$metrics <- if (!compact) metrics
  certain
}

# What the core is given back.
with_root <- function(known, metrics) {
  place <- known$ellipsoid$metric
  if (!is.null(place)) known$ellipsoid$root <- metrics[[place]]
  known
}

known_problems <- function(certain) lapply(certain$problems, with_root, certain$metrics)

# What is known with a Hessian whose root is elsewhere.
numbered_metrics <- function(certain) {
  known <- c(as.list(certain$problems), list(certain$joint))
  Filter(function(one) is.list(one) && is.list(one$ellipsoid) && !is.null(one$ellipsoid$metric),
         known)
}
is_compact <- function(certain) is.null(certain$metrics) && length(numbered_metrics(certain)) > 0L

# Intervals of other rows. again: the rows of the fit, to decide what is left open, by so many
# refits.
certain_intervals <- function(certain, x, again = NULL, refits = 0) {
  fit <- certain$fit
  if (inherits(fit, c("margin_kernel", "margin_oneclass"))) {
    return(in_vectors(kernel_intervals(certain, x, again, refits)))
  }
  joint <- is_joint(fit)
  frame <- frame_of_fit(fit, certain$centre)
  known <- if (joint) list(joint = with_root(certain$joint, certain$metrics)) else
    list(problems = known_problems(certain))
  # the same regions a second time say more with a free intercept, and of classes, alone
  sharp <- !joint && fit$settings$intercept == "free" && fit$task != "regression"
  asked <- if (!is.null(again) && (sharp || refits > 0)) {
    list(rows = rows_in_core(again), frame = frame,
         problem = if (joint) question_of_joint(fit) else question_of_fit(fit),
         further = further_of_fit(fit, refits))
  }
  found <- from_rows_file(in_core(certain_rows_cpp(in_core_form(x), frame, known, asked)), "data")
  if (joint) found else in_vectors(found)
}

# How the problems of a fit are solved further in the core, `refits` times at most.
further_of_fit <- function(fit, refits) {
  gap <- fit$certificate$relative_gap
  list(call = list(intercept = if (fit$settings$intercept == "free") "free" else "none"),
       control = refit_control(fit, family_name(fit)), refits = refits,
       gap = if (all(is.finite(gap))) max(gap) else 1, regression = fit$task == "regression")
}

# Ends of one class problem are vectors.
in_vectors <- function(ends) lapply(ends, function(end) if (ncol(end) == 1L) end[, 1L] else end)

# Decision values of one problem of all classes (multiclass = "softmax" or "crammer_singer",
# src/decide/joint_problem.h) are known as differences to that of one class of each row, which
# classes and probabilities rest on.

# Less the value of the class that each row has in `class`.
scores_against <- function(fit, scores, class) {
  if (is_joint(fit)) scores - scores[cbind(seq_along(class), class)] else scores
}

# The coefficients of the exact optimum, with their intervals.

#' Coefficients that are certain
#'
#' Find which coefficients have a certain sign: intervals that hold those of the exact optimum of a
#' fit's problem, on the scale of the columns as they were given; see [margin_certain()]. They are numerical bounds, not
#' confidence intervals: they say what further optimisation could change, and nothing about the
#' population.
#'
#' @param object,x What [margin_certain()] returned.
#' @param conf.int,conf.level As callers of broom pass them. These intervals are not of confidence
#'   and are there without it: with `conf.int = TRUE` the columns `conf.low` and `conf.high` are `NA`.
#' @param ... Not used; an unknown argument is an error.
#' @return `coef()`: a matrix with a row for each term and the columns `estimate` (of the fit),
#'   `lower` and `upper`; for k > 2 classes an array with the levels as its third dimension. Where
#'   all classes are one problem (`multiclass = "softmax"` or `"crammer_singer"`) they are those
#'   around their mean over the classes, which no prediction depends on; with an l1 part, which
#'   determines that mean, intercepts alone are.
#'   `tidy()`: a data frame with `class` (more than two only), `term`, `estimate`, `lower`, `upper`,
#'   `sign` (1, -1 or 0 where the optimum's sign is certain, else `NA`).
#' @examples
#' fit <- margin_linear(type ~ ., data = spambase, lambda = 0.01, mixture = 0.5)
#' certain <- margin_certain(fit, spambase)
#' found <- tidy(certain)
#' # columns that the optimum leaves out for certain, and those whose sign is certain
#' found$term[found$sign %in% 0]
#' head(found[found$sign %in% c(-1, 1), ])
#' @name certain-coefficients
NULL

#' @rdname certain-coefficients
#' @export
coef.margin_certain <- function(object, ...) {
  assert_no_extra("coef()", ...)
  assert_certain(object)
  fit <- object$fit
  if (inherits(fit, c("margin_kernel", "margin_oneclass"))) {
    abort_input(paste(
      "`object` is of a kernel fit, whose optimum is a function: the coefficients of its rows have",
      "no interval; use predict(object, newdata)."
    ), "object")
  }
  estimates <- if (is_joint(fit)) determined_jointly(fit) else coef_matrix(fit)
  tables <- lapply(seq_along(object$problems), function(k) {
    ends <- coefficient_ends(fit, object$problems[[k]])
    table <- cbind(estimate = estimates[, k], lower = ends[, 1L], upper = ends[, 2L])
    rownames(table) <- rownames(estimates)
    table
  })
  if (length(tables) == 1L) {
    return(tables[[1L]])
  }
  array(unlist(tables), c(nrow(estimates), 3L, length(tables)),
        list(rownames(estimates), colnames(tables[[1L]]), fit$levels))
}

# The ball and the ellipsoid, coordinate by coordinate, on the user's scale.
coefficient_ends <- function(fit, known) {
  centre <- known$ball$centre
  ends <- cbind(centre - known$ball$radius, centre + known$ball$radius)
  ellipsoid <- known$ellipsoid
  if (!is.null(ellipsoid) && is.finite(ellipsoid$factor)) {
    half <- ellipsoid$inverse[seq_along(centre)] * ellipsoid$inflation * ellipsoid$factor
    ends <- cbind(pmax(ends[, 1L], known$w - half), pmin(ends[, 2L], known$w + half))
  }
  ends <- ends + outer(4 * unit_roundoff * (abs(centre) + abs(known$w)), c(-1, 1))
  ends[known$zero, ] <- 0
  p <- length(fit$scales)
  slopes <- ends[seq_len(p), , drop = FALSE] / unname(fit$scales)
  first <- ends[seq_len(nrow(ends)) > p, , drop = FALSE]
  if (!is.null(known$intercept)) first <- rbind(known$intercept)
  ends <- unname(rbind(first, slopes)) * unit_of(fit)
  ends + abs(ends) * outer(rep(4 * unit_roundoff, nrow(ends)), c(-1, 1))
}

#' @rdname certain-coefficients
#' @export
tidy.margin_certain <- function(x, conf.int = FALSE, conf.level = 0.95, ...) {
  assert_no_extra("tidy()", ...)
  assert_flag(conf.int, "conf.int")
  ends <- stats::coef(x)
  several <- length(dim(ends)) == 3L
  column <- function(name) as.vector(if (several) ends[, name, ] else ends[, name])
  table <- data.frame(term = rep(rownames(ends), length.out = length(column("estimate"))),
                      estimate = column("estimate"), lower = column("lower"),
                      upper = column("upper"))
  table$sign <- ifelse(table$lower > 0, 1, ifelse(table$upper < 0, -1, NA))
  table$sign[table$lower == 0 & table$upper == 0] <- 0
  if (conf.int) {
    table <- without_confidence(
      table, conf.level, "`lower` and `upper` are of the exact optimum and have no confidence"
    )
  }
  as_tibble_if_installed(
    if (several) cbind(class = rep(dimnames(ends)[[3L]], each = nrow(ends)), table) else table
  )
}
