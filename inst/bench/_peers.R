# Part of linear_peers.R: the peers. A peer is a list of
#   name, and of the calls it is made for: serves(cell, data), TRUE where it solves this problem
#   run(data, cell, tol): list(seconds, cpu, w, b), only the call itself timed; error if it fails
#   ladder: its own tolerances from loose to tight
# A cell is loss, mixture (0 ridge, 1 lasso), lambda, intercept. Data are x (rows), columns (the
# same, dgCMatrix), y in -1, +1, dense. The conversions between them are kept out of all times.

peer <- function(name, losses, mixtures, run, ladder = 10^-(1:10), serves = NULL) {
  list(name = name, run = run, ladder = ladder, serves = function(cell, data) {
    cell$loss %in% losses && cell$mixture %in% mixtures &&
      (is.null(serves) || serves(cell, data))
  })
}
without_intercept <- function(cell, data) cell$intercept == "none"

# ---- LiblineaR ---------------------------------------------------------------------------------
# The unit of its cost is that of the package's table of other packages' problems. It takes a
# dgRMatrix as it is.
liblinear_models <- dualmargin:::peer_models("LiblineaR")
liblinear <- function(type, loss, mixture = 0) {
  regression <- type >= 11
  unit <- as.numeric(liblinear_models$cost[liblinear_models$model == paste("type =", type)])
  run <- function(data, cell, tol) {
    n <- length(data$y)
    cost <- 1 / (unit * cell$lambda * n)
    fit <- timed(LiblineaR::LiblineaR(
      data$x, data$y, type = type, cost = cost, epsilon = tol, bias = 0,
      svr_eps = if (regression) 0 else NULL
    ))
    if (is.null(fit$error)) {
      side <- if (regression) 1 else fit$value$ClassNames[1L]
      fit$w <- drop(fit$value$W)[seq_len(ncol(data$x))] * side
      fit$value <- NULL
    }
    fit
  }
  peer(paste("LiblineaR, type", type), loss, mixture, run, serves = without_intercept)
}

# ---- glmnet ------------------------------------------------------------------------------------
# Its help asks for a decreasing sequence of lambda: five a decade from where the model is small.
path_down <- function(data, cell) {
  slope <- if (cell$loss == "logistic") 0.5 else 1
  top <- slope * max(abs(Matrix::crossprod(data$columns, data$y))) / length(data$y)
  if (top <= cell$lambda) return(cell$lambda)
  steps <- ceiling(5 * log10(top / cell$lambda)) + 1
  exp(seq(log(top), log(cell$lambda), length.out = max(2, steps)))
}
glmnet_peer <- function(whole) {
  run <- function(data, cell, tol) {
    family <- if (cell$loss == "logistic") "binomial" else "gaussian"
    sequence <- if (whole) path_down(data, cell) else cell$lambda
    fit <- timed({
      setTimeLimit(elapsed = 30, transient = TRUE)
      on.exit(setTimeLimit())
      y <- if (family == "binomial") factor(data$y) else data$y
      dualmargin:::precise_glmnet(data$columns, y, family = family, alpha = cell$mixture,
                                  lambda = sequence, standardize = FALSE, intercept = FALSE,
                                  thresh = tol, maxit = 1e6)
    })
    setTimeLimit()
    if (is.null(fit$error) && length(fit$value$lambda) == length(sequence)) {
      fit$w <- as.vector(fit$value$beta[, length(sequence)])
    } else if (is.null(fit$error)) {
      fit$error <- "stopped before the last lambda"
    }
    fit$value <- NULL
    fit
  }
  name <- if (whole) "glmnet, path down to lambda" else "glmnet, lambda alone"
  peer(name, c("logistic", "squared"), c(0, 1), run, 10^-(5:14), serves = without_intercept)
}

