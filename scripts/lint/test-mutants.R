# The planted faults of tests/mutants.dcf are still those of the sources, so that `make mutants` can
# plant them: a rewrite that moves a formula moves its fault. scripts/test.R says where the tree is.

test_that("every planted fault is in one place, with a law that should catch it", {
  root <- Sys.getenv("DUALMARGIN_TREE")
  faults <- as.data.frame(read.dcf(file.path(root, "tests", "mutants.dcf")))
  of_core <- startsWith(faults$File, "src/")
  of_lemma <- ifelse(grepl("^(L[1-4]|Classes): ", faults$Fault), sub(":.*", "", faults$Fault), "")
  expect_identical(c(sum(of_core & of_lemma == ""), sum(startsWith(faults$File, "R/"))), c(10L, 10L))
  expect_true(all(table(factor(of_lemma, c(paste0("L", 1:4), "Classes"))) >= 10L))
  expect_identical(anyDuplicated(faults$Fault), 0L)
  places <- mapply(function(file, from) {
    text <- readLines(file.path(root, file), encoding = "UTF-8")
    sum(lengths(regmatches(text, gregexpr(from, text, fixed = TRUE))))
  }, faults$File, faults$From, USE.NAMES = FALSE)
  expect_identical(faults$Fault[places != 1L], character())
  expect_true(all(faults$From != faults$To))
  expect_identical(of_core, !is.na(faults$Unit))
  expect_true(all(file.exists(file.path(root, "src", faults$Unit[of_core]))))
  expect_true(all(grepl("^law-", faults$Law)))
  expect_true(all(file.exists(file.path(root, "tests", "testthat", sprintf("test-%s.R", faults$Law)))))
})
