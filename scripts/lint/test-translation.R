# Every row of the help page translation is fitted by the package it is about and by ours, on a small
# data set: our objective at their solution lies above our bound, by no more than their tolerance
# lets it. A row without a counterpart is refused here.

set.seed(20)
n <- 40L
x <- cbind(a = rnorm(n), b = 2 * rnorm(n), c = runif(n, 1, 3))
y <- factor(ifelse(x[, 1] + 0.5 * x[, 2] + rnorm(n) > 0, "yes", "no"), levels = c("no", "yes"))
y[1L] <- "yes"  # the class of the first row is the positive one of kernlab, e1071 and LiblineaR
number <- drop(1 + x %*% c(1, -1, 0.5) + rnorm(n) / 4)
weights <- rep(c(1, 2, 0.5, 1.5), n / 4)
tight <- margin_control(tol = 1e-9, seed = 1)
scaled <- scale(x)
sd_ratio <- (n - 1) / n

ours <- function(..., kernel = NULL, intercept = "free", scale = FALSE, center = scale) {
  common <- list(..., intercept = intercept, scale = scale, control = tight)
  if (is.null(kernel)) do.call(margin_linear, common) else
    do.call(margin_kernel, c(common, list(kernel = kernel, center = center)))
}

# z: their decision values of the rows; norm2, norm1: what the penalty sees.
expect_same_problem <- function(fit, z, norm2, norm1 = 0, tol = 1e-3, omega = rep(1, n)) {
  settings <- fit$settings
  label <- if (fit$task == "regression") number else 2 * (y == "yes") - 1
  mixture <- if (is.null(settings$mixture)) 0 else settings$mixture
  value <- sum(omega * plain_loss(settings$loss, z, label)) / sum(omega) +
    settings$lambda * ((1 - mixture) / 2 * norm2 + mixture * norm1)
  here <- certificate(fit)
  expect_lte(here$relative_gap, 1e-8)
  expect_gte(value, here$bound - 1e-9 * abs(here$bound))
  expect_lte(value, here$value * (1 + tol))
  expect_lt(max(abs(z - fitted_decision(fit))), 30 * sqrt(tol) * max(abs(z)))
}

fitted_decision <- function(fit) as.vector(predict(fit, type = if (fit$task == "regression")
  "response" else "score"))

# ---- The four packages ----

e1071_svm <- function(..., x. = x, tolerance = 1e-6, scale = FALSE) {
  e1071::svm(x., y, ..., scale = scale, tolerance = tolerance)
}
# |f|^2 is their dual form, b' K b.
e1071_solution <- function(model, kernel_matrix, x. = x) {
  index <- model$index
  z <- as.vector(attr(predict(model, x., decision.values = TRUE), "decision.values"))
  list(z = z, norm2 = drop(t(model$coefs) %*% kernel_matrix[index, index] %*% model$coefs))
}
expect_e1071 <- function(fit, model, kernel_matrix, ..., x. = x) {
  theirs <- e1071_solution(model, kernel_matrix, x.)
  expect_same_problem(fit, theirs$z, theirs$norm2, ..., tol = 1e-4)
}
radial <- function(sigma, x. = x) exp(-sigma * as.matrix(dist(x.))^2)

ksvm <- function(..., x. = x, scaled = FALSE, tol = 1e-6) {
  kernlab::ksvm(x., y, ..., scaled = scaled, tol = tol)
}
expect_ksvm <- function(fit, model, kernel_matrix, z = NULL, ...) {
  index <- kernlab::SVindex(model)
  beta <- kernlab::coef(model)[[1L]]
  if (is.null(z)) z <- as.vector(kernlab::predict(model, x, type = "decision"))
  z <- z * sign(cor(z, y == "yes"))
  expect_same_problem(fit, z, drop(beta %*% kernel_matrix[index, index] %*% beta), ..., tol = 1e-4)
}

liblinear <- function(type, ..., target = y, bias = 1, epsilon = 1e-8) {
  LiblineaR::LiblineaR(x, target, type = type, ..., bias = bias, epsilon = epsilon)
}
expect_liblinear <- function(fit, model, ..., tol = 1e-5) {
  w <- as.vector(model$W)
  w <- if (model$Bias > 0) w else c(w[1:3], 0)
  z <- drop(cbind(x, 1) %*% w)
  expect_same_problem(fit, z, sum(w^2), sum(abs(w)), ..., tol = tol)
}
of_type <- function(type, ..., theirs = list(), cost = 2, tol = 1e-5) {
  expect_liblinear(ours(x, y, cost = cost, intercept = "penalized", ...),
                   do.call(liblinear, c(list(type, cost = cost), theirs)), tol = tol)
}

