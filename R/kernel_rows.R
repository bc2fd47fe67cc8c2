# Rows as the kernels computed in R see them: scaled, moved, and their distances. As in src/.

# Weighted population standard deviations, 1 for a constant column; as src/data/column_scale.h.
column_scales <- function(x, omega) {
  share <- omega / sum(omega)
  mean <- drop(Matrix::crossprod(x, share))
  square <- vapply(seq_len(ncol(x)), function(j) sum(share * (x[, j] - mean[j])^2), 0)
  sd <- sqrt(square)
  unname(ifelse(is.finite(sd) & sd > 1e-14 * abs(mean), sd, 1))
}

# Divided and not multiplied by an inverse: the same digits as in src/border.h.
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

# What can be taken from the columns without rounding, as src/data/column_centre.h has it.
exact_centres <- function(x) {
  n <- nrow(x)
  if (isS4(x)) {
    x <- methods::as(x, "CsparseMatrix")
    full <- which(diff(x@p) == n)
    dense <- as.matrix(x[, full, drop = FALSE])
    return(replace(numeric(ncol(x)), full, exact_centres(dense)))
  }
  if (n == 0L) {
    return(numeric(ncol(x)))
  }
  centre <- numeric(ncol(x))
  for (j in seq_len(ncol(x))) {
    column <- x[, j]
    mean <- mean(column)
    unit <- 2^(ceiling(log2(max(abs(column)))) - 30)
    for (candidate in c(mean, if (unit > 0) round(mean / unit) * unit)) {
      less <- column - candidate
      back <- less - column
      if (all((column - (less - back)) - (candidate + back) == 0)) {
        centre[j] <- candidate
        break
      }
    }
  }
  replace(centre, !is.finite(centre), 0)
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

# |a_i - b_j|^2, by differences where |a_i|^2 + |b_j|^2 - 2 a_i.b_j cancels, see
# src/kernel/arguments.h.
squared_distances <- function(a, b, norm2 = Matrix::rowSums(b^2)) {
  both <- outer(unname(Matrix::rowSums(a^2)), unname(norm2), `+`)
  squared <- both - 2 * unname(as.matrix(Matrix::tcrossprod(a, b)))
  near <- which(!(squared >= both / 64))
  size <- max(1L, as.integer(1e6 / max(ncol(a), 1L)))
  for (begin in seq(1L, max(length(near), 1L), by = size)) {
    at <- near[seq(begin, length.out = min(size, length(near) - begin + 1L))]
    i <- (at - 1L) %% nrow(a) + 1L
    j <- (at - 1L) %/% nrow(a) + 1L
    squared[at] <- Matrix::rowSums((a[i, , drop = FALSE] - b[j, , drop = FALSE])^2)
  }
  squared
}
