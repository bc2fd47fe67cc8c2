# New rows are found by name and coded as the fit's rows were.

d <- data.frame(
  y = factor(rep(c("n", "p"), 20)), f = gl(4, 10, labels = c("u", "v", "w", "x")),
  o = factor(rep(1:4, 10), ordered = TRUE), z = sin(1:40), k = rep(1:5, 8),
  ch = rep(c("r", "s", "t", "r"), 10), l = rep(c(TRUE, FALSE, FALSE, TRUE), 10)
)
numbers <- as.matrix(d[c("z", "k")])
fits <- list(
  dense = margin_linear(y ~ f + o + poly(z, 2) + k + ch + l, d, loss = "smooth_hinge"),
  sparse = margin_linear(y ~ f + o + poly(z, 2) + k + ch + l, d, sparse = TRUE,
                         loss = "smooth_hinge"),
  frame = margin_linear(d[-1], d$y, loss = "smooth_hinge")
)
by_matrix <- margin_linear(numbers, d$y, loss = "smooth_hinge")
values <- function(...) unname(predict(..., type = "score"))

test_that("rows with a missing or infinite entry are named and stay in their place", {
  holes <- d[1:6, ]
  holes$f[2] <- NA
  holes$z[4] <- NA
  holes$ch[5] <- NA
  for (fit in fits) {
    scores <- values(fit, holes)
    expect_identical(which(is.na(scores)), c(2L, 4L, 5L))
    expect_equal(scores[c(1, 3, 6)], values(fit, d)[c(1, 3, 6)])
    expect_identical(values(fit, transform(holes[2, ], k = NA)), NA_real_)
  }
  x <- numbers
  x[c(2, 5), 1] <- c(NaN, Inf)
  s <- Matrix::Matrix(x, sparse = TRUE)
  for (storage in list(x, s, as(s, "RsparseMatrix"), as.data.frame(x))) {
    expect_identical(which(is.na(values(by_matrix, storage))), c(2L, 5L))
  }
})

test_that("matrices of any class are taken by name", {
  s <- Matrix::Matrix(cbind(extra = 1, numbers[, 2:1]), sparse = TRUE)
  for (storage in list(s, as(s, "RsparseMatrix"), as.matrix(s), as.data.frame(as.matrix(s)))) {
    expect_identical(values(by_matrix, storage), values(by_matrix, numbers))
  }
  unnamed <- margin_linear(unname(numbers), d$y, loss = "smooth_hinge")
  expect_identical(values(unnamed, unname(numbers)), values(by_matrix, numbers))
})

test_that("levels: fewer are fine, a character is a factor, a new one is an error", {
  for (fit in fits) {
    one <- d[3, ]
    one$f <- as.character(one$f)
    one$ch <- factor(one$ch)
    expect_equal(values(fit, droplevels(one)), values(fit, d)[3])
  }
})

test_that("a column of another type than the fit's is told how to become it", {
  cars <- transform(mtcars, cyl = factor(cyl), vs = vs == 1, gear = as.character(gear))
  fit <- margin_linear(mpg ~ cyl + vs + gear + wt, cars)
  told <- list(
    "`newdata` has \"cyl\" of type numeric, but the fit has it as factor; use factor(cyl)." =
      transform(cars, cyl = mtcars$cyl),
    "\"vs\" of type numeric, but the fit has it as logical; use as.logical(vs)." =
      transform(cars, vs = mtcars$vs),
    "\"gear\" of type numeric, but the fit has it as character; use as.character(gear)." =
      transform(cars, gear = mtcars$gear),
    "\"wt\" of type logical, but the fit has it as numeric; use as.numeric(wt)." =
      transform(cars, wt = wt > 3),
    "\"wt\" of type factor, but the fit has it as numeric; use as.numeric(as.character(wt))." =
      transform(cars, wt = factor(wt))
  )
  for (words in names(told)) expect_input_error(predict(fit, told[[words]]), "newdata", words)
  plain <- margin_linear(mtcars[-1L], mtcars$mpg)
  expect_input_error(predict(plain, transform(mtcars, wt = factor(wt))), "newdata",
                     "has it as a number; use as.numeric(as.character(wt)).")
})

test_that("a name that comes twice is an error only where the fit needs it", {
  for (fit in fits) {
    expect_error(values(fit, cbind(d, k = 1)), "two columns named \"k\"",
                 class = "dualmargin_input_error")
    twice <- `names<-`(cbind(d, 1, 2), c(names(d), "extra", "extra"))
    expect_equal(values(fit, twice), values(fit, d))
  }
})

test_that("what cannot be coded is an error of its own", {
  named <- cbind(numbers, z = 0)
  unnamed <- margin_linear(unname(numbers), d$y, loss = "smooth_hinge")
  bad <- alist(
    values(by_matrix, 1:3), values(by_matrix, numbers[, "z", drop = FALSE]),
    values(by_matrix, named), values(by_matrix, unname(numbers)),
    values(unnamed, numbers), values(unnamed, unname(named)),
    values(by_matrix, transform(d, z = "a")),
    values(by_matrix, matrix("1", 2, 2)),
    values(fits$dense, numbers), values(fits$dense, d[c("y", "f", "o")]),
    values(fits$dense, transform(d, f = "new")),
    values(fits$frame, transform(d, ch = "old")),
    values(fits$frame, transform(d, f = 1))
  )
  conditions <- lapply(bad, function(call) tryCatch(eval(call), error = identity))
  messages <- vapply(conditions, conditionMessage, "")
  for (condition in conditions) {
    expect_s3_class(condition, "dualmargin_input_error")
    expect_identical(condition$arg, "newdata")
  }
  expect_identical(anyDuplicated(messages), 0L)
  expect_recorded("newdata", "input", messages)
})

