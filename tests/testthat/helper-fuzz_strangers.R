# What strangers tried, which the other draws of the campaign do not: a number names a check of the
# table below, and its problem. Checks judge by arithmetic of their own, most of it in
# helper-fuzz_strangers_judge.R.

# ---- Problems ----

draw_frame <- function() {
  n <- sample(16:40, 1L)
  d <- data.frame(a = stats::runif(n, 1, 9), b = stats::rnorm(n),
                  g = factor(c("u", "v", "w", sample(c("u", "v", "w"), n - 3L, TRUE))),
                  o = stats::rnorm(n), w = sample(1:3, n, TRUE))
  score <- d$a / 3 + d$b * one(c(-1, 0, 1)) + one(c(0.3, 1)) * stats::rnorm(n)
  d$number <- score * one(c(1, 1, 100)) + one(c(0, 0, -50))
  place <- rank(score, ties.method = "first")
  d$class <- factor(place > n / 2, labels = c("no", "yes"))
  d$three <- cut(place, c(0, n / 3, 2 * n / 3, n), labels = c("x", "y", "z"))
  d
}

exactly <- function(...) {
  margin_control(tol = 1e-9, seed = 1, max_epochs = 5000, progress = FALSE, ...)
}

# A constructor with a response and arguments: at the defaults where nothing is drawn.
draw_model <- function(family = one(names(fuzz_families), fuzz_families)) {
  number_loss <- function() one(c(list("squared", loss_huber(0.7, "response")),
                                  lapply(Filter(is.function, lapply(loss_twins, `[[`, "drawn")),
                                         function(draw) draw())))
  class_loss <- function() {
    one(c("logistic", "logistic", "squared_hinge", "smooth_hinge", "hinge"))
  }
  response <- switch(family, robust = , hard = "class", augmented = "number",
                     kernel = one(c("class", "number")),
                     one(c("class", "class", "number", "three")))
  loss <- if (response == "number") number_loss() else class_loss()
  lambda <- if (chance(0.7)) 10^between(-2.5, 0)
  args <- switch(
    family,
    linear = list(loss = loss, lambda = lambda, mixture = one(c(0, 0, 0.5, 1)),
                  scale = chance(0.6), intercept = one(c("free", "free", "penalized"))),
    kernel = list(loss = loss, lambda = lambda, scale = chance(0.6),
                  kernel = one(list(NULL, kernel_rbf(0.2), kernel_laplace(),
                                    kernel_polynomial(2)))),
    robust = list(norm = one(c("l1", "l2", "linf")), ridge = one(c(0, 0.1)),
                  radius = one(list(NULL, 0.1))),
    hard = list(kernel = kernel_rbf(0.5)),
    augmented = list(lambda = lambda, perturbation = one(list(perturb_gaussian(0.2),
                                                              perturb_dropout(0.2))))
  )
  if (family == "linear" && response == "three") args$mixture <- 0
  list(family = family, fun = constructor_of(family), response = response, args = drop_null(args))
}

# By rows and a response, or by a formula; ...: beside the model's own arguments.
fit_model <- function(model, x, y, ..., control = exactly()) {
  do.call(model$fun, c(list(x, y), model$args, list(..., control = control)), quote = TRUE)
}
fit_formula <- function(model, right, data, ..., control = exactly()) {
  formula <- stats::as.formula(paste(model$response, "~", deparse1(right[[2L]])),
                               environment(right))
  do.call(model$fun, c(list(formula, data), model$args, list(..., control = control)),
          quote = TRUE)
}
# Noise of a Gauss keeps no zeros.
for_sparse <- function(model) {
  if (model$family == "augmented") model$args$perturbation <- perturb_dropout(0.2)
  model
}
design_of <- function(d) stats::model.matrix(~ a + b + g, d)[, -1L]

