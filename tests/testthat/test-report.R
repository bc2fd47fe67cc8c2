# A report says what the fit says, in one file and nowhere else.

spam <- spambase[seq(1L, nrow(spambase), by = 10L), ]
fit <- margin_linear(type ~ ., data = spam, loss = "logistic")

skip_without_renderer <- function() {
  skip_if_not_installed("rmarkdown")
  skip_if_not_installed("knitr")
  skip_if_not(rmarkdown::pandoc_available("2.0"), "pandoc is not on this machine")
}

# The words of a page, without its tags and style.
page_text <- function(file) {
  page <- paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = " ")
  page <- gsub("<(style|script).*?</\\1>", " ", page, perl = TRUE)
  text <- gsub("<[^>]*>", " ", page)
  entities <- c("&lt;" = "<", "&gt;" = ">", "&quot;" = "\"", "&#39;" = "'", "&amp;" = "&")
  for (code in names(entities)) text <- gsub(code, entities[[code]], text, fixed = TRUE)
  gsub("\\s+", " ", text)
}

report_of <- function(...) {
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  margin_report(..., output_file = file)
  page_text(file)
}

new_folder <- function(...) {
  folder <- tempfile(...)
  dir.create(folder)
  folder
}

refuses <- function(code, message, arg) {
  condition <- expect_error(code, message, class = "dualmargin_input_error")
  expect_identical(condition$arg, arg)
}

test_that("each family shows its own problem", {
  flowers <- droplevels(iris[iris$Species != "virginica", ])
  of <- function(...) problem_formula(...)
  expect_match(of(fit), "\\log\\bigl(1 + e^{-y_i(w^\\top x_i + b)}\\bigr)", fixed = TRUE)
  expect_no_match(of(margin_linear(Species ~ . - 1, data = flowers, loss = "smooth_hinge")),
                  "+ b", fixed = TRUE)
  expect_match(of(margin_linear(Species ~ ., data = flowers, mixture = 0.25,
                                loss = "smooth_hinge")),
               "\\frac{0.75}{2} \\|w\\|_2^2 + 0.25 \\|w\\|_1", fixed = TRUE)
  expect_match(of(margin_kernel(Species ~ ., data = flowers, intercept = "none")),
               "\\|f\\|_H^2", fixed = TRUE)
  expect_match(of(margin_kernel(Species ~ ., data = iris, intercept = "none")),
               "\\log\\sum_k e^{z_{ik}}",
               fixed = TRUE)
  expect_match(of(margin_robust(Species ~ ., data = flowers, norm = "linf", ridge = 0.1,
                                intercept = "none", scale = FALSE)),
               "_\\\\infty \\\\le t.*kappa t.*frac c2")
  noisy <- margin_augmented(Species ~ ., data = flowers, perturbation = perturb_gaussian(0.1),
                            intercept = "none", center = FALSE, scale = FALSE)
  expect_match(of(noisy), "\\mathrm{E}_\\rho", fixed = TRUE)
  expect_match(of(margin_hard(Species ~ ., data = flowers, intercept = "none")),
               "\\min_i\\; y_i", fixed = TRUE)
})

test_that("a classification with a search, a comparison and sets has its numbers in all sections", {
  skip_without_renderer()
  test <- spambase[seq(2L, nrow(spambase), by = 10L), ]
  cv <- margin_cv(type ~ ., data = spam, loss = "logistic", folds = 3, seed = 1,
                  grid = list(lambda = 10^-(1:3)))
  specs <- list(hinge = spec_margin("linear", loss = "hinge"),
                logistic = spec_margin("linear", loss = "logistic"))
  models <- margin_compare(type ~ ., data = spam, specs, folds = 3, seed = 1)
  sets <- margin_conformal(fit, spam, level = c(0.8, 0.9))
  text <- report_of(fit, test = test, cv = cv, comparison = models, conformal = sets)
  headings <- c("Problem", "Data and settings", "Certificate", "Coefficients", "Held-out rows",
                "Search", "Comparison", "Coverage", "Session and seeds")
  places <- vapply(paste0(" ", headings, " "), function(name) {
    max(gregexpr(name, text, fixed = TRUE)[[1L]])
  }, 0)
  expect_true(all(places > 0) && !is.unsorted(places[-4L]))
  judged <- with_seed(1L, held_out(fit, test))
  expect_equal(judged$estimate, margin_performance(fit, test, judged$metric)$metrics$value)
  expect_true(all(judged$low < judged$estimate & judged$estimate < judged$high))
  # that of a share is near the normal one
  accuracy <- judged[judged$metric == "accuracy", ]
  half <- 1.96 * sqrt(accuracy$estimate * (1 - accuracy$estimate) / nrow(test))
  expect_equal(c(accuracy$low, accuracy$high), accuracy$estimate + c(-half, half), tolerance = 0.01)
  for (number in c(accuracy$low, certificate(fit)$relative_gap, coef(fit)[["word_freq_remove"]])) {
    expect_match(text, format(number, digits = 4), fixed = TRUE)
  }
  for (words in c("Corrected t test", "DeLong", "setting lambda", "word_freq_remove", "guaranteed",
                  "duality gap")) {
    expect_match(text, words, fixed = TRUE)
  }
  expect_no_match(text, " NA ", fixed = TRUE)
})

