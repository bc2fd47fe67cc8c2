#' Cross-validation of a grid of settings
#'
#' @description
#' Compares the settings of a grid by cross-validation: for each fold, fits every setting to the
#' other rows and scores its predictions of the fold.
#' ```r
#' cv <- margin_cv(type ~ ., data = train, loss = "logistic", grid = list(lambda = 10^-(1:4)))
#' fit <- refit(cv, rule = "one_se")
#' ```
#' Along `lambda`, `radius`, `rate` or `nu` each fit starts from the one before ([margin_path()]).
#' Every score stands beside the certificate of the fit that made it: where fits are not certified,
#' scores also depend on where the solvers stopped. With `prove = TRUE` no grid is tried: the
#' `lambda` of a whole range with the smallest cross-validated error is found, and proven.
#'
#' @param x,formula,data,y The data, as for [margin_linear()]. The fits of family `"oneclass"` need
#'   no response: `y`, or one in the formula, then judges them and never trains them; it has the
#'   labels `"outlier"` and `"inlier"`, or two classes of which the second is the inliers. A data
#'   frame or formula is coded once, on all rows: terms that look at the data, such as `poly(age,
#'   2)`, see the rows that are held out, though never their response. With `scale = TRUE` the
#'   scales are those of the rows trained on.
#' @param family `"linear"`, `"kernel"`, `"robust"`, `"augmented"`, `"hard"` or `"oneclass"`.
#' @param grid A list of values by argument, which are crossed, as in `list(lambda = 10^-(1:5),
#'   mixture = c(0, 0.5))`, or a data frame with a row per setting. Any argument of the family's
#'   function may vary; values that are no numbers come as a list, as in `list(kernel =
#'   list(kernel_rbf(), "linear"))`. `sigma` is the width given to the function `kernel`
#'   ([kernel_rbf()] unless another is given), `rate` the strength given to the function
#'   `perturbation` ([perturb_dropout()] unless another is given). `NULL`: 20 values of `lambda`,
#'   `radius` or `nu` or six of `rate`, as [margin_path()] chooses them from all rows; an empty
#'   `list()`: one setting, that of the other arguments. At most 10,000 settings, and 1,000,000 fits
#'   in all. With `prove = TRUE` the two ends of a range, as in `list(lambda = c(0.01, 1))`; `NULL`:
#'   from 1e-4 to 1.
#' @param folds The number of folds, dealt by [margin_folds()]; or the fold of every row of the
#'   data, a vector or a matrix with a column for each repetition; a list with `train` and `test`,
#'   row numbers, for each fold; or a resampling of package rsample.
#' @param outer `NULL`, or the outer folds of a nested cross-validation, given as `folds` are. `folds`
#'   are the inner ones then: their number, dealt anew among the training rows of each outer fold; or
#'   the fold of every row of the data, a vector, of which each outer fold takes the part of its
#'   training rows. Where outer folds keep groups together ([margin_folds()] with `groups`), give the
#'   same ids as `folds`: then the inner folds do so too.
#' @param rule With `outer`, how a setting is chosen, see [`summary()`][summary.margin_cv]: by the first
#'   metric. All are reported.
#' @param repeats How often a number of `folds`, or of `outer` folds, is dealt, once if `NULL`.
#' @param metric Names from [metrics], values of [margin_metric()], or a list of both. The
#'   first decides. `NULL` is the loss of the fits: see "The default" in [metrics].
#' @param weights,subset,na.action,contrasts,sparse As for [margin_linear()]; the weights count in
#'   the fits and in the scores.
#' @param offset As for [margin_linear()], for the families that have one; held-out rows are scored
#'   with theirs.
#' @param seed A whole number that leaves R's stream of random numbers untouched, or `NULL`: drawn
#'   from that stream, so [set.seed()] makes the result reproducible. It determines
#'   the folds and every fit.
#' @param prove Prove which `lambda` of a range has the smallest error? See "A whole range, proven".
#' @param eps With `prove`, how much larger than the smallest possible the error may be, a share of
#'   the rows, from 0 to 1.
#' @param max_points With `prove`, the most values of `lambda` to fit, all folds at each. If that does
#'   not suffice, a warning says what is not proven.
#' @param ... Arguments of the family's function, the same for all settings.
#' @return A list of class `"margin_cv"`:
#'   * `results`: a data frame with a row per setting, repetition and fold: `setting` (its number),
#'     the setting (values that are no numbers as text), `repetition`, `fold`, `score` (of the first
#'     metric), a column for each further metric, `n_train`, `n_test`, `relative_gap`, `certified`
#'     and `seconds` (of the solver);
#'   * `settings`: a data frame with a row per setting;
#'   * `fit`: the best setting by the first metric, fitted to all rows (`NULL` where no score is
#'     known), which [predict()], [coef()] and [refit()] are of, see [`summary()`][summary.margin_cv];
#'   * `metrics`, `folds` (the held out rows of each resample), `family`, `call`.
#'
#'   `summary()` and `tidy()`: a data frame with a row per setting, of the mean score over all folds
#'   and its standard error, see [`summary()`][summary.margin_cv].
#' @section Nested cross-validation:
#' The best mean score of a cross-validation promises too much: it is that of the setting which did
#' best on these very rows. With `outer` folds the error of the whole procedure is estimated, the
#' choice of settings included: in each outer fold a cross-validation of the training rows chooses a
#' setting, which is fitted to all of them and judged on the rows held out, which had no part in
#' either (Varma and Simon 2006). The score belongs to the procedure and not to one setting: the
#' chosen ones may differ from fold to fold, and `print()` says how much. The model itself comes from
#' the call without `outer`. With `grid = NULL` each outer fold has the grid that its training rows
#' suggest.
#'
#' The result is a list of class `"margin_nested"`:
#' * `results`: a data frame with a row per outer repetition and fold: `repetition`, `fold`,
#'   `setting` (its number in the inner cross-validation), the columns of the setting, `score` (of
#'   the first metric on the rows held out), a column for each further metric, `inner_score` (the
#'   mean score that chose it), `n_train`, `n_test`, `relative_gap`, `certified` and `seconds`;
#'   a fit counts as certified, and the gap and the seconds are those, with its inner fits;
#' * `inner`: a list of the inner cross-validations, one a row of `results`, which keep no fit;
#' * `metrics`, `folds` (the rows held out), `family`, `rule`, `task`, `levels`, `nobs`, `call`.
#'
#' `summary()` and `tidy()`: a data frame with a row per metric: `mean`, `std.error`, `n`, and of the
#' first `inner`, the mean score of the chosen settings, which is the optimistic one. `glance()`: one
#' row: `family`, `rule`, the outer `folds` and `repeats`, of the first metric what `summary()` has,
#' `nobs`, `certified`, `relative_gap` (the largest) and `seconds`. `plot()`: for each outer fold the
#' score on the rows held out beside the inner mean that chose its setting, and the means of both.
#' @section A whole range, proven:
#' The best of a grid need not be the best of what lies between. `prove = TRUE` finds the `lambda` of
#' a range whose misclassification error is the smallest *of all values of the range*, or within `eps`
#' of it, and proves it. With \eqn{E(\lambda)} the share of the rows (by weight) that the exact
#' optimum of [margin_linear()] without their fold misclassifies,
#' \deqn{E(\hat\lambda) \le \min_{\lambda \in [\mathrm{lo}, \mathrm{hi}]} E(\lambda) +
#'   \epsilon.}{E(lambda) <= min over [lo, hi] of E + eps.}
#' The statement is about these rows and these folds: which penalty is best for the population is
#' another question, and other folds have another curve.
#'
#' Between two fitted penalties each held-out row has a range of `lambda` in which it may be right;
#' elsewhere it is certainly wrong. The certainly wrong rows bound the error from below. Where that
#' bound is too low to decide, one more penalty is fitted. The search begins with three penalties a
#' decade. With `eps = 0` it ends unless two rows change sides in opposite directions at the same
#' penalty. Derivation: `vignette("proofs")`.
#'
#' Of the arguments of [margin_linear()] it takes `loss`, `intercept`, `scale`, `class_weights` and
#' `control`; without a `tol` of its own the fits have 1e-10. A free intercept goes with the logistic
#' and the squared loss; the others need `"penalized"` or `"none"`. The logistic and the squared loss,
#' up to 2,000 columns, and the other smooth losses without a free intercept need few fits, since
#' their ranges are known to second order in the step. The hinge has a bound of first order alone:
#' give it `eps = 0.01` or more, and a range from about 0.01, or take `loss = "smooth_hinge"`. *Three
#' or more classes* are one multinomial model (`multiclass = "softmax"` of [margin_linear()]), with
#' the logistic loss and up to 1,000 coefficients. A row is certainly wrong where the decision value
#' of another class is certainly above that of its own.
#'
#' The result is a list of class `"margin_tune"`:
#' * `lambda`: the best penalty, the largest of equally good ones that were tried;
#' * `error`: its cross-validated error, a share of the weight of the rows, with `lower` and
#'   `upper` end where rows are undecided at the tolerance of the fits;
#' * `least`: no penalty of the range has a smaller error than this;
#' * `proven`: `error - least <= eps`;
#' * `among`: from the smallest to the largest penalty that may do as well or better;
#' * `points`: a data frame with a row for each penalty fitted: `lambda`, `lower`, `upper` (the
#'   error), `undecided` (rows);
#' * `bound`: a data frame of steps: from `from` to `to` the error is at least `lower`;
#' * `fit`: the best penalty, fitted to all rows by [margin_linear()], which [refit()] gives, or with
#'   other data or arguments makes anew;
#' * `ended` (`"proven"`, `"points"`: `max_points` were not enough, `"narrow"`: an interval of
#'   1e-9 in \eqn{\log \lambda} is not decided), `eps`, `range`, `folds`, `call`.
#'
#' [as.data.frame()], [tidy()] and [summary()] give `points`; [glance()] one row: `lambda`, `error`,
#' `least`, `proven`, `from` and `to` (the penalties that may do as well), `points`, `folds`, `nobs`.
#' `plot()` shows the error of each penalty fitted (a line where rows are undecided) over
#' \eqn{\log \lambda}, which falls to the right, with the lower bound that holds between them as a
#' shaded step function, and the best penalty. No curve of errors runs below the shade.
#' @section In parallel:
#' Where package future.apply is installed the fits run by the user's [future::plan()]: on several
#' processes, or machines. Seeds are drawn before, so the result is the same wherever they run but
#' for `seconds`. A bar
#' shows the progress of what takes longer than about two seconds (`margin_control(progress = )`);
#' under a parallel plan package progressr tells it: `progressr::with_progress(margin_cv(...))`.
#' @section Errors and warnings:
#' Wrong arguments are errors of class `dualmargin_input_error`, raised before the first fit where
#' they can be. Fits that are not certified are counted in one warning of class
#' `dualmargin_not_certified`, which says so of the fit to all rows too; so is what `prove` leaves
#' unproven.
#' @references
#' Stone M (1974). Cross-validatory choice and assessment of statistical predictions. *Journal of
#' the Royal Statistical Society B* 36, 111-147. \doi{10.1111/j.2517-6161.1974.tb00994.x}.
#'
#' Varma S, Simon R (2006). Bias in error estimation when using cross-validation for model
#' selection. *BMC Bioinformatics* 7, 91. \doi{10.1186/1471-2105-7-91}.
#'
#' Cawley GC, Talbot NLC (2010). On over-fitting in model selection and subsequent selection bias in
#' performance evaluation. *Journal of Machine Learning Research* 11, 2079-2107.
#'
#' Shibagaki A, Suzuki Y, Karasuyama M, Takeuchi I (2015). Regularization path of cross-validation
#' error lower bounds. *Advances in Neural Information Processing Systems 28*. arXiv:1502.02344.
#'
#' Bach F (2010). Self-concordant analysis for logistic regression. *Electronic Journal of
#' Statistics* 4, 384-414. \doi{10.1214/09-EJS521}.
#' @seealso [`summary()`][summary.margin_cv] for what to do with the result, [margin_folds()], [metrics],
#'   [margin_compare()] for tests between models, `vignette("decisions")`.
#' @examples
#' train <- seq(1, nrow(spambase), by = 10)
#' test <- spambase[-train, ]
#' cv <- margin_cv(type ~ ., data = spambase[train, ], loss = "logistic",
#'                 grid = list(lambda = 10^-(1:4)), folds = 5,
#'                 metric = c("log_loss", "accuracy"), seed = 1)
#' cv
#' plot(cv)
#' summary(cv, rule = "one_se")
#'
#' # the chosen setting on all training rows, and its accuracy on rows that no fold has seen
#' fit <- refit(cv, rule = "one_se")
#' mean(predict(fit, test) == test$type)
#'
#' # the width of a kernel and its lambda
#' margin_cv(Species ~ ., data = iris, family = "kernel", folds = 3,
#'           grid = list(sigma = c(0.1, 1), lambda = 10^-(1:3)))
#'
#' # the error of the choice itself
#' some <- spambase[seq(1, nrow(spambase), by = 20), ]
#' nested <- margin_cv(type ~ ., data = some, grid = list(lambda = 10^-(1:3)), outer = 4, folds = 3,
#'                     metric = c("log_loss", "accuracy"), seed = 1)
#' nested
#' plot(nested)
#'
#' # no lambda from 0.01 to 1 has an error below the best by more than one row in a hundred
#' tuned <- margin_cv(type ~ ., data = some, prove = TRUE, grid = list(lambda = c(0.01, 1)),
#'                    folds = 5, eps = 0.01, seed = 1)
#' tuned
#' plot(tuned)
#' fit <- refit(tuned)
#' @usage NULL
#' @export
margin_cv <- function(x, ...) {
  UseMethod("margin_cv", leading_argument(x, ...))
}

