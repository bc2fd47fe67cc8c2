# Rows written by every route, and the data frame in memory that all of them must equal.

rows_path <- function(...) tempfile(fileext = ".rows")

# What is in a file of rows: the matrix, the codes, the weights.
rows_content <- function(path) {
  rows <- read_rows(path)
  own <- codes_in_file(path)
  list(x = unname(as.matrix(rows[, ])), features = colnames(rows), y = own$y,
       weights = own$weights, task = rows$task, levels = rows$levels, type = rows$type)
}

written_rows <- function(...) {
  path <- rows_path()
  on.exit(unlink(path))
  quietly(write_rows(..., path = path))
  rows_content(path)
}

# The same of a fit's own route in memory.
memory_rows <- function(formula, data, sparse = FALSE, weights = NULL) {
  own <- asNamespace("dualmargin")
  frame <- own$drop_feature_levels(stats::model.frame(formula, data))
  design <- own$design_formula(frame, NULL, sparse, names(data), quote(f()))
  response <- quietly(own$code_response(design$y, NULL, nrow(data)))
  list(x = unname(as.matrix(design$x)), features = design$features, y = response$codes,
       weights = weights, task = response$task, levels = response$levels, type = response$type)
}

# A function that gives these parts one after the other, once or again and again.
giving <- function(parts, once = FALSE) {
  k <- 0
  function() {
    k <<- if (k > length(parts) && !once) 1 else k + 1
    if (k <= length(parts)) parts[[k]]
  }
}

in_parts <- function(data, size) {
  lapply(split(seq_len(nrow(data)), (seq_len(nrow(data)) - 1) %/% size), function(i) {
    data[i, , drop = FALSE]
  })
}

# Numbers, whole numbers, text, factors with and without unused levels, an ordered one, logicals.
mixed_frame <- function(n = 24) {
  set.seed(7)
  data.frame(
    num = round(rnorm(n), 3), whole = sample(9L, n, TRUE), flag = runif(n) > 0.5,
    text = sample(c("b", "a", "c d"), n, TRUE),
    colour = factor(sample(c("red", "blue"), n, TRUE), levels = c("red", "none", "blue")),
    size = factor(sample(c("S", "M", "L"), n, TRUE), levels = c("S", "M", "L"), ordered = TRUE),
    w = sample(3, n, TRUE),
    y = factor(rep(c("no", "yes"), length.out = n))
  )
}

rows_formulas <- list(
  y ~ num + text, y ~ num * colour - 1, y ~ text:num + size, y ~ log(whole) + I(num^2) + flag,
  y ~ cut(num, c(-9, 0, 9)) * text + scale(num, 1, 2),
  factor(whole > 4, c(FALSE, TRUE)) ~ num + colour,
  num ~ whole + splines::ns(num, knots = 0, Boundary.knots = c(-3, 3))
)
