# What the scripts of the papers share: results with their origin, which once is enough in a file of
# many rows.

origin <- list(
  date = as.character(Sys.Date()),
  machine = paste(Sys.info()[["sysname"]], Sys.info()[["machine"]], R.version$version.string),
  command = "make experiments"
)

# Into `folder`, which the script knows.
write_results <- function(rows, file) {
  for (column in names(origin)) rows[[column]] <- c(origin[[column]], rep(NA, nrow(rows) - 1L))
  quoted <- which(vapply(rows, is.character, NA))
  write.csv(rows, file.path(folder, file), row.names = FALSE, na = "", quote = quoted)
  message(format(Sys.time(), "%T "), file, ": ", nrow(rows), " rows")
}
