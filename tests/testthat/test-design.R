# From what the user has to what the core takes, and the same way again for new rows.

d <- data.frame(
  y = factor(rep(c("n", "p"), 20)),
  f = gl(4, 10, labels = c("u", "v", "w", "x")),
  o = factor(rep(1:4, 10), ordered = TRUE),
  z = sin(1:40), k = rep(1:5, 8),
  ch = rep(c("r", "s", "t", "r"), 10), l = rep(c(TRUE, FALSE, FALSE, TRUE), 10)
)
numbers <- as.matrix(d[c("z", "k")])

quietly <- function(expr) suppressMessages(expr, classes = "dualmargin_message")

test_that("every class of package Matrix becomes the same numbers, sparse staying sparse", {
  set.seed(2)
  a <- Matrix::rsparsematrix(5, 5, 0.5)
  dimnames(a) <- list(letters[1:5], LETTERS[1:5])
  square <- Matrix::forceSymmetric(a)
  upper <- Matrix::triu(a)
  # A triplet may come twice: numbers add up, a pattern stays TRUE.
  twice <- list(i = c(0L, 0L, 3L), j = c(1L, 1L, 2L), Dim = c(5L, 5L))
  sparse <- list(
    dgCMatrix = a, dgRMatrix = as(a, "RsparseMatrix"), dgTMatrix = as(a, "TsparseMatrix"),
    dgTMatrix = do.call(new, c("dgTMatrix", twice, list(x = c(1, 2, 3)))),
    dsCMatrix = square, dsRMatrix = as(square, "RsparseMatrix"), dtCMatrix = upper,
    dtTMatrix = as(upper, "TsparseMatrix"),
    dtCMatrix = new("dtCMatrix", p = integer(6), Dim = c(5L, 5L), diag = "U"),
    ddiMatrix = Matrix::Diagonal(5), ddiMatrix = Matrix::Diagonal(5, 1:5), lgCMatrix = a > 0,
    lgTMatrix = do.call(new, c("lgTMatrix", twice, list(x = c(TRUE, TRUE, FALSE)))),
    ngCMatrix = as(a, "nMatrix"), ngTMatrix = do.call(new, c("ngTMatrix", twice)),
    pMatrix = as(c(2L, 1L, 3L, 5L, 4L), "pMatrix"),
    indMatrix = as(c(2L, 1L, 3L, 3L, 4L), "indMatrix")
  )
  plain <- matrix(cos(1:25), 5)
  dense <- list(
    dgeMatrix = as(plain, "denseMatrix"), dsyMatrix = as(crossprod(plain), "denseMatrix"),
    dtrMatrix = as(upper, "denseMatrix"), lgeMatrix = as(plain > 0, "denseMatrix"),
    dpoMatrix = as(as(crossprod(plain) + diag(5), "denseMatrix"), "dpoMatrix")
  )
  for (x in c(sparse, dense)) {
    expect_silent(taken <- core_matrix(x))
    expect_identical(as.matrix(taken) + 0, as.matrix(x) + 0, info = class(x))
  }
  for (name in names(sparse)) {
    taken <- core_matrix(sparse[[name]])
    expect_identical(class(sparse[[name]])[1], name)
    expect_identical(class(taken)[1], if (name == "dgRMatrix") name else "dgCMatrix", info = name)
  }
  for (x in dense) {
    expect_true(is.matrix(core_matrix(x)))
  }
})

test_that("no names, some names", {
  expect_named(coef(margin_linear(unname(numbers), d$y, loss = "smooth_hinge")),
               c("(Intercept)", "V1", "V2"))
  expect_named(coef(margin_linear(cbind(1:40, z = d$z), d$y, loss = "smooth_hinge")),
               c("(Intercept)", "V1", "z"))
})

test_that("contrasts that are no list, or of an unknown name, are said to be", {
  for (wrong in list("contr.sum", list("contr.sum"), list(f = "contr.foo"), list(f = c("a", "b")))) {
    expect_input_error(margin_linear(y ~ f + z, d, contrasts = wrong, loss = "smooth_hinge"),
                       "contrasts", "contr.sum")
  }
  expect_input_error(margin_linear(y ~ f + z, d, contrasts = list(z = "contr.sum"), loss = "smooth_hinge"),
                     "contrasts", "no factor")
})

test_that("the formula method follows lm: weights, subset, na.action, contrasts, - 1", {
  d$w <- rep(c(1, 2, 0, 1), 10)
  plain <- margin_linear(y ~ z + k, d[d$k > 1, ], weights = w, loss = "smooth_hinge")
  expect_equal(coef(margin_linear(y ~ z + k, d, weights = w, subset = k > 1,
                                  loss = "smooth_hinge")), coef(plain))
  expect_identical(plain$weights, d$w[d$k > 1])
  holes <- d
  holes$z[3:4] <- NA
  expect_equal(coef(margin_linear(y ~ z + k, holes, loss = "smooth_hinge")),
               coef(margin_linear(y ~ z + k, d[-(3:4), ], loss = "smooth_hinge")))
  kept <- margin_linear(y ~ z + k, holes, na.action = na.exclude, loss = "smooth_hinge")
  expect_s3_class(kept$na.action, "exclude")
  expect_identical(as.vector(kept$na.action), 3:4)
  sums <- margin_linear(y ~ f + z, d, contrasts = list(f = "contr.sum"), loss = "smooth_hinge")
  expect_identical(sums$contrasts$f, "contr.sum")
  expect_identical(sums$xlevels$f, levels(d$f))
  expect_named(coef(sums), c("(Intercept)", "f1", "f2", "f3", "z"))
  without <- margin_linear(y ~ f + z - 1, d, loss = "smooth_hinge")
  expect_named(coef(without), c("fu", "fv", "fw", "fx", "z"))
  expect_identical(without$settings$intercept, "none")
  expect_identical(coef(margin_linear(y ~ 0 + f + z, d, intercept = "none", loss = "smooth_hinge")),
                   coef(without))
})

