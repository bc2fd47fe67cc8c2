# Rows that leave or change in one problem of all classes, against that problem solved anew
# (helper-joint_changes.R): softmax by Newton's method in plain R, Crammer and Singer's at 1e-13.

joint_kinds <- list(c("softmax", "free"), c("softmax", "penalized"), c("softmax", "none"),
                    c("crammer_singer", "penalized"), c("crammer_singer", "none"))

test_that("left-out values hold the refit, and no class stays open but of ties", {
  for (kind in joint_kinds) for (seed in 1:2) {
    one <- joint_instance(seed, kind[1L], kind[2L])
    info <- paste(kind[1L], kind[2L], seed)
    rule <- c("cost", "lambda")[1L + seed %% 2L]
    loo <- margin_loo(one$fit, one$given, one$y, rule = rule)
    rows <- as.data.frame(loo)
    best <- lapply(seq_along(one$y), function(i) {
      changed_joint_optimum(one$fit, one$x, one$y, replace(one$omega, i, 0),
                            one$x[i, , drop = FALSE], rule)
    })
    best <- list(score = do.call(rbind, lapply(best, `[[`, "score")),
                 off = do.call(rbind, lapply(best, `[[`, "off")))
    expect_held(rows, levels(one$y), best, as.integer(one$y), info)
    expect_open_ties(rows$by == "open", best, info)
    if (kind[1L] == "softmax") {
      expect_identical(sum(rows$by == "open"), 0L, info = info)
      s <- summary(loo)
      own <- best$score - best$score[cbind(seq_along(one$y), as.integer(one$y))]
      deviance <- sum(2 * one$omega * log(rowSums(exp(own))))
      expect_lte(s$deviance_lower, deviance * (1 + 1e-7))
      expect_gte(s$deviance_upper, deviance * (1 - 1e-7))
      expect_lte(s$deviance_upper - s$deviance_lower, 0.05 * s$deviance_lower)
    }
    # the fit alone decides some, more where the penalty is strong
    expect_gt(sum(rows$by == "bound"), 0L)
  }
})

test_that("after any change intervals hold the optimum of the changed problem", {
  for (kind in joint_kinds) for (seed in 12:13) {
    one <- joint_instance(seed, kind[1L], kind[2L])
    n <- length(one$y)
    x <- one$x
    y <- one$y
    omega <- one$omega
    change <- list()
    if (seed %% 2L == 0L) {
      change$weights <- omega <- omega + sample(c(0, 0, 1), n, TRUE)
      at <- sample(n, 2L)
      change$relabel <- replace(rep(NA, n), at, levels(y)[1:2])
      y[at] <- levels(y)[1:2]
    }
    if (seed %% 3L == 0L || length(change) == 0L) {
      change$remove <- sample(n, 2L)
      omega[change$remove] <- 0
    }
    if (seed > 12L) {
      more <- 1.3 * x[1:2, , drop = FALSE]
      change$add <- list(x = more, y = y[3:4], weights = c(1, 2))
      x <- rbind(x, more)
      y <- factor(c(as.character(y), as.character(y[3:4])), levels(y))
      omega <- c(omega, 1, 2)
    }
    new <- rbind(one$x[1:6, , drop = FALSE], 2 * one$x[7:8, , drop = FALSE])
    reference <- unname(max.col(as.matrix(predict(one$fit, new, type = "score")), "first"))
    for (rule in c("cost", "lambda")) {
      best <- changed_joint_optimum(one$fit, x, y, omega, new, rule)
      run <- function(refits) {
        do.call(margin_sensitivity, c(list(one$fit, one$given, one$y, newdata = new, rule = rule,
                                           refits = refits), change))
      }
      info <- paste(kind[1L], kind[2L], seed, rule)
      solved <- run(Inf)
      bounds <- run(0)
      expect_held(as.data.frame(solved), levels(y), best, reference, info)
      expect_held(as.data.frame(bounds), levels(y), best, reference, info)
      expect_false(summary(bounds)$solved)
      expect_open_ties(is.na(as.data.frame(solved)$flips), best, info)
      if (kind[1L] == "softmax") expect_identical(summary(solved)$open, 0L, info = info)
      expect_gte(summary(bounds)$open, summary(solved)$open)
    }
  }
})

test_that("so many problems are solved as refits says, those first in which most is open", {
  one <- joint_instance(31L, "softmax", "free", n = 40L)
  fit <- quiet_fit(one$x, one$y, loss = "logistic", multiclass = "softmax", lambda = 1e-3)
  groups <- rep(1:5, length.out = 40L)
  run <- function(refits) {
    summary(margin_sensitivity(fit, one$x, one$y, groups = groups, refits = refits))
  }
  none <- run(0)
  two <- run(2)
  expect_false(any(none$solved))
  expect_lte(sum(two$solved), 2L)
  expect_true(all(none$open[two$solved] >= max(c(0, none$open[!two$solved]))))
  expect_identical(sum(run(Inf)$open), 0L)
})

test_that("what has no bounds is told by name, with the call that has", {
  one <- joint_instance(51L, "crammer_singer", "free")
  expect_input_error(margin_loo(one$fit, one$given, one$y), "fit", "penalized")
  softmax <- joint_instance(51L, "softmax", "free")
  expect_input_error(margin_sensitivity(softmax$fit, softmax$given, softmax$y, count = TRUE), "fit",
                     "two classes")
  wide <- matrix(rnorm(20 * 400), 20)
  y <- gl(3, 1, 20)
  fit <- quiet_fit(wide, y, loss = "logistic", multiclass = "softmax", lambda = 1)
  expect_input_error(margin_loo(fit, wide, y), "fit", "Hessian")
  # without a Hessian the ball and refits do
  fit <- quiet_fit(wide, y, loss = "logistic", multiclass = "softmax", lambda = 1,
                   intercept = "none")
  rows <- as.data.frame(margin_loo(fit, wide, y))
  expect_false(any(rows$by == "open"))
  expect_output(print(margin_loo(fit, wide, y)), "left-out deviance", fixed = TRUE)
})
