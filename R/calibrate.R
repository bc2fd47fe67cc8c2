# From the decision values of a fit to probabilities: refits that hold rows out, a map learnt from
# their decision values (Platt, isotonic), and what is said of it.

#' Calibrated probabilities
#'
#' @description
#' Learns, from cross-validated decision values, how often a decision value of a given size belongs
#' to each class. The fit comes back with that map: `predict(type = "prob")` follows it, and
#' everything else about the fit (coefficients, decision values, classes, certificate) is as it was.
#' ```r
#' calibrated <- margin_calibrate(fit, train)
#' predict(calibrated, test, type = "prob")
#' ```
#'
#' @details
#' The rows are dealt into folds, and the fit's own problem is solved again on the rows outside of
#' each: the same loss, `lambda` (its number, whatever the number of rows), kernel with the width
#' that the fit has, perturbation, mixed rows, weights, class weights (the numbers of the fit,
#' `"balanced"` too), intercept, scaling, solver and tolerance. The decision values \eqn{z_i} are those
#' of the held-out rows inside. Let
#' \eqn{N_+}{N+} and \eqn{N_-}{N-} be the numbers of rows in and outside of the class, each row
#' counted by its weight (not by its class weight: probabilities are those of the rows as they are);
#' the targets are
#' \deqn{t_i = \frac{N_+ + 1}{N_+ + 2} \mbox{ in the class}, \qquad t_i = \frac{1}{N_- + 2}
#'   \mbox{ outside}.}{t_i = (N+ + 1)/(N+ + 2) in the class, t_i = 1/(N- + 2) outside.}
#'
#' * `"platt"`: \eqn{p(z) = 1 / (1 + e^{-(A z + B)})}{p(z) = 1/(1 + exp(-(A z + B)))}, where
#'   \eqn{A \ge 0}{A >= 0} and \eqn{B} minimise \eqn{-\sum_i \omega_i [t_i \log p(z_i) + (1 - t_i)
#'   \log(1 - p(z_i))]}{-sum_i omega_i [t_i log p(z_i) + (1 - t_i) log(1 - p(z_i))]}, by Newton
#'   steps with backtracking. The targets keep the minimum finite, also where decision values
#'   separate the classes.
#' * `"isotonic"`: the non-decreasing \eqn{p} that minimises \eqn{\sum_i \omega_i (t_i -
#'   p(z_i))^2}{sum_i omega_i (t_i - p(z_i))^2}, found by pooling adjacent violators; equal decision
#'   values are one. It is constant on each pooled block, linear between the last decision value of
#'   a block and the first of the next, and constant beyond the ends. With these targets, instead
#'   of 1 and 0, no probability is exactly 0 or 1.
#'
#' Platt's two parameters need few rows, but a sigmoid is what they draw. Isotonic regression bends
#' as the data do, and asks for more rows: about a thousand, by the experiments of Niculescu-Mizil
#' and Caruana (2005).
#'
#' *Several classes*: each class is calibrated one-vs-rest on its own decision values, or on its
#' log-odds \eqn{\log p_k / (1 - p_k)}{log p_k / (1 - p_k)} where the fit is a multinomial model,
#' and the probabilities of a row are divided by their sum. *Soft labels* count for each class by
#' their share.
#'
#' *The class stays the sign of the decision value* (of several classes, the largest). It can differ
#' from the class with the larger probability; `print()` counts the training rows where it does,
#' `summary()` names the cross-validated ones, and [margin_threshold()] with `on = "prob"` makes the
#' class follow the probability.
#'
#' @param fit A classifier: a fit of [margin_linear()], [margin_kernel()], [margin_augmented()],
#'   [margin_robust()] or [margin_hard()]. A calibration that it has is replaced.
#' @param data,y The rows and labels it was fitted to, as they were given, in their order: a fit
#'   does not keep its rows. For a fit from a formula `data` is the data frame and `y` is left out.
#' @param method `"platt"` or `"isotonic"`.
#' @param folds The number of folds, dealt by [margin_folds()]; or the fold of every row of `data`,
#'   a vector or a matrix with a column for each repetition; or a resampling of package rsample. A
#'   row that is held out m times counts with 1/m of its weight each time.
#' @param seed A whole number that leaves R's stream of random numbers untouched, or `NULL`: drawn
#'   from that stream, so [set.seed()] makes the result reproducible. It determines
#'   the folds and what is random in the refits.
#' @param ... Not used; an unknown argument is an error.
#' @return The fit, with a list `calibration`:
#'   * `method`;
#'   * `maps`: for each class problem (one for two classes) a list of `slope` (A) and `intercept`
#'     (B), or of `score` and `prob`, the corners of the isotonic map; and `flat`, whether all
#'     decision values have one probability;
#'   * `folds`: a data frame with a row per refit: `repetition`, `fold`, `n_train`, `n_test`,
#'     `relative_gap`, `certified`, `seconds`;
#'   * `held_out`: a list of `row` (of `data`), `at` (its place among the rows that `na.action`
#'     left),
#'     `repetition`, `fold`, `weight`, `score` (a vector, or a matrix with a column for each level)
#'     and `prob`, a matrix: the probabilities that a map gives which was fitted to the decision
#'     values of the other rows. They are what `plot(fit, which = "calibration")` draws, see
#'     [plot.margin_fit()];
#'   * `differing`: which entries of `held_out` have another class by the sign of the decision value
#'     than by the calibrated probability.
#'
#'   [update()] of a calibrated fit refits without calibration: the map belongs to the old fit.
#' @section In parallel:
#' As [margin_cv()]: by the user's [future::plan()] where package future.apply is installed, with
#' the same result.
#' @section Errors and warnings:
#' A regression, and rows, labels, folds or a method that do not fit are errors of class
#' `dualmargin_input_error`. Refits that are not certified are counted in one warning of class
#' `dualmargin_not_certified`, and stay in the print of the fit. Cross-validated decision values
#' that do not rise with the share of their class give a non-increasing calibration, one probability
#' for all rows, and a warning of class `dualmargin_flat_map`.
#' @references
#' Platt JC (1999). Probabilistic outputs for support vector machines and comparisons to regularized
#' likelihood methods. In *Advances in Large Margin Classifiers*, 61-74. MIT Press.
#'
#' Lin H-T, Lin C-J, Weng RC (2007). A note on Platt's probabilistic outputs for support vector
#' machines. *Machine Learning* 68, 267-276. \doi{10.1007/s10994-007-5018-6}.
#'
#' Zadrozny B, Elkan C (2002). Transforming classifier scores into accurate multiclass probability
#' estimates. *Proceedings of the 8th ACM SIGKDD*, 694-699. \doi{10.1145/775047.775151}.
#'
#' Niculescu-Mizil A, Caruana R (2005). Predicting good probabilities with supervised learning.
#' *Proceedings of the 22nd ICML*, 625-632. \doi{10.1145/1102351.1102430}.
#' @seealso [predict.margin_fit()], [margin_folds()], [metrics] for `log_loss` and `brier`.
#' @examples
#' rows <- seq(1, nrow(spambase), by = 10)
#' train <- spambase[rows, ]
#' test <- spambase[-rows, ]
#' fit <- margin_linear(type ~ ., data = train, loss = "hinge", lambda = 0.01)
#' calibrated <- margin_calibrate(fit, train, seed = 1)
#' calibrated
#' prob <- predict(calibrated, test, type = "prob")
#' c(log_loss = -mean(log(prob[cbind(seq_len(nrow(test)), test$type)])))
#' summary(calibrated)$calibration$differing
#' plot(calibrated, which = "calibration")
#' @export
margin_calibrate <- function(fit, data, y, method = c("platt", "isotonic"), folds = 5,
                             seed = NULL, ...) {
  assert_no_extra("margin_calibrate()", ...)
  assert_calibrated_kind(fit)
  method <- one_of(method, c("platt", "isotonic"), "method")
  assert_seed(seed)
  task <- task_of_fit(fit, data, y)
  with_seed(seed, {
    resamples <- as_resamples(folds, NULL, task$classes, NULL, task$rows, task$given)
    assert_resamples(resamples, if (!inherits(task$response, "soft_labels")) task$response)
    seeds <- sample.int(.Machine$integer.max, length(resamples))
    jobs <- Map(function(resample, seed) c(resample, seed = seed), resamples, seeds)
    told <- progress_teller(length(jobs), shows_progress(fit$settings$control))
    answers <- each_job(jobs, held_out_scores, task = task, family = family_name(fit),
                        settings = with_judged_kernel(fit$settings, task$x), told = told)
  })
  fit$calibration <- new_calibration(method, answers, task, fit)
  if (identical(fit$threshold$on, "prob")) {
    tell_threshold_gone(fit, "the calibration changes the probabilities")
    fit$threshold <- NULL
  }
  signal_calibration(fit)
}

