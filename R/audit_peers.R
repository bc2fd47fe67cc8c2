# Problems of other packages as ours: one table, which audits, comparisons (R/models_peers.R), their
# help and the translation of arguments (R/translation.R) read.

# A row for each package and model: its loss and penalty as arguments of ours (an expression of
# arguments of theirs), its intercept, the cost here for their cost of 1 ("": a lambda), which
# arguments a fit does not keep, and a note for the translation.
peer_columns <- c("package", "model", "loss", "mixture", "intercept", "cost", "absent", "note")

peer_rows <- c(
  "LiblineaR", "type = 0", "\"logistic\"", "0", "penalized", "1", "cost, wi", "",
  "LiblineaR", "type = 7", "\"logistic\"", "0", "penalized", "1", "cost, wi",
  "the same problem, solved in the dual",
  "LiblineaR", "type = 2", "loss_squared_hinge(0.5)", "0", "penalized", "1", "cost, wi",
  "`\"squared_hinge\"` alone is half of that package's loss",
  "LiblineaR", "type = 1", "loss_squared_hinge(0.5)", "0", "penalized", "1", "cost, wi",
  "the same problem, solved in the dual",
  "LiblineaR", "type = 3", "\"hinge\"", "0", "penalized", "1", "cost, wi", "",
  "LiblineaR", "type = 4", "\"hinge\"", "0", "penalized", "1", "cost, wi",
  "with `intercept = \"penalized\"`, or `\"none\"` for `bias = 0`",
  "LiblineaR", "type = 5", "loss_squared_hinge(0.5)", "1", "penalized", "1", "cost, wi", "",
  "LiblineaR", "type = 6", "\"logistic\"", "1", "penalized", "1", "cost, wi", "",
  "LiblineaR", "type = 11", "loss_epsilon_insensitive(svr_eps, squared = TRUE)", "0", "penalized", "2",
  "cost, svr_eps", "",
  "LiblineaR", "type = 12", "loss_epsilon_insensitive(svr_eps, squared = TRUE)", "0", "penalized", "2",
  "cost, svr_eps", "",
  "LiblineaR", "type = 13", "loss_epsilon_insensitive(svr_eps)", "0", "penalized", "1",
  "cost, svr_eps", "",
  "glmnet", "gaussian", "\"squared\"", "alpha", "free", "",
  "alpha, weights, offset, penalty.factor, limits", "",
  "glmnet", "binomial", "\"logistic\"", "alpha", "free", "",
  "alpha, weights, offset, penalty.factor, limits", "",
  "glmnet", "multinomial", "\"logistic\"", "alpha", "free", "", "alpha, weights", "",
  "e1071", "C-classification", "\"hinge\"", "0", "free", "1", "class.weights", "",
  "e1071", "eps-regression", "loss_epsilon_insensitive(epsilon)", "0", "free", "1", "", "",
  "e1071", "one-classification", "\"hinge\"", "0", "free", "nu", "", "",
  "kernlab", "C-svc", "\"hinge\"", "0", "free", "1", "class.weights", "",
  "kernlab", "C-bsvc", "\"hinge\"", "0", "penalized", "1", "class.weights", "",
  "kernlab", "eps-svr", "loss_epsilon_insensitive(epsilon)", "0", "free", "1", "", "",
  "stats", "glm, binomial with logit", "\"logistic\"", "none", "free", "none", "", "",
  "stats", "glm, gaussian with identity", "\"squared\"", "none", "free", "none", "", "",
  "nnet", "multinom, two classes", "\"logistic\"", "0", "penalized", "decay", "", "",
  "MASS", "rlm, psi.huber", "loss_huber(k s, unit = \"response\")", "none", "free", "none", "", "",
  "quantreg", "rq, lasso", "loss_quantile(tau)", "1", "free", "half", "", ""
)

peer_models <- function(package = NULL) {
  cells <- matrix(peer_rows, ncol = length(peer_columns), byrow = TRUE)
  table <- stats::setNames(as.data.frame(cells), peer_columns)
  if (is.null(package)) table else table[table$package == package, ]
}

# The row of a model, with its loss made of `values`.
peer_model <- function(package, model, values = list()) {
  row <- as.list(peer_models(package)[peer_models(package)$model == model, ])
  if (length(row$package) == 0L) {
    return(NULL)
  }
  # without a zone the loss is another of ours
  if (length(values) == 1L && identical(as.numeric(values[[1L]]), 0)) {
    row$loss <- if (grepl("squared = TRUE", row$loss)) "\"squared\"" else "\"absolute\""
  }
  row$loss <- as_loss(eval(str2lang(row$loss), values, environment(peer_model)))
  row
}

