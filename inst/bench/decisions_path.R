# margin_path(everywhere = eps): how many fits until every lambda of [1e-4, 1] has a certified
# relative gap of at most eps.
#
# `fits` are all fits of the path, whose pieces are constant or interpolated, whichever proves more;
# `constant` are the fits that constant pieces alone take (a fit at each point from the top down, as
# far as its own certificate reaches on both sides; failed tries counted), `most` is the bound on
# their number that holds for every loss, log(hi/lo)/log((1 + sqrt(eps))/(1 - sqrt(eps))). `worst`
# is the largest relative suboptimality of the coefficients that the path gives at --check random
# lambdas, over the optimal value known from fits at 1e-12: it must not be above eps, and `above`
# counts the lambdas where it is above what certificate() says there. Seconds are of the clock,
# medians over rounds in which the path and a plain path of as many points, evenly spaced in log
# lambda, take turns.
#
# Usage: Rscript decisions_path.R [folder for the results] [--cells=regex] [--rounds=3]
#        [--check=20] [--most=5000]
# A cell is named like "a1a logistic 1e-03". `constant` is left out where `most` is above --most.
# writes: decisions_path.csv
# depends: R/path_everywhere.R src/along.cpp src/decide src/linear
# depends: R/margin_linear.R core
# seeds: 1 (solvers, random lambda)

library(dualmargin)
home <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(home, "_arguments.R"))
source(file.path(home, "_clock.R"))
source(file.path(home, "_table.R"))
source(file.path(home, "_decisions.R"))
rounds <- as.integer(option("rounds", "3"))
check <- as.integer(option("check", "20"))
most_fits <- as.integer(option("most", "5000"))
range <- c(1e-4, 1)

cells <- expand.grid(eps = c(1e-2, 1e-3, 1e-4, 1e-6),
                     loss = c("logistic", "squared_hinge", "hinge", "squared"),
                     data = c("a1a", "spambase"), stringsAsFactors = FALSE)
cells <- cells[cells$loss == "logistic" | cells$eps >= 1e-4, ]
label <- paste(cells$data, cells$loss, format(cells$eps, scientific = TRUE))

# ---- paths -------------------------------------------------------------------------------------
quiet <- margin_control(seed = 1, progress = FALSE)
whole_path <- function(data, cell) {
  margin_path(data$x, data$response, loss = loss_of(cell$loss), lambda = range, intercept = "free",
              scale = FALSE, everywhere = cell$eps, response_scale = FALSE, control = quiet)
}
plain_path <- function(data, cell, points, tol) {
  margin_path(data$x, data$response, loss = loss_of(cell$loss),
              lambda = exp(seq(log(range[2L]), log(range[1L]), length.out = points)),
              intercept = "free", scale = FALSE, response_scale = FALSE,
              control = margin_control(tol = tol, seed = 1, progress = FALSE))
}
fit_at <- function(data, cell, lambda, tol) {
  margin_linear(data$x, data$response, loss = loss_of(cell$loss), lambda = lambda,
                intercept = "free", scale = FALSE, response_scale = FALSE,
                control = margin_control(tol = tol, seed = 1, progress = FALSE))
}

# From where to where the pair of a fit has a relative gap of at most eps: its gap at lambda is
# F + |lambda w + u|^2/(2 lambda), its value L + lambda |w|^2/2, which makes a quadratic in lambda.
reach <- function(fit, data, eps) {
  dual <- unname(drop(fit$dual))
  w <- unname(stats::coef(fit))[-1L]
  u <- drop(as.matrix(Matrix::crossprod(data$x, dual))) / length(dual)
  lambda <- fit$settings$lambda
  excess <- max(0, fit$certificate$gap - sum((lambda * w + u)^2) / (2 * lambda))
  loss <- fit$certificate$value - lambda / 2 * sum(w^2)
  a <- (1 - eps) * sum(w^2)
  b <- excess + sum(w * u) - eps * loss
  c <- sum(u^2)
  q <- sqrt(max(0, b^2 - a * c)) - b
  c(c / q, q / a)
}
constant_fits <- function(data, cell) {
  top <- range[2L]
  step <- log((1 + sqrt(cell$eps)) / (1 - sqrt(cell$eps))) / 2
  fits <- 0L
  while (top > range[1L]) {
    repeat {
      lambda <- top * exp(-step)
      ends <- reach(fit_at(data, cell, lambda, cell$eps / 100), data, cell$eps)
      fits <- fits + 1L
      if (ends[2L] >= top) break
      step <- step * 0.85
    }
    # as far down as the last one reached up
    step <- max(step, 0.97 * log(ends[2L] / lambda))
    top <- ends[1L]
  }
  fits
}

