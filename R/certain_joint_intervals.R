# Intervals, coefficients and predictions of one problem of all classes; certain_joint.R has where
# its optimum is.

# Of each class's score around the mean over the classes (lower, upper), of its probability
# (prob_lower, prob_upper; of the softmax loss), and the class with the largest score where that is
# certain, of equal ones the first. A column for each class.
joint_intervals <- function(joint, rows) {
  parts <- over_blocks(joint$ellipsoid, rows, function(part, i) block_intervals(joint, part))
  sapply(names(parts[[1L]]), function(name) {
    ends <- lapply(parts, `[[`, name)
    if (is.matrix(ends[[1L]])) do.call(rbind, ends) else unlist(ends)
  }, simplify = FALSE)
}

block_intervals <- function(joint, rows) {
  n <- nrow(rows$x)
  k <- ncol(joint$w)
  ball <- joint$ball
  ellipsoid <- joint$ellipsoid
  curved <- !is.null(ellipsoid) && is.finite(ellipsoid$factor)
  white <- if (curved) white_classes(ellipsoid, rows)
  rounding <- function(w, b) {
    matrix(vapply(seq_len(k), function(c) row_rounding(rows, w[, c], b[c]), numeric(n)), n)
  }
  middle <- class_scores(rows, ball$centre, numeric(k))
  middle_rounding <- rounding(ball$centre, numeric(k))
  score <- class_scores(rows, joint$w, joint$b)
  score_rounding <- rounding(joint$w, joint$b)
  # The ends of sum_c t_c z_c, sum_c t_c = 0: in the ball it moves by at most r |t| |x|.
  ends <- function(t) {
    mean_of <- function(s) drop(s %*% t)
    size_of <- function(s) drop(s %*% abs(t))
    low <- rep(-Inf, n)
    high <- rep(Inf, n)
    if (!joint$free) {
      half <- sqrt(sum(t^2)) * ball$radius * sqrt(rows$squares) + size_of(middle_rounding)
      low <- mean_of(middle) - half
      high <- mean_of(middle) + half
    }
    if (curved) {
      own <- Reduce(`+`, Map(`*`, white[t != 0], t[t != 0]))
      half <- white_norms(own) * ellipsoid$inflation * ellipsoid$factor + size_of(score_rounding)
      low <- pmax(low, mean_of(score) - half)
      high <- pmin(high, mean_of(score) + half)
    }
    list(low = low, high = high)
  }
  unit <- diag(k)
  lower <- upper <- below <- above <- matrix(0, n, k)
  for (c in seq_len(k)) {
    own <- ends(unit[, c] - 1 / k)
    lower[, c] <- own$low
    upper[, c] <- own$high
  }
  first <- matrix(TRUE, n, k)
  for (two in class_pairs(k)) {
    c <- two[1L]
    d <- two[2L]
    # of equal scores that of c, which comes before d, counts as the larger
    pair <- ends(unit[, c] - unit[, d])
    first[, c] <- first[, c] & pair$low >= 0
    first[, d] <- first[, d] & pair$high < 0
    # sum over the others of e^(z_other - z_own), at most and at least
    above[, c] <- above[, c] + exp(-pair$low)
    below[, c] <- below[, c] + exp(-pair$high)
    above[, d] <- above[, d] + exp(pair$high)
    below[, d] <- below[, d] + exp(pair$low)
  }
  wider <- 8 * unit_roundoff * k
  list(lower = lower, upper = upper,
       prob_lower = (1 - wider) / (1 + above), prob_upper = pmin((1 + wider) / (1 + below), 1),
       class = ifelse(rowSums(first) == 1, max.col(first, "first"), NA_integer_))
}

# ---- Each class for coef(), tidy() and summary() ----

joint_problems <- function(joint, rows) {
  k <- ncol(joint$w)
  d <- nrow(joint$w)
  ellipsoid <- joint$ellipsoid
  origin <- c(-(rows$shift + rows$moved), if (joint$free) 1)
  if (!is.null(ellipsoid)) {
    # of coefficients around their mean over the classes
    centred <- function(v) lapply(v, function(own) own - Reduce(`+`, v) / k)
    units <- centred(white_vectors(ellipsoid, diag(d + joint$free)[, seq_len(d), drop = FALSE]))
    at <- centred(white_vectors(ellipsoid, matrix(origin)))
  }
  lapply(seq_len(k), function(c) {
    known <- list(w = joint$w[, c], b = joint$b[c], free = joint$free, zero = logical(d),
                  ball = list(centre = joint$ball$centre[, c],
                              radius = joint$ball$radius * sqrt((k - 1) / k)))
    if (!is.null(ellipsoid)) {
      known$ellipsoid <- list(inverse = sqrt(colSums(units[[c]]^2)),
                              inflation = ellipsoid$inflation, factor = ellipsoid$factor)
    }
    if (joint$free) {
      known$intercept <- c(-Inf, Inf)
      if (!is.null(ellipsoid) && is.finite(ellipsoid$factor)) {
        half <- sqrt(sum(at[[c]]^2)) * ellipsoid$inflation * ellipsoid$factor +
          score_roundings(d) * (2 * sum(abs(origin[seq_len(d)] * known$w)) + abs(known$b))
        here <- sum(origin[seq_len(d)] * known$w) + known$b
        known$intercept <- here + c(-half, half)
      }
    }
    known
  })
}

# ---- Predictions ----

# Decision values are those around their mean over the classes.
present_joint <- function(fit, score, found, type) {
  class <- ifelse(is.na(found$class), class_of_scores(score), found$class)
  decided <- !is.na(found$class)
  decided[is.na(class)] <- NA
  table <- if (type == "prob") {
    levels_side_by_side("prob", prob_of_fit(fit, score), found$prob_lower, found$prob_upper,
                        fit$levels)
  } else {
    levels_side_by_side("score", score - rowMeans(score), found$lower, found$upper, fit$levels)
  }
  frame <- data.frame(table, class = as_response(fit, unname(class)), decided = decided,
                      check.names = FALSE)
  labels <- rownames(score)
  if (!is.null(labels) && !anyDuplicated(labels)) rownames(frame) <- labels
  frame
}
