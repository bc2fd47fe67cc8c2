# The problems of the decisions_*.R scripts, and what they count with functions of the package that
# are not exported. source() it from their folder.
#
# spambase: 4,601 x 57, columns divided by their standard deviations; a1a: 1,605 x 113 (columns with
# an entry), as it is; genes: the 62 x 2,000 of colon, logarithms, standardised; colon: the same
# rotated to its 61 dimensions.
# All fits have scale = FALSE, so that those without a row have the same columns.

core <- asNamespace("dualmargin")
deviation <- function(x) sqrt(pmax(0, colMeans(x^2) - colMeans(x)^2))
plain <- function(x) matrix(as.vector(x), nrow(x))
problem_of <- function(set) {
  genes <- set %in% c("colon", "genes")
  data <- margin_data(if (genes) "colon" else set)
  if (set == "a1a") {
    return(list(x = data$x[, Matrix::colSums(data$x) > 0], y = factor(data$y)))
  }
  x <- if (genes) log(data$x) else as.matrix(data$x)
  if (genes) x <- sweep(x, 2L, colMeans(x))
  x <- sweep(x, 2L, deviation(x), `/`)
  if (set == "colon") {
    parts <- svd(x)
    kept <- parts$d > 1e-8 * parts$d[1L]
    x <- parts$u[, kept] %*% diag(parts$d[kept])
  }
  list(x = plain(x), y = factor(data$y))
}
loss_of <- function(name) if (name == "squared_hinge") loss_squared_hinge(0.5) else name

one_fit <- function(data, loss, intercept, lambda, tol, rows = NULL, start = NULL) {
  x <- if (is.null(rows)) data$x else data$x[rows, , drop = FALSE]
  y <- if (is.null(rows)) data$y else data$y[rows]
  margin_linear(x, y, loss = loss_of(loss), lambda = lambda, intercept = intercept, scale = FALSE,
                control = margin_control(tol = tol, seed = 1, progress = FALSE, start = start))
}
value_of <- function(run) if (is.null(run$error)) run$value else stop(run$error)