#' @rdname margin_cv
#' @export
margin_cv.matrix <- function(x, y, family = "linear", grid = NULL,
                             folds = if (is.null(outer)) 10 else 5, repeats = NULL, metric = NULL,
                             weights = NULL, seed = NULL, offset = NULL, outer = NULL,
                             rule = c("best", "one_se"), prove = FALSE, eps = 0, max_points = 200,
                             ...) {
  call <- public_call(match.call(), quote(margin_cv))
  rule_given <- !missing(rule)
  force(x) # as in margin_linear()
  assert_choice(family, names(families()), "family")
  own <- names(formals(margin_cv.matrix))
  elsewhere <- if (!is_task_design(x)) formula_arguments
  # names before values, which of a formula may be columns
  known <- family_arguments(family)
  stray <- setdiff(...names(), c(known, ""))
  assert_nothing_left(stats::setNames(as.list(stray), stray), c(own, known), elsewhere, "margin_cv()")
  dots <- list(...)
  assert_flag(prove, "prove")
  labelled <- is_labelled(family)
  if (missing(y)) {
    assert_response_given(labelled)
    y <- NULL
  }
  if (prove) {
    assert_provable(family, list(metric = metric, offset = offset, outer = outer,
                                 rule = if (rule_given) rule))
    plan <- tune_plan(grid, eps, max_points, dots, own, elsewhere)
    task <- design_task(x, y, weights, NULL, plan$settings$loss, "margin_cv(prove = TRUE)", call)
    plan$settings$intercept <- formula_intercept(task, plan$settings$intercept,
                                                 is.null(dots$intercept))
    return(fit_tune(task, plan, folds, repeats, seed, task$call))
  }
  if (!missing(eps) || !missing(max_points)) {
    abort_input("`eps` and `max_points` are for prove = TRUE; leave them out.",
                if (missing(eps)) "max_points" else "eps")
  }
  on_ranks(dots$control, function(control) {
    dots$control <- control
    nested <- !is.null(outer)
    if (nested) refuse_ranks(control, "margin_cv(outer = )")
    if (!nested && rule_given) {
      abort_input(paste("`rule` chooses within `outer` folds; without them it is for the result:",
                        "summary(cv, rule = ), refit(cv, rule = )."), "rule")
    }
    plan <- cv_plan(dots, family, grid, own, elsewhere)
    rule <- one_of(rule, c("best", "one_se"), "rule", rule_aliases)
    task <- design_task(x, y, weights, offset, plan$losses[[1L]], classes_only(family), call, labelled,
                        sprintf("margin_cv(family = \"%s\")", family), families()[[family]]$offset,
                        ranks_of_control(control))
    if (!task$intercept) plan <- without_intercept(plan, task)
    if (nested) fit_nested(task, plan, outer, folds, repeats, rule, metric, seed, task$call) else
      fit_cv(task, plan, folds, repeats, metric, seed, task$call)
  })
}

