# margin_linear(multiclass = ): one problem of all classes in the place of one for each class.

# What each asks for: the loss, and the solvers that fit it.
joint_models <- list(
  softmax = list(loss = "logistic", solvers = c("auto", "newton", "dual_cd")),
  crammer_singer = list(loss = "hinge", solvers = c("auto", "newton", "dual_cd"))
)

multiclass_choices <- c("one_vs_rest", names(joint_models))

# Known with the loss.
assert_joint_model <- function(settings) {
  name <- settings$multiclass
  model <- joint_models[[name]]
  if (is.null(model)) {
    return(invisible())
  }
  if (settings$loss$name != model$loss) {
    abort_input(sprintf(
      "`multiclass` is \"%s\", which is for loss \"%s\", not \"%s\"; use \"one_vs_rest\".",
      name, model$loss, settings$loss$name
    ), "multiclass")
  }
  if (settings$mixture > 0) {
    abort_input(sprintf(paste(
      "`mixture` is %s, but multiclass = \"%s\" has a ridge alone; use mixture = 0, or multiclass",
      "= \"one_vs_rest\"."
    ), format(settings$mixture), name), "mixture")
  }
  solver <- settings$solver$name
  if (!solver %in% model$solvers) {
    abort_input(sprintf("`solver` is \"%s\", but multiclass = \"%s\" is fitted by %s.", solver,
                        name, quote_list(model$solvers)), "solver")
  }
}

# What is solved: NULL where the classes have a problem each, or are two.
joint_model <- function(settings, response) {
  several <- response$n_classes > 1L
  if (several && settings$multiclass %in% names(joint_models)) settings$multiclass
}

# The one model whose loss is not that of its task.
is_crammer_singer <- function(multiclass) identical(multiclass, "crammer_singer")

# All classes in one problem, with one certificate?
has_joint_classes <- function(fit) isTRUE(fit$multiclass %in% names(joint_models))

# The points of a problem of all classes hold all of them at once: a list of points for each class,
# of which all but the coefficients are the same.
class_solutions <- function(solutions, problem) {
  if (!has_joint_classes(problem)) {
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
