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
