# Rows as kernels see them in a prediction, and those computed in R in a fit: scaled and moved. As
# in src/.

# Weighted means and population standard deviations of columns, and what they are divided by:
# `mean`, `sd` and `scale`, as src/rows/column_scale.h has them for every fit.
column_frame <- function(x, omega) {
  if (is_rows(x)) {
    return(from_rows_file(column_frame_rows_cpp(rows_of_core(x), omega), "x"))
  }
  column_frame_cpp(in_core_form(x), omega)
}

# The numbers of distinct rows with weight, and of columns that are not constant in these: what is
# found from data counts no others. Copies are not looked for in a file.
distinct_size <- function(x, omega) {
  if (is_rows(x)) {
    return(list(rows = sum(omega > 0), columns = sum(column_frame(x, omega)$sd > 0)))
  }
  distinct_size_cpp(in_core_form(x), omega)
}

# What can be taken from the columns without rounding, see src/rows/column_scale.h.
exact_centres <- function(x) exact_centres_cpp(in_core_form(x))

# Subsets of sparse rows may come in another form than those of the core.
in_core_form <- function(x) {
  if (!isS4(x) || inherits(x, c("dgCMatrix", "dgRMatrix"))) x else methods::as(x, "CsparseMatrix")
}

# Two blocks of rows, sparse if one of them is.
stack_rows <- function(a, b) {
  if (!isS4(a) && !isS4(b)) {
    return(rbind(unname(a), unname(b)))
  }
  general <- function(x) {
    x <- methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
    dimnames(x) <- list(NULL, NULL) # of NULL alone, which unname() takes, Matrix tells the user
    x
  }
  rbind(general(a), general(b))
}

# Divided and not multiplied by an inverse: the same digits as in src/rows/row_store.h.
scale_columns <- function(x, scales) {
  if (all(scales == 1)) {
    return(x)
  }
  if (!isS4(x)) {
    return(sweep(x, 2L, scales, `/`))
  }
  x <- methods::as(x, "CsparseMatrix")
  x@x <- x@x / rep(scales, diff(x@p))
  x
}

# Rows less a centre, then divided: a list of `x`, and of `rest`, what is to be subtracted from its
# rows beside (NULL: nothing). Sparse rows stay sparse; in a column without zeros the centre is
# subtracted where it is exact, in the others it is left to the inner products.
centred_rows <- function(x, centre, scales) {
  if (!isS4(x)) {
    return(list(x = scale_columns(sweep(x, 2L, centre), scales), rest = NULL))
  }
  x <- methods::as(x, "CsparseMatrix")
  stored <- diff(x@p)
  full <- stored == nrow(x)
  x@x <- x@x - rep(ifelse(full, centre, 0), stored)
  rest <- ifelse(full, 0, centre) / scales
  list(x = scale_columns(x, scales), rest = if (any(rest != 0)) rest)
}

# (a - rest_a).(b - rest_b) of all pairs of rows of two such lists.
inner_products <- function(a, b) {
  values <- unname(as.matrix(Matrix::tcrossprod(a$x, b$x)))
  along <- function(rows, rest) as.vector(as.matrix(rows %*% rest))
  if (!is.null(b$rest)) values <- values - along(a$x, b$rest)
  if (!is.null(a$rest)) values <- sweep(values, 2L, along(b$x, a$rest))
  if (is.null(a$rest) || is.null(b$rest)) values else values + sum(a$rest * b$rest)
}

# |a - rest|^2
squared_lengths <- function(rows) {
  terms <- unname(Matrix::rowSums(rows$x^2))
  if (is.null(rows$rest)) {
    return(terms)
  }
  terms <- terms + sum(rows$rest^2)
  along <- as.vector(as.matrix(rows$x %*% rows$rest))
  rounding <- 2 * unit_roundoff * (ncol(rows$x) + 4) * terms
  judged_square(terms - 2 * along, rounding)
}

subtract_columns <- function(x, centre) {
  moved <- which(centre != 0)
  if (length(moved) == 0L || nrow(x) == 0L) {
    return(x)
  }
  if (!isS4(x)) {
    return(sweep(x, 2L, centre))
  }
  n <- nrow(x)
  x - Matrix::sparseMatrix(rep(seq_len(n), length(moved)), rep(moved, each = n),
                           x = rep(centre[moved], each = n), dims = dim(x))
}
