# Part of smiso.R: Propositions 1 and 5 of the paper, its (11), Lemma 4 with an l1 norm, and Lemmas A.1
# and B.1 and C.1 and C.2 of its appendix, each of which bounds an expectation over the next row and its perturbation,
# given all that was before. On eight genes that expectation is a sum: 168 rows of Gravier's data,
# each with its 256 masks of dropout, so that both sides are computed without any sampling, at
# states along runs of the method with the largest steps that the statement allows. Logistic loss,
# rows divided by their norms, mu = 0.01, dropout 0.1, l1 norm of weight 0.002. For Lemma 4, which
# is of the mean over runs, both sides are that mean, in the units of the objective.
# writes: smiso_propositions.csv
# depends: R/data.R
# seeds: 1 to 20

prop_mu <- 0.01
prop_l1 <- 0.002
prop_rate <- 0.1
eight <- margin_data("gravier")
prop_y <- signs(eight$y)
prop_x <- unit_rows(unname(as.matrix(eight$x)[, 1:8]))
rm(eight)
rows_n <- nrow(prop_x)
masks <- as.matrix(expand.grid(rep(list(0:1), 8L)))
mask_weight <- prop_rate^(8 - rowSums(masks)) * (1 - prop_rate)^rowSums(masks)
of_row <- rep(seq_len(rows_n), each = nrow(masks))
# all rows as perturbed, the masks of a row together, and the probability of each
every_x <- prop_x[of_row, ] * masks[rep(seq_len(nrow(masks)), rows_n), ] / (1 - prop_rate)
every_y <- prop_y[of_row]
every_p <- rep(mask_weight, rows_n)
mean_of <- function(values, q = rep(1 / rows_n, rows_n)) sum(every_p * q[of_row] * values)
by_row <- function(values) rowsum(every_p * values, of_row)
loss_of <- function(w) log1p(exp(-every_y * drop(every_x %*% w)))
slopes_of <- function(w) -every_y * stats::plogis(-every_y * drop(every_x %*% w)) * every_x
soft <- function(z, by) sign(z) * pmax(abs(z) - by, 0)
square <- function(x) rowSums(x^2)

row_smooth <- square(prop_x) / 4 / (1 - prop_rate)^2 + prop_mu
smooth <- max(row_smooth)
objective <- function(w, l1) mean_of(loss_of(w)) + prop_mu / 2 * sum(w^2) + l1 * sum(abs(w))
# By proximal steps, then Newton's on the support.
optimum <- function(l1) {
  w <- numeric(8L)
  mean_slope <- function(w) colSums(every_p * slopes_of(w)) / rows_n + prop_mu * w
  for (step in 1:200) w <- soft(w - mean_slope(w) / smooth, l1 / smooth)
  for (step in 1:20) {
    on <- w != 0
    share <- stats::plogis(every_y * drop(every_x %*% w))
    bent <- crossprod(every_x[, on], every_p * share * (1 - share) * every_x[, on]) / rows_n
    w[on] <- w[on] - solve(bent + diag(prop_mu, sum(on)),
                           mean_slope(w)[on] + l1 * sign(w[on]))
  }
  left <- mean_slope(w)
  stopifnot(abs(left[w != 0] + l1 * sign(w[w != 0])) < 1e-12, abs(left[w == 0]) <= l1)
  w
}
# What the statements name, at the optimum.
at_best <- function(l1) {
  w <- optimum(l1)
  g <- slopes_of(w)
  mean_g <- by_row(g)
  own <- by_row(square(g - mean_g[of_row, ]))[, 1L]
  gradient <- colSums(mean_g) / rows_n + prop_mu * w
  list(w = w, z = -mean_g / prop_mu, value = objective(w, l1), variance = own,
       total = mean_of(square(sweep(g, 2L, prop_mu * w, "+"))),
       around = mean_of(square(sweep(g, 2L, colSums(mean_g) / rows_n))), gradient = gradient)
}

