# Every bad input: its class, its argument, and (recorded) its message.

x <- cbind(a = c(1, 2, 3, 4, 5, 6), b = c(2, 1, 4, 3, 6, 5))
y <- factor(c("n", "p", "n", "p", "p", "n"))
d <- data.frame(x, f = factor(c("u", "v", "u", "v", "w", "w")), y = y)
s <- Matrix::Matrix(x, sparse = TRUE)

seen <- new.env()
seen$messages <- character()

# Each expression must be an input error for `arg` that names it; the last test compares all
# messages.
expect_input_errors <- function(arg, ...) {
  where <- parent.frame()
  messages <- vapply(eval(substitute(alist(...))), function(expression) {
    condition <- tryCatch(eval(expression, where), error = identity)
    expect_s3_class(condition, c("dualmargin_input_error", "dualmargin_error"), exact = FALSE)
    expect_identical(condition$arg, arg, info = deparse1(expression))
    expect_match(conditionMessage(condition), paste0("`", arg, "`"), fixed = TRUE)
    conditionMessage(condition)
  }, "")
  seen$messages <- c(seen$messages, messages)
}

with_entry <- function(x, value, i = 3L, j = 2L) {
  x[i, j] <- value
  x
}

test_that("a condition carries its argument and no call", {
  condition <- tryCatch(margin_linear(x, y, lambda = -1, loss = "smooth_hinge"), error = identity)
  expect_identical(class(condition),
                   c("dualmargin_input_error", "dualmargin_error", "error", "condition"))
  expect_null(conditionCall(condition))
  expect_identical(condition$arg, "lambda")
})

test_that("x: no object, wrong type, no rows, no columns", {
  expect_input_errors(
    "x",
    margin_linear(),
    margin_linear(NULL, y, loss = "smooth_hinge"),
    margin_linear(1:6, y, loss = "smooth_hinge"),
    margin_linear(list(1, 2), y, loss = "smooth_hinge"),
    margin_linear(matrix(letters[1:12], 6), y, loss = "smooth_hinge"),
    margin_linear(x[0, ], y[0], loss = "smooth_hinge"),
    margin_linear(x[, 0], y, loss = "smooth_hinge")
  )
  one_of_each <- list(x, s, as.data.frame(x))
  for (none in one_of_each) {
    expect_error(margin_linear(none[, 0, drop = FALSE], y, loss = "smooth_hinge"),
                 "0 columns", fixed = TRUE)
    expect_error(margin_linear(none[0, ], y[0], loss = "smooth_hinge"), "0 rows", fixed = TRUE)
  }
})

test_that("x: NA, NaN and Inf are found with their row and column, dense and sparse", {
  expect_input_errors(
    "x",
    margin_linear(with_entry(x, NA), y, loss = "smooth_hinge"),
    margin_linear(with_entry(x, NaN), y, loss = "smooth_hinge"),
    margin_linear(with_entry(x, -Inf), y, loss = "smooth_hinge"),
    margin_linear(with_entry(`rownames<-`(x, LETTERS[1:6]), Inf), y, loss = "smooth_hinge"),
    margin_linear(with_entry(as.data.frame(x), NA), y, loss = "smooth_hinge"),
    margin_linear(with_entry(d[1:3], NA, j = 3L), y, loss = "smooth_hinge")
  )
  expect_input_errors(
    "data",
    margin_linear(y ~ a + b, with_entry(d, NA), na.action = na.pass, loss = "smooth_hinge"),
    margin_linear(y ~ a + b, with_entry(with_entry(d, NA, 1L), Inf), loss = "smooth_hinge")
  )
  storages <- list(x = x, s = s, rows = as(s, "RsparseMatrix"), triplets = as(s, "TsparseMatrix"))
  for (value in c(NA, NaN, Inf)) {
    for (bad in storages) {
      bad[5, 1] <- value
      expect_error(margin_linear(bad, y, loss = "smooth_hinge"),
                   sprintf("`x` has %s in row 5, column \"a\"", value),
                   fixed = TRUE)
    }
  }
  whole <- x
  storage.mode(whole) <- "integer"
  expect_error(margin_linear(with_entry(whole, NA_integer_), y, loss = "smooth_hinge"),
               "`x` has NA in row 3, column \"b\"",
               class = "dualmargin_input_error")
  expect_error(margin_linear(with_entry(x > 2, NA), y, loss = "smooth_hinge"),
               "`x` has NA in row 3, column \"b\"",
               class = "dualmargin_input_error")
})

