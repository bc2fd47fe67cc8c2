# The engine "dualmargin" of parsnip. Each argument of a model must arrive in the fit, which is told
# by the coefficients: parsnip takes any name for one, and drops what it does not know.

two <- transform(mtcars, am = factor(am, labels = c("automatic", "manual")))[
  c("am", "mpg", "wt", "hp", "qsec")
]
x <- as.matrix(two[-1L])
rows <- rep(c(1, 2, 3, 0), 8)

test_that("svm_rbf: cost and rbf_sigma are those of kernlab and of margin_kernel()", {
  skip_if_not_installed("parsnip")
  values <- expand.grid(cost = c(0.1, 10), sigma = c(0.01, 0.5))
  fits <- Map(function(cost, sigma) {
    fit <- fit_inside(engine_of(parsnip::svm_rbf(cost = cost, rbf_sigma = sigma)), am ~ ., two)
    expect_same_fit(fit, margin_kernel(x, two$am, kernel = kernel_rbf(sigma), loss = "hinge",
                                       cost = cost, intercept = "free"))
    fit
  }, values$cost, values$sigma)
  expect_length(unique(lapply(fits, function(fit) fit$certificate$value)), 4L)
  default <- fit_inside(engine_of(parsnip::svm_rbf()), am ~ ., two)
  expect_same_fit(default, margin_kernel(x, two$am, loss = "hinge", intercept = "free"))
  skip_if_not_installed("kernlab")
  # Of kernlab the dual objective is 0.5 |f|^2 + C sum of slacks, which is ours times W C.
  scaled <- sweep(x, 2L, sqrt(colMeans(sweep(x, 2L, colMeans(x))^2)), `/`)
  peer <- kernlab::ksvm(scaled, two$am, scaled = FALSE, kernel = "rbfdot",
                        kpar = list(sigma = 0.5), C = 10, tol = 1e-8)
  expect_equal(32 * 10 * fits[[4L]]$certificate$value, -kernlab::obj(peer), tolerance = 1e-4)
})

test_that("svm_poly: cost, degree, scale_factor and the engine's offset arrive", {
  skip_if_not_installed("parsnip")
  model <- parsnip::svm_poly(cost = 0.5, degree = 3, scale_factor = 0.2)
  kernel <- kernel_polynomial(degree = 3, scale = 0.2)
  direct <- function(kernel, ...) {
    margin_kernel(x, two$am, kernel = kernel, loss = "hinge", intercept = "free", ...)
  }
  expect_same_fit(fit_inside(engine_of(model), am ~ ., two), direct(kernel, cost = 0.5))
  offset <- fit_inside(engine_of(model, engine = list(offset = 0.5)), am ~ ., two)
  expect_identical(offset$settings$kernel$offset, 0.5)
  expect_same_fit(offset, direct(kernel_polynomial(3, 0.2, 0.5), cost = 0.5))
  expect_same_fit(fit_inside(engine_of(parsnip::svm_poly()), am ~ ., two),
                  direct(kernel_polynomial()))
})

test_that("case weights arrive in every model", {
  skip_if_not_installed("parsnip")
  weights <- parsnip::importance_weights(rows)
  with_weights <- function(model, mode = "classification", formula = am ~ .) {
    fit_inside(engine_of(model, mode), formula, two, case_weights = weights)
  }
  expect_same_fit(with_weights(parsnip::svm_linear(cost = 2)),
                  margin_linear(x, two$am, loss = "hinge", cost = 2, weights = rows))
  expect_same_fit(with_weights(parsnip::logistic_reg(penalty = 0.1)),
                  margin_linear(x, two$am, loss = "logistic", lambda = 0.1, weights = rows))
  expect_same_fit(with_weights(parsnip::linear_reg(penalty = 0.1), "regression", mpg ~ wt + hp),
                  margin_linear(mpg ~ wt + hp, two, loss = "squared", lambda = 0.1,
                                weights = rows))
  machine <- function(kernel) {
    margin_kernel(x, two$am, kernel = kernel, loss = "hinge", intercept = "free", weights = rows)
  }
  expect_same_fit(with_weights(parsnip::svm_rbf(rbf_sigma = 0.2)), machine(kernel_rbf(0.2)))
  expect_same_fit(with_weights(parsnip::svm_poly(degree = 2)), machine(kernel_polynomial(2)))
})

