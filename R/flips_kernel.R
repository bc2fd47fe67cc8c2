# The bounds of flips_bounds.R in function space, and what they leave open by steps: products of
# rows are kernel values, e = kappa w + U has the length kappa |w - v|, v the function of the dual
# point.

# As linear_flips().
kernel_flips <- function(fit, x, new, change, most, refits) {
  rows <- kernel_space(fit, x)
  pair <- fitted_function(fit, 1L, rows, nrow(x))
  new_rows <- function_rows(fit, new$x, new$score)
  refits <- min(refits, 200)
  changes <- row_changes(fit, pair, rows, change)
  # a bound that is settled may make room for the next one
  found <- count_flips(pair, rows, new_rows, changes, min(most + refits, nrow(x)))
  found <- settle_flips(found, changes, refits, solve_functions(pair, rows, new_rows, changes))
  for (part in c("top", "bound", "state")) {
    found[[part]] <- found[[part]][seq_len(min(most, nrow(x))), , drop = FALSE]
  }
  found
}

# Rows to predict, and the decision values that the fit gives them.
function_rows <- function(fit, x, score) {
  frame <- kernel_frame(fit, x)
  list(kernel_fit = fit, frame = frame, score = score,
       squares = self_kernel(fit, frame) * (1 + kernel_rounding(fit, 1)))
}

# Kernel values of all rows with some of the new ones, a column each.
function_products <- function(rows, new, which) {
  some <- list(x = new$frame$x[which, , drop = FALSE], rest = new$frame$rest)
  kernel_times(rows$kernel_fit, rows$frame, frame_points(rows$kernel_fit, some),
               diag(length(which)))
}

# off: the bounds are about the pair's values, which have the offset of its own optimum.
function_scores <- function(pair, rows, new) {
  own <- kernel_times(rows$kernel_fit, new$frame, rows$points, cbind(pair$w))[, 1L] + pair$b
  size <- sum(abs(pair$w) * sqrt(rows$squares))
  list(score = new$score, rounding = 0, off = abs(new$score - own) + rows$rounding *
         (sqrt(new$squares) * size + abs(pair$b)))
}

function_flips <- function(pair, rows, changes) {
  list(
    if (!pair$free) ball_functions(pair, rows, changes),
    if (pair$free) tilted_functions(pair, rows, changes),
    curved_functions(pair, rows, changes)
  )
}

# As spectral_size(), of a matrix with as many rows as there are of the fit: by row sums where that
# is too large to be decomposed.
gram_size <- function(gram, rounding) {
  if (nrow(gram) <= 500L) {
    return(spectral_size(gram, rounding))
  }
  sqrt(max(rowSums(abs(gram))) * (1 + 1e-8) + rounding)
}

ball_functions <- function(pair, rows, changes) {
  kappa <- pair$mu * pair$total
  fenchel <- (sum(pair$excess) + changes$excess) * (1 + 1e-14 * rows$n)
  own <- (sqrt(fenchel / kappa) + pair$apart) * (1 + 1e-12)
  far <- sqrt(rows$squares)
  size <- if (is.null(rows$gram)) Inf else {
    mass <- abs(changes$mass) * far
    gram_size(rows$gram * outer(changes$mass, changes$mass), rows$rounding * sum(mass^2))
  }
  ball_moves(changes, kappa, own, abs(changes$mass) * far, size, rows$rounding,
             function(new, which) function_products(rows, new, which))
}

tilted_functions <- function(pair, rows, changes) {
  h <- pair$loss$tilt(pair$a, pair$y)
  mass <- pair$omega * h
  total <- sum(mass)
  if (!is.finite(total) || total <= 0) {
    return(NULL)
  }
  kappa <- pair$mu * pair$total
  long <- max(sqrt(rows$squares))
  # products with the centre c = sum_j mass_j k(x_j, .)/total
  along <- space_times(rows, mass / total)
  square <- sum(mass * along) / total
  apart <- sqrt(square_above(rows$squares - 2 * along + square, 8 * rows$rounding * long^2))
  tilt <- list(kappa = kappa, total = total, reach = min(pair$loss$reach, 1),
               own = kappa * pair$apart, rounding = 4 * rows$rounding * total * long,
               excess = tilted_excess(pair, h, changes$excess))
  size <- if (is.null(rows$gram)) Inf else {
    around <- rows$gram - outer(along, along, `+`) + square
    gram_size(around * outer(changes$mass, changes$mass),
              8 * rows$rounding * long^2 * sum(changes$mass^2) * rows$n)
  }
  tilted_sets(tilt, changes, mass, apart, size, function(new, which) {
    values <- function_products(rows, new, which)
    of_centre <- colSums(mass * values) / total
    own <- new$squares[which]
    longest <- sqrt(own) + long
    far <- sqrt(square_above(own - 2 * of_centre + square, 8 * rows$rounding * longest^2))
    list(far = far, noise = 8 * rows$rounding * abs(changes$mass) * long, noise_of = longest,
         inner = values - outer(along, of_centre, `+`) + square)
  })
}

