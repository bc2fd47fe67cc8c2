# Tables in the console that keep to its width: 80 columns, unless the user has set another.

# A data frame of text and numbers. names: the columns of names, which stand to the left and give
# way where the table would be too wide.
print_table <- function(table, names, width = getOption("width")) {
  table[] <- lapply(table, function(column) {
    column <- as.character(column)
    replace(column, is.na(column), "unknown")
  })
  wide <- vapply(names(table), function(name) max(nchar(c(name, table[[name]]), "width")), 0L)
  others <- setdiff(names(table), names)
  # R begins a new block of columns where a line would be as wide as the console
  room <- (width - 1L - sum(wide[others] + 1L)) %/% length(names) - 1L
  models <- unique(unlist(table[names]))
  short <- stats::setNames(distinct_short(models, max(room, 12L)), models)
  for (name in names) {
    column <- unname(short[table[[name]]])
    size <- max(nchar(c(name, column), "width"))
    table[[name]] <- formatC(column, width = -size)
    names(table)[names(table) == name] <- formatC(name, width = -size)
  }
  print(table, row.names = FALSE)
}

# Names of at most that many characters, which tell apart what they told apart before.
distinct_short <- function(names, most) {
  short <- shorten(names, most)
  twice <- short %in% short[duplicated(short)]
  short[twice] <- paste0(substr(names[twice], 1L, most - 4L), "#", which(twice))
  short
}

# Numbers of one column: as many decimals for all as show four digits of the largest.
show_numbers <- function(values, digits) {
  digits <- min(digits, 4L)
  largest <- max(abs(values[is.finite(values)]), 0)
  if (largest > 0 && (largest < 1e-4 || largest >= 1e7)) {
    return(vapply(signif(values, digits), format, "", digits = digits))
  }
  decimals <- if (largest > 0) max(digits - 1L - floor(log10(largest)), 0) else digits
  text <- formatC(values, digits = decimals, format = "f")
  sub("^-(0[.]?0*)$", "\\1", text) # no negative zeros
}
