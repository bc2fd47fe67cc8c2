test_that("a family's specification fits that family and reads its predictions", {
  data <- iris_pair()
  x <- as.matrix(data[1:4])
  fits <- list(
    linear = list(loss = "logistic", lambda = 0.01), kernel = list(loss = "hinge", lambda = 0.01),
    robust = list(radius = 0.05), augmented = list(lambda = 1), hard = list()
  )
  for (family in setdiff(names(fits), "hard")) {
    spec <- do.call(spec_margin, c(list(family), fits[[family]]))
    fit <- getExportedValue("dualmargin", paste0("margin_", family))
    set.seed(1)
    model <- spec$fit_fun(x, data$Species)
    set.seed(1)
    direct <- do.call(fit, c(list(x, data$Species, scale = FALSE), fits[[family]]))
    expect_equal(coef(model), coef(direct))
    answer <- spec$predict_fun(model, x, levels(data$Species))
    expect_identical(answer$class, unname(predict(direct, x)))
    expect_equal(answer$score, unname(predict(direct, x, type = "score")))
    logistic <- family %in% c("linear", "augmented")
    expect_identical(is.null(answer$prob), !logistic)
    if (logistic) expect_equal(answer$prob[, 2], plogis(answer$score))
    expect_identical(as.list(spec$gap_fun(model, x, data$Species, NULL)),
                     c(certificate(direct)[c("relative_gap", "certified")], excess = 0))
  }
  spec <- spec_margin("hard", kernel = kernel_rbf(5), intercept = "none")
  model <- spec$fit_fun(x, data$Species)
  expect_equal(spec$predict_fun(model, x, levels(data$Species))$score,
               unname(predict(model, type = "score")))
})

test_that("a name says what is fitted", {
  expect_identical(spec_margin(loss = "smooth_hinge")$name, "margin_linear smooth_hinge")
  # the loss of the task, which is not known yet
  expect_identical(spec_margin(loss = NULL)$name, "margin_linear")
  expect_identical(spec_margin("robust", intercept = "none", scale = FALSE)$name, "margin_robust")
  expect_identical(spec_margin("kernel", loss = loss_huber(2), name = "mine",
                               intercept = "none")$name, "mine")
  expect_output(print(spec_margin("hard", intercept = "none")), "<margin_spec> margin_hard$")
  expect_output(print(threshold_spec(1, 0, "cut")), "cut, whose distance from its optimum is ask")
})

test_that("bad specifications are errors of their own", {
  input_error <- function(expression, words) {
    expect_error(expression, words, class = "dualmargin_input_error")
  }
  fit <- function(x, y) 1
  ask <- function(model, x, levels) 1
  input_error(model_spec(), "`fit_fun` is NULL, but must be a function \\(x, y\\)")
  input_error(model_spec(function(x) 1, ask, "a"), "`fit_fun` takes 1 argument, but is called")
  input_error(model_spec(fit, "predict", "a"), "`predict_fun` is \"predict\", but must be")
  input_error(model_spec(fit, function(model) 1, "a"), "`predict_fun` takes 1 argument")
  input_error(model_spec(fit, ask), "`name` is missing")
  input_error(model_spec(fit, ask, NA), "`name` is NA")
  input_error(model_spec(fit, ask, "a", gap_fun = 1), "`gap_fun` is 1, but must be a function")
  input_error(spec_margin("ridge"), "`family` is \"ridge\"")
  input_error(spec_margin("linear", C = 1, loss = "smooth_hinge"),
              "`C` is not an argument of spec_margin\\(\\).*cost")
  input_error(spec_margin("linear", 3, loss = "smooth_hinge"), "`...` holds 3 without a name")
  input_error(spec_margin("kernel", kernel = kernel_precomputed(), intercept = "none"),
              "leaves no columns")
  input_error(print(spec_margin(), 3), "print\\(\\) was given an argument too many")
})

test_that("every form of prediction is read", {
  levels <- c("no", "yes")
  read <- function(raw, n = 3, l = levels) read_prediction(raw, n, l)
  from_scores <- read(c(-1, 0, 2))
  expect_identical(from_scores$class, factor(c("no", "yes", "yes"), levels))
  expect_null(from_scores$prob)
  expect_identical(read(factor(c("yes", "no", "no")))$class, factor(c("yes", "no", "no"), levels))
  expect_null(read(c("yes", "no", "no"))$score)
  prob <- cbind(yes = c(0.5, 0.2, 1), no = c(0.5, 0.8, 0))
  from_prob <- read(list(prob = prob))
  expect_equal(from_prob$prob[, "yes"], prob[, "yes"])
  expect_equal(from_prob$score, c(0, -0.6, 1))
  expect_identical(from_prob$class, factor(c("yes", "no", "yes"), levels))
  # the class that a model gives is not derived anew
  expect_identical(read(list(class = c("no", "no", "no"), score = c(1, 1, 1)))$class,
                   factor(rep("no", 3), levels))
  three <- c("a", "b", "c")
  scores <- rbind(c(b = 1, a = 3, c = 2), c(5, 3, 5))
  expect_identical(read(scores, 2, three)$class, factor(c("a", "b"), three))
  expect_equal(read(scores, 2, three)$score[1, ], c(a = 3, b = 1, c = 2))
  expect_equal(read(c(1, 2, 3), 3, NULL), list(response = c(1, 2, 3)))
})

test_that("predictions of a wrong kind are errors of their own", {
  wrong <- function(raw, words, n = 3, levels = c("no", "yes")) {
    expect_error(read_prediction(raw, n, levels), words,
                 class = "dualmargin_input_error")
  }
  wrong(c(1, 2), "predictions for 2 rows, but was asked for 3")
  wrong(factor(c("no", "maybe", "no")), "the class \"maybe\"; the levels are \"no\", \"yes\"")
  wrong(factor(c("no", NA, "no")), "no class for row 2")
  wrong(c(1, NaN, 2), "the score NaN; it must be a finite number")
  wrong(c(TRUE, FALSE, TRUE), "a logical vector of length 3 for decision values")
  wrong(matrix(1, 3, 2), "2 columns of decision values, but for two levels")
  wrong(matrix(1, 3, 2), "2 columns of decision values, but must return one for each of 3 levels",
        levels = c("a", "b", "c"))
  wrong(list(prob = cbind(a = 1:3, b = 0)), "named the columns of probabilities \"a\", \"b\"")
  wrong(list(prob = cbind(c(0.5, 1, 1), 0.5)), "do not sum to one")
  wrong(list(prob = cbind(c(2, 1, 1), c(-1, 0, 0))), "probabilities below 0")
  wrong(list(klass = 1), "a list of \"klass\", but must return class, score or prob")
  wrong(list(1, 2), "a list of parts without names")
  wrong("a", "in a regression must return numbers", levels = NULL)
  wrong(c(1, Inf, 2), "the prediction Inf", levels = NULL)
})
