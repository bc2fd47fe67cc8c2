# How far a solution of another package is from the optimum of its own objective: the objective at
# that solution, recomputed from its definition, against our dual bound of the same problem.

# solution_fun(model, x, y): a list with a column of training scores for each problem, and for each
# the squared norm and the l1 norm that the penalty sees. problem_fun(y, weights): what is minimised
# for such a response (loss, lambda or cost, mixture, intercept and kernel), NULL if it is none of
# ours.
peer_spec <- function(fit_fun, predict_fun, solution_fun, problem_fun, certify, tol, name,
                      class_weights) {
  # a promise would be what its name means when the model is fitted
  force(class_weights)
  assert_flag(certify, "certify")
  assert_number(tol, "tol", lower = 0, remedy = "the default is 0.001")
  gap_fun <- function(model, x, y, weights) {
    weights <- with_class_weights(class_weights, y, weights)
    problem <- problem_fun(y, if (is.null(weights)) rep(1, nrow(x)) else weights)
    if (!is.null(problem)) peer_gap(solution_fun(model, x, y), x, y, weights, problem, tol)
  }
  model_spec(fit_fun, predict_fun, name, if (certify) gap_fun)
}

# Numbers by level for the rows that a model is fitted to, as margin_linear() finds them, or NULL.
peer_class_weights <- function(class_weights, y, weights = NULL) {
  response <- list(response = y, levels = levels(y),
                   task = if (is.factor(y)) "classification" else "regression")
  resolve_class_weights(class_weights, response,
                        if (is.null(weights)) rep(1, length(y)) else weights)
}

with_class_weights <- function(class_weights, y, weights) {
  by_level <- peer_class_weights(class_weights, y, weights)
  if (is.null(by_level)) {
    return(weights)
  }
  of_rows <- unname(by_level[as.character(y)])
  if (is.null(weights)) of_rows else weights * of_rows
}

for_two_classes <- function(problem) function(y, weights) if (nlevels(y) == 2L) problem

peer_gap <- function(solution, x, y, weights, problem, tol) {
  reference <- reference_fit(x, y, weights, problem, tol)
  lambda <- reference$settings$lambda
  weights <- if (is.null(weights)) rep(1, nrow(x)) else weights
  mean_loss <- function(scores) {
    colSums(weights * losses_of_scores(problem$loss, y, scores)) / sum(weights)
  }
  value <- mean_loss(solution$scores) +
    lambda * ((1 - problem$mixture) / 2 * solution$norm2 + problem$mixture * solution$norm1)
  bound <- reference$certificate$bound
  gap <- max(relative_gap(value, bound, value - bound, mean_loss(0 * solution$scores)))
  list(relative_gap = gap, certified = gap <= tol)
}

# The bound is a bound even where this fit misses its tolerance.
reference_fit <- function(x, y, weights, problem, tol) {
  control <- margin_control(tol = min(1e-6, tol / 10), progress = FALSE)
  arguments <- list(x = x, y = y, loss = problem$loss, cost = problem$cost,
                    lambda = problem$lambda, intercept = problem$intercept, scale = FALSE,
                    weights = weights, control = control)
  if (is.null(problem$kernel)) {
    return(quietly(do.call(margin_linear, c(arguments, list(
      mixture = problem$mixture, multiclass = "one_vs_rest"
    )), quote = TRUE)))
  }
  kernel <- kernel_rbf(chosen_sigma(problem$sigma, x))
  quietly(do.call(margin_kernel, c(arguments, list(kernel = kernel)), quote = TRUE))
}

# A column for each of `scores`: towards the second of two levels, or each of more.
losses_of_scores <- function(loss, y, scores) {
  if (!is.factor(y)) {
    return((y - scores)^2 / 2)
  }
  classes <- if (nlevels(y) > 2L) seq_len(nlevels(y)) else 2L
  margins <- (2 * outer(as.integer(y), classes, `==`) - 1) * scores
  switch(
    loss$name,
    hinge = pmax(1 - margins, 0),
    squared_hinge = pmax(1 - margins, 0)^2 / (2 * loss$gamma),
    logistic = pmax(-margins, 0) + log1p(exp(-abs(margins)))
  )
}

# ---- The problem and the solution of a support vector machine ----

svm_problem <- function(kernel, cost, sigma, tolerance) {
  assert_number(tolerance, "tolerance", lower = 0, remedy = "the default is 0.001")
  assert_choice(kernel, c("linear", "rbf"), "kernel")
  assert_number(cost, "cost", lower = 0, remedy = "the default is 1")
  if (!is.null(sigma)) {
    assert_number(sigma, "sigma", lower = 0, remedy = "NULL is one over the number of columns")
    if (kernel == "linear") {
      abort_input("`sigma` is given, but the linear kernel has none; leave it out.", "sigma")
    }
  }
  list(loss = loss_hinge(), cost = cost, mixture = 0, intercept = "free",
       kernel = if (kernel == "rbf") kernel, sigma = sigma)
}

chosen_sigma <- function(sigma, x) if (is.null(sigma)) 1 / ncol(x) else sigma

# f(x) = sum_j c_j k(x_j, x) + b, whose squared norm is c'Kc.
expansion_solution <- function(points, coefficients, intercept, x, kernel, sigma) {
  points <- matrix(points, ncol = ncol(x))
  kernel <- if (kernel == "rbf") kernel_rbf(chosen_sigma(sigma, x)) else kernel_linear()
  coefficients <- as.matrix(coefficients)
  scores_at <- function(rows) {
    kernel_expansion(kernel, stack_rows(rows, points), nrow(rows), coefficients)
  }
  list(scores = scores_at(x) + intercept, norm1 = 0,
       norm2 = sum(coefficients * scores_at(points)))
}

# A column of weights for each problem; penalised: does the penalty see the intercepts?
linear_solution <- function(weights, intercepts, x, penalised) {
  scores <- sweep(as.matrix(x %*% weights), 2L, intercepts, `+`)
  seen <- if (penalised) rbind(weights, intercepts) else weights
  list(scores = scores, norm2 = colSums(seen^2), norm1 = colSums(abs(seen)))
}

# ---- What can be asked of a package ----

assert_package <- function(package, caller) {
  if (!requireNamespace(package, quietly = TRUE)) {
    abort_input(sprintf("%s needs package %s; install it with install.packages(\"%s\").", caller,
                        package, package), "specs")
  }
}

assert_labels_given <- function(y, caller) {
  if (!is.factor(y)) {
    abort_input(sprintf("`y` is numeric, and %s is for classes; give a factor, or leave it out.",
                        caller), "y")
  }
}
