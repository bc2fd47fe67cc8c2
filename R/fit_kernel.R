# From a design and settings to a kernel fit: labels, mixed rows, ONE call into C++,
# support vectors.

# What a kernel problem is, validated; lambda stays NULL or cost until the weights are known.
kernel_settings <- function(kernel, loss, lambda, mixup, multiclass, nystrom, intercept, center,
                            scale, class_weights, solver, control, cost, scale_is_default = FALSE,
                            response_scale = TRUE, nystrom_tol = NULL) {
  kernel <- as_kernel(kernel)
  loss <- named_loss(loss)
  assert_penalty(lambda, cost, 0)
  assert_mixup(mixup, kernel)
  assert_choice(multiclass, c("auto", "softmax", "one_vs_rest"), "multiclass", multiclass_aliases)
  if (!is.null(nystrom_tol)) {
    assert_number(nystrom_tol, "nystrom_tol", lower = 0, remedy = "the default is 1e-3")
  }
  if (!is.null(nystrom)) {
    assert_nystrom(nystrom, kernel, solver, nystrom_tol)
  }
  assert_center(center)
  assert_uncentred(kernel, center)
  if (kernel$name == "precomputed" && scale_is_default) scale <- FALSE
  assert_flag(response_scale, "response_scale")
  own <- list(kernel = kernel, loss = NULL, lambda = lambda, cost = cost, mixture = 0,
              mixup = mixup, multiclass = multiclass, nystrom = nystrom,
              response_scale = response_scale, center = center, nystrom_tol = nystrom_tol)
  settings <- common_settings("kernel", own, intercept, scale, class_weights, solver, control)
  assert_unscaled(kernel, scale)
  settle_loss(settings, loss)
}

assert_softmax_loss <- function(settings) {
  if (settings$multiclass == "softmax" && settings$loss$name != "logistic") {
    abort_input(sprintf("`multiclass` is \"softmax\", which is for loss \"logistic\", not \"%s\".",
                        settings$loss$name), "multiclass")
  }
}

fit_kernel <- function(design, settings) {
  problem <- prepare_kernel(design, settings)
  problem$settings <- with_lambda(problem$settings, sum(problem$omega_all))
  result <- solve_kernel(problem, problem$settings$lambda)
  result$solutions <- lapply(result$solutions, `[[`, 1L)
  signal_outcome(new_kernel_fit(problem, result), problem)
}

# Response, weights and mixed rows. targets: a column for each class problem, mixed rows last.
prepare_kernel <- function(design, settings) {
  n <- nrow(design$x)
  assert_kernel_matrix(settings$kernel, design)
  settings$kernel <- judged_kernel(
    settle_kernel(settings$kernel, ncol(design$x), n, settings$control$seed), design$x
  )
  settings$center <- settle_center(settings$center, settings$kernel, design$sparse)
  assert_landmarks(settings$nystrom, n)
  if (!is.null(settings$nystrom)) assert_landmark_memory(settings$nystrom, n)
  if (n > many_rows && is.null(settings$nystrom) && settings$kernel$name %in% formula_kernels) {
    inform(sprintf(paste(
      "`x` has %s rows, whose kernel has %s values: this may take long;",
      "nystrom = 1000 solves an approximation in a fraction of the time and memory."
    ), grouped(n), format(as.double(n)^2, digits = 2)))
  }
  response <- kernel_response(design$y, settings$loss, n, name = design$response_name)
  settings <- settle_task(settings, response)
  naming_response(design$response_name, assert_classes(settings$solver, response))
  problem <- prepare_problem(design, settings, response = response)
  assert_landmarks(settings$nystrom, sum(problem$omega > 0), " of positive weight")
  if (!is.null(settings$mixup)) assert_mixup_memory(settings$mixup$n, n, response$n_classes)
  problem$multiclass <- resolve_multiclass(settings, response)
  settings$control["seed"] <- list(known_seed(settings))
  problem$seed <- core_seed(settings)
  targets <- response$targets / problem$unit
  problem$targets <- targets
  problem$omega_all <- problem$omega
  if (!is.null(settings$mixup)) {
    drawn <- with_seed(settings$control$seed, {
      draw_pairs(settings$mixup, label_groups(response), problem$omega > 0)
    })
    problem$mixed <- drawn
    problem$targets <- mix_rows(targets, drawn)
    if (response$task == "classification") problem$targets <- snap(problem$targets)
    problem$omega_all <- drop(mix_rows(matrix(problem$omega), drawn))
  }
  problem$kernel_x <- kernel_rows(problem)
  problem
}

