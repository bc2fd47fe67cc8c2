# What future's plan says changes nothing but the time: in this process, by future.apply and in two
# others, which all of these share, results are the same to the bit.

skip_on_cran()
skip_if_not_installed("future.apply")

pair <- droplevels(iris[51:150, c(1, 2, 5)])
but_seconds <- function(result) {
  result$results$seconds <- NULL
  result
}
own <- margin_metric(function(truth, predicted, weights) stats::runif(1), "own")
fit <- margin_linear(Species ~ ., pair, lambda = 0.02)
# stopped early, so that seeds show
early <- margin_linear(Species ~ ., pair, lambda = 0.05, solver = "sdca", loss = "hinge",
                       intercept = "none", control = margin_control(max_epochs = 5, tol = 1))

asked <- list(
  "a cross-validation" = function() {
    but_seconds(suppressWarnings(margin_cv(
      Species ~ ., iris, family = "kernel", nystrom = 20, metric = list("accuracy", own),
      folds = 3, seed = 3, grid = list(sigma = c(0.1, 1), lambda = c(0.1, 0.01)),
      control = margin_control(max_epochs = 3), intercept = "none"
    )))$results
  },
  "a bootstrap" = function() but_seconds(margin_bootstrap(fit, pair, resamples = 6, seed = 5)),
  "a calibration" = function() margin_calibrate(early, pair, seed = 3)$calibration$maps,
  "a comparison" = if (nzchar(system.file(package = "ranger"))) function() {
    specs <- list(spec_margin("linear", loss = "hinge", lambda = 0.1), forest_spec(20))
    but_seconds(margin_compare(Species ~ ., pair, specs, folds = 3,
                               seed = 2))[c("results", "predictions")]
  }
)
asked <- Filter(Negate(is.null), asked)
each <- function() lapply(asked, function(ask) tryCatch(ask(), error = identity))
before <- future::plan("sequential")
here <- each()
future::plan("multisession", workers = 2)
there <- each()
future::plan(before)

for (name in names(asked)) {
  test_that(paste(name, "is the same in this process and in two others"), {
    expect_false(inherits(here[[name]], "error"), info = paste(here[[name]], collapse = " "))
    expect_identical(there[[name]], here[[name]])
  })
}
