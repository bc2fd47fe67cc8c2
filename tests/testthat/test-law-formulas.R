# A formula predicts what it fitted: as lm() does while nothing is changed between fit and
# prediction; after a change, and in another process, what the fit gave.

set.seed(1)
d <- data.frame(x = runif(60, 1, 9), g = gl(3, 20, labels = c("u", "v", "w")))
d$z <- d$x + rnorm(60)
d$o <- rnorm(60)
some <- transform(d[c(3, 30, 45, 58), ], x = x + 0.1)

# Each makes a formula in its own frame, where `change` gives the names it uses other values.
cases <- list(
  "a constant" = function() {
    k <- 2
    list(formula = z ~ I(x^k), change = function() k <<- 3)
  },
  "a function" = function() {
    half <- function(u) u / 2
    list(formula = z ~ x + log(half(x)), change = function() half <<- function(u) u^3)
  },
  "a function that calls another" = function() {
    inner <- function(u) sqrt(u)
    half <- function(u) inner(u) / 2
    list(formula = z ~ half(x), change = function() half <<- function(u) u^3)
  },
  "a function in an argument, and by its name" = function() {
    half <- function(u) sqrt(u)
    list(formula = z ~ sapply(x, half) + sapply(x, "half") * g, change = function() half <<- exp)
  },
  "a function of one variable" = function() {
    k <- 2
    list(formula = z ~ vapply(x, function(k1) k1^k, 0), change = function() k <<- 3)
  },
  "poly" = function() {
    k <- 3
    list(formula = z ~ poly(x, k), change = function() k <<- 2)
  },
  "cut" = function() {
    breaks <- c(0, 3, 5, 10)
    list(formula = z ~ cut(x, breaks) + x, change = function() breaks <<- c(0, 4, 6, 10))
  },
  "as many breaks as rows" = function() {
    breaks <- c(0, 3, 5, 10 + 1:57)
    list(formula = z ~ cut(x, breaks) + x, change = function() breaks <<- breaks + 1)
  },
  "ns" = function() {
    knots <- c(3, 6)
    ns <- splines::ns
    list(formula = z ~ ns(x, knots = knots), change = function() {
      knots <<- 4
      ns <<- NULL
    })
  },
  "a formula of a package" = function() {
    list(formula = eval(quote(z ~ bs(x, df = 4)), asNamespace("splines")), change = function() NULL)
  },
  "a formula of a function that a package's function made" = function() {
    make <- eval(quote(function(k) z ~ ns(x, df = k)), asNamespace("splines"))
    formula <- make(2)
    list(formula = formula, change = function() assign("k", 3, environment(formula)))
  },
  "a response" = function() {
    k <- 20
    list(formula = log(z + k) ~ x, change = function() k <<- 1e4)
  },
  "get() of a name" = function() {
    k <- 2
    list(formula = z ~ I(x^get("k")), change = function() k <<- 3)
  },
  "a table" = function() {
    table <- c(u = 1, v = 5, w = 2)
    list(formula = z ~ x + table[as.character(g)], change = function() table <<- -table)
  },
  "an offset in the data" = function() {
    list(formula = z ~ x + offset(o) + offset(2 * o), change = function() NULL)
  }
)
namesakes <- list(k = 5, breaks = c(0, 5, 20), knots = 7, half = function(u) 1e3 + u^4, ns = exp,
                  inner = exp, table = c(u = 9, v = 0, w = 0), I = sqrt)

exact <- function(formula, data) {
  margin_linear(formula, data, loss = "squared", lambda = 1e-12,
                control = margin_control(tol = 1e-10))
}

test_that("predictions are those of lm(), and after any change those of the fit", {
  skip_if_not_installed("splines")
  made <- lapply(cases, function(make) make())
  fits <- lapply(made, function(case) exact(case$formula, d))
  lines <- lapply(made, function(case) lm(case$formula, d))
  expect_equal(lapply(fits, function(fit) unname(fitted(fit))),
               lapply(lines, function(line) unname(fitted(line))), tolerance = 1e-6)
  expect_equal(lapply(fits, predict, d), lapply(fits, fitted), tolerance = 1e-12)
  before <- lapply(fits, predict, some)
  expect_equal(before, suppressWarnings(lapply(lines, predict, some)), tolerance = 1e-6)
  alone <- function(model) unlist(lapply(1:4, function(i) predict(model, some[i, ])))
  expect_equal(lapply(fits, alone), before, tolerance = 1e-12)

  list2env(namesakes, globalenv())
  on.exit(rm(list = names(namesakes), envir = globalenv()))
  expect_identical(lapply(fits, predict, some), before)
  for (case in made) case$change()
  expect_identical(lapply(fits, predict, some), before)
  expect_equal(lapply(fits, predict, d), lapply(fits, fitted), tolerance = 1e-12)
  # the refit of an unchanged formula is of the same model
  again <- lapply(fits, function(fit) update(fit, data = d, lambda = 1e-12))
  expect_equal(lapply(again, coef), lapply(fits, coef), tolerance = 1e-12)
  expect_equal(lapply(again, predict, some), before, tolerance = 1e-12)
  changed <- update(fits[["a constant"]], . ~ . + g, data = d)
  expect_equal(coef(changed)[["I(x^k)"]], coef(exact(z ~ I(x^2) + g, d))[["I(x^2)"]],
               tolerance = 1e-6)
})