# Labels as the core wants them. targets: n x 1 in [-1, 1] or numbers, or n x k, 2 x share - 1.
kernel_response <- function(y, loss, n, classes_only = NULL, name = "y") {
  if (!inherits(y, "soft_labels")) {
    response <- code_response(y, loss, n, classes_only, name)
    k <- response$n_classes
    response$targets <- if (k == 1L) matrix(response$codes) else
      2 * outer(response$codes, seq_len(k), `==`) - 1
    return(response)
  }
  assert_classes_possible(loss, "soft labels")
  values <- unclass(y)
  if (NROW(values) != n) {
    abort_input(sprintf("`y` has %d soft labels, but `x` has %d rows; give one a row.",
                        NROW(values), n), "y")
  }
  if (is.matrix(values)) {
    levels <- colnames(values)
    targets <- snap(2 * values - 1)
    if (ncol(values) == 2L) targets <- targets[, 2L, drop = FALSE]
    type <- "factor"
  } else {
    levels <- c("-1", "1")
    targets <- matrix(values)
    type <- "sign"
  }
  list(response = y, codes = drop(targets), levels = levels, type = type,
       task = "classification", n_classes = ncol(targets), targets = unname(targets))
}

# "auto" is one model only where the intercept is not free: of one-vs-rest more is known by now,
# margin_certain() and what follows from it.
resolve_multiclass <- function(settings, response) {
  if (response$n_classes == 1L) {
    return(NA_character_)
  }
  able <- settings$loss$name == "logistic" && settings$solver$name %in% softmax_solvers &&
    is.null(settings$nystrom)
  if (settings$multiclass == "softmax") {
    if (!able) abort_no_softmax(settings)
    assert_every_share(response, settings$intercept)
    return("softmax")
  }
  if (settings$multiclass == "auto" && able && settings$intercept != "free") "softmax" else
    "one_vs_rest"
}

abort_no_softmax <- function(settings) {
  clash <- if (!is.null(settings$nystrom)) {
    c("`nystrom`", "leave that out")
  } else {
    c(sprintf("solver = \"%s\"", settings$solver$name),
      paste("use one of", quote_list(softmax_solvers)))
  }
  abort_input(sprintf(
    "multiclass = \"softmax\" does not allow %s; %s, or multiclass = \"one_vs_rest\".", clash[1L],
    clash[2L]
  ), "multiclass")
}

# A class of which no row has a share has no finite intercept of its own.
assert_every_share <- function(response, intercept) {
  none <- intercept == "free" & colSums(response$targets > -1) == 0
  if (any(none)) {
    abort_input(sprintf(paste(
      "`y` gives class \"%s\" no share in any row, so that its free intercept has no optimum;",
      "use intercept = \"none\" or \"penalized\", or leave the class out."
    ), response$levels[none][1L]), "y")
  }
}

softmax_solvers <- c("auto", "block_sdca", "newton")
formula_kernels <- c("rbf", "laplace", "polynomial", "linear")
many_rows <- 30000

# What the core is given for x: the user's rows; the values of a precomputed kernel; or nothing
# where the kernel is evaluated in R, on rows that are scaled and mixed here.
kernel_rows <- function(problem) {
  settings <- problem$settings
  x <- problem$design$x
  kernel <- settings$kernel
  if (kernel$name == "precomputed") {
    storage.mode(x) <- "double"
    judged <- kernel$judged
    allowance <- if (is.na(judged$allowance)) 0 else judged$allowance
    return(list(x = shifted(x, judged$shift), scales = rep(1, ncol(x)),
                kernel = list(name = "precomputed", allowance = allowance)))
  }
  if (!is_evaluated(kernel)) {
    return(list(x = x, kernel = unclass(kernel)))
  }
  frame <- column_frame(x, problem$omega)
  scales <- if (settings$scale) frame$scale else rep(1, ncol(x))
  centre <- if (isTRUE(settings$center)) frame$mean
  moved <- if (is.null(centre)) list(x = scale_columns(x, scales)) else
    centred_rows(x, centre, scales)
  rows <- moved$x
  if (!is.null(problem$mixed)) rows <- mix_rows(rows, problem$mixed)
  if (kernel$name == "ntk") {
    return(c(list(x = NULL, scales = scales, center = centre),
             tangent_rows(kernel, rows, moved$rest)))
  }
  n <- nrow(rows)
  block <- function(which) {
    check_block(kernel$evaluate(rows, rows[which, , drop = FALSE]), n, length(which))
  }
  each <- vapply(seq_len(n), function(i) {
    row <- rows[i, , drop = FALSE]
    check_block(kernel$evaluate(row, row), 1L, 1L)[1L]
  }, 0)
  list(x = NULL, scales = scales, center = centre,
       kernel = list(name = "evaluated", diagonal = each, evaluate = block,
                     check = check_of(kernel, n, settings$options$cache_mb)))
}

