# Fits of LiblineaR: 1/2 |w|^2 or |w|_1, plus cost times the sum of the losses, with the intercept
# the coefficient of a column of `bias`. A fit keeps neither its cost nor anything of its rows.

#' @rdname margin_audit
#' @export
margin_audit.LiblineaR <- function(fit, x, y, cost, wi = NULL, svr_eps = NULL, newx = NULL,
                                   newy = NULL, tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  if (missing(cost)) {
    abort_input("`cost` is missing: a fit of LiblineaR does not keep it; give it.", "cost")
  }
  run_audit(liblinear_mapping(fit, x, y, cost, wi, svr_eps), newx, newy, tol, control)
}

liblinear_mapping <- function(fit, x, y, cost, wi = NULL, svr_eps = NULL) {
  assert_number(cost, "cost", lower = 0)
  type <- fit$Type
  regression <- type >= 11
  if (regression) {
    if (is.null(svr_eps)) {
      abort_input("`svr_eps` is missing: a fit of LiblineaR does not keep it; give it.", "svr_eps")
    }
    assert_number(svr_eps, "svr_eps", lower = 0, open = FALSE)
  }
  row <- peer_model("LiblineaR", paste("type =", type), list(svr_eps = svr_eps))
  if (is.null(row)) abort_input(sprintf("`fit` is of type %s, which is not mapped.", type), "fit")
  bias <- as.numeric(fit$Bias)
  own_column <- bias > 0 && bias != 1
  columns <- ncol(fit$W) - (bias > 0)
  x <- audit_matrix(x, "x", columns, "LiblineaR")
  spec <- list(bias = if (own_column) bias)
  seen <- audited_columns(spec, x)
  cost_here <- cost * as.numeric(row$cost)
  w <- t(unname(as.matrix(fit$W)))
  solution <- function(k, sign = 1) {
    slopes <- w[seq_len(ncol(seen)), k, drop = FALSE]
    list(w = sign * slopes, b = sign * if (bias == 1) w[nrow(w), k] else 0 * k)
  }
  problem <- function(y, weights, levels, multiclass = NULL, share = 1) {
    unit <- sum(weights) * cost_here
    audit_problem(seen, y, row$loss, share / unit, as.numeric(row$mixture),
                  if (bias == 1) "penalized" else "none", weights, multiclass = multiclass,
                  levels = levels, unit = unit)
  }
  title <- sprintf("LiblineaR type %d, cost %s", type, format(cost))
  remedy <- liblinear_remedy(type)
  mapping <- function(...) {
    new_mapping("LiblineaR", title, ..., columns = spec, x = seen, remedy = remedy,
                assumes = "the rows given are those of the fit (LiblineaR keeps none)")
  }
  if (regression) {
    y <- audit_numbers(y, nrow(x))
    return(mapping(list(problem(y, rep(1, nrow(x)), NULL)), list(solution(1L)), truth = y))
  }
  # the first class of two is the positive one
  levels <- as.character(fit$ClassNames)
  if (length(levels) == 2L) levels <- rev(levels)
  y <- audit_labels(y, levels, nrow(x))
  wi <- class_weights_of(wi, levels, "wi")
  if (type == 4L && length(levels) == 2L) {
    return(mapping(list(problem(2 * y - 3, wi[y], levels, share = 1 / 2)),
                   list(opposite_solution(solution(1L), solution(2L))), truth = y,
                   levels = levels, vote = "sign"))
  }
  if (type == 4L) {
    return(mapping(list(problem(y, wi[y], levels, "crammer_singer")),
                   list(solution(seq_along(levels))), truth = y, levels = levels,
                   vote = "largest"))
  }
  logistic <- row$loss$name == "logistic"
  if (length(levels) == 2L) {
    return(mapping(list(problem(2 * y - 3, wi[y], levels)), list(solution(1L)), truth = y,
                   levels = levels, vote = "sign", link = if (logistic) "logistic"))
  }
  # one-vs-rest: the weight of a class counts in its own problem, where the others have 1
  problems <- lapply(seq_along(levels), function(k) {
    problem(ifelse(y == k, 1, -1), ifelse(y == k, wi[k], 1), c("rest", levels[k]))
  })
  mapping(stats::setNames(problems, levels), lapply(seq_along(levels), solution), truth = y,
          levels = levels, vote = "largest", link = if (logistic) "shares")
}

# Of two classes type 4 has coefficients w and -w, and hinge losses of their difference u: of |w|^2
# together there is |u|^2 / 4, and what rounding leaves of their sum adds the square of it to that.
opposite_solution <- function(first, second) {
  sums <- abs(c(first$w + second$w, first$b + second$b))
  if (max(sums) > 1e-7 * max(abs(c(first$w, first$b)))) {
    abort_input(paste("`fit` is of type 4 with two classes whose coefficients are not opposite,",
                      "which LIBLINEAR's are; it is not mapped."), "fit")
  }
  list(w = first$w - second$w, b = first$b - second$b)
}

# A number for each level; those that are not named have 1.
class_weights_of <- function(given, levels, arg) {
  weights <- stats::setNames(rep(1, length(levels)), levels)
  if (is.null(given)) {
    return(unname(weights))
  }
  if (!is.numeric(given) || is.null(names(given)) || !all(names(given) %in% levels) ||
        !all(is.finite(given) & given > 0)) {
    abort_input(sprintf("`%s` is %s, but must be positive numbers named by classes: %s.", arg,
                        show_value(given), quote_list(levels)), arg)
  }
  weights[names(given)] <- given
  unname(weights)
}

# max_iter in LIBLINEAR's linear.cpp: 1,000 passes, but 100,000 of type 4.
liblinear_remedy <- function(type) {
  passes <- "ends after 1,000 passes at most, whatever `epsilon` is"
  switch(as.character(type),
         `1` = sprintf("type 1 %s; take type 2, or scale the columns", passes),
         `7` = sprintf("type 7 %s; take type 0, or scale the columns", passes),
         `12` = sprintf("type 12 %s; take type 11, or scale the columns", passes),
         `3` = , `5` = , `13` =
           sprintf("type %d %s; scale the columns, or take a smaller cost", type, passes),
         "give a smaller `epsilon`, or scale the columns")
}