objective <- function(fit, data, coefficients, lambda) {
  z <- as.vector(data$x %*% coefficients[-1L]) + coefficients[[1L]]
  y <- if (is.factor(data$response)) 2 * as.integer(data$response) - 3 else data$response
  m <- y * z
  phi <- switch(fit$settings$loss$name, hinge = pmax(0, 1 - m), squared_hinge = pmax(0, 1 - m)^2,
                squared = (z - y)^2 / 2, logistic = pmax(0, -m) + log1p(exp(-abs(m))))
  mean(phi) + lambda * sum(coefficients[-1L]^2) / 2
}
# The relative suboptimality of what a path gives at random lambdas, and what it says of it.
checked <- function(path, data, cell) {
  set.seed(1)
  lambda <- exp(stats::runif(check, log(range[1L]), log(range[2L])))
  coefficients <- as.matrix(coef(path, lambda = lambda))
  said <- certificate(path, lambda = lambda)
  off <- vapply(seq_along(lambda), function(i) {
    best <- fit_at(data, cell, lambda[i], 1e-12)
    optimum <- certificate(best)$value
    objective(best, data, coefficients[, i], lambda[i]) - optimum
  }, 0)
  list(worst = max(off / said$value), above = sum(off > said$gap * (1 + 1e-6) + 1e-11),
       interpolated = mean(said$piece == "interpolated"))
}

# ---- one cell ----------------------------------------------------------------------------------
measure <- function(data, cell) {
  data$response <- if (cell$loss == "squared") 2 * as.integer(data$y) - 3 else data$y
  seconds <- matrix(NA_real_, rounds, 2L)
  points <- NULL
  for (round in seq_len(rounds)) {
    gc(FALSE)
    whole <- timed(whole_path(data, cell))
    path <- value_of(whole)
    plain <- timed(plain_path(data, cell, length(path$lambda), min(1e-6, cell$eps / 100)))
    value_of(plain)
    seconds[round, ] <- c(whole$seconds, plain$seconds)
  }
  most <- ceiling(diff(log(range)) / log((1 + sqrt(cell$eps)) / (1 - sqrt(cell$eps))))
  found <- checked(path, data, cell)
  every <- exp(seq(log(range[1L]), log(range[2L]), length.out = 2001L))
  data.frame(
    data = cell$data, loss = cell$loss, intercept = "free", eps = cell$eps,
    from = range[1L], to = range[2L], fits = length(path$lambda),
    proven = all(certificate(path, lambda = every)$certified),
    constant = if (most <= most_fits) constant_fits(data, cell) else NA_integer_,
    most = most, interpolated = found$interpolated, worst = found$worst, above = found$above,
    checked = check, seconds = stats::median(seconds[, 1L]),
    plain_seconds = stats::median(seconds[, 2L]),
    ratio = stats::median(seconds[, 1L] / seconds[, 2L]), rounds = rounds, seed = 1
  )
}

# ---- the run -----------------------------------------------------------------------------------
chosen <- which(grepl(option("cells", "."), label))
for (set in unique(cells$data[chosen])) {
  data <- problem_of(set)
  for (i in chosen[cells$data[chosen] == set]) {
    row <- measure(data, cells[i, ])
    print(row[setdiff(names(row), c("intercept", "from", "to", "seed"))], row.names = FALSE,
          digits = 3)
    keep_table(row, "decisions_path.csv", c("data", "loss", "intercept", "eps"),
               "decisions_path.R", "Matrix")
  }
}
