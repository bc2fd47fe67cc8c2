# margin_cv(prove = TRUE): the penalty with the smallest cross-validated error of a whole range,
# proven.

# beside: what is given and no part of what is proven.
assert_provable <- function(family, beside) {
  if (family != "linear") {
    abort_input(sprintf("`family` is \"%s\", but prove = TRUE is for \"linear\".", family), "family")
  }
  beside <- names(beside)[!vapply(beside, is.null, NA)]
  if (length(beside) > 0L) {
    abort_input(sprintf(paste(
      "`%s` is given beside prove = TRUE, which proves the misclassification error of a range of",
      "`lambda`; leave one of them out."
    ), beside[1L]), beside[1L])
  }
}

# given: arguments of the fits; own, elsewhere: other names that are known.
tune_plan <- function(grid, eps, max_points, given, own, elsewhere) {
  caller <- "margin_cv(prove = TRUE)"
  chosen <- intersect(c("lambda", "cost", "C"), names(given))
  if (length(chosen) > 0L) {
    abort_input(sprintf(paste(
      "`%s` is what %s chooses; give the ends of its range, grid = list(lambda = c(lowest,",
      "highest))."
    ), chosen[1L], caller), chosen[1L])
  }
  defaults <- list(loss = NULL, intercept = "free", scale = TRUE, class_weights = NULL,
                   control = margin_control())
  stray <- if (is.null(names(given))) given else given[!names(given) %in% names(defaults)]
  assert_nothing_left(stray, c(own, names(defaults)), elsewhere, caller)
  given <- replace(defaults, names(given), given)
  assert_number(eps, "eps", lower = 0, upper = 1, open = FALSE,
                remedy = "a share of the rows, as 0.01")
  assert_number(max_points, "max_points", lower = 1, whole = TRUE,
                remedy = "the default is 200")
  assert_count(max_points, most_points, "max_points", "points")
  refuse_checkpoint(given$control, caller)
  refuse_ranks(given$control, caller)
  settings <- linear_settings(given$loss, NULL, 0, given$intercept, given$scale,
                              given$class_weights, "auto", given$control, NULL)
  settings$tol <- if (is.null(given$control$tol)) 1e-10 else given$control$tol
  list(range = proven_range(grid), eps = eps, max_points = max_points, settings = settings)
}

proven_range <- function(grid) {
  if (is.null(grid)) {
    return(c(1e-4, 1))
  }
  if (!is.list(grid) || !identical(names(grid), "lambda") || length(grid$lambda) != 2L) {
    abort_input(sprintf(paste(
      "`grid` is %s, but of prove = TRUE must be the two ends of a range of lambda,",
      "list(lambda = c(lowest, highest))."
    ), show_value(grid)), "grid")
  }
  assert_values(grid$lambda, "grid", function(v) v > 0, "positive finite numbers")
  assert_size_of(grid$lambda, "grid")
  sort(as.double(grid$lambda))
}

fit_tune <- function(task, plan, folds, repeats, seed, call) {
  assert_seed(seed)
  naming_response(task$response_name, assert_tunable(task, plan$settings))
  with_seed(resolve_seed(seed), {
    resamples <- as_resamples(folds, repeats, strata_of(task), NULL, task$rows, task$given)
    assert_resamples(resamples, task$response)
    search <- tune_search(task, plan, resamples)
    seed <- sample.int(.Machine$integer.max, 1L)
  })
  tune <- new_margin_tune(search, plan, resamples, task, call)
  settings <- plan$settings
  arguments <- settings[c("loss", "intercept", "scale", "class_weights", "control")]
  if (is.null(arguments$loss)) arguments$loss <- task_loss(task$task)
  tune <- with_chosen_fit(tune, task, "linear", arguments, list(lambda = tune$lambda), seed)
  tune$fit <- marked_tuned(tune$fit, "lambda", list())
  signal_tune(tune)
}

assert_tunable <- function(task, settings) {
  if (task$task == "regression") {
    abort_input(paste("`y` is numeric, but prove = TRUE proves the error of a classification; use",
                      "factor(y) if these are classes, or a grid without it."), "y")
  }
  loss <- if (is.null(settings$loss)) "logistic" else settings$loss$name
  if (length(task$levels) > 2L) {
    return(assert_jointly_tunable(task, settings, loss))
  }
  if (settings$intercept == "free" && !loss %in% c("logistic", "squared")) {
    abort_input(sprintf(paste(
      "`intercept` is \"free\", but the %s loss has bounds without a free intercept only; give",
      "intercept = \"penalized\", or loss = \"logistic\"."
    ), loss), "intercept")
  }
  if (settings$intercept == "free" && ncol(task$x) + 1L > most_hessian_columns) {
    abort_input(sprintf(paste(
      "`intercept` is \"free\", but with more than %s columns the bounds are those without one;",
      "give intercept = \"penalized\"."
    ), grouped(most_hessian_columns)), "intercept")
  }
}

