# Which method, and whether it may be.

conformal_methods <- c("split", "cv+", "jackknife+")

assert_conformal_kind <- function(fit) {
  if (!inherits(fit, "margin_fit")) {
    abort_input(sprintf("`fit` is %s, but must be a fit such as margin_linear() makes.",
                        show_value(fit)), "fit")
  }
  assert_fit(fit, "fit")
  if (!is_labelled(family_name(fit))) {
    abort_input(paste(
      "`fit` is of one class, whose rows have no response that a set could hold. Classes that are",
      "known are fitted by margin_kernel()."
    ), "fit")
  }
  if (inherits(fit$response, "soft_labels")) {
    abort_input("`fit` has soft labels, of which no row has one class; fit classes.", "fit")
  }
  if (has_kernel(fit) && identical(fit$settings$kernel$name, "precomputed")) {
    abort_input(paste(
      "`fit` has a precomputed kernel, whose values for rows beside other models are not known;",
      "use a kernel by formula."
    ), "fit")
  }
  taken <- intersect(fit$levels, c("set", "size", "level"))
  if (length(taken) > 0L) {
    abort_input(sprintf("`fit` has a class \"%s\", as a column of the answer is called; rename it.",
                        taken[1L]), "fit")
  }
}

# method: as given; asked: which of the arguments of one method were given.
conformal_method <- function(method, fit, score, holdout, asked) {
  if (!is.null(method)) {
    assert_choice(method, conformal_methods, "method",
                  c(cv = "cv+", cross = "cv+", holdout = "split", jackknife = "jackknife+",
                    loo = "jackknife+"))
  }
  if (!is.null(holdout) && !is.null(method) && method != "split") {
    abort_input(sprintf(paste(
      "`holdout` is given, but method \"%s\" counts the rows of the fit; use method = \"split\",",
      "or leave `holdout` out."
    ), method), "holdout")
  }
  chosen <- chosen_method(method, fit, score, holdout, asked)
  of <- c(folds = "cv+", refits = "jackknife+")
  for (name in intersect(names(of), asked)) {
    if (of[[name]] != chosen$method) {
      abort_input(sprintf("`%s` is given, but is for method \"%s\", not \"%s\"; leave it out.",
                          name, of[[name]], chosen$method), name)
    }
  }
  chosen
}

chosen_method <- function(method, fit, score, holdout, asked) {
  if (is.null(method) && !is.null(holdout)) {
    return(list(method = "split", why = "rows that the fit has not seen were given"))
  }
  if (is.null(method) && "folds" %in% asked) {
    return(list(method = "cv+", why = "`folds` were given"))
  }
  obstacle <- if (is.null(method) || method == "jackknife+") jackknife_obstacle(fit, score)
  if (identical(method, "jackknife+") && !is.null(obstacle)) {
    abort_input(sprintf(paste(
      "`method` is \"jackknife+\", but %s; use method = \"cv+\", or \"split\" with rows that the",
      "fit has not seen as `holdout`."
    ), obstacle), "method")
  }
  if (!is.null(method)) {
    return(list(method = method))
  }
  if (is.null(obstacle)) {
    large <- as.double(length(fit$weights))^2 * length(fit$features) > most_products
    if (!large) return(list(method = "jackknife+"))
    obstacle <- "many rows make jackknife+ slow: ask for it by name"
  }
  list(method = "cv+", why = obstacle)
}

most_products <- 4e9

