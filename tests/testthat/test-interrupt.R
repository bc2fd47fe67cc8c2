# Ctrl-C in a child R: the prompt is back long before the fit would end, and the next fit is as if
# nothing had been.

# first: what is made before.
expect_interrupted <- function(fit, first = NULL) {
  script <- tempfile(fileext = ".R")
  out <- tempfile()
  go <- tempfile()
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "library(dualmargin)",
    "set.seed(1)",
    "n <- 50000L; x <- matrix(rnorm(n * 40L), n); y <- factor(x[, 1L] + rnorm(n) > 0)",
    "small <- function() coef(margin_linear(x[1:500, ], y[1:500], loss = 'hinge',",
    "                                       control = margin_control(seed = 1)))",
    "before <- small()",
    first,
    sprintf("file.create(%s)", deparse(go)),
    "ended <- tryCatch({",
    sprintf("  for (i in 1:100) %s", fit),
    "  'finished' }, interrupt = function(condition) 'interrupted')",
    "when <- format(as.numeric(Sys.time()), digits = 15)",
    sprintf("writeLines(c(ended, when, identical(before, small())), %s)", deparse(out))
  ), script)
  # What a shell's `&` starts ignores the signal, its children too, and R leaves it at that.
  heed <- c("env", "--default-signal=INT")
  can <- tryCatch(processx::run("env", c(heed[-1L], "true"))$status == 0, error = function(e) FALSE)
  command <- c(if (can) heed, file.path(R.home("bin"), "Rscript"), script)
  child <- processx::process$new(command[1L], command[-1L])
  on.exit(child$kill())
  wait_for <- function(file, seconds) {
    until <- Sys.time() + seconds
    while (!file.exists(file) && Sys.time() < until) Sys.sleep(0.05)
  }
  wait_for(go, 30)
  Sys.sleep(1)
  sent <- as.numeric(Sys.time())
  child$interrupt()
  wait_for(out, 30)
  Sys.sleep(0.2)
  answer <- readLines(out)
  expect_identical(answer[1L], "interrupted")
  expect_lt(as.numeric(answer[2L]) - sent, 10)
  expect_identical(answer[3L], "TRUE")}

test_that("an interrupt ends a fit at once and leaves nothing behind", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("processx")
  expect_interrupted("margin_linear(x, y, loss = 'hinge', lambda = 1e-9, intercept = 'none',
    solver = 'sdca', control = margin_control(tol = 1e-14, max_epochs = 1e6))")
  # at work in several threads
  expect_interrupted("margin_augmented(x, y, perturb_gaussian(0.3), lambda = 1e-9,
    control = margin_control(tol = 1e-14, max_epochs = 1e6, threads = 3))")
})

test_that("an interrupt is heard where a Hessian of many columns is factored", {
  # region/ellipsoid.h does not ask within a factorisation, so that the prompt waits for its end
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("processx")
  expect_interrupted("margin_certain(wide, z, side)", c(
    "z <- matrix(rnorm(1200 * 800), 1200); side <- factor(z[, 1L] + rnorm(1200) > 0)",
    "wide <- margin_linear(z, side, loss = 'logistic', lambda = 0.1)"
  ))
})
