# The audit of a fit: what its problem is, how far it is from the optimum, what the optimum decides.

#' How far is a fit of any package from the optimum of its own problem?
#'
#' @description
#' Check a fit that you have. `margin_audit()` takes one of another package, or nothing but its
#' coefficients, with the rows it was made from, and says how far it is from the optimum *of the
#' problem that it states itself*,
#' and what the optimum would decide otherwise. A bound of the optimum needs only data, problem and
#' coefficients, so that no package has to be asked how it got there.
#' ```r
#' margin_audit(LiblineaR::LiblineaR(x, y, type = 2, cost = 1), x, y, cost = 1)
#' ```
#'
#' @details
#' The problem of the other package is written as one of ours and solved to a relative gap of 1e-8
#' (`control`). With \eqn{P} the objective at the solution that is audited, computed from its
#' definition, \eqn{r} a bound on what rounding did to it, and \eqn{P_0}{P0} and \eqn{D} value and
#' bound of our fit, the excess \eqn{P - P^\star}{P - P*} lies between \eqn{P - r - P_0}{P - r - P0}
#' and \eqn{P + r - D}. Both ends are reported, in the unit of the package.
#'
#' Our solve starts from the solution that is judged, and from the dual point of a support vector
#' machine. With `control = margin_control(max_seconds = 1e-6)` it ends there, with the
#' bound of that pair, which takes two passes over the rows.
#'
#' The excess alone is no verdict: at a large cost a tolerance that changes nothing multiplies it.
#' The verdict goes by what is proven, in this order:
#' * `"exact"`: the relative excess is at most `tol`;
#' * `"changes k classes"`: the optimum is proven to have another class in k training rows;
#' * `"as good as exact"`: no training score can cross to another class, not of any solution that is
#'   as near as the optimum is proven to be; or the optimum has the same classes, and is within a
#'   thousandth of its length, or moves no decision value by more than one percent of their root mean
#'   square, in a model of probabilities none of these by more than 0.01. The distance is the
#'   smallest of three bounds: the primal excess
#'   (\eqn{|w - w^\star|^2 \le 2 (P - P^\star) / \lambda}{|w - w*|^2 <= 2 (P - P*)/lambda}), the
#'   same of the package's own dual point where it returns one, and the way over our fit. In a
#'   regression: no prediction moves by more than one percent of the residuals' standard deviation;
#' * `"off, no class changes"` (in a regression `"off"`): the optimum has the same classes, and a
#'   decision value or probability is proven to move by more than that; where neither is proven,
#'   `"no class changes"`.
#'
#' Rows whose class at the optimum is undecided, since its score there may be 0, are counted apart:
#' `"as good as exact, 2 classes undecided"`. Our fit solved further, `margin_control(tol = 1e-12)`,
#' may decide them. Where decision values of the optimum stand comes from [margin_certain()], and
#' where that has no bounds from the misfit that each row can have at the optimum. Where neither
#' bounds them (new rows of a lasso), our fit stands
#' for the optimum, and `proven` is `FALSE`.
#'
#' Classes are those of the package's `predict()`; of our own fits and of coefficients the second class
#' is that of decision values from 0, or from the fit's threshold, on. Rows of weight 0 are none.
#'
#' All of it is about the optimisation error of the training objective. What the optimum does on
#' rows that were not fitted is seen with `newx` and `newy`; it may also do worse there.
#'
#' @section Landmarks:
#' Of a fit of [margin_kernel()] with `nystrom` the coefficients are judged as a solution for *all* of
#' the kernel, which says what the approximation costs. Nothing is solved: its dual point is a
#' feasible one of that problem too,
#' \deqn{P^\star \ge -\frac1W \sum_i \omega_i \phi^*(a_i) - \frac\lambda2 \beta^\top K \beta, \qquad
#'   \beta_i = -\frac{\omega_i a_i}{\lambda W},}{
#'   P* >= -1/W sum_i omega_i phi*(a_i) - lambda/2 b'K b, b_i = -omega_i a_i/(lambda W),}
#' at \eqn{a} or a smaller multiple of it, and the pass over the kernel keeps none of its
#' \eqn{n^2/2} values. It needs the rows of the fit, in
#' their order; where these leave a class of the optimum open, it is undecided.
#'
#' @eval audit_section()
#'
#' @section Rows on several machines:
#' Where each rank of a job under MPI ([mpi_ranks()]) has its own rows, `control =
#' margin_control(ranks = mpi_ranks())` judges a fit on the rows of all of them: value, bound and
#' their rounding are sums over rows. Every rank gives the same fit of LiblineaR, glmnet or
#' [margin_linear()], or the same coefficients, and returns the same audit, but for the scores and
#' classes in `training` and `new`, which are of its own rows; counts, accuracies and the largest
#' moves are of all. Classes that the optimum changes are proven by
#' the misfits of the rows, where one process has the bounds of [margin_certain()], so that more may
#' be undecided. Kernels, formulas of other packages and models of frameworks are refused, and what
#' [margin_linear()] does not fit on ranks: offsets, bounds of coefficients, columns without a
#' penalty.
#'
#' @section Arguments that a fit does not keep:
#' They have the names they have in the package. One that is missing
#' and not the default of the package is an error, never a guess; numbers that the call of the fit
#' spells out are taken from there.
#'
#' Fits of `glm()`, `multinom()`, `rlm()` and `rq()` take the data frame of their formula as `x`, or
#' nothing where they keep it, and no `y`; what they do not keep of a coding is checked by their
#' fitted values. A Huber fit is judged at its last scale, which moves with the coefficients, so
#' that the pair of both minimises nothing.
#'
#' Of parsnip's models, workflows (by the rows that they keep), caret's `train()` and learners of mlr3
#' (with their task as `x`) the engine's fit is judged, on the rows that it saw. Where a cost that was
#' asked for is not the one of the engine's fit or call, both are judged, and named.
#'
#' A cost that a model of parsnip has by a variable, which may have another value by now, has to be given.
#' Of models of caret that were fitted to a `subset` or with `sampling` give the rows.
#'
#' Not mapped, since no problem of ours is theirs: of glmnet the grouped multinomial, a multinomial
#' with limits, `penalty.factor`, an offset or two classes, limits beside a `penalty.factor` of 0,
#' several responses,
#' Poisson, Cox, `relax`, `exclude` and family objects; of e1071 and kernlab the sigmoid kernel, nu
#' instead of a cost, and kernels that are functions; of kernlab one class, a kernelMatrix of three or
#' more classes, and class weights that do not name all classes;
#' of `glm()` other families and links, more than 50 columns, and classes of other packages that are
#' a `glm` besides; of `multinom()` three or more classes; of `rlm()` other psi than Huber's, and
#' weights of `wt.method = "inv.var"`; of `rq()` other methods than the lasso, which gets neither
#' weights nor an offset there.
#'
#' @param fit A fit of `LiblineaR()`, `glmnet()`, `cv.glmnet()`, `svm()` of e1071 or `ksvm()` of
#'   kernlab; of `glm()`, `multinom()` of nnet, `rlm()` of MASS or `rq(method = "lasso")` of
#'   quantreg; a model of parsnip, workflows, caret or mlr3 with one of them as its engine; a
#'   numeric vector of coefficients, the
#'   intercept first (a matrix with a column for each of three or more classes); or a fit of
#'   [margin_linear()] or [margin_kernel()], which may be judged on other rows than its own.
#' @param x,y The rows and the response that `fit` was made from, as its package was given them. For
#'   a `margin_fit` any rows: a data frame in `x` alone for one from a formula. Its own rows are those that `subset` and
#'   `na.action` of its call leave, with its weights; of others each counts once. Coefficients may be
#'   judged on rows in a file ([read_rows()]), which have `y` and `weights` with them.
#' @param cost,wi,svr_eps The arguments of LiblineaR, `wi` by name.
#' @param s The lambda of the path to judge, or several of them; for `cv.glmnet()` also
#'   `"lambda.1se"` or `"lambda.min"`.
#' @param alpha,standardize,weights,offset,penalty.factor,lower.limits,upper.limits The arguments of
#'   `glmnet()`.
#' @param loss,lambda,mixture,penalty_factor,lower,upper,scale,multiclass The problem that
#'   coefficients are a solution of, as in [margin_linear()], where `cost` may be given instead of
#'   `lambda`. `scale = TRUE` means a penalty on the scaled columns; coefficients are on the scale
#'   of `x`.
#' @param intercept `"free"`, `"penalized"` or `"none"`, as in [margin_linear()]; for `glmnet()` its
#'   own `TRUE` or `FALSE`.
#' @param newx,newy Other rows, judged besides; columns with names are found by these.
#' @param newoffset Their offset, where a formula does not have it.
#' @param tol The relative excess up to which a fit is called exact, and certified.
#' @param control How our fit of the problem is computed, see [margin_control()]; `tol` is 1e-8
#'   where it is `NULL`.
#' @param ... Arguments of the methods; an unknown argument is an error.
#' @return A list of class `"margin_audit"`: `excess` (a data frame with a row a problem: `problem`,
#'   `value`, `bound`, the interval `from`, `to` of the excess, `dual_short`, how far the package's
#'   own dual point is below the optimum, `rounding`, all in the unit of the package,
#'   `relative_from` and `relative_to` as shares of the bound, `relative_gap` as certificates have
#'   it, and `certified`), `verdict`, `distance` and `size` (of the optimum), `training` and `new`
#'   (what changes: `moved` is the largest move of a decision value that is not excluded, `Inf`
#'   where nothing bounds it, `moved_least` the largest that is proven), `fits` (ours), and what they
#'   are called.
#'
#'   `certificate()` of an audit, or of a fit of another package and its rows, has the columns of
#'   every certificate, of kind `"audit"`. It never warns: that a fit of another package misses a
#'   tolerance is a finding.
#'
#'   `refit()` is our fit of the same problem, with the classes of the package: a fit of
#'   [margin_linear()] or [margin_kernel()], or where there are several problems or the package
#'   prepares its columns, an object with a `predict()` method that votes as the package does. A fit of
#'   ours takes a decision value of exactly 0 for the second class.
#'
#'   `c()` of audits, or `s` with several lambda, is a list of class `"margin_audits"`, named by
#'   what `c()` was given; its `glance()` has a row an audit. `summary()` is the
#'   audit itself. `plot()` of an audit draws decision
#'   values of the fit and of the optimum, with the ends of the latter where these are known; of
#'   several audits the excess of each on a logarithmic axis, filled where a class changes. Both
#'   return what was drawn, invisibly.
#' @section Errors:
#' Of class `dualmargin_input_error`: arguments that a fit does not keep and that are missing; rows
#' that are not those of the fit, where it keeps what tells; problems that are not mapped.
#' @references Fan R-E, Chang K-W, Hsieh C-J, Wang X-R, Lin C-J (2008). LIBLINEAR: a library for
#' large linear classification. *Journal of Machine Learning Research* 9, 1871-1874.
#'
#' Friedman J, Hastie T, Tibshirani R (2010). Regularization paths for generalized linear models via
#' coordinate descent. *Journal of Statistical Software* 33(1), 1-22. \doi{10.18637/jss.v033.i01}.
#'
#' Ndiaye E, Fercoq O, Gramfort A, Salmon J (2017). Gap safe screening rules for sparsity enforcing
#' penalties. *Journal of Machine Learning Research* 18(128), 1-33. arXiv:1611.05780.
#' @seealso `vignette("audit")`, [certificate()], [margin_certain()], [margin_compare()],
#'   [translation].
#' @examples
#' # coefficients, from wherever: two steps of gradient descent are not enough
#' x <- scale(as.matrix(spambase[1:57]))
#' y <- spambase$type
#' sign <- ifelse(y == "spam", 1, -1)
#' w <- numeric(57)
#' for (step in 1:2) w <- w + crossprod(x, sign * plogis(-sign * drop(x %*% w))) / nrow(x)
#' audit <- margin_audit(drop(w), x, y, loss = "logistic", lambda = 1e-3, intercept = "none")
#' audit
#' certificate(audit)
#' best <- refit(audit)
#' # after more steps
#' for (step in 1:50) w <- w + crossprod(x, sign * plogis(-sign * drop(x %*% w))) / nrow(x)
#' later <- margin_audit(drop(w), x, y, loss = "logistic", lambda = 1e-3, intercept = "none")
#' plot(c("2 steps" = audit, "52 steps" = later))
#' @order 1
#' @export
margin_audit <- function(fit, x, y, ...) {
  if (missing(fit)) abort_input("`fit` is missing; give a fit, or coefficients.", "fit")
  refuse_audit_on_ranks(fit, list(...)$control)
  UseMethod("margin_audit")
}

