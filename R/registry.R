# What exists: the one list that drives checks, error messages, documentation and tests.

loss_formulas <- c(
  hinge = "max(0, 1 - m)",
  smooth_hinge = "0 if m >= 1; 1 - m - gamma/2 if m <= 1 - gamma; (1 - m)^2/(2 gamma) between",
  squared_hinge = "max(0, 1 - m)^2/(2 gamma)",
  logistic = "log(1 + exp(-m))",
  squared = "(z - y)^2/2"
)

#' Which losses there are
#'
#' @return A data frame with one row per loss: `name`; `gamma` (the default; the loss is
#'   \eqn{1/\gamma}-smooth, 0 means not smooth); `smooth`; `formula` in the margin \eqn{m = y z} or
#'   in the score \eqn{z} and the response \eqn{y}; and `task`, `"classification"` or `"both"`
#'   (classification and regression).
#' @seealso [losses] for the functions that make them.
#' @examples
#' margin_losses()
#' @export
margin_losses <- function() {
  made <- lapply(loss_makers(), function(maker) maker())
  data.frame(
    name = names(made),
    gamma = vapply(made, function(loss) loss$gamma, 0),
    smooth = vapply(made, function(loss) loss$smooth, NA),
    formula = unname(loss_formulas[names(made)]),
    task = vapply(made, function(loss) loss$task, ""),
    row.names = NULL
  )
}

# One row of the solver list. Options: the first value is the default, strings are the choices.
solver_row <- function(name, family, smooth_loss, intercepts, strong_convexity, random, paper,
                       description, options, l1 = FALSE) {
  list(name = name, family = family, smooth_loss = smooth_loss, intercepts = intercepts,
       strong_convexity = strong_convexity, l1 = l1, random = random, paper = paper,
       description = description, options = options)
}

intercept_kinds <- c("free", "penalized", "none")

solver_rows <- function() {
  list(
    solver_row(
      "auto", "linear", smooth_loss = FALSE, intercepts = intercept_kinds,
      strong_convexity = FALSE, random = TRUE, paper = NA_character_,
      description = "chooses from the sizes, the loss and lambda; finishes for every loss",
      options = list(dual_passes = 8)
    ),
    solver_row(
      "sdca", "linear", smooth_loss = FALSE, intercepts = c("penalized", "none"),
      strong_convexity = TRUE, random = TRUE, paper = "sdca",
      description = "stochastic dual coordinate ascent",
      options = list(sampling = c("permutation", "uniform"))
    ),
    solver_row(
      "newton", "linear", smooth_loss = TRUE, intercepts = intercept_kinds,
      strong_convexity = FALSE, random = TRUE, paper = "newton",
      description = "Newton with exact line search from a subsampled start",
      options = list(subsample = TRUE)
    ),
    solver_row(
      "ssnal", "linear", smooth_loss = FALSE, intercepts = intercept_kinds,
      strong_convexity = FALSE, random = TRUE, paper = "ssnal",
      description = "semismooth Newton on the dual proximal problem, for any loss",
      options = list(subsample = TRUE, gamma = 1, shrink = 0.3)
    ),
    solver_row(
      "lasso", "linear", smooth_loss = TRUE, intercepts = intercept_kinds,
      strong_convexity = FALSE, random = FALSE, paper = "celer", l1 = TRUE,
      description = "working sets of columns with gap-safe screening, for mixture > 0",
      options = list(working_set = 100, extrapolation = TRUE, screening = TRUE)
    )
  )
}

# Where a numeric option may lie; ends excluded unless whole.
option_bounds <- list(
  dual_passes = list(lower = 0, upper = 1000, whole = TRUE),
  gamma = list(lower = 0, upper = Inf, whole = FALSE),
  shrink = list(lower = 0, upper = 1, whole = FALSE),
  working_set = list(lower = 1, upper = .Machine$integer.max, whole = TRUE)
)

