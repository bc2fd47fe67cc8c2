# What the kernel benchmarks share: the sets of Table II of Obi and others (2025) and their options.

small <- "--small" %in% arguments
rounds <- as.integer(option("rounds", "3", "1"))

kernel_sets <- c("magic04", "bank", "spambase")

# 10,000 rows of magic04, drawn with seed 1; bank with a column for each level of a factor of three
# or more and one for a factor of two, 48 in all; every column divided by its standard deviation.
# --small: 1,000 rows of each. NULL where margin_data() does not find the set.
read_set <- function(name) {
  data <- data_or_null(name)
  if (is.null(data)) return(NULL)
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
