# The oracle: the same format by strsplit() and as.numeric(), one line at a time.
slow_read <- function(lines, zero_based = FALSE) {
  lines <- trimws(sub("#.*", "", lines))
  tokens <- strsplit(lines[nzchar(lines)], "[ \t]+")
  y <- as.numeric(vapply(tokens, `[`, "", 1))
  pairs <- lapply(tokens, function(t) strsplit(t[-1], ":"))
  index <- lapply(pairs, function(p) as.integer(vapply(p, `[`, "", 1)) + zero_based)
  x <- matrix(0, length(y), max(0L, unlist(index)))
  for (i in seq_along(y)) {
    x[i, index[[i]]] <- as.numeric(vapply(pairs[[i]], `[`, "", 2))
  }
  list(x = x, y = y)
}

text_file <- function(lines, sep = "\n") {
  path <- tempfile(fileext = ".txt")
  writeBin(charToRaw(paste0(lines, sep, collapse = "")), path)
  path
}

# Doubles of every size, with rows and columns of zeros.
random_sparse <- function(n, p, density) {
  x <- matrix(0, n, p)
  hit <- runif(n * p) < density
  x[hit] <- rnorm(sum(hit)) * 10^runif(sum(hit), -300, 300)
  x[sample(n, n %/% 5), ] <- 0
  x[, c(1, sample(p, p %/% 5))] <- 0
  x
}

dense <- function(x) unname(as.matrix(x))

expect_fault <- function(lines, fault, ..., line = length(lines)) {
  error <- expect_error(read_libsvm(text_file(lines), ...), class = "dualmargin_input_error")
  expect_identical(error$arg, "path")
  message <- conditionMessage(error)
  expect_match(message, sprintf("^`path`: line %d of ", line))
  expect_match(message, fault, fixed = TRUE)
}

test_that("a matrix is read back to the last bit: dense, sparse, 0- or 1-based, gz or not", {
  set.seed(1)
  cases <- expand.grid(zero_based = c(FALSE, TRUE), ext = c("", ".gz"),
                       density = c(0, 0.1, 1), stringsAsFactors = FALSE)
  for (k in seq_len(nrow(cases))) {
    x <- random_sparse(23, 17, cases$density[k])
    y <- rnorm(23) * 10^runif(23, -20, 20)
    forms <- list(x, as(x, "CsparseMatrix"), as(x, "RsparseMatrix"), as(x, "TsparseMatrix"))
    for (form in forms) {
      path <- tempfile(fileext = cases$ext[k])
      write_libsvm(form, y, path, zero_based = cases$zero_based[k])
      back <- read_libsvm(path, features = 17, zero_based = cases$zero_based[k])
      expect_s4_class(back$x, "dgRMatrix")
      expect_true(validObject(back$x))
      expect_identical(dense(back$x), x)
      expect_identical(back$y, y)
      magic <- readBin(path, "raw", 2)
      expect_identical(identical(magic, as.raw(c(0x1f, 0x8b))), cases$ext[k] == ".gz")
    }
  }
})

test_that("reader and slow parser agree on every dialect of the text", {
  lines <- c("+1 1:1 3:0.5", "", "-1 2:-3.25e-2\t4:1e2", "0", "   ", "# a comment",
             "2.5  1:7 # end",
             "3 4:0 ", "1 4:+.5")
  for (sep in c("\n", "\r\n")) {
    got <- read_libsvm(text_file(lines, sep))
    expect_identical(got$y, slow_read(lines)$y)
    expect_identical(dense(got$x), slow_read(lines)$x)
  }
  expect_identical(length(got$x@x), 7L) # the zero that is written stays
  shifted <- read_libsvm(text_file(lines), zero_based = TRUE)
  expect_identical(dense(shifted$x), slow_read(lines, zero_based = TRUE)$x)
  # without the last newline, with a byte order mark
  open <- text_file("1 2:5", "")
  expect_identical(read_libsvm(open)$x@x, 5)
  mark <- tempfile()
  writeBin(c(as.raw(c(0xef, 0xbb, 0xbf)), charToRaw("4 1:2\n")), mark)
  expect_identical(read_libsvm(mark)$y, 4)
  # labels only
  bare <- read_libsvm(text_file(c("1", "2")))
  expect_identical(dim(bare$x), c(2L, 0L))
})

