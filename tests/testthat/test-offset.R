# An offset is added to the decision value of its row: certificates recomputed from the definitions,
# other fits of the same problem, and all that a fit with one is asked.

n <- 90L
set.seed(5)
x <- matrix(rnorm(n * 4L), n) %*% diag(c(0.5, 1, 2, 4))
colnames(x) <- paste0("x", 1:4)
o <- drop(x %*% c(1, -1, 0.5, 0)) + rnorm(n)
score <- x[, 1L] + o + rnorm(n)
class <- factor(ifelse(score > 0, "yes", "no"))
number <- 3 + 2 * x[, 2L] + o + rnorm(n)
w <- rep(c(1, 2, 0.5), length.out = n)
d <- data.frame(x, o, class, number, w)
tight <- margin_control(tol = 1e-10)

test_that("the optimum is that of a general optimiser, and of glm() as the penalty goes", {
  y <- 2 * (class == "yes") - 1
  fit <- margin_linear(x, class, lambda = 0.1, scale = FALSE, offset = o, control = tight)
  objective <- function(v) {
    mean(log1p(exp(-y * (drop(x %*% v[-1L]) + v[1L] + o)))) + 0.05 * sum(v[-1L]^2)
  }
  found <- stats::optim(numeric(5L), objective, method = "BFGS",
                        control = list(reltol = 1e-15, maxit = 1000))
  expect_equal(unname(coef(fit)), found$par, tolerance = 1e-4)
  expect_lte(fit$certificate$value, found$value + 1e-10)
  faint <- margin_linear(class ~ x1 + x2 + x3 + x4 + offset(o), d, lambda = 1e-10, control = tight)
  free <- stats::glm(class ~ x1 + x2 + x3 + x4 + offset(o), d, family = stats::binomial())
  expect_equal(coef(faint), coef(free), tolerance = 1e-5)
  expect_equal(unname(predict(faint, d, type = "score")), unname(predict(free, d)),
               tolerance = 1e-5)
})

test_that("new rows of a matrix want theirs, by name", {
  fit <- margin_linear(x, class, lambda = 0.02, offset = o)
  expect_equal(unname(predict(fit, x, newoffset = o, type = "score")), unname(fit$scores))
  expect_equal(unname(predict(fit, x, newoffset = o + 1, type = "score")), unname(fit$scores) + 1)
  expect_true(is.na(predict(fit, x, newoffset = replace(o, 2L, NA), type = "score")[2L]))
  plain <- margin_linear(x, class, lambda = 0.02)
  expect_named_errors(
    "newoffset",
    predict(fit, x), predict(fit, x, newoffset = o[-1L]), predict(fit, x, newoffset = "a"),
    predict(fit, x, newoffset = replace(o, 1L, Inf)), predict(fit, newoffset = o),
    predict(plain, x, newoffset = o), margin_performance(fit, x, y = class)
  )
  path <- margin_path(x, class, lambda = c(0.1, 0.02), offset = o)
  expect_equal(unname(predict(path, x, newoffset = o, type = "score")[, 2L]), unname(fit$scores),
               tolerance = 1e-3)
  expect_named_errors("newoffset", predict(path, x))
  file <- tempfile(fileext = ".rows")
  write_rows(x, file, y = class)
  expect_equal(unname(predict(fit, read_rows(file), newoffset = o, type = "score")),
               unname(fit$scores), tolerance = 1e-10)
  expect_named_errors("newoffset", predict(fit, read_rows(file)))
  expect_named_errors("offset", margin_linear(read_rows(file), offset = o))
})

test_that("paths, folds, nested folds, calibration and updates carry it", {
  path <- margin_path(class ~ x1 + x2 + offset(o), d, n_lambda = 5)
  one <- margin_linear(class ~ x1 + x2 + offset(o), d, lambda = path$lambda[3L])
  expect_equal(coef(path)[, 3L], coef(one), tolerance = 1e-2)
  folds <- rep(1:3, length.out = n)
  cv <- margin_cv(class ~ x1 + x2 + offset(o), d, grid = list(lambda = 0.05), folds = folds,
                  metric = "log_loss")
  by_hand <- vapply(1:3, function(k) {
    fit <- margin_linear(class ~ x1 + x2 + offset(o), d[folds != k, ], lambda = 0.05)
    p <- predict(fit, d[folds == k, ], type = "prob")[, "yes"]
    -mean(log(ifelse(d$class[folds == k] == "yes", p, 1 - p)))
  }, 0)
  expect_equal(cv$results$score, by_hand, tolerance = 1e-4)
  same <- margin_cv(x[, 1:2], class, grid = list(lambda = 0.05), folds = folds, offset = o,
                    metric = "log_loss")
  expect_equal(same$results$score, cv$results$score, tolerance = 1e-4)
  chosen <- refit(cv)
  expect_equal(coef(chosen), coef(margin_linear(class ~ x1 + x2 + offset(o), d, lambda = 0.05)))
  nested <- margin_cv(x[, 1:2], class, grid = list(lambda = c(0.05, 0.5)), outer = folds,
                          folds = 2, offset = o, metric = "log_loss", seed = 1)
  expect_true(all(nested$results$score < log(2) + 0.5))
  calibrated <- margin_calibrate(one, d, folds = folds)
  held <- calibrated$calibration$held_out
  fit <- margin_linear(class ~ x1 + x2 + offset(o), d[folds != 1, ], lambda = path$lambda[3L])
  expect_equal(held$score[held$fold == 1],
               unname(predict(fit, d[folds == 1, ], type = "score")), tolerance = 1e-3)
  of_matrix <- margin_linear(x, class, lambda = 0.02, offset = o)
  expect_s3_class(margin_calibrate(of_matrix, x, class, folds = folds), "margin_fit")
  expect_equal(coef(update(of_matrix, lambda = 0.1)),
               coef(margin_linear(x, class, lambda = 0.1, offset = o)))
  expect_equal(nrow(augment(one, newdata = d)), n)
  expect_match(paste(capture.output(print(one)), collapse = "\n"), "offset")
})

