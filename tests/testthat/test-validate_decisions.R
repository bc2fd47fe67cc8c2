# Results with a part replaced by hand: the methods answer with a classed error that names the part.

wrong_parts <- list(NULL, NA, "a", 1, list(), function() 1, data.frame(a = 1))

# Which of the calls on the object with parts replaced end in something else than an answer or an
# error of ours.
bare_errors <- function(object, calls, parts = names(object)) {
  bad <- character()
  for (part in parts) for (value in wrong_parts) {
    broken <- unclass(object)
    broken[part] <- list(value)
    class(broken) <- class(object)
    for (name in names(calls)) {
      outcome <- tryCatch({
        on_null_device(utils::capture.output(suppressWarnings(calls[[name]](broken))))
        "answer"
      }, dualmargin_input_error = function(e) "refused", error = function(e) conditionMessage(e))
      if (!outcome %in% c("answer", "refused")) {
        bad <- c(bad, sprintf("%s, %s: %s", name, part, outcome))
      }
    }
  }
  bad
}

test_that("no part of what margin_certain() returned ends a method in a bare error", {
  x <- as.matrix(mtcars[c("wt", "hp")])
  y <- factor(mtcars$am)
  calls <- list(coef = coef, predict = predict, new = function(o) predict(o, x[1:3, ]),
                summary = summary, print = print, plot = plot, tidy = tidy)
  fit <- margin_linear(x, y, lambda = 0.1)
  certain <- margin_certain(fit, x, y)
  parts <- setdiff(names(certain), "version")
  expect_identical(bare_errors(certain, calls, parts), character())
  kernel <- margin_certain(margin_kernel(x, y, lambda = 0.1), x, y)
  expect_identical(bare_errors(kernel, calls[-1L], c("fit", "problems", "training")), character())
  certain$problems[[1L]]$ball <- NULL
  expect_input_error(coef(certain), "object", "its `problems` is missing or wrong")
  expect_input_error(summary(structure(list(fit = 1), class = "margin_certain")), "object", "fit")
  # one sentence, whatever sentence the part's own check has
  certain["fit"] <- list(NULL)
  expect_input_error(coef(certain), "object", "margin_linear(); fit it again.")
})

test_that("nor of margin_tune() and of outer folds", {
  rows <- spambase[seq(1, nrow(spambase), by = 40), ]
  tuned <- margin_tune(type ~ ., data = rows, range = c(0.1, 1), folds = 2, eps = 0.5, seed = 1)
  calls <- list(print = print, plot = plot, tidy = tidy, glance = glance, summary = summary)
  expect_identical(bare_errors(tuned, calls, setdiff(names(tuned), "version")), character())
  tuned$proven <- "yes"
  expect_input_error(print(tuned), "x", "its `proven` is missing or wrong")
  expect_input_error(plot(tuned), "x", "`proven`")
  nested <- margin_cv(type ~ ., data = rows, grid = list(lambda = c(0.1, 1)), outer = 2,
                          folds = 2, seed = 1)
  expect_identical(bare_errors(nested, calls[c("print", "plot", "tidy", "summary")],
                               setdiff(names(nested), "version")), character())
})
