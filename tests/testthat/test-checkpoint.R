# Runs that are ended, and go on from what they left: to the certificate that they would have had.

checkpoint_data <- local({
  set.seed(7)
  n <- 240L
  x <- matrix(rnorm(n * 6L), n, dimnames = list(NULL, letters[1:6]))
  score <- 2 * x[, 1L] - x[, 2L] + rnorm(n)
  list(x = x, sparse = methods::as(Matrix::Matrix(x * (abs(x) > 0.7), sparse = TRUE),
                                   "RsparseMatrix"),
       class = factor(score > 0), response = score, weights = sample(1:3, n, TRUE),
       three = cut(score, c(-Inf, -1, 1, Inf), labels = c("low", "middle", "high")))
})

cut_short <- function(file, ..., max_epochs = 1, minutes = 1e3) {
  margin_control(max_epochs = max_epochs, progress = FALSE,
                 checkpoint = list(file = file, minutes = minutes), ...)
}
on_from <- function(file, ...) {
  margin_control(progress = FALSE, start = file, ...)
}

# fit(control): one that its limit ends, what it left, and the one that goes on; its optimum is that
# of a run without a break.
expect_goes_on <- function(fit, ..., max_epochs = 1, info = NULL) {
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  short <- quiet_fit(fit(cut_short(file, max_epochs = max_epochs, ...)))
  expect_false(all(short$certificate$certified), info = info)
  left <- read_left(file)
  expect_plain(left)
  again <- quiet_fit(fit(on_from(file, ...)))
  whole <- quiet_fit(fit(margin_control(progress = FALSE, ...)))
  expect_true(all(again$certificate$certified), info = info)
  # both intervals hold the optimum
  one <- again$certificate
  other <- whole$certificate
  slack <- 1e-12 * abs(other$value)
  expect_true(all(one$bound <= other$value + slack & other$bound <= one$value + slack), info = info)
  invisible(list(short = short, again = again, whole = whole, left = left))
}
quiet_fit <- function(fit) {
  suppressMessages(suppressWarnings(fit, classes = "dualmargin_not_certified"))
}

# Numbers and words, in lists of them: no functions, environments, fits or data.
expect_plain <- function(value) {
  if (is.list(value)) {
    expect_false(is.object(value))
    for (part in value) expect_plain(part)
  } else {
    expect_true(is.null(value) || ((is.numeric(value) || is.character(value)) && !is.object(value)))
  }
}

test_that("every family that takes a start goes on from a checkpoint", {
  d <- checkpoint_data
  linear <- function(...) function(control) margin_linear(d$x, ..., control = control)
  expect_goes_on(linear(d$class, loss = "hinge", lambda = 1e-3, weights = d$weights), seed = 1)
  expect_goes_on(linear(d$class, loss = "logistic", lambda = 1e-4, mixture = 0.5,
                        solver = "fista"), seed = 1)
  expect_goes_on(linear(d$response, loss = "quantile", lambda = 1e-3, intercept = "penalized"),
                 seed = 1)
  expect_goes_on(function(control) {
    margin_linear(d$sparse, d$class, loss = "squared_hinge", lambda = 1e-3, solver = "dual_cd",
                  control = control)
  }, seed = 1)
  kernel <- function(...) function(control) margin_kernel(d$x, ..., control = control)
  expect_goes_on(kernel(d$class, kernel_rbf(0.3), lambda = 1e-4, intercept = "free"), seed = 1)
  expect_goes_on(kernel(d$response, kernel_rbf(0.3), lambda = 1e-4, loss = "absolute"), seed = 1)
  robust <- function(...) function(control) margin_robust(d$x, d$class, ..., control = control)
  expect_goes_on(robust(radius = 0.05, norm = "l2", solver = "pdhg"), seed = 1, tol = 1e-3)
  expect_goes_on(robust(radius = 0.05, ridge = 0.01, label_cost = 2), seed = 1)
  augmented <- function(...) function(control) {
    margin_augmented(d$x, d$class, ..., lambda = 0.1, control = control)
  }
  expect_goes_on(augmented(perturb_gaussian(0.3), loss = "logistic"), seed = 1, max_epochs = 2)
  expect_goes_on(augmented(perturb_dropout(0.2), loss = "logistic", solver = "smiso"), seed = 1,
                 max_epochs = 2, tol = 1e-3)
  one <- expect_goes_on(function(control) {
    margin_oneclass(d$x, nu = 0.3, kernel = kernel_rbf(0.3), weights = d$weights, control = control)
  }, tol = 1e-8)
  expect_lt(one$again$status$epochs, one$whole$status$epochs)
})

# Certified, and not from the beginning: no step of dual ascent is below the bound that was left, while the
# value that was left may be of an earlier point than its dual variables.
expect_began_there <- function(again, left) {
  expect_true(again$certificate$certified)
  expect_lte(left$bound, again$certificate$value)
  expect_lte(again$certificate$bound, left$value)
  expect_lte(left$bound, again$trace$bound[1L] + 1e-12 * left$value)
}

