# A fixed part of the campaign of tests/fuzz: problems by the number, of every family, with the
# corners that random data have. One again: Rscript tests/fuzz/campaign.R --seed=N --family=name

everywhere <- c(names(fuzz_families), "joint", "kinked", "strangers", names(around_families))
for (family in everywhere) {
  # a decision is held against refits at 1e-12, which test-decisions.R does by statement
  count <- if (family == "decisions") 6L else 60L
  test_that(sprintf("nothing is wrong with %d random problems of the family %s", count, family), {
    for (seed in seq_len(count) * if (family == "decisions") 64L else 1L) {
      result <- fuzz_seed(seed, family)
      for (row in result$rows) {
        expect_identical(row$found, character(),
                         label = sprintf("seed %d, %s (%s)", seed, row$what, row$outcome))
      }
    }
  })
}

test_that("a number without a family names a case of one of them", {
  families <- vapply(c(3L, 5L, 11L, 16L, 19L, 35L, 41L), function(seed) {
    result <- fuzz_seed(seed)
    for (row in result$rows) expect_identical(row$found, character(), label = row$what)
    result$family
  }, "")
  expect_identical(families[c(1L, 2L, 5L, 6L, 7L)],
                   c("oneclass", "units", "calibrated", "decisions", "strangers"))
})

test_that("of all kinds of problems there are enough without asking for one", {
  kind <- vapply(1:480, function(seed) {
    if (seed %% 16 == 3 || seed %% 8 %in% c(1, 5)) return("around")
    case <- draw_case(seed)
    if (isTRUE(case$args$multiclass %in% c("softmax", "crammer_singer"))) "joint" else
      if (isTRUE(case$args$loss$task == "regression")) "kinked" else case$family
  }, "")
  expect_true(all(table(kind)[c(names(fuzz_families), "joint", "kinked")] >= 20L))
})

test_that("every solver of every family is drawn", {
  drawn <- unique(unlist(lapply(1:2000, function(seed) {
    case <- draw_case(seed)
    paste(case$family, case$row$name)
  })))
  # those of one class, which has no labels, are drawn by around_seed()
  rows <- Filter(function(row) row$family != "oneclass", solver_rows())
  rows <- list(family = vapply(rows, `[[`, "", "family"), name = vapply(rows, `[[`, "", "name"))
  expect_setequal(drawn, paste(rows$family, rows$name))
})

test_that("a number names one problem", {
  set.seed(5)
  first <- draw_case(17L)
  set.seed(6)
  expect_identical(first[c("x", "y", "family", "storage")],
                   draw_case(17L)[c("x", "y", "family", "storage")])
})

test_that("a response far from 0 costs digits of the intercept's penalty, and of it alone", {
  # Numbers 81007519 and 81012918 of the campaign. The intercept of coef() is that of the level
  # -1000, of which it keeps 1e-13; the objective counts its distance from that level.
  set.seed(1)
  x <- matrix(rnorm(24), 8)
  y <- x[, 1] * 1e-3 + rnorm(8) * 1e-4
  fits <- lapply(c(0, -1000), function(level) {
    suppressWarnings(margin_augmented(
      x, y + level, loss = as_loss("squared"), intercept = "penalized",
      perturbation = perturb_gaussian(0.01), lambda = 3, mixture = 0.5, solver = "exact",
      control = margin_control(tol = 1e-4)
    ))
  })
  for (fit in fits) expect_identical(judge_family_augmented(fit, x, list())$found, character())
  slack <- vapply(fits, function(fit) {
    q <- linear_problems(fit, x)[[1L]]
    point <- fit_point(fit, 1L)
    exact_primal(q, point$w, point$b)$slack
  }, 0)
  # a unit of the intercept costs l1, 1.5
  expect_gt(slack[2L], 1.4 * 1000 * .Machine$double.eps)
  expect_lt(slack[2L], 2 * 1000 * .Machine$double.eps)
  expect_lt(slack[1L], slack[2L] / 100)
})

# ---- The judges must notice ----

# What the judge of a family says of a fit that was tampered with.
verdict <- function(family, tamper = identity, warned = NULL, ...) {
  set.seed(1)
  x <- matrix(rnorm(60), 20)
  y <- ifelse(x[, 1L] + (family == "robust") * rnorm(20) > 0, 1, -1)
  args <- list(...)
  if (!is.null(args$multiclass)) y <- factor(max.col(x))
  if (family != "hard") args$weights <- rep(c(1, 2), 10)
  if (family != "hard") args$intercept <- if (family == "augmented") "penalized" else "free"
  args$control <- margin_control(seed = 1, tol = 1e-8)
  case <- list(family = family, x = x, y = y, args = args, given = x, k = 2L,
               row = list(name = "auto", large_lambda = FALSE), seed = 1L)
  run <- fit_case(case, x)
  stopifnot(run$fit$certificate$certified)
  run$fit <- tamper(run$fit)
  if (!is.null(warned)) run$warned <- warned
  judge_fit(case, run, x)$found
}

