# Files of rows: every source gives the columns of one data frame in memory, in chunks of any size.

test_that("a data frame in chunks is coded as one data frame", {
  data <- mixed_frame()
  cases <- expand.grid(formula = rows_formulas, sparse = c(FALSE, TRUE))
  # package Matrix has no sparse coding of ns()
  for (k in seq_len(nrow(cases) - 1L)) {
    formula <- cases$formula[[k]]
    sparse <- cases$sparse[k]
    wanted <- memory_rows(formula, data, sparse)
    for (chunk in c(if (!sparse || k %% 3 == 0) 1, 7, 1e5)) {
      got <- written_rows(data, formula = formula, chunk = chunk, sparse = sparse)
      expect_identical(got, wanted, info = paste(deparse(formula), chunk, sparse))
    }
  }
})

test_that("a column may be of a class that the formula makes numbers of", {
  data <- data.frame(day = as.Date("2020-01-01") + 0:9, y = rep(c("a", "b"), 5))
  expect_identical(written_rows(data, formula = y ~ as.numeric(day), chunk = 3),
                   memory_rows(y ~ as.numeric(day), data))
})

test_that("matrices of every class are stored as they are", {
  set.seed(3)
  s <- Matrix::rsparsematrix(23, 5, 0.4)
  y <- rnorm(23)
  forms <- list(as.matrix(s), s, as(s, "RsparseMatrix"), as(s, "TsparseMatrix"), s != 0,
                as.matrix(s) > 0, as(s, "unpackedMatrix"))
  for (form in forms) for (chunk in c(1, 7, 1e5)) {
    path <- rows_path()
    write_rows(form, path, y = y, chunk = chunk)
    rows <- read_rows(path)
    expect_identical(rows$sparse, is(form, "sparseMatrix"))
    expect_identical(unname(as.matrix(rows[, ])), unname(as.matrix(form) + 0))
    expect_identical(dim(rows), dim(form))
    expect_identical(rows$task, "regression")
  }
  # a column of the matrix as labels
  named <- cbind(a = 1:4, lab = c(0, 1, 1, 0), b = 4:1)
  got <- written_rows(named, y = "lab")
  expect_identical(got[c("features", "y", "type")],
                   list(features = c("a", "b"), y = c(-1, 1, 1, -1), type = "binary"))
})

test_that("LIBSVM files, packed or not, one or many, are read as read_libsvm() reads them", {
  set.seed(4)
  x <- as.matrix(Matrix::rsparsematrix(40, 9, 0.3))
  x[40, 9] <- 2
  y <- rep(c(-1, 1), 20)
  folder <- tempfile()
  dir.create(folder)
  ends <- c(".svm", ".svm.gz", ".libsvm")
  for (k in 1:3) {
    own <- seq(k, 40, 3)
    write_libsvm(x[own, ], y[own], file.path(folder, paste0(k, ends[k])))
  }
  order <- c(seq(1, 40, 3), seq(2, 40, 3), seq(3, 40, 3))
  for (chunk in c(1, 7, 1e5)) {
    got <- written_rows(folder, chunk = chunk)
    expect_identical(got$x, x[order, ])
    expect_identical(got[c("y", "type")], list(y = y[order], type = "sign"))
  }
  file <- file.path(folder, "1.svm")
  classes <- written_rows(file, levels = list(y = c(1, -1)))
  expect_identical(classes[c("y", "levels")], list(y = -y[seq(1, 40, 3)], levels = c("1", "-1")))
})

test_that("codes with leading zeros and numbers with commas are told, once, and read as CSV", {
  path <- tempfile(fileext = ".csv")
  rows <- tempfile()
  on.exit(unlink(c(path, rows)))
  write <- function(...) {
    said <- character()
    withCallingHandlers(write_rows(path, rows, y = "y", chunk = 2, overwrite = TRUE, ...),
                        dualmargin_message = function(m) {
      said <<- c(said, conditionMessage(m))
      invokeRestart("muffleMessage")
    })
    said
  }
  writeLines(c("zip,amount,plain,y", "01234,\"1,000\",0.5,1.5", "90210,\"20\",-0.1,2",
               "00501,\"1,000\",0,3"), path)
  said <- write()
  expect_length(said, 2L)
  expect_match(said[1L], "column \"zip\".*\"01234\" as 1234.*`levels`")
  expect_match(said[2L], "column \"amount\".*has \"1,000\", which is text.*remove the commas")
  expect_identical(read_rows(rows)$features, c("zip", "amount20", "plain"))
  # the remedy
  write(levels = list(zip = c("1234", "90210", "501")))
  expect_identical(read_rows(rows)$features, c("zip90210", "zip501", "amount20", "plain"))
})

