# Problems of other packages as ours: one table, which audits, comparisons (R/models_peers.R), their
# help and the translation of arguments (R/validate_hints.R) read.

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
  written <- call_argument(call, name)
  if (is.null(written)) {
    return(default)
  }
  if (!is_constant(written)) {
    abort_input(sprintf(
      "`%s` is missing: the call of the fit has %s = %s, which a fit of %s does not keep; give it.",
      name, name, shorten(deparse1(written), 40L), package
    ), name)
  }
  eval(written, baseenv())
}

# As R matches it, by the beginning of its name as well.
call_argument <- function(call, name) {
  given <- as.character(names(call)[-1L])
  place <- which(nzchar(given) & startsWith(name, given))
  exact <- which(given == name)
  if (length(exact) > 0L) place <- exact
  if (length(place) > 0L) call[[place[1L] + 1L]]
}

# Of a fit that does not keep them.
assert_audit_given <- function(no_x, no_y = FALSE) {
  if (no_x) abort_input("`x` is missing; give the rows that the fit was made from.", "x")
  if (no_y) abort_input("`y` is missing; give the response that the fit was made from.", "y")
}

# Rows to audit: a matrix, or a data frame of numbers.
audit_matrix <- function(x, arg = "x", columns = NULL, package = "the package") {
  if (is_rows(x)) refuse_rows(arg)
  if (is.data.frame(x) && !is_numeric_frame(x)) {
    abort_input(sprintf("`%s` has a column that is no number; give the matrix that %s was given.",
                        arg, package), arg)
  }
  x <- core_matrix(if (is.data.frame(x)) as.matrix(x) else x, arg)
  named_as(arg, assert_finite_matrix(x, scan_entries(x), feature_names(colnames(x), ncol(x))), "x")
  if (!is.null(columns)) assert_column_number(x, columns, arg)
  x
}

# By position where either has no names.
columns_by_name <- function(x, names, arg) {
  if (is.null(names) || is.null(colnames(x)) || identical(colnames(x), names)) {
    return(x)
  }
  x[, named_as(arg, find_columns(names, colnames(x))), drop = FALSE]
}

assert_column_number <- function(x, columns, arg) {
  if (ncol(x) != columns) {
    abort_input(sprintf("`%s` has %s, but the fit has %d.", arg, count(ncol(x), "column"), columns),
                arg)
  }
}