test_that("a regression is reported, by quantiles and weights too", {
  skip_without_renderer()
  train <- mtcars[1:22, ]
  cars <- margin_linear(mpg ~ wt + hp, train, loss = "squared", lambda = 0.1, weights = cyl)
  text <- report_of(cars, test = mtcars[23:32, ])
  expect_match(text, format(margin_performance(cars, mtcars[23:32, ], "rmse")$metrics$value,
                            digits = 4), fixed = TRUE)
  expect_match(report_of(cars), "how new rows are predicted is not known", fixed = TRUE)
})

test_that("a fit that is not certified says so, with its gap and a remedy", {
  skip_without_renderer()
  short <- suppressWarnings(margin_linear(type ~ ., data = spam, solver = "sdca",
                                          intercept = "penalized",
                                          control = margin_control(max_epochs = 2, seed = 1),
                                          loss = "smooth_hinge"))
  solvers <- compare_solvers(type ~ ., data = spam, solvers = c("newton", "auto"),
                             loss = "smooth_hinge")
  text <- report_of(short, title = "Not there yet", comparison = solvers)
  for (words in c("Not there yet", "NOT certified", "Raise max_epochs in margin_control()",
                  format(certificate(short)$relative_gap, digits = 4))) {
    expect_match(text, words, fixed = TRUE)
  }
  overlap <- suppressWarnings(margin_hard(Species ~ ., data = iris, intercept = "none"))
  text <- report_of(overlap)
  expect_match(text, "NOT certified", fixed = TRUE)
  expect_match(text, "For classes that overlap use margin_linear", fixed = TRUE)
})

test_that("names that Markdown would read as its own stay as they are", {
  skip_without_renderer()
  odd <- data.frame(check.names = FALSE, y = factor(rep(c("a|b", "c*d*"), 20)),
                    `price_$` = sin(1:40), `x*y*z` = cos(1:40))
  text <- report_of(margin_linear(y ~ ., data = odd, loss = "hinge"), test = odd[40:1, ][1:9, ])
  for (name in c("price_$", "x*y*z", "a|b", "c*d*")) expect_match(text, name, fixed = TRUE)
})

test_that("fits of kernels, one class and rows in a file are reported", {
  skip_without_renderer()
  rows <- a1a$x[1:150, ]
  shares <- margin_kernel(rows, soft_labels(seq(-1, 1, length.out = 150)), intercept = "none")
  expect_match(report_of(shares), format(support_rows(shares)$coefficient[1L], digits = 4),
               fixed = TRUE)
  report_of(margin_oneclass(iris[1:4], nu = 0.1))
  disk <- disk_rows(as.matrix(spam[1:57]), spam$type, chunk = 100L)
  on.exit(unlink(disk$path))
  expect_match(report_of(margin_linear(disk, loss = "logistic")),
               "read in whole passes by newton from the file", fixed = TRUE)
})

test_that("a report is a PDF where LaTeX is, and says so where it is not", {
  skip_without_renderer()
  file <- tempfile(fileext = ".pdf")
  on.exit(unlink(file))
  cars <- margin_linear(mpg ~ wt + hp, mtcars[1:22, ], loss = "squared", lambda = 0.1)
  if (!nzchar(Sys.which("pdflatex"))) {
    refuses(margin_report(cars, file), "needs LaTeX, and pdflatex is not found", "output_file")
    skip("pdflatex is not on this machine")
  }
  margin_report(cars, file, test = mtcars[23:32, ])
  expect_identical(rawToChar(readBin(file, "raw", 5L)), "%PDF-")
  expect_gt(file.size(file), 1e4)
})

test_that("only the one file is written, and nothing else changes", {
  skip_without_renderer()
  folder <- new_folder()
  elsewhere <- new_folder()
  home <- setwd(elsewhere)
  on.exit({
    setwd(home)
    unlink(c(folder, elsewhere), recursive = TRUE)
  })
  set.seed(1)
  state <- function() list(getwd(), .Random.seed, search(), options(), ls(globalenv()))
  before <- state()
  file <- file.path(folder, "page.html")
  expect_identical(basename(withVisible(margin_report(fit, file))$value), "page.html")
  expect_identical(state(), before)
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "page.html")
  expect_length(list.files(elsewhere, all.files = TRUE, no.. = TRUE), 0L)
  expect_length(list.files(tempdir(), "^margin-report"), 0L)

  # nothing is fetched, and the numbers are those of the fit
  expect_false(any(grepl("(src|href)=\"(https?:)?//", readLines(file, warn = FALSE))))
  text <- page_text(file)
  expect_match(text, format(certificate(fit)$value, digits = 4), fixed = TRUE)
  expect_match(text, "Report on a fit of margin_linear()", fixed = TRUE)
  for (absent in c("NOT certified", "Search", "Comparison", "Coverage", "Warning", "Error")) {
    expect_no_match(text, absent, fixed = TRUE)
  }

  first <- file.mtime(file)
  refuses(margin_report(fit, file), "exists; use another name or overwrite", "output_file")
  expect_identical(file.mtime(file), first)
})

