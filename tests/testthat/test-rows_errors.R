# What is wrong with rows that are written or read is an error that names file, chunk and row, and
# nothing is left behind.

named_file <- function(name, lines) {
  path <- file.path(tempdir(), name)
  writeLines(lines, path)
  path
}
target <- file.path(tempdir(), "target.rows")
refused <- function(...) {
  list(...)
  unlink(target)
  before <- list.files(tempdir())
  connections <- getAllConnections()
  error <- error_of(quietly(write_rows(..., path = target)))
  expect_s3_class(error, "dualmargin_input_error")
  expect_identical(list.files(tempdir()), before)
  expect_identical(getAllConnections(), connections)
  said <- conditionMessage(error)
  for (path in c(tempdir(), normalizePath(tempdir()), getwd())) {
    said <- gsub(path, "TEMP", said, fixed = TRUE)
  }
  said
}

test_that("faults of files are told by file, chunk and row", {
  good <- named_file("good.csv", c("a,b,y", "1,2,0", "3,4,1", "5,6,1"))
  second <- function(lines) c(good, named_file("second.csv", lines))
  expect_recorded("rows_errors", "csv", c(
    refused(second(c("a,b,y", "1,2,0", "1,NA,1")), y = "y", chunk = 2),
    refused(second(c("a,b,y", "1,2,0", "1,,1")), formula = y ~ log(a) + b, chunk = 1),
    refused(second(c("a,c,y", "1,2,0")), y = "y"),
    refused(second(c("a,y", "1,0")), formula = y ~ b),
    refused(second(c("a,b,y", "1,2,0", "1,Inf,1")), y = "y"),
    refused(second(c("a,b,y", "1,2,0", "1,1e200,1")), y = "y"),
    refused(second(c("a,b,y", "1,2,0", "1,2")), y = "y", chunk = 1),
    refused(second(c("a,b,y", "1,2,0", "1,2,1,1,2,1")), y = "y"),
    refused(second(c("a,b,y", "1,\"2,0", "1,2,0")), y = "y"),
    refused(second(c("a,b,y", "1,2,2")), y = "y", levels = list(y = 0:1)),
    refused(second(c("a,b,y", "1,2,0")), y = "y", levels = list(b = c(2, 4))),
    refused(second(c("a,b,y", "1,2,0")), y = "y", levels = list(z = c(2, 4))),
    refused(second(character()), y = "y"),
    refused(good, y = "why"), refused(good, y = 1:2), refused(good, y = 1:9),
    refused(good, y = "y", weights = c(1, -1, 1)),
    refused(good, y = "y", weights = c(1, 0, 0), levels = list(y = 0:1))
  ))
  wide <- file.path(tempdir(), "wide.csv")
  for (encoding in c("UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32")) {
    bytes <- iconv("a,b,y\n1,2,0\n3,4,1\n", "UTF-8", encoding, toRaw = TRUE)[[1L]]
    writeBin(bytes, wide)
    expect_no_warning(said <- refused(wide, y = "y"))
    expect_match(said, "\"wide.csv\" cannot be read as CSV in UTF-8", fixed = TRUE)
  }
  for (text in c("n\xe4me,b,y\n1,2,0\n", "a,b,y\nM\xfcller,2,0\n")) {
    writeBin(charToRaw(text), wide)
    expect_match(refused(wide, y = "y"), "cannot be read as CSV in UTF-8 behind row 0: invalid")
  }
  cut <- file.path(tempdir(), "cut.csv.gz")
  con <- gzfile(cut, "w")
  writeLines(c("a,y", paste(rnorm(999), rnorm(999), sep = ",")), con)
  close(con)
  writeBin(readBin(cut, "raw", file.size(cut) - 500), cut)
  expect_match(refused(cut, y = "y"), "cut.csv.gz\" is cut off", fixed = TRUE)
})

test_that("faults of parts are told by chunk and row", {
  a <- data.frame(x = 1:2, f = factor(c("u", "v")), y = c("n", "p"))
  change <- function(...) utils::modifyList(a, list(...))
  levels <- list(f = c("u", "v"))
  parts <- function(...) giving(list(a, ...), once = TRUE)
  expect_recorded("rows_errors", "function", c(
    refused(parts(change(f = factor(c("u", "w")))), y = "y", levels = levels),
    refused(parts(change(f = NULL)), y = "y", levels = levels),
    refused(parts(change(g = 1)), y = "y", levels = levels),
    refused(parts(change(x = c("1", "2"))), y = "y", levels = levels),
    refused(parts(change(x = c(1, NA))), y = "y", levels = levels),
    refused(parts(change(y = c("n", NA))), y = "y", levels = levels),
    refused(parts(change(y = 1:2)), y = "y", levels = levels),
    refused(parts(change(x = as.Date(c("2020-01-01", "2020-01-02")))), y = "y", levels = levels),
    refused(parts(), y = "y"),
    refused(parts(), formula = y ~ scale(x)),
    refused(parts("row"), y = "y", levels = levels),
    refused(parts(as.matrix(a["x"])), y = "y", levels = levels),
    refused(giving(list(matrix(1, 2, 2), matrix(1, 2, 3))), y = c(1, 2, 1, 2)),
    refused(giving(list(matrix(1, 2, 2))), y = c(1, 2, 1)),
    refused(giving(list(list(x = matrix(1, 2, 2), y = 1:3)))),
    refused(giving(list()))
  ))
})

