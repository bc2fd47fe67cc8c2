# The bootstrap of a fit: what is drawn, and what is asked of each refit.

#' Bootstrap of a fit: intervals, selection frequencies, error out of the bag
#'
#' @description
#' Finds out how much the coefficients would move, and how well the model would predict, had other
#' rows been drawn. The rows of a fit are drawn anew, as many and with replacement, `resamples`
#' times, and the fit is made again from each draw. That gives intervals of the coefficients, how
#' often a fit with an l1 penalty picks each column, and the error on the rows that a draw has left
#' out.
#' ```r
#' draws <- margin_bootstrap(fit, train, resamples = 999)
#' confint(draws)
#' ```
#'
#' @details
#' The intervals are those *of the penalised estimate*: they say how far it moves from sample to
#' sample. A penalty pulls estimates towards 0, and no interval here undoes that, so they do not
#' cover the coefficients of the population without a penalty at their level.
#'
#' A row that is drawn c times enters with c times its weight, which is the same problem as c
#' copies of it: no row is copied, and the rows that are left out have the weight 0 (they are
#' predicted by the refit all the same). Rows of weight 0 are never drawn. Each refit starts from
#' `fit` and has a certificate of its own, to the tolerance of `fit`.
#'
#' *What stays and what does not.* `lambda` stays the number that it is in `fit`, whether it was
#' given, followed from `cost` or was the default (of a mean of losses, so that a draw of more
#' weight has no other penalty); so do a radius, the width of a kernel and weights of classes that
#' are numbers. Scales of columns, the spread of a response or of residuals, balanced class weights
#' and landmarks are found anew in each draw. A search that chose `lambda` is not done again, so its
#' variation is not in the intervals; `print()` says where `fit` came from one. Terms that look at
#' all rows, such as `poly(age, 2)`, stay those of all rows.
#'
#' *Intervals.* With R resamples the end of an interval at the share a is the value at the place
#' \eqn{(R + 1) a}{(R + 1) a} of the sorted replicates, between two of them by the quantiles of a
#' normal distribution (Davison and Hinkley 1997, equation 5.8). `"percentile"` has the shares
#' \eqn{(1 \pm \mathrm{level})/2}{(1 -/+ level)/2}. `"bca"` moves them: with \eqn{z_0} the normal
#' quantile of the share of replicates below the estimate, and \eqn{a = \sum_i L_i^3 / (6 (\sum_i
#' L_i^2)^{3/2})}{a = sum L^3 / (6 (sum L^2)^(3/2))}, \eqn{L_i} what row i has moved the estimate
#' by, less its mean, the share \eqn{\Phi(z)}{Phi(z)} becomes
#' \eqn{\Phi(z_0 + (z_0 + z)/(1 - a (z_0 + z)))}{Phi(z0 + (z0 + z)/(1 - a (z0 + z)))}. That takes a
#' refit without each row (or group), and is for a ridge alone: the estimate of a penalty with a
#' corner does not move smoothly with the rows.
#' An end that lies beyond the replicates is `NA`.
#'
#' *Out of the bag.* A metric is that of the rows which a draw has left out, about 37 in 100 of
#' them, by the refit that has not seen them; where these are none, or the metric has no value, it
#' is `NA` and left out of the mean. A refit knows only about 63 in 100 different rows, so the mean
#' is a little too pessimistic.
#'
#' @param fit A fit of rows with a response and hard labels: of [margin_linear()],
#'   [margin_robust()], [margin_augmented()], [margin_kernel()] (without `mixup`) or
#'   [margin_hard()]. Fits on kernels have no coefficients of columns: metrics alone.
#' @param data,y The rows and labels it was fitted to, as they were given, in their order: a fit
#'   does not keep its rows. For a fit from a formula `data` is the data frame and `y` is left out.
#' @param resamples How often rows are drawn, R; for an interval at `level` at least
#'   \eqn{2/(1 - \mathrm{level}) - 1}{2/(1 - level) - 1}.
#' @param groups Rows that are drawn together (patients, sites): a vector with the group of each
#'   row of `data`. As many groups are drawn as there are.
#' @param strata Within each of which rows are drawn, or groups: a vector along the rows of
#'   `data`, such as the response; each draw has as many of a stratum as there are.
#' @param metrics Names from [metrics], values of [margin_metric()], or a list of both.
#'   `NULL` is the loss of the fit: see "The default" in [metrics].
#' @param seed A whole number that leaves R's stream of random numbers untouched, or `NULL`: drawn
#'   from that stream, so [set.seed()] makes the result reproducible. It determines
#'   draws and refits.
#' @param type `"percentile"`, or `"bca"`, which makes a refit without each row as well. For the
#'   methods: which of the two; `NULL` is that of the bootstrap.
#' @param object,x What `margin_bootstrap()` returned.
#' @param parm Which coefficients, by name or number; all if left out.
#' @param level,conf.level The level of intervals, one number above 0 and below 1.
#' @param conf.int For `tidy()`: are the ends of intervals wanted?
#' @param what `"coefficients"` or `"metrics"`; `NULL` is the first that there is.
#' @param which What to draw: `"intervals"`, the ends of intervals around the estimates, or
#'   `"selection"`, the share of refits in which a coefficient is not 0; `NULL` is the first.
#' @param top How many coefficients to draw.
#' @param scaled `TRUE` to draw coefficients times the scales of their columns, which can be
#'   compared; `FALSE` per unit of each column.
#' @param digits Significant digits.
#' @param row.names,optional As in [as.data.frame()].
#' @param ... Not used; an unknown argument is an error; for `plot()` graphical parameters, as for
#'   [plot.margin_fit()].
#' @return An object of class `"margin_bootstrap"`, a list which [saveRDS()] keeps, among others:
#'   * `estimates`: a data frame with `class` (more than two classes only), `term` and `estimate` of
#'     each coefficient of `fit`; `NULL` of a kernel;
#'   * `replicates`: a matrix with a row for each resample and a column for each coefficient;
#'     `jackknife`: the same without each row or group, for `type = "bca"`;
#'   * `results`: a data frame with a row for each resample: `resample`, `drawn` (different rows
#'     in it), `left_out`, a column for each metric, `relative_gap`, `certified` and `seconds`;
#'   * `seeds`: of each resample.
#'
#'   `confint()`: a matrix with two columns, the ends. `summary()`: a data frame with a row for each
#'   coefficient: its `estimate`, `bias` (mean of the replicates less the estimate), `std.error`
#'   (their standard deviation), `lower`, `upper` and, where `mixture` is above 0, `selected`, the
#'   share of refits in which it is not 0; or with `what = "metrics"` a row for each metric: `mean`,
#'   `std.dev`, `lower`, `upper` and `n`, of the resamples. `tidy()` gives the same with the names
#'   of broom, `glance()` one row, `as.data.frame()` the `results`.
#' @section Errors and warnings:
#' Rows that are not those of the fit, other kinds of fit (one class, soft labels, `mixup`,
#' calibrated, rows in a file), groups across strata, draws that have lost a class, `"bca"` of a fit
#' that is no ridge: errors of class `dualmargin_input_error`, before the first refit. Refits that
#' are not certified are counted in one warning of class `dualmargin_not_certified`; their numbers
#' are kept. [confint()] of a fit is an error that leads here.
#' @section In parallel:
#' As for [margin_cv()]: by the user's [future::plan()] where package future.apply is installed. The
#' result is the same wherever the refits run, but for `seconds`. In one process 199 resamples took
#' 0.70 to 0.76 of the time of `boot()` of package boot with the same statistic, which has no error
#' out of the bag (three cases, medians of five rounds: `inst/bench/bootstrap.R`).
#' @references
#' Efron B, Tibshirani RJ (1993). *An Introduction to the Bootstrap*. Chapman & Hall.
#'
#' Davison AC, Hinkley DV (1997). *Bootstrap Methods and their Application*. Cambridge University
#' Press. \doi{10.1017/CBO9780511802843}.
#'
#' Efron B (1987). Better bootstrap confidence intervals. *Journal of the American Statistical
#' Association* 82, 171-185. \doi{10.1080/01621459.1987.10478410}.
#'
#' Bach FR (2008). Bolasso: model consistent lasso estimation through the bootstrap. *Proceedings
#' of the 25th ICML*, 33-40. \doi{10.1145/1390156.1390161}.
#' @seealso [margin_loo()] for the error without each row, proven; [margin_conformal()] for sets and
#'   intervals of a new response; [margin_cv()].
#' @examples
#' fit <- margin_linear(mpg ~ wt + hp + qsec + drat, data = mtcars, lambda = 0.1)
#' boot <- margin_bootstrap(fit, mtcars, resamples = 199, seed = 1)
#' boot
#' confint(boot, c("wt", "hp"), level = 0.9)
#' plot(boot)
#' # which columns does a lasso pick, and how often?
#' lasso <- update(fit, mixture = 1)
#' tidy(margin_bootstrap(lasso, mtcars, resamples = 199, seed = 1))
#' @export
margin_bootstrap <- function(fit, data, y = NULL, resamples = 999, groups = NULL, strata = NULL,
                             metrics = NULL, seed = NULL, type = c("percentile", "bca"), ...) {
  assert_no_extra("margin_bootstrap()", ...)
  assert_bootstrap_kind(fit)
  assert_number(resamples, "resamples", lower = 2, upper = most_fits, open = FALSE, whole = TRUE)
  type <- one_of(type, interval_types, "type")
  if (type == "bca") assert_bca_kind(fit)
  assert_seed(seed)
  metrics <- bootstrap_metrics(fit, metrics)
  if (!missing(data)) refuse_file(data, "data", "margin_bootstrap()")
  task <- if (is.null(y)) task_of_fit(fit, data) else task_of_fit(fit, data, y)
  draws <- bootstrap_draws(task, loo_groups(groups, task$rows, task$given),
                           row_labels(strata, "strata", "a stratum", task$rows, task$given))
  # one draw from R's stream, whatever package future may take for its own
  with_seed(resolve_seed(seed), {
    seeds <- sample.int(.Machine$integer.max, resamples)
    assert_classes_drawn(task, draws, seeds)
    jobs <- lapply(seeds, function(seed) list(seed = seed))
    if (type == "bca") jobs <- c(jobs, jackknife_jobs(draws, fit_seed(fit)))
    told <- progress_teller(length(jobs), shows_progress(fit$settings$control))
    answers <- each_job(jobs, run_resample, task = task, design = bootstrap_design(task),
                        draws = draws, family = family_name(fit),
                        settings = bootstrap_settings(fit, task), metrics = metrics,
                        threshold = fit$threshold, told = told)
  })
  object <- new_bootstrap(fit, answers, seeds, draws, task, metrics, type)
  signal_bootstrap(object)
}

