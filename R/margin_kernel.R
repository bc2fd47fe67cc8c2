#' Kernel classification and regression with a certificate
#'
#' @description
#' Fits a classifier or a regression that is not linear, such as a support vector machine with a
#' radial kernel. Labels may be soft, and rows may be mixed (mixup).
#' ```r
#' fit <- margin_kernel(type ~ ., data = train, loss = "hinge", kernel = kernel_rbf())
#' predict(fit, test)
#' ```
#' The fit comes with a *certificate*, which bounds its *suboptimality*: the optimisation error of
#' the penalised training objective. A certificate says nothing about predictive error; estimate
#' that on rows that were not fitted, as [margin_cv()] does.
#'
#' @details
#' The fit is a function of a reproducing kernel Hilbert space; labels may lie between the classes.
#' The problem is
#' \deqn{\min_{f, b}\; P(f, b) = \frac{\lambda}{2} |f|_H^2 + \frac1W \sum_i \omega_i\,
#'   \phi(f(x_i) + b;\, y_i), \qquad
#'   \phi(z; y) = \frac{1 + y}{2} \phi_0(z) + \frac{1 - y}{2} \phi_0(-z),}{
#'   min over f, b of P(f, b) = lambda/2 |f|_H^2 + 1/W sum_i omega_i phi(f(x_i) + b; y_i),
#'   phi(z; y) = (1 + y)/2 phi0(z) + (1 - y)/2 phi0(-z),}
#' with \eqn{W = \sum_i \omega_i}{W = sum_i omega_i}, \eqn{y_i \in [-1, 1]}{y_i in [-1, 1]} and
#' \eqn{\phi_0}{phi0} one of the [losses] for the label +1. The sums run over all rows, mixed ones
#' included.
#'
#' @section Several classes:
#' For three or more classes `multiclass = "one_vs_rest"` fits a function for each, of that
#' class against the others. With the logistic loss there is also the multinomial model,
#' `"softmax"`: one problem for all classes, with the loss \eqn{\log \sum_k e^{z_k} - \sum_k t_k
#' z_k}{log sum_k exp(z_k) - sum_k t_k z_k} for shares \eqn{t} of the classes, whose probabilities
#' are \eqn{e^{z_k} / \sum_l e^{z_l}}{exp(z_k) / sum_l exp(z_l)}. `"auto"` is one-vs-rest beside a
#' free intercept, which is the default, since [margin_certain()], [margin_loo()] and
#' [margin_sensitivity()] know its optimum and not yet that of a multinomial kernel model; beside
#' another intercept it is the softmax where loss and solver allow it. In accuracy the two differ
#' little: by 0.01 at most on iris, fgl and 600 rows of covtype at `cost = 3`.
#'
#' The softmax problem has the penalty \eqn{\frac\lambda2 \sum_k |f_k|_H^2}{lambda/2 sum_k
#' |f_k|_H^2} and one certificate for all classes; free intercepts, one for each class, are not
#' penalised. Its functions sum to zero, and so do the intercepts, so that for two classes,
#' \eqn{f_2 = -f_1 = f/2}{f_2 = -f_1 = f/2}, it would be the binary problem in \eqn{f} at
#' half the `lambda`; two classes are always fitted as one binary problem, at `lambda` itself.
#'
#' @section Certificate:
#' For dual variables \eqn{a_i} in the domain of the conjugate loss (and \eqn{\sum_i \omega_i a_i =
#' 0}{sum_i omega_i a_i = 0}, of each class, where the intercept is free) the optimum is at least
#' \deqn{D(a) = -\frac1W \sum_i \omega_i \phi^*(a_i; y_i) - \frac\lambda2 |f_a|_H^2, \qquad
#'   f_a = -\frac{1}{\lambda W} \sum_i \omega_i a_i\, k(x_i, \cdot).}{
#'   D(a) = -1/W sum_i omega_i phi*(a_i; y_i) - lambda/2 |f_a|_H^2,
#'   f_a = -1/(lambda W) sum_i omega_i a_i k(x_i, .).}
#' Both need a positive semidefinite kernel. A kernel given as values or as a function is checked,
#' and the fit reports what could not be checked, see [kernels].
#' The conjugates of all losses have closed forms, soft labels or not. The fit is \eqn{f_a} of the
#' dual point returned (for solver `"sgd"` its last iterate, and \eqn{a} an average of the slopes it
#' met). Value and bound are recomputed there from kernel values in double precision,
#' whatever the solver worked with; on the way, in [convergence()], the solvers that carry decision
#' values along estimate both from those.
#'
#' @section Centring:
#' What a kernel of inner products makes of rows depends on where their origin is: next to a column
#' of calendar years \eqn{(x \cdot x' + 1)^2}{(x.x' + 1)^2} is nearly the same large number for all
#' pairs of rows. `center` subtracts from each column its mean \eqn{m_j}, over the original rows
#' and weighted as they are (class weights included), before `scale` divides it, and predictions
#' subtract the same means, `fit$center`. Mixed rows lie between centred ones. The intercept, and
#' the penalty on it, are those of the centred rows.
#'
#' `NULL` centres dense columns for the kernels whose optimum depends on it: `"polynomial"`,
#' `"linear"`, [kernel_ntk()], and of kernlab's those of inner products (`polydot`, `vanilladot`,
#' `tanhdot`). Sparse rows are centred where `TRUE` asks for it, and stay sparse:
#' \eqn{(x - m) \cdot (x' - m) = x \cdot x' - m \cdot x - m \cdot x' + m \cdot m}{(x - m).(x' - m) =
#' x.x' - m.x - m.x' + m.m}; the digits that this loses are part of the gap. Kernels of distances,
#' `"rbf"` and `"laplace"`, do not see the origin, and the argument changes nothing. An R function
#' of rows is given them as they are unless `TRUE` says otherwise (for dense rows only), since it
#' may need positive numbers. A precomputed kernel cannot be centred.
#'
#' @section Memory:
#' The kernel is stored as far as `cache_mb` in `solver_options` (2000 by default) permits: a value
#' of 8 bytes for every pair of original rows, or of 4 bytes where `tol` is 1e-5 or more and there
#' are mixed rows; for the plain hinge of the rows that are asked for. Mixed rows
#' never enlarge it for the kernels known by a formula. Beyond that limit kernel rows are computed
#' again in each epoch, a block at a time. `nystrom = m` replaces the kernel by its projection onto
#' m landmark rows, drawn at random: m values a row, for data of more than some 30,000 rows. The
#' certificate is then of kind `"duality gap (Nystrom, m landmarks)"`: it bounds how far the fit is
#' from the optimum of the approximated problem, not from that of the full one. Landmarks are
#' distinct rows of the data of positive weight, whatever order these come in; mixed rows are not
#' among them. Those that depend linearly on others (up to 1e-10 of the largest kernel value) change
#' nothing and are left out of the support.
#' How far that is from the optimum of the full problem says `certificate(margin_audit(fit, x, y))`:
#' the dual point of the fit is feasible there too, and its bound takes one pass over the
#' \eqn{n^2 / 2}{n^2/2} kernel values, a block at a time. `nystrom = "auto"` starts from 100
#' landmarks, doubles them until an estimate from 300 rows promises an excess of at most
#' `nystrom_tol`, and has it proven by that pass, three times at most. `fit$landmarks` has a row for
#' each number that was tried, the last that of the fit; a tolerance that could not be proven is a
#' warning.
#' The linear problem that is left is solved by Newton's method, for the plain hinge by `"ssnal"` of
#' [margin_solvers()], under every kind of intercept. A fit of several classes is then one-vs-rest.
#'
#' @param x,y,formula,data As for [margin_linear()]; with `kernel_precomputed()` `x` is the matrix
#'   of kernel values. `y` may also be [soft_labels()].
#' @param kernel A kernel: a value of the [kernels] functions, its name, a kernel object of package
#'   kernlab, or a function of two blocks of rows. It has to be positive semidefinite, see there.
#' @param loss `NULL`, by which the response decides as for [margin_linear()], or a loss: a name or
#'   a value, see [losses]. With the squared (Huber, quantile) loss a regression is kernel ridge
#'   (Huber, quantile) regression, with the epsilon-insensitive loss support vector regression.
#' @param lambda Strength of the penalty, one positive number; `NULL` means 1/W, and 1/(4W) for the
#'   logistic loss, whose curvature is at most a quarter. With mixup W counts the mixed rows.
#' @param cost The same in another unit, `lambda = 1/(W cost)`; give one of the two.
#' @param mixup `NULL`, or [mixup_pairs()]: rows to add between pairs of rows.
#' @param multiclass For three or more classes: `"auto"`, `"softmax"` or `"one_vs_rest"`, see the
#'   section on several classes.
#' @param nystrom `NULL`, or the number of landmarks, from 2 to 20,000 and no more than rows; for
#'   kernels known by a formula, and solver `"auto"`. `"auto"` finds the number, see the section on
#'   memory.
#' @param nystrom_tol What `nystrom = "auto"` aims at: how far, relative to it, the fit may be above
#'   the optimum of the whole kernel.
#' @param intercept `"free"`, `"penalized"` (the kernel plus 1) or `"none"`.
#' @param center Subtract its mean from each column for the fit? `NULL` means where the optimum
#'   depends on it and the columns are dense, see the section on centring.
#' @param scale Divide each column by its standard deviation for the fit? See [margin_linear()].
#' @param weights,class_weights,response_scale,subset,na.action,contrasts,sparse As for
#'   [margin_linear()].
#' @param solver `"auto"` or a name from [margin_solvers()] with `family = "kernel"`.
#' @param control How the fit is computed, see [margin_control()].
#' @param ... Not used; an unknown argument is an error.
#' @return An object of class `c("margin_kernel", "margin_fit")`, with the same methods as a fit of
#'   [margin_linear()]. Beside what all fits have it holds
#'   * `coefficients`: \eqn{\beta_i = -s \omega_i a_i / (\lambda W)}{beta_i = -s omega_i a_i /
#'     (lambda W)} (but for solver `"sgd"`; \eqn{s} is `response_scale`) of the rows where it is not
#'     zero, after the intercept; for several classes a column each; with `nystrom` the coefficients
#'     of the landmarks;
#'   * `support`: those rows: `x`, the original rows they are made of, and `first`, `second`,
#'     `share`, of which rows of `x` each one is a mixture;
#'   * `mixed`: the pairs that were drawn, by row of the data;
#'   * `dual`: \eqn{a} of all rows, mixed ones last, length n + m; `scores`: of the n original rows;
#'   * `center`: the column means that were subtracted, if any;
#'   * `landmarks`, with `nystrom = "auto"`: a data frame with a row for each number of them that was
#'     tried, its `value`, and the relative excess over the optimum of the whole kernel, `promised`
#'     and `proven`, `NA` where no proof was asked for;
#'   * `bytes`: what was kept in memory of the kernel, or of its features;
#'   * `multiclass`: `"softmax"` or `"one_vs_rest"`, `NA` where there are not several classes.
#' @section Errors and warnings:
#' As for [margin_linear()].
#' @references
#' Obi G, Saito A, Sasaki Y, Kato T (2025). Linearly convergent mixup learning. arXiv:2501.07794.
#'
#' Zhang H, Cisse M, Dauphin YN, Lopez-Paz D (2018). mixup: beyond empirical risk minimization.
#' *International Conference on Learning Representations*. arXiv:1710.09412.
#'
#' Rasmussen CE, Williams CKI (2006). *Gaussian Processes for Machine Learning*. MIT Press.
#' (Algorithm 3.3: Newton steps for the softmax problem)
#'
#' Shalev-Shwartz S, Zhang T (2013). Stochastic dual coordinate ascent methods for regularized
#' loss minimization. *Journal of Machine Learning Research* 14, 567-599. arXiv:1209.1873.
#'
#' Williams CKI, Seeger M (2001). Using the Nystroem method to speed up kernel machines. *Advances
#' in Neural Information Processing Systems* 13, 682-688.
#' @seealso [kernels], [mixup_pairs()], [soft_labels()], [margin_path()], [margin_linear()].
#' @examples
#' train <- seq(1, nrow(spambase), by = 10)
#' test <- spambase[-train, ]
#' fit <- margin_kernel(type ~ ., data = spambase[train, ])
#' fit
#' summary(fit)
#' mean(predict(fit, test) == test$type)
#'
#' # a support vector machine
#' svm <- margin_kernel(type ~ ., data = spambase[train, ], loss = "hinge")
#' mean(predict(svm, test) == test$type)
#'
#' # three classes: one multinomial model
#' flowers <- margin_kernel(Species ~ ., data = iris, multiclass = "softmax")
#' head(predict(flowers, type = "prob"), 3)
#' @usage NULL
#' @export
margin_kernel <- function(x, ...) {
  UseMethod("margin_kernel", leading_argument(x, ...))
}

