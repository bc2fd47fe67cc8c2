#' Models of other packages to compare with
#'
#' Ready specifications for [margin_compare()] of support vector machines and others. Where the
#' objective of a package is one of ours, its solution is audited, see [margin_audit()]: with
#' \eqn{P} the objective at the solution that the package returned and \eqn{D} the dual bound of
#' [margin_linear()] or [margin_kernel()] on the same rows,
#' \deqn{\mathrm{relative\ gap} = \frac{P - D}{\max(|P|, |D|)}}{
#'   relative gap = (P - D) / max(|P|, |D|)}
#' is at least \eqn{(P - P^\star) / P}{(P - P*) / P}, the part of \eqn{P} that an exact solver would
#' have saved, whatever the package reported or did not. A forest of ranger has no such objective:
#' its gap is `NA`.
#'
#' With a `cost`, \eqn{\lambda = 1/(n\,\mathrm{cost})}{lambda = 1/(n cost)}, which divides the
#' objective as these packages write it by n cost. The squared hinge is `loss_squared_hinge(0.5)`.
#' LiblineaR's intercept is a coefficient as any other, of a column of ones. The kernel of e1071 and
#' kernlab is held in single precision, which limits how small their gap can become.
#'
#' In a regression glmnet brings the response to unit variance before it applies its penalty, so
#' that the ridge part of `lambda` is divided by the standard deviation of the response: its optimum
#' is that of [margin_linear()] with other `lambda` and `mixture`. The gap is that of the problem
#' which it does solve.
#'
#' Three or more classes are fitted one-vs-rest by LiblineaR and one-vs-one by e1071 and kernlab;
#' the gap is that of the worst of these problems.
#'
#' The packages' own scaling is switched off: [margin_compare()] scales the columns for all. The
#' packages e1071, kernlab and LiblineaR get a dense copy of sparse data.
#'
#' @eval audit_section("Problems of the packages")
#'
#' @param kernel `"linear"` or `"rbf"`, \eqn{\exp(-\sigma |x - x'|^2)}{exp(-sigma |x - x'|^2)}.
#' @param cost The C of support vector machines.
#' @param sigma For `"rbf"`, the inverse width (`gamma` in e1071); `NULL` is one over the number of
#'   columns.
#' @param tolerance Where the package stops: of e1071 and kernlab the violation of the optimality
#'   conditions, of LiblineaR its `epsilon` (`NULL`: 0.01 or 0.1 by type).
#' @param certify Measure the gap? It takes a fit of this package beside each of the other.
#' @param tol The relative gap up to which a fit counts as certified.
#' @param name What to call the model; `NULL`: the package and what tells its models apart.
#' @param lambda,mixture The penalty, as for [margin_linear()], where `NULL` is one over the sum of
#'   the weights of the rows; glmnet calls them `lambda` and `alpha`. A specification has one value
#'   in all folds and is not tuned within them; [margin_cv()] with `outer` folds does that for models of this
#'   package.
#' @param thresh Where glmnet stops, see its help. It is given a path of 20 values that ends at
#'   `lambda`: from a single one it may not get there.
#' @param type One of 0, 1, 2, 3, 5, 6 and 7.
#' @param bias Has LiblineaR an intercept?
#' @param class_weights `NULL`, `"balanced"` or a number for each class, by name, as for
#'   [margin_linear()]: of the rows that the model is fitted to. glmnet and ranger get them as
#'   weights of the rows.
#' @param trees Number of trees.
#' @param ... Not used; an unknown argument is an error.
#' @param mtry Columns tried at a split; `NULL`: as ranger chooses.
#' @return A specification, see [model_spec()]. glmnet, ranger and the logistic types of LiblineaR
#'   predict probabilities. `spec_glmnet()` (three or more classes: multinomial; numbers: Gaussian)
#'   and `spec_ranger()` take weights and regressions.
#' @section Errors:
#' Of class `dualmargin_input_error`: the package is not installed; an argument is not as described.
#' A regression is an error of the packages that have none here, when they are fitted.
#' @references
#' Chang C-C, Lin C-J (2011). LIBSVM: a library for support vector machines. *ACM Transactions on
#' Intelligent Systems and Technology* 2(3), 27. \doi{10.1145/1961189.1961199}.
#'
#' Karatzoglou A, Smola A, Hornik K, Zeileis A (2004). kernlab: an S4 package for kernel methods in
#' R. *Journal of Statistical Software* 11(9), 1-20. \doi{10.18637/jss.v011.i09}.
#'
#' Friedman J, Hastie T, Tibshirani R (2010). Regularization paths for generalized linear models via
#' coordinate descent. *Journal of Statistical Software* 33(1), 1-22. \doi{10.18637/jss.v033.i01}.
#'
#' Fan R-E, Chang K-W, Hsieh C-J, Wang X-R, Lin C-J (2008). LIBLINEAR: a library for large linear
#' classification. *Journal of Machine Learning Research* 9, 1871-1874.
#'
#' Wright MN, Ziegler A (2017). ranger: a fast implementation of random forests for high dimensional
#' data in C++ and R. *Journal of Statistical Software* 77(1), 1-17. \doi{10.18637/jss.v077.i01}.
#' @seealso [margin_compare()], [model_spec()].
#' @examplesIf requireNamespace("e1071", quietly = TRUE)
#' some <- spambase[seq(1, nrow(spambase), by = 20), ]
#' specs <- list(spec_e1071("linear", cost = 1), spec_e1071("rbf", cost = 1),
#'               spec_margin("linear", loss = "hinge", cost = 1))
#' margin_compare(type ~ ., data = some, specs, folds = 3, seed = 1)
#' @export
spec_e1071 <- function(kernel = "linear", cost = 1, sigma = NULL, tolerance = 1e-3,
                       certify = TRUE, tol = 1e-3, name = NULL, class_weights = NULL, ...) {
  assert_no_extra("spec_e1071()", ...)
  assert_package("e1071", "spec_e1071()")
  assert_svm_arguments(kernel, cost, sigma, tolerance)
  peer_spec(
    fit_fun = function(x, y) {
      assert_labels_given(y, "spec_e1071()")
      e1071::svm(as.matrix(x), y, scale = FALSE, type = "C-classification",
                 kernel = if (kernel == "rbf") "radial" else "linear",
                 gamma = chosen_sigma(sigma, x), cost = cost, tolerance = tolerance, fitted = FALSE,
                 class.weights = peer_class_weights(class_weights, y))
    },
    predict_fun = function(model, x, levels) {
      class <- stats::predict(model, as.matrix(x), decision.values = TRUE)
      values <- attr(class, "decision.values")
      list(class = unname(class), score = if (length(levels) == 2L)
        e1071_sign(model) * values[, 1L])
    },
    mapping_fun = function(model, x, y, weights) {
      svm_mapping(model, as.matrix(x), y, stated_class_weights(class_weights, y))
    },
    certify, tol, if (is.null(name)) paste("e1071", kernel) else name,
    class_weights
  )
}

