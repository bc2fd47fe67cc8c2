# Support vector machines of e1071 (LIBSVM) and, in R/audit_kernels.R, of kernlab: 1/2 |f|^2 plus cost
# times the sum of the losses, one problem for each pair of classes, on columns (and a response)
# that the package may have scaled. Both return their own dual point, which bounds their distance
# from the optimum far better than the primal value at a large cost.

#' @rdname margin_audit
#' @param class.weights The argument of `svm()` and `ksvm()`.
#' @export
margin_audit.svm <- function(fit, x, y, class.weights = NULL, newx = NULL, newy = NULL, tol = 1e-6,
                             control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  assert_audit_given(missing(x))
  run_audit(svm_mapping(fit, x, if (!missing(y)) y, class.weights), newx, newy, tol, control)
}

svm_mapping <- function(fit, x, y, class.weights = NULL) {
  # LIBSVM's numbers
  type <- c(`0` = "C-classification", `2` = "one-classification",
            `3` = "eps-regression")[as.character(fit$type)]
  if (is.na(type)) {
    abort_input(sprintf(paste(
      "`fit` is of LIBSVM's type %d, whose objective off the optimum is none of ours;",
      "C-classification, eps-regression and one-classification are mapped."
    ), fit$type), "fit")
  }
  row <- peer_model("e1071", type, list(epsilon = fit$epsilon))
  kernel <- switch(fit$kernel + 1L, NULL,
                   kernel_polynomial(fit$degree, fit$gamma, fit$coef0), kernel_rbf(fit$gamma),
                   abort_sigmoid())
  spec <- c(formula_columns(fit$terms, fit$xlevels),
            scaled_columns(fit$scaled, fit$x.scale[[1L]], fit$x.scale[[2L]]))
  one <- type == "one-classification"
  data <- svm_data(spec, x, if (one) logical(nrow(x)) else y, fit$na.action, "e1071")
  points <- dense_points(fit$SV)
  assert_fitted_rows(nrow(data$x), length(fit$fitted))
  assert_support_vectors(data$x, points, fit$index)
  title <- sprintf("e1071 %s, %s kernel, %s", type,
                   c("linear", "polynomial", "radial")[fit$kernel + 1L],
                   if (one) paste("nu", format(fit$nu)) else paste("cost", format(fit$cost)))
  if (one) {
    return(svm_one_class(title, spec, data, if (is.null(kernel)) as_kernel("linear") else kernel, fit$nu,
                         points, fit$coefs, fit$rho))
  }
  if (type == "eps-regression") {
    scale <- fit$y.scale
    mapping <- svm_regression(
      "e1071", title, row, spec, data, kernel, fit$cost, list(points, fit$coefs, -fit$rho),
      fit$index, if (!is.null(scale)) list(center = scale[[1L]], scale = scale[[2L]])
    )
    assert_kept_response(mapping$truth, fit$fitted + fit$residuals)
    if (is.null(fit$residuals)) mapping$assumes <- response_assumed
    return(assert_decision_values(mapping, fit$decision.values))
  }
  levels <- if (is.null(fit$levels)) as.character(fit$labels) else fit$levels[fit$labels]
  class <- audit_labels(data$y, levels, nrow(data$x))
  if (!identical(class[fit$index], rep(seq_along(levels), fit$nSV))) abort_other_labels()
  class.weights <- given_class_weights(class.weights, call_argument(fit$call, "class.weights"), levels)
  if (identical(class.weights, "inverse")) class.weights <- stats::setNames(1 / tabulate(class), levels)
  weights <- class_weights_of(class.weights, levels, "class.weights")[class]
  start <- cumsum(c(0, fit$nSV))
  # a pair (i, j): of the points of i the column j - 1, of those of j the column i
  pair <- function(i, j) {
    own <- start[i] + seq_len(fit$nSV[i])
    other <- start[j] + seq_len(fit$nSV[j])
    list(points[c(own, other), , drop = FALSE],
         c(fit$coefs[own, j - 1L], fit$coefs[other, i]), fit$index[c(own, other)])
  }
  mapping <- svm_classes("e1071", title, row, spec, data, kernel, fit$cost, levels, class, weights,
                         pair, -fit$rho, first_positive = TRUE)
  assert_decision_values(mapping, fit$decision.values)
}

