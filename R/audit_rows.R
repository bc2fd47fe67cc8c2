# What the optimum changes in rows, and the verdict that follows.

# x: NULL for those of the fit.
audited_rows <- function(mapping, excess, regions, x = NULL, truth = mapping$truth, offset = NULL) {
  trained <- is.null(x)
  rows <- if (trained) mapping$x else x
  each <- Map(function(problem, solution, one, region) {
    own <- trained && nrow(problem$x) == nrow(rows)
    if (own) offset <- problem$offset
    shift <- if (is.null(offset)) 0 else offset
    ends <- optimum_ends(problem, one, region, if (!own) rows)
    z <- solution_scores(problem, solution, rows, offset)$z
    best <- solution_scores(problem, solution_of_fit(one$fit), rows, offset)$z
    lower <- ends$lower + if (own) 0 else shift
    upper <- ends$upper + if (own) 0 else shift
    # of a problem of all classes a number more for each of them changes nothing
    centred <- if (is.null(problem$multiclass)) identity else function(v) v - rowMeans(v)
    found <- list(z = centred(z), lower = centred_end(lower, ends, centred),
                  upper = centred_end(upper, ends, centred))
    ball <- ball_ends(problem, one$near$distance, found$z, found, rows)
    c(found, list(best = centred(best), ball_lower = ball$lower, ball_upper = ball$upper,
                  proven = ends$proven, shares = ends$shares))
  }, mapping$problems, mapping$solutions, excess, regions)
  part <- function(name) do.call(cbind, lapply(each, `[[`, name))
  result <- list(n = nrow(rows), scores = part("z"), best = part("best"), lower = part("lower"),
                 upper = part("upper"), ball = list(lower = part("ball_lower"),
                                                    upper = part("ball_upper")),
                 truth = truth, shares = each[[1L]]$shares,
                 proven = all(vapply(each, `[[`, NA, "proven")))
  result <- if (is.null(mapping$levels)) changed_numbers(result, mapping$response) else
    changed_classes(result, mapping)
  # nothing was solved
  if (!is.null(result$after) && !is.null(excess[[1L]]$fit$solution)) result$after <- NA_real_
  result
}

# Ends of a region are of centred scores already.
centred_end <- function(values, ends, centred) if (ends$proven) values else centred(values)

# The largest move of a score to the optimum, at most and at least.
moves_of <- function(rows) {
  rows$moved <- max(abs(rows$scores - rows$lower), abs(rows$upper - rows$scores))
  rows$moved_least <- max(rows$lower - rows$scores, rows$scores - rows$upper, 0)
  rows
}

# response: centre and scale by which the package divided it.
changed_numbers <- function(rows, response) {
  if (!is.null(response)) {
    for (name in c("scores", "best", "lower", "upper")) {
      rows[[name]] <- rows[[name]] * response$scale + response$center
    }
  }
  rows <- moves_of(rows)
  truth <- rows$truth
  if (!is.null(truth)) {
    root <- function(z) sqrt(mean((truth - z[, 1L])^2))
    rows$spread <- stats::sd(truth - rows$best[, 1L])
    rows$before <- root(rows$scores)
    rows$after <- root(rows$best)
  }
  rows
}

changed_classes <- function(rows, mapping) {
  vote <- function(lower, upper) vote_of(mapping, lower, upper)
  rows$class <- vote(rows$scores, rows$scores)
  # probabilities decide where a centred score has no ends
  ends <- if (is.null(rows$shares)) rows else rows$shares
  rows$optimum <- vote(ends$lower, ends$upper)
  own <- vote(rows$best, rows$best)
  rows$changed <- sum(rows$optimum != rows$class, na.rm = TRUE)
  rows$open <- sum(is.na(rows$optimum))
  within <- vote(rows$ball$lower, rows$ball$upper)
  rows$can_cross <- sum(is.na(within) | within != rows$class)
  rows <- moves_of(rows)
  if (!is.null(rows$truth)) {
    rows$before <- mean(rows$class == rows$truth)
    rows$after <- mean(own == rows$truth)
  }
  if (!is.null(mapping$link)) {
    prob <- probability_box(mapping$link, rows$scores, rows$scores)$lower
    box <- if (!is.null(rows$shares)) rows$shares else
      probability_box(mapping$link, rows$lower, rows$upper)
    rows$prob_moved <- max(abs(prob - box$lower), abs(box$upper - prob))
    rows$prob_moved_least <- max(box$lower - prob, prob - box$upper, 0)
  }
  rows
}

