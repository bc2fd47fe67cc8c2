# What is certain of rows in a file is what is certain of the same rows in memory.

file_data <- local({
  set.seed(34)
  n <- 300L
  x <- matrix(rnorm(n * 5L), n) * (matrix(runif(n * 5L), n) < 0.7)
  far <- cbind(x, 1e3 + rnorm(n))
  score <- x[, 1L] - x[, 2L] + rnorm(n)
  list(dense = far, sparse = methods::as(Matrix::Matrix(far, sparse = TRUE), "RsparseMatrix"),
       class = factor(score > 0), response = score, weights = sample(1:3, n, TRUE) + 0.5,
       three = cut(score, c(-Inf, -1, 1, Inf), labels = c("a", "b", "c")))
})

certain_both <- function(x, y, ..., weights = file_data$weights, tol = 1e-4) {
  rows <- disk_rows(x, y, weights)
  control <- margin_control(seed = 3, progress = FALSE, tol = tol, threads = 1)
  memory <- suppressMessages(margin_linear(x, y, weights = weights, ..., control = control))
  disk <- margin_linear(rows, ..., control = control)
  list(x = x, rows = rows, memory = margin_certain(memory, x, y),
       disk = margin_certain(disk, rows))
}

# Where the intercept is free, rows that stay open are looked at again in memory alone.
expect_same_certain <- function(both, info) {
  memory <- both$memory
  disk <- both$disk
  for (part in intersect(c("centre", "problems", "joint"), names(memory))) {
    expect_identical(disk[[part]], memory[[part]], info = paste(info, part))
  }
  some <- both$x[1:60, ]
  expect_identical(predict(disk, some), predict(memory, some), info = info)
  if (!is.null(memory$joint) || memory$fit$settings$intercept != "free") {
    expect_identical(disk$training, memory$training, info = info)
    return(invisible())
  }
  expect_identical(predict(disk, some, data = both$rows, refits = 0),
                   predict(memory, some, data = both$x, refits = 0), info = info)
  expect_true(all(disk$training$lower <= memory$training$lower &
                    memory$training$upper <= disk$training$upper), info = info)
}

test_that("regions and intervals of rows in a file are those of rows in memory, to the bit", {
  for (form in c("dense", "sparse")) for (intercept in c("free", "penalized", "none")) {
    x <- file_data[[form]]
    # without a free intercept nothing makes up for a column far away
    if (intercept != "free") x <- x[, 1:5]
    if (form == "sparse") x <- methods::as(x, "RsparseMatrix")
    both <- function(...) certain_both(x, ..., intercept = intercept)
    cases <- list(
      both(file_data$class, loss = "logistic", lambda = 0.01, solver = "newton"),
      both(file_data$class, loss = "hinge", lambda = 0.05, solver = "ssnal",
           scale = intercept != "none"),
      both(file_data$response, loss = "squared", lambda = 0.1, solver = "newton"),
      both(file_data$three, loss = "squared_hinge", lambda = 0.05, solver = "newton"),
      both(file_data$three, loss = "logistic", lambda = 0.05, multiclass = "softmax",
           solver = "newton"),
      both(file_data$class, loss = "logistic", lambda = 0.01, mixture = 0.5, solver = "fista")
    )
    for (k in seq_along(cases)) {
      expect_same_certain(cases[[k]], paste(form, intercept, k))
      unlink(cases[[k]]$rows$path)
    }
  }
})

test_that("new rows of a file are predicted block by block", {
  both <- certain_both(file_data$sparse, file_data$class, loss = "logistic", lambda = 0.01,
                       solver = "newton", intercept = "free")
  on.exit(unlink(both$rows$path))
  for (type in c("class", "prob")) {
    expect_equal(predict(both$disk, both$rows, type = type),
                 predict(both$memory, file_data$sparse, type = type), ignore_attr = TRUE)
  }
  expect_output(print(both$disk))
  expect_identical(coef(both$disk), coef(both$memory))
})

test_that("rows of a file that are not those of the fit are refused", {
  x <- file_data$dense
  rows <- disk_rows(x, file_data$class)
  other <- disk_rows(x + 0.01, file_data$class)
  labels <- disk_rows(x, rev(file_data$class))
  on.exit(unlink(c(rows$path, other$path, labels$path)))
  fit <- margin_linear(rows, loss = "logistic", lambda = 0.01)
  refused <- function(expression, said) {
    expect_error(expression, said, class = "dualmargin_input_error")
  }
  refused(margin_certain(fit, other), "decision value")
  refused(margin_certain(fit, labels), "label")
  refused(margin_certain(fit, rows, file_data$class), "own response")
  part <- rows
  part$share <- c(1, 2)
  refused(margin_certain(fit, part), "share of the rows")
  robust <- margin_robust(x, file_data$class, radius = 0.1, ridge = 0.1)
  refused(margin_certain(robust, rows), "rows in a file")
  certain <- margin_certain(fit, rows)
  refused(predict(certain, x, data = other), "decision value")
  bytes <- readBin(rows$path, raw(), file.size(rows$path))
  at <- length(bytes) %/% 3L
  bytes[at] <- xor(bytes[at], as.raw(1))
  writeBin(bytes, rows$path)
  refused(margin_certain(fit, rows), basename(rows$path))
})