net <- function(..., target = y, family = "binomial", lambda = 0.05, thresh = 1e-14) {
  precise_glmnet(x, target, family = family, lambda = lambda, thresh = thresh, ...)
}
expect_net <- function(fit, model, ..., scales = c(1, 1, 1)) {
  beta <- as.vector(model$beta)
  z <- drop(x %*% beta) + as.vector(model$a0)
  expect_same_problem(fit, z, sum((scales * beta)^2), sum(abs(scales * beta)), ..., tol = 1e-6)
}
population_sd <- function(x) sqrt(colMeans(sweep(x, 2, colMeans(x))^2))

hinge <- function(..., cost = 1) ours(x, y, loss = "hinge", cost = cost, ...)
leave_one_out <- function(...) {
  cv <- margin_cv(x, y, folds = n, metric = "accuracy", intercept = "free", scale = FALSE,
                  loss = "hinge", cost = 1, grid = list(), seed = 1, ...)
  mean(cv$results$score)
}
refused <- function(call, message) {
  condition <- expect_error(call, class = "dualmargin_input_error")
  expect_match(conditionMessage(condition), message, fixed = TRUE)
}
tube <- function(epsilon, ...) {
  ours(x, number, loss = loss_epsilon_insensitive(epsilon), cost = 2, response_scale = FALSE, ...)
}
of_three <- function(loss, ...) margin_linear(as.matrix(iris[1:4]), iris$Species, loss = loss,
                                              intercept = "free", scale = FALSE, ...)

one_class <- function(nu) {
  margin_oneclass(x, nu = nu, kernel = kernel_rbf(0.3), scale = FALSE, control = tight)
}

rows <- list()

