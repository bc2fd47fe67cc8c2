# What all rows say of a part: the levels of its factors, and whether a term needs them all.

# found: what earlier parts had, or NULL.
join_levels <- function(found, column) {
  text <- is.character(column)
  here <- if (text) unique(column) else levels(column)
  seen <- if (text) here else here[tabulate(column, nlevels(column)) > 0L]
  first <- is.null(found)
  list(levels = union(found$levels, here), used = union(found$used, seen),
       text = text && (first || found$text), ordered = is.ordered(column),
       contrasts = if (first) attr(column, "contrasts") else found$contrasts)
}

# As factor() sorts text; levels without rows go, as they do in memory.
final_levels <- function(found, name) {
  levels <- if (found$text) levels(factor(found$used)) else
    found$levels[found$levels %in% found$used]
  if (length(levels) < length(found$levels) && !is.null(found$contrasts)) {
    inform(sprintf("`x` has empty levels in \"%s\": its own contrasts went with them.", name))
    found$contrasts <- NULL
  }
  list(levels = levels, ordered = found$ordered, contrasts = found$contrasts)
}

with_levels <- function(value, known, name, part) {
  text <- as.character(value)
  ordered <- if (is.null(known$ordered)) is.ordered(value) else known$ordered
  result <- factor(text, levels = known$levels, ordered = ordered,
                   exclude = excluded_value(known$levels))
  new <- which(is.na(result) & !is.na(text))
  if (length(new) > 0L) {
    abort_input(sprintf(
      "`x` has \"%s\" in %s, column \"%s\", whose levels are %s; name it in `levels`.",
      text[new[1L]], show_place(part, new[1L]), name, quote_list(known$levels)
    ), "x")
  }
  if (!is.null(known$contrasts)) attr(result, "contrasts") <- known$contrasts
  result
}

assert_variables_complete <- function(model, part) {
  for (name in names(model)) {
    missing <- is.na(model[[name]])
    if (any(missing)) {
      row <- (which(missing)[1L] - 1L) %% NROW(model[[name]]) + 1L
      abort_input(sprintf("`x` has NA in %s, column \"%s\"; impute it or remove the row.",
                          show_place(part, row), name), "x")
    }
  }
}

rows_picked <- function(value, rows) {
  if (is.null(dim(value))) value[rows] else value[rows, , drop = FALSE]
}

# Has a row another value, or the whole another attribute (centre, knots, coefficients), when other
# rows are beside it? `value` is that of the whole part.
depends_on_rows <- function(coder, name, value, frame) {
  variable <- coder$variables[[name]]
  among <- function(rows) {
    tryCatch(suppressWarnings(eval(variable, rows, coder$where)), error = function(e) NULL)
  }
  m <- nrow(frame)
  some <- if (m > 2L) seq(1L, m, by = 2L) else 1L
  part <- among(frame[some, , drop = FALSE])
  more <- among(rbind(coder$sample, frame))
  if (is.null(part) || is.null(more) || NROW(more) != nrow(coder$sample) + m) {
    return(TRUE)
  }
  behind <- rows_picked(more, nrow(coder$sample) + seq_len(m))
  !identical(bare(part), bare(rows_picked(value, some))) || !identical(bare(behind), bare(value)) ||
    !identical(beside(part), beside(value)) || !identical(beside(more), beside(value))
}

# The values, and the attributes that are more than places and names.
bare <- function(value) {
  if (is.list(value)) value <- unlist(value, use.names = FALSE)
  as.vector(if (is.factor(value)) as.character(value) else value)
}
beside <- function(value) {
  kept <- attributes(value)
  kept[setdiff(names(kept), c("dim", "dimnames", "names", "row.names", "levels"))]
}
