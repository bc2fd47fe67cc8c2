# The rows, weights and offsets that an audit takes for those of a fit are those of the fit, or it is
# refused.

test_that("a formula of svm() or ksvm() is evaluated where it was written", {
  d <- data.frame(a = rnorm(60), b = rnorm(60))
  d$y <- exp(d$a + rnorm(60) / 2)
  fit_in_function <- function(fun, rows, ...) {
    shift <- 1
    fun(log(y + shift) ~ a + b, rows, ...)
  }
  shift <- 10
  if (requireNamespace("e1071", quietly = TRUE)) {
    fit <- fit_in_function(e1071::svm, d, kernel = "linear", tolerance = 1e-9)
    expect_identical(margin_audit(fit, d)$verdict, "exact")
    expect_input_error(margin_audit(fit, transform(d, y = rev(y))), "y", "response of the fit")
  }
  if (requireNamespace("kernlab", quietly = TRUE)) {
    fit <- fit_in_function(kernlab::ksvm, d, kernel = "vanilladot", kpar = list(), tol = 1e-9)
    expect_identical(margin_audit(fit, d)$verdict, "exact")
    expect_input_error(margin_audit(fit, transform(d, y = rev(y))), "y", "response of the fit")
  }
  expect_identical(shift, 10)
})

test_that("rows of our own fit are those of its subset, wherever that was made", {
  set.seed(4)
  d <- data.frame(a = rnorm(60), b = rexp(60))
  d$z <- factor(ifelse(d$a + rnorm(60) > 0, "yes", "no"))
  fit_in_function <- function(rows, least) {
    margin_linear(z ~ a + b, data = rows, loss = "logistic", lambda = 0.01, subset = a > least)
  }
  for (rows in list(d, transform(d, b = replace(b, c(3, 7, 20), NA)))) {
    fit <- fit_in_function(rows, -0.5)
    least <- 5
    audit <- margin_audit(fit, rows)
    expect_identical(c(audit$verdict, audit$nobs), c("exact", nobs(fit)))
    expect_identical(nrow(as.data.frame(margin_loo(fit, rows))), nobs(fit))
    expect_identical(which(!is.na(augment(fit, rows)$.score)), which(rows$a > -0.5 & !is.na(rows$b)))
  }
  expect_identical(least, 5)
})

test_that("an update takes no other variable for the weights of a fit", {
  set.seed(5)
  d <- data.frame(a = rnorm(40), w = sample(1:3, 40, TRUE))
  d$y <- d$a + rnorm(40)
  fit_in_function <- function(again) {
    own <- d$w
    fit <- margin_linear(y ~ a, d, weights = own, loss = "squared", lambda = 0.1)
    if (again) update(fit, lambda = 0.2) else fit
  }
  right <- margin_linear(y ~ a, d, weights = w, loss = "squared", lambda = 0.2)
  expect_equal(coef(fit_in_function(TRUE)), coef(right), tolerance = 1e-6)
  fit <- fit_in_function(FALSE)
  assign("own", rep(1, 40), globalenv())
  on.exit(rm("own", envir = globalenv()))
  expect_input_error(update(fit, lambda = 0.2), "weights", "variable of the function")
  expect_equal(coef(update(fit, lambda = 0.2, weights = d$w)), coef(right), tolerance = 1e-6)
})

test_that("class weights that kernlab gives to other classes are refused", {
  skip_if_not_installed("kernlab")
  set.seed(1)
  x <- matrix(rnorm(180), 90)
  y <- factor(sample(c("a", "b", "c"), 90, TRUE))
  weights <- c(b = 1, c = 5, a = 0.2)
  fit <- kernlab::ksvm(x, y, type = "C-svc", class.weights = weights, kernel = "vanilladot",
                       kpar = list(), tol = 1e-8)
  expect_input_error(margin_audit(fit, x, y, class.weights = weights), "class.weights", "a = 5")
  solved <- c(a = 5, b = 0.2, c = 1)
  expect_identical(margin_audit(fit, x, y, class.weights = solved)$verdict, "exact")
  expect_input_error(margin_audit(fit, x, y, class.weights = c(a = 1, b = 0.2, c = 1)), "class.weights",
                     "dual variables")
  expect_input_error(margin_audit(fit, x, y, class.weights = c(a = 5)), "class.weights", "name all")
})

test_that("a response that nothing of the fit can tell is assumed, and said to be", {
  skip_if_not_installed("e1071")
  fit <- e1071::svm(mpg ~ wt + hp, mtcars, fitted = FALSE, tolerance = 1e-8)
  expect_match(margin_audit(fit, mtcars)$assumes, "response given")
})