# A right side in the frame of a function, and names of the same kind that mean something else.
strange_formulas <- c(
  "~ I(a^k) + b", "~ half(a) + g", "~ b * half(a)", "~ poly(a, k) + b", "~ cut(a, breaks) + b",
  "~ log(a + k)", "~ splines::ns(a, knots = knots) + g", "~ scale(a) + I(b - k)",
  "~ sapply(a, half) + b", "~ I(a > breaks[2]) + table[as.character(g)]",
  "~ vapply(a, function(v) v^k, 0)",
  "~ . - o - w - number - class - three", "~ a:g", "~ factor(round(a) > k) + b"
)
in_a_function <- function(text) {
  k <- sample(2:3, 1L)
  # a function keeps its environment, whose values are its own
  half <- one(list(sqrt, function(u) u^2 / 10, local({
    by <- k
    function(u) log(u + by)
  })))
  breaks <- c(0, between(3, 4), 6, 10)
  knots <- between(3, 6)
  table <- c(u = 1, v = 5, w = 2)
  stats::as.formula(text)
}
namesakes <- list(k = 5, half = function(u) 1e3 + u^4, breaks = c(0, 5, 20), knots = 8,
                  table = c(u = 9, v = 0, w = 0), a = "a", b = mean, g = NULL, d = 1:3)
with_namesakes <- function(code) {
  there <- intersect(names(namesakes), ls(globalenv()))
  before <- mget(there, globalenv())
  list2env(namesakes, globalenv())
  on.exit({
    rm(list = setdiff(names(namesakes), there), envir = globalenv())
    list2env(before, globalenv())
  })
  code
}

# ---- Checks: functions (d, keep), of a frame and of what notes a fit, to what is wrong ----

stranger_checks <- list()

stranger_checks$formula <- function(d, keep) {
  right <- in_a_function(one(strange_formulas))
  model <- draw_model()
  line <- stats::lm(stats::as.formula(paste("number", deparse1(right)), environment(right)), d)
  some <- d[sample.int(nrow(d), 6L), ]
  some$a <- pmin(9, some$a + 0.05)
  coded <- function(rows) {
    terms <- stats::delete.response(line$terms)
    frame <- stats::model.frame(terms, rows, xlev = line$xlevels)
    stats::model.matrix(terms, frame, contrasts.arg = line$contrasts)[, -1L, drop = FALSE]
  }
  x <- coded(d)
  new <- coded(some)
  fit <- keep(fit_formula(model, right, d))
  twin <- keep(fit_model(model, x, d[[model$response]]))
  # near what cannot be separated a margin is a small difference of large terms
  if (model$family == "hard" && !fit$certificate$certified) return(character())
  judged <- function(...) suppressMessages(margin_performance(...))$metrics$value
  with_namesakes({
    got <- predict(fit, some, type = "score")
    list2env(namesakes[1:5], environment(right))
    c(check_intersect(fit, twin, "the same columns by x and y"),
      check_equal(numbers_of(got), numbers_of(predict(twin, new, type = "score")), "predictions"),
      if (is.null(fit$settings$kernel)) {
        check_equal(numbers_of(got), numbers_of(plain_scores(fit, new)), "x coef()")
      },
      check_equal(numbers_of(predict(fit, d, type = "score")), numbers_of(fit$scores),
                  "fitted rows"),
      check_equal(numbers_of(predict(fit, some, type = "score")), numbers_of(got),
                  "after the names changed"),
      check_equal(judged(fit, d), judged(twin, x, y = d[[model$response]]), "performance"))
  })
}

# Weight 0 is no row, whole weights are copies, order and constant columns are nothing.
stranger_checks$rewritten <- function(d, keep) {
  model <- draw_model()
  data <- list(x = design_of(d), weights = d$w)
  data[[if (model$response == "number") "number" else "y"]] <- d[[model$response]]
  fit <- function(data) {
    y <- if (model$response == "number") data$number else data$y
    keep(fit_model(model, data$x, y, weights = data$weights))
  }
  all <- rewritten(data)
  what <- one(names(all))
  # to a kernel of products, and beside a penalty of the intercept, a constant column is one
  some <- identical(model$args$kernel$name, "polynomial") ||
    identical(model$args$intercept, "penalized") || model$family == "augmented"
  if (some && what == "constant") what <- "order"
  check_intersect(fit(data), fit(all[[what]]), what)
}

