# Factors of the penalty, one a column: lambda f_j [(1 - mixture)/2 w_j^2 + mixture |w_j|]. Of a
# pure ridge that is the ridge on columns divided by sqrt(f_j), of a pure lasso the lasso on columns
# divided by f_j: a factor of the scale, which the core divides by as it does by that of the column.
# Of a penalty with both parts it is the ridge on columns divided by sqrt(f_j), beside an l1 norm
# with factors sqrt(f_j): a column term of the core (src/loss/elastic_net.h), as bounds are. So is a
# factor of 0 (free_columns.R), which leaves the scale of its column alone.

assert_penalty_factor <- function(factor) {
  if (is.null(factor)) {
    return(invisible())
  }
  if (!is.numeric(factor) || is.object(factor) || length(factor) == 0L || NCOL(factor) != 1L) {
    abort_input(sprintf(
      "`penalty_factor` is %s, but must be a numeric vector, one number a column, 0 or more.",
      show_value(factor)
    ), "penalty_factor")
  }
  bad <- which(!is.finite(factor) | factor < 0)
  if (length(bad) > 0L) {
    abort_input(sprintf(paste(
      "`penalty_factor` has %s at position %d, but must be finite, and 0 (no penalty) or more; a",
      "column that is not wanted is left out."
    ), format(factor[bad[1L]], digits = 4), bad[1L]), "penalty_factor")
  }
  free <- sum(factor == 0)
  if (free > most_free_columns) {
    abort_input(sprintf(paste(
      "`penalty_factor` is 0 for %s, and at most %d may be without a penalty; give the others a",
      "small factor, such as 1e-6."
    ), count(free, "column"), most_free_columns), "penalty_factor")
  }
  assert_size_of(factor[factor > 0], "penalty_factor", "divide all by one of them")
}

# In the order of the columns, by name where they have names.
matched_columns <- function(values, features, arg) {
  if (!is.null(names(values))) {
    assert_column_names(names(values), features, arg)
    values <- values[match(features, names(values))]
  }
  if (length(values) != length(features)) {
    abort_input(sprintf("`%s` has length %d, but %s; give one a column.", arg,
                        length(values), there_are(length(features), "column")), arg)
  }
  stats::setNames(as.double(values), features)
}

assert_column_names <- function(names, features, arg) {
  unknown <- setdiff(names, features)
  if (length(unknown) > 0L) {
    guess <- nearest(unknown[1L], features)
    abort_input(sprintf("`%s` names %s, which %s no column%s; the columns are %s.", arg,
                        quote_list(unknown), if (length(unknown) == 1L) "is" else "are",
                        if (is.null(guess)) "" else sprintf(" (did you mean \"%s\"?)", guess),
                        quote_list(features)), arg)
  }
  missing <- setdiff(features, names)
  if (length(missing) > 0L) {
    abort_input(sprintf(
      "`%s` has names, and %s %s not among them; name all columns (%s), or none.", arg,
      quote_list(missing), if (length(missing) == 1L) "is" else "are",
      switch(arg, lower = "-Inf is no bound", upper = "Inf is no bound", "1 changes nothing")
    ), arg)
  }
  if (anyDuplicated(names)) {
    abort_input(sprintf("`%s` names \"%s\" twice; name each column once.", arg,
                        names[anyDuplicated(names)]), arg)
  }
}

matched_factor <- function(factor, features) {
  if (!is.null(factor)) matched_columns(factor, features, "penalty_factor")
}

# What the scale of each column is multiplied by, in the core; NULL: by 1.
column_factor <- function(factor, mixture) {
  if (all(factor %in% 0:1)) {
    return(NULL)
  }
  factor[factor == 0] <- 1
  unname(if (all(mixture == 1)) factor else sqrt(factor))
}
# What l1 is multiplied by then; 0: no penalty of any kind.
l1_factor <- function(factor, mixture) {
  both <- !all(mixture == 0) && !all(mixture == 1)
  own <- if (both) column_factor(factor, mixture)
  if (any(factor == 0)) {
    own <- replace(if (is.null(own)) rep(1, length(factor)) else own, unname(factor) == 0, 0)
  }
  own
}

# The scales of columns of a fit or a path, without the factors that go with them in the core.
column_scales <- function(model) {
  factor <- column_factor(model$settings$penalty_factor, mixture_of(model))
  if (is.null(factor)) model$scales else model$scales / factor
}
mixture_of <- function(model) {
  if (is.null(model$settings$mixture)) model$mixture else model$settings$mixture
}

# ---- Bounds ----