test_that("the call of the same problem states its bounds and factors", {
  skip_if_not_installed("glmnet")
  set.seed(1)
  x <- matrix(rnorm(300), 100, 3) %*% diag(c(1, 2, 5))
  y <- drop(x %*% c(2, 1, 0)) + rnorm(100)
  cases <- list(list(penalty.factor = c(3, 1, 1)), list(lower.limits = -0.1, upper.limits = 0.2))
  for (case in cases) {
    fit <- do.call(glmnet::glmnet, c(list(x, y, lambda = c(0.5, 0.1), thresh = 1e-14), case))
    audit <- margin_audit(fit, x, y, s = 0.1)
    expect_identical(audit$verdict, "exact")
    ours <- eval(str2lang(sub("(", "(x, y, ", audit$here, fixed = TRUE)))
    expect_equal(unname(coef(ours)), unname(coef(fit, s = 0.1)[, 1]), tolerance = 1e-5)
  }
  weighted <- glmnet::glmnet(x, y, lambda = 0.1, weights = seq_len(100), thresh = 1e-14)
  expect_match(margin_audit(weighted, x, y, weights = seq_len(100))$here, "weights = weights")
})

test_that("rows of counts are as many rows, and accuracy is that of their counts", {
  set.seed(3)
  d <- data.frame(a = rnorm(90), b = rexp(90), w = sample(0:3, 90, TRUE))
  fit <- glm(cbind(w, 3 - w) ~ a + b, binomial, d)
  audit <- margin_audit(fit)
  expect_equal(c(audit$nobs, audit$training$n, nrow(augment(audit))), c(90, 90, 90))
  expect_equal(augment(audit)$.score, unname(fit$linear.predictors), tolerance = 1e-10)
  right <- ifelse(fitted(fit) > 0.5, d$w, 3 - d$w)
  expect_equal(audit$training$before, sum(right) / 270)
})

test_that("new rows have all of an offset", {
  set.seed(3)
  d <- data.frame(a = rnorm(90), c = rnorm(90), o = rnorm(90))
  d$z <- factor(ifelse(plogis(d$a) > runif(90), "y", "n"))
  fit <- glm(z ~ a + offset(c), binomial, d, offset = o)
  expect_input_error(margin_audit(fit, newx = d[1:3, ]), "newoffset", "give all of it")
  known <- margin_audit(fit, newx = d[1:3, ], newoffset = (d$c + d$o)[1:3])
  expect_equal(known$new$scores[, 1], unname(predict(fit, d[1:3, ])), tolerance = 1e-10)
})

test_that("fits of glmnet that state another problem are refused by their own words", {
  skip_if_not_installed("glmnet")
  set.seed(1)
  x <- matrix(rnorm(240), 80)
  y <- drop(x %*% c(1, -1, 0.3) + rnorm(80))
  two <- factor(y > 0)
  three <- factor(rep(1:3, length.out = 80))
  expect_input_error(margin_audit(glmnet::glmnet(x, y, lambda = 0), x, y), "fit", "lambda of 0")
  fit <- glmnet::glmnet(x, two, family = "multinomial")
  expect_input_error(margin_audit(fit, x, two, s = fit$lambda[5]), "fit", "two classes")
  fit <- glmnet::glmnet(x, three, family = "multinomial", offset = matrix(0, 80, 3))
  expect_input_error(margin_audit(fit, x, three, s = fit$lambda[5]), "fit", "offset")
  fit <- glmnet::glmnet(cbind(x, 1), three, family = "multinomial", intercept = FALSE)
  expect_input_error(margin_audit(fit, cbind(x, 1), three, s = fit$lambda[5]), "fit", "does not vary")
  fit <- glmnet::glmnet(x, y, penalty.factor = c(0, 1, 1), upper.limits = 0.2)
  expect_input_error(margin_audit(fit, x, y, s = fit$lambda[5]), "fit", "penalty.factor")
  expect_input_error(margin_audit(glmnet::glmnet(x, y), x, replace(y, 4, NA), s = 0.1), "y", "row 4")
})

# What caret's train() returns, as far as it is read.
trained <- function(engine, rows, y, tuned, ...) {
  structure(list(finalModel = engine, trainingData = data.frame(rows, .outcome = y), bestTune = tuned,
                 ...), class = "train")
}

