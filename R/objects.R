# Results are valid by construction. What a verb meets may have been read from a file, and is asked
# for its class and the number of its format, no more; R and the border of the core ask what they read.

# Raised when methods can no longer read what was made before. A version of the package reads all
# formats from the oldest to its own.
object_format <- 1L
oldest_format <- 1L

# Of a result that is no fit the last class is one for all.
new_object <- function(parts, class) {
  if (!"margin_fit" %in% class) class <- c(class, "margin_result")
  parts$format <- object_format
  class(parts) <- class
  parts
}

# what: in words, what is asked for.
assert_object <- function(object, arg, class, what) {
  if (!inherits(object, class)) {
    abort_input(sprintf("`%s` is %s, but must be %s.", arg, show_value(object), what), arg)
  }
  format <- if (is.list(object)) unclass(object)[["format"]]
  known <- seq(oldest_format, object_format)
  if (!(is.numeric(format) && length(format) == 1L && format %in% known)) {
    abort_input(sprintf(paste(
      "`%s` is a damaged %s, or one of another version of this package: its `format` is %s, and this",
      "version reads %s; make it again."
    ), arg, class, show_value(format),
    paste(unique(range(known)), collapse = " to ")), arg)
  }
}

assert_fit <- function(fit, arg = "object") {
  assert_object(fit, arg, "margin_fit", "a fit, as of margin_linear()")
}
assert_path <- function(path, arg = "object") {
  assert_object(path, arg, "margin_path", "a result of margin_path()")
}
assert_certain <- function(certain, arg = "object") {
  assert_object(certain, arg, "margin_certain", "what margin_certain(fit, data) returns")
}
assert_tune <- function(tune, arg = "object") {
  assert_object(tune, arg, "margin_tune", "a result of margin_cv(prove = TRUE)")
}
assert_nested <- function(nested, arg = "object") {
  assert_object(nested, arg, "margin_nested", "a result of margin_cv(outer = )")
}
assert_cv <- function(cv, arg = "object") {
  assert_object(cv, arg, "margin_cv", "a result of margin_cv()")
}
assert_bootstrap <- function(object, arg = "object") {
  assert_object(object, arg, "margin_bootstrap", "a result of margin_bootstrap()")
}
assert_conformal <- function(object, arg = "object") {
  assert_object(object, arg, "margin_conformal", "what margin_conformal() returns")
}
assert_model_comparison <- function(object, arg = "object") {
  assert_object(object, arg, "model_comparison", "a result of margin_compare()")
}
assert_solver_comparison <- function(object, arg = "object") {
  assert_object(object, arg, "margin_comparison", "a result of compare_solvers()")
}

is_one_text <- function(value) is.character(value) && length(value) == 1L && !is.na(value)