test_that("what the engine is given arrives: control, solver, scale, intercept, loss", {
  skip_if_not_installed("parsnip")
  fit <- fit_inside(engine_of(parsnip::svm_linear(cost = 1), engine = list(
    control = quote(margin_control(tol = 1e-3)), solver = "newton", scale = FALSE,
    intercept = "none", loss = "smooth_hinge"
  )), am ~ ., two)
  expect_identical(fit$certificate$tol, 1e-3)
  expect_same_fit(fit, margin_linear(x, two$am, loss = "smooth_hinge", cost = 1, scale = FALSE,
                                     intercept = "none", solver = "newton",
                                     control = margin_control(tol = 1e-3)))
  expect_identical(fit$status$solver, "newton")
})

test_that("predictions are those of predict(), for the levels of the outcome", {
  skip_if_not_installed("parsnip")
  flowers <- iris[c(1:5, 51:55, 101:105), ]
  model <- engine_of(parsnip::svm_linear(), engine = list(loss = "logistic"))
  fit <- parsnip::fit(model, Species ~ ., data = iris)
  inside <- parsnip::extract_fit_engine(fit)
  prob <- predict(fit, flowers, type = "prob")
  expect_named(prob, paste0(".pred_", levels(iris$Species)))
  expect_equal(unname(as.matrix(prob)), unname(predict(inside, flowers, type = "prob")))
  expect_identical(predict(fit, flowers)$.pred_class, unname(predict(inside, flowers)))
  expect_equal(predict(fit, flowers, type = "raw"), predict(inside, flowers, type = "score"))
  part <- suppressMessages(parsnip::fit(model, Species ~ ., data = iris[1:100, ]))
  prob <- predict(part, flowers, type = "prob")
  expect_identical(prob$.pred_virginica, numeric(15))
  expect_equal(rowSums(prob), rep(1, 15), ignore_attr = TRUE)
  line <- parsnip::fit(engine_of(parsnip::linear_reg(penalty = 0.1), "regression"), mpg ~ .,
                       data = two)
  expect_equal(predict(line, two)$.pred,
               unname(predict(parsnip::extract_fit_engine(line), cbind(x, ammanual = mtcars$am))))
})

test_that("a workflow with a recipe fits what the baked data fit", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("workflows")
  skip_if_not_installed("recipes")
  recipe <- recipes::step_normalize(recipes::recipe(am ~ ., data = two), c("wt", "hp"))
  flow <- workflows::workflow(recipe, engine_of(parsnip::svm_linear(cost = 2)))
  set.seed(1)
  fit <- parsnip::fit(flow, data = two)
  baked <- recipes::bake(recipes::prep(recipe), two)
  expect_same_fit(workflows::extract_fit_engine(fit),
                  margin_linear(am ~ ., baked, loss = "hinge", cost = 2))
})

test_that("a fit that is not certified says so through parsnip, and goes on saying it", {
  skip_if_not_installed("parsnip")
  model <- engine_of(parsnip::svm_linear(cost = 1e4), engine = list(
    calibrate = "none", solver = "sdca", intercept = "none",
    control = margin_control(max_epochs = 2)
  ))
  expect_warning(fit <- parsnip::fit(model, am ~ ., data = two), class = "dualmargin_not_certified")
  expect_false(certificate(parsnip::extract_fit_engine(fit))$certified)
  expect_output(print(fit), "NOT certified")
})

