# Fits that version 0.1 saved (data-raw/fits_0_1.R): they predict as they did, or are refused by
# class with the advice to fit them again; nothing in between.

saved <- readRDS(test_path("_fixtures", "fits_0_1.rds"))

new_rows <- function(name) {
  if (grepl("huber|squared", name)) data.frame(speed = c(3, 12, 20, 26)) else
    iris[c(5, 60, 61, 90, 120, 130), 1:2]
}

# TRUE where an answer was had, FALSE where the object is refused as one of another version.
answered <- function(expression, check) {
  value <- tryCatch(expression, dualmargin_input_error = function(condition) condition)
  if (inherits(value, "dualmargin_input_error")) {
    expect_match(conditionMessage(value), "another version of this package.*fit it again")
    return(FALSE)
  }
  check(value)
  TRUE
}

test_that("fits of version 0.1 predict as they did, and say of their certificates what they said", {
  expect_gte(length(saved$fits), 13L)
  for (name in names(saved$fits)) {
    fit <- saved$fits[[name]]
    told <- saved$answers[[name]]
    rows <- new_rows(name)
    same <- function(expected, tolerance = 1e-12) function(value) {
      expect_equal(value, expected, tolerance = tolerance, label = name)
    }
    known <- answered(predict(fit, rows, type = "score"), same(told$score))
    expect_identical(answered(predict(fit, rows), same(told$response)), known, label = name)
    expect_identical(answered(coef(fit), same(told$coef)), known, label = name)
    expect_identical(answered(certificate(fit), function(value) {
      expect_identical(value$certified, told$certificate$certified, label = name)
      expect_equal(value[c("value", "bound", "tol")], told$certificate[c("value", "bound", "tol")],
                   tolerance = 1e-12, label = name)
    }), known, label = name)
    if (!is.null(told$prob)) {
      expect_identical(answered(predict(fit, rows, type = "prob"), same(told$prob)), known,
                       label = name)
    }
  }
})

test_that("fits of version 0.1 print, and can be summarised, tidied, drawn and asked for a call", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (name in names(saved$fits)) {
    fit <- saved$fits[[name]]
    answered(capture.output(print(fit)), function(lines) {
      expect_match(lines, paste0("<", class(fit)[1L], ">"), fixed = TRUE, all = FALSE)
      expect_match(lines, "certificate", fixed = TRUE, all = FALSE)
    })
    answered(summary(fit), function(value) {
      expect_identical(value$certificate$certified, fit$certificate$certified)
      expect_match(capture.output(print(value)), "On the training rows", fixed = TRUE, all = FALSE)
    })
    answered(generics::glance(fit), function(value) {
      expect_identical(value$value, certificate(fit)$value, label = name)
    })
    answered(fitted(fit), function(value) expect_length(value, length(fit$weights)))
    answered(update(fit, control = margin_control(), evaluate = FALSE), function(value) {
      expect_identical(deparse(value[[1L]]), class(fit)[1L])
    })
    answered(plot(fit, which = "scores"), function(value) expect_s3_class(value, "data.frame"))
  }
})

test_that("update() of a fit of version 0.1 solves the problem that it had", {
  # the data as data-raw/fits_0_1.R names them
  rows <- c(51:62, 101:112)
  two <- droplevels(iris[rows, c(1, 2, 5)])
  three <- iris[c(1:8, 51:58, 101:108), c(1, 2, 5)]
  x <- as.matrix(two[1:2])
  sign <- ifelse(two$Species == "virginica", 1, -1)
  control <- margin_control(seed = 1, progress = FALSE)
  few <- cars[seq(1, 50, 2), ]
  for (name in setdiff(names(saved$fits), "calibrated")) {
    fit <- saved$fits[[name]]
    again <- suppressMessages(suppressWarnings(update(fit)))
    # of perturbed rows: thirty passes over other draws, not certified
    tolerance <- if (name == "augmented") 5e-2 else 1e-5
    expect_equal(again$certificate$value, fit$certificate$value, tolerance = tolerance,
                 label = name)
    # what it is now is written down, so that the next update() changes nothing
    expect_identical(again$version, as.character(packageVersion("dualmargin")))
    problem <- c("intercept", "scale", "loss")
    # of Huber's loss what delta counts is written down, too
    again$settings$loss[c("unit", "found")] <- NULL
    expect_equal(again$settings[problem], fit$settings[problem], label = name)
  }
})

test_that("a Huber fit of version 0.1 says of no unit of the response that it had none", {
  for (name in c("linear_huber", "kernel_huber")) {
    fit <- saved$fits[[name]]
    expect_null(fit$response_scale)
    expect_false(any(grepl("response", capture.output(print(fit)), fixed = TRUE)))
  }
  # which is what response_scale = FALSE still fits
  few <- cars[seq(1, 50, 2), ]
  again <- margin_linear(dist ~ speed, data = few, loss = "huber", lambda = 1 / 25, mixture = 0,
                         intercept = "free", scale = TRUE, response_scale = FALSE,
                         control = margin_control(tol = 1e-10))
  expect_equal(coef(again), coef(saved$fits$linear_huber), tolerance = 1e-4)
  expect_equal(certificate(again)$value, certificate(saved$fits$linear_huber)$value,
               tolerance = 1e-6)
})

test_that("paths of version 0.1 predict as they did, or are refused", {
  for (name in names(saved$paths)) {
    path <- saved$paths[[name]]
    told <- saved$path_answers[[name]]
    known <- answered(predict(path, new_rows(name), type = "score"), function(value) {
      expect_equal(value, told$score, tolerance = 1e-12, label = name)
    })
    expect_identical(answered(certificate(path), function(value) {
      expect_equal(value[c("value", "bound")], told$certificate[c("value", "bound")], label = name)
    }), known, label = name)
    answered(capture.output(print(path)), function(lines) {
      expect_match(lines, "<margin_path>", fixed = TRUE, all = FALSE)
    })
  }
})
