# Branch and bound over lambda: E(lambda), the weight of the held-out rows that are misclassified,
# between its lower bound everywhere and its upper bound at the points that were solved.

# Spans of all held-out rows between two lambdas -> the lower bound of E there, a step function: the
# weight of all rows less that of the rows not certainly wrong. At equal ends spans open before they
# close. positions: in ln lambda; bound[i] holds from positions[i] to positions[i + 1].
lower_bound_steps <- function(spans, weights, ends, always = 0) {
  total <- sum(weights) + always
  some <- spans[, "from"] <= spans[, "to"]
  at <- c(spans[some, "from"], spans[some, "to"])
  change <- rep(c(1, -1), each = sum(some)) * weights[some]
  order <- order(at, -change)
  bound <- total - cumsum(change[order])
  list(positions = c(ends[1L], at[order], ends[2L]), bound = c(total, bound))
}

# The first points are three a decade.
tune_search <- function(folds, range, eps, max_points,
                        first = clip(ceiling(3 * log10(range[2L] / range[1L])) + 1, 5, 25)) {
  total <- sum(vapply(folds, `[[`, 0, "total"))
  tiny <- 1e-12 * total
  allow <- eps * total
  lambda <- exp(seq(log(range[1L]), log(range[2L]), length.out = min(first, max_points)))
  lambda[c(1L, length(lambda))] <- range
  points <- first_points(folds, lambda)
  intervals <- lapply(seq_len(length(lambda) - 1L), function(i) {
    new_interval(folds, points[[i]], points[[i + 1L]])
  })
  errors <- Map(errors_of, points, c(list(NULL), intervals), c(intervals, list(NULL)),
                MoreArgs = list(folds = folds))
  ended <- "proven"
  repeat {
    best <- min(vapply(errors, `[[`, 0, "upper"))
    low <- vapply(intervals, `[[`, 0, "lowest")
    open <- low < best - allow - tiny
    wide <- vapply(intervals, function(one) diff(one$ends), 0) > 1e-9
    if (!any(open)) break
    if (!any(open & wide)) {
      ended <- "narrow"
      break
    }
    if (length(points) >= max_points) {
      ended <- "points"
      break
    }
    # where the bound is lowest; of several the widest
    i <- which(open & wide)
    i <- i[low[i] <= min(low[i]) + tiny]
    i <- i[which.max(vapply(intervals[i], function(one) diff(one$ends), 0))]
    middle <- exp(middle_of(intervals[[i]], best - allow - tiny))
    point <- next_point(folds, middle, points[[i]], points[[i + 1L]])
    points <- append(points, list(point), i)
    halves <- list(new_interval(folds, points[[i]], point, intervals[[i]]),
                   new_interval(folds, point, points[[i + 2L]], intervals[[i]]))
    errors <- append(errors, list(errors_of(point, halves[[1L]], halves[[2L]], folds)), i)
    intervals <- append(intervals[-i], halves, i - 1L)
  }
  list(points = points, errors = errors, intervals = intervals, total = total, ended = ended)
}

# Of every fold, in one call each: the points from the largest lambda down.
first_points <- function(folds, lambda) {
  by_fold <- lapply(folds, function(fold) {
    down <- rev(lambda)
    solutions <- solve_point(fold$problem, down, rep(0, length(down)), NULL)$solutions[[1L]]
    rev(Map(function(solution, lambda) tune_point(fold, solution, lambda), solutions, down))
  })
  lapply(seq_along(lambda), function(i) lapply(by_fold, `[[`, i))
}

# Started from the chord between the neighbours.
next_point <- function(folds, lambda, lower, upper) {
  Map(function(fold, low, high) {
    share <- (lambda - low$lambda) / (high$lambda - low$lambda)
    start <- lapply(stats::setNames(nm = c("coefficients", "intercept", "dual")), function(name) {
      (1 - share) * low$solution[[name]] + share * high$solution[[name]]
    })
    solution <- solve_point(fold$problem, lambda, 0, list(start))$solutions[[1L]][[1L]]
    tune_point(fold, solution, lambda)
  }, folds, lower, upper)
}

# below, above: the intervals beside the point, NULL at the ends of the range.
errors_of <- function(point, below, above, folds) {
  rowSums(vapply(seq_along(folds), function(k) {
    widths <- lapply(list(below, above), function(one) one$memory[[k]]$ends)
    widths <- widths[lengths(widths) > 0L]
    point_errors(folds[[k]], point[[k]], if (length(widths) > 0L) do.call(pmin, widths))
  }, numeric(3L)))
}

new_interval <- function(folds, lower, upper, parent = NULL) {
  ends <- log(c(lower[[1L]]$lambda, upper[[1L]]$lambda))
  known <- if (is.null(parent)) vector("list", length(folds)) else parent$memory
  found <- Map(open_spans, folds, lower, upper, known)
  steps <- lower_bound_steps(do.call(rbind, lapply(found, `[[`, "spans")),
                             unlist(lapply(folds, `[[`, "weights")), ends,
                             sum(vapply(folds, `[[`, 0, "always")))
  list(ends = ends, steps = steps, lowest = min(steps$bound),
       memory = lapply(found, `[[`, "memory"))
}

# The middle of where the bound is too low, a tenth off the ends of the interval.
middle_of <- function(interval, target) {
  steps <- interval$steps
  low <- which(steps$bound < target)
  middle <- mean(c(steps$positions[low[1L]], steps$positions[low[length(low)] + 1L]))
  width <- diff(interval$ends)
  clip(middle, interval$ends[1L] + 0.1 * width, interval$ends[2L] - 0.1 * width)
}
