# One case of the campaign: its fits are made, judged and set against one another.

constructor_of <- function(family) {
  switch(family, linear = margin_linear, kernel = margin_kernel, robust = margin_robust,
         hard = margin_hard, augmented = margin_augmented)
}

# A fit with what it signalled: list(fit, error, warned, seconds).
watched <- function(code) {
  warned <- data.frame(class = character(), message = character())
  started <- proc.time()[["elapsed"]]
  error <- NULL
  fit <- withCallingHandlers(
    tryCatch(code, error = function(e) {
      error <<- e
      NULL
    }),
    warning = function(w) {
      known <- inherits(w, "dualmargin_not_certified")
      warned[nrow(warned) + 1L, ] <<- list(if (known) "dualmargin_not_certified" else "other",
                                           conditionMessage(w))
      invokeRestart("muffleWarning")
    },
    dualmargin_message = function(m) invokeRestart("muffleMessage")
  )
  list(fit = fit, error = error, warned = warned,
       seconds = proc.time()[["elapsed"]] - started)
}

# Did the clock end it, as on a busy machine it may? The reason that is told may be another one.
by_clock <- function(run, args) {
  any(run$fit$status$status == "max_seconds") || run$seconds >= 0.9 * args$control$max_seconds
}

fit_case <- function(case, x, args = case$args) {
  watched(do.call(constructor_of(case$family), c(list(x, case$y), args)))
}

# The smallest eigenvalue of a kernel matrix in the unit of its rows.
least_eigenvalue <- function(K) {
  s <- sqrt(pmax(diag(K), 1e-14 * max(diag(K), 0)))
  if (any(diag(K) < 0)) return(-1)
  if (all(s == 0)) return(0)
  H <- K / outer(s, s)
  H[!is.finite(H)] <- 0
  min(eigen((H + t(H)) / 2, symmetric = TRUE, only.values = TRUE)$values)
}

# What was checked as a whole is positive semidefinite up to what the bound allows for.
check_semidefinite <- function(fit, x) {
  kernel <- fit$settings$kernel
  if (is.null(kernel) || !kernel$name %in% c("precomputed", "evaluated") ||
        any(fit$certificate$assumes != "")) {
    return(character())
  }
  least <- least_eigenvalue(exact_kernel(fit, x, rep(TRUE, nrow(x)))$h)
  if (least < -2.5e-8) wrong("INDEFINITE KERNEL CERTIFIED", least = least) else character()
}

# An indefinite kernel is refused, and one that is not is not.
refused_as_indefinite <- function(error, case, x) {
  if (!grepl("not positive semidefinite", conditionMessage(error), fixed = TRUE)) {
    return(FALSE)
  }
  kernel <- case$args$kernel
  if (is.function(kernel)) {
    return(kernel(1, -10) < 0)
  }
  if (!inherits(kernel, "kernel_function")) {
    return(FALSE)
  }
  # without a factorisation nothing is allowed for, and a negative square that is seen is refused
  least_eigenvalue(x) < -(if (identical(kernel$check, "none")) 8 * nrow(x) * eps else 1e-9)
}

# A refusal of the user's own making, which the campaign cannot avoid.
allowed_refusal <- function(error, case, x) {
  refused_as_indefinite(error, case, x) || (inherits(error, "dualmargin_input_error") &&
    ((case$row$large_lambda && identical(error$arg, "lambda")) ||
       grepl("half of the residuals are 0", conditionMessage(error), fixed = TRUE) ||
       identical(error$arg, "mixup") || identical(error$arg, "nystrom"))) ||
    # a step of fixed length, and a proximal term that was made weaker, may be wrong for the data
    (inherits(error, "dualmargin_numerical_error") &&
       ((case$row$name == "sgd" && case$family == "kernel") ||
          isTRUE(case$args$control$solver_options$strength < 1)))
}

# Numbers that nothing here should carry out of range.
ordinary <- function(case) {
  size <- abs(c(case$x, if (is.numeric(case$y)) unclass(case$y), case$args$weights))
  lambda <- case$args$lambda
  max(size) < 1e17 && all(size == 0 | size > 1e-17) && (is.null(lambda) || lambda > 1e-12)
}

