test_that("every loss has its twin in the tests, and is smooth where gamma is above 0", {
  losses <- loss_table()
  expect_identical(losses$name, names(loss_twins))
  expect_identical(losses$smooth, losses$gamma > 0)
})

bibliography_keys <- function() {
  lines <- readLines(system.file("REFERENCES.bib", package = "dualmargin"))
  sub("^@[a-z]+\\{([^,]+),.*", "\\1", grep("^@", lines, value = TRUE))
}

test_that("margin_solvers() has one row a solver, by family", {
  solvers <- margin_solvers()
  expect_identical(margin_solvers("linear"), solvers[solvers$family == "linear", ])
  expect_true(all(c("auto", "sdca", "newton", "ssnal", "aspdc", "aspdc_i") %in% solvers$name))
  expect_true(all(na.omit(solvers$paper) %in% bibliography_keys()))
  expect_false(anyDuplicated(solvers[c("name", "family")]) > 0)
  expect_true(all(lengths(solvers$intercepts) > 0))
  expect_error(margin_solvers("kernal"), "`family` is \"kernal\"", class = "dualmargin_input_error")
  # An option that has no bounds, choices or flag could not be checked.
  for (options in solvers$options) {
    for (name in names(options)) {
      expect_true(!is.numeric(options[[name]]) || name %in% names(option_bounds), info = name)
    }
  }
})

# Every solver x loss x intercept x mixture: the registry's word and the solver's deed agree.
test_that("what the registry allows is certified, what it forbids is an error with a remedy", {
  set.seed(3)
  x <- matrix(rnorm(120), 30, 4)
  score <- x[, 1] + rnorm(30)
  grid <- expand.grid(solver = margin_solvers("linear")$name, loss = names(loss_makers()),
                      intercept = intercept_kinds, mixture = c(0, 0.5, 1),
                      stringsAsFactors = FALSE)
  messages <- character()
  for (k in seq_len(nrow(grid))) {
    g <- grid[k, ]
    row <- find_solver(g$solver, "linear")
    evidence <- check_solver(row, as_loss(g$loss), g$intercept, g$mixture)
    lambda <- if (evidence$ok) {
      lambda_for(row, 0.05, x, as_loss(g$loss), g$mixture, g$intercept)
    } else {
      0.05
    }
    y <- if (as_loss(g$loss)$task == "regression") score else factor(score > 0)
    fit <- function() {
      without_notes(
        margin_linear(x, y, loss = g$loss, lambda = lambda, mixture = g$mixture,
                      intercept = g$intercept, solver = g$solver,
                      control = margin_control(seed = 1, tol = tol_for(row, 1e-6),
                                               max_epochs = 20000))
      )
    }
    label <- paste(unlist(g), collapse = " ")
    if (evidence$ok) {
      # test-law-solvers.R has the others
      if (g$mixture == 1) expect_true(fit()$certificate$certified, info = label)
    } else {
      condition <- tryCatch(fit(), error = identity)
      expect_s3_class(condition, "dualmargin_input_error")
      expect_identical(condition$arg, evidence$arg, info = label)
      messages <- union(messages, conditionMessage(condition))
    }
  }
  expect_recorded("registry", "combinations", sort(messages, method = "radix"))
})
