# How far a solution, of whatever package, is from the optimum of its own problem, and what the
# optimum decides otherwise (R/audit_ends.R, R/audit_rows.R). R/audit_<peer>.R writes a package's
# problem as one of ours; all that follows knows no package.

# ---- A problem and a solution of it, in plain R ----

# y: -1 and 1, numbers, or 1, 2, ... for one problem of all classes (`multiclass`), whose names are
# `levels`. unit: what a value is multiplied by to be the peer's. nu: of one class, whose scores have
# the constant -rho and whose problem has -rho beside loss and penalty.
audit_problem <- function(x, y, loss, lambda, mixture = 0, intercept = "free", weights = NULL,
                          scale = FALSE, penalty_factor = NULL, lower = NULL, upper = NULL,
                          offset = NULL, kernel = NULL, multiclass = NULL, levels = NULL,
                          unit = 1, nu = NULL) {
  n <- nrow(x)
  weights <- if (is.null(weights)) rep(1, n) else as.double(weights)
  list(x = x, y = y, loss = loss, lambda = lambda, mixture = mixture, intercept = intercept,
       weights = weights, scale = scale,
       scales = if (scale) column_frame(x, weights)$scale else rep(1, ncol(x)),
       penalty_factor = penalty_factor, lower = lower, upper = upper, offset = offset,
       kernel = kernel, multiclass = multiclass, levels = levels, unit = unit,
       nu = nu)
}

# The response as our functions take it.
coded_response <- function(problem) {
  if (is.null(problem$levels)) problem$y else
    factor(problem$levels[if (is.null(problem$multiclass)) (problem$y + 3) / 2 else problem$y],
           problem$levels)
}

# A column for each class where all share one problem.
losses_of_scores <- function(problem, z) {
  if (!is.null(problem$nu)) {
    return(pmax(-z, 0) / problem$nu)
  }
  if (is.null(problem$multiclass)) {
    row <- loss_list[[problem$loss$name]]
    number <- problem$loss$parameter[[1L]]
    if (problem$loss$name %in% c("squared", "absolute")) {
      size <- abs(z - problem$y)
      return(if (problem$loss$name == "squared") size^2 / 2 else size)
    }
    return(if (is.null(problem$levels)) row$value(problem$y - z, number, number) else
      row$margin(problem$y * z, number))
  }
  true <- cbind(seq_along(problem$y), problem$y)
  if (problem$multiclass == "crammer_singer") {
    return(row_largest(replace(z + 1, true, z[true])) - z[true])
  }
  top <- row_largest(z)
  top + log(rowSums(exp(z - top))) - z[true]
}

# Scores of a list of `w` and `b`, or of `points`, `coefficients` and `b`, with the columns `at` of
# the points where x has the values of a kernel, and what rounding can
# have done to each: |k(x, x')| is at most sqrt(k(x, x) k(x', x')).
solution_scores <- function(problem, solution, x, offset = NULL) {
  if (is.null(problem$kernel)) {
    sums <- over_rows(x, function(x) {
      cbind(as.matrix(x %*% solution$w), as.matrix(abs(x) %*% abs(solution$w)))
    })
    z <- sums[, seq_len(ncol(sums) / 2), drop = FALSE]
    size <- sums[, -seq_len(ncol(sums) / 2), drop = FALSE]
    share <- score_roundings(ncol(x))
  } else if (is_given(problem$kernel)) {
    values <- x[, solution$at, drop = FALSE]
    z <- values %*% solution$coefficients
    size <- abs(values) %*% abs(solution$coefficients)
    share <- score_roundings(ncol(values))
  } else {
    points <- solution$points
    z <- kernel_expansion(problem$kernel, stack_rows(x, points), nrow(x), solution$coefficients)
    roots <- function(rows) sqrt(kernel_diagonal(problem$kernel, rows))
    size <- roots(x) %o% colSums(roots(points) * abs(solution$coefficients))
    share <- roundings(nrow(points) + kernel_roundings(problem$kernel, x, points))
  }
  dimnames(z) <- NULL
  shift <- matrix(solution$b, nrow(z), ncol(z), byrow = TRUE) + if (is.null(offset)) 0 else offset
  list(z = z + shift, error = share * (unname(size) + abs(shift)))
}

# f of the rows, or of blocks of those in a file, one below another.
over_rows <- function(x, f) if (is_rows(x)) score_blocks(x, f) else f(x)

# Are the rows the values of a kernel?
is_given <- function(kernel) identical(kernel$name, "precomputed")

