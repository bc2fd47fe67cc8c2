# What the methods of all fits ask of a kernel fit.

#' @exportS3Method
score_design.margin_kernel <- function(model, x, coefficients = scoring_coefficients(model)) {
  kernel_scores(model, x, coefficients)
}

#' @exportS3Method
score_design.margin_path_kernel <- score_design.margin_kernel

# coefficients: as scoring_coefficients() has them.
kernel_scores <- function(model, x, coefficients) {
  intercept <- if (has_intercept(model)) coefficients[1L, ] else numeric(ncol(coefficients))
  beta <- if (has_intercept(model)) coefficients[-1L, , drop = FALSE] else coefficients
  scores <- if (model$settings$kernel$name == "precomputed") {
    as.matrix(x[, model$support$at, drop = FALSE] %*% beta)
  } else {
    expand_rows(model, x, as.matrix(beta))
  }
  scores <- sweep(scores, 2L, intercept, `+`)
  dimnames(scores) <- list(rownames(x), colnames(coefficients))
  if (ncol(scores) == 1L) stats::setNames(drop(scores), rownames(x)) else scores
}

# May the rows move, since the coefficients of an affine kernel sum to zero?
rows_may_move <- function(fit) {
  kernel <- fit$settings$kernel
  affine <- kernel$name == "linear" || (kernel$name == "polynomial" && kernel$degree == 1)
  affine && fit$settings$intercept == "free" && !is_oneclass(fit) && is.null(fit$settings$nystrom) &&
    is.null(fit$center)
}

# sum_i beta_i k(x_i, x) for each row x, less a constant that the intercept of moved rows has. A
# block of rows at a time, since the expansion lies below them in one matrix.
expand_rows <- function(fit, x, beta) {
  scores <- matrix(0, nrow(x), ncol(beta))
  if (length(scores) == 0L || nrow(beta) == 0L) {
    return(scores)
  }
  kernel <- fit$settings$kernel
  support <- fit$support
  scales <- unname(fit$scales)
  moves <- rows_may_move(fit)
  centre <- if (!is.null(fit$origin)) fit$origin$center else
    if (is_isotropic(kernel) || moves) exact_centres(support$x)
  # as in src/border/kernel_store.h, where coefficients sum to zero
  if (moves && !is.null(fit$origin) && kernel$name == "polynomial") kernel$offset <- 0
  prepare <- function(rows) {
    if (!is.null(fit$center)) {
      # a function of the user's is given centred rows, which are dense
      return(centred_rows(if (kernel$name == "evaluated") as.matrix(rows) else rows,
                          unname(fit$center), scales))
    }
    list(x = scale_columns(subtract_columns(rows, centre), scales))
  }
  mixed <- if (any(support$share > 0)) support[c("first", "second", "share")]
  if (is_evaluated(kernel)) {
    own <- prepare(support$x)
    points <- kernel_points(kernel, if (is.null(mixed)) own$x else mixed_features(own$x, support),
                            own$rest)
    size <- as.integer(1e7 / nrow(beta))
    scores_of <- function(rows) {
      block <- prepare(rows)
      kernel_values(kernel, block$x, points, block$rest) %*% beta
    }
  } else {
    size <- max(nrow(support$x), as.integer(1e7 / max(ncol(x), 1L)))
    expand <- function(rows, count) {
      kernel_expansion(kernel, rows$x, count, beta, mixed, rows$rest, fit$settings$control$threads)
    }
    scores_of <- function(rows) expand(prepare(stack_rows(rows, support$x)), nrow(rows))
  }
  for (begin in seq(1L, nrow(x), by = max(1L, size))) {
    rows <- seq(begin, min(begin + max(1L, size) - 1L, nrow(x)))
    scores[rows, ] <- as.matrix(scores_of(x[rows, , drop = FALSE]))
  }
  if (!moves || !is.null(fit$origin)) {
    return(scores)
  }
  own <- prepare(support$x)$x
  sweep(scores, 2L, drop(expand(list(x = stack_rows(matrix(centre / scales, 1L), own)), 1L)), `+`)
}

