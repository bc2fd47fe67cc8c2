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

test_that("what a solver of any family does not take is an error of ours", {
  refused <- 0L
  # expect_error() looks for the traces of all of them
  refuses <- function(code) {
    tryCatch({
      code
      FALSE
    }, dualmargin_input_error = function(condition) TRUE)
  }
  for (row in solver_rows()) {
    case <- case_of(row$family)
    takes <- family_arguments(row$family)
    fit <- function(..., control = list()) {
      problem <- case$rows()
      given <- list(...)
      if (!is.null(given$loss) && is.numeric(problem$y)) problem$y <- factor(problem$y > 0)
      case_fit(case, row, problem, ..., control = control)
    }
    # of the linear family the block above has all losses
    losses <- if ("loss" %in% takes) list(as_loss("hinge"), as_loss("logistic")) else list(NULL)
    intercepts <- if ("intercept" %in% takes) intercept_kinds else character()
    for (loss in losses) for (intercept in intercepts) {
      ok <- if (is.null(loss)) intercept %in% unlist(row$intercepts) else
        row$family == "linear" || solver_takes(row, loss, intercept, 0)
      if (ok) next
      given <- Filter(Negate(is.null), list(loss = loss, intercept = intercept, mixture =
                                              if ("mixture" %in% takes) 0))
      expect_true(refuses(do.call(fit, given)),
                  info = paste(row$family, row$name, format(loss), intercept))
      refused <- refused + 1L
    }
    for (option in c("nonsense", names(row$options))) {
      wrong <- list(solver_options = stats::setNames(list(-1e300), option))
      expect_true(refuses(fit(control = wrong)), info = paste(row$name, option))
    }
  }
  expect_gt(refused, 30L)
})
