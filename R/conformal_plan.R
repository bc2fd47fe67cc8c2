# Which method, and whether it may be.

conformal_methods <- c("split", "cv+", "jackknife+", "full")

assert_conformal_kind <- function(fit) {
  if (!inherits(fit, "margin_fit")) {
    abort_input(sprintf("`fit` is %s, but must be a fit such as margin_linear() makes.",
                        show_value(fit)), "fit")
  }
  assert_fit(fit, "fit")
  refuse_quantiles(fit, "margin_conformal(), whose score \"quantile\" fits quantiles of its own,")
  refuse_offset(fit, "margin_conformal()")
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
  of <- list(folds = "cv+", refits = c("jackknife+", "full"), groups = "jackknife+")
  for (name in intersect(names(of), asked)) {
    if (!chosen$method %in% of[[name]]) {
      abort_input(sprintf("`%s` is given, but is for method %s, not \"%s\"; leave it out.", name,
                          paste0("\"", of[[name]], "\"", collapse = " or "), chosen$method), name)
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
  grouped <- is.null(method) && "groups" %in% asked
  if (grouped) method <- "jackknife+"
  obstacle <- if (is.null(method) || method %in% c("jackknife+", "full")) {
    exact_obstacle(fit, score, if (is.null(method)) "jackknife+" else method)
  }
  if (!is.null(method) && !is.null(obstacle)) {
    abort_input(sprintf(paste(
      "%s, but %s; use method = \"cv+\"%s, or \"split\" with rows that the fit has not seen as",
      "`holdout`."
    ), if (grouped) "`groups` is given, which is for method \"jackknife+\"" else
      sprintf("`method` is \"%s\"", method), obstacle, if (grouped) " without it" else ""),
    if (grouped) "groups" else "method")
  }
  if (!is.null(method)) {
    return(list(method = method))
  }
  if (is.null(obstacle)) {
    n <- as.double(length(fit$weights))
    # every optimum of a kernel is solved by products of all rows
    products <- if (has_kernel(fit)) n^4 / 10 else n^2 * length(fit$features)
    large <- products > most_products
    if (!large) return(list(method = "jackknife+"))
    obstacle <- "many rows make jackknife+ slow: ask for it by name"
  }
  list(method = "cv+", why = obstacle)
}

most_products <- 4e9

# Losses of which steps from the fit lead to other optima; kinked_losses() are followed from kink to
# kink.
smooth_losses <- c("logistic", "squared_hinge", "smooth_hinge", "squared",
                   "squared_epsilon_insensitive")

# Why the optimum without each row, or with a new one, is not to be had, or is not what the call
# gives.
exact_obstacle <- function(fit, score, method) {
  settings <- fit$settings
  loss <- settings$loss$name
  kernel <- method == "jackknife+" && inherits(fit, "margin_kernel")
  if (!kernel && !inherits(fit, "margin_linear")) {
    return(sprintf("%s is for fits of margin_linear()%s", method,
                   if (method == "jackknife+") " and margin_kernel()" else ""))
  }
  if (length(fit$levels) > 2L) {
    return(sprintf("%s is for two classes and for regressions", method))
  }
  if (!score$name %in% c("absolute", "margin")) {
    return(sprintf("%s has no score \"%s\"", method, score$name))
  }
  if (!is.null(settings$penalty_factor) || has_bounds(settings)) {
    return(sprintf("%s has no regions for columns with bounds or factors of their own", method))
  }
  if (!kernel && settings$mixture > 0) {
    return(sprintf("%s has no regions for mixture > 0", method))
  }
  if (!kernel && length(fit$features) > 1000L) {
    return(sprintf("%s is for at most 1,000 columns", method))
  }
  if (!is.null(settings$class_weights) && is_balanced(fit)) {
    return("balanced class weights change with each row")
  }
  of_kernel <- if (kernel) kernel_obstacle(fit)
  if (is.null(of_kernel)) loss_obstacle(settings, loss, method, fit$task == "regression") else
    of_kernel
}

loss_obstacle <- function(settings, loss, method, regression) {
  if (method == "full" && regression && loss != "squared") {
    return(sprintf(paste("full has no pieces for the loss \"%s\", only for \"squared\", where",
                         "\"jackknife+\" may have intervals"), loss))
  }
  if (!loss %in% smooth_losses && (method == "full" || !loss %in% kinked_losses())) {
    return(sprintf("%s has no regions for the loss \"%s\"", method, loss))
  }
  # its unit is the spread of all rows; least squares are the same in any unit
  if (regression && loss != "squared" && !isFALSE(settings$response_scale)) {
    return(sprintf("%s of the loss \"%s\" needs response_scale = FALSE", method, loss))
  }
  if (loss %in% kinked_losses() && isTRUE(settings$scale)) {
    return(sprintf("%s of the loss \"%s\" needs scale = FALSE", method, loss))
  }
  if (loss %in% kinked_losses() && settings$intercept == "free") {
    return(sprintf("%s of the loss \"%s\" needs an intercept that is one value: penalized or none",
                   method, loss))
  }
  NULL
}

# What a model of these rows knows of other rows, in ways that a refit of coded rows does not undo.
assert_refits_symmetric <- function(fit, method) {
  if (!is.null(fit$tuned) && !(identical(method, "cv+") && can_search_again(fit))) {
    again <- if (can_search_again(fit)) {
      ", or method = \"cv+\", which chooses them anew without each fold"
    } else {
      ""
    }
    abort_input(sprintf(paste(
      "`fit` has settings that were chosen by a look at all of these rows (it is a refit of a",
      "search), so what is fitted without some of them would still know these; give rows that it",
      "has not seen as `holdout`%s."
    ), again), "fit")
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

# A grid of arguments of the family can be searched on the rows of a fold; what makes a kernel or a
# perturbation is no such argument.
can_search_again <- function(fit) {
  !is.null(fit$search) &&
    all(names(fit$search$settings) %in% family_arguments(family_name(fit)))
}

# The fold of each row, dealt without a look at the response: folds that are balanced by it, or
# along time, are not exchangeable with a new row.
conformal_folds <- function(folds, n, rows, given) {
  if (is_split_list(folds)) {
    abort_input(paste(
      "`folds` is a list of rows to train on and to predict, but sets need every row to be left out",
      "once by a fold of all others. Give a number of folds, or the fold of each row; for rows along",
      "time, which are not exchangeable, method = \"split\" with `holdout`."
    ), "folds")
  }
  if (is.numeric(folds) && length(folds) == 1L) {
    assert_number(folds, "folds", lower = 2, upper = n, open = FALSE, whole = TRUE,
                  remedy = there_are(n, "row"))
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
