# The fit that a search keeps: what it chose, whatever happens to the data and to names afterwards.

set.seed(11)
two <- droplevels(iris[51:150, ])
two$Species <- factor(two$Species, labels = c("a", "b"))
two$weight <- rep_len(1:3, 100)
apart <- droplevels(iris[c(1:25, 51:75), c(1, 2, 5)])
numeric <- setdiff(names(two), c("Species", "weight"))
light <- margin_control(tol = 1e-9, seed = 3)

# By name: the data, the response and the arguments of a search of each kind of problem.
searches <- list(
  linear = list(data = two, grid = list(lambda = c(1, 0.01)), loss = "logistic"),
  hinge = list(data = two, grid = list(cost = c(0.01, 1), mixture = c(0, 0.5)), loss = "hinge"),
  regression = list(data = mtcars[1:5], y = "mpg", grid = list(lambda = c(1, 0.1)),
                    loss = loss_huber()),
  quantiles = list(data = mtcars[1:3], y = "mpg", grid = list(lambda = c(1, 0.1)),
                   loss = loss_quantile(c(0.2, 0.8))),
  classes = list(data = iris, grid = list(lambda = c(1, 0.01))),
  kernel = list(data = two, family = "kernel", kernel = kernel_laplace, control = light,
                grid = list(sigma = c(0.01, 0.3), lambda = 0.05)),
  nystrom = list(data = iris, family = "kernel", nystrom = 20, control = light,
                 grid = list(lambda = c(1, 0.01))),
  robust = list(data = two, family = "robust", grid = list(radius = c(0.1, 0.01)), norm = "l2"),
  augmented = list(data = two, family = "augmented", lambda = 0.1, loss = "squared",
                   grid = list(rate = c(0, 0.2))),
  hard = list(data = apart, family = "hard", grid = list(intercept = c("free", "none"))),
  oneclass = list(data = two, family = "oneclass", kernel = kernel_rbf(0.3),
                  grid = list(nu = c(0.3, 0.1)))
)

# A search made where nobody can look up its names later, and the call of the fit on the same rows.
# formula: else by x and y.
made_search <- function(case, formula) {
  held <- case$data
  response <- if (is.null(case$y)) "Species" else case$y
  arguments <- case[setdiff(names(case), c("data", "y", "grid"))]
  plain <- setdiff(names(held), c(response, "weight"))
  columns <- held[plain]
  labels <- held[[response]]
  chosen <- case$grid
  kind <- if (is.null(case$family)) "linear" else case$family
  what <- stats::reformulate(plain, response)
  data <- if (formula) list(quote(what), data = quote(held)) else
    list(quote(columns), quote(labels))
  call <- as.call(c(quote(margin_cv), data, arguments, list(grid = quote(chosen), folds = 3,
                                                            seed = 1)))
  cv <- quietly(eval(call))
  list(cv = cv, rows = held, data = if (formula) list(data = held) else
    c(list(x = columns), if (kind != "oneclass") list(y = labels)))
}

each_search <- function(body) {
  for (name in names(searches)) for (formula in c(TRUE, FALSE)) {
    body(made_search(searches[[name]], formula),
         paste(name, if (formula) "formula" else "x and y"))
  }
}

test_that("a search predicts what it chose: the same twice, with no draw and no name looked up", {
  kept <- list()
  each_search(function(made, label) {
    cv <- made$cv
    set.seed(7)
    before <- .Random.seed
    first <- predict(cv, made$rows)
    expect_identical(predict(cv, made$rows), first, label = label)
    expect_identical(.Random.seed, before, label = label)
    expect_identical(unname(predict(cv)), unname(predict(cv$fit)), label = label)
    expect_identical(NROW(predict(cv)), nrow(made$rows), label = label)
    fit <- refit(cv)
    expect_identical(fit, cv$fit, label = label)
    expect_identical(fit$tuned, names(cv$settings)[lengths(lapply(cv$settings, unique)) > 1L],
                     label = label)
    if (cv$family != "kernel" && cv$family != "oneclass") {
      expect_identical(coef(cv), coef(fit), label = label)
    }
    kept[[label]] <<- list(cv = cv, rows = made$rows, first = first)
  })
  there <- in_another_process(kept, function(kept) {
    lapply(kept, function(one) predict(one$cv, one$rows))
  })
  expect_identical(there, lapply(kept, `[[`, "first"))
})

test_that("it is the fit of the best setting to all rows, as refit() makes it of the same data", {
  each_search(function(made, label) {
    cv <- made$cv
    direct <- quietly(do.call(refit, c(list(cv), made$data)))
    expect_equal(direct$scores, cv$fit$scores, tolerance = 1e-3, label = label)
    expect_equal(direct$certificate[c("kind", "tol", "certified")],
                 cv$fit$certificate[c("kind", "tol", "certified")], label = label)
    same <- setdiff(names(cv$fit), c("coefficients", "certificate", "trace", "status", "scores",
                                     "dual", "call", "support", "terms"))
    same <- same[vapply(same, function(part) !is.double(cv$fit[[part]]), NA)]
    expect_equal(direct[same], unclass(cv$fit)[same], tolerance = 1e-3, label = label)
    expect_identical(sort(names(direct$call)), sort(names(cv$fit$call)), label = label)
  })
})

# Scores that make the last setting of three the best and the first that of "one_se".
graded <- function(rows, ...) {
  margin_cv(Species ~ ., rows, ..., grid = list(lambda = c(0.102, 0.101, 0.1)), folds = 4, seed = 1,
            loss = "logistic", metric = c("log_loss", "accuracy"))
}

