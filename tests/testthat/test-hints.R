# A name of e1071, kernlab, LiblineaR, glmnet or scikit-learn is answered with ours, and no answer
# names what the function lacks.

some <- spambase[seq(1L, 4601L, by = 60L), ]
fit <- margin_linear(type ~ ., some)
said <- function(expr) {
  condition <- tryCatch({
    expr
    NULL
  }, error = identity)
  expect_s3_class(condition, "dualmargin_input_error")
  conditionMessage(condition)
}

test_that("names of other packages lead to ours", {
  linear <- function(...) said(margin_linear(type ~ ., some, ...))
  kernel <- function(...) said(margin_kernel(type ~ ., some, ...))
  expect_match(linear(C = 1), "did you mean `cost`?", fixed = TRUE)
  expect_match(linear(alpha = 1), "did you mean `mixture`?", fixed = TRUE)
  expect_match(linear(type = 2), "did you mean `loss`?", fixed = TRUE)
  expect_match(linear(standardize = TRUE), "did you mean `scale`?", fixed = TRUE)
  expect_match(linear(maxit = 9), "margin_control(max_epochs = )", fixed = TRUE)
  expect_match(linear(eps = 9), "margin_control(tol = )", fixed = TRUE)
  expect_match(linear(epsilon = 0.1), "loss_epsilon_insensitive(epsilon = )", fixed = TRUE)
  expect_match(linear(center = TRUE), "centring changes nothing", fixed = TRUE)
  expect_match(linear(offset = 1), "write it there, as in y ~ x + offset(o)", fixed = TRUE)
  expect_match(linear(gamma = 1), "margin_kernel(kernel = kernel_rbf(sigma = ))", fixed = TRUE)
  expect_match(linear(kernel = "rbfdot"), "margin_kernel(", fixed = TRUE)
  expect_match(linear(probability = TRUE), "margin_calibrate()", fixed = TRUE)
  expect_match(said(margin_path(type ~ ., some, nlambda = 5, loss = "smooth_hinge")),
               "did you mean `n_lambda`?",
               fixed = TRUE)
  expect_match(said(margin_cv(type ~ ., some, nfolds = 5, loss = "smooth_hinge")),
               "did you mean `folds`?", fixed = TRUE)
  for (name in c("gamma", "sigma")) {
    expect_match(do.call(kernel, stats::setNames(list(1), name)), "kernel = kernel_rbf(sigma = )",
                 fixed = TRUE)
  }
  expect_match(kernel(degree = 2), "kernel = kernel_polynomial(degree = )", fixed = TRUE)
  expect_match(kernel(kernel = "rbfdot"), "kernel = kernel_rbf()", fixed = TRUE)
  expect_match(kernel(kernel = "radial"), "kernel = kernel_rbf()", fixed = TRUE)
  expect_match(said(margin_robust(type ~ ., some, epsilon = 1, intercept = "none", scale = FALSE)),
               "did you mean `radius`?",
               fixed = TRUE)
})

test_that("the slips of a first week are told what to write", {
  expect_told("hints", "slips", {
    margin_cv(type ~ ., some, lambda = 10^-(1:3))
    margin_cv(type ~ ., some, family = "robust", radius = c(0.1, 0.2))
    margin_linear(type ~ ., some, cost = c(1, 10))
    margin_linear(type ~ ., some, weights = 1:3)
    margin_linear(type ~ ., nosuch)
    margin_linear(type + your ~ our, some)
    margin_kernel(Species ~ ., iris, multiclass = "softmax", nystrom = 20, intercept = "none")
    predict(fit, type = "link")
    predict(fit, type = "probability")
    margin_cv(type ~ ., some, grid = list(C = 1))
    margin_cv(type ~ ., some, grid = list(gamma = 1))
    margin_cv(type ~ ., some, family = "kernel", grid = list(gamma = 1))
    margin_cv(type ~ ., some, family = "kernel", grid = list(degree = 2))
    margin_cv(mpg ~ ., mtcars, grid = list(epsilon = 0.1))
    margin_cv(type ~ ., some, grid = list(tol = 1))
    kernel_rbf(gamma = 1)
    kernel_polynomial(coef0 = 1)
    kernel_polynomial(2, 1, 0, 9)
    loss_quantile(q = 0.1)
    margin_control(maxit = 3)
    margin_folds(some$type, k = 3)
    margin_report(fit, newdata = some)
    margin_threshold(fit, newdata = some)
    margin_performance(fit, data = some)
    perturb_dropout(prob = 0.1)
    margin_linear(type ~ ., some, intercept = TRUE)
    margin_cv(type ~ ., some, intercept = FALSE)
    margin_linear(type ~ ., some, loss = "softmax")
    margin_linear(type ~ ., some, loss = "deviance")
    margin_linear(Species ~ ., iris, multiclass = "multinomial")
    margin_kernel(Species ~ ., iris, multiclass = "ovo")
    margin_linear(mpg ~ ., mtcars, tau = 0.1)
    margin_cv(type ~ ., some, cross = 5)
    margin_cv(type ~ ., some, rule = "one_se")
    loss_quantile(c(0.1, 0.9))
    margin_augmented(type ~ ., some, perturbation = "dropout")
    margin_augmented(type ~ ., some, perturbation = "gaussian")
    margin_linear(low ~ our, transform(some, low = 3))$task
    margin_linear(low ~ our, transform(some, low = as.integer(type) - 1L))$task
    margin_linear(structure(list(), class = "simple_triplet_matrix"), some$type)
  })
})

test_that("sparse matrices of package SparseM have a way to ours that keeps the numbers", {
  skip_if_not_installed("SparseM")
  x <- as.matrix(some[1:5])
  of_theirs <- function(name) getExportedValue("SparseM", name)
  theirs <- of_theirs("as.matrix.csr")(x)
  answer <- said(margin_linear(theirs, some$type))
  expect_match(answer, "Matrix::Matrix(SparseM::as.matrix(x), sparse = TRUE)", fixed = TRUE)
  ours <- Matrix::Matrix(of_theirs("as.matrix")(theirs), sparse = TRUE)
  expect_equal(unname(as.matrix(ours)), unname(x))
})
