# Where the scores of the optimum are, around our fit of the problem.

# What margin_certain() knows of our fit; NULL where it has no bounds, or nothing was solved.
optimum_region <- function(problem, fit) {
  if (!is.null(fit$solution)) {
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
    if (is.null(x)) region$training else score_intervals(region, x)
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
    return(if (is.null(x)) misfits)
  }
  reach <- function(rows) sqrt(2 * excess$slack / strength) * dual_lengths(problem, rows)
  own <- best_scores(problem, excess$fit, NULL)[, 1L]
  around <- reach(problem$x)
  move <- c(0, 0)
  if (problem$intercept == "free") {
    if (is.null(misfits)) {
      return(NULL)
    }
    move <- c(max(misfits$lower - own - around), min(misfits$upper - own + around))
  }
  if (is.null(x)) {
    ends <- list(lower = own + move[1L] - around, upper = own + move[2L] + around)
    return(if (is.null(misfits)) ends else
      list(lower = pmax(ends$lower, misfits$lower), upper = pmin(ends$upper, misfits$upper)))
  }
  scores <- best_scores(problem, excess$fit, x)[, 1L]
  list(lower = scores + move[1L] - reach(x), upper = scores + move[2L] + reach(x))
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
    shift <- rbind(apply(ends$lower - z - reach, 2L, max), apply(ends$upper - z + reach, 2L, min))
  }
  move <- function(k) matrix(shift[k, ], nrow(z), ncol(z), byrow = TRUE)
  list(lower = z + move(1L) - reach, upper = z + move(2L) + reach)
}

# With the dual point a of our bound, P* - D(a) is the sum of the optimum's misfits in the
# inequality of Fenchel and Young, none of them negative: omega_i/W [phi(z*_i) + phi*(a_i) -
# a_i z*_i] is at most P(ours) - D(a), whatever the penalty, bounds and offset. NULL: no conjugate
# here.
fenchel_ends <- function(problem, fit, slack) {
  allowed <- slack * sum(problem$weights) / problem$weights
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
