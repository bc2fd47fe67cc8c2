# Fits of other packages, run to the end, for the tests of the audit: each is what the package
# returned, with the data and the arguments that it does not keep. `Rscript data-raw/audit_fits.R`
# from the root of the tree.

set.seed(20261127)
n <- 60L
x <- cbind(a = rnorm(n), b = 3 * rnorm(n) + 1, c = runif(n), d = rnorm(n) / 4)
z <- x[, 1L] - 0.4 * x[, 2L] + rnorm(n)
data <- list(x = x, two = factor(ifelse(z > 0, "yes", "no")),
             three = cut(z, c(-Inf, -1.5, 0, Inf), labels = c("low", "mid", "high")), number = z,
             weights = rep(c(1, 2.5, 0.5), 20L), factor = c(0, 1, 2, 1))
fits <- list()

# ---- LiblineaR ----

liblinear <- function(y, type, ..., cost = 0.1, wi = NULL, svr_eps = NULL) {
  fit <- LiblineaR::LiblineaR(x, data[[y]], type = type, cost = cost, epsilon = 1e-10, wi = wi,
                              svr_eps = svr_eps, ...)
  fits[[length(fits) + 1L]] <<- list(
    peer = "LiblineaR", y = y, fit = fit,
    arguments = Filter(Negate(is.null), list(cost = cost, wi = wi, svr_eps = svr_eps))
  )
}
for (type in c(0, 7, 1, 2, 3, 5, 6)) {
  for (bias in c(1, 0, 10)) liblinear("two", type, bias = bias)
  liblinear("two", type, wi = c(yes = 3, no = 0.5))
  liblinear("three", type, wi = c(low = 2, mid = 1, high = 0.5))
}
for (bias in c(1, 0, 10)) {
  liblinear("three", 4, bias = bias, wi = c(low = 2, mid = 1, high = 0.5))
  liblinear("two", 4, bias = bias, wi = c(yes = 3, no = 0.5))
}
for (bias in c(1, 0)) {
  liblinear("three", 4, bias = bias)
  for (type in 11:13) liblinear("number", type, bias = bias, svr_eps = 0.2)
}
liblinear("number", 11, svr_eps = 0)

# ---- glmnet: what a call spells out is read from it, what it names has to be given ----

glmnet <- function(y, family, alpha, ..., given = list()) {
  response <- data[[y]]
  call <- as.call(c(list(quote(glmnet::glmnet), quote(x), quote(response), family = family,
                         alpha = alpha, nlambda = 12, thresh = if (family == "gaussian") 1e-20 else 1e-15, maxit = 1e6),
                    list(...), lapply(given, function(value) value)))
  fit <- eval(call)
  fit$call <- as.call(c(as.list(call)[1:5], list(...), lapply(given, function(value) quote(given))))
  fits[[length(fits) + 1L]] <<- list(peer = "glmnet", y = y, fit = fit,
                                     arguments = c(list(s = fit$lambda[4L]), given))
}
families <- c(number = "gaussian", two = "binomial", three = "multinomial")
for (y in names(families)) {
  for (alpha in c(0, 0.4, 1)) glmnet(y, families[[y]], alpha)
  glmnet(y, families[[y]], 0.4, standardize = FALSE)
  glmnet(y, families[[y]], 0.4, given = list(weights = data$weights))
}
for (y in c("number", "two")) {
  glmnet(y, families[[y]], 0.4, intercept = FALSE)
  glmnet(y, families[[y]], 0.4, given = list(offset = x[, "c"]))
  glmnet(y, families[[y]], 0.4, given = list(penalty.factor = data$factor))
  glmnet(y, families[[y]], 0.4, given = list(lower.limits = -0.1, upper.limits = 0.3))
}

# ---- Support vector machines: what a fit keeps of its rows is its support vectors ----

cw <- c(yes = 2, no = 0.7)
store <- function(peer, y, fit, given) {
  arguments <- if (is.null(given)) list() else list(class.weights = given)
  fits[[length(fits) + 1L]] <<- list(peer = peer, y = y, fit = fit, arguments = arguments)
}
svm <- function(y, ..., given = list()) {
  fit <- e1071::svm(x, data[[y]], tolerance = 1e-9, fitted = FALSE, ..., class.weights = given)
  fit$decision.values <- NULL
  fit$call <- as.call(c(quote(svm), if (!is.null(given)) list(class.weights = quote(cw))))
  store("e1071", y, fit, given)
}
for (kernel in c("linear", "radial", "polynomial")) {
  for (scale in c(TRUE, FALSE)) svm("two", kernel = kernel, scale = scale, cost = 0.7, coef0 = 1, given = NULL)
}
svm("two", cost = 0.7, given = cw)
svm("three", cost = 3, given = NULL)
svm("number", epsilon = 0.2, given = NULL)
svm("none", type = "one-classification", gamma = 0.3, nu = 0.2, given = NULL)
svm("number", kernel = "linear", epsilon = 0.3, scale = FALSE, given = NULL)