# ---- adelie ------------------------------------------------------------------------------------
# Its loss is the mean over the rows and its ridge lambda / 2, as ours; early_exit would end a path
# where 0.9 of the deviance is explained. Its help has covariances for tall matrices, which glmnet
# turns to by itself. Past the time limit it is interrupted, which is no error. No step of the
# Makefile installs it: it compiles for ten minutes, with gcc 12 (adelie 1.0.10) by
# CXX17FLAGS += -include atomic alone.
adelie_fit <- function(data, cell, tol, sequence, covariances) {
  n <- length(data$y)
  if (covariances) {
    return(adelie::gaussian_cov(
      as.matrix(Matrix::crossprod(data$columns)) / n,
      as.vector(Matrix::crossprod(data$columns, data$y)) / n, alpha = cell$mixture,
      lmda_path = sequence, tol = tol, rdev_tol = 0, max_iters = 1e6L, early_exit = FALSE
    ))
  }
  glm <- if (cell$loss == "logistic") adelie::glm.binomial(as.numeric(data$y > 0)) else
    adelie::glm.gaussian(data$y)
  adelie::grpnet(data$columns, glm, alpha = cell$mixture, lambda = sequence, standardize = FALSE,
                 intercept = FALSE, tol = tol, irls_tol = tol, max_iters = 1e6L, adev_tol = 1,
                 early_exit = FALSE)$state
}
adelie_peer <- function(whole, covariances = FALSE) {
  run <- function(data, cell, tol) {
    sequence <- if (whole) path_down(data, cell) else cell$lambda
    fit <- timed({
      setTimeLimit(elapsed = 30, transient = TRUE)
      on.exit(setTimeLimit())
      tryCatch(adelie_fit(data, cell, tol, sequence, covariances),
               interrupt = function(condition) stop("more than 30 s"))
    })
    setTimeLimit()
    betas <- fit$value$betas
    fit$value <- NULL
    if (is.null(fit$error) && nrow(betas) == length(sequence)) {
      fit$w <- betas[length(sequence), ]
    } else if (is.null(fit$error)) {
      fit$error <- "stopped before the last lambda"
    }
    fit
  }
  name <- paste0("adelie, ", if (covariances) "covariances, ",
                 if (whole) "path down to lambda" else "lambda alone")
  peer(name, c(if (!covariances) "logistic", "squared"), c(0, 1), run, 10^-(3:14),
       serves = function(cell, data) {
         without_intercept(cell, data) && (!covariances || ncol(data$x) <= 5000)
       })
}

# ---- e1071 -------------------------------------------------------------------------------------
# Its intercept is free, and its kernel solver is meant for thousands of rows.
libsvm_peer <- function() {
  run <- function(data, cell, tol) {
    fit <- timed(e1071::svm(data$columns_dense, factor(data$y, c(1, -1)), kernel = "linear",
                            scale = FALSE, type = "C-classification", tolerance = tol,
                            cost = 1 / (cell$lambda * length(data$y))))
    if (is.null(fit$error)) {
      side <- if (data$y[1L] == 1) 1 else -1
      fit$w <- drop(crossprod(fit$value$coefs, fit$value$SV)) * side
      fit$b <- -fit$value$rho * side
      # The sign of libsvm's decision follows the class it met first; the better one is meant.
      if (objective(data, cell, -fit$w, -fit$b) < objective(data, cell, fit$w, fit$b)) {
        fit$w <- -fit$w
        fit$b <- -fit$b
      }
      fit$value <- NULL
    }
    fit
  }
  peer("e1071::svm", "hinge", 0, run, 10^-(1:8), serves = function(cell, data) {
    cell$intercept == "free" && length(data$y) <= 10000
  })
}

# ---- scikit-learn ------------------------------------------------------------------------------
# A child that keeps the matrix and answers one fit at a time, so that its runs too are interleaved
# with ours. Where no python3 has scikit-learn its peers are left out, and the script says so.
source(file.path(home, "_python.R"))
child <- new.env()

child_start <- function(data, script) {
  child_stop()
  folder <- tempfile("sklearn")
  dir.create(folder)
  put <- function(value, name, ...) writeBin(value, file.path(folder, name), endian = "little")
  put(as.double(data$y), "y")
  if (data$dense) {
    put(as.double(t(data$x)), "data")
  } else {
    put(data$x@x, "data")
    put(data$x@j, "indices")
    put(data$x@p, "indptr")
  }
  writeLines(paste(nrow(data$x), ncol(data$x), if (data$dense) "dense" else "csr"),
             file.path(folder, "shape.txt"))
  child$folder <- folder
  child$data <- data
  child$script <- script
  child$number <- 0L
  child$input <- pipe(paste("exec", python, shQuote(script), shQuote(folder)), "w")
  ready <- file.path(folder, "ready")
  while (!file.exists(ready)) Sys.sleep(0.05)
  child$pid <- as.integer(readLines(ready, warn = FALSE))
}

