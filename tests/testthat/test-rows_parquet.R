# Parquet files: one group of rows after the other, by any package that reads them.

# The readers of the packages that are here, by name.
parquet_readers <- function() {
  readers <- list(arrow = parquet_by_arrow, nanoparquet = parquet_whole)
  readers[c(arrow_reads_parquet(), requireNamespace("nanoparquet", quietly = TRUE))]
}

write_groups <- function(data, file, rows, ...) {
  nanoparquet::write_parquet(data, file, ..., options = nanoparquet::parquet_options(
    num_rows_per_row_group = rows
  ))
}

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
