# Argument errors: the one home of their wording. check_*() returns evidence, assert_*() speaks.
# Checks of x, y and weights are in validate_data.R.

# Every user error of the package is raised here.
abort_input <- function(message, arg) {
  stop(structure(
    class = c("dualmargin_input_error", "dualmargin_error", "error", "condition"),
    list(message = readable(message), call = NULL, arg = arg)
  ))
}

# Text in which bytes that are none in their encoding stand as <ff>, for messages and for what R
# does with text alone, as tolower().
readable <- function(text) {
  broken <- !is_readable(text)
  bytes <- text[broken]
  Encoding(bytes) <- "unknown"
  text[broken] <- iconv(bytes, "UTF-8", "UTF-8", sub = "byte")
  text
}
is_readable <- function(text) validEnc(text) & Encoding(text) != "bytes"

# What is done for the user unasked is said so, in a message that can be muffled by its class.
inform <- function(text) {
  message(structure(
    class = c("dualmargin_message", "message", "condition"),
    list(message = paste0(text, "\n"), call = NULL)
  ))
}

# A value in a few words, for messages.
show_value <- function(value) {
  if (is.null(value)) {
    return("NULL")
  }
  if (is.data.frame(value)) {
    return("a data frame")
  }
  if (is.object(value)) {
    return(sprintf("an object of class %s", class(value)[1L]))
  }
  if (!is.atomic(value) || !is.null(dim(value))) {
    name <- class(value)[1L]
    return(sprintf(if (grepl("^[aeiou]", name)) "an %s" else "a %s", name))
  }
  if (length(value) == 1L) show_scalar(value) else
    sprintf("a %s vector of length %d", mode(value), length(value))
}

show_scalar <- function(value) {
  if (is.character(value) && !is.na(value)) sprintf("\"%s\"", readable(value)) else
    format(value, digits = 4)
}

# c("a", "b") -> "\"a\", \"b\"", cut after `most` entries.
quote_list <- function(values, most = 12L) {
  shown <- sprintf("\"%s\"", readable(as.character(utils::head(values, most))))
  paste(c(shown, if (length(values) > most) "..."), collapse = ", ")
}

# The choice nearest in spelling, or NULL when none is near enough to be what was meant.
nearest <- function(value, choices) {
  if (length(choices) == 0L) {
    return(NULL)
  }
  value <- readable(value)
  distance <- drop(utils::adist(value, readable(choices), ignore.case = TRUE))
  # letters that changed places are one slip
  letters_of <- function(words) {
    vapply(strsplit(tolower(readable(words)), ""),
           function(word) paste(sort(word), collapse = ""), "")
  }
  distance[letters_of(choices) == letters_of(value) & distance > 0] <- 1
  # as many letters wrong as right is another word
  if (min(distance) > max(1, min(2, nchar(value) / 3))) {
    return(NULL)
  }
  choices[which.min(distance)]
}

# Is value one number in the interval? Ends are excluded when open.
check_number <- function(value, lower = -Inf, upper = Inf, open = TRUE, whole = FALSE,
                         infinite = FALSE) {
  one <- is.numeric(value) && length(value) == 1L && !is.na(value)
  # is.numeric() is TRUE of both, which are integers below
  if (!one || inherits(value, c("integer64", "connection"))) {
    return(list(ok = FALSE))
  }
  inside <- if (open) value > lower && value < upper else value >= lower && value <= upper
  inside <- inside || (infinite && value == Inf)
  list(ok = inside && (infinite || is.finite(value)) &&
         (!whole || is.infinite(value) || value == round(value)))
}

assert_number <- function(value, arg, lower = -Inf, upper = Inf, open = TRUE, whole = FALSE,
                          infinite = FALSE, remedy = NULL) {
  if (check_number(value, lower, upper, open, whole, infinite)$ok) {
    return(invisible(value))
  }
  range <- if (is.finite(lower) && is.finite(upper)) {
    sprintf(if (open) " strictly between %s and %s" else " from %s to %s",
            format(lower), format(upper))
  } else if (is.finite(lower)) {
    sprintf(if (open) " above %s" else " not below %s", format(lower))
  } else {
    ""
  }
  abort_input(sprintf(
    "`%s` is %s, but must be one %s%s%s.", arg, show_value(value),
    if (whole) "whole number" else if (infinite) "number" else "finite number", range,
    if (is.null(remedy)) "" else paste0("; ", remedy)
  ), arg)
}

