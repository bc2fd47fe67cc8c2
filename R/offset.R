# A number that is added to the decision value of each row and that no coefficient moves: given with
# the rows, and with new rows that are to be predicted.

# One finite number a row, as a plain vector.
checked_offset <- function(offset, n, arg = "offset", missing_too = FALSE) {
  rows <- if (arg == "offset") "the data have" else "`newdata` has"
  plain <- is.numeric(offset) && !is.object(offset) || (missing_too && is_missing(offset))
  if (!plain || NCOL(offset) != 1L) {
    abort_input(sprintf("`%s` is %s, but must be a numeric vector, one number a row%s.", arg,
                        show_value(offset), integer64_remedy(offset)), arg)
  }
  offset <- as.double(offset)
  if (length(offset) != n) {
    abort_input(sprintf("`%s` has length %d, but %s %s; give one number a row.", arg,
                        length(offset), rows, count(n, "row")), arg)
  }
  known <- if (missing_too) offset[!is.na(offset)] else offset
  found <- scan_entries(known)
  if (!is.null(found$bad)) {
    abort_input(sprintf("`%s` has %s at position %d; replace it by a finite number, or %s.", arg,
                        format(found$bad$value), found$bad$row, "remove the row"), arg)
  }
  if (!is.null(found$beyond)) {
    abort_input(sprintf("`%s` has %s, whose square is beyond double precision; rescale it.", arg,
                        format(found$beyond$value, digits = 4)), arg)
  }
  offset
}

is_missing <- function(values) is.atomic(values) && all(is.na(values))

# The sum of the offset() terms of a model frame; NULL where there is none.
formula_offset <- function(frame, missing_too = FALSE) {
  at <- attr(attr(frame, "terms"), "offset")
  if (is.null(at)) {
    return(NULL)
  }
  for (name in names(frame)[at]) {
    value <- frame[[name]]
    if (!is.numeric(value) && !(missing_too && is_missing(value)) || NCOL(value) != 1L) {
      abort_input(sprintf("`formula` has %s of class %s, but must have one number a row there.",
                          name, class(value)[1L]), "formula")
    }
  }
  total <- Reduce(`+`, lapply(frame[at], as.double))
  checked_offset(total, nrow(frame), missing_too = missing_too)
}

# It would have to be looked up in the data, and again in those that are predicted.
refuse_formula_offset <- function() {
  abort_input("`offset` is given beside a formula; write it there, as in y ~ x + offset(o).",
              "offset")
}

assert_takes_offset <- function(offset, takes, caller, of_formula) {
  if (!is.null(offset) && !isTRUE(takes)) {
    abort_input(sprintf(paste(
      "%s, which %s does not have; remove it, subtract it from the response of a regression, or",
      "use margin_linear(), margin_path() or margin_cv()."
    ), if (of_formula) "`formula` has an offset()" else "`offset` is given", caller),
    if (of_formula) "formula" else "offset")
  }
}

# What is the same for each class moves none against another, and ranks do not say who has one.
assert_offset_possible <- function(problem) {
  if (is.null(problem$design$offset)) {
    return(invisible())
  }
  arg <- if (identical(problem$design$interface, "formula")) "formula" else "offset"
  assert_offset_of_two(problem$response$levels, arg)
  if (!is.null(meeting_of(problem$settings))) {
    abort_input(paste(
      "`offset` is given, but rows on several ranks have none yet; subtract it from the response",
      "of a regression, or leave `ranks` out."
    ), "offset")
  }
}

assert_offset_of_two <- function(levels, arg) {
  if (length(levels) > 2L) {
    abort_input(sprintf(paste(
      "`%s` has an offset, one number a row, but %d classes would need one for each class; remove",
      "it, or fit two classes."
    ), arg, length(levels)), arg)
  }
}

# A loss of z - y has its offset taken from the response; one of labels has it in the core.
response_less_offset <- function(response, offset, loss) {
  if (!is.null(offset) && takes_numbers(loss)) response$codes <- response$codes - offset
  response
}
core_offset <- function(problem) {
  if (!takes_numbers(problem$settings$loss)) problem$design$offset
}

has_offset <- function(model) !is.null(model$offset)

# Decision values of the rows of a design, which are those of w and b, with their offset. newoffset:
# as given to predict(). A path has a column for each point.
add_offset <- function(scores, model, design, newoffset = NULL) {
  offset <- offset_of_rows(model, design, newoffset)
  if (is.null(offset)) scores else scores + offset
}

offset_of_rows <- function(model, design, newoffset) {
  if (!has_offset(model)) {
    if (!is.null(newoffset)) {
      abort_input("`newoffset` is given, but the model was fitted without an offset; leave it out.",
                  "newoffset")
    }
    return(NULL)
  }
  if (!is.null(design$offset)) {
    if (!is.null(newoffset)) {
      abort_input(paste(
        "`newoffset` is given, but the formula of the model has its offset() in `newdata`; leave",
        "`newoffset` out."
      ), "newoffset")
    }
    return(design$offset)
  }
  if (is.null(newoffset)) {
    abort_input(paste(
      "`newoffset` is missing: the model was fitted with an offset, and new rows need theirs. Give",
      "`newoffset`, one number a row, or fit by a formula with offset(), which is found in",
      "`newdata`."
    ), "newoffset")
  }
  checked_offset(newoffset, nrow(design$x), "newoffset", missing_too = TRUE)
}

# What asks of the optimum of other problems than the one that was fitted.
refuse_offset <- function(model, caller, arg = "fit") {
  if (has_offset(model)) {
    abort_input(sprintf(paste(
      "`%s` has an offset, for which %s is not derived yet; of a regression subtract it from the",
      "response and fit without, of two classes leave it out."
    ), arg, caller), arg)
  }
}