test_that("the draft of a user knits as it is", {
  skip_without_renderer()
  folder <- new_folder()
  home <- setwd(folder)
  on.exit({
    setwd(home)
    unlink(folder, recursive = TRUE)
  })
  rmarkdown::draft("mine.Rmd", template = "margin-report", package = "dualmargin", edit = FALSE)
  expect_identical(list.files(), "mine.Rmd")
  old <- options()
  page <- rmarkdown::render("mine.Rmd", quiet = TRUE, envir = new.env())
  options(old)
  expect_match(page_text(page), "certificate (duality gap): certified", fixed = TRUE)
  expect_match(page_text(page), "word_freq_george", fixed = TRUE)
})

test_that("what cannot be reported is said before anything is written", {
  refuses(margin_report(lm(dist ~ speed, cars)), "object of class lm", "fit")
  refuses(margin_report(fit, overwrite = NA), "must be TRUE or FALSE", "overwrite")
  refuses(margin_report(fit, open = "yes"), "must be TRUE or FALSE", "open")
  refuses(margin_report(fit, title = 1), "must be one text, or NULL", "title")
  refuses(margin_report(fit, cv = fit), "result of margin_cv", "cv")
  refuses(margin_report(fit, comparison = 1), "result of margin_compare", "comparison")
  refuses(margin_report(fit, output_file = 1), "name of one file", "output_file")
  refuses(margin_report(fit, output_file = "a.txt"), "end its name in .html or .pdf", "output_file")
  refuses(margin_report(fit, output_file = "no/such/a.html"), "no folder; make it", "output_file")
  folder <- new_folder(fileext = ".html")
  on.exit(unlink(folder, recursive = TRUE))
  refuses(margin_report(fit, output_file = folder), "is a folder; add the name", "output_file")
})

test_that("held-out rows are judged, and those of the fit are refused", {
  rows <- seq(1, nrow(spambase), by = 40)
  fit <- margin_linear(type ~ ., spambase[rows, ], lambda = 0.01)
  test <- spambase[rows + 1, ]
  of_matrix <- margin_linear(as.matrix(spambase[rows, 1:57]), spambase$type[rows], lambda = 0.01)
  set.seed(1)
  judged <- held_out(fit, test)
  set.seed(1)
  expect_equal(held_out(of_matrix, list(x = as.matrix(test[1:57]), y = test$type)),
               judged)
  refuses(margin_report(fit, test = spambase[rows, ]), "are the rows that the fit was made from",
          "test")
  refuses(margin_report(of_matrix, test = list(x = as.matrix(test[1:57]), y = 1)), "`test\\$y` has",
          "test")
  refuses(margin_report(fit, newoffset = 1), "without `test`", "newoffset")
  sets <- margin_conformal(fit, spambase[rows, ])
  refuses(margin_report(update(fit, lambda = 1), conformal = sets), "of another fit", "conformal")
  refuses(margin_report(fit, conformal = 1), "margin_conformal", "conformal")
})

test_that("a fit with mixed rows shows the loss of labels between the classes, and its own rows", {
  set.seed(1)
  some <- iris[51:150, ]
  fit <- margin_kernel(Species ~ ., droplevels(some), mixup = mixup_pairs(60), lambda = 0.01)
  shown <- problem_formula(fit)
  expect_match(shown, "\\tfrac{1 + y_i}2\\, \\log\\bigl(1 + e^{-(f(x_i) + b)}\\bigr)",
               fixed = TRUE)
  expect_match(shown, "\\tfrac{1 - y_i}2\\, \\log\\bigl(1 + e^{(f(x_i) + b)}\\bigr)",
               fixed = TRUE)
  counts <- support_counts(fit)
  expect_identical(counts$of, 100L)
  expect_equal(counts$rows, nrow(support_rows(fit)))
  expect_identical(counts$of_mixed, 60L)
  expect_equal(counts$rows + counts$mixed, length(fit$support$at))
  expect_output(print(summary(fit)), "of 100 .*, and .* of 60 mixed rows")
  hard <- margin_kernel(Species ~ ., droplevels(some), lambda = 0.01)
  expect_no_match(problem_formula(hard), "tfrac{1 + y_i}", fixed = TRUE)
})