rows$e1071 <- list(
  "type = \"C-classification\"" = function() {
    expect_e1071(hinge(), e1071_svm(type = "C-classification", kernel = "linear"), tcrossprod(x))
  },
  "kernel = \"linear\"" = function() {
    model <- e1071_svm(kernel = "linear")
    expect_e1071(hinge(), model, tcrossprod(x))
    expect_e1071(hinge(kernel = as_kernel("linear")), model, tcrossprod(x))
  },
  "kernel = \"polynomial\", degree, gamma, coef0" = function() {
    model <- e1071_svm(kernel = "polynomial", degree = 2, gamma = 0.4, coef0 = 1.5)
    expect_e1071(hinge(kernel = kernel_polynomial(degree = 2, scale = 0.4, offset = 1.5)), model,
                 (0.4 * tcrossprod(x) + 1.5)^2)
  },
  "kernel = \"radial\", gamma" = function() {
    expect_e1071(hinge(kernel = kernel_rbf(sigma = 0.3)), e1071_svm(kernel = "radial", gamma = 0.3),
                 radial(0.3))
  },
  "cost" = function() {
    model <- e1071_svm(kernel = "linear", cost = 7)
    expect_e1071(hinge(cost = 7), model, tcrossprod(x))
    expect_e1071(ours(x, y, loss = "hinge", lambda = 1 / (7 * n)), model, tcrossprod(x))
  },
  "class.weights" = function() {
    weights <- c(no = 1, yes = 3)
    expect_e1071(hinge(class_weights = weights),
                 e1071_svm(kernel = "linear", class.weights = weights), tcrossprod(x),
                 omega = unname(weights[as.character(y)]))
  },
  "scale = TRUE" = function() {
    fit <- hinge(cost = sd_ratio, scale = TRUE)
    expect_e1071(fit, e1071_svm(kernel = "linear", scale = TRUE), tcrossprod(scaled) * sd_ratio)
    fit <- hinge(kernel = kernel_rbf(0.3 * sd_ratio), scale = TRUE)
    expect_e1071(fit, e1071_svm(gamma = 0.3, scale = TRUE), radial(0.3, scaled))
    model <- e1071_svm(kernel = "polynomial", degree = 2, gamma = 0.4, coef0 = 1.5, scale = TRUE)
    expect_e1071(hinge(kernel = kernel_polynomial(2, 0.4 * sd_ratio, 1.5), scale = TRUE), model,
                 (0.4 * tcrossprod(scaled) + 1.5)^2)
  },
  "tolerance" = function() {
    rough <- hinge(kernel = kernel_rbf(0.3))
    expect_e1071(rough, e1071_svm(gamma = 0.3, tolerance = 1e-5), radial(0.3))
    expect_identical(margin_control(tol = 1e-5)$tol, 1e-5)
  },
  "cachesize" = function() {
    fit <- margin_kernel(x, y, loss = "hinge", cost = 1, kernel = kernel_rbf(0.3), scale = FALSE,
                         intercept = "free", control = margin_control(tol = 1e-9, seed = 1,
                         solver_options = list(cache_mb = 0.01)))
    expect_e1071(fit, e1071_svm(gamma = 0.3, cachesize = 1), radial(0.3))
  },
  "cross" = function() {
    theirs <- e1071_svm(kernel = "linear", cross = n)$tot.accuracy / 100
    expect_equal(leave_one_out(), theirs)
  },
  "probability = TRUE" = function() {
    set.seed(1)
    model <- e1071_svm(kernel = "linear", probability = TRUE)
    theirs <- attr(predict(model, x, probability = TRUE), "probabilities")[, "yes"]
    calibrated <- margin_calibrate(hinge(), x, y, seed = 1)
    expect_lt(mean(abs(predict(calibrated, x, type = "prob")[, "yes"] - theirs)), 0.1)
  },
  "predict(decision.values = TRUE)" = function() {
    for (rows in list(1:n, n:1)) {
      model <- e1071::svm(x[rows, ], y[rows], kernel = "linear", scale = FALSE, tolerance = 1e-6)
      theirs <- attr(predict(model, x, decision.values = TRUE), "decision.values")
      first <- if (y[rows[1L]] == "yes") 1 else -1
      expect_identical(colnames(theirs), if (first > 0) "yes/no" else "no/yes")
      expect_equal(as.vector(theirs) * first, unname(predict(hinge(), x, type = "score")),
                   tolerance = 1e-3)
    }
  },
  "subset, na.action" = function() {
    data <- data.frame(x, y = y)
    data$a[5L] <- NA
    theirs <- e1071::svm(y ~ ., data, subset = 1:30, na.action = na.omit, kernel = "linear",
                         scale = FALSE, tolerance = 1e-6)
    fit <- margin_linear(y ~ ., data, subset = 1:30, na.action = na.omit, loss = "hinge", cost = 1,
                         intercept = "free", scale = FALSE, control = tight)
    expect_equal(unname(drop(crossprod(theirs$coefs, theirs$SV))), unname(coef(fit)[-1L]),
                 tolerance = 1e-3)
  },
  "nu, type = \"nu-classification\"" = function() {
    refused(margin_linear(x, y, loss = "hinge", nu = 0.5), "`cost`")
  },
  "type = \"eps-regression\", epsilon" = function() {
    for (epsilon in c(0, 0.2)) {
      theirs <- function(products, ...) {
        model <- e1071::svm(x, number, type = "eps-regression", cost = 2, epsilon = epsilon, ...,
                            scale = FALSE, tolerance = 1e-6)
        k <- products[model$index, model$index]
        list(z = unname(predict(model, x)), norm2 = drop(t(model$coefs) %*% k %*% model$coefs))
      }
      fit <- function(...) if (epsilon > 0) tube(epsilon, ...) else
        ours(x, number, loss = "absolute", cost = 2, response_scale = FALSE, ...)
      straight <- theirs(tcrossprod(x), kernel = "linear")
      expect_same_problem(fit(), straight$z, straight$norm2)
      curved <- theirs(radial(0.3), kernel = "radial", gamma = 0.3)
      expect_same_problem(fit(kernel = kernel_rbf(0.3)), curved$z, curved$norm2)
    }
    # both divide the response, by different spreads
    model <- e1071::svm(x, number, epsilon = 0.2, cost = 2, kernel = "linear", tolerance = 1e-6)
    spread <- sd(number)
    fit <- ours(x, number / spread, loss = loss_epsilon_insensitive(0.2), cost = 2 * sd_ratio,
                scale = TRUE, response_scale = FALSE)
    expect_equal(unname(fitted(fit)) * spread, unname(predict(model, x)), tolerance = 1e-3)
    refused(margin_linear(x, number, loss = "squared", epsilon = 0.1), "loss_epsilon_insensitive(")
  },
  "nu, type = \"nu-regression\"" = function() {
    refused(margin_linear(x, number, loss = "epsilon_insensitive", nu = 0.5), "`cost`")
  },
  "type = \"one-classification\", nu" = function() {
    model <- e1071::svm(x, type = "one-classification", nu = 0.3, gamma = 0.3, scale = FALSE,
                        tolerance = 1e-8)
    a <- replace(numeric(n), model$index, model$coefs / (0.3 * n))
    fit <- one_class(0.3)
    expect_equal(certificate(fit)$value, -0.5 * drop(a %*% radial(0.3) %*% a), tolerance = 1e-5)
    expect_equal(fit$rho, model$rho / (0.3 * n), tolerance = 1e-3)
  },
  "kernel = \"sigmoid\"" = function() refused(hinge(kernel = "sigmoid"), "\"sigmoid\""),
  "three or more classes" = function() {
    model <- e1071::svm(iris[1:4], iris$Species, kernel = "linear")
    pairs <- colnames(attr(predict(model, iris[1:4], decision.values = TRUE), "decision.values"))
    expect_setequal(pairs, c("setosa/versicolor", "setosa/virginica", "versicolor/virginica"))
    expect_identical(colnames(predict(of_three("hinge", lambda = 0.1), type = "score")),
                     levels(iris$Species))
  }
)

