# Fits of other packages that were run to the end (data-raw/audit_fits.R) against their objectives
# written out from the manuals of the packages, and against their optima; wrong constants,
# arguments and rows are noticed.

recorded <- readRDS(test_path("_fixtures", "audit_fits.rds"))
data <- recorded$data
x <- data$x
n <- nrow(x)

# Fits of kernlab are recorded as the slots that are read, which need no kernlab to be loaded.
audit_of <- function(record, ..., rows = x, y = data[[record$y]], newx = NULL, newy = NULL) {
  if (isTRUE(record$frame)) {
    return(margin_audit(record$fit, frame_of(record, rows), newx = newx, newy = newy, ...))
  }
  told <- list(...)
  arguments <- c(list(record$fit, rows, y), utils::modifyList(record$arguments, told))
  if (record$peer == "kernlab") {
    arguments$control <- NULL
    mapping <- do.call(ksvm_mapping, arguments)
    control <- if (is.null(told$control)) margin_control() else told$control
    return(run_audit(mapping, newx, newy, 1e-6, control))
  }
  do.call(margin_audit, c(arguments, list(newx = newx, newy = newy)), quote = TRUE)
}
# Fits from a formula take a data frame.
frame_of <- function(record, rows = x) data.frame(rows, y = data[[record$y]], w = data$weights)
of_peer <- function(peer, filter = function(record) TRUE) {
  Filter(function(record) record$peer == peer && filter(record), recorded$fits)
}
label <- function(record) {
  paste(record$peer, class(record$fit)[1L], record$fit$Type, record$y,
        paste(names(record$arguments), collapse = " "))
}

# ---- Objectives, from the manuals ----

logistic <- function(m) log1p(exp(-m))
liblinear_losses <- list(
  `0` = logistic, `1` = function(m) pmax(1 - m, 0)^2, `2` = function(m) pmax(1 - m, 0)^2,
  `3` = function(m) pmax(1 - m, 0), `5` = function(m) pmax(1 - m, 0)^2, `6` = logistic,
  `7` = logistic
)
manual_liblinear <- function(record) {
  fit <- record$fit
  a <- record$arguments
  y <- data[[record$y]]
  rows <- if (fit$Bias > 0) cbind(x, fit$Bias) else x
  type <- as.character(fit$Type)
  size <- function(w) if (type %in% c("5", "6")) sum(abs(w)) else sum(w^2) / 2
  if (fit$Type >= 11) {
    r <- pmax(abs(drop(rows %*% fit$W[1L, ]) - y) - a$svr_eps, 0)
    return(size(fit$W) + a$cost * sum(if (type == "13") r else r^2))
  }
  if (type == "4") {
    z <- rows %*% t(fit$W)
    true <- cbind(seq_len(n), match(y, fit$ClassNames))
    lead <- z + 1
    lead[true] <- z[true]
    omega <- if (is.null(a$wi)) 1 else a$wi[as.character(y)]
    return(size(fit$W) + a$cost * sum(omega * (apply(lead, 1L, max) - z[true])))
  }
  one <- function(k, of_class, of_rest) {
    own <- y == fit$ClassNames[k]
    m <- ifelse(own, 1, -1) * drop(rows %*% fit$W[k, ])
    size(fit$W[k, ]) + a$cost * sum(ifelse(own, of_class, of_rest) * liblinear_losses[[type]](m))
  }
  weight <- function(k) if (is.null(a$wi)) 1 else a$wi[[as.character(fit$ClassNames[k])]]
  if (nrow(fit$W) == 1L) one(1L, weight(1L), weight(2L)) else
    vapply(1:3, function(k) one(k, weight(k), 1), 0)
}

spread <- function(v, w = rep(1, n)) sqrt(weighted.mean((v - weighted.mean(v, w))^2, w))
manual_glmnet <- function(record) {
  fit <- record$fit
  a <- record$arguments
  call <- as.list(fit$call)
  alpha <- call$alpha
  w <- if (is.null(a$weights)) rep(1, n) else a$weights
  y <- data[[record$y]]
  at <- match(a$s, fit$lambda)
  slopes <- do.call(cbind, lapply(if (is.list(fit$beta)) fit$beta else list(fit$beta),
                                  function(beta) beta[, at]))
  z <- x %*% slopes + rep(if (is.matrix(fit$a0)) fit$a0[, at] else fit$a0[at], each = n) +
    if (is.null(a$offset)) 0 else a$offset
  sds <- if (isFALSE(call$standardize)) rep(1, 4) else apply(x, 2L, spread, w = w)
  f <- if (is.null(a$penalty.factor)) rep(1, 4) else a$penalty.factor / mean(a$penalty.factor)
  penalty <- function(b) a$s * sum(f * ((1 - alpha) / 2 * b^2 + alpha * abs(b)))
  if (record$y != "number") {
    losses <- if (record$y == "two") logistic((2 * (y == "yes") - 1) * z) else
      log(rowSums(exp(z))) - z[cbind(seq_len(n), as.integer(y))]
    return(weighted.mean(losses, w) + penalty(slopes * sds))
  }
  # y is brought to unit variance, and lambda with it
  target <- y - if (is.null(a$offset)) 0 else a$offset
  unit <- if (isFALSE(call$intercept)) sqrt(weighted.mean(target^2, w)) else spread(target, w)
  unit^2 * (weighted.mean(((y - z) / unit)^2, w) / 2 + penalty(slopes * sds / unit) / unit)
}