test_that("what cannot be a file of rows is told by argument", {
  folder <- tempfile()
  dir.create(folder)
  named_file("data.txt", "1 1:2")
  fit <- margin_linear(Species ~ ., iris, loss = "squared_hinge")
  writeLines("x", target)
  on.exit(unlink(target))
  exists <- error_of(write_rows(iris[1:4], target))
  expect_s3_class(exists, "dualmargin_input_error")
  expect_identical(readLines(target), "x")
  expect_recorded("rows_errors", "arguments", gsub("TEMP[^\"]*", "TEMP", c(
    gsub(tempdir(), "TEMP", conditionMessage(exists), fixed = TRUE), refused(folder),
    refused(file.path(tempdir(), "none.csv")), refused(file.path(tempdir(), "data.txt")),
    refused(1:3), refused(NULL),
    refused(iris, formula = fit, levels = list(Species = 1:3)),
    refused(cbind(iris[1:4], Species = "rosa"), formula = fit),
    refused(iris[1:3], formula = fit), refused(matrix(1, 2, 4), formula = fit),
    refused(replace(iris, 2, c(NA, 1)), formula = fit),
    refused(iris, y = "Species", chunk = 0), refused(iris, levels = "a"),
    refused(iris, levels = list(Species = "a")), refused(iris, formula = "Species ~ ."),
    refused(iris, formula = Species ~ Sepal.Lenght), refused(iris, formula = Species ~ 1),
    refused(iris, formula = Species ~ . + offset(Sepal.Width)),
    refused(iris, formula = Species ~ log("a")), refused(iris["Species"], y = "Species"),
    refused(iris, y = "Species", formula = Species ~ .), refused(iris[0, ], y = "Species")
  )))
  expect_input_error(write_rows(iris, tempdir()), "path", "a folder")
  expect_input_error(write_rows(iris, file.path(tempdir(), "no", "a.rows")), "path", "folder")
})

test_that("files that are not whole files of rows are refused, as are rows that are not there", {
  path <- rows_path()
  write_rows(iris[1:4], path, y = iris$Species)
  rows <- read_rows(path)
  expect_recorded("rows_errors", "reading", gsub("\"[^\"]*rows\"", "\"FILE\"", c(
    conditionMessage(error_of(rows[3])), conditionMessage(error_of(rows[151, ])),
    conditionMessage(error_of(rows[c(-1, 1), ])), conditionMessage(error_of(rows["a", ])),
    conditionMessage(error_of(read_rows(path, c(3, 2)))),
    conditionMessage(error_of(read_rows(path, "all")))
  )))
  bytes <- readBin(path, "raw", 1e5)
  write_rows(iris[1:3], path, y = iris$Species, overwrite = TRUE)
  expect_input_error(rows[1, ], "x", "has changed")
  writeBin(replace(bytes, 300, as.raw(255L - as.integer(bytes[300]))), path)
  expect_input_error(summary(read_rows(path)), "object", "write the file again")
  for (part in list(bytes[1:200], charToRaw("foreign"), bytes[-(1:9)], raw())) {
    writeBin(part, path)
    expect_input_error(read_rows(path), "path", "write the file again")
  }
  unlink(path)
  expect_input_error(head(rows), "x", "gone")
  expect_input_error(read_rows(path), "path", "no such file")
  expect_input_error(read_rows(tempdir()), "path", "a folder; give the name of a file in it")
})

test_that("columns that are none are said to be, and rows in a file are a matrix", {
  x <- matrix(1:6 + 0, 3, dimnames = list(NULL, c("a", "b")))
  path <- tempfile()
  write_rows(x, path, y = c(1, 2, 4))
  rows <- read_rows(path)
  for (wrong in list("zz", 9, NA, mean)) expect_input_error(rows[1, wrong], "j", "`j`")
  expect_equal(as.matrix(rows), x)
  expect_equal(rows[, "b"], x[, "b", drop = FALSE])
  expect_equal(rows[2:3, -1], x[2:3, -1, drop = FALSE])
  fit <- margin_linear(rows, lambda = 0.1)
  expect_equal(augment(fit, rows)$.fitted, unname(predict(fit, x)))
  expect_input_error(margin_conformal(fit, holdout = rows), "holdout", "file")
})