kernel_diagonal <- function(kernel, x) {
  if (is_given(kernel)) {
    return(diag(x))
  }
  squares <- Matrix::rowSums(x^2)
  switch(kernel$name, rbf = , laplace = rep(1, nrow(x)), linear = squares,
         polynomial = (kernel$scale * squares + kernel$offset)^kernel$degree)
}

# Of one value: its inner product, and what that does to exp() and powers.
kernel_roundings <- function(kernel, x, points) {
  largest <- max(0, Matrix::rowSums(x^2), Matrix::rowSums(points^2))
  products <- 2 * (ncol(x) + 4)
  products * switch(kernel$name, rbf = 1 + 4 * kernel$sigma * largest,
                    laplace = 1 + 4 * kernel$sigma * sqrt(largest),
                    polynomial = kernel$degree, 1) + 8
}

# The objective at a solution, from its definition. The losses are convex, so that a score within
# its error changes one by no more than the worse end does.
audit_value <- function(problem, solution) {
  found <- solution_scores(problem, solution, problem$x, problem$offset)
  share <- problem$weights / sum(problem$weights)
  if (is.null(problem$multiclass)) {
    losses <- losses_of_scores(problem, found$z[, 1L])
    worse <- pmax(losses_of_scores(problem, (found$z + found$error)[, 1L]),
                  losses_of_scores(problem, (found$z - found$error)[, 1L])) - losses
  } else {
    losses <- losses_of_scores(problem, found$z)
    worse <- 2 * row_largest(found$error)
  }
  norms <- solution_norms(problem, solution)
  loss <- sum(share * losses)
  penalty <- problem$lambda * ((1 - problem$mixture) / 2 * norms$l2 + problem$mixture * norms$l1)
  constant <- if (is.null(problem$nu)) 0 else solution$b
  list(value = loss + penalty + constant, scores = found$z, penalty = penalty,
       rounding = sum(share * worse) + problem$lambda * norms$error +
         roundings(16 + length(solution$w)) * (loss + penalty + abs(constant)))
}

# What the penalty sees of a linear solution.
penalised_part <- function(problem, solution) {
  w <- as.matrix(solution$w) * problem$scales
  if (problem$intercept == "penalized") rbind(w, solution$b) else w
}

penalised_factors <- function(problem) {
  factor <- if (is.null(problem$penalty_factor)) rep(1, ncol(problem$x)) else problem$penalty_factor
  c(factor, if (problem$intercept == "penalized") 1)
}

solution_norms <- function(problem, solution) {
  if (is.null(problem$kernel)) {
    part <- penalised_part(problem, solution)
    factor <- penalised_factors(problem)
    return(list(l2 = sum(factor * part^2), l1 = sum(factor * abs(part)), error = 0))
  }
  slopes <- replace(solution, "b", list(0))
  points <- if (is_given(problem$kernel)) problem$x[solution$at, , drop = FALSE] else
    solution$points
  found <- solution_scores(problem, slopes, points)
  list(l2 = sum(solution$coefficients * found$z) +
         if (problem$intercept == "penalized") sum(solution$b^2) else 0, l1 = 0,
       error = sum(abs(solution$coefficients) * found$error))
}

# ---- Our fit of it ----

# From the solution that is judged, unless the user says from where.
solve_problem <- function(problem, control, solution = NULL) {
  if (is.null(control$tol)) control$tol <- audit_precision
  if (is.null(control$start)) control["start"] <- list(foreign_start(problem, solution))
  if (!is.null(problem$nu)) {
    return(quietly(margin_oneclass(problem$x, problem$nu, problem$kernel, scale = FALSE,
                                   control = control)))
  }
  loss <- problem$loss
  if (loss$name == "huber") loss$unit <- "response"
  arguments <- list(
    x = problem$x, y = coded_response(problem), loss = loss, lambda = problem$lambda,
    intercept = problem$intercept, scale = problem$scale, weights = problem$weights,
    control = control, response_scale = FALSE
  )
  joint <- problem$multiclass
  arguments$multiclass <- if (is.null(joint)) "one_vs_rest" else joint
  if (!is.null(problem$kernel)) {
    inner <- problem$kernel$name %in% c("polynomial", "linear")
    arguments <- c(arguments, list(kernel = problem$kernel, center = if (inner) FALSE))
    return(quietly(do.call(margin_kernel, arguments, quote = TRUE)))
  }
  if (is_rows(problem$x)) arguments[c("y", "weights")] <- NULL
  terms <- problem[c("mixture", "penalty_factor", "lower", "upper", "offset")]
  arguments <- c(arguments, terms[lengths(terms) > 0L])
  quietly(do.call(margin_linear, arguments, quote = TRUE))
}

