# The rank that a level asks for, and what is guaranteed: one formula each, for all methods.

# k = floor(alpha (m + 1) + 1e-9) of m counted rows: a label is in the set where at least k of them
# are as strange, an interval ends at the k-th smallest and the k-th largest end. 0: everything. The
# 1e-9 is for products that are whole numbers up to rounding, as .1 * 100; of levels near 0 it must
# not make k = m + 1, a rank that no row has.
conformal_rank <- function(level, counted) {
  pmin(floor((1 - level) * (counted + 1) + 1e-9), counted)
}

# At least this share of new responses is in the sets, whatever the distribution of exchangeable
# rows. sizes: of cv+, the counted rows of each fold that has some. any: do folds of any sizes count
# alike? Within a level of `by` only that is known.
conformal_guarantee <- function(method, level, sizes = NULL, any = FALSE) {
  share <- switch(method, split = level, full = level, "jackknife+" = 1 - 2 * (1 - level),
                  "cv+" = 1 - 2 * (1 - level) - conformal_excess(level, sizes, any))
  max(0, share)
}

# Folds j with m_j of n rows have p-values (1 + #{as strange})/(m_j + 1), whose mean with weights
# (m_j + 1)/(n + K) is at most c with probability 2 c at most. Of equal folds Barber et al. (2021).
conformal_excess <- function(level, sizes, any) {
  n <- sum(sizes)
  folds <- length(sizes)
  excess <- 2 * level * (folds - 1) / (n + folds)
  if (any || length(unique(sizes)) > 1L) excess else min(excess, (1 - folds / n) / (folds + 1))
}

# A row for each group of the counted rows: `counted`, of each level the rank and what is
# guaranteed.
conformal_groups <- function(object, level) {
  group <- object$own$group
  rows <- lapply(seq_along(object$groups), function(g) {
    inside <- group == g
    sizes <- tabulate(object$own$model[inside], object$folds)
    # groups that leave together count once
    counted <- if (is.null(object$own$share)) sum(inside) else object$folds
    rank <- conformal_rank(level, counted)
    guaranteed <- vapply(level, function(one) {
      conformal_guarantee(object$method, one, sizes[sizes > 0L], object$by != "none")
    }, 0)
    data.frame(group = object$groups[g], counted = counted, level = level, rank = rank,
               guaranteed = ifelse(rank == 0, 1, guaranteed))
  })
  do.call(rbind, rows)
}

assert_coverage_levels <- function(level, one = FALSE) {
  plain <- is.numeric(level) && !is.object(level)
  inside <- plain && length(level) > 0L && !anyNA(level) && all(level > 0 & level < 1)
  if (!inside || (one && length(level) != 1L)) {
    abort_input(sprintf("`level` is %s, but must be %s strictly between 0 and 1, as in 0.9.",
                        if (is.numeric(level) && length(level) > 1L && !one) {
                          paste(format(level, digits = 4), collapse = ", ")
                        } else {
                          show_value(level)
                        }, if (one) "one number" else "numbers"), "level")
  }
  if (anyDuplicated(level)) {
    abort_input(sprintf("`level` has %s twice; give each level once.",
                        format(level[anyDuplicated(level)])), "level")
  }
}
