# The campaign's problems: one whole number names data, family, solver and settings.

one <- function(values, prob = NULL) values[[sample.int(length(values), 1L, prob = prob)]]
chance <- function(p) stats::runif(1L) < p
between <- function(low, high) stats::runif(1L, low, high)

fuzz_families <- c(linear = 0.32, kernel = 0.2, robust = 0.18, hard = 0.18, augmented = 0.12)

# What a case is: family, x, y, arguments of its constructor, and what is done beside one fit.
draw_case <- function(seed, family = NULL) {
  # the same draws whatever the caller's generator is
  RNGkind("Mersenne-Twister", "Inversion", "Rejection")
  set.seed(seed)
  drawn <- one(names(fuzz_families), fuzz_families)
  # by the number, so that the draws of older cases stay what they were
  if (is.null(family)) {
    family <- switch(as.character(seed %% 16), "7" = "joint", "11" = "kinked", drawn)
  }
  case <- switch(family, linear = draw_linear(), joint = draw_joint(), kernel = draw_kernel(),
                 robust = draw_robust(), hard = draw_hard(), augmented = draw_augmented(),
                 kinked = draw_kinked())
  case$seed <- seed
  if (family != "kinked") case$family <- if (family == "joint") "linear" else family
  family <- case$family
  case$again <- chance(0.06)
  case$storage <- one(c("dense", "dgC", "dgR", "dgT", "integer"), c(10, 2, 1, 1, 0.5))
  # a kernel of all pairs is one, a sparse matrix of Gaussian noise is dense
  if (isTRUE(case$dense)) case$storage <- "dense"
  case$args$control <- draw_control(case)
  # by the number, so that the draws of older cases stay what they were
  if (identical(case$args$loss$name, "huber") && seed %% 2 == 0) case$args$response_scale <- FALSE
  if (identical(case$args$loss$name, "huber") && seed %% 4 == 3) case <- with_kinks(case)
  case$args$loss <- with_unit(case$args$loss, family, seed)
  if (family == "linear" && case$k > 2L && !is.numeric(case$y) && seed %% 2 == 1 &&
        case$row$name %in% joint_solvers) {
    case <- as_joint(case, if (seed %% 4 == 1) "softmax" else "crammer_singer")
    case$args$control$solver_options <- list()
  }
  case
}

# A regression by Huber's loss becomes one by a loss with kinks, where the solver takes it.
with_kinks <- function(case) {
  losses <- list(loss_quantile(0.3), as_loss("absolute"), loss_epsilon_insensitive(0.1),
                 loss_epsilon_insensitive(1))
  loss <- losses[[(case$seed %/% 4) %% 4 + 1]]
  fits <- case$family %in% c("linear", "kernel") && case$k == 1L && is.numeric(case$y) &&
    solver_takes(case$row, loss, case$args$intercept, 0.5)
  if (fits) case$args$loss <- loss
  case
}

# In what Huber's delta counts: for a half of the cases the response, for a quarter a number, and for
# a quarter the residuals, where a family has that, so that each solver has a problem of its own.
with_unit <- function(loss, family, seed) {
  if (!identical(loss$name, "huber")) {
    return(loss)
  }
  unit <- switch((seed %/% 2) %% 4 + 1, "response", if (family == "linear") "residual" else
    "response", c(0.1, 0.5, 1, 20)[(seed %/% 8) %% 4 + 1], "response")
  loss_huber(loss$parameter[[1L]], unit)
}

stored_as <- function(x, storage) {
  # as(x, "CsparseMatrix") takes a matrix for symmetric that is so up to a tolerance
  at <- which(x != 0, arr.ind = TRUE)
  sparse <- function() Matrix::sparseMatrix(at[, 1L], at[, 2L], x = x[at], dims = dim(x))
  switch(
    storage, dense = x,
    integer = if (all(x == round(x) & abs(x) < 2^31)) {
      storage.mode(x) <- "integer"
      x
    } else x,
    dgC = sparse(),
    dgR = methods::as(sparse(), "RsparseMatrix"),
    dgT = methods::as(sparse(), "TsparseMatrix")
  )
}

