# What vignettes/adding-a-solver.Rmd quotes is what stands in the files, and its picture is that of
# the layers in test-layers.R. The loss that it adds is a patch of the sources, which is applied to a
# copy of them here. scripts/test.R says where the sources are.

root <- local({
  dir.create(copy <- tempfile("tree"))
  tree <- Sys.getenv("DUALMARGIN_TREE")
  file.copy(file.path(tree, c("R", "src", "tests", "vignettes", "scripts", "NAMESPACE")), copy,
            recursive = TRUE)
  patch <- file.path(tree, "inst", "examples", "log_cosh.patch")
  said <- system2("patch", c("-s", "-p1", "-d", shQuote(copy), "-i", shQuote(patch)), stdout = TRUE,
                  stderr = TRUE)
  test_that("the patch that adds a loss fits", expect_identical(said, character()))
  copy
})
from_tree <- function(...) readLines(file.path(root, ...), warn = FALSE)

# The fenced blocks of that head, each with the lines that it holds.
blocks <- function(lines, head) {
  lapply(grep(head, lines), function(first) {
    last <- first + which(lines[-seq_len(first)] == "```")[1L]
    lines[first + seq_len(last - first - 1L)]
  })
}

test_that("the code in the vignette on adding a solver is that of the files", {
  quoted <- blocks(from_tree("vignettes", "adding-a-solver.Rmd"), "^```(cpp|r)$")
  expect_gt(length(quoted), 9L)
  for (block in quoted) {
    name <- sub("^(//|#) ", "", block[1L])
    text <- paste(from_tree(name), collapse = "\n")
    expect_true(grepl(paste(block[-1L], collapse = "\n"), text, fixed = TRUE), info = name)
  }
})

test_that("the files that the vignette says a family has exist", {
  lines <- from_tree("vignettes", "adding-a-solver.Rmd")
  first <- grep("^# A family", lines)
  last <- grep("^## The certificate", lines)
  text <- lines[first:last]
  named <- unlist(regmatches(text, gregexpr("`(R|src|tests)/[^`<]+[.](R|h|cpp)`", text)))
  expect_gt(length(named), 12L)
  files <- file.path(root, gsub("`", "", named))
  expect_identical(named[!file.exists(files)], character())
})

# Files of a folder whose code has a pattern.
saying <- function(folder, pattern) {
  files <- list.files(file.path(root, folder), "[.](R|h|cpp)$", recursive = TRUE)
  files <- files[!startsWith(files, "RcppExports")]
  says <- function(file) {
    code <- sub("^ *(#|//).*", "", from_tree(folder, file))
    any(grepl(pattern, code))
  }
  Filter(says, files)
}

test_that("what adding costs by the vignette is what is counted", {
  lines <- from_tree("vignettes", "adding-a-solver.Rmd")
  first <- grep("^\\| added \\|", lines)
  rows <- strsplit(lines[first + 2:5], " *\\| *")
  stated <- stats::setNames(lapply(rows, function(row) as.integer(row[4:5])),
                            vapply(rows, function(row) gsub("`", "", row[3]), ""))
  patterns <- list(
    log_cosh = "\\b(log_cosh|LogCosh)\\b",
    oneclass = "oneclass|OneClass|one_class[._\"]",
    distance = "^    distance = list\\(|\\btype\\b.*\"distance\"",
    prob = "^    prob = list\\(|\\btype\\b.*\"prob\""
  )
  counted <- lapply(patterns, function(pattern) {
    c(length(saying("R", pattern)), length(saying("src", pattern)))
  })
  expect_identical(counted, stated)
})

test_that("the loss that the vignette adds compiles", {
  src <- file.path(root, "src")
  expect_identical(compiler_of(src)("-fsyntax-only", file.path(src, "losses.cpp")), character())
})

test_that("the picture in the vignette has the layers that the includes are held to", {
  chunk <- blocks(from_tree("vignettes", "adding-a-solver.Rmd"), "^```\\{r layers")[[1L]]
  drawn <- new.env()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  eval(parse(text = chunk), drawn)
  folders <- split(drawn$layers$folder, drawn$layers$level)
  ruled <- list("base", c("loss", "rows"), c("algebra", "run"),
                c("linear", "kernel", "augmented", "robust", "hard", "region"),
                "decide", "border", "top", "R")
  expect_identical(lapply(unname(folders), sort), lapply(ruled, sort))
  rule <- paste(from_tree("scripts", "lint", "test-layers.R")[5:7], collapse = " ")
  expect_identical(utils::head(eval(parse(text = sub("layers <- ", "", rule))), 6L), ruled[1:6])
})

test_that("the pages have at most 40,000 words, each at most 3,000 beside its code, the first 1,200 in all", {
  pages <- list.files(file.path(Sys.getenv("DUALMARGIN_TREE"), "vignettes"), "[.]Rmd$", full.names = TRUE)
  count <- function(lines) sum(lengths(regmatches(lines, gregexpr("[^[:space:]]+", lines))))
  sources <- lapply(stats::setNames(pages, basename(pages)), readLines, warn = FALSE)
  words <- vapply(sources, count, 0)
  expect_lte(sum(words), 40000)
  expect_lte(words[["dualmargin.Rmd"]], 1200)
  prose <- vapply(sources, function(lines) count(lines[cumsum(startsWith(lines, "```")) %% 2 == 0]), 0)
  expect_identical(prose[prose > 3000], prose[0L])
})
