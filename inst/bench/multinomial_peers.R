# margin_linear(multiclass = ) beside programs that solve the same problem of all classes: softmax
# against glmnet (a ridge with free intercepts) and nnet (penalised intercepts: what multinom() calls,
# but for its reference class), Crammer and Singer's machine against LiblineaR type 4. One process, in
# turns, CPU seconds of one thread.
#
# Standardised dense columns or counts as they are. Ours is timed as the whole call, which stops when
# its certificate is at the accuracy. Of a peer's coefficients the objective is computed here; it is
# credited with the loosest of its tolerances, in powers of ten, whose value is within the accuracy of
# the optimum, known from a certificate at 1e-9. glmnet is called for the one penalty and for a path
# of twenty that ends there; the faster of the two that is accurate counts. Ratios are ours / peer,
# medians over rounds.
#
# Usage: Rscript multinomial_peers.R [folder for the results] [--rounds=5] [--sets=regex] [--resume]
# writes: multinomial_peers.csv
# depends: core src/linear src/multiclass.cpp R/multiclass.R
# seeds: 1

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
rounds <- as.integer(option("rounds", "5", spot = "1"))
given_up <- 20 # seconds of a peer's run after which no tighter tolerance is tried

shared <- function(name, take) {
  data <- data_or_null(name)
  if (!is.null(data)) take(data)
}
sets <- list(
  iris = function() list(x = scale(as.matrix(iris[1:4])), y = iris$Species),
  "normal, 2,000 x 50, 5 classes" = function() {
    set.seed(1)
    x <- scale(matrix(stats::rnorm(100000), 2000))
    list(x = x, y = factor(max.col(x[, 1:5] + matrix(stats::rnorm(10000), 2000))))
  },
  "covtype, 10,000 x 54, 7 classes" = function() {
    shared("covtype_sub92962_7", function(data) {
      at <- seq(1, nrow(data$x), length.out = 10000)
      x <- scale(as.matrix(data$x)[at, ])
      list(x = x[, is.finite(colSums(x))], y = factor(data$y[at]))
    })
  },
  "imdb, 5,000 reviews, 8 ratings" = function() {
    shared("imdb", function(data) {
      at <- seq(1, nrow(data$x), by = 5)
      x <- data$x[at, ]
      list(x = log1p(x[, Matrix::colSums(x) > 0]), y = factor(data$y[at]))
    })
  }
)
cells <- rbind(
  expand.grid(model = "softmax", peers = "glmnet", intercept = "free",
              lambda = c(1e-1, 1e-2, 1e-4), stringsAsFactors = FALSE),
  expand.grid(model = "softmax", peers = "nnet", intercept = "penalized",
              lambda = c(1e-1, 1e-2, 1e-4), stringsAsFactors = FALSE),
  expand.grid(model = "crammer_singer", peers = "LiblineaR", intercept = "penalized",
              lambda = c(1e-1, 1e-2, 1e-4), stringsAsFactors = FALSE)
)
accuracy <- 1e-6
keys <- c("set", "model", "peer", "lambda")

ours <- function(data, cell, tol) {
  timed(margin_linear(data$x, data$y, multiclass = cell$model,
                      loss = if (cell$model == "softmax") "logistic" else "hinge",
                      lambda = cell$lambda, mixture = 0, intercept = cell$intercept, scale = FALSE,
                      solver = "auto",
                      control = margin_control(tol = tol, threads = 1, seed = 1, progress = FALSE,
                                               max_epochs = 20000)))
}

# Each gives w (columns x classes) and the intercepts b.
peers <- list(
  glmnet = function(data, cell, tol, path) {
    lambda <- if (path) cell$lambda * exp(seq(log(1e3), 0, length.out = 20)) else cell$lambda
    run <- timed(glmnet::glmnet(data$x, data$y, family = "multinomial", alpha = 0, lambda = lambda,
                                standardize = FALSE, thresh = tol, maxit = 1e6))
    if (is.null(run$error)) {
      last <- length(run$value$lambda)
      run$w <- vapply(run$value$beta, function(b) as.vector(b[, last]), numeric(ncol(data$x)))
      run$b <- run$value$a0[, last]
    }
    run
  },
  nnet = function(data, cell, tol, path) {
    classes <- nnet::class.ind(data$y)
    run <- timed(nnet::nnet(as.matrix(data$x), classes, size = 0, skip = TRUE, softmax = TRUE,
                            decay = cell$lambda * nrow(data$x) / 2, trace = FALSE, maxit = 10000,
                            reltol = tol, abstol = 0, rang = 0, MaxNWts = 1e6))
    if (is.null(run$error)) {
      all <- matrix(run$value$wts, ncol = nlevels(data$y))
      run$w <- all[-1L, ]
      run$b <- all[1L, ]
    }
    run
  },
  LiblineaR = function(data, cell, tol, path) {
    x <- if (isS4(data$x)) methods::as(data$x, "RsparseMatrix") else data$x
    x <- if (isS4(x)) {
      methods::new("matrix.csr", ra = x@x, ja = x@j + 1L, ia = x@p + 1L, dimension = dim(x))
    } else x
    run <- timed(LiblineaR::LiblineaR(x, data$y, type = 4, cost = 1 / (cell$lambda * nrow(data$x)),
                                      bias = 1, epsilon = tol))
    if (is.null(run$error)) {
      all <- t(run$value$W)[, match(levels(data$y), run$value$ClassNames)]
      run$w <- all[-nrow(all), ]
      run$b <- all[nrow(all), ]
    }
    run
  }
)