draw_control <- function(case) {
  slow <- case$family %in% c("hard", "robust")
  epochs <- one(c(1, 2, 3, 10, 50, if (slow) 300 else 200, 1000), c(1, 1, 1, 2, 3, 6, 4))
  tol <- one(list(NULL, 1e-3, 1e-4, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12), c(6, 1, 1, 3, 2, 1, 1, 1))
  joint <- case$family == "linear" && !is.null(case$args$multiclass)
  options <- if (joint) list() else draw_options(case$row)
  seed <- sample.int(1e6, 1L)
  margin_control(tol = tol, max_epochs = epochs, max_seconds = 3, seed = seed, progress = FALSE,
                 certify_every_epoch = chance(0.15), solver_options = options,
                 threads = 1 + seed %% 3)
}

# A value here and there that is not the default.
draw_options <- function(row) {
  given <- list()
  for (name in names(row$options)) {
    if (!chance(0.15)) next
    default <- row$options[[name]]
    value <- if (is.logical(default)) !default else if (is.character(default)) one(default) else {
      switch(name, dual_passes = one(c(0, 1, 20)), gamma = one(c(0.1, 5)),
             shrink = one(c(0.1, 0.9)), inner_passes = one(c(1, 5)), strength = one(c(0.5, 8)),
             step = default * one(c(0.1, 0.5)), block = one(c(1, 4, 32)), batch = one(c(1, 5)),
             memory = one(c(1, 3)), cycles = one(c(4, 20)), working_set = one(c(1, 5)),
             cache_mb = one(c(0.01, 1)), max_support = one(c(1, 5, 30)),
             inner_steps = one(c(10, 500)), NULL)
    }
    if (!is.null(value)) given[[name]] <- value
  }
  given
}

# ---- Data ----

draw_size <- function(rows = 200L, columns = 60L) {
  small <- chance(0.75)
  list(n = max(2L, as.integer(exp(between(log(2), log(if (small) 40 else rows))))),
       p = as.integer(round(exp(between(0, log(if (small) 12 else columns))))))
}

# A matrix, ordinary or not.
draw_matrix <- function(n, p, nasty = chance(0.4)) {
  x <- switch(
    one(c("normal", "integer", "sparse", "binary", "uniform", "heavy"), c(6, 2, 2, 1, 1, 1)),
    normal = matrix(stats::rnorm(n * p), n),
    integer = matrix(sample(-9:9, n * p, TRUE), n) + 0,
    sparse = matrix(stats::rnorm(n * p) * (stats::runif(n * p) < 0.2), n),
    binary = matrix(sample(0:1, n * p, TRUE), n) + 0,
    uniform = matrix(stats::runif(n * p), n),
    heavy = matrix(stats::rt(n * p, 2), n)
  )
  if (nasty) for (k in seq_len(sample.int(3L, 1L))) x <- spoil(x)
  x
}

spoil <- function(x) {
  n <- nrow(x)
  p <- ncol(x)
  some <- function(m) sample.int(m, sample.int(max(1L, m %/% 3L), 1L))
  switch(
    one(c("offset", "offsets", "scales", "scale", "twin_rows", "mirror_rows", "constant", "zeros",
          "zero_rows", "twin_columns", "collinear", "outlier", "far_rows", "near_twins", "extreme"),
        c(rep(1, 14), 0.1)),
    extreme = x * 10^between(-160, 160),
    offset = x + one(c(-1, 1)) * 10^one(3:8),
    offsets = sweep(x, 2L, 10^between(0, 8) * stats::rnorm(p), `+`),
    scales = sweep(x, 2L, 10^stats::runif(p, -one(c(2, 8)), one(c(2, 8))), `*`),
    scale = x * 10^between(-8, 8),
    twin_rows = replace_rows(x, some(n), sample.int(n, 1L), 1),
    mirror_rows = replace_rows(x, some(n), sample.int(n, 1L), -1),
    constant = {
      x[, some(p)] <- one(c(1, -3, 1e6, 0.1))
      x
    },
    zeros = {
      x[, some(p)] <- 0
      x
    },
    zero_rows = {
      x[some(n), ] <- 0
      x
    },
    twin_columns = x[, sample.int(p, p, TRUE), drop = FALSE],
    collinear = {
      x[, p] <- drop(x %*% sample(-1:1, p, TRUE))
      x
    },
    outlier = {
      x[sample.int(n, 1L), sample.int(p, 1L)] <- 10^between(2, 8)
      x
    },
    far_rows = {
      at <- some(n)
      x[at, ] <- x[at, ] + 10^between(2, 8)
      x
    },
    near_twins = {
      at <- some(n)
      x[at, ] <- rep(x[sample.int(n, 1L), ], each = length(at))
      x[at, ] <- x[at, ] * (1 + 1e-9 * stats::rnorm(length(at)))
      x
    }
  )
}