tampered <- list(
  "a wrong value" = function(fit) {
    fit$certificate$value <- fit$certificate$value * (1 - 1e-9)
    fit
  },
  "a wrong bound" = function(fit) {
    fit$certificate$bound <- fit$certificate$bound +
      (if (fit$certificate$kind == "margin interval") -1e-7 else 1e-7) * fit$certificate$value
    fit$certificate$gap <- abs(fit$certificate$value - fit$certificate$bound)
    fit
  },
  "stale coefficients" = function(fit) {
    last <- length(fit$coefficients)
    fit$coefficients[last] <- fit$coefficients[last] * 1.001
    fit
  },
  "a certificate that is not one" = function(fit) {
    fit$certificate$relative_gap <- 0.1
    fit
  },
  "NaN" = function(fit) {
    fit$certificate$bound <- NaN
    fit
  },
  "a status of its own" = function(fit) {
    fit$status$status <- "stalled"
    fit
  }
)
# What only families with dual variables have.
dual_tampered <- list(
  "a dual point of the other sign" = function(fit) {
    fit$dual <- -fit$dual
    fit
  },
  "a dual point out of balance" = function(fit) {
    at <- which.max(abs(fit$dual))
    fit$dual[at] <- fit$dual[at] / 2
    fit
  },
  "objectives not divided by W" = function(fit) {
    W <- sum(fit$weights)
    fit$certificate[c("value", "bound", "gap")] <- fit$certificate[c("value", "bound", "gap")] * W
    fit
  }
)

test_that("the judges find nothing wrong with an honest fit, and notice what is", {
  arguments <- list(linear = list(loss = "logistic", lambda = 0.1),
                    linear = list(multiclass = "softmax", lambda = 0.1),
                    linear = list(multiclass = "crammer_singer", lambda = 0.1),
                    kernel = list(kernel = kernel_rbf(0.5), loss = "logistic", lambda = 0.1,
                                  intercept = "none"),
                    robust = list(radius = 0.1, intercept = "none", scale = FALSE),
                    hard = list(intercept = "none"),
                    augmented = list(perturbation = perturb_gaussian(0.3), lambda = 0.1,
                                     intercept = "none", scale = FALSE))
  for (k in seq_along(arguments)) {
    family <- names(arguments)[k]
    judge <- function(...) do.call(verdict, c(list(family, ...), arguments[[k]]))
    expect_identical(judge(), character(), label = family)
    all <- c(tampered, if (family != "augmented") dual_tampered)
    for (what in names(all)) {
      if (family == "hard" && what == "a dual point of the other sign") next
      expect_gt(length(judge(all[[what]])), 0L, label = paste(family, what))
    }
    loud <- data.frame(class = "dualmargin_not_certified", message = "")
    expect_match(judge(warned = loud), "warning and certified", all = FALSE)
  }
})

test_that("what is wrong with a problem of strangers is noticed", {
  set.seed(1)
  d <- draw_frame()
  x <- design_of(d)
  fit_to <- function(y, lambda = 0.1, ...) {
    margin_linear(x, y, lambda = lambda, ..., control = exactly())
  }
  for (loss in c("logistic", "hinge")) {
    terms <- list(lower = -0.1, upper = 0.4, offset = d$o)
    fit <- do.call(fit_to, c(list(d$class, loss = loss), terms))
    judge <- function(fit, ...) {
      do.call(check_linear, c(list(fit, x), utils::modifyList(terms, list(...))))
    }
    expect_length(judge(fit), 0L)
    moved <- fit
    moved$coefficients <- moved$coefficients * 1.001
    expect_match(judge(moved), "value is not that of coef", all = FALSE)
    moved <- fit
    moved$certificate$bound <- moved$certificate$bound * (1 + 1e-7)
    expect_match(judge(moved), "bound above", all = FALSE)
    expect_gt(length(judge(fit, offset = rev(d$o))), 0L)
    expect_match(judge(fit, upper = 0.3), "beyond its bound", all = FALSE)
    other <- do.call(fit_to, c(list(d$class, loss = loss, lambda = 0.101), terms))
    expect_match(check_intersect(fit, other, "lambda"), "OPTIMUM OF ITS OWN")
  }
  # what 0.3.0 did: names of a formula were looked up in the global environment
  noticed <- function(check, tamper) {
    found <- vapply(1:8, function(seed) {
      rows <- suppressWarnings(strangers_seed(seed, check = check, tamper = tamper))$rows
      sum(lengths(lapply(rows, `[[`, "found")))
    }, 0)
    sum(found > 0)
  }
  global <- function(fit) {
    if (!is.null(fit$terms)) environment(fit$terms) <- globalenv()
    fit
  }
  expect_identical(noticed("formula", identity), 0L)
  expect_gt(noticed("formula", global), 3L)
  expect_gt(noticed("weighted", function(fit) {
    fit$weights[] <- 1
    fit
  }), 5L)
})

