# Maps from scores to probabilities: Platt's sigmoid and isotonic regression.

# One map for each class problem. shares: a column for each, how much of a row is in the class.
fit_maps <- function(method, scores, shares, weight, levels) {
  scores <- as.matrix(scores)
  fit_one <- switch(method, platt = fit_platt, isotonic = fit_isotonic)
  maps <- lapply(seq_len(ncol(shares)), function(k) {
    fit_one(scores[, k], prior_targets(shares[, k], weight), weight)
  })
  if (length(maps) > 1L) stats::setNames(maps, levels) else maps
}

# What a calibration maps: scores, and where a loss of all classes was fitted what they say beside
# one another.
mapped_scores <- function(fit, scores) {
  if (is_joint(fit)) ranking_scores(fit, scores) else scores
}

# What ranks rows by a class.
ranking_scores <- function(fit, scores) {
  model <- class_model(fit)
  if (model$compared && is.matrix(scores)) class_leads(scores, model$smooth) else scores
}

# Where all classes are one problem a score says nothing by itself, since a number added to all of a
# row changes no loss and no margin: the log-odds of each class against the others, or its lead over
# the best of them.
class_leads <- function(scores, log_odds) {
  leads <- scores
  for (k in seq_len(ncol(scores))) {
    others <- scores[, -k, drop = FALSE]
    top <- do.call(pmax, unname(as.data.frame(others)))
    leads[, k] <- scores[, k] - top - if (log_odds) log(rowSums(exp(others - top))) else 0
  }
  leads
}

# The log-odds that a calibration gives to scores, in their shape.
map_scores <- function(calibration, scores) {
  map <- switch(calibration$method, platt = map_platt, isotonic = map_isotonic)
  if (!is.matrix(scores)) {
    return(map(calibration$maps[[1L]], scores))
  }
  for (k in seq_along(calibration$maps)) scores[, k] <- map(calibration$maps[[k]], scores[, k])
  scores
}

# Platt's: what a uniform prior makes of N observed rows of a class. A row that is partly in the
# class has that part of both targets.
prior_targets <- function(share, weight) {
  inside <- sum(weight * share)
  outside <- sum(weight * (1 - share))
  share * (inside + 1) / (inside + 2) + (1 - share) / (outside + 2)
}

# ---- Platt ----

# The slope is not negative: with scores that rank the classes the wrong way the optimum under that
# constraint is the slope 0, since the problem is convex.
fit_platt <- function(score, target, weight) {
  used <- weight > 0
  score <- score[used]
  target <- target[used]
  share <- weight[used] / sum(weight)
  centre <- sum(share * score)
  size <- max(abs(score - centre))
  flat <- list(slope = 0, intercept = stats::qlogis(sum(share * target)), flat = TRUE)
  if (size <= 1e-12 * max(abs(score))) {
    return(flat)
  }
  # Newton's steps do not depend on the unit of the scores, but rounding does
  solution <- newton_platt((score - centre) / size, target, share)
  slope <- solution[1L] / size
  if (slope <= 0) {
    return(flat)
  }
  list(slope = slope, intercept = solution[2L] - slope * centre, flat = FALSE)
}

# Minimises sum_i share_i [log(1 + e^f_i) - t_i f_i] over f = a z + b, from the best constant.
# glm.fit() does it too, but without backtracking: of 11,522 random problems with long tails it
# missed the optimum in 2.
newton_platt <- function(z, target, share) {
  objective <- function(f) sum(share * (pmax(f, 0) + log1p(exp(-abs(f))) - target * f))
  at <- c(0, stats::qlogis(sum(share * target)))
  value <- objective(at[2L] + 0 * z)
  for (iteration in seq_len(200L)) {
    f <- at[1L] * z + at[2L]
    p <- stats::plogis(f)
    slope <- c(sum(share * (p - target) * z), sum(share * (p - target)))
    bend <- share * p * (1 - p)
    cross <- sum(bend * z)
    # as Lin, Lin and Weng have it, so that the matrix stays invertible where every p is 0 or 1
    hessian <- matrix(c(sum(bend * z^2) + 1e-12, cross, cross, sum(bend) + 1e-12), 2L)
    step <- -solve(hessian, slope, tol = 0)
    descent <- sum(slope * step)
    length <- 1
    while (length > 1e-10) {
      new <- at + length * step
      new_value <- objective(new[1L] * z + new[2L])
      if (new_value <= value + 1e-4 * length * descent) break
      length <- length / 2
    }
    # no step is short enough to descend: what is left is rounding
    if (length <= 1e-10) break
    at <- new
    value <- new_value
    if (-descent <= 1e-24) break
  }
  at
}

map_platt <- function(map, score) map$slope * score + map$intercept

# ---- Isotonic ----

fit_isotonic <- function(score, target, weight) {
  used <- weight > 0
  order <- order(score[used])
  score <- score[used][order]
  # equal scores are one
  run <- cumsum(c(TRUE, diff(score) > 0))
  weight <- weight[used][order]
  total <- drop(rowsum(weight, run))
  mean <- drop(rowsum(weight * target[used][order], run)) / total
  score <- score[!duplicated(run)]
  block <- pool_adjacent(mean, total)
  ends <- !duplicated(block$of) | !duplicated(block$of, fromLast = TRUE)
  list(score = score[ends], prob = block$value[block$of[ends]], flat = length(block$value) == 1L)
}

# Weighted pool adjacent violators: the value of each block, and the block of each mean.
pool_adjacent <- function(mean, weight) {
  n <- length(mean)
  value <- total <- numeric(n)
  size <- integer(n)
  last <- 0L
  for (i in seq_len(n)) {
    last <- last + 1L
    value[last] <- mean[i]
    total[last] <- weight[i]
    size[last] <- 1L
    while (last > 1L && value[last - 1L] >= value[last]) {
      both <- total[last - 1L] + total[last]
      value[last - 1L] <- (total[last - 1L] * value[last - 1L] + total[last] * value[last]) / both
      total[last - 1L] <- both
      size[last - 1L] <- size[last - 1L] + size[last]
      last <- last - 1L
    }
  }
  blocks <- seq_len(last)
  list(value = value[blocks], of = rep(blocks, size[blocks]))
}

map_isotonic <- function(map, score) {
  prob <- if (length(map$score) == 1L) {
    replace(score, !is.na(score), map$prob)
  } else {
    stats::approx(map$score, map$prob, xout = score, rule = 2)$y
  }
  stats::setNames(stats::qlogis(prob), names(score))
}