# 1/2 |f|^2 + C sum of losses, f = sum of coefficients times kernel values, plus b
kernels <- list(
  linear = function(k) tcrossprod, vanillakernel = function(k) tcrossprod,
  polynomial = function(k) function(a, b) (k$gamma * tcrossprod(a, b) + k$coef0)^k$degree,
  polykernel = function(k) function(a, b) (k$scale * tcrossprod(a, b) + k$offset)^k$degree,
  radial = function(k) function(a, b) exp(-k$gamma * distances(a, b)^2),
  rbfkernel = function(k) function(a, b) exp(-k$sigma * distances(a, b)^2),
  laplacekernel = function(k) function(a, b) exp(-k$sigma * distances(a, b))
)
distances <- function(a, b) {
  as.matrix(dist(rbind(a, b)))[seq_len(nrow(a)), nrow(a) + seq_len(nrow(b))]
}
manual_machine <- function(kernel, points, beta, b, cost, centre, scale, y, weights, epsilon,
                           penalised = FALSE) {
  rows <- if (is.null(centre)) x else base::scale(x, centre, scale)
  z <- drop(kernel(rows, points) %*% beta) + b
  losses <- if (is.null(epsilon)) pmax(1 - y * z, 0) else pmax(abs(y - z) - epsilon, 0)
  (drop(crossprod(beta, kernel(points, points) %*% beta)) + penalised * b^2) / 2 +
    cost * sum(weights * losses)
}
weights_of_rows <- function(record) {
  cw <- record$arguments$class.weights
  if (is.null(cw)) 1 else cw[as.character(data[[record$y]])]
}
manual_e1071 <- function(record) {
  f <- record$fit
  if (record$y == "none") {
    rows <- scale(x, f$x.scale[[1L]], f$x.scale[[2L]])
    points <- as.matrix(f$SV)
    a <- f$coefs / (f$nu * n)
    rho <- f$rho / (f$nu * n)
    k <- kernels$radial(f)
    below <- pmax(rho - k(rows, points) %*% a, 0)
    return(sum(a * (k(points, points) %*% a)) / 2 - rho + sum(below) / (f$nu * n))
  }
  number <- record$y == "number"
  y <- if (number) data$number else ifelse(data$two == f$levels[f$labels[1L]], 1, -1)
  if (!is.null(f$y.scale)) y <- (y - f$y.scale[[1L]]) / f$y.scale[[2L]]
  manual_machine(kernels[[c("linear", "polynomial", "radial")[f$kernel + 1L]]](f), as.matrix(f$SV),
                 as.vector(f$coefs), -f$rho, f$cost, f$x.scale[[1L]], f$x.scale[[2L]], y,
                 weights_of_rows(record), if (number) f$epsilon)
}
manual_kernlab <- function(record) {
  f <- record$fit
  number <- record$y == "number"
  scale <- if (is.list(f$scaling)) f$scaling
  y <- if (number) data$number else ifelse(data$two == f$lev[2L], 1, -1)
  if (!is.null(scale$y.scale)) y <- (y - scale$y.scale[[1L]]) / scale$y.scale[[2L]]
  first <- function(v) if (is.list(v)) v[[1L]] else v
  manual_machine(kernels[[f$kernel$class]](f$kernel$kpar), as.matrix(first(f$xmatrix)),
                 first(f$coef), -f$b, f$param$C, scale$x.scale[[1L]], scale$x.scale[[2L]], y,
                 weights_of_rows(record), if (number) f$param$epsilon, f$type == "C-bsvc")
}

# Without nnet there is no coef() of its fits.
formula_coef <- function(record) {
  if (record$peer == "nnet") multinom_coefficients(record$fit) else coef(record$fit)
}
formula_scores <- function(record) {
  w <- formula_coef(record)
  drop((if (length(w) == 5L) cbind(1, x) else x) %*% w)
}
manual_stats <- function(record) {
  f <- record$fit
  z <- formula_scores(record)
  if (record$y == "number") sum(f$prior.weights * (data$number - z)^2) else
    2 * sum(f$prior.weights * logistic((2 * (data$two == "yes") - 1) * z))
}
manual_nnet <- function(record) {
  w <- formula_coef(record)
  sum(data$weights * logistic((2 * (data$two == "yes") - 1) * formula_scores(record))) +
    record$fit$decay * sum(w^2)
}
manual_MASS <- function(record) {
  f <- record$fit
  k <- formals(f$psi)$k
  u <- abs(data$number - formula_scores(record)) / f$s
  sum(f$weights * ifelse(u <= k, u^2 / 2, k * u - k^2 / 2))
}
manual_quantreg <- function(record) {
  f <- record$fit
  r <- data$number - formula_scores(record)
  sum(r * (f$tau - (r < 0))) + sum(f$lambda * abs(coef(f))) / 2
}

test_that("an objective is that of the package's manual, and its end is our optimum", {
  manual <- list(LiblineaR = manual_liblinear, glmnet = manual_glmnet, e1071 = manual_e1071,
                 kernlab = manual_kernlab, stats = manual_stats, nnet = manual_nnet,
                 MASS = manual_MASS, quantreg = manual_quantreg)
  for (record in recorded$fits) {
    audit <- audit_of(record)
    table <- audit$excess
    # pairs of classes are judged by their end alone
    if (nrow(table) == 1L || record$peer == "LiblineaR") {
      expect_equal(table$value, manual[[record$peer]](record), tolerance = 1e-12,
                   label = label(record))
    }
    # dual coordinate descent ends at its cap
    within <- if (isTRUE(record$fit$Type %in% c(1, 3, 7, 12, 13))) 2e-4 else
      if (record$peer %in% c("e1071", "kernlab")) 1e-6 else 1e-7
    expect_lte(max(table$relative_to), within, label = label(record))
    expect_true(all(table$from >= 0 & table$from <= table$to))
    expect_identical(audit$training$n, n)
  }
})

test_that("truth lies within the interval of the excess", {
  set.seed(7)
  for (i in 1:20) {
    m <- sample(8:30, 1L)
    p <- sample(1:4, 1L)
    rows <- matrix(rnorm(m * p), m) * rep(10^runif(p, -2, 2), each = m)
    number <- i %% 2L == 0L
    y <- if (number) rnorm(m) else factor(sample(c("a", "b"), m, TRUE), c("a", "b"))
    loss <- if (number) "squared" else sample(c("logistic", "hinge"), 1L)
    mixture <- if (loss == "hinge") 0 else sample(c(0, 0.5, 1), 1L)
    lambda <- 10^runif(1, -3, 0)
    best <- suppressWarnings(margin_linear(rows, y, loss = loss, lambda = lambda, mixture = mixture,
                                           scale = FALSE, control = margin_control(tol = 1e-12)))
    judge <- function(w) margin_audit(w, rows, y, loss = loss, lambda = lambda, mixture = mixture)
    moved <- coef(best) + 10^runif(1, -6, 0) * rnorm(p + 1)
    z <- drop(cbind(1, rows) %*% moved)
    sign <- if (number) y else 2 * (y == "b") - 1
    value <- mean(plain_loss(as_loss(loss), z, sign)) +
      lambda * ((1 - mixture) / 2 * sum(moved[-1]^2) + mixture * sum(abs(moved[-1])))
    table <- judge(moved)$excess
    stated <- certificate(best)
    # the optimum is between bound and value of our tight fit
    expect_lte(table$from, value - stated$bound + 1e-13 * value)
    expect_gte(table$to, value - stated$value - 1e-13 * value)
    expect_equal(table$value, value, tolerance = 1e-12)
    # the optimum itself has no excess, and its scores are within the ends that are stated
    at_best <- judge(coef(best))
    expect_lte(at_best$excess$relative_to, 3e-8)
    expect_identical(at_best$verdict, "exact")
    rows_now <- at_best$training
    slack <- 1e-4 * (1 + abs(rows_now$scores))
    expect_true(rows_now$proven)
    expect_true(all(rows_now$lower <= rows_now$scores + slack))
    expect_true(all(rows_now$upper >= rows_now$scores - slack))
  }
})