rows$kernlab <- list(
  "type = \"C-svc\"" = function() {
    expect_ksvm(hinge(), ksvm(type = "C-svc", kernel = "vanilladot", kpar = list()), tcrossprod(x))
  },
  "C" = function() {
    model <- ksvm(kernel = "vanilladot", kpar = list(), C = 5)
    expect_ksvm(hinge(cost = 5), model, tcrossprod(x))
    expect_ksvm(ours(x, y, loss = "hinge", lambda = 1 / (5 * n)), model, tcrossprod(x))
  },
  "kernel = \"rbfdot\", kpar = list(sigma)" = function() {
    expect_ksvm(hinge(kernel = kernel_rbf(0.3)), ksvm(kernel = "rbfdot", kpar = list(sigma = 0.3)),
                radial(0.3))
  },
  "kernel = \"polydot\", kpar = list(degree, scale, offset)" = function() {
    pars <- list(degree = 2, scale = 0.4, offset = 1.5)
    expect_ksvm(hinge(kernel = do.call(kernel_polynomial, pars)),
                ksvm(kernel = "polydot", kpar = pars), (0.4 * tcrossprod(x) + 1.5)^2)
  },
  "kernel = \"vanilladot\"" = function() {
    expect_ksvm(hinge(), ksvm(kernel = "vanilladot", kpar = list()), tcrossprod(x))
  },
  "kernel = \"laplacedot\", kpar = list(sigma)" = function() {
    expect_ksvm(hinge(kernel = kernel_laplace(0.3)),
                ksvm(kernel = "laplacedot", kpar = list(sigma = 0.3)),
                exp(-0.3 * as.matrix(dist(x))))
  },
  "kernel = anovadot()" = function() {
    anova <- kernlab::anovadot(sigma = 0.3, degree = 1)
    expect_ksvm(hinge(kernel = anova), ksvm(kernel = anova),
                kernlab::kernelMatrix(anova, x)@.Data)
  },
  "x, a kernelMatrix" = function() {
    values <- radial(0.3)
    model <- kernlab::ksvm(kernlab::as.kernelMatrix(values), y, tol = 1e-6)
    at <- kernlab::SVindex(model)
    z <- kernlab::predict(model, kernlab::as.kernelMatrix(values[, at]), type = "decision")
    expect_ksvm(ours(values, y, loss = "hinge", cost = 1, kernel = kernel_precomputed()), model,
                values, as.vector(z))
  },
  "scaled = TRUE" = function() {
    model <- ksvm(kernel = "vanilladot", kpar = list(), scaled = TRUE)
    expect_ksvm(hinge(cost = sd_ratio, scale = TRUE), model, tcrossprod(scaled) * sd_ratio)
  },
  "class.weights" = function() {
    weights <- c(no = 1, yes = 3)
    expect_ksvm(hinge(class_weights = weights),
                ksvm(kernel = "vanilladot", kpar = list(), class.weights = weights),
                tcrossprod(x), omega = unname(weights[as.character(y)]))
  },
  "prob.model = TRUE" = function() {
    set.seed(1)
    model <- ksvm(kernel = "vanilladot", kpar = list(), prob.model = TRUE)
    theirs <- kernlab::predict(model, x, type = "probabilities")[, "yes"]
    calibrated <- margin_calibrate(hinge(), x, y, seed = 1)
    expect_lt(mean(abs(predict(calibrated, x, type = "prob")[, "yes"] - theirs)), 0.1)
  },
  "cross" = function() {
    model <- ksvm(kernel = "vanilladot", kpar = list(), cross = n)
    expect_equal(leave_one_out(), 1 - kernlab::cross(model))
  },
  "tol" = function() {
    expect_ksvm(hinge(), ksvm(kernel = "vanilladot", kpar = list(), tol = 1e-5), tcrossprod(x))
  },
  "predict(type = \"decision\")" = function() {
    model <- ksvm(kernel = "vanilladot", kpar = list())
    expect_equal(as.vector(kernlab::predict(model, x, type = "decision")), tolerance = 1e-3,
                 unname(predict(hinge(), x, type = "score")))
  },
  "predict(type = \"probabilities\")" = function() {
    set.seed(1)
    model <- ksvm(kernel = "vanilladot", kpar = list(), prob.model = TRUE)
    theirs <- kernlab::predict(model, x, type = "probabilities")
    prob <- predict(margin_calibrate(hinge(), x, y, seed = 1), x, type = "prob")
    expect_setequal(colnames(prob), colnames(theirs))
    expect_gt(cor(prob[, "yes"], theirs[, "yes"], method = "spearman"), 0.999)
  },
  "nu, type = \"nu-svc\"" = function() {
    refused(margin_linear(x, y, loss = "hinge", nu = 0.5), "`cost`")
  },
  "type = \"one-svc\", nu" = function() {
    model <- kernlab::ksvm(x, type = "one-svc", nu = 0.3, kernel = "rbfdot", scaled = FALSE,
                           kpar = list(sigma = 0.3), tol = 1e-8)
    a <- replace(numeric(n), kernlab::SVindex(model), unlist(kernlab::alpha(model)))
    a <- a / sum(a)
    expect_equal(certificate(one_class(0.3))$value, -0.5 * drop(a %*% radial(0.3) %*% a),
                 tolerance = 1e-4)
  },
  "type = \"eps-svr\", epsilon" = function() {
    model <- kernlab::ksvm(x, number, type = "eps-svr", epsilon = 0.2, C = 2, kernel = "rbfdot",
                           kpar = list(sigma = 0.3), scaled = FALSE, tol = 1e-6)
    index <- kernlab::SVindex(model)
    beta <- unlist(kernlab::coef(model))
    expect_same_problem(tube(0.2, kernel = kernel_rbf(0.3)),
                        as.vector(kernlab::predict(model, x)),
                        drop(beta %*% radial(0.3)[index, index] %*% beta))
  },
  "kqr(tau)" = function() {
    model <- kernlab::kqr(x, number, tau = 0.3, C = 2, kernel = "rbfdot",
                          kpar = list(sigma = 0.3), scaled = FALSE)
    beta <- as.vector(kernlab::alpha(model))
    fit <- ours(x, number, loss = loss_quantile(0.3), cost = 2, response_scale = FALSE,
                kernel = kernel_rbf(0.3))
    expect_same_problem(fit, as.vector(kernlab::predict(model, x)),
                        drop(beta %*% radial(0.3) %*% beta))
  }
)

