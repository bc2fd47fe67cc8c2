# The table of features in a report, of rows in memory or in a file.

# A table that is not too long: of many columns those with the smallest and the largest spread.
feature_table <- function(fit, data, rows, most = 12L) {
  if (identical(fit$settings$kernel$name, "precomputed")) {
    return(NULL)
  }
  x <- design_newdata(fit, split_data(fit, data)$x, on_disk = TRUE, rows = rows)$x
  moments <- column_moments(x, fit$weights / sum(fit$weights))
  mean <- moments$mean
  square <- moments$square
  sd <- sqrt(pmax(square - mean^2, 0))
  sd[sd <= 1e-7 * sqrt(square)] <- 0
  order <- if (length(sd) <= most) seq_along(sd) else setdiff(order(sd), which(sd == 0))
  half <- most %/% 2L
  at <- if (length(order) <= most) order else c(utils::head(order, half), utils::tail(order, half))
  ends <- column_ends(x, at, fit$weights > 0)
  list(
    shown = data.frame(feature = fit$features[at], min = ends[1L, ], mean = mean[at],
                       max = ends[2L, ], sd = sd[at], row.names = NULL),
    constant = sum(sd == 0), ratio = if (any(sd > 0)) max(sd) / min(sd[sd > 0]) else 1
  )
}

# Weighted means of the columns and of their squares; of rows in a file, block by block.
column_moments <- function(x, share) {
  if (!is_rows(x)) {
    return(list(mean = as.vector(Matrix::crossprod(x, share)),
                square = as.vector(Matrix::crossprod(x^2, share))))
  }
  sums <- list(mean = 0, square = 0)
  for_blocks(x, function(which) {
    sums <<- Map(`+`, sums, column_moments(rows_block(x, which), share[which]))
  })
  sums
}

# The least and the largest entry of each of these columns, which are few, among the rows used.
column_ends <- function(x, at, used) {
  if (!is_rows(x)) {
    columns <- as.matrix(x[used, at, drop = FALSE])
    return(vapply(seq_along(at), function(j) range(columns[, j]), numeric(2L)))
  }
  x$columns <- if (is.null(x$columns)) at else x$columns[at]
  ends <- NULL
  for_blocks(x, function(which) {
    if (!any(used[which])) {
      return(invisible())
    }
    block <- column_ends(rows_block(x, which), seq_along(at), used[which])
    ends <<- if (is.null(ends)) block else
      rbind(pmin(ends[1L, ], block[1L, ]), pmax(ends[2L, ], block[2L, ]))
  })
  ends
}

scale_note <- function(fit, ratio) {
  if (isTRUE(fit$settings$scale) || is.null(ratio) || ratio <= 1e3) {
    return(NULL)
  }
  sprintf(paste(
    "The standard deviations of the columns differ by a factor of %s and the columns were not",
    "scaled: the penalty weighs on those of small numbers most. Consider scale = TRUE."
  ), format(signif(ratio, 2), big.mark = ",", scientific = ratio > 1e7))
}