test_that("the text may be cut into pieces anywhere", {
  lines <- c("1 1:0.25 3:-1e3", "", "-1 2:7 # x", "+3")
  bytes <- charToRaw(paste(lines, collapse = "\n"))
  read_in_pieces <- function(size) {
    at <- 0
    libsvm_read_cpp(function() {
      piece <- bytes[at < seq_along(bytes) & seq_along(bytes) <= at + size]
      at <<- at + size
      piece
    }, -1L, FALSE, FALSE)
  }
  whole <- read_in_pieces(length(bytes))
  expect_identical(whole$y, c(1, -1, 3))
  for (size in c(1, 2, 3, 5, 7, 11)) {
    expect_identical(read_in_pieces(size), whole)
  }
  # more than one block of 2^16 entries and more than one chunk of the file
  path <- tempfile(fileext = ".gz")
  many <- a1a$x[rep(seq_len(1605), 12), ]
  write_libsvm(many, rep(a1a$y, 12), path)
  back <- read_libsvm(path, features = 123)
  expect_identical(as(back$x, "CsparseMatrix"), many)
  expect_identical(back$y, rep(a1a$y, 12))
})

test_that("features sets the width and bounds the indices", {
  path <- text_file(c("1 3:1", "2"))
  expect_identical(dim(read_libsvm(path)$x), c(2L, 3L))
  expect_identical(dim(read_libsvm(path, features = 10)$x), c(2L, 10L))
  expect_identical(dim(read_libsvm(path, zero_based = TRUE)$x), c(2L, 4L))
  expect_fault("1 3:1", "the index 3 is beyond `features` = 2", features = 2)
  expect_fault("1 3:1", "the index 3 is beyond `features` = 3", features = 3, zero_based = TRUE)
  for (bad in list(-1, 1.5, NA, "3", c(1, 2))) {
    expect_error(read_libsvm(path, features = bad), "`features` is",
                 class = "dualmargin_input_error")
  }
  for (bad in list(NA, 1, "yes")) {
    expect_error(read_libsvm(path, zero_based = bad), "`zero_based` is",
                 class = "dualmargin_input_error")
  }
})

test_that("a file with fewer features than the fit is told how to be read", {
  x <- Matrix::Matrix(cbind(1:8, c(0, 1), c(1, 0, 0, 2)), sparse = TRUE)
  fit <- margin_linear(x, rep(1:2, 4) + 1:8, loss = "squared", lambda = 0.1)
  path <- text_file(c("1 1:1", "2 2:3"))
  expect_error(predict(fit, read_libsvm(path)$x), "of a file give read_libsvm(features = 3)",
               fixed = TRUE, class = "dualmargin_input_error")
  expect_length(predict(fit, read_libsvm(path, features = 3)$x), 2L)
})

test_that("each fault of a file is told with its line", {
  ok <- c("1 1:1", "", "# x") # these lines count, too
  expect_fault(c(ok, "spam 1:1"), "the label 'spam' is not a number")
  expect_fault(c(ok, "1x 1:1"), "the label '1x' is not a number")
  expect_fault(c(ok, "1,3 1:1"), "the label '1,3' is a list; keep one label a line")
  expect_fault(c(ok, "1:1 2:1"), "it starts with '1:1' and has no label")
  for (label in c("nan", "-Inf", "NA", "1e999")) {
    expect_fault(c(ok, label), sprintf("the label '%s' is not finite", label))
  }
  expect_fault(c(ok, "1 3"), "the feature '3' has no colon; write index:value")
  expect_fault(c(ok, "1 1.5:2"), "the index '1.5' of '1.5:2' is not a whole number")
  expect_fault(c(ok, "1 -1:2"), "the index '-1' of '-1:2' is not a whole number")
  expect_fault(c(ok, "1 :2"), "the index '' of ':2' is not a whole number")
  expect_fault(c(ok, "1 word:2"), "the index 'word' of 'word:2' is not a whole number")
  expect_fault(c(ok, "1 0:2"), "the index 0 needs a file read from 0; use zero_based = TRUE")
  expect_fault(c(ok, "1 99999999999:2"), "an index is above 2147483647")
  expect_fault(c(ok, "1 2147483648:2"), "an index is above 2147483647")
  expect_fault(c(ok, "1 5:1 3:1"), "the index 3 comes after 5; sort the features")
  expect_fault(c(ok, "1 5:1 3:1"), "the index 3 comes after 5", zero_based = TRUE)
  expect_fault(c(ok, "1 5:1 5:2"), "the index 5 comes twice")
  for (value in c("1:nan", "1:Inf", "1:-infinity", "1:NA", "1:1e999")) {
    expect_fault(c(ok, paste(1, value)), sprintf("the value of '%s' is not finite", value))
  }
  for (value in c("1:x", "1:0x10", "1:1,5", "1:1:1", "1:1e", "1:--1")) {
    expect_fault(c(ok, paste(1, value)), sprintf("the value of '%s' is not a number", value))
  }
  expect_fault(c(ok, "1 1:1 2:"), "it ends after '2:' without a value; is the file cut off?")
  expect_fault(c(ok, "1 1: 2:1"), "the index '1' has no value")
  expect_fault(c(ok, "1 qid:3 1:1"), "it has the query id 'qid:3'")
  expect_fault(c(ok, "1 qid:3 1:1"), "read_libsvm(skip_qid = TRUE) skips it")
  expect_fault(c("2 1:x", ok), "not a number", line = 1)
  # what is not text is shown as text, and no more of it than helps
  expect_fault(paste0("\001\xff", strrep("z", 100)), paste0("'??", strrep("z", 28), "...'"))
})