objective <- function(data, cell, run) {
  z <- sweep(as.matrix(data$x %*% run$w), 2L, run$b, `+`)
  y <- as.integer(data$y)
  own <- z[cbind(seq_along(y), y)]
  losses <- if (cell$model == "softmax") {
    top <- apply(z, 1L, max)
    top + log(rowSums(exp(z - top))) - own
  } else {
    s <- z + 1
    s[cbind(seq_along(y), y)] <- own
    apply(s, 1L, max) - own
  }
  mean(losses) + cell$lambda / 2 * (sum(run$w^2) + if (cell$intercept == "penalized")
    sum(run$b^2) else 0)
}

# The loosest tolerance with which a peer is accurate, and how it is called; NULL: none in time.
loosest <- function(peer, data, cell, bound) {
  best <- NULL
  for (path in if (cell$peers == "glmnet") c(FALSE, TRUE) else FALSE) {
    for (tol in 10^-(1:14)) {
      run <- peer(data, cell, tol, path)
      if (is.null(run$error) && objective(data, cell, run) - bound <= accuracy * bound) {
        if (is.null(best) || run$cpu < best$cpu) best <- list(tol = tol, path = path, cpu = run$cpu)
        break
      }
      if (run$cpu > given_up) break
    }
  }
  best
}

# A run of less than 50 ms is repeated until the clock can tell.
cpu_of <- function(run) {
  first <- run()$cpu
  if (first > 0.05) {
    return(first)
  }
  times <- min(100, ceiling(0.1 / max(first, 1e-3)))
  start <- cpu_clock()
  for (k in seq_len(times)) run()
  (cpu_clock() - start) / times
}

for (set in grep(option("sets", ".", spot = "iris"), names(sets), value = TRUE)) {
  data <- sets[[set]]()
  if (is.null(data)) next
  for (k in seq_len(nrow(cells))) {
    cell <- cbind(set, cells[k, ], peer = cells$peers[k])
    if (done_before(cell, "multinomial_peers.csv", keys)) next
    if (!requireNamespace(cell$peers, quietly = TRUE)) next
    if (isS4(data$x) && cell$peers != "LiblineaR") next
    if (isS4(data$x) && !requireNamespace("SparseM", quietly = TRUE)) next
    peer <- peers[[cell$peers]]
    best <- certificate(ours(data, cell, 1e-9)$value)
    setting <- loosest(peer, data, cell, best$bound)
    times <- replicate(rounds, c(
      ours = cpu_of(function() ours(data, cell, accuracy)),
      peer = if (is.null(setting)) NA else
        cpu_of(function() peer(data, cell, setting$tol, setting$path))
    ))
    fit <- ours(data, cell, accuracy)$value
    row <- data.frame(
      set, model = cell$model, peer = cell$peers, intercept = cell$intercept, lambda = cell$lambda,
      cpu = stats::median(times["ours", ]), ratio = stats::median(times["ours", ] / times["peer", ]),
      outcome = if (is.null(setting)) "not reached" else "reached",
      peer_tol = if (is.null(setting)) NA_real_ else setting$tol,
      peer_path = if (is.null(setting)) NA else setting$path,
      solver = fit$status$solver[1L], epochs = fit$status$epochs[1L],
      relative_gap = certificate(fit)$relative_gap,
      value = certificate(fit)$value, rounds, seed = 1
    )
    print(row, row.names = FALSE, digits = 3)
    # LiblineaR draws its order: it may be credited with the next tolerance, at another ratio
    keep_table(row, "multinomial_peers.csv", keys, cell$peers, skip = c("peer_tol", "ratio"))
  }
}
