# The arguments of plot methods.

some <- spambase[seq(1, 4601, by = 40), ]
logistic <- margin_linear(type ~ ., some, lambda = 0.01)
line <- margin_linear(mpg ~ wt + hp, mtcars)
flowers <- droplevels(iris[51:150, c(3:5)])

# One object of every class with a plot method, and the pictures that it has.
pictures <- function() {
  path <- margin_path(type ~ ., some, loss = "logistic", n_lambda = 4)
  robust <- margin_path(type ~ ., some, family = "robust", radius = c(0.1, 0.01))
  cv <- margin_cv(type ~ ., some, loss = "logistic", grid = list(lambda = c(0.1, 0.01)), folds = 2,
                  seed = 1)
  names <- margin_cv(type ~ ., some, grid = list(loss = c("logistic", "hinge")), lambda = 0.1,
                     folds = 2, seed = 1)
  models <- quiet_compare(list(a = threshold_spec("Petal.Width", 1.6, "a"),
                               b = threshold_spec("Petal.Length", 4.9, "b")),
                          Species ~ ., data = flowers, folds = 3, seed = 4)
  solvers <- compare_solvers(type ~ ., some, solvers = c("sdca", "newton"), loss = "logistic",
                             lambda = 0.01, intercept = "none")
  performance <- margin_performance(logistic, spambase[seq(2, 4601, by = 40), ])
  hard <- margin_hard(Species ~ Petal.Length + Petal.Width, iris[iris$Species != "virginica", ])
  kernel <- margin_kernel(Species ~ ., flowers, loss = "hinge")
  scores <- matrix(c(0.9, 0.8, 0.7, 0.6, 0.8, 0.75, 0.7, 0.65, 0.5), 3, 3,
                   dimnames = list(NULL, c("a", "b", "c")))
  ranks <- friedman_nemenyi(scores)
  list(
    convergence = function(...) plot(logistic, "convergence", ...),
    coefficients = function(...) plot(logistic, "coefficients", ...),
    scores = function(...) plot(logistic, "scores", ...),
    response = function(...) plot(line, "scores", ...),
    boundary = function(...) plot(kernel, "boundary", data = flowers, ...),
    support = function(...) plot(kernel, "support", ...),
    interval = function(...) plot(hard, "interval", ...),
    calibration = function(...) {
      plot(margin_calibrate(logistic, some, seed = 1), "calibration", ...)
    },
    path = function(...) plot(path, "coefficients", ...),
    path_gap = function(...) plot(path, "gap", ...),
    path_risk = function(...) plot(robust, "risk", ...),
    cv = function(...) plot(cv, ...),
    cv_names = function(...) plot(names, ...),
    models = function(...) plot(models, ...),
    model_scores = function(...) plot(models, "scores", ...),
    solvers = function(...) plot(solvers, ...),
    roc = function(...) plot(performance, "roc", ...),
    pr = function(...) plot(performance, "pr", ...),
    threshold = function(...) {
      plot(margin_threshold(logistic, some, seed = 1)$threshold, ...)
    },
    worst_case = function(...) {
      plot(worst_case(margin_robust(type ~ ., some, radius = 0.1), some), ...)
    },
    ranks = function(...) plot(ranks, ...)
  )
}
all_pictures <- Filter(Negate(is.null), suppressMessages(suppressWarnings(pictures())))

test_that("an argument that no picture knows is refused by its name, in every plot method", {
  said <- vapply(names(all_pictures), function(name) {
    one <- function(...) {
      tryCatch({
        on_null_device(suppressMessages(all_pictures[[name]](...)))
        "drawn"
      }, dualmargin_input_error = function(condition) {
        paste(condition$arg, grepl("graphical parameters", conditionMessage(condition)))
      })
    }
    c(one(newdata = some), one(xvar = "lambda"), one(pch = "a", log = "x"))
  }, character(3))
  expect_true(all(said[1L, ] == "newdata TRUE"))
  expect_true(all(said[2L, ] == "xvar TRUE"))
  expect_true(all(said[3L, ] %in% c("pch TRUE", "log TRUE")))
  expect_error(plot(logistic, dta = some), "did you mean `data`", class = "dualmargin_input_error")
  expect_error(plot(margin_cv(type ~ ., some, grid = list(lambda = 1), folds = 2, seed = 1),
                    which = "x"),
               "`which` is not an argument", class = "dualmargin_input_error")
})

test_that("every picture takes the parameters of its frame, and its words are drawn once", {
  given <- list(main = "my title", xlab = "my x", ylab = "my y", sub = "my sub", las = 0,
                bty = "l", family = "sans", cex.main = 0.7, cex.lab = 0.7, cex.axis = 0.7,
                cex.sub = 0.7, col.main = "blue", col.lab = "blue", col.axis = "blue",
                col.sub = "blue", font.main = 1, font.lab = 1, font.axis = 1, font.sub = 1,
                col = c("#123456", "#654321"))
  wrong <- unlist(lapply(names(all_pictures), function(name) {
    told <- character()
    text <- withCallingHandlers(
      drawn_text(suppressMessages(do.call(all_pictures[[name]], given))),
      warning = function(w) {
        told <<- c(told, conditionMessage(w))
        invokeRestart("muffleWarning")
      }
    )
    once <- vapply(c("my title", "my x", "my y", "my sub"), function(t) sum(text == t), 0L)
    if (any(once != 1L) || length(told) > 0L) {
      paste(name, paste(once, collapse = " "), paste(unique(told), collapse = "; "))
    }
  }))
  expect_null(wrong)
})

test_that("the colour of a title or an axis is no colour of what is drawn", {
  dyed <- vapply(all_pictures, function(picture) {
    attr(drawn_text(suppressMessages(picture(main = "mine", col.main = "#123456"))), "dyed")
  }, 0L)
  expect_identical(dyed[dyed != 1L], dyed[0L])
})

test_that("limits of an axis whose values fall are given in its values", {
  range <- function(...) attr(drawn_text(plot(...)), "frame")[1:2]
  path <- margin_path(type ~ ., some, loss = "logistic", lambda = c(1, 0.1, 0.01, 0.001))
  expect_equal(range(path, xlim = c(0.1, 0.01)), range(path, xlim = c(0.01, 0.1)))
  expect_equal(mean(range(path, "gap", xlim = c(0.1, 0.01))), 1.5) # -log10 of the middle
  expect_error(on_null_device(plot(path, xlim = c(0, 1))), "`xlim`",
               class = "dualmargin_input_error")
})