test_that("a formula of polynomials and matrices is coded alike, dense and sparse", {
  dense <- margin_linear(y ~ poly(z, 2) + numbers + f:z, d, loss = "smooth_hinge")
  sparse <- margin_linear(y ~ poly(z, 2) + numbers + f:z, d, sparse = TRUE, loss = "smooth_hinge")
  expect_identical(dense$features, sparse$features)
  expect_equal(coef(dense), coef(sparse), tolerance = 1e-4)
})

test_that("what is done with labels unasked is said", {
  expect_message(margin_linear(numbers, as.character(d$y), loss = "smooth_hinge"),
                 class = "dualmargin_message")
  expect_told("design", "labels", {
    fit <- margin_linear(numbers, as.character(d$y), loss = "smooth_hinge")
    fit <- margin_linear(numbers, factor(d$y, levels = c("p", "absent", "n")),
                         loss = "smooth_hinge")
  })
  expect_identical(fit$levels, c("p", "n"))
  # Not as the locale sorts: "B" before "a", everywhere.
  mixed <- quietly(margin_linear(numbers, ifelse(d$y == "p", "B", "a"), loss = "smooth_hinge"))
  expect_identical(mixed$levels, c("B", "a"))
})

test_that("squared loss: numbers are a regression, a factor is a classification", {
  regression <- margin_linear(numbers, d$z + 2 * d$k, loss = "squared", lambda = 1e-9)
  expect_identical(regression$task, "regression")
  expect_null(regression$levels)
  expect_equal(coef(regression), c("(Intercept)" = 0, z = 1, k = 2), tolerance = 1e-3)
  expect_identical(margin_linear(numbers, ifelse(d$y == "p", 1, -1), loss = "squared")$task,
                   "regression")
  expect_identical(margin_linear(numbers, d$y, loss = "squared")$task, "classification")
})

test_that("weights and class weights multiply; lambda and cost say the same", {
  w <- rep(c(1, 2, 3, 4), 10)
  class_weights <- c(p = 3, n = 1)
  tight <- margin_control(tol = 1e-10)
  both <- margin_linear(numbers, d$y, weights = w, class_weights = class_weights, control = tight,
                        loss = "smooth_hinge")
  product <- w * class_weights[as.character(d$y)]
  one <- margin_linear(numbers, d$y, weights = product, control = tight, loss = "smooth_hinge")
  expect_equal(coef(both), coef(one), tolerance = 1e-6)
  expect_identical(both$settings$lambda, 1 / sum(product))
  expect_identical(both$weights, w)
  rows <- rep(seq_len(40), product)
  repeated <- margin_linear(numbers[rows, ], d$y[rows], control = tight, loss = "smooth_hinge")
  expect_equal(coef(both), coef(repeated), tolerance = 1e-6)
  balanced <- margin_linear(numbers, d$y, weights = w, class_weights = "balanced",
                            loss = "smooth_hinge")
  expect_equal(balanced$settings$class_weights, sum(w) / (2 * c(n = sum(w[d$y == "n"]),
                                                                p = sum(w[d$y == "p"]))))
  expect_identical(margin_linear(numbers, d$y, weights = w, cost = 0.5,
                                 loss = "smooth_hinge")$settings$lambda,
                   1 / (sum(w) * 0.5))
})

test_that("model.frame() asks for the rows, which a fit does not hold", {
  made <- (function() {
    d <- data.frame(y = c(9, 8, 7, 6.5), z = 4:1)
    list(fit = margin_linear(y ~ z, d), line = lm(y ~ z, d), d = d)
  })()
  expect_input_error(model.frame(made$fit), "data", "model.frame(fit, data)")
  expect_equal(model.frame(made$fit, made$d), model.frame(made$line), ignore_attr = TRUE)
  path <- margin_path(y ~ z, made$d)
  expect_input_error(model.frame(path), "data", "no rows are held")
  expect_equal(model.frame(path, made$d), model.frame(made$line), ignore_attr = TRUE)
  expect_input_error(model.frame(margin_linear(cbind(z = 1:4), 4:1 + 0)), "formula", "no variables")
  expect_input_error(margin_linear(y ~ z, d, na.action = "na.foo"), "na.action", "na.omit")
  expect_input_error(margin_linear(z ~ log(a), data.frame(a = 0:3, z = 1:4 + 0)), "data", "-Inf")
  expect_input_error(margin_linear(cbind(z = 1:4, v = c(1, 3, 2, 2)), 4:1 + 0, lower = c(-1, NA)),
                     "lower", "NA at position 2")
})
