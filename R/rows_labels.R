# Labels and weights of rows that are written: they are few (a number a row) and are kept, since the
# task is decided on all of them.

# How y, or weights, are given: a column's name, a vector of all rows, with the rows, or not at all.
# columns: the names of the columns of the first part; NULL where it has none.
label_origin <- function(values, arg, source, columns, own) {
  if (is.null(values)) {
    return(list(kind = if (own) "own" else "none"))
  }
  if (own) {
    abort_input(sprintf("`%s` is %s, but the rows come with their own; leave it NULL.", arg,
                        show_value(values)), arg)
  }
  is_name <- is.character(values) && length(values) == 1L && !identical(source$n, 1)
  if (!is_name) {
    if (!is.na(source$n) && arg == "y" && length(values) != source$n) {
      abort_input(sprintf("`y` has length %d, but `x` has %.0f rows; give one label a row.",
                          length(values), source$n), "y")
    }
    return(list(kind = "vector", values = values))
  }
  if (!values %in% columns) {
    abort_input(sprintf("`%s` is \"%s\", which is no column of %s%s.", arg, values, source$what,
                        if (length(columns) == 0L) ": it has no column names" else
                          sprintf("; the columns are %s", quote_list(columns))), arg)
  }
  list(kind = "column", name = values)
}

# Of one part.
labels_of <- function(origin, part, offset, arg) {
  m <- nrow(part$x)
  switch(origin$kind, own = part[[arg]], column = {
    values <- part$x[, origin$name, drop = TRUE]
    if (is.matrix(values)) values[, 1L] else values
  }, vector = {
    if (length(origin$values) < offset + m) {
      abort_input(sprintf("`%s` has length %d, but %s has more rows; give one a row.", arg,
                          length(origin$values), "`x`"), arg)
    }
    origin$values[offset + seq_len(m)]
  })
}

# Collects labels, part by part. known: their levels, if given.
label_collector <- function(known) {
  parts <- list()
  kind <- NULL
  list(add = function(values, part) {
    if (inherits(values, "soft_labels")) {
      abort_input("`y` holds soft labels, which no file of rows has; give classes.", "y")
    }
    values <- plain_labels(values)
    if (!is.null(known)) values <- known_labels(values, known, part)
    missing <- if (is.double(values)) !is.finite(values) else is.na(values)
    if (any(missing)) {
      abort_input(sprintf("`y` has %s in %s; remove that row.", format(values[missing][1L]),
                          show_place(part, which(missing)[1L])), "y")
    }
    now <- column_kind(values)
    if (is.null(kind)) kind <<- now
    if (now != kind) {
      abort_input(sprintf("`y` is %s in %s, and %s before it; give one kind of labels.",
                          kind_words[[now]], show_part(part), kind_words[[kind]]), "y")
    }
    parts <<- c(parts, list(values))
  }, all = function() join_labels(parts))
}

known_labels <- function(values, known, part) {
  known <- as.character(known)
  text <- as.character(values)
  new <- which(!text %in% c(known, NA))
  if (length(new) > 0L) {
    abort_input(sprintf(
      "`y` has \"%s\" in %s, which is none of its levels %s; name it in `levels`.", text[new[1L]],
      show_place(part, new[1L]), quote_list(known)
    ), "y")
  }
  factor(text, levels = known, ordered = is.ordered(values))
}

# One vector; levels of factors in the order in which they came, as rbind() of the parts has them.
join_labels <- function(parts) {
  if (length(parts) == 1L || !any(vapply(parts, is.factor, NA))) {
    return(unlist(parts, use.names = FALSE))
  }
  levels <- unique(unlist(lapply(parts, function(part) {
    if (is.factor(part)) levels(part) else unique(part)
  }), use.names = FALSE))
  codes <- lapply(parts, function(part) match(as.character(part), levels))
  structure(unlist(codes), levels = levels,
            class = c(if (is.ordered(parts[[1L]])) "ordered", "factor"))
}

# As a fit in memory codes it. Numbers that are all 0 are one class to a fit that names no loss,
# and a response to one whose loss is for a regression: the file has them, and the fit decides.
response_to_write <- function(y, n, name) {
  type <- if (is.numeric(y) && all(y == y[1L])) type_of_numbers(y)
  if (is.null(type)) {
    return(code_response(y, NULL, n, name = name))
  }
  inform(sprintf(paste(
    "`%s` is %s in all rows: a regression can be fitted to it, as by loss = \"squared\", and no",
    "classifier."
  ), name, format(y[1L])))
  number_classes(as.double(y), type)
}

weight_collector <- function() {
  parts <- list()
  list(add = function(values, part) {
    if (!is.numeric(values) || is.object(values)) {
      abort_input(sprintf("`weights` is %s in %s, but must be numbers%s.", show_value(values),
                          show_part(part), integer64_remedy(values)), "weights")
    }
    values <- as.double(values)
    bad <- which(!is.finite(values) | values < 0)
    if (length(bad) > 0L) {
      abort_input(sprintf(
        "`weights` has %s in %s; give finite numbers, 0 to leave a row out.",
        format(values[bad[1L]], digits = 4), show_place(part, bad[1L])
      ), "weights")
    }
    parts <<- c(parts, list(values))
  }, all = function() unlist(parts))
}

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
