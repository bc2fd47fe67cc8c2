# The table of models that every law of test-law-table.R is asked of. A fit is made once, by the
# name of its model and of what was done to its data, and any law may ask for it again.
#
# A row of the table:
#   fun, arguments   the call, beside x, y, weights and control
#   x, y             rows and response, of law_data; "" where there is no response
#   control          what is changed of the control of all
#   along            the argument along which a path has the fit as a point; "" where there is none
#   reach            the largest sqrt(k(x, x)) of a row, where it is not 1
#   except           laws that it cannot keep, by their names, each with the reason
model <- function(fun, y, ..., control = list(), along = "lambda", reach = 1, except = character(),
                  x = "x") {
  list(fun = fun, y = y, arguments = list(...), control = control, along = along, reach = reach,
       except = except, x = x)
}

# 40 rows whose numbers are multiples of 2^-8, so that units of powers of two and whole shifts round
# nothing: ties, zeros, a far column in another unit, a constant one, two equal rows of unlike
# classes, an unused level, and rows of weight 0, of which the first is far from all others.
law_data <- local({
  set.seed(21)
  n <- 40L
  short <- function(v) round(v * 2^8) / 2^8
  # of the columns f1, f2, ... such a share is not 0
  many <- function(shares) {
    columns <- vapply(shares, function(share) short(rnorm(n)) * rbinom(n, 1L, share), numeric(n))
    `colnames<-`(columns, paste0("f", seq_along(shares)))
  }
  x <- cbind(a = short(rnorm(n)), b = 64 + short(16 * rnorm(n)), c = rpois(n, 0.8),
             d = short(rnorm(n)) * rbinom(n, 1L, 0.6), e = 3)
  x[3L, ] <- x[2L, ]
  weights <- c(0, 1, rep_len(c(2, 1, 1, 3, 0, 1), n - 2L))
  score <- x[, "a"] - (x[, "b"] - 64) / 16 + 0.5 * x[, "c"] + 0.6 * rnorm(n)
  x[1L, 1:4] <- c(-500, 4000, 90, 77)
  group <- factor(rep_len(c("u", "v", "w"), n), levels = c("u", "v", "w", "none"))
  list(
    x = x, column = x[, "a", drop = FALSE], weights = weights,
    wide = cbind(x, many(rep(1, n))), patchy = cbind(x, many(rep(0.2, 12L))),
    frame = data.frame(x[, c("a", "b")], group, yes = x[, "d"] > 0),
    two = factor(replace(score, 3L, 0) > 0.5, labels = c("no", "yes")),
    three = cut(replace(score, 3L, score[2L]), c(-Inf, -0.3, 1, Inf), c("low", "mid", "top")),
    number = short(score), soft = soft_labels(pmin(1, pmax(-1, short(score / 2)))),
    apart = factor(ifelse(x[, "a"] > x[, "d"] | x[, "a"] < -100, "right", "left")),
    offset = short(rnorm(n) / 2)
  )
})

# ---- The table ----

