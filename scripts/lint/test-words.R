# What users read is written in the standard terms of the field: the words on the left are retired.

retired <- c(
  "support rows?" = "support vectors",
  "rows? with a coefficient" = "support vectors",
  "against[- ]the[- ]rest" = "one-vs-rest",
  "(robust|hard|augmented) classifiers?\\b" =
    "distributionally robust SVM, hard-margin SVM, model with data augmentation",
  "held[- ]out scores?" = "cross-validated decision values",
  "\\bflat map" = "non-increasing calibration",
  "\\bfears\\b" = "worst-case distribution",
  "how (wrong|good) (the|a|they|it)\\b" = "suboptimality",
  "ground floor|\\bwings?\\b|\\bdoors?\\b|\\bhouses?\\b|\\bguests?\\b|\\broofs?\\b" =
    "module, family, layer"
)

user_text <- function() {
  root <- Sys.getenv("DUALMARGIN_TREE")
  files <- c(file.path(root, c("README.md", "CONTRIBUTING.md", "DESCRIPTION")),
             list.files(file.path(root, "R"), "[.]R$", full.names = TRUE),
             list.files(file.path(root, "vignettes"), "[.]Rmd$", full.names = TRUE),
             list.files(file.path(root, "src"), "[.](h|cpp)$", full.names = TRUE, recursive = TRUE),
             list.files(file.path(root, "inst", c("rmarkdown", "scripts")), full.names = TRUE,
                        recursive = TRUE))
  stats::setNames(lapply(files, readLines, warn = FALSE), basename(files))
}

test_that("no text for users has a retired word", {
  text <- user_text()
  expect_gt(length(text), 10L)
  for (word in names(retired)) {
    found <- unlist(lapply(names(text), function(name) {
      # A phrase may go on in the next line of a comment.
      lines <- text[[name]]
      joined <- paste(lines, sub("^\\W+", "", c(lines[-1L], "")))
      at <- which(grepl(word, joined, ignore.case = TRUE, perl = TRUE) &
                    !grepl(word, c(lines[-1L], ""), ignore.case = TRUE, perl = TRUE))
      if (length(at) > 0L) sprintf("%s:%d", name, at)
    }))
    expect_identical(found, NULL, info = sprintf("\"%s\": say %s", word, retired[[word]]))
  }
})

# The usage of what takes x and y or a formula is that of its matrix method, and a line for
# formulas, which is written by hand.
test_that("the line for formulas names arguments of the formula method", {
  text <- user_text()[c("margin_linear.R", "margin_kernel.R", "margin_augmented.R",
                        "margin_robust.R", "margin_hard.R", "path.R", "cv.R", "tune.R",
                        "models_compare.R")]
  for (lines in Filter(Negate(is.null), text)) {
    joined <- gsub("\n#' *", " ", paste(lines, collapse = "\n"))
    usage <- regmatches(joined, regexpr("@usage \\\\special\\{[^}]*\\}", joined))
    expect_length(usage, 1L)
    # neither the generic's own nor those of Matrix, data.frame and, where there is one, rows in a file
    on_disk <- any(grepl("[.]margin_rows <- function", lines))
    expect_identical(sum(grepl("^#' @usage NULL", lines)), 3L + on_disk)
    name <- sub(".*\\{(\\w+)\\(.*", "\\1", usage)
    shown <- strsplit(sub(".*\\((.*)\\).*", "\\1", usage), ", *")[[1L]]
    # what a formula method hands on is the matrix method's
    formals <- unlist(lapply(c("formula", "matrix"), function(class) {
      names(formals(utils::getS3method(name, class, envir = asNamespace("dualmargin"))))
    }))
    expect_identical(setdiff(sub("\\dots", "...", shown, fixed = TRUE), formals), character())
  }
})
