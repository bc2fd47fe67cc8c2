with_data_dir <- function(folder, code) {
  old <- options(dualmargin.data_dir = folder)
  on.exit(options(old))
  code
}

test_that("a1a is the published set", {
  expect_s4_class(a1a$x, "dgCMatrix")
  expect_true(validObject(a1a$x))
  expect_identical(dim(a1a$x), c(1605L, 123L))
  expect_identical(length(a1a$x@x), 22249L)
  expect_true(all(a1a$x@x == 1))
  expect_identical(c(table(a1a$y)), c("-1" = 1210L, "1" = 395L))
  # the first line of the file: -1 3 11 14 19 39 42 55 64 67 73 75 76 80 83
  expect_identical(which(a1a$x[1, ] == 1), c(3L, 11L, 14L, 19L, 39L, 42L, 55L, 64L, 67L, 73L, 75L,
                                             76L, 80L, 83L))
  expect_identical(a1a$y[1], -1)
  expect_lte(max(Matrix::rowSums(a1a$x)), 14)
  expect_identical(sum(Matrix::colSums(a1a$x) == 0), 10L)
})

test_that("spambase is the published set", {
  expect_identical(dim(spambase), c(4601L, 58L))
  expect_identical(c(table(spambase$type)), c(nonspam = 2788L, spam = 1813L))
  x <- spambase[-58]
  expect_true(all(vapply(x, is.double, NA)))
  expect_false(anyNA(spambase))
  expect_identical(names(x), make.names(names(x), unique = TRUE))
  expect_identical(c(sum(grepl("^word_freq_", names(x))), sum(grepl("^char_freq_", names(x)))),
                   c(48L, 6L))
  # means of the documentation of the repository
  expect_equal(unname(colMeans(x[c("word_freq_make", "word_freq_george", "char_freq_dollar",
                                   "capital_run_length_average", "capital_run_length_total")])),
               c(0.10455, 0.7673, 0.075811, 5.1915, 283.29), tolerance = 1e-4)
  expect_identical(max(x$capital_run_length_longest), 9989)
  # percentages
  percent <- as.matrix(x[1:54])
  expect_true(all(percent >= 0 & percent <= 100))
})

test_that("colon is the published set", {
  expect_identical(dim(colon$x), c(62L, 2000L))
  expect_identical(storage.mode(colon$x), "double")
  expect_identical(c(table(colon$y)), c(normal = 22L, tumour = 40L))
  expect_true(all(is.finite(colon$x)) && all(colon$x > 0))
  expect_identical(anyDuplicated(colnames(colon$x)), 0L)
  expect_equal(colon$x[1, 1:3], c(X1 = 8589.42, X2 = 5468.24, X3 = 4263.41))
  expect_identical(as.character(colon$y[1:4]), c("tumour", "normal", "tumour", "normal"))
})

test_that("the list of known sets is whole", {
  known <- with_data_dir("", margin_data())
  expect_identical(known$name[known$available], c("a1a", "spambase", "colon"))
  expect_identical(anyDuplicated(known$name), 0L)
  expect_true(all(grepl("^[0-9a-f]{64}$", c(known$sha256, known$sha256_unpacked))))
  expect_true(all(grepl("^https://", known$address)))
  expect_true(all(nzchar(known$licence)) && all(nzchar(known$source)))
  expect_true(all(known$rows > 0 & known$columns > 0))
})

test_that("every available set has the rows, columns and classes of the list", {
  # the three bundled ones, and whatever is in the folder of this session
  known <- margin_data()
  for (i in which(known$available)) {
    set <- margin_data(known$name[i])
    expect_named(set, c("x", "y", "source", "licence"))
    expect_identical(dim(set$x), c(known$rows[i], known$columns[i]), info = known$name[i])
    expect_length(set$y, known$rows[i])
    expect_false(anyNA(set$y))
    expect_gt(length(unique(set$y)), 1)
    expect_identical(set$source, known$source[i])
  }
})

test_that("bundled sets come as x and y", {
  expect_identical(margin_data("a1a")[c("x", "y")], a1a)
  expect_identical(margin_data("colon")[c("x", "y")], colon)
  spam <- margin_data("spambase")
  expect_identical(spam$x, as.matrix(spambase[-58]) |> `rownames<-`(NULL))
  expect_identical(spam$y, spambase$type)
})

