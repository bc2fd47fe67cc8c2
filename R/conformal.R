# Conformal sets of a fit: which method, over which rows, by which models.

#' Prediction sets with guaranteed coverage
#'
#' @description
#' Makes prediction sets and intervals: sets of classes, or intervals, that hold the response of a
#' new row with a probability that is guaranteed, whatever the distribution of the
#' rows and however wrong the model, as long as the rows are exchangeable. A certificate says how
#' near a fit is to its optimum, and nothing about prediction; these sets do.
#' ```r
#' sets <- margin_conformal(fit, train, level = 0.9)
#' predict(sets, test)
#' ```
#'
#' @details
#' The coverage is that of a new row on average over the rows of the fit and the new row. It is
#' not that of one row or of one kind of rows (see `by`), and it fails where new rows come
#' from elsewhere: after a drift, from other sites, later in time.
#'
#' A score says how strange a response is beside what a model predicts. Let \eqn{E_i} be the scores
#' of the m rows that are counted, each by a model that has not seen it, \eqn{\alpha} one less the
#' level, and \eqn{k = \lfloor \alpha (m + 1) \rfloor}{k = floor(alpha (m + 1))}. A class is in the
#' set of a new row where \eqn{E_i \ge E}{E_i >= E} for at least k of the rows, E being the score of
#' the class by the same model as \eqn{E_i}; an interval reaches from the k-th smallest of
#' \eqn{f_i(x) - E_i}{f_i(x) - E_i} to the k-th largest of \eqn{f_i(x) + E_i}{f_i(x) + E_i}.
#' Where there are too few rows for the level, k = 0, the set is everything, which `print()` says.
#'
#' * `"split"`: one model, and rows that it has not seen. With `holdout` the model is `fit` itself;
#'   else it is refitted on half of the rows, and the other half is counted, which a message says.
#'   Guaranteed is the level.
#' * `"cv+"`: all rows of the fit are counted, each by a refit without its fold. Guaranteed is
#'   \eqn{1 - 2\alpha - e}{1 - 2 alpha - e}, with \eqn{e = 2 (1 - \alpha)(K - 1)/(m + K)}{e = 2 (1 -
#'   alpha) (K - 1)/(m + K)} for K folds of any sizes (the p-values of the folds, averaged with
#'   weights \eqn{(m_j + 1)/(m + K)}{(m_j + 1)/(m + K)}), and for equal sizes the smaller of that
#'   and \eqn{(1 - K/m)/(K + 1)}{(1 - K/m)/(K + 1)}. What is aimed at, and met in most cases, is the
#'   level.
#' * `"jackknife+"`: all rows are counted, each by the exact optimum without it. These n optima are
#'   not fitted: steps from the fit with its Hessian lead to them, in which a few rows are made anew
#'   where it takes that, and how far they can be from there is bounded; what stays open
#'   takes Newton steps of its own. Guaranteed is \eqn{1 - 2 \alpha}{1 - 2 alpha}; what is aimed at,
#'   and met in most cases, is the level.
#' * `"full"`: all rows are counted, by the exact optimum with the new row and a response added to
#'   them. Guaranteed is the level. Each new row and class takes steps of its own, so this is never
#'   chosen unasked. A regression by the squared loss has all residuals linear in the new response:
#'   its set is a union of closed pieces, exactly.
#'
#' Refits are what the call of `fit` gives on the rows that are left, to a relative gap of 1e-10 (or
#' its own, if smaller): a `lambda` that was given stays, one that was not, or `cost`, follows their
#' weight; scales, balanced class weights and a kernel width by the median are computed anew. What
#' was chosen with a look at all rows, as `lambda` by a cross-validation, is not: then give
#' `holdout`. A fit by `refit()` is known to be such, and an error without; of others only you know.
#' With `method = "cv+"` the refit of a [margin_cv()] has its search done again without each fold.
#'
#' *Jackknife+ and full* are for fits of [margin_linear()] with a ridge (`mixture = 0`), of two
#' classes by the logistic, squared hinge or smooth hinge loss with the score `"margin"`, and of a
#' response by the squared loss with the score `"absolute"`, weights of the classes being numbers;
#' jackknife+ also for the squared epsilon-insensitive loss with `response_scale = FALSE`. How far
#' the optimum can be from the point that the steps have reached is bounded by the gradient there
#' and by the curvature that the rows can lose on the way. Derivation: `vignette("proofs")`. A class
#' is in the set, or an end of an interval further out, wherever that bound leaves it possible;
#' `summary()` of new rows counts how often, which by default is a matter of ties up to rounding
#' (rows that are twice among those of the fit), of rows at a kink of the slope of their loss, and of
#' optima around which the loss is all but flat or linear: classes that are separated by a penalty
#' near 0. Columns far from the origin without an intercept cost digits as well: with `intercept =
#' "free"` rows are moved to their means first.
#'
#' Losses whose slope jumps (`"hinge"`, `"absolute"`, `"quantile"`, `"epsilon_insensitive"`) have
#' the jackknife+ with `scale = FALSE`, an intercept that is penalised or none and, for regressions,
#' `response_scale = FALSE`: each optimum is followed from kink to kink, as [margin_loo()] does it.
#' Fits of [margin_kernel()] with a kernel `"rbf"` or `"laplace"` whose width was given and
#' `scale = FALSE` have it the same way, up to 2,000 rows.
#'
#' Scores, by `score`, the first of a kind of fit being its default:
#'
#' * regressions: `"absolute"`, \eqn{|y - f(x)|}{|y - f(x)|}; `"normalised"`, the same over
#'   \eqn{\sigma(x)}{sigma(x)}, where \eqn{\log \sigma}{log sigma} is a squared-loss fit of the
#'   logarithm of the training residuals by the same settings; `"quantile"`, the
#'   distance outside of two fits of these quantiles by the same settings (conformalised quantile
#'   regression), whose sets may be empty (`lower` is `Inf` and `upper` `-Inf` then);
#' * two classes: `"margin"`, \eqn{-y f(x)}{-y f(x)};
#' * more classes: `"probability"`, one less the probability of the class, or without probabilities
#'   `"margin"`, the largest decision value of another class less that of the class;
#' * classes with probabilities besides: `"aps"`, the sum of the probabilities down to that of the
#'   class, which is included; `"raps"`, that sum and `penalty` for each rank
#'   beyond `rank`.
#'
#' Ties count as at least as strange: scores that differ by the rounding of their sums alone.
#'
#' @param fit A fit of [margin_linear()], [margin_kernel()], [margin_augmented()],
#'   [margin_robust()] or [margin_hard()], of hard labels and not of a precomputed kernel.
#' @param data,y The rows and labels it was fitted to, as they were given, in their order: a fit
#'   does not keep its rows. For a fit from a formula `data` is the data frame and `y` is left out.
#'   With `holdout` both are left out, unless `score` takes another fit to them (`"normalised"`,
#'   `"quantile"`).
#' @param method `"split"`, `"cv+"`, `"jackknife+"` or `"full"`. `NULL` is split where `holdout` is
#'   given, cv+ where `folds` are, else jackknife+ where it is possible (for up to about 4e9
#'   products, rows times rows times columns, and of a kernel about 450 rows), and cv+ for a reason
#'   that `print()` tells.
#' @param level The share of responses that the sets shall hold, a number or several, above 0 and
#'   below 1.
#' @param score How strange a response is: a name, or a list of it and its numbers, as in
#'   `list("quantile", lower = 0.05, upper = 0.95)`, which are chosen beforehand, and `list("raps",
#'   penalty = 0.01, rank = 1)`: what each rank beyond `rank` adds. These are their defaults. `NULL`:
#'   the first of those in Details for this kind of fit.
#' @param by Levels within each of which the sets shall hold: `"label"`, the classes; the name of a
#'   column of the rows; or a vector along the rows that are counted, for which `predict()` needs
#'   one along the new rows. All rows are fitted, and those of a level are counted for it. For a
#'   level that no counted row has the set is everything.
#' @param groups Of jackknife+: rows that come and leave together (patients, sites), a vector with
#'   the group of each row of `data`, as in [margin_loo()]. The sets hold for a row of a *new*
#'   group, where rows that leave alone would know others of their group: G groups count, a row by
#'   one over the rows of its group, and a response is in the set where these sum to more than
#'   \eqn{\alpha (G + 1) - 1}{alpha (G + 1) - 1}.
#' @param folds Of cv+: their number, dealt at random without a look at the response; the fold of
#'   every row of `data`, chosen without one; or folds of package rsample. Lists of rows are an error,
#'   since not every row is left out once.
#' @param holdout Of split: rows that `fit` has not seen, with their response: a data frame, or
#'   `list(x = , y = )` for a fit from `x` and `y`.
#' @param refits Of jackknife+: how many of the optima without a row may be solved by Newton steps
#'   of their own, those that are known least. 0 leaves what the steps from the fit have open to
#'   count in favour of the response, so that sets can be larger, and never smaller. Of full: 0, or
#'   `Inf`.
#' @param seed A whole number that leaves R's stream of random numbers untouched, or `NULL`: drawn
#'   from that stream.
#' @param object,x What `margin_conformal()` returned.
#' @param newdata Rows to predict, as for [predict.margin_fit()]; for `summary()` with their
#'   response, or with `y`. Rows with missing entries get `NA`.
#' @param ... Not used; an unknown argument is an error; for `plot()` graphical parameters, as for
#'   [plot.margin_fit()].
#' @return `margin_conformal()`: an object of class `"margin_conformal"`, plain vectors and models
#'   without their rows, which [saveRDS()] keeps: among others `method`, `why` (it was chosen),
#'   `level`, `score`, `own`, a data frame with the `row`, `score`, `model` and `group` of each
#'   counted row (and its `share`, with `groups`), and `certificates` of the refits. Of full it
#'   keeps the rows of the fit, by which scores are found as new rows come.
#'
#'   `predict()`: a data frame with a row for each row of `newdata`. Classes: a logical column for
#'   each, named as the class, `set` (a list of the names), `size`, and for split and full the
#'   p-values `p_<class>`. Regressions: `lower` and `upper`; of full these are the hull of `pieces`,
#'   a list of matrices with a row for each closed piece. Of several levels the rows of each, one
#'   level after the other, with a first column `level`.
#'
#'   `summary()`: for each group and level `counted`, `rank` (k) and `guaranteed`; with `newdata` how
#'   often the sets of rows with a known response hold it: for each level rows `of` `"all"`, and where
#'   there are such of each `"class"`, `"group"` and `"size"` of the set, that is the `value`; `n`,
#'   `covered`, `coverage` with the exact binomial interval of 95 % from `lower` to `upper`, `size`,
#'   the mean size or width of the sets, and the shares of `empty` and `full` sets; of all rows
#'   `guaranteed`, and of jackknife+ and full `open`: how many classes are in sets only because they
#'   are not known to be out, for a regression how much further out than need be an end can be; of
#'   full `refitted`, how many optima took Newton steps of their own. `tidy()` gives the first of these,
#'   `glance()` one row, `augment()` the rows with `.lower` and `.upper`, or `.set` and `.size`.
#' @section Errors:
#' Other objects, levels outside of (0, 1), rows that are not those of the fit, `holdout` that is
#' all of them, classes that the fit does not know, a class that a refit would lose, scores of
#' another kind of fit, terms such as `poly()` and `scale()`, which all rows decide, a fit by
#' `refit()` without `holdout`: errors of class `dualmargin_input_error`. That a formula computes
#' nothing else from all rows, such as a mean, is yours to see to. More rows of `holdout` that are
#' like one of the fit than these are like one another: a warning of class `dualmargin_shared_rows`.
#' Refits that are not certified are counted in a warning of class `dualmargin_not_certified`; the
#' guarantee holds of what was computed. An optimum without a row that double precision does not
#' find is an error of class `dualmargin_numerical_error`.
#' @references
#' Vovk V, Gammerman A, Shafer G (2005). *Algorithmic Learning in a Random World*. Springer.
#'
#' Barber RF, Candes EJ, Ramdas A, Tibshirani RJ (2021). Predictive inference with the jackknife+.
#' *Annals of Statistics* 49, 486-507. \doi{10.1214/20-AOS1965}.
#'
#' Vovk V, Wang R (2020). Combining p-values via averaging. *Biometrika* 107, 791-808.
#' \doi{10.1093/biomet/asaa027}.
#'
#' Romano Y, Patterson E, Candes EJ (2019). Conformalized quantile regression. *NeurIPS 32*.
#' arXiv:1905.03222.
#'
#' Romano Y, Sesia M, Candes EJ (2020). Classification with valid and adaptive coverage. *NeurIPS
#' 33*. arXiv:2006.02544.
#'
#' Angelopoulos AN, Bates S, Jordan M, Malik J (2021). Uncertainty sets for image classifiers using
#' conformal prediction. *ICLR*. arXiv:2009.14193.
#' @seealso [margin_loo()], [margin_calibrate()].
#' @examples
#' train <- spambase[seq(1, nrow(spambase), by = 10), ]
#' test <- spambase[seq(2, nrow(spambase), by = 10), ]
#' fit <- margin_linear(type ~ ., data = train, lambda = 0.01)
#' sets <- margin_conformal(fit, train, seed = 1)
#' sets
#' head(predict(sets, test[1:57]), 3)
#' summary(sets, test)
#' plot(sets, test)
#' # within each class, over e-mails that the fit has not seen
#' margin_conformal(fit, holdout = spambase[seq(3, nrow(spambase), by = 10), ], by = "label")
#' # exact at the level itself, for a few rows
#' predict(margin_conformal(fit, train, method = "full"), test[1:3, 1:57])
#' # intervals that are wider where the residuals are
#' cars <- margin_linear(mpg ~ wt + hp, data = mtcars[-(1:2), ])
#' wide <- margin_conformal(cars, mtcars[-(1:2), ], score = "normalised", folds = 8, seed = 1)
#' predict(wide, mtcars[1:2, ], level = c(0.8, 0.9))
#' @export
margin_conformal <- function(fit, data, y = NULL, method = NULL, level = 0.9, score = NULL,
                             by = NULL, groups = NULL, folds = 10, holdout = NULL, refits = Inf,
                             seed = NULL, ...) {
  assert_no_extra("margin_conformal()", ...)
  assert_conformal_kind(fit)
  assert_coverage_levels(level)
  assert_seed(seed)
  score <- as_score(score, fit)
  assert_refits(refits)
  asked <- c("folds", "refits", "groups")[c(!missing(folds), !missing(refits), !is.null(groups))]
  if (!is.null(groups) && !is.null(by)) {
    abort_input(paste(
      "`by` is given beside `groups`, but rows of one group may be in several levels; leave one of",
      "them out."
    ), "by")
  }
  chosen <- conformal_method(method, fit, score, holdout, asked)
  counted <- if (!is.null(holdout)) conformal_holdout(fit, holdout)
  seen <- is.null(holdout) || score$name %in% c("quantile", "normalised")
  if (!seen && !(missing(data) && is.null(y))) {
    abort_input(sprintf(paste(
      "`%s` is not used with `holdout`, whose rows are judged by the fit as it is; leave it out."
    ), if (missing(data)) "y" else "data"), if (missing(data)) "y" else "data")
  }
  task <- if (seen) conformal_task(fit, data, y)
  if (is.null(holdout)) assert_refits_symmetric(fit, method)
  if (chosen$method == "jackknife+") {
    groups <- loo_groups(groups, task$rows, task$given, task$weights)
    made <- conformal_left_out(fit, task, refits, groups)
    return(new_conformal(fit, made, chosen, level, score, by))
  }
  if (chosen$method == "full") {
    return(new_conformal(fit, conformal_full(fit, task, refits), chosen, level, score, by))
  }
  arguments <- if (seen) conformal_arguments(fit)
  made <- with_seed(seed, if (chosen$method == "split") {
    conformal_split(fit, task, counted, score, arguments)
  } else {
    fold <- conformal_folds(folds, length(task$response), task$rows, task$given)
    conformal_cv(fit, task, fold, score, arguments)
  })
  object <- new_conformal(fit, made, chosen, level, score, by, held = !is.null(holdout))
  if (!is.null(object$certificates)) signal_conformal_fits(object$certificates)
  object
}

