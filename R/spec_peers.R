#' Models of other packages to compare with
#'
#' Ready specifications for [margin_compare()] of support vector machines and others. Where the
#' objective of a package is one of ours, its solution is certified by our bound: with \eqn{P} the
#' objective at the solution that the package returned and \eqn{D} the dual bound of
#' [margin_linear()] or [margin_kernel()] on the same rows,
#' \deqn{\mathrm{relative\ gap} = \frac{P - D}{\max(|P|, |D|)}}{
#'   relative gap = (P - D) / max(|P|, |D|)}
#' is at least the relative distance of \eqn{P} from the optimum, and says so whatever the package
#' reported, or did not.
#'
#' | package | model | its objective, divided by n cost | certified for |
#' |---|---|---|---|
#' | e1071 | C-classification | mean hinge + \eqn{\frac{\lambda}{2} |w|^2}{lambda/2 |w|^2}, free intercept | two classes |
#' | kernlab | C-svc | the same | two classes |
#' | glmnet | binomial | mean logistic loss + elastic net, free intercept | two classes |
#' | LiblineaR | `type` 0 and 7 | mean logistic loss + \eqn{\frac{\lambda}{2} |w|^2}{lambda/2 |w|^2} | all |
#' | | 1 and 2 | mean squared hinge + \eqn{\frac{\lambda}{2} |w|^2}{lambda/2 |w|^2} | all |
#' | | 3 | mean hinge + \eqn{\frac{\lambda}{2} |w|^2}{lambda/2 |w|^2} | all |
#' | | 5, 6 | mean squared hinge, logistic loss + \eqn{\lambda |w|_1}{lambda |w|_1} | all |
#' | ranger | probability forest | none | never: `NA` |
#'
#' Here \eqn{\lambda = 1/(n\,\mathrm{cost})}{lambda = 1/(n cost)}; the squared hinge is that of
#' `loss_squared_hinge(0.5)`, and LiblineaR's intercept is a coefficient as any other, of a column of
#' ones, which the penalty sees (`intercept = "penalized"` of [margin_linear()]). It fits three or
#' more classes one against the rest; the gap is that of the worst of them.
#'
#' The packages' own scaling is switched off: [margin_compare()] scales the columns for all. The
#' packages e1071, kernlab and LiblineaR get a dense copy of sparse data.
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
#' @param lambda,mixture The penalty, as for [margin_linear()]; glmnet calls them `lambda` and
#'   `alpha`.
#' @param thresh Where glmnet stops, see its help.
#' @param type A number of the table.
#' @param bias Has LiblineaR an intercept?
#' @param trees Number of trees.
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
#' @examplesIf requireNamespace("e1071", quietly = TRUE) && requireNamespace("glmnet", quietly = TRUE)
#' some <- spambase[seq(1, nrow(spambase), by = 20), ]
#' specs <- list(spec_e1071("linear", cost = 1), spec_e1071("rbf", cost = 1),
#'               spec_glmnet(lambda = 0.01), spec_margin("linear", loss = "hinge", cost = 1))
#' margin_compare(specs, type ~ ., data = some, folds = 3, seed = 1)
#' @export
spec_e1071 <- function(kernel = "linear", cost = 1, sigma = NULL, tolerance = 1e-3,
                       certify = TRUE, tol = 1e-3, name = NULL) {
  assert_package("e1071", "spec_e1071()")
  problem <- svm_problem(kernel, cost, sigma)
  assert_number(tolerance, "tolerance", lower = 0, remedy = "the default is 0.001")
  peer_spec(
    fit_fun = function(x, y) {
      assert_labels_given(y, "spec_e1071()")
      e1071::svm(as.matrix(x), y, scale = FALSE, type = "C-classification",
                 kernel = if (kernel == "rbf") "radial" else "linear",
                 gamma = chosen_sigma(sigma, x), cost = cost, tolerance = tolerance, fitted = FALSE)
    },
    predict_fun = function(model, x, levels) {
      class <- stats::predict(model, as.matrix(x), decision.values = TRUE)
      values <- attr(class, "decision.values")
      list(class = unname(class), score = if (length(levels) == 2L)
        e1071_sign(model) * values[, 1L])
    },
    solution_fun = function(model, x, y) {
      expansion_solution(model$SV, e1071_sign(model) * drop(model$coefs),
                         -e1071_sign(model) * model$rho, x, kernel, sigma)
    },
    problem, certify, tol, if (is.null(name)) paste("e1071", kernel) else name
  )
}

