# A whole analysis: the families of dualmargin and models of e1071, kernlab, glmnet, LiblineaR and
# ranger on the same folds, with tests, and how far each solution is from its own optimum.
# Usage: DUALMARGIN_DATA=<data sets> Rscript comparison.R [folder for the results [parts ...]]
# Parts, each with files of its own: spam (tuned on rows held out), colon (tuned inside every fold),
# unscaled (columns as they are), calibration, sets (many data sets, all of which have to be in
# DUALMARGIN_DATA); all of them unless named.

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "_driver.R"))
parts <- parts_of(c("spam", "colon", "unscaled", "calibration", "sets"))

absent <- Filter(function(package) !requireNamespace(package, quietly = TRUE),
                 c("e1071", "kernlab", "glmnet", "LiblineaR", "ranger", "pROC"))
if (length(absent)) {
  message("Nothing done: this needs the packages ", toString(absent), ".")
  quit()
}

peers <- c("e1071", "kernlab", "glmnet", "LiblineaR", "ranger")
origin$packages <- toString(vapply(peers, function(package) {
  paste(package, utils::packageVersion(package))
}, ""))
save_results <- function(rows, name, ...) {
  origin$load <<- load_average()
  words <- vapply(rows, is.factor, NA)
  rows[words] <- lapply(rows[words], as.character)
  numbers <- vapply(rows, is.double, NA)
  rows[numbers] <- lapply(rows[numbers], signif, 5L)
  write_results(rows, sprintf("comparison_%s.csv", name), ...)
}

control <- margin_control(tol = 1e-6, seed = 1, progress = FALSE)

# Results of a comparison: fold scores, and the tests between all pairs.
save_comparison <- function(comparison, name, tests) {
  rows <- comparison$results
  save_results(rows, paste0(name, "_folds"), keys = c("model", "repetition", "fold"),
               skip = "relative_gap")
  all <- tidy(comparison, tests = tests)
  save_results(all[setdiff(names(all), c("relative_gap_1", "relative_gap_2"))],
               paste0(name, "_tests"), keys = c("model_1", "model_2", "test"),
               skip = "adj.p.value")
}

forest <- model_spec(
  fit_fun = function(x, y, weights = NULL) {
    ranger::ranger(x = x, y = y, probability = TRUE, case.weights = weights, num.threads = 1L)
  },
  predict_fun = function(model, x, levels) {
    list(prob = stats::predict(model, x, num.threads = 1L)$predictions)
  },
  name = "ranger"
)
for (part in parts) source(file.path(home, sprintf("_comparison_%s.R", part)))