# ---- What a fit does not keep, and rows that are not its own ----

test_that("an argument that a fit does not keep is asked for, by its name", {
  linear <- of_peer("LiblineaR")
  expect_input_error(margin_audit(linear[[1L]]$fit, x, data$two), "cost", "does not keep")
  tube <- Filter(function(r) r$fit$Type == 13, linear)[[1L]]
  expect_input_error(margin_audit(tube$fit, x, data$number, cost = 0.1), "svr_eps", "does not keep")
  net <- of_peer("glmnet")
  expect_input_error(margin_audit(net[[1L]]$fit, x, data$number), "s", "12 values of lambda")
  for (record in Filter(function(r) length(r$arguments) > 1L, net)) {
    name <- names(record$arguments)[2L]
    expect_input_error(margin_audit(record$fit, x, data[[record$y]], s = record$arguments$s), name,
                       "does not keep")
  }
  weighted <- of_peer("e1071", function(r) length(r$arguments) > 0L)[[1L]]
  expect_input_error(margin_audit(weighted$fit, x, data$two), "class.weights", "does not keep")
  expect_input_error(margin_audit(numeric(5), x, data$two, lambda = 1), "loss", "do not say")
  expect_input_error(margin_audit(numeric(5), x, data$two, loss = "hinge"), "lambda", "do not say")
  expect_input_error(margin_audit(lm(dist ~ speed, cars), x, data$two), "fit", "not mapped")
})

test_that("rows that a fit does not keep are asked for, whatever its class", {
  for (name in c("svm", "ksvm", "LiblineaR", "glmnet", "cv.glmnet", "model_fit", "Learner",
                 "margin_fit")) {
    expect_input_error(margin_audit(structure(list(), class = name)), "x", "is missing")
  }
  expect_input_error(margin_audit(1), "x", "is missing")
  for (name in c("LiblineaR", "glmnet", "cv.glmnet")) {
    expect_input_error(margin_audit(structure(list(), class = name), diag(2)), "y", "is missing")
  }
})

test_that("a fit of a kernelMatrix is that of its kernel, and the matrix is square", {
  rbf <- of_peer("kernlab", function(r) r$y == "two" && r$fit$kernel$class == "rbfkernel" &&
                   r$fit$type == "C-svc" && length(r$arguments) > 0L)[[1L]]
  tube <- of_peer("kernlab", function(r) r$y == "number" && r$fit$kernel$class == "rbfkernel")[[1L]]
  for (record in list(rbf, tube)) {
    scaling <- record$fit$scaling$x.scale
    rows <- base::scale(x, scaling$`scaled:center`, scaling$`scaled:scale`)
    values <- kernels$rbfkernel(record$fit$kernel$kpar)(rows, rows)
    given <- record
    given$fit[c("scaling", "kernel")] <- list(NULL, list(class = "kernelMatrix"))
    y <- data[[record$y]]
    if (record$y == "number") {
      unit <- record$fit$scaling$y.scale
      y <- (y - unit$`scaled:center`) / unit$`scaled:scale`
    }
    own <- audit_of(record)$excess
    audit <- audit_of(given, rows = values, y = y)
    expect_equal(audit$excess$value, own$value, tolerance = 1e-12)
    expect_equal(audit$excess$dual_short, own$dual_short, tolerance = 0.2)
    expect_lte(audit$excess$relative_to, 1e-6)
    expect_match(audit$assumes, "kernel values")
    expect_input_error(audit_of(given, rows = values[, -1L], y = y), "x", "square")
    expect_input_error(audit_of(given, rows = values, y = y, newx = values), "newx", "kernelMatrix")
    expect_gt(audit_of(given, rows = values + diag(0.5, n), y = y)$excess$relative_from, 1e-4)
  }
  given$fit[c("type", "lev")] <- list("C-svc", c("a", "b", "c"))
  expect_input_error(audit_of(given, rows = values, y = y), "fit", "three or more classes")
})

# Models of parsnip, workflows and caret by what is read of them; test-parsnip.R has real ones.
test_that("a model of a framework is its engine's fit, at what was asked for beside its call", {
  linear <- of_peer("LiblineaR", function(r) r$fit$Type == 2 && r$y == "two" &&
                      length(r$arguments) == 1L && r$fit$Bias == 1)[[1L]]
  own <- audit_of(linear)
  model <- function(fit, args, call, interface = "matrix") {
    structure(list(fit = fit, spec = list(args = args, method = list(
      fit = list(interface = interface, args = call)
    )), preproc = list(x_var = colnames(x), y_var = "y")), class = "model_fit")
  }
  quosure <- structure(~size, class = c("quosure", "formula"), .Environment = list2env(
    list(size = 0.1)
  ))
  same <- margin_audit(model(linear$fit, list(cost = quosure), list(cost = 0.1)),
                       as.data.frame(x), data$two, newx = as.data.frame(x))
  expect_equal(same$excess, own$excess)
  expect_equal(same$new$scores, own$training$scores)
  # of logistic regression by LiblineaR a penalty is one over the cost
  expect_equal(margin_audit(model(linear$fit, list(penalty = 10), list(cost = 0.1)), x,
                            data$two)$excess, own$excess)
  # an argument of another name never arrives: the engine's default is its call
  lost <- margin_audit(model(linear$fit, list(cost = 0.1), list(C = 0.1)), x, data$two)
  expect_named(lost, c("called with cost = 1", "asked for cost = 0.1"))
  expect_equal(lost[[2L]]$excess, own$excess)
  expect_false(lost[[1L]]$excess$certified)
  net <- of_peer("glmnet", function(r) r$y == "two" && identical(r$fit$call$alpha, 0.4) &&
                   length(r$arguments) == 1L)[[1L]]
  path <- margin_audit(model(net$fit, list(penalty = net$arguments$s, mixture = 0.4),
                             list(alpha = 0.4)), x, data$two)
  expect_equal(path$excess, audit_of(net)$excess)
  workflow <- structure(list(
    pre = list(mold = list(predictors = as.data.frame(x), outcomes = data.frame(y = data$two))),
    fit = list(fit = model(linear$fit, list(cost = 0.1), list(cost = 0.1)))
  ), class = "workflow")
  expect_equal(margin_audit(workflow)$excess, own$excess)
  expect_input_error(margin_audit(workflow, x), "x", "rows that it keeps")
  machine <- of_peer("e1071", function(r) r$y == "two" && length(r$arguments) == 0L)[[1L]]
  train <- structure(list(finalModel = machine$fit, bestTune = data.frame(cost = 0.7),
                          trainingData = data.frame(x, .outcome = data$two)), class = "train")
  expect_equal(margin_audit(train)$excess, audit_of(machine)$excess)
  train$bestTune$cost <- 0.8
  expect_named(margin_audit(train), c("called with cost = 0.7", "asked for cost = 0.8"))
  train$trainingData <- NULL
  expect_input_error(margin_audit(train), "x", "does not keep its rows")
})

