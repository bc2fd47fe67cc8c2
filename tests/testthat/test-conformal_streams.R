# Many new rows: blocks and threads change nothing, and a block is all that is held at once.

own <- asNamespace("dualmargin")
few <- spambase[seq(1, nrow(spambase), by = 30), ]
new <- spambase[seq(2, nrow(spambase), by = 20), ]

test_that("sets are the same in blocks of any size", {
  fit <- margin_linear(type ~ ., data = few, lambda = 0.01)
  cars <- margin_linear(mpg ~ wt + hp, data = mtcars)
  objects <- list(
    list(margin_conformal(fit, few), new), list(margin_conformal(fit, few, method = "full"), new),
    list(margin_conformal(fit, few, folds = 5, seed = 1), new),
    list(margin_conformal(fit, few, groups = rep_len(1:20, nrow(few))), new),
    list(margin_conformal(cars, mtcars), mtcars),
    list(margin_conformal(cars, mtcars, method = "full"), mtcars)
  )
  whole <- lapply(objects, function(one) predict(one[[1L]], one[[2L]], level = c(0.8, 0.9)))
  open <- summary(objects[[1L]][[1L]], new, level = c(0.8, 0.9))
  usual <- own$most_values
  on.exit(utils::assignInNamespace("most_values", usual, "dualmargin"))
  utils::assignInNamespace("most_values", 2000, "dualmargin")
  expect_gt(length(own$conformal_blocks(objects[[1L]][[1L]], nrow(new), 57L)), 10L)
  for (i in seq_along(objects)) {
    blocked <- predict(objects[[i]][[1L]], objects[[i]][[2L]], level = c(0.8, 0.9))
    expect_equal(blocked, whole[[i]], tolerance = 1e-12)
  }
  expect_identical(summary(objects[[1L]][[1L]], new, level = c(0.8, 0.9)), open)
})

test_that("sets are the same for any number of threads", {
  of <- function(threads, method, loss) {
    control <- margin_control(threads = threads, seed = 1)
    if (loss == "squared") {
      fit <- margin_linear(mpg ~ wt + hp, data = mtcars, control = control)
      return(predict(margin_conformal(fit, mtcars, method = method), mtcars))
    }
    fit <- margin_linear(type ~ ., data = few, lambda = 0.01, loss = loss, control = control)
    predict(margin_conformal(fit, few, method = method), new)
  }
  for (method in c("jackknife+", "full")) for (loss in c("logistic", "squared_hinge", "squared")) {
    expect_identical(of(2, method, loss), of(1, method, loss), info = paste(method, loss))
  }
})
