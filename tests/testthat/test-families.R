# families() is the one list that constructors, paths, cross-validation and reports ask.

rows <- families()

test_that("every family has every field, and one that is half added is told by name", {
  expect_identical(missing_fields(rows), character())
  for (family in names(rows)) {
    expect_setequal(names(rows[[family]]), names(family_fields))
    if (!is.null(rows[[family]]$path)) {
      expect_setequal(names(rows[[family]]$path), names(path_fields))
    }
    for (field in names(family_fields)) {
      half <- rows
      half[[family]][field] <- NULL
      expect_identical(missing_fields(half), paste0(family, ": ", field))
    }
    for (field in names(rows[[family]]$path)) {
      half <- rows
      half[[family]]$path <- half[[family]]$path[names(half[[family]]$path) != field]
      expect_identical(missing_fields(half), paste0(family, ": path$", field))
    }
  }
  expect_identical(missing_fields(c(rows, list(new = list(fit = identity)))),
                   paste0("new: ", setdiff(names(family_fields), "fit")))
})

test_that("a path names the call, the rows and the arguments of its family", {
  few <- iris[c(1:20, 51:70), ]
  few$Species <- droplevels(few$Species)
  few$w <- rep(1:2, 20)
  for (family in setdiff(names(path_families()), "linear")) {
    more <- if (family == "augmented") list(rate = c(0, 0.1)) else list()
    along <- rows[[family]]$path$along
    labelled <- rows[[family]]$labelled
    formula <- if (labelled) Species ~ . - w else
      ~ Sepal.Length + Sepal.Width + Petal.Length + Petal.Width
    by_formula <- quietly(do.call(margin_path, c(
      list(formula, data = quote(few), family = family, weights = quote(w),
           subset = quote(w > 0), scale = FALSE, control = margin_control(seed = 1)), more
    )))
    by_name <- quietly(do.call(margin_path, c(
      list(formula = formula, data = few, family = family, weights = quote(w),
           scale = FALSE, control = margin_control(seed = 1)), more
    )))
    by_rows <- quietly(do.call(margin_path, c(
      list(as.matrix(few[1:4])), if (labelled) list(few$Species),
      list(family = family, weights = few$w, scale = FALSE, control = margin_control(seed = 1)),
      more
    )))
    expect_identical(coef(by_formula), coef(by_name), info = family)
    expect_equal(unname(coef(by_formula)), unname(coef(by_rows)), tolerance = 1e-12, info = family)
    expect_identical(by_formula$call[[1L]], quote(margin_path))
    expect_identical(by_formula$call$family, family)
    expect_identical(by_formula$call$weights, quote(w))
    expect_s3_class(by_rows, paste0("margin_path_", family))
    # what `...` takes in is an error of this path
    expect_error(margin_path(Species ~ ., few, family = family, n_lamda = 3),
                 sprintf("not an argument of margin_path(family = \"%s\")", family), fixed = TRUE,
                 class = "dualmargin_input_error")
    expect_error(margin_path(Species ~ ., few, family = family, intercept = "none", TRUE, FALSE, 1,
                             2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17),
                 class = "dualmargin_input_error")
    # the rows are evaluated once
    times <- 0L
    made <- function() {
      times <<- times + 1L
      as.matrix(few[1:4])
    }
    quietly(do.call(margin_path, c(list(quote(made())), if (labelled) list(few$Species),
                                     list(family = family), more)))
    expect_identical(times, 1L)
  }
})

test_that("a formula's call has its arguments by name, in the order of the matrix method", {
  few <- droplevels(iris[c(1:20, 51:70), ])
  few$w <- rep(1:2, 20)
  fit <- margin_hard(Species ~ . - w, few, NULL, "none", solver = "smo", weights = w,
                     subset = w > 0, sca = TRUE)
  expect_identical(fit$call, quote(margin_hard(
    formula = Species ~ . - w, data = few, kernel = NULL, intercept = "none", scale = TRUE,
    weights = w, subset = w > 0, solver = "smo"
  )))
  expect_named_errors("x", margin_hard(Species ~ ., few, x = 3))
  expect_named_errors("...", margin_hard(Species ~ ., few, NULL, "none", FALSE, few$w))
  expect_named_errors("kernal", margin_hard(Species ~ ., few, kernal = NULL))
  expect_named_errors("data", margin_hard(few[1:4], few$Species, data = few))
  expect_named_errors("y", margin_hard(few[1:4]))
})

test_that("every family fits without a variable that is taken out, be it a date", {
  few <- transform(iris[c(1:20, 51:70), ], when = as.Date("2020-01-01") + 1:40,
                   Species = droplevels(Species))
  control <- margin_control(seed = 1)
  for (family in names(rows)) {
    labelled <- rows[[family]]$labelled
    fit_of <- function(formula) {
      quietly(do.call(rows[[family]]$fit, list(formula, quote(few), control = quote(control))))
    }
    kept <- c("Sepal.Length", "Petal.Length")
    plain <- fit_of(if (labelled) Species ~ Sepal.Length + Petal.Length else
      ~ Sepal.Length + Petal.Length)
    all <- fit_of(if (labelled) Species ~ . - when else ~ . - when - Species)
    expect_setequal(all$features, names(iris)[1:4])
    changed <- quietly(update(all, . ~ . - Sepal.Width - Petal.Width))
    expect_identical(changed$features, kept, info = family)
    expect_equal(unname(coef(changed)), unname(coef(plain)), info = family)
    # the date need not be there, and is not judged
    expect_equal(predict(all, few[1:4, 1:4], type = "score"),
                 predict(all, transform(few[1:4, ], when = NA), type = "score"), info = family)
  }
})
