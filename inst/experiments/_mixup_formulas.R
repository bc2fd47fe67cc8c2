# Part of mixup.R: formulas of the paper, as printed and put right, in its letters: alpha is minus
# the package's dual variable a, p = (1 + y)/2, q = (1 - y)/2, phi(s; y) = p phi0(s) + q phi0(-s).
# writes: mixup_formulas.csv
# depends: core src/kernel R/margin_kernel.R R/perturbation.R
# seeds: 1, 1 to 10 (runs of Lemma 1), 1 to 20 (equation (23))

facts <- list()
note <- function(item, what, value) {
  facts[[length(facts) + 1L]] <<- data.frame(item, what, value = signif(value, 4))
}

# Each loss: phi0, its slope, its conjugate on its domain [-least, 0], and the closed form of
# phi*(-alpha; y), which needs no infimal convolution.
entropy <- function(t) ifelse(t > 0, t * log(t), 0) + ifelse(t < 1, (1 - t) * log1p(-t), 0)
smooth <- 0.5
mixed_losses <- list(
  logistic = list(
    value = function(s) ifelse(s > 0, log1p(exp(-s)), log1p(exp(s)) - s),
    slope = function(s) -1 / (1 + exp(s)), conjugate = function(t) entropy(-t), least = 1,
    mixed = function(alpha, y) entropy(alpha + (1 - y) / 2)
  ),
  smooth_hinge = list(
    value = function(s) {
      ifelse(s < 1 - smooth, 1 - s - smooth / 2, pmax(1 - s, 0)^2 / (2 * smooth))
    },
    slope = function(s) -pmin(pmax((1 - s) / smooth, 0), 1),
    conjugate = function(t) t + smooth * t^2 / 2, least = 1,
    mixed = function(alpha, y) {
      p <- (1 + y) / 2
      q <- (1 - y) / 2
      u <- (p - alpha) / q
      v <- (alpha + q) / p
      ifelse(alpha >= y, -q * (u - smooth * u^2 / 2) - p * (1 - smooth / 2),
             -p * (v - smooth * v^2 / 2) - q * (1 - smooth / 2))
    }
  ),
  quadratic_hinge = list(
    value = function(s) pmax(1 - s, 0)^2 / 2, slope = function(s) -pmax(1 - s, 0),
    conjugate = function(t) t + t^2 / 2, least = Inf,
    mixed = function(alpha, y) {
      p <- (1 + y) / 2
      q <- (1 - y) / 2
      ifelse(alpha > 2 * p, -alpha + alpha^2 / (2 * p),
             ifelse(alpha < -2 * q, alpha + alpha^2 / (2 * q),
                    -alpha * y + alpha^2 / 2 - (1 - y^2) / 2))
    }
  )
)
mixed_value <- function(loss, s, y) {
  (1 + y) / 2 * loss$value(s) + (1 - y) / 2 * loss$value(-s)
}
mixed_slope <- function(loss, s, y) {
  (1 + y) / 2 * loss$slope(s) - (1 - y) / 2 * loss$slope(-s)
}

# ---- Equation (6) by search, and a coordinate step without it ----

by_search <- function(loss, alpha, y) {
  p <- (1 + y) / 2
  q <- (1 - y) / 2
  objective <- function(u) p * loss$conjugate(u / p) + q * loss$conjugate((alpha + u) / q)
  # 50 stands for infinity.
  ends <- c(max(-loss$least * p, -alpha - loss$least * q, -50), min(0, -alpha))
  inside <- stats::optimize(objective, ends, tol = 1e-10)$objective
  min(inside, objective(ends[1L]), objective(ends[2L]))
}
# The best alpha with the others fixed: alpha = -phi'(s) where s + c phi'(s) = z - c alpha_old, for
# c = K_ii / (lambda n). One monotone equation in one unknown.
exact_step <- function(loss, z, alpha, c, y) {
  w <- z - c * alpha
  equation <- function(s) s + c * mixed_slope(loss, s, y) - w
  -mixed_slope(loss, stats::uniroot(equation, w + c(-1, 1) * 100 * (1 + c), tol = 1e-13)$root, y)
}
# Alphas of a loss between the two labels, and inside the domain of its conjugate.
some_alpha <- function(name, y) {
  if (name == "quadratic_hinge") stats::rnorm(length(y), 0, 2) else
    (y - 1) / 2 + stats::runif(length(y))
}

