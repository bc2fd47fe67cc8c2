# The layers of src/, as CONTRIBUTING.md draws them: no include runs upward, none in a circle, only the
# border and the probes of the tests know R, and a family is a namespace. scripts/test.R says where the
# sources are.

layers <- list("base", c("loss", "rows"), c("algebra", "run"),
               c("linear", "kernel", "augmented", "robust", "hard", "region"), "decide",
               "border", "probes", c("units", "top"))
families_of_src <- c(layers[[4L]], "decide")

sources <- function() {
  root <- Sys.getenv("DUALMARGIN_TREE")
  files <- list.files(file.path(root, "src"), "[.](h|cpp)$", recursive = TRUE)
  files <- setdiff(files, "RcppExports.cpp")
  stats::setNames(lapply(file.path(root, "src", files), readLines, warn = FALSE), files)
}

folder_of <- function(file) sub("^[.]$", "top", dirname(file))
included <- function(lines) {
  found <- grep("^#include \"", lines, value = TRUE)
  sub("^#include \"([^\"]+)\".*", "\\1", found)
}

test_that("no include of src runs upward, and every folder has its layer", {
  text <- sources()
  layer <- stats::setNames(rep(seq_along(layers), lengths(layers)), unlist(layers))
  expect_setequal(setdiff(unique(folder_of(names(text))), names(layer)), character())
  for (file in names(text)) {
    up <- Filter(function(to) layer[folder_of(to)] > layer[folder_of(file)], included(text[[file]]))
    expect_identical(up, character(), info = file)
  }
})

test_that("no includes of src form a circle, between files or between folders", {
  text <- sources()
  acyclic <- function(edges) {
    # what includes nothing that is left goes, until nothing is left
    left <- unique(unlist(edges))
    repeat {
      busy <- unique(edges$from[edges$to %in% left & edges$from %in% left])
      if (length(busy) == length(left)) return(left)
      left <- intersect(left, busy)
    }
  }
  edges <- do.call(rbind, lapply(names(text), function(file) {
    to <- included(text[[file]])
    data.frame(from = rep(file, length(to)), to = to)
  }))
  expect_identical(acyclic(edges), character())
  folders <- unique(data.frame(from = folder_of(edges$from), to = folder_of(edges$to)))
  expect_identical(acyclic(folders[folders$from != folders$to, ]), character())
})

test_that("only the border, the exported functions and the probes know R", {
  text <- sources()
  for (file in names(text)[!folder_of(names(text)) %in% c("border", "probes", c("units", "top"))]) {
    knows <- grep("Rcpp|\\bSEXP\\b|<R[._]|\\bRf_|\\bR_[A-Z]", sub("//.*", "", text[[file]]), value = TRUE)
    expect_identical(knows, character(), info = file)
  }
})

test_that("every family of src is a namespace, and a file is as long as its thought", {
  text <- sources()
  for (file in names(text)) {
    if (folder_of(file) %in% families_of_src) {
      opened <- grep("^namespace dualmargin.*\\{$", text[[file]], value = TRUE)
      own <- sprintf("namespace dualmargin::%s {", folder_of(file))
      expect_true(own %in% opened, info = file)
    }
    expect_lte(length(text[[file]]), 400L)
  }
})