#' @rdname margin_audit
#' @usage NULL
#' @export
margin_audit.default <- function(fit, x, y, ...) {
  abort_input(sprintf(
    "`fit` is %s, which is not mapped; margin_audit() takes fits of %s, ours and coefficients.",
    show_value(fit), paste(unique(peer_models()$package), collapse = ", ")
  ), "fit")
}

# Of several ranks are fits that are linear in columns which are the same whatever rows a rank has.
refuse_audit_on_ranks <- function(fit, control) {
  whys <- list(
    "its problem sets each row beside every other" = c("svm", "ksvm", "margin_kernel"),
    "a formula codes its columns from the rows of one rank" = c("glm", "multinom", "rlm", "rq"),
    "a framework prepares the rows" = c("model_fit", "workflow", "train", "Learner")
  )
  why <- names(Filter(function(classes) inherits(fit, classes), whys))
  if (on_several_ranks(control) && length(why) > 0L) {
    abort_input(sprintf(paste(
      "`ranks` of the control is given, but margin_audit() of a %s needs all rows in one place: %s;",
      "leave it out, or give the coefficients of a linear problem."
    ), class(fit)[1L], why), "ranks")
  }
}

# ---- A mapping: problems and solutions, how they decide, and what is said of them ----

# columns: what the package does to rows before its solver sees them; x: the rows after that; truth:
# numbers, or positions among `levels`; vote: how scores decide, from which threshold; link: how they
# are probabilities.
new_mapping <- function(peer, title, problems, solutions, truth, x, levels = NULL, columns = list(),
                        vote = "number", link = NULL, response = NULL, pairs = NULL, fits = NULL,
                        assumes = "", remedy = "", threshold = 0, copies = NULL) {
  list(peer = peer, title = title, problems = problems, solutions = solutions, truth = truth, x = x,
       levels = levels, columns = columns, vote = vote, link = link, response = response,
       pairs = pairs, fits = fits, assumes = assumes, remedy = remedy, threshold = threshold,
       copies = copies)
}

