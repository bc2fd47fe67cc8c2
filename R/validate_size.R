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
      format(number, big.mark = ",", digits = 15L, scientific = number >= 1e12)
    }
    abort_input(sprintf("`%s` asks for %s %s, but the most are %s; give fewer.", arg,
                        shown(count), what, shown(most)), arg)
  }
}

# Coefficients of all points at once, those that an l1 penalty leaves at 0 not counted.
assert_path_memory <- function(points, rows, classes, arg) {
  assert_memory(16 * points * rows * classes, arg, sprintf(
    "makes %s of %s coefficients each", count(points, "point"),
    format(rows * classes, big.mark = ",")
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
    "keeps %s values for each of %s", format(landmarks, big.mark = ","), count(rows, "row")
  ), "give fewer landmarks")
}

assert_network_memory <- function(width, rows, columns) {
  assert_memory(8 * as.double(width) * (2 * columns + 3 * as.double(rows)), "width", sprintf(
    "is %s hidden units for %s and %s", format(width, big.mark = ","), count(rows, "row"),
    count(columns, "column")
  ), "give a narrower network")
}

# A row number for every row, fold and repetition.
assert_fold_memory <- function(rows, folds, repeats) {
  assert_memory(8 * as.double(rows) * folds * repeats, "folds", sprintf(
    "and `repeats` ask for %s of %s", count(folds * repeats, "part"), count(rows, "row")
  ), "give fewer")
}
