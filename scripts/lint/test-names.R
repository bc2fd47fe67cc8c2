# A name that two files of R/ define is that of the later one, for both. scripts/test.R says where
# the sources are.

test_that("no name is defined by two files", {
  root <- Sys.getenv("DUALMARGIN_TREE")
  files <- list.files(file.path(root, "R"), "[.]R$", full.names = TRUE)
  expect_gt(length(files), 50L)
  defined <- lapply(files, function(file) {
    unlist(lapply(parse(file, keep.source = FALSE), function(line) {
      if (is.call(line) && identical(line[[1L]], quote(`<-`)) && is.name(line[[2L]])) {
        as.character(line[[2L]])
      }
    }))
  })
  names <- unlist(lapply(defined, unique))
  expect_identical(names[duplicated(names)], character())
})
