# Several classes: a problem for each, or one of all with one certificate. Where the two, or the
# models of the second kind, differ is asked here and nowhere else.

# The fields of a row, each with who asks for it; one that is left out is NULL.
class_fields <- c(
  one_problem = "have all classes one problem, with one value and one certificate?",
  compared = "are decision values of a row compared with one another?",
  loss = "the loss that margin_linear(multiclass = ) asks for",
  solvers = "the solvers that fit it",
  l1_solvers = "those that do with an l1 part; NULL: none does",
  smooth = "has it probabilities of its own?",
  shown = "in words",
  formula = "what is summed over the rows, in LaTeX; NULL: the loss of a class",
  kernel_formula = "the same with functions",
  named = "a function (class): the problem of a class in words",
  leads = "a function (scores): what a decision value says of its class beside the others, n x k",
  mapped = "a function (scores): what a calibration maps to probabilities",
  prob = "a function (scores, levels): probabilities",
  centred = "a function (values): those of a row that the problem determines, n x k",
  determined = "a function (fit): of the coefficients what the problem determines",
  against = "a function (scores, class): what is kept of scores beside that of the class of a row",
  certain = "a function (fit, x): what margin_certain() returns of columns or a file",
  known = "a function (certain): is a saved one of those as it must be?",
  intervals = "a function (certain, x, again, refits): ends of the scores of new rows",
  decide = "a function (found): the class of each row and whether it is decided, from such ends",
  prob_ends = "a function (fit, found): ends of probabilities",
  removals = "a function: the optimum without rows, as core_removals(); NULL: that of the family",
  knowable = "a function (fit): an error where there are no intervals of such an optimum",
  change = "a function: the optimum on changed rows, as change_rows()",
  flips = "are there bounds for margin_flips()?"
)

class_models <- function() {
  separate <- list(
    one_problem = FALSE, named = function(class) paste(class, "vs rest"), mapped = identity,
    prob = function(scores, levels) prob_of_scores(scores, levels), centred = identity,
    determined = function(fit) coef_matrix(fit),
    against = function(scores, class) scores,
    certain = function(fit, x) (if (is_rows(x)) certain_of_file else certain_of_columns)(fit, x),
    known = function(certain) TRUE, intervals = certain_intervals,
    decide = function(found) decide(found$lower, found$upper), prob_ends = probability_ends,
    knowable = function(fit) invisible(fit), change = change_rows, flips = TRUE
  )
  joint <- list(
    one_problem = TRUE, compared = TRUE,
    named = identity, centred = function(values) values - rowMeans(values),
    determined = determined_jointly,
    against = scores_against, certain = certain_of_joint,
    known = function(certain) is_known_joint(certain$joint, certain$problems),
    intervals = joint_intervals,
    decide = function(found) list(class = found$class, decided = !is.na(found$class)),
    prob_ends = function(fit, found) list(lower = found$prob_lower, upper = found$prob_upper),
    removals = joint_removals, knowable = assert_joint_known, change = change_joint,
    flips = FALSE
  )
  log_odds <- function(scores) if (is.matrix(scores)) class_leads(scores, TRUE) else scores
  leads <- function(scores) if (is.matrix(scores)) class_leads(scores, FALSE) else scores
  list(
    one_vs_rest = c(separate, list(compared = FALSE, shown = "one-vs-rest", leads = identity)),
    softmax = c(joint, list(
      loss = "logistic", solvers = c("auto", "newton", "dual_cd", "fista"),
      l1_solvers = c("auto", "newton", "fista"), smooth = TRUE, shown = "one multinomial model",
      formula = "\\log\\sum_c e^{z_{ic}} - z_{iy_i}",
      kernel_formula = "\\log\\sum_k e^{z_{ik}} - \\sum_k t_{ik} z_{ik}",
      leads = log_odds, mapped = log_odds,
      prob = function(scores, levels) softmax_of_scores(scores)
    )),
    crammer_singer = c(joint, list(
      loss = "hinge", solvers = c("auto", "newton", "dual_cd"), smooth = FALSE,
      shown = "one model of Crammer and Singer",
      formula = "\\max_c(z_{ic} + [c \\ne y_i]) - z_{iy_i}", leads = leads, mapped = leads,
      prob = function(scores, levels) prob_of_scores(scores, levels)
    )),
    # of a hard margin, whose certificate is that of a margin
    margin = c(separate, list(compared = TRUE, shown = "one model", leads = leads))
  )
}

joint_models <- function() Filter(function(model) model$one_problem, class_models())

# The row of a fit, of a path or of the problem of one. Also of two classes and of a regression,
# which have one problem whose decision value says it all: that of one_vs_rest.
class_model <- function(fit) {
  joint <- isTRUE(fit$multiclass %in% names(joint_models()))
  class_models()[[if (joint) fit$multiclass else if (inherits(fit, "margin_hard")) "margin" else
    "one_vs_rest"]]
}

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
  named_loss(if (follows) class_models()$crammer_singer$loss else loss, several)
}

# The points of a problem of all classes hold all of them at once: a list of points for each class,
# of which all but the coefficients are the same.
class_solutions <- function(solutions, problem) {
  if (!class_model(problem)$one_problem) {
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
