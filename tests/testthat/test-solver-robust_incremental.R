incremental <- c("isg", "ippa", "hybrid")

cyclic_order <- function(seed, n) probe("sampler", seed, "shuffle", n, n, 1) + 1

robust_fit <- function(x, y, ..., radius = 0.1, tol = 1e-6, max_epochs = 3000, seed = 1,
                       options = list(), intercept = "none", scale = FALSE) {
  withCallingHandlers(
    margin_robust(x, y, ..., radius = radius, intercept = intercept, scale = scale,
                  control = margin_control(tol = tol, max_epochs = max_epochs, seed = seed,
                                           solver_options = options)),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
  )
}

# Columns of one size, where first-order methods need hundreds of epochs and not tens of thousands.
level_problem <- function(...) {
  problem <- small_problem(...)
  problem$x <- sweep(problem$x, 2L, sqrt(colMeans(problem$x^2)), `/`)
  problem
}

plain_robust_value <- function(x, y, omega, w, b, t, radius, kappa, ridge) {
  u <- y * (drop(as.matrix(x) %*% w) + b)
  flip <- if (is.finite(kappa)) 1 + u - kappa * t else -Inf
  t * radius + sum(omega * pmax(1 - u, flip, 0)) / sum(omega) + ridge / 2 * sum(w^2)
}

test_that("the proximal step of a row is optimal, whatever the row, the point and the step", {
  for (norm in names(dual_of)) for (free in c(FALSE, TRUE)) for (d in c(1L, 5L)) {
    k <- prox_cases(if (d == 1L || !is_extended()) 20000L else 1e5L, d, free, seed = d)
    for (scaled in unique(c(FALSE, norm == "l2"))) {
      out <- probe("robust_prox", k$x, k$w, k$cases, norm, free, scaled)
      expect_lte(max(prox_violation(k$x, k$w, k$cases, norm, free, out)), 1e-11)
    }
  }
})

test_that("every active set of the pieces is among those cases", {
  k <- prox_cases(1e5L, 5L, FALSE, seed = 5)
  out <- probe("robust_prox", k$x, k$w, k$cases, "l2", FALSE, FALSE)
  s <- rbind(out[8:9, ], 1 - out[8L, ] - out[9L, ])
  expect_gte(min(table(colSums((s > 1e-9) * c(1, 2, 4)))), 100L)
  expect_length(unique(colSums((s > 1e-9) * c(1, 2, 4))), 7L)
})

test_that("the prox is the smallest value around it", {
  k <- prox_cases(300L, 3L, FALSE, seed = 9)
  moderate <- k$cases[, "alpha"] > 1e-4 & k$cases[, "alpha"] < 1e2
  for (norm in names(dual_of)) {
    out <- probe("robust_prox", k$x, k$w, k$cases, norm, FALSE, FALSE)
    for (j in which(moderate)) {
      case <- k$cases[j, ]
      value <- function(w, t) {
        case[["alpha"]] * plain_robust_value(t(k$x[, j]), case[["y"]], 1, w, 0, t,
                                             case[["radius"]], case[["label_cost"]],
                                             case[["ridge"]]) +
          sum((w - k$w[, j])^2) / 2 + (t - case[["t"]])^2 / 2
      }
      here <- value(out[1:3, j], out[5L, j])
      around <- vapply(rep(c(1e-3, 0.1, 1), each = 5L), function(size) {
        w <- out[1:3, j] + size * rnorm(3)
        value(w, max(out[5L, j] + size * rnorm(1), column_norms(matrix(w), norm)))
      }, 0)
      expect_gte(min(around), here - 1e-9 * (1 + abs(here)))
    }
  }
})

test_that("it takes the subgradient steps of the paper, a short last batch for its share", {
  # steps long enough for |w|_1 to reach t, and a radius at which the points are better than w = 0
  problem <- level_problem(n = 50L, p = 4L)
  n <- 50L
  radius <- 0.01
  W <- sum(problem$weights)
  # 7 batches of 8 rows but the last, which has 2; two epochs, then the step is below the floor
  settings <- list(batch = 8, step = 8, shrink = 0.5, floor = 0.4, sampling = "cyclic")
  for (norm in names(dual_of)) for (ridge in c(0, 0.3)) {
    fit <- robust_fit(problem$x, problem$y, norm = norm, ridge = ridge, label_cost = 0.7,
                      radius = radius, weights = problem$weights, solver = "isg", tol = 1e-300,
                      options = settings)
    order <- cyclic_order(1, n)
    copies <- n * problem$weights / W
    w <- numeric(4)
    t <- 1
    slope <- sum(problem$weights * rowSums(problem$x^2)) / W + 0.7 * radius
    visited <- list(list(w = w, t = t))
    for (alpha in 8 * c(1, 0.5) / slope) {
      for (rows in split(order, (seq_len(n) - 1L) %/% 8L)) {
        u <- problem$y[rows] * drop(problem$x[rows, , drop = FALSE] %*% w)
        flip <- 1 + u - 0.7 * t
        first <- 1 - u > 0 & 1 - u >= flip
        second <- !first & flip > 0
        share <- alpha / 8 * copies[rows]
        m <- 1 + sum(share) * ridge
        w <- (w + drop(crossprod(problem$x[rows, , drop = FALSE],
                                 share * (first - second) * problem$y[rows]))) / m
        t <- t - sum(share) * radius + 0.7 * sum(share[second])
        p <- probe("projection", matrix(w), t, norm, m, FALSE)
        w <- p[1:4]
        t <- p[5L]
      }
      visited <- c(visited, list(list(w = w, t = t)))
    }
    # the best of the certified iterates is returned
    distance <- vapply(visited, function(v) max(abs(coef(fit) - v$w)), 0)
    expect_lte(min(distance[-1L]), 1e-12)
  }
})

test_that("O(nonzeros) steps for the l2 norm are the dense ones over a run", {
  problem <- sparse_problem()
  for (ridge in c(0, 0.2)) for (kappa in c(1, Inf)) for (free in c(FALSE, TRUE)) {
    settings <- list(norm = "l2", radius = 0.1, label_cost = kappa, ridge = ridge, free = free)
    end <- function(alpha, scaled) {
      probe("robust_prox_run", problem$x, problem$y, settings, alpha, 20L, scaled)
    }
    for (alpha in c(1e-3, 0.1, 3)) {
      expect_equal(end(alpha, TRUE), end(alpha, FALSE), tolerance = 1e-12)
    }
  }
})

for (solver in incremental) {
  test_that(paste(solver, "falls back on the hinge without a radius"), {
    problem <- small_problem()
    fit <- robust_fit(problem$x, problem$y, radius = 0, ridge = 0.1, solver = solver,
                      options = list(shrink = 0.99))
    hinge <- margin_linear(problem$x, factor(problem$y), loss = "hinge", lambda = 0.1,
                           intercept = "none", scale = FALSE, control = margin_control(tol = 1e-9))
    expect_lte(fit$certificate$value, hinge$certificate$value * (1 + 1e-4))
    expect_gte(fit$certificate$value, hinge$certificate$bound)
  })

  test_that(paste(solver, "says that it is not certified when its steps have become too short"), {
    problem <- small_problem()
    expect_warning(
      fit <- margin_robust(problem$x, problem$y, solver = solver,
                           control = margin_control(seed = 1, tol = 1e-12,
                                                    solver_options = list(floor = 0.5)),
                           intercept = "none", scale = FALSE),
      class = "dualmargin_not_certified"
    )
    expect_identical(fit$status$status, "stalled")
    expect_false(fit$certificate$certified)
  })
}