test_that("what is wrong with a one-class fit is noticed", {
  set.seed(1)
  x <- matrix(rnorm(60), 20)
  fit <- margin_oneclass(x, nu = 0.3, kernel = kernel_rbf(0.5),
                         control = margin_control(tol = 1e-8))
  expect_identical(judge_oneclass(fit, x), character())
  change <- function(name, f) {
    fit[[name]] <- f(fit[[name]])
    judge_oneclass(fit, x)
  }
  half <- function(v) v / 2
  for (name in c("coefficients", "rho")) expect_gt(length(change(name, half)), 0L, label = name)
  expect_gt(length(change("certificate", function(ce) {
    ce$bound <- ce$bound * (1 - 1e-6)
    ce
  })), 0L)
  expect_gt(length(change("certificate", function(ce) {
    ce$value <- ce$value * (1 + 1e-9)
    ce
  })), 0L)
})

test_that("a verdict on separability is held against a direction and against the margin", {
  x <- rbind(c(1, 2), c(2, 1), c(-1, -2), c(-2, -1))
  y <- c(1, 1, -1, -1)
  case <- list(family = "hard", x = x, y = y, given = x,
               args = list(intercept = "none", control = margin_control(seed = 1)),
               k = 2L, row = list(name = "auto", large_lambda = FALSE), seed = 1L)
  run <- fit_case(case, x)
  expect_identical(judge_fit(case, run, x)$found, character())
  false <- run
  false$fit$separable <- FALSE
  false$fit$status$status <- "not_separable"
  false$fit$certificate$certified <- FALSE
  expect_match(judge_fit(case, false, x)$found, "FALSE VERDICT", all = FALSE)
  null <- run
  null$fit$coefficients[] <- 0
  expect_match(judge_fit(case, null, x)$found, "FALSE CERTIFICATE", all = FALSE)
})

test_that("sums with twice the digits have them", {
  set.seed(2)
  x <- matrix(rnorm(60) + 2^40, 20)
  w <- c(1, -1, 2^-20)
  # differences of the columns are exact in a double
  exact <- (x[, 1L] - x[, 2L]) + x[, 3L] * 2^-20
  expect_equal(dd_value(dd_rows(x, w)), exact, tolerance = 1e-15)
  expect_identical(dd_value(dd_sum(c(1, 1e20, 1e-20, -1e20, -1))), 1e-20)
  third <- dd_div(1, 3)
  expect_lt(abs(dd_value(dd_sub(dd_mul(third, 3), 1))), 1e-31)
  a <- balanced(dd(c(0.3, -0.2, 0.4)), c(1, 3, 0.1))
  expect_lt(abs(dd_value(dd_sum(dd_mul(a, c(1, 3, 0.1))))), 1e-31)
})

test_that("a constant column far from 0 costs the dual value of the judge no more than its digits", {
  # Number 83026546 of the campaign: the multipliers of a free intercept sum to 0 but for 1e-32, of
  # which a column of -2e34 makes 200.
  set.seed(2)
  n <- 30
  x <- cbind(rnorm(n), -2.43222761691413e34)
  y <- x[, 1] + rnorm(n)
  fit <- margin_linear(x, y, loss = "huber", lambda = 0.004, scale = TRUE)
  found <- judge_linear(fit, unname(x))[[1L]]
  expect_true(fit$certificate$certified)
  expect_lte(fit$certificate$bound, found$dual + found$dual_slack)
})

test_that("the judge of margins finds a direction with a free intercept", {
  # Number 83037466 of the campaign.
  skip_if_not_installed("quadprog")
  problem <- separable_problem(20L, 3L, seed = 5L)
  fit <- quiet_hard(problem$x, problem$y, intercept = "free")
  margin <- found_margin(hard_problem(fit, problem$x))
  expect_equal(margin, fit$certificate$value, tolerance = 1e-6)
})
