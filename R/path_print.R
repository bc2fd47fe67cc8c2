# A path in words.

describe_path <- function(path, digits) {
  number <- function(value) format(value, digits = digits)
  settings <- path$settings
  rows <- c(
    path_of(path)$describe(path, number),
    intercept = if (path$task == "one_class") NA_character_ else describe_intercept(settings),
    columns = describe_scaling(settings),
    response = describe_unit(path, digits),
    residuals = describe_scales(path, number),
    data = describe_data(path, path$nobs, path$nrow - path$nobs),
    classes = describe_levels(path),
    nonzero = sprintf("coefficients of %s",
                      paste0(if (min(path$df) < max(path$df)) paste(min(path$df), "to "),
                             count(max(path$df), coefficient_noun(path)))),
    work = sprintf("%s epochs, %s", number(sum(path$status$epochs)),
                   count(sum(path$status$steps), "Newton step"))
  )
  rows <- rows[!is.na(rows)]
  as_fit <- structure(path, class = sub("_path", "", class(path)[1L]))
  c(fold_lines(sprintf("<margin_path> %s along %s", describe_task(as_fit),
                       count(nrow(path$certificate), "point"))),
    key_lines(rows), fold_lines(describe_path_certificates(path, digits)))
}

# Of Huber's loss in units of the residuals: the sizes that the points found.
describe_scales <- function(path, number) {
  size <- huber_size(path)
  if (is.null(size) || identical(size$unit, "response")) {
    return(NA_character_)
  }
  ends <- vapply(unique(range(size$scale)), number, "")
  sprintf("delta = %s times s = %s%s", number(size$delta), paste(ends, collapse = " to "),
          if (length(size$scale) > 1L) ", their median size / 0.6745 at each point" else
            ", held at all points")
}

coefficient_noun <- function(path) {
  if (has_kernel(path)) "row" else "feature"
}

describe_range <- function(lambda, size, number) {
  if (size == 1 && min(lambda) == max(lambda)) {
    return(number(lambda[1L]))
  }
  sprintf("%s from %s down to %s", count(size, "value"), number(max(lambda)), number(min(lambda)))
}

# One line that counts, one on the worst point, and one for each point (up to five) that is not
# certified.
describe_path_certificates <- function(path, digits) {
  certificate <- path$certificate
  size <- nrow(certificate)
  missed <- which(!certificate$certified)
  worst <- which.max(certificate$relative_gap)
  row <- certificate[worst, ]
  short <- function(value) format(value, digits = min(digits, 3L))
  lines <- vapply(missed, function(i) {
    sprintf("  %s: relative gap %s, %s", describe_point(path, i),
            short(certificate$relative_gap[i]),
            sub("[,;]$", "", explain_status(path$status$status[i], path$status$rounding_floor[i],
                                            is_sought(certificate[i, ], path$status[i, ]))))
  }, "")
  if (length(lines) > 5L) {
    lines <- c(lines[1:5], sprintf("  and %d more points", length(lines) - 5L))
  }
  c(sprintf("certificates (%s): %s, %d of %d points", row$kind,
            if (length(missed) == 0L) "certified" else "NOT certified", size - length(missed),
            size),
    sprintf("  largest relative gap %s %s tol %s, at %s%s%s", short(row$relative_gap),
            if (row$relative_gap <= row$tol) "<=" else ">", short(row$tol), describe_point(path, worst),
            if (is.na(row$class)) "" else paste0(", class ", row$class),
            describe_solved(path)),
    describe_assumes(certificate), lines)
}
