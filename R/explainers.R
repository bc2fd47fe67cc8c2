# What other packages ask of a model, by generics that are not ours to import: NAMESPACE registers
# the methods when a package is loaded. What the methods of insight and marginaleffects do
# stands in explainers.R, autoplot() in autoplot.R.

#' @rawNamespace S3method(DALEX::yhat, margin_fit, explained_prediction)
#' @rawNamespace S3method(DALEX::model_info, margin_fit, explained_model)
#' @rawNamespace S3method(pdp::get_task, margin_fit, model_task)
#' @rawNamespace S3method(vip::vi_model, margin_fit, vip_importance)
#' @rawNamespace S3method(insight::get_parameters, margin_fit, insight_parameters)
#' @rawNamespace S3method(insight::find_parameters, margin_fit, insight_names)
#' @rawNamespace S3method(insight::model_info, margin_fit, insight_info)
#' @rawNamespace S3method(insight::get_predicted, margin_fit, insight_predicted)
#' @rawNamespace S3method(marginaleffects::get_predict, margin_fit, estimated_prediction)
#' @rawNamespace S3method(marginaleffects::get_vcov, margin_fit, estimated_vcov)
#' @rawNamespace S3method(marginaleffects::get_coef, margin_fit, estimated_coef)
#' @rawNamespace S3method(randomForest::importance, margin_fit, importance.margin_fit)
#' @rawNamespace S3method(ranger::importance, margin_fit, importance.margin_fit)
#' @rawNamespace S3method(ggplot2::autoplot, margin_fit, gg_fit)
#' @rawNamespace S3method(ggplot2::autoplot, margin_path, gg_path)
#' @rawNamespace S3method(ggplot2::autoplot, margin_cv, gg_cv)
#' @rawNamespace S3method(ggplot2::autoplot, margin_conformal, gg_conformal)
#' @rawNamespace S3method(ggplot2::autoplot, model_comparison, gg_comparison)
#' @rawNamespace S3method(ggplot2::autoplot, margin_performance, gg_performance)
#' @rawNamespace S3method(ggplot2::autoplot, margin_bootstrap, gg_bootstrap)
#' @rawNamespace S3method(parsnip::multi_predict, "_margin_linear", multi_predict_penalties)
NULL

# A regression's number; of two classes the probability of the second level; of more a matrix of
# probabilities. A loss without probabilities is an error that names margin_calibrate().
explained_prediction <- function(X.model, newdata, ...) {
  predicted_mean(X.model, newdata)
}

predicted_mean <- function(fit, newdata) {
  refuse_quantiles(fit, "a package that explains one number a row", "model")
  if (fit$task == "regression") {
    return(unname(stats::predict(fit, newdata)))
  }
  prob <- stats::predict(fit, newdata, type = "prob")
  if (ncol(prob) == 2L) unname(prob[, 2L]) else prob
}

explained_model <- function(model, is_multiclass = FALSE, ...) {
  type <- if (model$task == "regression") "regression" else
    if (length(model$levels) > 2L) "multiclass" else "classification"
  structure(list(package = "dualmargin", type = type,
                 ver = as.character(utils::packageVersion("dualmargin"))), class = "model_info")
}

# "regression" or "classification", for pdp, which asks predict() for type = "prob" then.
model_task <- function(object, ...) {
  if (object$task == "regression") "regression" else "classification"
}

# By coefficients, as vip has it for models of its own; permutations are vip's vi_permute().
vip_importance <- function(object, ...) {
  table <- as.data.frame(importance(object))
  out <- as_tibble_if_installed(data.frame(Variable = table$variable,
                                           Importance = table$importance))
  attr(out, "type") <- "|coefficient| times standard deviation"
  class(out) <- c("vi", class(out))
  out
}

# What packages insight and marginaleffects are told of a fit: its coefficients, its
# predictions, and that a penalised estimate has no covariance that the fit would know.