# The table for the help of margin_audit() and of spec_peer().
audit_section <- function(title = "Mappings", packages = NULL) {
  table <- peer_models()
  if (!is.null(packages)) table <- table[table$package %in% packages, ]
  penalty <- c(`0` = "ridge", `1` = "lasso", alpha = "elastic net", none = "none")[table$mixture]
  cost <- c(`1` = "`cost`", `2` = "`2 cost`", nu = "`nu`", decay = "`lambda = 2 decay/n`",
            half = "`lambda/(2 n)`", none = "")[table$cost]
  c(sprintf("@section %s:", title), "",
    "| package | model | loss | penalty | intercept | cost here | a fit does not keep |",
    "|---|---|---|---|---|---|---|",
    sprintf("| %s | `%s` | `%s` | %s | %s | %s | %s |", table$package, table$model, table$loss,
            penalty, table$intercept, ifelse(is.na(cost), "`lambda`", cost), table$absent))
}

# ---- What a call says of arguments that a fit does not keep ----

# The argument as it was given to the audit, else as the fit's own call has it written out. A
# variable in the call may mean something else by now: a refusal, never a guess.
absent_argument <- function(given, name, call, default, package) {
  if (!is.null(given)) {
    return(given)
  }
  written <- call[[name]]
  if (is.null(written)) {
    return(default)
  }
  if (is.language(written) && length(all.vars(written)) > 0L) {
    abort_input(sprintf(
      "`%s` is missing: the call of the fit has %s = %s, which a fit of %s does not keep; give it.",
      name, name, shorten(deparse1(written), 40L), package
    ), name)
  }
  eval(written, baseenv())
}

# Rows to audit: a matrix, or a data frame of numbers.
audit_matrix <- function(x, arg = "x", columns = NULL, package = "the package") {
  if (is_rows(x)) refuse_rows(arg)
  if (is.data.frame(x) && !is_numeric_frame(x)) {
    abort_input(sprintf("`%s` has a column that is no number; give the matrix that %s was given.",
                        arg, package), arg)
  }
  x <- core_matrix(if (is.data.frame(x)) as.matrix(x) else x, arg)
  assert_finite_matrix(x, scan_entries(x), feature_names(colnames(x), ncol(x)))
  if (!is.null(columns)) assert_column_number(x, columns, arg)
  x
}

assert_column_number <- function(x, columns, arg) {
  if (ncol(x) != columns) {
    abort_input(sprintf("`%s` has %s, but the fit has %d.", arg, count(ncol(x), "column"), columns),
                arg)
  }
}

# The same, where the package codes a data frame by a formula.
audited_rows_of <- function(spec, x, arg, package) {
  if (is.null(spec$terms) || !is.data.frame(x)) {
    return(audit_matrix(x, arg, NULL, package))
  }
  terms <- stats::delete.response(spec$terms)
  frame <- evaluate_frame(stats::model.frame(terms, x, xlev = spec$xlevels), arg, "coded")
  rows <- stats::model.matrix(terms, frame, contrasts.arg = spec$contrasts)
  audit_matrix(if (is.null(spec$kept)) rows else rows[, spec$kept, drop = FALSE], arg, NULL,
               package)
}

# Labels of the rows as positions among those of the fit.
audit_labels <- function(y, levels, n, arg = "y") {
  assert_rows_of(y, n, arg)
  place <- match(as.character(y), levels)
  if (anyNA(place)) {
    bad <- which(is.na(place))[1L]
    abort_input(sprintf("`%s` has \"%s\" at row %d, which is none of the fit's classes %s.", arg,
                        as.character(y)[bad], bad, quote_list(levels)), arg)
  }
  place
}

audit_numbers <- function(y, n, arg = "y") {
  assert_rows_of(y, n, arg)
  if (!is.numeric(y) || !all(is.finite(y))) {
    abort_input(sprintf("`%s` is %s, but must be finite numbers: the fit is a regression.", arg,
                        show_value(y)), arg)
  }
  as.double(y)
}

assert_rows_of <- function(y, n, arg) {
  if (NROW(y) != n || NCOL(y) != 1L) {
    abort_input(sprintf("`%s` has length %d, but there are %s; give one response a row.", arg,
                        length(y), count(n, "row")), arg)
  }
}
