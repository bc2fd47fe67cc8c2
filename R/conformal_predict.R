# Sets for new rows.

#' @rdname margin_conformal
#' @export
predict.margin_conformal <- function(object, newdata, level = NULL, by = NULL, ...) {
  assert_no_extra("predict()", ...)
  assert_conformal(object)
  if (is.null(level)) level <- object$level
  assert_coverage_levels(level)
  if (missing(newdata) || is.null(newdata)) {
    abort_input("`newdata` is missing; give the rows to predict sets for.", "newdata")
  }
  refuse_file(newdata, "newdata")
  design <- design_newdata(object$fit, newdata)
  group <- new_groups(object, newdata, by, nrow(design$x))
  group[design$na_rows] <- NA
  known <- which(!is.na(group))
  labels <- rownames(design$x)
  x <- take_rows(design$x, known)
  sets <- if (object$task == "regression") {
    interval_frame(object, x, group[known], level)
  } else {
    set_frame(object, x, group[known], level)
  }
  # back to the rows as given, level after level
  at <- rep(NA_integer_, nrow(design$x))
  at[known] <- seq_along(known)
  place <- outer(at, (seq_along(level) - 1L) * length(known), `+`)
  sets <- without_row_names(sets[as.vector(place), , drop = FALSE])
  if (length(level) > 1L) {
    return(cbind(level = rep(level, each = nrow(design$x)), sets))
  }
  if (!is.null(labels) && !anyDuplicated(labels)) rownames(sets) <- labels
  sets
}

# The ranks of each group (a row) and level (a column).
group_ranks <- function(object, level) {
  counted <- tabulate(object$own$group, length(object$groups))
  ranks <- outer(counted, level, function(m, l) conformal_rank(l, m))
  storage.mode(ranks) <- "integer"
  ranks
}

# What the share of the counted rows that are as strange must exceed: of rows that count 1 each k -
# 1/2; of G groups, in which a row counts 1 over the rows of its group, alpha (G + 1) - 1.
group_needs <- function(object, level) {
  if (is.null(object$own$share)) {
    return(group_ranks(object, level) - 0.5)
  }
  matrix(pmin((1 - level) * (object$folds + 1) - 1 + 1e-9, object$folds - 1e-6), 1L)
}

# So many new rows of p columns at once that what all models say of them stays small.
conformal_blocks <- function(object, n, p) {
  wide <- if (object$method == "full") p else object$folds * max(1L, length(object$levels))
  size <- max(1L, min(n, most_values %/% wide))
  split(seq_len(n), (seq_len(n) - 1L) %/% size)
}

most_values <- 4e6

# of: what is made of each block of `n` new rows of p columns
each_block <- function(object, n, p, of) {
  blocks <- conformal_blocks(object, n, p)
  shown <- length(blocks) > 1L && shows_progress(object$fit$settings$control)
  told <- progress_teller(length(blocks), shown, "Predicting")
  lapply(blocks, function(rows) {
    found <- of(rows)
    told()
    found
  })
}

own_of_core <- function(object) {
  list(score = object$own$score, model = object$own$model, group = object$own$group,
       groups = length(object$groups))
}

# lower and upper, level after level
interval_frame <- function(object, x, group, level) {
  ranks <- group_ranks(object, level)
  blocks <- each_block(object, nrow(x), ncol(x), function(rows) {
    if (is.null(object$models)) {
      return(exact_ends(object, take_rows(x, rows), group[rows], level))
    }
    output <- lapply(object$models, conformal_output, take_rows(x, rows), object$score)
    part <- function(name) matrix(vapply(output, `[[`, numeric(length(rows)), name), length(rows))
    in_core(conformal_ends_cpp(own_of_core(object), part("lower"), part("upper"), part("width"),
                               group[rows], ranks))
  })
  side <- function(name) {
    as.vector(do.call(rbind, c(list(matrix(0, 0L, length(level))), lapply(blocks, `[[`, name))))
  }
  lower <- side("lower")
  upper <- side("upper")
  # no response is in the set: the hull of nothing
  empty <- lower > upper
  lower[empty] <- Inf
  upper[empty] <- -Inf
  frame <- data.frame(lower = lower, upper = upper)
  if (object$method == "full") {
    of_level <- function(l) {
      unlist(lapply(blocks, function(one) {
        n <- nrow(one$lower)
        one$pieces[(l - 1L) * n + seq_len(n)]
      }), recursive = FALSE)
    }
    frame$pieces <- unlist(c(list(list()), lapply(seq_along(level), of_level)), recursive = FALSE)
  }
  frame
}