# A run that ends when it is stopped, by steps that are short but steady.
long_run <- c(
  "set.seed(1); n <- 1e5; x <- matrix(rnorm(n * 20), n); y <- factor(x[, 1L] + rnorm(n) > 0)",
  "fit <- function(control) margin_linear(x, y, loss = 'squared_hinge', lambda = 1e-5,",
  "  intercept = 'none', solver = 'dual_cd', control = control)"
)

test_that("a limit on seconds leaves a checkpoint", {
  file <- tempfile()
  on.exit(unlink(file))
  fit <- function(control) {
    margin_linear(checkpoint_data$x, checkpoint_data$class, loss = "squared_hinge", lambda = 1e-2,
                  intercept = "none", solver = "dual_cd", control = control)
  }
  late <- counting_looks(quiet_fit(fit(cut_short(file, max_epochs = 1e9, max_seconds = 10,
                                                 tol = 1e-15, seed = 1))))
  expect_identical(late$status$status, "max_seconds")
  left <- read_left(file)$points[[1L]]
  expect_lte(left$value, late$certificate$value * (1 + 1e-12))
  expect_lte(late$certificate$bound, left$bound + 1e-12 * left$value)
  expect_began_there(fit(on_from(file, seed = 1, tol = 1e-3)), left)
})

test_that("a fit of rows in a file goes on, by its own checkpoint alone", {
  d <- checkpoint_data
  rows <- disk_rows(d$x, d$class, d$weights)
  three <- disk_rows(d$sparse, d$three)
  file <- tempfile()
  on.exit(unlink(c(rows$path, three$path, file)))
  expect_goes_on(function(control) {
    margin_linear(rows, loss = "hinge", lambda = 1e-4, control = control)
  }, seed = 1)
  expect_goes_on(function(control) {
    margin_linear(three, loss = "logistic", lambda = 1e-4, multiclass = "softmax",
                  control = control)
  }, seed = 1)
  quiet_fit(margin_linear(rows, lambda = 1e-4, loss = "hinge", control = cut_short(file)))
  expect_error(margin_linear(three, lambda = 1e-4, loss = "hinge", control = on_from(file)),
               "other rows", class = "dualmargin_input_error")
})

test_that("a run writes on its way, and what it has left is taken up after it was killed", {
  skip_without_child()
  world <- new.env()
  eval(parse(text = long_run), world)
  files <- c(tempfile(), tempfile())
  child <- start_child(c(long_run, sprintf(paste(sep = "\n",
    "cat('run %d\n')",
    "tryCatch(fit(margin_control(tol = 1e-15, max_epochs = 1e9, seed = 1, stall = FALSE,",
    "                            progress = TRUE, checkpoint = list(file = %s, minutes = %s))),",
    "         interrupt = function(condition) cat('ended\n'))"
  ), 1:2, vapply(files, deparse, ""), c("1e3", "1e-3"))))
  on.exit({
    child$process$kill()
    unlink(files)
  })
  taken_up <- function(file) {
    left <- read_left(file)$points[[1L]]
    expect_began_there(world$fit(on_from(file, tol = 0.2, seed = 1)), left)
  }
  # Ctrl-C, long before a file is due
  expect_says(child, "updated", "run 1")
  expect_false(file.exists(files[1L]))
  child$process$interrupt()
  expect_says(child, "^ended", "run 1")
  taken_up(files[1L])
  # on its way
  expect_true(wait_until(function() file.exists(files[2L]), child$process$is_alive))
  child$process$signal(9L)
  expect_true(wait_until(function() !child$process$is_alive()))
  taken_up(files[2L])
})

test_that("an error in a function of the user's leaves a checkpoint", {
  d <- checkpoint_data
  file <- tempfile()
  on.exit(unlink(file))
  calls <- 0
  rough <- function(values, u) {
    calls <<- calls + 1
    if (calls > 40) stop("the disk is gone")
    values + 0.1 * (u - 0.5)
  }
  expect_error(
    margin_augmented(d$x, d$class, perturb_custom(rough), loss = "logistic", lambda = 0.01,
                     control = cut_short(file, max_epochs = 1000, seed = 1, tol = 1e-9)),
    "the disk is gone"
  )
  expect_length(read_left(file)$points[[1L]]$coefficients, 6L)
})

