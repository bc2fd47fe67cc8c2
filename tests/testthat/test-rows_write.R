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

test_that("a term whose value for a row depends on other rows is an error that names it", {
  data <- mixed_frame()
  terms <- c("poly(num, 2)", "scale(num)", "I(num - mean(num))", "cut(num, 3)", "rank(num)",
             "splines::ns(num, 3)", "cumsum(whole)", "I(num > median(num))")
  for (term in terms) for (chunk in c(1, 7, 1e5)) {
    fault <- error_of(written_rows(data, formula = reformulate(term, "y"), chunk = chunk))
    expect_s3_class(fault, "dualmargin_input_error")
    if (chunk > 1) expect_match(conditionMessage(fault), paste("has the term", term), fixed = TRUE)
  }
  # levels in the order of all rows
  whole <- y ~ factor(whole) + num
  expect_match(conditionMessage(error_of(written_rows(data, formula = whole, chunk = 7))),
               "has the term factor(whole), whose levels in chunk 2 are others", fixed = TRUE)
  named <- list("factor(whole)" = sort(unique(data$whole)))
  for (chunk in c(1, 7)) {
    expect_identical(written_rows(data, formula = whole, chunk = chunk, levels = named),
                     memory_rows(whole, data))
  }
  expect_identical(written_rows(data, formula = whole), memory_rows(whole, data))
})

test_that("levels and NA of the last part are met as in one data frame, or named", {
  data <- mixed_frame()
  data$text[24] <- "zz"
  data$colour <- as.character(data$colour)
  data$colour[24] <- "a new one"
  formula <- y ~ text + colour
  for (chunk in c(1, 7, 23)) {
    expect_identical(written_rows(data, formula = formula, chunk = chunk),
                     memory_rows(formula, data))
    parts <- in_parts(data, chunk)
    expect_identical(written_rows(giving(parts), formula = formula), memory_rows(formula, data))
    expect_match(conditionMessage(error_of(written_rows(giving(parts, once = TRUE),
                                                        formula = formula))),
                 "gives its rows once, and text needs the levels")
  }
  data$text[24] <- NA
  data$num[24] <- NA
  for (formula in list(y ~ text, y ~ num)) {
    expect_match(conditionMessage(error_of(written_rows(data, formula = formula, chunk = 7))),
                 "has NA in row 24 (chunk 4)", fixed = TRUE)
  }
  # another number of rows the second time
  k <- 0
  fewer <- function() {
    k <<- k + 1
    if (!k %in% c(3, 5)) mixed_frame()
  }
  fault <- error_of(written_rows(fewer, formula = y ~ text))
  expect_match(conditionMessage(fault), "gave 48 rows at first, and then 24")
  expect_match(conditionMessage(error_of(written_rows(function() data[0, ], y = "y"))),
               "returned parts without rows")
})

# As the help has them, by package.
next_parts <- function() {
  help <- tools::Rd_db("dualmargin")[["write_rows.Rd"]]
  text <- paste(utils::capture.output(tools::Rd2txt(help, options = list(underline_titles = FALSE))),
                collapse = "\n")
  code <- sub("^.*before them:", "", sub("Text in the format of LIBSVM.*$", "", text))
  stats::setNames(as.list(parse(text = code)),
                  c("base", "data.table", "nanoparquet", "arrow", "DBI"))
}

tempfile_folder <- function() {
  folder <- tempfile()
  dir.create(folder)
  folder
}
of_package <- function(package, name) getExportedValue(package, name)

for (package in c("base", "data.table", "nanoparquet", "arrow", "DBI")) {
  test_that(paste("what the help shows gives the rows of one data frame, by", package), {
    skip_if_not_installed(package)
    if (package == "DBI") skip_if_not_installed("RSQLite")
    data <- mixed_frame()
    data[c("colour", "size", "y")] <- lapply(data[c("colour", "size", "y")], as.character)
    names(data)[c(1, 4, 8)] <- c("age", "ward", "returned")
    old <- setwd(tempfile_folder())
    on.exit(setwd(old))
    write.csv(data, "a.csv", row.names = FALSE)
    parts <- in_parts(data, 9)
    run <- list(k = 0, con = NULL, first = read.csv("a.csv", nrows = 10), files = as.character(1:3))
    switch(package, data.table = for (k in 1:3) write.csv(parts[[k]], run$files[k], row.names = FALSE),
           nanoparquet = for (k in 1:3) of_package(package, "write_parquet")(parts[[k]], run$files[k]),
           arrow = of_package(package, "write_parquet")(data, "a.parquet", chunk_size = 9),
           DBI = {
             run$base <- of_package("DBI", "dbConnect")(of_package("RSQLite", "SQLite")(), ":memory:")
             of_package("DBI", "dbWriteTable")(run$base, "visits", data)
           })
    where <- list2env(run)
    eval(next_parts()[[package]], where)
    formula <- returned ~ age * ward
    expect_identical(written_rows(where$next_part, formula = formula), memory_rows(formula, data))
    if (package == "DBI") of_package("DBI", "dbDisconnect")(run$base)
  })
}