assert_flag <- function(value, arg) {
  if (!is.logical(value) || length(value) != 1L || is.na(value)) {
    abort_input(sprintf("`%s` is %s, but must be TRUE or FALSE.", arg, show_value(value)), arg)
  }
  invisible(value)
}

# One of several names; the nearest is suggested. Exact case is required. theirs: by names of other
# packages, ours or what to write instead.
assert_choice <- function(value, choices, arg, theirs = character()) {
  if (!is.character(value) || length(value) != 1L || is.na(value)) {
    abort_input(sprintf("`%s` is %s, but must be one of the names %s.",
                        arg, show_value(value), quote_list(choices, length(choices))), arg)
  }
  if (!value %in% choices) {
    meant <- theirs[match(tolower(readable(value)), tolower(names(theirs)))]
    if (length(meant) == 0L || is.na(meant)) meant <- nearest(value, choices)
    abort_input(sprintf(
      "`%s` is \"%s\", which is not known%s. The choices are %s.", arg, readable(value),
      if (is.null(meant)) "" else if (meant %in% choices)
        sprintf(" (did you mean \"%s\"?)", meant) else paste0("; ", meant),
      quote_list(choices, length(choices))
    ), arg)
  }
  invisible(value)
}

# The name of a file. R takes paths of up to 4,095 bytes, a name for a draft among them.
assert_file_name <- function(path, arg) {
  if (!is_one_text(path) || !nzchar(path)) {
    abort_input(sprintf("`%s` is %s, but must be the name of one file.", arg, show_value(path)),
                arg)
  }
  if (!is_readable(path)) {
    abort_input(sprintf("`%s` is \"%s\", whose bytes are no text; give a name of characters.", arg,
                        readable(path)), arg)
  }
  if (nchar(path, "bytes") > 4000L) {
    abort_input(sprintf("`%s` has %d bytes, but a path has 4000 at most; give a shorter one.", arg,
                        nchar(path, "bytes")), arg)
  }
}

# The words for an argument in `...` that no function takes.
argument_remedy <- function(name, valid, elsewhere) {
  if (name %in% names(formals(margin_control))) {
    return(sprintf("give it as control = margin_control(%s = )", name))
  }
  if (name %in% elsewhere) {
    return("only the formula method takes it, and its formula comes first")
  }
  hint <- peer_hint(name, valid)
  if (!is.null(hint)) {
    return(hint)
  }
  guess <- nearest(name, valid)
  if (length(guess) == 1L) {
    return(sprintf("did you mean `%s`?", guess))
  }
  paste("the arguments are", paste0("`", valid, "`", collapse = ", "))
}

# A swallowed argument is a wrong result, so whatever lands in `...` is an error.
assert_known_arguments <- function(given, valid, elsewhere = character(),
                                   caller = "margin_linear()") {
  unknown <- setdiff(given, c(valid, ""))
  if (length(unknown) > 0L) {
    name <- unknown[1L]
    abort_input(sprintf("`%s` is not an argument of %s; %s", name, caller,
                        argument_remedy(name, valid, elsewhere)), name)
  }
}

# valid: what the method for a matrix takes; elsewhere: what only that for a formula does, NULL in a
# call of this.
assert_nothing_left <- function(dots, valid, elsewhere, caller = "margin_linear()") {
  if (length(dots) == 0L) {
    return(invisible())
  }
  if (is.null(elsewhere)) {
    valid <- c("formula", "data", setdiff(valid, c("x", "y", "offset")), formula_arguments[-1L])
  }
  assert_known_arguments(names(dots), setdiff(valid, "..."), elsewhere, caller)
  abort_input(sprintf("`...` holds %s without a name; give every argument its name.",
                      show_value(dots[[1L]])), "...")
}

# A fit is of one penalty; a path is of many.
assert_single <- function(value, arg) {
  if (is.numeric(value) && length(value) > 1L) {
    abort_input(sprintf("`%s` has %d values, but a fit has one; margin_path(lambda = ) takes many.",
                        arg, length(value)), arg)
  }
}

# lambda > 0, or cost > 0, or neither.
assert_penalty <- function(lambda, cost, mixture) {
  if (!is.null(lambda) && !is.null(cost)) {
    abort_input(sprintf(
      "`lambda` is %s and `cost` is %s, but both say the same (lambda = 1/(W cost)); give one.",
      show_value(lambda), show_value(cost)
    ), "lambda")
  }
  for (name in c("lambda", "cost")) assert_single(get(name), name)
  if (!is.null(lambda)) {
    assert_number(lambda, "lambda", lower = 0, remedy = "NULL means 1 / (sum of weights)")
  }
  if (!is.null(cost)) {
    assert_number(cost, "cost", lower = 0, remedy = "cost = 1 is lambda = 1 / (sum of weights)")
  }
  assert_size_of(lambda, "lambda")
  assert_size_of(cost, "cost")
  assert_number(mixture, "mixture", lower = 0, upper = 1, open = FALSE,
                remedy = "0 is ridge, 1 is lasso")
}