# Algorithm 2 (Algorithm 1 with l1 = 0 and q uniform): its state, and all states that may be next.
start <- function() list(z = matrix(0, rows_n, 8L), c = numeric(rows_n), w = numeric(8L))
# The centre and the constant of the lower bound that perturbed rows give at w.
tangent <- function(w, at = seq_len(nrow(every_x))) {
  x <- every_x[at, , drop = FALSE]
  margin <- every_y[at] * drop(x %*% w)
  v <- every_y[at] * stats::plogis(-margin) * x / prop_mu
  lowest <- log1p(exp(-margin)) + prop_mu / 2 * (sum(w^2) - square(sweep(-v, 2L, w, "+")))
  list(v = v, lowest = lowest)
}
advance <- function(state, alpha, q, l1) {
  i <- sample.int(rows_n, 1L, prob = q)
  at <- (i - 1L) * nrow(masks) + sample.int(nrow(masks), 1L, prob = mask_weight)
  a <- alpha / (q[i] * rows_n)
  new <- tangent(state$w, at)
  change <- new$v[1L, ] - state$z[i, ]
  state$c[i] <- (1 - a) * state$c[i] + a * new$lowest + prop_mu / 2 * a * (1 - a) * sum(change^2)
  state$z[i, ] <- state$z[i, ] + a * change
  state$w <- soft(colMeans(state$z), l1 / prop_mu)
  state
}
# D at its minimum, and the weighted squared distance of the z_i, of a state ...
bound_of <- function(state, l1) {
  centre <- colMeans(state$z)
  mean(state$c) + prop_mu / 2 * (mean(square(state$z)) - sum(centre^2)) +
    prop_mu / 2 * sum((state$w - centre)^2) + l1 * sum(abs(state$w))
}
apart <- function(state, best, q) sum(square(state$z - best$z) / (q * rows_n))
# ... and of all that may be next.
all_next <- function(state, alpha, q, l1, best) {
  a <- (alpha / (q * rows_n))[of_row]
  new <- tangent(state$w)
  before <- state$z[of_row, ]
  change <- new$v - before
  constant <- (1 - a) * state$c[of_row] + a * new$lowest +
    prop_mu / 2 * a * (1 - a) * square(change)
  z <- before + a * change
  centre <- sweep((z - before) / rows_n, 2L, colMeans(state$z), "+")
  w <- soft(centre, l1 / prop_mu)
  mean_square <- mean(square(state$z)) + (square(z) - square(before)) / rows_n
  bound <- mean(state$c) + (constant - state$c[of_row]) / rows_n +
    prop_mu / 2 * (mean_square - square(centre) + square(w - centre)) + l1 * rowSums(abs(w))
  goal <- best$z[of_row, ]
  away <- apart(state, best, q) + (square(z - goal) - square(before - goal)) / (q * rows_n)[of_row]
  list(w = w, bound = bound, away = away)
}

