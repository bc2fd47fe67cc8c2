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
#'     `jackknife`: of the fits without each row or group, for `type = "bca"`, `coefficients` and
#'     `certificates`;
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
    design <- design_xy(task$x, task$response, task$weights, quote(margin_bootstrap()), offset = task$offset)
    answers <- each_job(jobs, run_resample, task = task, design = design,
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

# What a bootstrap draws, and the refit of each draw.

# What is drawn: `unit`, that of each row, 0 where the row has the weight 0; `members`, for each
# stratum the units in it; and in words what a unit is.
bootstrap_draws <- function(task, groups, strata) {
  used <- task$weights > 0
  unit <- if (is.null(groups)) seq_along(used) else as.integer(groups)
  unit <- match(unit, sort(unique(unit[used])), nomatch = 0L)
  unit[!used] <- 0L
  units <- max(unit)
  if (units < 2L) {
    abort_input("`data` has one row or group that counts, so every draw is the same; give more.",
                if (is.null(groups)) "data" else "groups")
  }
  stratum <- rep(1L, units)
  if (!is.null(strata)) {
    at <- as.integer(strata)[used]
    stratum[unit[used]] <- at
    split <- which(stratum[unit[used]] != at)
    if (length(split) > 0L) {
      abort_input(sprintf(paste(
        "`strata` has rows of the group \"%s\" in two strata, but a group is drawn as one; give",
        "all rows of a group one stratum."
      ), format(groups[used][split[1L]])), "strata")
    }
  }
  list(unit = unit, members = unname(split(seq_len(units), stratum)),
       noun = if (is.null(groups)) "row" else "group", units = units, rows = sum(used))
}

# How often each row is drawn, by R's stream as it is.
draw_counts <- function(draws) {
  times <- integer(draws$units)
  for (members in draws$members) {
    drawn <- sample.int(length(members), replace = TRUE)
    times[members] <- tabulate(drawn, length(members))
  }
  c(0L, times)[draws$unit + 1L]
}

# Those of a resample of a result: what run_resample() draws.
counts_of_resample <- function(draws, seed) with_seed(seed, draw_counts(draws))

jackknife_jobs <- function(draws, seed) {
  lapply(seq_len(draws$units), function(i) {
    list(seed = seed, counts = as.integer(draws$unit > 0L & draws$unit != i))
  })
}

# A draw without a class is another problem. Among 60 units or more of a class none is drawn once in
# 1e26 draws.
assert_classes_drawn <- function(task, draws, seeds) {
  if (!is.factor(task$response)) {
    return(invisible())
  }
  class <- as.integer(task$response)
  used <- draws$unit > 0L
  units <- vapply(split(draws$unit[used], class[used]), function(of) length(unique(of)), 0L)
  if (min(units) >= 60L) {
    return(invisible())
  }
  classes <- length(units)
  whole <- vapply(seeds, function(seed) {
    length(unique(class[used & counts_of_resample(draws, seed) > 0L])) == classes
  }, NA)
  if (!all(whole)) {
    rare <- names(units)[which.min(units)]
    abort_input(sprintf(paste(
      "`resamples` has %s of %d that lost a class (\"%s\" has %s), and a refit would be another",
      "problem; give strata = the response, within whose classes %s are drawn then."
    ), count(sum(!whole), "draw"), length(seeds), task$levels[as.integer(rare)],
    count(min(units), draws$noun), paste0(draws$noun, "s")), "resamples")
  }
}

# The problem of the fit, as each refit is given it, checked once: lambda and what else is a number
# stays, what follows the rows does not.
bootstrap_settings <- function(fit, task) {
  settings <- with_judged_kernel(fit$settings, task$x)
  settings$loss <- asked_loss(fit)
  if (is_balanced(fit)) settings$class_weights <- "balanced"
  if (!inherits(fit, "margin_hard")) settings$control$start <- fit
  family <- family_name(fit)
  settings_of(family, refit_arguments(family, settings))
}

# job: `seed`, and `counts` where they are not drawn.
run_resample <- function(job, task, design, draws, family, settings, metrics, threshold, told) {
  counts <- if (is.null(job$counts)) draw_counts(draws) else job$counts
  if (!is.null(settings$nystrom)) settings$nystrom <- min(settings$nystrom, sum(counts > 0L))
  design$weights <- task$weights * counts
  model <- quietly(families()[[family]]$solve(design, settings))
  model$threshold <- threshold
  out <- which(counts == 0L & task$weights > 0)
  certificate <- worst_certificate(model$certificate)
  told()
  list(
    coefficients = if (!has_kernel(model)) as.vector(coef_matrix(model)),
    values = out_of_bag(model, task, out, metrics), drawn = sum(counts > 0L),
    left_out = length(out), relative_gap = certificate$relative_gap,
    certified = certificate$certified, seconds = sum(model$status$seconds)
  )
}

out_of_bag <- function(model, task, out, metrics) {
  if (length(out) == 0L) {
    return(vapply(metrics, function(metric) NA_real_, 0))
  }
  scores <- some_scores(unname_rows(model$scores), out)
  judge(metrics, task$response[out], function(needs) read_scores(model, scores, needs),
        task$weights[out])
}

# ---- The result ----

new_bootstrap <- function(fit, answers, seeds, draws, task, metrics, type) {
  of <- seq_along(seeds)
  each <- function(name, type) vapply(answers, function(answer) answer[[name]], type)
  table <- data.frame(drawn = each("drawn", 0L), left_out = each("left_out", 0L),
                      relative_gap = each("relative_gap", 0), certified = each("certified", NA),
                      seconds = each("seconds", 0))
  values <- do.call(rbind, lapply(answers[of], `[[`, "values"))
  colnames(values) <- names(metrics)
  results <- cbind(data.frame(resample = of), table[of, c("drawn", "left_out")],
                   as.data.frame(values), table[of, c("relative_gap", "certified", "seconds")])
  estimates <- if (!has_kernel(fit)) named_by_tau(fit, coefficients_of_classes(fit))
  coefficients <- if (!is.null(estimates)) {
    values <- do.call(rbind, lapply(answers, `[[`, "coefficients"))
    colnames(values) <- coefficient_names(estimates)
    values
  }
  settings <- fit$settings
  new_object(list(
    estimates = estimates, replicates = coefficients[of, , drop = FALSE],
    jackknife = if (type == "bca") list(
      coefficients = coefficients[-of, , drop = FALSE],
      certificates = without_row_names(table[-of, c("relative_gap", "certified")])
    ), results = without_row_names(results), metrics = metrics, type = type, seeds = seeds,
    draws = draws, family = family_name(fit), task = fit$task, levels = fit$levels,
    strength = settings[intersect(c("lambda", "radius"), names(settings))],
    mixture = settings$mixture, tuned = !is.null(fit$tuned), nobs = draws$rows,
    scales = if (!is.null(estimates)) bootstrap_scales(fit)
  ), "margin_bootstrap")
}

# What makes each coefficient comparable; 1 for an intercept.
bootstrap_scales <- function(fit) {
  scales <- as.matrix(scaled_slopes(fit) * 0 + 1) * slope_scales(fit)
  as.vector(if (has_intercept(fit)) rbind(1, scales) else scales)
}

coefficient_names <- function(estimates) {
  of <- problem_of_row(estimates)
  if (is.null(of)) estimates$term else paste(of, estimates$term, sep = ":")
}

# The class or tau of each row of a table of coefficients, in words.
problem_of_row <- function(table) {
  if (is.null(table$tau)) table$class else
    paste("tau =", vapply(table$tau, format, "", digits = 15L))
}

signal_bootstrap <- function(object) {
  fits <- rbind(object$results[c("resample", "relative_gap", "certified")],
                if (!is.null(object$jackknife)) cbind(resample = NA,
                                                      object$jackknife$certificates))
  signal_fits(fits, "refits", function(worst) {
    if (is.na(worst$resample)) sprintf("without one %s", object$draws$noun) else
      sprintf("resample %d", worst$resample)
  }, paste("Their numbers are kept, and depend on where the solver stopped. Give the fit control =",
           "margin_control(max_epochs = ) more."))
  object
}

# Intervals from replicates.

# The quantiles of sorted values that package boot calls percentiles: at the place (R + 1) p, and
# between two places by normal quantiles. NA beyond the first and the last.
replicate_quantiles <- function(values, p) {
  values <- sort(values)
  count <- length(values)
  place <- (count + 1) * p
  # as far as doubles tell a whole number
  near <- round(place)
  whole <- !is.na(place) & abs(place - near) < 1e-9 * (1 + count)
  place[whole] <- near[whole]
  k <- floor(place)
  inside <- !is.na(place) & place >= 1 & place <= count
  ends <- rep(NA_real_, length(p))
  at <- k[inside]
  share <- (stats::qnorm(p[inside]) - stats::qnorm(at / (count + 1))) /
    (stats::qnorm((at + 1) / (count + 1)) - stats::qnorm(at / (count + 1)))
  share[whole[inside]] <- 0
  above <- values[pmin(at + 1, count)]
  ends[inside] <- values[at] + share * (above - values[at])
  ends
}

# Shares moved for bias and skewness; NA where all replicates are on one side of the estimate.
bca_shares <- function(p, replicates, estimate, left_out) {
  bias <- stats::qnorm(mean(replicates < estimate))
  moved <- mean(left_out) - left_out
  size <- sum(moved^2)
  acceleration <- if (size > 0) sum(moved^3) / (6 * size^1.5) else 0
  if (!is.finite(bias)) {
    return(rep(NA_real_, length(p)))
  }
  z <- bias + stats::qnorm(p)
  stats::pnorm(bias + z / (1 - acceleration * z))
}

# A row for each coefficient, a column for each end.
bootstrap_ends <- function(object, level, type) {
  p <- (1 + c(-1, 1) * level) / 2
  ends <- vapply(seq_len(ncol(object$replicates)), function(j) {
    values <- object$replicates[, j]
    shares <- if (type == "percentile") p else
      bca_shares(p, values, object$estimates$estimate[j], object$jackknife$coefficients[, j])
    replicate_quantiles(values, shares)
  }, numeric(2L))
  t(ends)
}

interval_type <- function(object, type) {
  if (is.null(type)) {
    return(object$type)
  }
  assert_choice(type, interval_types, "type")
  if (type == "bca" && is.null(object$jackknife)) {
    abort_input(paste(
      "`type` is \"bca\", but no refits without a row were made; use margin_bootstrap(type =",
      "\"bca\")."
    ), "type")
  }
  type
}

# The ends of percentile intervals are replicates: so many there have to be.
assert_reach <- function(object, level, type) {
  assert_coverage_levels(level, one = TRUE)
  need <- ceiling(2 / (1 - level) - 1e-9) - 1
  if (type == "percentile" && nrow(object$results) < need) {
    abort_input(sprintf(paste(
      "`level` is %s, for which percentiles need %s, and there are %s; use",
      "margin_bootstrap(resamples = %s)."
    ), format(level), count(need, "resample"), format(nrow(object$results)),
    format(need, scientific = FALSE)), "level")
  }
}

assert_has_coefficients <- function(object, arg = "object") {
  if (is.null(object$estimates)) {
    abort_input(sprintf(paste(
      "`%s` is of a fit on a kernel, which has no coefficients of columns; its metrics are",
      "summary(%s, what = \"metrics\")."
    ), arg, arg), arg)
  }
}

#' @rdname margin_bootstrap
#' @importFrom stats confint
#' @export
confint.margin_bootstrap <- function(object, parm, level = 0.95, type = NULL, ...) {
  assert_no_extra("confint()", ...)
  assert_bootstrap(object)
  assert_has_coefficients(object)
  type <- interval_type(object, type)
  assert_reach(object, level, type)
  names <- colnames(object$replicates)
  at <- if (missing(parm)) seq_along(names) else picked_coefficients(parm, names)
  ends <- bootstrap_ends(object, level, type)
  percent <- format(100 * (1 + c(-1, 1) * level) / 2, trim = TRUE, scientific = FALSE, digits = 3)
  dimnames(ends) <- list(names, paste(percent, "%"))
  ends[at, , drop = FALSE]
}

picked_coefficients <- function(parm, names) {
  at <- NA
  if (is.character(parm)) at <- match(parm, names)
  if (is.numeric(parm)) at <- replace(parm, !parm %in% seq_along(names), NA)
  if (length(at) == 0L || anyNA(at)) {
    wrong <- if (is.character(parm) && anyNA(at)) sprintf("has \"%s\"", parm[is.na(at)][1L]) else
      paste("is", show_value(parm))
    abort_input(sprintf("`parm` %s, but must be names or numbers of coefficients: %s.", wrong,
                        quote_list(utils::head(names, 8L))), "parm")
  }
  at
}
