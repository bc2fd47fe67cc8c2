# Perturbations as small values the user composes. The known ones are drawn in src/augmented/.

#' Random perturbations of the rows
#'
#' Choose how rows are changed at random for a fit of [margin_augmented()]. With a perturbation
#' \eqn{\rho} the model is fitted to the
#' *mean* loss over all that \eqn{\rho} can make of the data. Perturbations are added up with `+`
#' and then act one after another, the first one first.
#'
#' - `perturb_dropout(rate)`: every value becomes 0 with probability `rate` and is divided by
#'   `1 - rate` otherwise, so that its mean is unchanged.
#' - `perturb_rescale(width)`: every value is multiplied by its own factor, uniform on
#'   `(1 - width, 1 + width)`.
#' - `perturb_gaussian(sd)`: normal noise with mean zero and standard deviation `sd` is added to
#'   every value. For dense rows only: with noise a sparse row is not sparse any more.
#' - `perturb_image(dim, shift)`: a row is an image, stored pixel after pixel, and is moved by a
#'   whole number of pixels in either direction, each from `-shift` to `shift` and all equally
#'   likely; what comes in from outside is 0. `dim` is how many pixels an image has in the direction
#'   that runs fastest in a row, and in the other one. A row that holds several planes (colours) has
#'   them all moved alike. For dense rows only.
#' - `perturb_custom(f)`: a function `f(values, u)` of your own. For dense rows both are matrices,
#'   one row of the data a row; for sparse ones they are vectors of the stored entries of some
#'   rows, one row after another. `u` holds independent uniform numbers on (0, 1), one for every
#'   value, and is all the randomness `f` may use: it is drawn so that the noise of several visits
#'   of a row cancels, and so that a fit can be repeated. `f` returns the perturbed values in the
#'   shape of `values`.
#'
#' `perturbation = "none"` leaves the rows as they are.
#'
#' Values are perturbed as they enter the fit: after the columns were centred, where
#' [margin_augmented()] does that, and scaled, where `scale = TRUE`. The constant column of a
#' penalised intercept is never perturbed.
#'
#' @param rate Probability of losing a value, from 0 up to but without 1.
#' @param width Half the width of the range of factors, from 0 to 1.
#' @param sd Standard deviation of the noise, 0 or more, in the unit of the (scaled) columns.
#' @param dim Two whole numbers.
#' @param shift Largest move, a whole number of pixels, 0 or more.
#' @param f A function of two arguments.
#' @param x,e1,e2 Perturbations.
#' @param ... Not used; an unknown argument is an error.
#' @return A list of class `"perturbation"` with the element `steps`, a list with one entry for each
#'   perturbation in the sum: its `name` and its parameters. One that changes nothing (rate, width,
#'   sd or shift 0) is left out.
#' @section Errors:
#' A parameter out of its range, or something that is no perturbation in a sum, is an error of class
#' `dualmargin_input_error`.
#' @references
#' Bietti A, Mairal J (2017). Stochastic optimization with variance reduction for infinite datasets
#' with finite sum structure. *Advances in Neural Information Processing Systems* 30, 1623-1633.
#' arXiv:1610.00970.
#'
#' Wager S, Wang S, Liang P (2013). Dropout training as adaptive regularization. *Advances in Neural
#' Information Processing Systems* 26. arXiv:1307.1493.
#' @seealso [margin_augmented()].
#' @examples
#' perturb_dropout(0.1) + perturb_rescale(0.2)
#'
#' # dropout written by hand
#' drop <- perturb_custom(function(values, u) values * (u >= 0.1) / 0.9)
#' some <- spambase[seq(1, nrow(spambase), by = 20), ]
#' margin_augmented(type ~ ., data = some, perturbation = drop, lambda = 0.1)
#' @name perturbations
NULL

new_perturbation <- function(steps = list()) structure(list(steps = steps), class = "perturbation")

one_step <- function(name, strength, ...) {
  if (strength == 0) new_perturbation() else new_perturbation(list(list(name = name, ...)))
}

#' @rdname perturbations
#' @export
perturb_dropout <- function(rate = 0.1, ...) {
  assert_no_extra("perturb_dropout()", ...)
  if (!check_number(rate, 0, 1, open = FALSE)$ok || rate == 1) {
    abort_input(sprintf(
      "`rate` is %s, but must be one number from 0 up to, but without, 1; the default is 0.1.",
      show_value(rate)
    ), "rate")
  }
  one_step("dropout", rate, rate = as.double(rate))
}