law_table <- function() {
  linear <- function(...) model(margin_linear, ..., lambda = 0.05)
  kernel <- function(...) model(margin_kernel, ..., lambda = 0.05)
  noisy <- function(...) model(margin_augmented, ..., lambda = 0.05, along = "")
  robust <- function(..., y = "two") model(margin_robust, y, ..., ridge = 0.1, along = "radius")
  hard <- function(...) {
    model(margin_hard, ..., scale = TRUE, along = "", except = c(start = "it takes none"))
  }
  path <- function(..., except = NULL) {
    except <- c(except, start = "each point starts from the one before")
    model(margin_path, ..., along = "", except = except)
  }
  several <- "it has one tau"
  drawn <- c(columns = "landmarks are drawn by a hash of values in turn")
  ridge <- c(origins = "its first lambda has |x|^2 of columns as they are")
  pairs <- "pairs are drawn among the rows as they are written"
  fixed <- c(origins = "no free intercept takes a shift up",
             constant = "it stands for an intercept with a penalty")
  dropped <- c(fixed[1L], constant = "its entries are dropped")
  pilot <- c(origins = "the radius has the rounding of a fit that it is found from")
  list(
    logistic = linear("two", loss = "logistic"),
    hinge = linear("two", loss = "hinge"),
    defaults = model(margin_linear, "two"),
    "penalised intercept" = linear("two", loss = "smooth_hinge", intercept = "penalized",
                                   except = fixed),
    "no intercept" = linear("two", loss = "squared_hinge", intercept = "none", except = fixed),
    "columns as they are" = linear("two", loss = "logistic", scale = FALSE, except = c(
      units = "they are not divided by their standard deviation"
    )),
    "one column" = linear("two", loss = "logistic", x = "column"),
    "more columns than rows" = linear("two", loss = "logistic", mixture = 0.5, x = "wide"),
    factors = linear("two", loss = "logistic", x = "frame"),
    "elastic net" = linear("two", loss = "logistic", mixture = 0.5),
    "factor 0" = linear("number", loss = "squared",
                        penalty_factor = c(a = 0, b = 1, c = 2, d = 1, e = 1)),
    "factor 0 of classes" = linear("two", loss = "logistic", mixture = 0.5,
                                   penalty_factor = c(a = 0, b = 1, c = 2, d = 0, e = 1)),
    bounds = linear("number", loss = "squared", lower = c(a = 0, b = -0.02, c = 0, d = 0, e = 0),
                    upper = c(a = 0.5, b = Inf, c = Inf, d = Inf, e = Inf),
                    except = c(file = "it has no bounds yet")),
    "bounds of classes" = linear("two", loss = "hinge", mixture = 0.5,
                                 lower = c(a = 0, b = -0.1, c = 0, d = -Inf, e = 0),
                                 upper = c(a = Inf, b = 0.2, c = 0, d = 0.1, e = 0.3),
                                 penalty_factor = c(a = 0.5, b = 1, c = 3, d = 0.7, e = 2),
                                 except = c(file = "it has no bounds yet",
                                            turned = "its bounds are of one direction")),
    offset = linear("two", loss = "logistic", offset = "offset"),
    "offset of a regression" = linear("number", loss = "squared", offset = "offset"),
    balanced = linear("three", loss = "squared_hinge", class_weights = "balanced"),
    "class by class" = linear("three", loss = "smooth_hinge"),
    softmax = linear("three", loss = "logistic", multiclass = "softmax"),
    "softmax, l1" = linear("three", loss = "logistic", multiclass = "softmax", mixture = 0.3),
    "softmax, factors" = linear("three", loss = "logistic", multiclass = "softmax",
                                penalty_factor = c(a = 0.5, b = 1, c = 2, d = 1, e = 1)),
    "softmax, penalised intercept" = linear("three", loss = "logistic", intercept = "penalized",
                                            multiclass = "softmax", except = fixed),
    "Crammer and Singer" = linear("three", multiclass = "crammer_singer",
                                  except = c(file = "its solver draws single rows")),
    ridge = linear("number", loss = "squared"),
    lasso = model(margin_linear, "number", loss = "squared", lambda = 0.1, mixture = 1),
    absolute = linear("number", loss = "absolute"),
    "Huber by residuals" = linear("number", loss = "huber", except = c(
      solvers = "its unit has the digits of the fit that it is found by"
    )),
    "Huber by response" = linear("number", loss = loss_huber(1, unit = "response")),
    "Huber, l1" = linear("number", loss = loss_huber(1, unit = "response"), mixture = 0.7),
    quantiles = linear("number", loss = loss_quantile(c(0.2, 0.5, 0.8)),
                       except = c(file = several, path = several)),
    kernel = model(margin_kernel, "two"),
    "kernel hinge" = kernel("two", loss = "hinge", kernel = kernel_laplace()),
    "kernel regression" = kernel("number", loss = "absolute"),
    "centred kernel" = kernel("two", loss = "squared_hinge", kernel = kernel_polynomial(2),
                              center = TRUE, reach = 100),
    ntk = kernel("two", loss = "logistic", kernel = kernel_ntk(width = 16, seed = 4),
                 center = TRUE, reach = 10, except = c(
                   columns = "a column has the weights that are drawn for its place",
                   constant = "as many weights are drawn as there are columns"
                 )),
    "kernel of the user" = kernel("two", loss = "logistic", kernel = kernel_custom(function(a, b) {
      a <- as.matrix(a)
      b <- as.matrix(b)
      exp(-outer(rowSums(a^2), rowSums(b^2), `+`) / 8 + tcrossprod(a, b) / 4)
    })),
    landmarks = kernel("two", loss = "logistic", nystrom = 8, except = drawn),
    "kernel class by class" = kernel("three", loss = "squared_hinge", class_weights = "balanced"),
    "linear kernel" = kernel("two", loss = "hinge", kernel = as_kernel("linear"), reach = 10),
    "kernel softmax" = kernel("three", loss = "logistic", multiclass = "softmax"),
    "kernel softmax, penalised" = kernel("three", loss = "logistic", multiclass = "softmax",
                                         intercept = "penalized"),
    "soft labels" = kernel("soft", loss = "logistic"),
    mixup = kernel("two", loss = "logistic", mixup = mixup_pairs(10),
                   except = c(copies = pairs, rows = pairs)),
    dropout = noisy("number", loss = "squared", perturbation = perturb_dropout(0.2),
                    center = FALSE, except = dropped),
    "dropout, l1" = noisy("number", loss = "squared", mixture = 0.5, center = FALSE,
                          perturbation = perturb_dropout(0.2) + perturb_rescale(0.5),
                          except = c(dropped, response_unit = "its penalty has two units")),
    "perturbation of the user" = noisy("two", loss = "logistic", control = list(tol = 0.05),
                                       perturbation = perturb_custom(function(v, u) v * (u > 0.2)),
                                       center = FALSE,
                                       except = c(dropped, sparse = "it sees zeros")),
    "dropout of classes" = noisy("two", loss = "logistic", perturbation = perturb_dropout(0.2),
                                 center = FALSE, control = list(tol = 0.05), except = dropped),
    noise = noisy("two", loss = "logistic", perturbation = perturb_gaussian(0.2),
                  except = c(sparse = "noise leaves no zeros")),
    "noise of a regression" = noisy("number", loss = "huber", response_scale = TRUE,
                                    perturbation = perturb_gaussian(0.2),
                                    except = c(sparse = "noise leaves no zeros")),
    "noise of classes" = noisy("three", loss = "smooth_hinge", perturbation = perturb_gaussian(0.2),
                               except = c(sparse = "noise leaves no zeros")),
    "robust, l1" = robust(norm = "l1", radius = 0.05),
    "robust, l2" = robust(norm = "l2", radius = 0.05),
    "robust, linf" = robust(norm = "linf", radius = 0.05, label_cost = 0.7),
    "robust, by passes" = robust(norm = "l2", radius = 0.05, solver = "gs_admm",
                                 control = list(tol = 1e-6, max_epochs = 1e5)),
    "robust, more columns than rows" = model(
      margin_robust, "two", norm = "l2", radius = 0.02, ridge = 0.1, intercept = "penalized",
      along = "radius", x = "wide", except = fixed
    ),
    "robust classes" = robust(y = "three", norm = "l2", radius = 0.05),
    "radius of l1" = robust(norm = "l1", except = pilot),
    "radius of l2" = robust(norm = "l2", except = pilot),
    hard = hard("apart"),
    "hard, unscaled" = model(margin_hard, "apart", along = "", except = c(
      start = "it takes none", units = "columns are not divided by their standard deviation"
    )),
    "hard kernel" = hard("apart", kernel = kernel_rbf(2)),
    "hard classes" = hard("three", kernel = kernel_rbf(2), intercept = "none"),
    "one class" = model(margin_oneclass, "", nu = 0.3, along = "nu"),
    "one class, polynomial" = model(margin_oneclass, "", nu = 0.3, along = "nu", reach = 100,
                                    kernel = kernel_polynomial(2), except = c(fixed)),
    path = path("two", mixture = c(0, 1), n_lambda = 4, except = ridge),
    "path of more columns than rows" = path("number", loss = "squared", mixture = 1, n_lambda = 4,
                                            x = "wide"),
    "path of kernels" = path("two", family = "kernel", n_lambda = 3),
    "path of landmarks" = path("two", family = "kernel", nystrom = 8, n_lambda = 3, except = drawn),
    "path of radii" = path("two", family = "robust", n_radius = 3, except = pilot),
    "path of nu" = path("", family = "oneclass", n_nu = 3)
  )
}