test_that("of type 4 with two classes the coefficients are opposite, or it is refused", {
  record <- of_peer("LiblineaR", function(r) r$fit$Type == 4 && r$y == "two")[[1L]]
  expect_identical(audit_of(record)$verdict, "exact")
  record$fit$W[1L, 1L] <- record$fit$W[1L, 1L] + 1e-3
  expect_input_error(audit_of(record), "fit", "not opposite")
})

test_that("fits from a formula are of their own rows, kept or given", {
  for (record in Filter(function(r) isTRUE(r$frame), recorded$fits)) {
    frame <- frame_of(record)
    audit <- audit_of(record)
    expect_identical(audit$verdict, "exact", label = label(record))
    expect_equal(audit_of(record, newx = frame)$new$scores, audit$training$scores)
    kept <- record$fit
    kept$model <- stats::model.frame(kept$terms, frame)
    expect_equal(margin_audit(kept)$excess, audit$excess)
    expect_equal(certificate(kept), certificate(audit))
    expect_input_error(margin_audit(record$fit), "x", "does not keep its rows")
    expect_input_error(margin_audit(record$fit, x), "x", "data frame")
    expect_input_error(margin_audit(record$fit, frame, frame$y), "y", "from a formula")
    other <- frame
    other$a[1L] <- other$a[1L] + 0.01
    expect_input_error(margin_audit(record$fit, other), "x", "other rows")
    other <- frame
    other$y[1:2] <- if (is.factor(frame$y)) c("yes", "no")[as.integer(frame$y[1:2])] else 0
    expect_input_error(margin_audit(record$fit, other), "x", "other rows")
    expect_input_error(margin_audit(record$fit, frame[-1L, ]), "x", "other rows")
  }
})

test_that("glm() is audited with proportions, counts, offsets, factors and aliased columns", {
  n <- nrow(x)
  frame <- data.frame(x, g = gl(3, 1, n), o = data$weights, total = rep(2:5, length.out = n))
  frame$won <- pmin(frame$total, rep(c(1, 0, 3, 2), length.out = n))
  frame$twice <- 2 * frame$a
  # a smaller one hides from glm() that columns are combinations of each other
  tight <- glm.control(1e-10, 100)
  counts <- glm(cbind(won, total - won) ~ a + twice + g + offset(o), binomial, frame,
                control = tight)
  shares <- glm(won / total ~ a + g, binomial, frame, weights = total, offset = o, control = tight)
  given <- list(margin_audit(counts),
                margin_audit(shares, frame, newx = frame, newoffset = frame$o))
  for (audit in given) {
    expect_identical(audit$verdict, "exact")
    # of a row of counts both classes
    expect_identical(audit$nobs, sum(frame$total > 0))
  }
  expect_equal(given[[2L]]$new$scores[, 1L], unname(shares$linear.predictors))
  expect_equal(given[[1L]]$excess$value - counts$deviance,
               -2 * sum(ifelse(frame$won > 0, frame$won * log(frame$won / frame$total), 0) +
                          ifelse(frame$won < frame$total, (frame$total - frame$won) *
                                   log(1 - frame$won / frame$total), 0)))
  expect_input_error(margin_audit(shares, newx = frame), "newoffset", "not in its formula")
  early <- suppressWarnings(glm(cbind(won, total - won) ~ a + g, binomial, frame,
                                control = glm.control(maxit = 1)))
  expect_gt(margin_audit(early)$excess$from, 0)
})

test_that("fits from a formula that have another objective are refused, with the reason", {
  frame <- data.frame(x, y = data$number, two = data$two, count = rep(0:2, 20L))
  expect_input_error(margin_audit(glm(count ~ a, poisson, frame)), "fit", "no loss here")
  expect_input_error(margin_audit(glm(two ~ a, binomial("probit"), frame)), "fit", "no loss here")
  gam <- glm(two ~ a, binomial, frame)
  class(gam) <- c("gam", class(gam))
  expect_input_error(margin_audit(gam), "fit", "objective is its own")
  wide <- data.frame(matrix(sin(seq_len(60 * 51)^2), 60L), y = data$number)
  expect_input_error(margin_audit(glm(y ~ ., data = wide)), "fit", "51 columns without a penalty")
  rlm <- of_peer("MASS", function(r) any(r$fit$weights != 1))[[1L]]
  bisquare <- rlm$fit
  bisquare$psi <- function(u, c = 4.685, deriv = 0) (1 - pmin(1, abs(u / c))^2)^2
  expect_input_error(margin_audit(bisquare, frame_of(rlm)), "fit", "not convex")
  inverse <- rlm$fit
  inverse$call$wt.method <- NULL
  expect_input_error(margin_audit(inverse, frame_of(rlm)), "fit", "inv.var")
  two <- of_peer("nnet")[[1L]]$fit
  two$lev <- c("a", "b", "c")
  expect_input_error(margin_audit(two, frame), "fit", "more than two classes")
  lasso <- of_peer("quantreg")[[1L]]$fit
  expect_input_error(margin_audit(structure(lasso, class = "rq"), frame), "fit", "lasso of one tau")
  expect_input_error(margin_audit(utils::modifyList(lasso, list(weights = 1)), frame), "fit",
                     "does not hand to method")
  lasso$lambda[3L] <- 0
  expect_input_error(margin_audit(lasso, frame), "fit", "without a penalty")
})

test_that("a fit at another cost, alpha or class weight is never certified", {
  for (record in of_peer("LiblineaR")) {
    audit <- audit_of(record, cost = 0.102)
    expect_false(any(audit$excess$certified & audit$excess$value > 0.9 * n * 0.102), label(record))
    if (!is.null(record$arguments$wi)) {
      other <- record$arguments$wi * c(1.05, rep(1, length(record$arguments$wi) - 1L))
      expect_false(all(audit_of(record, wi = other)$excess$certified), label(record))
    }
  }
  # at limits another alpha has the same optimum
  for (record in of_peer("glmnet", function(r) r$fit$call$alpha == 0.4 &&
                           !"lower.limits" %in% names(r$arguments))) {
    expect_false(all(audit_of(record, alpha = 0.45)$excess$certified), label(record))
  }
})

