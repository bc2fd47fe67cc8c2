# A slice of the campaign of statements on exact optima (make decisions): each statement on random
# problems, none contradicted by a refit at 1e-12, and none so wide that it says nothing.

slice <- local({
  lapply(stats::setNames(nm = names(decision_statements)), function(statement) {
    run_decisions(statement, seeds = if (is_extended()) 1:2000 else 1:4)
  })
})

test_that("no statement is contradicted by a refit, and none is empty", {
  for (statement in names(slice)) {
    rows <- slice[[statement]]
    expect_identical(rows$seed[rows$violations > 0], integer(), label = statement)
    expect_equal(sum(rows$contradicted, na.rm = TRUE), 0, label = statement)
    expect_identical(unique(rows$failed), "", label = statement)
    expect_gt(sum(rows$one_sided, na.rm = TRUE), 0, label = statement)
    # the reference knows the optimum far better than what it judges; a robust fit's free intercept
    # it knows to 1e-4 of the score on each side
    limit <- if (statement %in% c("A8", "A12")) 1e-3 else 1e-4
    expect_lte(stats::median(rows$slack, na.rm = TRUE), limit, label = statement)
  }
})

test_that("what refits decide lies within what is known of a kernel fit without them", {
  # the second look at the offset had been left out of rows that a refit decided
  expect_equal(run_decisions("A14", 1580L)$violations, 0)
})

test_that("intervals are tight: the optimum comes near their ends", {
  used <- vapply(slice, function(rows) max(c(0, rows$used), na.rm = TRUE), 0)
  for (statement in c("A1", "A2", "A4", "C1", "C3")) {
    expect_gte(used[[statement]], 0.4, label = statement)
  }
  # at an exact fit what follows for a row that is left out has the length q a of its formula
  expect_lte(max(slice$C1$tight, na.rm = TRUE), 1e-6)
  # an interval at the optimum is no wider than what a gap of 1e-12 leaves
  expect_lte(max(slice$A2$tight), 1e-5)
})

test_that("the judge notices ends that are wrong", {
  problem <- decision_problem(3, "smooth_hinge", "free")
  fit <- decision_fit(problem, 1e-3)
  optimum <- optimum_of(problem, fit)
  exact <- exact_scores(optimum, sweep(problem$new, 2L, unname(fit$scales), `/`))
  found <- predict(margin_certain(fit, problem$x, decision_response(problem)), problem$new,
                   data = problem$x, refits = 0)
  wrong <- function(lower, upper) judged_intervals(lower, upper, exact)$violations
  expect_identical(wrong(found$lower, found$upper), 0L)
  expect_identical(wrong(exact$high + 1e-6, found$upper), 5L)
  expect_identical(wrong(found$lower, exact$low - 1e-6), 5L)
  expect_identical(wrong(replace(found$lower, 2L, NaN), found$upper), 1L)
  # the optimal intercepts of balanced hinges are a segment, all of which must be held
  hinge <- problem
  hinge$settings$loss <- as_loss("hinge")
  hinge$settings$lambda <- 500
  hinge$codes <- rep_len(c(-1, 1), length(hinge$codes))[seq_along(hinge$codes)]
  hinge$x <- hinge$x[seq_len(2L * (nrow(hinge$x) %/% 2L)), , drop = FALSE]
  hinge$codes <- hinge$codes[seq_len(nrow(hinge$x))]
  hinge$omega <- rep(1, nrow(hinge$x))
  hinge$settings["weights"] <- list(NULL)
  fit <- decision_fit(hinge, 1e-10)
  exact <- exact_scores(optimum_of(hinge, fit), scaled_by(hinge, fit))
  expect_true(all(exact$in_high - exact$in_low > 0.1))
  expect_gt(judged_intervals(exact$score, exact$score, exact)$violations, 0)
  found <- predict(margin_certain(fit, hinge$x, decision_response(hinge)))
  expect_identical(judged_intervals(found$lower, found$upper, exact)$violations, 0L)
})

# Problems in which the plain Newton step of the judge had no end: at its start no row lies where
# the loss has curvature, and nothing holds the intercept.
test_that("the judge finds the optimum where no row is on a slope with curvature", {
  rows <- run_decisions("C9", c(222, 3347, 90000235, 90000973))
  expect_identical(rows$violations, integer(4))
  expect_lt(max(rows$slack), 1e-6)
})