# Parameter and Estimate, of several classes a row for each with its Response.
insight_parameters <- function(x, ...) {
  assert_column_coefficients(x, "insight::get_parameters()")
  table <- as.data.frame(tidy.margin_fit(x))
  out <- data.frame(Parameter = table$term, Estimate = table$estimate)
  if (!is.null(table$class)) out$Response <- table$class
  if (!is.null(table$tau)) out$Response <- paste("tau =", table$tau)
  out
}

assert_column_coefficients <- function(fit, caller) {
  if (has_kernel(fit)) {
    refuse(caller, fit, paste("its coefficients are those of rows and not of columns; ask for",
                              "predictions"), "x")
  }
}

insight_names <- function(x, flatten = FALSE, ...) {
  names <- unique(insight_parameters(x)$Parameter)
  if (isTRUE(flatten)) names else list(conditional = names)
}

# insight's own list for a model of the same task, from which the fields are taken that it knows.
insight_info <- function(x, verbose = TRUE, ...) {
  from <- getExportedValue("insight", "model_info")
  none <- data.frame(y = c(0, 1, 0, 1))
  if (x$task == "regression") {
    return(from(stats::lm(y ~ 1, none)))
  }
  info <- from(stats::glm(y ~ 1, stats::binomial(), none))
  several <- length(x$levels) > 2L
  info$is_binomial <- info$is_bernoulli <- !several
  info$is_multinomial <- info$is_categorical <- several
  logistic <- has_probabilities(x) && is.null(x$calibration)
  info$is_logit <- logistic
  info$link_function <- if (logistic) "logit" else "identity"
  info$family <- if (several) "multinomial" else "binomial"
  info
}

# Probabilities or numbers ("expectation", "response"), decision values ("link") or classes.
insight_predicted <- function(x, data = NULL, predict = "expectation", ci = NULL, verbose = TRUE,
                              ...) {
  if (!is.null(ci)) {
    abort_input(paste(
      "`ci` is given, but a penalised estimate has no sampling distribution that the fit would",
      "know; intervals of new responses are those of margin_conformal()."
    ), "ci")
  }
  kind <- if (is.null(predict)) "expectation" else
    assert_choice(predict, c("expectation", "response", "prediction", "link", "classification"),
                  "predict")
  type <- if (kind == "link") "score" else if (x$task == "regression") "response" else
    if (kind == "classification") "class" else "prob"
  values <- if (is.null(data)) stats::predict(x, type = type) else
    stats::predict(x, data, type = type)
  if (x$task == "classification" && identical(ncol(values), 2L)) values <- values[, 2L]
  if (is.matrix(values)) {
    out <- data.frame(Row = rep(seq_len(nrow(values)), ncol(values)),
                      Response = rep(colnames(values), each = nrow(values)),
                      Predicted = as.vector(values))
    return(structure(out, class = c("get_predicted", "data.frame")))
  }
  values <- unname(values)
  structure(values, class = c("get_predicted", class(values)))
}

# ---- marginaleffects ----

# Its way to take a class that it does not know; some versions have a generic refit(), which is in the
# place of ours where it is attached.
take_part_in_marginaleffects <- function() {
  home <- asNamespace("marginaleffects")
  if (exists("refit", home, inherits = FALSE)) {
    registerS3method("refit", "margin_cv", refit.margin_cv, envir = home)
    registerS3method("refit", "margin_tune", refit.margin_tune, envir = home)
  }
  known <- getOption("marginaleffects_model_classes")
  options(marginaleffects_model_classes = union(known, "margin_fit"))
}

# Numbers of a regression, probabilities of classes (of two that of the second; of more a group for
# each), decision values for "link" or "score". A loss without probabilities is an error: class
# codes are no estimate.
estimated_prediction <- function(model, newdata, type = "response", ...) {
  if (is.null(type)) type <- "response"
  kinds <- c("response", "prob", "link", "score")
  assert_choice(type, kinds, "type")
  values <- if (type %in% c("link", "score")) {
    stats::predict(model, newdata, type = "score")
  } else if (model$task == "classification" && !has_probabilities(model)) {
    abort_input(sprintf(paste(
      "`type` is \"%s\", but the %s loss of this fit estimates no probability; calibrate the fit",
      "with margin_calibrate(), or use type = \"score\"."
    ), type, if (is.na(loss_name(model))) "hinge" else loss_name(model)), "type")
  } else {
    predicted_mean(model, newdata)
  }
  out <- if (is.matrix(values)) {
    data.frame(group = factor(rep(colnames(values), each = nrow(values)), colnames(values)),
               estimate = as.vector(values))
  } else {
    data.frame(estimate = as.vector(values))
  }
  ids <- if (is.data.frame(newdata)) newdata[["rowid"]]
  if (!is.null(ids)) out$rowid <- rep(ids, nrow(out) / length(ids))
  out
}