test_that("the machines have a regression: the epsilon-insensitive loss, margin its epsilon", {
  skip_if_not_installed("parsnip")
  cars <- two[c("mpg", "wt", "hp")]
  features <- as.matrix(cars[-1L])
  for (margin in c(0.05, 0.5)) {
    loss <- loss_epsilon_insensitive(margin)
    line <- engine_of(parsnip::svm_linear(cost = 2, margin = margin), "regression")
    fit <- parsnip::fit(line, mpg ~ ., data = cars)
    direct <- margin_linear(features, cars$mpg, loss = loss, cost = 2)
    expect_equal(coef(fit$fit), coef(direct))
    expect_equal(predict(fit, cars)$.pred, unname(predict(direct, features)))
    round <- engine_of(parsnip::svm_rbf(cost = 2, margin = margin, rbf_sigma = 0.2), "regression")
    fit <- parsnip::fit(round, mpg ~ ., data = cars)
    direct <- margin_kernel(features, cars$mpg, kernel = kernel_rbf(0.2), loss = loss, cost = 2)
    expect_equal(predict(fit, cars)$.pred, unname(predict(direct, features)))
  }
  poly <- parsnip::fit(engine_of(parsnip::svm_poly(degree = 2), "regression"), mpg ~ ., cars)
  expect_equal(poly$fit$settings$loss, loss_epsilon_insensitive(0.1))
  # numbers that could be classes are a regression
  zeros <- transform(cars, mpg = as.numeric(mpg > 20))
  expect_identical(parsnip::fit(engine_of(parsnip::svm_linear(), "regression"), mpg ~ .,
                                zeros)$fit$task, "regression")
  quantile <- engine_of(parsnip::svm_linear(), "regression", list(loss = "absolute"))
  expect_identical(parsnip::fit(quantile, mpg ~ ., cars)$fit$settings$loss$name, "absolute")
  both <- engine_of(parsnip::svm_linear(margin = 0.1), "regression", list(loss = "absolute"))
  expect_input_error(parsnip::fit(both, mpg ~ ., cars), "margin", "leave one of them out")
})

test_that("no probability without calibration, no tube of classes, no unknown argument", {
  skip_if_not_installed("parsnip")
  fit <- parsnip::fit(engine_of(parsnip::svm_rbf(), engine = list(calibrate = "none")), am ~ .,
                      data = two)
  expect_input_error(predict(fit, two, type = "prob"), "type", "use type = \"raw\"")
  odd <- engine_of(parsnip::svm_rbf(), engine = list(calibrate = "plat"))
  expect_input_error(parsnip::fit(odd, am ~ ., data = two), "calibrate", "did you mean \"platt\"")
  one <- transform(two, am = factor(c("a", rep("b", 31))))
  expect_input_error(parsnip::fit(engine_of(parsnip::svm_linear()), am ~ ., data = one),
                     "calibrate", "calibrate = \"none\"")
  machines <- list(parsnip::svm_linear(margin = 0.1), parsnip::svm_rbf(margin = 0.1),
                   parsnip::svm_poly(margin = 0.1))
  for (model in machines) {
    expect_input_error(parsnip::fit(engine_of(model), am ~ ., data = two), "margin", "tube")
  }
  swallowed <- engine_of(parsnip::svm_linear(), engine = list(C = 3))
  expect_input_error(parsnip::fit(swallowed, am ~ ., data = two), "C", "not an argument")
})

test_that("a machine is calibrated, and a loss with probabilities of its own is not", {
  skip_if_not_installed("parsnip")
  for (model in list(parsnip::svm_linear(), parsnip::svm_rbf(), parsnip::svm_poly())) {
    for (method in c("platt", "isotonic")) {
      set.seed(3)
      fit <- parsnip::fit_xy(engine_of(model, engine = list(calibrate = method)), x, two$am)
      plain <- fit$fit
      plain$calibration <- NULL
      expect_identical(fit$fit$calibration$method, method)
      prob <- predict(fit, x, type = "prob")
      expect_named(prob, paste0(".pred_", levels(two$am)))
      expect_equal(prob$.pred_manual, unname(predict(fit$fit, x, type = "prob")[, "manual"]))
      expect_identical(predict(fit, x)$.pred_class, unname(predict(plain, x)))
    }
  }
  smooth <- parsnip::fit_xy(engine_of(parsnip::svm_linear(), engine = list(loss = "logistic")), x,
                            two$am)
  expect_null(smooth$fit$calibration)
})

