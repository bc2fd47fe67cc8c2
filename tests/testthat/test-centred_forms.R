# Of a kernel that centres columns: dense and sparse rows are the same rows in every question.

test_that("what is certain does not hang on how rows are stored", {
  set.seed(1)
  x <- matrix(rnorm(40), 20, dimnames = list(NULL, c("a", "b"))) + 1
  x[sample(40, 10)] <- 0
  y <- factor(ifelse(x[, 1] + rnorm(20) > 1, "q", "p"))
  forms <- list(x, Matrix::Matrix(x, sparse = TRUE))
  for (kernel in list(kernel_polynomial(2), "linear", kernel_rbf(0.5))) {
    for (intercept in c("none", "free")) {
      answers <- list()
      for (trained in forms) {
        fit <- margin_kernel(trained, y, lambda = 0.01, kernel = kernel, intercept = intercept,
                             center = if (inherits(kernel, "kernel_function") && kernel$name == "rbf") FALSE else TRUE,
                             control = margin_control(tol = 1e-9))
        for (data in forms) {
          certain <- margin_certain(fit, data, y)
          for (new in forms) {
            new <- new[1:4, ]
            change <- function(...) as.data.frame(margin_sensitivity(fit, data, y, newdata = new, ...))
            came <- change(add = list(x = new, y = y[c(20, 20, 1, 1)]))
            answers <- c(answers, list(list(
              certain = predict(certain, new)[c("lower", "upper")],
              again = predict(certain, new, data = data)[c("lower", "upper")],
              left = change(remove = 2)[c("lower", "upper")], came = came[c("lower", "upper")],
              alone = change(count = TRUE)["alone"]
            )))
          }
        }
      }
      for (one in answers) expect_equal(one, answers[[1L]], tolerance = 1e-4, ignore_attr = TRUE)
    }
  }
})

test_that("the interval without a row is that of a refit of the centred rows", {
  set.seed(1)
  x <- matrix(rnorm(40), 20, dimnames = list(NULL, c("a", "b"))) + 1
  x[sample(40, 10)] <- 0
  y <- factor(ifelse(x[, 1] + rnorm(20) > 1, "q", "p"))
  fit <- margin_kernel(x, y, lambda = 0.01, kernel = kernel_polynomial(2), intercept = "none",
                       center = TRUE, control = margin_control(tol = 1e-9))
  own <- sweep(sweep(x, 2L, fit$center), 2L, fit$scales, `/`)
  without <- margin_kernel(own[-2, ], y[-2], cost = 1 / (0.01 * 20), kernel = kernel_polynomial(2),
                           intercept = "none", center = FALSE, scale = FALSE,
                           control = margin_control(tol = 1e-10))
  truth <- predict(without, own[1:4, ], type = "score")
  for (new in list(x[1:4, ], Matrix::Matrix(x[1:4, ], sparse = TRUE))) {
    found <- as.data.frame(margin_sensitivity(fit, x, y, newdata = new, remove = 2))
    expect_true(all(found$lower - 1e-6 <= truth & truth <= found$upper + 1e-6))
    expect_lt(max(found$upper - found$lower), 0.01)
  }
})