assert_calibrated_kind <- function(fit) {
  if (!inherits(fit, "margin_fit")) {
    abort_input(sprintf("`fit` is %s, but must be a classifier such as margin_linear() makes.",
                        show_value(fit)), "fit")
  }
  assert_fit(fit, "fit")
  if (fit$task == "one_class") {
    abort_input(paste(
      "`fit` is of one class, whose rows have no labels: no map to probabilities can be learnt.",
      "Give labels of other rows to margin_performance(fit, newdata, y = ), or fit them by",
      "margin_kernel()."
    ), "fit")
  }
  if (fit$task == "regression") {
    abort_input(paste(
      "`fit` is a regression, whose predictions are numbers and no decision values of classes;",
      "fit a factor to have probabilities."
    ), "fit")
  }
}

# The rows that a fit was made from, coded as it coded them.
task_of_fit <- function(fit, data, y) {
  design <- training_design(fit, data, y, on_disk = TRUE)
  list(x = design$x, response = fit$response, classes = hard_response(fit), levels = fit$levels,
       weights = unname(fit$weights), offset = fit$offset, rows = design$rows, given = NROW(data))
}

# The fit's own problem on the rows of one training part. All of its landmarks may be more than
# there are rows left.
refit_arguments <- function(family, settings) {
  arguments <- settings[intersect(names(settings), family_arguments(family))]
  arguments$control <- job_control(arguments$control)
  arguments
}