test_that("multinom_reg is the multinomial model of margin_linear()", {
  skip_if_not_installed("parsnip")
  features <- as.matrix(iris[1:4])
  for (penalty in c(0.1, 0.001)) for (mixture in c(0, 0.5)) {
    model <- parsnip::multinom_reg(penalty = !!penalty, mixture = !!mixture)
    fit <- parsnip::fit(engine_of(model), Species ~ ., iris)
    direct <- margin_linear(features, iris$Species, multiclass = "softmax", lambda = penalty,
                            mixture = mixture)
    expect_equal(coef(fit$fit), coef(direct))
    expect_identical(fit$fit$multiclass, "softmax")
    expect_equal(unname(as.matrix(predict(fit, iris, type = "prob"))),
                 unname(predict(direct, features, type = "prob")))
  }
})

test_that("multi_predict() is predict() at each penalty of the path", {
  skip_if_not_installed("parsnip")
  values <- c(0.5, 0.05, 0.005)
  at <- function(model, formula, data, type, mode = "classification") {
    fit <- parsnip::fit(engine_of(model(penalty = 0.05), mode, list(path_values = values)), formula,
                        data)
    many <- parsnip::multi_predict(fit, data, type = type, penalty = values)
    expect_identical(dim(many), c(nrow(data), 1L))
    for (k in seq_along(values)) {
      one <- parsnip::fit(engine_of(model(penalty = values[k]), mode), formula, data)
      rows <- do.call(rbind, lapply(many$.pred, function(table) as.data.frame(table)[k, ]))
      expect_equal(unique(rows$penalty), values[k])
      expect_equal(lapply(as.list(rows[-1L]), unname),
                   lapply(as.list(predict(one, data, type = type)), unname), tolerance = 1e-2)
    }
    expect_length(unique(round(vapply(many$.pred, function(table) nrow(table), 0L))), 1L)
  }
  at(parsnip::logistic_reg, am ~ ., two, "class")
  at(parsnip::logistic_reg, am ~ ., two, "prob")
  at(parsnip::multinom_reg, Species ~ ., iris, "prob")
  at(parsnip::multinom_reg, Species ~ ., iris, "class")
  at(parsnip::linear_reg, mpg ~ wt + hp, two, "numeric", "regression")
  plain <- parsnip::fit(engine_of(parsnip::logistic_reg(penalty = 0.1)), am ~ ., two)
  expect_input_error(parsnip::multi_predict(plain, two, penalty = 1), "penalty", "path_values")
})

test_that("the mode of quantiles is one fit of all levels, where parsnip has it", {
  skip_if_not_installed("parsnip")
  known <- parsnip::get_from_env("linear_reg")
  ours <- any(known$engine == "dualmargin" & known$mode == "quantile regression")
  expect_identical(ours, "quantile regression" %in% known$mode)
  levels <- c(0.1, 0.5, 0.9)
  direct <- margin_linear(x[, -1], two$mpg, loss = loss_quantile(levels), lambda = 0.05)
  expect_same_fit(engine_linear_reg(x[, -1], two$mpg, penalty = 0.05,
                                        quantile_levels = levels), direct)
  expect_input_error(engine_linear_reg(x[, -1], two$mpg, loss = "huber",
                                           quantile_levels = levels), "loss", "quantile regression")
  if (ours) {
    model <- parsnip::set_engine(parsnip::linear_reg(penalty = 0.05), "dualmargin")
    model <- parsnip::set_mode(model, "quantile regression", quantile_levels = levels)
    fit <- parsnip::fit(model, mpg ~ wt + hp + qsec, data = two)
    expect_same_fit(parsnip::extract_fit_engine(fit), direct)
    told <- predict(fit, two[1:5, ])
    expect_identical(names(told), ".pred_quantile")
    expect_equal(unname(as.matrix(told$.pred_quantile)), unname(predict(direct, x[1:5, -1])))
    one <- parsnip::set_mode(model, "quantile regression", quantile_levels = 0.5)
    expect_identical(nrow(predict(parsnip::fit(one, mpg ~ wt, data = two), two[1:3, ])), 3L)
  }
})