test_that("parts that read_libsvm() reads are written with their labels", {
  set.seed(4)
  x <- as.matrix(Matrix::rsparsematrix(40, 9, 0.3))
  x[40, 9] <- 2
  y <- rep(c(-1, 1), 20)
  parts <- lapply(1:3, function(k) {
    file <- tempfile()
    write_libsvm(x[seq(k, 40, 3), ], y[seq(k, 40, 3)], file)
    read_libsvm(file)
  })
  order <- c(seq(1, 40, 3), seq(2, 40, 3), seq(3, 40, 3))
  got <- written_rows(giving(parts, once = TRUE))
  expect_identical(got$x, x[order, ])
  expect_identical(got[c("y", "type")], list(y = y[order], type = "sign"))
  classes <- written_rows(giving(parts), levels = list(y = c(1, -1)))
  expect_identical(classes[c("y", "levels")], list(y = -y[order], levels = c("1", "-1")))
})

test_that("CSV files give what read.csv() gives", {
  data <- mixed_frame()
  files <- file.path(tempdir(), c("1.csv", "2.csv", "3.csv.gz"))
  on.exit(unlink(files))
  parts <- in_parts(data, 9)
  for (k in 1:3) {
    part <- if (k == 2) parts[[k]][rev(names(data))] else parts[[k]]
    con <- if (k == 3) gzfile(files[3], "w") else file(files[k], "w")
    write.csv(part, con, row.names = FALSE, quote = k != 1)
    close(con)
  }
  whole <- tempfile(fileext = ".csv")
  write.csv(data, whole, row.names = FALSE)
  back <- read.csv(whole)
  for (formula in rows_formulas[c(1, 2, 5, 6)]) {
    wanted <- memory_rows(formula, back)
    for (chunk in c(2, 7, 1e5)) {
      expect_identical(written_rows(files, formula = formula, chunk = chunk), wanted,
                       info = paste(deparse(formula), chunk))
    }
  }
  got <- written_rows(whole, y = "y", weights = "w", chunk = 7)
  expect_identical(got, written_rows(back, y = "y", weights = "w"))
  # a byte order mark, quoted numbers, and text with what separates rows and fields
  text <- c("a,b,y", "\"1\",\"x, \"\"y\"\"", "z\",0", "2,u,1", "", "\"3\",7,1")
  writeLines(c(paste0("\ufeff", text[1]), text[-1]), whole)
  for (chunk in c(1, 2, 10)) {
    expect_identical(written_rows(whole, y = "y", chunk = chunk),
                     written_rows(read.csv(text = text), y = "y"))
  }
})

test_that("a function may give its rows once, with the levels that it is told", {
  data <- mixed_frame()
  data$colour <- droplevels(data$colour)
  levels <- list(text = sort(unique(data$text)), colour = c("red", "blue"), size = c("S", "M", "L"))
  formula <- y ~ num * text + colour + size + log(whole)
  for (size in c(1, 7, 24)) {
    parts <- in_parts(data, size)
    expect_identical(written_rows(giving(parts, once = TRUE), formula = formula, levels = levels),
                     memory_rows(formula, data))
    expect_identical(written_rows(giving(parts), formula = formula), memory_rows(formula, data))
  }
  x <- as.matrix(data[1:2])
  lists <- lapply(in_parts(data, 7), function(part) {
    list(x = as.matrix(part[1:2]), y = part$y, weights = part$w)
  })
  expect_identical(written_rows(giving(lists, once = TRUE)),
                   written_rows(x, y = data$y, weights = data$w))
  # terms of one factor whose levels are given
  cuts <- list("cut(num, c(-9, 0, 9))" = levels(cut(0, c(-9, 0, 9))))
  expect_identical(written_rows(giving(in_parts(data, 7), once = TRUE), levels = cuts,
                                formula = y ~ cut(num, c(-9, 0, 9)) + num),
                   memory_rows(y ~ cut(num, c(-9, 0, 9)) + num, data))
})

test_that("numbers that are all one value are a regression on disk as in memory", {
  set.seed(5)
  x <- matrix(rnorm(24), 12)
  same <- function(y, ...) {
    path <- rows_path()
    expect_message(write_rows(x, path, y = y, chunk = 5), "in all rows")
    disk <- quietly(margin_linear(read_rows(path), solver = "newton", ...))
    memory <- quietly(margin_linear(x, y, solver = "newton", ...))
    expect_identical(coef(disk), coef(memory))
    expect_identical(disk$certificate, memory$certificate)
    expect_identical(conditionMessage(error_of(margin_linear(read_rows(path)))),
                     conditionMessage(error_of(margin_linear(x, y))))
  }
  for (value in c(0, 1, -1)) {
    same(rep(value, 12), loss = "squared", lambda = 0.1)
    same(rep(as.integer(value), 12), loss = loss_huber(unit = "response"), lambda = 0.1)
  }
  expect_error(written_rows(x, y = rep("a", 12)), "one class only")
})

