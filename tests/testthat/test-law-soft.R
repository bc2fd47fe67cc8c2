# Laws of the losses with soft labels, over the registry.

probe_soft <- function(loss, what, z = 0, y = 1, a = 0, q = 0, regression = FALSE) {
  size <- max(length(z), length(y), length(a))
  out <- probe("soft_loss", loss$name, loss$parameter, regression, what,
               rep_len(z, size), rep_len(y, size), rep_len(a, size), q)
  if (what == "piece") out else drop(out)
}

soft_grid <- c(-1, -0.7, -0.1, 0, 0.35, 0.95, 1)
score_grid <- c(-8, seq(-2.05, 2.05, by = 0.41), 8)

# Dual values inside the domain, its ends included where they are finite.
soft_duals <- function(loss, y) {
  ends <- pmin(pmax(soft_domain(loss, y), -3), 3)
  ends[1L] + (ends[2L] - ends[1L]) * c(0, 0.03, 0.3, 0.5, 0.77, 1)
}

for (loss in class_losses()) {
  label <- paste("soft", format(loss))

  test_that(paste(label, "is the mixture of its two losses"), {
    for (y in soft_grid) {
      expect_equal(probe_soft(loss, "value", score_grid, y),
                   plain_soft_loss(loss, score_grid, y), tolerance = 1e-13)
      slope <- (plain_soft_loss(loss, score_grid + 1e-6, y) -
                  plain_soft_loss(loss, score_grid - 1e-6, y)) / 2e-6
      expect_equal(probe_soft(loss, "slope", score_grid, y), slope, tolerance = 1e-5)
    }
  })

  test_that(paste(label, "is the loss itself where the label is certain"), {
    for (y in c(-1, 1)) {
      expect_equal(probe_soft(loss, "value", score_grid, y),
                   probe_loss(loss, "value", score_grid, y), tolerance = 1e-14)
      a <- soft_duals(loss, y)
      expect_equal(probe_soft(loss, "conjugate", a = a, y = y),
                   probe_loss(loss, "conjugate", a = a, y = y), tolerance = 1e-13)
      for (q in c(1e-3, 0.4, 7)) {
        expect_equal(probe_soft(loss, "dual_step", score_grid, y, a[3L], q),
                     probe_loss(loss, "dual_step", score_grid, y, a[3L], q), tolerance = 1e-12)
      }
    }
  })

  test_that(paste(label, "has the conjugate that a search finds"), {
    for (y in soft_grid) {
      a <- soft_duals(loss, y)
      ends <- soft_domain(loss, y)
      inside <- a[abs(a - ends[1L]) > 1e-9 & abs(a - ends[2L]) > 1e-9]
      expect_equal(probe_soft(loss, "conjugate", a = inside, y = y),
                   searched_conjugate(loss, inside, rep(y, length(inside))), tolerance = 1e-8)
      expect_true(all(is.finite(probe_soft(loss, "conjugate", a = a, y = y))))
      outside <- soft_domain(loss, y) + c(-0.01, 0.01)
      for (t in outside[is.finite(outside)]) {
        expect_identical(probe_soft(loss, "conjugate", a = t, y = y), Inf)
      }
    }
  })

  # arXiv:2501.07794, (6), in the package's sign a = -alpha
  test_that(paste(label, "has the infimal convolution for its conjugate"), {
    for (y in c(-0.6, 0, 0.8)) for (a in soft_duals(loss, y)[2:5]) {
      p <- (1 + y) / 2
      q <- (1 - y) / 2
      parts <- function(u) {
        first <- p * probe_loss(loss, "conjugate", a = u / p, y = 1)
        first + q * probe_loss(loss, "conjugate", a = (u - a) / q, y = 1)
      }
      ends <- pmin(pmax(dual_domain(loss), -20), 20)
      low <- max(p * ends[1L], a + q * ends[1L])
      high <- min(p * ends[2L], a + q * ends[2L])
      found <- optimize(parts, c(low, high), tol = 1e-10)$objective
      expect_equal(probe_soft(loss, "conjugate", a = a, y = y), found, tolerance = 1e-6)
    }
  })

  test_that(paste(label, "takes the dual step that maximises"), {
    # all of them at once: a call each would take half a minute
    grid <- expand.grid(z = c(-3, -1, -0.4, 0, 0.7, 1, 2), k = c(1L, 3L, 6L), y = soft_grid)
    duals <- vapply(soft_grid, function(y) soft_duals(loss, y), numeric(6L))
    ends <- vapply(soft_grid, function(y) soft_domain(loss, y), numeric(2L))
    of_y <- match(grid$y, soft_grid)
    a <- duals[cbind(grid$k, of_y)]
    for (q in c(1e-3, 0.3, 5)) {
      objective <- function(t) {
        t * grid$z - probe_soft(loss, "conjugate", a = t, y = grid$y) - q / 2 * (t - a)^2
      }
      step <- probe_soft(loss, "dual_step", grid$z, grid$y, a, q)
      best <- objective(step)
      for (near in list(step - 1e-4, step + 1e-4)) {
        inside <- near > ends[1L, of_y] & near < ends[2L, of_y]
        expect_true(all((objective(near) <= best + 1e-12)[inside]))
        expect_gt(sum(inside), 0L)
      }
      # the proximal equation s + q phi'(s) = z + q a
      root <- grid$z + q * a - q * step
      expect_true(all(step >= probe_soft(loss, "slope", root - 1e-7, grid$y) - 1e-5))
      expect_true(all(step <= probe_soft(loss, "slope", root + 1e-7, grid$y) + 1e-5))
    }
  })

  test_that(paste(label, "is smooth by 1/gamma, and curved as its steps say"), {
    for (y in soft_grid) {
      slope <- probe_soft(loss, "slope", score_grid, y)
      if (loss$smooth) {
        expect_true(all(abs(diff(slope)) <= diff(score_grid) / loss$gamma * (1 + 1e-9)))
      }
      for (q in c(0.2, 3)) {
        at <- function(z) probe_soft(loss, "dual_step", z, y, 0, q)
        z <- score_grid + 0.0137
        expect_equal(probe_soft(loss, "curvature", z, y, 0, q),
                     (at(z + 1e-6) - at(z - 1e-6)) / 2e-6, tolerance = 1e-4)
      }
    }
  })

  test_that(paste(label, "knows its conjugate's piece, slope and curvature"), {
    for (y in soft_grid) {
      a <- soft_duals(loss, y)[2:5]
      piece <- probe_soft(loss, "piece", a = a, y = y)
      h <- 1e-5
      inner <- piece[, 1L] < a - 2 * h & piece[, 2L] > a + 2 * h
      conjugate <- function(t) probe_soft(loss, "conjugate", a = t, y = y)
      slope <- (conjugate(a + h) - conjugate(a - h)) / (2 * h)
      bend <- (conjugate(a + h) - 2 * conjugate(a) + conjugate(a - h)) / h^2
      expect_equal(piece[inner, 3L], slope[inner], tolerance = 1e-6)
      expect_equal(piece[inner, 4L], bend[inner], tolerance = 1e-3)
    }
  })
}

for (loss in list(as_loss("squared"), loss_huber(0.7))) {
  test_that(paste(format(loss), "of a numeric response is itself"), {
    for (y in c(-7, 0.3, 12)) for (a in c(-0.6, 0, 0.5)) {
      z <- y + score_grid
      for (what in c("value", "slope")) {
        expect_equal(probe_soft(loss, what, z, y, regression = TRUE),
                     probe_loss(loss, what, z, y), tolerance = 1e-12)
      }
      expect_equal(probe_soft(loss, "conjugate", a = a, y = y, regression = TRUE),
                   probe_loss(loss, "conjugate", a = a, y = y), tolerance = 1e-12)
      expect_equal(probe_soft(loss, "dual_step", z, y, a, 0.7, regression = TRUE),
                   probe_loss(loss, "dual_step", z, y, a, 0.7), tolerance = 1e-12)
    }
  })
}