test_that("parsnip is not loaded by us, and learns of the engine whichever is loaded first", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("processx")
  answer <- function(code) {
    arguments <- c("--no-init-file", "-e", paste(c(
      sprintf(".libPaths(%s)", deparse1(.libPaths())), code,
      "cat(sum(parsnip::get_from_env(\"svm_poly\")$engine == \"dualmargin\"))"
    ), collapse = "; "))
    processx::run(file.path(R.home("bin"), "Rscript"), arguments)$stdout
  }
  ours <- "loadNamespace(\"dualmargin\")"
  theirs <- "loadNamespace(\"parsnip\")"
  alone <- paste0("invisible(", ours, "); cat(isNamespaceLoaded(\"parsnip\"), \"\")")
  # once for each mode
  expect_identical(answer(alone), "FALSE 2")
  expect_identical(answer(sprintf("invisible(%s)", c(theirs, ours))), "2")
  again <- c(ours, theirs, "unloadNamespace(\"dualmargin\")", ours,
             "unloadNamespace(\"parsnip\")", theirs)
  expect_identical(answer(sprintf("invisible(%s)", again)), "2")
})

test_that("sparse tibbles stay sparse, in a workflow and in our own functions", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("workflows")
  skip_if_not_installed("recipes")
  skip_if_not("sparse" %in% names(formals(recipes::step_dummy)), "recipes is an older version")
  sparse_of <- function(name, ...) getExportedValue("sparsevctrs", name)(...)
  n <- 120L
  coded <- data.frame(y = two$am[rep_len(1:32, n)], v = sin(1:n),
                      w = factor(rep_len(letters[c(1:20, 3:9)], n)))
  flow <- function(recipe) {
    fit <- parsnip::fit(workflows::workflow(
      recipe, engine_of(parsnip::logistic_reg(penalty = 0.01))
    ), coded)
    workflows::extract_fit_engine(fit)
  }
  recipe <- recipes::recipe(y ~ ., data = coded)
  direct <- margin_linear(y ~ ., coded, lambda = 0.01)
  for (sparse in c("yes", "auto")) {
    inside <- flow(recipes::step_dummy(recipe, "w", sparse = sparse))
    # "auto" weighs what it would save
    if (sparse == "yes") expect_true(inside$sparse)
    expect_equal(sort(unname(coef(inside))), sort(unname(coef(direct))), tolerance = 1e-3)
  }
  baked <- recipes::bake(recipes::prep(recipes::step_dummy(recipe, "w", sparse = "yes")), NULL)
  x <- baked[names(baked) != "y"]
  expect_true(sparse_of("has_sparse_elements", x))
  fit <- margin_linear(x, baked$y, lambda = 0.01)
  expect_true(fit$sparse)
  dense <- margin_linear(as.matrix(x), baked$y, lambda = 0.01)
  expect_equal(coef(fit), coef(dense), tolerance = 1e-3)
  expect_equal(predict(fit, x[1:5, ], type = "prob"),
               predict(fit, as.matrix(x)[1:5, ], type = "prob"), ignore_attr = TRUE)
  expect_equal(predict(dense, x[rev(names(x))], type = "score"),
               predict(dense, type = "score"), ignore_attr = TRUE, tolerance = 1e-8)
  mixed <- x
  mixed$v <- factor(mixed$v > 0)
  expect_input_error(margin_linear(mixed, baked$y), "x", "step_dummy(sparse = \"yes\")")
  holed <- x
  holed[[2L]] <- sparse_of("sparse_double", c(1, NA), c(2L, 5L), n)
  expect_input_error(margin_linear(holed, baked$y), "x", "NA")
})

