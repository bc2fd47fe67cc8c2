# Folds that train on the past and predict what comes after it.

#' Folds that train on the past
#'
#' Makes folds that train on the past and predict what follows, for [margin_cv()] and other
#' functions that take `folds`.
#'
#' Without `horizon`, cuts the rows along `time` into `folds + 1` runs of equal size, as equal as
#' rows of the same time allow, which stay together. Fold j predicts run j + 1 from rows before it:
#' with \eqn{t_0} the first time of that run, from the rows with \eqn{t_0 - \mathrm{gap} -
#' \mathrm{window} \le t < t_0 - \mathrm{gap}}{t0 - gap - window <= t < t0 - gap}. The rows of the
#' first run are never predicted. With `initial` that run is the rows of that first time, and the
#' rest is cut into `folds` runs.
#'
#' With `horizon`, folds are lengths of time and not numbers of rows: each predicts the rows with
#' \eqn{t_0 \le t < t_0 + \mathrm{horizon}}{t0 <= t < t0 + horizon}, from the same rows before.
#' \eqn{t_0} is the first time plus `initial`, and then `horizon + skip` later each time, as long as
#' the horizon is over before the last time ends, which lasts as long as the shortest step between
#' two times. A horizon without a row is no fold. So `initial`, `horizon` and `skip` are what they
#' are in `rolling_origin()` of rsample (`assess`), `createTimeSlices()` of caret
#' (`initialWindow`) and `tsCV()` of forecast (`h`), which count rows, but in units of time.
#'
#' @param time A number, date ([Date]) or time ([POSIXct]) for each row, length n.
#' @param folds Number of folds, at least 1; `NULL` is 10, and with `horizon` as many as there are,
#'   of which a number takes the last.
#' @param gap How much time to leave out before the rows that are predicted, not negative, in the
#'   units of `time` (days of a `Date`, seconds of a `POSIXct`): as long as rows tell of each other,
#'   or as a response takes to become known.
#' @param window How much time to train on, positive, in the same units; `Inf` is all of the past.
#' @param horizon How much time a fold predicts, positive, in the same units; `NULL` cuts runs of
#'   equal numbers of rows.
#' @param initial How much time passes before the first row that is predicted, positive, in the same
#'   units; `NULL` is one run of rows, and with `horizon` three horizons.
#' @param skip With `horizon`, how much time passes from the end of one horizon to the start of the
#'   next, in the same units; a negative one, above `-horizon`, has horizons overlap.
#' @return A list of class `"margin_time_folds"`, to be given as `folds` to [margin_cv()],
#'   [margin_compare()], [margin_nested()], [margin_tune()] and [margin_calibrate()]: `n` (rows) and
#'   `splits`, a list of `train` and `test` (row numbers) for each fold.
#' @section Errors:
#' Of class `dualmargin_input_error`: a missing time, fewer distinct times than runs, a fold that so
#' has no row to train on, an `initial` that leaves nothing to predict, `skip` without `horizon`.
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
#' # two weeks at a time, each from all days before, the first from two months
#' margin_time_folds(airquality$Month * 31 + airquality$Day, horizon = 14, initial = 62)
#' @export
margin_time_folds <- function(time, folds = NULL, gap = 0, window = Inf, horizon = NULL,
                              initial = NULL, skip = 0, ...) {
  assert_no_extra("margin_time_folds()", ...)
  if (!is.null(folds)) {
    assert_number(folds, "folds", lower = 0, whole = TRUE, remedy = "the default is 10")
  }
  time <- assert_along(time, "time")
  assert_number(gap, "gap", lower = 0, open = FALSE, remedy = "the default is 0")
  if (!identical(window, Inf)) {
    assert_number(window, "window", lower = 0, remedy = "the default is Inf, all of the past")
  }
  assert_time_lengths(horizon, initial, skip)
  tests <- if (is.null(horizon)) runs_of_rows(time, folds, initial) else
    runs_of_time(time, folds, horizon, initial, skip)
  splits <- lapply(seq_along(tests), function(fold) {
    end <- tests[[fold]]$start - gap
    train <- which(time < end & time >= end - window)
    if (length(train) == 0L) abort_no_past(fold, gap, window, initial)
    list(train = train, test = tests[[fold]]$rows)
  })
  structure(list(n = length(time), splits = splits), class = "margin_time_folds")
}