held_out_scores <- function(job, task, family, settings, told) {
  arguments <- refit_arguments(family, settings)
  if (!is.null(arguments$nystrom)) {
    arguments$nystrom <- min(arguments$nystrom, sum(task$weights[job$train] > 0))
  }
  answer <- fit_and_score(task, job$train, job$test, family, arguments)
  told()
  list(at = job$test, scores = unname_rows(answer$scores),
       fold = data.frame(
         repetition = job$repetition, fold = job$fold, n_train = counted_of(task, job$train),
         n_test = counted_of(task, job$test), how_it_ended(answer$model), row.names = NULL
       ))
}

# ---- What the fit carries ----

new_calibration <- function(method, answers, task, fit) {
  folds <- do.call(rbind, lapply(answers, `[[`, "fold"))
  scores <- lapply(answers, `[[`, "scores")
  scores <- if (is.matrix(scores[[1L]])) do.call(rbind, scores) else unlist(scores)
  at <- unlist(lapply(answers, `[[`, "at"))
  weight <- task$weights[at] / tabulate(at, length(task$rows))[at]
  shares <- class_shares(task$response)[at, , drop = FALSE]
  mapped <- mapped_scores(fit, scores)
  maps <- fit_maps(method, mapped, shares, weight, task$levels)
  which_fold <- rep(seq_along(answers), lengths(lapply(answers, `[[`, "at")))
  held_out <- list(
    row = task$rows[at], at = at, repetition = folds$repetition[which_fold],
    fold = folds$fold[which_fold], weight = weight, score = scores,
    prob = cross_fitted(method, mapped, shares, weight, task$levels, at, which_fold)
  )
  calibration <- list(method = method, maps = maps, folds = folds, held_out = held_out)
  prob <- prob_of_scores(map_scores(calibration, mapped), task$levels)
  calibration$differing <- which(class_differs(scores, prob) & weight > 0)
  calibration
}