#' @rdname perturbations
#' @export
perturb_gaussian <- function(sd = 0.1, ...) {
  assert_no_extra("perturb_gaussian()", ...)
  assert_number(sd, "sd", lower = 0, open = FALSE, remedy = "the default is 0.1")
  assert_size_of(sd, "sd")
  one_step("gaussian", sd, sd = as.double(sd))
}

#' @rdname perturbations
#' @export
perturb_rescale <- function(width = 0.1, ...) {
  assert_no_extra("perturb_rescale()", ...)
  assert_number(width, "width", lower = 0, upper = 1, open = FALSE, remedy = "the default is 0.1")
  one_step("rescale", width, width = as.double(width))
}

#' @rdname perturbations
#' @export
perturb_image <- function(dim, shift = 1, ...) {
  assert_no_extra("perturb_image()", ...)
  if (!is.numeric(dim) || length(dim) != 2L || anyNA(dim) ||
        any(dim < 1 | dim > .Machine$integer.max | dim != round(dim))) {
    abort_input(sprintf("`dim` is %s, but must be two positive whole numbers, such as c(28, 28).",
                        show_value(dim)), "dim")
  }
  assert_number(shift, "shift", lower = 0, upper = max(dim), open = FALSE, whole = TRUE,
                remedy = "the default is 1")
  one_step("image", shift, dim = as.integer(dim), shift = as.double(shift))
}

#' @rdname perturbations
#' @export
perturb_custom <- function(f, ...) {
  assert_no_extra("perturb_custom()", ...)
  if (!is.function(f)) {
    abort_input(sprintf("`f` is %s, but must be a function of `values` and `u`.", show_value(f)),
                "f")
  }
  assert_takes(f, "f", c("values", "u"))
  one_step("custom", 1, f = f)
}

#' @rdname perturbations
#' @export
`+.perturbation` <- function(e1, e2) {
  for (e in list(e1, e2)) {
    if (!inherits(e, "perturbation")) {
      abort_input(sprintf("`+` has %s beside a perturbation; add what perturb_*() makes.",
                          show_value(e)), "+")
    }
  }
  new_perturbation(c(e1$steps, e2$steps))
}

#' @rdname perturbations
#' @export
format.perturbation <- function(x, ...) {
  assert_no_extra("format()", ...)
  steps <- vapply(x$steps, function(step) {
    switch(step$name,
           dropout = sprintf("dropout(%s)", format(step$rate)),
           gaussian = sprintf("gaussian(%s)", format(step$sd)),
           rescale = sprintf("rescale(%s)", format(step$width)),
           image = sprintf("image(%d x %d, shift %s)", step$dim[1L], step$dim[2L],
                           format(step$shift)),
           custom = "custom function")
  }, "")
  if (length(steps) == 0L) "none" else paste(steps, collapse = " + ")
}

#' @rdname perturbations
#' @export
print.perturbation <- function(x, ...) {
  assert_no_extra("print()", ...)
  cat(fold_lines(paste0("<perturbation: ", format(x), ">")), sep = "\n")
  invisible(x)
}

# A perturbation, or "none" -> a perturbation.
as_perturbation <- function(perturbation) {
  if (identical(perturbation, "none")) {
    return(new_perturbation())
  }
  if (!inherits(perturbation, "perturbation")) {
    kinds <- c("dropout", "gaussian", "rescale", "image", "custom")
    named <- if (is.character(perturbation) && length(perturbation) == 1L)
      kinds[match(tolower(readable(perturbation)), kinds)]
    abort_input(sprintf(
      "`perturbation` is %s, but must be \"none\" or made by %s; give perturbation = %s.",
      show_value(perturbation), paste0("perturb_", kinds, "()", collapse = ", "),
      if (is.null(named) || named %in% c(NA, "dropout")) "perturb_dropout(0.1)" else
        sprintf("perturb_%s()", named)
    ), "perturbation")
  }
  perturbation
}

# ---- With the data ----

# What a perturbation needs of the rows; a user's function is tried once.
assert_perturbation_fits <- function(perturbation, x) {
  for (step in perturbation$steps) {
    if (isS4(x) && step$name %in% c("gaussian", "image")) {
      abort_input(sprintf(paste(
        "`perturbation` has %s, which does not keep the zeros of a sparse `x`;",
        "make `x` dense (as.matrix()), or use perturb_dropout() or perturb_rescale()."
      ), format(new_perturbation(list(step)))), "perturbation")
    }
    if (step$name == "image" && ncol(x) %% prod(step$dim) != 0) {
      abort_input(sprintf("`perturbation` has images of %d x %d pixels, but `x` has %d columns.",
                          step$dim[1L], step$dim[2L], ncol(x)), "perturbation")
    }
  }
  invisible()
}