seeds_here <- 1:20
states_at <- c(1, 10, 168, 840, 3360)
uniform <- rep(1 / rows_n, rows_n)
plain <- at_best(0)
sparse <- at_best(prop_l1)
skewed <- 1 / (2 * rows_n) + (row_smooth - prop_mu) / (2 * sum(row_smooth - prop_mu))
condition <- smooth / prop_mu
skewed_smooth <- max((row_smooth - prop_mu) / (skewed * rows_n))
ways_of <- list(
  "1" = list(l1 = 0, q = uniform, best = plain,
             most = min(0.5, rows_n / (2 * (2 * condition - 1)))),
  "5" = list(l1 = prop_l1, q = skewed, best = sparse,
             most = min(rows_n * min(skewed) / 2, rows_n * prop_mu / (4 * skewed_smooth)))
)
told <- list()
add <- function(...) told[[length(told) + 1L]] <<- data.frame(...)
for (name in names(ways_of)) for (seed in seeds_here) {
  how <- ways_of[[name]]
  best <- how$best
  set.seed(seed)
  state <- start()
  gamma <- 2 * rows_n / how$most - 1
  # steps in their order: the one that led here and the next
  alpha <- function(t) 2 * rows_n / (gamma + pmax(t, 1))
  for (t in seq_len(max(states_at))) {
    if (t %in% states_at) {
      a <- alpha(t)
      later <- all_next(state, a, how$q, how$l1, best)
      spread <- a / rows_n^2
      # gradients of the loss alone, less those of their rows at the optimum
      off <- slopes_of(state$w) + prop_mu * best$z[of_row, ]
      if (name == "1") {
        now <- sum((state$w - best$w)^2) / 2 + alpha(t - 1) / rows_n^2 * apart(state, best, how$q)
        then <- mean_of(square(sweep(later$w, 2L, best$w)) / 2 + spread * later$away)
        add(statement = "Proposition 1", seed, t, left = then,
            right = (1 - a / rows_n) * now +
              2 * (a / rows_n)^2 * mean(best$variance) / prop_mu^2)
        add(statement = "(11)", seed, t, left = objective(state$w, 0) - best$value,
            right = smooth / 2 * sum((state$w - best$w)^2))
        add(statement = "Lemma A.1", seed, t,
            left = mean_of(square(sweep(off, 2L, prop_mu * (state$w - best$w), "+"))),
            right = 4 * smooth * (objective(state$w, 0) - best$value) + 2 * mean(best$variance))
      } else {
        now <- best$value - bound_of(state, how$l1) +
          prop_mu * alpha(t - 1) / rows_n^2 * apart(state, best, how$q)
        then <- mean_of(best$value - later$bound + prop_mu * spread * later$away, how$q)
        add(statement = "Proposition 5", seed, t, left = then,
            right = (1 - a / rows_n) * now + 2 * (a / rows_n)^2 / prop_mu *
              mean(best$variance / (how$q * rows_n)))
        share <- how$q * rows_n
        add(statement = "Lemma B.1", seed, t, left = mean_of(square(off) / share[of_row]^2, how$q),
            right = 4 * skewed_smooth * (objective(state$w, how$l1) - best$value) + 2 * mean(best$variance / share))
        add(statement = "Lemma 4, l1", seed, t, left = prop_mu / 2 * sum((state$w - best$w)^2),
            right = best$value - bound_of(state, how$l1))
        add(statement = "constants", seed, t, left = mean(state$c),
            right = best$value - bound_of(state, how$l1))
      }
    }
    state <- advance(state, alpha(t), how$q, how$l1)
  }
}
# SGD and proximal SGD with steps 1/(2L), then 2/(mu (t0 + t)).
for (name in c("C.1", "C.2")) for (seed in seeds_here) {
  l1 <- if (name == "C.1") 0 else prop_l1
  best <- if (name == "C.1") plain else sparse
  set.seed(seed)
  w <- numeric(8L)
  for (t in seq_len(max(states_at))) {
    eta <- 2 / (prop_mu * (4 * condition + t - 1))
    if (t %in% states_at) {
      g <- sweep(slopes_of(w), 2L, prop_mu * w, "+")
      later <- soft(sweep(-eta * g, 2L, w, "+"), eta * l1)
      noise <- if (name == "C.1") best$total else best$around
      add(statement = paste("Proposition", name), seed, t,
          left = mean_of(square(sweep(later, 2L, best$w)) / 2),
          right = (1 - prop_mu * eta) * sum((w - best$w)^2) / 2 + eta^2 * noise)
    }
    at <- (sample.int(rows_n, 1L) - 1L) * nrow(masks) +
      sample.int(nrow(masks), 1L, prob = mask_weight)
    margin <- every_y[at] * sum(every_x[at, ] * w)
    g <- -every_y[at] * stats::plogis(-margin) * every_x[at, ] + prop_mu * w
    w <- soft(w - eta * g, eta * l1)
  }
}
told <- do.call(rbind, told)
told <- do.call(rbind, lapply(split(told, told[c("t", "statement")], drop = TRUE), function(here) {
  data.frame(statement = here$statement[1L], t = here$t[1L], runs = nrow(here),
             left = signif(mean(here$left), 4), right = signif(mean(here$right), 4),
             largest_ratio = signif(max(here$left / here$right), 5),
             below_zero = sum(here$right < 0))
}))
rownames(told) <- NULL
save_results(told, "propositions", keys = c("statement", "t"))
