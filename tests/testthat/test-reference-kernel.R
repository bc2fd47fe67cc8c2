# Exact optima of the kernel family with soft labels, made by a damped Newton method of others.

kernel_table <- function() read.csv(test_path("reference_kernel.csv"))

kernel_instance <- function(name, part) {
  data <- read.csv(test_path(sprintf("reference_kernel_%s_%s.csv", name, part)))
  list(x = as.matrix(data[startsWith(names(data), "x")]), y = data$y)
}

reference_loss <- function(row) {
  switch(row$loss, bce = as_loss("logistic"), smh = loss_smooth_hinge(row$loss_gamma),
         qh = loss_squared_hinge(row$loss_gamma))
}

reference_kernel <- function(row) {
  switch(row$kernel, rbf = kernel_rbf(row$kgamma), linear = as_kernel("linear"),
         poly2 = kernel_polynomial(2, row$kgamma, 1))
}

test_that("every optimum of the table is met to 1e-8, its predictions to 1e-6", {
  table <- kernel_table()
  for (i in seq_len(nrow(table))) {
    row <- table[i, ]
    train <- kernel_instance(row$instance, "train")
    test <- kernel_instance(row$instance, "test")
    fit <- quiet_kernel(train$x, soft_labels(train$y), kernel = reference_kernel(row),
                        loss = reference_loss(row), lambda = row$lambda, scale = FALSE,
                        control = margin_control(tol = 1e-14, seed = 1))
    label <- paste(row$instance, row$kernel, row$kgamma, row$loss, row$loss_gamma,
                   row$lambda_times_n)
    certificate <- fit$certificate
    expect_lte(abs(certificate$value - row$primal_opt), 1e-8 * row$primal_opt, label = label)
    expect_lte(certificate$bound, row$primal_opt + 1e-11, label = label)
    expect_gte(certificate$value, row$primal_opt - 1e-11, label = label)
    # rounding is part of the gap, at worst that of every addition
    expect_lte(certificate$relative_gap, 1e-8, label = label)
    scores <- predict(fit, test$x, type = "score")
    expect_lte(max(abs(scores - unlist(row[paste0("pred", 1:10)]))), 1e-6, label = label)
  }
})

test_that("block_sdca meets the optima too, where lambda is not tiny", {
  table <- kernel_table()
  table <- table[table$lambda_times_n == 1, ]
  for (i in seq_len(nrow(table))) {
    row <- table[i, ]
    train <- kernel_instance(row$instance, "train")
    fit <- margin_kernel(train$x, soft_labels(train$y), kernel = reference_kernel(row),
                         loss = reference_loss(row), lambda = row$lambda,
                         center = FALSE, scale = FALSE,
                         solver = "block_sdca", control = margin_control(tol = 1e-9, seed = 1),
                         intercept = "none")
    expect_lte(abs(fit$certificate$value - row$primal_opt), 1e-9 * row$primal_opt)
    expect_lte(fit$certificate$bound, row$primal_opt + 1e-11)
  }
})