# Of sparse rows the points are a matrix of package SparseM.
dense_points <- function(points) {
  if (!isS4(points)) {
    return(as.matrix(points))
  }
  as.matrix(Matrix::sparseMatrix(j = points@ja, p = points@ia - 1L, x = points@ra,
                                 dims = points@dimension))
}

abort_sigmoid <- function() {
  abort_input(paste("`fit` has the sigmoid kernel, which is not positive semidefinite: its problem",
                    "has no bound."), "fit")
}

# ---- What the two packages share ----

formula_columns <- function(terms, xlevels = NULL) {
  if (is.null(terms)) list() else list(terms = terms, xlevels = xlevels)
}

scaled_columns <- function(scaled, center, scale) {
  if (is.null(center)) list() else
    list(scaled = rep_len(scaled, max(length(scaled), 1L)), center = unname(center),
         scale = unname(scale))
}

# Rows as the solver saw them, and the response: of a fit from a formula both are in the data frame.
svm_data <- function(spec, x, y, left_out, package) {
  if (is.null(y)) {
    if (is.null(spec$terms) || !is.data.frame(x)) {
      abort_input("`y` is missing; give the response that the fit was made from.", "y")
    }
    y <- evaluate_frame(eval(response_call(spec$terms), x, environment(spec$terms)), "x", "evaluated")
  }
  if (!is.null(spec$terms) && is.data.frame(x)) {
    complete <- stats::complete.cases(x[intersect(all.vars(spec$terms), names(x))])
    left_out <- which(!complete)
  }
  if (length(left_out) > 0L) {
    x <- x[-left_out, , drop = FALSE]
    y <- y[-left_out]
  }
  list(x = audited_columns(spec, audited_rows_of(spec, x, "x", package)), y = y)
}

# How many rows a fit was made from, where it keeps something of each.
assert_fitted_rows <- function(n, kept) {
  if (kept > 0L && kept != n) {
    abort_input(sprintf(paste(
      "`x` has %s, but the fit was made from %d; give those, by its subset and without what its",
      "na.action left out."
    ), count(n, "row"), kept), "x")
  }
}

# By the residuals, or their mean square, that a regression keeps.
assert_kept_response <- function(y, kept) {
  same <- length(kept) != length(y) || all(abs(unname(y) - unname(kept)) <= 1e-6 * (1e-6 + max(abs(kept))))
  if (!isTRUE(same)) {
    abort_input("`y` has other values than the response of the fit, or in another order.", "y")
  }
}

# Of fits that keep the scores of all rows.
assert_decision_values <- function(mapping, kept) {
  z <- do.call(cbind, Map(function(problem, solution) {
    solution_scores(problem, solution, mapping$x)$z[, 1L]
  }, mapping$problems, mapping$solutions))
  same <- is.null(kept) || !all(dim(z) == dim(as.matrix(kept))) ||
    all(abs(z - unname(kept)) <= 1e-6 * (1 + max(abs(kept))))
  if (!isTRUE(same)) {
    abort_input(paste("`x` does not have the decision values of the fit: other rows, another order,",
                      "or rows that were scaled since."), "x")
  }
  mapping
}

assert_support_vectors <- function(x, points, index) {
  same <- ncol(x) == ncol(points) && max(index) <= nrow(x) &&
    max(abs(unname(as.matrix(x[index, , drop = FALSE])) - unname(points))) <=
      1e-8 * (1 + max(abs(points)))
  if (!isTRUE(same)) {
    abort_input(paste("`x` does not have the support vectors of the fit in their rows: other rows,",
                      "another order, or rows that were scaled since."), "x")
  }
}

abort_other_labels <- function() {
  abort_input("`y` has other classes at the support vectors than the fit; give those of its rows.",
              "y")
}

# NULL where the call has none either.
given_class_weights <- function(given, written, levels) {
  given <- absent_argument(given, "class.weights", list("svm", class.weights = written), NULL,
                           "e1071 or kernlab")
  if (!identical(given, "inverse")) class_weights_of(given, levels, "class.weights")
  if (is.null(given)) NULL else c(given)
}

