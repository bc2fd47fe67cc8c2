# Fits on a kernel, of any family: coefficients are those of rows, of which a fit keeps what it
# needs.

# A fit whose coefficients are those of rows, of which it keeps the ones that have any.
new_expansion <- function(class, problem, result, more) {
  settings <- problem$settings
  if (is_isotropic(settings$kernel)) settings$kernel$sigma <- result$sigma
  problem$settings <- settings
  design <- problem$design
  beta <- lapply(result$solutions, function(s) as.matrix(s$coefficients))
  used <- which(rowSums(do.call(cbind, beta) != 0) > 0)
  terms <- row_names_of(design$x, problem$mixed, used)
  for (k in seq_along(beta)) {
    kept <- beta[[k]][used, , drop = FALSE]
    result$solutions[[k]]$coefficients <- if (ncol(kept) == 1L) drop(kept) else kept
  }
  new_margin_fit(class, problem, result, function(columns) {
    c(list(support = expansion_rows(design$x, problem$mixed, used, settings$kernel)), more(columns))
  }, terms = terms)
}

row_names_of <- function(x, mixed, used = seq_len(nrow(x) + NROW(mixed))) {
  own <- used[used <= nrow(x)]
  added <- used[used > nrow(x)] - nrow(x)
  c(if (is.null(rownames(x))) as.character(own) else rownames(x)[own],
    if (length(added) > 0L) paste0("mixed", added))
}

# The original rows that an expansion over the rows `used` is made of, and how.
expansion_rows <- function(x, mixed, used, kernel) {
  n <- nrow(x)
  if (kernel$name == "precomputed") {
    return(list(at = used))
  }
  own <- used[used <= n]
  pairs <- mixed[used[used > n] - n, , drop = FALSE]
  first <- c(own, pairs$first)
  second <- c(own, pairs$second)
  needed <- sort(unique(c(first, second)))
  list(x = pick_rows(x, needed), first = match(first, needed), second = match(second, needed),
       share = c(numeric(length(own)), pairs$share), at = used)
}

# Rows in ascending order. All of them are `x` itself, which R does not copy, and a dgRMatrix is not
# turned into columns.
pick_rows <- function(x, rows) {
  if (length(rows) == nrow(x)) {
    return(x)
  }
  if (!methods::is(x, "dgRMatrix")) {
    return(x[rows, , drop = FALSE])
  }
  lengths <- diff(x@p)[rows]
  at <- sequence(lengths, x@p[rows] + 1L)
  methods::new("dgRMatrix", p = c(0L, cumsum(lengths)), j = x@j[at], x = x@x[at],
               Dim = c(length(rows), ncol(x)), Dimnames = list(rownames(x)[rows], colnames(x)))
}
