# Can a solver do what is asked of it? Every "no" names the remedy.

# Can this solver do it? Evidence: ok, the argument that stands in the way, the reason and remedy.
check_solver <- function(row, loss, intercept, mixture) {
  no <- function(arg, why) list(ok = FALSE, arg = arg, why = why)
  kinds <- unlist(row$intercepts)
  any_loss <- c(linear = "ssnal", kernel = "block_sdca")[row$family]
  or_auto <- if (row$name == "auto") "" else " or solver \"auto\""
  losses <- unlist(row$losses)
  if (!loss$name %in% losses) {
    return(no("loss", sprintf(
      "takes loss %s only and not \"%s\"; use solver \"auto\"%s", quote_list(losses), loss$name,
      sprintf(" or \"%s\"", if (loss$smooth) "newton" else any_loss)
    )))
  }
  if (row$smooth_loss && !loss$smooth) {
    other <- if (is.na(any_loss)) "" else sprintf("solver \"%s\" or \"auto\", or ", any_loss)
    return(no("loss", sprintf(
      "needs a smooth loss and \"%s\" is not; use %sloss \"%s\"", loss$name, other,
      if (loss$task == "regression") "huber" else "smooth_hinge"
    )))
  }
  if (!intercept %in% kinds) {
    return(no("intercept", sprintf(
      "cannot fit intercept = \"%s\"; use intercept = \"%s\"%s", intercept, kinds[1L], or_auto
    )))
  }
  if (row$strong_convexity && mixture >= 1) {
    return(no("mixture", paste0(
      "needs a strongly convex penalty and mixture = 1 is not; use a mixture below 1", or_auto
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

# Known only with the response: the mixup paper's methods take a label apart into two classes.
assert_classes <- function(solver, response) {
  if (response$task == "regression" && startsWith(solver$name, "mixup_")) {
    abort_input(sprintf(paste(
      "`solver` \"%s\" is for labels in [-1, 1] and not for the numeric response of a regression;",
      "use solver \"block_sdca\" or \"auto\", or give factor(y) or soft_labels()."
    ), solver$name), "solver")
  }
}

# Known only with the data: a matrix of columns x columns must fit into memory, or one of rows x
# rows, which does where the norm or the ridge holds the weights (src/robust/cost_model.h).
assert_columns <- function(settings, n, p) {
  row <- settings$solver
  by_rows <- row$family == "robust" && row$name == "interior_point" &&
    (is.null(settings$radius) || settings$radius > 0 || settings$ridge > 0) # the rule is above 0
  if (p > row$max_columns && !(by_rows && n <= row$max_columns)) {
    other <- c(linear = "ssnal", robust = "pdhg")[[row$family]]
    abort_input(sprintf(paste(
      "`solver` \"%s\" keeps a matrix of columns x columns and takes at most %d columns%s;",
      "`x` has %d%s. Use solver = \"%s\" or \"auto\"."
    ), row$name, as.integer(row$max_columns), if (by_rows) " or rows" else "", p,
    if (by_rows) sprintf(" and %d", n) else "", other), "solver")
  }
}

# Known only with the data: a proximal step is one in every column, the zeros of a row included.
assert_dense_l1 <- function(row, mixture, x) {
  if (row$dense_l1 && mixture > 0 && isS4(x)) {
    abort_input(sprintf(paste(
      "`solver` \"%s\" moves every weight at every row where mixture is above 0, which a sparse",
      "`x` is too large for; use solver \"smiso\", mixture = 0, or a dense `x` (as.matrix())."
    ), row$name), "solver")
  }
}