#' @rdname margin_kernel
#' @export
margin_kernel.matrix <- function(x, y, kernel = kernel_rbf(), loss = NULL, lambda = NULL,
                                 mixup = NULL, multiclass = "auto", nystrom = NULL,
                                 intercept = "free", center = NULL, scale = TRUE, weights = NULL,
                                 class_weights = NULL, solver = "auto",
                                 control = margin_control(), cost = NULL,
                                 response_scale = TRUE, nystrom_tol = 1e-3, ...) {
  assert_response_given(missing(y))
  design <- matrix_design("kernel", x, y, weights, match.call(), list(...))
  intercept <- formula_intercept(design, intercept, missing(intercept))
  settings <- kernel_settings(
    kernel, loss, lambda, mixup, multiclass, nystrom, intercept, center, scale, class_weights,
    solver, control, cost, missing(scale), response_scale, nystrom_tol
  )
  if (identical(nystrom, "auto")) fit_landmarks(design, settings) else fit_kernel(design, settings)
}

#' @rdname margin_kernel
#' @usage NULL
#' @export
margin_kernel.Matrix <- margin_kernel.matrix

#' @rdname margin_kernel
#' @usage NULL
#' @export
margin_kernel.data.frame <- margin_kernel.matrix

#' @rdname margin_kernel
#' @usage \special{margin_kernel(formula, data, \dots, weights, subset,
#'   na.action, contrasts, sparse)}
#' @export
margin_kernel.formula <- function(formula, data, ..., weights, subset, na.action, contrasts = NULL,
                                  sparse = FALSE) {
  design <- formula_design("kernel", match.call(), parent.frame(), data, contrasts, sparse)
  margin_kernel.matrix(design, NULL, ...)
}