curved_functions <- function(pair, rows, changes) {
  score <- pair$z - pair$b
  pair$w_squared <- judged_square(sum(pair$w * score), rows$rounding * pair$size^2)
  ellipsoid <- kernel_ellipsoid(pair, rows)
  if (is.null(ellipsoid)) {
    return(NULL)
  }
  # the fit's function is that of its dual point but for a length of `apart`
  ellipsoid$nu <- ellipsoid$nu + sqrt(pair$mu) * pair$apart
  metric <- function(values) {
    white <- ellipsoid$white(values[ellipsoid$used, , drop = FALSE])
    list(white = white, last = if (pair$free) 1 - drop(crossprod(ellipsoid$one, white)))
  }
  product <- function(values, a, b) {
    border <- if (pair$free) outer(a$last, b$last) / ellipsoid$mass else 0
    (values - crossprod(a$white, b$white) + border) / ellipsoid$kappa * pair$total
  }
  of_rows <- metric(ellipsoid$values)
  slack <- function(own, at) {
    ellipsoid$rounding * (own + if (pair$free) at$last^2 / ellipsoid$mass else 0) /
      ellipsoid$kappa * pair$total
  }
  # their relative error, of the rows and of those to predict
  error <- sqrt(slack(rows$squares, of_rows)) / pmax(ellipsoid$norms, 1e-300)
  steep <- (abs(changes$pull) + changes$wobble) / pair$total
  gram <- product(ellipsoid$values, of_rows, of_rows) * outer(steep, steep)
  size <- gram_size(gram, 4 * sum((steep * ellipsoid$norms * error)^2))
  curved_sets(pair, changes, ellipsoid, size, function(new, which) {
    values <- function_products(rows, new, which)
    at <- metric(values)
    own <- new$squares[which]
    border <- if (pair$free) at$last^2 / ellipsoid$mass else 0
    off <- slack(own, at)
    square <- square_above((own - colSums(at$white^2) + border) / ellipsoid$kappa * pair$total, off)
    list(far = sqrt(square), error = 4 * max(error) * sqrt(off / pmax(square, 1e-300)),
         inner = product(values, of_rows, at))
  })
}

# The Hessian of the logistic and the squared loss at the fit, in function space. With
# D = diag(omega phi'')^(1/2), M = kappa I + D K D and Mi = D M^{-1} D, a function v with the values
# p at the rows, and an entry s for a free intercept,
#   |(v, s)|^2_{H^-1} = (1/kappa) [|v|^2 - p'Mi p + (s - 1'Mi p)^2 / (1'Mi 1)],
# the last term for a free intercept alone. The matrix is factored up to 2,000 rows.
kernel_ellipsoid <- function(pair, rows) {
  n <- length(pair$y)
  if (!pair$loss$name %in% c("logistic", "squared") || n > largest_hessian) {
    return(NULL)
  }
  used <- which(pair$omega > 0)
  total <- pair$total
  kappa <- pair$mu * total
  bend <- (pair$omega * pair$loss$curvature(pair$z, pair$y))[used]
  d <- sqrt(bend)
  values <- rows$gram[used, , drop = FALSE]
  root <- tryCatch(chol(d * values[, used, drop = FALSE] * rep(d, each = length(used)) +
                          diag(kappa, length(used))), error = function(condition) NULL)
  if (is.null(root)) {
    return(NULL)
  }
  white <- function(p) backsolve(root, d * p, transpose = TRUE)
  one <- if (pair$free) white(matrix(1, length(used)))
  mass <- sum(one^2)
  own <- rows$squares
  eps <- rows$rounding
  # of the factor in units of its least eigenvalue, kappa, and of the kernel values
  trace <- sum(bend * own[used])
  rounding <- 8 * (n + 4) * unit_roundoff * (n * kappa + trace) / kappa +
    8 * eps * (trace / kappa + 1) + 8 * max(pair$z_rounding)
  if (!is.finite(rounding) || rounding > 1e-4 || (pair$free && mass <= 0)) {
    return(NULL)
  }
  # squares in the norm, and what rounding can have done to them
  squared <- function(size, p, s) {
    w <- white(p)
    last <- if (pair$free) (s - drop(crossprod(one, w)))^2 / mass else 0
    slack <- rounding * (size + last) / kappa
    list(value = judged_square((size - colSums(w^2) + last) / kappa, slack), slack = slack)
  }
  h <- squared(own, values, 1)
  slope <- pair$loss$left(pair$z, pair$y)
  off <- pair$omega * (slope - pair$a)
  off_size <- sum(abs(off) * sqrt(own))
  p <- space_times(rows, off)
  off_square <- square_above(sum(off * p), eps * off_size^2)
  G <- squared(off_square, matrix(p[used]), sum(pair$omega * slope))
  # scores that are off by e move slopes by e/gamma
  wobble <- pair$omega * (pair$z_rounding / pair$loss$gamma + 4 * unit_roundoff)
  nu <- sqrt(G$value + G$slack) + sum(wobble * sqrt(own)) / sqrt(kappa) +
    if (pair$free) sum(wobble) / sqrt(kappa * mass) else 0
  f <- pair$z - pair$b
  pull <- squared(pair$w_squared + eps * pair$size^2, matrix(f[used]), 0)
  above <- h$value + h$slack
  if (!all(is.finite(c(above, nu, pull$value)))) {
    return(NULL)
  }
  below <- ifelse(own > 0 | pair$free, (h$value - h$slack) / above, 1)
  if (min(below) < 0.5) {
    return(NULL)
  }
  list(norms = sqrt(above * total), reach = sqrt(max(above[used]) * total),
       nu = nu / sqrt(total) * (1 + 1e-10), inflation = (1 / min(below))^(1 / 4) * (1 + 1e-10),
       white = white, one = one, mass = mass, used = used, kappa = kappa, rounding = rounding,
       values = rows$gram, own = own, total = total, free = pair$free,
       pull = sqrt((pull$value + pull$slack) * total))
}