test_that("a checkpoint of another problem is refused, by what is other about it", {
  d <- checkpoint_data
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  fit <- function(x = d$x, y = d$class, loss = "hinge", lambda = 1e-3, ..., control) {
    margin_linear(x, y, loss = loss, lambda = lambda, ..., control = control)
  }
  quiet_fit(fit(control = cut_short(file, seed = 1)))
  refused <- function(expression, said) {
    error <- tryCatch(expression, error = identity)
    expect_s3_class(error, "dualmargin_input_error")
    expect_match(conditionMessage(error), said)
    expect_match(conditionMessage(error), basename(file), fixed = TRUE)
  }
  on <- on_from(file, seed = 1)
  refused(fit(x = d$x + 1e-9, control = on), "other rows")
  refused(fit(x = d$sparse, control = on), "other rows")
  refused(fit(y = rev(d$class), control = on), "another response")
  refused(fit(weights = d$weights, control = on), "other weights")
  refused(fit(lambda = 1e-4, control = on), "another `lambda` \\(0.001\\)")
  refused(fit(loss = "logistic", control = on), "another `loss` \\(hinge\\)")
  refused(fit(intercept = "none", control = on), "another `intercept`")
  refused(margin_robust(d$x, d$class, radius = 0.1, control = on), "of margin_linear()")
  # other limits are no other problem
  expect_true(fit(control = on_from(file, seed = 9, tol = 1e-8, threads = 1))$certificate$certified)

  saveRDS(1:3, file)
  refused(fit(control = on), "is no checkpoint of this version of the package")
  unlink(file)
  refused(fit(control = on), "is not there")
})

test_that("a checkpoint with any bit flipped, cut off or made longer is an error, and stays", {
  d <- checkpoint_data
  file <- tempfile()
  on.exit(unlink(file))
  fit <- function(control) {
    margin_linear(d$x, d$class, loss = "hinge", lambda = 1e-3, control = control)
  }
  quiet_fit(fit(cut_short(file, seed = 1)))
  bytes <- readBin(file, raw(), file.size(file))
  start <- margin_control(start = file)
  onward <- margin_control(checkpoint = file)
  set.seed(2)
  flips <- lapply(seq_along(bytes), function(k) {
    replace(bytes, k, xor(bytes[k], as.raw(2^sample(0:7, 1L))))
  })
  cuts <- lapply(c(0:40, length(bytes) - 0:40, sample(length(bytes), 40L)), function(k) {
    utils::head(bytes, k)
  })
  damaged <- c(flips, Filter(function(b) length(b) < length(bytes), cuts),
               list(c(bytes, as.raw(0)), c(bytes, bytes), as.raw(1:200)))
  messages <- vapply(damaged, function(bytes) {
    writeBin(bytes, file)
    # both readers, which are one
    errors <- list(error_of(read_left(file)),
                   error_of(assert_place(onward$checkpoint$file)))
    classed <- vapply(errors, inherits, NA, "dualmargin_input_error")
    if (all(classed)) conditionMessage(errors[[1L]]) else "no error of ours"
  }, "")
  expect_match(messages, "is damaged or cut off|is no checkpoint of this version")
  expect_match(messages, basename(file), fixed = TRUE)
  for (bytes in c(damaged[c(60L, length(bytes))], list(raw(), utils::head(bytes, -1L)))) {
    writeBin(bytes, file)
    expect_s3_class(error_of(fit(start)), "dualmargin_input_error")
    expect_input_error(fit(onward), "checkpoint", "no checkpoint that can be read")
    expect_identical(readBin(file, raw(), 1e6), bytes)
  }
})

test_that("a checkpoint that cannot be written does not end the run", {
  folder <- tempfile()
  dir.create(folder)
  d <- checkpoint_data
  file <- file.path(folder, "run.rds")
  checkpoint <- file
  gone <- function(values, u) {
    unlink(folder, recursive = TRUE)
    values
  }
  expect_warning(
    suppressWarnings(
      margin_augmented(d$x, d$class, perturb_custom(gone), loss = "logistic", lambda = 0.01,
                       control = margin_control(max_epochs = 1, seed = 1, checkpoint = checkpoint)),
      classes = "dualmargin_not_certified"
    ), "could not be written", class = "dualmargin_checkpoint_failed"
  )
})

test_that("what takes no checkpoint says so", {
  d <- checkpoint_data
  file <- tempfile()
  both <- list(cut_short(file), margin_control(start = file))
  for (control in both) {
    calls <- list(
      quote(margin_path(d$x, d$class, control = control)),
      quote(margin_cv(d$x, d$class, control = control)),
      quote(margin_cv(d$x, d$class, prove = TRUE, control = control)),
      quote(margin_cv(d$x, d$class, control = control, outer = 10)),
      quote(spec_margin("linear", control = control)),
      quote(compare_solvers(d$x, d$class, lambda = 1, control = control)),
      quote(margin_hard(d$x, d$class, control = control))
    )
    for (call in calls) {
      expect_error(suppressMessages(eval(call)), "neither writes nor starts",
                   class = "dualmargin_input_error", info = deparse(call))
    }
  }
  expect_false(file.exists(file))
  expect_error(margin_control(start = file.path(tempfile(), "run")), "folder",
               class = "dualmargin_input_error")
  expect_input_error(margin_control(checkpoint = 1), "checkpoint", "name of one file")
  expect_input_error(margin_control(checkpoint = list(file = file, minutes = 0)), "minutes", "`minutes` is 0")
  expect_input_error(margin_control(checkpoint = list(file, 1)), "checkpoint", "list(file = ")
  expect_output(print(margin_control(checkpoint = file)), basename(file), fixed = TRUE)
})