replace_rows <- function(x, at, from, by) {
  x[at, ] <- rep(by * x[from, ], each = length(at))
  x
}

# Standardised scores that labels and responses come from.
draw_score <- function(x, noise) {
  z <- scale(x)
  z[!is.finite(z)] <- 0
  s <- drop(z %*% stats::rnorm(ncol(x))) / sqrt(ncol(x))
  s + noise * stats::rnorm(nrow(x))
}

# Labels of k classes, each of them there.
draw_labels <- function(score, k = 2L) {
  n <- length(score)
  share <- stats::rgamma(k, 3)
  cuts <- stats::quantile(score, cumsum(share[-k]) / sum(share), names = FALSE)
  codes <- 1L + rowSums(outer(score, cuts, `>`))
  codes[sample.int(n, k)] <- seq_len(k)
  if (k == 2L) {
    return(switch(one(1:3), 2 * codes - 3, factor(codes, labels = c("no", "yes")), codes == 2L))
  }
  factor(codes, labels = letters[seq_len(k)])
}

draw_classes <- function(n) if (n >= 8L && chance(0.12)) sample(3:4, 1L) else 2L

draw_response <- function(score) {
  y <- switch(one(1:4, c(6, 1, 1, 1)), score, round(3 * score), score^3,
              score + 10 * stats::rt(length(score), 1.5))
  y <- y * switch(one(1:4, c(5, 2, 1, 0.1)), 1, 10^between(-3, 3), 10^between(-8, 8),
                  10^between(-150, 150))
  y + switch(one(1:3, c(4, 2, 2)), 0, one(c(-1, 1)) * 10^one(1:4),
             10^one(3:8) * (1 + stats::runif(1)))
}

# NULL mostly; zero, tiny, huge and whole weights; every class keeps some.
draw_weights <- function(y) {
  n <- length(y)
  w <- switch(
    one(1:7, c(10, 2, 2, 1, 1, 1, 0.1)), NULL, stats::runif(n, 0.1, 2), sample(0:3, n, TRUE) + 0,
    10^stats::runif(n, -6, 0), 10^stats::runif(n, 0, 8), rep(10^between(-8, 8), n),
    10^stats::runif(n, -150, 150)
  )
  if (is.null(w)) {
    return(NULL)
  }
  first <- if (is.numeric(y) && length(unique(y)) > 4L) seq_len(min(2L, n)) else
    match(unique(y), y)
  w[first] <- pmax(w[first], max(w, 1e-3) / 2)
  w
}

draw_class_weights <- function(y, classes) {
  if (!classes || chance(0.85)) {
    return(NULL)
  }
  levels <- levels(if (is.logical(y)) factor(y) else as.factor(y))
  if (chance(0.5)) "balanced" else stats::setNames(10^stats::runif(length(levels), -2, 2), levels)
}

draw_loss <- function(smooth, classes = TRUE) {
  g <- function() 10^between(-2, 1)
  all <- c(hinge = 3, smooth_hinge = 3, squared_hinge = 3, logistic = 4, squared = 3, huber = 2)
  if (smooth) all <- all[names(all) != "hinge"]
  if (!classes) all <- all[c("squared", "huber")]
  name <- one(names(all), all)
  plain <- chance(0.5)
  switch(name, hinge = as_loss("hinge"), logistic = as_loss("logistic"), squared = as_loss("squared"),
         smooth_hinge = if (plain) loss_smooth_hinge() else loss_smooth_hinge(g()),
         squared_hinge = if (plain) loss_squared_hinge() else loss_squared_hinge(g()),
         huber = if (plain) loss_huber() else loss_huber(g()))
}

draw_lambda <- function() if (chance(0.1)) NULL else 10^switch(one(1:3, c(6, 3, 1)),
                                                              between(-3, 0.5), between(-6, 1),
                                                              between(-9, 3))

auto_often <- function(family) {
  rows <- solver_rows(family)
  weight <- ifelse(vapply(rows, function(row) row$name, "") == "auto", 3, 1)
  one(rows, weight)
}

drop_null <- function(list) list[!vapply(list, is.null, NA)]