# Probabilities of each fold by a map that was fitted without its rows: a map that is judged by the
# scores it was fitted to looks better than it is.
cross_fitted <- function(method, scores, shares, weight, levels, at, which_fold) {
  prob <- matrix(NA_real_, length(at), length(levels), dimnames = list(NULL, levels))
  for (fold in unique(which_fold)) {
    inside <- which(which_fold == fold)
    others <- which(!at %in% at[inside])
    if (length(others) == 0L) others <- inside
    maps <- fit_maps(method, some_scores(scores, others), shares[others, , drop = FALSE],
                     weight[others], levels)
    mapped <- map_scores(list(method = method, maps = maps), some_scores(scores, inside))
    prob[inside, ] <- prob_of_scores(mapped, levels)
  }
  prob
}

some_scores <- function(scores, i) if (is.matrix(scores)) scores[i, , drop = FALSE] else scores[i]

# The share that each row has in each class problem: a column for the second of two classes, or one
# for each class.
class_shares <- function(response) {
  if (inherits(response, "soft_labels")) {
    values <- unclass(response)
    if (!is.matrix(values)) {
      return(matrix((1 + values) / 2))
    }
    return(unname(if (ncol(values) == 2L) values[, 2L, drop = FALSE] else values))
  }
  k <- nlevels(response)
  1 * outer(as.integer(response), if (k == 2L) 2L else seq_len(k), `==`)
}

# Where the class of the scores has not the largest probability.
class_differs <- function(scores, prob, class = class_of_scores(scores)) {
  own <- prob[cbind(seq_len(nrow(prob)), class)]
  own < do.call(pmax, unname(as.data.frame(prob)))
}

# Maps from scores to probabilities: Platt's sigmoid and isotonic regression.

# One map for each class problem. shares: a column for each, how much of a row is in the class.
fit_maps <- function(method, scores, shares, weight, levels) {
  scores <- as.matrix(scores)
  fit_one <- switch(method, platt = fit_platt, isotonic = fit_isotonic)
  maps <- lapply(seq_len(ncol(shares)), function(k) {
    fit_one(scores[, k], prior_targets(shares[, k], weight), weight)
  })
  if (length(maps) > 1L) stats::setNames(maps, levels) else maps
}

# What a calibration maps: scores, and where a loss of all classes was fitted what they say beside
# one another.
mapped_scores <- function(fit, scores) {
  if (is_joint(fit)) ranking_scores(fit, scores) else scores
}

# What ranks rows by a class.
ranking_scores <- function(fit, scores) {
  model <- class_model(fit)
  if (model$compared && is.matrix(scores)) class_leads(scores, model$smooth) else scores
}

# Where all classes are one problem a score says nothing by itself, since a number added to all of a
# row changes no loss and no margin: the log-odds of each class against the others, or its lead over
# the best of them.
class_leads <- function(scores, log_odds) {
  leads <- scores
  for (k in seq_len(ncol(scores))) {
    others <- scores[, -k, drop = FALSE]
    top <- do.call(pmax, unname(as.data.frame(others)))
    leads[, k] <- scores[, k] - top - if (log_odds) log(rowSums(exp(others - top))) else 0
  }
  leads
}

# The log-odds that a calibration gives to scores, in their shape.
map_scores <- function(calibration, scores) {
  map <- switch(calibration$method, platt = map_platt, isotonic = map_isotonic)
  if (!is.matrix(scores)) {
    return(map(calibration$maps[[1L]], scores))
  }
  for (k in seq_along(calibration$maps)) scores[, k] <- map(calibration$maps[[k]], scores[, k])
  scores
}

# Platt's: what a uniform prior makes of N observed rows of a class. A row that is partly in the
# class has that part of both targets.
prior_targets <- function(share, weight) {
  inside <- sum(weight * share)
  outside <- sum(weight * (1 - share))
  share * (inside + 1) / (inside + 2) + (1 - share) / (outside + 2)
}

