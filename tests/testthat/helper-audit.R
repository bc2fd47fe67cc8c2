# Random fits of other packages, each stopped anywhere, and what margin_audit() says of them: the
# excess that is true lies in its interval, and nothing is certified that is not within the
# tolerance, also where the audit is told another cost, alpha or weight. The truth is the package's
# objective, written out from its manual, less our optimum at 1e-12 of that problem, stated here a
# second time. tests/fuzz/audit.R is the campaign.

audit_laws <- list()

# ---- What a law makes of a number ----
# fit, rows, response; given: arguments of the audit; other: the same, wrong; objective(a): value of
# the fit, and optimum(a): our fit, in the unit of the package.

drawn_audit <- function(seed, regression) {
  set.seed(seed)
  n <- sample(12:40, 1L)
  p <- sample(1:5, 1L)
  x <- matrix(rnorm(n * p), n) * rep(10^runif(p, -1, 1), each = n)
  colnames(x) <- letters[seq_len(p)]
  z <- drop(x %*% rnorm(p)) / sqrt(mean(x^2)) + rnorm(n)
  y <- if (regression) z else factor(ifelse(z > median(z), "yes", "no"), c("no", "yes"))
  list(n = n, x = x, y = y, tolerance = 10^runif(1, -7, -0.5), cost = 10^runif(1, -2, 1),
       control = margin_control(tol = 1e-12))
}
hinge_of <- function(m) pmax(1 - m, 0)
tube_of <- function(r, e) pmax(abs(r) - e, 0)
weights_by <- function(given, y) {
  if (is.null(given)) rep(1, length(y)) else unname(given[as.character(y)])
}
tight_fit <- function(f, ...) suppressWarnings(suppressMessages(f(...)))

audit_laws$LiblineaR <- function(seed) {
  type <- c(0:7, 11:13)[seed %% 11L + 1L]
  d <- drawn_audit(seed, type >= 11)
  bias <- sample(c(0, 1), 1L)
  a <- list(cost = d$cost, wi = if (type < 11 && runif(1) < 0.4) c(no = 0.5, yes = 2),
            svr_eps = if (type >= 11) 0.1)
  fit <- LiblineaR::LiblineaR(d$x, d$y, type = type, cost = a$cost, bias = bias, wi = a$wi,
                              svr_eps = a$svr_eps, epsilon = d$tolerance)
  rows <- if (bias > 0) cbind(d$x, bias) else d$x
  # of type 4 there are two rows, and the loss is of the difference of the scores
  w <- if (type == 4) as.vector(t(fit$W)) else fit$W[1L, ]
  z <- drop(rows %*% if (type == 4) fit$W[1L, ] - fit$W[2L, ] else w)
  of <- function(a) {
    omega <- weights_by(a$wi, d$y)
    sign <- if (type < 11) ifelse(d$y == fit$ClassNames[1L], 1, -1)
    losses <- switch(as.character(type), `0` = , `6` = , `7` = log1p(exp(-sign * z)),
                     `1` = , `2` = , `5` = hinge_of(sign * z)^2, `3` = , `4` = hinge_of(sign * z),
                     `13` = tube_of(d$y - z, a$svr_eps), tube_of(d$y - z, a$svr_eps)^2)
    sum(if (type %in% 5:6) abs(w) else w^2 / 2) + a$cost * sum(omega * losses)
  }
  loss <- function(a) switch(as.character(type), `0` = , `6` = , `7` = "logistic",
    `1` = , `2` = , `5` = loss_squared_hinge(0.5), `3` = , `4` = "hinge",
    `13` = loss_epsilon_insensitive(a$svr_eps), loss_epsilon_insensitive(a$svr_eps, squared = TRUE))
  # the l1 penalty of LIBLINEAR takes the column of ones too: here it is a column
  optimum <- function(a) {
    best <- tight_fit(margin_linear, rows, d$y, loss = loss(a), intercept = "none", scale = FALSE,
      cost = a$cost * if (type %in% c(4, 11, 12)) 2 else 1, mixture = as.numeric(type %in% 5:6),
      weights = weights_by(a$wi, d$y), response_scale = FALSE, control = d$control)
    c(value = certificate(best)$value, bound = certificate(best)$bound) *
      sum(weights_by(a$wi, d$y)) * a$cost * if (type %in% 11:12) 2 else 1
  }
  other <- utils::modifyList(a, list(cost = 1.3 * a$cost))
  if (!is.null(a$wi)) other <- utils::modifyList(a, list(wi = c(no = 1, yes = 2)))
  list(fit = fit, x = d$x, y = d$y, given = a, other = other, objective = of, optimum = optimum)
}