test_that("rows with a missing value are left out or keep their places, as in lm()", {
  holes <- d
  holes$x[c(2, 31)] <- NA
  for (action in list(na.omit, na.exclude)) {
    line <- lm(z ~ x + g, holes, na.action = action)
    fit <- margin_linear(z ~ x + g, holes, loss = "squared", lambda = 1e-12, na.action = action,
                         control = margin_control(tol = 1e-10))
    for (answer in list(fitted, residuals, predict, function(model) predict(model, holes))) {
      expect_equal(answer(fit), answer(line), tolerance = 1e-6)
    }
  }
})

test_that("an offset of two classes is that of glm()", {
  two <- transform(d, c = factor(x / 3 + o + rnorm(60) > 2))
  line <- glm(c ~ x + offset(o), binomial, two)
  for (mixture in 0:1) {
    fit <- margin_linear(c ~ x + offset(o), two, loss = "logistic", lambda = 1e-10,
                         mixture = mixture, control = margin_control(tol = 1e-8))
    expect_true(fit$certificate$certified)
    expect_equal(coef(fit), coef(line), tolerance = 1e-5)
    expect_equal(predict(fit, two, type = "score"), predict(line, two), tolerance = 1e-5)
  }
})

# The same model, where `k` and `half` are other things for all that is called later.
with_values <- function(make) {
  k <- 2
  half <- function(u) sqrt(u)
  make(c ~ I(x^k) + half(x), z ~ I(x^k) + half(x))
}
with_numbers <- function(make) make(c ~ I(x^2) + sqrt(x), z ~ I(x^2) + sqrt(x))

test_that("all that codes rows again goes by the values of the fit", {
  list2env(namesakes, globalenv())
  on.exit(rm(list = names(namesakes), envir = globalenv()))
  two <- transform(d, c = factor(x > 5, labels = c("no", "yes")))
  on_disk <- function(rows, formula) {
    path <- tempfile()
    write_rows(rows, path, formula = formula)
    read_rows(path)
  }
  fits <- list(
    linear = function(c, z) margin_linear(c, two, lambda = 0.1),
    sparse = function(c, z) margin_linear(z, two, loss = "squared", lambda = 0.1, sparse = TRUE),
    kernel = function(c, z) margin_kernel(c, two), hard = function(c, z) margin_hard(c, two),
    robust = function(c, z) margin_robust(c, two),
    augmented = function(c, z) margin_augmented(c, two),
    oneclass = function(c, z) margin_oneclass(z[-2], two),
    path = function(c, z) margin_path(c, two, n_lambda = 3),
    refit_cv = function(c, z) refit(margin_cv(c, two, folds = 3, seed = 1)),
    refit_tune = function(c, z) refit(margin_cv(c, two, prove = TRUE, folds = 3, seed = 1)),
    file = function(c, z) margin_linear(on_disk(two, c), lambda = 0.1)
  )
  again <- list(
    update_cv = function(c, z) update(margin_cv(c, two, folds = 3, seed = 1))$results$log_loss,
    update_comparison = function(c, z) {
      specs <- list(a = spec_margin("linear"), b = spec_margin("linear", lambda = 1))
      update(margin_compare(c, two, specs, folds = 3, seed = 1))$results$log_loss
    },
    update_solvers = function(c, z) {
      certificate(update(compare_solvers(c, two, c("auto", "newton"), lambda = 0.1)))$value
    },
    performance = function(c, z) {
      margin_performance(margin_linear(c, two, lambda = 0.1), two[9:50, ])$metrics
    },
    conformal = function(c, z) {
      as.matrix(predict(margin_conformal(margin_linear(z, two, loss = "squared", lambda = 0.1),
                                         holdout = transform(two, x = x + 0.01)), some))
    },
    file = function(c, z) {
      fit <- margin_linear(c, two, lambda = 0.1)
      c(predict(fit, on_disk(some, fit), type = "score"),
        predict(fit, on_disk(some, on_disk(two, c)), type = "score"))
    }
  )
  quiet <- function(make) suppressMessages(suppressWarnings(make))
  for (name in names(fits)) {
    fit <- quiet(with_values(fits[[name]]))
    want <- predict(quiet(with_numbers(fits[[name]])), some)
    expect_equal(as.matrix(predict(fit, some)), as.matrix(want), ignore_attr = TRUE, info = name)
  }
  for (name in names(again)) {
    expect_equal(quiet(with_values(again[[name]])), quiet(with_numbers(again[[name]])),
                 ignore_attr = TRUE, info = name)
  }
})