set.seed(1)
draws <- 2000L
for (name in names(mixed_losses)) {
  loss <- mixed_losses[[name]]
  y <- stats::runif(draws, -1, 1)
  alpha <- some_alpha(name, y)
  searched <- vapply(seq_len(draws), function(i) by_search(loss, alpha[i], y[i]), 0)
  note(paste("closed form", name), "largest difference from (6) by search",
       max(abs(searched - loss$mixed(alpha, y))))
  z <- stats::rnorm(draws, 0, 2)
  c <- exp(stats::rnorm(draws))
  gain <- function(i, next_alpha) {
    step <- next_alpha - alpha[i]
    -loss$mixed(next_alpha, y[i]) - z[i] * step - c[i] * step^2 / 2
  }
  beaten <- vapply(seq_len(draws), function(i) {
    ends <- if (name == "quadratic_hinge") c(-50, 50) else (y[i] + c(-1, 1)) / 2
    search <- stats::optimize(function(t) gain(i, t), ends, maximum = TRUE, tol = 1e-9)$objective
    search - gain(i, exact_step(loss, z[i], alpha[i], c[i], y[i]))
  }, 0)
  note(paste("exact step", name), "largest excess of a search over it", max(beaten))
}
note("closed form", "draws", draws)

# ---- Equation (15): the sign ----

loss <- mixed_losses$logistic
zeta <- stats::runif(draws, -4, 4)
alpha <- -mixed_slope(loss, zeta, y)
inside <- pmin(alpha - (y - 1) / 2, (y + 1) / 2 - alpha)
h <- 1e-3 * inside
# d/dt phi*(t) at t = -alpha
gradient <- (loss$mixed(alpha - h, y) - loss$mixed(alpha + h, y)) / (2 * h)
note("(15)", "largest error of zeta = grad phi*(-alpha)", max(abs(zeta - gradient)))
note("(15)", "largest error with the printed minus", max(abs(zeta + gradient)))

# ---- Algorithm 2: (17) and (19) with min and max as printed, and exchanged ----

lower_value <- function(z, alpha, y, n, exchanged) {
  reach <- function(side) {
    beyond <- function(s) mixed_value(loss, side * s, y) - n * log(2)
    far <- n * log(2) / (if (side > 0) (1 - y) / 2 else (1 + y) / 2)
    stats::uniroot(beyond, c(0, 2 * far), tol = 1e-10)$root
  }
  side <- if (-mixed_slope(loss, 0, y) <= alpha) -1 else 1
  grid <- side * exp((0:n) / n * (4 + log(reach(side))) - 4)
  slope <- -mixed_slope(loss, grid, y)
  admissible <- grid[if (side > 0) alpha <= slope else slope <= alpha]
  if (!length(admissible)) {
    return(NA_real_)
  }
  zeta <- if (xor(side > 0, exchanged)) min(admissible) else max(admissible)
  mixed_value(loss, z, y) + mixed_slope(loss, zeta, y) * zeta + alpha * z -
    mixed_value(loss, zeta, y)
}
n <- 50L
alpha <- some_alpha("logistic", y)
z <- stats::rnorm(draws, 0, 2)
exact <- mixed_value(loss, z, y) + loss$mixed(alpha, y) + alpha * z
for (exchanged in c(FALSE, TRUE)) {
  found <- vapply(seq_len(draws), function(i) lower_value(z[i], alpha[i], y[i], n, exchanged), 0)
  how <- if (exchanged) "exchanged" else "as printed"
  note("(17), (19)", paste("mean F less its lower value,", how), mean(exact - found, na.rm = TRUE))
  note("(17), (19)", paste("cases above F,", how), sum(found > exact + 1e-10, na.rm = TRUE))
}
note("(18), (20)", "cases without a grid point", sum(is.na(found)))
note("(18), (20)", "cases", draws)

# ---- Equation (23): 1/n~ where 1/(2n) belongs ----

# Its optimum is that of (3) with lambda n~/(2n); how much larger is R of (3) there?
risk <- function(fit, scores, y, lambda) {
  value <- mean(mixed_value(loss, scores, y))
  norm2 <- 2 * (certificate(fit)$value - value) / fit$settings$lambda
  lambda / 2 * norm2 + value
}
spam <- standardise(as.matrix(spambase[-58L]))
for (times in c(1, 0.1, 0.01)) {
  excess <- vapply(1:20, function(seed) {
    set.seed(seed)
    rows <- sample(nrow(spam), 100L)
    all <- mixup_data(spam[rows, ], signs(spambase$type)[rows], 100)
    target <- as.numeric(unclass(all$y))
    lambda <- times / length(target)
    wrong <- mean(1 + (abs(target) < 1)) / 2
    fits <- lapply(c(1, wrong), function(factor) {
      kernel_fit(all$x, all$y, kernel_rbf(1 / ncol(spam)), loss = "logistic",
                 lambda = factor * lambda, scale = FALSE, tol = 1e-9)
    })
    values <- vapply(fits, function(fit) risk(fit, fit$scores, target, lambda), 0)
    values[2L] - values[1L]
  }, 0)
  note("(23)", sprintf("smallest excess, lambda = %s/n", times), min(excess))
  note("(23)", sprintf("largest excess, lambda = %s/n", times), max(excess))
}

# ---- Equations (8) and (48): one step from alpha = 0 ----