# kernlab has no bound for a class without a weight, and gives level k the weight at the place where the
# name of the k-th weight stands among the levels.
assert_weights_of_ksvm <- function(given, levels) {
  if (!setequal(names(given), levels)) {
    abort_input(sprintf(paste(
      "`class.weights` does not name all of %s; kernlab leaves the variables of a class without one",
      "unbounded, a problem that none here is."
    ), quote_list(levels)), "class.weights")
  }
  solved <- stats::setNames(given[match(names(given), levels)], levels)
  if (any(solved != given[levels])) {
    abort_input(sprintf(paste(
      "`class.weights` stands in an order in which kernlab gives the classes others; the fit has those",
      "of c(%s): give them to judge it by."
    ), paste(levels, "=", vapply(solved, format, ""), collapse = ", ")), "class.weights")
  }
}

# A solution, and the value of its own dual point: `linear` is what the dual has linear in its
# variables, whose signed sum a free intercept holds at 0 up to rounding; limit: the largest that
# each may be. Variables beyond it are no dual point. at: the rows that the points are.
svm_solution <- function(kernel, points, coefficients, b, linear, unit, limit, penalised = FALSE,
                         balance = sum(coefficients), at = NULL) {
  dimnames(points) <- NULL
  feasible <- all(abs(coefficients) <= limit * (1 + 1e-12))
  coefficients <- as.matrix(coefficients)
  length2 <- if (is.null(kernel)) sum(crossprod(points, coefficients)^2) else
    if (is_given(kernel)) sum(coefficients * (points[, at, drop = FALSE] %*% coefficients)) else
    sum(coefficients * kernel_expansion(kernel, stack_rows(points, points), nrow(points),
                                        coefficients))
  dual <- linear - length2 / 2 - if (penalised) balance^2 / 2 else abs(balance * b)
  c(if (is.null(kernel)) list(w = crossprod(points, coefficients), alphas = coefficients) else
    list(points = points, coefficients = coefficients),
    list(at = at, b = b, dual = if (feasible) dual / unit))
}

svm_regression <- function(peer, title, row, spec, data, kernel, cost, expansion, index, response) {
  y <- audit_numbers(data$y, nrow(data$x))
  scaled <- if (is.null(response)) y else (y - response$center) / response$scale
  unit <- nrow(data$x) * cost
  problem <- audit_problem(data$x, scaled, row$loss, 1 / unit, kernel = kernel, unit = unit)
  coefficients <- expansion[[2L]]
  epsilon <- row$loss$parameter[[1L]]
  linear <- sum(coefficients * scaled[index]) -
    if (is.na(epsilon)) 0 else epsilon * sum(abs(coefficients))
  solution <- svm_solution(kernel, expansion[[1L]], coefficients, expansion[[3L]], linear, unit,
                           cost, at = index)
  new_mapping(peer, title, list(problem), list(solution), y, data$x, columns = spec,
              response = response, remedy = svm_remedy, assumes = values_assumed(kernel))
}

# Of one class, with LIBSVM's variables over nu n, as its paper has them: they add up to one, which
# rounding and the last step leave to within what rho makes of it.
svm_one_class <- function(title, spec, data, kernel, nu, points, coefficients, rho) {
  n <- nrow(data$x)
  problem <- audit_problem(data$x, rep(1, n), as_loss("hinge"), 1, kernel = kernel,
                           levels = c("FALSE", "TRUE"), nu = nu)
  a <- coefficients / (nu * n)
  solution <- svm_solution(kernel, points, a, -rho / (nu * n), 0, 1, 1 / (nu * n),
                           balance = sum(a) - 1)
  new_mapping("e1071", title, list(problem), list(solution), NULL, data$x,
              levels = problem$levels, columns = spec, vote = "positive",
              remedy = "give a smaller tolerance")
}

