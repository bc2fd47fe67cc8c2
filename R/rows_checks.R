# What write_rows() is given, and what it finds in the rows.

assert_rows_target <- function(path, overwrite, x) {
  assert_file_name(path, "path")
  if (is.character(x)) assert_file_names(x)
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
  entries <- if (isS4(x)) x@x else x
  if (length(entries) == 0L) {
    return(0)
  }
  found <- check_finite(x)
  if (!found$ok) {
    features <- feature_names(colnames(x), ncol(x))
    abort_input(sprintf("`x` has %s in %s, column \"%s\"; %s.", found$value,
                        show_place(part, found$row), features[found$column],
                        if (grepl("Inf", found$value)) "replace it by a finite number" else
                          "impute it or remove the row"), "x")
  }
  largest <- max(abs(range(entries)))
  if (largest > largest_size) {
    place <- entry_place(x, which(abs(entries) > largest_size)[1L])
    abort_input(sprintf("`x` has %s in %s, column \"%s\", whose square is no double; rescale it.",
                        format(largest, digits = 4), show_place(part, place[1L]),
                        feature_names(colnames(x), ncol(x))[place[2L]]), "x")
  }
  largest
}

assert_all_rows <- function(n, origin, largest) {
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
