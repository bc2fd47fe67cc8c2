# What is certain about the optimum of a kernel fit: questions to the core (src/region/of_kernel.h),
# which is given rows as the kernel sees them.

certain_kernels <- c("rbf", "laplace", "polynomial", "linear")

assert_certain_kernel <- function(fit, caller) {
  settings <- fit$settings
  why <- if (!settings$kernel$name %in% certain_kernels) {
    sprintf("a %s kernel, whose value of a new row with itself is not given", settings$kernel$name)
  } else if (!is.null(fit$mixed)) {
    "mixed rows"
  } else if (!is.null(settings$nystrom)) {
    "landmarks (nystrom), so its optimum is that of an approximation"
  } else if (is_joint(fit)) {
    "a multinomial model; multiclass = \"one_vs_rest\" has one problem for each class"
  } else if (inherits(fit$response, "soft_labels")) {
    "soft labels"
  }
  if (!is.null(why)) {
    abort_input(sprintf("`fit` has %s: %s does not bound its optimum yet.", why, caller), "fit")
  }
}

# Rows as the kernel sees them, the same whatever rows come with them.
kernel_frame <- function(fit, x) {
  scales <- unname(fit$scales)
  centre <- unname(fit$center)
  if (!is.null(centre)) {
    if (!isS4(x)) return(centred_rows(x, centre, scales))
    rest <- centre / scales
    return(list(x = scale_columns(x, scales), rest = if (any(rest != 0)) rest))
  }
  # a fit without support vectors has no rows to be centred
  near <- is_isotropic(fit$settings$kernel) && nrow(fit$support$x) > 0L
  centre <- if (near) exact_centres(fit$support$x)
  list(x = scale_columns(subtract_columns(x, centre), scales), rest = NULL)
}

# The kernel of a fit, for rows of kernel_frame().
kernel_for_core <- function(fit, frame) {
  settings <- fit$settings
  c(unclass(settings$kernel)[formula_parameters],
    list(rest = frame$rest, constant = as.numeric(settings$intercept == "penalized"),
         divided = any(fit$scales != 1), centred = !is.null(fit$center),
         cache_mb = cache_of_fit(fit)))
}

# What the kernel may take in memory: as much as in the fit.
cache_of_fit <- function(fit) {
  own <- fit$settings$control$solver_options$cache_mb
  if (is.null(own)) complete_options(find_solver("auto", "kernel"), list())$cache_mb else own
}

# Blocks of rows that are centred are of one form in a question: sparse rows stay as they are, beside
# what is taken from them.
alike_rows <- function(fit, ...) {
  blocks <- list(...)
  sparse <- vapply(blocks, isS4, NA)
  if (is.null(fit$center) || !any(sparse)) {
    return(blocks)
  }
  lapply(blocks, function(x) if (is.null(x) || isS4(x)) x else core_matrix(methods::as(x, "CsparseMatrix")))
}

# In order: the rows, one block of them or two, what is asked, threads.
ask_kernel <- function(entry, fit, frames, ...) {
  stopifnot(identical(frames[[1L]]$rest, frames[[length(frames)]]$rest))
  x <- if (length(frames) == 1L) frames[[1L]]$x else stack_rows(frames[[1L]]$x, frames[[2L]]$x)
  count <- if (length(frames) > 1L) list(nrow(frames[[1L]]$x))
  threads <- resolve_threads(fit$settings$control$threads)
  in_core(do.call(entry, c(list(in_core_form(x)), count, list(kernel_for_core(fit, frames[[1L]])),
                           list(...), list(threads, chunk_entries()))))
}

# With a column for each class problem; w: the function is that of the dual point.
question_of_kernel <- function(fit) {
  settings <- fit$settings
  c(loss_for_core(settings$loss), responses_of_fit(fit),
    list(free = settings$intercept == "free", mu = settings$lambda,
         dual = unname(as.matrix(fit$dual)), at = fit$support$at))
}

certain_of_kernel <- function(fit, x) {
  found <- ask_kernel(certain_kernel_cpp, fit, list(kernel_frame(fit, x)), question_of_kernel(fit),
                      fit$task != "regression")
  new_certain(fit, found)
}

# A matrix of lower and upper ends for each region, whose functions are made of the points.
kernel_region_ends <- function(fit, regions, frame, points) {
  ask_kernel(certain_kernel_rows_cpp, fit, list(frame, points), regions)
}

# The same by a second look at what is open, with the rows of the fit.
kernel_sharpened <- function(fit, regions, frame, ends, question, trained) {
  if (!question$free || fit$task == "regression") {
    return(ends)
  }
  open <- which(!decide_ends(ends)$decided)
  if (length(open) > 0L) {
    sharp <- ask_kernel(certain_kernel_around_cpp, fit, list(rows_of_frame(frame, open), trained),
                        regions, question)
    ends$lower[open, ] <- pmax(ends$lower[open, , drop = FALSE], sharp$lower)
    ends$upper[open, ] <- pmin(ends$upper[open, , drop = FALSE], sharp$upper)
  }
  ends
}

