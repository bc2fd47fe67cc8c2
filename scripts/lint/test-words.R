# What users read is written in the standard terms of the field and in plain phrases: scripts/words.tsv has
# those that are retired and what is said instead. `where`: in all text and comments, or in what users read.

root <- Sys.getenv("DUALMARGIN_TREE")
retired <- utils::read.delim(file.path(root, "scripts", "words.tsv"), quote = "")

user_text <- function() {
  files <- c(file.path(root, c("README.md", "CONTRIBUTING.md", "DESCRIPTION")),
             list.files(file.path(root, "R"), "[.]R$", full.names = TRUE),
             list.files(file.path(root, "vignettes"), "[.]Rmd$", full.names = TRUE),
             list.files(file.path(root, "src"), "[.](h|cpp)$", full.names = TRUE, recursive = TRUE),
             list.files(file.path(root, "inst", c("rmarkdown", "scripts")), full.names = TRUE,
                        recursive = TRUE))
  stats::setNames(lapply(files, readLines, warn = FALSE), basename(files))
}

# Help, messages and prints of a source file, and a page without its code; quotations are left out.
read_by_users <- function(lines, name) {
  if (grepl("[.](md|Rmd)$", name)) {
    code <- cumsum(grepl("^ *```", lines)) %% 2L == 1L
    return(gsub("[\"\u201c][^\"\u201d]*[\"\u201d]|`[^`]*`", "", ifelse(code, "", lines)))
  }
  help <- grepl("^#'", lines)
  strings <- regmatches(lines, gregexpr("\"([^\"\\\\]|\\\\.)*\"", lines))
  strings[grepl("^ *(#|//)", lines)] <- ""
  ifelse(help, gsub("\"[^\"]*\"|`[^`]*`", "", lines),
         vapply(strings, function(found) gsub("\"", "", paste(found, collapse = " ")), ""))
}

# A phrase may go on in the next line of a comment.
lines_with <- function(word, lines) {
  joined <- paste(lines, sub("^\\W+", "", c(lines[-1L], "")))
  found <- function(x) grepl(word, x, ignore.case = TRUE, perl = TRUE)
  which(found(joined) & !found(c(lines[-1L], "")))
}

test_that("no text for users has a retired word", {
  text <- user_text()
  expect_gt(length(text), 10L)
  shown <- Map(read_by_users, text, names(text))
  for (k in seq_len(nrow(retired))) {
    word <- retired$phrase[k]
    within <- if (retired$where[k] == "all") text else shown
    at <- lapply(within, function(lines) lines_with(word, lines))
    found <- sprintf("%s:%d", rep(names(at), lengths(at)), unlist(at))
    expect_identical(found, character(), info = sprintf("\"%s\": say %s", word, retired$say[k]))
  }
  expect_identical(read_by_users(c("# what is left", "abort(\"what is left\")", "#' a `what is left`"), "a.R"),
                   c("", "what is left", "#' a "))
})

# The usage of what takes x and y or a formula is that of its matrix method, and a line for
# formulas, which is written by hand.
test_that("the line for formulas names arguments of the formula method", {
  text <- user_text()[c("margin_linear.R", "margin_kernel.R", "margin_augmented.R",
                        "margin_robust.R", "margin_hard.R", "path.R", "cv.R",
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