stranger_checks$na_level <- function(d, keep) {
  values <- c("u", "v", NA)
  levels <- sample(values)
  factors <- function(v) factor(v, levels, exclude = NULL)
  d$h <- factors(c(values, sample(values, nrow(d) - 3L, TRUE)))
  model <- draw_model()
  sparse <- chance(0.3)
  if (sparse) model <- for_sparse(model)
  own <- vapply(levels[-1L], function(level) as.character(d$h) %in% level, logical(nrow(d))) + 0
  coded <- cbind(own, a = d$a)
  by_frame <- chance(0.3) && !sparse
  fit <- keep(if (by_frame) fit_model(model, d[c("h", "a")], d[[model$response]]) else
    if (sparse) fit_formula(model, ~ h + a, d, sparse = TRUE) else fit_formula(model, ~ h + a, d))
  # columns of the same names, so that a robust or kernel fit has the same numbers
  colnames(coded) <- c(paste0("h", 1:2), "a")
  twin <- keep(fit_model(model, if (sparse) stored_as(unname(coded), "dgC") else unname(coded),
                         d[[model$response]]))
  at <- sample.int(nrow(d), 4L)
  some <- d[at, c("h", "a")]
  some$a <- some$a + 0.3
  some$h <- factor(some$h, sample(values), exclude = NULL)
  new <- unname(coded)[at, ]
  new[, 3L] <- new[, 3L] + 0.3
  want <- numbers_of(predict(twin, new, type = "score"))
  one_row <- do.call(rbind, lapply(1:4, function(i) {
    numbers_of(predict(fit, droplevels(some[i, ]), type = "score"))
  }))
  c(check_intersect(fit, twin, "indicators"),
    check_equal(numbers_of(predict(fit, some, type = "score")), want, "predictions"),
    check_equal(one_row, want, "one row"))
}

# Bounds with every loss, with factors of the penalty, a lasso and an offset.
stranger_checks$bounds <- function(d, keep) {
  number <- chance(0.5)
  loss <- one(if (number) number_losses() else class_losses())
  y <- if (number) d$number else one(list(d$class, d$class, d$three))
  x <- design_of(d)
  x <- x %*% diag(10^stats::runif(ncol(x), -1, 1))
  p <- ncol(x)
  lower <- -one(list(0, abs(stats::rnorm(p)), Inf, sample(c(0, 0.1, Inf), p, TRUE)))
  upper <- one(list(Inf, 0.3, abs(stats::rnorm(p)), sample(c(0, 0.1, Inf), p, TRUE)))
  factor <- if (chance(0.3)) sample(c(0.01, 0.5, 1, 2), p, TRUE)
  # a column without a penalty, for smooth losses and beside no bounds alone, and a far one
  if (chance(0.15)) {
    loss <- if (number) "squared" else "logistic"
    lower <- -Inf
    upper <- Inf
    factor <- sample(c(0, 1, 1, 2))
    x[, sample.int(p, 1L)] <- x[, 1L] + 1e4 * between(1, 2)
  }
  offset <- if (chance(0.3) && nlevels(y) < 3L) d$o
  mixture <- if (chance(0.6) || nlevels(y) > 2L) 0 else one(c(0.5, 1))
  args <- drop_null(list(loss = loss, lambda = 10^between(-3, 0), mixture = mixture, lower = lower,
                         upper = upper, penalty_factor = factor, offset = offset,
                         scale = chance(0.6), weights = if (chance(0.3)) d$w))
  if (nlevels(y) > 2L) args$multiclass <- "one_vs_rest"
  rows <- if (chance(0.3)) stored_as(unname(x), "dgC") else unname(x)
  fit_of <- function(solver) {
    do.call(margin_linear, c(list(rows, y), args,
                             list(solver = solver, control = margin_control(seed = 1))))
  }
  fit <- keep(fit_of("auto"))
  terms <- list(offset = if (is.null(offset)) 0 else offset,
                factor = if (is.null(factor)) 1 else factor, lower = lower, upper = upper)
  free <- any(terms$factor == 0)
  others <- Filter(function(row) {
    row$family == "linear" &&
      row$name %in% c("fista", "newton", if (!free) c("dual_cd", "ssnal", "interior_point")) &&
      solver_takes(row, if (is.character(loss)) as_loss(loss) else loss, "free", mixture)
  }, solver_rows())
  solver <- if (length(others) > 0L && chance(0.5)) one(others)$name
  other <- if (!is.null(solver)) keep(fit_of(solver))
  c(do.call(check_linear, c(list(fit, x), terms)),
    if (!all(fit$certificate$certified)) {
      wrong("BOUNDS NOT CERTIFIED", gap = fit$certificate$relative_gap)
    },
    if (!is.null(other)) c(do.call(check_linear, c(list(other, x), terms)),
                           check_intersect(fit, other, other$status$solver[1L])))
}

