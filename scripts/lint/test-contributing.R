# The tables of files in CONTRIBUTING.md are those of the tree: every file of R/ is in the table,
# and every file that is named exists. scripts/test.R says where the tree is.

tree <- Sys.getenv("DUALMARGIN_TREE")
in_tree <- function(...) file.path(tree, ...)

quoted_words <- function(lines) {
  gsub("`", "", unlist(regmatches(lines, gregexpr("`[^` ]+`", lines))), fixed = TRUE)
}
# `<family>` is any family, `*` any ending
as_pattern <- function(names) {
  vapply(gsub("<[a-z]+>", "*", names), utils::glob2rx, "", USE.NAMES = FALSE)
}
fits_any <- function(patterns, files) {
  Reduce(`|`, lapply(patterns, grepl, files), rep(FALSE, length(files)))
}

# What the table does not have of the files, and what it names that is not among them.
unlisted <- function(table, files) files[!fits_any(as_pattern(table), files)]
unknown <- function(table, files) {
  table[!vapply(as_pattern(table), function(name) any(grepl(name, files)), NA)]
}

lines <- readLines(in_tree("CONTRIBUTING.md"), encoding = "UTF-8")
first <- grep("^\\| first word \\|", lines)
table <- lines[seq(first, first + match(FALSE, startsWith(lines[-seq_len(first)], "|")) - 1L)]
listed <- grep("^[^/]*\\.R$", unique(quoted_words(table)), value = TRUE)
files <- setdiff(list.files(in_tree("R")), c("RcppExports.R", "dualmargin-package.R"))

test_that("every file of R is in the table of CONTRIBUTING.md, and no other", {
  expect_gt(length(listed), 60L)
  expect_identical(unlisted(listed, files), character())
  expect_identical(unknown(listed, files), character())
  # what is left out is told by name
  expect_identical(unlisted(listed, c(files, "nowhere.R")), "nowhere.R")
  expect_identical(unlisted(setdiff(listed, "nested.R"), files), "nested.R")
  expect_identical(unknown(listed, setdiff(files, "nested.R")), "nested.R")
})

test_that("every path and every test that CONTRIBUTING.md names exists", {
  names <- unique(quoted_words(lines))
  all <- list.files(tree, recursive = TRUE)
  paths <- grep("^(R|src|tests|vignettes|inst)/.*[a-zA-Z]$", names, value = TRUE)
  tests <- grep("^(test|helper)-[^/]*\\.R$", names, value = TRUE)
  paths <- c(paths, file.path("tests/testthat", tests))
  expect_gt(length(paths), 30L)
  expect_identical(unknown(paths, c(all, list.dirs(tree, full.names = FALSE))), character())
})

test_that("every link of the help leads to a page, and the site's index has topics that exist", {
  pages <- list.files(in_tree("man"), "[.]Rd$", full.names = TRUE)
  text <- lapply(pages, readLines, encoding = "UTF-8")
  taken <- function(pattern) {
    unlist(lapply(text, function(lines) {
      sub(pattern, "\\1", unlist(regmatches(lines, gregexpr(pattern, lines))), perl = TRUE)
    }))
  }
  aliases <- gsub("\\", "", taken("\\\\alias[{]([^}]*)[}]"), fixed = TRUE)
  links <- c(taken("\\\\link[{]([^}]*)[}]"), taken("\\\\link\\[=([^]]*)\\]"))
  expect_gt(length(links), 300L)
  of_r <- function(topic) {
    length(do.call(utils::help, list(topic, package = c("base", "stats", "utils", "graphics")))) > 0L
  }
  expect_identical(Filter(Negate(of_r), setdiff(links, aliases)), character())
  index <- readLines(in_tree("_pkgdown.yml"))
  contents <- paste(index[-seq_len(match("reference:", index))], collapse = " ")
  topics <- gsub("[][]|contents: ", "", unlist(regmatches(contents, gregexpr("contents: \\[[^]]*\\]", contents))))
  topics <- unlist(strsplit(topics, ", *"))
  expect_gt(length(topics), 50L)
  expect_identical(setdiff(topics, c(aliases, sub("[.]Rd$", "", basename(pages)))), character())
})
