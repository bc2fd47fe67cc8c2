# What write_rows() is given, and what it finds in the rows.

assert_rows_target <- function(path, overwrite, x) {
  assert_file_name(path, "path")
  if (is.character(x)) assert_csv_names(x)
  assert_flag(overwrite, "overwrite")
  if (dir.exists(path)) {
    abort_input(sprintf("`path` is \"%s\", a folder; name the file in it.", path), "path")
  }
  if (!dir.exists(dirname(path))) {
    abort_input(sprintf("`path` is \"%s\", whose folder does not exist; create that first.", path),
                "path")
  }
  if (file.exists(path) && !overwrite) {
    abort_input(sprintf("`path` is \"%s\", which exists; use overwrite = TRUE, or another name.",
                        path), "path")
  }
  if (is.character(x) && any(normalizePath(x, mustWork = FALSE) %in%
                               normalizePath(path, mustWork = FALSE))) {
    abort_input(sprintf("`path` is \"%s\", which `x` is read from; give another name.", path),
                "path")
  }
}

assert_csv_names <- function(paths) {
  if (anyNA(paths) || length(paths) == 0L || !all(nzchar(paths))) {
    abort_input(sprintf("`x` is %s, but must be names of CSV files, or a folder of them.",
                        show_value(paths)), "x")
  }
  for (path in paths) assert_file_name(path, "x")
}

assert_levels <- function(levels) {
  if (is.null(levels)) {
    return(invisible())
  }
  sound <- is.list(levels) && !is.data.frame(levels) && !is.null(names(levels)) &&
    all(nzchar(names(levels))) && !anyDuplicated(names(levels))
  if (!sound) {
    abort_input(sprintf(
      "`levels` is %s, but must be a list named by column, as in list(size = c(\"S\", \"L\")).",
      show_value(levels)
    ), "levels")
  }
  for (name in names(levels)) {
    one <- levels[[name]]
    if (!is.atomic(one) || length(one) < 2L || anyDuplicated(as.character(one))) {
      abort_input(sprintf("`levels` has %s for \"%s\", but must have two or more distinct values.",
                          show_value(one), name), "levels")
    }
  }
}

# The largest entry of a part, all of which are finite.
assert_rows_finite <- function(x, part) {
  found <- scan_entries(x)
  features <- feature_names(colnames(x), ncol(x))
  tell <- function(entry, value, fault) {
    abort_input(sprintf("`x` has %s in %s, column \"%s\"%s.", value, show_place(part, entry$row),
                        features[entry$column], fault), "x")
  }
  bad <- found$bad
  if (!is.null(bad)) {
    tell(bad, format(bad$value), if (is.infinite(bad$value)) "; replace it by a finite number" else
      "; impute it or remove the row")
  }
  beyond <- found$beyond
  if (!is.null(beyond)) {
    tell(beyond, format(beyond$value, digits = 4), ", whose square is no double; rescale it")
  }
  found$largest
}

# before: the rows of a first pass, NA where there was none.
assert_all_rows <- function(n, before, origin, largest) {
  if (!is.null(before) && !is.na(before()) && before() != n) {
    abort_input(sprintf("`x` is a function that gave %.0f rows at first, and then %.0f; %s.", before(), n,
                        "after its NULL it must begin again"), "x")
  }
  for (arg in names(origin)) {
    given <- length(origin[[arg]]$values)
    if (origin[[arg]]$kind == "vector" && given != n) {
      abort_input(sprintf("`%s` has length %d, but `x` has %.0f rows; give one a row.", arg, given,
                          n), arg)
    }
  }
  if (largest > 0 && largest < smallest_size) {
    abort_input(sprintf("`x` has no entry above %s, whose square is 0; rescale its columns.",
                        format(largest, digits = 4)), "x")
  }
}
