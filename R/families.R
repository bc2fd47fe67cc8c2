# The families of problems, and what serves all of them: how to fit one, its defaults, the check of
# its arguments, and the coordinate along which margin_path() starts each point from the one before.
families <- function() {
  list(
    linear = list(fit = margin_linear, of_matrix = margin_linear.matrix,
                  settings = linear_settings, path = "lambda"),
    robust = list(fit = margin_robust, of_matrix = margin_robust.matrix,
                  settings = robust_settings, path = "radius"),
    kernel = list(fit = margin_kernel, of_matrix = margin_kernel.matrix,
                  settings = kernel_settings, path = "lambda"),
    augmented = list(fit = margin_augmented, of_matrix = margin_augmented.matrix,
                     settings = augmented_settings, path = "rate"),
    hard = list(fit = margin_hard, of_matrix = margin_hard.matrix, settings = hard_settings,
                path = NULL)
  )
}

# The arguments of a family that say what is fitted and how, beside the data.
family_arguments <- function(family) {
  setdiff(names(formals(families()[[family]]$of_matrix)), c("x", "y", "weights", "..."))
}

has_loss <- function(family) "loss" %in% family_arguments(family)

# The function of a family without a regression, for code_response().
classes_only <- function(family) if (!has_loss(family)) sprintf("margin_%s()", family)

# The loss that was named, NULL where none was; that of the families which have one only.
family_loss <- function(family, arguments) {
  if (!has_loss(family) || (is.null(arguments$loss) && is_crammer_singer(arguments$multiclass))) {
    return(loss_hinge())
  }
  named_loss(arguments$loss)
}