#' @export
margin_kernel.default <- function(x, ...) margin_linear.default(x)

# What the methods of all fits ask of a kernel fit.

#' @exportS3Method
score_design.margin_kernel <- function(model, x, coefficients = scoring_coefficients(model)) {
  kernel_scores(model, x, coefficients)
}

#' @exportS3Method
score_design.margin_path_kernel <- score_design.margin_kernel

# coefficients: as scoring_coefficients() has them.
kernel_scores <- function(model, x, coefficients) {
  intercept <- if (has_intercept(model)) coefficients[1L, ] else numeric(ncol(coefficients))
  beta <- if (has_intercept(model)) coefficients[-1L, , drop = FALSE] else coefficients
  scores <- if (model$settings$kernel$name == "precomputed") {
    as.matrix(x[, model$support$at, drop = FALSE] %*% beta)
  } else {
    expand_rows(model, x, as.matrix(beta))
  }
  scores <- sweep(scores, 2L, intercept, `+`)
  dimnames(scores) <- list(rownames(x), colnames(coefficients))
  if (ncol(scores) == 1L) stats::setNames(drop(scores), rownames(x)) else scores
}

# May the rows move, since the coefficients of an affine kernel sum to zero?
rows_may_move <- function(fit) {
  kernel <- fit$settings$kernel
  affine <- kernel$name == "linear" || (kernel$name == "polynomial" && kernel$degree == 1)
  affine && fit$settings$intercept == "free" && !is_oneclass(fit) && is.null(fit$settings$nystrom) &&
    is.null(fit$center)
}