rows$LiblineaR <- list(
  "type = 0" = function() of_type(0, loss = "logistic"),
  "type = 7" = function() of_type(7, loss = "logistic"),
  "type = 2" = function() of_type(2, loss = loss_squared_hinge(0.5)),
  "type = 1" = function() of_type(1, loss = loss_squared_hinge(0.5)),
  # with a cost at which it comes to an end: it stops after 1000 passes, wherever it is then
  "type = 3" = function() of_type(3, loss = "hinge", cost = 0.05, tol = 1e-3),
  "type = 5" = function() of_type(5, loss = loss_squared_hinge(0.5), mixture = 1),
  "type = 6" = function() of_type(6, loss = "logistic", mixture = 1),
  "type = 11 or 12, svr_eps = 0" = function() {
    fit <- ours(x, number, loss = "squared", cost = 2 * 3, intercept = "penalized")
    for (type in 11:12) {
      expect_liblinear(fit, liblinear(type, target = number, cost = 3, svr_eps = 0))
    }
  },
  "type = 11 or 12, svr_eps > 0" = function() {
    fit <- ours(x, number, loss = loss_epsilon_insensitive(0.2, squared = TRUE), cost = 2 * 3,
                intercept = "penalized", response_scale = FALSE)
    for (type in 11:12) {
      expect_liblinear(fit, liblinear(type, target = number, cost = 3, svr_eps = 0.2))
    }
  },
  "type = 4" = function() {
    four <- as.matrix(iris[1:4])
    for (bias in 0:1) {
      fit <- margin_linear(four, iris$Species, multiclass = "crammer_singer", cost = 0.1,
                           scale = FALSE, intercept = if (bias == 1) "penalized" else "none",
                           control = margin_control(tol = 1e-9, seed = 1, max_epochs = 5000))
      theirs <- LiblineaR::LiblineaR(four, iris$Species, type = 4, cost = 0.1, bias = bias,
                                     epsilon = 1e-8)
      w <- t(theirs$W)[, match(levels(iris$Species), theirs$ClassNames)]
      z <- cbind(four, if (bias == 1) 1) %*% w
      own <- z[cbind(1:150, as.integer(iris$Species))]
      rival <- apply(replace(z, cbind(1:150, as.integer(iris$Species)), -Inf), 1L, max)
      value <- mean(pmax(0, 1 - own + rival)) + fit$settings$lambda / 2 * sum(w^2)
      expect_equal(certificate(fit)$value, value, tolerance = 1e-5)
      expect_lte(certificate(fit)$bound, value * (1 + 1e-9))
    }
  },
  "type = 13, svr_eps" = function() {
    fit <- ours(x, number, loss = loss_epsilon_insensitive(0.2), cost = 0.05,
                intercept = "penalized", response_scale = FALSE)
    expect_liblinear(fit, liblinear(13, target = number, cost = 0.05, svr_eps = 0.2), tol = 1e-3)
  },
  "cost" = function() {
    model <- liblinear(0, cost = 5)
    expect_liblinear(ours(x, y, loss = "logistic", cost = 5, intercept = "penalized"), model)
    expect_liblinear(ours(x, y, loss = "logistic", lambda = 1 / (5 * n), intercept = "penalized"),
                     model)
  },
  "bias = 1" = function() of_type(0, loss = "logistic", theirs = list(bias = 1)),
  "bias = 0" = function() {
    expect_liblinear(ours(x, y, loss = "logistic", cost = 2, intercept = "none"),
                     liblinear(0, cost = 2, bias = 0))
  },
  "wi" = function() {
    weights <- c(no = 1, yes = 3)
    expect_liblinear(ours(x, y, loss = "logistic", cost = 2, intercept = "penalized",
                          class_weights = weights),
                     liblinear(0, cost = 2, wi = weights),
                     omega = unname(weights[as.character(y)]))
  },
  "epsilon" = function() {
    expect_liblinear(ours(x, y, loss = "logistic", cost = 2, intercept = "penalized"),
                     liblinear(0, cost = 2, epsilon = 1e-6))
  },
  "cross" = function() {
    theirs <- liblinear(0, cost = 2, cross = n)
    cv <- margin_cv(x, y, folds = n, metric = "accuracy", intercept = "penalized", scale = FALSE,
                    loss = "logistic", cost = 2, grid = list(), seed = 1)
    expect_equal(mean(cv$results$score), theirs)
  },
  "predict(decisionValues = TRUE)" = function() {
    fit <- ours(x, y, loss = "logistic", cost = 2, intercept = "penalized")
    theirs <- predict(liblinear(0, cost = 2), x, decisionValues = TRUE)$decisionValues
    expect_equal(unname(theirs[, "yes"]), unname(predict(fit, x, type = "score")),
                 tolerance = 1e-4)
  },
  "predict(proba = TRUE)" = function() {
    fit <- ours(x, y, loss = "logistic", cost = 2, intercept = "penalized")
    theirs <- predict(liblinear(0, cost = 2), x, proba = TRUE)$probabilities
    expect_equal(unname(theirs[, "yes"]), unname(predict(fit, x, type = "prob")[, "yes"]),
                 tolerance = 1e-4)
  }
)

