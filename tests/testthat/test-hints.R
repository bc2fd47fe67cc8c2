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

test_that("several values of one argument are no grid unless it says so", {
  for (slip in list(list(lambda = c(0.1, 1)), list(mixture = c(0, 1)),
                    list(loss = c("hinge", "logistic")), list(intercept = c("free", "none")))) {
    expect_match(said(do.call(margin_cv, c(list(type ~ ., some, folds = 2), slip))),
                 sprintf("grid = list(%s = )", names(slip)), fixed = TRUE)
  }
  # an argument whose one value is a vector
  expect_s3_class(margin_cv(type ~ ., some, class_weights = c(nonspam = 1, spam = 2), folds = 2,
                            grid = list(lambda = 0.1), seed = 1), "margin_cv")
})

test_that("the classes that type = \"response\" gives are told, once asked for by that name", {
  expect_message(classes <- predict(fit, some, type = "response"), "type = \"prob\"", fixed = TRUE,
                 class = "dualmargin_message")
  expect_quiet(same <- predict(fit, some))
  expect_identical(classes, same)
  expect_quiet(predict(margin_linear(mpg ~ ., mtcars), mtcars, type = "response"))
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

test_that("functions that make values name an argument that they lack", {
  makers <- grep("^(kernel_|loss_|perturb_|spec_)",
                 getNamespaceExports("dualmargin"), value = TRUE)
  makers <- c(setdiff(makers, "spec_peer"), "margin_control", "margin_folds", "margin_report",
              "mixup_pairs", "margin_metric")
  takes <- function(name) length(formals(getExportedValue("dualmargin", name))) > 0L
  makers <- Filter(takes, makers)
  expect_gt(length(makers), 20L)
  for (name in makers) {
    answer <- said(do.call(name, list(nonsense = 1)))
    expect_match(answer, sprintf("`nonsense` is not an argument of %s()", name), fixed = TRUE)
  }
})

test_that("messages call the response what the formula calls it", {
  cars <- transform(mtcars, gears = factor(gear))
  named <- list(
    mpg = function() margin_linear(mpg ~ wt, transform(cars, mpg = 1e200 * mpg)),
    mpg = function() margin_linear(mpg ~ wt, transform(cars, mpg = c(1e152, mpg[-1L] * 1e-4))),
    mpg = function() margin_tune(mpg ~ wt, cars),
    mpg = function() margin_kernel(mpg ~ wt, cars, loss = "squared", solver = "mixup_naive",
                                   intercept = "none"),
    gears = function() margin_hard(gears ~ wt, cars),
    am = function() margin_cv(am ~ wt, cars, grid = list(loss = list("hinge", "absolute"))),
    am = function() margin_cv(am ~ wt, cars, grid = list(loss = list("hinge", "absolute")), outer = 10)
  )
  for (k in seq_along(named)) {
    answer <- said(named[[k]]())
    expect_match(answer, sprintf("(`|factor\\()%s(`|\\))", names(named)[k]), label = answer)
    expect_no_match(answer, "`y`", fixed = TRUE)
  }
})

test_that("functions that resample blame data that is not there by its name", {
  calls <- list(
    function() margin_cv(type ~ ., nosuch), function() margin_cv(type ~ ., nosuch, outer = 10),
    function() margin_tune(type ~ ., nosuch),
    function() margin_compare(type ~ ., nosuch, specs = list(spec_margin()))
  )
  for (call in calls) {
    expect_input_error(call(), "data", "`data` could not be evaluated: object 'nosuch' not found")
  }
})

test_that("intervals of a prediction, groups of folds and rules by other names have their place", {
  expect_match(said(predict(fit, some, interval = "confidence")),
               "(intervals and sets for new responses are those of margin_conformal())",
               fixed = TRUE)
  expect_match(said(predict(fit, some, se.fit = TRUE)), "margin_conformal()", fixed = TRUE)
  grid <- list(lambda = c(0.1, 1))
  answer <- said(margin_cv(type ~ ., some, grid = grid, groups = seq_len(nrow(some))))
  expect_match(answer, "dealt by folds = margin_folds(y, groups = )", fixed = TRUE)
  expect_no_match(answer, "the arguments are", fixed = TRUE)
  cv <- margin_cv(type ~ word_freq_our, some, grid = grid, folds = 2, seed = 1)
  expect_match(said(summary(cv, rule = "1se")), "(did you mean \"one_se\"?)", fixed = TRUE)
  expect_match(said(refit(cv, rule = "lambda.1se")), "(did you mean \"one_se\"?)", fixed = TRUE)
})

test_that("what a file of rows has is asked for in one call of write_rows()", {
  path <- tempfile(fileext = ".rows")
  on.exit(unlink(path))
  rows <- read_rows(write_rows(as.matrix(some[1:5]), path, y = some$type))
  expect_match(said(margin_linear(rows, y = some$type)), "write them with write_rows(y = ).",
               fixed = TRUE)
})

test_that("data in which the subset of a fit leaves other rows are refused by that subset", {
  hot <- margin_linear(Ozone ~ Wind + Temp, airquality, subset = Month > 5, lambda = 0.01)
  words <- paste("its call has subset = Month > 5: give the data that it is evaluated in, or the",
                 "rows that it leaves, in their order.")
  other <- airquality[-153L, ]
  for (ask in list(margin_certain, margin_loo, margin_conformal, margin_bootstrap)) {
    expect_match(said(ask(hot, other)), words, fixed = TRUE)
  }
  expect_match(said(augment(hot, data = other)), words, fixed = TRUE)
  expect_match(said(margin_loo(fit, some[-1L, ])), "give it those, in their order.", fixed = TRUE)
})