audit_laws$glmnet <- function(seed) {
  d <- drawn_audit(seed, seed %% 2L == 0L)
  number <- is.numeric(d$y)
  if (ncol(d$x) < 2L) d$x <- cbind(d$x, z = rnorm(d$n))
  omega <- if (runif(1) < 0.4) sample(1:3, d$n, TRUE) else rep(1, d$n)
  a <- list(alpha = sample(c(0, 0.3, 1), 1L), weights = omega)
  fit <- suppressWarnings(glmnet::glmnet(
    d$x, d$y, family = if (number) "gaussian" else "binomial", alpha = a$alpha, weights = omega,
    thresh = d$tolerance * 1e-2, nlambda = 10
  ))
  at <- sample(2:length(fit$lambda), 1L)
  a$s <- fit$lambda[at]
  z <- fit$a0[at] + drop(as.matrix(d$x %*% fit$beta[, at]))
  of <- function(a) {
    w <- a$weights / sum(a$weights)
    centred <- sweep(d$x, 2L, colSums(w * d$x))
    beta <- fit$beta[, at] * sqrt(colSums(w * centred^2))
    unit <- if (number) sqrt(sum(w * (d$y - sum(w * d$y))^2)) else 1
    loss <- if (number) sum(w * (d$y - z)^2) / 2 else
      sum(w * log1p(exp(-(2 * (d$y == "yes") - 1) * z)))
    loss + a$s * sum((1 - a$alpha) / 2 * beta^2 / unit + a$alpha * abs(beta))
  }
  # y of unit variance, and lambda with it
  optimum <- function(a) {
    w <- a$weights / sum(a$weights)
    unit <- if (number) sqrt(sum(w * (d$y - sum(w * d$y))^2)) else 1
    best <- tight_fit(margin_linear, d$x, if (number) d$y / unit else d$y, mixture = a$alpha,
                      loss = if (number) "squared" else "logistic", lambda = a$s / unit,
                      weights = a$weights, control = d$control)
    unit^2 * c(value = certificate(best)$value, bound = certificate(best)$bound)
  }
  other <- utils::modifyList(a, list(alpha = if (a$alpha == 0) 0.2 else a$alpha - 0.2))
  list(fit = fit, x = d$x, y = d$y, given = a, other = other, objective = of, optimum = optimum)
}

# A machine on the columns as its solver saw them.
machine_law <- function(d, fit, expansion, rows, target, sigma, weights, epsilon, other) {
  kernel <- function(a, b) {
    if (is.null(sigma)) tcrossprod(a, b) else
      exp(-sigma * outer(rowSums(a^2), rowSums(b^2), `+`) + 2 * sigma * tcrossprod(a, b))
  }
  points <- expansion$points
  beta <- expansion$beta
  z <- drop(kernel(rows, points) %*% beta) + expansion$b
  omega <- function(a) weights_by(a$class.weights, d$y)
  of <- function(a) {
    losses <- if (is.null(epsilon)) hinge_of(target * z) else tube_of(target - z, epsilon)
    sum(beta * (kernel(points, points) %*% beta)) / 2 + d$cost * sum(omega(a) * losses)
  }
  optimum <- function(a) {
    best <- tight_fit(
      margin_kernel, rows, if (is.null(epsilon)) factor(target) else target,
      kernel = if (is.null(sigma)) "linear" else kernel_rbf(sigma), center = FALSE,
      loss = if (is.null(epsilon)) "hinge" else loss_epsilon_insensitive(epsilon),
      cost = d$cost, weights = omega(a), scale = FALSE, response_scale = FALSE, control = d$control
    )
    c(value = certificate(best)$value, bound = certificate(best)$bound) * sum(omega(a)) * d$cost
  }
  list(fit = fit, x = d$x, y = d$y, given = list(class.weights = weights), other = other,
       objective = of, optimum = optimum)
}
usual_weights <- c(no = 1, yes = 1)
drawn_weights <- function() if (runif(1) < 0.4) c(no = 0.5, yes = 2) else usual_weights
other_weights <- function(weights) list(class.weights = weights * c(1.3, 1))

