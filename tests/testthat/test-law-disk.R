# Rows in a file are the rows in memory: the same bits for the same named solver.

disk_data <- local({
  set.seed(33)
  n <- 400L
  x <- matrix(rnorm(n * 9L), n) * (matrix(runif(n * 9L), n) < 0.6)
  score <- x[, 1L] - x[, 2L] + rnorm(n)
  far <- cbind(x, 1e4 + rnorm(n))
  list(dense = far, sparse = methods::as(Matrix::Matrix(far, sparse = TRUE), "RsparseMatrix"),
       class = factor(score > 0), response = score, weights = sample(0:3, n, TRUE) + runif(n),
       three = factor(cut(score, c(-Inf, -1, 1, Inf), labels = FALSE)))
})

small_chunks <- function(expression) {
  old <- options(dualmargin.chunk_entries = 300)
  on.exit(options(old))
  suppressWarnings(expression, classes = "dualmargin_not_certified")
}
disk_control <- function(threads = 1L, ...) {
  margin_control(seed = 5, max_epochs = 60, progress = FALSE, threads = threads, ...)
}

test_that("a file that is cut, damaged, changed or foreign is an error that names it", {
  rows <- disk_rows(disk_data$sparse, disk_data$class)
  bytes <- readBin(rows$path, "raw", file.size(rows$path))
  fails <- function(altered, words, opened = rows) {
    path <- tempfile()
    on.exit(unlink(path))
    writeBin(altered, path)
    opened$path <- path
    condition <- tryCatch(margin_linear(opened, loss = "logistic"), error = identity)
    expect_s3_class(condition, "dualmargin_input_error")
    expect_match(conditionMessage(condition), basename(path), fixed = TRUE)
    expect_match(conditionMessage(condition), words)
  }
  fails(bytes[seq_len(length(bytes) - 1L)], "is cut off")
  fails(bytes[1:100], "is no file of rows")
  fails(c(bytes, as.raw(0)), "more bytes than were written")
  fails(serialize(1, NULL), "is no file of rows")
  fails(replace(bytes, 50L, xor(bytes[50L], as.raw(1))), "its head does not fit")
  fails(replace(bytes, length(bytes), xor(bytes[length(bytes)], as.raw(1))), "its tail does not fit")
  # an entry of the third chunk: 37 rows a chunk
  changed <- replace(bytes, 7000L, xor(bytes[7000L], as.raw(64)))
  fails(changed, "\\(chunk 3, row 75\\) is damaged")
  other <- disk_rows(disk_data$sparse[400:1, ], disk_data$class)
  fails(readBin(other$path, "raw", file.size(other$path)), "has changed since read_rows")
  unlink(rows$path)
  expect_error(margin_linear(rows, loss = "logistic"), "there is no file",
               class = "dualmargin_input_error")
})

test_that("a chunk of dense rows has as many numbers as its rows have columns, whatever checksums say", {
  path <- tempfile(fileext = ".rows")
  on.exit(unlink(path))
  write_rows(disk_data$dense, path, y = disk_data$class, chunk = 200)
  bytes <- readBin(path, "raw", file.size(path))
  number <- function(at) readBin(bytes[at + 1:8], "integer", 1L, size = 4L, endian = "little")
  set <- function(at, value) {
    bytes[at + 1:8] <<- writeBin(c(value, 0L), raw(), size = 4L, endian = "little")
  }
  seal <- function(from, size, at) {
    part <- tempfile()
    on.exit(unlink(part))
    writeBin(bytes[from + seq_len(size)], part)
    sum <- file_checksum(part, size)
    pairs <- substring(sum, seq(15L, 1L, -2L), seq(16L, 2L, -2L))
    bytes[at + 1:8] <<- as.raw(strtoi(pairs, 16L))
  }
  # a row of the second chunk is said to be in the first one (src/rows/disk_format.h)
  tail <- number(64)
  places <- c(number(tail), number(tail + 32))
  for (at in c(places[1L], tail) + 8) set(at, 201L)
  for (at in c(places[2L], tail + 32) + 8) set(at, 199L)
  seal(tail, number(72), 80)
  seal(0, 120, 120)
  writeBin(bytes, path)
  expect_input_error(read_rows(path), "path", "its tail does not fit its head")
})