# A user's function that says what it did wrong.
checked_function <- function(f) {
  force(f)
  function(values, u) {
    answer <- f(values, u)
    if (!is.numeric(answer) || length(answer) != length(values) ||
          !identical(dim(answer), dim(values))) {
      shape <- function(v) if (is.null(dim(v))) sprintf("length %d", length(v)) else
        paste(dim(v), collapse = " x ")
      abort_input(sprintf("`f` of perturb_custom() returned %s of %s for values of %s.",
                          if (is.numeric(answer)) "numbers" else show_value(answer), shape(answer),
                          shape(values)), "perturbation")
    }
    if (!all(is.finite(answer))) {
      abort_input("`f` of perturb_custom() returned values that are not finite numbers.",
                  "perturbation")
    }
    as.double(answer)
  }
}

# As the core takes it.
core_perturbation <- function(perturbation) {
  lapply(perturbation$steps, function(step) {
    if (step$name == "custom") step$f <- checked_function(step$f)
    step
  })
}

# Is the mean loss over all perturbations known?
has_closed_form <- function(perturbation, loss) {
  names <- vapply(perturbation$steps, `[[`, "", "name")
  length(names) == 0L ||
    (all(names == "gaussian") && loss$task != "regression") ||
    (loss$name == "squared" && all(names %in% c("gaussian", "dropout", "rescale")))
}

# Labels between classes: given as they are, or made by mixing rows.

#' Soft labels
#'
#' Says that `y` holds labels between the classes and not a response for a regression: the share of
#' a row that belongs to each class, as an expert's doubt, a teacher model or label smoothing give
#' it.
#'
#' A soft label \eqn{y \in [-1, 1]}{y in [-1, 1]} stands for the class +1 with probability
#' \eqn{(1 + y) / 2} and for -1 with the rest: its loss is
#' \eqn{\frac{1 + y}{2} \phi(z) + \frac{1 - y}{2} \phi(-z)}{(1 + y)/2 phi(z) + (1 - y)/2 phi(-z)}.
#' Labels within 1e-12 of -1 or +1 are set to it.
#'
#' @param y A numeric vector in \eqn{[-1, 1]}, or a matrix of one row a row and one column a class
#'   with probabilities that sum to 1 in each row; its column names name the classes.
#' @param x Soft labels.
#' @param i Rows.
#' @param ... Not used; an unknown argument of `soft_labels()` is an error.
#' @return A numeric vector or matrix of class `"soft_labels"`.
#' @section Errors:
#' Values outside the range, missing values and rows that do not sum to 1 are errors of class
#' `dualmargin_input_error`.
#' @references
#' Obi G, Saito A, Sasaki Y, Kato T (2025). Linearly convergent mixup learning. arXiv:2501.07794.
#' @seealso [margin_kernel()], [mixup_pairs()].
#' @examples
#' # label smoothing: no row is taken for certain
#' y <- ifelse(spambase$type == "spam", 0.9, -0.9)
#' rows <- seq(1, nrow(spambase), by = 10)
#' margin_kernel(spambase[rows, 1:57], soft_labels(y[rows]))
#' @export
soft_labels <- function(y, ...) {
  assert_no_extra("soft_labels()", ...)
  if (is.data.frame(y)) {
    assert_frame(y, "y")
    y <- as.matrix(y)
  }
  if (!is.numeric(y) || is.object(y) || length(dim(y)) > 2L) {
    abort_input(sprintf("`y` is %s, but soft labels are numbers in [-1, 1] or a matrix of shares.",
                        show_value(y)), "y")
  }
  if (is.matrix(y)) {
    return(structure(assert_shares(y), class = "soft_labels"))
  }
  bad <- which(!is.finite(y) | abs(y) > 1)
  if (length(bad) > 0L) {
    abort_input(sprintf("`y` has %s at position %d, but a soft label lies between -1 and 1.",
                        format(y[bad[1L]], digits = 4), bad[1L]), "y")
  }
  structure(snap(as.vector(y)), class = "soft_labels")
}

