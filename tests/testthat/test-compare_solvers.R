compare <- function(...) {
  compare_solvers(a1a$x, a1a$y, intercept = "none", lambda = 1e-3,
                  control = margin_control(seed = 1, max_epochs = 40), ...)
}

test_that("solvers are given one problem and agree on its optimum", {
  comparison <- compare(solvers = c("newton", "ssnal", "sdca"))
  table <- certificate(comparison)
  expect_identical(table$solver, c("newton", "ssnal", "sdca"))
  expect_lte(max(table$bound), min(table$value) * (1 + 1e-12))
  expect_equal(coef(comparison$fits$newton), coef(comparison$fits$ssnal), tolerance = 1e-2)
  expect_setequal(convergence(comparison)$solver, table$solver)
})

test_that("a solver that misses its tolerance is marked, without a warning", {
  expect_no_warning(comparison <- compare(solvers = c("newton", "sdca"), loss = "squared_hinge"))
  expect_output(print(comparison), "sdca.*NOT certified")
  expect_identical(summary(comparison)$certified, c(TRUE, FALSE))
})

test_that("summary finds when a gap was reached", {
  comparison <- compare(solvers = "newton")
  trace <- convergence(comparison)
  size <- pmax(abs(trace$value), abs(trace$bound))
  expect_identical(summary(comparison, gaps = 1e-4)[["epochs_to_1e-04"]],
                   trace$epoch[which(trace$gap <= 1e-4 * size)[1L]])
})

test_that("what cannot be compared is told before anything is fitted", {
  expect_error(compare(solvers = c("auto", "newton"), loss = "hinge"), "smooth",
               class = "dualmargin_input_error")
  expect_error(compare(solvers = c("auto", "auto")), class = "dualmargin_input_error")
  expect_error(compare(), class = "dualmargin_input_error")
  expect_error(compare(solvers = "newton", solver = "sdca"), class = "dualmargin_input_error")
  expect_error(compare_solvers(Species ~ ., data = iris, solvers = c("newton", "sdca")),
               "intercept",
               class = "dualmargin_input_error")
})
