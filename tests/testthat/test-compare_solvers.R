compare <- function(..., loss = "smooth_hinge") {
  compare_solvers(a1a$x, factor(a1a$y), intercept = "none", lambda = 1e-3,
                  control = margin_control(seed = 1, max_epochs = 40), loss = loss, ...)
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
  expect_quiet(comparison <- compare(solvers = c("newton", "sdca"), loss = "squared_hinge"))
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
  expect_error(compare(solvers = c("auto", "auto")), class = "dualmargin_input_error")
  expect_error(compare(solvers = "newton", solver = "sdca"), class = "dualmargin_input_error")
  expect_error(compare(solvers = "newtom"), "`solvers`.*newton", class = "dualmargin_input_error")
  expect_error(compare(lamda = 1), "`lamda`", class = "dualmargin_input_error")
  expect_error(compare_solvers(a1a$x, a1a$y, solvers = c("auto", "sdca"), lambda = -1,
                               loss = "smooth_hinge"), "`lambda`",
               class = "dualmargin_input_error")
  expect_error(compare(solvers = "newton", loss = "hinge"), "none that can do this problem.*smooth",
               class = "dualmargin_input_error")
})

test_that("a solver that cannot do the problem is a row that says why", {
  both <- compare(solvers = c("newton", "auto"), loss = "hinge")
  expect_named(both$fits, "auto")
  expect_match(both$refused[["newton"]], "smooth")
  table <- summary(both)
  expect_identical(table$solver, c("auto", "newton"))
  expect_identical(table$certified, c(certificate(both)$certified, FALSE))
  expect_identical(is.na(table$value), c(FALSE, TRUE))
  expect_match(table$reason[2L], "smooth")
  expect_output(print(both), "newton was not fitted: .*smooth")
  # a bound on lambda that only the rows tell
  late <- compare_solvers(a1a$x, a1a$y, c("auto", "aspdc"), intercept = "none", lambda = 1e-8,
                          control = margin_control(seed = 1, max_epochs = 40),
                          loss = "smooth_hinge")
  expect_match(late$refused[["aspdc"]], "diverges")
})

test_that("all solvers get one intercept, the first that all of them can fit", {
  said <- character()
  chosen <- withCallingHandlers(
    compare_solvers(Species ~ ., data = iris, solvers = c("newton", "sdca"),
                    control = margin_control(seed = 1, max_epochs = 50), loss = "smooth_hinge"),
    message = function(m) {
      said <<- c(said, conditionMessage(m))
      invokeRestart("muffleMessage")
    }
  )
  expect_match(said, "`intercept` is \"penalized\"", fixed = TRUE, all = FALSE)
  kinds <- vapply(chosen$fits, function(fit) fit$settings$intercept, "")
  expect_identical(unname(kinds), rep("penalized", 2L))
  # what was asked for stays
  asked <- compare_solvers(Species ~ ., data = iris, solvers = c("newton", "sdca"),
                           intercept = "free", control = margin_control(seed = 1),
                           loss = "smooth_hinge")
  expect_named(asked$fits, "newton")
  expect_match(asked$refused[["sdca"]], "intercept")
})

test_that("suboptimality bounds the error of a value by the best of all bounds", {
  trace <- convergence(compare(solvers = c("newton", "sdca")))
  best <- max(trace$bound)
  expect_equal(trace$suboptimality, (trace$value - best) / min(trace$value))
  # at most what the bound of the same moment says
  expect_true(all(trace$suboptimality <= trace$gap / min(trace$value) + 1e-12))
  sdca <- trace[trace$solver == "sdca", ]
  last <- sdca[nrow(sdca), ]
  expect_lt(last$suboptimality, last$gap / min(trace$value))
})

test_that("the print names the reason for which a solver missed its tolerance", {
  expect_output(print(compare(solvers = c("newton", "sdca"))),
                "newton.*certified\n.*sdca.*NOT certified \\(max_epochs\\)")
})

