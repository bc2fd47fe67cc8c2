# The campaign's problems in any unit: response, columns (all, or each by itself) and weights of
# sizes from 1e-300 to 1e300. Whatever the numbers, a fit has a class of error or finite
# coefficients and a certificate that fits together; a process that dies is seen by the campaign.

unit_families <- c("linear", "joint", "kernel", "mixup", "augmented", "robust", "hard", "oneclass")

# Half of them where squares have digits, so that not all is refused.
any_unit <- function(count = 1L) {
  rep(10^(if (chance(0.5)) between(-140, 140) else between(-300, 300)), count)
}

# One problem: list(family, fun, args, row).
draw_units <- function(seed, family = NULL) {
  RNGkind("Mersenne-Twister", "Inversion", "Rejection")
  set.seed(seed)
  drawn <- one(unit_families)
  if (is.null(family)) family <- drawn
  n <- sample(6:14, 1L)
  p <- sample(1:4, 1L)
  columns <- one(c("all", "each", "single"), c(3, 3, 1))
  x <- switch(one(c("normal", "constant", "count"), c(6, 1, 2)),
              normal = matrix(stats::rnorm(n * p), n), constant = matrix(1, n, p),
              count = matrix(stats::rpois(n * p, 1), n))
  unit <- switch(columns, all = any_unit(p), each = vapply(seq_len(p), function(j) any_unit(), 0),
                 single = replace(rep(1, p), sample(p, 1L), any_unit()))
  if (chance(0.1)) unit[] <- 1
  x <- sweep(x, 2L, unit, `*`)
  weights <- if (chance(0.5)) stats::runif(n, 0.5, 1.5) * any_unit()
  case <- list(family = family, x = x, weights = weights, n = n)
  c(case, if (family == "oneclass") units_oneclass() else units_of_labels(family, n))
}

units_oneclass <- function() {
  list(fun = margin_oneclass, y = NULL, row = list(name = "smo"),
       args = list(kernel = one(list(kernel_rbf(), as_kernel("linear"), kernel_polynomial(2L))),
                   nu = one(c(0.5, between(0.1, 1))), scale = chance(0.5)))
}

# Two and more classes, or a response of any unit where the family fits one.
units_of_labels <- function(family, n) {
  rows <- Filter(function(row) {
    row$family == switch(family, joint = "linear", mixup = "kernel", family) &&
      (family != "joint" || row$name %in% joint_solvers) &&
      startsWith(row$name, "mixup_") == (family == "mixup") &&
      !(row$closed_form && family == "augmented")
  }, solver_rows())
  row <- one(rows)
  classes <- if (family == "joint") 3L else if (family %in% c("linear", "hard")) 2:3 else 2L
  y <- factor(rep_len(seq_len(one(classes)), n))
  args <- list(intercept = one(unlist(row$intercepts)), solver = row$name, scale = chance(0.5))
  if (nlevels(y) > 2L && family == "hard" && args$intercept == "free") args$intercept <- "penalized"
  if (family %in% c("robust", "hard")) {
    if (family == "hard") args$kernel <- one(list(NULL, NULL, kernel_rbf(1), as_kernel("linear")))
    return(list(fun = if (family == "robust") margin_robust else margin_hard, y = y, row = row,
                args = drop_null(args)))
  }
  args$lambda <- if (chance(0.7)) 10^(if (chance(0.5)) between(-12, 2) else between(-200, 200))
  if (family == "joint") {
    args$multiclass <- one(c("softmax", "crammer_singer"))
    return(list(fun = margin_linear, y = y, row = row, args = drop_null(args)))
  }
  mixture <- if (family == "linear") one(c(0, 0.5, 1)) else 0
  if (row$ridge) mixture <- 0
  losses <- Filter(function(loss) {
    solver_takes(row, loss, args$intercept, mixture) &&
      (family != "mixup" || loss$task == "classification")
  }, all_losses())
  if (length(losses) == 0L) {
    mixture <- 0.5
    losses <- Filter(function(loss) {
      solver_takes(row, loss, args$intercept, mixture)
    }, all_losses())
  }
  args$loss <- one(losses)
  if (family == "linear") args$mixture <- mixture
  if (args$loss$task != "classification") {
    y <- (if (chance(0.2)) rep(1, n) else stats::rnorm(n)) * any_unit()
    args$response_scale <- chance(0.5)
    if (family == "augmented") args$response_scale <- NULL
  }
  if (family %in% c("kernel", "mixup")) {
    args$kernel <- one(list(kernel_rbf(), as_kernel("linear"), kernel_polynomial(2L)))
    if (family == "mixup") args$mixup <- mixup_pairs(5)
  }
  if (family == "augmented") {
    args$perturbation <- one(list(perturb_dropout(0.3), perturb_gaussian(0.1)))
  }
  list(fun = switch(family, linear = margin_linear, augmented = margin_augmented, margin_kernel),
       y = y, row = row, args = drop_null(args))
}

# As fuzz_seed().
units_seed <- function(seed, family = NULL, verbose = FALSE) {
  case <- draw_units(seed, family)
  what <- paste(case$family, case$row$name)
  if (verbose) {
    cat(sprintf("seed %d: %s, %d x %d\n", seed, what, nrow(case$x), ncol(case$x)))
    utils::str(case[c("x", "y", "weights", "args")], digits.d = 8L, vec.len = 3L)
  }
  args <- c(list(case$x), if (!is.null(case$y)) list(case$y), case$args,
            list(weights = case$weights,
                 control = margin_control(seed = 1, max_epochs = 50, max_seconds = 5)))
  run <- watched(do.call(case$fun, drop_null(args)))
  found <- judge_units(run, case)
  outcome <- if (is.null(run$fit)) "refused" else
    if (any(run$fit$status$status == "not_separable")) "not separable" else
      if (all(run$fit$certificate$certified)) "certified" else "not certified"
  if (verbose) {
    if (is.null(run$fit)) print(conditionMessage(run$error)) else print(run$fit$certificate)
    for (text in found) cat("   VIOLATION", text, "\n")
  }
  list(seed = seed, family = "units", solver = what,
       rows = list(list(what = what, outcome = outcome, found = found)))
}

judge_units <- function(run, case) {
  fit <- run$fit
  if (is.null(fit)) {
    return(if (!inherits(run$error, "dualmargin_error"))
      paste("UNCLASSED ERROR:", conditionMessage(run$error)) else character())
  }
  row <- fit$certificate
  near <- 1e-9 * pmax(abs(row$value), abs(row$bound))
  # beside losses of 1 at the null model, whose rounding is in the bound
  low <- 1e-9 * abs(row$value) + if (case$family == "joint") 1e-13 else 0
  told <- is.finite(row$value) & is.finite(row$bound)
  least <- !case$family %in% c("hard", "oneclass")
  c(if (!all(is.finite(unlist(list(fit$coefficients, coef(fit), fit$rho))))) "coefficients are not finite",
    if (any(is.nan(row$value)) || any(is.nan(row$bound)) || anyNA(row$gap)) "NaN in the certificate",
    if (any((off_difference(fit) > near)[told])) "the gap is not the difference",
    if (any(row$certified & !(row$relative_gap <= row$tol))) "certified above the tolerance",
    if (least && any(row$bound < -low)) "a bound below the least value of the losses",
    if (any(!row$certified) && nrow(run$warned) == 0L) "not certified, and no warning")
}
