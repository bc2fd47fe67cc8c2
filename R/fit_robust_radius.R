# The radius of margin_robust(radius = NULL), by robust Wasserstein profile inference.
#
# J. Blanchet, Y. Kang and K. Murthy (2019), doi:10.1017/jpr.2019.49, take the smallest ball that
# holds, with probability 0.95, a distribution Q whose optimum is the population's, w*: the 0.95
# quantile of the profile function R_n, the least cost of moving the rows such that the slopes of
# the loss at w* have mean 0. For the hinge these slopes are -y x where u = y w'x < 1 and 0 where
# u > 1. With h = mean(y x [u < 1]) at w*, which is of order n^-1/2, and multipliers xi,
#
#   R_n = sup over xi of  xi'h - mean(the most that moving a row gains, xi'(change) - cost).
#
# A row at distance r = |u - 1| from the kink crosses it at cost r / |w*|_q and gains |xi'x|, so
# that with f, the density of u at 1, those rows gain  f |w*|_q E[(xi'x)^2 | u = 1] / 2. Other
# moves, and labels as long as |xi'x|, of order n^-1/2, is below label_cost, gain nothing. So
#
#   n R_n -> Z'H^-1 Z / (2 |w*|_q),   Z ~ N(0, G),  G = E[x x'; u < 1],  H = f E[x x' | u = 1]
#
# (G and H are those of the asymptotics of the SVM: J.-Y. Koo, Y. Lee, Y. Kim and C. Park 2008, JMLR
# 9, 1343-1368). With rows inside the margin alike to those on it, G = (share / f) H, and
#
#   radius = share / f * chi^2_{0.95, df} / (2 |w|_q n):
#
# of order 1/n, since the hinge has a kink, where that of a loss with a slope everywhere is of order
# n^-1/2. share, f and w are those of the SVM with cost 1 on the same columns, df its coefficients.
# Of several classes the smallest of the radii.
profile_level <- 0.95

rule_radius <- function(problem) {
  settings <- problem$settings
  pilot <- problem
  pilot$unit <- 1
  pilot$settings <- linear_settings("hinge", 1 / sum(problem$omega), 0, settings$intercept,
                                    settings$scale, NULL, "auto", pilot_control(settings$control),
                                    NULL)
  pilot$settings$started <- settings$started
  result <- solve_linear(pilot, pilot$settings$lambda, 0)
  size <- distinct_size(problem$design$x, problem$omega)
  df <- min(size$columns, size$rows - 1) + (settings$intercept != "none")
  found <- vapply(seq_along(result$solutions), function(k) {
    point <- result$solutions[[k]][[1L]]
    w <- c(point$coefficients * result$scales,
           if (settings$intercept == "penalized") point$intercept)
    signs <- class_signs(problem$response, k)
    profile_radius(signs * point$scores, problem$omega, norm_of(w, settings$norm), df)
  }, 0)
  min(found)
}

# The fit decides nothing but the radius, in which rows on the kink count by half: a loose one, of
# which a constant column or the order of rows moves a row off the kink, gives another. It starts from
# nothing and draws with its own seed, so that R's stream and the fit itself are as without it. Nor do
# the epochs of the fit limit it: a run that ends early is one of the same problem.
pilot_control <- function(control) {
  control$tol <- 1e-8
  control$max_epochs <- margin_control()$max_epochs
  control[c("start", "checkpoint")] <- list(NULL)
  control$seed <- 1
  control$progress <- FALSE
  control$solver_options <- list()
  control
}

class_signs <- function(response, k) {
  if (response$n_classes == 1L) response$codes else ifelse(response$codes == k, 1, -1)
}

norm_of <- function(w, norm) {
  switch(norm, l1 = sum(abs(w)), l2 = sqrt(sum(w^2)), linf = max(abs(w)))
}

# u: y times the decision value; size: |w|_q. A row that the fit has put on the kink is half inside.
# The density is not taken to be below that of the rows inside, spread evenly from -1 to 1; a w of 0
# counts as one whose rows are all of margin 1 or less.
profile_radius <- function(u, omega, size, df) {
  total <- sum(omega)
  kink <- abs(u - 1) <= 1e-3
  share <- sum(omega * ((u < 1 & !kink) + kink / 2)) / total
  share <- max(share, 0.5 / total)
  width <- 1.06 * robust_spread(u, omega) * total^(-1 / 5)
  density <- sum(omega * stats::dnorm((u - 1) / width)) / (total * width)
  stats::qchisq(profile_level, df) * share / max(density, share / 2) / (2 * max(size, 1) * total)
}
