# Rows as a solved problem saw them: scaled, with a column of ones for a penalised intercept, and
# with a free one moved to a centre, which changes no score. Sparse rows are moved implicitly.

# centre: on the scale of the scaled columns; NULL: the rows stay where they are.
certain_rows <- function(fit, x, centre = NULL) {
  penalized <- fit$settings$intercept == "penalized"
  if (isS4(x)) {
    x <- methods::as(x, "CsparseMatrix")
    x <- x %*% Matrix::Diagonal(x = 1 / unname(fit$scales))
    if (penalized) x <- cbind(x, 1)
    x <- methods::as(methods::as(x, "generalMatrix"), "CsparseMatrix")
    dimnames(x) <- list(NULL, NULL)
    return(new_rows(x, if (is.null(centre)) numeric(ncol(x)) else centre))
  }
  x <- unname(x) + 0
  x <- sweep(x, 2L, unname(fit$scales), `/`)
  if (penalized) x <- cbind(x, 1)
  if (is.null(centre)) {
    return(new_rows(x, numeric(ncol(x))))
  }
  rows <- new_rows(sweep(x, 2L, centre), numeric(ncol(x)))
  rows$moved <- centre
  rows$squares <- (sqrt(rows$squares) + moved_rounding(rows))^2
  rows
}

# The length of what moving dense rows can have done to one of them.
moved_rounding <- function(rows) 4 * unit_roundoff * sqrt(sum(rows$moved^2))

# The rows are x - shift'; moved: what was subtracted from x already, whose rounding is in x.
new_rows <- function(x, shift) {
  rows <- list(x = x, shift = shift, shifted = any(shift != 0), moved = numeric(ncol(x)))
  rows$squares <- row_squares(rows)
  rows
}

weighted_centre <- function(x, omega) {
  drop(as.matrix(Matrix::crossprod(x, omega))) / sum(omega)
}

# x w, x' a and |x_i| of the moved rows.
rows_times <- function(rows, w) {
  z <- drop(as.matrix(rows$x %*% w))
  if (rows$shifted) z - sum(rows$shift * w) else z
}

rows_cross <- function(rows, a) {
  u <- drop(as.matrix(Matrix::crossprod(rows$x, a)))
  if (rows$shifted) u - rows$shift * sum(a) else u
}

# |x_i|^2 from above.
row_squares <- function(rows) {
  x <- rows$x
  size <- Matrix::rowSums(x^2)
  if (!rows$shifted) {
    return(size * (1 + unit_roundoff * (ncol(x) + 4)))
  }
  c2 <- sum(rows$shift^2)
  cross <- drop(as.matrix(x %*% rows$shift))
  square_above(size - 2 * cross + c2, unit_roundoff * (ncol(x) + 4) * 2 * (size + c2))
}

# |x_i - at|^2 from above, at as the moved rows are.
distances_from <- function(rows, at) {
  at2 <- sum(at^2)
  cross <- rows_times(rows, at)
  rounding <- score_roundings(length(at)) *
    (rows$squares + at2 + 2 * sum(rows$shift^2))
  (sqrt(square_above(rows$squares - 2 * cross + at2, rounding)) + 2 * moved_rounding(rows))^2
}

# What rounding can have done to x_i'w + b, by the entries before the rows were moved.
row_rounding <- function(rows, w, b = 0) {
  w <- abs(w)
  before <- abs(rows$shift) + 2 * abs(rows$moved)
  size <- drop(as.matrix(abs(rows$x) %*% w)) + sum(before * w) + abs(b)
  score_roundings(length(w)) * size
}

# ((1/W) sum_i omega_i x_ij^2)^(1/2) of the moved rows, and of the rows as they are stored.
column_sizes <- function(rows, omega) {
  share <- omega / sum(omega)
  squares <- drop(as.matrix(Matrix::crossprod(rows$x^2, share)))
  stored <- sqrt(squares) + abs(rows$shift) + abs(rows$moved)
  if (rows$shifted) {
    mean <- drop(as.matrix(Matrix::crossprod(rows$x, share)))
    moved <- square_above(squares - 2 * rows$shift * mean + rows$shift^2,
                          8 * unit_roundoff * sqrt(nrow(rows$x)) * (squares + rows$shift^2))
  } else {
    moved <- squares
  }
  list(moved = sqrt(moved) * (1 + 1e-10), stored = stored)
}
