# Coefficients, from wherever: of a paper, of another language, of a spreadsheet.

#' @rdname margin_audit
#' @export
margin_audit.numeric <- function(fit, x, y, loss, lambda = NULL, cost = NULL, mixture = 0,
                                 intercept = "free", weights = NULL, penalty_factor = NULL,
                                 lower = NULL, upper = NULL, offset = NULL, scale = FALSE,
                                 multiclass = "one_vs_rest", newx = NULL, newy = NULL,
                                 newoffset = NULL, tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  if (missing(loss)) {
    abort_input("`loss` is missing: coefficients do not say what they minimise; give it.", "loss")
  }
  if (is.null(lambda) == is.null(cost)) {
    abort_input("`lambda` or `cost` must be given, one of them: coefficients do not say.", "lambda")
  }
  assert_penalty(lambda, cost, mixture)
  assert_intercept(intercept)
  assert_flag(scale, "scale")
  loss <- as_loss(loss)
  assert_choice(multiclass, multiclass_choices()[-1L], "multiclass")
  if (is_rows(x)) {
    assert_alone(c(y = !missing(y), weights = !is.null(weights), offset = !is.null(offset),
                   scale = scale))
    coded <- coded_file(x, loss, multiclass)
    weights <- coded$weights
  } else {
    x <- audit_matrix(x, package = "the other package")
    weights <- if (is.null(weights)) rep(1, nrow(x)) else weights
    assert_weights(weights, nrow(x))
    coded <- code_response(y, loss, nrow(x))
  }
  levels <- coded$levels
  beta <- audited_coefficients(fit, x, intercept, levels)
  unit <- if (is.null(lambda)) sum(weights) * cost else 1
  problem <- function(y, levels, joint = NULL) {
    audit_problem(x, y, loss, if (is.null(lambda)) 1 / unit else lambda, mixture, intercept,
                  weights, scale, penalty_factor, lower, upper, offset, multiclass = joint,
                  levels = levels, unit = unit)
  }
  solution <- function(k) list(w = beta$w[, k, drop = FALSE], b = beta$b[k])
  mapping <- function(problems, solutions, truth, ...) {
    new_mapping("coefficients", sprintf("coefficients, %s loss", format(loss)), problems, solutions,
                truth, x = x, levels = levels, assumes = "the problem is the one that is given",
                remedy = "", ...)
  }
  run_audit(coded_mapping(coded, problem, solution, multiclass, loss, mapping), newx, newy, tol,
            control, newoffset)
}

assert_alone <- function(given) {
  if (any(given)) {
    abort_input(sprintf(paste(
      "`%s` is given beside rows in a file, which have their response and weights with them and are",
      "judged as they are; leave it out, or give a matrix."
    ), names(given)[given][1L]), names(given)[given][1L])
  }
}

# The response and weights of rows in a file, for one problem.
coded_file <- function(rows, loss, multiclass) {
  design_rows(rows, NULL)
  numbers <- rows_numbers(rows)
  coded <- response_of_rows(rows, numbers$y, loss)
  if (length(coded$levels) > 2L && multiclass == "one_vs_rest") {
    abort_input(paste("`multiclass` is \"one_vs_rest\", whose problems have other labels than the file;",
                      "use \"softmax\", or give a matrix."), "multiclass")
  }
  coded$weights <- if (is.null(numbers$weights)) rep(1, rows$n) else numbers$weights
  coded
}

# Problems of a response: of a regression, of two classes, of all classes, one-vs-rest.
coded_mapping <- function(coded, problem, solution, multiclass, loss, mapping) {
  levels <- coded$levels
  logistic <- loss$name == "logistic"
  if (is.null(levels)) {
    y <- as.double(coded$response)
    return(mapping(list(problem(y, NULL)), list(solution(1L)), y))
  }
  y <- as.integer(coded$response)
  if (length(levels) == 2L) {
    return(mapping(list(problem(2 * y - 3, levels)), list(solution(1L)), y, vote = "sign",
                   link = if (logistic) "logistic"))
  }
  if (multiclass != "one_vs_rest") {
    return(mapping(list(problem(y, levels, multiclass)), list(solution(seq_along(levels))), y,
                   vote = "largest", link = if (multiclass == "softmax") "softmax"))
  }
  problems <- lapply(seq_along(levels), function(k) {
    problem(ifelse(y == k, 1, -1), c("rest", levels[k]))
  })
  mapping(stats::setNames(problems, levels), lapply(seq_along(levels), solution), y,
          vote = "largest", link = if (logistic) "shares")
}

audited_coefficients <- function(fit, x, intercept, levels) {
  beta <- as.matrix(fit)
  constant <- intercept != "none"
  columns <- if (length(levels) > 2L) length(levels) else 1L
  if (!all(dim(beta) == c(ncol(x) + constant, columns))) {
    abort_input(sprintf(paste(
      "`fit` has %d x %d coefficients, but %s%s and %s make %d x %d; intercept = \"none\" has none."
    ), nrow(beta), ncol(beta), count(ncol(x), "column"), if (constant) ", an intercept" else "",
    count(columns, "problem"), ncol(x) + constant, columns), "fit")
  }
  if (!all(is.finite(beta))) {
    abort_input("`fit` has coefficients that are not finite; an audit needs numbers.", "fit")
  }
  names <- rownames(beta)[if (constant) -1L else TRUE]
  if (!is.null(names) && !is.null(colnames(x)) && !identical(names, colnames(x))) {
    abort_input("`fit` has names that are not those of the columns of `x`, in their order.", "fit")
  }
  beta <- unname(beta)
  list(w = if (constant) beta[-1L, , drop = FALSE] else beta,
       b = if (constant) beta[1L, ] else numeric(columns))
}