assert_shares <- function(y) {
  if (ncol(y) < 2L) {
    abort_input("`y` is a matrix of one column; give one for each class, two or more.", "y")
  }
  bad <- which(!is.finite(y) | y < 0 | y > 1)
  if (length(bad) > 0L) {
    abort_input(sprintf("`y` has %s in row %d, but a share lies between 0 and 1.",
                        format(y[bad[1L]], digits = 4), (bad[1L] - 1L) %% nrow(y) + 1L), "y")
  }
  off <- which(abs(rowSums(y) - 1) > 1e-8)
  if (length(off) > 0L) {
    abort_input(sprintf("`y` sums to %s in row %d, but the shares of a row sum to 1.",
                        format(sum(y[off[1L], ]), digits = 6), off[1L]), "y")
  }
  if (is.null(colnames(y))) colnames(y) <- as.character(seq_len(ncol(y)))
  if (anyDuplicated(colnames(y))) {
    abort_input(sprintf("`y` has two columns of soft labels named \"%s\"; rename one.",
                        colnames(y)[anyDuplicated(colnames(y))]), "y")
  }
  y / rowSums(y)
}

# Rounding leaves 1 - 1e-16 where two rows of one class were mixed.
snap <- function(y) {
  certain <- abs(y) > 1 - 1e-12
  y[certain] <- sign(y[certain])
  y
}

#' @rdname soft_labels
#' @export
`[.soft_labels` <- function(x, i, ...) {
  values <- unclass(x)
  structure(if (is.matrix(values)) values[i, , drop = FALSE] else values[i], class = "soft_labels")
}

#' @rdname soft_labels
#' @export
print.soft_labels <- function(x, ...) {
  values <- unclass(x)
  cat(sprintf("<soft_labels> %s%s\n", count(NROW(values), "row"),
              if (is.matrix(values)) sprintf(", %d classes", ncol(values)) else ""))
  print(utils::head(values), ...)
  invisible(x)
}

#' Mixup
#'
#' Trains on mixtures of rows, which smooths a classifier between its training rows.
#'
#' A mixed row lies on the line between two rows of the data, and its label between their labels,
#' \deqn{x = (1 - s)\, x_i + s\, x_j, \qquad y = (1 - s)\, y_i + s\, y_j, \qquad
#'   s \sim \mathrm{Beta}(\alpha, \alpha).}{
#'   x = (1 - s) x_i + s x_j,   y = (1 - s) y_i + s y_j,   s ~ Beta(alpha, alpha).}
#' `mixup_pairs()` makes [margin_kernel()] add such rows inside the fit, which for the kernels
#' that are known by a formula needs no storage for them. `mixup_data()` makes the augmented data
#' themselves.
#'
#' The first row of a pair is drawn uniformly from the rows of positive weight that have a partner, the
#' second uniformly from its partners: all other rows, those of other classes, or those of its own.
#' A mixed row has the weight \eqn{(1 - s)\,\omega_i + s\,\omega_j}{(1 - s) omega_i + s
#' omega_j}. Where columns are centred (see [margin_kernel()]) by the means of the original rows, a
#' mixture of centred rows is the centred mixture. Draws come from R's generator, so [set.seed()]
#' makes them reproducible; a `seed` in [margin_control()] fixes those inside a fit and leaves R's
#' stream alone.
#'
#' @param n Number of rows to add, a whole number.
#' @param alpha Both parameters of the Beta distribution: 1 mixes uniformly, a small value keeps
#'   mixed rows near one of their parents.
#' @param pairs `"any"` two rows, two of `"different"` classes, or two of the `"same"` class (whose
#'   label is then theirs).
#' @param x For `mixup_data()`, a matrix or any Matrix class; for `print()`, a value of
#'   `mixup_pairs()`.
#' @param y Labels of the rows: a factor, logical, character, -1/+1, 0/1 or [soft_labels()].
#' @param ... For `mixup_data()`, `alpha` and `pairs`; otherwise nothing: unknown arguments are
#'   errors.
#' @return `mixup_pairs()`: a list of class `"mixup_pairs"`. `mixup_data()`: a list of `x`, the rows
#'   given with the mixed ones below them; `y`, their [soft_labels()] (a factor of more than two
#'   levels becomes a matrix of shares); and `pairs`, a data frame with `first`, `second` and
#'   `share` (\eqn{s}) of each mixed row.
#' @section Errors:
#' Arguments out of range, and pairs that the classes do not have, are errors of class
#' `dualmargin_input_error`.
#' @references
#' Zhang H, Cisse M, Dauphin YN, Lopez-Paz D (2018). mixup: beyond empirical risk minimization.
#' *International Conference on Learning Representations*. arXiv:1710.09412.
#'
#' Obi G, Saito A, Sasaki Y, Kato T (2025). Linearly convergent mixup learning. arXiv:2501.07794.
#' @seealso [margin_kernel()], [soft_labels()].
#' @examples
#' set.seed(1)
#' rows <- seq(1, nrow(spambase), by = 20)
#' fit <- margin_kernel(type ~ ., data = spambase[rows, ], mixup = mixup_pairs(100))
#' fit
#' table(predict(fit, spambase[-rows, ]), spambase$type[-rows])
#'
#' more <- mixup_data(as.matrix(iris[1:100, 1:4]), droplevels(iris$Species[1:100]), 50)
#' tail(more$pairs, 3)
#' @export
mixup_pairs <- function(n, alpha = 1, pairs = c("any", "different", "same"), ...) {
  assert_no_extra("mixup_pairs()", ...)
  pairs <- one_of(pairs, c("any", "different", "same"), "pairs")
  if (missing(n)) {
    abort_input("`n` is missing; give the number of mixed rows to add.", "n")
  }
  assert_number(n, "n", lower = 1, upper = .Machine$integer.max, open = FALSE, whole = TRUE)
  assert_number(alpha, "alpha", lower = 0, remedy = "the default 1 mixes uniformly")
  structure(list(n = as.integer(n), alpha = as.double(alpha), pairs = pairs), class = "mixup_pairs")
}

