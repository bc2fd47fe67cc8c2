# The parts of a fit that only some have, and paths: see validate_fit.R.

# The rows that an expansion is made of.
check_support_of <- function(fit, size, fail) {
  support <- fit$support
  if (!is_null_or(fit$bytes, is_number)) fail("its `bytes` are no number")
  whole <- function(value, top) {
    is.numeric(value) && length(value) == size && !anyNA(value) && all(value >= 1 & value <= top)
  }
  if (!whole(support$at, Inf)) fail("its `support` is missing or wrong")
  if (fit$settings$kernel$name == "precomputed") {
    if (size > 0L && max(support$at) > length(fit$features)) {
      fail("its `support$at` is out of range")
    }
    return(invisible())
  }
  x <- support$x
  matrix <- (is.matrix(x) && (is.numeric(x) || is.logical(x))) || isS4(x)
  if (!matrix) fail("its `support$x` is missing or no matrix")
  tryCatch(assert_matrix(x, "support$x"), dualmargin_input_error = function(condition) {
    fail(conditionMessage(condition))
  })
  if (!is.null(scan_entries(x)$bad)) fail("its `support$x` holds what is no finite number")
  if (ncol(x) != length(fit$features)) fail("its `support$x` has other columns than features")
  tell_first(list(
    first = whole(support$first, nrow(x)), second = whole(support$second, nrow(x)),
    share = is_numbers(support$share) && length(support$share) == size &&
      all(support$share >= 0 & support$share <= 1)
  ), fail, "support$")
  weights <- fit$settings$kernel$weights
  if (!is.null(weights) && ncol(weights$W) != ncol(x)) {
    fail("its `settings$kernel` has weights for another number of columns")
  }
}

check_calibration_of <- function(fit, fail) {
  made <- fit$calibration
  if (!is.list(made)) fail("its `calibration` is no list")
  several <- length(fit$levels) > 2L
  platt <- identical(made$method, "platt")
  is_map <- function(map) {
    is.list(map) && is_flag(map$flat) && (if (platt) {
      is_number(map$slope) && is_number(map$intercept)
    } else {
      is_numbers(map$score) && is_numbers(map$prob) && length(map$score) == length(map$prob) &&
        length(map$score) > 0L
    })
  }
  held_out <- made$held_out
  size <- if (is.list(held_out)) length(held_out$row) else 0L
  tell_first(list(
    method = is_one_text(made$method) && made$method %in% c("platt", "isotonic"),
    maps = is.list(made$maps) && length(made$maps) == (if (several) length(fit$levels) else 1L) &&
      all(vapply(made$maps, is_map, NA)),
    folds = is_table(made$folds, c("repetition", "fold", "relative_gap", "certified")),
    held_out = size > 0L && all(vapply(
      c("at", "repetition", "fold", "weight", "score", "prob"),
      function(name) is.numeric(held_out[[name]]) && NROW(held_out[[name]]) == size, NA
    )),
    differing = is.numeric(made$differing) && !anyNA(made$differing) &&
      all(made$differing >= 1 & made$differing <= size)
  ), fail, "calibration$")
}

# ---- Paths ----

assert_path <- function(path, arg = "object") {
  fail <- damage_teller(path, arg, "path")
  family <- sub("^margin_path_", "margin_", class(path)[1L])
  if (!family %in% paste0("margin_", names(path_families()))) fail("its class is of no family")
  if (!is.list(path)) fail("it is no list")
  path <- unclass(path)
  check_columns_of(path, fail)
  along <- path$coordinates
  size <- if (is_text(along)) length(path[[along[1L]]]) else 0L
  if (size == 0L || !all(vapply(along, function(name) {
    is_numbers(path[[name]]) && length(path[[name]]) == size
  }, NA))) fail("its points are missing or wrong")
  s <- path$settings
  if (!is.list(s)) fail("its `settings` are no list")
  check_unit_of(path, fail)
  tell_first(list(
    intercept = is_one_text(s$intercept) && s$intercept %in% intercept_kinds,
    scale = is_flag(s$scale), center = is_null_or(s$center, is_flag),
    control = inherits(s$control, "margin_control"),
    tol = is_number(s$tol), mixture = is_null_or(s$mixture, is_number)
  ), fail, "settings$")
  of_family <- families()[[sub("margin_", "", family)]]$sound(s)
  tell_first(of_family[setdiff(names(of_family), along)], fail, "settings$")
  expands <- family %in% c("margin_kernel", "margin_oneclass")
  check_centre_of(path, fail)
  tryCatch({
    if (has_loss(sub("margin_", "", family))) as_loss(s$loss)
    if (expands) as_kernel(s$kernel)
  }, dualmargin_input_error = function(condition) fail(conditionMessage(condition)))
  if (expands && !is.list(path$support)) fail("its `support` is missing or wrong")
  rows <- (if (expands) length(path$support$at) else length(path$features)) +
    has_constant(s)
  several <- length(path$levels) > 2L
  all <- if (several) path$coefficients else list(path$coefficients)
  is_coefficients <- function(one) {
    (is.matrix(one) && is_numbers(one) || isS4(one) && error_free(assert_matrix(one, arg))) &&
      identical(dim(one), c(rows, size))
  }
  if (several && !identical(names(all), path$levels) || !all(vapply(all, is_coefficients, NA))) {
    fail("its `coefficients` are missing or wrong")
  }
  if (expands) check_support_of(path, rows - has_constant(s), fail)
  numbers <- c("value", "bound", "gap", "relative_gap", "tol", "certified")
  worked <- c("status", "rounding_floor", "solver", "epochs", "steps", "seconds")
  tell_first(list(
    certificate = is_table(path$certificate, c("kind", "class", along, numbers)) &&
      nrow(path$certificate) == size && !anyNA(path$certificate[numbers]),
    status = is_table(path$status, c(along, "class", worked)) && nrow(path$status) == size &&
      has_places(path$status, c("epochs", "steps", "seconds")),
    by_class = is_table(path$by_class, c("class", along, numbers, worked)),
    df = is_numbers(path$df) && length(path$df) == size, nobs = is_number(path$nobs),
    boundary = family != "margin_oneclass" ||
      is_numbers(path$boundary) && length(path$boundary) == size,
    nrow = is_number(path$nrow), offset = is_null_or(path$offset, is_flag),
    fingerprint = is_fingerprint(path$fingerprint)
  ), fail)
  invisible()
}

error_free <- function(expression) {
  tryCatch({
    expression
    TRUE
  }, dualmargin_input_error = function(condition) FALSE)
}
