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
  assert_choice(package, c("e1071", "kernlab", "LiblineaR", "glmnet"), "package")
  switch(package, LiblineaR = liblinear_spec(...), glmnet = glmnet_spec(...), svm_spec(package, ...))
}

# A support vector machine of e1071 or kernlab.
svm_spec <- function(package, kernel = "linear", cost = 1, sigma = NULL, tolerance = 1e-3,
                     certify = TRUE, tol = 1e-3, name = NULL, class_weights = NULL, ...) {
  caller <- sprintf("spec_peer(\"%s\")", package)
  assert_no_extra(caller, ...)
  assert_package(package, caller)
  assert_svm_arguments(kernel, cost, sigma, tolerance)
  of_e1071 <- package == "e1071"
  peer_spec(
    fit_fun = function(x, y) {
      assert_labels_given(y, caller)
      class_weights <- peer_class_weights(class_weights, y)
      if (of_e1071) {
        return(e1071::svm(as.matrix(x), y, scale = FALSE, type = "C-classification",
                          kernel = if (kernel == "rbf") "radial" else "linear",
                          gamma = chosen_sigma(sigma, x), cost = cost, tolerance = tolerance,
                          fitted = FALSE, class.weights = class_weights))
      }
      of_rows <- if (kernel == "rbf") kernlab::rbfdot(chosen_sigma(sigma, x)) else
        kernlab::vanilladot()
      kernlab::ksvm(as.matrix(x), y, type = "C-svc", kernel = of_rows, C = cost, scaled = FALSE,
                    tol = tolerance, fit = FALSE, class.weights = class_weights)
    },
    predict_fun = function(model, x, levels) {
      two <- length(levels) == 2L
      if (of_e1071) {
        class <- stats::predict(model, as.matrix(x), decision.values = TRUE)
        # a positive decision value is for the label that came first in the rows
        sign <- if (model$labels[1L] == 2L) 1 else -1
        return(list(class = unname(class),
                    score = if (two) sign * attr(class, "decision.values")[, 1L]))
      }
      list(class = kernlab::predict(model, as.matrix(x)),
           score = if (two) drop(kernlab::predict(model, as.matrix(x), type = "decision")))
    },
    mapping_fun = function(model, x, y, weights) {
      weights <- stated_class_weights(class_weights, y)
      if (of_e1071) svm_mapping(model, as.matrix(x), y, weights) else
        ksvm_mapping(ksvm_parts(model), as.matrix(x), y, weights)
    },
    certify, tol, if (is.null(name)) paste(package, kernel) else name, class_weights
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

liblinear_spec <- function(type = 2, cost = 1, tolerance = NULL, bias = TRUE, certify = TRUE,
                           tol = 1e-3, name = NULL, class_weights = NULL, ...) {
  assert_no_extra("spec_peer(\"LiblineaR\")", ...)
  assert_package("LiblineaR", "spec_peer(\"LiblineaR\")")
  known <- c(0, 1, 2, 3, 5, 6, 7)
  if (!is.numeric(type) || length(type) != 1L || !type %in% known) {
    abort_input(sprintf("`type` is %s, but must be one of %s, see the table.", show_value(type),
                        toString(known)), "type")
  }
  assert_number(cost, "cost", lower = 0, remedy = "the default is 1")
  if (!is.null(tolerance)) {
    assert_number(tolerance, "tolerance", lower = 0, remedy = "NULL is LiblineaR's own")
  }
  assert_flag(bias, "bias")
  logistic <- type %in% c(0, 6, 7)
  peer_spec(
    fit_fun = function(x, y) {
      assert_labels_given(y, "spec_peer(\"LiblineaR\")")
      LiblineaR::LiblineaR(as.matrix(x), y, type = type, cost = cost, epsilon = tolerance,
                           bias = as.double(bias), wi = peer_class_weights(class_weights, y))
    },
    predict_fun = function(model, x, levels) {
      score <- unname_rows(liblinear_scores(model, x, levels))
      # by its scores: with bias = 0 the package's predict() reads beyond the coefficients
      class <- factor(levels[class_of_scores(score)], levels)
      list(class = class, score = score,
           prob = if (logistic) unname_rows(prob_of_scores(score, levels)))
    },
    mapping_fun = function(model, x, y, weights) {
      liblinear_mapping(model, as.matrix(x), y, cost, stated_class_weights(class_weights, y))
    },
    certify, tol, if (is.null(name)) paste("LiblineaR type", type) else name,
    class_weights
  )
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

# How far a solution of another package is from the optimum of its own objective: its audit, by the
# mapping of R/audit_<peer>.R.

# mapping_fun(model, x, y, weights): what new_mapping() makes.
peer_spec <- function(fit_fun, predict_fun, mapping_fun, certify, tol, name, class_weights) {
  # a promise would be what its name means when the model is fitted
  force(class_weights)
  assert_flag(certify, "certify")
  assert_number(tol, "tol", lower = 0, remedy = "the default is 0.001")
  gap_fun <- function(model, x, y, weights) {
    peer_gap(mapping_fun(model, x, y, weights), tol)
  }
  unknown <- function(model, x, y, weights) unknown_gap("`certify` is FALSE")
  model_spec(fit_fun, predict_fun, name, if (certify) gap_fun else unknown)
}

# The bound is a bound even where our fit misses its tolerance.
peer_gap <- function(mapping, tol) {
  excess <- audited_excess(mapping, margin_control(progress = FALSE))
  gap <- max(vapply(excess, `[[`, 0, "relative"))
  share <- function(one) if (one$row$from > 0) one$row$from / abs(one$row$bound) else 0
  list(relative_gap = gap, certified = gap <= tol, excess = max(vapply(excess, share, 0)))
}

# Of a model without a `gap_fun`: its audit, where it is of a package that audits know and keeps what
# they ask for.
audited_gap <- function(model, x, y) {
  if (!is.object(model)) {
    return(unknown_gap("its objective is not known"))
  }
  tryCatch({
    if (inherits(model, "margin_fit")) return(own_gap(model))
    kept <- inherits(model, c("glm", "multinom", "rlm", "lassorq", "workflow"))
    audit <- if (kept) margin_audit(model) else margin_audit(model, x, y)
    table <- certificate(audit)
    list(relative_gap = table$relative_gap, certified = table$relative_gap <= peer_tolerance,
         excess = max(audit$excess$relative_from))
  }, error = function(condition) unknown_gap(conditionMessage(condition)))
}
peer_tolerance <- 1e-3

# The optimum may be met: nothing is proven to be above it.
own_gap <- function(fit) c(certificate(fit)[c("relative_gap", "certified")], excess = 0)

unknown_gap <- function(why) {
  list(relative_gap = NA_real_, certified = NA, excess = NA_real_, why = why)
}

# Numbers by level for the rows that a model is fitted to, as margin_linear() finds them, or NULL.
peer_class_weights <- function(class_weights, y, weights = NULL) {
  response <- list(response = y, levels = levels(y),
                   task = if (is.factor(y)) "classification" else "regression")
  resolve_class_weights(class_weights, response,
                        if (is.null(weights)) rep(1, length(y)) else weights)
}

# One for each level where none are given: the call of a fit need not be asked.
stated_class_weights <- function(class_weights, y) {
  by_level <- peer_class_weights(class_weights, y)
  if (is.null(by_level)) stats::setNames(rep(1, nlevels(y)), levels(y)) else by_level
}

with_class_weights <- function(class_weights, y, weights) {
  by_level <- peer_class_weights(class_weights, y, weights)
  if (is.null(by_level)) {
    return(weights)
  }
  of_rows <- unname(by_level[as.character(y)])
  if (is.null(weights)) of_rows else weights * of_rows
}

# ---- Arguments of a support vector machine ----

assert_svm_arguments <- function(kernel, cost, sigma, tolerance) {
  assert_number(tolerance, "tolerance", lower = 0, remedy = "the default is 0.001")
  assert_choice(kernel, c("linear", "rbf"), "kernel")
  assert_number(cost, "cost", lower = 0, remedy = "the default is 1")
  if (!is.null(sigma)) {
    assert_number(sigma, "sigma", lower = 0, remedy = "NULL is one over the number of columns")
    if (kernel == "linear") {
      abort_input("`sigma` is given, but the linear kernel has none; leave it out.", "sigma")
    }
  }
}

chosen_sigma <- function(sigma, x) if (is.null(sigma)) 1 / ncol(x) else sigma

# ---- What can be asked of a package ----

assert_package <- function(package, caller) {
  if (!requireNamespace(package, quietly = TRUE)) {
    abort_input(sprintf("%s needs package %s; install it with install.packages(\"%s\").", caller,
                        package, package), "specs")
  }
}

assert_labels_given <- function(y, caller) {
  if (!is.factor(y)) {
    abort_input(sprintf("`y` is numeric, and %s is for classes; give a factor, or leave it out.",
                        caller), "y")
  }
}

# What a comparison needs to know of a model: how to fit it, to ask it, and to judge its optimum.

#' Models to compare
#'
#' Bring a model of any package into a comparison. A *specification* says how it is fitted and how it
#' predicts, so that [margin_compare()] can put it beside others on the same folds. `spec_margin()`
#' makes one of any family of this package,
#' [spec_peer()] those of other packages, and `model_spec()` one of any two functions
#' that fit and predict.
#'
#' @param fit_fun A function `(x, y)` or `(x, y, weights)` that returns a model. `x` is a matrix, or
#'   a sparse one of package Matrix where the data are sparse, with named columns; `y` a factor with
#'   all its levels present, or numbers in a regression.
#' @param predict_fun A function `(model, x, levels)` of new rows, n of them, that returns one of
#'   * a factor: the predicted class;
#'   * a numeric vector (two levels): the decision value, whose class is `levels[2]` from 0 on; a
#'     matrix with a column for each of three or more levels, the largest of which is the class;
#'   * a list with one or more of `class`, `score` and `prob`, the last a matrix of a column for
#'     each level. What is absent is derived: a class from the decision value, or from the
#'     probabilities, and for two levels a decision value \eqn{p_2 - p_1}{p2 - p1}, for more the
#'     matrix of probabilities;
#'   * in a regression a numeric vector.
#' @param name What to call the model.
#' @param gap_fun A function `(model, x, y, weights)` of the rows that the model was fitted to,
#'   which returns a list of `relative_gap`, an upper bound on how far the model is from the optimum
#'   of its objective as in [certificate()], and `certified`; perhaps also `excess`, a lower bound.
#'   `NULL`: [margin_audit()] is asked, which knows fits of many packages; of others both are `NA`.
#' @param family A family of this package, see [margin_cv()].
#' @param ... For `spec_margin()`: arguments of the family's function, such as `loss`, `lambda`,
#'   `cost`, `kernel` or `control`, but no data. Columns are scaled by [margin_compare()], alike for
#'   all models, so `scale` is `FALSE` unless given. For `model_spec()` nothing: unknown arguments
#'   are errors.
#' @param x A specification.
#' @return A list of class `"margin_spec"`: `name`, `fit_fun`, `predict_fun`, `gap_fun`.
#' @section Errors:
#' Of class `dualmargin_input_error`: what is no function, or takes too few arguments; an unknown or
#' invalid argument of a family; a precomputed kernel, which has no columns that other models
#' could see.
#' @seealso [margin_compare()], [spec_peer()].
#' @examples
#' spec_margin("linear", loss = "logistic", lambda = 0.01)
#'
#' # the nearest class mean, which has no objective and so no gap
#' nearest <- model_spec(
#'   fit_fun = function(x, y) rowsum(x, y) / as.vector(table(y)),
#'   predict_fun = function(model, x, levels) {
#'     -apply(model, 1, function(mean) colSums((t(x) - mean)^2))
#'   },
#'   name = "nearest mean"
#' )
#' specs <- list(nearest, spec_margin("linear", loss = "logistic", lambda = 0.01))
#' margin_compare(Species ~ ., iris, specs, seed = 1)
#'
#' # a forest of package ranger
#' forest <- model_spec(
#'   fit_fun = function(x, y, weights = NULL) {
#'     ranger::ranger(x = x, y = y, probability = TRUE, case.weights = weights, num.threads = 1)
#'   },
#'   predict_fun = function(model, x, levels) list(prob = predict(model, x)$predictions),
#'   name = "ranger"
#' )
#' @export
model_spec <- function(fit_fun, predict_fun, name, gap_fun = NULL, ...) {
  assert_no_extra("model_spec()", ...)
  assert_model_function(if (!missing(fit_fun)) fit_fun, "fit_fun", c("x", "y"))
  assert_model_function(if (!missing(predict_fun)) predict_fun, "predict_fun",
                        c("model", "x", "levels"))
  if (!is.null(gap_fun)) {
    assert_model_function(gap_fun, "gap_fun", c("model", "x", "y", "weights"))
  }
  if (missing(name) || !is_name(name)) {
    abort_input(sprintf("`name` is %s, but must be what the model is called.",
                        if (missing(name)) "missing" else show_value(name)), "name")
  }
  structure(list(name = name, fit_fun = fit_fun, predict_fun = predict_fun, gap_fun = gap_fun),
            class = "margin_spec")
}

is_name <- function(name) {
  is.character(name) && length(name) == 1L && !is.na(name) && is_readable(name) && nzchar(name)
}

assert_model_function <- function(fun, arg, takes) {
  shown <- paste(takes, collapse = ", ")
  if (!is.function(fun)) {
    abort_input(sprintf("`%s` is %s, but must be a function (%s).", arg, show_value(fun), shown),
                arg)
  }
  assert_takes(fun, arg, takes)
}

#' @rdname model_spec
#' @export
spec_margin <- function(family = "linear", ..., name = NULL) {
  assert_choice(family, names(families()), "family")
  if (!is_labelled(family)) {
    abort_input(paste(
      "`family` is \"oneclass\", whose fits have no labels to be compared by; use margin_cv(family =",
      "\"oneclass\"), with labels in `y` where there are some."
    ), "family")
  }
  arguments <- list(...)
  known <- family_arguments(family)
  stray <- arguments[!names(arguments) %in% known]
  assert_nothing_left(if (is.null(names(arguments))) arguments else stray, c(known, "name"),
                      character(), "spec_margin()")
  if (is_precomputed(arguments)) {
    abort_input(paste(
      "`kernel` is precomputed, which leaves no columns for other models to see; give a kernel of",
      "the columns, such as kernel_rbf()."
    ), "kernel")
  }
  if (is.null(arguments$scale)) arguments$scale <- FALSE
  refuse_checkpoint(arguments$control, "spec_margin()")
  refuse_ranks(arguments$control, "spec_margin()")
  if (is.null(arguments$control)) arguments$control <- margin_control(progress = FALSE)
  fit <- families()[[family]]$fit
  settings_of_arguments(family, arguments)
  class_weights <- arguments$class_weights
  if (!is.null(class_weights) && !identical(class_weights, "balanced")) {
    assert_class_weights(class_weights, NULL)
  }
  loss <- family_loss(family, arguments)
  assert_one_tau_each(loss)
  spec <- model_spec(
    fit_fun = function(x, y, weights = NULL) {
      # the numbers of some rows may look like labels where those of all do not
      if (!is.factor(y) && !takes_numbers(loss)) {
        assert_regression_possible(y, loss, classes_only(family))
        arguments$loss <- task_loss("regression")
      }
      quietly(do.call(fit, c(list(x = x, y = y, weights = weights), arguments), quote = TRUE))
    },
    predict_fun = predict_margin,
    name = if (is.null(name)) margin_spec_name(family, arguments) else name,
    gap_fun = function(model, x, y, weights) own_gap(model)
  )
  spec$loss <- loss
  spec$response_scale <- arguments$response_scale
  spec
}

margin_spec_name <- function(family, arguments) {
  paste(c(paste0("margin_", family),
          if (has_loss(family)) family_loss(family, arguments)$name), collapse = " ")
}

predict_margin <- function(model, x, levels) {
  scores <- stats::predict(model, x, type = "score")
  if (is.null(levels)) {
    return(unname_rows(scores))
  }
  prob <- if (identical(loss_name(model), "logistic")) read_scores(model, scores, "prob")
  list(class = read_scores(model, scores, "class"), score = read_scores(model, scores, "score"),
       prob = prob)
}

#' @rdname model_spec
#' @export
print.margin_spec <- function(x, ...) {
  assert_no_extra("print()", ...)
  cat(sprintf("<margin_spec> %s%s\n", x$name,
              if (is.null(x$gap_fun)) ", whose distance from its optimum is asked of margin_audit()" else
                ""))
  invisible(x)
}
