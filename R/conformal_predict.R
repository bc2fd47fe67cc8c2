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
