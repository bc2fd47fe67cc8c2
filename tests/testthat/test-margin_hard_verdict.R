# Three ways to say whether a margin exists: fit$separable, the warning, the certificate. They never
# contradict one another, whatever the solver and wherever it stopped.

# The fit with the classes of its warnings.
heard_hard <- function(..., intercept = "none") {
  classes <- character()
  fit <- withCallingHandlers(
    margin_hard(..., intercept = intercept),
    warning = function(w) {
      classes <<- c(classes, class(w)[1L])
      invokeRestart("muffleWarning")
    },
    message = function(m) invokeRestart("muffleMessage")
  )
  list(fit = fit, warnings = classes)
}

# |A'q| from the returned q, and the rounding of that sum. rows: y x, with a one if penalised.
null_length <- function(q, rows) {
  c(length = sqrt(sum(crossprod(rows, q)^2)),
    rounding = 1.2e-16 * (2 * sum(q > 0) + ncol(rows) + 10) * sum(q * sqrt(rowSums(rows^2))))
}

# What a fit says that contradicts the rest of it; each verdict from the numbers that it holds.
contradictions <- function(heard, x, y) {
  fit <- heard$fit
  ce <- fit$certificate
  yes <- isTRUE(fit$separable)
  no <- isFALSE(fit$separable)
  warned <- if (no) "dualmargin_not_separable" else if (!ce$certified) "dualmargin_not_certified"
  rows <- y * (if (fit$settings$intercept == "penalized") cbind(x, 1) else x)
  null <- null_length(fit$dual, rows)
  wrong <- c(
    warning = !identical(heard$warnings, if (is.null(warned)) character() else warned),
    "certified without a margin" = ce$certified && !yes,
    status = (fit$status$status == "certified") != ce$certified,
    "status of the verdict" = (fit$status$status == "not_separable") != no,
    gap = !(ce$gap >= 0),
    margin = yes && !(min(y * fit$scores) > 0),
    "null combination" = no && !(null[["length"]] <= null[["rounding"]]),
    sides = no && fit$settings$intercept == "free" && abs(sum(fit$dual * y)) > 1e-14
  )
  names(which(wrong))
}

# Those of every solver; `also(fit)`: more that must hold.
contradicting <- function(x, y, also = function(fit) TRUE, max_epochs = 100) {
  found <- character()
  for (intercept in c("none", "penalized", "free")) for (solver in hard_solvers(intercept)) {
    heard <- heard_hard(x, y, solver = solver, intercept = intercept,
                        control = margin_control(max_epochs = max_epochs, seed = 1))
    wrong <- c(contradictions(heard, x, y), if (!also(heard$fit)) "more")
    if (length(wrong) > 0L) found <- c(found, paste(solver, intercept, max_epochs, wrong))
  }
  found
}

no_margin <- function(fit) !isTRUE(fit$separable) && !fit$certificate$certified &&
  fit$certificate$value <= 0

square <- rbind(c(1, 1), c(-1, -1), c(1, -1), c(-1, 1))
crossed <- c(1, 1, -1, -1)

test_that("a run that ends early certifies nothing on rows that cannot be separated", {
  for (epochs in c(1, 2, 5, 20, 50)) {
    expect_identical(contradicting(square, crossed, no_margin, epochs), character())
  }
  for (solver in c("auto", "active_set")) {
    expect_false(heard_hard(square, crossed, solver = solver)$fit$separable)
  }
})

test_that("equal rows of two classes and mirrored rows are found out or left open", {
  one <- rbind(c(1, 0), c(1, 0))
  expect_identical(contradicting(one, c(1, -1), no_margin), character())
  expect_false(heard_hard(one, c(1, -1), solver = "smo", intercept = "free")$fit$separable)
  for (seed in 1:5) {
    set.seed(seed)
    half <- matrix(rnorm(3 * (2 + seed %% 3)), ncol = 3)
    x <- rbind(half, half)
    y <- rep(c(1, -1), each = nrow(half))
    expect_identical(contradicting(x, y, no_margin), character(), label = seed)
  }
})

test_that("verdict, warning and certificate agree on random signs, for every solver", {
  for (seed in 1:6) {
    set.seed(seed)
    x <- matrix(rnorm(60), 20)[seq_len(4 + 2 * seed), ]
    y <- sample(rep_len(c(-1, 1), nrow(x)))
    expect_identical(contradicting(x, y), character(), label = seed)
  }
})

test_that("a function of length zero is no direction", {
  y <- c(1, -1, 1, -1)
  zero <- heard_hard(matrix(0, 4, 4), y, kernel = kernel_precomputed(), intercept = "none")
  expect_identical(zero$fit$certificate$value, -Inf)
  expect_false(zero$fit$certificate$certified)
  expect_false(zero$fit$separable)
  expect_identical(zero$warnings, "dualmargin_not_separable")
})

test_that("what is left open says so wherever a fit speaks", {
  heard <- heard_hard(square, crossed, solver = "momentum",
                      control = margin_control(max_epochs = 3))
  # the mean of all rows is zero: proved at once
  expect_false(heard$fit$separable)
  x <- rbind(c(1, 1), c(-1, -0.9), c(1, -1), c(-1, 0.8))
  heard <- heard_hard(x, crossed, solver = "perceptron", control = margin_control(max_epochs = 9))
  fit <- heard$fit
  expect_identical(fit$separable, NA)
  expect_identical(heard$warnings, "dualmargin_not_certified")
  expect_identical(glance(fit)$separable, NA)
  expect_output(print(fit),
                "nothing proves that the classes can be separated or\\s+that they cannot")
  expect_output(print(summary(fit)), "nothing proves")
  condition <- tryCatch(margin_hard(x, crossed, solver = "perceptron",
                                    control = margin_control(max_epochs = 9), intercept = "none"),
                        warning = identity)
  expect_match(conditionMessage(condition), "Whether any direction separates the rows is undecided",
               fixed = TRUE)
  expect_match(conditionMessage(condition), "solver = \"auto\"", fixed = TRUE)
  grDevices::pdf(NULL)
  ends <- plot(fit, which = "interval")
  grDevices::dev.off()
  expect_identical(ends$margin, numeric(nrow(ends)))
})