#' @rdname margin_cv
#' @usage NULL
#' @export
margin_cv.Matrix <- margin_cv.matrix

#' @rdname margin_cv
#' @usage NULL
#' @export
margin_cv.data.frame <- margin_cv.matrix

#' @rdname margin_cv
#' @usage \special{margin_cv(formula, data, \dots, weights, subset, na.action, contrasts, sparse)}
#' @export
margin_cv.formula <- function(formula, data, ..., weights, subset, na.action, contrasts = NULL,
                              sparse = FALSE) {
  margin_cv.matrix(task_design("margin_cv", margin_cv.matrix, match.call(), parent.frame(), data,
                               contrasts, sparse), NULL, ...)
}

#' @rdname margin_cv
#' @usage NULL
#' @export
margin_cv.margin_rows <- function(x, family = "linear", grid = NULL, folds = 10, repeats = NULL,
                                  metric = NULL, seed = NULL, ...) {
  dots <- list(...)
  in_memory <- intersect(c("outer", "prove"), names(dots))
  if (length(in_memory) > 0L) {
    abort_input(sprintf("`%s` needs the rows in memory: give x and y, or a formula.",
                        in_memory[1L]), in_memory[1L])
  }
  assert_of_file(dots[intersect(names(dots), of_file)], character(), "margin_cv()")
  assert_linear_on_disk(family)
  own <- names(formals())
  call <- public_call(match.call(), quote(margin_cv))
  on_ranks(dots$control, function(control) {
    dots$control <- control
    plan <- cv_plan(dots, family, grid, own, formula_arguments)
    ranks <- ranks_of_control(control)
    task <- new_task(design_rows(x, NULL, !is.null(ranks)), plan$losses[[1L]], ranks = ranks)
    task$intercept <- !isFALSE(x$intercept)
    if (!task$intercept) plan <- without_intercept(plan, task)
    fit_cv(task, plan, folds, repeats, metric, seed, call)
  })
}