test_that("other rows, another order, other weights and labels are refused, or assumed", {
  turned <- rev(seq_len(n))
  for (record in of_peer("glmnet")) {
    expect_error(audit_of(record, rows = x[turned, ]), class = "dualmargin_input_error")
    expect_error(audit_of(record, rows = 1.01 * x), class = "dualmargin_input_error")
  }
  for (record in c(of_peer("e1071"), of_peer("kernlab"))) {
    expect_input_error(audit_of(record, rows = x[turned, ]), "x", "support vectors")
    expect_input_error(audit_of(record, rows = 1.01 * x), "x", "support vectors")
    if (record$y %in% c("two", "three")) {
      expect_input_error(audit_of(record, y = rev(data[[record$y]])), "y", "other classes")
    }
  }
  record <- of_peer("LiblineaR")[[1L]]
  expect_match(certificate(audit_of(record))$assumes, "LiblineaR keeps none")
  expect_false(audit_of(record, rows = x[turned, ])$excess$certified)
})

# ---- What is said of a fit ----

# Coefficients of the same problem, moved from the optimum so that these are the verdicts.
separate <- function(gap) {
  rows <- cbind(u = c(-3:-1, 1:3) + gap, v = c(1, -1, 1, -1, 1, -1) / 4)
  list(x = rows, y = factor(rep(c("no", "yes"), each = 3L)))
}

test_that("the verdict goes by what is proven, and not by the excess", {
  p <- separate(0.3)
  judge <- function(w, ...) {
    margin_audit(w, p$x, p$y, loss = "squared_hinge", cost = 1, control = margin_control(), ...)
  }
  best <- coef(margin_linear(p$x, p$y, loss = "squared_hinge", cost = 1, scale = FALSE,
                             control = margin_control(tol = 1e-12)))
  expect_identical(judge(best)$verdict, "exact")
  expect_identical(judge(best * (1 + 9e-4))$verdict, "as good as exact")
  far <- judge(best + c(0, 0, 2 * best[2L]))
  expect_identical(far$verdict, "off, no class changes")
  expect_gt(far$training$can_cross, 0L)
  # of a large margin half as much again is no matter
  expect_identical(judge(best * 1.02)$training$can_cross, 0L)
  off <- judge(best + c(3 * best[2L], 0, 0))
  z <- drop(cbind(1, p$x) %*% best)
  moved <- sum((z > 0) != (z + 3 * best[2L] > 0))
  expect_identical(off$verdict, sprintf("changes %d classes", moved))
  expect_identical(off$training$changed, moved)
  # a row on the boundary of the optimum is counted apart: its score is 0 whatever is fitted
  none <- function(w) {
    margin_audit(w, rbind(p$x, 0), factor(c(as.character(p$y), "no")), loss = "hinge", cost = 1,
                 intercept = "none")
  }
  slopes <- none(c(2, 2))$training
  expect_identical(slopes$open + slopes$changed, 0L)
  expect_identical(judge(best * 1.5, tol = 10)$verdict, "exact")
})

test_that("probabilities decide a class where scores of a multinomial optimum have no ends", {
  # wide apart: the logarithm of a probability near 0 has no end, the class is decided all the same
  rows <- cbind(c(-20:-1, 1:20), rep(c(30, -30), 20))
  y <- factor(rep(1:4, each = 10L))
  fit <- margin_linear(rows, y, mixture = 1, lambda = 1e-4, scale = FALSE,
                       control = margin_control(tol = 1e-4))
  w <- coef(fit)
  audit <- margin_audit(unname(w), rows, y, loss = "logistic", mixture = 1, lambda = 1e-4,
                        multiclass = "softmax")
  training <- audit$training
  expect_true(training$proven)
  expect_true(is.infinite(training$moved))
  expect_lt(training$open, 4L)
  expect_true(is.finite(training$prob_moved))
  expect_lte(training$prob_moved_least, training$prob_moved)
})

test_that("the dual point of a support vector machine bounds where the primal cannot", {
  loose <- of_peer("e1071", function(r) r$y == "two")[[2L]]
  loose$fit$rho <- loose$fit$rho + 0.02
  audit <- audit_of(loose)
  table <- audit$excess
  # a constant that is off is seen in the primal value alone
  expect_gt(table$from, 1e-5 * table$value)
  expect_lt(table$dual_short, 1e-7 * table$value)
  expect_identical(audit$verdict, "as good as exact")
  # dual variables that are not feasible have no such bound
  broken <- of_peer("e1071", function(r) r$y == "two")[[2L]]
  broken$fit$coefs <- broken$fit$coefs * 1.2
  expect_input_error(audit_of(broken), "class.weights", "dual variables")
})

test_that("our solve starts from what is judged, whose bound is there without a solve", {
  rows <- scale(as.matrix(spambase[seq(1, 4601, by = 10), 1:57]))
  spam <- spambase$type[seq(1, 4601, by = 10)]
  told <- list(rows, spam, loss = "logistic", lambda = 1e-3)
  best <- do.call(margin_linear, c(told, list(scale = FALSE, control = margin_control(tol = 1e-9))))
  near <- coef(best) * (1 + 1e-2 * sin(1:58))
  at_once <- margin_control(max_seconds = 1e-9)
  audit <- do.call(margin_audit, c(list(near), told))
  expect_lt(audit$fits[[1L]]$status$epochs, best$status$epochs)
  first <- do.call(margin_audit, c(list(near), told, list(control = at_once)))
  expect_lte(certificate(refit(first))$value, audit$excess$value * (1 + 1e-9))
  expect_equal(first$excess$value, audit$excess$value)
  expect_lte(first$excess$bound, best$certificate$value)
  expect_lt(first$excess$relative_to, 0.1)
  expect_gt(first$excess$to, audit$excess$from)
  expect_gt(audit$excess$from, 0)
  # dual points of support vector machines, which are at their ends
  machines <- c(of_peer("e1071"), of_peer("kernlab"))
  for (record in Filter(function(record) record$y != "none", machines)) {
    first <- audit_of(record, control = at_once)
    for (fit in first$fits) {
      expect_lt(certificate(fit)$relative_gap, 1e-5, label = label(record))
    }
  }
})

