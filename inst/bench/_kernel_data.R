# What the kernel benchmarks share: the sets of Table II of Obi and others (2025), their options and
# how their results are kept. source() it from their folder after `home`.

source(file.path(home, "_arguments.R"))
small <- "--small" %in% arguments
rounds <- as.integer(option("rounds", "3", "1"))

kernel_sets <- c("magic04", "bank", "spambase")

# 10,000 rows of magic04, drawn with seed 1; bank with a column for each level of a factor of three
# or more and one for a factor of two, 48 in all; every column divided by its standard deviation.
# --small: 1,000 rows of each. NULL where margin_data() does not find the set.
read_set <- function(name) {
  data <- tryCatch(margin_data(name), dualmargin_input_error = function(condition) NULL)
  if (is.null(data)) {
    message(name, ": margin_data() does not find it; left out.")
    return(NULL)
  }
  x <- data$x
  if (is.data.frame(x)) {
    x <- do.call(cbind, lapply(x, function(column) {
      if (is.numeric(column)) return(column)
      shown <- if (nlevels(column) == 2L) levels(column)[2L] else levels(column)
      outer(as.character(column), shown, `==`) + 0
    }))
  }
  set.seed(1)
  rows <- sample(nrow(x), min(nrow(x), if (small) 1000 else 10000))
  if (length(rows) == nrow(x)) rows <- seq_along(rows)
  x <- x[rows, , drop = FALSE]
  used <- apply(x, 2L, function(column) max(column) > min(column))
  list(x = unname(scale(x[, used, drop = FALSE])), y = data$y[rows])
}

# Rows replace older ones of the same `keys`; date, machine and command are added here.
keep_rows <- function(rows, file, keys, script, tolerance = 2e-3) {
  rows$load <- sub(" .*", "", readLines("/proc/loadavg")[1L])
  rows$date <- as.character(Sys.Date())
  rows$machine <- paste(Sys.info()[["sysname"]], Sys.info()[["machine"]], R.version$version.string)
  rows$command <- paste(c(script, grep("^--(small|rounds|peers|seconds)", arguments,
                                       value = TRUE)), collapse = " ")
  path <- file.path(folder, file)
  table <- read_table(path)
  if (!identical(names(table), names(rows))) table <- NULL
  key <- function(rows) do.call(paste, rows[keys])
  table <- rbind(if (!is.null(table)) table[!key(table) %in% key(rows), ], rows)
  record(table, path, rows, keys, tolerance = tolerance)
}