# A positive decision value is for the label that came first in the rows.
e1071_sign <- function(model) if (model$labels[1L] == 2L) 1 else -1

#' @rdname spec_e1071
#' @export
spec_kernlab <- function(kernel = "linear", cost = 1, sigma = NULL, tolerance = 1e-3,
                         certify = TRUE, tol = 1e-3, name = NULL) {
  assert_package("kernlab", "spec_kernlab()")
  problem <- svm_problem(kernel, cost, sigma)
  assert_number(tolerance, "tolerance", lower = 0, remedy = "the default is 0.001")
  peer_spec(
    fit_fun = function(x, y) {
      assert_labels_given(y, "spec_kernlab()")
      of_rows <- if (kernel == "rbf") kernlab::rbfdot(chosen_sigma(sigma, x)) else
        kernlab::vanilladot()
      kernlab::ksvm(as.matrix(x), y, type = "C-svc", kernel = of_rows, C = cost, scaled = FALSE,
                    tol = tolerance, fit = FALSE)
    },
    predict_fun = function(model, x, levels) {
      list(class = kernlab::predict(model, as.matrix(x)), score = if (length(levels) == 2L)
        drop(kernlab::predict(model, as.matrix(x), type = "decision")))
    },
    solution_fun = function(model, x, y) {
      expansion_solution(kernlab::xmatrix(model)[[1L]], kernlab::coef(model)[[1L]],
                         -kernlab::b(model), x, kernel, sigma)
    },
    problem, certify, tol, if (is.null(name)) paste("kernlab", kernel) else name
  )
}

#' @rdname spec_e1071
#' @export
spec_glmnet <- function(lambda, mixture = 0, thresh = 1e-7, certify = TRUE, tol = 1e-3,
                        name = NULL) {
  assert_package("glmnet", "spec_glmnet()")
  if (missing(lambda)) {
    abort_input("`lambda` is missing; give the strength of the penalty, as from margin_cv().",
                "lambda")
  }
  assert_number(lambda, "lambda", lower = 0)
  assert_number(mixture, "mixture", lower = 0, upper = 1, open = FALSE,
                remedy = "0 is ridge, 1 is lasso")
  assert_number(thresh, "thresh", lower = 0, remedy = "the default is 1e-7")
  peer_spec(
    fit_fun = function(x, y, weights = NULL) {
      family <- if (!is.factor(y)) "gaussian" else if (nlevels(y) == 2L) "binomial" else
        "multinomial"
      glmnet::glmnet(x, y, family = family, weights = weights, alpha = mixture, lambda = lambda,
                     standardize = FALSE, thresh = thresh)
    },
    predict_fun = function(model, x, levels) {
      if (is.null(levels)) {
        return(drop(stats::predict(model, x)))
      }
      score <- drop(stats::predict(model, x, type = "link"))
      prob <- drop(stats::predict(model, x, type = "response"))
      if (length(levels) == 2L) list(score = score, prob = unname(cbind(1 - prob, prob))) else
        list(score = matrix(score, ncol = length(levels), dimnames = list(NULL, levels)),
             prob = matrix(prob, ncol = length(levels), dimnames = list(NULL, levels)))
    },
    solution_fun = function(model, x, y) {
      linear_solution(as.matrix(model$beta), model$a0, x, FALSE)
    },
    list(loss = loss_logistic(), lambda = lambda, mixture = mixture, intercept = "free"),
    certify, tol, if (is.null(name)) "glmnet" else name
  )
}

