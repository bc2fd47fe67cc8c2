# A confidence bound is right in nearly all runs: counted over seeds that were fixed beforehand, on
# problems whose expectation is known by going through all masks.

reference <- read.csv(test_path("reference_augmented.csv"))
eight <- read.csv(test_path("reference_augmented_cls_n60_d8.csv"))

# z of every row and mask, and the probability of each mask, for many w at a time.
all_masks <- function(x, rate) {
  masks <- as.matrix(expand.grid(rep(list(0:1), ncol(x))))
  kept <- rowSums(masks)
  list(rows = x[rep(seq_len(nrow(x)), nrow(masks)), ] *
         masks[rep(seq_len(nrow(masks)), each = nrow(x)), ] / (1 - rate),
       share = rep((1 - rate)^kept * rate^(ncol(x) - kept), each = nrow(x)) / nrow(x))
}

exact_value <- function(seen, y, w, phi, l2, l1 = 0) {
  sum(seen$share * phi(drop(seen$rows %*% w), rep(y, length.out = nrow(seen$rows)))) +
    l2 / 2 * sum(w^2) + l1 * sum(abs(w))
}

# How many of the seeds have F(w) - F* within its limit, and F* above the bound.
coverage <- function(x, y, rate, loss, optimum, seeds, lambda, mixture = 0, ...) {
  seen <- all_masks(x, rate)
  held <- vapply(seeds, function(seed) {
    fit <- quiet_augmented(x, y, perturb_dropout(rate), loss = loss, lambda = lambda,
                           mixture = mixture,
                           control = margin_control(tol = 1e-9, max_epochs = 8, seed = seed), ...)
    value <- exact_value(seen, y, coef(fit), plain_losses[[loss]], lambda * (1 - mixture),
                         lambda * mixture)
    c(gap = value - optimum <= fit$suboptimality, bound = fit$certificate$bound <= optimum,
      value = abs(value - fit$certificate$value) <= 3 * fit$value_se + 1e-14)
  }, c(gap = NA, bound = NA, value = NA))
  rowSums(held)
}

test_that("the confidence bound holds in at least 90 of 100 seeds", {
  x <- as.matrix(eight[-1L])
  for (case in c("logistic_dropout0.3_mu0.1", "squared_hinge_dropout0.1_mu0.1")) {
    row <- reference[reference$case == case & reference$quantity == "objective", ]
    held <- coverage(x, eight$y, row$param, row$loss, row$value, 1:100, row$mu)
    expect_gte(held[["gap"]], 90)
    expect_gte(held[["bound"]], 90)
    expect_gte(held[["value"]], 90)
  }
})

test_that("with an l1 part it holds too", {
  set.seed(11)
  x <- matrix(rnorm(40 * 6), 40)
  y <- ifelse(x[, 1] - x[, 2] + 0.7 * rnorm(40) > 0, 1, -1)
  seen <- all_masks(x, 0.2)
  label <- rep(y, length.out = nrow(seen$rows))
  w <- numeric(6)
  step <- 1 / (max(eigen(crossprod(seen$rows * sqrt(seen$share)))$values) / 4 + 0.05)
  for (k in 1:3000) { # proximal gradient
    z <- drop(seen$rows %*% w)
    g <- drop(crossprod(seen$rows, -seen$share * label / (1 + exp(label * z)))) + 0.05 * w
    v <- w - step * g
    w <- sign(v) * pmax(abs(v) - step * 0.05, 0)
  }
  optimum <- exact_value(seen, y, w, plain_losses$logistic, 0.05, 0.05)
  expect_gt(sum(w == 0), 0)
  held <- coverage(x, y, 0.2, "logistic", optimum, 1:100, 0.1, 0.5)
  expect_gte(held[["gap"]], 90)
  expect_gte(held[["bound"]], 90)
})

test_that("every reference objective is inside the bound that is reported", {
  sizes <- unique(reference[c("case", "instance", "loss", "perturbation", "param", "mu", "l1")])
  square <- read.csv(test_path("reference_augmented_sq_n100_d20.csv"))
  for (i in seq_len(nrow(sizes))) {
    case <- sizes[i, ]
    data <- if (grepl("sq", case$instance)) square else eight
    rho <- switch(case$perturbation, none = new_perturbation(), dropout = perturb_dropout(case$param),
                  gaussian = perturb_gaussian(case$param), rescale = perturb_rescale(case$param))
    optimum <- reference$value[reference$case == case$case & reference$quantity == "objective"]
    for (solver in c("auto", "smiso")) {
      fit <- quiet_augmented(as.matrix(data[-1L]), data[[1L]], rho, loss = case$loss,
                             lambda = case$mu + case$l1, mixture = case$l1 / (case$mu + case$l1),
                             solver = solver,
                             control = margin_control(tol = 1e-3, max_epochs = 200, seed = 1))
      expect_lte(fit$certificate$bound, optimum + 1e-9)
      # from ten batches: beyond six standard errors in one of ten thousand
      expect_gte(fit$certificate$value + 6 * fit$value_se, optimum - 1e-9)
    }
  }
})