# Of the columns as they are given; NULL where they have none.
audited_names <- function(mapping) {
  names <- colnames(mapping$x)
  if (is.null(mapping$columns$bias)) names else names[-length(names)]
}

# Rows as the solver of the package saw them.
audited_columns <- function(spec, x) {
  if (!is.null(spec$scale)) {
    place <- which(rep_len(spec$scaled, ncol(x)))
    center <- replace(numeric(ncol(x)), place, spec$center)
    scales <- replace(rep(1, ncol(x)), place, spec$scale)
    x <- scale_columns(subtract_columns(x, center), scales)
  }
  if (is.null(spec$bias)) x else cbind(x, bias = spec$bias)
}

# map(ranks): the mapping, of rows of which other ranks may have more.
audit_on_ranks <- function(map, newx, newy, tol, control, newoffset = NULL) {
  on_ranks(control, function(control) {
    run_audit(map(ranks_of_control(control)), newx, newy, tol, control, newoffset)
  })
}

run_audit <- function(mapping, newx, newy, tol, control, newoffset = NULL) {
  assert_number(tol, "tol", lower = 0, remedy = "the default is 1e-6")
  assert_control(control)
  ranks <- mapping$problems[[1L]]$ranks
  if (!is.null(ranks)) assert_same_audit(ranks, mapping, tol)
  excess <- audited_excess(mapping, control)
  regions <- Map(function(problem, one) optimum_region(problem, one$fit), mapping$problems, excess)
  training <- audited_rows(mapping, excess, regions)
  if (!is.null(newx) && is_given(mapping$problems[[1L]]$kernel)) {
    abort_input("`newx` is given, but of a kernelMatrix only its own rows are judged; leave it out.",
                "newx")
  }
  if (is.null(newx) && !is.null(newy)) {
    abort_input("`newy` is given without `newx`; give both, or neither.", "newy")
  }
  assert_newoffset(newoffset, newx, !is.null(mapping$problems[[1L]]$offset))
  new <- if (!is.null(newx)) {
    rows <- audited_rows_of(mapping$columns, newx, "newx", mapping$peer, audited_names(mapping))
    assert_column_number(rows, ncol(mapping$x) - !is.null(mapping$columns$bias), "newx")
    truth <- if (is.null(newy)) NULL else
      if (is.null(mapping$levels)) audit_numbers(newy, nrow(rows), "newy") else
        audit_labels(newy, mapping$levels, nrow(rows), "newy")
    audited_rows(mapping, excess, regions, audited_columns(mapping$columns, rows), truth, newoffset)
  }
  table <- excess_table(excess, mapping$problems, tol)
  audit <- c(mapping[c("peer", "title", "levels", "columns", "vote", "threshold", "pairs", "link", "response",
                       "assumes", "remedy")],
             list(excess = table, tol = tol, nobs = training$n, features = ncol(mapping$x),
                  spread = column_spreads(mapping$x, ranks),
                  here = call_here(mapping$problems[[1L]], mapping$columns),
                  names = audited_names(mapping),
                  distance = vapply(excess, function(one) one$near$distance, 0),
                  size = vapply(excess, function(one) one$near$size, 0),
                  training = training, new = new, fits = lapply(excess, `[[`, "fit")))
  audit$verdict <- audit_verdict(audit)
  structure(audit, class = "margin_audit")
}