#' @export
margin_cv.default <- function(x, ...) margin_linear.default(x)

fit_cv <- function(task, plan, folds, repeats, metric, seed, call) {
  judged <- judged_plan(task, plan, metric, seed)
  plan <- judged$plan
  metrics <- judged$metrics
  # one draw from R's stream, whatever package future may take for its own
  with_seed(seed_of_ranks(task$ranks, resolve_seed(seed)), {
    resamples <- judged_resamples(task, folds, repeats, metrics)
    if (is.null(plan$settings)) {
      plan$settings <- as_grid(default_grid(task, plan$family, plan$arguments), plan$family,
                               plan$arguments)
    }
    assert_grid_of(plan, metrics, resamples)
    jobs <- crossed_jobs(resamples, setting_groups(plan$settings, plan$family), "group")
    seed <- sample.int(.Machine$integer.max, 1L)
    told <- progress_teller(length(jobs), shows_progress(plan$arguments$control))
    rows <- each_job(jobs, run_group, task = without_design(task), plan = plan, metrics = metrics,
                     told = told)
  })
  cv <- new_margin_cv(do.call(rbind, rows), plan, metrics, resamples, task, call)
  signal_cv_outcome(with_best_fit(cv, task, plan, seed))
}

# The best setting by the first metric, fitted to all rows, where a score says which that is.
with_best_fit <- function(cv, task, plan, seed) {
  best <- if (any(!is.na(cv_table(cv, cv$metrics[[1L]])$mean))) chosen_setting(cv)$setting
  muffled <- function(condition) if (!all(cv$results$certified)) invokeRestart("muffleWarning")
  setting <- if (!is.null(best)) setting_arguments(cv$settings, best)
  cv <- withCallingHandlers(
    with_chosen_fit(cv, task, plan$family, plan$arguments, setting, seed),
    dualmargin_not_certified = muffled
  )
  cv$problem$setting <- best
  if (!is.null(best)) cv$fit <- marked_by_search(cv$fit, cv, "best", NULL, list())
  cv
}

