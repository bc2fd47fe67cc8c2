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
  logistic <- has_probabilities(x)
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