logistic <- function(..., lambda = 0.05) ours(x, y, loss = "logistic", lambda = lambda, ...)
cv_folds <- rep(1:4, n / 4)

rows$glmnet <- list(
  "family = \"binomial\"" = function() {
    expect_net(logistic(), net(alpha = 0, standardize = FALSE))
  },
  "family = \"gaussian\"" = function() {
    fit <- ours(x, number, loss = "squared", lambda = 0.05, mixture = 1)
    expect_net(fit, net(target = number, family = "gaussian", standardize = FALSE))
  },
  "family = \"multinomial\"" = function() {
    four <- as.matrix(iris[1:4])
    for (intercept in c(TRUE, FALSE)) for (mixture in c(0, 0.5)) {
      fit <- margin_linear(four, iris$Species, multiclass = "softmax", lambda = 0.1, scale = FALSE,
                           mixture = mixture, intercept = if (intercept) "free" else "none",
                           control = tight)
      model <- precise_glmnet(four, iris$Species, family = "multinomial", alpha = mixture,
                              lambda = 0.1, standardize = FALSE, intercept = intercept,
                              thresh = 1e-14)
      theirs <- predict(model, four, type = "response")[, , 1L]
      expect_equal(unname(predict(fit, type = "prob")), unname(theirs), tolerance = 1e-3)
    }
  },
  "family = \"poisson\"" = function() {
    refused(margin_linear(x, rpois(n, 2), loss = "poisson"), "\"poisson\"")
  },
  "alpha" = function() {
    expect_net(logistic(mixture = 0.5), net(alpha = 0.5, standardize = FALSE))
  },
  "lambda" = function() {
    expect_net(logistic(lambda = 0.2, mixture = 0.3),
               net(lambda = 0.2, alpha = 0.3, standardize = FALSE))
  },
  "standardize = TRUE" = function() {
    expect_net(logistic(mixture = 0.5, scale = TRUE), net(alpha = 0.5), scales = population_sd(x))
  },
  "intercept = TRUE" = function() {
    expect_net(logistic(intercept = "free"), net(alpha = 0, standardize = FALSE, intercept = TRUE))
  },
  "intercept = FALSE" = function() {
    expect_net(logistic(intercept = "none"), net(alpha = 0, standardize = FALSE, intercept = FALSE))
  },
  "weights" = function() {
    expect_net(logistic(weights = weights), net(alpha = 0, standardize = FALSE, weights = weights),
               omega = weights)
  },
  "nlambda" = function() {
    path <- margin_path(x, y, loss = "logistic", mixture = 1, n_lambda = 7, intercept = "free",
                        scale = FALSE)
    expect_length(path$lambda, 7L)
    theirs <- net(alpha = 1, standardize = FALSE, lambda = NULL, nlambda = 7)
    expect_equal(path$lambda[1L], theirs$lambda[1L], tolerance = 1e-6)
  },
  "lambda.min.ratio" = function() {
    path <- margin_path(x, y, loss = "logistic", mixture = 1, n_lambda = 3, lambda_min_ratio = 0.1,
                        intercept = "free", scale = FALSE)
    theirs <- net(lambda = NULL, nlambda = 3, lambda.min.ratio = 0.1, standardize = FALSE)
    expect_equal(path$lambda, theirs$lambda, tolerance = 1e-6)
  },
  "thresh" = function() {
    expect_net(logistic(mixture = 0.5), net(alpha = 0.5, standardize = FALSE, thresh = 1e-12))
  },
  "maxit" = function() {
    expect_net(logistic(), net(alpha = 0, standardize = FALSE, maxit = 1e4))
    expect_identical(margin_control(max_epochs = 1e4)$max_epochs, 1e4)
  },
  "cv.glmnet(nfolds, foldid)" = function() {
    lambda <- c(0.2, 0.05)
    theirs <- precise_glmnet(x, y, family = "binomial", alpha = 0, lambda = lambda,
                             foldid = cv_folds, standardize = FALSE, type.measure = "deviance",
                             thresh = 1e-14, fit = glmnet::cv.glmnet)
    cv <- margin_cv(x, y, loss = "logistic", grid = list(lambda = lambda), folds = cv_folds,
                    metric = "log_loss", intercept = "free", scale = FALSE, control = tight)
    expect_equal(2 * summary(cv)$mean, theirs$cvm, tolerance = 1e-5)
  },
  "cv.glmnet(type.measure)" = function() {
    theirs <- glmnet::cv.glmnet(x, y, family = "binomial", alpha = 0, lambda = c(0.2, 0.05),
                                foldid = cv_folds, standardize = FALSE, type.measure = "class")
    cv <- margin_cv(x, y, loss = "logistic", grid = list(lambda = c(0.2, 0.05)), folds = cv_folds,
                    metric = "accuracy", intercept = "free", scale = FALSE)
    expect_equal(1 - summary(cv)$mean, theirs$cvm)
  },
  "predict(type = \"link\")" = function() {
    expect_equal(unname(predict(logistic(), x, type = "score")), tolerance = 1e-4,
                 as.vector(predict(net(alpha = 0, standardize = FALSE), x, type = "link")))
  },
  "predict(type = \"response\")" = function() {
    expect_equal(unname(predict(logistic(), x, type = "prob")[, "yes"]), tolerance = 1e-4,
                 as.vector(predict(net(alpha = 0, standardize = FALSE), x, type = "response")))
  },
  "predict(s = )" = function() {
    lambda <- c(0.2, 0.05)
    path <- margin_path(x, y, loss = "logistic", lambda = lambda, intercept = "free",
                        scale = FALSE, control = tight)
    theirs <- predict(net(alpha = 0, standardize = FALSE, lambda = lambda), x, s = 0.05)
    expect_equal(as.vector(predict(path, x, lambda = 0.05, type = "score")), as.vector(theirs),
                 tolerance = 1e-4)
  },
  "cv.glmnet()$lambda.1se" = function() {
    lambda <- 10^-(0:4)
    theirs <- glmnet::cv.glmnet(x, y, family = "binomial", alpha = 0, lambda = lambda,
                                foldid = cv_folds, standardize = FALSE, type.measure = "deviance")
    cv <- margin_cv(x, y, loss = "logistic", grid = list(lambda = lambda), folds = cv_folds,
                    metric = "log_loss", intercept = "free", scale = FALSE)
    expect_equal(summary(cv, rule = "one_se")$lambda, theirs$lambda.1se)
    expect_equal(summary(cv, rule = "best")$lambda, theirs$lambda.min)
  },
  "offset" = function() {
    o <- sin(seq_len(nrow(x)))
    theirs <- net(alpha = 0, standardize = FALSE, offset = o)
    beta <- as.vector(theirs$beta)
    z <- drop(x %*% beta) + as.vector(theirs$a0) + o
    expect_same_problem(logistic(offset = o), z, sum(beta^2), tol = 1e-6)
  },
  "predict(newoffset = )" = function() {
    o <- sin(seq_len(nrow(x)))
    theirs <- net(alpha = 0, standardize = FALSE, offset = o)
    expect_equal(unname(predict(logistic(offset = o), x, newoffset = rev(o), type = "score")),
                 as.vector(predict(theirs, x, newoffset = rev(o), type = "link")),
                 tolerance = 1e-4)
  },
  "penalty.factor" = function() {
    factor <- seq(0.5, 2, length.out = ncol(x))
    theirs <- net(alpha = 0, standardize = FALSE, penalty.factor = factor)
    ours <- factor / mean(factor)
    expect_net(logistic(penalty_factor = ours), theirs, scales = sqrt(ours))
    refused(logistic(penalty.factor = factor), "did you mean `penalty_factor`")
  },
  "exclude" = function() refused(logistic(exclude = 1), "leave out columns"),
  "lower.limits" = function() {
    expect_net(logistic(lower = 0), net(alpha = 0, standardize = FALSE, lower.limits = 0))
    refused(logistic(lower.limits = 0), "did you mean `lower`")
  },
  "upper.limits" = function() {
    limit <- rep(0.1, ncol(x))
    expect_net(logistic(upper = limit), net(alpha = 0, standardize = FALSE, upper.limits = limit))
    refused(logistic(upper.limits = 0), "did you mean `upper`")
  }
)

