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