# Every loss in a linear and in a kernel model.
law_losses <- function() {
  of <- function(fun, title) {
    rows <- lapply(all_losses(), function(loss) {
      model(fun, if (loss$task == "classification") "two" else "number", loss = loss, lambda = 0.05)
    })
    stats::setNames(rows, paste(title, vapply(all_losses(), format, "")))
  }
  c(of(margin_linear, "linear"), of(margin_kernel, "kernel"))
}

# Every solver of every family but `auto`, on the case of its family.
law_solvers <- function() {
  of_solver <- function(row) {
    case <- case_of(row$family)
    arguments <- case$arguments(row)
    if (row$family == "hard") arguments$scale <- TRUE
    if (row$family != "oneclass") arguments$solver <- row$name
    origin <- if (row$family %in% c("linear", "robust", "augmented", "hard")) {
      reason <- "the case has no free intercept"
      c(constant = reason, origins = reason, response_origin = reason)
    }
    whole <- row$name %in% family_field(row$family, "whole_pass")
    c(arguments, list(
      fun = family_fun(row$family), y = case$response, x = "patchy", along = "",
      control = list(tol = case_value(case$tol, row$name), seed = 3,
                     max_epochs = case_value(case$epochs, row$name)),
      except = c(origin, if (!whole) c(file = "it passes over single rows"),
                 if (!case$starts) c(start = "it takes none"))
    ))
  }
  rows <- Filter(function(row) row$name != "auto", solver_rows())
  names(rows) <- vapply(rows, function(row) paste(row$family, row$name), "")
  lapply(rows, function(row) do.call(model, of_solver(row)))
}