ksvm <- function(y, kernel, ..., given = NULL, tol = 1e-9) {
  fit <- kernlab::ksvm(x, data[[y]], kernel = kernel, tol = tol, fit = FALSE, ..., class.weights = given)
  names <- c("type", "param", "scaling", "terms", "lev", "xmatrix", "alphaindex", "coef", "b")
  parts <- sapply(names, function(name) methods::slot(fit, name), simplify = FALSE)
  parts$kcall <- as.call(c(quote(ksvm), if (!is.null(given)) list(class.weights = quote(cw))))
  parts$kernel <- list(class = class(fit@kernelf)[1L], kpar = fit@kernelf@kpar)
  store("kernlab", y, parts, given)
}
ksvm("two", kernlab::rbfdot(0.1), C = 0.7)
ksvm("two", kernlab::vanilladot(), C = 0.7, scaled = FALSE)
ksvm("two", kernlab::polydot(2, 1, 1), C = 0.7)
ksvm("two", kernlab::laplacedot(0.3), C = 0.7)
ksvm("two", kernlab::rbfdot(0.1), C = 0.7, given = cw)
ksvm("two", kernlab::rbfdot(0.2), C = 2, type = "C-bsvc", tol = 1e-5)
ksvm("three", kernlab::rbfdot(0.2), C = 2)
ksvm("number", kernlab::rbfdot(0.2), C = 2, epsilon = 0.2)
ksvm("number", kernlab::vanilladot(), C = 2, epsilon = 0.3, scaled = FALSE)

# ---- Fits from a formula, of a data frame: what is read of them, without what carries rows ----

frame <- function(y) data.frame(x, y = data[[y]], w = data$weights)
formula_fit <- function(peer, y, fit) {
  read <- c("coefficients", "terms", "xlevels", "contrasts", "prior.weights", "weights", "offset", "family", "method",
            "linear.predictors", "deviance", "null.deviance", "lev", "decay", "fitted.values", "value", "psi", "s",
            "residuals", "lambda", "tau", "call", "wts", "n", "vcoefnames", "nunits")
  class <- class(fit)
  fit <- unclass(fit)[intersect(read, names(fit))]
  environment(fit$terms) <- globalenv()
  fits[[length(fits) + 1L]] <<- list(peer = peer, y = y, fit = structure(fit, class = class), arguments = list(),
                                     frame = TRUE)
}
tight <- glm.control(1e-14, 100)
for (y in c("two", "number")) {
  family <- if (y == "two") "binomial" else "gaussian"
  formula_fit("stats", y, glm(y ~ a + b + c + d, family, frame(y), control = tight))
  formula_fit("stats", y, suppressWarnings(glm(y ~ a + b + c + d, family, frame(y), weights = w, control = tight)))
}
formula_fit("stats", "two", glm(y ~ a + b + c + d - 1, binomial, frame("two"), control = tight))
for (decay in c(0, 1)) {
  formula_fit("nnet", "two", nnet::multinom(y ~ a + b + c + d, frame("two"), weights = w, decay = decay, trace = FALSE,
                                            abstol = 1e-15, reltol = 1e-15, maxit = 2000))
}
formula_fit("MASS", "number", MASS::rlm(y ~ a + b + c + d, frame("number"), acc = 1e-12, maxit = 2000))
formula_fit("MASS", "number", MASS::rlm(y ~ a + b + c + d, frame("number"), weights = w, wt.method = "case", k = 1,
                                        acc = 1e-12, maxit = 2000))
for (tau in c(0.3, 0.5)) {
  formula_fit("quantreg", "number", quantreg::rq(y ~ a + b + c + d, tau, frame("number"), method = "lasso",
                                                 lambda = c(0, 4, 8, 2, 1), eps = 1e-12, beta = 0.9999999))
}

saveRDS(list(data = data, fits = fits), "tests/testthat/_fixtures/audit_fits.rds",
        version = 3, compress = "xz")
