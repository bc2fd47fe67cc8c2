# The one constructor of a path, and how it ended.

# points: a data frame whose columns define a point (lambda and mixture, or the radius), its rows in
# the order of the solution. result$solutions: for each class problem the points in that order;
# terms: what the coefficients belong to.
new_margin_path <- function(family, problem, points, result, terms = problem$design$features) {
  design <- problem$design
  settings <- problem$settings
  response <- problem$response
  levels <- problem_classes(response)
  ranks <- meeting_of(settings)
  settings[names(points)] <- list(NULL)
  joint <- is_joint(problem)
  # one problem of all classes has one certificate a point, which its first class carries
  by_class <- path_by_class(if (joint) result$solutions[1L] else result$solutions, points,
                            if (!joint) levels, settings$tol,
                            certificate_assumes(settings$kernel, result))
  worst <- worst_of_points(by_class, nrow(points))
  places <- lapply(seq_len(nrow(points)), function(i) {
    unique(unlist(lapply(result$solutions, function(path) path[[i]]$place)))
  })
  path <- new_object(
    c(as.list(points), list(
      coordinates = names(points),
      coefficients = path_coefficients(result$solutions, terms,
                                       has_constant(settings), point_labels(points), levels),
      df = lengths(places),
      certificate = worst[c("kind", "class", names(points), certificate_numbers)],
      status = path_status(by_class, worst, names(points)), by_class = by_class,
      settings = recorded_settings(settings),
      scales = stats::setNames(result$scales, design$features), response_scale = problem$unit,
      center = column_centre(result, design$features),
      origin = path_origin(result, has_constant(settings), levels),
      response_center = response_centre(result),
      features = design$features, levels = response$levels, response = response$response[0L],
      response_type = response$type, task = response$task, nrow = total_over(ranks, nrow(design$x)),
      fingerprint = fingerprint_of(design$x, response$response, problem$weights),
      nobs = total_over(ranks, sum(problem$weights > 0)),
      terms = design$terms, xlevels = design$xlevels, contrasts = design$contrasts,
      na.action = design$na.action, sparse = design$sparse, interface = design$interface,
      call = compact_call(design$call)
    )),
    c(paste0("margin_path_", family), "margin_path")
  )
  if (!"response_scale" %in% names(settings)) path$response_scale <- NULL
  path
}

# The columns that define the points of a path.
points_of <- function(path, at = seq_len(nrow(path$certificate))) {
  path$certificate[at, path$coordinates, drop = FALSE]
}

certificate_numbers <- c("value", "bound", "gap", "relative_gap", "tol", "certified", "assumes")

# A row for each point and class, the classes of a point together.
path_by_class <- function(solutions, points, levels, tol, assumes) {
  k <- length(solutions)
  of_point <- rep(seq_len(nrow(points)), each = k)
  flat <- unlist(do.call(Map, c(list(list), solutions)), recursive = FALSE)
  number <- function(name) vapply(flat, function(s) as.double(s[[name]]), 0)
  text <- function(name) vapply(flat, function(s) s[[name]], "")
  value <- number("value")
  bound <- number("bound")
  gap <- number("gap")
  relative_gap <- relative_gap(value, bound, gap, number("null_value"))
  kind <- vapply(flat, certificate_kind, "")
  data.frame(
    kind = kind, class = if (is.null(levels)) NA_character_ else levels,
    points[of_point, , drop = FALSE], value = value, bound = bound, gap = gap,
    relative_gap = relative_gap, tol = tol,
    certified = text("status") == "certified", assumes = assumes, status = text("status"),
    rounding_floor = number("rounding_floor"), solver = text("solver"), epochs = number("epochs"),
    steps = number("steps"), seconds = number("seconds"), df = lengths(lapply(flat, `[[`, "place")),
    row.names = NULL
  )
}

# The row with the largest relative gap of each point.
worst_of_points <- function(by_class, points) {
  gaps <- matrix(by_class$relative_gap, ncol = points)
  row <- apply(replace(gaps, is.na(gaps), Inf), 2L, which.max)
  without_row_names(by_class[row + (seq_len(points) - 1L) * nrow(gaps), ])
}

path_status <- function(by_class, worst, coordinates) {
  total <- function(name) colSums(matrix(by_class[[name]], ncol = nrow(worst)))
  data.frame(
    worst[c(coordinates, "class", "status", "rounding_floor", "solver")],
    epochs = total("epochs"), steps = total("steps"), seconds = total("seconds")
  )
}

# A column for each point: a matrix, or a list of them by class.
path_coefficients <- function(solutions, features, has_intercept, labels, levels) {
  rows <- c(if (has_intercept) "(Intercept)", features)
  cells <- length(rows) * length(labels)
  used <- sum(vapply(unlist(solutions, recursive = FALSE), function(s) length(s$place), 0L))
  sparse <- cells > 1e5 && used < cells * length(solutions) / 3
  one <- function(path) {
    entries <- lapply(path, function(s) {
      list(row = c(if (has_intercept) 1L, s$place + has_intercept),
           value = c(if (has_intercept) s$intercept, s$coefficients))
    })
    row <- unlist(lapply(entries, `[[`, "row"))
    value <- as.double(unlist(lapply(entries, `[[`, "value")))
    column <- rep(seq_along(entries), vapply(entries, function(e) length(e$row), 0L))
    size <- c(length(rows), length(labels))
    if (sparse) {
      return(Matrix::sparseMatrix(i = row, j = column, x = value, dims = size,
                                  dimnames = list(rows, labels)))
    }
    all <- matrix(0, size[1L], size[2L], dimnames = list(rows, labels))
    all[cbind(row, column)] <- value
    all
  }
  all <- lapply(solutions, one)
  if (is.null(levels)) all[[1L]] else stats::setNames(all, levels)
}

# "0.01", or "0.01, mixture 0.5" where there are several, with as many digits as tell them apart.
point_labels <- function(points) {
  second <- if (length(points) > 1L && length(unique(points[[2L]])) > 1L) points[[2L]]
  for (digits in 4:17) {
    text <- vapply(points[[1L]], format, "", digits = digits)
    if (!is.null(second)) {
      text <- paste0(text, ", ", names(points)[2L], " ",
                     vapply(second, format, "", digits = digits))
    }
    if (anyDuplicated(text) == 0L) break
  }
  text
}

signal_path_outcome <- function(path, problem) {
  assert_finite_outcome(path$by_class, path)
  if (is.null(meeting_of(problem$settings))) path$cause <- likely_cause(path, problem)
  missed <- sum(!path$certificate$certified)
  if (missed > 0L) {
    worst <- which.max(path$certificate$relative_gap)
    row <- path$certificate[worst, ]
    place <- sprintf("Not certified at %d of %s; the worst is %s:", missed,
                     count(nrow(path$certificate), "point"), describe_point(path, worst))
    do.call(signal_not_certified, c(list(place, row, path$status[worst, ], path),
                                    as.list(points_of(path, worst)), missed = missed))
  }
  path
}

# "lambda = 0.01", with the mixture where there are several.
describe_point <- function(path, i) {
  point <- points_of(path, i)
  told <- vapply(names(point), function(name) {
    name == path$coordinates[1L] || length(unique(path[[name]])) > 1L
  }, NA)
  paste(sprintf("%s = %s", names(point), vapply(point, format, "", digits = 4))[told],
        collapse = ", ")
}