# Numbers that make a path, each once. inside: a function of the vector; what: the words for it.
assert_values <- function(values, arg, inside, what) {
  if (!is.numeric(values) || is.object(values) || length(values) == 0L) {
    abort_input(sprintf("`%s` is %s, but must be %s.", arg, show_value(values), what), arg)
  }
  bad <- which(!is.finite(values) | !inside(values))
  if (length(bad) > 0L) {
    abort_input(sprintf("`%s` has %s at position %d, but must hold %s.", arg,
                        format(values[bad[1L]], digits = 4), bad[1L], what), arg)
  }
  twice <- anyDuplicated(as.double(values))
  if (twice > 0L) {
    abort_input(sprintf("`%s` has %s twice; give each value once.", arg,
                        format(values[twice], digits = 4)), arg)
  }
}

# A function that can be called with as many arguments as it will be.
assert_takes <- function(fun, arg, takes) {
  known <- names(formals(args(fun)))
  if (length(known) < length(takes) && !"..." %in% known) {
    abort_input(sprintf("`%s` takes %s, but is called with %d: (%s).", arg,
                        count(length(known), "argument"), length(takes),
                        paste(takes, collapse = ", ")), arg)
  }
}

# Numbers that are finite, and yet so large or small that their squares or inverses are not; and
# counts that ask for more than a result can hold. Each is told before any work.

# Squares, and products of two such numbers with any count, stay far inside of double precision.
smallest_size <- 1e-100
largest_size <- 1e100

# Position of the first number out of that range, 0 where there is none. Zero has no size, and
# infinity is judged elsewhere.
check_size <- function(values) {
  if (!is.numeric(values)) {
    return(0L)
  }
  size <- abs(as.vector(values))
  bad <- is.finite(size) & size != 0 & (size < smallest_size | size > largest_size)
  if (any(bad)) which(bad)[1L] else 0L
}

# Numbers that were found to be finite and of the right sign, or NULL.
assert_size_of <- function(values, arg, remedy = "rescale the columns of `x`") {
  at <- check_size(values)
  if (at > 0L) {
    abort_input(sprintf(paste(
      "`%s` is %s%s, whose square or inverse is beyond double precision; give 1e-100 to 1e+100,",
      "or %s."
    ), arg, format(values[[at]], digits = 4),
    if (length(values) > 1L) sprintf(" at position %d", at) else "", remedy), arg)
  }
  invisible(values)
}

# Entries of x: those too small to matter may stay, their squares are 0.
assert_size_of_entries <- function(x, found, features) {
  if (found$largest > 0 && found$largest < smallest_size) {
    abort_input(sprintf("`x` has no entry above %s, whose square is 0; rescale the columns.",
                        format(found$largest, digits = 4)), "x")
  }
  beyond <- found$beyond
  if (!is.null(beyond)) {
    abort_input(sprintf(
      "`x` has %s in %s, column \"%s\", whose square is beyond double precision; rescale it.",
      format(beyond$value, digits = 4), row_label(beyond$row, rownames(x)), features[beyond$column]
    ), "x")
  }
}

# A response of numbers, whose squares and whose sum a loss takes.
assert_size_of_response <- function(y) {
  if (length(y) > 0L && max(abs(range(y))) > largest_size) {
    at <- which.max(abs(y))
    abort_input(sprintf(
      "`y` has %s at position %d, whose square is beyond double precision; rescale `y`.",
      format(y[at], digits = 4), at
    ), "y")
  }
}

# Of the squared loss, which no unit divides.
assert_size_of_squares <- function(y) {
  largest <- if (length(y) > 0L) max(abs(range(y))) else 0
  if (largest > 0 && largest < smallest_size) {
    abort_input(sprintf("`y` has no value above %s, whose square is 0; rescale `y`.",
                        format(largest, digits = 4)), "y")
  }
}

# Weights of the rows, with those of their classes: every positive one and their sum.
assert_total_weight <- function(omega, arg) {
  at <- check_size(omega)
  total <- sum(omega)
  if (at > 0L || total > largest_size) {
    abort_input(sprintf(paste(
      "`%s` %s, beyond what double precision can divide by; divide all by the largest, and give",
      "rows that are not to count the weight 0."
    ), arg, if (at > 0L) {
      sprintf("gives row %d the weight %s", at, format(omega[at], digits = 4))
    } else {
      sprintf("add up to %s", format(total, digits = 4))
    }), arg)
  }
}