test_that("hardhat's case weights are weights, and offsets of its blueprints are offsets", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("hardhat")
  hardhat <- function(name, ...) getExportedValue("hardhat", name)(...)
  gear <- as.numeric(mtcars$gear)
  plain <- margin_linear(mpg ~ wt + hp, mtcars, weights = gear, lambda = 0.1)
  for (weights in list(hardhat("importance_weights", gear),
                       hardhat("frequency_weights", as.integer(gear)))) {
    cars <- mtcars
    cars$w <- weights
    expect_equal(coef(margin_linear(mpg ~ wt + hp, cars, weights = w, lambda = 0.1)), coef(plain))
    expect_equal(coef(margin_linear(mtcars[c("wt", "hp")], mtcars$mpg, weights = weights,
                                    lambda = 0.1)), coef(plain))
    expect_equal(margin_performance(plain, mtcars, weights = weights),
                 margin_performance(plain, mtcars, weights = gear))
  }
  molded <- hardhat("mold", mpg ~ wt + qsec + offset(hp / 100), mtcars)
  fit <- margin_linear(molded$predictors, molded$outcomes$mpg, lambda = 0.1,
                       offset = molded$extras$offset$.offset)
  direct <- margin_linear(mpg ~ wt + qsec + offset(hp / 100), mtcars, lambda = 0.1)
  expect_equal(coef(fit), coef(direct))
  forged <- hardhat("forge", mtcars[1:3, ], molded$blueprint)
  expect_equal(predict(fit, forged$predictors, newoffset = forged$extras$offset$.offset),
               predict(direct, mtcars[1:3, ]), ignore_attr = TRUE)
})

test_that("a formula with a variable of its own predicts what it fitted", {
  skip_if_not_installed("parsnip")
  model <- engine_of(parsnip::linear_reg(penalty = 0.1), mode = "regression")
  power <- function(k) parsnip::fit(model, mpg ~ I(wt^k) + hp, data = mtcars)
  set.seed(1)
  fit <- power(2)
  set.seed(1)
  direct <- parsnip::fit(model, mpg ~ I(wt^2) + hp, data = mtcars)
  k <- 5
  expect_equal(predict(fit, mtcars), predict(direct, mtcars), tolerance = 1e-6)
})

test_that("margin_audit() judges the engine's fit of a model and a workflow", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("kernlab")
  model <- parsnip::set_mode(parsnip::set_engine(parsnip::svm_linear(cost = 0.1), "kernlab"),
                             "classification")
  cars <- transform(mtcars, am = factor(am))[c("am", "wt", "hp")]
  fit <- parsnip::fit(model, am ~ wt + hp, data = cars)
  audit <- margin_audit(fit, cars)
  expect_lt(audit$excess$dual_short, 1e-3 * audit$excess$value)
  fit$fit@param$C <- 0.2
  expect_named(margin_audit(fit, cars), c("called with C = 0.2", "asked for C = 0.1"))
  skip_if_not_installed("workflows")
  flow <- workflows::add_model(workflows::add_formula(workflows::workflow(), am ~ wt + hp), model)
  expect_equal(margin_audit(parsnip::fit(flow, cars))$excess, audit$excess, tolerance = 1e-3)
})

test_that("an audit has the response of the formula and the columns of the recipe", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("workflows")
  skip_if_not_installed("recipes")
  spec <- parsnip::set_engine(parsnip::linear_reg(penalty = 0.1), "dualmargin")
  model <- parsnip::fit(spec, log(mpg) ~ wt + hp, mtcars)
  expect_identical(margin_audit(model, mtcars)$verdict, "exact")
  rows <- data.frame(a = c(1:20, 25, 31), b = sin(1:22), z = factor(rep(c("no", "yes"), 11)))
  recipe <- recipes::step_normalize(recipes::recipe(z ~ a + b, rows), recipes::all_numeric_predictors())
  for (engine in c("glm", "dualmargin")) {
    spec <- parsnip::set_engine(parsnip::logistic_reg(penalty = 0.01), engine)
    whole <- parsnip::fit(workflows::workflow(recipe, spec), rows)
    audit <- margin_audit(whole, newx = rows[c("a", "b")], newy = rows$z)
    expect_equal(audit$new$before, mean(predict(whole, rows)$.pred_class == rows$z))
    flow <- workflows::add_model(workflows::workflow(), spec)
    formula <- parsnip::fit(workflows::add_formula(flow, z ~ a + b), rows)
    expect_identical(margin_audit(formula)$verdict, "exact")
  }
})
