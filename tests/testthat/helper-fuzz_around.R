# What the campaign looks at beside fits with a label or a number for each row: one-class fits,
# regressions by losses with kinks, calibrated fits, and decisions. A number names one case, as in
# helper-fuzz_draw.R; each function gives what fuzz_seed() gives.

as_case <- function(seed, family, what, outcome, found) {
  list(seed = seed, family = family, solver = what,
       rows = list(list(what = what, outcome = outcome, found = as.character(found))))
}

outcome_of <- function(fit) {
  if (all(fit$certificate$certified)) "certified" else "not certified"
}

# ---- Regressions by a loss with kinks ----

# A case of the families linear or kernel; the unit of the response is the loss's own or none.
draw_kinked <- function() {
  losses <- lapply(Filter(is.function, lapply(loss_twins, `[[`, "drawn")),
                   function(draw) draw())
  repeat {
    family <- one(c("linear", "kernel"))
    case <- if (family == "linear") draw_linear() else draw_kernel()
    loss <- one(losses)
    mixture <- if (is.null(case$args$mixture)) 0 else case$args$mixture
    if (case$k == 1L && is.numeric(case$y) && !case$row$large_lambda &&
          solver_takes(case$row, loss, case$args$intercept, mixture)) break
  }
  case$family <- family
  case$args$loss <- loss
  case$args$response_scale <- FALSE
  case
}

# ---- One-class fits ----

draw_oneclass <- function() {
  size <- draw_size(80L, 20L)
  x <- draw_matrix(size$n, size$p)
  kernel <- if (chance(0.15)) as_kernel("linear") else draw_kernel_function(x)
  precomputed <- inherits(kernel, "kernel_function") && kernel$name == "precomputed"
  if (precomputed) {
    z <- scale(x)
    z[!is.finite(z)] <- 0
    x <- tcrossprod(z) + diag(1e-3, nrow(z))
    x <- (x + t(x)) / 2
  }
  storage <- if (precomputed || is.function(kernel)) "dense" else one(c("dense", "dgC"), c(4, 1))
  list(x = x, storage = storage,
       args = drop_null(list(
         nu = one(c(0.5, 1, between(0.01, 1))), kernel = kernel,
         scale = !precomputed && chance(0.6), weights = draw_weights(seq_len(nrow(x)) + 0),
         control = margin_control(tol = one(list(NULL, 1e-3, 1e-9, 1e-12)), progress = FALSE,
                                  max_epochs = one(c(1, 5, 100, 1000)), max_seconds = 3,
                                  threads = sample.int(3L, 1L))
       )))
}

# Value and bound from the coefficients, and from kernel values of its own.
judge_oneclass <- function(fit, x) {
  omega <- if (is.null(fit$weights)) rep(1, nrow(x)) else fit$weights
  keep <- omega > 0
  K <- exact_kernel(fit, x, keep)
  a <- numeric(nrow(x))
  a[fit$support$at] <- fit$coefficients[-1L]
  a <- a[keep]
  # worse than nothing is shrunk, and no dual point any more: the bound is that of a / sum(a)
  total <- sum(a)
  shrunk <- !fit$certificate$certified && total < 1 - 1e-9
  u <- omega[keep] / (fit$settings$nu * sum(omega[keep]))
  f <- dd_symmetric(K, a)
  square <- dd_value(dd_sum(dd_mul(f, a)))
  f <- dd_value(f)
  over <- f - fit$rho
  off <- if (is.null(K$loose)) K$off else K$loose
  # of the scores, and of a that sums to 1 up to its own rounding
  near <- drop(off %*% a) * eps * 4 + length(a) * eps * abs(f)
  # at that function and the best rho, any rho being an upper bound
  best <- min(vapply(unique(f), function(rho) sum(u * pmax(0, rho - f)) - rho, 0))
  primal <- square / 2 - fit$rho + sum(u * pmax(0, -over))
  slack <- sum(a * near) + sum(u * near) + 64 * eps * (square + abs(fit$rho))
  # uniform weights, as good a function as any
  even <- drop(K$h %*% u) * fit$settings$nu
  rival <- sum(even * u) * fit$settings$nu / 2 +
    min(vapply(unique(even), function(rho) sum(u * pmax(0, rho - even)) - rho, 0))
  found <- character()
  # numbers of extreme columns, of which nothing can be said
  if (!all(is.finite(c(primal, slack, rival)))) return(found)
  if (any(a < 0 | a > u * (1 + 8 * eps))) found <- "a weight of a row outside of its box"
  if (shrunk && fit$certificate$value > slack) found <- c(found, "worse than nothing")
  if (!shrunk && abs(total - 1) > 64 * length(a) * eps) {
    found <- c(found, wrong("weights", sum = sum(a)))
  }
  if (abs(fit$certificate$value - primal) <= 32 * slack &&
        best + square / 2 < primal - 64 * slack && fit$certificate$certified) {
    gained <- primal - best - square / 2
    if (gained > fit$certificate$gap + 64 * slack) {
      found <- c(found, wrong("another rho is better than the certificate allows", by = gained))
    }
  }
  j <- list(primal = primal, primal_slack = slack, dual_slack = 8 * slack,
            dual = if (!shrunk) -square / 2 else if (total > 0) -square / total^2 / 2 else Inf,
            null = 0.5 * max(diag(K$h)))
  row <- fit$certificate
  c(found, check_minimum(row, fit$status$status, j),
    check_crossing(row, fit$status$status, c(own = primal + slack, even = rival + slack,
                                             nothing = 0), 8 * slack))
}