# By steps with the Hessian of the fit; none for a loss with kinks.
solve_functions <- function(pair, rows, new, changes) {
  hessian <- space_hessian(pair, rows)
  function(chosen, some) {
    lapply(seq_along(chosen), function(k) {
      i <- some[[k]]
      if (is.null(hessian)) {
        return(matrix(rep(c(-Inf, Inf), each = length(i)), ncol = 2L))
      }
      is_open <- function(ends) any(ends[i, 1L] < 0 & ends[i, 2L] >= 0)
      ends <- settled_function_ends(pair, rows, new, changes, hessian, chosen[k], is_open)
      ends[i, , drop = FALSE]
    })
  }
}

# The pair with row j changed; NULL where no or one class is left.
changed_row <- function(pair, changes, j) {
  left <- pair
  left$y <- replace(pair$y, j, changes$y[j])
  left$omega <- replace(pair$omega, j, changes$omega[j])
  total <- sum(left$omega)
  # rule "cost": the penalty is that of the fit beside the sum of losses
  left$mu <- pair$mu * pair$total / total
  if (total > 0 && class_left(left, list(integer())) == 0) left
}

# Steps -H_j^{-1} G_j, with the Hessian of the fit and the rank-one change of row j in it; then the
# ball of the pair they lead to; what that leaves open has Hessians of its own.
settled_function_ends <- function(pair, rows, new, changes, hessian, j, is_open) {
  left <- changed_row(pair, changes, j)
  if (is.null(left)) {
    return(matrix(rep(c(-Inf, Inf), each = nrow(new$frame$x)), ncol = 2L))
  }
  omega <- left$omega
  unit <- replace(numeric(rows$n), j, 1)
  hx <- space_solve(hessian, rows, unit, 1)
  at_row <- function(step) space_times(rows, step$w)[j] + if (pair$free) step$b else 0
  change <- (omega[j] - pair$omega[j]) * pair$loss$curvature(pair$z[j], pair$y[j])
  bent <- change / (1 + change * at_row(hx))
  best <- NULL
  size <- Inf
  for (step in 1:4) {
    left <- space_pair(replace(left, "a", list(pair$loss$left(left$z, left$y))), rows)
    if (!is.finite(left$radius) || left$radius >= size) break
    best <- left
    size <- left$radius
    if (size <= 1e-9 * left$length) break
    pull <- omega * pair$loss$left(left$z, left$y)
    step <- space_solve(hessian, rows, hessian$kappa * left$w + pull, sum(pull))
    left$w <- left$w - step$w + bent * at_row(step) * hx$w
    z <- space_times(rows, left$w)
    if (pair$free) {
      left$b <- drop(best_offsets(pair$loss, cbind(z), left$y, cbind(omega), left$b))
    }
    left$z <- z + left$b
    if (!all(is.finite(left$z))) break
  }
  make <- function(a, b, w) {
    space_pair(utils::modifyList(best, list(a = a, b = b, w = w)), rows)
  }
  ends_of <- function(pair) {
    regions <- regions_of_functions(question_of_functions(list(pair), rows), rows)
    function_intervals(regions, rows, new$frame)[[1L]]
  }
  ends <- ends_of(best)
  # a factor for this row alone is worth its price where it is small
  for (step in seq_len(if (rows$n <= 500L) 3L else 0L)) {
    if (!is_open(ends)) break
    best <- smallest_ball(c(list(best), newton_functions(make, best, rows)))
    ends <- narrowed(ends, ends_of(best))
  }
  ends
}