audit_laws$e1071 <- function(seed) {
  number <- seed %% 3L == 0L
  d <- drawn_audit(seed, number)
  radial <- runif(1) < 0.5
  scaled <- runif(1) < 0.5
  weights <- if (!number) drawn_weights()
  fit <- e1071::svm(d$x, d$y, kernel = if (radial) "radial" else "linear", gamma = 0.3,
                    cost = d$cost, epsilon = 0.1, scale = scaled, tolerance = min(d$tolerance, 0.1),
                    class.weights = weights, fitted = FALSE)
  rows <- if (scaled) scale(d$x) else d$x
  target <- if (number) (if (scaled) drop(scale(d$y)) else d$y) else
    ifelse(d$y == fit$levels[fit$labels[1L]], 1, -1)
  machine_law(d, fit, list(points = as.matrix(fit$SV), beta = as.vector(fit$coefs), b = -fit$rho),
              rows, target, if (radial) 0.3, weights, if (number) 0.1,
              if (!number) other_weights(weights))
}

audit_laws$kernlab <- function(seed) {
  number <- seed %% 3L == 0L
  d <- drawn_audit(seed, number)
  radial <- runif(1) < 0.5
  scaled <- runif(1) < 0.5
  weights <- if (!number) drawn_weights()
  fit <- suppressMessages(kernlab::ksvm(
    d$x, d$y, kernel = if (radial) kernlab::rbfdot(0.3) else kernlab::vanilladot(), C = d$cost,
    epsilon = 0.1, scaled = scaled, tol = min(d$tolerance, 0.1), class.weights = weights,
    fit = FALSE
  ))
  first <- function(v) if (is.list(v)) v[[1L]] else v
  rows <- if (scaled) scale(d$x) else d$x
  target <- if (number) (if (scaled) drop(scale(d$y)) else d$y) else ifelse(d$y == "yes", 1, -1)
  points <- rows[unlist(fit@alphaindex), , drop = FALSE]
  law <- machine_law(d, fit, list(points = points, beta = first(fit@coef), b = -fit@b), rows,
                     target, if (radial) 0.3, weights, if (number) 0.1,
                     if (!number) other_weights(weights))
  # the same as values of its kernel: what kernlab fits to a kernelMatrix
  if (radial && seed %% 2L == 0L) {
    law$x <- kernlab::kernelMatrix(kernlab::rbfdot(0.3), rows)
    law$y <- if (number) target else d$y
    law$fit <- suppressMessages(kernlab::ksvm(
      law$x, law$y, C = d$cost, epsilon = 0.1, tol = min(d$tolerance, 0.1),
      class.weights = weights, fit = FALSE
    ))
    at <- unlist(law$fit@alphaindex)
    beta <- first(law$fit@coef)
    z <- drop(law$x[, at, drop = FALSE] %*% beta) - law$fit@b
    law$objective <- function(a) {
      losses <- if (number) tube_of(target - z, 0.1) else hinge_of(target * z)
      sum(beta * (law$x[at, at] %*% beta)) / 2 +
        d$cost * sum(weights_by(a$class.weights, d$y) * losses)
    }
  }
  law
}

# ---- Fits from a formula: a data frame, and nothing that they do not keep ----

# free(): our fit without a penalty, of the same loss.
formula_law <- function(d, fit, of, optimum, y = NULL, given = list()) {
  list(fit = fit, x = data.frame(d$x, y = d$y), y = y, given = given, other = NULL, objective = of,
       optimum = optimum)
}
unpenalised <- function(d, loss, weights, unit, ...) {
  best <- tight_fit(margin_linear, d$x, d$y, loss = loss, lambda = 1, weights = weights,
                    penalty_factor = rep(0, ncol(d$x)), control = d$control, ...)
  c(value = certificate(best)$value, bound = certificate(best)$bound) * unit
}
drawn_case_weights <- function(n) if (runif(1) < 0.4) sample(1:3, n, TRUE) else rep(1, n)

# labels that no plane separates, so that there is an optimum without a penalty
overlapping <- function(d) {
  d$x <- rbind(d$x, -d$x)
  d$y <- rep(d$y, 2L)
  d$n <- 2L * d$n
  d
}