# Several classes: one multinomial model.
assert_jointly_tunable <- function(task, settings, loss) {
  k <- length(task$levels)
  if (loss != joint_models()$softmax$loss) {
    abort_input(sprintf(paste(
      "`loss` is \"%s\", but prove = TRUE proves the error of several classes for loss",
      "\"logistic\", one multinomial model; use that, or a grid without it."
    ), loss), "loss")
  }
  size <- k * (ncol(task$x) + (settings$intercept != "none"))
  if (size > largest_joint_hessian) {
    abort_input(sprintf(paste(
      "`y` has %d classes and `x` %s, together %s coefficients; prove = TRUE takes at most %s",
      "of several classes. Use a grid without it."
    ), k, count(ncol(task$x), "column"), grouped(size),
    grouped(largest_joint_hessian)), "y")
  }
}

# The one call: all fits to all folds, and what they prove of the rows held out. See src/along.cpp.
tune_search <- function(task, plan, resamples) {
  design <- new_design(task$x, task$response, task$weights, "matrix", NULL)
  plain <- plan$settings
  plain["class_weights"] <- list(NULL)
  settings <- prepare_problem(design, plain)$settings
  folds <- lapply(resamples, function(one) {
    list(omega = fold_weights(task, one$train, plan$settings), test = one$test)
  })
  k <- length(task$levels)
  codes <- as.integer(task$response)
  problem <- list(loss = settings$loss$name, parameter = settings$loss$parameter,
                  from = plan$range[1L], to = plan$range[2L], eps = plan$eps,
                  most = plan$max_points, intercept = settings$intercept, scale = settings$scale,
                  n_classes = if (k > 2L) k else 1)
  weights <- weights_of(task, seq_along(codes))
  control <- core_control(settings, NULL)
  in_core(tune_search_cpp(in_core_form(task$x), if (k > 2L) codes else 2 * codes - 3, weights, folds,
                          problem, control))
}

# What each row counts in the fits of a fold: nothing where it is not trained on.
fold_weights <- function(task, train, settings) {
  response <- task$response[train]
  coded <- list(response = response, levels = task$levels, task = task$task)
  weights <- weights_of(task, train)
  assert_weighted_classes(coded, weights, "weights")
  of_class <- resolve_class_weights(settings$class_weights, coded, weights)
  omega <- numeric(length(task$response))
  omega[train] <- if (is.null(of_class)) weights else
    weights * unname(of_class)[as.integer(response)]
  if (!is.null(of_class)) assert_total_weight(omega[train], "class_weights")
  omega
}

# Up to so many columns a Hessian is factored, see src/decide/smooth_chord.h.
most_hessian_columns <- 2000L

# What a search for the best penalty has found and proven.

new_margin_tune <- function(search, plan, resamples, task, call) {
  total <- search$total
  points <- data.frame(lambda = search$lambda, lower = search$lower / total,
                       upper = search$upper / total, undecided = search$undecided)
  bound <- do.call(rbind, lapply(search$intervals, bound_table, total = total))
  # as given, not exp(log()) of it
  bound$from[1L] <- plan$range[1L]
  bound$to[nrow(bound)] <- plan$range[2L]
  best <- max(which(points$upper == min(points$upper)))
  least <- min(vapply(search$intervals, `[[`, 0, "lowest") / total, points$upper[best])
  error <- points[best, c("lower", "upper")]
  tiny <- 1e-12
  near <- unlist(lapply(search$intervals, function(one) {
    low <- which(one$bound <= (error$upper + tiny) * total)
    one$positions[c(low, low + 1L)]
  }))
  new_object(list(
    lambda = search$lambda[best], error = unlist(error), least = least,
    proven = error$upper - least <= plan$eps + tiny, among = exp(range(near)),
    points = points, bound = bound, ended = search$ended, eps = plan$eps,
    range = plan$range, weighted = !is.null(task$weights),
    settings = recorded_settings(plan$settings), levels = task$levels, nobs = number_of_rows(task),
    taken = task$design$taken,
    folds = lapply(resamples, function(one) {
      list(repetition = one$repetition, fold = one$fold, test = task$rows[one$test])
    }),
    call = compact_call(call)
  ), "margin_tune")
}