# ---- Platt ----

# The slope is not negative: with scores that rank the classes the wrong way the optimum under that
# constraint is the slope 0, since the problem is convex.
fit_platt <- function(score, target, weight) {
  used <- weight > 0
  score <- score[used]
  target <- target[used]
  share <- weight[used] / sum(weight)
  centre <- sum(share * score)
  # of rows by their weight: one that hardly counts may be far away
  size <- sqrt(sum(share * (score - centre)^2))
  flat <- list(slope = 0, intercept = stats::qlogis(sum(share * target)), flat = TRUE)
  if (max(abs(score - centre)) <= 1e-12 * max(abs(score))) {
    return(flat)
  }
  # Newton's steps do not depend on the unit of the scores, but rounding does
  solution <- newton_platt((score - centre) / size, target, share)
  slope <- solution[1L] / size
  if (slope <= 0) {
    return(flat)
  }
  list(slope = slope, intercept = solution[2L] - slope * centre, flat = FALSE)
}

# Minimises sum_i share_i [log(1 + e^f_i) - t_i f_i] over f = a z + b, from the best constant.
# glm.fit() does it too, but without backtracking: of 11,522 random problems with long tails it
# missed the optimum in 2.
newton_platt <- function(z, target, share) {
  objective <- function(f) sum(share * (pmax(f, 0) + log1p(exp(-abs(f))) - target * f))
  at <- c(0, stats::qlogis(sum(share * target)))
  value <- objective(at[2L] + 0 * z)
  for (iteration in seq_len(200L)) {
    f <- at[1L] * z + at[2L]
    p <- stats::plogis(f)
    slope <- c(sum(share * (p - target) * z), sum(share * (p - target)))
    bend <- share * p * (1 - p)
    cross <- sum(bend * z)
    # as Lin, Lin and Weng have it, so that the matrix stays invertible where every p is 0 or 1
    hessian <- matrix(c(sum(bend * z^2) + 1e-12, cross, cross, sum(bend) + 1e-12), 2L)
    step <- -solve(hessian, slope, tol = 0)
    descent <- sum(slope * step)
    length <- 1
    while (length > 1e-10) {
      new <- at + length * step
      new_value <- objective(new[1L] * z + new[2L])
      if (new_value <= value + 1e-4 * length * descent) break
      length <- length / 2
    }
    # no step is short enough to descend: what is left is rounding
    if (length <= 1e-10) break
    at <- new
    value <- new_value
    if (-descent <= 1e-24) break
  }
  at
}

map_platt <- function(map, score) map$slope * score + map$intercept

# ---- Isotonic ----

fit_isotonic <- function(score, target, weight) {
  used <- weight > 0
  order <- order(score[used])
  score <- score[used][order]
  # equal scores are one
  run <- cumsum(c(TRUE, diff(score) > 0))
  weight <- weight[used][order]
  total <- drop(rowsum(weight, run))
  mean <- drop(rowsum(weight * target[used][order], run)) / total
  score <- score[!duplicated(run)]
  block <- pool_adjacent(mean, total)
  ends <- !duplicated(block$of) | !duplicated(block$of, fromLast = TRUE)
  list(score = score[ends], prob = block$value[block$of[ends]], flat = length(block$value) == 1L)
}

# Weighted pool adjacent violators: the value of each block, and the block of each mean.
pool_adjacent <- function(mean, weight) {
  n <- length(mean)
  value <- total <- numeric(n)
  size <- integer(n)
  last <- 0L
  for (i in seq_len(n)) {
    last <- last + 1L
    value[last] <- mean[i]
    total[last] <- weight[i]
    size[last] <- 1L
    while (last > 1L && value[last - 1L] >= value[last]) {
      both <- total[last - 1L] + total[last]
      value[last - 1L] <- (total[last - 1L] * value[last - 1L] + total[last] * value[last]) / both
      total[last - 1L] <- both
      size[last - 1L] <- size[last - 1L] + size[last]
      last <- last - 1L
    }
  }
  blocks <- seq_len(last)
  list(value = value[blocks], of = rep(blocks, size[blocks]))
}

