# Keeps what every fit of this process claims: source() it after dualmargin, see tests/intervals.R.
# It stands where the core answers, in_core(), where the problem is in sight, and changes nothing.

recorder <- new.env()
recorder$file <- NA_character_
recorder$rows <- list()
recorder$calls <- list()

# Whose fits follow, seeded where the file does not do so; what they claimed, into the folder.
begin_intervals <- function(file) {
  set.seed(1)
  recorder$file <- file
  recorder$test <- NULL
  recorder$rows <- list()
  recorder$calls <- list()
}
write_intervals <- function(folder) {
  rows <- do.call(rbind, as.list(unlist(recorder$rows, recursive = FALSE)))
  saveRDS(rows, file.path(folder, paste0(recorder$file, ".rds")))
}

# The test that is running, by the argument of test_that().
running_test <- function() {
  for (k in rev(seq_len(sys.nframe()))) {
    if (identical(sys.call(k)[[1L]], quote(test_that))) {
      return(paste(get("desc", sys.frame(k)), collapse = " "))
    }
  }
  "outside of a test"
}

# Numbers and words, without what differs from one session to the next. A function is its text, its
# slots and, where the package made it around a user's, what it holds.
lasting <- function(value, depth = 0L) {
  if (depth > 5L) {
    return(NULL)
  }
  each <- function(values) lapply(values, lasting, depth + 1L)
  if (is.function(value)) {
    held <- environment(value)
    own <- !is.null(held) && identical(parent.env(held), asNamespace("dualmargin"))
    slots <- attributes(value)
    return(c(deparse(value), each(slots[names(slots) != "srcref"]),
             if (own) each(as.list(held, sorted = TRUE))))
  }
  if (is.environment(value)) NULL else if (is.call(value)) deparse(value) else
    if (is.list(value)) each(value) else value
}

# One problem, one hash: rows, labels, weights and all that defines what is minimised.
problem_hash <- function(frame) {
  problem <- frame$problem
  settings <- problem$settings
  drawn <- is.null(settings$nystrom)
  rlang::hash(lasting(list(
    problem$design$x, problem$response$codes, problem$omega, problem$targets, problem$omega_all,
    problem$mixed, settings[intersect(dualmargin:::problem_settings, names(settings))],
    settings$intercept, settings$scale, problem$multiclass, if (!drawn) problem$seed,
    mget(c("lambda", "mixture", "radius", "perturbations", "relative"), frame,
         ifnotfound = list(NULL))
  )))
}

keep_intervals <- function(result, frame) {
  test <- if (is.null(recorder$test)) running_test() else recorder$test
  call <- if (is.null(recorder$calls[[test]])) 1L else recorder$calls[[test]] + 1L
  recorder$calls[[test]] <- call
  settings <- frame$problem$settings
  one <- function(solution, class, point) {
    failed <- inherits(solution, "condition")
    number <- function(name) if (failed) NA_real_ else as.double(solution[[name]])
    data.frame(
      file = recorder$file, test = test, call = call, class = class, point = point,
      family = settings$solver$family, solver = settings$solver$name,
      loss = if (is.null(settings$loss)) "" else settings$loss$name,
      kind = if (failed) "" else dualmargin:::certificate_kind(solution),
      value = number("value"), bound = number("bound"), tol = settings$tol,
      status = if (failed) class(solution)[1L] else solution$status,
      certified = !failed && identical(solution$status, "certified"),
      floor = number("rounding_floor"), epochs = number("epochs"),
      scales = if (failed) NA_real_ else sum(log(as.double(result$scales))),
      problem = problem_hash(frame)
    )
  }
  rows <- if (inherits(result, "condition")) {
    list(one(result, 1L, 1L))
  } else {
    unlist(lapply(seq_along(result$solutions), function(class) {
      # one solution, or the points of a path
      points <- result$solutions[[class]]
      if (!is.null(points$status)) points <- list(points)
      lapply(seq_along(points), function(point) one(points[[point]], class, point))
    }), recursive = FALSE)
  }
  recorder$rows[[length(recorder$rows) + 1L]] <- rows
}

local({
  space <- asNamespace("dualmargin")
  in_core <- get("in_core", space)
  watched <- function(expression) {
    # a function within the fit's may ask
    frame <- parent.frame()
    while (!identical(topenv(frame), frame) && is.null(frame$problem)) frame <- parent.env(frame)
    result <- tryCatch(in_core(expression), error = identity)
    if (!identical(topenv(frame), frame) && !is.null(frame$problem$settings$solver)) {
      keep_intervals(result, frame)
    }
    if (inherits(result, "condition")) stop(result)
    result
  }
  unlockBinding("in_core", space)
  assign("in_core", watched, space)
  lockBinding("in_core", space)
})