test_that("coefficients are judged on rows in a file as on those in memory", {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  some <- seq(1, 4601, by = 10)
  rows <- scale(as.matrix(spambase[some, 1:57]))
  spam <- spambase$type[some]
  weights <- rep(c(1, 2, 1), length.out = length(some))
  number <- drop(rows %*% sin(1:57))
  write_rows(rows, file.path(folder, "spam"), spam, weights = weights)
  write_rows(rows, file.path(folder, "number"), number)
  write_rows(methods::as(as.matrix(iris[1:4]), "RsparseMatrix"), file.path(folder, "iris"),
             iris$Species)
  same <- function(name, coefficients, x, y, ..., weights = NULL) {
    stored <- margin_audit(coefficients, read_rows(file.path(folder, name)), ...)
    memory <- margin_audit(coefficients, x, y, ..., weights = weights)
    expect_equal(stored$excess[-6L], memory$excess[-6L], tolerance = 1e-7)
    expect_identical(stored$training$class, memory$training$class)
    expect_equal(stored$training[c("scores", "before", "spread")],
                 memory$training[c("scores", "before", "spread")])
    expect_identical(stored$verdict, memory$verdict)
    stored
  }
  for (loss in c("logistic", "hinge")) {
    same("spam", 0.1 * cos(0:57), rows, spam, loss = loss, lambda = 0.01, weights = weights)
  }
  same("number", c(0.1, sin(1:57)), rows, number, loss = "huber", lambda = 0.01)
  flowers <- matrix(sin(1:15), 5)
  same("iris", flowers, as.matrix(iris[1:4]), iris$Species, loss = "logistic", lambda = 0.01,
       multiclass = "softmax")
  stored <- read_rows(file.path(folder, "iris"))
  refused <- function(arg, ...) {
    expect_identical(expect_error(margin_audit(flowers, stored, ..., loss = "logistic", lambda = 1),
                                  class = "dualmargin_input_error")$arg, arg)
  }
  refused("multiclass")
  refused("y", iris$Species)
  refused("weights", weights = rep(1, 150))
  refused("scale", scale = TRUE)
  fit <- margin_linear(Species ~ ., iris)
  expect_error(margin_audit(fit, stored), class = "dualmargin_input_error")
})

test_that("what is not linear in given columns is refused on several ranks, with the reason", {
  control <- replace(margin_control(), "ranks", list(list(size = 2L)))
  x <- iris[51:150, 1:2]
  y <- factor(iris$Species[51:150])
  own <- margin_kernel(as.matrix(x), y, kernel = "linear")
  fits <- list(own, glm(y ~ ., "binomial", data.frame(x, y)), structure(list(), class = "workflow"))
  said <- c("beside every other", "from the rows of one rank", "prepares the rows")
  for (k in seq_along(fits)) {
    expect_error(margin_audit(fits[[k]], x, y, control = control),
                 paste("needs all rows in one place:.*", said[k]), class = "dualmargin_input_error")
  }
})

test_that("the best fit has the package's classes, columns and vote", {
  for (record in recorded$fits) {
    best <- refit(audit_of(record))
    if (inherits(best, "margin_fit")) {
      expect_lte(certificate(best)$relative_gap, 3e-8)
      next
    }
    predicted <- predict(best, x)
    audit <- audit_of(record, newx = x, newy = data[[record$y]])
    if (record$y == "number") {
      expect_equal(predicted, audit$training$best[, 1L])
    } else if (record$y == "none") {
      same <- as.character(predicted) == audit$levels[audit$training$optimum]
      expect_true(all(same, na.rm = TRUE))
    } else {
      expect_equal(mean(as.character(predicted) == as.character(data[[record$y]])),
                   audit$training$after)
    }
    expect_equal(audit$new$scores, audit$training$scores)
    expect_identical(audit$new$class, audit$training$class)
  }
})

test_that("an audit of our own fit has its certificate, and an old fit is judged on new rows", {
  first <- spambase[seq(1, nrow(spambase), by = 12), ]
  second <- spambase[seq(2, nrow(spambase), by = 12), ]
  rough <- margin_control(tol = 1e-3)
  fits <- list(
    margin_linear(type ~ ., first, cost = 0.1, control = rough),
    margin_linear(type ~ ., first, loss = "hinge", lambda = 0.01, class_weights = "balanced",
                  control = rough),
    margin_linear(type ~ ., first, mixture = 0.5, lambda = 0.01, intercept = "penalized",
                  penalty_factor = rep(1:2, length.out = 57), control = rough),
    margin_kernel(type ~ ., first, kernel = kernel_rbf(0.01), loss = "hinge", control = rough),
    margin_kernel(word_freq_our ~ ., first[-58], loss = "epsilon_insensitive",
                  kernel = kernel_polynomial(2, 0.01), control = rough)
  )
  for (fit in suppressWarnings(fits)) {
    audit <- margin_audit(fit, first)
    own <- certificate(fit)
    expect_equal(certificate(audit)$value, own$value, tolerance = 1e-9)
    expect_gte(certificate(audit)$bound, own$bound - 1e-9 * own$value)
    expect_lte(certificate(audit)$relative_gap, own$relative_gap + 1e-9)
    expect_gt(certificate(margin_audit(fit, second))$relative_gap, 1e-3)
  }
  # at its own optimum's settings the refit on the new rows is exact there
  fit <- fits[[1L]]
  again <- margin_linear(as.matrix(second[-58]), second$type, cost = 0.1, scale = FALSE,
                         control = margin_control(tol = 1e-9))
  old <- margin_audit(coef(again), as.matrix(second[-58]), second$type, loss = "logistic",
                      cost = 0.1)
  expect_identical(old$verdict, "exact")
  hard <- margin_hard(rbind(-1, 1), factor(1:2))
  expect_input_error(margin_audit(hard, rbind(-1, 1), factor(1:2)), "fit", "not mapped")
})

test_that("what is read from an audit agrees with it, and its print says no more than is known", {
  record <- of_peer("LiblineaR", function(r) r$y == "three" && r$fit$Type == 2)[[1L]]
  audit <- audit_of(record, cost = 100)
  table <- certificate(audit, by = "class")
  expect_identical(table$class, as.character(record$fit$ClassNames))
  expect_identical(table$kind, rep("audit", 3L))
  expect_equal(table$gap, audit$excess$to)
  expect_equal(certificate(record$fit, x, data$three, cost = 100, wi = record$arguments$wi),
               certificate(audit))
  expect_silent(certificate(audit))
  line <- glance(audit)
  expect_equal(c(line$changed, line$undecided), c(audit$training$changed, audit$training$open))
  rows <- augment(audit)
  expect_identical(sum(rows$.class != rows$.class_optimum, na.rm = TRUE), audit$training$changed)
  grDevices::pdf(NULL)
  drawn <- plot(audit, problem = "mid")
  grDevices::dev.off()
  expect_equal(drawn$score, rows$.score_mid)
  expect_identical(sum(drawn$changed), audit$training$changed)
  shown <- utils::capture.output(print(audit))
  expect_lte(max(nchar(shown)), 80L)
  expect_match(paste(shown, collapse = " "), audit$verdict, fixed = TRUE)
  expect_error(plot(audit, problem = "nobody"), class = "dualmargin_input_error")
})

