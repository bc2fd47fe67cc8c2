# What the core is asked about exact optima (src/region, src/decide): the rows of a fit, how they
# were coded for its problem, and what was found for each class problem.

# The rows as they come; move: around their weighted mean, as a free intercept allows.
core_frame <- function(scales, centre = NULL, constant = 0, move = FALSE, threads = 1L) {
  list(scales = unname(scales), centre = centre, constant = constant, move = move,
       threads = threads, chunk_entries = chunk_entries())
}

frame_of_fit <- function(fit, centre = NULL, move = FALSE) {
  core_frame(fit$scales, centre, as.numeric(fit$settings$intercept == "penalized"), move = move,
             threads = resolve_threads(fit$settings$control$threads))
}

loss_for_core <- function(loss) {
  list(loss = loss$name, parameter = as.numeric(loss$parameter[[1L]]))
}

# With a column for each class problem where it matters.
question_of_fit <- function(fit) {
  settings <- fit$settings
  classes <- seq_len(ncol(coef_matrix(fit)))
  has <- has_intercept(fit)
  coefficients <- unname(coef_matrix(fit)) / unit_of(fit)
  w <- (if (has) coefficients[-1L, , drop = FALSE] else coefficients) * unname(fit$scales)
  if (settings$intercept == "penalized") w <- rbind(w, coefficients[1L, ])
  c(loss_for_core(family_loss_of(fit)), responses_of_fit(fit),
    list(free = settings$intercept == "free", w = w,
         b = if (has) coefficients[1L, ] else numeric(length(classes)),
         dual = if (!is.null(fit$dual)) unname(as.matrix(fit$dual))),
    family_question(fit))
}

# The response of each class problem, a column each, and the weights of all.
responses_of_fit <- function(fit) {
  omega <- unname(fit$weights)
  class_weights <- fit$settings$class_weights
  if (!is.null(class_weights)) omega <- omega * unname(class_weights)[as.integer(fit$response)]
  y <- vapply(seq_len(ncol(coef_matrix(fit))), problem_response, numeric(length(omega)), fit = fit)
  list(y = matrix(y, length(omega)), omega = omega)
}

# The response as the core had it: -1 and 1 in a classification, else in units of its spread.
problem_response <- function(fit, k) {
  if (fit$task == "regression") {
    return(unname(fit$response) / unit_of(fit))
  }
  codes <- as.integer(fit$response)
  if (length(fit$levels) == 2L) 2 * codes - 3 else ifelse(codes == k, 1, -1)
}

family_question <- function(fit) {
  settings <- fit$settings
  table <- fit$certificate
  if (inherits(fit, "margin_robust")) {
    return(list(family = "robust", norm = settings$norm, radius = settings$radius,
                cost = settings$label_cost, ridge = settings$ridge, value = table$value,
                gap = table$gap,
                flip = if (!is.null(fit$dual_flip)) unname(as.matrix(fit$dual_flip))))
  }
  if (inherits(fit, "margin_hard")) {
    return(list(family = "hard", gap = table$gap, bound = table$bound))
  }
  list(family = "penalised", l1 = settings$lambda * settings$mixture,
       mu = settings$lambda * (1 - settings$mixture))
}

family_loss_of <- function(fit) {
  if (is.null(fit$settings$loss)) as_loss("hinge") else fit$settings$loss
}

# ---- The roots of Hessians, which only other rows are asked with ----

# They are the most of what is known: each is kept once, in `metrics`, since class problems of the
# same curvature have one, or not at all.
with_metrics <- function(certain, compact) {
  metrics <- list()
  numbered <- function(known) {
    root <- known$ellipsoid$root
    if (is.null(root)) {
      return(known)
    }
    place <- Position(function(one) identical(one, root), metrics, nomatch = length(metrics) + 1L)
    metrics[[place]] <<- root
    known$ellipsoid$root <- NULL
    known$ellipsoid$metric <- place
    known
  }
  certain$problems <- lapply(certain$problems, numbered)
  if (!is.null(certain$joint)) certain$joint <- numbered(certain$joint)
  certain$metrics <- if (!compact) metrics
  certain
}

# What the core is given back.
with_root <- function(known, metrics) {
  place <- known$ellipsoid$metric
  if (!is.null(place)) known$ellipsoid$root <- metrics[[place]]
  known
}

known_problems <- function(certain) lapply(certain$problems, with_root, certain$metrics)

# What is known with a Hessian whose root is elsewhere.
numbered_metrics <- function(certain) {
  known <- c(as.list(certain$problems), list(certain$joint))
  Filter(function(one) is.list(one) && is.list(one$ellipsoid) && !is.null(one$ellipsoid$metric),
         known)
}
is_compact <- function(certain) is.null(certain$metrics) && length(numbered_metrics(certain)) > 0L

# Intervals of other rows. again: the rows of the fit, to decide what is left open, by so many
# refits.
certain_intervals <- function(certain, x, again = NULL, refits = 0) {
  fit <- certain$fit
  if (inherits(fit, c("margin_kernel", "margin_oneclass"))) {
    return(in_vectors(kernel_intervals(certain, x, again, refits)))
  }
  frame <- frame_of_fit(fit, certain$centre)
  known <- known_problems(certain)
  # the same regions a second time say more with a free intercept, and of classes, alone
  sharp <- fit$settings$intercept == "free" && fit$task != "regression"
  if (is.null(again) || !(sharp || refits > 0)) {
    return(in_vectors(in_core(certain_rows_cpp(in_core_form(x), frame, known, NULL))))
  }
  asked <- list(frame = frame, problem = question_of_fit(fit),
                further = further_of_fit(fit, refits))
  in_vectors(with_rows_again(certain_rows_cpp, certain_rows_file_cpp, x, frame, known, again,
                             asked))
}

# Once more with the rows of the fit, in memory or in a file.
with_rows_again <- function(in_memory, in_file, x, frame, known, again, asked) {
  if (is_rows(again)) {
    asked$rows <- rows_of_core(again)
    found <- in_core(in_file(in_core_form(x), frame, known, asked))
    return(from_rows_file(found, "data"))
  }
  asked$x <- in_core_form(again)
  in_core(in_memory(in_core_form(x), frame, known, asked))
}

# How the problems of a fit are solved further in the core, `refits` times at most.
further_of_fit <- function(fit, refits) {
  gap <- fit$certificate$relative_gap
  list(call = list(intercept = if (fit$settings$intercept == "free") "free" else "none"),
       control = refit_control(fit, family_name(fit)), refits = refits,
       gap = if (all(is.finite(gap))) max(gap) else 1, regression = fit$task == "regression")
}

# Ends of one class problem are vectors.
in_vectors <- function(ends) lapply(ends, function(end) if (ncol(end) == 1L) end[, 1L] else end)
