# Everything that is printed keeps to 80 columns, whatever the names of models, levels and columns.

expect_narrow <- function(x, what) {
  lines <- utils::capture.output(print(x))
  expect_lte(max(nchar(lines, "width")), 80L, label = paste("width of", what))
}
long <- "a_model_with_a_name_that_nobody_would_type_twice"
pair <- droplevels(iris[51:150, ])
flowers <- transform(iris, Species = factor(paste0("a long name of the level ", Species)))
names(flowers)[1:2] <- c("the_first_column_of_some_measurement", "the_second_column_of_another")

narrow <- function(code) {
  old <- options(width = 80)
  on.exit(options(old))
  force(code)
}

comparison <- quiet_compare(
  stats::setNames(list(
    threshold_spec("Petal.Width", 1.6, "cut", list(relative_gap = 0.2, certified = FALSE)),
    threshold_spec("Petal.Length", 4.9, "long"),
    spec_margin("linear", loss = "logistic", lambda = 0.01)
  ), paste0(long, c("_one", "_two", ""))),
  Species ~ ., data = pair, folds = 3, repeats = 2, seed = 4, metric = c("accuracy", "hinge")
)

test_that("a comparison of models prints within 80 columns, by names that differ", {
  narrow({
    expect_narrow(comparison, "comparison")
    expect_narrow(summary(comparison), "its summary")
    expect_narrow(tidy(comparison), "its tests")
    lines <- utils::capture.output(print(summary(comparison)))
    ranks <- friedman_nemenyi(list(one = comparison, two = comparison))
    expect_narrow(ranks, "ranks")
    expect_narrow(tidy(ranks), "pairs of ranks")
  })
  # no pair of numbers, and both names of a pair can be told apart
  expect_false(any(grepl("^ *1 - 2", lines)))
  rows <- grep("^ a_model", lines, value = TRUE)
  pairs <- lapply(strsplit(trimws(rows), " +"), `[`, 1:2)
  in_tests <- pairs[lengths(strsplit(trimws(rows), " +")) > 6L]
  expect_true(all(vapply(in_tests, function(pair) pair[1L] != pair[2L], NA)))
})

test_that("why a test was left out wraps, whatever is installed", {
  summary <- summary(comparison, tests = "bayes")
  summary$left_out <- c(corrected_t = strrep("needs a package that this machine lacks; ", 5))
  narrow(expect_narrow(summary, "reasons"))
})

test_that("a table of names gives way at the names alone", {
  table <- data.frame(name = c(long, paste0(long, 2)), value = c("1", "2"))
  for (width in c(40L, 60L, 80L)) {
    old <- options(width = width)
    lines <- utils::capture.output(dualmargin:::print_table(table, "name"))
    options(old)
    expect_lte(max(nchar(lines)), width)
    expect_length(lines, 3L)
    expect_identical(anyDuplicated(lines), 0L)
  }
})

test_that("numbers of a column have the same decimals, and no zero is negative", {
  show <- dualmargin:::show_numbers
  expect_identical(show(c(0.9048, 0.05249, 0), 4L), c("0.9048", "0.0525", "0.0000"))
  expect_identical(show(c(-1e-9, 12.3456), 4L), c("0.00", "12.35"))
  expect_identical(show(c(1.234567e-9, 0), 4L), c("1.235e-09", "0"))
  expect_identical(show(c(123456, 1), 4L), c("123456", "1"))
})

test_that("fits, paths, cross-validations and solvers print within 80 columns", {
  fits <- list(
    linear = margin_linear(Species ~ ., flowers, loss = "hinge", lambda = 0.01),
    kernel = margin_kernel(Species ~ ., flowers, loss = "logistic", lambda = 0.01,
                           intercept = "none", class_weights = "balanced"),
    robust = margin_robust(Species ~ ., flowers, radius = 0.1, intercept = "free", scale = TRUE),
    augmented = margin_augmented(Species ~ ., flowers, loss = "logistic", lambda = 0.1,
                                 intercept = "penalized", scale = TRUE,
                                 control = margin_control(tol = 0.1, seed = 1)),
    poor = suppressWarnings(margin_linear(Species ~ ., flowers, loss = "hinge", solver = "sdca",
                                          lambda = 1e-4, intercept = "none",
                                          control = margin_control(max_epochs = 2, seed = 1)))
  )
  path <- margin_path(Species ~ ., flowers, loss = "logistic", mixture = c(0.5, 1), n_lambda = 4)
  cv <- margin_cv(Species ~ ., flowers, family = "kernel", loss = "logistic", intercept = "none",
                  grid = list(kernel = list(kernel_rbf(0.1), kernel_polynomial(2, 0.123456, 1)),
                              lambda = c(0.1, 0.01)), folds = 3, seed = 1)
  solvers <- compare_solvers(Species ~ ., data = flowers, loss = "hinge", lambda = 0.01,
                             solvers = c("auto", "newton", "interior_point"))
  narrow({
    for (family in names(fits)) {
      expect_narrow(fits[[family]], family)
      expect_narrow(summary(fits[[family]]), paste("summary of", family))
      expect_narrow(certificate(fits[[family]], by = "class"), paste("certificate of", family))
      expect_narrow(glance(fits[[family]]), paste("glance at", family))
      expect_narrow(tidy(fits[[family]]), paste("coefficients of", family))
    }
    for (x in list(path, summary(path), glance(path), tidy(path), cv, summary(cv), tidy(cv),
                   summary(cv, rule = "best"), solvers, summary(solvers), certificate(solvers))) {
      expect_narrow(x, class(x)[1L])
    }
    expect_narrow(worst_case(margin_robust(Species ~ ., pair, radius = 0.1, intercept = "free",
                                           scale = TRUE), pair), "worst case")
  })
})

