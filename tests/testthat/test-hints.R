# A name of e1071, kernlab, LiblineaR, glmnet or scikit-learn is answered with ours, and no answer
# names what the function lacks.

some <- spambase[seq(1L, 4601L, by = 60L), ]
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
  expect_match(linear(epsilon = 0.1), "loss_huber(delta = )", fixed = TRUE)
  expect_match(linear(center = TRUE), "centring changes nothing", fixed = TRUE)
  expect_match(linear(offset = 1), "no model here has an offset", fixed = TRUE)
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

test_that("no answer names an argument or a loss that the function lacks", {
  theirs <- c(names(dualmargin:::argument_aliases()),
              names(dualmargin:::control_aliases()), "gamma",
              "sigma", "degree", "coef0", "kpar", "kernel", "delta", "nu", "center", "offset",
              "probability", "penalty.factor", "lower.limits", "cost", "lambda")
  for (family in c("linear", "kernel", "augmented", "robust", "hard")) {
    valid <- names(formals(utils::getS3method(paste0("margin_", family), "formula",
                                              envir = asNamespace("dualmargin"))))
    for (name in setdiff(theirs, valid)) {
      hint <- dualmargin:::peer_hint(name, valid)
      meant <- regmatches(hint, regexpr("did you mean `[a-z_]+`", hint))
      if (length(meant) > 0L) expect_true(gsub("did you mean |`", "", meant) %in% valid)
      if (length(hint) > 0L && grepl("loss = ", hint)) expect_true("loss" %in% valid)
    }
  }
  for (family in list(margin_robust, margin_hard)) {
    expect_match(said(family(mpg ~ ., mtcars)),
                 "margin_linear(loss = \"squared\") for a regression",
                 fixed = TRUE)
  }
  expect_match(said(margin_robust(type ~ ., some, C = 1, intercept = "none", scale = FALSE)),
               "`radius` and `ridge`", fixed = TRUE)
  expect_match(said(margin_hard(type ~ ., some, C = 1, intercept = "none")),
               "no penalty", fixed = TRUE)
})

test_that("a spelling is suggested only where most of it is right", {
  metric <- function(name) said(margin_cv(type ~ ., some, grid = list(lambda = 1), metric = name,
                                          loss = "smooth_hinge"))
  expect_no_match(metric("rsq"), "did you mean")
  expect_no_match(metric("gini"), "did you mean")
  expect_match(metric("acuracy"), "did you mean \"accuracy\"?", fixed = TRUE)
  expect_match(said(margin_linear(type ~ ., some, lamda = 1, loss = "smooth_hinge")),
               "did you mean `lambda`?",
               fixed = TRUE)
  expect_match(said(margin_kernel(type ~ ., some, kernel = "rfb", intercept = "none")),
               "did you mean \"rbf\"?",
               fixed = TRUE)
  expect_match(said(margin_linear(type ~ ., some, weigths = 1, loss = "smooth_hinge")),
               "did you mean `weights`?",
               fixed = TRUE)
})