# Steps of one interval, those of equal height in one, without single points.
bound_table <- function(steps, total) {
  wide <- diff(steps$positions) > 0
  height <- steps$bound
  runs <- cumsum(c(TRUE, diff(height[wide]) != 0))
  from <- steps$positions[-length(steps$positions)][wide]
  to <- steps$positions[-1L][wide]
  first <- !duplicated(runs)
  last <- !duplicated(runs, fromLast = TRUE)
  data.frame(from = exp(from[first]), to = exp(to[last]), lower = height[wide][first] / total)
}

signal_tune <- function(tune) {
  if (!tune$proven) {
    warning(structure(
      class = c("dualmargin_not_certified", "warning", "condition"),
      list(message = sprintf(paste(
        "Not proven within eps = %s: the error of the best lambda, %s, is within %s of the",
        "smallest of the range. %s"
      ), format(tune$eps), format(tune$error[["upper"]], digits = 4),
      format(tune$error[["upper"]] - tune$least, digits = 3), tune_remedy(tune)), call = NULL,
      lambda = tune$lambda, remaining = tune$error[["upper"]] - tune$least)
    ))
  }
  tune
}

tune_remedy <- function(tune) {
  if (tune$error[["upper"]] - tune$error[["lower"]] > tune$eps) {
    return("Decision values of 0, up to the tolerance of the fits, decide no class.")
  }
  if (tune$ended == "points") "Give a larger max_points, a larger eps or a narrower range." else
    "Rows change sides closer to one another than rounding resolves; give a larger eps."
}

# What is read from a proven search, and its picture.

#' @exportS3Method
print.margin_tune <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  assert_tune(x, "x")
  number <- function(value) format(value, digits = digits)
  cat(fold_lines(c(
    sprintf("<margin_tune> %s loss, %s, %s, lambda from %s to %s",
            if (is.null(x$settings$loss)) "logistic" else format(x$settings$loss),
            count(x$nobs, "row"), count(length(x$folds), "fold"), number(x$range[1L]),
            number(x$range[2L])),
    sprintf("best lambda %s: cross-validated error %s", number(x$lambda),
            describe_error(x, number)),
    describe_proof(x, number),
    describe_ties(x, number),
    sprintf("fitted at %s of lambda, %s", count(nrow(x$points), "value"),
            count(nrow(x$points) * length(x$folds), "fit"))
  )), sep = "\n")
  invisible(x)
}

# Shares, and where rows count alike their number.
describe_error <- function(tune, number) {
  ends <- unname(tune$error)
  rows <- sum(lengths(lapply(tune$folds, `[[`, "test"))) # of all repetitions
  counted <- function(share) format(round(share * rows))
  if (ends[1L] == ends[2L]) {
    return(paste0(number(ends[1L]), if (!tune$weighted) sprintf(" (%s of %s rows)",
                                                                 counted(ends[1L]), rows)))
  }
  sprintf("between %s and %s (%s at the tolerance of the fits)", number(ends[1L]),
          number(ends[2L]), count(tune$points$undecided[tune$points$lambda == tune$lambda][1L],
                                  "undecided row"))
}

describe_proof <- function(tune, number) {
  range <- sprintf("between %s and %s", number(tune$range[1L]), number(tune$range[2L]))
  remaining <- max(0, tune$error[["upper"]] - tune$least)
  if (remaining <= 1e-12) {
    return(sprintf("proven: no penalty %s has a smaller cross-validated error", range))
  }
  left <- sprintf("no penalty %s has a cross-validated error below %s, %s less than the best's",
                  range, number(tune$least), number(remaining))
  if (tune$proven) {
    return(sprintf("proven within eps = %s: %s", number(tune$eps), left))
  }
  c(sprintf("NOT proven within eps = %s; %s", number(tune$eps), left), tune_remedy(tune))
}

