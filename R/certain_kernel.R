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

# In order: the rows, one block of them or two, what is asked, threads.
ask_kernel <- function(entry, fit, frames, ...) {
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
                      TRUE, fit$task != "regression")
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
  open <- which(!decide(drop(ends$lower), drop(ends$upper))$decided)
  if (length(open) > 0L) {
    sharp <- ask_kernel(certain_kernel_around_cpp, fit, list(rows_of_frame(frame, open), trained),
                        regions, question)
    ends$lower[open, ] <- pmax(ends$lower[open, , drop = FALSE], sharp$lower)
    ends$upper[open, ] <- pmin(ends$upper[open, , drop = FALSE], sharp$upper)
  }
  ends
}

rows_of_frame <- function(frame, some) {
  list(x = frame$x[some, , drop = FALSE], rest = frame$rest)
}

# Intervals of other rows, as certain_intervals().
kernel_intervals <- function(certain, x, again, refits) {
  fit <- certain$fit
  frame <- kernel_frame(fit, x)
  ends <- kernel_region_ends(fit, certain$problems, frame, kernel_frame(fit, fit$support$x))
  if (is.null(again)) {
    return(ends)
  }
  question <- question_of_kernel(fit)
  trained <- kernel_frame(fit, again)
  if (refits > 0) ends <- kernel_refits(fit, frame, ends, question, trained, refits)
  kernel_sharpened(fit, certain$problems, frame, ends, question, trained)
}

# What is open, once the problems of the fit are solved further.
kernel_refits <- function(fit, frame, ends, question, trained, refits) {
  further <- further_of_fit(fit, refits)
  open <- if (further$regression) {
    seq_len(nrow(ends$lower))
  } else {
    which(!decide(drop(ends$lower), drop(ends$upper))$decided)
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