test_that("CSV files give what read.csv() gives", {
  data <- mixed_frame()
  folder <- tempfile()
  dir.create(folder)
  parts <- in_parts(data, 9)
  for (k in 1:3) {
    part <- if (k == 2) parts[[k]][rev(names(data))] else parts[[k]]
    con <- if (k == 3) gzfile(file.path(folder, "3.csv.gz"), "w") else
      file(file.path(folder, paste0(k, ".csv")), "w")
    write.csv(part, con, row.names = FALSE, quote = k != 1)
    close(con)
  }
  whole <- tempfile(fileext = ".csv")
  write.csv(data, whole, row.names = FALSE)
  back <- read.csv(whole)
  for (formula in rows_formulas[c(1, 2, 5, 7, 8)]) {
    wanted <- memory_rows(formula, back)
    for (chunk in c(2, 7, 1e5)) {
      expect_identical(written_rows(folder, formula = formula, chunk = chunk), wanted,
                       info = paste(deparse(formula), chunk))
    }
  }
  got <- written_rows(whole, y = "y", weights = "w", chunk = 7)
  expect_identical(got, written_rows(back, y = "y", weights = "w"))
})

test_that("the kind of a CSV column is that of all its rows", {
  path <- tempfile(fileext = ".csv")
  write.csv(data.frame(a = c(1:20, "x"), b = c(rep(TRUE, 20), NA), c = 21:1, y = rnorm(21)), path,
            row.names = FALSE)
  for (chunk in c(1, 7, 1e5)) {
    expect_identical(written_rows(path, formula = y ~ a + c, chunk = chunk),
                     memory_rows(y ~ a + c, read.csv(path)))
  }
  # quoted numbers and text with what separates rows and fields
  writeLines(c("\ufeffa,b,y", "\"1\",\"x, \"\"y\"\"", "z\",0", "2,u,1", "\"3\",u,1"), path)
  back <- read.csv(text = c("a,b,y", "\"1\",\"x, \"\"y\"\"", "z\",0", "2,u,1", "\"3\",u,1"))
  for (chunk in c(1, 2, 10)) {
    expect_identical(written_rows(path, y = "y", chunk = chunk), written_rows(back, y = "y"))
  }
})

test_that("a function gives its rows once, with the levels that it is told", {
  data <- mixed_frame()
  data$colour <- droplevels(data$colour)
  levels <- list(text = sort(unique(data$text)), colour = c("red", "blue"), size = c("S", "M", "L"))
  formula <- y ~ num * text + colour + size + log(whole)
  for (size in c(1, 7, 24)) {
    expect_identical(written_rows(giving(in_parts(data, size)), formula = formula, levels = levels),
                     memory_rows(formula, data))
  }
  x <- as.matrix(data[1:2])
  lists <- lapply(in_parts(data, 7), function(part) {
    list(x = as.matrix(part[1:2]), y = part$y, weights = part$w)
  })
  expect_identical(written_rows(giving(lists)), written_rows(x, y = data$y, weights = data$w))
  # terms of one factor whose levels are given
  cuts <- list("cut(num, c(-9, 0, 9))" = levels(cut(0, c(-9, 0, 9))))
  expect_identical(written_rows(giving(in_parts(data, 7)), levels = cuts,
                                formula = y ~ cut(num, c(-9, 0, 9)) + num),
                   memory_rows(y ~ cut(num, c(-9, 0, 9)) + num, data))
})

test_that("a result of a database is fetched to its end", {
  skip_if_not_installed("DBI")
  skip_if_not_installed("RSQLite")
  data <- mixed_frame()
  data$flag <- data$flag + 0
  data[c("colour", "size", "y")] <- lapply(data[c("colour", "size", "y")], as.character)
  base <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(base))
  DBI::dbWriteTable(base, "data", data)
  wanted <- memory_rows(y ~ num + text, data)
  for (chunk in c(1, 7, 1e5)) {
    result <- DBI::dbSendQuery(base, "SELECT num, text, y FROM data")
    got <- written_rows(result, formula = y ~ ., chunk = chunk,
                        levels = list(text = sort(unique(data$text))))
    DBI::dbClearResult(result)
    expect_identical(got, wanted)
  }
})

