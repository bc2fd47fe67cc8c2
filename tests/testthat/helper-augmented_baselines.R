# The baselines of the augmented family once more, in plain R and as dense as they are printed: on
# the same rows, seen the same way, they must give the same iterates.

# Labels of losses without a closed form under dropout; unequal weights.
perturbed_problem <- function(loss = "logistic", mixture = 0, lambda = 0.1, n = 30L, p = 4L,
                              sparse = FALSE, perturbation = perturb_dropout(0.25)) {
  loss <- as_loss(loss)
  if (sparse) {
    x <- sparse_problem(n, p)$x
    y <- sparse_problem(n, p)$y
  } else {
    x <- small_problem(n, p)$x
    y <- small_problem(n, p)$y
  }
  omega <- rep_len(c(1, 2, 0.5), n)
  list(x = x, y = y, omega = omega, W = sum(omega), n = n, p = p, loss = loss, lambda = lambda,
       mixture = mixture, l1 = lambda * mixture, mu = lambda * (1 - mixture),
       perturbation = perturbation,
       slope = function(z, i) probe_loss(loss, "slope", z, y[i]))
}

fit_baseline <- function(p, solver, epochs, seed, ..., start = NULL) {
  quiet_augmented(p$x, factor(p$y), perturbation = p$perturbation, loss = p$loss,
                  lambda = p$lambda, mixture = p$mixture, weights = p$omega, solver = solver,
                  control = margin_control(tol = 1e-300, max_epochs = epochs, seed = seed,
                                           start = start, solver_options = list(...)))
}

# What a fit of so many epochs sees.
draws_of <- function(p, epochs, seed, sampling = "auto", balanced = TRUE) {
  probe(
    "draws", p$x, p$y, p$omega,
    list(loss = p$loss$name, parameter = p$loss$parameter, regression = FALSE,
         perturbation = core_perturbation(p$perturbation)),
    list(epochs = epochs, seed = seed, sampling = sampling, averaging = TRUE, step = 1,
         balanced = balanced)
  )
}

# The step of draw t, of those whose steps fall after two epochs, and the weight of its point.
plain_steps <- function(eta, mu, n, size) {
  gamma <- 2 / (mu * eta)
  late <- pmax(seq_len(size) - 2 * n, 0)
  list(eta = ifelse(late > 0, pmin(eta, 2 / (mu * (gamma + late))), eta),
       weight = ifelse(late > 0, gamma + late, 0))
}

# Is the fit at the last point or, where that may be looked at, the average? Says at which.
expect_iterate <- function(fit, plain, average = FALSE, tolerance = 1e-9) {
  w <- unname(coef(fit))
  at <- function(point) isTRUE(all.equal(w, point, tolerance = tolerance))
  at_average <- average && at(plain$average)
  expect_true(at_average || at(plain$last))
  invisible(if (at_average) "average" else "last")
}

# With choose = FALSE it is the average, whatever the estimates say.
expect_average <- function(fit, plain, tolerance = 1e-9) {
  expect_equal(unname(coef(fit)), plain$average, tolerance = tolerance)
}

# ---- Exact expectations, by going through every mask of dropout ----

reference_case <- function(case) {
  table <- read.csv(test_path("reference_augmented.csv"))
  table <- table[table$case == case, ]
  list(objective = table$value[table$quantity == "objective"],
       w = table$value[grepl("^x", table$quantity)], rate = table$param[1L], mu = table$mu[1L],
       loss = table$loss[1L])
}

reference_rows <- function() {
  data <- read.csv(test_path("reference_augmented_cls_n60_d8.csv"))
  list(x = as.matrix(data[-1L]), y = data$y)
}

exact_objective <- function(w, case, rows = reference_rows()) {
  dropout_objective(rows$x, rows$y, w, case$rate, plain_losses[[case$loss]], case$mu)
}

fit_reference <- function(case, solver, ..., control = margin_control(...)) {
  rows <- reference_rows()
  quiet_augmented(rows$x, factor(rows$y), perturbation = perturb_dropout(case$rate),
                  loss = if (case$loss == "squared_hinge") loss_squared_hinge(1) else case$loss,
                  lambda = case$mu, solver = solver, control = control)
}
