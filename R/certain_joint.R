# What is certain of one problem of all classes (multiclass = "softmax" or "crammer_singer"):
# src/region/of_joint.h says where its optimum is.

largest_joint_hessian <- 1000L

# Is its optimum one of which intervals are known?
assert_joint_known <- function(fit) {
  free <- fit$settings$intercept == "free"
  if (fit$settings$mixture == 1) {
    abort_input(paste(
      "`fit` is a lasso (mixture = 1), whose optimum need not be unique: it has no interval for",
      "coefficients; use mixture = 0.99."
    ), "fit")
  }
  if (free && !class_model(fit)$smooth) {
    abort_input(paste(
      "`fit` has multiclass = \"crammer_singer\" with free intercepts, of which no interval is",
      "known; use intercept = \"penalized\" or \"none\"."
    ), "fit")
  }
  size <- length(coef_matrix(fit))
  if (free && size > largest_joint_hessian) {
    abort_input(sprintf(paste(
      "`fit` has free intercepts and %s coefficients; their intervals take a Hessian of at most",
      "%s. Use intercept = \"penalized\" or \"none\"."
    ), format(size, big.mark = ","), format(largest_joint_hessian, big.mark = ",")), "fit")
  }
}

# What the core is asked about, as question_of_fit() of class problems.
question_of_joint <- function(fit) {
  free <- fit$settings$intercept == "free"
  coefficients <- unname(coef_matrix(fit))
  w <- (if (has_intercept(fit)) coefficients[-1L, , drop = FALSE] else coefficients) *
    unname(fit$scales)
  if (fit$settings$intercept == "penalized") w <- rbind(w, coefficients[1L, ])
  y <- as.integer(fit$response)
  omega <- unname(fit$weights)
  if (!is.null(fit$settings$class_weights)) {
    omega <- omega * unname(fit$settings$class_weights)[y]
  }
  list(softmax = class_model(fit)$smooth, free = free, lambda = fit$settings$lambda,
       mixture = fit$settings$mixture, y = y, omega = omega, w = w,
       b = if (free) coefficients[1L, ], dual = unname(fit$dual))
}

# Coefficients, of a ridge around their mean over the classes, and free intercepts always.
determined_jointly <- function(fit) {
  values <- coef_matrix(fit)
  common <- if (fit$settings$mixture == 0) rep(TRUE, nrow(values)) else
    seq_len(nrow(values)) == 1L & fit$settings$intercept == "free"
  values[common, ] <- values[common, , drop = FALSE] -
    rowMeans(values[common, , drop = FALSE])
  values
}

certain_of_joint <- function(fit, x) {
  assert_joint_known(fit)
  question <- question_of_joint(fit)
  frame <- frame_of_fit(fit, move = question$free)
  found <- if (is_rows(x)) {
    from_rows_file(in_core(certain_joint_file_cpp(rows_of_core(x), frame, question)), "data")
  } else {
    in_core(certain_joint_cpp(in_core_form(x), frame, question))
  }
  new_certain(fit, found, training = found$training)
}

# As certain_intervals().
joint_intervals <- function(certain, x, again = NULL, refits = 0) {
  fit <- certain$fit
  frame <- frame_of_fit(fit, certain$centre)
  known <- with_root(certain$joint, certain$metrics)
  if (is.null(again) || refits == 0) {
    return(in_core(certain_joint_rows_cpp(in_core_form(x), frame, known, NULL)))
  }
  asked <- list(frame = frame, problem = question_of_joint(fit),
                further = further_of_fit(fit, refits))
  with_rows_again(certain_joint_rows_cpp, certain_joint_rows_file_cpp, x, frame, known, again,
                  asked)
}