# The class (position among the levels) of scores within ends, NA where these do not decide. Of two
# classes a score above 0 is the second, of several the largest is the class, of pairs the one with
# the most votes, the first of equal ones.
vote_of <- function(mapping, lower, upper) {
  if (mapping$vote == "sign") {
    lower <- lower[, 1L]
    return(ifelse(lower > 0, 2L, ifelse(upper[, 1L] <= 0, 1L, NA_integer_)))
  }
  if (mapping$vote == "largest") {
    return(decide(lower, upper)$class)
  }
  won <- lower > 0
  lost <- upper <= 0
  votes <- function(first, second) {
    count <- matrix(0, nrow(lower), length(mapping$levels))
    for (q in seq_len(ncol(lower))) {
      count[, mapping$pairs[q, 1L]] <- count[, mapping$pairs[q, 1L]] + first[, q]
      count[, mapping$pairs[q, 2L]] <- count[, mapping$pairs[q, 2L]] + second[, q]
    }
    count
  }
  decide(votes(won, lost), votes(!lost, !won))$class
}

# Ends of probabilities from ends of scores.
probability_box <- function(link, lower, upper) {
  if (link == "logistic") {
    return(list(lower = stats::plogis(lower), upper = stats::plogis(upper)))
  }
  top <- if (link == "softmax") row_largest(upper) else 0
  mass <- function(z) if (link == "softmax") exp(z - top) else stats::plogis(z)
  share <- function(own, others) own / (own + rowSums(others) - others)
  list(lower = share(mass(lower), mass(upper)), upper = share(mass(upper), mass(lower)))
}

# ---- The verdict ----

# Each word is proven: how far scores are from those of the optimum, at most or at least, and what
# classes it has in the training rows.
audit_verdict <- function(audit) {
  if (all(audit$excess$certified)) {
    return("exact")
  }
  rows <- audit$training
  number <- is.null(audit$levels)
  if (!number && rows$proven && rows$changed > 0L) {
    return(sprintf("changes %s", counted_classes(rows$changed)))
  }
  # at most and at least
  moved <- if (!is.null(audit$link)) c(rows$prob_moved, rows$prob_moved_least) else
    c(rows$moved, rows$moved_least) / if (number) rows$spread else sqrt(mean(rows$best^2))
  near <- all(audit$distance <= near_distance * audit$size) ||
    rows$proven && (moved[1L] <= near_share || isTRUE(rows$can_cross == 0L))
  size <- if (isTRUE(near)) "as good as exact" else
    if (rows$proven && isTRUE(moved[2L] > near_share)) "off"
  classes <- if (number) NULL else if (!rows$proven) "classes not proven" else
    if (rows$open > 0L) sprintf("%s undecided", counted_classes(rows$open)) else
      if (!identical(size, "as good as exact")) "no class changes"
  words <- paste(c(size, classes), collapse = ", ")
  if (nzchar(words)) words else "undecided"
}

# Of the length of the optimum; of its decision values' root mean square, of the residuals' standard
# deviation, or of a probability.
near_distance <- 1e-3
near_share <- 0.01

counted_classes <- function(k) {
  paste(format(k, big.mark = ","), if (k == 1) "class" else "classes")
}

# The call that states the same problem here.
call_here <- function(problem) {
  if (!is.null(problem$nu)) {
    return(sprintf("margin_oneclass(nu = %s, kernel = %s, scale = FALSE)",
                   format(problem$nu, digits = 4), kernel_call(problem$kernel)))
  }
  loss <- problem$loss
  number <- loss$parameter[[1L]]
  arguments <- c(
    kernel = if (!is.null(problem$kernel)) kernel_call(problem$kernel),
    loss = if (is.na(number)) sprintf("\"%s\"", loss$name) else
      sprintf("loss_%s(%s)", loss$name, format(number)),
    if (problem$unit != 1 && isTRUE(all.equal(problem$lambda * problem$unit, 1))) {
      c(cost = format(problem$unit / sum(problem$weights), digits = 4))
    } else {
      c(lambda = format(problem$lambda, digits = 4))
    },
    penalty_factor = if (!is.null(problem$penalty_factor) && all(problem$penalty_factor == 0)) {
      sprintf("rep(0, %d)", ncol(problem$x))
    },
    mixture = if (problem$mixture != 0) format(problem$mixture, digits = 4),
    intercept = if (problem$intercept != "free") sprintf("\"%s\"", problem$intercept),
    scale = if (!problem$scale) "FALSE",
    multiclass = if (!is.null(problem$multiclass)) sprintf("\"%s\"", problem$multiclass),
    response_scale = if (is_sized(loss) && is.null(problem$levels)) "FALSE"
  )
  sprintf("margin_%s(%s)", if (is.null(problem$kernel)) "linear" else "kernel",
          paste(names(arguments), arguments, sep = " = ", collapse = ", "))
}

kernel_call <- function(kernel) {
  number <- function(value) format(value, digits = 4)
  switch(kernel$name, linear = "\"linear\"", precomputed = "kernel_precomputed()",
         polynomial = sprintf("kernel_polynomial(%s, %s, %s)", number(kernel$degree),
                              number(kernel$scale), number(kernel$offset)),
         sprintf("kernel_%s(%s)", kernel$name, number(kernel$sigma)))
}