# For each new row and label (a column): how many counted rows of its group are as strange, or the
# share of groups.
conformal_counts <- function(object, x, group) {
  k <- length(object$levels)
  blocks <- each_block(object, nrow(x), ncol(x), function(rows) {
    # what is open counts for the label
    if (is.null(object$models)) {
      return(exact_counts(object, take_rows(x, rows), group[rows])$most)
    }
    strange <- lapply(object$models, function(model) {
      conformal_output(model, take_rows(x, rows), object$score)$strange
    })
    others <- matrix(vapply(strange, as.vector, numeric(length(rows) * k)), length(rows) * k)
    of_label <- if (object$by == "label") rep(seq_len(k), each = length(rows)) else
      rep(group[rows], k)
    found <- in_core(conformal_counts_cpp(own_of_core(object), others, of_label,
                                          score_rounding(object)))
    matrix(found, length(rows), k)
  })
  do.call(rbind, c(list(matrix(0, 0L, k)), blocks))
}

# Scores are differences of decision values, whose sums of products may be added in another order,
# or of probabilities and 1.
score_rounding <- function(object) {
  2^-42 * max(if (object$score$name != "margin") 1, abs(object$own$score))
}

set_frame <- function(object, x, group, level) {
  counts <- conformal_counts(object, x, group)
  own_group <- if (object$by == "label") col(counts) else matrix(group, nrow(counts), ncol(counts))
  counted <- c(0L, tabulate(object$own$group, length(object$groups)))
  m <- counted[own_group + 1L]
  needs <- group_needs(object, level)
  frames <- lapply(seq_along(level), function(l) {
    inside <- counts > c(-1, needs[, l])[own_group + 1L]
    frame <- as.data.frame(matrix(inside, nrow(counts), ncol(counts)))
    names(frame) <- object$levels
    frame$set <- lapply(seq_len(nrow(counts)), function(i) object$levels[inside[i, ]])
    frame$size <- as.integer(rowSums(matrix(inside, nrow(counts), ncol(counts))))
    if (object$method %in% c("split", "full")) {
      p <- as.data.frame(matrix((1 + counts) / (m + 1), nrow(counts), ncol(counts)))
      names(p) <- paste0("p_", object$levels)
      frame <- cbind(frame, p)
    }
    frame
  })
  do.call(rbind, frames)
}

# What was left open, where sets are those of exact optima: jackknife+ and full.

# Of each level: how many classes are in sets because they are not known to be out; of a regression
# how far an end can be further out than need be. refitted: of full, how many optima took Newton
# steps of their own.
conformal_open <- function(object, newdata, level, by) {
  design <- design_newdata(object$fit, newdata)
  group <- new_groups(object, newdata, by, nrow(design$x))
  known <- setdiff(which(!is.na(group)), design$na_rows)
  needs <- group_needs(object, level)
  found <- each_block(object, length(known), ncol(design$x), function(rows) {
    at <- known[rows]
    x <- take_rows(design$x, at)
    if (object$task == "regression") {
      ends <- exact_ends(object, x, group[at], level)
      return(c(rep(ends$off, length(level)), sum(ends$refitted)))
    }
    counts <- exact_counts(object, x, group[at])
    of <- if (object$by == "label") col(counts$most) else cbind(group[at], group[at])
    c(vapply(seq_along(level), function(l) {
      need <- c(-1, needs[, l])[of + 1L]
      sum(counts$least <= need & counts$most > need)
    }, 0), sum(counts$refitted))
  })
  found <- do.call(rbind, found)
  last <- length(level) + 1L
  open <- found[, -last, drop = FALSE]
  list(open = if (object$task == "regression") apply(open, 2L, max) else colSums(open),
       refitted = if (object$method == "full") sum(found[, last]))
}

# lower, upper: a column for each level; off: how far they can be from the exact ones.
exact_ends <- function(object, x, group, level) {
  if (object$method == "full") {
    return(full_pieces(object, x, group, level))
  }
  left_out_ends(object, x, group, group_needs(object, level))
}

# A column for each label: what is at least as strange for certain, and can be.
exact_counts <- function(object, x, group) {
  of_label <- if (object$by == "label") matrix(1:2, nrow(x), 2L, byrow = TRUE) else
    cbind(group, group)
  storage.mode(of_label) <- "integer"
  if (object$method == "full") full_counts(object, x, of_label) else
    left_out_counts(object, x, of_label)
}