# Made where it is asked for, and not before each file of tests.
delayedAssign("law_models", c(law_table(), law_losses(), law_solvers()))

# ---- What is done to the data ----

# `own`: the places of the rows of law_data among the rows; `from`: the row of law_data that each is.
law_case <- function(row) {
  list(x = law_data[[row$x]], y = if (nzchar(row$y)) law_data[[row$y]], weights = law_data$weights,
       offset = if (!is.null(row$arguments$offset)) law_data$offset, arguments = row$arguments,
       own = seq_along(law_data$weights), from = seq_along(law_data$weights))
}

pick_rows <- function(d, at, weights = d$weights[at]) {
  list(x = d$x[at, , drop = FALSE], y = d$y[at], weights = weights, offset = d$offset[at],
       arguments = d$arguments, own = match(seq_along(d$weights), at), from = at)
}

coded <- function(x) {
  if (is.data.frame(x)) stats::model.matrix(~ ., droplevels(x))[, -1L, drop = FALSE] else x
}
with_x <- function(d, x) {
  d$x <- x
  d
}
in_units <- function(x, unit = rep(1, 5L), shift = numeric(5L)) {
  for (k in which(letters[1:5] %in% colnames(x))) {
    x[, letters[k]] <- unit[k] * x[, letters[k]] + shift[k]
  }
  x
}

