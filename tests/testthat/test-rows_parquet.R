# Parquet files: one group of rows after the other, by any package that reads them.

# The readers of the packages that are here, by name.
parquet_readers <- function() {
  readers <- list(arrow = dualmargin:::parquet_by_arrow, nanoparquet = dualmargin:::parquet_whole)
  readers[c(dualmargin:::arrow_reads_parquet(), requireNamespace("nanoparquet", quietly = TRUE))]
}

write_groups <- function(data, file, rows, ...) {
  nanoparquet::write_parquet(data, file, ..., options = nanoparquet::parquet_options(
    num_rows_per_row_group = rows
  ))
}

# The names of files stand for frames in parts; how many parts are held and which files are open.
pretended_parquet <- function(files) {
  seen <- new.env()
  seen$open <- character()
  seen$rows <- integer()
  reader <- function(path) {
    parts <- files[[basename(path)]]
    seen$open <- c(seen$open, path)
    list(groups = length(parts), integers = "whole", read = function(k, columns) {
      seen$rows <- c(seen$rows, nrow(parts[[k]]))
      if (is.null(columns)) parts[[k]] else parts[[k]][intersect(names(parts[[k]]), columns)]
    }, close = function() seen$open <- setdiff(seen$open, path))
  }
  list(reader = reader, seen = seen)
}

test_that("groups of any size, and without rows, are one table", {
  data <- mixed_frame()
  data$size <- factor(data$size, ordered = FALSE)
  folder <- tempfile()
  dir.create(folder)
  cuts <- list(c(0, 5, 6, 6, 9), c(9, 9), c(9, 24, 24))
  parted <- function(cut) {
    lapply(seq_along(cut)[-1L], function(k) data[seq_len(cut[k] - cut[k - 1L]) + cut[k - 1L], ])
  }
  files <- lapply(cuts, parted)
  names(files) <- sprintf("%d.parquet", seq_along(files))
  file.create(file.path(folder, names(files)))
  pretended <- pretended_parquet(files)
  by <- function(expression) with_own("parquet_package", function() pretended$reader, expression)
  for (chunk in c(1, 4, 1e5)) for (formula in rows_formulas[c(1, 2, 5)]) {
    expect_identical(by(written_rows(folder, formula = formula, chunk = chunk)),
                     memory_rows(formula, data))
  }
  expect_identical(pretended$seen$open, character())
  # a group is fetched when the rows before it have gone
  source <- by(dualmargin:::files_source(folder, NULL, 2))
  pretended$seen$rows <- integer()
  sizes <- integer()
  repeat {
    part <- source$next_part()
    if (is.null(part)) break
    sizes <- c(sizes, nrow(part$x))
    expect_lte(sum(pretended$seen$rows) - sum(sizes), max(0, pretended$seen$rows[
      length(pretended$seen$rows)] - nrow(part$x)))
  }
  expect_identical(pretended$seen$rows, c(5L, 1L, 0L, 3L, 0L, 15L, 0L))
  expect_identical(sizes, c(2L, 2L, 1L, 1L, 2L, 1L, rep(2L, 7), 1L))
  # the row at fault is numbered within its file
  files[[3L]][[1L]]$num[4] <- NA
  pretended <- pretended_parquet(files)
  expect_match(conditionMessage(error_of(by(written_rows(folder, formula = y ~ num, chunk = 3)))),
               "row 4 of \"3[.]parquet\"")
  expect_identical(pretended$seen$open, character())
})

test_that("every package reads the table that was written", {
  skip_if_not_installed("nanoparquet")
  data <- mixed_frame()
  data$size <- factor(data$size, ordered = FALSE)
  folder <- tempfile()
  dir.create(folder)
  parts <- in_parts(data, 9)
  for (k in names(parts)) {
    write_groups(parts[[k]], file.path(folder, paste0(k, ".parquet")), 4)
  }
  for (reader in parquet_readers()) {
    by <- function(expression) with_own("parquet_package", function() reader, expression)
    for (chunk in c(2, 1e5)) for (formula in rows_formulas[c(1, 2, 5)]) {
      expect_identical(by(written_rows(folder, formula = formula, chunk = chunk)),
                       memory_rows(formula, data))
    }
    expect_identical(by(written_rows(folder, y = "y", weights = "w")),
                     written_rows(data, y = "y", weights = "w"))
  }
})

test_that("arrow holds one group of rows", {
  skip_if_not_installed("nanoparquet")
  skip_if_not_installed("arrow")
  skip_if_not(dualmargin:::arrow_reads_parquet(), "arrow was built without Parquet")
  file <- tempfile(fileext = ".parquet")
  write_groups(mixed_frame(), file, 7)
  opened <- dualmargin:::parquet_by_arrow(file)
  on.exit(opened$close())
  expect_identical(opened$groups, 4L)
  expect_identical(vapply(1:4, function(k) nrow(opened$read(k, NULL)), 1L), c(7L, 7L, 7L, 3L))
  expect_named(opened$read(2, c("text", "num")), c("num", "text"), ignore.order = TRUE)
})

test_that("64-bit integers of Parquet are right, or an error that names them", {
  skip_if_not_installed("nanoparquet")
  values <- c(1:9, 4e9, 2^53 - 1, 7)
  frame <- data.frame(a = values, z = as.double(12:1), y = rep(c("n", "p"), 6))
  wanted <- written_rows(frame, y = "y")
  long <- nanoparquet::parquet_schema(a = "INT64", z = "DOUBLE", y = "STRING")
  file <- tempfile(fileext = ".parquet")
  for (reader in parquet_readers()) {
    by <- function(expression) with_own("parquet_package", function() reader, expression)
    fault <- function(...) conditionMessage(error_of(by(written_rows(...))))
    write_groups(frame, file, 4, schema = long)
    expect_identical(by(written_rows(file, y = "y", chunk = 5)), wanted)
    above <- frame
    above$a[5] <- 2^60
    write_groups(above, file, 4, schema = long)
    expect_match(fault(file, y = "y", chunk = 2),
                 "in row 5 of \".*parquet\", column \"a\", where doubles skip integers")
    # others of such size are no integers
    write_groups(above, file, 4)
    expect_identical(by(written_rows(file, y = "y")), written_rows(above, y = "y"))
  }
})

test_that("a file that is no Parquet, cut or nested is an error that names it", {
  skip_if_not_installed("nanoparquet")
  file <- tempfile(fileext = ".parquet")
  for (reader in parquet_readers()) {
    by <- function(expression) with_own("parquet_package", function() reader, expression)
    fault <- function() conditionMessage(error_of(by(written_rows(file, y = "y"))))
    writeLines("a,b", file)
    expect_match(fault(), paste0("\"", basename(file), "\" cannot be read as Parquet"))
    nanoparquet::write_parquet(mixed_frame(), file)
    bytes <- readBin(file, "raw", 1e6)
    writeBin(bytes[seq_len(length(bytes) - 40L)], file)
    expect_match(fault(), paste0("\"", basename(file), "\" cannot be read as Parquet"))
    nested <- data.frame(a = 1:2, y = c("p", "q"))
    nested$l <- list(1:2, 3L)
    nanoparquet::write_parquet(nested, file)
    expect_match(fault(), "column \"l\"")
  }
})