check_error <- function(error, case, x) {
  if (!inherits(error, "dualmargin_error")) {
    return(paste("UNCLASSED ERROR:", conditionMessage(error)))
  }
  if (allowed_refusal(error, case, x)) {
    return(character())
  }
  if (ordinary(case)) {
    return(paste("error on ordinary data:", conditionMessage(error)))
  }
  character()
}

# Judged: list(found, counts, points), points a list for each class problem of upper (for a maximum
# lower) bounds of the optimum.
judge_fit <- function(case, run, x) {
  fit <- run$fit
  if (is.null(fit)) {
    return(list(found = check_error(run$error, case, x), outcome = "refused", points = NULL))
  }
  words <- c(check_words(fit, run$warned), check_fixed_point(fit))
  size <- if (case$family == "linear") huber_scale(fit)
  # without a check an indefinite kernel has no optimum that a bound could be judged by
  if (any(fit$certificate$assumes != "") && least_eigenvalue(x) < -1e-13) {
    return(list(found = words, outcome = "assumed", points = NULL))
  }
  fit <- solved_fit(fit)
  judged <- switch(case$family, linear = judge_family_linear(fit, x, case),
                   kernel = judge_family_kernel(fit, x, case),
                   robust = judge_family_robust(fit, x, case),
                   hard = judge_family_hard(fit, x, case),
                   augmented = judge_family_augmented(fit, x, case))
  outcome <- if (any(fit$status$status == "not_separable")) "not separable" else
    if (all(fit$certificate$certified)) "certified" else "not certified"
  found <- c(words, judged$found, check_semidefinite(fit, x))
  list(found = c(found, check_predictions(fit, run, x, case)), outcome = outcome,
       points = judged$points, slacks = judged$slacks, fit = fit, size = size, seconds = run$seconds)
}

judge_family_linear <- function(fit, x, case) {
  if (is_joint(fit)) {
    return(judge_joint(fit, x))
  }
  found <- character()
  points <- list()
  slacks <- numeric()
  for (k in seq_along(judged <- judge_linear(fit, x))) {
    j <- judged[[k]]
    rivals <- linear_rivals(j$problem, fit_point(fit, k))
    found <- c(found, check_minimum(fit$certificate[k, ], fit$status$status[k], j),
               check_crossing(fit$certificate[k, ], fit$status$status[k], rivals, j$dual_slack))
    found <- c(found, check_trace(fit, k, j$primal + 8 * j$primal_slack, j$dual_slack))
    slacks[k] <- j$dual_slack
    points[[k]] <- c(own = j$primal + j$primal_slack, rivals)
  }
  list(found = found, points = points, slacks = slacks)
}

# predict() on the rows of the training gives the scores, and classes by their sign.
check_predictions <- function(fit, run, x, case) {
  if (!chance(0.25)) {
    return(character())
  }
  precomputed <- identical(fit$settings$kernel$name, "precomputed")
  given <- if (precomputed) x else case$given
  scores <- tryCatch(predict(fit, given, type = "score"), error = identity)
  if (inherits(scores, "error")) {
    return(paste("predict() fails:", conditionMessage(scores)))
  }
  found <- character()
  if (is.null(fit$settings$kernel)) {
    all <- as.matrix(fit$coefficients)
    has <- has_intercept(fit)
    size <- abs(x) %*% abs(if (has) all[-1L, , drop = FALSE] else all)
    if (has) size <- sweep(size, 2L, abs(all[1L, ]), `+`)
    off <- abs(unname(as.matrix(scores)) - unname(as.matrix(fit$scores)))
    # the fit may have seen the rows moved to their middle
    if (any(off > 1e3 * eps * max(size) + 1e-300)) {
      found <- wrong("scores are not those of predict()", by = max(off), size = max(size))
    }
  }
  if (fit$task == "classification" && is.null(dim(scores)) && length(fit$levels) == 2L) {
    class <- tryCatch(predict(fit, given, type = "class"), error = identity)
    if (inherits(class, "error")) {
      found <- c(found, paste("predict() fails:", conditionMessage(class)))
    } else if (any(as.integer(as.factor(class)) != 1L + (scores >= 0)) &&
                 length(unique(as.character(class))) == 2L) {
      found <- c(found, "class and sign of the score differ")
    }
  }
  found
}