test_that("a model of caret is judged by all that its engine was given", {
  skip_if_not_installed("LiblineaR")
  set.seed(2)
  x <- cbind(a = rnorm(100), b = 5 * rnorm(100) + 2)
  z <- factor(ifelse(x[, 1] + rnorm(100) > 0, "yes", "no"))
  y <- 2 * x[, 1] + rnorm(100)
  tuned <- data.frame(cost = 0.4)
  engine <- function(...) LiblineaR::LiblineaR(x, ..., cost = 0.4, epsilon = 1e-10)
  given <- trained(engine(z, type = 2, wi = c(yes = 2)), x, z, tuned, dots = list(wi = c(yes = 2)))
  expect_identical(margin_audit(given)$verdict, "exact")
  chosen <- trained(engine(z, type = 2, wi = c(no = 1, yes = 3)), x, z, cbind(tuned, weight = 3))
  expect_identical(margin_audit(chosen)$verdict, "exact")
  wide <- trained(engine(y, type = 11, svr_eps = 0.8), x, y, tuned, dots = list(svr_eps = 0.8))
  expect_identical(margin_audit(wide)$verdict, "exact")
  plain <- trained(engine(z, type = 2), x, z, tuned, control = list(sampling = "up"))
  expect_input_error(margin_audit(plain), "x", "sampling")
  expect_identical(margin_audit(plain, as.data.frame(x), z)$verdict, "exact")
  gaps <- data.frame(x, other = replace(rep(1, 100), 3:9, NA), z)
  complete <- trained(engine(z, type = 2), x, z, tuned, terms = terms(z ~ a + b), xlevels = list(),
                      call = quote(train(z ~ a + b, d, na.action = na.omit)))
  expect_identical(margin_audit(complete, gaps)$verdict, "exact")
  some <- trained(engine(z, type = 2), x, z, tuned, call = quote(train(z ~ ., d, subset = 1:60)))
  expect_input_error(margin_audit(some), "x", "subset")
})

test_that("the summary of a result that prints all it holds is itself", {
  fit <- glm(am ~ wt, binomial, mtcars)
  audit <- margin_audit(fit)
  line <- margin_linear(mpg ~ wt, mtcars)
  held <- list(audit, c(a = audit, b = audit), margin_performance(line, mtcars), importance(line))
  for (one in held) {
    expect_identical(summary(one), one)
    expect_input_error(summary(one, digit = 3), "digit", "summary()")
  }
})

test_that("an argument that a model of parsnip has by a variable is asked for", {
  skip_if_not_installed("LiblineaR")
  set.seed(2)
  x <- cbind(a = rnorm(100), b = 5 * rnorm(100) + 2)
  z <- factor(ifelse(x[, 1] + rnorm(100) > 0, "yes", "no"))
  engine <- LiblineaR::LiblineaR(x, z, type = 2, cost = 0.01, epsilon = 1e-10)
  quosure <- function(expression) structure(expression, class = c("quosure", "formula"))
  model <- function(cost) {
    structure(list(fit = engine, spec = list(args = list(cost = cost), method = list(
      fit = list(interface = "matrix", args = list(cost = cost))
    )), preproc = list(y_var = "z")), class = "model_fit")
  }
  expect_identical(margin_audit(model(quosure(~0.01)), x, z)$verdict, "exact")
  size <- 1
  expect_input_error(margin_audit(model(quosure(~size)), x, z), "cost", "by a variable")
  expect_identical(margin_audit(model(quosure(~size)), x, z, cost = 0.01)$verdict, "exact")
  expect_input_error(margin_audit(model(quosure(~0.01)), x), "y", "missing")
  # a learner of mlr3 was trained with what its state holds
  task <- structure(list(data = function() data.frame(x, z), feature_names = colnames(x), truth = function() z),
                    class = "Task")
  learner <- structure(list(model = engine, param_set = list(values = list(cost = 5)),
                            state = list(param_vals = list(cost = 0.01))), class = "Learner")
  expect_identical(margin_audit(learner, task)$verdict, "exact")
})

test_that("the call of the same problem says of which columns it is", {
  fit <- margin_linear(mpg ~ wt + hp, mtcars, loss = "squared", lambda = 0.1)
  expect_match(margin_audit(fit, mtcars)$here, "as the fit scaled them")
  plain <- margin_linear(mpg ~ wt + hp, mtcars, loss = "squared", lambda = 0.1, scale = FALSE)
  expect_no_match(margin_audit(plain, mtcars)$here, "scaled them")
})