test_that("every family is compared on one problem", {
  set.seed(1)
  x <- matrix(rnorm(40 * 3), 40)
  y <- ifelse(x[, 1] + 0.5 * rnorm(40) > 0, 1, -1)
  augmented <- compare_solvers(x, y, solvers = c("auto", "smiso"), family = "augmented",
                               perturbation = perturb_gaussian(0.2), lambda = 0.1,
                               control = margin_control(tol = 1e-3, seed = 1),
                               center = FALSE, scale = FALSE)
  expect_setequal(unique(augmented$trace$solver), c("auto", "smiso"))
  expect_identical(augmented$fits$auto$status$solver, "exact")
  apart <- x[, 1] > 0.2 | x[, 1] < -0.2
  hard <- compare_solvers(x[apart, ], sign(x[apart, 1]), solvers = c("active_set", "dual_cd"),
                          family = "hard")
  ends <- vapply(hard$fits, function(fit) unlist(fit$certificate[c("value", "bound")]), c(0, 0))
  expect_lte(max(ends[1, ]), min(ends[2, ]) * (1 + 1e-9))
})

test_that("an intercept that is none, and gaps that are none, are said to be", {
  x <- as.matrix(mtcars[1:20, 2:4])
  y <- factor(mtcars$am[1:20])
  for (wrong in list(character(0), list(), mean, "fixed")) {
    expect_input_error(compare_solvers(x, y, lambda = 0.1, intercept = wrong), "intercept",
                       "`intercept`")
  }
  both <- compare_solvers(x, y, c("newton", "auto"), lambda = 0.1)
  for (wrong in list(NULL, numeric(), "a", NA, -1, 0, TRUE, mean, list(1))) {
    expect_input_error(summary(both, gaps = wrong), "gaps", "relative gaps above 0")
  }
  expect_warning(expect_input_error(compare_solvers(x, numeric(0)), "y", "length 0"), NA)
})

# "auto" is the model that a solver fits: one of all classes, or one for each.
test_that("all solvers fit the same model of three classes", {
  expect_message(linear <- compare_solvers(Species ~ ., iris, lambda = 0.02, intercept = "penalized"),
                 "`multiclass` is \"one_vs_rest\"", class = "dualmargin_message")
  expect_true(all(vapply(linear$fits, function(fit) is.null(fit$multiclass), NA)))
  expect_equal(summary(linear)$value, rep(summary(linear)$value[1L], 5L), tolerance = 1e-5)
  able <- compare_solvers(Species ~ ., iris, lambda = 0.02, solvers = c("auto", "newton"))
  expect_identical(unique(vapply(able$fits, `[[`, "", "multiclass")), "softmax")
  expect_message(kernel <- compare_solvers(
    Species ~ ., iris, family = "kernel", loss = "logistic", intercept = "none",
    solvers = c("auto", "sdca"), lambda = 0.02
  ), "one_vs_rest", class = "dualmargin_message")
  expect_equal(diff(summary(kernel)$value), 0, tolerance = 1e-4)
})

test_that("all solvers have the same draws", {
  problem <- moons(40L)
  for (drawn in list(list(mixup = mixup_pairs(20)), list(kernel = kernel_ntk(width = 10)))) {
    compared <- do.call(compare_solvers, c(
      list(problem$x, problem$y, family = "kernel", solvers = c("auto", "newton", "block_sdca"),
           loss = "logistic", lambda = 0.01), drawn
    ))
    expect_equal(summary(compared)$value, rep(summary(compared)$value[1L], 3L), tolerance = 1e-5)
    expect_true(all(compared$trace$suboptimality >= -1e-12))
  }
})

# What a method carries along is of a dual point before that is balanced for a free intercept.
test_that("no value of a trace is below the optimum beside a free intercept", {
  problem <- moons(40L)
  for (loss in c("squared_hinge", "logistic", "hinge")) {
    compared <- compare_solvers(problem$x, problem$y, family = "kernel", loss = loss, lambda = 1e-3,
                                solvers = c("auto", "smo", "newton", "block_sdca"))
    expect_true(all(compared$trace$suboptimality >= -1e-12), info = loss)
    expect_true(all(compared$trace$bound <= min(summary(compared)$value, na.rm = TRUE) * (1 + 1e-12)), info = loss)
  }
})

test_that("a misspelt argument of its own is told as one", {
  expect_error(compare_solvers(Species ~ ., iris, slovers = "auto"), "did you mean `solvers`",
               class = "dualmargin_input_error")
})