table <- translation_table()

# What a row denies, as patterns of the names under which it would be here: of functions and losses,
# of values that an argument takes, of the arguments of a fit.
denied <- list(
  "nu, type = \"nu-classification\"" = c(name = "nu_?sv|_nu$", value = "^nu[_-](sv|class|regr)", argument = "^nu$"),
  "nu, type = \"nu-regression\"" = c(name = "nu_?sv|_nu$", value = "^nu[_-](sv|class|regr)", argument = "^nu$"),
  "nu, type = \"nu-svc\"" = c(name = "nu_?sv|_nu$", value = "^nu[_-](sv|class|regr)", argument = "^nu$"),
  "kernel = \"sigmoid\"" = c(name = "sigmoid|tanh", value = "^tanh$", argument = "sigmoid"),
  "family = \"poisson\"" = c(name = "poisson|counts", value = "^poisson", argument = "poisson"),
  "exclude" = c(name = "^exclude", value = "^excluded$", argument = "exclude")
)

# All that the package has: functions and losses, whole words in the code of its functions (the
# values that arguments take), arguments of the functions that fit.
inventory <- local({
  space <- asNamespace("dualmargin")
  exported <- getNamespaceExports("dualmargin")
  words <- function(e) {
    if (is.character(e)) return(e[grepl("^[A-Za-z_.-]+$", e)])
    if (is.function(e)) e <- list(as.list(formals(e)), body(e))
    if (is.recursive(e)) unlist(lapply(as.list(e), words)) else character()
  }
  fits <- grep("^margin_[a-z]+[.](matrix|formula)$", ls(space), value = TRUE)
  fits <- grep("oneclass", fits, value = TRUE, invert = TRUE)
  list(
    name = c(exported, names(loss_makers())),
    value = unique(unlist(lapply(mget(ls(space), space), words))),
    argument = unique(unlist(lapply(fits, function(f) names(formals(get(f, space))))))
  )
})
found_here <- function(patterns, inventory) {
  unlist(lapply(names(patterns), function(kind) {
    grep(patterns[[kind]], inventory[[kind]], value = TRUE, ignore.case = TRUE)
  }))
}

