# Fits of LiblineaR: 1/2 |w|^2 or |w|_1, plus cost times the sum of the losses, with the intercept
# the coefficient of a column of `bias`. A fit keeps neither its cost nor anything of its rows.

#' @rdname margin_audit
#' @export
margin_audit.LiblineaR <- function(fit, x, y, cost, wi = NULL, svr_eps = NULL, newx = NULL,
                                   newy = NULL, tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  assert_audit_given(missing(x), missing(y) && !is_rows(x))
  if (missing(cost)) {
    abort_input("`cost` is missing: a fit of LiblineaR does not keep it; give it.", "cost")
  }
  audit_on_ranks(function(ranks) liblinear_mapping(fit, x, y, cost, wi, svr_eps, ranks), newx, newy,
                 tol, control)
}

liblinear_mapping <- function(fit, x, y, cost, wi = NULL, svr_eps = NULL, ranks = NULL) {
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
  # without names it gives its columns W1, W2, ...
  names <- colnames(fit$W)[seq_len(columns)]
  if (!identical(names, paste0("W", seq_len(columns)))) x <- columns_by_name(x, names, "x")
  spec <- list(bias = if (own_column) bias)
  seen <- audited_columns(spec, x)
  cost_here <- cost * as.numeric(row$cost)
  w <- t(unname(as.matrix(fit$W)))
  solution <- function(k, sign = 1) {
    slopes <- w[seq_len(ncol(seen)), k, drop = FALSE]
    list(w = sign * slopes, b = sign * if (bias == 1) w[nrow(w), k] else 0 * k)
  }
  problem <- function(y, weights, levels, multiclass = NULL, share = 1) {
    unit <- total_over(ranks, sum(weights)) * cost_here
    audit_problem(seen, y, row$loss, share / unit, as.numeric(row$mixture),
                  if (bias == 1) "penalized" else "none", weights, multiclass = multiclass,
                  levels = levels, unit = unit, ranks = ranks)
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
                   levels = levels, vote = "positive"))
  }
  if (type == 4L) {
    return(mapping(list(problem(y, wi[y], levels, "crammer_singer")),
                   list(solution(seq_along(levels))), truth = y, levels = levels,
                   vote = "largest"))
  }
  logistic <- row$loss$name == "logistic"
  if (length(levels) == 2L) {
    return(mapping(list(problem(2 * y - 3, wi[y], levels)), list(solution(1L)), truth = y,
                   levels = levels, vote = "positive", link = if (logistic) "logistic"))
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

# Fits of glmnet: 1/W sum of omega_i phi_i + lambda [(1 - alpha)/2 |w|^2 + alpha |w|_1] on columns
# divided by their population standard deviations. A Gaussian response is brought to unit variance
# first, which divides the ridge part by its standard deviation.

#' @rdname margin_audit
#' @export
margin_audit.glmnet <- function(fit, x, y, s = NULL, alpha = NULL, standardize = NULL,
                                intercept = NULL, weights = NULL, offset = NULL,
                                penalty.factor = NULL, lower.limits = NULL, upper.limits = NULL,
                                newx = NULL, newy = NULL, newoffset = NULL, tol = 1e-6,
                                control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  assert_audit_given(missing(x), missing(y) && !is_rows(x))
  given <- list(alpha = alpha, standardize = standardize, intercept = intercept,
                weights = weights, offset = offset, penalty.factor = penalty.factor,
                lower.limits = lower.limits, upper.limits = upper.limits)
  at <- function(s) {
    audit_on_ranks(function(ranks) glmnet_mapping(fit, x, y, s, given, ranks), newx, newy, tol,
                   control, newoffset)
  }
  if (length(s) < 2L) {
    return(at(s))
  }
  new_audits(stats::setNames(lapply(s, at), paste("lambda", format(s, digits = 4L))), s)
}

#' @rdname margin_audit
#' @export
margin_audit.cv.glmnet <- function(fit, x, y, s = "lambda.1se", ...) {
  assert_audit_given(missing(x), missing(y) && !is_rows(x))
  if (!is.numeric(s)) {
    assert_choice(s, c("lambda.1se", "lambda.min"), "s")
    s <- fit[[s]]
  }
  margin_audit(fit$glmnet.fit, x, y, s = s, ...)
}

glmnet_kinds <- c(elnet = "gaussian", lognet = "binomial", multnet = "multinomial")

glmnet_mapping <- function(fit, x, y, s, given, ranks = NULL) {
  kind <- unname(glmnet_kinds[class(fit)[1L]])
  call <- fit$call
  assert_glmnet_kind(fit, kind, call)
  s <- glmnet_strength(fit, s)
  asked <- function(name, default) absent_argument(given[[name]], name, call, default, "glmnet")
  x <- audit_matrix(x, "x", fit$dim[1L], "glmnet")
  n <- nrow(x)
  weights <- as.double(assert_values_of(asked("weights", rep(1, n)), n, "weights", "row"))
  # glmnet takes a share outside of [0, 1] for its nearest end
  alpha <- min(max(assert_number(asked("alpha", 1), "alpha"), 0), 1)
  offset <- if (isTRUE(fit$offset)) asked("offset", NULL)
  if (isTRUE(fit$offset) && is.null(offset)) {
    abort_input("`offset` is missing: the fit has one, which it does not keep; give it.", "offset")
  }
  if (!is.null(offset)) assert_values_of(offset, n, "offset", "row")
  factor <- asked("penalty.factor", rep(1, ncol(x)))
  assert_values_of(factor, ncol(x), "penalty.factor", "column")
  if (any(is.infinite(factor))) {
    abort_input("`penalty.factor` is infinite for a column; leave that column out of `x`.",
                "penalty.factor")
  }
  factor <- factor * ncol(x) / sum(factor)
  flag <- function(name) {
    value <- asked(name, TRUE)
    if (length(value) != 1L || is.na(as.logical(value))) assert_flag(value, name)
    as.logical(value)
  }
  free <- flag("intercept")
  # glmnet leaves out columns that do not vary, which matters where there is no intercept, but of
  # sparse rows that it does not scale
  standardize <- flag("standardize")
  kept <- free || isS4(x) && !standardize
  constant <- if (kept) FALSE else frame_of_ranks(ranks, x, rep(1, n))$sd == 0
  limit <- function(name, none) {
    value <- asked(name, none)
    if (length(value) == 1L && is.numeric(value)) value <- rep(value, ncol(x))
    value <- assert_values_of(value, ncol(x), name, "column")
    value[constant] <- 0
    if (any(is.finite(value))) value
  }
  several <- kind == "multinomial"
  levels <- if (kind != "gaussian") fit$classnames
  y <- if (is.null(levels)) audit_numbers(y, n) else audit_labels(y, levels, n)
  if (several && any(constant)) {
    abort_input(paste("`fit` is multinomial without an intercept, of a column that does not vary, which",
                      "glmnet leaves out; leave it out, there and here."), "fit")
  }
  solution <- glmnet_solution(fit, s, several)
  mixture <- alpha
  lambda <- s
  if (kind == "gaussian") {
    response <- y - if (is.null(offset)) 0 else offset
    total <- total_over(ranks, sum(weights))
    average <- function(values) total_over(ranks, sum(weights * values)) / total
    centre <- if (free) average(response) else 0
    spread <- sqrt(average((response - centre)^2))
    parts <- s * c(alpha, (1 - alpha) / spread)
    lambda <- sum(parts)
    mixture <- parts[1L] / lambda
  }
  if (any(factor == 0) && !is.null(c(limit("lower.limits", -Inf), limit("upper.limits", Inf)))) {
    abort_input("`fit` has limits beside a `penalty.factor` of 0, a problem that none here is.", "fit")
  }
  problem_of <- function(rows) {
    audit_problem(
      rows$x, if (kind == "binomial") 2 * rows$response - 3 else rows$response,
      peer_model("glmnet", kind)$loss, lambda, mixture, if (free) "free" else "none", rows$weights,
      standardize, if (any(factor != 1)) factor, limit("lower.limits", -Inf),
      limit("upper.limits", Inf), rows$offset, multiclass = if (several) "softmax", levels = levels,
      ranks = ranks
    )
  }
  rows <- list(x = x, response = y, weights = weights, offset = offset)
  problem <- problem_of(rows)
  if (several) assert_glmnet_columns(problem, mixture) else
    solution$w <- coefficients_in_bounds(solution$w, problem$lower, problem$upper, "lower.limits", "upper.limits")
  assert_glmnet_rows(fit, problem, s, several)
  rows <- counted_rows(rows, !is.null(ranks))
  problem <- problem_of(rows)
  y <- rows$response
  x <- rows$x
  new_mapping(
    "glmnet", sprintf("glmnet %s, alpha %s, lambda %s", kind, format(alpha), format(s, digits = 4)),
    list(problem), list(solution), truth = y, levels = levels, x = x,
    vote = if (several) "largest" else if (!is.null(levels)) "positive",
    link = if (several) "softmax" else if (!is.null(levels)) "logistic",
    remedy = "give a smaller `thresh`",
    assumes = if (min(abs(fit$lambda / s - 1)) > 1e-9) {
      "coefficients at `s` are those that glmnet interpolates between two of its lambda"
    } else ""
  )
}

assert_glmnet_kind <- function(fit, kind, call) {
  if (inherits(fit, "relaxed")) {
    abort_input("`fit` is relaxed, which is two problems; give a fit with relax = FALSE.", "fit")
  }
  if (is.na(kind)) {
    abort_input(sprintf(paste(
      "`fit` is a %s of glmnet, whose problem is none of ours; gaussian, binomial and multinomial",
      "fits by the names of these families are."
    ), class(fit)[1L]), "fit")
  }
  if (kind == "binomial" && is.null(fit$classnames)) {
    abort_input(paste("`fit` was made of a matrix of proportions; make rows of both classes of them,",
                      "with weights, there and here."), "fit")
  }
  if (kind == "multinomial" && length(fit$classnames) == 2L) {
    abort_input("`fit` is multinomial of two classes; fit it with family = \"binomial\".", "fit")
  }
  if (kind == "multinomial" && isTRUE(fit$offset)) {
    abort_input("`fit` is multinomial with an offset, a problem that none here is.", "fit")
  }
  if (!is.null(call_argument(call, "exclude"))) {
    abort_input("`fit` was made with `exclude`; leave these columns out, there and here.", "fit")
  }
  if (kind == "multinomial" && isTRUE(fit$grouped)) {
    abort_input(paste("`fit` has type.multinomial = \"grouped\", a group lasso, which no penalty",
                      "here is."), "fit")
  }
}

# What one problem of all classes does not have is called as glmnet calls it.
assert_glmnet_columns <- function(problem, mixture) {
  arg <- column_terms(problem, mixture)
  if (!is.null(arg)) {
    abort_input(sprintf("`fit` is multinomial with this `%s`, a problem that none here is.", switch(
      arg, lower = "lower.limits", upper = "upper.limits", penalty_factor = "penalty.factor"
    )), "fit")
  }
}

glmnet_strength <- function(fit, s) {
  if (is.null(s)) {
    if (length(fit$lambda) == 1L) {
      if (!(fit$lambda > 0)) abort_input("`fit` has a lambda of 0, and no penalty; see glm().", "fit")
      return(fit$lambda)
    }
    abort_input(sprintf("`s` is missing: the fit has %d values of lambda; give one.",
                        length(fit$lambda)), "s")
  }
  ends <- range(fit$lambda)
  assert_number(s, "s", lower = 0)
  if (s < ends[1L] * (1 - 1e-9) || s > ends[2L] * (1 + 1e-9)) {
    abort_input(sprintf(paste(
      "`s` is %s, outside the path of the fit (%s to %s), where glmnet gives the coefficients of",
      "its end; give one within."
    ), format(s, digits = 4), format(ends[1L], digits = 4), format(ends[2L], digits = 4)), "s")
  }
  s
}

# Coefficients at s: those of glmnet, linear between two lambda.
glmnet_solution <- function(fit, s, several) {
  lambda <- fit$lambda
  right <- min(which(lambda <= s * (1 + 1e-9)), length(lambda))
  left <- if (abs(lambda[right] / s - 1) <= 1e-9) right else right - 1L
  share <- if (left == right) 1 else (s - lambda[right]) / (lambda[left] - lambda[right])
  between <- function(values) share * values[, left] + (1 - share) * values[, right]
  slopes <- lapply(if (several) fit$beta else list(fit$beta), between)
  list(w = unname(do.call(cbind, slopes)),
       b = unname(between(if (several) fit$a0 else matrix(fit$a0, 1L))))
}

# What a fit says of its rows: the deviance that it explains, at the lambda nearest to s.
assert_glmnet_rows <- function(fit, problem, s, several) {
  place <- which.min(abs(fit$lambda - s))
  at_lambda <- glmnet_solution(fit, fit$lambda[place], several)
  z <- solution_scores(problem, at_lambda, problem$x, problem$offset)$z
  losses <- losses_of_scores(problem, if (several) z else z[, 1L])
  deviance <- 2 * total_over(problem$ranks, sum(problem$weights * losses))
  stated <- (1 - fit$dev.ratio[place]) * fit$nulldev
  if (!isTRUE(abs(deviance - stated) <= 1e-7 * fit$nulldev)) {
    abort_input(sprintf(paste(
      "`x` and `y` have the deviance %s at the coefficients of the fit, which says %s: other rows,",
      "another order, or weights or arguments that the fit had."
    ), format(deviance, digits = 6), format(stated, digits = 6)), "x")
  }
}
