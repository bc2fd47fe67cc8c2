# Results of margin_certain(), margin_tune() and margin_cv(outer = ) that may have been changed by hand
# or read from a file: as validate_fit.R for fits.

assert_certain <- function(certain, arg = "object") {
  if (!inherits(certain, "margin_certain")) {
    abort_input(sprintf("`%s` is %s, but must be what margin_certain(fit, data) returns.", arg,
                        show_value(certain)), arg)
  }
  fail <- damage_teller(certain, arg, "result of margin_certain()")
  if (!is.list(certain)) fail("it is no list")
  certain <- unclass(certain)
  fit <- certain$fit
  tryCatch(assert_fit(fit, "fit"), dualmargin_input_error = function(condition) {
    fail(conditionMessage(condition))
  })
  kernel <- inherits(fit, c("margin_kernel", "margin_oneclass"))
  k <- ncol(coef_matrix(fit))
  tell_first(list(
    problems = is.list(certain$problems) && length(certain$problems) == k &&
      all(vapply(certain$problems, if (kernel) is_known_function else is_known_point, NA,
                 q = length(fit$scales) + identical(fit$settings$intercept, "penalized"))),
    metrics = has_metrics(certain),
    level = is_number(certain$level) && certain$level > 0 && certain$level <= 1,
    centre = kernel || is_centre(certain$centre, fit),
    joint = class_model(fit)$known(certain),
    training = is.list(certain$training) &&
      all(vapply(unclass(certain$training)[c("lower", "upper")], function(ends) {
        is.numeric(ends) && NROW(ends) == NROW(fit$scores) && NCOL(ends) == k
      }, NA))
  ), fail)
  invisible()
}

is_known_function <- function(known, q) {
  is_function <- function(f) is.list(f) && is.numeric(f$coef) && length(f$values) == length(f$coef)
  is.list(known) && is.list(known$ball) && is_function(known$ball$centre) &&
    is_number(known$ball$radius) && is_function(known$rows_centre) && is_flag(known$free) &&
    is.numeric(known$offset) && length(known$offset) == 2L && is.numeric(known$scores) &&
    length(known$lost) == length(known$scores)
}

is_known_joint <- function(joint, problems) {
  is.list(joint) && is.list(joint$ball) && is_number(joint$ball$radius) &&
    identical(dim(joint$w), c(length(problems[[1L]]$w), length(problems))) &&
    identical(dim(joint$ball$centre), dim(joint$w)) && length(joint$b) == ncol(joint$w)
}

# A packed triangle for each number, or none at all.
has_metrics <- function(certain) {
  metrics <- certain$metrics
  is.null(metrics) || is.list(metrics) && all(vapply(numbered_metrics(certain), function(known) {
    q <- length(known$ellipsoid$size)
    place <- known$ellipsoid$metric
    is_number(place) && place %in% seq_along(metrics) && is.numeric(metrics[[place]]) &&
      length(metrics[[place]]) == q * (q + 1) / 2
  }, NA))
}

is_centre <- function(centre, fit) {
  is.numeric(centre) && length(centre) %in% c(0L, length(fit$scales))
}

# q: columns, with that of a penalised intercept.
is_known_point <- function(known, q) {
  if (!is.list(known) || !is.list(known$ball)) {
    return(FALSE)
  }
  is.numeric(known$ball$centre) && length(known$ball$centre) == q && is_number(known$ball$radius) &&
    is.numeric(known$w) && length(known$w) == q && is_flag(known$free) &&
    is.logical(known$zero) && length(known$zero) == q
}

assert_tune <- function(tune, arg) {
  opened <- opened_result(tune, arg, "margin_tune", "margin_tune()")
  fail <- opened$fail
  tune <- opened$parts
  two <- function(value) is_numbers(value) && length(value) == 2L
  numbers <- function(table, columns) {
    is_table(table, columns) && nrow(table) > 0L && has_places(table, columns)
  }
  tell_first(list(
    lambda = is_number(tune$lambda) && tune$lambda > 0,
    error = two(tune$error) && identical(names(tune$error), c("lower", "upper")),
    least = is_number(tune$least), proven = is_flag(tune$proven), among = two(tune$among),
    points = numbers(tune$points, c("lambda", "lower", "upper", "undecided")),
    bound = numbers(tune$bound, c("from", "to", "lower")),
    ended = is.null(tune$ended) || is_one_text(tune$ended), eps = is_number(tune$eps),
    range = two(tune$range), weighted = is_flag(tune$weighted), settings = is.list(tune$settings),
    levels = is_text(tune$levels), nobs = is_number(tune$nobs),
    folds = is.list(tune$folds) && length(tune$folds) > 0L &&
      all(vapply(tune$folds, function(fold) is.list(fold) && is.numeric(fold$test), NA)),
    fit = inherits(tune$fit, "margin_linear"), problem = is_search_problem(tune$problem),
    call = is.call(tune$call)
  ), fail)
  invisible()
}

assert_nested <- function(nested, arg = "object") {
  opened <- opened_result(nested, arg, "margin_nested", "margin_cv(outer = )")
  fail <- opened$fail
  nested <- opened$parts
  check_resampled(nested, c("setting", "inner_score"), fail)
  tell_first(list(
    "results$inner_score" = is.numeric(nested$results$inner_score),
    inner = is.list(nested$inner) && length(nested$inner) == nrow(nested$results),
    family = is_one_text(nested$family), rule = is_one_text(nested$rule)
  ), fail)
  for (cv in nested$inner) assert_cv(cv, "inner")
  invisible()
}