# The one call. lambda: one number, or the points of a path, see src/kernel.cpp.
solve_kernel <- function(problem, lambda, relative = FALSE, brief = FALSE) {
  settings <- problem$settings
  mixed <- problem$mixed
  given <- problem$kernel_x
  settings$control$seed <- problem$seed
  control <- core_control(settings, kernel_start(problem))
  fit <- if (is.null(settings$nystrom)) fit_kernel_cpp else fit_nystrom_cpp
  arguments <- list(
    kernel = given$kernel, n = nrow(problem$design$x),
    mixed = if (is.null(mixed)) list(first = integer(), second = integer(),
                                     share = numeric()) else as.list(mixed),
    loss = settings$loss$name, parameter = settings$loss$parameter, lambda = lambda,
    relative = relative, brief = brief, regression = problem$response$task == "regression",
    softmax = is_joint(problem), intercept = settings$intercept,
    center = settings$center, scale = settings$scale, cache_mb = settings$options$cache_mb,
    nystrom = settings$nystrom
  )
  result <- with_checkpoint(settings$control, control, function(control) {
    in_core(fit(given$x, problem$targets, problem$omega_all, arguments, control))
  }, "kernel", problem$design$x, problem$targets, problem$omega_all, arguments)
  assert_kernel_range(result, settings$kernel)
  if (!is.null(given$scales)) result$scales <- given$scales
  if (!is.null(given$center)) result$center <- given$center
  in_response_units(result, problem$unit)
}

# Any dual point for the same labels is feasible; mixed rows start from zero, which always is.
kernel_start <- function(problem) {
  start_of(problem, "kernel", function(start) {
    n <- nrow(problem$design$x)
    same <- identical(start$settings$loss, problem$settings$loss) &&
      same_labels(start, problem) && NROW(start$dual) >= n &&
      identical(start$multiclass, problem$multiclass)
    if (!same) {
      return(NULL)
    }
    dual <- unname(as.matrix(start$dual))[seq_len(n), , drop = FALSE]
    added <- length(problem$omega_all) - n
    list(dual = rbind(dual, matrix(0, added, ncol(dual))),
         intercept = start_coefficients(start, problem$unit)$intercept)
  })
}

new_kernel_fit <- function(problem, result) {
  new_expansion("margin_kernel", problem, result, function(columns) {
    list(mixed = problem$mixed, multiclass = problem$multiclass, bytes = result$bytes,
         total_weight = sum(problem$omega_all))
  })
}

# ---- Its path ----

kernel_path <- function(x, y, lambda = NULL, n_lambda = 20, lambda_min_ratio = NULL,
                        kernel = kernel_rbf(), loss = NULL, mixup = NULL, multiclass = "auto",
                        nystrom = NULL, intercept = "free", center = NULL, scale = TRUE,
                        weights = NULL, class_weights = NULL, solver = "auto",
                        control = margin_control(), response_scale = TRUE, ...) {
  assert_response_given(missing(y))
  design <- matrix_design("kernel", x, y, weights, match.call(), list(...), path = TRUE)
  grid <- sequence_grid("lambda", lambda, n_lambda, lambda_min_ratio, 20L, !missing(n_lambda))
  intercept <- formula_intercept(design, intercept, missing(intercept))
  fit_kernel_path(design, kernel_settings(
    kernel, loss, NULL, mixup, multiclass, nystrom, intercept, center, scale, class_weights, solver,
    control, NULL, missing(scale), response_scale
  ), grid)
}

# From where every direction is shrunk to half or less, see src/border/kernel_call.h, four orders
# down.
fit_kernel_path <- function(design, settings, grid) {
  problem <- prepare_kernel(design, settings)
  relative <- is.null(grid$values)
  lambda <- sequence_values(grid, 1e-4)
  assert_path_memory(length(lambda), length(problem$omega_all), problem$response$n_classes,
                     if (relative) "n_lambda" else "lambda")
  result <- solve_kernel(problem, lambda, relative = relative, brief = TRUE)
  signal_path_outcome(new_kernel_path(problem, data.frame(lambda = result$lambda), result), problem)
}