oneclass_seed <- function(seed, verbose = FALSE) {
  RNGkind("Mersenne-Twister", "Inversion", "Rejection")
  set.seed(seed)
  case <- draw_oneclass()
  given <- stored_as(case$x, case$storage)
  run <- watched(do.call(margin_oneclass, c(list(given), case$args)))
  fit <- run$fit
  if (verbose) print(if (is.null(fit)) run$error else fit)
  if (is.null(fit)) {
    classed <- inherits(run$error, "dualmargin_error")
    return(as_case(seed, "oneclass", "smo", "refused",
                   if (!classed) paste("UNCLASSED ERROR:", conditionMessage(run$error))))
  }
  x <- case$x + 0
  dimnames(x) <- NULL
  found <- c(check_words(fit, run$warned), judge_oneclass(fit, x))
  # by the number, so that the draws of older cases stay what they were
  if (seed %% 5L == 2L) found <- c(found, oneclass_path_faults(case, given))
  as_case(seed, "oneclass", "smo", outcome_of(fit), found)
}

# A path over nu against fits from the start: their intervals meet. And a cross-validation over the
# same nu, whose shares outside are shares.
oneclass_path_faults <- function(case, given) {
  nu <- unique(c(0.9, case$args$nu, 0.2))
  others <- case$args[names(case$args) != "nu"]
  unclassed <- function(run, what) {
    if (is.null(run$fit) && !inherits(run$error, "dualmargin_error")) {
      paste("UNCLASSED ERROR:", what, conditionMessage(run$error))
    }
  }
  run <- watched(do.call(margin_path, c(list(given, family = "oneclass", nu = nu), others)))
  found <- unclassed(run, "path")
  path <- run$fit
  for (i in seq_along(path$nu)) {
    alone <- watched(do.call(margin_oneclass, c(list(given, nu = path$nu[i]), others)))$fit
    if (is.null(alone)) next
    one <- path$certificate[i, ]
    other <- alone$certificate
    ends <- c(one$value, one$bound, other$value, other$bound)
    near <- 1e-11 * max(abs(ends))
    if (all(is.finite(ends)) &&
          (one$bound > other$value + near || other$bound > one$value + near)) {
      found <- c(found, wrong("path and fit do not meet", nu = path$nu[i], path = ends[1:2],
                              fit = ends[3:4]))
    }
  }
  if (inherits(others$kernel, "kernel_function") && others$kernel$name == "precomputed" ||
        nrow(case$x) < 8L) {
    return(found)
  }
  folds <- rep_len(1:2, nrow(case$x))
  run <- watched(do.call(margin_cv, c(list(given, family = "oneclass", grid = list(nu = nu),
                                           folds = folds, metric = "outside"), others)))
  score <- run$fit$results$score
  if (any(is.na(score)) || any(score < 0 | score > 1)) found <- c(found, wrong("share outside"))
  c(found, unclassed(run, "cross-validation"))
}