# The columns of the result have one name each.
assert_metric_names <- function(metrics, settings) {
  taken <- c("setting", names(settings), "repetition", "fold", "score", "inner_score", "n_train",
             "n_test", "relative_gap", "certified", "seconds")
  clash <- intersect(names(metrics), taken)
  if (length(clash) > 0L) {
    abort_input(sprintf("`metric` is called \"%s\", as another column of the result is; rename it.",
                        clash[1L]), "metric")
  }
}

new_margin_cv <- function(rows, plan, metrics, resamples, task, call) {
  rows <- rows[order(rows$setting, rows$repetition, rows$fold), ]
  names(rows)[names(rows) == names(metrics)[1L]] <- "score"
  shown <- setting_labels(plan$settings)[rows$setting, , drop = FALSE]
  results <- cbind(rows["setting"], shown, rows[c("repetition", "fold", "score")],
                   rows[names(metrics)[-1L]],
                   rows[c("n_train", "n_test", "relative_gap", "certified", "seconds")])
  new_object(list(
    results = without_row_names(results), settings = plan$settings, metrics = metrics,
    folds = tested_rows(resamples, task),
    family = plan$family, task = task$task, levels = task$levels,
    nobs = number_of_rows(task),
    scale = scales_columns(plan), taken = task$design$taken, call = compact_call(call)
  ), "margin_cv")
}

