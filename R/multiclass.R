# Several classes: a problem for each, or one of all with one certificate. Where the two, or the
# models of the second kind, differ is asked here and nowhere else.

# joint: is it one problem, with one certificate? compared: are decision values of a row compared
# with one another? loss, solvers: what margin_linear(multiclass = ) asks for; smooth: has it
# probabilities; shown, formula: in words and in LaTeX; leads: what a decision value says of its
# class beside the others, n x k to n x k; prob: their probabilities.
class_models <- list(
  one_vs_rest = list(
    joint = FALSE, compared = FALSE, shown = "one-vs-rest", leads = function(scores) scores,
    prob = function(scores, levels) prob_of_scores(scores, levels)
  ),
  softmax = list(
    joint = TRUE, compared = TRUE, loss = "logistic", solvers = c("auto", "newton", "dual_cd"),
    smooth = TRUE, shown = "one multinomial model",
    formula = "\\log\\sum_c e^{z_{ic}} - z_{iy_i}",
    leads = function(scores) class_leads(scores, log_odds = TRUE),
    prob = function(scores, levels) softmax_of_scores(scores)
  ),
  crammer_singer = list(
    joint = TRUE, compared = TRUE, loss = "hinge", solvers = c("auto", "newton", "dual_cd"),
    smooth = FALSE, shown = "one model of Crammer and Singer",
    formula = "\\max_c(z_{ic} + [c \\ne y_i]) - z_{iy_i}",
    leads = function(scores) class_leads(scores, log_odds = FALSE),
    prob = function(scores, levels) prob_of_scores(scores, levels)
  ),
  # of a hard margin, whose certificate is that of a margin
  margin = list(
    joint = FALSE, compared = TRUE, shown = "one model",
    leads = function(scores) class_leads(scores, log_odds = FALSE),
    prob = function(scores, levels) prob_of_scores(scores, levels)
  )
)

joint_models <- Filter(function(model) model$joint, class_models)

# The row of a fit, of a path or of the problem of one. Also of two classes and of a regression,
# which have one problem whose decision value says it all: that of one_vs_rest.
class_model <- function(fit) {
  joint <- isTRUE(fit$multiclass %in% names(joint_models))
  class_models[[if (joint) fit$multiclass else if (inherits(fit, "margin_hard")) "margin" else
    "one_vs_rest"]]
}

has_joint_classes <- function(fit) class_model(fit)$joint

# Which rows of a fit are decided, of the ends that margin_certain() keeps of them.
are_decided <- function(fit, training, ends = training) {
  if (has_joint_classes(fit)) !is.na(training$class) else decide(ends$lower, ends$upper)$decided
}

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
  if (response$n_classes > 1L && is_joint_choice(settings)) settings$multiclass
}

is_joint_choice <- function(settings) isTRUE(settings$multiclass %in% names(joint_models))

# The loss that was named; NULL where none was, and none follows from a model whose loss is not that
# of its task.
loss_of_classes <- function(loss, multiclass) {
  follows <- is.null(loss) && identical(multiclass, "crammer_singer")
  named_loss(if (follows) class_models$crammer_singer$loss else loss)
}

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