#' @rdname mixup_pairs
#' @export
format.mixup_pairs <- function(x, ...) {
  assert_no_extra("format()", ...)
  sprintf("%s from pairs of %s, Beta(%s, %s)", count(x$n, "mixed row"),
          switch(x$pairs, any = "any class", different = "different classes", same = "one class"),
          format(x$alpha, digits = 4), format(x$alpha, digits = 4))
}

#' @rdname mixup_pairs
#' @export
print.mixup_pairs <- function(x, ...) {
  assert_no_extra("print()", ...)
  cat(sprintf("<mixup_pairs> %s\n", format(x)))
  invisible(x)
}

#' @rdname mixup_pairs
#' @export
mixup_data <- function(x, y, n, ...) {
  assert_nothing_left(list(...)[setdiff(names(list(...)), c("alpha", "pairs"))],
                      c("x", "y", "n", "alpha", "pairs"), character(), "mixup_data()")
  x <- core_matrix(x)
  bad <- which(!is.finite(if (isS4(x)) x@x else x))
  if (length(bad) > 0L) {
    abort_input("`x` must hold finite numbers only; impute the others, or remove their rows.", "x")
  }
  labels <- kernel_response(y, as_loss("logistic"), nrow(x), "mixup_data()")
  mixup <- mixup_pairs(n, ...)
  assert_mixup_memory(mixup$n, nrow(x), labels$n_classes, if (isS4(x)) 0 else ncol(x))
  drawn <- draw_pairs(mixup, label_groups(labels), rep(TRUE, nrow(x)), "pairs")
  y <- snap(mix_rows(labels$targets, drawn))
  if (labels$n_classes > 1L) {
    y <- (1 + y) / 2
    colnames(y) <- labels$levels
  }
  list(x = mix_rows(x, drawn),
       y = soft_labels(if (labels$n_classes > 1L) y else drop(y)), pairs = drawn)
}

# The class a row counts to: that of its largest share.
label_groups <- function(response) {
  targets <- response$targets
  if (ncol(targets) == 1L) as.integer(targets[, 1L] >= 0) else max.col(targets, "first")
}

draw_pairs <- function(mixup, groups, usable, arg = "mixup") {
  rows <- which(usable)
  classes <- split(rows, groups[rows])
  allowed <- switch(mixup$pairs, any = length(rows) > 1L, different = length(classes) > 1L,
                    same = any(lengths(classes) > 1L))
  if (!allowed) {
    abort_input(sprintf("`%s` asks for pairs of %s, but no two rows are such a pair.", arg,
                        switch(mixup$pairs, any = "rows", different = "different classes",
                               same = "one class")), arg)
  }
  if (mixup$pairs == "same") {
    rows <- unlist(classes[lengths(classes) > 1L], use.names = FALSE)
  }
  pick <- function(from, size) from[sample.int(length(from), size, replace = TRUE)]
  first <- pick(rows, mixup$n)
  second <- pick(rows, mixup$n)
  matches <- function() {
    alike <- groups[first] == groups[second]
    first != second & switch(mixup$pairs, any = TRUE, different = !alike, same = alike)
  }
  while (!all(ok <- matches())) second[!ok] <- pick(rows, sum(!ok))
  data.frame(first = first, second = second,
             share = stats::rbeta(mixup$n, mixup$alpha, mixup$alpha))
}

# Original rows of a matrix and mixed ones below.
mix_rows <- function(values, drawn) rbind(values, mixed_features(values, drawn))

mixed_features <- function(x, drawn) {
  (1 - drawn$share) * x[drawn$first, , drop = FALSE] + drawn$share * x[drawn$second, , drop = FALSE]
}