# sum_i beta_i k(x_i, x) for each row x, less a constant that the intercept of moved rows has. A
# block of rows at a time, since the expansion lies below them in one matrix.
expand_rows <- function(fit, x, beta) {
  scores <- matrix(0, nrow(x), ncol(beta))
  if (length(scores) == 0L || nrow(beta) == 0L) {
    return(scores)
  }
  kernel <- fit$settings$kernel
  support <- fit$support
  scales <- unname(fit$scales)
  moves <- rows_may_move(fit)
  centre <- if (!is.null(fit$origin)) fit$origin$center else
    if (is_isotropic(kernel) || moves) exact_centres(support$x)
  # as in src/border/kernel_store.h, where coefficients sum to zero
  if (moves && !is.null(fit$origin) && kernel$name == "polynomial") kernel$offset <- 0
  prepare <- function(rows) {
    if (!is.null(fit$center)) {
      # a function of the user's is given centred rows, which are dense
      return(centred_rows(if (kernel$name == "evaluated") as.matrix(rows) else rows,
                          unname(fit$center), scales))
    }
    list(x = scale_columns(subtract_columns(rows, centre), scales))
  }
  mixed <- if (any(support$share > 0)) support[c("first", "second", "share")]
  if (is_evaluated(kernel)) {
    own <- prepare(support$x)
    points <- kernel_points(kernel, if (is.null(mixed)) own$x else mixed_features(own$x, support),
                            own$rest)
    size <- as.integer(1e7 / nrow(beta))
    scores_of <- function(rows) {
      block <- prepare(rows)
      kernel_values(kernel, block$x, points, block$rest) %*% beta
    }
  } else {
    size <- max(nrow(support$x), as.integer(1e7 / max(ncol(x), 1L)))
    expand <- function(rows, count) {
      kernel_expansion(kernel, rows$x, count, beta, mixed, rows$rest, fit$settings$control$threads)
    }
    scores_of <- function(rows) expand(prepare(stack_rows(rows, support$x)), nrow(rows))
  }
  for (begin in seq(1L, nrow(x), by = max(1L, size))) {
    rows <- seq(begin, min(begin + max(1L, size) - 1L, nrow(x)))
    scores[rows, ] <- as.matrix(scores_of(x[rows, , drop = FALSE]))
  }
  if (!moves || !is.null(fit$origin)) {
    return(scores)
  }
  own <- prepare(support$x)$x
  sweep(scores, 2L, drop(expand(list(x = stack_rows(matrix(centre / scales, 1L), own)), 1L)), `+`)
}