test_that("a saved fit predicts the same in a new process, and is small", {
  skip_on_cran()
  skip_if_not_installed("splines")
  fits <- lapply(cases, function(make) exact(make()$formula, d))
  there <- in_another_process(list(fits = fits, new = some), function(object) {
    lapply(object$fits, predict, object$new)
  })
  expect_equal(there, lapply(fits, predict, some), tolerance = 1e-12)
  # functions bring the text of this file
  values <- fits[!startsWith(names(fits), "a function")]
  expect_lt(max(vapply(values, function(fit) length(serialize(fit$terms, NULL)), 0)), 4000)
})

test_that("a variable with a value for each row is never held", {
  size <- function(n) {
    x <- runif(n, 1, 2)
    w <- runif(n, 1, 2)
    y <- x + rnorm(n)
    fits <- lapply(list(y ~ x + w, y ~ log(x) + I(x * w), y ~ poly(x, 2) + cut(w, c(0, 1.5, 3)),
                        y ~ I(x - mean(x)) + w), margin_linear, loss = "squared")
    for (fit in fits) {
      expect_input_error(predict(fit, data.frame(x = 1)), "newdata",
                         "lacks 1 of the fit's columns: \"w\"")
    }
    vapply(fits, function(fit) length(serialize(fit$terms, NULL)), 0)
  }
  expect_identical(size(1000), size(20))
  # nor is a namesake of it taken, of as many values as there are rows
  outside <- function() {
    o <- rep(0, 60)
    list(exact(z ~ x + offset(o), d[c("z", "x")]), exact(z ~ x + o, d[c("z", "x")]))
  }
  o <- rep(100, 60)
  for (fit in outside()) {
    expect_input_error(predict(fit, d[c("z", "x")]), "newdata",
                       "lacks 1 of the fit's columns: \"o\"")
  }
  # a vector of as many values that a call takes as a whole is a constant
  w <- rnorm(60)
  centred <- exact(z ~ I(x - mean(w)), d)
  expect_equal(predict(centred, some), predict(lm(z ~ I(x - mean(w)), d), some), tolerance = 1e-6)
})

test_that("a lookup that prediction cannot repeat is refused by name", {
  k <- 2
  name <- "k"
  expect_input_error(exact(z ~ I(x^get(name)), d), "formula", "get(name)")
  expect_input_error(exact(z ~ I(x^eval(as.name(name))), d), "formula", "eval(as.name(name))")
  expect_input_error(exact(z ~ I(x^get0(paste0("k"))), d), "formula", "get0(paste0(\"k\"))")
  with_dots <- function(...) exact(z ~ I(x^sum(...)), d)
  expect_input_error(with_dots(2), "formula", "`...`")
})

test_that("contrasts of the user's own are kept as they were", {
  assign("contr.mine", function(n, ...) contr.helmert(n, ...) / 2, globalenv())
  on.exit(rm("contr.mine", envir = globalenv()))
  formula <- z ~ x + g
  line <- lm(formula, d, contrasts = list(g = "contr.mine"))
  fits <- lapply(c(FALSE, TRUE), function(sparse) {
    margin_linear(formula, d, contrasts = list(g = "contr.mine"), sparse = sparse, lambda = 1e-12,
                  loss = "squared", control = margin_control(tol = 1e-10))
  })
  want <- predict(line, some)
  assign("contr.mine", function(n, ...) contr.helmert(n, ...) + 5, globalenv())
  for (fit in fits) {
    expect_equal(unname(coef(fit)), unname(coef(line)), tolerance = 1e-6)
    expect_equal(predict(fit, some), want, tolerance = 1e-6)
  }
})

test_that("a function that brings a large environment is named once", {
  heavy <- function() {
    ballast <- rnorm(2e5)
    twice <- function(u) 2 * u
    margin_path(z ~ twice(x), d, loss = "squared", n_lambda = 3)
  }
  expect_message(path <- heavy(), paste("calls twice(), and the fit keeps this function with its",
                                        "environment, which holds 2 MB"), fixed = TRUE)
  expect_equal(unname(predict(path, d[1:3, ], lambda = path$lambda[3])),
               unname(predict(margin_linear(z ~ I(2 * x), d, loss = "squared",
                                            lambda = path$lambda[3]), d[1:3, ])),
               tolerance = 1e-3, ignore_attr = TRUE)
})