test_that("the first bad entry, the rows of all and the largest size are found however x is stored", {
  expect_null(scan_entries(matrix(.Machine$integer.max, 3, 3))$bad)
  x <- matrix(c(0, 3, NaN, 0, -4, Inf, 1e101, 0, 0, NA, -1e102, 0), 3)
  for (stored in list(x, methods::as(x, "CsparseMatrix"), methods::as(x, "RsparseMatrix"))) {
    found <- scan_entries(stored)
    expect_identical(found$rows, c(1L, 3L))
    expect_identical(found$largest, 1e102)
    by_rows <- methods::is(stored, "RsparseMatrix")
    expect_identical(found$bad, if (by_rows) list(value = NA_real_, row = 1L, column = 4L) else
      list(value = NaN, row = 3L, column = 1L))
    expect_identical(found$beyond[-1L], list(row = 1L, column = 3L))
  }
  expect_identical(scan_entries(c(TRUE, NA))$bad, list(value = NA_real_, row = 2L, column = 1L))
})

test_that("x: names that prediction could not use", {
  expect_input_errors(
    "x",
    margin_linear(cbind(a = 1:6, a = 6:1), y, loss = "smooth_hinge"),
    margin_linear(cbind("(Intercept)" = 1, x), y, loss = "smooth_hinge")
  )
})

test_that("x: columns of a data frame that are not numbers or classes", {
  lists <- d
  lists$l <- as.list(1:6)
  expect_input_errors(
    "x",
    margin_linear(lists["l"], y, loss = "smooth_hinge"),
    margin_linear(data.frame(day = as.Date("2020-01-01") + 0:5), y, loss = "smooth_hinge"),
    margin_linear(data.frame(one = factor(rep("same", 6))), y, loss = "smooth_hinge")
  )
})

test_that("y: shape, type, missing values", {
  expect_input_errors(
    "y",
    margin_linear(x, loss = "smooth_hinge"),
    margin_linear(x, NULL, loss = "smooth_hinge"),
    margin_linear(x, y[1:5], loss = "smooth_hinge"),
    margin_linear(x, list(1, 2), loss = "smooth_hinge"),
    margin_linear(x, d["y"], loss = "smooth_hinge"),
    margin_linear(x, cbind(1:6, 1:6), loss = "smooth_hinge"),
    margin_linear(x, as.Date("2020-01-01") + 0:5, loss = "smooth_hinge"),
    margin_linear(x, replace(y, 2, NA), loss = "smooth_hinge"),
    margin_linear(x, c(1, -1, NaN, 1, 1, -1), loss = "smooth_hinge"),
    margin_linear(x, c(1, 2, 3, 4, 5, Inf), loss = "squared"),
    margin_linear(x, addNA(replace(y, 2, NA)), loss = "smooth_hinge")
  )
})

test_that("y: labels that are no classes, or one class", {
  expect_input_errors("loss", margin_linear(x, c(1, 2, 1, 2, 2, 1), loss = "smooth_hinge"))
  expect_input_errors(
    "y",
    margin_linear(x, factor(rep("p", 6), levels = c("n", "p")), loss = "smooth_hinge"),
    margin_linear(x, rep(TRUE, 6), loss = "smooth_hinge"),
    margin_linear(x, rep(-1, 6), loss = "smooth_hinge")
  )
})

test_that("weights", {
  expect_input_errors(
    "weights",
    margin_linear(x, y, weights = letters[1:6], loss = "smooth_hinge"),
    margin_linear(x, y, weights = 1:5, loss = "smooth_hinge"),
    margin_linear(x, y, weights = c(1, NA, 1, 1, 1, 1), loss = "smooth_hinge"),
    margin_linear(x, y, weights = c(1, 1, NaN, 1, 1, 1), loss = "smooth_hinge"),
    margin_linear(x, y, weights = c(Inf, 1, 1, 1, 1, 1), loss = "smooth_hinge"),
    margin_linear(x, y, weights = c(1, 1, 1, -0.5, 1, 1), loss = "smooth_hinge"),
    margin_linear(x, y, weights = numeric(6), loss = "smooth_hinge"),
    margin_linear(x, y, weights = as.numeric(y == "p"), loss = "smooth_hinge"),
    margin_linear(f ~ a + b, d, weights = as.numeric(f != "v"), loss = "smooth_hinge")
  )
})

test_that("class_weights", {
  expect_input_errors(
    "class_weights",
    margin_linear(x, y, class_weights = "even", loss = "smooth_hinge"),
    margin_linear(x, y, class_weights = c(1, 2), loss = "smooth_hinge"),
    margin_linear(x, y, class_weights = c(n = 1, q = 2), loss = "smooth_hinge"),
    margin_linear(x, y, class_weights = c(n = 1), loss = "smooth_hinge"),
    margin_linear(x, y, class_weights = c(n = 1, p = 2, p = 3), loss = "smooth_hinge"),
    margin_linear(x, y, class_weights = c(n = 1, p = 0), loss = "smooth_hinge"),
    margin_linear(x, y, class_weights = c(n = NA, p = 1), loss = "smooth_hinge"),
    margin_linear(x, c(1, 2, 3, 4, 5, 6), loss = "squared", class_weights = "balanced")
  )
})