test_that("several audits, and the lambda of a path, are one table and one picture", {
  record <- of_peer("LiblineaR", function(r) r$y == "two" && r$fit$Type == 2)[[1L]]
  own <- audit_of(record)
  other <- audit_of(record, cost = 100)
  both <- c(own, "at another cost" = other)
  expect_s3_class(both, "margin_audits")
  expect_identical(names(both), c(own$title, "at another cost"))
  table <- as.data.frame(glance(both))
  expect_identical(table$verdict, c(own$verdict, other$verdict))
  expect_equal(table[2L, -1L], as.data.frame(glance(other)), ignore_attr = TRUE)
  expect_identical(tidy(both)$audit, names(both))
  net <- of_peer("glmnet", function(r) r$y == "two")[[1L]]
  s <- net$fit$lambda[c(3L, 6L)]
  path <- margin_audit(net$fit, x, data$two, s = s)
  expect_identical(attr(path, "lambda"), s)
  expect_equal(path[[2L]]$excess, margin_audit(net$fit, x, data$two, s = s[2L])$excess)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(nrow(plot(both)), 2L)
  expect_identical(nrow(plot(path, main = "a path")), 2L)
  expect_named(c(both, path), c(names(both), names(path)))
  expect_input_error(c(own, 1), "...", "not an audit")
  shown <- utils::capture.output(print(both))
  expect_match(shown[4L], other$verdict, fixed = TRUE)
  expect_lte(max(nchar(shown)), 100L)
})

# ---- The packages themselves, where they are; elsewhere the recorded fits stand for them ----

test_that("no test here can be skipped", {
  lines <- readLines(test_path("test-margin_audit.R"))
  expect_length(grep("^ *skip_", lines), 0L)
  expect_setequal(c(vapply(recorded$fits, `[[`, "", "peer"), "dualmargin"), names(audit_laws))
})

test_that("the true excess is in the interval, and what is certified is true, of any fit", {
  there <- Filter(function(peer) requireNamespace(peer, quietly = TRUE), names(audit_laws))
  for (peer in there) {
    rows <- run_audit_law(peer, 1:8)
    expect_false(any(rows$missed), label = peer)
    expect_false(any(rows$wrong), label = peer)
    expect_false(any(rows$contradicted), label = peer)
    # a fit from a formula keeps what could be told otherwise
    if (any(rows$told == "another")) {
      expect_gt(sum(rows$told == "another" & !rows$certified), 3L, label = peer)
    }
  }
  expect_true(all(there %in% names(audit_laws)))
})

test_that("fits made anew are those that were recorded, in every class of rows and labels", {
  own <- of_peer("LiblineaR", function(r) r$fit$Type == 2 && r$y == "two")[[1L]]
  expect_identical(audit_of(own)$verdict, "exact")
  if (requireNamespace("LiblineaR", quietly = TRUE)) {
    sparse <- methods::as(x, "CsparseMatrix")
    for (labels in list(data$two, as.character(data$two), ifelse(data$two == "yes", 1, -1),
                        data$two == "yes", rev(data$two))) {
      fit <- LiblineaR::LiblineaR(x, labels, type = 2, cost = 0.1, epsilon = 1e-10)
      audit <- margin_audit(fit, sparse, labels, cost = 0.1)
      expect_identical(audit$verdict, "exact")
      expect_equal(audit$training$before, mean(predict(fit, x)$predictions == labels))
    }
  }
})

test_that("a fit of glmnet made anew is judged at any lambda, sparse rows too", {
  for (record in of_peer("glmnet")) {
    given <- utils::modifyList(record$arguments, list(s = 1e9))
    expect_input_error(do.call(margin_audit, c(list(record$fit, x, data[[record$y]]), given)), "s",
                       "outside the path")
  }
  if (requireNamespace("glmnet", quietly = TRUE)) {
    fit <- glmnet::cv.glmnet(x, data$number, foldid = rep(1:5, 12L))
    sparse <- methods::as(x, "CsparseMatrix")
    expect_identical(margin_audit(fit, sparse, data$number)$verdict, "exact")
    between <- sqrt(prod(fit$lambda[5:6]))
    expect_match(margin_audit(fit, x, data$number, s = between)$assumes, "interpolates")
    expect_input_error(margin_audit(fit, x, data$number, s = 100), "s", "outside the path")
    for (given in list(list(lower.limits = 0, alpha = 0),
                       list(penalty.factor = seq_len(ncol(x)), alpha = 0.5))) {
      classes <- do.call(glmnet::glmnet, c(list(x, data$three, family = "multinomial", lambda = 0.01),
                                           given))
      expect_error(margin_audit(classes, x, data$three), names(given)[1L], fixed = TRUE,
                   class = "dualmargin_input_error")
    }
    grouped <- glmnet::glmnet(x, data$three, family = "multinomial", type.multinomial = "grouped")
    expect_input_error(margin_audit(grouped, x, data$three, s = 0.1), "fit", "grouped")
    # a constant column is left out by glmnet, also where no intercept stands for it
    flat <- cbind(x, 1)
    fit <- glmnet::glmnet(flat, data$number, alpha = 0, intercept = FALSE, thresh = 1e-14)
    expect_identical(margin_audit(fit, flat, data$number, s = fit$lambda[60L])$verdict, "exact")
    counts <- glmnet::glmnet(x, rep(1:3, 20L), family = "poisson")
    expect_input_error(margin_audit(counts, x, rep(1:3, 20L), s = 0.1), "fit", "none of ours")
  }
})