assert_newoffset <- function(newoffset, newx, needed) {
  if (is.null(newx)) {
    return(invisible())
  }
  if (is.null(newoffset)) {
    if (needed) {
      abort_input("`newoffset` is missing: the fit has an offset; give that of `newx`.", "newoffset")
    }
  } else if (!is.numeric(newoffset) || !needed || !length(newoffset) %in% c(1L, NROW(newx)) ||
               !all(is.finite(newoffset))) {
    abort_input(sprintf("`newoffset` is %s, but %s.", show_value(newoffset),
                        if (needed) "must be a finite number for each row of `newx`" else
                          "the fit has no offset"), "newoffset")
  }
}

# All but rows and labels.
assert_same_audit <- function(ranks, mapping, tol) {
  parts <- c("loss", "lambda", "mixture", "intercept", "scale", "penalty_factor", "lower", "upper",
             "multiclass", "unit")
  marks <- mark_of(c(list(mapping$title, mapping$levels, tol, mapping$solutions),
                     lapply(mapping$problems, `[`, parts)))
  known <- of_all_ranks(ranks, marks)
  other <- which(!vapply(known, identical, NA, known[[1L]]))[1L]
  if (!is.na(other)) {
    abort_input(sprintf(paste(
      "`fit`: rank 0 and rank %d judge other coefficients, or by other arguments; give all ranks",
      "the same."
    ), other - 1L), "fit")
  }
}