test_that("lambda, cost, mixture", {
  expect_input_errors(
    "lambda",
    margin_linear(x, y, lambda = 0, loss = "smooth_hinge"),
    margin_linear(x, y, lambda = -1, loss = "smooth_hinge"),
    margin_linear(x, y, lambda = NA, loss = "smooth_hinge"),
    margin_linear(x, y, lambda = Inf, loss = "smooth_hinge"),
    margin_linear(x, y, lambda = c(0.1, 1), loss = "smooth_hinge"),
    margin_linear(x, y, lambda = "1", loss = "smooth_hinge"),
    margin_linear(x, y, lambda = 1, cost = 2, loss = "smooth_hinge")
  )
  expect_input_errors("cost", margin_linear(x, y, cost = 0, loss = "smooth_hinge"),
                      margin_linear(x, y, cost = 1:3, loss = "smooth_hinge"))
  expect_input_errors(
    "mixture",
    margin_linear(x, y, mixture = -0.1, loss = "smooth_hinge"),
    margin_linear(x, y, mixture = 1.5, loss = "smooth_hinge"),
    margin_linear(x, y, mixture = NULL, loss = "smooth_hinge")
  )
})

test_that("loss, solver, intercept, scale, control", {
  expect_input_errors(
    "loss",
    margin_linear(x, y, loss = "hindge"),
    margin_linear(x, y, loss = "unlike any of them"),
    margin_linear(x, y, loss = 3),
    margin_linear(x, y, loss = loss_huber)
  )
  expect_input_errors("solver", margin_linear(x, y, solver = "newtn", loss = "smooth_hinge"),
                      margin_linear(x, y, solver = c("sdca", "newton"), loss = "smooth_hinge"))
  expect_input_errors("intercept", margin_linear(x, y, intercept = TRUE, loss = "smooth_hinge"),
                      margin_linear(x, y, intercept = "Free", loss = "smooth_hinge"),
                      margin_linear(y ~ a - 1, d, intercept = "free", loss = "smooth_hinge"))
  expect_input_errors("scale", margin_linear(x, y, scale = NA, loss = "smooth_hinge"))
  expect_input_errors("control", margin_linear(x, y, control = list(tol = 1),
                                               loss = "smooth_hinge"))
})

test_that("an argument that no function takes is never swallowed", {
  expect_input_errors("lamda", margin_linear(x, y, lamda = 1, loss = "smooth_hinge"))
  expect_input_errors("C", margin_linear(x, y, C = 1, loss = "smooth_hinge"))
  expect_input_errors("tol", margin_linear(y ~ a, d, tol = 1e-3, loss = "smooth_hinge"))
  expect_input_errors("subset", margin_linear(x, y, subset = 1:3, loss = "smooth_hinge"))
  expect_input_errors("data", margin_linear(x, y, data = d, loss = "smooth_hinge"))
  expect_input_errors("quite_something_else", margin_linear(x, y, quite_something_else = 1,
                                                            loss = "smooth_hinge"))
  expect_input_errors("...", margin_linear(x, y, "hinge", 1, 0, "free", TRUE, NULL, NULL, "auto",
                                           margin_control(), NULL, TRUE, "one_vs_rest", NULL,
                                           NULL, NULL, NULL, 17))
})

test_that("formula", {
  expect_input_errors(
    "formula",
    margin_linear(~ a + b, d, loss = "smooth_hinge"),
    margin_linear(y ~ 1, d, loss = "smooth_hinge"),
    margin_linear(y ~ a + offset(f), d, loss = "smooth_hinge"),
    margin_linear(y ~ a + no_such_variable, d, loss = "smooth_hinge"),
    margin_linear(y ~ a + f, d[d$f == "u", ], loss = "smooth_hinge")
  )
  expect_input_errors(
    "data",
    margin_linear(y ~ a, d, subset = a > 10, loss = "smooth_hinge"),
    margin_linear(y ~ a, with_entry(d, NA, j = 1L), na.action = na.fail, loss = "smooth_hinge")
  )
  expect_input_errors("sparse", margin_linear(y ~ a, d, sparse = "yes", loss = "smooth_hinge"))
})

test_that("no two of these messages are the same, and all are as recorded", {
  expect_gt(length(seen$messages), 50)
  expect_identical(anyDuplicated(seen$messages), 0L)
  expect_recorded("validate", "input", seen$messages)
})

test_that("a misspelt argument of a formula call is answered by what that takes", {
  calls <- list(
    function(...) margin_linear(dist ~ speed, cars, ...), function(...) margin_cv(dist ~ speed, cars, ...),
    function(...) margin_path(dist ~ speed, cars, ...),
    function(...) margin_cv(dist ~ speed, cars, prove = TRUE, ...),
    function(...) margin_compare(dist ~ speed, cars, list(a = spec_margin()), ...)
  )
  for (call in calls) {
    said <- tryCatch(call(quite_something_else = 1), dualmargin_input_error = conditionMessage)
    expect_match(said, "are `formula`, `data`, .*`subset`, `na.action`, `contrasts`, `sparse`")
    expect_no_match(said, "`(x|y|offset)`")
  }
})