# A positive decision value is for the label that came first in the rows.
e1071_sign <- function(model) if (model$labels[1L] == 2L) 1 else -1

#' @rdname spec_e1071
#' @export
spec_kernlab <- function(kernel = "linear", cost = 1, sigma = NULL, tolerance = 1e-3,
                         certify = TRUE, tol = 1e-3, name = NULL, class_weights = NULL, ...) {
  assert_no_extra("spec_kernlab()", ...)
  assert_package("kernlab", "spec_kernlab()")
  assert_svm_arguments(kernel, cost, sigma, tolerance)
  peer_spec(
    fit_fun = function(x, y) {
      assert_labels_given(y, "spec_kernlab()")
      of_rows <- if (kernel == "rbf") kernlab::rbfdot(chosen_sigma(sigma, x)) else
        kernlab::vanilladot()
      kernlab::ksvm(as.matrix(x), y, type = "C-svc", kernel = of_rows, C = cost, scaled = FALSE,
                    tol = tolerance, fit = FALSE,
                    class.weights = peer_class_weights(class_weights, y))
    },
    predict_fun = function(model, x, levels) {
      list(class = kernlab::predict(model, as.matrix(x)), score = if (length(levels) == 2L)
        drop(kernlab::predict(model, as.matrix(x), type = "decision")))
    },
    mapping_fun = function(model, x, y, weights) {
      ksvm_mapping(ksvm_parts(model), as.matrix(x), y, stated_class_weights(class_weights, y))
    },
    certify, tol, if (is.null(name)) paste("kernlab", kernel) else name,
    class_weights
  )
}