audit_laws$stats <- function(seed) {
  number <- seed %% 3L == 0L
  d <- drawn_audit(seed, number)
  if (!number) d <- overlapping(d)
  omega <- drawn_case_weights(d$n)
  o <- if (runif(1) < 0.3) rnorm(d$n) else rep(0, d$n)
  frame <- data.frame(d$x, y = d$y, o = o)
  fit <- suppressWarnings(glm(
    y ~ . - o + offset(o), frame, family = if (number) "gaussian" else "binomial", weights = omega,
    control = glm.control(d$tolerance, sample(c(1L, 2L, 3L, 25L), 1L))
  ))
  z <- drop(cbind(1, d$x) %*% coef(fit)) + o
  of <- function(a) {
    if (number) sum(omega * (d$y - z)^2) else
      2 * sum(omega * log1p(exp(-(2 * (d$y == "yes") - 1) * z)))
  }
  optimum <- function(a) {
    unpenalised(d, if (number) "squared" else "logistic", omega, 2 * sum(omega), offset = o)
  }
  law <- formula_law(d, fit, of, optimum)
  law$x <- frame
  law
}

audit_laws$nnet <- function(seed) {
  d <- overlapping(drawn_audit(seed, FALSE))
  omega <- drawn_case_weights(d$n)
  decay <- if (runif(1) < 0.3) 0 else 10^runif(1, -2, 1)
  frame <- data.frame(d$x, y = d$y, omega = omega)
  fit <- nnet::multinom(y ~ . - omega, frame, weights = omega, decay = decay, trace = FALSE,
                        reltol = d$tolerance * 1e-3, maxit = sample(c(2L, 5L, 100L), 1L))
  w <- coef(fit)
  z <- drop(cbind(1, d$x) %*% w)
  of <- function(a) {
    sum(omega * log1p(exp(-(2 * (d$y == "yes") - 1) * z))) + decay * sum(w^2)
  }
  optimum <- function(a) {
    if (decay == 0) {
      return(unpenalised(d, "logistic", omega, sum(omega)))
    }
    # the intercept is a coefficient as any other: a column of ones
    best <- tight_fit(margin_linear, cbind(1, d$x), d$y, loss = "logistic", weights = omega,
                      intercept = "none", scale = FALSE, lambda = 2 * decay / sum(omega),
                      control = d$control)
    c(value = certificate(best)$value, bound = certificate(best)$bound) * sum(omega)
  }
  law <- formula_law(d, fit, of, optimum)
  law$x <- frame
  law
}

audit_laws$MASS <- function(seed) {
  d <- drawn_audit(seed, TRUE)
  omega <- drawn_case_weights(d$n)
  k <- sample(c(1, 1.345, 2), 1L)
  frame <- data.frame(d$x, y = d$y, omega = omega)
  fit <- suppressWarnings(MASS::rlm(y ~ . - omega, frame, weights = omega, wt.method = "case",
                                    k = k, acc = d$tolerance, maxit = sample(c(1L, 3L, 200L), 1L)))
  r <- d$y - drop(cbind(1, d$x) %*% coef(fit))
  of <- function(a) {
    u <- abs(r) / fit$s
    sum(omega * ifelse(u <= k, u^2 / 2, k * u - k^2 / 2))
  }
  # residuals over their scale are a response over it
  optimum <- function(a) {
    unit <- d
    unit$y <- d$y / fit$s
    unpenalised(unit, loss_huber(k, unit = "response"), omega, sum(omega), response_scale = FALSE)
  }
  law <- formula_law(d, fit, of, optimum)
  law$x <- frame
  law
}

audit_laws$quantreg <- function(seed) {
  d <- drawn_audit(seed, TRUE)
  tau <- sample(c(0.2, 0.5, 0.8), 1L)
  lambda <- 10^runif(ncol(d$x), -1, 1)
  if (runif(1) < 0.5) lambda[] <- lambda[1L]
  fit <- suppressWarnings(quantreg::rq(y ~ ., data = data.frame(d$x, y = d$y), tau = tau,
    method = "lasso", lambda = c(0, lambda), eps = min(d$tolerance, 0.1)))
  w <- coef(fit)
  r <- d$y - drop(cbind(1, d$x) %*% w)
  of <- function(a) sum(r * (tau - (r < 0))) + sum(lambda * abs(w[-1L])) / 2
  # each column over its lambda, and one strength
  optimum <- function(a) {
    best <- tight_fit(margin_linear, d$x %*% diag(1 / lambda, ncol(d$x)), d$y, scale = FALSE,
                      loss = loss_quantile(tau), lambda = 1 / (2 * d$n), mixture = 1,
                      response_scale = FALSE, control = d$control)
    c(value = certificate(best)$value, bound = certificate(best)$bound) * d$n
  }
  formula_law(d, fit, of, optimum)
}