# One row of several classes is a matrix of one row.
decide_ends <- function(ends) {
  of_problem <- function(m) if (ncol(m) == 1L) m[, 1L] else m
  decide(of_problem(ends$lower), of_problem(ends$upper))
}

rows_of_frame <- function(frame, some) {
  list(x = frame$x[some, , drop = FALSE], rest = frame$rest)
}

# Intervals of other rows, as certain_intervals().
kernel_intervals <- function(certain, x, again, refits) {
  fit <- certain$fit
  rows <- alike_rows(fit, x, fit$support$x, again)
  frame <- kernel_frame(fit, rows[[1L]])
  ends <- kernel_region_ends(fit, certain$problems, frame, kernel_frame(fit, rows[[2L]]))
  if (is.null(again)) {
    return(ends)
  }
  question <- question_of_kernel(fit)
  trained <- kernel_frame(fit, rows[[3L]])
  # the second look comes first: what refits decide then lies within what is known without them
  ends <- kernel_sharpened(fit, certain$problems, frame, ends, question, trained)
  if (refits > 0) kernel_refits(fit, frame, ends, question, trained, refits) else ends
}

# What is open, once the problems of the fit are solved further.
kernel_refits <- function(fit, frame, ends, question, trained, refits) {
  further <- further_of_fit(fit, refits)
  open <- if (further$regression) {
    seq_len(nrow(ends$lower))
  } else {
    which(!decide_ends(ends)$decided)
  }
  if (length(open) > 0L) {
    question$regression <- further$regression
    asked <- list(x = in_core_form(trained$x), problem = question, further = further,
                  lower = ends$lower[open, , drop = FALSE],
                  upper = ends$upper[open, , drop = FALSE])
    found <- ask_kernel(certain_kernel_further_cpp, fit,
                        list(rows_of_frame(frame, open), trained), asked)
    ends$lower[open, ] <- found$lower
    ends$upper[open, ] <- found$upper
  }
  ends
}

# What is certain of one problem of all classes (multiclass = "softmax" or "crammer_singer"):
# src/region/of_joint.h says where its optimum is.

largest_joint_hessian <- 1000L

# Is its optimum one of which intervals are known?
assert_joint_known <- function(fit) {
  free <- fit$settings$intercept == "free"
  if (fit$settings$mixture == 1) {
    abort_input(paste(
      "`fit` is a lasso (mixture = 1), whose optimum need not be unique: it has no interval for",
      "coefficients; use mixture = 0.99."
    ), "fit")
  }
  if (free && !class_model(fit)$smooth) {
    abort_input(paste(
      "`fit` has multiclass = \"crammer_singer\" with free intercepts, of which no interval is",
      "known; use intercept = \"penalized\" or \"none\"."
    ), "fit")
  }
  size <- length(coef_matrix(fit))
  if (free && size > largest_joint_hessian) {
    abort_input(sprintf(paste(
      "`fit` has free intercepts and %s coefficients; their intervals take a Hessian of at most",
      "%s. Use intercept = \"penalized\" or \"none\"."
    ), grouped(size), grouped(largest_joint_hessian)), "fit")
  }
}

# What the core is asked about, as question_of_fit() of class problems.
question_of_joint <- function(fit) {
  free <- fit$settings$intercept == "free"
  coefficients <- unname(coef_matrix(fit))
  w <- (if (has_intercept(fit)) coefficients[-1L, , drop = FALSE] else coefficients) *
    unname(fit$scales)
  if (fit$settings$intercept == "penalized") w <- rbind(w, coefficients[1L, ])
  y <- as.integer(fit$response)
  omega <- unname(fit$weights)
  if (!is.null(fit$settings$class_weights)) {
    omega <- omega * unname(fit$settings$class_weights)[y]
  }
  list(softmax = class_model(fit)$smooth, free = free, lambda = fit$settings$lambda,
       mixture = fit$settings$mixture, y = y, omega = omega, w = w,
       b = if (free) coefficients[1L, ], dual = unname(fit$dual))
}

# Coefficients, of a ridge around their mean over the classes, and free intercepts always.
determined_jointly <- function(fit) {
  values <- coef_matrix(fit)
  common <- if (fit$settings$mixture == 0) rep(TRUE, nrow(values)) else
    seq_len(nrow(values)) == 1L & fit$settings$intercept == "free"
  values[common, ] <- values[common, , drop = FALSE] -
    rowMeans(values[common, , drop = FALSE])
  values
}

