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
  if (!is.null(settings$class_weights) && is_balanced(fit)) settings$class_weights <- "balanced"
  if (!inherits(fit, "margin_hard")) settings$control$start <- fit
  family <- family_name(fit)
  settings_of(family, refit_arguments(family, settings))
}

bootstrap_design <- function(task) {
  design_xy(task$x, task$response, task$weights, quote(margin_bootstrap()), offset = task$offset)
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
  estimates <- if (!has_kernel(fit)) bootstrap_estimates(fit)
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

bootstrap_estimates <- function(fit) {
  values <- coef_matrix(fit)
  table <- data.frame(term = rep(rownames(values), ncol(values)), estimate = as.vector(values))
  classes <- problem_classes(fit)
  if (!is.null(classes)) table <- cbind(class = rep(classes, each = nrow(values)), table)
  named_by_tau(fit, table)
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