# The same numbers again?
same_fit <- function(a, b) {
  fields <- c("coefficients", "scores", "dual")
  status <- c("status", "solver", "epochs", "steps")
  identical(a[fields], b[fields]) && identical(a$certificate, b$certificate) &&
    identical(a$status[status], b$status[status])
}

# All that is done with a case. A data frame of one row for each fit, with its violations.
run_case <- function(case, verbose = FALSE) {
  # small chunks, so that small problems have several
  old <- options(dualmargin.chunk_entries = 300)
  on.exit(options(old))
  x <- stored_as(case$x, case$storage)
  case$given <- x
  dense <- case$x + 0
  dimnames(dense) <- NULL
  copy <- unserialize(serialize(list(x, case$y, case$args$weights), NULL))
  rows <- list()
  tell <- function(what, judged) {
    rows[[length(rows) + 1L]] <<- list(what = what, outcome = judged$outcome,
                                       found = judged$found)
    if (verbose) tell_fit(what, judged)
  }
  args <- case$args
  if (identical(case$extra, "warm")) {
    before <- args
    strength <- intersect(c("radius", "lambda"), names(args))
    if (length(strength) > 0L) before[[strength[1L]]] <- args[[strength[1L]]] * 2
    before$control$max_epochs <- 3
    first <- fit_case(case, x, before)
    # each start is a fit, and judged as one
    judged <- judge_fit(utils::modifyList(case, list(args = before)), first, dense)
    tell("start", judged)
    # a mixed row is another one in the next fit
    if (!is.null(first$fit)) args$control$start <- first$fit
  }
  run <- fit_case(case, x, args)
  main <- judge_fit(case, run, dense)
  if (case$again && !is.null(run$fit) && !by_clock(run, args)) {
    # the number of threads changes nothing
    again <- args
    again$control$threads <- 1 + args$control$threads %% 3
    second <- fit_case(case, x, again)
    if (is.null(second$fit) || (!same_fit(run$fit, second$fit) && !by_clock(second, again))) {
      main$found <- c(main$found, "the same seed gives another fit")
    }
  }
  on_disk <- fit_on_disk(case, x, args, run)
  if (!is.null(on_disk)) tell("disk", on_disk)
  damaged <- damaged_checkpoint(case, x, args)
  if (!is.null(damaged)) tell("checkpoint", damaged)
  if (!identical(copy, list(x, case$y, case$args$weights))) {
    main$found <- c(main$found, "the user's objects were changed")
  }
  if (identical(case$extra, "other")) {
    other <- other_solver(case, x, dense)
    main$found <- c(main$found, cross(main, other$judged, case))
    other$judged$found <- c(other$judged$found, cross(other$judged, main, case))
    tell(other$name, other$judged)
  }
  if (identical(case$extra, "path") && !is.null(main$points)) {
    tell("path", judge_path(case, x, dense, main$fit, main))
  }
  if (case$independent <- chance(0.1) && !is.null(main$points)) {
    main$found <- c(main$found, check_independent(case, main$fit, dense))
  }
  tell(case$row$name, main)
  rows
}

# Bounds of one fit against the points of another of the same problem.
cross <- function(one, two, case) {
  found <- character()
  # several classes may be one problem or one for each class
  if (is.null(one$points) || length(one$points) != length(two$points) ||
        !identical(one$fit$multiclass, two$fit$multiclass) ||
        # Huber's delta counts residuals of another size: another problem
        !identical(one$size, two$size)) {
    return(found)
  }
  for (k in seq_along(one$points)) {
    row <- one$fit$certificate[k, ]
    found <- c(found, if (case$family == "hard") check_margin_crossing(row, two$points[[k]]) else
      check_crossing(row, one$fit$status$status[k], two$points[[k]],
                     max(0, one$slacks[k], na.rm = TRUE)))
  }
  found
}