law_variants <- list(
  "as it is" = identity,
  copies = function(d) pick_rows(d, rep(seq_along(d$weights), d$weights), NULL),
  "no rows of weight 0" = function(d) pick_rows(d, which(d$weights > 0)),
  "rows in another order" = function(d) pick_rows(d, rev(order(sin(seq_along(d$weights))))),
  "columns turned round" = function(d) with_x(d, d$x[, rev(colnames(d$x)), drop = FALSE]),
  "no constant column" = function(d) {
    of_columns <- intersect(c("lower", "upper", "penalty_factor"), names(d$arguments))
    d$arguments[of_columns] <- lapply(d$arguments[of_columns], `[`, 1:4)
    with_x(d, d$x[, setdiff(colnames(d$x), "e"), drop = FALSE])
  },
  units = function(d) {
    unit <- c(8, 1 / 64, 2, 1024, 1)
    bounds <- intersect(c("lower", "upper"), names(d$arguments))
    d$arguments[bounds] <- lapply(d$arguments[bounds], `/`, unit)
    with_x(d, in_units(d$x, unit))
  },
  shifts = function(d) with_x(d, in_units(d$x, shift = c(3, -64, -2, 100, 5))),
  dense = function(d) with_x(d, coded(d$x)),
  "sparse by columns" = function(d) with_x(d, methods::as(coded(d$x), "CsparseMatrix")),
  "sparse by rows" = function(d) with_x(d, methods::as(coded(d$x), "RsparseMatrix")),
  "data frame" = function(d) with_x(d, as.data.frame(d$x)),
  "levels turned round" = function(d) {
    d$y <- factor(d$y, levels = rev(levels(d$y)))
    if (!is.null(d$offset)) d$offset <- -d$offset
    d
  },
  "a level more" = function(d) {
    d$y <- factor(d$y, levels = c(levels(d$y)[1L], "never", levels(d$y)[-1L]))
    d
  },
  "labels as words" = function(d) {
    d$y <- as.character(d$y)
    d
  },
  # a penalty with an l1 part is in the unit of the coefficients, unless y is divided by its own
  "response in another unit" = function(d) {
    d$y <- 2^30 * d$y
    l1 <- if (identical(d$arguments$mixture, 1)) "lambda"
    also <- intersect(c("lower", "upper", l1), names(d$arguments))
    d$arguments[also] <- lapply(d$arguments[also], `*`, 2^30)
    if (!is.null(d$offset)) d$offset <- 2^30 * d$offset
    d
  },
  "response moved" = function(d) {
    d$y <- d$y + 1024
    d
  }
)

# ---- Fits, each made once ----

law_memory <- new.env()

law_fit <- function(name, variant = "as it is") {
  key <- paste(name, variant, sep = ": ")
  if (is.null(law_memory[[key]])) {
    row <- law_models[[name]]
    law_memory[[key]] <- law_call(row, law_variants[[variant]](law_case(row)))
  }
  law_memory[[key]]
}

# The call of a row; fun and `...` take the place of what the row has.
law_call <- function(row, d, control = list(), fun = row$fun, ...) {
  own <- list(tol = 1e-9, seed = 1, max_epochs = 1e4, progress = FALSE)
  control <- do.call(margin_control, Reduce(utils::modifyList, list(own, row$control, control)))
  data <- Filter(Negate(is.null), d[c("x", "y", "weights", "offset")])
  arguments <- as.list(d$arguments)
  given <- list(...)
  arguments[names(given)] <- given
  arguments$offset <- NULL
  suppressWarnings(
    without_notes(do.call(fun, c(data, arguments, list(control = control)), quote = TRUE)),
    classes = "dualmargin_not_certified"
  )
}

# By a formula, whose data have weights and offsets as columns.
formula_call <- function(row) {
  d <- law_case(row)
  data <- as.data.frame(d$x)
  terms <- c(names(data), if (!is.null(d$offset)) "offset(o)")
  data$y <- d$y
  data$w <- d$weights
  data$o <- d$offset
  formula <- stats::reformulate(terms, if (!is.null(d$y)) "y")
  law_call(row, d["arguments"], fun = function(...) row$fun(formula, data, weights = w, ...))
}

# Of rows in a file, of chunks of seven.
file_call <- function(row, sparse = FALSE) {
  d <- law_case(row)
  x <- coded(d$x)
  path <- tempfile()
  write_rows(if (sparse) methods::as(x, "CsparseMatrix") else x, path, y = d$y,
             weights = d$weights, chunk = 7)
  law_call(row, list(x = read_rows(path), arguments = d$arguments))
}

