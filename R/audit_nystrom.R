# What landmarks cost. The function of a fit by landmarks is one of the whole kernel's space, whose
# objective it has, and its dual point is feasible there: the optimum of the whole kernel is at least
#
#   D(a) = -1/W sum_i omega_i phi*(a_i) - lambda/2 b'Kb,   b_i = -omega_i a_i / (lambda W).
#
# b'Kb is summed over blocks of rows, each with itself and the later ones: n^2/2 kernel values, of
# which none is kept.

# What stands for our fit of each problem in an audit: the solution that is judged, with that bound.
landmark_fits <- function(fit, mapping) {
  problem <- mapping$problems[[1L]]
  duals <- unname(as.matrix(fit$dual))
  total <- sum(problem$weights)
  beta <- -problem$weights * duals / (problem$lambda * total)
  squares <- kernel_squares(problem$kernel, problem$x, beta, fit$settings$control)
  Map(function(problem, solution, k) {
    found <- audit_value(problem, solution)
    dual <- landmark_bound(problem, solution$b, duals[, k], beta[, k], squares[k])
    list(solution = solution, dual = dual$a, scores = found$scores[, 1L],
         certificate = data.frame(value = found$value, bound = dual$bound,
                                  gap = found$value - dual$bound, relative_gap = 0))
  }, mapping$problems, mapping$solutions, seq_along(mapping$problems))
}

# D at the best multiple t a, t from 0 to 1, less what rounding can have done: few landmarks leave
# b'Kb far too large.
landmark_bound <- function(problem, b, a, beta, square) {
  share <- problem$weights / sum(problem$weights)
  conjugate <- loss_list[[problem$loss$name]]$conjugate
  penalised <- problem$intercept == "penalized"
  lengths <- sqrt(kernel_diagonal(problem$kernel, problem$x) + penalised)
  noise <- roundings(length(a) + 16 + kernel_roundings(problem$kernel, problem$x, problem$x)) *
    sum(abs(beta) * lengths)^2
  square <- square + noise + if (penalised) sum(beta)^2 else 0
  unbalanced <- if (problem$intercept != "free") 0 else
    abs(b) * (abs(sum(share * a)) + roundings(length(a)) * sum(share * abs(a)))
  bound <- function(t) {
    fixed <- conjugate(t * a, problem$y, problem$loss$parameter[[1L]])
    # of a sum whose terms may cancel; labels are 1 in size
    size <- sum(share * (abs(fixed) + abs(t * a * problem$y) + !is.null(problem$levels)))
    -sum(share * fixed) - t * unbalanced - t^2 * problem$lambda / 2 * square - roundings(64) * size
  }
  t <- stats::optimize(bound, c(0, 1), maximum = TRUE, tol = 1e-6)$maximum
  if (bound(1) >= bound(t)) t <- 1
  list(a = t * a, bound = bound(t))
}

# b'Kb of each column of coefficients.
kernel_squares <- function(kernel, x, beta, control, size = 2048L) {
  used <- which(rowSums(beta != 0) > 0)
  x <- pick_rows(x, used)
  beta <- beta[used, , drop = FALSE]
  starts <- seq(1L, by = size, length.out = ceiling(length(used) / size))
  told <- progress_teller(length(starts), shows_progress(control), "The whole kernel")
  total <- numeric(ncol(beta))
  for (first in starts) {
    later <- seq(first, length(used))
    own <- seq_len(min(size, length(later)))
    half <- beta[later, , drop = FALSE]
    half[own, ] <- half[own, ] / 2
    rows <- pick_rows(x, later)
    scores <- kernel_expansion(kernel, stack_rows(pick_rows(rows, own), rows), length(own), half,
                               threads = control$threads)
    total <- total + 2 * colSums(beta[later[own], , drop = FALSE] * scores)
    told()
  }
  total
}

# A dual point belongs to its rows, their response and weights.
landmark_rows <- function(fit, x, y, weights) {
  if (!is.null(weights) && !isTRUE(all.equal(as.double(weights), as.double(fit$weights)))) {
    abort_input(paste("`weights` are not those of the fit; one by landmarks (nystrom) is judged on",
                      "its own rows and weights, which its dual point belongs to: leave them out."),
                "weights")
  }
  tryCatch((if (is.null(y)) training_design(fit, x) else training_design(fit, x, y))$x,
           dualmargin_input_error = function(condition) {
             abort_input(gsub("`data`", "`x`", conditionMessage(condition), fixed = TRUE), "x")
           })
}