describe_ties <- function(tune, number) {
  points <- tune$points
  equal <- points$lambda[points$upper == min(points$upper)]
  c(
    if (length(equal) > 1L) {
      sprintf("the same error at %d of the penalties fitted, the smallest %s", length(equal),
              number(min(equal)))
    },
    if (tune$among[2L] > tune$among[1L] * (1 + 1e-12)) {
      sprintf("only penalties from %s to %s may do as well", number(tune$among[1L]),
              number(tune$among[2L]))
    },
    if (any(tune$range %in% equal)) {
      ends <- c("smallest", "largest")[tune$range %in% equal]
      sprintf("the %s lambda of the range is %sbest: a better lambda may lie beyond it; %s",
              paste(ends, collapse = " and the "), if (length(equal) > 1L) "among the " else "the ",
              "widen the range")
    }
  )
}

#' @exportS3Method
as.data.frame.margin_tune <- function(x, row.names = NULL, optional = FALSE, ...) {
  assert_no_extra("as.data.frame()", ...)
  assert_tune(x, "x")
  x$points
}

#' @exportS3Method
tidy.margin_tune <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  assert_tune(x, "x")
  as_tibble_if_installed(x$points)
}

#' @exportS3Method
summary.margin_tune <- function(object, ...) {
  assert_no_extra("summary()", ...)
  assert_tune(object, "object")
  object$points
}

#' @exportS3Method
glance.margin_tune <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_tune(x, "x")
  as_tibble_if_installed(data.frame(
    lambda = x$lambda, error = x$error[["upper"]], least = x$least, proven = x$proven,
    from = x$among[1L], to = x$among[2L], points = nrow(x$points), folds = length(x$folds),
    nobs = x$nobs
  ))
}

#' @exportS3Method
refit.margin_tune <- function(object, data = NULL, ...) {
  assert_tune(object, "object")
  changes <- as.list(match.call(expand.dots = FALSE)$...)
  if (!is.null(data)) changes$data <- substitute(data)
  if (length(changes) == 0L) {
    return(object$fit)
  }
  fit <- fit_of_search(object, "linear", list(lambda = object$lambda), changes, parent.frame())
  marked_tuned(fit, "lambda", changes)
}

#' @exportS3Method
update.margin_tune <- function(object, formula., ..., evaluate = TRUE) {
  assert_tune(object, "object")
  values <- c(object$problem$arguments,
              list(grid = list(lambda = object$range), eps = object$eps))
  update_call(with_values(object$call, values), if (!missing(formula.)) formula.,
              match.call(expand.dots = FALSE)$..., evaluate, parent.frame(), object$taken)
}

# The error of a range of penalties and the bound below it.

#' @exportS3Method
plot.margin_tune <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  assert_tune(x, "x")
  points <- x$points
  bound <- x$bound
  axis <- falling_axis(points$lambda, column_units[["lambda"]])
  place <- function(lambda) -log10(lambda)
  theirs <- list(...)
  colours <- margin_colours(2L, theirs[["col"]])
  key <- c("error of a fit", "proven lower bound", "best lambda")
  old <- graphics::par(mar = c(4.6, 5.6, 2.5, 1) + 0.1, mgp = c(3.8, 0.9, 0))
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  low <- min(bound$lower, points$lower)
  low <- low - 0.05 * (max(points$upper) - low)
  high <- max(points$upper) + 0.03 * (max(points$upper) - low)
  draw(graphics::plot, list(
    x = path_limits(axis$along), y = c(low, high), type = "n", xaxt = "n", las = 1,
    xlab = axis$label, ylab = "cross-validated error (share of rows)", yaxs = "i",
    main = if (x$proven) sprintf("Best lambda %s, proven", format(x$lambda, digits = 4)) else
      sprintf("Best lambda %s, NOT proven within %s", format(x$lambda, digits = 4),
              format(x$eps))
  ), list(...))
  axis$draw()
  graphics::rect(place(bound$to), low, place(bound$from), bound$lower, border = NA,
                 col = grDevices::adjustcolor(colours[2L], 0.3))
  graphics::segments(place(bound$to), bound$lower, place(bound$from), bound$lower,
                     col = colours[2L], lwd = 2)
  graphics::segments(place(points$lambda), points$lower, place(points$lambda), points$upper,
                     col = colours[1L])
  graphics::points(place(points$lambda), points$upper, pch = 21, bg = colours[1L],
                   col = colours[1L], cex = 0.8)
  graphics::abline(v = place(x$lambda), lty = 2, col = "grey40")
  graphics::box()
  side_legend(room, key, col = c(colours, "grey40"), pt.bg = c(colours[1L], NA, NA),
              lty = c(NA, 1, 2), pch = c(21, NA, NA))
  invisible(bound)
}