test_that("a variable is never taken from the workspace when newdata lacks it", {
  assign("z", rep(0, 40), envir = globalenv())
  on.exit(rm("z", envir = globalenv()))
  fit <- margin_linear(y ~ z + k, d, loss = "smooth_hinge")
  expect_error(values(fit, d["k"]), "lacks 1 of", class = "dualmargin_input_error")
})

test_that("NA that is a level of a factor is one in new rows too, as for lm()", {
  set.seed(2)
  h <- rep(c("u", "v", NA), 10)
  d <- data.frame(z = rnorm(30), k = rnorm(30), h = factor(h, exclude = NULL), t = h)
  new <- data.frame(k = 1:4, h = c("v", NA, "u", NA), t = c("v", NA, "u", NA))
  exact <- function(...) margin_linear(..., loss = "squared", lambda = 1e-12)
  for (f in list(z ~ k + h, z ~ k * h, z ~ k + addNA(t), z ~ factor(t, exclude = NULL))) {
    line <- lm(f, d)
    dense <- exact(f, d)
    want <- unname(predict(line, transform(new, h = factor(h, levels(d$h), exclude = NULL))))
    for (fit in list(dense, exact(f, d, sparse = TRUE))) {
      expect_equal(unname(fitted(fit)), unname(fitted(line)), tolerance = 1e-5)
      expect_equal(unname(predict(fit, new)), want, tolerance = 1e-5)
      expect_equal(unname(predict(fit, new[2, ])), want[2], tolerance = 1e-5)
      expect_equal(unname(predict(fit, d)), unname(fitted(fit)), tolerance = 1e-10)
    }
    path <- tempfile()
    write_rows(d, path, formula = f)
    expect_equal(coef(exact(read_rows(path))), coef(dense), tolerance = 1e-5)
    expect_equal(unname(predict(exact(read_rows(path)), new)), want, tolerance = 1e-5)
    write_rows(new, path, formula = dense, overwrite = TRUE)
    expect_equal(unname(predict(dense, read_rows(path))), want, tolerance = 1e-5)
    unlink(path)
  }
  by_x <- exact(d[c("k", "h")], d$z)
  expect_equal(unname(predict(by_x, new)), unname(predict(exact(z ~ k + h, d), new)))
  # a level that no row had is a missing value, and so is NA elsewhere
  plain <- exact(z ~ k + t, d)
  expect_identical(is.na(unname(predict(plain, new))), c(FALSE, TRUE, FALSE, TRUE))
  # rows that come once have their levels named
  parts <- split(d[c("k", "h", "z")], rep(1:3, each = 10))
  path <- tempfile()
  write_rows(function() {
    part <- parts[1L]
    parts <<- parts[-1L]
    if (length(part) > 0L && !is.null(part[[1L]])) part[[1L]]
  }, path, y = "z", levels = list(h = c("u", "v", NA)))
  expect_equal(coef(exact(read_rows(path))), coef(exact(z ~ k + h, d)), tolerance = 1e-5)
  unlink(path)
})

test_that("plain columns of a formula are coded to what stats codes them to", {
  train <- data.frame(iris[1:4], whole = rep(1:5, 30), `odd name` = rev(iris[[1]]),
                      check.names = FALSE)
  train$class <- iris$Species == "setosa"
  rows <- train[c(3, 77, 150), c(7, 2, 1, 6, 5, 4, 3)]
  rownames(rows) <- c("a", "b", "c")
  formulas <- list(class ~ Sepal.Length + whole, class ~ . - 1, !class ~ Petal.Width + Sepal.Width,
                   class ~ log(whole) + Sepal.Length, class ~ Sepal.Length * whole)
  design <- asNamespace("dualmargin")$design_newdata
  for (formula in formulas) {
    fit <- margin_linear(formula, data = train)
    terms <- stats::delete.response(stats::terms(formula, data = train))
    coded <- stats::model.matrix(terms, rows)
    coded <- coded[, colnames(coded) != "(Intercept)", drop = FALSE]
    expect_identical(design(fit, rows)$x, coded)
    expect_identical(nrow(design(fit, rows[0, ])$x), 0L)
    missing <- replace(rows, "whole", list(c(1L, NA, 2L)))
    known <- is.na(match("whole", all.vars(terms)))
    expect_identical(unname(is.na(predict(fit, missing, type = "score"))), c(FALSE, !known, FALSE))
  }
  fit <- margin_linear(formulas[[1L]], data = train)
  text <- replace(rows, "Sepal.Length", list(as.character(1:3)))
  expect_input_error(predict(fit, text), "newdata", "has \"Sepal.Length\" of type character")
})