# Offsets in every verb that has them, by their own arithmetic.
stranger_checks$offset <- function(d, keep) {
  number <- chance(0.5)
  y <- if (number) d$number else d$class
  x <- design_of(d)
  metric <- if (number) "mse" else "accuracy"
  args <- list(lambda = 10^between(-2, 0), control = exactly(),
               loss = one(if (number) c("squared", "absolute") else
                 c("logistic", "squared_hinge", "hinge")))
  of_rows <- function(rows, fun = margin_linear, ...) {
    keep(do.call(fun, c(list(x[rows, ], y[rows], offset = d$o[rows], weights = d$w[rows]), args,
                        list(...))))
  }
  right <- "~ a + b + g + offset(o / 2) + offset(0.5 * o)"
  fit <- of_rows(seq_along(y))
  terms <- keep(do.call(margin_linear, c(list(stats::as.formula(paste(
    if (number) "number" else "class", right
  )), d, weights = d$w), args)))
  score <- function(fit, rows) {
    z <- plain_scores(fit, x[rows, ]) + d$o[rows]
    right <- if (number) -(y[rows] - z)^2 else (z >= 0) == (y[rows] == "yes")
    abs(stats::weighted.mean(right, d$w[rows]))
  }
  fold <- rep_len(1:3, nrow(d))
  searched <- margin_cv(x, y, offset = d$o, weights = d$w, folds = fold, metric = metric, seed = 1,
                        grid = list(lambda = args$lambda), loss = args$loss, control = args$control)
  path <- keep(do.call(margin_path, c(list(x, y, offset = d$o, weights = d$w,
                                           lambda = args$lambda * c(2, 1)), args[-1L])))
  some <- sample.int(nrow(d), 5L)
  scores <- unname(plain_scores(fit, x) + d$o)
  value <- function(judged) judged$metrics$value[judged$metrics$metric == metric]
  c(check_linear(fit, x, offset = d$o), check_linear(terms, x, offset = d$o),
    check_intersect(fit, terms, "offset() in a formula"),
    check_intersect(terms, keep(stats::update(terms, data = d, lambda = args$lambda)), "update()"),
    check_equal(unname(fit$scores), scores, "scores"),
    check_equal(unname(predict(fit, x[some, ], newoffset = d$o[some], type = "score")),
                scores[some], "predictions"),
    check_equal(drop(unname(predict(path, x[some, ], newoffset = d$o[some], type = "score",
                                    lambda = args$lambda))), scores[some], "a path", 1e-3),
    check_equal(value(margin_performance(fit, x, y = y, newoffset = d$o, metrics = metric)),
                score(fit, seq_along(y)), "performance"),
    check_equal(value(margin_performance(terms, d, metrics = metric)),
                score(terms, seq_along(y)), "performance of a formula"),
    check_equal(searched$results$score, vapply(1:3, function(k) {
      score(of_rows(which(fold != k)), which(fold == k))
    }, 0), "cross-validation", 1e-4))
}