assert_bounds <- function(lower, upper) {
  for (arg in c("lower", "upper")) {
    bound <- if (arg == "lower") lower else upper
    if (is.null(bound)) next
    if (!is.numeric(bound) || is.object(bound) || length(bound) == 0L || NCOL(bound) != 1L ||
          anyNA(bound)) {
      abort_input(sprintf(paste(
        "`%s` is %s, but must be one number, or one a column, of which %s is no bound."
      ), arg, show_value(bound), if (arg == "lower") "-Inf" else "Inf"), arg)
    }
    bad <- which(if (arg == "lower") bound > 0 else bound < 0)
    if (length(bad) > 0L) {
      abort_input(sprintf(
        "`%s` has %s at position %d, but 0 must be within bounds: `lower` <= 0 and `upper` >= 0.",
        arg, format(bound[bad[1L]], digits = 4), bad[1L]
      ), arg)
    }
    sized <- bound[is.finite(bound) & bound != 0]
    if (length(sized) > 0L) assert_size_of(abs(sized), arg)
  }
}

# One for each column; NULL where no column has one.
matched_bounds <- function(settings, features) {
  for (arg in c("lower", "upper")) {
    bound <- settings[[arg]]
    if (is.null(bound)) next
    if (length(bound) == 1L && is.null(names(bound))) bound <- rep(bound, length(features))
    settings[arg] <- list(matched_columns(bound, features, arg))
  }
  if (all(is.infinite(c(settings$lower, settings$upper)))) {
    settings[c("lower", "upper")] <- list(NULL)
  }
  settings
}
has_bounds <- function(settings) !is.null(settings$lower) || !is.null(settings$upper)

# In the units of the problem: the core multiplies them by the scales of the columns.
bounds_for_core <- function(settings, unit) {
  if (!has_bounds(settings)) {
    return(list(lower = NULL, upper = NULL))
  }
  p <- max(length(settings$lower), length(settings$upper))
  one <- function(bound, none) if (is.null(bound)) rep(none, p) else unname(bound) / unit
  list(lower = one(settings$lower, -Inf), upper = one(settings$upper, Inf))
}

# A product with a scale and the division by it may leave the last digit beyond a bound.
within_bounds <- function(result, settings) {
  if (!has_bounds(settings)) {
    return(result)
  }
  inside <- function(point) {
    at <- if (is.null(point$place)) seq_along(point$coefficients) else point$place
    for (arg in c("lower", "upper")) {
      bound <- settings[[arg]]
      cut <- if (arg == "lower") pmax else pmin
      if (!is.null(bound)) point$coefficients <- cut(point$coefficients, unname(bound)[at])
    }
    point
  }
  result$solutions <- lapply(result$solutions, function(points) lapply(points, inside))
  result
}

# ---- Columns with terms of their own ----

# As in src/border/dispatch_linear.h.
column_solvers <- function(bounded, free = FALSE) {
  if (free) {
    return(c("auto", "newton", "fista"))
  }
  if (bounded) {
    return(c("auto", "newton", "ssnal", "fista", "lasso", "interior_point", "dual_cd", "sdca"))
  }
  linear <- Filter(function(row) row$family == "linear", solver_list)
  setdiff(vapply(linear, `[[`, "", "name"),
          c("spdc", "spd1", "spd1_vr", "svrg", "saga", "katyusha"))
}

# The argument that gives columns terms that few methods know; NULL: none does.
column_terms <- function(settings, mixture) {
  if (has_bounds(settings)) {
    return(if (is.null(settings$lower)) "upper" else "lower")
  }
  if (!is.null(l1_factor(settings$penalty_factor, mixture))) "penalty_factor"
}

assert_column_terms <- function(problem, mixture) {
  settings <- problem$settings
  arg <- column_terms(settings, mixture)
  if (is.null(arg)) {
    return(invisible())
  }
  free <- has_free_columns(settings)
  what <- if (free) "`penalty_factor` with a 0" else if (arg == "penalty_factor")
    "`penalty_factor` with a mixture between 0 and 1" else sprintf("`%s`", arg)
  no <- function(why) {
    abort_input(sprintf("%s is given, but %s.", what, why), if (free) "penalty_factor" else arg)
  }
  if (!is.null(problem$multiclass)) {
    no(paste("one problem of all classes has no such columns; use multiclass = \"one_vs_rest\""))
  }
  bounded <- has_bounds(settings)
  if (free) assert_free_possible(settings, bounded, no)
  if (bounded && (is_rows(problem$design$x) || !is.null(meeting_of(settings)))) {
    no(paste("rows in a file or on several ranks have no bounds yet; fit rows in memory, or leave",
             "it out"))
  }
  able <- column_solvers(bounded, free)
  if (!settings$solver$name %in% able) {
    no(sprintf("solver \"%s\" does not know it; use one of %s", settings$solver$name,
               quote_list(able)))
  }
}

# What asks of the optimum of other problems than the one that was fitted.
refuse_column_terms <- function(model, caller, arg = "fit") {
  given <- column_terms(model$settings, mixture_of(model))
  if (!is.null(given)) {
    abort_input(sprintf(
      "`%s` was fitted with %s`%s`, for which %s is not derived yet; fit %s.", arg,
      if (has_free_columns(model$settings)) "a 0 in " else "", given, caller,
      if (has_free_columns(model$settings)) "with positive factors, such as 1e-6" else "without"
    ), arg)
  }
}