audited_excess <- function(mapping, control) {
  fits <- mapping$fits
  Map(function(problem, solution, k) {
    tryCatch(
      if (is.null(fits)) audit_excess(problem, solution, control) else
        audit_excess(problem, solution, control, fits[[k]]),
      dualmargin_input_error = function(condition) {
        own <- condition$arg == "penalty_factor" && mapping$peer %in% c("stats", "nnet", "MASS")
        if (!own) stop(condition)
        abort_input(if (grepl("separate", conditionMessage(condition))) paste(
          "`fit` is of classes that are separate, or all but separate: no coefficients are the best,",
          "and there is no optimum to judge by."
        ) else paste(
          "`fit` has columns that are a combination of others, and no penalty: no coefficients are",
          "determined, and there is no optimum to judge by."
        ), "fit")
      }
    )
  }, mapping$problems, mapping$solutions, seq_along(mapping$problems))
}

excess_table <- function(excess, problems, tol) {
  table <- do.call(rbind, lapply(excess, `[[`, "row"))
  names <- if (is.null(names(problems))) "all" else names(problems)
  # certified by the relative gap of certificates, stated as a share of the optimum
  gap <- vapply(excess, `[[`, 0, "relative")
  share <- function(size) ifelse(size > 0, size / abs(table$bound), 0)
  without_row_names(data.frame(
    problem = names, table, relative_from = share(table$from), relative_to = share(table$to),
    relative_gap = gap, certified = gap <= tol
  ))
}

column_spreads <- function(x, ranks = NULL) {
  if (is_rows(x)) {
    return(c(1, 1))
  }
  spread <- frame_of_ranks(ranks, x, rep(1, nrow(x)))$sd
  if (any(spread > 0)) range(spread[spread > 0]) else c(1, 1)
}

# What fits from a formula share (glm, multinom, rlm, rq): rows by their terms, without the column
# of the intercept and without columns that the package left out, whose coefficients are NA.

# x: a data frame, or NULL for the rows that the fit keeps.
refitted_design <- function(fit, x, y, beta, package) {
  if (!is.null(y)) {
    abort_input("`y` is given, but the fit is from a formula: its response is in `x`.", "y")
  }
  if (is.null(fit$terms)) {
    abort_input("`fit` is not from a formula, which is not mapped; fit it from one.", "fit")
  }
  terms <- fit$terms
  free <- attr(terms, "intercept") == 1L
  kept <- setdiff(names(beta)[!is.na(beta)], "(Intercept)")
  spec <- list(terms = terms, xlevels = fit$xlevels, contrasts = fit$contrasts, kept = kept,
               argument = !is.null(call_argument(fit$call, "offset")))
  frame <- if (!is.null(x)) formula_frame(spec, x, package) else fit$model
  if (is.null(frame)) {
    abort_input(sprintf(paste("`x` is missing: the fit of %s does not keep its rows; give the data",
                              "frame that it was made from."), package), "x")
  }
  rows <- stats::model.matrix(terms, frame, contrasts.arg = spec$contrasts)
  if (!all(kept %in% colnames(rows))) {
    abort_input("`x` is coded to other columns than those of the fit; give the rows of the fit.",
                "x")
  }
  n <- nrow(rows)
  weights <- if (is.null(fit$prior.weights)) fit$weights else fit$prior.weights
  if (!is.null(weights) && length(weights) != n) abort_other_rows(package)
  offset <- if (is.null(fit$offset)) stats::model.offset(frame) else fit$offset
  if (!is.null(offset) && length(offset) != n) abort_other_rows(package)
  solution <- list(w = as.matrix(unname(beta[kept])), b = if (free) beta[["(Intercept)"]] else 0)
  x <- unname(rows[, kept, drop = FALSE])
  colnames(x) <- kept
  list(spec = spec, x = x, response = stats::model.response(frame), solution = solution,
       weights = if (is.null(weights)) rep(1, n) else as.vector(weights), offset = offset,
       intercept = if (free) "free" else "none",
       z = drop(x %*% solution$w) + solution$b + if (is.null(offset)) 0 else offset)
}

formula_frame <- function(spec, x, package) {
  if (!is.data.frame(x)) {
    abort_input(sprintf("`x` is %s, but must be the data frame that the formula of %s was given.",
                        show_value(x), package), "x")
  }
  evaluate_frame(stats::model.frame(spec$terms, x, xlev = spec$xlevels), "x", "coded")
}

# The offset of new rows: that of the formula, else as it is given.
offset_of_new <- function(design, newx, newoffset) {
  if (is.null(newx) || is.null(design$offset) || !is.null(newoffset)) {
    return(newoffset)
  }
  terms <- stats::delete.response(design$spec$terms)
  found <- if (!design$spec$argument) stats::model.offset(stats::model.frame(terms, newx, xlev = design$spec$xlevels))
  if (is.null(found)) {
    abort_input("`newoffset` is missing: the fit has one that is not in its formula; give all of it.",
                "newoffset")
  }
  found
}

