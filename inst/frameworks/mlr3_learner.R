# Learners for mlr3 over the families of dualmargin. Take this file into your project with source();
# then learner_margin_linear$new() makes a learner like any other, and so do learner_margin_kernel,
# learner_margin_augmented, learner_margin_robust and learner_margin_hard for classes, and
# learner_regr_margin_linear, learner_regr_margin_kernel and learner_regr_margin_augmented for
# numbers.

margin_learner <- function(family, task = "classif") {
  fit <- get(paste0("margin_", family), envir = asNamespace("dualmargin"))
  # What has no default here is the function's own business.
  own <- list(
    loss = paradox::p_uty(tags = "train"), lambda = paradox::p_dbl(0, tags = "train"),
    cost = paradox::p_dbl(0, tags = "train"), mixture = paradox::p_dbl(0, 1, tags = "train"),
    multiclass = paradox::p_uty(tags = "train"), kernel = paradox::p_uty(tags = "train"),
    nystrom = paradox::p_int(1, tags = "train"), perturbation = paradox::p_uty(tags = "train"),
    norm = paradox::p_fct(c("l1", "l2", "linf"), tags = "train"),
    radius = paradox::p_dbl(0, tags = "train"), label_cost = paradox::p_dbl(0, tags = "train"),
    ridge = paradox::p_dbl(0, tags = "train"), center = paradox::p_lgl(tags = "train"),
    intercept = paradox::p_fct(c("free", "penalized", "none"), tags = "train"),
    scale = paradox::p_lgl(tags = "train"), class_weights = paradox::p_uty(tags = "train"),
    solver = paradox::p_uty(tags = "train"), control = paradox::p_uty(tags = "train")
  )
  taken <- names(formals(utils::getS3method(paste0("margin_", family), "matrix",
                                            envir = asNamespace("dualmargin"))))
  parameters <- do.call(paradox::ps, c(
    own[intersect(names(own), taken)],
    # A loss without probabilities comes by some where this is "platt" or "isotonic".
    if (task == "classif") list(calibrate = paradox::p_fct(c("none", "platt", "isotonic"),
                                                           init = "none", tags = "train"))
  ))
  classes <- task == "classif"
  R6::R6Class(
    sprintf("Learner%sMargin%s", if (classes) "Classif" else "Regr",
            paste0(toupper(substring(family, 1, 1)), substring(family, 2))),
    inherit = if (classes) mlr3::LearnerClassif else mlr3::LearnerRegr,
    public = list(
      initialize = function() {
        super$initialize(
          id = sprintf("%s.margin_%s", task, family), packages = "dualmargin",
          param_set = parameters$clone(deep = TRUE),
          feature_types = c("logical", "integer", "numeric", "factor", "ordered"),
          predict_types = if (classes) c("response", "prob") else "response",
          properties = c(if (classes) c("twoclass", "multiclass"), "weights")
        )
      }
    ),
    private = list(
      .train = function(task) {
        data <- as.data.frame(task$data(cols = task$feature_names))
        arguments <- self$param_set$get_values(tags = "train")
        method <- arguments$calibrate
        arguments$calibrate <- NULL
        # numbers are a regression, whatever their values
        if (!classes && is.null(arguments$loss)) arguments$loss <- "squared"
        model <- do.call(fit, c(
          list(data, task$truth(), weights = private$.get_weights(task)), arguments
        ), quote = TRUE)
        if (!classes || method == "none") return(model)
        dualmargin::margin_calibrate(model, data, task$truth(), method = method)
      },
      # Where there are no probabilities predict() says so.
      .predict = function(task) {
        data <- as.data.frame(task$data(cols = task$feature_names))
        if (self$predict_type == "response") {
          list(response = unname(stats::predict(self$model, data)))
        } else {
          list(prob = stats::predict(self$model, data, type = "prob"))
        }
      }
    )
  )
}

learner_margin_linear <- margin_learner("linear")
learner_margin_kernel <- margin_learner("kernel")
learner_margin_augmented <- margin_learner("augmented")
learner_margin_robust <- margin_learner("robust")
learner_margin_hard <- margin_learner("hard")
learner_regr_margin_linear <- margin_learner("linear", "regr")
learner_regr_margin_kernel <- margin_learner("kernel", "regr")
learner_regr_margin_augmented <- margin_learner("augmented", "regr")