# Coefficients, and the dual point of a support vector machine, b_i = -omega_i a_i / (lambda W), in
# the slopes that its loss has. NULL: nothing is known that a solve can start from.
foreign_start <- function(problem, solution) {
  at <- solution$at
  if (!is.null(problem$nu) || is.null(solution$w) && is.null(at)) {
    return(NULL)
  }
  dual <- if (!is.null(at)) {
    beta <- if (is.null(solution$w)) solution$coefficients else solution$alphas
    a <- -problem$lambda * sum(problem$weights) * beta / problem$weights[at]
    as.matrix(replace(numeric(nrow(problem$x)), at, pmin(pmax(a, -1), 1)))
  }
  structure(list(coefficients = if (!is.null(solution$w)) unname(as.matrix(solution$w)),
                 intercept = solution$b, dual = dual), class = "foreign_start")
}

# Where our own solve stops: part of the interval of the excess.
audit_precision <- 1e-8

solution_of_fit <- function(fit) {
  # of landmarks, which stand for themselves
  if (!is.null(fit$solution)) {
    return(fit$solution)
  }
  coefficients <- coef_matrix(fit)
  constant <- has_intercept(fit)
  slopes <- unname(if (constant) coefficients[-1L, , drop = FALSE] else coefficients)
  b <- if (constant) unname(coefficients[1L, ]) else numeric(ncol(coefficients))
  if (!has_kernel(fit)) {
    return(list(w = slopes, b = b))
  }
  list(points = fit$support$x, at = fit$support$at, coefficients = slopes, b = b)
}

# ---- The excess ----

# P - P* lies between P - r - P(ours) and P + r - D, where D counts the rounding of its own sums.
# solution$dual: the value of the peer's own dual point, in the unit of the problem.
audit_excess <- function(problem, solution, control,
                         fit = solve_problem(problem, control, solution)) {
  theirs <- audit_value(problem, solution)
  ours <- solution_of_fit(fit)
  best <- audit_value(problem, ours)
  stated <- worst_certificate(fit$certificate)
  assert_same_value(stated$value, best)
  # losses and penalties are at least 0
  least <- if (is.null(problem$nu)) 0 else -Inf
  bound <- max(min(stated$bound, stated$value - stated$gap), least, na.rm = TRUE)
  reached <- min(best$value + best$rounding, theirs$value + theirs$rounding)
  to <- max(theirs$value + theirs$rounding - bound, 0)
  short <- if (is.null(solution$dual)) NA_real_ else max(reached - solution$dual, 0)
  list(
    fit = fit, slack = reached - bound, scores = theirs$scores,
    near = solution_distance(problem, solution, ours, to, short, reached - bound),
    row = data.frame(
      value = theirs$value, bound = bound, from = max(theirs$value - theirs$rounding - reached, 0),
      to = to, dual_short = short, rounding = theirs$rounding
    ) * problem$unit,
    relative = if (to > 0) to / max(abs(c(theirs$value, bound))) else 0
  )
}

# The core's value and that of plain R are two readings of one problem: if they differ, what is
# audited is not what was solved.
assert_same_value <- function(stated, best) {
  if (!isTRUE(abs(stated - best$value) <= 1e-9 * abs(stated) + 2 * best$rounding)) {
    stop(structure(
      class = c("dualmargin_numerical_error", "dualmargin_error", "error", "condition"),
      list(message = sprintf(paste(
        "The objective at our own fit is %s by its certificate and %s by its definition; the audit",
        "is not of the problem that was solved. Rescale the columns; if that does not help, please",
        "report it."
      ), format(stated, digits = 8), format(best$value, digits = 8)), call = NULL)
    ))
  }
}

# How far the solution is from the optimum, in the norm of the penalty, at most: from the primal
# excess, from the peer's own dual point, and over our fit. NA: nothing bounds it.
solution_distance <- function(problem, solution, ours, to, short, slack) {
  strength <- problem$lambda * (1 - problem$mixture)
  linear <- is.null(problem$kernel)
  factor <- if (linear) penalised_factors(problem) else 1
  if (strength == 0 || any(factor == 0)) {
    return(list(distance = NA_real_, size = NA_real_))
  }
  of_gap <- function(gap) sqrt(2 * gap / strength)
  length_of <- function(part) sqrt(sum(factor * part^2))
  own <- if (linear) penalised_part(problem, ours)
  direct <- if (linear) length_of(penalised_part(problem, solution) - own) + of_gap(slack)
  list(distance = min(of_gap(to), of_gap(short), direct, na.rm = TRUE),
       size = if (linear) length_of(own) else sqrt(solution_norms(problem, ours)$l2))
}