# The point of a path that is the fit.
path_answer <- function(name, row) {
  d <- law_case(row)
  at <- law_fit(name)$settings[[row$along]]
  d$arguments[c(row$along, "cost")] <- NULL
  family <- sub("^margin_", "", class(law_fit(name))[1L])
  points <- stats::setNames(list(at^c(0.3, 0.6, 1), family), c(row$along, "family"))
  path <- do.call(law_call, c(list(row, d, fun = margin_path), points))
  k <- which.min(abs(path[[row$along]] - at))
  # that of the worst class, beside those of the others
  certificate <- law_fit(name)$certificate
  class <- match(path$certificate$class[k], certificate$class)
  certificate[class, c("value", "bound")] <- path$certificate[k, c("value", "bound")]
  new <- list(path, d$x, type = "score")
  new[[row$along]] <- at
  new$newoffset <- d$offset
  scores <- do.call(predict, new)
  if (length(dim(scores)) == 3L) scores <- scores[, , 1L]
  answer_of(law_fit(name), row, certificate = certificate, scores = scores)
}

# Of a radial kernel: of one that is computed as it is asked for, of its values, of a function.
kernel_calls <- function(name, row) {
  d <- law_case(row)
  fit <- law_fit(name)
  of_rows <- function(a, b) {
    squares <- outer(rowSums(as.matrix(a)^2), rowSums(as.matrix(b)^2), `+`)
    exp(-fit$settings$kernel$sigma * pmax(squares - 2 * as.matrix(a) %*% t(as.matrix(b)), 0))
  }
  scaled <- sweep(d$x, 2L, fit$scales, `/`)
  given <- with_x(d, of_rows(scaled, scaled))
  given$arguments$scale <- NULL
  list(
    "computed as it goes" = law_call(row, d, list(solver_options = list(cache_mb = 1e-6))),
    "its values" = law_call(row, given, kernel = kernel_precomputed()),
    "a function" = law_call(row, d, kernel = of_rows)
  )
}

# What a fit says but its time, its call and the threads that it was told to take.
timeless <- function(x) {
  if (!is.list(x)) return(x)
  for (name in intersect(names(x), c("seconds", "call", "threads"))) x[[name]] <- NULL
  kept <- attributes(x)
  x <- lapply(x, timeless)
  attributes(x) <- kept
  x
}

# ---- What two fits of one problem have in common ----

# The interval of the optimum of each problem, the decision values of the rows of law_data that have
# a weight, and how far these are from those of the optimum: where P is mu-strongly convex, w is
# within sqrt(2 gap/mu) of its optimum; a direction of margin m is within sqrt(2 gap/m) of the best.
# Without a mu, a share of the values.
answer_of <- function(fit, row, d = law_case(row), certificate = fit$certificate,
                      scores = scores_of(fit, d)) {
  at <- d$own[law_data$weights > 0]
  scores <- unname(as.matrix(scores)[at, , drop = FALSE])
  # classes of one problem have a constant in common that no loss sees
  if (one_problem(fit)) scores <- scores - rowMeans(scores)
  ends <- cbind(certificate$bound, certificate$value)
  # a value that is sampled has a standard error, which its gap knows and it does not
  if (!is.null(fit$value_se)) ends[, 2L] <- ends[, 2L] + 4 * fit$value_se
  hard <- inherits(fit, "margin_hard")
  if (hard) ends <- ends[, 2:1, drop = FALSE]
  mu <- if (hard) ends[, 2L] else convexity_of(fit)
  far <- sqrt(2 * pmax(ends[, 2L] - ends[, 1L], 0) / mu) * unit_of(fit) *
    reach_of(fit, row, d$x, at)
  far[mu == 0] <- 1e-4 * max(abs(scores))
  # a problem of all classes has one certificate
  list(low = ends[, 1L], high = ends[, 2L], scores = scores, far = rep_len(far, ncol(scores)),
       free = !isTRUE(fit$settings$intercept %in% c("none", "penalized")),
       classes = length(fit$levels), found = found_of(fit))
}

one_problem <- function(fit) {
  isTRUE(fit$settings$multiclass %in% c("softmax", "crammer_singer")) && NCOL(fit$scores) > 2L
}