other_solver <- function(case, x, dense) {
  args <- case$args
  rows <- Filter(function(row) {
    loss <- if (is.null(args$loss)) as_loss("hinge") else args$loss
    mixture <- if (is.null(args$mixture)) 0 else args$mixture
    row$family == case$family && !row$large_lambda && row$name != case$row$name &&
      solver_takes(row, loss, args$intercept, mixture) &&
      !(startsWith(row$name, "mixup_") && !tells_classes(case, loss)) && is.null(args$nystrom) &&
      !(row$closed_form && !has_closed_form(args$perturbation, loss)) &&
      !(row$dense_l1 && mixture > 0 && isS4(x))
  }, solver_rows())
  if (length(rows) == 0L) rows <- list(case$row)
  row <- one(rows)
  args$solver <- row$name
  args$control$solver_options <- list()
  args$control$max_epochs <- one(c(20, 200, 1000))
  case$row <- row
  list(name = paste("other:", row$name), judged = judge_fit(case, fit_case(case, x, args), dense))
}

tell_fit <- function(what, judged) {
  cat(sprintf("-- %s: %s", what, judged$outcome))
  if (!is.null(judged$seconds)) cat(sprintf(" (%.3f s)", judged$seconds))
  cat("\n")
  if (!is.null(judged$fit)) {
    print(judged$fit$certificate, digits = 12)
    print(judged$fit$status[c("status", "rounding_floor", "solver", "epochs")], digits = 6)
  }
  for (k in seq_along(judged$points)) {
    cat("   points:", paste(names(judged$points[[k]]), format(judged$points[[k]], digits = 12)),
        "\n")
  }
  for (text in judged$found) cat("   VIOLATION", text, "\n")
}

# The case that a number names, in words.
describe_case <- function(case) {
  args <- case$args
  shown <- vapply(args[setdiff(names(args), c("control", "weights"))], function(v) {
    if (is.function(v)) "a function" else if (is.numeric(v)) paste(format(v, digits = 8),
                                                                   collapse = " ") else
      tryCatch(format(v), error = function(e) class(v)[1L])[1L]
  }, "")
  control <- args$control
  cat(sprintf("seed %d: margin_%s(), %d x %d (%s), %s classes, extra: %s\n", case$seed,
              case$family, nrow(case$x), ncol(case$x), case$storage, case$k, case$extra))
  cat("  ", paste(names(shown), shown, sep = " = ", collapse = ", "), "\n")
  cat(sprintf("   weights: %s; tol %s, max_epochs %s, options: %s\n",
              if (is.null(args$weights)) "none" else paste(format(range(args$weights)),
                                                           collapse = " to "),
              if (is.null(control$tol)) "default" else format(control$tol),
              format(control$max_epochs),
              paste(names(control$solver_options), unlist(control$solver_options), sep = " = ",
                    collapse = ", ")))
  cat("   x: mean", format(mean(case$x), digits = 4), "range", format(range(case$x), digits = 4))
  if (is.numeric(case$y)) cat("; y: range", format(range(unclass(case$y)), digits = 8))
  cat("\n")
}

# One seed from its number to its rows; an error of the judge's own is one, too.
fuzz_seed <- function(seed, family = NULL, verbose = FALSE) {
  # by the number, so that the draws of older cases stay what they were
  if (if (is.null(family)) seed %% 16 == 3 else family %in% names(around_families)) {
    return(around_seed(seed, family, verbose))
  }
  if (identical(family, "strangers") || (is.null(family) && seed %% 8 == 1)) {
    return(strangers_seed(seed, verbose = verbose))
  }
  if (identical(family, "units") || (is.null(family) && seed %% 8 == 5)) {
    return(units_seed(seed, verbose = verbose))
  }
  case <- draw_case(seed, family)
  if (verbose) describe_case(case)
  rows <- tryCatch(run_case(case, verbose), error = function(e) {
    list(list(what = case$row$name, outcome = "refused",
              found = paste("JUDGE FAILED:", conditionMessage(e), "in",
                            paste(deparse(conditionCall(e))[1L], collapse = ""))))
  })
  list(seed = seed, family = case$family, solver = case$row$name, rows = rows)
}