# The same, where one of our fits or a package's formula codes them. names: of the columns of the rows
# that were fitted, which those of others are found by.
audited_rows_of <- function(spec, x, arg, package, names = NULL) {
  if (!is.null(spec$fit)) {
    return(coded_as_fit(spec$fit, x, arg))
  }
  if (is.null(spec$terms) || !is.data.frame(x)) {
    return(columns_by_name(audit_matrix(x, arg, NULL, package), names, arg))
  }
  terms <- stats::delete.response(spec$terms)
  frame <- evaluate_frame(
    stats::model.frame(terms, x, xlev = spec$xlevels, na.action = stats::na.pass), arg, "coded"
  )
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
  if (is.numeric(y) && anyNA(y)) {
    abort_input(sprintf("`%s` has a missing value at row %d; leave such rows out.", arg, which(is.na(y))[1L]), arg)
  }
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

# Numbers that a fit of another package was given.
assert_values_of <- function(values, n, arg, what) {
  if (!is.numeric(values) || length(values) != n || anyNA(values)) {
    abort_input(sprintf("`%s` is %s, but must be a number for each of %s.", arg, show_value(values),
                        count(n, what)), arg)
  }
  invisible(values)
}

# Fits of glm(): half of the deviance is the sum of weights times logistic or squared losses,
# without a penalty. Proportions are two rows, one for each class.

#' @rdname margin_audit
#' @export
margin_audit.glm <- function(fit, x = NULL, y = NULL, newx = NULL, newy = NULL, newoffset = NULL,
                             tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  assert_glm_kind(fit)
  design <- refitted_design(fit, x, y, stats::coef(fit), "glm()")
  newoffset <- offset_of_new(design, newx, newoffset)
  run_audit(glm_mapping(fit, design), newx, newy, tol, control, newoffset)
}

glm_kinds <- c("binomial logit", "gaussian identity")

# Packages whose fits are a glm besides (gam, brglm, svyglm) have other objectives.
assert_glm_kind <- function(fit) {
  if (!identical(class(fit), c("glm", "lm")) || !identical(fit$method, "glm.fit")) {
    abort_input(sprintf(paste("`fit` is a %s by method %s, whose objective is its own, which is",
                              "not mapped; fits of glm() by method \"glm.fit\" are."),
                        class(fit)[1L], show_value(fit$method)), "fit")
  }
  kind <- paste(fit$family$family, fit$family$link)
  if (!kind %in% glm_kinds) {
    abort_input(sprintf(paste("`fit` is of family %s with link %s, for which there is no loss",
                              "here; binomial with logit and gaussian with identity are mapped."),
                        fit$family$family, fit$family$link), "fit")
  }
}

glm_mapping <- function(fit, design) {
  binomial <- fit$family$family == "binomial"
  assert_kept(design$z, fit$linear.predictors, "glm()")
  response <- design$response
  levels <- NULL
  if (binomial) {
    seen <- if (is.factor(response)) levels(droplevels(response))
    levels <- if (length(seen) == 2L && seen[1L] == levels(response)[1L]) seen else
      if (is.logical(response)) c("FALSE", "TRUE") else c("0", "1")
    if (is.matrix(response)) {
      response <- replace(response[, 1L] / rowSums(response), rowSums(response) == 0, 0)
    }
    if (is.factor(response)) response <- response != levels(response)[1L]
  }
  design$response <- as.double(response)
  # the prior weights of rows of counts are their sums already
  deviance <- sum(fit$family$dev.resids(design$response, fit$family$linkinv(design$z),
                                        design$weights))
  if (!isTRUE(abs(deviance - fit$deviance) <= 1e-8 * (1 + fit$null.deviance))) {
    abort_other_rows("glm()")
  }
  title <- sprintf("glm %s", fit$family$family)
  remedy <- "give a smaller `epsilon` and a larger `maxit` of glm.control()"
  if (!binomial) {
    design <- counted_rows(design)
    problem <- free_problem(design, design$response, as_loss("squared"), unit = 2 * sum(design$weights))
    return(new_mapping("stats", title, list(problem), list(design$solution), design$response,
                       x = design$x, columns = design$spec, remedy = remedy))
  }
  design <- counted_rows(two_rows(design))
  y <- design$response + 1
  problem <- free_problem(design, 2 * y - 3, as_loss("logistic"), levels = levels,
                          unit = 2 * sum(design$weights))
  new_mapping("stats", title, list(problem), list(design$solution), y, x = design$x,
              columns = design$spec, levels = levels, vote = "positive", link = "logistic",
              remedy = remedy, copies = design$copies)
}

# A row for each class, where a response is a proportion.
two_rows <- function(design) {
  share <- design$response
  if (all(share %in% 0:1)) {
    return(design)
  }
  n <- length(share)
  twice <- rep(seq_len(n), 2L)
  design$x <- design$x[twice, , drop = FALSE]
  design$z <- design$z[twice]
  design$offset <- design$offset[twice]
  design$weights <- c(design$weights * share, design$weights * (1 - share))
  design$response <- rep(1:0, each = n)
  design$copies <- twice
  design
}

# Fits of multinom() of nnet for two classes: the sum of weights times logistic losses, plus decay
# times the sum of all squared coefficients, that of the intercept among them.

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.multinom <- function(fit, x = NULL, y = NULL, newx = NULL, newy = NULL,
                                  newoffset = NULL, tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  if (length(fit$lev) != 2L) {
    abort_input(paste(
      "`fit` is of more than two classes, or of counts, which is not mapped: decay is on contrasts",
      "with the first class, which no penalty here is, and without decay coefficients of one",
      "problem of all classes have none here."
    ), "fit")
  }
  design <- refitted_design(fit, x, y, multinom_coefficients(fit), "multinom()")
  newoffset <- offset_of_new(design, newx, newoffset)
  run_audit(multinom_mapping(fit, design), newx, newy, tol, control, newoffset)
}

# Those of coef(), whose method is nnet's: behind the weight of the bias, which has no part in it.
multinom_coefficients <- function(fit) {
  stats::setNames(fit$wts[1L + seq_along(fit$vcoefnames)], fit$vcoefnames)
}

multinom_mapping <- function(fit, design) {
  decay <- fit$decay
  penalised <- !identical(as.numeric(decay), 0)
  if (length(decay) != 1L || penalised && !is.null(design$offset)) {
    abort_input(paste("`fit` has a decay for each weight, or one of the offset's coefficient too,",
                      "which is not mapped; give one number for `decay`, and no offset."), "fit")
  }
  y <- match(as.character(design$response), fit$lev)
  value <- sum(design$weights * log1p(exp(-(2 * y - 3) * design$z))) +
    decay * sum(unlist(design$solution)^2)
  assert_kept(stats::plogis(design$z), fit$fitted.values, "multinom()")
  assert_kept(value, fit$value, "multinom()")
  design <- counted_rows(design)
  y <- match(as.character(design$response), fit$lev)
  unit <- sum(design$weights)
  problem <- if (!penalised) free_problem(design, 2 * y - 3, as_loss("logistic"), levels = fit$lev) else
    audit_problem(design$x, 2 * y - 3, as_loss("logistic"), 2 * decay / unit, 0,
                  if (design$intercept == "free") "penalized" else "none", design$weights,
                  levels = fit$lev, unit = unit)
  new_mapping("nnet", sprintf("multinom, decay %s", format(decay)), list(problem),
              list(design$solution), y, x = design$x, columns = design$spec, levels = fit$lev,
              vote = "positive", link = "logistic",
              remedy = "give smaller `reltol` and `abstol`, and a larger `maxit`")
}

# Fits of rlm() of MASS: the sum of Huber's rho of residuals over their scale. The scale moves with
# the fit, and the pair minimises nothing: coefficients are judged at the scale at which they ended.

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.rlm <- function(fit, x = NULL, y = NULL, newx = NULL, newy = NULL, newoffset = NULL,
                             tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  bend <- huber_bend(fit$psi)
  design <- refitted_design(fit, x, y, stats::coef(fit), "rlm()")
  assert_case_weights(fit, design$weights)
  newoffset <- offset_of_new(design, newx, newoffset)
  run_audit(rlm_mapping(fit, design, bend), newx, newy, tol, control, newoffset)
}

rlm_mapping <- function(fit, design, bend) {
  if (!isTRUE(fit$s > 0)) {
    abort_input("`fit` has scale 0: it goes through most of its rows, and has no objective.", "fit")
  }
  response <- as.double(design$response)
  assert_kept(response - design$z, fit$residuals, "rlm()")
  design$response <- response
  design <- counted_rows(design)
  loss <- loss_huber(bend * fit$s, unit = "response")
  problem <- free_problem(design, design$response, loss, unit = sum(design$weights) / fit$s^2)
  new_mapping("MASS", sprintf("rlm, Huber's psi, scale %s", format(fit$s, digits = 4)),
              list(problem), list(design$solution), design$response, x = design$x,
              columns = design$spec, assumes = "the scale is the last one of the fit",
              remedy = "give a smaller `acc` and a larger `maxit`")
}

# k of psi.huber(); other functions, bisquare and Hampel's among them, are of losses not convex.
huber_bend <- function(psi) {
  at <- c(-1e6, -30, -3, -1.5, -1, -0.5, -1e-3, 1e-3, 0.5, 1, 1.3, 1.4, 2, 3, 10, 1e6)
  bend <- formals(psi)$k
  huber <- is.numeric(bend) && length(bend) == 1L && bend > 0 &&
    isTRUE(all.equal(as.numeric(psi(at)), pmin(1, bend / abs(at)), tolerance = 1e-14))
  if (!huber) {
    abort_input(paste("`fit` has another psi than Huber's, or is by method \"MM\", whose objective",
                      "is not convex, which is not mapped; psi.huber is."), "fit")
  }
  bend
}

assert_case_weights <- function(fit, weights) {
  if (all(weights == 1) || identical(fit$call$wt.method, "case")) {
    return(invisible())
  }
  abort_input(paste("`fit` has weights of wt.method \"inv.var\", which multiply residuals within",
                    "the loss, which is not mapped; wt.method = \"case\" is, written out in the call."),
              "fit")
}

# Fits of rq(method = "lasso") of quantreg: the sum of quantile losses plus lambda_j |b_j| / 2. The
# penalty is rows of zeros below, of tau 1/2, which rq.fit.lasso() states by 0.5 in its right side.

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.lassorq <- function(fit, x = NULL, y = NULL, newx = NULL, newy = NULL, tol = 1e-6,
                                 control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  if (!is.null(fit$weights)) {
    abort_input(paste("`fit` has weights, which rq() does not hand to method \"lasso\", nor tau",
                      "beside them: the problem it solved is not the one that was asked for; fit it",
                      "without weights."), "fit")
  }
  if (!is.null(attr(fit$terms, "offset"))) {
    abort_input(paste("`fit` has an offset in its formula, which rq() leaves out; take it off the",
                      "response."), "fit")
  }
  design <- refitted_design(fit, x, y, stats::coef(fit), "rq()")
  run_audit(rq_mapping(fit, design), newx, newy, tol, control)
}

rq_mapping <- function(fit, design) {
  response <- as.double(design$response)
  assert_kept(response - design$z, fit$residuals, "rq()")
  lambda <- stats::setNames(as.double(fit$lambda), names(stats::coef(fit)))
  slopes <- lambda[design$spec$kept]
  if (design$intercept == "free" && lambda[["(Intercept)"]] != 0 || any(slopes <= 0)) {
    abort_input(paste("`fit` penalises its intercept, or has a column without a penalty (`lambda`",
                      "0, the first one where there is no intercept), which is not mapped."), "fit")
  }
  n <- length(response)
  problem <- audit_problem(design$x, response, loss_quantile(fit$tau), mean(slopes) / 2 / n, 1,
                           design$intercept, unit = n,
                           penalty_factor = if (any(slopes != slopes[1L])) slopes / mean(slopes))
  new_mapping("quantreg", sprintf("rq lasso, tau %s, lambda %s", format(fit$tau),
                                  format(mean(slopes), digits = 4)),
              list(problem), list(design$solution), response, x = design$x, columns = design$spec,
              remedy = "give a smaller `eps`, or a `beta` nearer to 1")
}

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.rq <- function(fit, x, y, ...) {
  abort_input(sprintf(paste(
    "`fit` is a %s of quantreg by method \"%s\": of its problems only the lasso of one tau is",
    "mapped, since columns without a penalty need a smooth loss here, and other penalties are not convex."
  ), class(fit)[1L], toString(fit$method)), "fit")
}

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.rqs <- margin_audit.rq
