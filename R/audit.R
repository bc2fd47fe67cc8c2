# How far a solution, of whatever package, is from the optimum of its own problem, and what the
# optimum decides otherwise. R/audit_<peer>.R writes a package's
# problem as one of ours; all that follows knows no package.

# ---- A problem and a solution of it, in plain R ----

# y: -1 and 1, numbers, or 1, 2, ... for one problem of all classes (`multiclass`), whose names are
# `levels`. unit: what a value is multiplied by to be the peer's. nu: of one class, whose scores have
# the constant -rho and whose problem has -rho beside loss and penalty. ranks: which have more of its
# rows; sums over rows and what is largest of them are then those of all, the same on each.
audit_problem <- function(x, y, loss, lambda, mixture = 0, intercept = "free", weights = NULL,
                          scale = FALSE, penalty_factor = NULL, lower = NULL, upper = NULL,
                          offset = NULL, kernel = NULL, multiclass = NULL, levels = NULL,
                          unit = 1, nu = NULL, ranks = NULL) {
  n <- nrow(x)
  weights <- if (is.null(weights)) rep(1, n) else as.double(weights)
  list(x = x, y = y, loss = loss, lambda = lambda, mixture = mixture, intercept = intercept,
       weights = weights, total = total_over(ranks, sum(weights)), ranks = ranks, scale = scale,
       scales = if (scale) frame_of_ranks(ranks, x, weights)$scale else rep(1, ncol(x)),
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
  share <- problem$weights / problem$total
  if (is.null(problem$multiclass)) {
    losses <- losses_of_scores(problem, found$z[, 1L])
    worse <- pmax(losses_of_scores(problem, (found$z + found$error)[, 1L]),
                  losses_of_scores(problem, (found$z - found$error)[, 1L])) - losses
  } else {
    losses <- losses_of_scores(problem, found$z)
    worse <- 2 * row_largest(found$error)
  }
  norms <- solution_norms(problem, solution)
  sums <- total_over(problem$ranks, c(sum(share * losses), sum(share * worse)))
  loss <- sums[1L]
  penalty <- problem$lambda * ((1 - problem$mixture) / 2 * norms$l2 + problem$mixture * norms$l1)
  constant <- if (is.null(problem$nu)) 0 else solution$b
  list(value = loss + penalty + constant, scores = found$z, penalty = penalty,
       rounding = sums[2L] + problem$lambda * norms$error +
         roundings(16 + length(solution$w) + sum(problem$ranks$size)) *
           (loss + penalty + abs(constant)))
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
    a <- -problem$lambda * problem$total * beta / problem$weights[at]
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

# Where the scores of the optimum are, around our fit of the problem.

# What margin_certain() knows of our fit; NULL where it has no bounds, nothing was solved, or other
# ranks have more of the rows.
optimum_region <- function(problem, fit) {
  if (!is.null(fit$solution) || !is.null(problem$ranks)) {
    return(NULL)
  }
  without_response <- !is.null(problem$nu) || is_rows(problem$x)
  tryCatch(if (without_response) margin_certain(fit, problem$x) else
             margin_certain(fit, problem$x, coded_response(problem)),
           dualmargin_input_error = function(condition) NULL)
}

# Ends of the scores of the optimum; proven: are they, or is our fit itself all that there is? x:
# NULL for the rows of the problem.
optimum_ends <- function(problem, excess, region, x = NULL) {
  ends <- if (is.null(region)) plain_ends(problem, excess, x) else
    if (is.null(x)) region$training else certain_intervals(region, x)
  if (is.null(ends)) {
    own <- best_scores(problem, excess$fit, x)
    return(list(lower = own, upper = own, proven = FALSE))
  }
  list(lower = unname(as.matrix(ends$lower)), upper = unname(as.matrix(ends$upper)),
       shares = ends$shares, proven = TRUE)
}

best_scores <- function(problem, fit, x) {
  solution_scores(problem, solution_of_fit(fit), if (is.null(x)) problem$x else x,
                  if (is.null(x)) problem$offset)$z
}

# Where margin_certain() has none: the ball of the ridge around our fit, and in the rows of the
# problem the misfits; both together bracket a free intercept.
plain_ends <- function(problem, excess, x = NULL) {
  if (!is.null(problem$nu)) {
    return(NULL)
  }
  misfits <- fenchel_ends(problem, excess$fit, excess$slack)
  strength <- problem$lambda * (1 - problem$mixture)
  factor <- penalised_factors(problem)
  if (!is.null(problem$multiclass) || strength == 0 || any(factor == 0)) {
    return(curved_ends(problem, excess, misfits, x))
  }
  reach <- function(rows) sqrt(2 * excess$slack / strength) * dual_lengths(problem, rows)
  own <- best_scores(problem, excess$fit, NULL)[, 1L]
  around <- reach(problem$x)
  move <- c(0, 0)
  if (problem$intercept == "free") {
    if (is.null(misfits)) {
      return(NULL)
    }
    move <- narrowest(problem$ranks, misfits$lower - own - around, misfits$upper - own + around)
  }
  if (is.null(x)) {
    ends <- list(lower = own + move[1L] - around, upper = own + move[2L] + around)
    return(if (is.null(misfits)) ends else
      list(lower = pmax(ends$lower, misfits$lower), upper = pmin(ends$upper, misfits$upper)))
  }
  scores <- best_scores(problem, excess$fit, x)[, 1L]
  list(lower = scores + move[1L] - reach(x), upper = scores + move[2L] + reach(x))
}

# With Huber's loss, and no penalty at all, rows whose residuals stay within delta curve by 1: their misfits
# are omega_i/W (z*_i - y_i - a_i)^2 / 2, which bounds the coefficients, and so the scores of all rows.
curved_ends <- function(problem, excess, misfits, x) {
  own <- best_scores(problem, excess$fit, NULL)[, 1L]
  columns <- function(rows) {
    cbind(if (problem$intercept != "none") 1, sweep(as.matrix(rows), 2L, problem$scales, "/"))
  }
  able <- problem$loss$name == "huber" && !is.null(misfits) && is.matrix(problem$x) &&
    is.null(problem$ranks) && all(penalised_factors(problem) == 0)
  curved <- if (able) pmax(abs(misfits$lower - problem$y), abs(misfits$upper - problem$y)) <=
    problem$loss$parameter[[1L]]
  share <- sqrt(problem$weights / problem$total)[curved]
  root <- if (able) qr(share * columns(problem$x)[curved, , drop = FALSE], tol = 1e-10)
  if (!able || root$rank < ncol(root$qr)) {
    return(if (is.null(x)) misfits)
  }
  residual <- share * (own - problem$y - as.vector(excess$fit$dual))[curved]
  radius <- (sqrt(2 * excess$slack) + sqrt(sum(residual^2))) * (1 + 1e-5)
  rows <- columns(if (is.null(x)) problem$x else x)
  half <- radius * sqrt(colSums(backsolve(qr.R(root), t(rows[, root$pivot, drop = FALSE]),
                                          transpose = TRUE)^2))
  middle <- if (is.null(x)) own else best_scores(problem, excess$fit, x)[, 1L]
  half <- half + roundings(64) * (1 + abs(middle))
  list(lower = if (is.null(x)) pmax(misfits$lower, middle - half) else middle - half,
       upper = if (is.null(x)) pmin(misfits$upper, middle + half) else middle + half)
}

# Where the ends of all rows, a column each, leave a number: the largest lower, the smallest upper.
narrowest <- function(ranks, lower, upper) {
  most <- function(ends) {
    largest_over(ranks, apply(as.matrix(ends), 2L, function(column) max(-Inf, column)))
  }
  rbind(most(lower), -most(-upper))
}

# Rows in the norm that is dual to the penalty's: how far a score moves with the solution.
dual_lengths <- function(problem, rows) {
  squares <- if (!is.null(problem$kernel)) kernel_diagonal(problem$kernel, rows) else
    over_rows(rows, function(rows) as.vector(
      rows^2 %*% (1 / (penalised_factors(problem)[seq_len(ncol(rows))] * problem$scales^2))
    ))
  sqrt(squares + (problem$intercept == "penalized"))
}

# Ends of the scores z of whatever is as near to the solution as the optimum is proven to be; a free
# intercept is bracketed by the ends of the optimum.
ball_ends <- function(problem, distance, z, ends, rows) {
  if (is.na(distance)) {
    return(list(lower = -Inf + 0 * z, upper = Inf + 0 * z))
  }
  reach <- distance * dual_lengths(problem, rows) + 0 * z
  shift <- matrix(0, 2L, ncol(z))
  if (problem$intercept == "free") {
    shift <- narrowest(problem$ranks, ends$lower - z - reach, ends$upper - z + reach)
  }
  move <- function(k) matrix(shift[k, ], nrow(z), ncol(z), byrow = TRUE)
  list(lower = z + move(1L) - reach, upper = z + move(2L) + reach)
}

# With the dual point a of our bound, P* - D(a) is the sum of the optimum's misfits in the
# inequality of Fenchel and Young, none of them negative: omega_i/W [phi(z*_i) + phi*(a_i) -
# a_i z*_i] is at most P(ours) - D(a), whatever the penalty, bounds and offset. NULL: no conjugate
# here.
fenchel_ends <- function(problem, fit, slack) {
  allowed <- slack * problem$total / problem$weights
  if (identical(problem$multiclass, "softmax")) {
    return(softmax_ends(problem, fit, allowed))
  }
  conjugate <- loss_list[[problem$loss$name]]$conjugate
  if (is.null(conjugate) || !is.null(problem$multiclass)) {
    return(NULL)
  }
  y <- problem$y
  a <- as.vector(fit$dual)
  fixed <- conjugate(a, y, problem$loss$parameter[[1L]])
  own <- as.vector(fit$scores)
  misfit <- function(z) losses_of_scores(problem, z) + fixed - a * z
  noise <- roundings(16) * (abs(fixed) + abs(a * own) + losses_of_scores(problem, own))
  inside <- function(z) misfit(z) <= allowed + noise
  end <- function(side) {
    step <- 1e-12 * (1 + abs(own))
    for (k in seq_len(60L)) step <- ifelse(inside(own + side * step), 4 * step, step)
    open <- inside(own + side * step)
    low <- step / 4
    for (k in seq_len(12L)) {
      middle <- (low + step) / 2
      within <- inside(own + side * middle)
      low <- ifelse(within, middle, low)
      step <- ifelse(within, step, middle)
    }
    own + side * ifelse(open, Inf, step)
  }
  list(lower = end(-1), upper = end(1))
}

# The misfit of the multinomial loss is the divergence of Kullback and Leibler of the optimum's
# probabilities from q = a + e_y, that of one class against all others no more. Ends of the
# probabilities (`shares`) and of centred scores.
softmax_ends <- function(problem, fit, allowed) {
  q <- unname(fit$dual)
  true <- cbind(seq_along(problem$y), problem$y)
  q[true] <- q[true] + 1
  q <- pmin(pmax(q, 0), 1)
  part <- function(q, p) ifelse(q > 0, q * log(q / p), 0)
  inside <- function(p) part(q, p) + part(1 - q, 1 - p) <= allowed + roundings(64)
  end <- function(last) {
    within <- q
    beyond <- last + 0 * q
    for (k in seq_len(60L)) {
      middle <- (within + beyond) / 2
      ok <- inside(middle)
      within <- ifelse(ok, middle, within)
      beyond <- ifelse(ok, beyond, middle)
    }
    beyond
  }
  shares <- list(lower = end(0), upper = end(1))
  lower <- log(shares$lower)
  upper <- log(shares$upper)
  mean_of_others <- function(ends) {
    others <- function(k) rowSums(ends[, -k, drop = FALSE]) / ncol(ends)
    vapply(seq_len(ncol(ends)), others, numeric(nrow(ends)))
  }
  kept <- 1 - 1 / ncol(q)
  list(lower = kept * lower - mean_of_others(upper), upper = kept * upper - mean_of_others(lower),
       shares = shares)
}

# What the optimum changes in rows, and the verdict that follows.

# x: NULL for those of the fit.
audited_rows <- function(mapping, excess, regions, x = NULL, truth = mapping$truth, offset = NULL) {
  trained <- is.null(x)
  rows <- if (trained) mapping$x else x
  each <- Map(function(problem, solution, one, region) {
    own <- trained && nrow(problem$x) == nrow(rows)
    if (own) offset <- problem$offset
    shift <- if (is.null(offset)) 0 else offset
    ends <- optimum_ends(problem, one, region, if (!own) rows)
    z <- solution_scores(problem, solution, rows, offset)$z
    best <- solution_scores(problem, solution_of_fit(one$fit), rows, offset)$z
    lower <- ends$lower + if (own) 0 else shift
    upper <- ends$upper + if (own) 0 else shift
    # of a problem of all classes a number more for each of them changes nothing
    centred <- if (is.null(problem$multiclass)) identity else function(v) v - rowMeans(v)
    found <- list(z = centred(z), lower = centred_end(lower, ends, centred),
                  upper = centred_end(upper, ends, centred))
    ball <- ball_ends(problem, one$near$distance, found$z, found, rows)
    c(found, list(best = centred(best), ball_lower = ball$lower, ball_upper = ball$upper,
                  proven = ends$proven, shares = ends$shares))
  }, mapping$problems, mapping$solutions, excess, regions)
  part <- function(name) do.call(cbind, lapply(each, `[[`, name))
  ranks <- mapping$problems[[1L]]$ranks
  copies <- if (trained) mapping$copies
  n <- if (is.null(copies)) nrow(rows) else length(unique(copies))
  result <- list(n = total_over(ranks, n), scores = part("z"), best = part("best"),
                 lower = part("lower"), upper = part("upper"),
                 ball = list(lower = part("ball_lower"), upper = part("ball_upper")),
                 truth = truth, shares = each[[1L]]$shares,
                 counted = if (is.null(copies)) TRUE else !duplicated(copies),
                 part = if (!is.null(copies)) mapping$problems[[1L]]$weights / mapping$problems[[1L]]$total,
                 proven = all(vapply(each, `[[`, NA, "proven")))
  result <- if (is.null(mapping$levels)) changed_numbers(result, mapping$response, ranks) else
    changed_classes(result, mapping, ranks)
  # nothing was solved
  if (!is.null(result$after) && !is.null(excess[[1L]]$fit$solution)) result$after <- NA_real_
  if (is.null(copies)) result else one_copy_each(result, match(sort(unique(copies)), copies))
}

# Rows of proportions stand once for each class in the problem.
one_copy_each <- function(rows, at) {
  for (name in c("scores", "best", "lower", "upper")) rows[[name]] <- rows[[name]][at, , drop = FALSE]
  for (name in names(rows$ball)) rows$ball[[name]] <- rows$ball[[name]][at, , drop = FALSE]
  for (name in c("class", "optimum")) rows[[name]] <- rows[[name]][at]
  replaced(rows, list(truth = NULL, counted = TRUE))
}

# Ends of a region are of centred scores already.
centred_end <- function(values, ends, centred) if (ends$proven) values else centred(values)

# The largest move of a score to the optimum, at most and at least.
moves_of <- function(rows, ranks) {
  rows$moved <- largest_move(ranks, rows$scores, rows)
  rows$moved_least <- least_move(ranks, rows$scores, rows)
  rows$size <- sqrt(mean_over(ranks, rows$best^2))
  rows
}
largest_move <- function(ranks, own, ends) {
  largest_over(ranks, max(0, abs(own - ends$lower), abs(ends$upper - own)))
}
least_move <- function(ranks, own, ends) {
  largest_over(ranks, max(0, ends$lower - own, own - ends$upper))
}

# response: centre and scale by which the package divided it.
changed_numbers <- function(rows, response, ranks) {
  if (!is.null(response)) {
    for (name in c("scores", "best", "lower", "upper")) {
      rows[[name]] <- rows[[name]] * response$scale + response$center
    }
  }
  rows <- moves_of(rows, ranks)
  truth <- rows$truth
  if (!is.null(truth)) {
    root <- function(z) sqrt(mean_over(ranks, (truth - z[, 1L])^2))
    off <- truth - rows$best[, 1L]
    rows$spread <- sqrt(mean_over(ranks, (off - mean_over(ranks, off))^2) * rows$n / (rows$n - 1))
    rows$before <- root(rows$scores)
    rows$after <- root(rows$best)
  }
  rows
}

changed_classes <- function(rows, mapping, ranks) {
  vote <- function(lower, upper) vote_of(mapping, lower, upper)
  rows$class <- vote(rows$scores, rows$scores)
  # probabilities decide where a centred score has no ends
  ends <- if (is.null(rows$shares)) rows else rows$shares
  rows$optimum <- vote(ends$lower, ends$upper)
  own <- vote(rows$best, rows$best)
  within <- vote(rows$ball$lower, rows$ball$upper)
  counts <- total_over(ranks, c(sum((rows$optimum != rows$class)[rows$counted], na.rm = TRUE),
                                sum(is.na(rows$optimum)[rows$counted]),
                                sum((is.na(within) | within != rows$class)[rows$counted])))
  rows[c("changed", "open", "can_cross")] <- as.integer(counts)
  rows <- moves_of(rows, ranks)
  if (!is.null(rows$truth)) {
    # of proportions the share of their counts
    right <- function(class) if (is.null(rows$part)) mean_over(ranks, class == rows$truth) else
      sum(rows$part[class == rows$truth])
    rows$before <- right(rows$class)
    rows$after <- right(own)
  }
  if (!is.null(mapping$link)) {
    prob <- probability_box(mapping$link, rows$scores, rows$scores)$lower
    box <- if (!is.null(rows$shares)) rows$shares else
      probability_box(mapping$link, rows$lower, rows$upper)
    rows$prob_moved <- largest_move(ranks, prob, box)
    rows$prob_moved_least <- least_move(ranks, prob, box)
  }
  rows
}

# The class (position among the levels) of scores within ends, NA where these do not decide. Of two
# classes a score above the threshold is the second ("positive"), of our own fits one at it too ("nonnegative"),
# of several the largest is the class, of pairs the one with the most votes, the first of equal ones
# ("pairs"; of "strict pairs" a score of 0 is no vote).
vote_of <- function(mapping, lower, upper) {
  if (mapping$vote %in% c("positive", "nonnegative")) {
    at <- mapping$threshold
    low <- lower[, 1L]
    high <- upper[, 1L]
    second <- if (mapping$vote == "nonnegative") low >= at else low > at
    first <- if (mapping$vote == "nonnegative") high < at else high <= at
    return(ifelse(second, 2L, ifelse(first, 1L, NA_integer_)))
  }
  if (mapping$vote == "largest") {
    return(decide(lower, upper)$class)
  }
  won <- lower > 0
  # kernlab gives a score of 0 to neither
  tied <- if (mapping$vote == "pairs") FALSE else lower == 0 & upper == 0
  lost <- upper <= 0 & !tied
  votes <- function(first, second) {
    count <- matrix(0, nrow(lower), length(mapping$levels))
    for (q in seq_len(ncol(lower))) {
      count[, mapping$pairs[q, 1L]] <- count[, mapping$pairs[q, 1L]] + first[, q]
      count[, mapping$pairs[q, 2L]] <- count[, mapping$pairs[q, 2L]] + second[, q]
    }
    count
  }
  decide(votes(won, lost), votes(!lost & !tied, !won & !tied))$class
}

# Ends of probabilities from ends of scores.
probability_box <- function(link, lower, upper) {
  if (link == "logistic") {
    return(list(lower = stats::plogis(lower), upper = stats::plogis(upper)))
  }
  top <- if (link == "softmax") row_largest(upper) else 0
  mass <- function(z) if (link == "softmax") exp(z - top) else stats::plogis(z)
  share <- function(own, others) own / (own + rowSums(others) - others)
  list(lower = share(mass(lower), mass(upper)), upper = share(mass(upper), mass(lower)))
}

# ---- The verdict ----

# Each word is proven: how far scores are from those of the optimum, at most or at least, and what
# classes it has in the training rows.
audit_verdict <- function(audit) {
  if (all(audit$excess$certified)) {
    return("exact")
  }
  rows <- audit$training
  number <- is.null(audit$levels)
  if (!number && rows$proven && rows$changed > 0L) {
    return(sprintf("changes %s", counted_classes(rows$changed)))
  }
  # at most and at least
  moved <- if (!is.null(audit$link)) c(rows$prob_moved, rows$prob_moved_least) else
    c(rows$moved, rows$moved_least) / if (number) rows$spread else rows$size
  # the length of a solution does not count a free intercept
  moves <- rows$proven && isTRUE(moved[2L] > near_share)
  near <- all(audit$distance <= near_distance * audit$size) && !moves ||
    rows$proven && (moved[1L] <= near_share || isTRUE(rows$can_cross == 0L))
  size <- if (isTRUE(near)) "as good as exact" else
    if (moves) "off"
  classes <- if (number) NULL else if (!rows$proven) "classes not proven" else
    if (rows$open > 0L) sprintf("%s undecided", counted_classes(rows$open)) else
      if (!identical(size, "as good as exact")) "no class changes"
  words <- paste(c(size, classes), collapse = ", ")
  if (nzchar(words)) words else "undecided"
}

# Of the length of the optimum; of its decision values' root mean square, of the residuals' standard
# deviation, or of a probability.
near_distance <- 1e-3
near_share <- 0.01

counted_classes <- function(k) {
  paste(grouped(k), if (k == 1) "class" else "classes")
}

# The call that states the same problem here, of columns as their solver saw them; what is longer than a
# line stands by its name.
call_here <- function(problem, columns = list()) {
  scaled <- !is.null(columns$center) && (is.null(columns$fit) || any(columns$scale != 1))
  paste0(call_of(problem), if (scaled) ", of columns as the fit scaled them" else "")
}

call_of <- function(problem) {
  numbers <- function(values, name) {
    if (is.null(values)) NULL else if (length(values) > 8L) name else if (length(values) == 1L)
      format(values, digits = 4) else sprintf("c(%s)", paste(vapply(values, format, "", digits = 4), collapse = ", "))
  }
  if (!is.null(problem$nu)) {
    return(sprintf("margin_oneclass(nu = %s, kernel = %s, scale = FALSE)",
                   format(problem$nu, digits = 4), kernel_call(problem$kernel)))
  }
  loss <- problem$loss
  number <- loss$parameter[[1L]]
  arguments <- c(
    kernel = if (!is.null(problem$kernel)) kernel_call(problem$kernel),
    loss = if (is.na(number)) sprintf("\"%s\"", loss$name) else
      sprintf("loss_%s(%s)", loss$name, format(number)),
    if (problem$unit != 1 && isTRUE(all.equal(problem$lambda * problem$unit, 1))) {
      c(cost = format(problem$unit / problem$total, digits = 4))
    } else {
      c(lambda = format(problem$lambda, digits = 4))
    },
    penalty_factor = if (!is.null(problem$penalty_factor) && all(problem$penalty_factor == 0)) {
      sprintf("rep(0, %d)", ncol(problem$x))
    } else numbers(problem$penalty_factor, "penalty_factor"),
    lower = numbers(problem$lower, "lower"), upper = numbers(problem$upper, "upper"),
    mixture = if (problem$mixture != 0) format(problem$mixture, digits = 4),
    intercept = if (problem$intercept != "free") sprintf("\"%s\"", problem$intercept),
    scale = if (!problem$scale) "FALSE",
    multiclass = if (!is.null(problem$multiclass)) sprintf("\"%s\"", problem$multiclass),
    response_scale = if (is_sized(loss) && is.null(problem$levels)) "FALSE",
    weights = if (!is_even(problem)) "weights",
    offset = if (!is.null(problem$offset)) "offset"
  )
  sprintf("margin_%s(%s)", if (is.null(problem$kernel)) "linear" else "kernel",
          paste(names(arguments), arguments, sep = " = ", collapse = ", "))
}

# Have all rows, of all ranks, the same weight?
is_even <- function(problem) {
  omega <- problem$weights
  sums <- total_over(problem$ranks, c(length(omega), sum(omega), sum(omega^2)))
  sums[1L] * sums[3L] <= sums[2L]^2 * (1 + 1e-9)
}

kernel_call <- function(kernel) {
  number <- function(value) format(value, digits = 4)
  switch(kernel$name, linear = "\"linear\"", precomputed = "kernel_precomputed()",
         polynomial = sprintf("kernel_polynomial(%s, %s, %s)", number(kernel$degree),
                              number(kernel$scale), number(kernel$offset)),
         sprintf("kernel_%s(%s)", kernel$name, number(kernel$sigma)))
}