#' @exportS3Method
describe_problem.margin_kernel <- function(fit, digits) {
  settings <- fit$settings
  c(kernel = format(settings$kernel),
    loss = format(settings$loss),
    penalty = sprintf("lambda = %s", format(settings$lambda, digits = digits)),
    "Nystrom" = if (is.null(settings$nystrom)) NA_character_ else
      paste0(as.integer(settings$nystrom), " landmarks in the place of all rows",
             if (!is.null(fit$landmarks)) {
               sprintf(", %s above the optimum of the whole kernel at most",
                       percent_words(utils::tail(fit$landmarks$proven, 1L)))
             }),
    mixup = if (is.null(settings$mixup)) NA_character_ else format(settings$mixup),
    support = describe_support(fit))
}

# Rows that mixup made are none of the data.
describe_support <- function(fit) {
  mixed <- sum(fit$support$at > NROW(fit$scores))
  own <- count(NROW(fit$support$at) - mixed, "support vector")
  if (mixed > 0L) sprintf("%s, and %s", own, count(mixed, "mixed row")) else own
}

#' @exportS3Method
problem_columns.margin_kernel <- function(fit) {
  data.frame(kernel = fit$settings$kernel$name, sigma = fit$settings$kernel$sigma,
             loss = loss_name(fit), lambda = fit$settings$lambda,
             mixed = if (is.null(fit$mixed)) 0L else nrow(fit$mixed))
}

# Coefficients are those of rows, which have no unit of a column.
#' @exportS3Method
slope_scales.margin_kernel <- function(fit) 1

# ---- summary() ----

# The largest coefficients are those of single rows: what matters is how many rows there are, how
# many sit at the bound of their dual variable, and what was kept in memory.
#' @exportS3Method
summary.margin_kernel <- function(object, ...) {
  assert_no_extra("summary()", ...)
  made <- NextMethod()
  summary_of_expansion(object, made)
}

# made: the summary that all fits have.
summary_of_expansion <- function(object, made) {
  made$support <- support_counts(object)
  made$bytes <- object$bytes
  made$model$support <- object$support["at"]
  structure(made, class = c("summary.margin_kernel", class(made)))
}

# Without the intercept.
kernel_coefficients <- function(fit) {
  beta <- coef_matrix(fit)
  if (has_intercept(fit)) beta[-1L, , drop = FALSE] else beta
}

#' @exportS3Method
print.summary.margin_kernel <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  model <- structure(x$model, class = c(x$family, "margin_fit"))
  model$weights <- rep(1:0, c(x$n, x$model$zero_weights))
  cat(describe_model(model, digits), sep = "\n")
  cat("\nSupport vectors\n")
  rows <- sprintf("%s of %s (%s %%)", format(x$support$rows, big.mark = ","),
                  format(x$support$of, big.mark = ","), format(100 * x$support$share, digits = 3))
  if (!is.null(x$support$mixed)) {
    rows <- sprintf("%s, and %s of %s", rows, format(x$support$mixed, big.mark = ","),
                    count(x$support$of_mixed[1L], "mixed row"))
  }
  cat(sprintf("  %s%s\n", ifelse(is.na(x$support$class), "", paste0(x$support$class, ": ")), rows),
      sep = "")
  cat(sprintf("  kernel values kept in memory: %s MB\n", format(x$bytes / 1e6, digits = 3)))
  print_performance(x$performance, digits)
  print_calibration(x$calibration)
  print_summary_end(x, model, digits)
  invisible(x)
}

describe_kernel_points <- function(path, number) {
  settings <- path$settings
  c(kernel = format(settings$kernel), loss = format(settings$loss),
    lambda = describe_range(path$lambda, length(path$lambda), number),
    mixup = if (is.null(settings$mixup)) NA_character_ else format(settings$mixup))
}

support_counts <- function(fit) {
  beta <- kernel_coefficients(fit)
  n <- sum(fit$weights > 0)
  counts <- function(rows) unname(colSums(beta[rows, , drop = FALSE] != 0))
  own <- fit$support$at <= NROW(fit$scores)
  table <- data.frame(class = if (is.null(problem_classes(fit))) NA_character_ else colnames(beta),
                      rows = counts(own), of = n, share = counts(own) / n)
  # rows that mixup made are none of the data
  if (NROW(fit$mixed) > 0L) {
    table <- cbind(table, mixed = counts(!own), of_mixed = nrow(fit$mixed))
  }
  table
}
