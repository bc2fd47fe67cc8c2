# The records of what users read: that a difference is found, and that none is left without a test.

test_that("a difference is found where it is, whatever it is", {
  expect_identical(messages_difference(c("a", "b"), c("a", "b")), character())
  expect_identical(messages_difference(c("> f(1)", "a"), c("> f(1L)", "a")), character())
  expect_identical(messages_difference(c("a", "b", "c"), c("a", "x", "c")), c("  - b", "  + x"))
  expect_identical(messages_difference(c("a", "c"), c("a", "b", "c")), "  + b")
  expect_identical(messages_difference(c("a", "a"), "a"), "  - a")
  expect_identical(messages_difference("a", character()), "  - a")
})

test_that("what a call prints and signals is told in its order and by class", {
  shout <- function(kind, text) {
    structure(class = c(kind, "condition"), list(message = text, call = NULL))
  }
  ours <- shout(c("dualmargin_input_error", "error"), "`x` is bad.\nMend it.")
  expect_identical(told(quote(stop(ours)), environment()),
                   c("> stop(ours)", "error dualmargin_input_error", "  `x` is bad.", "  Mend it."))
  expect_identical(told(quote(stop("in the words of R")), environment()),
                   c("> stop(\"in the words of R\")", "error simpleError"))
  expect_identical(told(quote({
    warning(shout(c("dualmargin_not_certified", "warning"), "gap"))
    message(shout(c("dualmargin_message", "message"), "made a factor"))
    3
  }), environment())[-1L], c("[1] 3", "warning dualmargin_not_certified", "  gap",
                            "message dualmargin_message", "  made a factor"))
})

test_that("every record belongs to a test", {
  for (file in list.files("_messages")) {
    stem <- sub("\\.txt$", "", file)
    code <- paste(readLines(sprintf("test-%s.R", stem)), collapse = "\n")
    for (section in names(read_messages(stem))) {
      expect_true(grepl(sprintf("(\"%s\", \"%s\",", stem, section), code, fixed = TRUE),
                  info = paste(file, section))
    }
  }
})