test_that("what is said not to be here is not here", {
  nothing <- table$argument[!nzchar(table$here)]
  expect_setequal(nothing, names(denied))
  for (row in nothing) {
    expect_length(found_here(denied[[row]], inventory), 0L)
    expect_setequal(names(denied[[row]]), names(inventory))
  }
  # such a look would have found what rows have denied before
  before <- list(one_class = c(name = "one_?class"), crammer = c(value = "crammer"),
                 multinomial = c(value = "softmax|multinom"))
  for (patterns in before) expect_gte(length(found_here(patterns, inventory)), 1L)
  # and what the table names is there: functions, and values of `multiclass`
  calls <- unlist(regmatches(table$here, gregexpr("(margin|kernel|loss)_[a-z_]+(?=\\()",
                                                  table$here, perl = TRUE)))
  expect_identical(setdiff(calls, getNamespaceExports("dualmargin")), character())
})

test_that("every row of the table has a check, and every check a row", {
  for (package in unique(table$package)) {
    expect_identical(names(rows[[package]]), table$argument[table$package == package])
  }
  expect_identical(names(rows), unique(table$package))
})

for (package in names(rows)) {
  for (argument in names(rows[[package]])) {
    test_that(sprintf("%s: %s", package, argument), {
      skip_if_not_installed(package)
      suppressMessages(rows[[package]][[argument]]())
    })
  }
}

test_that("hints name what the table names", {
  table <- dualmargin:::translation_table()
  formals_of <- function(name) names(formals(utils::getS3method(name, "matrix",
                                                                envir = asNamespace("dualmargin"))))
  takes <- c(folds = "margin_cv", metric = "margin_cv", n_lambda = "margin_path",
             lambda_min_ratio = "margin_path")
  for (i in which(nzchar(table$alias))) {
    alias <- table$alias[i]
    valid <- formals_of(if (alias %in% names(takes)) takes[[alias]] else "margin_linear")
    theirs <- setdiff(dualmargin:::argument_names(table$argument[i]), c(valid, "tol", "svr_eps"))
    for (name in theirs) {
      expect_match(dualmargin:::peer_hint(name, valid), fixed = TRUE,
                   if (startsWith(alias, "control: "))
                     sprintf("margin_control(%s = )", sub("control: ", "", alias)) else
                       sprintf("did you mean `%s`?", alias))
    }
  }
})