# There F_i = phi(0) + phi*(0) for every i, and a step gains J_i; h_D falls by their mean over n.
set.seed(1)
rows <- sample(nrow(spam), 100L)
all <- mixup_data(spam[rows, ], signs(spambase$type)[rows], 100)
target <- as.numeric(unclass(all$y))
n <- length(target)
lambda <- 1 / n
F <- mixed_value(loss, 0, target) + loss$mixed(0, target)
stepped <- vapply(target, function(y) exact_step(loss, 0, 0, 1 / (lambda * n), y), 0)
gain <- mean(loss$mixed(0, target) - loss$mixed(stepped, target) - stepped^2 / 2 / (lambda * n)) / n
best <- certificate(kernel_fit(all$x, all$y, kernel_rbf(1 / ncol(spam)), loss = "logistic",
                               lambda = lambda, scale = FALSE, tol = 1e-9))
share <- lambda * n * 4 / (1 + lambda * n * 4)
note("(8)", "mean change of h_D by one exact step", -gain)
note("(48)", "first line as printed", share * sum(F) / n)
note("(48)", "all that h_D can fall", best$bound + mean(loss$mixed(0, target)))
note("(48)", "first line with 1/n^2", share * sum(F) / n^2)

# ---- Lemma 1: the steps of (9) are enough, with exact steps and the beta of Theorem 1 ----

K <- stats::dist(all$x)
K <- exp(-as.matrix(K)^2 / ncol(spam))
optimum <- best$bound
beta <- 1 / (n + max(diag(K)) / (lambda * 4))
step_at <- function(alpha, z, i) {
  exact_step(loss, z[i], alpha[i], K[i, i] / (lambda * n), target[i])
}
dual <- function(alpha, z) -mean(loss$mixed(alpha, target)) - sum(alpha * z) / (2 * n)
primal <- function(alpha, z) sum(alpha * z) / (2 * n) + mean(mixed_value(loss, z, target))
# What one step gains in the mean over the rows, by (8) at least beta max(h_P, h_D), over that.
gained <- function(alpha, z) {
  now <- dual(alpha, z)
  after <- vapply(seq_len(n), function(i) {
    moved <- alpha
    moved[i] <- step_at(alpha, z, i)
    dual(moved, z + K[, i] * (moved[i] - alpha[i]) / (lambda * n))
  }, 0)
  (mean(after) - now) / (beta * max(primal(alpha, z) - optimum, optimum - now))
}
goals <- c(1e-2, 1e-3)
steps <- ceiling(log((optimum - dual(numeric(n), numeric(n))) / (beta * goals)) / beta)
runs <- vapply(1:10, function(seed) {
  set.seed(seed)
  alpha <- z <- numeric(n)
  errors <- least <- NULL
  for (t in seq_len(max(steps))) {
    if (t %% 500L == 1L) least <- min(least, gained(alpha, z))
    i <- sample(n, 1L)
    move <- step_at(alpha, z, i) - alpha[i]
    alpha[i] <- alpha[i] + move
    z <- z + K[, i] * move / (lambda * n)
    if (t %in% steps) errors <- c(errors, primal(alpha, z) - optimum)
  }
  c(errors, least)
}, numeric(3))
note("Lemma 1", "mean h_P over eps = 1e-2 after the steps of (9)", mean(runs[1L, ]) / goals[1L])
note("Lemma 1", "mean h_P over eps = 1e-3 after the steps of (9)", mean(runs[2L, ]) / goals[2L])
note("Lemma 1", "least gain of a step over beta max(h_P, h_D)", min(runs[3L, ]))

# ---- Lemma 3: (1 + y) phi0 is 2/gamma-smooth, its conjugate is (50) ----

set.seed(1)
y <- stats::runif(draws, -1, 1)
bends <- errors <- 0
gammas <- c(logistic = 4, smooth_hinge = smooth, quadratic_hinge = 1)
for (name in names(mixed_losses)) {
  loss <- mixed_losses[[name]]
  s <- stats::rnorm(draws, 0, 3)
  h <- stats::rnorm(draws)
  bent <- (1 + y) * abs(loss$slope(s + h) - loss$slope(s)) / abs(h)
  bends <- max(bends, bent * gammas[[name]])
  a <- (1 + y) * loss$slope(s)
  by_sup <- vapply(seq_len(draws), function(i) {
    stats::optimize(function(s) s * a[i] - (1 + y[i]) * loss$value(s), c(-40, 40), maximum = TRUE,
                    tol = 1e-10)$objective
  }, 0)
  errors <- max(errors, abs(by_sup - (1 + y) * loss$conjugate(a / (1 + y))))
}
note("Lemma 3", "largest change of slope by that of the argument, times gamma", bends)
note("Lemma 3", "largest error of the conjugate (50) against a search", errors)

save_results(do.call(rbind, facts), "formulas", keys = c("item", "what"), tolerance = 0.01)