#' @exportS3Method
describe_problem.margin_kernel <- function(fit, digits) {
  settings <- fit$settings
  c(kernel = format(settings$kernel),
    loss = format(settings$loss),
    penalty = sprintf("lambda = %s", format(settings$lambda, digits = digits)),
    "Nystrom" = if (is.null(settings$nystrom)) NA_character_ else
      paste0(as.integer(settings$nystrom), " landmarks instead of all rows",
             if (!is.null(fit$landmarks)) {
               sprintf(", %s above the optimum of the whole kernel at most",
                       percent_words(utils::tail(fit$landmarks$proven, 1L)))
             }),
    mixup = if (is.null(settings$mixup)) NA_character_ else format(settings$mixup),
    support = describe_support(fit))
}

# Rows that mixup made are none of the data.
describe_support <- function(fit) {
  rows <- if (is.null(fit$support$rows)) NROW(fit$scores) else fit$support$rows
  mixed <- sum(fit$support$at > rows)
  own <- count(NROW(fit$support$at) - mixed, "support vector")
  if (mixed > 0L) sprintf("%s, and %s", own, count(mixed, "mixed row")) else own
}

#' @exportS3Method
problem_columns.margin_kernel <- function(fit) {
  data.frame(kernel = fit$settings$kernel$name, sigma = fit$settings$kernel$sigma,
             loss = loss_name(fit), lambda = fit$settings$lambda,
             mixed = if (is.null(fit$mixed)) 0L else nrow(fit$mixed))
}