# ---- Calibrated fits ----

# Of two or more classes, weighted or not: nothing but the probabilities is new, and they follow the
# decision values.
calibrated_seed <- function(seed, verbose = FALSE) {
  RNGkind("Mersenne-Twister", "Inversion", "Rejection")
  set.seed(seed)
  n <- sample(20:60, 1L)
  k <- sample(2:3, 1L)
  x <- draw_matrix(n, sample(1:6, 1L))
  y <- factor(letters[c(rep_len(seq_len(k), 3L * k), sample.int(k, n - 3L * k, TRUE))])
  weights <- if (chance(0.5)) stats::runif(n, 0.1, 2)
  fun <- one(list(margin_linear, margin_kernel, margin_robust, margin_linear))
  args <- list(x, y, weights = weights, control = margin_control(seed = 1, progress = FALSE))
  if (chance(0.4)) args$class_weights <- "balanced"
  if (!identical(fun, margin_robust)) {
    args$loss <- one(c("hinge", "logistic", "squared_hinge"))
    args$lambda <- 10^between(-4, 0)
  }
  run <- watched(do.call(fun, args))
  if (is.null(run$fit)) return(as_case(seed, "calibrated", "auto", "refused", character()))
  fit <- run$fit
  method <- one(c("platt", "isotonic"))
  new <- x[sample.int(n, n, TRUE), , drop = FALSE]
  after <- watched(margin_calibrate(fit, x, y, method = method, folds = 3L, seed = seed))
  if (verbose) print(if (is.null(after$fit)) after$error else after$fit)
  if (is.null(after$fit)) {
    classed <- inherits(after$error, "dualmargin_error")
    return(as_case(seed, "calibrated", method, "refused",
                   if (!classed) paste("UNCLASSED ERROR:", conditionMessage(after$error))))
  }
  p <- predict(after$fit, new, type = "prob")
  score <- as.matrix(predict(fit, new, type = "score"))
  found <- character()
  say <- function(bad, text) if (bad) found <<- c(found, text)
  say(!identical(certificate(after$fit), certificate(fit)), "calibration changes the certificate")
  say(!identical(coef(after$fit), coef(fit)), "calibration changes the coefficients")
  say(!identical(predict(after$fit, new), predict(fit, new)), "calibration changes classes")
  say(anyNA(p) || any(p < 0 | p > 1), "a probability outside of [0, 1]")
  say(any(abs(rowSums(p) - 1) > 1e-12), "probabilities that do not sum to 1")
  if (k == 2L) {
    say(any(diff(p[order(score[, 1L]), 2L]) < -1e-12), "a probability that falls with the score")
  }
  as_case(seed, "calibrated", method, outcome_of(fit), found)
}

# ---- Decisions ----

# One problem of one statement of helper-decisions.R, loose fits and small penalties among them.
decision_seed <- function(seed, verbose = FALSE) {
  often <- c("C9", "C10", names(decision_statements))
  statement <- often[1L + seed %/% 64 %% length(often)]
  row <- run_decisions(statement, seed)
  if (verbose) print(row)
  missed <- row$violations + sum(row$contradicted, na.rm = TRUE)
  found <- if (missed > 0) {
    sprintf("statement %s: %d of %d missed, %s contradicted %s", statement, row$violations,
            row$checked, format(row$contradicted), row$failed)
  }
  as_case(seed, "decisions", statement, if (row$checked > 0) "held" else "nothing to hold", found)
}

# The families that are no margin_*() with labels; seeds of none of them are theirs by their number,
# so that the draws of older cases stay what they were.
around_families <- list(oneclass = oneclass_seed, calibrated = calibrated_seed,
                        decisions = decision_seed)

around_seed <- function(seed, family = NULL, verbose = FALSE) {
  name <- if (is.null(family)) c("oneclass", "calibrated", "decisions")[1L + seed %/% 16 %% 3] else
    family
  tryCatch(around_families[[name]](seed, verbose), error = function(e) {
    as_case(seed, name, name, "refused",
            paste("JUDGE FAILED:", conditionMessage(e), "in",
                  paste(deparse(conditionCall(e))[1L], collapse = "")))
  })
}