# `subset`, by a number or a constant of a function, in verbs that ask for the rows again.
stranger_checks$subset <- function(d, keep) {
  model <- draw_model(one(c("linear", "linear", "kernel", "robust")))
  least <- stats::quantile(d$o, between(0.1, 0.3), names = FALSE)
  few <- d[d$o > least, ]
  call <- c(list(model$fun, stats::as.formula(paste(model$response, "~ a + b"))), model$args,
            list(control = exactly()))
  # a constant of a function is not there any more when a verb asks again
  local <- chance(0.2)
  rows <- if (local) quote(o > least) else bquote(o > .(least))
  fit <- keep(eval(as.call(c(call, list(data = quote(d), subset = rows)))))
  twin <- keep(eval(as.call(c(call, list(data = quote(few))))))
  verb <- one(list(
    function(fit, d) margin_bootstrap(fit, d, resamples = 4, seed = 1)$replicates,
    function(fit, d) margin_calibrate(fit, d, folds = 2, seed = 1)$calibration$maps,
    function(fit, d) tidy(margin_certain(fit, d)),
    function(fit, d) {
      unlist(predict(margin_conformal(fit, d, method = "cv+", folds = 4, seed = 1), few[1:4, ]))
    }
  ))
  both <- lapply(list(list(fit, d), list(twin, few)), function(of) {
    result <- watched(verb(of[[1L]], of[[2L]]))
    if (is.null(result$error)) result$fit else class(result$error)
  })
  refused <- identical(both[[1L]][1L], "dualmargin_input_error")
  c(check_intersect(fit, twin, "subset"), check_equal(coef(fit), coef(twin), "coefficients"),
    if (!(local && refused)) check_equal(both[[1L]], both[[2L]], "a verb under subset", 1e-6))
}

# Several tau are a fit for each, and predictions do not cross.
stranger_checks$quantiles <- function(d, keep) {
  taus <- sort(unique(round(stats::runif(sample(2:4, 1L), 0.02, 0.98), 3)))
  x <- design_of(d)
  args <- drop_null(list(lambda = 10^between(-3, 0), weights = if (chance(0.5)) d$w,
                         scale = chance(0.5), lower = if (chance(0.3)) 0,
                         offset = if (chance(0.3)) d$o))
  fit_of <- function(tau) {
    keep(do.call(margin_linear, c(list(x, d$number, loss = loss_quantile(tau)), args,
                                  list(control = exactly()))))
  }
  order <- sample(taus)
  fit <- fit_of(order)
  offset <- if (is.null(args$offset)) 0 else args$offset
  low <- if (is.null(args$lower)) -Inf else 0
  single <- unlist(lapply(seq_along(taus), function(k) {
    one <- fit
    one$certificate <- as.list(as.data.frame(fit$certificate)[k, ])
    one$settings$loss$parameter <- taus[k]
    check_intersect(one, fit_of(taus[k]), paste("tau", taus[k]))
  }))
  z <- plain_scores(fit, x) + offset
  sorted <- suppressMessages(predict(fit, x, newoffset = args$offset))
  w <- if (is.null(args$weights)) rep(1, nrow(d)) else d$w
  judged <- suppressMessages(margin_performance(fit, x, y = d$number, newoffset = args$offset,
                                                metrics = "pinball"))
  r <- d$number - t(apply(z, 1L, sort))
  pinball <- sweep(pmax(r, 0), 2L, taus, `*`) + sweep(pmax(-r, 0), 2L, 1 - taus, `*`)
  c(check_linear(fit, x, offset = offset, lower = low), single,
    check_equal(unname(fit$scores), unname(z), "scores"),
    check_equal(unname(sorted), unname(t(apply(z, 1L, sort))), "sorted"),
    check_equal(judged$metrics$value, mean(colSums(w * pinball) / sum(w)), "pinball"))
}

