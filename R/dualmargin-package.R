#' dualmargin: audited and certified margin classifiers and regressions
#'
#' Solvers of support vector machines and penalised regressions stop early without saying so.
#' [margin_audit()] says how far a fit of another package is from the optimum of its own problem, and
#' which predictions that optimum would change. The fits of this package are linear and kernel
#' classifiers and regressions, models with data augmentation, distributionally robust and hard-margin
#' support vector machines. Each carries a certificate: numbers, recomputed from the definitions at the
#' returned point, that bound its *suboptimality*, the optimisation error of the penalised training
#' objective. A certificate says nothing about predictive error; estimate that on rows that were not
#' fitted, see [margin_cv()]. A fit that misses its tolerance says so in a classed warning, and
#' whenever it is printed.
#'
#' Start with [margin_linear()] and `vignette("dualmargin")`. Users of e1071, kernlab, LiblineaR and
#' glmnet find their arguments in [translation], and words in `vignette("glossary")`.
#'
#' @section Which function for which task:
#' * how far a fit of LiblineaR, glmnet, e1071, kernlab, ... is from its optimum: [margin_audit()];
#' * a linear SVM: `margin_linear(loss = "hinge")`;
#' * an SVM with a radial or polynomial kernel: `margin_kernel(loss = "hinge", kernel =
#'   kernel_rbf())`, [kernels];
#' * logistic regression with a ridge, class probabilities: [margin_linear()] with a response of two
#'   classes, `predict(type = "prob")`;
#' * probabilities from an SVM: [margin_calibrate()];
#' * lasso or elastic net: `margin_linear(mixture = 1)`, or between 0 and 1; a path:
#'   [margin_path()];
#' * ridge regression, kernel ridge regression: [margin_linear()], [margin_kernel()] with a numeric
#'   response;
#' * regression that outliers do not move: `margin_linear(loss = "huber")`,
#'   `loss = "absolute"`;
#' * support vector regression: `margin_kernel(loss = "epsilon_insensitive")`, or [margin_linear()];
#' * quantile regression: [loss_quantile()] in either;
#' * dropout or noise on the features: [margin_augmented()], [perturbations];
#' * mixup, or labels between the classes: `margin_kernel(mixup = mixup_pairs())`, [soft_labels()];
#' * a classifier that is robust to shifted data and wrong labels: [margin_robust()],
#'   [worst_case()];
#' * the maximum margin, or a proof that the classes overlap: [margin_hard()];
#' * where most rows lie, without labels: [margin_oneclass()];
#' * three or more classes: any of these, with a factor of as many levels;
#' * unequal classes, weighted rows: `class_weights = "balanced"`, `weights`;
#' * to choose `lambda` or a kernel width: [margin_cv()], `summary()`, `refit()`; over a whole
#'   range, with a proof: `margin_cv(prove = TRUE)`;
#' * to move the threshold between two classes: [margin_threshold()];
#' * what the exact optimum predicts, whatever is left of the gap: [margin_certain()];
#' * leave-one-out error without a refit for each row: [margin_loo()];
#' * how far a prediction hangs on single rows: [margin_sensitivity()];
#' * to predict sets and intervals that hold a new response with a guaranteed probability:
#'   [margin_conformal()], `vignette("conformal")`;
#' * intervals of coefficients, and how often a lasso picks a column: [margin_bootstrap()];
#' * to estimate predictive error, to compare models: [margin_cv()] with `outer` folds,
#'   [margin_performance()], [margin_compare()]; folds of groups, strata and times: [margin_folds()];
#' * to see what columns do: [importance()];
#' * to compare solvers: [compare_solvers()];
#' * rows that do not fit into memory: [write_rows()], [read_rows()], `vignette("large")`; rows on
#'   the nodes of a cluster: [mpi_ranks()]; long runs: [checkpoints];
#' * in tidymodels, mlr3 and the tools that explain models: `vignette("frameworks")`, [engines],
#'   [mlr_learners];
#' * a report for others: [margin_report()].
#'
#' @section The problem:
#' A family is a problem with a constructor, a list of solvers, and one kind of certificate.
#' * linear, [margin_linear()]: the mean of a loss over the rows plus a ridge, elastic net or lasso
#'   penalty,
#'   \deqn{\min_{w, b}\; \frac1W \sum_i \omega_i \phi(w'x_i + b, y_i) +
#'     \lambda \left[\frac{1 - \mathrm{mixture}}{2} |w|_2^2 + \mathrm{mixture}\, |w|_1\right],
#'     \qquad W = \sum_i \omega_i.}{
#'     min over w, b of 1/W sum_i omega_i phi(w'x_i + b, y_i)
#'     + lambda [(1 - mixture)/2 |w|_2^2 + mixture |w|_1],   W = sum_i omega_i.}
#'   W is the sum of the weights, so that an integer weight is the same as a repeated row.
#'
#' * kernel, [margin_kernel()]: the mean of a loss of labels between -1 and 1, plus the squared norm
#'   of a function in the space of a kernel,
#'   \deqn{\min_{f, b}\; \frac{\lambda}{2} |f|_H^2 + \frac1W \sum_i \omega_i
#'     \left[\frac{1 + y_i}{2} \phi(f(x_i) + b) + \frac{1 - y_i}{2} \phi(-f(x_i) - b)\right].}{
#'     min over f, b of lambda/2 |f|_H^2
#'     + 1/W sum_i omega_i [(1 + y_i)/2 phi(f(x_i) + b) + (1 - y_i)/2 phi(-f(x_i) - b)].}
#'   [mixup_pairs()] and [soft_labels()] make such labels.
#'
#' * augmented, [margin_augmented()]: the mean of a loss over random perturbations of the rows,
#'   \deqn{\min_w\; \frac1W \sum_i \omega_i\, E_\rho\, \phi(w'(\rho x_i), y_i) +
#'     \lambda \left[\frac{1 - \mathrm{mixture}}{2} |w|_2^2 + \mathrm{mixture}\, |w|_1\right].}{
#'     min over w of 1/W sum_i omega_i E_rho phi(w'(rho x_i), y_i)
#'     + lambda [(1 - mixture)/2 |w|_2^2 + mixture |w|_1].}
#'   [perturbations] such as dropout say what may happen to a row.
#'
#' * robust, [margin_robust()]: the mean hinge loss in the worst of all distributions within a
#'   Wasserstein ball around the rows,
#'   \deqn{\min_{|w|_q \le t}\; t\,\epsilon + \frac1W \sum_i \omega_i
#'     \max(1 - u_i,\; 1 + u_i - \kappa t,\; 0) + \frac c2 |w|_2^2,
#'     \qquad u_i = y_i (w'x_i + b).}{
#'     min over |w|_q <= t of t epsilon + 1/W sum_i omega_i max(1 - u_i, 1 + u_i - kappa t, 0)
#'     + c/2 |w|_2^2,   u_i = y_i (w'x_i + b).}
#'   [worst_case()] shows the worst-case distribution.
#'
#' * hard, [margin_hard()]: the largest smallest distance of a row from the boundary, for classes
#'   that can be separated,
#'   \deqn{\max_{|w|_2 = 1,\, b}\; \min_i\; y_i (w'x_i + b).}{
#'     max over |w|_2 = 1, b of min_i y_i (w'x_i + b).}
#'   [support_rows()] are its support vectors.
#'
#' * one-class, [margin_oneclass()]: a region where most rows lie, without labels,
#'   \deqn{\min_{f, \rho}\; \frac12 |f|_H^2 - \rho + \frac{1}{\nu W} \sum_i \omega_i
#'     \max(0, \rho - f(x_i)).}{
#'     min over f, rho of 1/2 |f|_H^2 - rho + 1/(nu W) sum_i omega_i max(0, rho - f(x_i)).}
#'   `predict()` calls a row an outlier where \eqn{f(x) < \rho}{f(x) < rho}.
#'
#' [margin_path()] solves all but the hard margin for a sequence of lambda, radii, rates or nu, each
#' point with its certificate.
#'
#' [losses], [metrics] and [margin_solvers()] list what there is to choose from.
#'
#' @section Terms:
#' * **decision value**: \eqn{z = w'x + b}; its sign is the predicted class.
#' * **margin**: \eqn{m = y z} for a label \eqn{y} of -1 or +1; positive where the class is right.
#' * **loss**: what a margin costs, see [losses].
#' * **value**: the primal objective at the returned point, which cannot lie below the optimum.
#' * **bound**: the dual objective at the returned dual variables, which cannot lie above it. For
#'   expectations over perturbations both are told from the gradient, see [margin_augmented()].
#' * **gap**: value minus bound (of a margin, bound minus value) in every kind of certificate, so
#'   the value is within the gap of the optimum. The *relative gap* is the gap divided by the larger
#'   of the two in size.
#' * **certificate**: value, bound and gap; a fit is *certified* when the relative gap is at most
#'   its tolerance, see [certificate()].
#' * **epoch**: the work of one pass over the nonzero entries of the data; second-order solvers
#'   report fractions of it.
#'
#' @section Conditions:
#' * `dualmargin_input_error`: an argument is wrong; the field `arg` names it.
#' * `dualmargin_numerical_error`: the numbers left the range of double precision.
#' * `dualmargin_not_separable`: a warning, also of the class below; field `residual`.
#' * `dualmargin_not_certified`: a warning; fields `gap`, `relative_gap`, `tol`, `status`, `class`;
#'   of many fits at once `relative_gap` (the worst) and `missed` (how many).
#' * `dualmargin_flat_map`: a warning of [margin_calibrate()]: a non-increasing calibration.
#' * `dualmargin_message`: something was done unasked, such as making a factor of a character `y`.
#'
#' Both errors also have the class `dualmargin_error`.
#'
#' @section Prior art:
#' To our knowledge the first R package whose linear classifiers return a duality gap. Solvers that
#' stop on a gap exist elsewhere, among them bmrm (R, bundle method), and cyanure and celer
#' (Python).
#'
#' @importFrom Rcpp evalCpp
#' @importFrom cli cli_progress_bar
#' @importFrom methods as is
#' @importFrom stats predict coef fitted formula nobs residuals update weights deviance family
#' @importFrom stats model.frame model.matrix variable.names case.names terms sigma df.residual logLik anova vcov
#' @importFrom stats simulate
#' @importFrom Matrix Matrix
#' @useDynLib dualmargin, .registration = TRUE
"_PACKAGE"
