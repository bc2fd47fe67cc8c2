# What the problems of helper-fuzz_strangers.R are judged by: value and bound from the definitions,
# whether two fits of one problem can both be right, and a process that knows a fit by its file.

# P and D of a fit of margin_linear() in plain R, a row for each column of coef(), beside what its
# call had: an offset a row, factors of the penalty and bounds a column.
plain_linear <- function(fit, x, offset = 0, factor = 1, lower = -Inf, upper = Inf) {
  s <- fit$settings
  x <- unname(as.matrix(x))
  p <- ncol(x)
  share <- fit$weights / sum(fit$weights)
  spread <- rep(1, p)
  if (s$scale) {
    spread <- sqrt(colSums(share * sweep(x, 2L, colSums(share * x))^2))
    spread[spread <= 1e-14 * apply(abs(x), 2L, max)] <- 1
  }
  unit <- if (is.null(fit$response_scale)) 1 else fit$response_scale
  penalized <- s$intercept == "penalized"
  z <- cbind(sweep(x, 2L, spread, `/`), if (penalized) 1)
  each <- function(values, last) c(rep_len(values, p), if (penalized) last)
  low <- each(lower * spread / unit, -Inf)
  high <- each(upper * spread / unit, Inf)
  l1 <- s$lambda * s$mixture * each(factor, 1)
  l2 <- s$lambda * (1 - s$mixture) * each(factor, 1)
  share <- fit_weights(fit) / sum(fit_weights(fit))
  used <- share > 0
  coefficients <- as.matrix(fit$coefficients) / unit
  taus <- length(s$loss$parameter) > 1L
  one <- function(k) {
    loss <- s$loss
    if (taus) loss$parameter <- loss$parameter[k]
    y <- fit_labels(fit, k, ncol(coefficients) > 1L && !taus)
    # of a regression the offset is taken from the response
    beside <- if (fit$task == "regression") 0 else offset
    if (fit$task == "regression") y <- (y - offset) / unit
    has <- s$intercept != "none"
    b <- if (has) coefficients[[1L, k]] else 0
    v <- c(unname(utils::tail(coefficients[, k], p)) * spread, if (penalized) b)
    a <- as.matrix(fit$dual)[, k]
    u <- colSums(share * a * z)
    # the largest -u v - l1 |v| - l2/2 v^2 within the bounds
    near <- l1 * (1 + 1e-9) + 1e-12 * colSums(share * abs(a * z))
    best <- ifelse(abs(u) <= near, 0, -(u - sign(u) * l1) / l2)
    best <- pmin(pmax(best, low), high)
    scores <- drop(z %*% v) + (if (penalized) 0 else b) + beside
    c(primal = sum((share * plain_loss(loss, scores, y))[used]) + sum(l1 * abs(v) + l2 / 2 * v^2),
      dual = -sum((share * (plain_conjugate(loss, a, y) - a * beside))[used]) -
        sum(-u * best - l1 * abs(best) - l2 / 2 * best^2),
      balance = if (s$intercept == "free") abs(sum(share * a)) else 0,
      outside = max(low - v, v - high))
  }
  as.data.frame(t(vapply(seq_len(ncol(coefficients)), one, numeric(4L))))
}

# What is wrong with its certificate; x: the rows that were fitted.
check_linear <- function(fit, x, ...) {
  if (is_joint(fit)) return(judge_joint(fit, unname(as.matrix(x))))
  here <- fit$certificate
  outside <- plain_linear(fit, x, ...)
  near <- 1e-9 * (abs(here$value) + abs(here$bound)) + 1e-13
  c(if (any(abs(outside$primal - here$value) > near)) {
    wrong("value is not that of coef()", value = here$value, exact = outside$primal)
  }, if (any(here$bound > outside$dual + near)) {
    wrong("bound above that of the dual point", bound = here$bound, exact = outside$dual)
  }, if (any(outside$balance > 1e-10)) wrong("out of balance", by = outside$balance),
  if (any(outside$outside > 1e-12 * (1 + abs(outside$primal)))) {
    wrong("a coefficient beyond its bound", by = outside$outside)
  })
}

# Two fits of one problem: each interval [bound, value] holds the one optimum. A default radius is
# that of a pilot, which is not exact.
check_intersect <- function(one, two, what) {
  radii <- c(one$settings$radius, two$settings$radius)
  if (length(radii) == 2L && radii[1L] != radii[2L]) {
    return(check_equal(radii[2L], radii[1L], paste("a radius:", what), 1e-4))
  }
  a <- one$certificate
  b <- two$certificate
  if (length(a$value) != length(b$value)) return(paste(what, "has other problems"))
  low <- function(row) pmin(row$value, row$bound)
  high <- function(row) pmax(row$value, row$bound)
  room <- 1e-11 * (abs(a$value) + abs(b$value)) + 1e-14
  if (any(low(a) > high(b) + room | low(b) > high(a) + room)) {
    return(wrong(paste("AN OPTIMUM OF ITS OWN:", what), low = low(a), high = high(a),
                 other_low = low(b), other_high = high(b)))
  }
  found <- found_of(one)
  other <- found_of(two)
  off <- Filter(function(name) !isTRUE(all.equal(found[[name]], other[[name]], tolerance = 1e-7,
                                                 check.attributes = FALSE)), names(found))
  if (length(off) > 0L) paste(what, "finds another", toString(off)) else character()
}

# Numbers, or lists and tables of them, that should be equal up to rounding.
check_equal <- function(got, want, what, tolerance = 1e-9) {
  said <- all.equal(want, got, tolerance = tolerance, check.attributes = FALSE)
  if (isTRUE(said)) character() else paste0(what, ": ", paste(said, collapse = "; "))
}

# x %*% coef() of a fit without a kernel.
plain_scores <- function(fit, x) {
  coefficients <- as.matrix(fit$coefficients)
  x <- unname(as.matrix(x))
  scores <- if (nrow(coefficients) > ncol(x)) cbind(1, x) %*% coefficients else x %*% coefficients
  if (ncol(scores) == 1L) drop(scores) else scores
}

# What all other arithmetic starts from.
all_types <- function(fit) {
  c("score", if (fit$task == "classification") "class",
    if (fit$task == "classification" && (identical(fit$settings$loss$name, "logistic"))) "prob",
    if (fit$task == "regression") "response")
}
numbers_of <- function(prediction) {
  if (is.factor(prediction)) as.character(prediction) else unname(as.matrix(prediction))
}

# predict() in a process that has not made the fit: one for all, begun by the first that asks.
newcomer <- local({
  process <- NULL
  answer <- function(file) {
    saved <- readRDS(file)
    lapply(saved$types, function(type) stats::predict(saved$fit, saved$new, type = type))
  }
  environment(answer) <- globalenv()
  function(fit, new, types) {
    if (is.null(process)) {
      process <<- getExportedValue("parallel", "makePSOCKcluster")(1L)
      getExportedValue("parallel", "clusterCall")(process, function(paths) {
        .libPaths(paths)
        loadNamespace("dualmargin")
        NULL
      }, .libPaths())
    }
    file <- tempfile(fileext = ".rds")
    on.exit(unlink(file))
    saveRDS(list(fit = fit, new = new, types = types), file)
    suppressWarnings(getExportedValue("parallel", "clusterCall")(process, answer, file))[[1L]]
  }
})