# FALSE is its word for no standard errors.
estimated_vcov <- function(model, vcov = NULL, ...) {
  if (!(is.null(vcov) || is.logical(vcov))) {
    abort_input(paste(
      "`vcov` is given, but a penalised estimate has no covariance that the fit would know; use",
      "vcov = FALSE, and margin_bootstrap() for intervals of the penalised estimate."
    ), "vcov")
  }
  FALSE
}

estimated_coef <- function(model, ...) {
  values <- coef_matrix(model)
  names <- if (ncol(values) == 1L) rownames(values) else
    paste(rep(colnames(values), each = nrow(values)), rownames(values), sep = ":")
  stats::setNames(as.vector(values), names)
}

# Linear fits as expressions of their columns, as package tidypredict asks for them and orbital
# through it; the formulas stand in ?engines.

register_tidypredict <- function() {
  own <- list(
    tidypredict_fit = function(model, ...) fitted_expression(model),
    tidypredict_output_type = function(x, ...) expression_kind(x),
    tidypredict_outcome_levels = function(x, ...) x$levels,
    tidypredict_normalized = function(x, ...) {
      if (expression_kind(x) == "prob" && length(x$levels) > 2L) TRUE else NA
    }
  )
  theirs <- asNamespace("tidypredict")
  # the last three since version 1.2
  for (name in Filter(function(name) exists(name, theirs), names(own))) {
    registerS3method(name, "margin_linear", own[[name]], theirs)
  }
}

expression_kind <- function(fit) {
  if (fit$task == "regression") {
    return("numeric")
  }
  # classes of a calibrated fit are those of its decision values
  if (is.null(fit$calibration) && has_probabilities(fit)) "prob" else "class"
}

fitted_expression <- function(fit) {
  z <- score_expressions(fit)
  levels <- fit$levels
  sigmoid <- function(z) bquote(1 / (1 + exp(-(.(z)))))
  kind <- expression_kind(fit)
  if (kind == "numeric") {
    return(if (length(z) == 1L) z[[1L]] else z)
  }
  if (kind == "prob" && !is.null(fit$empty_levels)) {
    abort_input(sprintf(paste(
      "`model` was fitted without a row of %s, which the expressions of probabilities would be taken",
      "for; fit it to droplevels() of the response."
    ), quote_list(fit$empty_levels)), "model")
  }
  if (kind == "prob" && length(z) == 1L) {
    return(sigmoid(z[[1L]]))
  }
  if (kind == "prob" && identical(fit$multiclass, "softmax")) {
    return(lapply(z, function(own) {
      bquote(1 / (.(sum_of(lapply(z, function(other) bquote(exp((.(other)) - (.(own)))))))))
    }))
  }
  if (kind == "prob") {
    mass <- lapply(z, sigmoid)
    return(lapply(mass, function(own) bquote(.(own) / (.(sum_of(mass))))))
  }
  # the first of equal scores; none where a score is missing
  wins <- if (length(z) == 1L) list(bquote((.(z[[1L]])) >= 0), bquote((.(z[[1L]])) < 0)) else
    lapply(seq_along(z), function(k) {
      each <- lapply(z[-k], function(other) bquote((.(z[[k]])) >= (.(other))))
      Reduce(function(a, b) call("&", a, b), each)
    })
  places <- if (length(z) == 1L) 2:1 else seq_along(z)
  cases <- Map(function(win, level) call("~", win, level), wins, levels[places])
  # the expression names dplyr, which its reader has; nothing here calls it
  case_when <- call("::", quote(dplyr), quote(case_when))
  as.call(c(case_when, unname(cases)))
}