# pair: a function (i, j) of the points of a pair, their signed dual variables and places; b:
# constants, in the order of the pairs. first_positive: is a score above 0 a vote for i?
svm_classes <- function(peer, title, row, spec, data, kernel, cost, levels, class, weights, pair, b,
                        first_positive, penalised = FALSE) {
  pairs <- t(utils::combn(length(levels), 2L))
  if (!first_positive) pairs <- pairs[, 2:1, drop = FALSE]
  problems <- solutions <- list()
  for (q in seq_len(nrow(pairs))) {
    i <- pairs[q, 1L]
    j <- pairs[q, 2L]
    rows <- which(class %in% c(i, j))
    unit <- sum(weights[rows]) * cost
    problems[[q]] <- audit_problem(
      data$x[rows, , drop = FALSE], ifelse(class[rows] == i, 1, -1), row$loss, 1 / unit,
      intercept = if (penalised) "penalized" else "free", weights = weights[rows], kernel = kernel,
      levels = levels[c(j, i)], unit = unit
    )
    expansion <- pair(min(i, j), max(i, j))
    signed <- as.vector(expansion[[2L]])
    weight_of <- function(k) weights[match(k, class)]
    if (any(abs(signed) > 1.001 * cost * ifelse(signed > 0, weight_of(i), weight_of(j)))) {
      abort_input(paste("`class.weights` are not those of the fit, whose dual variables are above cost",
                        "times them; give those that it was made with."), "class.weights")
    }
    solutions[[q]] <- svm_solution(
      kernel, expansion[[1L]], signed, b[q], sum(abs(signed)), unit,
      cost * ifelse(signed > 0, weight_of(i), weight_of(j)), penalised,
      at = match(expansion[[3L]], rows)
    )
  }
  if (nrow(pairs) > 1L) {
    names(problems) <- paste(levels[pairs[, 1L]], levels[pairs[, 2L]], sep = " v ")
  }
  new_mapping(peer, title, problems, solutions, class, data$x, levels = levels, columns = spec,
              vote = if (peer == "kernlab") "strict pairs" else "pairs", pairs = pairs,
              remedy = svm_remedy,
              assumes = values_assumed(kernel))
}

values_assumed <- function(kernel) {
  if (is_given(kernel)) "the kernel values given are those of the fit (it keeps none)" else ""
}

response_assumed <- "the response given is that of the fit (it keeps no residuals)"

svm_remedy <- "give a smaller tolerance, or a smaller cost"

# Support vector machines of kernlab, by the slots of the fit; see R/audit_kernels.R.

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.ksvm <- function(fit, x, y, class.weights = NULL, newx = NULL, newy = NULL,
                              tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  assert_audit_given(missing(x))
  mapping <- ksvm_mapping(ksvm_parts(fit), x, if (!missing(y)) y, class.weights)
  run_audit(mapping, newx, newy, tol, control)
}

# The slots that are read, without the functions among them.
ksvm_parts <- function(fit) {
  names <- c("type", "param", "scaling", "terms", "lev", "xmatrix", "alphaindex", "coef", "b",
             "kcall", "fitted", "error")
  parts <- stats::setNames(lapply(names, function(name) methods::slot(fit, name)), names)
  # of a kernelMatrix the function is a sentence
  of_values <- is.character(fit@kernelf)
  c(parts, list(kernel = if (of_values) list(class = "kernelMatrix") else
    list(class = class(fit@kernelf)[1L], kpar = fit@kernelf@kpar)))
}

