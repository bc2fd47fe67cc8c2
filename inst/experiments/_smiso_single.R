# Part of smiso.R: the two ends between which the paper puts its method. At n = 1 a row drawn from
# the data is the perturbation of a single function; there it is SGD with other steps and, with an
# l1 norm and steps 1/t, the regularized dual averaging (RDA) of L. Xiao (2010). Without
# perturbations it is MISO, whose rate is linear. Methods in ten lines each: genes of Gravier, rows
# divided by their norms, logistic loss, mu = 0.01, l1 norm of weight 0.001, no dropout, so that
# margin_linear() knows the optimum. One column of the table for each seed. `what`:
#   suboptimality  F - F*;
#   C_t, promised  of Proposition 5, MISO with the largest steps that it allows, and
#                  (1 - alpha/n)^t C_0;
#   difference     the largest between the points of two methods that ought to be the same.
# writes: smiso_single.csv
# depends: core src/linear R/margin_linear.R
# seeds: 1 to 20

single_mu <- 0.01
single_l1 <- 0.001
single_at <- if (spotting) 1:2 else c(1:20, 25, 32, 40, 50)
genes <- margin_data("gravier")
genes <- list(x = unit_rows(unname(as.matrix(genes$x))), y = signs(genes$y))
single_n <- nrow(genes$x)
columns <- t(genes$x)
steep <- 1 / 4 + single_mu
soft <- function(z, by) sign(z) * pmax(abs(z) - by, 0)
exact <- margin_linear(genes$x, factor(genes$y), loss = "logistic",
                       lambda = single_mu + single_l1,
                       mixture = single_l1 / (single_mu + single_l1), intercept = "none",
                       scale = FALSE, solver = "auto",
                       control = margin_control(tol = 1e-11, seed = 1, progress = FALSE))
objective <- function(w) {
  z <- genes$y * (genes$x %*% w)
  colMeans(log1p(exp(-z))) + single_mu / 2 * colSums(w^2) + single_l1 * colSums(abs(w))
}
# The gradient of the loss of row i at w.
slope_of <- function(w, i) {
  margin <- genes$y[i] * sum(columns[, i] * w)
  -genes$y[i] * stats::plogis(-margin) * columns[, i]
}
# Constant for two epochs, then falling, as in Section 5 of the paper; t0 joins the two.
falling <- function(first, top) {
  function(t) if (t <= 2 * single_n) first else top / (top / first + t - 2 * single_n)
}
# ---- the methods: step(w, i, t) gives the next point ----
smiso_one <- function(alpha, l1 = single_l1) {
  z <- 0
  function(w, i, t) {
    z <<- (1 - alpha(t)) * z + alpha(t) * (w - (slope_of(w, i) + single_mu * w) / single_mu)
    soft(z, l1 / single_mu)
  }
}
rda <- function() {
  mean_slope <- 0
  function(w, i, t) {
    mean_slope <<- mean_slope + (slope_of(w, i) - mean_slope) / t
    -soft(mean_slope, single_l1) / single_mu
  }
}
sgd_one <- function(eta, l1 = single_l1) {
  function(w, i, t) soft(w - eta(t) * (slope_of(w, i) + single_mu * w), eta(t) * l1)
}
# MISO; `state` gives its table and the constants of its lower bounds.
miso <- function(alpha) {
  z <- matrix(0, nrow(columns), single_n)
  constant <- numeric(single_n)
  mean_z <- numeric(nrow(columns))
  step <- function(w, i, t) {
    g <- slope_of(w, i)
    v <- -g / single_mu
    change <- v - z[, i]
    lowest <- log1p(exp(-genes$y[i] * sum(columns[, i] * w))) +
      single_mu / 2 * (sum(w^2) - sum((w - v)^2))
    constant[i] <<- (1 - alpha) * constant[i] + alpha * lowest +
      single_mu / 2 * alpha * (1 - alpha) * sum(change^2)
    z[, i] <<- z[, i] + alpha * change
    mean_z <<- mean_z + alpha / single_n * change
    soft(mean_z, single_l1 / single_mu)
  }
  list(step = step, state = function() list(z = z, constant = constant, mean_z = mean_z))
}
run_one <- function(step, seed, at = single_at, look = function(w) NULL) {
  set.seed(seed)
  w <- numeric(nrow(columns))
  kept <- matrix(0, nrow(columns), length(at))
  looked <- numeric()
  for (t in seq_len(single_n * max(at))) {
    w <- step(w, sample.int(single_n, 1L), t)
    if (t %% single_n == 0 && (t / single_n) %in% at) {
      kept[, match(t / single_n, at)] <- w
      looked <- c(looked, look(w))
    }
  }
  list(w = kept, looked = looked)
}

single_seeds <- if (spotting) 1L else 1:20
theory_alpha <- min(0.5, single_n * single_mu / (4 * (steep - single_mu)))
best_w <- coef(exact)
best_z <- vapply(seq_len(single_n), function(i) -slope_of(best_w, i) / single_mu, best_w)
best_value <- certificate(exact)$bound
# C_t of (17), uniform draws.
lyapunov <- function(w, state) {
  bound <- mean(state$constant) +
    single_mu / 2 * (mean(colSums(state$z^2)) - sum(state$mean_z^2) + sum((w - state$mean_z)^2)) +
    single_l1 * sum(abs(w))
  best_value - bound + single_mu * theory_alpha / single_n^2 * sum((state$z - best_z)^2)
}
first_c <- best_value + single_mu * theory_alpha / single_n^2 * sum(best_z^2)
table <- list()
keep <- function(what, method, epochs, values) {
  colnames(values) <- paste0("seed", single_seeds)
  table[[length(table) + 1L]] <<- data.frame(what, method, epochs, signif(values, 3))
}
eta <- falling(1 / steep, 2 / single_mu)
alpha <- falling(single_mu / (steep - single_mu), 2)
# a new one for each run, since they keep what they have seen
makers <- list(
  "S-MISO, n = 1" = function() smiso_one(alpha), "RDA" = function() rda(),
  "SGD, n = 1" = function() sgd_one(eta),
  "MISO" = function() miso(min(1, single_n * single_mu / (steep - single_mu)))$step
)
for (method in names(makers)) {
  gaps <- vapply(single_seeds, function(seed) {
    objective(run_one(makers[[method]](), seed)$w) - best_value
  }, numeric(length(single_at)))
  keep("suboptimality", method, single_at, pmax(gaps, 1e-14))
  message(format(Sys.time(), "%T "), method)
}
reached <- vapply(single_seeds, function(seed) {
  one <- miso(theory_alpha)
  run_one(one$step, seed, look = function(w) lyapunov(w, one$state()))$looked
}, numeric(length(single_at)))
keep("C_t", "MISO", single_at, reached)
keep("promised", "MISO", single_at,
     matrix((1 - theory_alpha / single_n)^(single_n * single_at) * first_c, length(single_at),
            length(single_seeds)))
# ---- the same method under two names ----
apart <- function(a, b) {
  vapply(single_seeds, function(seed) {
    max(abs(run_one(a(), seed, 1:5)$w - run_one(b(), seed, 1:5)$w))
  }, 0)
}
keep("difference", "SGD, no l1", 5, rbind(apart(
  function() smiso_one(function(t) single_mu * eta(t), 0), function() sgd_one(eta, 0)
)))
keep("difference", "RDA", 5, rbind(apart(
  function() smiso_one(function(t) 1 / t), function() rda()
)))
save_results(do.call(rbind, table), "single", keys = c("what", "method", "epochs"))
