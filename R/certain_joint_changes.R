# Rows that leave or change in one problem of all classes (multiclass = "softmax" or
# "crammer_singer"): src/decide/joint_problem.h. Decision values are known as differences to that of
# one class of each row, which classes and probabilities rest on.

# Less the value of the class that each row has in `class`.
scores_against <- function(fit, scores, class) {
  if (is_joint(fit)) scores - scores[cbind(seq_along(class), class)] else scores
}

# What core_removals() is of class problems, against the class of each row.
joint_removals <- function(fit, x, sets, rule, precision) {
  question <- c(question_of_joint(fit), list(rule = rule))
  asked <- list(sets = sets, precision = if (question$softmax) precision else Inf,
                weight = unname(fit$weights))
  found <- in_core(removal_joint_cpp(
    in_core_form(x), frame_of_fit(fit, move = question$free), question,
    list(intercept = if (question$free) "free" else "none"), refit_control(fit), asked
  ))
  if (!question$softmax) found$losses <- NULL
  found
}

# What change_rows() is of class problems, against the class that the fit predicts.
change_joint <- function(fit, x, change, sets, new, rule, refits) {
  if (!is.null(change$added)) x <- stack_rows(x, change$added$x)
  omega <- changed_omega(fit, change)
  for (out in sets) assert_weight_left(replace(omega, out, 0))
  question <- c(question_of_joint(fit), list(rule = rule))
  asked <- list(y = c(change$response, change$added$response), omega = omega, sets = sets,
                refits = refits, reference = unname(class_of_scores(new$score)))
  found <- in_core(change_joint_cpp(
    in_core_form(x), frame_of_fit(fit, move = question$free), question, asked, in_core_form(new$x),
    list(intercept = if (question$free) "free" else "none"), refit_control(fit)
  ))
  as_changes(found, change, sets)
}
