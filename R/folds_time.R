# Folds that train on the past and predict what comes after it.

#' Folds that train on the past
#'
#' Cuts the rows along `time` into `folds + 1` runs of equal size, as equal as rows of the same time
#' allow, which stay together. Fold j predicts run j + 1 from rows before it: with \eqn{t_0} the
#' first time of that run, from the rows with \eqn{t_0 - \mathrm{gap} - \mathrm{window} \le t < t_0
#' - \mathrm{gap}}{t0 - gap - window <= t < t0 - gap}. The rows of the first run are never
#' predicted.
#'
#' @param time A number, date ([Date]) or time ([POSIXct]) for each row, length n.
#' @param folds Number of folds, at least 1.
#' @param gap How much time to leave out before the rows that are predicted, not negative, in the
#'   units of `time` (days of a `Date`, seconds of a `POSIXct`): as long as rows tell of each other,
#'   or as a response takes to become known.
#' @param window How much time to train on, positive, in the same units; `Inf` is all of the past.
#' @return A list of class `"margin_time_folds"`, to be given as `folds` to [margin_cv()],
#'   [margin_compare()], [margin_nested()], [margin_tune()] and [margin_calibrate()]: `n` (rows) and
#'   `splits`, a list of `train` and `test` (row numbers) for each fold.
#' @section Errors:
#' Of class `dualmargin_input_error`: a missing time, fewer distinct times than runs, a fold that so
#' has no row to train on.
#' @references
#' Tashman LJ (2000). Out-of-sample tests of forecasting accuracy: an analysis and review.
#' *International Journal of Forecasting* 16(4), 437-450. \doi{10.1016/S0169-2070(00)00065-0}.
#'
#' Bergmeir C, Benitez JM (2012). On the use of cross-validation for time series predictor
#' evaluation. *Information Sciences* 191, 192-213. \doi{10.1016/j.ins.2011.12.028}.
#' @seealso [margin_folds()] with `along` for runs of which each is predicted from all others.
#' @examples
#' past <- margin_time_folds(airquality$Month * 31 + airquality$Day, folds = 4, gap = 7)
#' past
#' margin_cv(Ozone ~ Wind + Temp + Solar.R, airquality, loss = "squared", folds = past,
#'           grid = list(lambda = 10^-(1:3)), metric = c("rmse", "r2"))
#' @export
margin_time_folds <- function(time, folds = 10, gap = 0, window = Inf, ...) {
  assert_no_extra("margin_time_folds()", ...)
  assert_number(folds, "folds", lower = 0, whole = TRUE, remedy = "the default is 10")
  time <- assert_along(time, "time")
  assert_number(gap, "gap", lower = 0, open = FALSE, remedy = "the default is 0")
  if (!identical(window, Inf)) {
    assert_number(window, "window", lower = 0, remedy = "the default is Inf, all of the past")
  }
  if (folds + 1 > length(time)) {
    abort_input(sprintf("`folds` is %s, but there are %s; use fewer folds.", format(folds),
                        count(length(time), "row")), "folds")
  }
  run <- cut_along(time, folds + 1, "time", folds)
  splits <- lapply(seq_len(folds), function(fold) {
    test <- which(run == fold + 1L)
    end <- min(time[test]) - gap
    train <- which(time < end & time >= end - window)
    if (length(train) == 0L) {
      abort_input(sprintf(paste(
        "`%s` is %s, which leaves fold %d no row to train on; use a %s, or fewer folds."
      ), if (gap > 0) "gap" else "window", format(if (gap > 0) gap else window), fold,
      if (gap > 0) "smaller one" else "longer one"), if (gap > 0) "gap" else "window")
    }
    list(train = train, test = test)
  })
  structure(list(n = length(time), splits = splits), class = "margin_time_folds")
}

#' @rdname margin_time_folds
#' @param x A result of `margin_time_folds()`.
#' @param ... Nothing: unknown arguments are errors.
#' @export
print.margin_time_folds <- function(x, ...) {
  assert_no_extra("print()", ...)
  cat(sprintf("<margin_time_folds> %s of %s\n", count(length(x$splits), "fold"),
              count(x$n, "row")))
  sizes <- vapply(x$splits, lengths, c(train = 0L, test = 0L))
  print(data.frame(fold = seq_along(x$splits), t(sizes)), row.names = FALSE)
  invisible(x)
}

time_resamples <- function(folds, rows, given) {
  sound <- is.list(folds) && is.numeric(folds$n) && length(folds$n) == 1L &&
    is.list(folds$splits) && length(folds$splits) > 0L &&
    all(vapply(folds$splits, function(split) {
      is.list(split) && all(c(split$train, split$test) %in% seq_len(folds$n)) &&
        length(intersect(split$train, split$test)) == 0L
    }, NA))
  if (!sound) {
    abort_input("`folds` is a damaged result of margin_time_folds(); make it again.", "folds")
  }
  if (folds$n != given) {
    abort_input(sprintf("`folds` was made for %d rows, but the data have %d; make it for these.",
                        folds$n, given), "folds")
  }
  at <- function(index) {
    place <- match(index, rows)
    place[!is.na(place)]
  }
  lapply(seq_along(folds$splits), function(i) {
    split <- folds$splits[[i]]
    list(repetition = 1L, fold = i, train = at(split$train), test = at(split$test))
  })
}