# Does a number a row that the fit keeps come out of the rows?
assert_kept <- function(found, stated, package) {
  same <- length(found) == length(stated) &&
    max(abs(unname(found) - unname(stated))) <= 1e-8 * (1 + max(abs(stated)))
  if (!isTRUE(same)) abort_other_rows(package)
}

abort_other_rows <- function(package) {
  abort_input(sprintf(paste(
    "`x` does not have what the fit of %s keeps of its rows: other rows, another order, or columns",
    "that changed since."
  ), package), "x")
}

# Without a penalty; lambda, which nothing is multiplied by, is 1.
free_problem <- function(design, y, loss, weights = design$weights, unit = sum(weights), ...) {
  if (ncol(design$x) == 0L) {
    abort_input("`fit` has an intercept only, which is not mapped: there is no column to judge.",
                "fit")
  }
  if (ncol(design$x) > most_free_columns) {
    abort_input(sprintf(paste("`fit` has %d columns without a penalty, which is not mapped:",
                              "at most %d are."), ncol(design$x), most_free_columns), "fit")
  }
  audit_problem(design$x, y, loss, 1, 0, design$intercept, weights, scale = TRUE,
                penalty_factor = rep(0, ncol(design$x)), offset = design$offset, unit = unit, ...)
}

# Rows of weight 0 take no part. part: other ranks have rows too.
counted_rows <- function(design, part = FALSE) {
  use <- which(design$weights > 0)
  if (length(use) == length(design$weights) || length(use) == 0L && !part) {
    return(design)
  }
  for (name in intersect(c("x", "response", "weights", "offset", "z", "copies"), names(design))) {
    part <- design[[name]]
    if (!is.null(part)) {
      design[[name]] <- if (is.null(dim(part))) part[use] else take_rows(part, use)
    }
  }
  design
}

# Coefficients, from wherever: of a paper, of another language, of a spreadsheet.

#' @rdname margin_audit
#' @export
margin_audit.numeric <- function(fit, x, y, loss, lambda = NULL, cost = NULL, mixture = 0,
                                 intercept = "free", weights = NULL, penalty_factor = NULL,
                                 lower = NULL, upper = NULL, offset = NULL, scale = FALSE,
                                 multiclass = "one_vs_rest", newx = NULL, newy = NULL,
                                 newoffset = NULL, tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  assert_audit_given(missing(x), missing(y) && !is_rows(x))
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
    y <- NULL
  }
  audit_on_ranks(function(ranks) {
    if (is_rows(x)) {
      weights <- design_rows(x, NULL, !is.null(ranks))$weights
    } else {
      x <- audit_matrix(x, package = "the other package")
      if (!is.null(weights)) assert_weights(weights, nrow(x), !is.null(ranks))
    }
    coded <- design_response(list(x = x, y = y, response_name = "y"), loss, NULL, ranks)
    levels <- coded$levels
    if (is_rows(x) && length(levels) > 2L && multiclass == "one_vs_rest") {
      abort_input(paste("`multiclass` is \"one_vs_rest\", whose problems have other labels than the",
                        "file; use \"softmax\", or give a matrix."), "multiclass")
    }
    beta <- audited_coefficients(fit, x, intercept, levels)
    assert_bounds(lower, upper)
    bounds <- matched_bounds(list(lower = lower, upper = upper), feature_names(colnames(x), ncol(x)))
    beta$w <- coefficients_in_bounds(beta$w, bounds$lower, bounds$upper, "lower", "upper")
    if (is.null(weights)) weights <- rep(1, nrow(x))
    used <- list(x = x, response = coded$response, weights = weights, offset = offset)
    if (length(offset) %in% c(0L, nrow(x))) used <- counted_rows(used, !is.null(ranks))
    x <- used$x
    coded$response <- used$response
    unit <- if (is.null(lambda)) total_over(ranks, sum(weights)) * cost else 1
    problem <- function(y, levels, joint = NULL) {
      audit_problem(x, y, loss, if (is.null(lambda)) 1 / unit else lambda, mixture, intercept,
                    used$weights, scale, penalty_factor, lower, upper, used$offset, multiclass = joint,
                    levels = levels, unit = unit, ranks = ranks)
    }
    solution <- function(k) list(w = beta$w[, k, drop = FALSE], b = beta$b[k])
    mapping <- function(problems, solutions, truth, ...) {
      new_mapping("coefficients", sprintf("coefficients, %s loss", format(loss)), problems,
                  solutions, truth, x = x, levels = levels,
                  assumes = "the problem is the one that is given", remedy = "", ...)
    }
    coded_mapping(coded, problem, solution, multiclass, loss, mapping)
  }, newx, newy, tol, control, newoffset)
}

