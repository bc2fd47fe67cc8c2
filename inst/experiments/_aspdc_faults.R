# Part of aspdc.R, which has the data and the functions fit(), optimum() and note(): three faults of
# the program that the paper's figures were made with, each beside the right computation.

# ---- Fault 1: covtype read with the labels "2" left out ----

# The authors' reader skips a token "2", which is the label of one class: every label left is 1, and
# the features of a skipped row run on in the row before it. Multiplying a row and its label by -1
# changes nothing, so half the rows are written as the other class.
one_class <- function(x) {
  sign <- rep_len(c(1, -1), nrow(x))
  list(x = methods::as(Matrix::Diagonal(x = sign) %*% x, "CsparseMatrix"), y = sign)
}
run_on <- function(data, skipped) {
  first <- match(TRUE, data$y != skipped)
  within <- first:nrow(data$x)
  row <- cumsum(data$y[within] != skipped)
  join <- Matrix::sparseMatrix(row, seq_along(row), x = 1)
  x <- data$x[within, ]
  squares <- 1 + drop(as.matrix(join %*% Matrix::rowSums(x^2)))
  methods::as(Matrix::Diagonal(x = 1 / sqrt(squares)) %*% cbind(1, join %*% x), "CsparseMatrix")
}
readings <- if ("covtype" %in% names(sets)) {
  covtype <- margin_data("covtype_sub92962")
  list("two classes" = sets$covtype, "all labels 1" = one_class(sets$covtype$x),
       "all labels 1, rows of class -1 run on" = one_class(run_on(covtype, -1)),
       "all labels 1, rows of class 1 run on" = one_class(run_on(covtype, 1)))
}
for (reading in names(readings)) {
  for (lambda in 10^-(6:8)) {
    best <- optimum(readings[[reading]], lambda)
    note("fault: covtype", "covtype", lambda, reading, "optimum", best$value, best$relative_gap)
  }
}

# ---- Faults 2 and 3, in plain R on a9a at lambda = 1e-6 ----

a9a <- if ("a9a" %in% names(sets)) sets$a9a else prepared("a9a")
n <- nrow(a9a$x)
y <- a9a$y
by_row <- Matrix::t(a9a$x)
columns <- split(by_row@i + 1L, rep(seq_len(n), diff(by_row@p)))
entries <- split(by_row@x, rep(seq_len(n), diff(by_row@p)))
lambda <- 1e-6
primal <- function(w) {
  m <- y * drop(as.matrix(a9a$x %*% w))
  mean(ifelse(m <= 0, 0.5 - m, pmax(0, 1 - m)^2 / 2)) + lambda / 2 * sum(w^2)
}

# SVRG with the slope of the loss, and with the slope that lacks the factor y where 0 < yz < 1.
svrg_plain <- function(faulty, stages, seed) {
  slope <- function(z, y) {
    m <- y * z
    ifelse(m >= 1, 0, ifelse(m <= 0, -y, (m - 1) * if (faulty) 1 else y))
  }
  set.seed(seed)
  w <- numeric(nrow(by_row))
  for (stage in seq_len(stages)) {
    at_snapshot <- slope(drop(as.matrix(a9a$x %*% w)), y)
    mu <- drop(as.matrix(by_row %*% at_snapshot)) / n
    for (i in sample.int(n, 2L * n, replace = TRUE)) {
      j <- columns[[i]]
      x <- entries[[i]]
      m <- y[i] * sum(x * w[j])
      s <- if (m >= 1) 0 else if (m <= 0) -y[i] else (m - 1) * (if (faulty) 1 else y[i])
      w <- w - 0.1 * (mu + lambda * w)
      w[j] <- w[j] - 0.1 * (s - at_snapshot[i]) * x
    }
  }
  primal(w)
}
# ASDCA with momentum from the last result, and from the last extrapolated point.
asdca_plain <- function(faulty, target, most, seed) {
  kappa <- 1 / n - lambda
  eta <- sqrt(lambda / 2 / (lambda / 2 + kappa))
  beta <- (1 - eta) / (1 + eta)
  set.seed(seed)
  b <- numeric(n)
  last <- centre <- sum_ax <- numeric(nrow(by_row))
  for (stage in seq_len(most)) {
    w <- (kappa * centre - sum_ax / n) / (lambda + kappa)
    for (i in sample.int(n, 2L * n, replace = TRUE)) {
      j <- columns[[i]]
      x <- entries[[i]]
      new <- b[i] + (y[i] * sum(x * w[j]) - 1 - b[i]) / (1 + 1 / (n * (lambda + kappa)))
      new <- max(-1, min(0, new))
      w[j] <- w[j] - y[i] * (new - b[i]) / (n * (lambda + kappa)) * x
      b[i] <- new
    }
    sum_ax <- drop(as.matrix(by_row %*% (y * b)))
    dual <- -mean(b + b^2 / 2) - sum((sum_ax / n)^2) / (2 * lambda)
    if (primal(w) - dual <= target) {
      return(2 * stage)
    }
    centre <- w + beta * (w - if (faulty) centre else last)
    last <- w
  }
  NA_real_
}
# The same rows are drawn with the fault and without.
of_seeds <- function(one) vapply(seeds, one, 0)
if ("a9a" %in% names(sets)) {
  for (faulty in c(FALSE, TRUE)) {
    note("fault: SVRG", "a9a", lambda, if (faulty) "slope without y" else "slope with y",
         "value after 12 stages", of_seeds(function(seed) svrg_plain(faulty, 12, seed)))
    note("fault: ASDCA", "a9a", lambda, if (faulty) "momentum from y" else "momentum from w",
         "epochs", of_seeds(function(seed) asdca_plain(faulty, 1e-4, 60, seed)), 1e-4)
    message(format(Sys.time(), "%T "), "faults", if (!faulty) ", and without")
  }
}