test_that("rows are judged with their offset, given beside x and y as in a formula", {
  of_matrix <- margin_linear(x[, 1:2], class, lambda = 0.05, offset = o)
  of_formula <- margin_linear(class ~ x1 + x2 + offset(o), d, lambda = 0.05)
  new <- rev(seq_len(n))[-(1:5)]
  frame <- d[new, ]
  frame$o <- frame$o + seq_along(new) / 50
  rows <- x[new, 1:2]
  labels <- class[new]
  same <- function(one, two) expect_equal(one, two, tolerance = 1e-3)
  judged <- margin_performance(of_matrix, rows, y = labels, newoffset = frame$o)
  expect_gt(max(abs(judged$metrics$value - margin_performance(
    of_matrix, rows, y = labels, newoffset = o[new]
  )$metrics$value)), 1e-3)
  same(judged$metrics, margin_performance(of_formula, frame)$metrics)
  gaps <- replace(frame$o, 3L, NA)
  expect_identical(margin_performance(of_matrix, rows, y = labels, newoffset = gaps)$missing, 1L)
  same(margin_threshold(of_matrix, rows, labels, rows = "validation",
                        newoffset = frame$o)$threshold$value,
       margin_threshold(of_formula, frame, rows = "validation")$threshold$value)
  judged <- function(...) held_out(..., draws = 0)$estimate
  same(judged(of_matrix, list(x = rows, y = labels), frame$o), judged(of_formula, frame))
  same(augment(of_matrix, newdata = rows, newoffset = frame$o)$.score,
       augment(of_formula, newdata = frame)$.score)
  # what is missing can be given to the function that says so
  expect_named_errors(
    "newoffset",
    margin_performance(of_matrix, rows, y = labels),
    margin_performance(of_matrix, rows, y = labels, newoffset = 1),
    margin_performance(of_formula, frame, newoffset = frame$o),
    margin_threshold(of_matrix, rows, labels, rows = "validation"),
    margin_threshold(of_matrix, x[, 1:2], class, newoffset = o),
    margin_report(of_matrix, test = list(x = rows, y = labels)),
    margin_report(of_matrix, newoffset = frame$o), augment(of_matrix, newdata = rows)
  )
  expect_named_errors("which", on_null_device(plot(of_matrix, "boundary", data = rows)))
})

test_that("what is not derived for it is refused by name", {
  fit <- margin_linear(class ~ x1 + x2 + offset(o), d, lambda = 0.05)
  refused <- function(expression) {
    condition <- expect_error(expression, class = "dualmargin_input_error")
    expect_match(conditionMessage(condition), "offset")
  }
  refused(margin_certain(fit, d))
  refused(margin_loo(fit, d))
  refused(margin_conformal(fit, d))
  refused(margin_kernel(class ~ x1 + offset(o), d))
  refused(margin_robust(class ~ x1 + offset(o), d))
  refused(margin_hard(class ~ x1 + offset(o), d))
  refused(margin_cv(class ~ x1 + offset(o), d, family = "kernel"))
  refused(margin_cv(class ~ x1 + offset(o), d, prove = TRUE))
  specs <- list(a = spec_margin(), b = spec_margin())
  refused(margin_compare(class ~ x1 + offset(o), d, specs = specs))
  refused(margin_linear(Species ~ Petal.Width + offset(Sepal.Width), iris))
  refused(margin_cv(Species ~ Petal.Width + offset(Sepal.Width), iris, folds = 2))
  refused(margin_linear(class ~ x1, d, offset = o))
})

test_that("bad offsets are errors that name them", {
  expect_named_errors(
    "offset",
    margin_linear(x, class, offset = 1), margin_linear(x, class, offset = "a"),
    margin_linear(x, class, offset = replace(o, 4L, NA)),
    margin_linear(x, class, offset = replace(o, 4L, Inf)),
    margin_linear(x, class, offset = factor(o)), margin_linear(x, class, offset = cbind(o, o)),
    margin_linear(x, class, offset = replace(o, 1L, 1e200)),
    margin_path(x, class, offset = 1), margin_cv(x, class, offset = 1)
  )
  expect_named_errors("formula", margin_linear(class ~ x1 + offset(class), d))
})