test_that("formulas of e1071 and kernlab are coded as these code them", {
  frame <- data.frame(x, two = data$two, number = data$number, g = gl(3, 1, n))
  frame$a[3L] <- NA
  expect_true(anyNA(frame))
  if (requireNamespace("e1071", quietly = TRUE)) {
    for (formula in list(two ~ . - number, number ~ . - two)) {
      fit <- e1071::svm(formula, frame)
      audit <- margin_audit(fit, frame, newx = frame[-3L, ])
      expect_identical(audit$verdict, "as good as exact")
      theirs <- predict(fit, frame[-3L, ])
      found <- if (is.factor(theirs)) audit$levels[audit$new$class] else audit$new$scores[, 1L]
      expect_equal(found, if (is.factor(theirs)) as.character(theirs) else unname(theirs))
    }
    sigmoid <- e1071::svm(x, data$two, kernel = "sigmoid")
    expect_input_error(margin_audit(sigmoid, x, data$two), "fit", "sigmoid")
  }
  if (requireNamespace("kernlab", quietly = TRUE)) {
    fit <- kernlab::ksvm(two ~ . - number, frame)
    audit <- margin_audit(fit, frame, newx = frame[-3L, ])
    expect_identical(audit$levels[audit$new$class],
                     as.character(kernlab::predict(fit, frame[-3L, ])))
    nu <- kernlab::ksvm(x, data$two, type = "nu-svc")
    expect_input_error(margin_audit(nu, x, data$two), "fit", "nu-svc")
  }
})

test_that("columns of other rows are found by their names, in whatever order they come", {
  x <- as.matrix(iris[1:4])
  y <- factor(iris$Species == "virginica")
  odd <- seq(1, 150, 2)
  new <- x[-odd, ]
  ours <- margin_linear(x[odd, ], y[odd], lambda = 0.01)
  kernel <- margin_kernel(x[odd, ], y[odd], kernel = kernel_rbf(0.5))
  beta <- coef(margin_linear(x[odd, ], y[odd], loss = "logistic", lambda = 0.01, scale = FALSE))
  audits <- function(newx) {
    list(margin_audit(ours, x[odd, ], y[odd], newx = newx, newy = y[-odd]),
         margin_audit(kernel, x[odd, ], y[odd], newx = newx, newy = y[-odd]),
         margin_audit(beta, x[odd, ], y[odd], loss = "logistic", lambda = 0.01, newx = newx, newy = y[-odd]))
  }
  for (k in 1:3) {
    expect_equal(audits(new[, 4:1])[[k]]$new$scores, audits(new)[[k]]$new$scores)
    expect_equal(audits(cbind(new, z = 1)[, 5:1])[[k]]$new$scores, audits(new)[[k]]$new$scores)
  }
  expect_input_error(audits(new[, -1L]), "newx", "lacks 1 of the fit's columns")
  best <- refit(audits(new)[[1L]])
  expect_identical(predict(best, new[, 4:1]), predict(best, new))
})

test_that("a fit of a formula is judged on the rows, with the weights, of its call", {
  set.seed(46)
  data <- data.frame(a = rnorm(60), b = rnorm(60), g = factor(sample(letters[1:3], 60, TRUE)))
  data$y <- factor(data$a + (data$g == "b") + rnorm(60) > 0)
  data$w <- sample(0:3, 60, TRUE)
  holed <- data
  holed$a[2L] <- NA
  tight <- margin_control(tol = 1e-9)
  for (audit in list(
    margin_audit(margin_linear(y ~ a + g, data, weights = w, lambda = 0.1, control = tight), data),
    margin_audit(margin_linear(y ~ poly(a, 2), data, subset = b > 0, control = tight), data),
    margin_audit(margin_linear(y ~ a + g, holed, control = tight), holed, newx = data, newy = data$y),
    margin_audit(margin_linear(y ~ a * g, holed, weights = w, subset = b > -1, cost = 2,
                               control = tight), holed, newx = data[1:9, ], newy = data$y[1:9])
  )) {
    expect_identical(audit$verdict, "exact")
    expect_identical(audit$assumes, "")
  }
  # of other rows each counts once, which is said
  fit <- margin_linear(y ~ a + g, data, weights = w, subset = b > 0)
  expect_match(margin_audit(fit, data[31:60, ])$assumes, "`weights` and `subset` of the fit's call")
  expect_identical(margin_audit(fit, data[31:60, ], weights = data$w[31:60])$assumes, "")
  expect_input_error(margin_audit(fit, data, newx = holed), "newx", "missing values in row 2")
})

test_that("a Huber fit is judged unless its unit hangs on the residuals", {
  for (unit in list("response", 2)) {
    fit <- margin_linear(mpg ~ wt + hp, mtcars, loss = loss_huber(unit = unit), lambda = 0.01,
                         control = margin_control(tol = 1e-9))
    audit <- margin_audit(fit, mtcars, newx = mtcars[1:3, ], newy = mtcars$mpg[1:3])
    expect_identical(audit$verdict, "exact")
    expect_equal(drop(audit$new$scores), unname(predict(fit, mtcars[1:3, ])), tolerance = 1e-9)
  }
  expect_input_error(margin_audit(margin_linear(mpg ~ wt, mtcars, loss = "huber"), mtcars), "fit",
                     "a unit of the residuals")
})

test_that("coefficients of classes in another order are refused", {
  fit <- margin_linear(Species ~ ., iris, lambda = 0.01, scale = FALSE, multiclass = "softmax",
                       loss = "logistic")
  audit <- function(beta) {
    margin_audit(beta, as.matrix(iris[1:4]), iris$Species, loss = "logistic", lambda = 0.01,
                 multiclass = "softmax")
  }
  expect_match(audit(coef(fit))$verdict, "exact")
  expect_input_error(audit(coef(fit)[, 3:1]), "fit", "not named by the classes")
})

test_that("new rows that are not complete, and their response alone, are named", {
  d <- transform(mtcars, am = factor(am))
  x <- as.matrix(d[c("wt", "hp")])
  fit <- glm(am ~ wt, binomial, d)
  hole <- transform(d, wt = replace(wt, 2, NA))
  for (audit in list(
    function() margin_audit(c(0, 1, 1), x, d$am, loss = "logistic", lambda = 0.1,
                            newx = replace(x, 2, NA)),
    function() margin_audit(fit, newx = hole, newy = hole$am)
  )) {
    error <- expect_error(audit(), "`newx` has NA in row 2", class = "dualmargin_input_error")
    expect_identical(error$arg, "newx")
  }
  expect_error(margin_audit(fit, newy = d$am), "`newy` is given without `newx`",
               class = "dualmargin_input_error")
})

test_that("some of several audits are audits", {
  fit <- glm(factor(am) ~ wt, binomial, mtcars)
  both <- c(margin_audit(fit), margin_audit(fit), margin_audit(fit))[c(1, 3)]
  expect_s3_class(both, "margin_audits")
  expect_identical(nrow(as.data.frame(glance(both))), 2L)
  named <- c(one = margin_audit(fit), other = margin_audit(fit))["other"]
  expect_identical(names(named), "other")
})
