# The lemmas for one problem of all classes (region/of_joint.h, region/joint_ellipsoid.h, decide/joint_*.h):
# the Hessian has a block for each pair of classes, the leverage of rows is an eigenvalue. Random
# problems and altered ones, their optima by Newton steps in plain R.

cases <- class_cases(1:300)
column <- function(name) vapply(cases, function(case) case$found[[name]], 0)
weights_of <- function(case, v) {
  matrix(v, ncol(case$p$rows))[seq_len(ncol(case$p$rows) - case$p$free), , drop = FALSE]
}
length_in <- function(H, by) sqrt(max(0, sum(by * (H %*% by))))
# Of the largest of some ratios of what is to what may be, how near they come to 1.
expect_within <- function(is, may_be, near, least = 50) {
  known <- is.finite(may_be) & may_be > 1e-6
  expect_gte(sum(known), least)
  expect_true(all((is <= may_be * (1 + 1e-9) + 1e-9)[known]))
  expect_gte(max((is / may_be)[known]), near)
}

test_that("L1: the optimum is in the ball, at its edge in some, and no further below than the gap", {
  apart <- vapply(cases, function(case) {
    sqrt(sum((weights_of(case, case$best) - case$found$centre)^2))
  }, 0)
  expect_within(apart, column("radius"), 0.9)
  net <- vapply(cases, function(case) case$p$l1 > 0, NA)
  expect_gte(max((apart / column("radius"))[net & column("radius") > 1e-6]), 0.7)
  below <- vapply(cases, function(case) {
    (class_value(case$p, case$v) - class_value(case$p, case$best)) / sum(case$p$omega)
  }, 0)
  expect_within(below, column("gap"), 0.5)
})

test_that("L1: so is that of a changed problem without free intercepts", {
  changed <- Filter(function(case) is.finite(case$found$ball), cases)
  apart <- vapply(changed, function(case) {
    sqrt(sum((weights_of(case, case$goal) - case$found$at)^2))
  }, 0)
  expect_within(apart, vapply(changed, function(case) case$found$ball, 0), 0.9)
})

test_that("L2: lengths of rows and the radius are those of the Hessian of all classes", {
  curved <- Filter(function(case) !is.null(case$found$norms), cases)
  found <- lapply(curved, function(case) {
    p <- case$p
    H <- class_hessian(p, case$v) / sum(p$omega)
    inverse <- solve(H)
    norms <- apply(p$rows, 1L, function(x) {
      max(utils::combn(p$k, 2L, function(two) {
        t <- replace(matrix(0, length(x), p$k), cbind(rep(seq_along(x), 2L), rep(two, each = length(x))), c(x, -x))
        length_in(inverse, as.vector(t))
      }))
    })
    list(norms = max(abs(case$found$norms / norms - 1)), moved = length_in(H, case$best - case$v))
  })
  expect_lte(max(vapply(found, `[[`, 0, "norms")), 1e-6)
  expect_within(vapply(found, `[[`, 0, "moved"), vapply(curved, function(case) case$found$curved, 0), 0.99)
})

test_that("L2: the optimum of a changed problem is within the step, in the metric of the fit", {
  moved <- vapply(cases, function(case) {
    length_in(class_hessian(case$p, case$v) / sum(case$p$omega), case$goal - case$v)
  }, 0)
  expect_within(moved, column("step"), 0.9)
})

test_that("L2: what rows that leave take of the Hessian is an eigenvalue", {
  gone <- Filter(function(case) any(case$other$omega == 0), cases)
  least <- vapply(gone, function(case) case$found$least, 0)
  truth <- vapply(gone, function(case) {
    root <- chol(class_hessian(case$p, case$v) / sum(case$p$omega))
    left <- class_hessian(case$other, case$v, 1e3) / sum(case$other$omega)
    min(eigen(solve(t(root), t(solve(t(root), left))), TRUE, TRUE)$values)
  }, 0)
  cost <- vapply(gone, function(case) case$p$cost, NA)
  expect_true(all(least <= truth + 1e-9))
  expect_lte(max((truth - least)[cost & least > 0]), 1e-6)
  expect_true(any(least[cost] < 0.7) && any(least[!cost] < 0.9))
})

test_that("scores of a row without it are within their ends", {
  few <- if (is_extended()) cases else cases[seq_len(min(120L, length(cases)))]
  found <- do.call(rbind, lapply(few, function(case) {
    p <- case$p
    rows <- which(tabulate(p$own, p$k)[p$own] > 1)[1:3]
    do.call(rbind, lapply(rows[!is.na(rows)], function(i) {
      goal <- class_optimum(without_row(p, i), case$v)
      if (is.null(goal)) return(NULL)
      z <- drop(p$rows[i, ] %*% matrix(goal, ncol(p$rows)))
      other <- setdiff(seq_len(p$k), p$own[i])
      low <- case$found$low[i, other]
      high <- case$found$high[i, other]
      data.frame(off = abs((z[other] - z[p$own[i]]) - (low + high) / 2), half = (high - low) / 2,
                 free = p$free, cost = p$cost)
    }))
  }))
  expect_within(found$off, found$half, 0.9)
  for (part in split(found, found[c("free", "cost")])) expect_within(part$off, part$half, 0.4, 30)
})