test_that("x[i, ] and head() are held against the checksums, summary() every byte", {
  for (x in disk_data[c("sparse", "dense")]) {
    path <- tempfile(fileext = ".rows")
    write_rows(x, path, y = disk_data$class, weights = disk_data$weights, chunk = 37)
    rows <- read_rows(path)
    expect_identical(summary(rows)$chunks, ceiling(400 / 37))
    bytes <- readBin(path, "raw", file.size(path))
    # an entry and the head of the second chunk
    at <- 128 + seq_len(2e4)
    second <- which(bytes[at] == as.raw(0x64) & bytes[at + 1] == as.raw(0x6d))[2L] + 128
    set.seed(3)
    flips <- c(sample(second + 32:200, 5L), second + 0:31, sample(length(bytes), 200L))
    told <- vapply(flips, function(k) {
      writeBin(replace(bytes, k, xor(bytes[k], as.raw(2^sample(0:7, 1L)))), path)
      inherits(error_of(summary(rows)), "dualmargin_input_error")
    }, NA)
    expect_true(all(told))
    writeBin(replace(bytes, second + 100, xor(bytes[second + 100], as.raw(1))), path)
    for (read in list(function(r) r[38:40, ], function(r) r[c(1, 60), ], function(r) head(r, 50),
                      function(r) r[74, 1])) {
      for (opened in list(rows, read_rows(path))) {
        expect_input_error(read(opened), "x", "(chunk 2, row 38) is damaged")
      }
    }
    # the chunks before it are as they were
    expect_equal(as.matrix(rows[1:37, ]), as.matrix(x[1:37, ]), ignore_attr = TRUE)
    unlink(path)
  }
})

test_that("what the file has cannot be given beside it, and who cannot read it says who can", {
  rows <- disk_rows(disk_data$dense, disk_data$class)
  three <- disk_rows(disk_data$dense, disk_data$three)
  none <- disk_rows(disk_data$dense)
  on.exit(unlink(c(rows$path, three$path, none$path)))
  fails <- function(expression, words) {
    expect_error(expression, words, class = "dualmargin_input_error")
  }
  fails(margin_linear(rows, y = disk_data$class), "`y` is given beside rows in a file")
  fails(margin_linear(rows, weights = disk_data$weights), "`weights` is given beside")
  fails(margin_linear(rows, subset = 1:10), "`subset` is given beside")
  fails(margin_linear(rows, solver = "dual_cd"), "use \"auto\", \"lbfgs\", \"newton\", \"ssnal\", \"fista\"")
  fails(margin_linear(rows, solver = "lasso", mixture = 1), "does not read rows in whole passes")
  fails(margin_linear(three, multiclass = "crammer_singer"), "use \"softmax\" or \"one_vs_rest\"")
  fails(margin_linear(none), "without a response")
  fails(margin_linear(rows, wieghts = 1), "wieghts")
  for (f in list(margin_kernel, margin_robust, margin_hard, margin_augmented)) {
    fails(f(rows), "`x` is rows in a file")
  }
  fails(margin_path(rows, family = "kernel"), "`x` is rows in a file")
  fails(margin_cv(rows, prove = TRUE), "`prove` needs the rows in memory")
  fails(margin_cv(rows, family = "kernel"), "rows in a file are for family = \"linear\"")
  fails(margin_loo(margin_linear(rows, loss = "hinge"), rows), "margin_linear\\(\\),")
})

test_that("a fit of rows in a file can be saved, and its rows as well", {
  rows <- disk_rows(disk_data$dense, disk_data$class)
  path <- tempfile(fileext = ".rds")
  on.exit(unlink(c(rows$path, path)))
  fit <- margin_linear(rows, loss = "logistic")
  saveRDS(list(fit, rows), path)
  again <- readRDS(path)
  expect_identical(coef(again[[1L]]), coef(fit))
  expect_identical(coef(margin_linear(again[[2L]], loss = "logistic")), coef(fit))
})

test_that("predictions and performance of rows in a file are those of the rows in memory", {
  for (x in disk_data[c("sparse", "dense")]) for (y in disk_data[c("class", "three")]) {
    rows <- disk_rows(x, y, disk_data$weights)
    file <- tempfile(fileext = ".csv")
    fit <- margin_linear(x, y, loss = "logistic", lambda = 0.01)
    for (type in c("class", "score", "prob")) {
      memory <- predict(fit, x, type = type)
      expect_identical(predict(fit, rows, type = type), memory, info = type)
      expect_identical(predict(fit, rows, type = type, file = file), file)
      read <- utils::read.csv(file, check.names = FALSE,
                              colClasses = if (type == "class") "character" else NA)
      expect_identical(unname(as.matrix(read)), unname(as.matrix(
        if (type == "class") as.character(memory) else memory
      )), info = type)
      unlink(file)
    }
    judged <- margin_performance(fit, rows)
    expect_identical(judged, margin_performance(fit, x, y = y, weights = disk_data$weights))
    unlink(rows$path)
  }
})

test_that("a path and a cross-validation of rows in a file are those of the rows in memory", {
  path_said <- function(path) {
    path$status$seconds <- path$by_class$seconds <- path$call <- path$fingerprint <- NULL
    path$settings$control <- NULL
    path
  }
  for (y in list(disk_data$class, disk_data$three, disk_data$response)) {
    x <- disk_data$sparse
    rows <- disk_rows(x, y, disk_data$weights)
    for (mixture in c(0, 0.5)) {
      control <- disk_control()
      ask <- list(solver = "newton", n_lambda = 5, mixture = mixture, control = control)
      memory <- small_chunks(do.call(margin_path, c(list(x, y, weights = disk_data$weights), ask)))
      disk <- small_chunks(do.call(margin_path, c(list(rows), ask)))
      expect_identical(path_said(disk), path_said(memory))
      expect_identical(predict(disk, rows, type = "score"), predict(memory, x, type = "score"))
    }
    grid <- list(lambda = c(0.1, 0.01))
    ask <- list(grid = grid, folds = 3, seed = 1, solver = "newton", control = disk_control())
    memory <- small_chunks(do.call(margin_cv, c(list(x, y, weights = disk_data$weights), ask)))
    disk <- small_chunks(do.call(margin_cv, c(list(rows), ask)))
    expect_identical(disk$results[names(disk$results) != "seconds"],
                     memory$results[names(memory$results) != "seconds"])
    expect_identical(disk$folds, memory$folds)
    unlink(rows$path)
  }
})