#' Which solvers there are
#'
#' Every solver of a family works towards the same optimum and returns the same kind of
#' certificate. They differ in what they can do, which this table says, and in speed. Asking a
#' solver for what it cannot do is an error that names the remedy.
#'
#' @param family Name of a family, such as `"linear"`, or `NULL` for all.
#' @return A data frame with one row per solver: `name`; `family`; `smooth_loss` (does it need a
#'   smooth loss?); `intercepts` (list of the intercept kinds it can fit); `strong_convexity` (does
#'   it need `mixture < 1`?); `l1` (does it need `mixture > 0`?); `random` (does its path depend on the seed?); `paper` (key in
#'   `REFERENCES.bib`); `description`; and `options`, a list of named lists of defaults. Where an
#'   option is a vector of strings, these are the choices and the first is the default.
#' @section Errors:
#' An unknown `family` is an error of class `dualmargin_input_error`.
#' @references
#' Shalev-Shwartz S, Zhang T (2013). Stochastic dual coordinate ascent methods for regularized
#' loss minimization. *Journal of Machine Learning Research* 14, 567-599. arXiv:1209.1873.
#'
#' Keerthi SS, DeCoste D (2005). A modified finite Newton method for fast solution of large scale
#' linear SVMs. *Journal of Machine Learning Research* 6, 341-361.
#'
#' Li X, Sun D, Toh K-C (2018). A highly efficient semismooth Newton augmented Lagrangian method for
#' solving lasso problems. *SIAM Journal on Optimization* 28, 433-458. \doi{10.1137/16M1097572}.
#'
#' Massias M, Gramfort A, Salmon J (2018). Celer: a fast solver for the lasso with dual
#' extrapolation. *Proceedings of the 35th International Conference on Machine Learning*, PMLR 80,
#' 3315-3324. arXiv:1802.07481.
#' @seealso [margin_linear()], [margin_control()] for `solver_options`.
#' @examples
#' margin_solvers("linear")[c("name", "smooth_loss", "intercepts", "description")]
#' @export
margin_solvers <- function(family = NULL) {
  rows <- solver_rows()
  families <- vapply(rows, function(row) row$family, "")
  if (!is.null(family)) {
    assert_choice(family, unique(families), "family")
    rows <- rows[families == family]
  }
  field <- function(name, type) vapply(rows, function(row) row[[name]], type)
  list_field <- function(name) I(lapply(rows, function(row) row[[name]]))
  data.frame(
    name = field("name", ""), family = field("family", ""),
    smooth_loss = field("smooth_loss", NA), intercepts = list_field("intercepts"),
    strong_convexity = field("strong_convexity", NA), l1 = field("l1", NA),
    random = field("random", NA),
    paper = field("paper", ""), description = field("description", ""),
    options = list_field("options")
  )
}

# The row of a solver by name; an unknown name is the user's error.
find_solver <- function(name, family) {
  rows <- Filter(function(row) row$family == family, solver_rows())
  names(rows) <- vapply(rows, function(row) row$name, "")
  assert_choice(name, names(rows), "solver")
  rows[[name]]
}

# Can this solver do it? Evidence: ok, the argument that stands in the way, the reason and remedy.
check_solver <- function(row, loss, intercept, mixture) {
  no <- function(arg, why) list(ok = FALSE, arg = arg, why = why)
  kinds <- unlist(row$intercepts)
  if (row$smooth_loss && !loss$smooth) {
    return(no("loss", sprintf(paste(
      "needs a smooth loss and \"%s\" is not;",
      "use solver \"ssnal\" or \"auto\", or loss \"smooth_hinge\""
    ), loss$name)))
  }
  if (!intercept %in% kinds) {
    return(no("intercept", sprintf(
      "cannot fit intercept = \"%s\"; use intercept = \"%s\" or solver \"auto\"",
      intercept, kinds[1L]
    )))
  }
  if (row$strong_convexity && mixture >= 1) {
    return(no("mixture", paste0(
      "needs a strongly convex penalty and mixture = 1 is not; ",
      "use a mixture below 1 or solver \"auto\""
    )))
  }
  if (row$l1 && mixture <= 0) {
    return(no("mixture", paste0(
      "works on the zeros that an l1 penalty makes and mixture = 0 makes none; ",
      "use a mixture above 0 or solver \"newton\" or \"auto\""
    )))
  }
  list(ok = TRUE, arg = NULL, why = NULL)
}

assert_solver <- function(row, loss, intercept, mixture) {
  evidence <- check_solver(row, loss, intercept, mixture)
  if (!evidence$ok) {
    abort_input(sprintf("`solver` \"%s\" %s.", row$name, evidence$why), evidence$arg)
  }
}

# Defaults from the registry, replaced by what was given; complete and checked.
complete_options <- function(row, given) {
  options <- lapply(row$options, function(default) default[1L])
  for (name in names(given)) {
    assert_option_name(name, row)
    default <- row$options[[name]]
    if (is.logical(default)) {
      assert_flag(given[[name]], name)
    } else if (is.character(default)) {
      assert_choice(given[[name]], default, name)
    } else {
      bounds <- option_bounds[[name]]
      assert_number(given[[name]], name, bounds$lower, bounds$upper,
                    open = !bounds$whole, whole = bounds$whole,
                    remedy = sprintf("the default is %s", format(default)))
    }
    options[[name]] <- given[[name]]
  }
  options
}

assert_option_name <- function(name, row) {
  known <- names(row$options)
  if (!name %in% known) {
    guess <- nearest(name, known)
    abort_input(sprintf(
      "`solver_options` has \"%s\", which solver \"%s\" does not take%s. It takes %s.",
      name, row$name, if (is.null(guess)) "" else sprintf(" (did you mean \"%s\"?)", guess),
      quote_list(known)
    ), "solver_options")
  }
}