# Fits by landmarks, against the whole kernel.
audit_laws$dualmargin <- function(seed) {
  losses <- list(
    list("logistic", function(m) log1p(exp(-m))), list("hinge", hinge_of),
    list(loss_smooth_hinge(0.5), function(m) ifelse(m < 0.5, 0.75 - m, hinge_of(m)^2)),
    list(loss_squared_hinge(0.5), function(m) hinge_of(m)^2),
    list("squared", function(r) r^2 / 2), list("absolute", abs),
    list(loss_quantile(0.2), function(r) r * (0.2 - (r < 0))),
    list(loss_epsilon_insensitive(0.1), function(r) tube_of(r, 0.1))
  )
  loss <- losses[[seed %% 8L + 1L]]
  number <- seed %% 8L > 3L
  d <- drawn_audit(seed, number)
  if (number) d$y <- drop(scale(d$y))
  omega <- drawn_case_weights(d$n)
  sigma <- 10^runif(1, -2, 0) / mean(d$x^2)
  solve <- function(control, nystrom = NULL) {
    tight_fit(margin_kernel, d$x, d$y, kernel_rbf(sigma), loss = loss[[1L]], weights = omega,
              lambda = lambda, intercept = intercept, nystrom = nystrom, scale = FALSE,
              response_scale = FALSE, control = control)
  }
  lambda <- 10^runif(1, -4, -0.5)
  intercept <- sample(c("free", "penalized", "none"), 1L)
  fit <- solve(margin_control(tol = d$tolerance, seed = seed), sample(2:sum(omega > 0), 1L))
  beta <- unname(coef(fit))
  b <- if (intercept == "none") 0 else beta[1L]
  if (intercept != "none") beta <- beta[-1L]
  K <- exp(-sigma * as.matrix(dist(d$x))^2)
  at <- fit$support$at
  z <- drop(K[, at, drop = FALSE] %*% beta) + b
  of <- function(a) {
    each <- loss[[2L]](if (number) d$y - z else ifelse(d$y == "yes", 1, -1) * z)
    sum(omega * each) / sum(omega) +
      lambda / 2 * (sum(beta * (K[at, at] %*% beta)) + if (intercept == "penalized") b^2 else 0)
  }
  optimum <- function(a) unlist(certificate(solve(d$control))[c("value", "bound")])
  list(fit = fit, x = d$x, y = d$y, given = list(), other = NULL, objective = of, optimum = optimum)
}

# ---- The judge ----

# missed: is the truth outside of the interval? wrong: is the value not that of the manual?
# contradicted: is it certified, and the truth proves that it is not within the tolerance? as_given
# or told something else.
judge_audit <- function(law, told) {
  rows <- Filter(Negate(is.null), list(law$x, law$y))
  table <- do.call(margin_audit, c(list(law$fit), rows, Filter(Negate(is.null), told)),
                   quote = TRUE)$excess
  value <- law$objective(told)
  best <- law$optimum(told)
  # what sums of a few dozen rows lose
  noise <- 1e-12 * max(abs(value), best[["value"]])
  data.frame(
    wrong = abs(table$value - value) > 1e-9 * abs(value) + table$rounding,
    missed = table$from > value - best[["bound"]] + noise |
      table$to < value - best[["value"]] - noise,
    contradicted = table$certified & value - best[["value"]] > 1e-6 * value + noise,
    certified = table$certified, open = (best[["value"]] - best[["bound"]]) / best[["value"]],
    excess = table$to / table$bound
  )
}

run_audit_law <- function(peer, seeds) {
  do.call(rbind, lapply(seeds, function(seed) {
    law <- audit_laws[[peer]](seed)
    rows <- cbind(told = "its own", judge_audit(law, law$given))
    if (!is.null(law$other)) {
      rows <- rbind(rows, cbind(told = "another", judge_audit(law, law$other)))
    }
    cbind(peer, seed, rows)
  }))
}
