# One problem of each family on which every solver is tried, by the laws of test-law-families.R and
# test-law-table.R: a family without a case fails there. The optimum is one point, so what two
# solvers return can be compared.
#
#   rows()          x, y and weights
#   response        the response in law_data, see helper-table.R
#   arguments(row)  what a solver, a row of the registry, is asked for beside the rows
#   tol, epochs     of a solver, by its name; the others have the first
#   cut             those that certify where the budget cuts a step: the point of a smaller budget
#                   is none that a larger one looks at
#   starts          is there a start?
#   approaches      those that come near to the optimum and prove little, with how near in the value

case_of <- function(family) {
  labels <- function(make) function() {
    problem <- make()
    problem$y <- factor(problem$y)
    problem
  }
  case <- switch(
    family,
    linear = list(rows = labels(small_problem), response = "two", arguments = linear_case,
                  tol = c(1e-8, sdca = 1e-7, spd1 = 0.02), epochs = 20000),
    kernel = list(
      rows = labels(small_problem), response = "two", tol = 1e-7, epochs = 5000,
      arguments = function(row) {
        smooth <- as_loss("logistic")
        takes <- solver_takes(row, smooth, "none", 0)
        list(kernel = kernel_rbf(0.3), loss = if (takes) "logistic" else "hinge", lambda = 0.05,
             intercept = "none", center = FALSE)
      }, approaches = c(sgd = 0.02)
    ),
    augmented = list(
      rows = function() case_numbers(small_problem()), response = "number",
      arguments = function(row) {
        list(perturbation = perturb_dropout(0.3), loss = "squared", lambda = 0.2, center = FALSE,
             intercept = "none", response_scale = FALSE)
      }, tol = c(1e-3, exact = 1e-9, auto = 1e-9), epochs = 500,
      approaches = c(smiso = 0.01, sgd = 0.05, nsaga = 0.2, saga_decay = 0.05)
    ),
    robust = list(
      rows = labels(small_problem), response = "two",
      arguments = function(row) {
        list(norm = "l2", radius = 0.1, ridge = 0.1, intercept = "none")
      }, tol = c(1e-7, gs_admm = 1e-5), epochs = c(1e5, isg = 500, ippa = 500, hybrid = 500),
      approaches = c(isg = 0.02, ippa = 0.05, hybrid = 0.02), cut = c("gs_admm", "ippa")
    ),
    hard = list(
      rows = labels(separable_problem), response = "apart", tol = 1e-6, epochs = 3000,
      arguments = function(row) list(intercept = "penalized"),
      approaches = c(momentum = 0.02, adaptive = 0.2, perceptron = 0.2, ngd = 0.2, gd = 0.6),
      starts = FALSE
    ),
    oneclass = list(
      rows = function() case_unlabelled(small_problem()), response = "", tol = 1e-8, epochs = 5000,
      arguments = function(row) list(nu = 0.3, kernel = kernel_rbf(0.3))
    )
  )
  if (is.null(case)) stop(sprintf("case_of() has no case of family \"%s\".", family))
  case$family <- family
  if (is.null(case$starts)) case$starts <- TRUE
  case
}

case_numbers <- function(problem) {
  problem$y <- as.double(problem$y) / 2
  problem
}
case_unlabelled <- function(problem) {
  problem$y <- NULL
  problem
}

# Ridge and the smooth hinge, or else what the solver takes; a lambda as large as it needs.
linear_case <- function(row) {
  for (mixture in c(0, 0.5)) for (loss in c("smooth_hinge", "hinge", "logistic")) {
    made <- as_loss(loss)
    if (solver_takes(row, made, "none", mixture)) {
      lambda <- max(vapply(list(small_problem(), law_data), function(problem) {
        x <- if (is.null(problem$patchy)) problem$x else problem$patchy
        rows <- x[problem$weights > 0, ]
        lambda_for(row, 0.1, rows, made, mixture, weights = rep(1, nrow(rows)))
      }, 0))
      return(list(loss = loss, mixture = mixture, intercept = "none",
                  lambda = if (row$large_lambda) 4 * lambda else lambda))
    }
  }
  stop(sprintf("no case for solver \"%s\"", row$name))
}

case_solvers <- function(family) {
  solver_rows(family)
}

# By the name of a solver, or the first, which is that of all others.
case_value <- function(values, name) {
  if (name %in% names(values)) values[[name]] else values[[1L]]
}

# A fit of a case by a solver. ...: arguments that take the place of those of the case, or come
# beside them; control: what is changed of it.
case_fit <- function(case, row, problem = case$rows(), ..., control = list()) {
  own <- list(tol = case_value(case$tol, row$name), max_epochs = case_value(case$epochs, row$name),
              seed = 3, progress = FALSE)
  arguments <- utils::modifyList(case$arguments(row), list(...))
  data <- Filter(Negate(is.null), problem[intersect(c("x", "y", "weights"), names(problem))])
  fun <- family_fun(case$family)
  if (case$family != "oneclass") arguments$solver <- row$name
  control <- do.call(margin_control, utils::modifyList(own, control))
  suppressWarnings(
    without_notes(do.call(fun, c(data, arguments, list(control = control)), quote = TRUE)),
    classes = "dualmargin_not_certified"
  )
}

# The interval that a certificate says holds the optimum: the value is its upper end, but that of a
# margin, which is maximised, the lower one.
case_interval <- function(fit) {
  ends <- c(low = fit$certificate$bound, high = fit$certificate$value)
  if (inherits(fit, "margin_hard")) ends <- c(low = ends[["high"]], high = ends[["low"]])
  expect_lte(ends[["low"]], ends[["high"]])
  ends
}

case_proves <- function(case, row) !row$name %in% names(case$approaches)