# How often the sets of rows with a known response hold it.

# The rows with a response and a set: of each level the sets, the responses and the groups.
judged_sets <- function(object, newdata, y, level, by = NULL) {
  sets <- predict(object, newdata, level = level, by = by)
  n <- nrow(sets) / length(level)
  truth <- given_response(object$fit, newdata, y, "newdata", n)
  group <- new_groups(object, newdata, by, n)
  sets <- lapply(seq_along(level), function(l) sets[(l - 1L) * n + seq_len(n), , drop = FALSE])
  size <- if (object$task == "regression") sets[[1L]]$lower else sets[[1L]]$size
  at <- which(!is.na(truth) & !is.na(size))
  if (length(at) == 0L) {
    abort_input("`newdata` has no row with a response and a set; give some.", "newdata")
  }
  list(sets = lapply(sets, function(one) one[at, , drop = FALSE]), truth = truth[at],
       group = group[at], rows = at)
}

covers <- function(object, sets, truth) {
  if (!is.null(sets$pieces)) {
    return(unlist(Map(function(one, y) any(one[, "lower"] <= y & y <= one[, "upper"]),
                      sets$pieces, truth), use.names = FALSE))
  }
  if (object$task == "regression") {
    return(sets$lower <= truth & truth <= sets$upper)
  }
  as.matrix(sets[object$levels])[cbind(seq_along(truth), as.integer(truth))]
}

set_sizes <- function(object, sets) {
  if (!is.null(sets$pieces)) {
    return(vapply(sets$pieces, function(one) sum(one[, "upper"] - one[, "lower"]), 0))
  }
  if (object$task == "regression") pmax(sets$upper - sets$lower, 0) else sets$size
}

coverage_table <- function(object, level, sets, truth, group) {
  hit <- covers(object, sets, truth)
  size <- set_sizes(object, sets)
  of_numbers <- object$task == "regression"
  empty <- if (of_numbers) sets$lower > sets$upper else size == 0
  full <- size == if (of_numbers) Inf else length(object$levels)
  row <- function(of, value, inside) {
    n <- sum(inside)
    interval <- exact_binomial(sum(hit[inside]), n)
    data.frame(level = level, of = of, value = value, n = n, covered = sum(hit[inside]),
               coverage = mean(hit[inside]), lower = interval[1L], upper = interval[2L],
               size = mean(size[inside]), empty = mean(empty[inside]), full = mean(full[inside]))
  }
  rows_by <- function(of, value, known) {
    lapply(known[known %in% value], function(one) row(of, one, value %in% one))
  }
  grouped <- object$by %in% c("column", "vector")
  parts <- c(
    list(row("all", "", rep(TRUE, length(hit)))),
    if (object$task != "regression") rows_by("class", as.character(truth), object$levels),
    if (grouped) rows_by("group", c("(not counted)", object$groups)[group + 1L],
                         c(object$groups, "(not counted)")),
    if (object$task != "regression") {
      rows_by("size", as.character(size), as.character(0:length(object$levels)))
    }
  )
  do.call(rbind, parts)
}

# Of Clopper and Pearson (1934).
exact_binomial <- function(hits, n, level = 0.95) {
  tail <- (1 - level) / 2
  c(if (hits == 0) 0 else stats::qbeta(tail, hits, n - hits + 1),
    if (hits == n) 1 else stats::qbeta(1 - tail, hits + 1, n - hits))
}

# How strange a response is beside what a model predicts.

# The numbers of the scores that have some.
score_numbers <- list(
  quantile = function(lower = 0.05, upper = 0.95) {
    assert_number(lower, "lower", lower = 0, upper = 1)
    assert_number(upper, "upper", lower = 0, upper = 1)
    if (lower >= upper) {
      abort_input(sprintf("`lower` is %s, but must be below `upper`, which is %s.", format(lower),
                          format(upper)), "lower")
    }
    new_score("quantile", lower = lower, upper = upper)
  },
  raps = function(penalty = 0.01, rank = 1) {
    assert_number(penalty, "penalty", lower = 0, open = FALSE)
    assert_number(rank, "rank", lower = 0, open = FALSE, whole = TRUE)
    new_score("raps", penalty = penalty, rank = rank)
  }
)

new_score <- function(name, ...) structure(list(name = name, ...), class = "conformal_score")