assert_alone <- function(given) {
  if (any(given)) {
    abort_input(sprintf(paste(
      "`%s` is given beside rows in a file, which have their response and weights with them and are",
      "judged as they are; leave it out, or give a matrix."
    ), names(given)[given][1L]), names(given)[given][1L])
  }
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
    return(mapping(list(problem(2 * y - 3, levels)), list(solution(1L)), y, vote = "nonnegative",
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
  classes <- colnames(beta)
  if (columns > 1L && any(classes %in% levels) && !identical(classes, levels)) {
    abort_input("`fit` has columns that are not named by the classes of `y`, in their order.", "fit")
  }
  beta <- unname(beta)
  list(w = if (constant) beta[-1L, , drop = FALSE] else beta,
       b = if (constant) beta[1L, ] else numeric(columns))
}

# Coefficients that a bound holds are it up to rounding.
coefficients_in_bounds <- function(w, lower, upper, arg_lower, arg_upper) {
  low <- if (is.null(lower)) -Inf else lower
  high <- if (is.null(upper)) Inf else upper
  rounded <- function(bound) 1e-12 * pmax(abs(bound), max(abs(w)))
  wrong <- which(w < low - rounded(low) | w > high + rounded(high))
  if (length(wrong) > 0L) {
    abort_input(sprintf(paste(
      "`fit` has the coefficient %s for column %d, which is not within `%s` and `%s`: it is no",
      "solution of that problem."
    ), format(w[wrong[1L]], digits = 4L), (wrong[1L] - 1L) %% nrow(w) + 1L, arg_lower, arg_upper), "fit")
  }
  pmin(pmax(w, low), high)
}

# Our own fits, on their rows or on others: how far old coefficients are from the optimum of new
# rows under the same settings, with columns and response in the units of the fit.

#' @rdname margin_audit
#' @export
margin_audit.margin_fit <- function(fit, x, y, weights = NULL, newx = NULL, newy = NULL,
                                    tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  assert_audit_given(missing(x))
  y <- if (!missing(y)) y
  if (!is.null(y) && identical(fit$interface, "formula") && !is.null(observed_response(fit, x))) {
    abort_input("`y` is given, but `x` has the response of the fit's formula; leave `y` out.", "y")
  }
  audit_on_ranks(function(ranks) fit_mapping(fit, x, y, weights, ranks), newx, newy, tol, control)
}

fit_mapping <- function(fit, x, y, weights = NULL, ranks = NULL) {
  assert_fit(fit, "fit")
  assert_audited_kind(fit)
  if (!is.null(fit$settings$nystrom)) {
    seen <- landmark_rows(fit, x, y, weights)
    mapping <- mapping_of_rows(fit, seen, fit$response, fit$weights)
    mapping$fits <- landmark_fits(fit, mapping)
    mapping$remedy <- "take more landmarks, or nystrom = \"auto\""
    return(mapping)
  }
  own <- if (is.null(ranks)) own_training(fit, x, y)
  if (!is.null(own)) {
    if (!is.null(weights)) assert_weights(weights, NROW(x))
    omega <- if (is.null(weights)) unname(fit$weights) else weights[own$rows]
    return(mapping_of_rows(fit, own$x, fit$response, omega))
  }
  seen <- coded_as_fit(fit, x, "x")
  if (is.null(y)) y <- observed_response(fit, x)
  if (is.null(y)) abort_input("`y` is missing; give the response of the rows.", "y")
  unasked <- if (is.null(weights)) intersect(c("weights", "subset"), names(fit$call))
  weights <- if (is.null(weights)) rep(1, nrow(seen)) else weights
  assert_weights(weights, nrow(seen), !is.null(ranks))
  mapping <- mapping_of_rows(fit, seen, y, weights, ranks)
  if (length(unasked) > 0L) {
    mapping$assumes <- sprintf("each of these rows counts once (%s of the fit's call %s of its own rows)",
                               paste0("`", unasked, "`", collapse = " and "),
                               if (length(unasked) == 1L) "is" else "are")
  }
  mapping
}

# The rows of the fit in the data that it was made from, by its subset and without what na.action left
# out; NULL where these are other rows.
own_training <- function(fit, x, y) {
  tryCatch(if (is.null(y)) training_design(fit, x) else training_design(fit, x, y),
           dualmargin_input_error = function(condition) NULL)
}

# Rows by the columns of one of our fits.
coded_as_fit <- function(fit, x, arg) {
  design <- named_as(arg, design_newdata(fit, x))
  if (length(design$na_rows) > 0L) {
    abort_input(sprintf("`%s` has missing values in row %d; leave such rows out.", arg,
                        design$na_rows[1L]), arg)
  }
  design$x
}

mapping_of_rows <- function(fit, seen, y, weights, ranks = NULL) {
  settings <- fit$settings
  kernel <- settings$kernel
  scales <- if (is.null(kernel)) column_scales(fit) else fit$scales
  center <- if (is.null(fit$center)) 0 * scales else fit$center
  spec <- c(scaled_columns(TRUE, center, scales),
            list(fit = fit[c("terms", "xlevels", "contrasts", "sparse", "features")]))
  seen <- audited_columns(spec, seen)
  levels <- fit$levels
  unit <- if (is.null(fit$response_scale)) 1 else fit$response_scale
  used <- counted_rows(list(x = seen, response = y, weights = weights), !is.null(ranks))
  seen <- used$x
  y <- used$response
  weights <- used$weights
  coded <- list(levels = levels, response = if (is.null(levels)) {
    audit_numbers(y, nrow(seen)) / unit
  } else {
    factor(levels[audit_labels(y, levels, nrow(seen))], levels)
  })
  omega <- weights
  if (!is.null(settings$class_weights)) {
    omega <- weights * unname(settings$class_weights)[as.integer(coded$response)]
  }
  by_cost <- is.null(fit$call$lambda)
  lambda <- if (by_cost) 1 / (total_over(ranks, sum(omega)) * fit_cost(fit)) else settings$lambda
  problem <- function(y, levels, joint = NULL) {
    audit_problem(seen, y, settings$loss, lambda, settings$mixture, settings$intercept, omega,
                  penalty_factor = settings$penalty_factor,
                  lower = in_scale(settings$lower, scales, unit),
                  upper = in_scale(settings$upper, scales, unit),
                  kernel = kernel, multiclass = joint, levels = levels, ranks = ranks)
  }
  mapping <- function(problems, solutions, truth, ...) {
    family <- class(fit)[1L]
    threshold <- score_threshold(fit)
    cut <- if (threshold != 0) sprintf(", threshold %s", format(threshold, digits = 3L))
    new_mapping(family, paste0(family, ", ", format(settings$loss), " loss", cut), problems,
                solutions, if (is.null(levels)) truth * unit else truth, x = seen, levels = levels,
                columns = spec, response = if (unit != 1) list(center = 0, scale = unit),
                assumes = "", remedy = "fit again: update() with these rows",
                threshold = threshold, ...)
  }
  coded_mapping(coded, problem, function(k) scaled_solution(fit, k, spec, unit),
                if (class_model(fit)$one_problem) fit$multiclass else "one_vs_rest",
                settings$loss, mapping)
}

# Of a decision value.
score_threshold <- function(fit) {
  threshold <- fit$threshold
  if (is.null(threshold)) {
    return(0)
  }
  if (threshold$on == "score") {
    return(threshold$value)
  }
  if (!is.null(fit$calibration)) {
    abort_input(paste(
      "`fit` has a threshold of a calibrated probability, which is not mapped; audit the fit without",
      "it: margin_threshold(fit, at = NULL)."
    ), "fit")
  }
  stats::qlogis(threshold$value)
}

# The cost that its lambda was for the weight it had, of which a fit of several ranks has a share.
fit_cost <- function(fit) {
  if (is.null(fit$exchanged)) {
    return(1 / (fit$settings$lambda * sum(fitted_omega(fit))))
  }
  if (is.null(fit$settings$cost)) 1 else fit$settings$cost
}

fitted_omega <- function(fit) {
  classes <- fit$settings$class_weights
  if (is.null(classes)) fit$weights else fit$weights * unname(classes)[as.integer(fit$response)]
}

in_scale <- function(bound, scales, unit) if (!is.null(bound)) unname(bound * scales / unit)

# Its solution on columns and a response in its own units.
scaled_solution <- function(fit, k, spec, unit) {
  own <- solution_of_fit(fit)
  b <- own$b[k] / unit
  if (!is.null(own$points)) {
    return(list(points = audited_columns(spec, own$points),
                coefficients = own$coefficients[, k, drop = FALSE] / unit, b = b))
  }
  w <- own$w[, k, drop = FALSE]
  list(w = w * spec$scale / unit, b = b + colSums(w * spec$center) / unit)
}

assert_audited_kind <- function(fit) {
  settings <- fit$settings
  kernel <- settings$kernel
  mapped <- inherits(fit, c("margin_linear", "margin_kernel")) &&
    (is.null(kernel) || kernel$name %in% formula_kernels) && is.null(fit$offset) &&
    is.null(taus_of(settings$loss)) && !identical(settings$loss$found$unit, "residual") && is.null(settings$mixup) &&
    !inherits(fit$response, "soft_labels")
  if (!mapped) {
    abort_input(sprintf(paste(
      "`fit` is a %s that is not mapped: fits of margin_linear(), and of margin_kernel() by a",
      "kernel of the columns, are, without offset, mixup, several tau, soft labels and a unit of",
      "the residuals."
    ), class(fit)[1L]), "fit")
  }
}
