# A learner for mlr3 over margin_linear(). Take this file into your project with source(); then
# learner_margin_linear$new() makes a learner like any other.

learner_margin_linear <- R6::R6Class(
  "LearnerClassifMarginLinear",
  inherit = mlr3::LearnerClassif,
  public = list(
    initialize = function() {
      parameters <- paradox::ps(
        loss = paradox::p_fct(
          c("hinge", "smooth_hinge", "squared_hinge", "logistic", "squared", "huber"),
          init = "logistic", tags = "train"
        ),
        # No default: without a value the package's own, 1/W, is in force.
        lambda = paradox::p_dbl(0, tags = "train"),
        mixture = paradox::p_dbl(0, 1, default = 0, tags = "train"),
        intercept = paradox::p_fct(c("free", "penalized", "none"), default = "free",
                                   tags = "train"),
        scale = paradox::p_lgl(default = TRUE, tags = "train"),
        solver = paradox::p_uty(default = "auto", tags = "train"),
        control = paradox::p_uty(tags = "train")
      )
      super$initialize(
        id = "classif.margin_linear", packages = "dualmargin", param_set = parameters,
        feature_types = c("logical", "integer", "numeric", "factor", "ordered"),
        predict_types = c("response", "prob"),
        properties = c("twoclass", "multiclass", "weights")
      )
    }
  ),
  private = list(
    .train = function(task) {
      data <- as.data.frame(task$data(cols = task$feature_names))
      arguments <- self$param_set$get_values(tags = "train")
      do.call(dualmargin::margin_linear, c(
        list(data, task$truth(), weights = private$.get_weights(task)), arguments
      ), quote = TRUE)
    },
    # Only the logistic loss estimates probabilities; with another one predict() says so.
    .predict = function(task) {
      data <- as.data.frame(task$data(cols = task$feature_names))
      if (self$predict_type == "response") {
        list(response = stats::predict(self$model, data))
      } else {
        list(prob = stats::predict(self$model, data, type = "prob"))
      }
    }
  )
)