sum_of <- function(parts) Reduce(function(a, b) call("+", a, b), parts)

# A decision value for each problem, in the columns of the data.
score_expressions <- function(fit) {
  own <- c(offset = "an offset", threshold = "a threshold")
  for (part in names(own)) {
    if (!is.null(fit[[part]])) {
      abort_input(sprintf("`model` has %s, which no expression of its columns has; fit one without.",
                          own[[part]]), "model")
    }
  }
  values <- coef_matrix(fit)
  columns <- lapply(rownames(values), as.name)
  if (!is.null(fit$terms)) {
    kinds <- attr(fit$terms, "dataClasses")
    known <- c("(Intercept)", names(kinds)[kinds == "numeric"])
    coded <- setdiff(rownames(values), known)
    if (length(coded) > 0L) {
      abort_input(sprintf(paste(
        "`model` has the column \"%s\", which its formula makes of others; make such columns before,",
        "as a recipe does, and fit these."
      ), coded[1L]), "model")
    }
    columns <- lapply(rownames(values), str2lang)
  }
  expressions <- lapply(seq_len(ncol(values)), function(k) {
    parts <- Map(function(column, name, value) {
      if (name == "(Intercept)") value else call("*", column, value)
    }, columns, rownames(values), values[, k])
    parts <- unname(parts[values[, k] != 0])
    if (length(parts) == 0L) 0 else sum_of(parts)
  })
  stats::setNames(expressions, colnames(values))
}

# importance(): what a column tells by its coefficient.

#' Importance of columns
#'
#' Find out which columns the predictions of a fit rest on: the size of a coefficient per standard
#' deviation of its column.
#'
#' The importance of a column \eqn{j} is \eqn{|\beta_j| s_j}{|beta_j| s_j}, with \eqn{s_j} the standard
#' deviation (population formula) of that column of `data`; without `data` that of the rows of the
#' fit, which a fit with `scale = TRUE` knows. Of several classes it is the mean over their columns
#' of coefficients. It is that of columns after coding: a factor has one for each dummy.
#'
#' How much worse predictions get where a variable is permuted, and what they are on average where it
#' has a value, is asked of packages made for that: `vignette("frameworks")` has a call each of vip,
#' DALEX, pdp and marginaleffects, with weights and an offset.
#'
#' @param fit A fit of one of the families, of columns and not of a kernel.
#' @param data `NULL`, or rows whose standard deviations count: a data frame or matrix.
#' @param x A result of `importance()`.
#' @param top How many columns to print or draw, the most important ones.
#' @param digits Significant digits.
#' @param row.names,optional As in [as.data.frame()].
#' @param ... Not used; an unknown argument is an error; for `plot()` graphical parameters, as for
#'   [plot.margin_fit()].
#' @return A list of class `"margin_importance"` with `importance`: a data frame with a row per
#'   column, the most important one first: `variable` and `importance`, which `as.data.frame()` and
#'   `tidy()` return. `glance()`: one row: `n_variables` and `first` (the most important one) with its
#'   `importance`. `plot()`: what was drawn, invisibly.
#' @section Errors:
#' Of class `dualmargin_input_error`: a kernel fit, no `data` of a fit that did not scale its columns.
#' @seealso [plot.margin_fit()] for the coefficients by class, [margin_performance()].
#' @examples
#' found <- importance(margin_linear(mpg ~ ., data = mtcars))
#' found
#' plot(found, top = 5)
#' @export
importance <- function(fit, ...) {
  UseMethod("importance")
}

#' @export
importance.default <- function(fit, ...) {
  abort_input(sprintf("`fit` is %s, but must be a fit such as margin_linear() makes.",
                      show_value(fit)), "fit")
}