# Only rows that some point uses are kept.
new_kernel_path <- function(problem, points, result, family = "kernel") {
  problem$settings <- with_width(problem$settings, result$sigma)
  result$solutions <- class_solutions(result$solutions, problem)
  x <- problem$design$x
  path <- new_margin_path(family, problem, points, result,
                          terms = row_names_of(x, problem$mixed))
  used <- sort(unique(unlist(lapply(unlist(result$solutions, recursive = FALSE), `[[`, "place"))))
  keep <- c(if (has_intercept(path)) 1L, used + has_intercept(path))
  rows <- function(all) all[keep, , drop = FALSE]
  path$coefficients <- if (is.list(path$coefficients)) lapply(path$coefficients, rows) else
    rows(path$coefficients)
  path$support <- expansion_rows(x, problem$mixed, used, problem$settings$kernel)
  path$mixed <- problem$mixed
  path$multiclass <- problem$multiclass
  path$bytes <- result$bytes
  path
}

# How many landmarks a kernel fit needs: twice as many each time, until the excess over the optimum
# of the whole kernel is proven to be small enough (R/audit_kernels.R).

fit_landmarks <- function(design, settings) {
  assert_landmarks_auto(design, settings)
  tol <- settings$nystrom_tol
  used <- if (is.null(design$weights)) nrow(design$x) else sum(design$weights > 0)
  most <- min(used, most_landmarks)
  settings$asked$nystrom <- "auto"
  settings$nystrom <- min(first_landmarks, most)
  tries <- NULL
  began <- seconds_now()
  repeat {
    fit <- fit_kernel(design, settings)
    mapping <- mapping_of_rows(fit, design$x, fit$response, fit$weights)
    promised <- landmark_promise(mapping, fit)
    last <- settings$nystrom == most || !landmarks_fit(2 * settings$nystrom, nrow(design$x)) ||
      seconds_now() - began > settings$control$max_seconds
    proven <- if (promised <= tol || last) landmark_proof(mapping, fit) else NA_real_
    tries <- rbind(tries, data.frame(landmarks = settings$nystrom,
                                     value = worst_certificate(fit$certificate)$value,
                                     promised = promised, proven = proven))
    if (isTRUE(proven <= tol) || last || sum(!is.na(tries$proven)) == most_proofs) break
    settings$nystrom <- min(2 * settings$nystrom, most)
    settings$control$start <- offered_start(fit)
  }
  fit$landmarks <- tries
  if (!isTRUE(proven <= tol)) warn_landmarks(fit, proven, tol)
  fit
}
first_landmarks <- 100
most_landmarks <- 20000
most_proofs <- 3L

landmarks_fit <- function(landmarks, rows) {
  tryCatch(is.null(assert_landmark_memory(landmarks, rows)),
           dualmargin_input_error = function(condition) FALSE)
}

# Of the whole kernel, as certificates have it.
landmark_proof <- function(mapping, fit) {
  mapping$fits <- landmark_fits(fit, mapping)
  max(vapply(audited_excess(mapping, NULL), `[[`, 0, "relative"))
}

# What the proof will say, estimated from some rows: beside the fit's own gap lambda/2 |f_a - f|^2,
# where f is the fit, and f_a - f, the function of its dual point less f, is 0 at the landmarks.
landmark_promise <- function(mapping, fit, rows = 300L) {
  duals <- as.matrix(fit$dual)[fit$weights > 0, , drop = FALSE]
  rest <- Map(function(problem, solution, k) {
    n <- nrow(problem$x)
    at <- unique(round(seq(1, n, length.out = min(n, rows))))
    beta <- -problem$weights * duals[, k] / (problem$lambda * sum(problem$weights))
    value <- function(points, coefficients) {
      kernel_expansion(problem$kernel, stack_rows(problem$x[at, , drop = FALSE], points), length(at),
                       as.matrix(coefficients))
    }
    far <- value(problem$x, beta) - value(solution$points, solution$coefficients)
    problem$lambda / 2 * n / length(at) * sum(beta[at] * far)
  }, mapping$problems, mapping$solutions, seq_along(mapping$problems))
  max((fit$certificate$gap + unlist(rest)) / fit$certificate$value)
}

assert_landmarks_auto <- function(design, settings) {
  soft <- inherits(design$y, "soft_labels")
  if (is.null(settings$mixup) && !soft) {
    return(invisible())
  }
  abort_input(sprintf(
    "`nystrom` is \"auto\", whose proof is not made for %s yet; give the number of landmarks.",
    if (soft) "soft labels" else "mixed rows"
  ), "nystrom")
}

warn_landmarks <- function(fit, proven, tol) {
  warning(structure(
    class = c("dualmargin_not_certified", "warning", "condition"),
    list(message = sprintf(paste(
      "With %d landmarks the fit is proven to be within %s of the optimum of the whole kernel, not",
      "within nystrom_tol = %s; %s."
    ), as.integer(fit$settings$nystrom), percent_words(proven), format(tol),
    "give a larger tolerance, or more landmarks as a number"), call = NULL)
  ))
}