#' @rdname spec_e1071
#' @export
spec_liblinear <- function(type = 2, cost = 1, tolerance = NULL, bias = TRUE, certify = TRUE,
                           tol = 1e-3, name = NULL) {
  assert_package("LiblineaR", "spec_liblinear()")
  known <- liblinear_types()
  if (!is.numeric(type) || length(type) != 1L || !type %in% known$type) {
    abort_input(sprintf("`type` is %s, but must be one of %s, see the table.", show_value(type),
                        toString(known$type)), "type")
  }
  assert_number(cost, "cost", lower = 0, remedy = "the default is 1")
  if (!is.null(tolerance)) {
    assert_number(tolerance, "tolerance", lower = 0, remedy = "NULL is LiblineaR's own")
  }
  assert_flag(bias, "bias")
  row <- known[known$type == type, ]
  logistic <- row$loss == "logistic"
  peer_spec(
    fit_fun = function(x, y) {
      assert_labels_given(y, "spec_liblinear()")
      LiblineaR::LiblineaR(as.matrix(x), y, type = type, cost = cost, epsilon = tolerance,
                           bias = as.double(bias))
    },
    predict_fun = function(model, x, levels) {
      score <- unname_rows(liblinear_scores(model, x, levels))
      list(class = stats::predict(model, as.matrix(x))$predictions, score = score,
           prob = if (logistic) unname_rows(prob_of_scores(score, levels)))
    },
    solution_fun = function(model, x, y) {
      weights <- liblinear_weights(model, levels(y))
      p <- ncol(x)
      linear_solution(weights[seq_len(p), , drop = FALSE],
                      if (bias) weights[p + 1L, ] else numeric(ncol(weights)), x, TRUE)
    },
    list(loss = if (row$loss == "squared_hinge") loss_squared_hinge(0.5) else as_loss(row$loss),
         cost = cost, mixture = row$mixture, intercept = if (bias) "penalized" else "none"),
    certify, tol, if (is.null(name)) paste("LiblineaR type", type) else name, several = TRUE
  )
}

liblinear_types <- function() {
  data.frame(type = c(0, 1, 2, 3, 5, 6, 7), mixture = c(0, 0, 0, 0, 1, 1, 0),
             loss = c("logistic", "squared_hinge", "squared_hinge", "hinge", "squared_hinge",
                      "logistic", "logistic"))
}

# A column for each problem, towards its level (two levels: the second).
liblinear_weights <- function(model, levels) {
  weights <- t(model$W)
  if (length(levels) > 2L) {
    return(weights[, match(levels, as.character(model$ClassNames)), drop = FALSE])
  }
  if (as.character(model$ClassNames[1L]) == levels[2L]) weights else -weights
}

liblinear_scores <- function(model, x, levels) {
  weights <- liblinear_weights(model, levels)
  scores <- as.matrix(x %*% weights[seq_len(ncol(x)), , drop = FALSE])
  if (nrow(weights) > ncol(x)) scores <- sweep(scores, 2L, weights[nrow(weights), ], `+`)
  if (length(levels) == 2L) drop(scores) else
    matrix(scores, ncol = length(levels), dimnames = list(NULL, levels))
}

#' @rdname spec_e1071
#' @export
spec_ranger <- function(trees = 500, mtry = NULL, name = NULL) {
  assert_package("ranger", "spec_ranger()")
  assert_number(trees, "trees", lower = 0, whole = TRUE, remedy = "the default is 500")
  if (!is.null(mtry)) {
    assert_number(mtry, "mtry", lower = 0, whole = TRUE, remedy = "NULL is ranger's own choice")
  }
  model_spec(
    fit_fun = function(x, y, weights = NULL) {
      ranger::ranger(x = x, y = y, probability = is.factor(y), num.trees = trees, mtry = mtry,
                     case.weights = weights, num.threads = 1L)
    },
    predict_fun = function(model, x, levels) {
      answer <- stats::predict(model, x, num.threads = 1L)$predictions
      if (is.null(levels)) answer else list(prob = answer)
    },
    name = if (is.null(name)) "ranger" else name
  )
}