# Of which hard-margin fits the optimum is bounded: src/region/of_hard.h.

assert_certain_hard <- function(fit, caller) {
  why <- if (has_kernel(fit)) {
    "a kernel"
  } else if (length(fit$levels) > 2L) {
    "several classes"
  } else if (!isTRUE(fit$certificate$value[1L] > 0)) {
    "no positive margin"
  }
  if (!is.null(why)) {
    abort_input(sprintf(
      "`fit` is a hard-margin fit with %s, whose optimum margin_certain() does not bound.", why
    ), "fit")
  }
  invisible(fit)
}

# What is certain about the optimum of a fit of perturbed rows follows from its limit of F(w) - F*
# (src/region/of_limit.h): proven, or with a confidence of 95 % where the expectation is drawn. All
# rows and coefficients follow from that one event.

assert_certain_augmented <- function(fit, caller) {
  if (fit$settings$intercept == "free") {
    abort_input(paste(
      "`fit` has perturbed rows and a free intercept, so no certificate to follow from; use",
      "intercept = \"penalized\"."
    ), "fit")
  }
  invisible(fit)
}

augmented_question <- function(fit) {
  unit <- unit_of(fit)
  coefficients <- unname(coef_matrix(fit)) / unit
  has <- has_intercept(fit)
  n <- NROW(fit$scores)
  limit <- as.vector(fit$suboptimality)
  if (is.null(limit)) limit <- rep(NA_real_, ncol(coefficients))
  limit <- ifelse(is.na(limit), fit$certificate$gap, limit)
  c(loss_for_core(as_loss("hinge")),
    list(family = "limited", free = FALSE, y = matrix(0, n, ncol(coefficients)),
         omega = numeric(n), has = has,
         w = (if (has) coefficients[-1L, , drop = FALSE] else coefficients) * unname(fit$scales),
         b = if (has) coefficients[1L, ] else numeric(ncol(coefficients)), limit = limit,
         level = if (is.null(fit$response_center)) 0 else fit$response_center / unit,
         strength = fit$settings$lambda * (1 - fit$settings$mixture)))
}

# With what confidence the intervals hold, all of them at once; 1: they are proven.
certain_level <- function(fit) {
  drawn <- sum(fit$certificate$kind == "confidence bound")
  max(0, 1 - 0.05 * drawn)
}

# What is certain about the optimum of a one-class fit: f* is in a ball around f whose squared
# radius is the gap, and rho* between two quantiles (src/region/of_one_class.h).

assert_certain_oneclass <- function(fit, caller) {
  assert_certain_kernel(fit, caller)
  if (sum(kernel_coefficients(fit)) < 0.5) {
    abort_input(sprintf(paste(
      "`fit` is no better than nothing, f = 0, as where the origin lies among the rows: %s has no",
      "region for its optimum; use a kernel of distances, as kernel_rbf()."
    ), caller), "fit")
  }
}

certain_of_oneclass <- function(fit, x) {
  dual <- unname(fit$dual)
  most <- fit$weights / (fit$settings$nu * sum(fit$weights))
  # f is less than that of the dual point where nothing was better: both are near to the optimum
  shrunk <- sum(kernel_coefficients(fit)) < sum(dual) * (1 - 1e-9)
  found <- ask_kernel(certain_oneclass_cpp, fit, list(kernel_frame(fit, x)), list(
    dual = dual, most = most, gap = (1 + shrunk) * fit$certificate$gap, at = fit$support$at
  ))
  new_certain(fit, found)
}

# Intervals of optimal scores: ends side by side, and the class that they decide on.

# One end of all class problems: a vector, or a column for each.
bind_ends <- function(intervals, end) {
  ends <- lapply(intervals, function(interval) interval[, end])
  if (length(ends) == 1L) ends[[1L]] else do.call(cbind, ends)
}

# The class (1, 2, ...) of every score within the ends, where there is one. A score of 0 is the
# second of two classes; of several the largest, the first of equal ones.
decide <- function(lower, upper) {
  if (!is.matrix(lower)) {
    class <- ifelse(lower >= 0, 2L, ifelse(upper < 0, 1L, NA_integer_))
    return(list(class = class, decided = !is.na(class)))
  }
  # the only level that can win is that with the largest lower end
  best <- max.col(replace(lower, is.na(lower), -Inf), ties.method = "first")
  own <- lower[cbind(seq_along(best), best)]
  wins <- rep(TRUE, length(best))
  for (l in seq_len(ncol(lower))) {
    beaten <- ifelse(l > best, own >= upper[, l], own > upper[, l])
    wins <- wins & (l == best | (!is.na(beaten) & beaten))
  }
  list(class = ifelse(wins, best, NA_integer_), decided = wins)
}