# One new row is the row among others; and so is it in another process, which has the file alone.
fit_and_rows <- function(d, keep) {
  model <- draw_model()
  if (model$family == "linear" && chance(0.3)) model$args$loss <- loss_quantile(c(0.2, 0.7))
  if (inherits(model$args$loss, "margin_loss") && model$args$loss$name == "quantile") {
    model$response <- "number"
    model$args$multiclass <- NULL
  }
  some <- d[sample.int(nrow(d), 5L), ]
  some$b <- some$b + stats::rnorm(5L)
  kind <- one(c("formula", "frame", "matrix", "sparse"))
  if (kind == "sparse") model <- for_sparse(model)
  rows <- function(d) {
    x <- unname(design_of(d))
    switch(kind, frame = d[c("a", "b", "g")], matrix = x, sparse = stored_as(x, "dgC"), d)
  }
  right <- in_a_function(one(strange_formulas))
  fit <- keep(if (kind == "formula") fit_formula(model, right, d) else
    fit_model(model, rows(d), d[[model$response]]))
  list(fit = fit, new = rows(some), types = all_types(fit))
}
stranger_checks$one_row <- function(d, keep) {
  made <- fit_and_rows(d, keep)
  if (made$fit$status$status[1L] == "not_separable") return(character())
  unlist(lapply(made$types, function(type) {
    all <- numbers_of(suppressMessages(predict(made$fit, made$new, type = type)))
    each <- lapply(1:5, function(i) {
      numbers_of(suppressMessages(predict(made$fit, made$new[i, , drop = FALSE], type = type)))
    })
    check_equal(if (is.matrix(all)) do.call(rbind, each) else unlist(each), all, type, 1e-10)
  }))
}
stranger_checks$saved <- function(d, keep) {
  made <- fit_and_rows(d, keep)
  if (made$fit$status$status[1L] == "not_separable") return(character())
  here <- suppressMessages(lapply(made$types, function(type) {
    predict(made$fit, made$new, type = type)
  }))
  check_equal(newcomer(made$fit, made$new, made$types), here, "in another process", 1e-10)
}

# A checkpoint with wrong bytes is refused, and one of another problem; its own goes on from it.
stranger_checks$checkpoint <- function(d, keep) {
  model <- draw_model(one(c("linear", "kernel", "robust", "augmented")))
  x <- design_of(d)
  y <- d[[model$response]]
  file <- tempfile()
  on.exit(unlink(file))
  short <- margin_control(max_epochs = 1, seed = 1, progress = FALSE, checkpoint = file)
  cut <- keep(fit_model(model, x, y, control = short))
  if (!file.exists(file)) return(character())
  bytes <- readBin(file, "raw", file.size(file))
  n <- length(bytes)
  again <- function(y, bytes) {
    writeBin(bytes, file)
    watched(fit_model(model, x, y, control = exactly(start = file)))
  }
  at <- sample.int(n, 1L)
  damaged <- list(
    "a byte" = replace(bytes, at, xor(bytes[at], as.raw(sample.int(255L, 1L)))),
    "zeros" = replace(bytes, seq(at, min(n, at + 30L)), as.raw(0)),
    "cut" = utils::head(bytes, at - 1L),
    "longer" = c(bytes, as.raw(sample.int(256L, 5L) - 1L)),
    "turned" = c(utils::tail(bytes, at), utils::head(bytes, n - at))
  )
  refused <- function(run) {
    inherits(run$error, "dualmargin_input_error") && identical(run$error$arg, "start")
  }
  taken <- Filter(function(name) {
    !identical(damaged[[name]], bytes) && !refused(again(y, damaged[[name]]))
  }, names(damaged))
  other <- again(if (is.factor(y)) factor(rev(y)) else rev(y), bytes)
  c(if (length(taken) > 0L) wrong("A DAMAGED CHECKPOINT IS TAKEN", kind = taken, byte = at),
    if (!refused(other)) "a checkpoint of another problem is taken",
    check_intersect(keep(run = again(y, bytes)), keep(fit_model(model, x, y)), "resumed"))
}

