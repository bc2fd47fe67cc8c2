# Several classes: a problem for each, or one of all with one certificate. Where the two, or the
# models of the second kind, differ in numbers and words stands here.

class_models <- list(
  # a problem for each class
  one_vs_rest = list(one_problem = FALSE, compared = FALSE, smooth = FALSE, shown = "one-vs-rest"),
  # loss: that multiclass = asks for; solvers, and those that do with an l1 part; formulas in LaTeX, of
  # what is summed over the rows; smooth: has it probabilities of its own?
  softmax = list(
    one_problem = TRUE, compared = TRUE, smooth = TRUE, shown = "one multinomial model",
    loss = "logistic", solvers = c("auto", "newton", "lbfgs", "dual_cd", "fista"),
    l1_solvers = c("auto", "newton", "fista"),
    formula = "\\log\\sum_c e^{z_{ic}} - z_{iy_i}",
    kernel_formula = "\\log\\sum_k e^{z_{ik}} - \\sum_k t_{ik} z_{ik}"
  ),
  crammer_singer = list(
    one_problem = TRUE, compared = TRUE, smooth = FALSE, shown = "one model of Crammer and Singer",
    loss = "hinge", solvers = c("auto", "newton", "dual_cd"),
    formula = "\\max_c(z_{ic} + [c \\ne y_i]) - z_{iy_i}"
  ),
  # of a hard margin, whose certificate is that of a margin
  margin = list(one_problem = FALSE, compared = TRUE, smooth = FALSE, shown = "one model")
)

joint_models <- function() class_models[c("softmax", "crammer_singer")]

# Of a fit, of a path or of the problem of one. Also of two classes and of a regression, which have one
# problem whose decision value says it all: one_vs_rest.
class_model <- function(fit) {
  joint <- isTRUE(fit$multiclass %in% names(joint_models()))
  class_models[[if (joint) fit$multiclass else if (inherits(fit, "margin_hard")) "margin" else
    "one_vs_rest"]]
}

is_joint <- function(fit) class_model(fit)$one_problem

multiclass_choices <- function() c("auto", "one_vs_rest", names(joint_models()))

# "auto" of the linear family: one multinomial model where the loss is its own and the solver fits
# it, with no terms of columns that it does not have.
settle_multiclass <- function(settings, response) {
  if (!identical(settings$multiclass, "auto") || settings$solver$family != "linear" ||
      response$n_classes == 1L) {
    return(settings)
  }
  softmax <- joint_models()$softmax
  able <- if (any(settings$mixture > 0)) softmax$l1_solvers else softmax$solvers
  joint <- settings$solver$name %in% able && is.null(column_terms(settings, settings$mixture))
  settings$multiclass <- if (joint) usual_multiclass(settings$loss) else "one_vs_rest"
  settings
}

# What "auto" is for a loss unless solver or columns ask for the other.
usual_multiclass <- function(loss) {
  if (loss$name == joint_models()$softmax$loss) "softmax" else "one_vs_rest"
}

# Known with the loss.
assert_joint_model <- function(settings) {
  name <- settings$multiclass
  model <- joint_models()[[name]]
  if (is.null(model)) {
    return(invisible())
  }
  if (settings$loss$name != model$loss) {
    abort_input(sprintf(
      "`multiclass` is \"%s\", which is for loss \"%s\", not \"%s\"; use \"one_vs_rest\".",
      name, model$loss, settings$loss$name
    ), "multiclass")
  }
  l1 <- settings$mixture > 0
  if (l1 && is.null(model$l1_solvers)) {
    abort_input(sprintf(paste(
      "`mixture` is %s, but multiclass = \"%s\" has a ridge alone; use mixture = 0, or multiclass",
      "= \"one_vs_rest\"."
    ), format(settings$mixture), name), "mixture")
  }
  solver <- settings$solver$name
  able <- if (l1) model$l1_solvers else model$solvers
  if (!solver %in% able) {
    abort_input(sprintf("`solver` is \"%s\", but multiclass = \"%s\"%s is fitted by %s.", solver,
                        name, if (l1) " with an l1 part" else "", quote_list(able)), "solver")
  }
}

# What is solved: NULL where the classes have a problem each, or are two.
joint_model <- function(settings, response) {
  if (response$n_classes > 1L && is_joint_choice(settings)) settings$multiclass
}

is_joint_choice <- function(settings) isTRUE(settings$multiclass %in% names(joint_models()))

# The loss that was named; NULL where none was, and none follows from a model whose loss is not that
# of its task.
loss_of_classes <- function(loss, multiclass, several = FALSE) {
  follows <- is.null(loss) && identical(multiclass, "crammer_singer")
  named_loss(if (follows) class_models$crammer_singer$loss else loss, several)
}

# The points of a problem of all classes hold all of them at once: a list of points for each class,
# of which all but the coefficients are the same.
class_solutions <- function(solutions, problem) {
  if (!is_joint(problem)) {
    return(solutions)
  }
  lapply(seq_len(problem$response$n_classes), function(k) {
    lapply(solutions[[1L]], function(point) {
      beta <- as.matrix(point$coefficients)[, k]
      point$place <- which(beta != 0)
      point$coefficients <- beta[point$place]
      for (name in intersect(c("intercept", "near"), names(point))) {
        point[[name]] <- point[[name]][min(k, length(point[[name]]))]
      }
      if (k > 1L) point[c("epochs", "steps", "seconds")] <- 0
      point
    })
  })
}