# Of a path at each of its points.
scores_of <- function(fit, d) {
  if (!inherits(fit, "margin_path")) return(fit$scores)
  predict(fit, if (is.null(fit$terms)) d$x else as.data.frame(d$x), type = "score")
}

convexity_of <- function(fit) {
  s <- fit$settings
  if (inherits(fit, "margin_path")) {
    at <- fit$certificate
    if (is.null(at$lambda)) return(numeric(length(at$value)))
    return(at$lambda * (1 - if (is.null(at$mixture)) 0 else at$mixture))
  }
  switch(
    class(fit)[1L], margin_robust = s$ridge, margin_oneclass = 1, margin_kernel = s$lambda,
    s$lambda * (1 - s$mixture) * min(1, s$penalty_factor)
  )
}

# The largest distance of two rows as the problem has them, or the largest length with a 1 where the
# intercept is none or has a penalty.
reach_of <- function(fit, row, x, at) {
  if (!is.null(fit$settings$kernel)) return(2 * row$reach)
  x <- sweep(as.matrix(coded(x)[at, , drop = FALSE]), 2L, fit$scales, `/`)
  if (fit$settings$intercept == "free") max(stats::dist(x)) else sqrt(1 + max(rowSums(x^2)))
}

# What differs between two answers, in words; NULL if nothing does. A free intercept has its own
# place, which is known to 1e-4 of the values.
unlike <- function(a, b, ignore = character()) {
  weights <- law_data$weights[law_data$weights > 0]
  middle <- function(z) if (a$free) colSums(weights * z) / sum(weights) else 0 * z[1L, ]
  apart <- function(z) sweep(z, 2L, middle(z))
  size <- max(abs(a$scores))
  off <- apply(abs(apart(a$scores) - apart(b$scores)), 2L, max)
  allowed <- a$far + b$far + 1e-9 * size
  moved <- max(abs(middle(a$scores) - middle(b$scores)))
  met <- pmax(a$low, b$low) <= pmin(a$high, b$high) + 1e-12 * max(abs(c(a$high, b$high)))
  known <- setdiff(names(a$found), c(ignore, "scores"))
  same <- mapply(function(x, y) {
    isTRUE(all.equal(x, y, tolerance = 1e-7, check.attributes = FALSE))
  }, a$found[known], b$found[known])
  c(
    sprintf("[%.12g, %.12g] and [%.12g, %.12g] do not meet", a$low, a$high, b$low, b$high)[!met],
    sprintf("decision values differ by %.3g, not %.3g", off, allowed)[off > allowed],
    if (moved > max(allowed) + 1e-4 * size) sprintf("their mean differs by %.3g", moved),
    sprintf("another %s is found", known[!same])
  )
}

# Intervals of the rows that have a weight: at the optimum, without each row, without two; and how
# many rows flip a class. What has no such answer is left out.
decisions_of <- function(name, variant) {
  d <- law_variants[[variant]](law_case(law_models[[name]]))
  at <- d$own[law_data$weights > 0]
  ask <- function(fun, object, ...) {
    call <- c(list(object, d$x), if (!is.null(d$y)) list(d$y), list(...))
    if (is.null(object)) return(NULL)
    tryCatch(do.call(fun, call), dualmargin_input_error = function(e) NULL)
  }
  ends <- function(table) {
    table <- as.data.frame(table)[at, ]
    lapply(c(lower = "^lower", upper = "^upper"), function(end) {
      as.matrix(table[grep(end, names(table))])
    })
  }
  fit <- law_fit(name, variant)
  certain <- ask(margin_certain, fit)
  without <- list(
    certain = certain$training[c("lower", "upper")],
    loo = ask(margin_loo, fit, groups = d$from)$rows,
    sensitivity = ask(margin_sensitivity, fit, remove = which(d$from %in% 5:6))$rows
  )
  flips <- if (variant != "copies") ask(margin_sensitivity, fit, count = TRUE)$rows$needed[at]
  list(intervals = lapply(Filter(length, without), ends), flips = flips)
}
