# How far a solution of another package is from the optimum of its own objective: its audit, by the
# mapping of R/audit_<peer>.R.

# mapping_fun(model, x, y, weights): what new_mapping() makes.
peer_spec <- function(fit_fun, predict_fun, mapping_fun, certify, tol, name, class_weights) {
  # a promise would be what its name means when the model is fitted
  force(class_weights)
  assert_flag(certify, "certify")
  assert_number(tol, "tol", lower = 0, remedy = "the default is 0.001")
  gap_fun <- function(model, x, y, weights) {
    peer_gap(mapping_fun(model, x, y, weights), tol)
  }
  unknown <- function(model, x, y, weights) unknown_gap("`certify` is FALSE")
  model_spec(fit_fun, predict_fun, name, if (certify) gap_fun else unknown)
}

# The bound is a bound even where our fit misses its tolerance.
peer_gap <- function(mapping, tol) {
  excess <- audited_excess(mapping, margin_control(progress = FALSE))
  gap <- max(vapply(excess, `[[`, 0, "relative"))
  share <- function(one) if (one$row$from > 0) one$row$from / abs(one$row$bound) else 0
  list(relative_gap = gap, certified = gap <= tol, excess = max(vapply(excess, share, 0)))
}

# Of a model without a `gap_fun`: its audit, where it is of a package that audits know and keeps what
# they ask for.
audited_gap <- function(model, x, y) {
  if (!is.object(model)) {
    return(unknown_gap("nobody says what it minimises"))
  }
  tryCatch({
    if (inherits(model, "margin_fit")) return(own_gap(model))
    kept <- inherits(model, c("glm", "multinom", "rlm", "lassorq", "workflow"))
    audit <- if (kept) margin_audit(model) else margin_audit(model, x, y)
    table <- certificate(audit)
    list(relative_gap = table$relative_gap, certified = table$relative_gap <= peer_tolerance,
         excess = max(audit$excess$relative_from))
  }, error = function(condition) unknown_gap(conditionMessage(condition)))
}
peer_tolerance <- 1e-3

# The optimum may be met: nothing is proven to be above it.
own_gap <- function(fit) c(certificate(fit)[c("relative_gap", "certified")], excess = 0)

unknown_gap <- function(why) {
  list(relative_gap = NA_real_, certified = NA, excess = NA_real_, why = why)
}

# Numbers by level for the rows that a model is fitted to, as margin_linear() finds them, or NULL.
peer_class_weights <- function(class_weights, y, weights = NULL) {
  response <- list(response = y, levels = levels(y),
                   task = if (is.factor(y)) "classification" else "regression")
  resolve_class_weights(class_weights, response,
                        if (is.null(weights)) rep(1, length(y)) else weights)
}

# One for each level where none are given: the call of a fit need not be asked.
stated_class_weights <- function(class_weights, y) {
  by_level <- peer_class_weights(class_weights, y)
  if (is.null(by_level)) stats::setNames(rep(1, nlevels(y)), levels(y)) else by_level
}

with_class_weights <- function(class_weights, y, weights) {
  by_level <- peer_class_weights(class_weights, y, weights)
  if (is.null(by_level)) {
    return(weights)
  }
  of_rows <- unname(by_level[as.character(y)])
  if (is.null(weights)) of_rows else weights * of_rows
}

# ---- Arguments of a support vector machine ----

assert_svm_arguments <- function(kernel, cost, sigma, tolerance) {
  assert_number(tolerance, "tolerance", lower = 0, remedy = "the default is 0.001")
  assert_choice(kernel, c("linear", "rbf"), "kernel")
  assert_number(cost, "cost", lower = 0, remedy = "the default is 1")
  if (!is.null(sigma)) {
    assert_number(sigma, "sigma", lower = 0, remedy = "NULL is one over the number of columns")
    if (kernel == "linear") {
      abort_input("`sigma` is given, but the linear kernel has none; leave it out.", "sigma")
    }
  }
}

chosen_sigma <- function(sigma, x) if (is.null(sigma)) 1 / ncol(x) else sigma

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