#' @exportS3Method
format.conformal_score <- function(x, ...) {
  switch(x$name,
         quantile = sprintf("quantile (fits of the quantiles %s and %s)", format(x$lower),
                            format(x$upper)),
         raps = sprintf("raps (penalty %s beyond rank %s)", format(x$penalty), format(x$rank)),
         x$name)
}

#' @exportS3Method
print.conformal_score <- function(x, ...) {
  assert_no_extra("print()", ...)
  cat("<conformal score> ", format(x), "\n", sep = "")
  invisible(x)
}

# Those of a fit, the default first.
known_scores <- function(fit) {
  if (fit$task == "regression") {
    return(c("absolute", "normalised", "quantile"))
  }
  of_prob <- if (has_probabilities(fit)) c("probability", "aps", "raps")
  if (length(fit$levels) == 2L) c("margin", of_prob) else c(of_prob, "margin")
}

as_score <- function(score, fit) {
  known <- known_scores(fit)
  if (is.null(score)) {
    return(new_score(known[1L]))
  }
  if (!inherits(score, "conformal_score")) score <- named_score(score)
  name <- score$name
  if (!name %in% known) {
    needs <- if (fit$task == "classification" && name %in% c("probability", "aps", "raps")) {
      paste("needs probabilities, which this fit has none of: use loss = \"logistic\", or",
            "margin_calibrate()")
    } else {
      sprintf("is not for a %s", fit$task)
    }
    abort_input(sprintf("`score` is \"%s\", which %s; of this fit there are %s.", name, needs,
                        quote_list(known)), "score")
  }
  score
}

# "aps", "raps", list("raps", rank = 2) -> a score.
named_score <- function(score) {
  given <- if (is.list(score)) score else list(score)
  name <- if (length(given) > 0L) given[[1L]]
  assert_choice(name, c("absolute", "margin", "probability", "normalised", "aps", "quantile", "raps"),
                "score", c(residual = "absolute", normalized = "normalised", lac = "probability",
                           cqr = "quantile"))
  numbers <- given[-1L]
  maker <- score_numbers[[name]]
  known <- if (!is.null(maker)) names(formals(maker))
  if (length(numbers) > length(known) || !all(names(numbers) %in% c("", known)) ||
        anyDuplicated(names(numbers)[nzchar(names(numbers))])) {
    abort_input(sprintf("`score` gives \"%s\" %s, but it takes %s.", name,
                        count(length(numbers), "number"), if (length(known) == 0L) "none" else
                          sprintf("`%s` alone, as in list(\"%s\", %s = %s)",
                                  paste(known, collapse = "`, `"), name, known[1L],
                                  formals(maker)[[1L]])), "score")
  }
  if (length(known) == 0L) new_score(name) else do.call(maker, numbers)
}

# Of rows of x by one model: for a regression the ends that a residual is added to and in which
# units (`lower`, `upper`, `width`, a vector each), else `strange`, a column for each level.
conformal_output <- function(model, x, score) {
  value <- function(fit) unname_rows(score_design(fit, x))
  if (score$name == "quantile") {
    return(list(lower = value(model$lower), upper = value(model$upper), width = rep(1, nrow(x))))
  }
  scores <- value(model$fit)
  if (model$fit$task == "regression") {
    width <- if (is.null(model$spread)) rep(1, nrow(x)) else exp(value(model$spread))
    return(list(lower = scores, upper = scores, width = width))
  }
  list(strange = strangeness(model$fit, scores, score))
}

# How far the response is from what was expected, in the units of the width.
residual_scores <- function(output, y) {
  pmax(output$lower - y, y - output$upper) / output$width
}

strangeness <- function(fit, scores, score) {
  if (score$name == "margin") {
    if (!is.matrix(scores)) {
      return(cbind(scores, -scores))
    }
    strange <- vapply(seq_len(ncol(scores)), function(k) {
      row_largest(scores[, -k, drop = FALSE]) - scores[, k]
    }, numeric(nrow(scores)))
    return(matrix(strange, nrow(scores)))
  }
  prob <- unname(prob_of_fit(fit, scores))
  if (score$name == "probability") {
    return(1 - prob)
  }
  # what is more probable than the label, and the label itself
  strange <- vapply(seq_len(ncol(prob)), function(k) {
    above <- prob > prob[, k]
    rank <- rowSums(above) + 1
    beyond <- if (score$name == "raps") score$penalty * pmax(rank - score$rank, 0) else 0
    rowSums(prob * above) + prob[, k] + beyond
  }, numeric(nrow(prob)))
  matrix(strange, nrow(prob))
}