map_isotonic <- function(map, score) {
  prob <- if (length(map$score) == 1L) {
    replace(score, !is.na(score), map$prob)
  } else {
    stats::approx(map$score, map$prob, xout = score, rule = 2)$y
  }
  stats::setNames(stats::qlogis(prob), names(score))
}

# What a calibration says: warnings when it is made, and in print() and summary().

signal_calibration <- function(fit) {
  calibration <- fit$calibration
  signal_fits(
    calibration$folds, "refits that hold rows out", function(worst) sprintf("fold %d", worst$fold),
    "Their decision values depend on where the solver stopped. Fit with more max_epochs first."
  )
  flat <- flat_maps(calibration)
  if (any(flat)) {
    warning(structure(
      class = c("dualmargin_flat_map", "warning", "condition"),
      list(message = sprintf(paste(
        "Non-increasing calibration: cross-validated decision values%s do not rise with the",
        "share of the class, so every row gets the same probability. The fit says no more about",
        "new rows than the class shares do."
      ), if (length(flat) > 1L) paste(" of", quote_list(fit$levels[flat], 5L)) else ""),
      call = NULL, class = if (length(flat) > 1L) fit$levels[flat])
    ))
  }
  fit
}

flat_maps <- function(calibration) vapply(calibration$maps, function(map) map$flat, NA)

describe_calibration <- function(calibration) {
  if (is.null(calibration)) {
    return(NA_character_)
  }
  folds <- calibration$folds
  repeats <- length(unique(folds$repetition))
  missed <- sum(!folds$certified)
  flat <- flat_maps(calibration)
  paste0(
    c(platt = "Platt", isotonic = "isotonic")[[calibration$method]],
    " on cross-validated decision values, ",
    count(nrow(folds) / repeats, "fold"),
    if (repeats > 1L) sprintf(", %d repetitions", repeats),
    if (missed > 0L) sprintf(", %d of %d refits NOT certified", missed, nrow(folds)),
    if (any(flat)) ", NON-INCREASING"
  )
}

# How often the sign of the decision value and the calibrated probability name different classes,
# by cross-validated decision values: the rows (with repetitions, a row each time).
calibration_summary <- function(fit) {
  calibration <- fit$calibration
  if (is.null(calibration)) {
    return(NULL)
  }
  held_out <- calibration$held_out
  at <- calibration$differing
  scores <- some_scores(held_out$score, at)
  prob <- prob_of_fit(fit, scores)
  differing <- data.frame(
    row = held_out$row[at], repetition = held_out$repetition[at], fold = held_out$fold[at],
    by_score = factor(fit$levels[class_of_scores(scores)], fit$levels),
    by_prob = factor(fit$levels[max.col(prob, "first")], fit$levels)
  )
  list(method = calibration$method, folds = calibration$folds, n = sum(held_out$weight > 0),
       differing = without_row_names(differing[order(differing$row), ]))
}

print_calibration <- function(calibration, most = 10L) {
  if (is.null(calibration)) {
    return(invisible())
  }
  differing <- calibration$differing
  cat("\nCalibration, cross-validated\n")
  cat(sprintf("  decision value and probability name different classes in %s of %s\n",
              grouped(nrow(differing)), count(calibration$n, "row")))
  if (nrow(differing) == 0L) {
    return(invisible())
  }
  pairs <- table(sprintf("%s by the decision value, %s by the probability", differing$by_score,
                         differing$by_prob))
  pairs <- sort(pairs, decreasing = TRUE)
  cat(fold_lines(sprintf("  %d %s", utils::head(pairs, most), utils::head(names(pairs), most))),
      sep = "\n")
  rows <- unique(differing$row)
  cat(sprintf("  rows %s%s\n", toString(utils::head(rows, most)),
              if (length(rows) > most) ", ...; see summary(fit)$calibration$differing" else ""))
}
