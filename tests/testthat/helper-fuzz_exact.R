# Sums and products with twice the digits of a double, for the judges of the campaign: what is
# recomputed must not be in doubt where the terms are 1e10 times their sum. A number is a pair
# list(h, l) of arrays, h + l unevaluated (T. J. Dekker 1971, Numerische Mathematik 18, 224-242).

dd <- function(h, l = 0 * h) list(h = h, l = l)
as_dd <- function(a) if (is.list(a)) a else dd(a)
dd_value <- function(a) a$h + a$l

two_sum <- function(a, b) {
  s <- a + b
  v <- s - a
  dd(s, (a - (s - v)) + (b - v))
}

quick_sum <- function(a, b) {
  s <- a + b
  dd(s, b - (s - a))
}

split_double <- function(a) {
  t <- 134217729 * a
  high <- t - (t - a)
  list(high = high, low = a - high)
}

# Powers of two keep the splitting within range.
two_product <- function(a, b) {
  p <- a * b
  big <- abs(a) > 1e290 | abs(b) > 1e290
  if (any(big, na.rm = TRUE)) {
    return(dd(p))
  }
  x <- split_double(a)
  y <- split_double(b)
  e <- ((x$high * y$high - p) + x$high * y$low + x$low * y$high) + x$low * y$low
  dd(p, ifelse(is.finite(e), e, 0))
}

dd_add <- function(a, b) {
  a <- as_dd(a)
  b <- as_dd(b)
  s <- two_sum(a$h, b$h)
  t <- two_sum(a$l, b$l)
  s <- quick_sum(s$h, s$l + t$h)
  quick_sum(s$h, s$l + t$l)
}

dd_minus <- function(a) dd(-a$h, -a$l)
dd_sub <- function(a, b) dd_add(a, dd_minus(as_dd(b)))

dd_mul <- function(a, b) {
  a <- as_dd(a)
  b <- as_dd(b)
  p <- two_product(a$h, b$h)
  quick_sum(p$h, p$l + (a$h * b$l + a$l * b$h))
}

dd_div <- function(a, b) {
  a <- as_dd(a)
  b <- as_dd(b)
  q <- a$h / b$h
  r <- dd_sub(a, dd_mul(dd(q), b))
  s <- r$h / b$h
  r <- dd_sub(r, dd_mul(dd(s), b))
  dd_add(quick_sum(q, s), dd(r$h / b$h))
}

dd_at <- function(a, i) dd(a$h[i], a$l[i])

# Column sums of a matrix, by halves.
dd_colsums <- function(m) {
  n <- nrow(m$h)
  if (n == 0L) {
    return(dd(numeric(ncol(m$h))))
  }
  while (n > 1L) {
    half <- n %/% 2L
    first <- seq_len(half)
    odd <- if (n > 2L * half) n else integer()
    s <- dd_add(dd(m$h[first, , drop = FALSE], m$l[first, , drop = FALSE]),
                dd(m$h[half + first, , drop = FALSE], m$l[half + first, , drop = FALSE]))
    m <- dd(rbind(s$h, m$h[odd, ]), rbind(s$l, m$l[odd, ]))
    n <- half + length(odd)
  }
  dd(m$h[1L, ], m$l[1L, ])
}

dd_sum <- function(a) {
  a <- as_dd(a)
  dd_colsums(dd(matrix(a$h), matrix(a$l)))
}

# x w and x' a for a matrix of doubles and a vector of pairs.
dd_rows <- function(x, w) {
  w <- as_dd(w)
  if (ncol(x) == 0L) {
    return(dd(numeric(nrow(x))))
  }
  n <- nrow(x)
  t <- dd_mul(dd(t(x)), dd(matrix(w$h, ncol(x), n), matrix(w$l, ncol(x), n)))
  dd_colsums(t)
}

dd_columns <- function(x, a) {
  a <- as_dd(a)
  if (ncol(x) == 0L) {
    return(dd(numeric()))
  }
  dd_colsums(dd_mul(dd(x), dd(matrix(a$h, nrow(x), ncol(x)), matrix(a$l, nrow(x), ncol(x)))))
}
