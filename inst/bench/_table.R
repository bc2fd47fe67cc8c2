# How the scripts here keep their results. source() it from their folder after _arguments.R.

versions_of <- function(packages) {
  packages <- packages[vapply(packages, requireNamespace, NA, quietly = TRUE)]
  toString(sprintf("%s %s", packages, vapply(packages, function(name) {
    as.character(utils::packageVersion(name))
  }, "")))
}

# Rows replace older ones of the same `keys`. Numbers that were measured have four digits. skip: as
# in record().
keep_table <- function(rows, file, keys, script, packages = character(), digits = 4,
                       skip = NULL) {
  measured <- setdiff(names(rows)[vapply(rows, is.double, NA)], keys)
  rows[measured] <- lapply(rows[measured], signif, digits)
  rows$load <- load_average()
  rows$commit <- commit_of()
  rows$versions <- versions_of(c("dualmargin", packages))
  rows$date <- as.character(Sys.Date())
  rows$machine <- paste(Sys.info()[["sysname"]], Sys.info()[["machine"]], R.version$version.string)
  rows$command <- paste(c(script, grep("^--", arguments, value = TRUE)), collapse = " ")
  path <- file.path(folder, file)
  table <- read_table(path)
  if (!identical(names(table), names(rows))) table <- NULL
  key <- function(rows) do.call(paste, lapply(rows[keys], format, trim = TRUE, digits = 15))
  if (!is.null(table)) table <- table[!key_in(table, rows, key), ]
  record(rbind(table, rows), path, rows, keys, skip)
}
key_in <- function(table, rows, key) {
  vapply(seq_len(nrow(table)), function(i) key(table[i, ]), "") %in%
    vapply(seq_len(nrow(rows)), function(i) key(rows[i, ]), "")
}
