# gap = value - bound in every kind of certificate, wherever it is told; numbers that are printed
# are possible ones.

quick <- function(...) margin_control(seed = 1, ...)
few_rows <- iris[seq(1, 150, by = 3), ]
two <- iris$Species[1:100]
# of 12 columns, whose masks are too many to be summed
many <- with(iris[1:100, ], cbind(as.matrix(iris[1:100, 1:4]), outer(Sepal.Length, 1:4, `^`) / 50,
                                  outer(Petal.Length, 1:4, `^`) / 50))
fits <- local({
  linear <- function(...) {
    margin_linear(Species ~ ., few_rows, loss = "logistic", lambda = 0.01, intercept = "free",
                  scale = TRUE, ...)
  }
  kernel <- function(y = two, ...) {
    margin_kernel(as.matrix(iris[seq_along(y), 1:4]), y, kernel = kernel_rbf(0.5), lambda = 0.01,
                  intercept = "none", scale = TRUE, ...)
  }
  augmented <- function(perturbation, ..., x = as.matrix(iris[1:100, 1:4])) {
    margin_augmented(x, two, perturbation, loss = "logistic",
                     intercept = "none", center = FALSE, scale = TRUE, ...)
  }
  robust <- function(...) {
    margin_robust(as.matrix(iris[1:100, 1:4]), two, intercept = "none", scale = TRUE, ...)
  }
  suppressWarnings(list(
    linear = linear(), lasso = linear(mixture = 1), unfinished = linear(
      solver = "dual_cd", control = quick(max_epochs = 2)
    ),
    regression = margin_linear(mpg ~ ., mtcars, loss = "huber", lambda = 0.1, intercept = "free",
                               scale = TRUE),
    kernel = kernel(loss = "logistic"), softmax = kernel(iris$Species, loss = "logistic"),
    landmarks = kernel(loss = "hinge", nystrom = 10, control = quick()),
    exact = augmented(perturb_gaussian(0.3), lambda = 0.01),
    unperturbed = augmented(new_perturbation(), lambda = 0.01),
    masks = augmented(perturb_dropout(0.2), lambda = 0.1, control = quick()),
    sampled = augmented(perturb_dropout(0.2), x = many, lambda = 0.1, control = quick()),
    sampled_l1 = augmented(perturb_dropout(0.2), x = many, lambda = 0.1, mixture = 0.5,
                           control = quick()),
    vague = augmented(perturb_dropout(0.3), x = many, lambda = 1e-6,
                      control = quick(max_epochs = 2)),
    robust = robust(radius = 0.1), free_norm = robust(radius = 0, ridge = 0, label_cost = Inf),
    hard = margin_hard(as.matrix(iris[1:100, 1:4]), two, intercept = "none", scale = FALSE),
    hard_kernel = margin_hard(as.matrix(iris[1:100, 1:4]), two, kernel = kernel_rbf(1),
                              intercept = "none", scale = FALSE),
    oneclass = margin_oneclass(as.matrix(iris[1:100, 1:4]), nu = 0.2, kernel = kernel_rbf(0.5)),
    overlap = margin_hard(as.matrix(iris[51:150, 1:2]), iris$Species[51:150, drop = TRUE],
                          intercept = "none", scale = FALSE)
  ))
})

# Where 0 is the bound of an augmented fit, which has no rounding, the gap holds that of the value.
allowed <- function(table, size) {
  4 * .Machine$double.eps * size + ifelse(table$bound == 0 & table$gap >= table$value,
                                          1e-9 * size, 0)
}

expect_difference <- function(table, kind, label) {
  gap <- if (kind == "margin interval") table$bound - table$value else table$value - table$bound
  both <- is.finite(table$value) & is.finite(table$bound)
  size <- pmax(abs(table$value), abs(table$bound))
  expect_true(all(abs(gap - table$gap)[both] <= allowed(table, size)[both]), label = label)
  expect_true(all(is.infinite(table$gap[!both])), label = label)
}

test_that("the fits are of every family and of every kind of certificate", {
  families <- unique(vapply(fits, function(fit) class(fit)[1L], ""))
  expect_setequal(families, paste0("margin_", family_names()))
  kinds <- unique(unlist(lapply(fits, function(fit) fit$certificate$kind)))
  for (kind in c("^duality gap$", "^duality gap \\(Nystrom", "^gradient bound$",
                 "^confidence bound$", "^margin interval$", "^duality gap of one class$")) {
    expect_true(any(grepl(kind, kinds)), label = kind)
  }
})

for (name in names(fits)) {
  test_that(paste("the gap is the difference of value and bound:", name), {
    fit <- fits[[name]]
    kind <- fit$certificate$kind[1L]
    expect_difference(certificate(fit, by = "class"), kind, "certificate()")
    expect_difference(glance(fit), kind, "glance()")
    expect_difference(convergence(fit), kind, "convergence()")
    row <- certificate(fit)
    expect_identical(as.list(glance(fit)[c("value", "bound", "gap", "relative_gap", "certified")]),
                     as.list(row[c("value", "bound", "gap", "relative_gap", "certified")]))
    expect_identical(fit$certificate$certified, fit$status$status == "certified")
    if (row$certified) expect_lte(row$relative_gap, row$tol)
  })

  test_that(paste("what is printed is possible, and fits together:", name), {
    fit <- fits[[name]]
    for (text in list(capture.output(print(fit)), capture.output(print(summary(fit))))) {
      line <- regmatches(text, regexec("value (\\S+), bound (\\S+), gap (\\S+)$", text))
      line <- as.numeric(Filter(length, line)[[1L]][2:4])
      maximum <- fit$certificate$kind[1L] == "margin interval"
      expect_gte(line[3L], 0)
      if (!maximum && name != "oneclass") expect_gte(line[2L], 0)
      if (all(is.finite(line))) {
        difference <- if (maximum) line[2L] - line[1L] else line[1L] - line[2L]
        # printed: the gap with three digits, the others with up to ten
        expect_lte(abs(difference - line[3L]), 0.12 * line[3L] + 1e-9 * abs(line[1L]))
      }
      higher <- regmatches(text, regexec("lower than the value by up to (\\S+?),?( |$)", text))
      higher <- Filter(length, higher)
      if (length(higher) > 0L) {
        expect_lte(as.numeric(sub(",", "", higher[[1L]][2L])), line[1L] * 1.01)
      }
    }
  })
}

test_that("a path tells the same difference at every point", {
  for (family in c("linear", "kernel", "robust", "augmented")) {
    path <- suppressWarnings(switch(
      family,
      augmented = margin_path(as.matrix(iris[1:100, 1:4]), two, family = family,
                              rate = c(0.1, 0.3), lambda = 0.1, scale = TRUE,
                              intercept = "none", control = quick()),
      robust = margin_path(as.matrix(iris[1:100, 1:4]), two, family = family,
                           radius = c(0.1, 1), scale = TRUE, intercept = "none"),
      margin_path(as.matrix(iris[1:100, 1:4]), two, family = family, lambda = c(0.1, 0.01),
                  loss = "logistic", scale = TRUE, intercept = "none")
    ))
    expect_difference(certificate(path), "duality gap", family)
  }
})

test_that("gaps and bounds that rounding made negative are printed as 0, and kept", {
  fit <- fits$vague
  expect_gte(fit$certificate$bound, 0)
  fit$certificate$bound <- -1e5
  fit$certificate$gap <- fit$certificate$value + 1e5
  text <- paste(capture.output(print(fit)), collapse = " ")
  expect_match(text, "bound 0[., ]")
  expect_false(grepl("-[0-9]", sub("e-[0-9]+", "", text)))
})