# The rows of the fit, with the frame that a column for `by` is in.
conformal_task <- function(fit, data, y) {
  if (!missing(data)) refuse_file(data, "data")
  task <- if (is.null(y)) task_of_fit(fit, data) else task_of_fit(fit, data, y)
  task$frame <- data
  task
}

new_conformal <- function(fit, made, chosen, level, score, by, held = FALSE) {
  counted <- made$counted
  groups <- conformal_by(by, fit, counted)
  # a weight of 0 is no row
  weights <- counted$weights
  used <- if (is.null(weights)) rep(TRUE, length(made$own)) else weights > 0
  own <- data.frame(row = counted$rows, score = made$own, model = made$model,
                    group = groups$group)
  own$share <- made$share
  new_object(list(
    method = chosen$method, why = chosen$why, level = level, score = score, by = groups$by,
    column = groups$column, groups = groups$groups, own = without_row_names(own[used, ]),
    folds = if (is.null(made$models)) max(made$model) else length(made$models),
    left_out = made$left_out, full = made$full, models = made$models,
    certificates = made$certificates, searched = made$searched,
    held = held, fit = without_rows(fit), task = fit$task, levels = fit$levels
  ), "margin_conformal")
}

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
  taken <- intersect(fit$levels, c("set", "size", "level", paste0("p_", fit$levels)))
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
  if (is_balanced(fit)) {
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
