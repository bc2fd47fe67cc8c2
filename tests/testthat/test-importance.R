# importance() by coefficients.

some <- spambase[seq(1L, 4601L, by = 60L), c(5L, 7L, 16L, 52:53, 58L)]
others <- spambase[seq(2L, 4601L, by = 45L), ]
two <- margin_linear(type ~ ., some)

test_that("coefficients count per standard deviation of their columns", {
  deviation <- function(x) sqrt(mean((x - mean(x))^2))
  size <- abs(coef(two)[-1L]) * vapply(some[-6L], deviation, 0)
  found <- as.data.frame(importance(two))
  expect_identical(found$variable, names(sort(size, decreasing = TRUE)))
  expect_equal(found$importance, unname(sort(size, decreasing = TRUE)))
  expect_equal(as.data.frame(importance(two, some)), found)
  # of other rows their own deviations
  there <- abs(coef(two)[-1L]) * vapply(others[names(some)[-6L]], deviation, 0)
  given <- as.data.frame(importance(two, others))
  expect_equal(given$importance, unname(sort(there, decreasing = TRUE)))
  raw <- margin_linear(as.matrix(some[1:5]), some$type, scale = FALSE)
  sizes <- abs(coef(raw)[-1L]) * vapply(some[-6L], deviation, 0)
  sparse <- Matrix::Matrix(as.matrix(some[1:5]), sparse = TRUE)
  for (rows in list(as.matrix(some[1:5]), sparse)) {
    found <- as.data.frame(importance(raw, rows))
    expect_equal(found$importance, unname(sort(sizes, decreasing = TRUE)))
  }
  three <- margin_linear(Species ~ ., iris)
  size <- rowMeans(abs(coef(three)[-1L, ])) * vapply(iris[1:4], deviation, 0)
  expect_equal(as.data.frame(importance(three))$importance,
               unname(sort(size, decreasing = TRUE)))
})

test_that("print, tidy and plot show it", {
  found <- importance(two)
  expect_output(print(found, top = 2), "standard deviation of the column.*and 3 more")
  expect_identical(as.data.frame(tidy(found)), as.data.frame(found))
  drawn <- NULL
  text <- drawn_text(drawn <- plot(found, top = 3))
  expect_identical(drawn, utils::head(as.data.frame(found), 3L))
  expect_true(all(c("The 3 most important of 5", drawn$variable) %in% text))
  expect_input_error(plot(found, which = 1), "which", "not an argument")
})

test_that("what has no importance says why", {
  expect_told("importance", "dependent", {
    importance(1)
    importance(two, others[1:3])
    importance(two, n = 3)
    importance(margin_kernel(type ~ ., some, loss = "hinge"))
    importance(margin_linear(mpg ~ wt, mtcars, scale = FALSE))
  })
})