# Coefficients are those of rows, which have no unit of a column.
#' @exportS3Method
slope_scales.margin_kernel <- function(fit) 1

# ---- summary() ----

# The largest coefficients are those of single rows: what matters is how many rows there are, how
# many sit at the bound of their dual variable, and what was kept in memory.
#' @exportS3Method
summary.margin_kernel <- function(object, ...) {
  assert_no_extra("summary()", ...)
  made <- NextMethod()
  summary_of_expansion(object, made)
}

# made: the summary that all fits have.
summary_of_expansion <- function(object, made) {
  made$support <- support_counts(object)
  made$bytes <- object$bytes
  made$model$support <- c(object$support["at"], rows = NROW(object$scores))
  structure(made, class = c("summary.margin_kernel", class(made)))
}

# Without the intercept.
kernel_coefficients <- function(fit) {
  beta <- coef_matrix(fit)
  if (has_intercept(fit)) beta[-1L, , drop = FALSE] else beta
}

#' @exportS3Method
print.summary.margin_kernel <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  model <- structure(x$model, class = c(x$family, "margin_fit"))
  model$weights <- rep(1:0, c(x$n, x$model$zero_weights))
  cat(describe_model(model, digits), sep = "\n")
  cat("\nSupport vectors\n")
  rows <- sprintf("%s of %s (%s %%)", grouped(x$support$rows),
                  grouped(x$support$of), format(100 * x$support$share, digits = 3))
  if (!is.null(x$support$mixed)) {
    rows <- sprintf("%s, and %s of %s", rows, grouped(x$support$mixed),
                    count(x$support$of_mixed[1L], "mixed row"))
  }
  cat(sprintf("  %s%s\n", ifelse(is.na(x$support$class), "", paste0(x$support$class, ": ")), rows),
      sep = "")
  cat(sprintf("  kernel values kept in memory: %s MB\n", format(x$bytes / 1e6, digits = 3)))
  print_performance(x$performance, digits)
  print_calibration(x$calibration)
  print_summary_end(x, model, digits)
  invisible(x)
}

describe_kernel_points <- function(path, number) {
  settings <- path$settings
  c(kernel = format(settings$kernel), loss = format(settings$loss),
    lambda = describe_range(path$lambda, length(path$lambda), number),
    mixup = if (is.null(settings$mixup)) NA_character_ else format(settings$mixup))
}

support_counts <- function(fit) {
  beta <- kernel_coefficients(fit)
  n <- sum(fit$weights > 0)
  counts <- function(rows) unname(colSums(beta[rows, , drop = FALSE] != 0))
  own <- fit$support$at <= NROW(fit$scores)
  table <- data.frame(class = if (is.null(problem_classes(fit))) NA_character_ else colnames(beta),
                      rows = counts(own), of = n, share = counts(own) / n)
  # rows that mixup made are none of the data
  if (NROW(fit$mixed) > 0L) {
    table <- cbind(table, mixed = counts(!own), of_mixed = nrow(fit$mixed))
  }
  table
}