test_that("calibration reads the rows of a fit from the file", {
  rows <- disk_rows(disk_data$sparse, disk_data$class)
  on.exit(unlink(rows$path))
  fit <- function(...) margin_linear(..., loss = "hinge", solver = "ssnal", lambda = 0.01)
  disk <- margin_calibrate(fit(rows), rows, seed = 1)
  memory <- margin_calibrate(fit(disk_data$sparse, disk_data$class), disk_data$sparse,
                             disk_data$class, seed = 1)
  expect_identical(predict(disk, rows, type = "prob"),
                   predict(memory, disk_data$sparse, type = "prob"))
  expect_error(margin_calibrate(fit(rows), rows, disk_data$class), "leave `y` out",
               class = "dualmargin_input_error")
})

test_that("what reads rows after a fit holds them against what was opened, too", {
  for (x in disk_data[c("sparse", "dense")]) {
    rows <- disk_rows(x, disk_data$class)
    bytes <- readBin(rows$path, "raw", file.size(rows$path))
    other <- disk_rows(x[400:1, ], disk_data$class)
    fit <- margin_linear(rows, loss = "logistic", lambda = 0.01)
    path <- margin_path(rows, lambda = c(0.1, 0.01), solver = "newton")
    table <- tempfile(fileext = ".csv")
    readers <- list(
      function() predict(fit, rows), function() predict(fit, rows, file = table),
      function() predict(path, rows), function() margin_performance(fit, rows),
      function() margin_calibrate(fit, rows, folds = 2), function() margin_report(fit, test = rows),
      function() margin_cv(rows, folds = 2),
      function() margin_path(rows, lambda = 1)
    )
    fails <- function(altered, words) {
      writeBin(altered, rows$path)
      for (read in readers) {
        condition <- tryCatch(read(), error = identity)
        expect_s3_class(condition, "dualmargin_input_error")
        expect_match(conditionMessage(condition), words, info = deparse1(body(read)))
        expect_match(conditionMessage(condition), basename(rows$path), fixed = TRUE)
        expect_false(file.exists(table))
      }
    }
    # the last bit of an entry, which nothing but a checksum tells
    fails(replace(bytes, 7001L, xor(bytes[7001L], as.raw(1))), "is damaged")
    fails(bytes[seq_len(length(bytes) - 1L)], "is cut off")
    fails(readBin(other$path, "raw", length(bytes)), "has changed since read_rows")
    writeBin(bytes, rows$path)
    expect_equal(predict(fit, rows, type = "score"), as.vector(fit$scores), tolerance = 1e-12)
    unlink(c(rows$path, other$path))
    expect_error(predict(fit, rows), "there is no file", class = "dualmargin_input_error")
  }
})

test_that("weights in a file count in the metrics of a report", {
  rows <- disk_rows(disk_data$dense, disk_data$class)
  test <- disk_rows(disk_data$dense[1:99, ], disk_data$class[1:99], disk_data$weights[1:99])
  on.exit(unlink(c(rows$path, test$path)))
  fit <- margin_linear(rows, loss = "logistic")
  expect_identical(held_out(fit, test)$estimate[1L],
                   margin_performance(fit, test)$metrics$value[1L])
  expect_error(margin_report(fit, test = rows), "the rows that the fit was made from",
               class = "dualmargin_input_error")
})

test_that("a product with the Hessian reads long rows in a file once", {
  counter <- "/proc/self/io"
  skip_if_not(file.exists(counter), "this system does not count what is read")
  bytes <- function() as.double(sub("rchar: ", "", readLines(counter)[1L]))
  set.seed(1)
  n <- 4000L # rows so long that a block of the file has fewer than a step of the core
  x <- Matrix::sparseMatrix(rep(seq_len(n), each = 90L), as.vector(replicate(n, sample.int(3000, 90))),
                            x = rnorm(90 * n), dims = c(n, 3000), repr = "R")
  rows <- disk_rows(x, factor(drop(as.matrix(x[, 1:50] %*% rnorm(50))) > 0), chunk = n)
  on.exit(unlink(rows$path))
  before <- bytes()
  fit <- margin_linear(rows, loss = "logistic", lambda = 1e-3, scale = FALSE, intercept = "none",
                       solver = "newton",
                       control = margin_control(solver_options = list(subsample = FALSE)))
  expect_lt((bytes() - before) / file.size(rows$path), 1.5 * fit$status$epochs)
})
