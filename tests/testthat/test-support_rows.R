# The support vectors: their weights are sizes, and their coefficients make the scores.

two <- droplevels(iris[51:150, ])
x <- as.matrix(two[1:4])
quick <- margin_control(tol = 1e-9, seed = 1)

# The scores of all rows from the table alone, for the class problem in column `class`.
scores_of_table <- function(table, fit, x, kernel = tcrossprod) {
  rows <- sweep(x, 2L, fit$scales, `/`)
  at <- as.integer(table$row)
  as.vector(kernel(rows, rows[at, , drop = FALSE]) %*% table$coefficient)
}
same_but_constant <- function(one, other, constant) {
  expect_equal(unname(other) - one, rep(constant, length(one)), tolerance = 1e-4)
}

test_that("weights are sizes, and coefficients are positive for the second class", {
  for (loss in c("hinge", "logistic", "squared_hinge")) {
    fit <- margin_linear(x, two$Species, loss = loss, lambda = 0.01, intercept = "free",
                         scale = TRUE, control = quick)
    table <- support_rows(fit)
    expect_named(table, c("row", "response", "weight", "coefficient", "score"))
    expect_true(all(table$weight > 0))
    expect_identical(table$coefficient > 0, table$response == levels(two$Species)[2L])
    expect_equal(table$weight, abs(table$coefficient) * 0.01 * 100)
  }
})

test_that("the scores are the sum over the support vectors, with the intercept", {
  weights <- rep(1:2, 50)
  fit <- margin_linear(unname(x), two$Species, loss = "hinge", lambda = 0.01, intercept = "free",
                       scale = TRUE, control = quick, weights = weights)
  table <- support_rows(fit)
  same_but_constant(scores_of_table(table, fit, x), fit$scores, coef(fit)[[1L]])
  balanced <- margin_linear(unname(x)[31:100, ], two$Species[31:100], loss = "logistic",
                            lambda = 0.01, intercept = "free", scale = FALSE, control = quick,
                            class_weights = "balanced")
  same_but_constant(scores_of_table(support_rows(balanced), balanced, x[31:100, ]),
                    balanced$scores, coef(balanced)[[1L]])
  kernel <- margin_kernel(unname(x), two$Species, loss = "hinge", lambda = 0.01,
                          kernel = kernel_rbf(0.3), intercept = "free", scale = TRUE,
                          control = quick)
  rbf <- function(a, b) exp(-0.3 * as.matrix(stats::dist(rbind(a, b)))[seq_len(nrow(a)),
                                                                     nrow(a) + seq_len(nrow(b))]^2)
  same_but_constant(scores_of_table(support_rows(kernel), kernel, x, rbf), kernel$scores,
                    coef(kernel)[[1L]])
  centred <- margin_kernel(unname(x), two$Species, loss = "hinge", lambda = 0.01, center = TRUE,
                           kernel = kernel_polynomial(2, 0.5, 1), intercept = "free",
                           scale = TRUE, control = quick)
  square <- function(a, b) (0.5 * tcrossprod(a, b) + 1)^2
  same_but_constant(scores_of_table(support_rows(centred), centred, sweep(x, 2L, centred$center),
                                    square), centred$scores, coef(centred)[[1L]])
  far <- droplevels(iris[1:100, ])
  hard <- margin_hard(unname(as.matrix(far[1:4])), far$Species, intercept = "free", scale = FALSE)
  same_but_constant(scores_of_table(support_rows(hard), hard, as.matrix(far[1:4])), hard$scores,
                    coef(hard)[[1L]])
  expect_equal(sum(support_rows(hard)$weight), 1)
})

test_that("a regression's coefficients make its fitted values", {
  z <- as.matrix(mtcars[c("wt", "hp")])
  for (loss in c("squared", "huber")) {
    fit <- margin_linear(unname(z), mtcars$mpg, loss = loss, lambda = 0.01, intercept = "free",
                         scale = TRUE, control = quick)
    same_but_constant(scores_of_table(support_rows(fit), fit, z), fit$scores, coef(fit)[[1L]])
  }
})

test_that("where the score is no sum over rows the coefficient is not known", {
  sparse <- margin_linear(x, two$Species, loss = "hinge", lambda = 0.01, mixture = 0.5,
                          intercept = "free", scale = TRUE)
  expect_true(all(is.na(support_rows(sparse)$coefficient)))
  expect_true(all(support_rows(sparse)$weight > 0))
})

test_that("a score that is no sum of rows has none", {
  bounded <- margin_linear(mpg ~ wt + hp, mtcars, lambda = 0.1, lower = 0)
  unpenalised <- margin_linear(mpg ~ wt + hp, mtcars, lambda = 0.1,
                               penalty_factor = c(wt = 0, hp = 1))
  robust <- margin_robust(x, two$Species, radius = 0.05, control = quick)
  for (fit in list(bounded, unpenalised, robust)) {
    table <- support_rows(fit)
    expect_gt(nrow(table), 0)
    expect_true(all(is.na(table$coefficient)))
  }
  grDevices::pdf(NULL)
  plot(robust, which = "support")
  grDevices::dev.off()
  unbounded <- margin_linear(mpg ~ wt + hp, mtcars, lambda = 0.1, lower = -Inf)
  expect_false(anyNA(support_rows(unbounded)$coefficient))
})
