# The jackknife+: the optima without each row, as src/decide/conformal_left_out.h finds them, and
# the sets that they give. All in the units of the solved problem.

# steps: with the Hessian of the fit, at most.
conformal_left_out <- function(fit, task, refits, steps = 12L) {
  counted <- which(task$weights > 0)
  if (length(counted) < 2L) {
    abort_input("`data` has one row that counts, without which there is no fit; give more rows.",
                "data")
  }
  assert_classes_left(task, counted)
  # what the call was given stays as rows leave
  rule <- if (lambda_given(fit)) "lambda" else "cost"
  question <- c(question_of_fit(fit), list(rule = rule))
  question$y <- question$y[, 1L]
  found <- in_core(conformal_left_out_cpp(
    in_core_form(task$x), frame_of_fit(fit, move = question$free), question,
    list(rows = counted, steps = steps, refits = refits, rescale = isTRUE(fit$settings$scale))
  ))
  if (!all(is.finite(pmin(found$radius, found$plain))) && is.infinite(refits)) {
    abort_numerical(sum(!is.finite(pmin(found$radius, found$plain))))
  }
  p <- length(fit$features)
  scales <- unname(fit$scales)
  slopes <- found$w[seq_len(p), , drop = FALSE]
  shift <- found$offset[seq_len(p)]
  constant <- if (nrow(found$w) > p) found$w[p + 1L, ] else 0
  b <- found$b - drop(crossprod(slopes, shift)) + constant
  white <- found$white
  last <- if (ncol(white) > p) white[, p + 1L] else 0
  # times the length of a new row, which counts the shift: |b| is at most |found$b + constant| and
  # the slopes times that
  lost <- 2^-50 * (p + 3) * (sqrt(colSums(slopes^2)) + abs(found$b + constant))
  y <- question$y[counted]
  left_out <- list(
    coefficients = rbind(b, slopes / scales, deparse.level = 0),
    white = rbind(last - drop(white[, seq_len(p), drop = FALSE] %*% shift),
                  t(white[, seq_len(p), drop = FALSE]) / scales, deparse.level = 0),
    scales = scales, far = sqrt(sum(shift^2)) + has_intercept(fit), unit = unit_of(fit),
    known = list(sign = y, y = y, own = found$own, own_half = found$own_half,
                 radius = found$radius, plain = found$plain, lost = lost),
    steps = found$steps, refitted = found$refitted
  )
  strange <- if (fit$task == "regression") unit_of(fit) * abs(y - found$own) else -y * found$own
  list(left_out = left_out, own = strange, model = seq_along(counted),
       counted = list(response = task$response[counted], rows = task$rows[counted],
                      given = task$given, frame = task$frame))
}

abort_numerical <- function(open) {
  stop(structure(
    class = c("dualmargin_numerical_error", "dualmargin_error", "error", "condition"),
    list(message = sprintf(paste(
      "The optimum without a row is not found in double precision for %s; use method = \"cv+\", a",
      "larger lambda, or refits = 0, for which sets are larger."
    ), count(open, "row")), call = NULL)
  ))
}

assert_classes_left <- function(task, counted) {
  if (!is.factor(task$response)) {
    return(invisible())
  }
  rows <- table(task$response[counted])
  if (any(rows < 2L)) {
    abort_input(sprintf(paste(
      "`data` has one row of class \"%s\", without which the fit would know no such class; leave",
      "the class out, or use method = \"split\" with `holdout`."
    ), names(rows)[rows < 2L][1L]), "data")
  }
}

# Of new rows: f without each counted row, and the norms that the radii are in.
left_out_values <- function(left_out, x) {
  scored <- function(coefficients) unname(as.matrix(linear_scores(x, coefficients, TRUE)))
  square <- if (isS4(x)) methods::as(x, "CsparseMatrix")^2 else x^2
  own <- sqrt(drop(as.matrix(square %*% left_out$scales^-2)))
  list(values = scored(left_out$coefficients),
       norm = sqrt(rowSums(scored(left_out$white)^2)) * (1 + 1e-9),
       length = unname(own) + left_out$far)
}

known_of_core <- function(object) c(object$left_out$known, list(group = object$own$group))

# lower, upper: a column for each level; off: how far they can be from the exact ones.
left_out_ends <- function(object, x, group, ranks) {
  new <- left_out_values(object$left_out, x)
  found <- in_core(conformal_left_out_ends_cpp(known_of_core(object), new$values, new$norm,
                                               new$length, group, ranks))
  lapply(found, function(value) object$left_out$unit * value)
}

# A column for each label: how many rows are at least as strange for certain, and can be.
left_out_counts <- function(object, x, group) {
  new <- left_out_values(object$left_out, x)
  of_label <- if (object$by == "label") matrix(1:2, nrow(x), 2L, byrow = TRUE) else
    cbind(group, group)
  storage.mode(of_label) <- "integer"
  in_core(conformal_label_counts_cpp(known_of_core(object), new$values, new$norm, new$length,
                                     of_label))
}

# Of each level: how many classes are in sets because they are not known to be out; of a regression
# how far an end can be further out than need be.
left_out_open <- function(object, newdata, level, by) {
  design <- design_newdata(object$fit, newdata)
  group <- new_groups(object, newdata, by, nrow(design$x))
  known <- setdiff(which(!is.na(group)), design$na_rows)
  ranks <- group_ranks(object, level)
  found <- lapply(conformal_blocks(object, length(known)), function(rows) {
    at <- known[rows]
    x <- take_rows(design$x, at)
    if (object$task == "regression") {
      return(rep(left_out_ends(object, x, group[at], ranks)$off, length(level)))
    }
    counts <- left_out_counts(object, x, group[at])
    of <- if (object$by == "label") col(counts$most) else cbind(group[at], group[at])
    vapply(seq_along(level), function(l) {
      k <- c(0L, ranks[, l])[of + 1L]
      sum(counts$least < k & counts$most >= k)
    }, 0)
  })
  found <- do.call(rbind, found)
  if (object$task == "regression") apply(found, 2L, max) else colSums(found)
}
