# The small dense instances of reference_robust.csv.

robust_small <- function(n = 60L, p = 8L, flips = TRUE) {
  i <- rep(seq_len(n) - 1, p)
  j <- rep(seq_len(p) - 1, each = n)
  x <- matrix(((31 * i^2 + 17 * j^2 + 7 * i * j + 13 * i + 5 * j) %% 101) / 50 - 1, n, p)
  y <- ifelse(x[, 1] + 0.5 * x[, 2] - 0.3 * x[, 3] + 0.2 > 0, 1, -1)
  if (flips) y <- ifelse((seq_len(n) - 1) %% 7 == 0, -y, y)
  list(x = x, y = y)
}

robust_instance <- function(name) {
  small <- robust_small()
  switch(name,
    small = small,
    small_dup3 = list(x = small$x[rep(1:60, 3), ], y = rep(small$y, 3)),
    small_onecl = list(x = small$x, y = rep(1, 60)),
    small_zero10 = list(x = rbind(small$x, matrix(0, 10, 8)), y = c(small$y, rep(1, 10))),
    small_sep = robust_small(flips = FALSE),
    tryCatch(margin_data(name), dualmargin_input_error = function(e) NULL)
  )
}

# Below the checks of the interface: data of one class, too.
core_robust <- function(data, norm, radius, label_cost, ridge = 0, intercept = "none",
                        weights = rep(1, nrow(data$x)), solver = "auto", tol = 1e-9) {
  problem <- list(norm = norm, radius = radius, label_cost = label_cost, ridge = ridge,
                  relative = FALSE, brief = FALSE, intercept = intercept, scale = FALSE,
                  n_classes = 1)
  control <- list(solver = solver, tol = tol, max_epochs = 1000, max_seconds = Inf, elapsed = 0,
                  looks = FALSE, seed = 1, certify_every_epoch = FALSE, progress = FALSE,
                  options = list(), start = NULL, threads = 1, chunk_entries = 65536,
                  checkpoint = NULL, stall = TRUE, iterate = "best", ranks = NULL)
  fit_robust_core(data$x, data$y, weights, problem, control)$solutions[[1L]][[1L]]
}

core_relative_gap <- function(fit) fit$gap / max(abs(fit$value), abs(fit$bound), 1e-10)
