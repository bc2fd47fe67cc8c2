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

test_that("parts are the numbers of the fit and of its rows", {
  parts <- report_parts(fit, spam)
  expect_identical(parts$classes$rows, as.vector(table(spam$type)))
  expect_equal(parts$classes$share, as.vector(prop.table(table(spam$type))))
  expect_identical(parts$certificate, certificate(fit, by = "class"))
  expect_identical(parts$performance, summary(fit)$performance)
  x <- as.matrix(spam[parts$features$feature])
  expect_equal(parts$features$mean, unname(colMeans(x)))
  expect_equal(parts$features$min, unname(apply(x, 2, min)))
  expect_equal(parts$features$max, unname(apply(x, 2, max)))
  expect_equal(parts$features$sd, unname(fit$scales[parts$features$feature]))
  # the six least and the six most variable columns, in order
  varying <- sort(fit$scales[colSums(spam[names(spam) != "type"] != 0) > 0])
  expect_identical(parts$features$feature, names(c(head(varying, 6), tail(varying, 6))))
  expect_null(report_parts(fit)$features)
})

test_that("each family shows its own problem", {
  flowers <- droplevels(iris[iris$Species != "virginica", ])
  of <- function(...) report_parts(...)$problem
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

test_that("a fit that is not certified says so, with its gap and a remedy", {
  skip_without_renderer()
  short <- suppressWarnings(margin_linear(type ~ ., data = spam, solver = "sdca",
                                          intercept = "penalized",
                                          control = margin_control(max_epochs = 2, seed = 1),
                                          loss = "smooth_hinge"))
  cv <- margin_cv(type ~ ., data = spam, grid = list(lambda = c(0.1, 0.01)), folds = 2, seed = 1,
                  loss = "smooth_hinge")
  solvers <- compare_solvers(type ~ ., data = spam, solvers = c("newton", "auto"),
                             loss = "smooth_hinge")
  text <- report_of(short, title = "Not there yet", cv = cv, comparison = solvers)
  expect_match(text, "Not there yet", fixed = TRUE)
  expect_match(text, "NOT certified", fixed = TRUE)
  expect_match(text, paste("Relative gap", format(certificate(short)$relative_gap, digits = 3)),
               fixed = TRUE)
  expect_match(text, "Raise max_epochs in margin_control()", fixed = TRUE)
  # what was given beside the fit has its sections, as tables
  expect_match(text, "Cross-validation Mean accuracy (higher is better) of 2 folds", fixed = TRUE)
  expect_match(text, format(summary(cv, rule = "best")$mean, digits = 4), fixed = TRUE)
  expect_match(text, "Comparison Several solvers on one problem.", fixed = TRUE)
  expect_match(text, "solver value relative_gap certified epochs seconds", fixed = TRUE)
  for (dump in c("<margin_cv>", "<margin_comparison", "<model_comparison")) {
    expect_no_match(text, dump, fixed = TRUE)
  }
})

test_that("held-out metrics of a calibration are those of its rows", {
  hinge <- margin_linear(Species ~ ., data = iris, loss = "hinge", lambda = 0.01,
                         intercept = "free", scale = TRUE)
  calibrated <- margin_calibrate(hinge, iris, seed = 1)
  held_out <- calibrated$calibration$held_out
  table <- report_parts(calibrated)$predictive
  expect_identical(table$metric, c("accuracy", "log_loss", "brier"))
  truth <- as.integer(iris$Species)[held_out$row]
  expect_equal(table$estimate[1L], mean(max.col(held_out$score, "first") == truth))
  expect_equal(table$estimate[2L], -mean(log(held_out$prob[cbind(seq_along(truth), truth)])))
})

test_that("a page leads with the fit and held-out metrics, and does not praise the optimum", {
  skip_without_renderer()
  cv <- margin_cv(type ~ ., data = spam, loss = "logistic", folds = 3, seed = 1,
                  intercept = "free", scale = TRUE, grid = list(lambda = 10^-(1:3)))
  specs <- list(hinge = spec_margin("linear", loss = "hinge"),
                logistic = spec_margin("linear", loss = "logistic"))
  models <- margin_compare(type ~ ., data = spam, specs, folds = 3, seed = 1)
  text <- report_of(refit(cv), spam, cv = cv, comparison = models)
  places <- vapply(c("A linear classifier, 2 classes", "cross-validation of this setting",
                     "Optimality verified.", "It says nothing about predictive error."),
                   function(words) regexpr(words, text, fixed = TRUE)[[1L]], 0L)
  expect_true(all(places > 0L))
  expect_identical(order(places), 1:4)
  expect_no_match(text, "Certified.", fixed = TRUE)
  expect_match(text, "first second difference low high", fixed = TRUE)
  expect_match(text, "hinge logistic", fixed = TRUE)
  expect_no_match(text, " NA ", fixed = TRUE)
  without <- report_of(refit(cv), spam)
  expect_match(without, "How well it predicts new rows is not known from this report", fixed = TRUE)
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
  expect_identical(basename(withVisible(margin_report(fit, spam, file))$value), "page.html")
  expect_identical(state(), before)
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "page.html")
  expect_length(list.files(elsewhere, all.files = TRUE, no.. = TRUE), 0L)
  expect_length(list.files(tempdir(), "^margin-report"), 0L)

  # nothing is fetched, and the numbers are those of the fit
  expect_false(any(grepl("(src|href)=\"(https?:)?//", readLines(file, warn = FALSE))))
  text <- page_text(file)
  expect_match(text, format(certificate(fit)$value, digits = 8), fixed = TRUE)
  expect_match(text, report_parts(fit)$verdict, fixed = TRUE)
  expect_match(text, sprintf("nonspam %d", sum(spam$type == "nonspam")), fixed = TRUE)
  expect_match(text, "Report on a fit of margin_linear()", fixed = TRUE)
  for (absent in c("NOT certified", "Calibration", "Cross-validation", "Comparison", "Warning",
                   "Error")) {
    expect_no_match(text, absent, fixed = TRUE)
  }

  first <- file.mtime(file)
  refuses(margin_report(fit, spam, file), "exists; use another name or overwrite", "output_file")
  expect_identical(file.mtime(file), first)
  air <- margin_linear(Ozone ~ Wind + Temp, data = airquality, loss = "squared")
  margin_report(air, airquality, file, overwrite = TRUE)
  expect_match(page_text(file), format(summary(air)$performance$rmse, digits = 4), fixed = TRUE)
})

test_that("what cannot be reported is said before anything is written", {
  refuses(report_parts(1), "`fit` is 1, but must be a fit", "fit")
  refuses(margin_report(lm(dist ~ speed, cars)), "object of class lm", "fit")
  refuses(margin_report(fit, overwrite = NA), "must be TRUE or FALSE", "overwrite")
  refuses(margin_report(fit, open = "yes"), "must be TRUE or FALSE", "open")
  refuses(margin_report(fit, title = 1), "must be one text, or NULL", "title")
  refuses(margin_report(fit, cv = fit), "result of margin_cv", "cv")
  refuses(margin_report(fit, comparison = 1), "result of margin_compare", "comparison")
  refuses(margin_report(fit, output_file = 1), "name of one file", "output_file")
  refuses(margin_report(fit, output_file = "a.pdf"), "end its name in .html", "output_file")
  refuses(margin_report(fit, output_file = "no/such/a.html"), "no folder; make it", "output_file")
  folder <- new_folder(fileext = ".html")
  on.exit(unlink(folder, recursive = TRUE))
  refuses(margin_report(fit, output_file = folder), "is a folder; add the name", "output_file")
})

test_that("data of another fit are refused", {
  refuses(report_parts(fit, spam[-1L, ]), "`data` has 460 rows, but the fit", "data")
  refuses(report_parts(fit, as.matrix(spam[-58L])), "give the data frame", "data")
  other <- transform(spam, word_freq_you = rev(word_freq_you))
  refuses(report_parts(fit, other), "unchanged and in their order", "data")
  rows <- as.matrix(iris[1:4])
  of_matrix <- margin_linear(rows, iris$Species, loss = "smooth_hinge")
  refuses(report_parts(of_matrix, 1:3), "made from x and y; give list", "data")
  refuses(report_parts(of_matrix, list(y = iris$Species)), "a list without `x`", "data")
  refuses(report_parts(of_matrix, list(x = rows, y = rev(iris$Species))),
          "`data\\$y` has the label", "data")
  refuses(report_parts(of_matrix, rows[-1L, ]), "has 149 rows, but the fit was made from 150", "data")
  expect_identical(report_parts(of_matrix, rows)$features,
                   report_parts(of_matrix, list(x = rows, y = iris$Species))$features)
})

test_that("rows that the fit has not seen are judged in the report, those of the fit are refused", {
  set.seed(1)
  rows <- seq(1, nrow(spambase), by = 40)
  fit <- margin_linear(type ~ ., spambase[rows, ], lambda = 0.01)
  test <- spambase[rows + 1, ]
  predictive <- report_parts(fit, test = test)$predictive
  judged <- margin_performance(fit, test, predictive$metric)
  expect_equal(predictive$estimate, judged$metrics$value)
  expect_identical(unique(predictive$source), "test rows")
  x <- as.matrix(test[1:57])
  of_matrix <- margin_linear(as.matrix(spambase[rows, 1:57]), spambase$type[rows], lambda = 0.01)
  expect_equal(report_parts(of_matrix, test = list(x = x, y = test$type))$predictive, predictive)
  expect_error(margin_report(fit, test = spambase[rows, ]), "are the rows that the fit was made from",
               class = "dualmargin_input_error")
  cars <- margin_linear(mpg ~ wt, mtcars[1:20, ], loss = loss_quantile(0.8), lambda = 0.01)
  predictive <- report_parts(cars, test = mtcars[21:32, ])$predictive
  expect_equal(predictive$estimate[predictive$metric == "coverage, tau = 0.8"],
               mean(mtcars$mpg[21:32] <= predict(cars, mtcars[21:32, ])))
})

test_that("prediction sets have a section, with test rows how often they hold these", {
  test <- spambase[seq(2L, nrow(spambase), by = 40L), ]
  sets <- margin_conformal(fit, spam, level = c(0.8, 0.9))
  parts <- report_parts(fit, conformal = sets, test = test)$conformal
  expect_equal(parts$guarantees$guaranteed, c(0.6, 0.8))
  expect_identical(parts$coverage, summary(sets, test, level = 0.8))
  expect_null(report_parts(fit, conformal = sets)$conformal$coverage)
  expect_null(report_parts(fit)$conformal)
  other <- margin_linear(type ~ ., data = spam, loss = "logistic", lambda = 0.1)
  expect_error(report_parts(other, conformal = sets), "of another fit",
               class = "dualmargin_input_error")
  expect_error(report_parts(fit, conformal = 1), "margin_conformal",
               class = "dualmargin_input_error")
  skip_without_renderer()
  page <- report_of(fit, conformal = sets, test = test)
  expect_match(page, "Prediction sets")
  expect_match(page, "at level 0.8")
})