test_that("another rule or metric is a refit of the rows of the search, and of no others", {
  rows <- two[c(numeric, "Species")]
  strength <- margin_control(tol = 1e-9)
  cv <- graded(rows, control = strength, mixture = 0.3)
  expect_false(summary(cv, rule = "one_se")$setting == summary(cv, rule = "best")$setting)
  strength <- "no control"
  set.seed(3)
  before <- .Random.seed
  fit <- refit(cv, "one_se")
  expect_identical(.Random.seed, before)
  expect_identical(predict(cv, rows, "one_se"), predict(fit, rows))
  expect_identical(coef(cv, "one_se"), coef(fit))
  direct <- margin_linear(Species ~ ., rows, loss = "logistic", mixture = 0.3, lambda = 0.102,
                          control = margin_control(tol = 1e-9))
  expect_equal(coef(fit), coef(direct), tolerance = 1e-6)
  expect_identical(fit$search$rule, "one_se")
  expect_identical(fit$search$metric$name, "log_loss")
  # a formula by name is the one that the search had
  f <- Species ~ Sepal.Length
  named <- margin_cv(f, rows, grid = list(lambda = c(1, 0.1)), folds = 3, seed = 1)
  f <- Species ~ .
  expect_identical(refit(named, lambda = 3)$features, "Sepal.Length")
  # changed arguments are of the same rows too
  expect_identical(refit(cv, lambda = 7)$settings$lambda, 7)
  kept <- predict(cv, rows)
  other <- list(rows = rows[-1L, ], response = transform(rows, Species = rev(Species)),
                columns = rows[-1L])
  for (part in names(other)) {
    rows <- other[[part]]
    for (call in list(quote(refit(cv, "one_se")), quote(predict(cv, two, "one_se")),
                      quote(coef(cv, "one_se")), quote(refit(cv, scale = FALSE)))) {
      expect_input_error(eval(call), "data", "is not what it was")
    }
    expect_identical(predict(cv, two), kept)
    # given again, they are what is fitted
    expect_identical(nobs(refit(cv, "one_se", data = rows)), nrow(rows))
  }
  rm(rows)
  expect_input_error(refit(cv, "one_se"), "data", "is not found here; give it again")
  expect_identical(nobs(refit(cv, "one_se", data = two)), 100L)
})

test_that("a search keeps no columns, one fit, and updates by the call that it would be", {
  x <- matrix(rnorm(4e4), 400)
  y <- factor(x[, 1L] > 0)
  cv <- margin_cv(x, y, grid = list(lambda = c(1, 0.1)), folds = 3, seed = 1)
  expect_lt(length(serialize(cv$fit, NULL)), 8 * length(x) / 10)
  expect_lt(length(serialize(cv$problem, NULL)), 3000)
  rows <- two[c(numeric, "Species")]
  cv <- graded(rows)
  fit <- refit(cv)
  expect_identical(fit$call, quote(margin_linear(formula = Species ~ ., data = rows,
                                                 loss = "logistic", lambda = 0.1)))
  expect_equal(coef(update(fit)), coef(fit), tolerance = 1e-4)
  expect_identical(update(fit, . ~ Sepal.Length)$features, "Sepal.Length")
  expect_identical(nobs(update(cv, data = rows[-1L, ])$fit), 99L)
})

test_that("the searches within outer folds keep no fit and say so", {
  nested <- margin_cv(Species ~ ., two[c(numeric, "Species")], grid = list(lambda = c(1, 0.1)),
                          outer = 3, folds = 3, seed = 1)
  expect_null(nested$inner[[1L]]$fit)
  expect_input_error(predict(nested$inner[[1L]], two), "object", "margin_cv(outer = )")
})

test_that("update() of a search changes what is given and follows the data alone", {
  rows <- two[c(numeric, "Species")]
  share <- c(a = 1, b = 5)
  grid <- list(lambda = c(1, 0.1))
  cv <- margin_cv(Species ~ ., rows, class_weights = share, grid = grid, folds = 3, seed = 1)
  tune <- margin_cv(Species ~ ., rows, class_weights = share, prove = TRUE,
                    grid = list(lambda = c(0.1, 1)), eps = 0.5, folds = 3, seed = 1)
  grid <- share <- NULL
  expect_identical(update(cv, seed = 1)$results[1:5], cv$results[1:5])
  expect_identical(update(tune, eps = 0.5)$points, tune$points)
  expect_identical(refit(tune)$settings$class_weights, c(a = 1, b = 5))
  expect_identical(refit(tune, data = two)$settings$class_weights, c(a = 1, b = 5))
  rows <- rows[-1L, ]
  expect_input_error(refit(tune, scale = FALSE), "data", "is not what it was")
  expect_identical(update(cv)$nobs, 99L)
  # an argument whose variable is gone
  fit <- local({
    w <- two$weight
    margin_linear(two[numeric], two$Species, weights = w)
  })
  expect_input_error(update(fit), "weights", "`w`, which is not found here")
})

for (package in c("e1071", "kernlab", "LiblineaR", "glmnet")) {
  test_that(paste("class weights of", package, "are those of the time when it was made"), {
    skip_if_not_installed(package)
    share <- c(a = 1, b = 5)
    made <- spec_peer(package, class_weights = share)
    share <- NULL
    expect_identical(environment(made$fit_fun)$class_weights, c(a = 1, b = 5))
  })
}