# ---- Counts ----

# The most points of one path, settings of a grid, and repetitions of folds; fits in one call.
most_points <- 10000
most_fits <- 1e6

assert_count <- function(count, most, arg, what) {
  if (count > most) {
    shown <- function(number) {
      grouped(number, digits = 15L, scientific = number >= 1e12)
    }
    abort_input(sprintf("`%s` asks for %s %s, but the most are %s; give fewer.", arg,
                        shown(count), what, shown(most)), arg)
  }
}

# Coefficients of all points at once, those that an l1 penalty leaves at 0 not counted.
assert_path_memory <- function(points, rows, classes, arg) {
  assert_memory(16 * points * rows * classes, arg, sprintf(
    "makes %s of %s coefficients each", count(points, "point"),
    grouped(rows * classes)
  ), "give fewer points")
}

# Scores, dual variables and coefficients of every class.
assert_class_memory <- function(classes, rows, columns) {
  assert_memory(8 * classes * (4 * as.double(rows) + 2 * columns), "y", sprintf(
    "has %s for %s", count(classes, "label"), count(rows, "row")
  ), "give fewer classes, or numbers and a loss of a regression")
}

# The original rows and the mixed ones, each with its vectors.
assert_mixup_memory <- function(mixed, rows, classes, columns = 0) {
  assert_memory(8 * (mixed + as.double(rows)) * (16 * classes + 3 * columns), "mixup", sprintf(
    "adds %s to %s", count(mixed, "mixed row"), count(rows, "row")
  ), "give fewer")
}

assert_landmark_memory <- function(landmarks, rows) {
  assert_memory(8 * landmarks * (as.double(rows) + 2 * landmarks), "nystrom", sprintf(
    "keeps %s values for each of %s", grouped(landmarks), count(rows, "row")
  ), "give fewer landmarks")
}

assert_network_memory <- function(width, rows, columns) {
  assert_memory(8 * as.double(width) * (2 * columns + 3 * as.double(rows)), "width", sprintf(
    "is %s hidden units for %s and %s", grouped(width), count(rows, "row"),
    count(columns, "column")
  ), "give a narrower network")
}

# A row number for every row, fold and repetition.
assert_fold_memory <- function(rows, folds, repeats) {
  assert_memory(8 * as.double(rows) * folds * repeats, "folds", sprintf(
    "and `repeats` ask for %s of %s", count(folds * repeats, "part"), count(rows, "row")
  ), "give fewer")
}

# The arguments of plot methods: their own, and the graphical parameters that every picture follows.

# Those of the frame, its words and the colours of what is drawn. What tells the parts of a picture
# apart (line types, symbols) or belongs to an axis that it draws itself is not among them.
frame_parameters <- c(
  "main", "sub", "xlab", "ylab", "xlim", "ylim", "col", "las", "bty", "family",
  paste0("cex.", c("main", "sub", "lab", "axis")), paste0("col.", c("main", "sub", "lab", "axis")),
  paste0("font.", c("main", "sub", "lab", "axis"))
)

# Any other argument would change nothing, or end in a warning of graphics that does not know it.
# also: what one picture follows besides.
assert_plot_arguments <- function(caller, ..., also = character()) {
  if (...length() == 0L) {
    return(invisible())
  }
  own <- setdiff(names(formals(sys.function(sys.parent()))), c("x", "..."))
  known <- c(frame_parameters, also)
  given <- names(substitute(list(...)))[-1L]
  if (is.null(given)) given <- rep("", ...length())
  wrong <- setdiff(given, known)
  if (length(wrong) == 0L) {
    return(invisible())
  }
  takes <- paste0(if (length(own) > 0L) paste0(paste0("`", own, "`, ", collapse = ""), "and "),
                  "the graphical parameters ", paste0("`", known, "`", collapse = ", "))
  if (wrong[1L] == "") {
    abort_input(sprintf("%s was given an argument without a name that it has no place for; %s %s.",
                        caller, "it takes", takes), "...")
  }
  guess <- nearest(wrong[1L], c(own, known))
  abort_input(sprintf("`%s` is not an argument of %s%s; it takes %s.", wrong[1L], caller,
                      if (is.null(guess)) "" else sprintf(" (did you mean `%s`?)", guess), takes),
              wrong[1L])
}

# ---- Results of ours ----

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