test_that("a class of numbers whose weights are all 0 is for the fit to refuse, as in memory", {
  set.seed(5)
  x <- matrix(rnorm(24), 12)
  weights <- rep(c(1, 0), c(8, 4))
  for (y in list(numeric(12), rep(0:1, c(8, 4)))) {
    path <- rows_path()
    quietly(write_rows(x, path, y = y, weights = weights))
    disk <- quietly(margin_linear(read_rows(path), loss = "squared", solver = "newton", lambda = 0.1))
    memory <- quietly(margin_linear(x, y, weights = weights, loss = "squared", solver = "newton",
                                    lambda = 0.1))
    expect_identical(coef(disk), coef(memory))
    expect_identical(conditionMessage(error_of(margin_linear(read_rows(path)))),
                     conditionMessage(error_of(margin_linear(x, y, weights = weights))))
  }
  expect_error(write_rows(x, rows_path(), y = factor(y), weights = weights), "no weight at all")
})

test_that("the task is decided on all rows, by the rules of a fit", {
  x <- matrix(rnorm(12), 6)
  task <- function(y) written_rows(x, y = y, chunk = 2)[c("task", "levels", "type", "y")]
  for (y in list(factor(c("b", "a"))[c(1, 1, 1, 1, 2, 2)], c(TRUE, FALSE)[c(1, 1, 1, 1, 1, 2)],
                 c("z", "q", "m")[c(1, 1, 2, 2, 3, 3)], c(0, 0, 0, 0, 1, 1), c(1, 1, 1, -1, -1, -1),
                 c(0, 1, 0, 1, 2, 0.5), factor(1:3, levels = 4:1)[c(1, 2, 3, 1, 2, 3)])) {
    wanted <- quietly(code_response(y, NULL, 6))
    expect_identical(task(y), list(task = wanted$task, levels = wanted$levels, type = wanted$type,
                                   y = wanted$codes))
  }
  none <- rows_path()
  write_rows(x, none)
  expect_null(read_rows(none)$task)
  expect_false(read_rows(none)$labels)
})

test_that("what a file keeps codes a data frame as the fit's rows were", {
  data <- mixed_frame()
  path <- rows_path()
  two <- poly(data$num, 2)
  coefs <- attr(two, "coefs")
  write_rows(data, path, chunk = 7,
             formula = y ~ poly(num, 2, coefs = coefs) * text + colour + scale(whole, 4, 2))
  expect_equal(read_rows(path)[, 1:2], two, ignore_attr = TRUE)
  coefs <- NULL
  rows <- read_rows(path)
  new <- design_newdata(unclass(rows), data[5:20, ])$x
  expect_equal(unname(as.matrix(new)), unname(rows[5:20, ]), tolerance = 1e-12)
  expect_identical(colnames(new), colnames(rows))
  expect_lt(length(serialize(rows, NULL)), 2e4)
})

test_that("new rows are coded as those of a fit, or of another file", {
  data <- mixed_frame(40)
  old <- data[1:25, ]
  new <- data[31:40, ]
  formula <- y ~ poly(num, 2) * text + colour + scale(whole)
  fit <- quietly(margin_linear(formula, old, loss = "logistic"))
  path <- rows_path()
  write_rows(old, path, formula = fit)
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
  # parts of LIBSVM have as many columns as their largest index
  sparse <- function(...) list(x = as(Matrix::sparseMatrix(...), "RsparseMatrix"), y = c(1, -1))
  write_rows(giving(list(sparse(i = 1:2, j = c(1, 4), x = 1:2)), once = TRUE), path,
             overwrite = TRUE)
  few <- giving(list(sparse(i = 1:2, j = 2:1, x = 2:3)), once = TRUE)
  expect_identical(written_rows(few, formula = read_rows(path))$x, rbind(c(0, 2, 0, 0), c(3, 0, 0, 0)))
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

test_that("a maximum of sorted rows hangs on other rows too", {
  d <- data.frame(y = rep(c("a", "b"), 200), year = rep(2001:2010, each = 40))
  for (formula in list(y ~ I(max(year) - year), y ~ I(year / max(year)))) {
    expect_input_error(write_rows(d, tempfile(), formula = formula, chunk = 100), "formula", "other rows")
  }
  path <- tempfile()
  suppressMessages(write_rows(d, path, formula = y ~ I(2010 - year) + log(year), chunk = 100))
  expect_equal(read_rows(path)[1:400, ][, 1], 2010 - d$year, ignore_attr = TRUE)
})
