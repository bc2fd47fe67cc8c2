# Laws of the elastic net; ridge and lasso are its ends.

v_grid <- c(-7, -1.3, -0.2, 0, 1e-9, 0.4, 2.5)
penalty <- function(what, l1, l2, v, step = 1) probe("penalty", l1, l2, what, v, step)

for (l1 in c(0, 0.4)) for (l2 in c(0, 0.7)) {
  label <- sprintf("g with l1 = %s, l2 = %s", l1, l2)

  if (l2 > 0) test_that(paste(label, "obeys Moreau's decomposition"), {
    # v = prox_{s g}(v) + s prox_{g*/s}(v/s); the second is found by optimisation
    for (s in c(0.3, 2)) for (v in v_grid) {
      dual <- optimize(function(u) penalty("conjugate", l1, l2, u) + s / 2 * (u - v / s)^2,
                       c(-40, 40), tol = 1e-10)$minimum
      expect_equal(penalty("prox", l1, l2, v, s) + s * dual, v, tolerance = 1e-6)
    }
  })

  test_that(paste(label, "has a prox that minimises"), {
    for (s in c(0.3, 2)) for (v in v_grid) {
      objective <- function(w) penalty("value", l1, l2, w) + (w - v)^2 / (2 * s)
      at <- penalty("prox", l1, l2, v, s)
      expect_true(all(objective(at) <= vapply(at + c(-1e-3, 1e-3, 0.5, -2), objective, 0)))
    }
  })

  if (l2 > 0) test_that(paste(label, "obeys Fenchel-Young, with equality at grad g*"), {
    w <- penalty("grad_conjugate", l1, l2, v_grid)
    expect_equal(penalty("value", l1, l2, w) + penalty("conjugate", l1, l2, v_grid), v_grid * w,
                 tolerance = 1e-14)
    for (other in v_grid) {
      total <- penalty("value", l1, l2, rep(other, length(v_grid))) +
        penalty("conjugate", l1, l2, v_grid)
      expect_true(all(total - v_grid * other >= -1e-14))
    }
  })
}

test_that("the lasso's conjugate is the indicator of its ball", {
  expect_identical(penalty("conjugate", 0.4, 0, c(-0.4, 0.1, 0.4)), c(0, 0, 0))
  expect_identical(penalty("conjugate", 0.4, 0, c(-0.41, 0.5)), c(Inf, Inf))
})