# Are the columns scaled? NA where the settings differ in it.
scales_columns <- function(plan) {
  scale <- c(plan$settings[["scale"]], plan$arguments[["scale"]], plan$family != "hard")
  if (length(unique(plan$settings[["scale"]])) > 1L) NA else isTRUE(scale[[1L]])
}

# Settings in words and numbers: what is no number is formatted.
setting_labels <- function(settings) {
  settings[] <- lapply(settings, function(values) {
    if (is.list(values)) vapply(values, function(value) {
      if (is.atomic(value) && length(value) == 1L) format(value, digits = 4L) else
        if (is.object(value)) format(value) else show_value(value)
    }, "") else values
  })
  settings
}

signal_cv_outcome <- function(cv) {
  signal_fits(
    cv$results, "fits", function(worst) sprintf("setting %d, fold %d", worst$setting, worst$fold),
    paste0("Their scores depend on where the solver stopped",
           if (!is_certified(cv$fit))
             ", and the fit of the best setting to all rows is not certified",
           ". Give control = margin_control(max_epochs = ) more.")
  )
  cv
}

is_certified <- function(fit) is.null(fit) || all(fit$certificate$certified)

# What a cross-validation fits: the family, its arguments and the settings, before and after the
# rows are known.

# What is to be fitted, checked as far as it can be without the data: the family, the arguments of
# all settings, the settings (NULL: those that the data suggest) and their losses (NULL: that of the
# task).
cv_plan <- function(dots, family, grid, own, elsewhere) {
  caller <- "margin_cv()"
  assert_choice(family, names(families()), "family")
  known <- family_arguments(family)
  stray <- dots[!names(dots) %in% known]
  assert_nothing_left(if (is.null(names(dots))) dots else stray, c(own, known), elsewhere,
                      caller)
  refuse_checkpoint(dots$control, caller)
  if (family != "linear") refuse_ranks(dots$control, caller)
  for (name in names(dots)) assert_one_value(dots[[name]], name, family, caller)
  settings <- if (!is.null(grid)) as_grid(grid, family, dots)
  list(family = family, arguments = one_multiclass(dots, settings), settings = settings,
       losses = setting_losses(settings, family, dots))
}