# What summary() and margin_performance() say of rows with weights is that of the rows repeated.
stranger_checks$weighted <- function(d, keep) {
  model <- draw_model(one(c("linear", "kernel", "robust", "augmented")))
  d$w <- sample(0:3, nrow(d), TRUE)
  d$w[match(levels(d$three), d$three)] <- 1L
  d$w[match(levels(d$class), d$class)] <- 1L
  x <- design_of(d)
  y <- d[[model$response]]
  fit <- keep(fit_model(model, x, y, weights = d$w))
  said <- summary(fit)$performance
  judged <- suppressMessages(margin_performance(fit, x, y = y))
  of <- function(name) judged$metrics$value[judged$metrics$metric == name]
  share <- d$w / sum(d$w)
  if (fit$task == "regression") {
    mse <- sum(share * (y - fit$scores)^2)
    variance <- sum(share * (y - sum(share * y))^2)
    return(c(check_equal(said$rmse, sqrt(mse), "rmse of summary()"),
             check_equal(said$r_squared, 1 - mse / variance, "R squared of summary()"),
             check_equal(of("mse"), mse, "mse")))
  }
  z <- as.matrix(fit$scores)
  guess <- levels(y)[if (ncol(z) == 1L) 1L + (z >= 0) else max.col(z, "first")]
  table <- tapply(d$w, list(y, factor(guess, levels(y))), sum, default = 0)
  c(check_equal(said$accuracy, sum(share[guess == y]), "accuracy of summary()"),
    check_equal(unname(unclass(said$confusion)), unname(table), "confusion of summary()"),
    check_equal(of("accuracy"), sum(share[guess == y]), "accuracy"),
    check_equal(unname(unclass(judged$confusion)), unname(table), "confusion"),
    if (summary(fit)$n != sum(d$w > 0)) "summary() counts rows of weight 0")
}

# A fold in which all rows have the weight 0 is no fold: of searches and of prediction sets.
stranger_checks$empty_fold <- function(d, keep) {
  model <- draw_model(one(c("linear", "kernel", "robust")))
  fold <- rep_len(1:4, nrow(d))
  d$w[fold == 2L] <- 0L
  some <- d$w > 0
  x <- design_of(d)
  y <- d[[model$response]]
  if (any(table(d$class[some], fold[some]) == 0) || any(table(d$three[some], fold[some]) == 0)) {
    return(character())
  }
  fit_of <- function(rows) keep(fit_model(model, x[rows, ], y[rows], weights = d$w[rows]))
  all <- seq_along(y)
  if (chance(0.5)) {
    searched <- function(rows) {
      args <- c(list(x[rows, ], y[rows], family = model$family, folds = fold[rows], seed = 1,
                     weights = d$w[rows], grid = list()), model$args, list(control = exactly()))
      do.call(margin_cv, args, quote = TRUE)$results
    }
    whole <- searched(all)
    less <- searched(which(some))
    return(check_equal(whole$score[whole$fold != 2L], less$score, "cross-validation", 1e-4))
  }
  sets <- function(rows) {
    object <- margin_conformal(fit_of(rows), x[rows, ], y[rows], method = "cv+", seed = 1,
                               folds = fold[rows])
    as.matrix(predict(object, x[1:5, ])[if (is.factor(y)) levels(y) else c("lower", "upper")])
  }
  check_equal(sets(all), sets(which(some)), "prediction sets", 1e-4)
}

# Levels near 0 and 1, and those at which a rank ends.
odd_levels <- function(m) {
  sort(unique(c(1e-6, 0.001, 0.01, 1 / (m + 1), 0.5, 1 - 1 / (m + 1), 1 - 2 / (m + 1), 0.99, 0.999,
                1 - 1e-6)))
}
# Sets of rows that the fit has not seen.
stranger_checks$split <- function(d, keep) {
  model <- draw_model(one(c("linear", "linear", "kernel", "robust")))
  if (model$response == "three") model$args$loss <- "logistic"
  if (model$family != "robust" && chance(0.3) && model$response == "class") {
    model$args$class_weights <- one(list("balanced", c(no = 1, yes = 5)))
  }
  held <- draw_frame()
  x <- design_of(d)
  y <- d[[model$response]]
  seen <- held[[model$response]]
  if (is.numeric(y)) seen <- seen * stats::sd(y) / stats::sd(seen)
  fit <- keep(fit_model(model, x, y))
  object <- margin_conformal(fit, holdout = list(x = design_of(held), y = seen))
  m <- length(seen)
  new <- x[1:4, ] + 0.1
  levels <- odd_levels(m)
  sets <- predict(object, new, level = levels)
  strange <- if (is.factor(y)) plain_strangeness else function(fit, x) cbind(predict(fit, x))
  f <- strange(fit, new)
  own <- strange(fit, design_of(held))
  own <- if (is.factor(y)) own[cbind(seq_len(m), as.integer(seen))] else abs(seen - own[, 1L])
  unlist(lapply(levels, function(level) {
    here <- sets[sets$level == level, ]
    k <- floor((1 - level) * (m + 1) + 1e-9)
    k <- min(k, m)
    if (is.factor(y)) {
      room <- 1e-9 * (1 + max(abs(own)))
      least <- apply(f, 1:2, function(e) sum(own >= e + room)) >= k
      most <- apply(f, 1:2, function(e) sum(own >= e - room)) >= k
      inside <- as.matrix(here[levels(y)])
      if (any(inside != least & inside != most)) wrong("a set", level = level, m = m)
    } else {
      half <- if (k == 0) Inf else sort(own, decreasing = TRUE)[k]
      check_equal(as.matrix(here[c("lower", "upper")]), cbind(f - half, f + half), "an interval")
    }
  }))
}