child_stop <- function(kill = FALSE) {
  if (is.null(child$input)) return(invisible())
  if (kill) tools::pskill(child$pid, tools::SIGKILL)
  try(close(child$input), silent = TRUE)
  unlink(child$folder, recursive = TRUE)
  child$input <- NULL
}

child_fit <- function(words, limit = 30) {
  answer <- file.path(child$folder, "answer.json")
  unlink(answer)
  child$number <- child$number + 1L
  start <- clock()
  cat(child$number, words, "\n", file = child$input)
  flush(child$input)
  while (!file.exists(answer)) {
    if (clock() - start > limit) {
      child_stop(kill = TRUE)
      child_start(child$data, child$script)
      return(list(seconds = limit, cpu = NA, error = sprintf("more than %g s", limit)))
    }
    Sys.sleep(min(0.05, 0.002 + (clock() - start) / 20))  # it times itself; do not disturb it
  }
  text <- readLines(answer, warn = FALSE)
  if (grepl("\"error\"", text)) return(list(seconds = clock() - start, cpu = NA, error = text))
  number <- function(name) as.numeric(sub(sprintf(".*\"%s\": ([-+0-9.e]+).*", name), "\\1", text))
  list(seconds = number("seconds"), cpu = number("cpu"),
       w = readBin(file.path(child$folder, "w"), "double", ncol(child$data$x), endian = "little"))
}

sklearn <- function(estimator, solver, loss, mixtures = 0, ladder = 10^-(1:10), small = FALSE) {
  run <- function(data, cell, tol) {
    child_fit(c(estimator, cell$loss, if (cell$mixture == 1) "l1" else "l2",
                format(cell$lambda, digits = 17), solver, format(tol, digits = 17)))
  }
  peer(sprintf("sklearn %s, %s", estimator, solver), loss, mixtures, run, ladder,
       serves = function(cell, data) {
         without_intercept(cell, data) && (!small || ncol(data$x) <= 5000)  # dense columns^2
       })
}

all_peers <- function() {
  has <- function(name) requireNamespace(name, quietly = TRUE)
  c(
    if (has("LiblineaR")) list(
      liblinear(0L, "logistic"), liblinear(7L, "logistic"), liblinear(1L, "squared_hinge"),
      liblinear(2L, "squared_hinge"), liblinear(3L, "hinge"), liblinear(11L, "squared"),
      liblinear(12L, "squared"), liblinear(6L, "logistic", 1),
      liblinear(5L, "squared_hinge", 1)
    ),
    if (has("glmnet")) list(glmnet_peer(TRUE), glmnet_peer(FALSE)),
    if (has("adelie")) list(adelie_peer(TRUE), adelie_peer(FALSE), adelie_peer(TRUE, TRUE),
                            adelie_peer(FALSE, TRUE)),
    if (has("e1071")) list(libsvm_peer()),
    if (!is.null(python)) list(
      sklearn("LogisticRegression", "lbfgs", "logistic"),
      sklearn("LogisticRegression", "newton-cholesky", "logistic", small = TRUE),
      sklearn("LogisticRegression", "newton-cg", "logistic"),
      sklearn("LogisticRegression", "liblinear", "logistic", c(0, 1)),
      sklearn("LogisticRegression", "saga", "logistic", c(0, 1)),
      sklearn("LinearSVC", "dual", c("hinge", "squared_hinge")),
      sklearn("LinearSVC", "primal", "squared_hinge", c(0, 1)),
      sklearn("Ridge", "sparse_cg", "squared"),
      sklearn("Ridge", "lsqr", "squared"),
      sklearn("Ridge", "cholesky", "squared", ladder = 1e-6, small = TRUE)
    )
  )
}
