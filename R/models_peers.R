#' Models of other packages to compare with
#'
#' Ready specifications for [margin_compare()] of support vector machines and others. Where the
#' objective of a package is one of ours, its solution is audited, see [margin_audit()]: with
#' \eqn{P} the objective at the solution that the package returned and \eqn{D} the dual bound of
#' [margin_linear()] or [margin_kernel()] on the same rows,
#' \deqn{\mathrm{relative\ gap} = \frac{P - D}{\max(|P|, |D|)}}{
#'   relative gap = (P - D) / max(|P|, |D|)}
#' is at least \eqn{(P - P^\star) / P}{(P - P*) / P}, the part of \eqn{P} that an exact solver would
#' have saved, whatever the package reported or did not.
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
#' @section Arguments:
#' Of e1071 and kernlab: `kernel`, `"linear"` or `"rbf"`, \eqn{\exp(-\sigma |x - x'|^2)}{exp(-sigma |x
#' - x'|^2)}; `cost`, the C of support vector machines, 1 unless given; `sigma` for `"rbf"`, the
#' inverse width (`gamma` in e1071), one over the number of columns unless given; `tolerance`, the
#' violation of the optimality conditions where the package stops, 0.001.
#'
#' Of LiblineaR: `type`, one of 0, 1, 2, 3, 5, 6 and 7, 2 unless given; `cost`; `tolerance`, its
#' `epsilon` (`NULL`: 0.01 or 0.1 by type); `bias`, has it an intercept?
#'
#' Of glmnet: `lambda` and `mixture`, the penalty as for [margin_linear()], where `NULL` is one over
#' the sum of the weights of the rows (glmnet calls them `lambda` and `alpha`); `thresh`, where it
#' stops, 1e-7. It is given a path of 20 values that ends at `lambda`: from a single one it may not
#' get there.
#'
#' Of all: `class_weights`, `NULL`, `"balanced"` or a number for each class, by name, as for
#' [margin_linear()]: of the rows that the model is fitted to, which glmnet gets as weights of the
#' rows; `certify`, measure the gap? It takes a fit of this package beside each of the other; `tol`,
#' the relative gap up to which a fit counts as certified, 0.001; `name`, what to call the model.
#'
#' A specification has one value of each in all folds and is not tuned within them; [margin_cv()]
#' with `outer` folds does that for models of this package.
#'
#' @param package `"e1071"`, `"kernlab"`, `"LiblineaR"` or `"glmnet"`.
#' @param ... Arguments of the package's model, see below; an unknown one is an error.
#' @return A specification, see [model_spec()]. glmnet and the logistic types of LiblineaR predict
#'   probabilities. glmnet (three or more classes: multinomial; numbers: Gaussian) takes weights and
#'   regressions.
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
#' @seealso [margin_compare()], [model_spec()].
#' @examplesIf requireNamespace("e1071", quietly = TRUE)
#' some <- spambase[seq(1, nrow(spambase), by = 20), ]
#' specs <- list(spec_peer("e1071", cost = 1), spec_peer("e1071", kernel = "rbf", cost = 1),
#'               spec_margin("linear", loss = "hinge", cost = 1))
#' margin_compare(type ~ ., data = some, specs, folds = 3, seed = 1)
#' @export
spec_peer <- function(package, ...) {
  if (missing(package)) {
    abort_input("`package` is missing; give one of those of ?spec_peer, as in \"glmnet\".", "package")
  }
  specs <- list(e1071 = e1071_spec, kernlab = kernlab_spec, LiblineaR = liblinear_spec,
                glmnet = glmnet_spec)
  assert_choice(package, names(specs), "package")
  specs[[package]](...)
}

e1071_spec <- function(kernel = "linear", cost = 1, sigma = NULL, tolerance = 1e-3,
                       certify = TRUE, tol = 1e-3, name = NULL, class_weights = NULL, ...) {
  assert_no_extra("spec_peer(\"e1071\")", ...)
  assert_package("e1071", "spec_peer(\"e1071\")")
  assert_svm_arguments(kernel, cost, sigma, tolerance)
  peer_spec(
    fit_fun = function(x, y) {
      assert_labels_given(y, "spec_peer(\"e1071\")")
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

kernlab_spec <- function(kernel = "linear", cost = 1, sigma = NULL, tolerance = 1e-3,
                         certify = TRUE, tol = 1e-3, name = NULL, class_weights = NULL, ...) {
  assert_no_extra("spec_peer(\"kernlab\")", ...)
  assert_package("kernlab", "spec_peer(\"kernlab\")")
  assert_svm_arguments(kernel, cost, sigma, tolerance)
  peer_spec(
    fit_fun = function(x, y) {
      assert_labels_given(y, "spec_peer(\"kernlab\")")
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

glmnet_spec <- function(lambda = NULL, mixture = 0, thresh = 1e-7, certify = TRUE, tol = 1e-3,
                        name = NULL, class_weights = NULL, ...) {
  assert_no_extra("spec_peer(\"glmnet\")", ...)
  assert_package("glmnet", "spec_peer(\"glmnet\")")
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

# From version 5 on glmnet takes its numbers of precision in a list.
precise_glmnet <- function(..., thresh, maxit = 1e5, fit = glmnet::glmnet) {
  if ("control" %in% names(formals(glmnet::glmnet))) {
    return(fit(..., control = list(thresh = thresh, maxit = maxit)))
  }
  fit(..., thresh = thresh, maxit = maxit)
}