test_that("the list of solvers prints within 80 columns, with every intercept written out", {
  narrow({
    expect_narrow(margin_solvers(), "solvers")
    expect_narrow(margin_solvers("linear")[c("name", "smooth_loss", "intercepts")], "columns")
    lines <- utils::capture.output(print(margin_solvers()))
  })
  text <- paste(lines, collapse = "\n")
  expect_no_match(text, "....", fixed = TRUE)
  for (name in margin_solvers()$name) expect_match(text, paste0("\n  ", name, ":"), fixed = TRUE)
  expect_match(text, "newton: [^\n]*\n +loss: any smooth one; intercept: free, penalized, none")
  expect_s3_class(margin_solvers(), c("margin_solvers", "data.frame"), exact = TRUE)
  part <- utils::capture.output(print(margin_solvers("hard")[1:2, c("name", "intercepts")]))
  expect_match(part[2L], "auto +free, penalized, none")
})

test_that("what a user composes prints within 80 columns", {
  names <- paste("some long name of a level", levels(iris$Species))
  named <- transform(iris, Species = factor(names[as.integer(Species)]))
  hinge <- margin_linear(Species ~ ., named, loss = "hinge", lambda = 0.01, intercept = "free",
                         scale = TRUE)
  narrow({
    many <- perturb_dropout(0.1) + perturb_gaussian(0.2) + perturb_rescale(0.3) +
      perturb_image(c(28, 28), 2)
    metric <- margin_metric(function(truth, predicted, weights) 1, long)
    for (x in list(many, metric, margin_control(tol = 1e-8, max_epochs = 123456, seed = 1),
                   spec_margin("kernel", loss = "hinge", class_weights = "balanced"),
                   loss_huber(1.2345678), kernel_polynomial(3, 0.123456, 2), kernel_ntk(5, 1),
                   mixup_pairs(100, alpha = 0.3), soft_labels(matrix(1 / 7, 30, 7)),
                   summary(margin_calibrate(hinge, named, seed = 1)))) {
      expect_narrow(x, class(x)[1L])
    }
  })
})

# ---- The region of practical equivalence ----

test_that("rope is one point of a share and one percent of an error, in any unit", {
  specs <- list(squared = spec_margin("linear", loss = "squared", lambda = 0.01),
                strong = spec_margin("linear", loss = "squared", lambda = 1))
  in_unit <- function(unit, ...) {
    data <- transform(mtcars, mpg = mpg * unit)
    quiet_compare(specs, mpg ~ wt + hp, data = data, folds = 4, repeats = 2, seed = 1, ...)
  }
  one <- in_unit(1)
  best <- min(tapply(one$results$score, one$results$model, mean))
  expect_equal(summary(one, tests = "bayes")$rope, 0.01 * best)
  thousand <- in_unit(1000)
  expect_equal(summary(thousand, tests = "bayes")$rope, 1e6 * 0.01 * best, tolerance = 1e-6)
  shares <- c("prob_model_1", "prob_rope", "prob_model_2")
  expect_equal(tidy(one, tests = "bayes")[shares], tidy(thousand, tests = "bayes")[shares],
               tolerance = 1e-4)
  # accuracy: a point; another metric of the same comparison: one percent of its best mean
  expect_identical(summary(comparison, tests = "bayes")$rope, 0.01)
  hinge <- tapply(comparison$results$hinge, comparison$results$model, mean)
  expect_equal(summary(comparison, tests = "bayes", metric = "hinge")$rope, 0.01 * min(hinge))
  # what was asked for is kept, in units of the first metric
  given <- in_unit(1, rope = 0.5)
  expect_identical(summary(given, tests = "bayes")$rope, 0.5)
  expect_identical(summary(given, tests = "bayes", rope = 0.2)$rope, 0.2)
})
