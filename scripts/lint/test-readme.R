# README.md: its figures are those of the committed results, its calls run and print what it shows.
# scripts/test.R says where the tree is.

tree <- Sys.getenv("DUALMARGIN_TREE")
lines <- readLines(file.path(tree, "README.md"), encoding = "UTF-8")

test_that("the measured lines are those that the results give", {
  made <- new.env()
  sys.source(file.path(tree, "scripts", "readme.R"), made)
  at <- match(made$readme_marks, lines)
  expect_identical(lines[seq(at[1L] + 1L, at[2L] - 1L)], made$measured_lines(tree))
})

test_that("a result that is neither current nor spotted is refused", {
  made <- new.env()
  sys.source(file.path(tree, "scripts", "readme.R"), made)
  table <- data.frame(file = c("a.csv", "b.csv", "c.csv", "d.csv"), changed = c("", "core", "core", "core"),
                      spot = c("", "same", "differs", NA))
  expect_identical(made$unvouched_results(table, c("a", "b", "c", "d", "e")), c("c", "d", "e"))
  known <- utils::read.csv(file.path(tree, "inst", "extdata", "stale.csv"))
  expect_identical(setdiff(paste0(names(made$readme_results), ".csv"), known$file), character())
  made$unvouched_results <- function(...) "large_warm"
  expect_identical(grep("Files of|files of", made$measured_lines(tree), value = TRUE),
                   "- Left out until they are measured with this version: files of 4 GB.")
})

test_that("CITATION.cff says what DESCRIPTION says", {
  cff <- readLines(file.path(tree, "CITATION.cff"))
  own <- read.dcf(file.path(tree, "DESCRIPTION"))[1L, ]
  expect_true(paste("version:", own[["Version"]]) %in% cff)
  expect_true(sprintf("title: \"dualmargin: %s\"", own[["Title"]]) %in% cff)
  person <- eval(str2lang(own[["Authors@R"]]))
  expect_identical(sub("^ +- name: ", "", grep("^ +- name: ", cff, value = TRUE)), format(person, c("given", "family")))
})

test_that("it can be read in five minutes", {
  expect_lte(length(lines), 120L)
  # what it names is there
  pages <- sub("\\.Rmd$", "", list.files(file.path(tree, "vignettes"), "\\.Rmd$"))
  named <- unlist(regmatches(lines, gregexpr("(?<=vignette\\(\")[a-z-]+", lines, perl = TRUE)))
  expect_identical(setdiff(named, c(pages, "dualmargin")), character())
  functions <- unlist(regmatches(lines, gregexpr("(?<=`)[a-z_]+(?=\\(\\)`)", lines, perl = TRUE)))
  expect_identical(setdiff(functions, c("glm", getNamespaceExports("dualmargin"))), character())
  # calls within a sentence take their arguments by name, or the first one alone
  inline <- unlist(regmatches(lines, gregexpr("(?<=`)margin_[a-z_]+\\([^`]+\\)(?=`)", lines, perl = TRUE)))
  for (call in lapply(inline, str2lang)) {
    expect_true(all(nzchar(names(call)[-(1:2)])), label = deparse(call))
    expect_identical(setdiff(names(call)[-(1:2)],
                             names(formals(getExportedValue("dualmargin", as.character(call[[1L]]))))),
                     character())
  }
  families <- paste0("margin_", names(dualmargin:::families()))
  expect_setequal(intersect(functions, families), families)
})

test_that("its calls print what it shows", {
  skip_if_not_installed("LiblineaR")
  open <- which(lines == "```r")
  here <- new.env(parent = globalenv())
  # numbers by their places alone: their last digits belong to a machine
  shape <- function(text) gsub("[ ]+", " ", trimws(gsub("[0-9.]+(e-?[0-9]+)?", "#", text)))
  for (from in open) {
    block <- lines[seq(from + 1L, from + match("```", lines[-seq_len(from)]) - 1L)]
    shown <- startsWith(block, "#>")
    printed <- utils::capture.output(
      source(exprs = parse(text = block[!shown]), local = here, print.eval = TRUE, echo = FALSE)
    )
    expect_identical(shape(printed), shape(sub("^#> ?", "", block[shown])))
  }
})