# Why the optimum without each row is not to be had, or is not what the call gives without it.
jackknife_obstacle <- function(fit, score) {
  settings <- fit$settings
  loss <- settings$loss$name
  if (!inherits(fit, "margin_linear")) {
    return("jackknife+ is for fits of margin_linear()")
  }
  if (length(fit$levels) > 2L) {
    return("jackknife+ is for two classes and for regressions")
  }
  if (!score$name %in% c("absolute", "margin")) {
    return(sprintf("jackknife+ has no score \"%s\"", score$name))
  }
  if (settings$mixture > 0) {
    return("jackknife+ has no regions for mixture > 0")
  }
  if (length(fit$features) > 1000L) {
    return("jackknife+ is for at most 1,000 columns")
  }
  if (!is.null(settings$class_weights) && is_balanced(fit)) {
    return("balanced class weights change with each row")
  }
  known <- c("logistic", "squared_hinge", "smooth_hinge", "squared",
             if (isFALSE(settings$response_scale)) "squared_epsilon_insensitive")
  if (!loss %in% known) {
    scaled <- if (loss == "squared_epsilon_insensitive") " with response_scale = TRUE" else ""
    return(sprintf("jackknife+ has no regions for the loss \"%s\"%s", loss, scaled))
  }
  NULL
}

# What a model of these rows knows of other rows, in ways that a refit of coded rows does not undo.
assert_refits_symmetric <- function(fit) {
  if (!is.null(fit$tuned)) {
    abort_input(paste(
      "`fit` has settings that were chosen by a look at all of these rows (it is a refit of a",
      "search), so what is fitted without some of them would still know these; give rows that it",
      "has not seen as `holdout`."
    ), "fit")
  }
  if (!is.null(fit$calibration)) {
    abort_input(paste(
      "`fit` is calibrated on these rows, and its refits would not be; give rows that it has not",
      "seen as `holdout`, or the fit without margin_calibrate()."
    ), "fit")
  }
  terms <- fit$terms
  fixed <- is.null(attr(terms, "predvars")) ||
    identical(as.list(attr(terms, "predvars")), as.list(attr(terms, "variables")))
  if (!fixed) {
    abort_input(paste(
      "`fit` has a formula with terms that are computed from all rows (as poly() or scale() are),",
      "so refits without some would still know them; give rows that the fit has not seen as",
      "`holdout`, or compute these columns beforehand."
    ), "fit")
  }
}

# The fold of each row, dealt without a look at the response: folds that are balanced by it, or
# along time, are not exchangeable with a new row.
conformal_folds <- function(folds, n, rows, given) {
  if (inherits(folds, "margin_time_folds")) {
    abort_input(paste(
      "`folds` are along time, where later rows are not exchangeable with earlier ones: no",
      "coverage is guaranteed. Give a number of folds, or method = \"split\" with `holdout`."
    ), "folds")
  }
  if (is.numeric(folds) && length(folds) == 1L) {
    assert_number(folds, "folds", lower = 2, upper = n, open = FALSE, whole = TRUE,
                  remedy = sprintf("there are %s", count(n, "row")))
    return(sample(rep_len(seq_len(folds), n)))
  }
  if (inherits(folds, "rset")) {
    return(rset_folds(folds, n, rows, given))
  }
  assert_fold_ids(folds, given)
  if (NCOL(folds) != 1L) {
    abort_input(sprintf("`folds` has %d repetitions, but a row is counted once; give one.",
                        NCOL(folds)), "folds")
  }
  ids <- (if (is.factor(folds)) as.integer(folds) else as.vector(folds))[rows]
  match(ids, sort(unique(ids)))
}

# Every row is held out once, from a fit of all others.
rset_folds <- function(folds, n, rows, given) {
  resamples <- rset_resamples(folds, rows, given)
  held <- unlist(lapply(resamples, `[[`, "test"))
  whole <- all(vapply(resamples, function(one) {
    setequal(one$train, setdiff(seq_len(n), one$test))
  }, NA))
  if (!whole || length(held) != n || anyDuplicated(held)) {
    abort_input(paste(
      "`folds` holds rows out more than once, or not from all others; give folds of one",
      "cross-validation, as rsample::vfold_cv() makes."
    ), "folds")
  }
  fold <- integer(n)
  for (k in seq_along(resamples)) fold[resamples[[k]]$test] <- k
  fold
}