#' @rdname spec_e1071
#' @export
spec_glmnet <- function(lambda = NULL, mixture = 0, thresh = 1e-7, certify = TRUE, tol = 1e-3,
                        name = NULL, class_weights = NULL, ...) {
  assert_no_extra("spec_glmnet()", ...)
  assert_package("glmnet", "spec_glmnet()")
  if (!is.null(lambda)) assert_number(lambda, "lambda", lower = 0)
  strength <- function(y, weights) {
    if (!is.null(lambda)) lambda else 1 / (if (is.null(weights)) length(y) else sum(weights))
  }
  assert_number(mixture, "mixture", lower = 0, upper = 1, open = FALSE,
                remedy = "0 is ridge, 1 is lasso")
  assert_number(thresh, "thresh", lower = 0, remedy = "the default is 1e-7")
  peer_spec(
    fit_fun = function(x, y, weights = NULL) {
      family <- if (!is.factor(y)) "gaussian" else if (nlevels(y) == 2L) "binomial" else
        "multinomial"
      weights <- with_class_weights(class_weights, y, weights)
      precise_glmnet(x, y, family = family, weights = weights, alpha = mixture,
                     lambda = strength(y, weights) * 10^seq(3, 0, length.out = 20L), standardize = FALSE,
                     thresh = thresh)
    },
    predict_fun = function(model, x, levels) {
      lambda <- min(model$lambda)
      if (is.null(levels)) {
        return(drop(stats::predict(model, x, s = lambda)))
      }
      score <- drop(stats::predict(model, x, s = lambda, type = "link"))
      prob <- drop(stats::predict(model, x, s = lambda, type = "response"))
      if (length(levels) == 2L) list(score = score, prob = unname(cbind(1 - prob, prob))) else
        list(score = matrix(score, ncol = length(levels), dimnames = list(NULL, levels)),
             prob = matrix(prob, ncol = length(levels), dimnames = list(NULL, levels)))
    },
    mapping_fun = function(model, x, y, weights) {
      weights <- with_class_weights(class_weights, y, weights)
      if (is.null(weights)) weights <- rep(1, nrow(x))
      glmnet_mapping(model, x, y, min(model$lambda),
                     list(alpha = mixture, weights = weights, standardize = FALSE))
    },
    certify, tol, if (is.null(name)) "glmnet" else name,
    class_weights
  )
}

#' @rdname spec_e1071
#' @export
spec_ranger <- function(trees = 500, mtry = NULL, name = NULL, class_weights = NULL, ...) {
  assert_no_extra("spec_ranger()", ...)
  assert_package("ranger", "spec_ranger()")
  force(class_weights)
  assert_number(trees, "trees", lower = 0, whole = TRUE, remedy = "the default is 500")
  if (!is.null(mtry)) {
    assert_number(mtry, "mtry", lower = 0, whole = TRUE, remedy = "NULL is ranger's own choice")
  }
  model_spec(
    fit_fun = function(x, y, weights = NULL) {
      ranger::ranger(x = x, y = y, probability = is.factor(y), num.trees = trees, mtry = mtry,
                     case.weights = with_class_weights(class_weights, y, weights), num.threads = 1L)
    },
    predict_fun = function(model, x, levels) {
      answer <- stats::predict(model, x, num.threads = 1L)$predictions
      if (is.null(levels)) answer else list(prob = answer)
    },
    name = if (is.null(name)) "ranger" else name
  )
}

# From version 5 on glmnet takes its numbers of precision in a list.
precise_glmnet <- function(..., thresh, maxit = 1e5, fit = glmnet::glmnet) {
  if ("control" %in% names(formals(glmnet::glmnet))) {
    return(fit(..., control = list(thresh = thresh, maxit = maxit)))
  }
  fit(..., thresh = thresh, maxit = maxit)
}