# The definitions of helper-conformal.R, with class weights, columns far or tiny, and odd levels.
stranger_checks$sets <- function(d, keep) {
  seed <- sample.int(1e6, 1L)
  judge <- one(list(judge_cv, judge_jackknife))
  problem <- draw_conformal(seed)
  problem$level <- one(odd_levels(length(problem$y)))
  # judge_jackknife() makes two classes of several
  named <- nlevels(problem$y) == 2L || identical(judge, judge_cv)
  if (is.factor(problem$y) && named && chance(0.5)) {
    problem$arguments$class_weights <- stats::setNames(10^stats::runif(nlevels(problem$y), -1, 1),
                                                       levels(problem$y))
  }
  column <- sample.int(ncol(problem$x), 1L)
  change <- one(list(identity, function(v) v + 1e5, function(v) v * 1e-6, function(v) 0 * v + 3))
  problem$x[, column] <- change(problem$x[, column])
  problem$new[, column] <- change(problem$new[, column])
  found <- judge(seed, problem = problem)
  if (found[["missed"]] > 0) wrong("sets differ from their definition", missed = found[["missed"]])
}

# As fuzz_seed(). check: another than the number names; tamper: what is done to each fit.
strangers_seed <- function(seed, verbose = FALSE, check = NULL, tamper = identity) {
  RNGkind("Mersenne-Twister", "Inversion", "Rejection")
  set.seed(seed)
  drawn <- one(names(stranger_checks))
  if (is.null(check)) check <- drawn
  outcomes <- character()
  noted <- character()
  # the fit of a call, or of what watched() made of it; what is odd about any fit is noted
  keep <- function(code, run = watched(code)) {
    stream <- get(".Random.seed", globalenv())
    force(run)
    if (!identical(stream, get(".Random.seed", globalenv()))) {
      noted <<- c(noted, "R's stream is moved")
    }
    if (is.null(run$fit)) stop(run$error)
    fit <- run$fit
    path <- inherits(fit, "margin_path")
    outcomes <<- c(outcomes, if (path) "certified" else outcome_of(fit))
    if (!path) noted <<- c(noted, check_words(fit, run$warned))
    if (verbose && !path) print(fit)
    tamper(fit)
  }
  found <- tryCatch(stranger_checks[[check]](draw_frame(), keep), error = function(e) {
    classed <- inherits(e, "dualmargin_error")
    paste(if (classed) "REFUSED:" else "UNCLASSED ERROR:", conditionMessage(e), "in",
          paste(deparse(conditionCall(e))[1L], collapse = ""))
  })
  found <- as.character(c(noted, found))
  if (verbose) cat(sprintf("-- %s\n", check), sprintf("   VIOLATION %s\n", found), sep = "")
  if (length(outcomes) == 0L) outcomes <- "held"
  rows <- lapply(outcomes, function(outcome) {
    list(what = check, outcome = outcome, found = character())
  })
  rows[[length(rows)]]$found <- found
  list(seed = seed, family = "strangers", solver = check, rows = rows)
}