#' @rdname importance
#' @export
importance.margin_fit <- function(fit, data = NULL, ...) {
  assert_no_extra("importance()", ...)
  assert_fit(fit, "fit")
  if (has_kernel(fit)) {
    abort_input(paste(
      "`fit` has a kernel, and no coefficients of columns; permute its variables by package vip or",
      "DALEX."
    ), "fit")
  }
  slopes <- coef_matrix(fit)
  if (has_intercept(fit)) slopes <- slopes[-1L, , drop = FALSE]
  deviations <- if (is.null(data)) fitted_deviations(fit) else given_deviations(fit, data)
  table <- data.frame(variable = fit$features,
                      importance = unname(rowMeans(abs(slopes)) * deviations))
  structure(list(importance = without_row_names(table[order(-table$importance), ])),
            class = "margin_importance")
}

fitted_deviations <- function(fit) {
  if (!isTRUE(fit$settings$scale)) {
    abort_input(paste(
      "`data` is missing, and the fit did not scale its columns (scale = FALSE); give the rows",
      "whose standard deviations are to count."
    ), "data")
  }
  fit$scales
}

given_deviations <- function(fit, data) {
  design <- named_as("data", design_newdata(fit, data, on_disk = TRUE))
  rows <- setdiff(seq_len(nrow(design$x)), design$na_rows)
  if (length(rows) == 0L) {
    abort_input("`data` has no complete row; give some.", "data")
  }
  x <- if (length(design$na_rows) > 0L) design$x[rows, , drop = FALSE] else design$x
  column_frame(x, rep(1, length(rows)))$sd
}

# What a result of importance() shows.

#' @rdname importance
#' @export
print.margin_importance <- function(x, top = 20L, digits = max(3L, getOption("digits") - 3L),
                                    ...) {
  assert_no_extra("print()", ...)
  assert_number(top, "top", lower = 1, upper = Inf, open = FALSE, whole = TRUE)
  table <- x$importance
  shown <- utils::head(table, top)
  cat(sprintf("<margin_importance> of %s\n  |coefficient| times the standard deviation of the column\n",
              count(nrow(table), "column")))
  out <- data.frame(variable = shorten(shown$variable, 40L),
                    importance = show_numbers(shown$importance, digits))
  print_table(out, "variable")
  if (nrow(shown) < nrow(table)) {
    cat(sprintf("and %d more\n", nrow(table) - nrow(shown)))
  }
  invisible(x)
}

#' @rdname importance
#' @export
as.data.frame.margin_importance <- function(x, row.names = NULL, optional = FALSE, ...) {
  assert_no_extra("as.data.frame()", ...)
  x$importance
}

#' @rdname importance
#' @export
tidy.margin_importance <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(x$importance)
}

#' @rdname importance
#' @export
glance.margin_importance <- function(x, ...) {
  assert_no_extra("glance()", ...)
  first <- x$importance[1L, ]
  as_tibble_if_installed(data.frame(n_variables = nrow(x$importance), first = first$variable,
                                    importance = first$importance))
}

#' @rdname importance
#' @export
plot.margin_importance <- function(x, top = 20L, ...) {
  assert_plot_arguments("plot()", ...)
  assert_number(top, "top", lower = 1, upper = Inf, open = FALSE, whole = TRUE)
  theirs <- list(...)
  table <- utils::head(x$importance, top)
  upwards <- rev(seq_len(nrow(table)))
  label <- shorten(table$variable)
  size <- size_of_names(label)
  old <- graphics::par(mai = names_margins(label, size))
  on.exit(graphics::par(old))
  colours <- margin_colours(1L, theirs[["col"]])
  heights <- table$importance[upwards]
  middles <- draw(graphics::barplot, list(
    height = heights, names.arg = rep("", nrow(table)), horiz = TRUE, las = 1, border = NA,
    xlim = if (any(heights > 0)) range(pretty(range(0, heights[is.finite(heights)]))) else c(0, 1),
    xlab = importance_label,
    main = if (nrow(table) < nrow(x$importance)) sprintf("The %d most important of %d", nrow(table),
                                                         nrow(x$importance)) else "Importance"
  ), utils::modifyList(theirs, list(col = colours)))
  graphics::axis(2, middles, label[upwards], las = 1, tick = FALSE, cex.axis = size, gap.axis = -1)
  graphics::abline(v = 0, col = "grey40")
  invisible(table)
}

importance_label <- "|coefficient| times the column's standard deviation"