test_that("a set that is not there is an error with address, checksum and folder", {
  set <- subset(with_data_dir("", margin_data()), name == "a9a")
  error <- expect_error(with_data_dir("", margin_data("a9a")), class = "dualmargin_input_error")
  expect_match(conditionMessage(error), "no folder is set", fixed = TRUE)
  expect_match(conditionMessage(error), "dualmargin.data_dir", fixed = TRUE)
  folder <- tempfile("data")
  dir.create(folder)
  error <- expect_error(with_data_dir(folder, margin_data("a9a")), class = "dualmargin_input_error")
  for (part in c(folder, set$address, set$sha256, set$sha256_unpacked, "a9a.gz")) {
    expect_match(conditionMessage(error), part, fixed = TRUE)
  }
  expect_identical(error$arg, "name")
  error <- expect_error(margin_data("a1b"), "`name` is \"a1b\"", class = "dualmargin_input_error")
  expect_error(margin_data(3), "`name` is 3", class = "dualmargin_input_error")
  expect_error(with_data_dir(7, margin_data("a9a")), "`dualmargin.data_dir` is 7",
               class = "dualmargin_input_error")
})

test_that("option wins over environment variable", {
  old <- Sys.getenv("DUALMARGIN_DATA", NA)
  on.exit(if (is.na(old)) Sys.unsetenv("DUALMARGIN_DATA") else Sys.setenv(DUALMARGIN_DATA = old))
  Sys.setenv(DUALMARGIN_DATA = "from-the-environment")
  expect_error(with_data_dir(NULL, margin_data("w8a")), "from-the-environment",
               class = "dualmargin_input_error")
  expect_error(with_data_dir("from-the-option", margin_data("w8a")), "from-the-option",
               class = "dualmargin_input_error")
})

test_that("a file that is not the listed one is refused", {
  folder <- tempfile("data")
  dir.create(folder)
  refused <- function(name, words) {
    expect_error(with_data_dir(folder, margin_data(name)), words, class = "dualmargin_input_error")
  }
  write_libsvm(a1a$x, a1a$y, file.path(folder, "a9a.gz")) # too few rows
  refused("a9a", "\"a9a\", 32561 rows by 123 columns, but .* has 1605 by 123; get it anew")
  writeLines("1 124:1", file.path(folder, "a2a")) # too many columns
  refused("a2a", "beyond `features` = 123")
  writeLines("\"age\";\"y\"\n30;\"no\"", file.path(folder, "bank.csv"))
  refused("bank", "4521 rows by 16 columns, but .* has 1 by 1")
  writeLines("\"age\";\"z\"\n30;\"no\"", file.path(folder, "bank-full.csv"))
  refused("bank-full", "has no column \"y\"")
  writeLines("label,g1\nAML,1\nother,2", file.path(folder, "leukemia_golub72.csv"))
  refused("golub", "has other classes than \"AML\", \"ALL\" in row 2")
})

test_that("tables: classes in the order of the list, numbers as a matrix, words as factors", {
  folder <- tempfile("data")
  dir.create(folder)
  known <- known_data_sets()
  read <- function(name, lines) {
    path <- file.path(folder, name)
    writeLines(lines, path)
    read_data_table(known[known$name == name, ], path, if (name == "bank") ";" else ",")
  }
  magic <- read("magic04", c("1,2,3,4,5,6,7,8,9,10,g", "0,2,3,4,5,6,7,8,9,-1.5,h"))
  expect_identical(magic$y, factor(c("gamma", "hadron"), levels = c("hadron", "gamma")))
  expect_identical(dim(magic$x), c(2L, 10L))
  expect_identical(magic$x[, "fLength"], c(1, 0))
  expect_identical(magic$x[, "fDist"], c(10, -1.5))
  bank <- read("bank", c("age;job;y", "30;\"admin.\";\"no\"", "40;\"self-employed\";\"yes\""))
  expect_identical(bank$x,
                   data.frame(age = c(30L, 40L), job = factor(c("admin.", "self-employed"))))
  expect_identical(bank$y, factor(c("no", "yes")))
  genes <- read("vantveer96", c("Sample,metastases,grade,ERstatus,AB-1", "1,1,2,pos,0.5",
                                "2,0,1,neg,1"))
  expect_identical(genes$x, cbind(`AB-1` = c(0.5, 1)))
  expect_identical(genes$y, factor(c("yes", "no"), levels = c("no", "yes")))
})