assert_time_lengths <- function(horizon, initial, skip) {
  if (!is.null(horizon)) {
    assert_number(horizon, "horizon", lower = 0, remedy = "NULL cuts runs of as many rows each")
  }
  if (!is.null(initial)) {
    assert_number(initial, "initial", lower = 0, remedy = "NULL is the default")
  }
  assert_number(skip, "skip", remedy = "the default is 0")
  if (is.null(horizon) && skip != 0) {
    abort_input(sprintf(
      "`skip` is %s, but is the time between two horizons; give `horizon` as well.", format(skip)
    ), "skip")
  }
  if (!is.null(horizon) && skip <= -horizon) {
    abort_input(sprintf(paste(
      "`skip` is %s, with which no horizon of %s starts after the one before; use one above %s."
    ), format(skip), format(horizon), format(-horizon)), "skip")
  }
}

abort_no_past <- function(fold, gap, window, initial) {
  arg <- if (gap > 0) "gap" else if (is.finite(window)) "window" else "initial"
  value <- switch(arg, gap = gap, window = window, initial = initial)
  abort_input(sprintf(
    "`%s` is %s, which leaves fold %d no row to train on; use a %s, or fewer folds.", arg,
    format(value), fold, if (arg == "gap") "smaller one" else "longer one"
  ), arg)
}

# For each fold the rows that it predicts, and when they start.
runs_of_rows <- function(time, folds, initial) {
  if (is.null(folds)) folds <- 10
  late <- if (is.null(initial)) seq_along(time) else which(time >= min(time) + initial)
  # the first run is there to train on
  cut <- folds + is.null(initial)
  if (length(late) == 0L) abort_nothing_late(initial)
  if (cut > length(late)) {
    abort_input(sprintf("`folds` is %s, but %s%s; use fewer folds.", format(folds),
                        there_are(length(late), "row"),
                        if (is.null(initial)) "" else " after `initial`"), "folds")
  }
  run <- cut_along(time[late], cut, "time", folds)
  lapply(seq_len(folds), function(fold) {
    rows <- late[run == fold + is.null(initial)]
    list(rows = rows, start = min(time[rows]))
  })
}

runs_of_time <- function(time, folds, horizon, initial, skip) {
  by_default <- is.null(initial)
  if (by_default) initial <- 3 * horizon
  first <- min(time)
  distinct <- sort(unique(time))
  over <- max(time) + if (length(distinct) > 1L) min(diff(distinct)) else 0
  if (first + initial > max(time)) {
    if (!by_default) abort_nothing_late(initial)
    abort_input(sprintf(paste(
      "`horizon` is %s, and training starts with three of them, which leaves no row to predict;",
      "give an `initial` time, or a shorter `horizon`."
    ), format(horizon)), "horizon")
  }
  most <- floor((over - first - initial - horizon) / (horizon + skip) + 1e-9)
  if (most < 0) {
    abort_input(sprintf(paste(
      "`horizon` is %s, but %s is left after an `initial` of %s; use a shorter one."
    ), format(horizon), format(over - first - initial, digits = 4), format(initial)), "horizon")
  }
  if (most >= 1e5) {
    abort_input(sprintf("`horizon` is %s, with which there are %s folds; use a longer one.",
                        format(horizon), format(most + 1, digits = 4)), "horizon")
  }
  starts <- first + initial + (horizon + skip) * seq(0, most)
  tests <- lapply(starts, function(start) {
    list(rows = which(time >= start & time < start + horizon), start = start)
  })
  tests <- Filter(function(test) length(test$rows) > 0L, tests)
  if (length(tests) == 0L || !is.null(folds) && folds > length(tests)) {
    abort_input(sprintf(paste(
      "`folds` is %s, but %s with rows; use fewer, or a shorter `horizon` or `initial`."
    ), if (is.null(folds)) "left out" else format(folds), there_are(length(tests), "horizon")),
    "folds")
  }
  utils::tail(tests, if (is.null(folds)) length(tests) else folds)
}

abort_nothing_late <- function(initial) {
  abort_input(sprintf("`initial` is %s, after which there is no row to predict; use a shorter one.",
                      format(initial)), "initial")
}

#' @rdname margin_time_folds
#' @param x A result of `margin_time_folds()`.
#' @param ... Not used; an unknown argument is an error.
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