# What `multiclass = "auto"` is hangs on the mixture where columns have factors: one model for all.
one_multiclass <- function(arguments, settings) {
  factor <- arguments$penalty_factor
  net <- settings$mixture > 0 & settings$mixture < 1
  auto <- (is.null(arguments$multiclass) || identical(arguments$multiclass, "auto")) &&
    is.null(settings$multiclass)
  if (auto && is.numeric(factor) && any(factor != 1) && any(net) && !all(net)) {
    arguments$multiclass <- "one_vs_rest"
  }
  arguments
}

# Arguments of which one value is a vector.
per_column_or_class <- c("class_weights", "penalty_factor", "lower", "upper")

# Several values of what is the same for all settings are meant for the grid. They are not taken for
# one: beside a grid that would cross them with it unasked, and of an argument whose one value is a
# vector or a list it could not be told.
assert_one_value <- function(value, name, family, caller) {
  several <- length(value) > 1L && !is.object(value) && (is.atomic(value) || is.list(value)) &&
    name %in% setdiff(grid_columns(family), per_column_or_class)
  if (several) {
    abort_input(sprintf(
      "`%s` has %d values, but %s takes one for all settings; to compare them give grid = list(%s = ).",
      name, length(value), caller, name
    ), name)
  }
}

without_intercept <- function(plan, task) {
  if (!"intercept" %in% family_arguments(plan$family)) {
    return(plan)
  }
  if ("intercept" %in% names(plan$settings)) {
    abort_input("`grid` has \"intercept\", but `formula` removes it; drop one of the two.", "grid")
  }
  given <- plan$arguments$intercept
  plan$arguments$intercept <- formula_intercept(task, given, is.null(given))
  plan
}

# The fits are given the loss that goes with the task, which their rows alone might not tell.
settle_plan <- function(plan, task) {
  if (is.null(plan$losses[[1L]]) && needs_response(task)) {
    plan$losses <- list(task_loss(task$task))
    plan$arguments$loss <- plan$losses[[1L]]
  }
  plan
}

# ---- What cross-validation and nested cross-validation begin with ----

# Everything that can be wrong is told before the first fit.
judged_plan <- function(task, plan, metric, seed) {
  assert_seed(seed)
  plan <- settle_plan(plan, task)
  plan$arguments <- with_judged_kernel(plan$arguments, task$x)
  naming_response(task$response_name, assert_one_task(task, plan$losses))
  metrics <- task_metrics(metric, task, plan$losses, all_logistic(plan$losses), plan$arguments,
                          families()[[plan$family]]$metric)
  assert_metrics(metrics, plan$losses)
  list(plan = plan, metrics = metrics)
}

judged_resamples <- function(task, folds, repeats, metrics) {
  resamples <- as_resamples(folds, repeats, strata_of(task), NULL, task$rows, task$given)
  assert_resamples(resamples, needed_classes(task))
  assert_areas(metrics, task$response, resamples)
  resamples
}

assert_grid_of <- function(plan, metrics, resamples) {
  assert_metric_names(metrics, plan$settings)
  assert_settings(plan$settings, plan$family, plan$arguments)
  assert_count(as.double(nrow(plan$settings)) * length(resamples), most_fits, "grid", "fits")
}