test_that("64-bit integers of a database are right, or an error that names them", {
  skip_if_not_installed("DBI")
  skip_if_not_installed("RSQLite")
  values <- c(1:9, 4e9, 2^53 - 1, 7)
  frame <- data.frame(a = values, z = as.double(12:1), y = rep(c("n", "p"), 6))
  levels <- list(y = c("n", "p"))
  fault <- function(...) conditionMessage(error_of(written_rows(...)))
  base <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(base))
  DBI::dbExecute(base, "CREATE TABLE t (a BIGINT, z DOUBLE, y TEXT)")
  DBI::dbExecute(base, sprintf("INSERT INTO t VALUES %s", paste(
    sprintf("(%.0f, %.0f, '%s')", frame$a, frame$z, frame$y), collapse = ", "
  )))
  for (chunk in c(1, 5, 100)) {
    result <- DBI::dbSendQuery(base, "SELECT * FROM t")
    expect_identical(written_rows(result, y = "y", levels = levels, chunk = chunk),
                     written_rows(frame, y = "y", levels = levels))
    DBI::dbClearResult(result)
  }
  DBI::dbExecute(base, "INSERT INTO t VALUES (9007199254740993, 1, 'n')")
  result <- DBI::dbSendQuery(base, "SELECT * FROM t")
  expect_match(fault(result, y = "y", levels = levels, chunk = 5),
               "64-bit integer .* in row 13, column \"a\"")
  DBI::dbClearResult(result)
})

test_that("new rows are coded as those of a fit, or of another file", {
  data <- mixed_frame(40)
  old <- data[1:25, ]
  new <- data[31:40, ]
  formula <- y ~ poly(num, 2) * text + colour + scale(whole)
  fit <- quietly(margin_linear(formula, old, loss = "logistic"))
  path <- rows_path()
  write_rows(old, path, formula = formula)
  file <- tempfile(fileext = ".csv")
  write.csv(new, file, row.names = FALSE)
  wanted <- unname(stats::model.matrix(fit, new)[, fit$features, drop = FALSE])
  attributes(wanted) <- list(dim = dim(wanted))
  for (model in list(fit, read_rows(path))) for (chunk in c(1, 7)) {
    got <- written_rows(new, formula = model, chunk = chunk)
    expect_identical(got$x, wanted)
    expect_identical(got[c("features", "y", "levels")],
                     list(features = fit$features, y = c(-1, 1)[new$y], levels = c("no", "yes")))
    expect_identical(written_rows(file, formula = model)$y, got$y)
    expect_identical(written_rows(giving(in_parts(new, 3)), formula = model), got)
    bare <- written_rows(new[names(new) != "y"], formula = model)
    expect_identical(bare$x, wanted)
    expect_null(bare$y)
    # rows of one class
    expect_identical(written_rows(new[new$y == "yes", ], formula = model)$y, rep(1, 5))
  }
  # LIBSVM files have as many columns as their largest index
  sparse <- tempfile(fileext = ".svm")
  writeLines(c("1 1:2", "-1 4:1"), sparse)
  write_rows(sparse, path, overwrite = TRUE)
  writeLines(c("1 2:2", "1 1:3"), sparse)
  expect_identical(written_rows(sparse, formula = read_rows(path))$x,
                   rbind(c(0, 2, 0, 0), c(3, 0, 0, 0)))
  regression <- margin_linear(num ~ whole, old)
  expect_identical(written_rows(new, formula = regression)$y, new$num)
})

test_that("nothing is left behind, and a file that was there stays, where writing ends early", {
  folder <- tempfile()
  dir.create(folder)
  path <- file.path(folder, "a.rows")
  write_rows(iris[1:4], path, y = iris$Species)
  before <- read_rows(path)
  parts <- in_parts(iris, 50)
  parts[[3]]$Petal.Width[4] <- NA
  levels <- list(Species = levels(iris$Species))
  error_of(write_rows(giving(parts), path, y = "Petal.Length", levels = levels, overwrite = TRUE))
  stop_there <- giving(parts[1:2])
  interrupted <- function() {
    part <- stop_there()
    if (is.null(part)) {
      signalCondition(structure(class = c("interrupt", "condition"),
                                list(message = "", call = NULL)))
    }
    part
  }
  tryCatch(write_rows(interrupted, path, y = "Petal.Length", levels = levels, overwrite = TRUE),
           interrupt = function(condition) NULL)
  expect_identical(list.files(folder), "a.rows")
  expect_identical(read_rows(path), before)
  write_rows(iris[1:3], path, y = iris$Species, overwrite = TRUE)
  expect_identical(ncol(read_rows(path)), 3L)
})
