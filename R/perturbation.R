# Perturbations as small values the user composes. The known ones are drawn in src/augmented/.

#' Random perturbations of the rows
#'
#' A perturbation \eqn{\rho} says how [margin_augmented()] may see a row: the model is fitted to the
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
