# What the methods of all fits ask of a robust fit.

describe_robust_points <- function(path, number) {
  settings <- path$settings
  settings$radius <- path$radius[1L]
  lines <- describe_problem.margin_robust(list(settings = settings), 5L)
  replace(lines, "radius", describe_range(path$radius, length(path$radius), number))
}

#' @exportS3Method
describe_problem.margin_robust <- function(fit, digits) {
  settings <- fit$settings
  number <- function(value) format(value, digits = digits)
  c("norm of w" = sprintf("%s (features are moved at their %s distance)", settings$norm,
                          dual_norms[[settings$norm]]),
    radius = paste0(number(settings$radius),
                    if (!is.null(fit$rule)) ", by the profile rule (see ?margin_robust)"),
    "label cost" = if (is.infinite(settings$label_cost)) "Inf, labels are trusted" else
      number(settings$label_cost),
    ridge = number(settings$ridge))
}

#' @exportS3Method
problem_columns.margin_robust <- function(fit) {
  as.data.frame(fit$settings[c("norm", "radius", "label_cost", "ridge")])
}
