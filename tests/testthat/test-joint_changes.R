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

test_that("at an exact fit the ball is the segment of its formula", {
  for (kind in joint_kinds[4:5]) {
    one <- joint_instance(2L, kind[1L], kind[2L])
    fit <- quiet_fit(one$given, one$y, loss = "hinge", multiclass = "crammer_singer", lambda = 0.5,
                     intercept = kind[2L], weights = one$omega,
                     control = margin_control(tol = 1e-13, seed = 1, max_epochs = 5000))
    rows <- as.data.frame(margin_loo(fit, one$given, one$y))
    alone <- rows$by == "bound"
    x <- cbind(sweep(one$x, 2L, fit$scales, `/`), if (kind[2L] == "penalized") 1)
    q <- one$omega * rowSums(x^2) / (0.5 * sum(one$omega))
    own <- as.integer(one$y)
    for (c in seq_along(levels(one$y))) {
      # d_c moves by (q/2) (a_c - a_y) +- (q/2) 2^(1/2) |a|
      d <- fit$scores[, c] - fit$scores[cbind(seq_along(own), own)]
      a <- unname(fit$dual)
      middle <- d + q / 2 * (a[, c] - a[cbind(seq_along(own), own)])
      half <- ifelse(own == c, 0, q / 2 * sqrt(2 * rowSums(a^2)))
      level <- levels(one$y)[c]
      expect_lte(max(abs(rows[[paste0("upper_", level)]] - middle - half)[alone & own != c]), 1e-3)
      expect_lte(max(abs(rows[[paste0("lower_", level)]] - middle + half)[alone & own != c]), 1e-3)
    }
  }
})

test_that("groups leave together, and one of a row each is that row alone", {
  for (kind in joint_kinds) {
    one <- joint_instance(5L, kind[1L], kind[2L])
    groups <- rep(1:6, length.out = length(one$y))
    rows <- as.data.frame(margin_loo(one$fit, one$given, one$y, groups = groups))
    for (group in 1:6) {
      out <- groups == group
      best <- changed_joint_optimum(one$fit, one$x, one$y, replace(one$omega, out, 0),
                                    one$x[out, , drop = FALSE])
      expect_held(rows[out, ], levels(one$y), best, as.integer(one$y)[out], kind)
    }
    if (kind[1L] == "softmax") expect_false(any(rows$by == "open"))
  }
})

test_that("the last row of a class leaves a problem of the others", {
  one <- joint_instance(8L, "softmax", "free", n = 30L)
  k <- nlevels(one$y)
  alone <- c(which(one$y == k)[1L], which(one$y != k))
  x <- one$x[alone, ]
  y <- one$y[alone]
  for (rule in c("cost", "lambda")) {
    fit <- quiet_fit(x, y, loss = "logistic", multiclass = "softmax", lambda = 0.1)
    rows <- as.data.frame(margin_loo(fit, x, y, rule = rule))
    expect_identical(rows$by[1L], "no optimum")
    expect_true(rows$wrong[1L])
    best <- changed_joint_optimum(fit, x, y, replace(rep(1, length(y)), 1, 0), x[1, , drop = FALSE],
                                  rule)
    expect_identical(as.integer(rows$class)[1L], max.col(best$score))
    expect_identical(rows[[paste0("upper_", k)]][1L], -Inf)
    certain <- margin_certain(fit, x, y)
    changed <- margin_sensitivity(certain, x, y, remove = 1, rule = rule)
    best <- changed_joint_optimum(fit, x, y, replace(rep(1, length(y)), 1, 0), x, rule)
    expect_held(as.data.frame(changed), levels(y), best, max.col(fit$scores, "first"))
    expect_identical(summary(changed)$open, 0L)
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
    certain <- margin_certain(one$fit, one$given, one$y)
    new <- rbind(one$x[1:6, , drop = FALSE], 2 * one$x[7:8, , drop = FALSE])
    reference <- unname(max.col(as.matrix(predict(one$fit, new, type = "score")), "first"))
    for (rule in c("cost", "lambda")) {
      best <- changed_joint_optimum(one$fit, x, y, omega, new, rule)
      run <- function(refits) {
        do.call(margin_sensitivity, c(list(certain, one$given, one$y, newdata = new, rule = rule,
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

test_that("a weight of 0 is a removal, a weight of 2 the row twice, and groups are removals", {
  for (kind in joint_kinds) {
    one <- joint_instance(21L, kind[1L], kind[2L])
    certain <- margin_certain(one$fit, one$given, one$y)
    n <- length(one$y)
    ends <- function(...) {
      as.data.frame(margin_sensitivity(certain, one$given, one$y, refits = 0, ...))
    }
    removed <- ends(remove = 1:3)
    expect_equal(ends(weights = replace(one$omega, 1:3, 0)), removed, tolerance = 1e-12)
    grouped <- ends(groups = rep(c("a", "b"), c(3, n - 3)))
    own <- grouped[grouped$group == "a", -1L]
    rownames(own) <- NULL
    expect_equal(own, removed, tolerance = 1e-12)
    twice <- ends(weights = replace(one$omega, 1, 2 * one$omega[1L]))
    added <- ends(add = list(x = one$given[1, , drop = FALSE], y = one$y[1],
                             weights = one$omega[1L]))
    # with another dual variable for the second copy, so that ends may differ by the gap of the fit
    expect_identical(names(added), names(twice))
    both <- !is.na(added$flips) & !is.na(twice$flips)
    expect_identical(added$flips[both], twice$flips[both])
  }
})

test_that("so many problems are solved as refits says, those first in which most is open", {
  one <- joint_instance(31L, "softmax", "free", n = 40L)
  fit <- quiet_fit(one$x, one$y, loss = "logistic", multiclass = "softmax", lambda = 1e-3)
  certain <- margin_certain(fit, one$x, one$y)
  groups <- rep(1:5, length.out = 40L)
  run <- function(refits) {
    summary(margin_sensitivity(certain, one$x, one$y, groups = groups, refits = refits))
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
  certain <- margin_certain(softmax$fit, softmax$given, softmax$y)
  expect_input_error(margin_flips(certain, softmax$given, softmax$y), "certain", "one_vs_rest")
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