test_that("a packed file that is cut off or damaged is an error, not a shorter data set", {
  path <- tempfile(fileext = ".gz")
  write_libsvm(a1a$x, a1a$y, path)
  bytes <- readBin(path, "raw", 1e6)
  size <- length(bytes)
  damaged <- tempfile()
  for (keep in c(12, size %/% 2, size - 4)) {
    writeBin(head(bytes, keep), damaged)
    expect_error(read_libsvm(damaged), "`path`: .*(cut off|cannot be)",
                 class = "dualmargin_input_error")
  }
  bytes[size %/% 2] <- xor(bytes[size %/% 2], as.raw(0xff))
  writeBin(bytes, damaged)
  expect_error(read_libsvm(damaged), "`path`", class = "dualmargin_input_error")
})

test_that("a path that is no file is an error with its own words", {
  expect_error(read_libsvm(3), "`path` is 3, but must be the name",
               class = "dualmargin_input_error")
  expect_error(read_libsvm(c("a", "b")), "must be the name of one",
               class = "dualmargin_input_error")
  expect_error(read_libsvm("no-such-file"), "there is no such file",
               class = "dualmargin_input_error")
  expect_error(read_libsvm(tempdir()), "which is a folder; give the name of a file",
               class = "dualmargin_input_error")
  expect_error(read_libsvm(text_file(c("", "# x"))), "has no sample",
               class = "dualmargin_input_error")
  expect_error(write_libsvm(diag(2), 1:2, file.path(tempdir(), "no", "x")),
               "that folder does not exist", class = "dualmargin_input_error")
})

test_that("what cannot be written is an error and leaves no file", {
  path <- tempfile()
  refused <- function(x, y, words, arg) {
    error <- expect_error(write_libsvm(x, y, path), words, class = "dualmargin_input_error")
    expect_identical(error$arg, arg)
    expect_false(file.exists(path))
  }
  refused(diag(3), 1:2, "`y` has length 2, but `x` has 3 rows", "y")
  refused(diag(2), c("a", "b"), "labels are numbers; use factor", "y")
  refused(diag(2), c(1, NA), "`y` is not finite in row 2", "y")
  refused(diag(2), factor(c("a", NA)), "`y` is not finite in row 2", "y")
  refused(diag(2), list(1, 2), "labels are numbers", "y")
  refused(data.frame(a = 1:2), 1:2, "`x` is a data.frame, but must be a numeric matrix", "x")
  refused(matrix("a", 2, 1), 1:2, "must be a numeric matrix", "x")
  refused(matrix(0, 0, 2), numeric(), "`x` has 0 rows", "x")
  for (bad in c(NA, NaN, Inf, -Inf)) {
    x <- diag(2)
    x[2, 1] <- bad
    refused(x, 1:2, "NA, NaN or infinite", "x")
    refused(as(x, "CsparseMatrix"), 1:2, "NA, NaN or infinite", "x")
  }
})