interval_types <- c("percentile", "bca")

assert_bootstrap_kind <- function(fit) {
  if (!inherits(fit, "margin_fit")) {
    abort_input(sprintf("`fit` is %s, but must be a fit such as margin_linear() makes.",
                        show_value(fit)), "fit")
  }
  assert_fit(fit, "fit")
  why <- if (!is_labelled(family_name(fit))) {
    paste("`fit` is of one class: it has no coefficients of columns and no response that rows out",
          "of the bag could be judged by; fit classes by margin_kernel()")
  } else if (inherits(fit$response, "soft_labels")) {
    "`fit` has soft labels, of which no row has one class to be judged by; fit classes"
  } else if (!is.null(fit$settings$mixup)) {
    paste("`fit` has mixup, which mixes pairs of rows, so that a row of weight 2 is not the same",
          "as two rows; fit without it")
  } else if (!is.null(fit$calibration)) {
    paste("`fit` is calibrated, and its refits would not be; give the fit without",
          "margin_calibrate()")
  }
  if (!is.null(why)) abort_input(paste0(why, "."), "fit")
}

# L_i is the change of the estimate when a row leaves: with a corner in the penalty it is no
# derivative of anything.
assert_bca_kind <- function(fit) {
  why <- if (!inherits(fit, "margin_linear")) {
    "is for the coefficients of margin_linear()"
  } else if (fit$settings$mixture > 0) {
    "is for a ridge alone (mixture = 0)"
  } else if (has_bounds(fit$settings)) {
    "is for coefficients without bounds"
  } else if (has_free_columns(fit$settings)) {
    "is for columns that all bear a penalty"
  }
  if (!is.null(why)) {
    abort_input(sprintf("`type` is \"bca\", which %s; use type = \"percentile\".", why), "type")
  }
}

bootstrap_metrics <- function(fit, metrics) {
  if (is.null(metrics)) {
    metrics <- family_of(fit)$metric(fit$task, list(fit$settings$loss), has_probabilities(fit))
  }
  metrics <- performance_metrics(fit, metrics)
  assert_metric_names(metrics, list(resample = 0, drawn = 0, left_out = 0))
  metrics
}