ksvm_mapping <- function(fit, x, y, class.weights = NULL) {
  type <- fit$type
  row <- peer_model("kernlab", type, list(epsilon = fit$param$epsilon))
  if (is.null(row)) {
    abort_input(sprintf(paste(
      "`fit` is of type \"%s\", whose problem is none of ours or not tried; C-svc, C-bsvc and",
      "eps-svr are mapped."
    ), type), "fit")
  }
  kernel <- ksvm_kernel(fit$kernel)
  scaling <- fit$scaling
  scaling <- if (is.list(scaling)) scaling
  spec <- c(formula_columns(fit$terms), scaled_columns(
    scaling$scaled, scaling$x.scale$`scaled:center`, scaling$x.scale$`scaled:scale`
  ))
  given <- is_given(kernel)
  if (inherits(x, "kernelMatrix")) x <- x@.Data
  data <- svm_data(spec, x, y, NULL, "kernlab")
  if (given) assert_square_values(data$x, if (type != "eps-svr") fit$lev)
  assert_fitted_rows(nrow(data$x), NROW(fit$fitted))
  cost <- fit$param$C
  title <- sprintf("kernlab %s, %s kernel, C %s", type,
                   if (is.null(kernel)) "linear" else kernel$name, format(cost))
  if (type == "eps-svr") {
    index <- unlist(fit$alphaindex)
    points <- if (given) data$x[index, , drop = FALSE] else as.matrix(fit$xmatrix)
    assert_support_vectors(data$x, points, index)
    scale <- scaling$y.scale
    mapping <- svm_regression(
      "kernlab", title, row, spec, data, kernel, cost, list(points, fit$coef, -fit$b), index,
      if (!is.null(scale)) list(center = scale$`scaled:center`, scale = scale$`scaled:scale`)
    )
    if (NROW(fit$fitted) > 0L) {
      off <- mean((fit$fitted - mapping$problems[[1L]]$y)^2)
      assert_kept_response(off, fit$error)
    } else if (!given) {
      mapping$assumes <- response_assumed
    }
    return(assert_decision_values(mapping, fit$fitted))
  }
  levels <- as.character(fit$lev)
  pairs <- t(utils::combn(length(levels), 2L))
  if (nrow(pairs) != length(fit$alphaindex)) {
    abort_input(paste("`fit` has a level without rows, and kernlab counts its classes without it;",
                      "fit it to droplevels() of the response."), "fit")
  }
  class <- audit_labels(data$y, levels, nrow(data$x))
  for (q in seq_len(nrow(pairs))) {
    if (!given) {
      assert_support_vectors(data$x, as.matrix(fit$xmatrix[[q]]), fit$alphaindex[[q]])
    }
    second <- class[fit$alphaindex[[q]]] == pairs[q, 2L]
    if (!identical(second, as.vector(fit$coef[[q]] > 0))) abort_other_labels()
  }
  class.weights <- given_class_weights(class.weights, call_argument(fit$kcall, "class.weights"), levels)
  if (!is.null(class.weights)) assert_weights_of_ksvm(class.weights, levels)
  weights <- class_weights_of(class.weights, levels, "class.weights")[class]
  pair <- function(i, j) {
    q <- which(pairs[, 1L] == i & pairs[, 2L] == j)
    at <- fit$alphaindex[[q]]
    list(if (given) data$x[at, , drop = FALSE] else as.matrix(fit$xmatrix[[q]]), fit$coef[[q]], at)
  }
  svm_classes("kernlab", title, row, spec, data, kernel, cost, levels, class, weights, pair,
              -fit$b, first_positive = FALSE, penalised = type == "C-bsvc")
}

ksvm_kernel <- function(kernel) {
  values <- kernel$kpar
  switch(kernel$class, vanillakernel = NULL, rbfkernel = kernel_rbf(values$sigma),
         laplacekernel = kernel_laplace(values$sigma),
         kernelMatrix = kernel_precomputed(),
         polykernel = kernel_polynomial(values$degree, values$scale, values$offset),
         abort_input(sprintf(paste(
           "`fit` has a kernel of class %s, which is not mapped; vanilladot, rbfdot, laplacedot,",
           "polydot and a kernelMatrix are."
         ), kernel$class), "fit"))
}

# Of a kernelMatrix: a square one, whose rows have columns in their order.
assert_square_values <- function(x, levels) {
  if (nrow(x) != ncol(x)) {
    abort_input(sprintf("`x` is %d x %d, but must be the square kernelMatrix of the fit.", nrow(x),
                        ncol(x)), "x")
  }
  if (length(levels) > 2L) {
    abort_input(paste("`fit` is of a kernelMatrix and three or more classes, pairs of which have",
                      "other columns; it is not mapped."), "fit")
  }
}

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
  duals <- unname(as.matrix(fit$dual))[fit$weights > 0, , drop = FALSE]
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
  x <- take_rows(x, used)
  beta <- beta[used, , drop = FALSE]
  starts <- seq(1L, by = size, length.out = ceiling(length(used) / size))
  told <- progress_teller(length(starts), shows_progress(control), "The whole kernel")
  total <- numeric(ncol(beta))
  for (first in starts) {
    later <- seq(first, length(used))
    own <- seq_len(min(size, length(later)))
    half <- beta[later, , drop = FALSE]
    half[own, ] <- half[own, ] / 2
    rows <- take_rows(x, later)
    scores <- kernel_expansion(kernel, stack_rows(take_rows(rows, own), rows), length(own), half,
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
