# Fits, paths and what they answered as version 0.1 (commit fd2b362) made and saved them, for
# tests/testthat/test-saved_fits.R. To be run with that version installed:
#   Rscript data-raw/fits_0_1.R tests/testthat/_fixtures/fits_0_1.rds

library(dualmargin)
rows <- c(51:62, 101:112)
two <- droplevels(iris[rows, c(1, 2, 5)])
three <- iris[c(1:8, 51:58, 101:108), c(1, 2, 5)]
x <- as.matrix(two[1:2]); sign <- ifelse(two$Species == "virginica", 1, -1)
control <- margin_control(seed = 1, progress = FALSE)
few <- cars[seq(1, 50, 2), ]
quietly <- function(expression) suppressWarnings(suppressMessages(expression))
fits <- quietly(list(
  linear = margin_linear(Species ~ ., data = two, loss = "logistic", control = control),
  linear_classes = margin_linear(Species ~ ., data = three, control = control),
  linear_sign = margin_linear(x, sign, loss = "hinge", control = control),
  linear_huber = margin_linear(dist ~ speed, data = few, loss = "huber", control = control),
  linear_squared = margin_linear(dist ~ speed, data = few, loss = "squared", control = control),
  kernel = margin_kernel(x, two$Species == "virginica", control = control),
  kernel_softmax = margin_kernel(Species ~ ., data = three, lambda = 0.1, control = control),
  kernel_huber = margin_kernel(dist ~ speed, data = few, loss = "huber", intercept = "free",
                               control = control),
  augmented = margin_augmented(Species ~ ., data = two, lambda = 0.1, scale = TRUE,
                               control = margin_control(seed = 1, progress = FALSE,
                                                        max_epochs = 30)),
  robust = margin_robust(Species ~ ., data = two, radius = 0.05, control = control),
  hard = margin_hard(Species ~ ., data = droplevels(three[1:16, ]), intercept = "free",
                     control = control),
  hard_kernel = margin_hard(x[c(1:3, 13:15), ], two$Species[c(1:3, 13:15)],
                            kernel = kernel_rbf(1), control = control)
))
fits$calibrated <- quietly(margin_calibrate(fits$linear_sign, x, sign, folds = 3, seed = 1))
paths <- quietly(list(
  linear = margin_path(Species ~ ., data = three, n_lambda = 3, control = control),
  kernel = margin_path(x, two$Species, family = "kernel", n_lambda = 3, control = control),
  robust = margin_path(x, two$Species, family = "robust", n_radius = 3, control = control),
  augmented = margin_path(x, two$Species, family = "augmented", rate = c(0, 0.2), lambda = 0.1,
                          control = control)
))
new <- function(name) if (grepl("huber|squared", name)) data.frame(speed = c(3, 12, 20, 26)) else
  iris[c(5, 60, 61, 90, 120, 130), 1:2]
# the file is to be small
for (i in seq_along(fits)) {
  fits[[i]]$trace <- head(fits[[i]]$trace, 3)
  if (is.data.frame(fits[[i]]$noise)) fits[[i]]$noise <- head(fits[[i]]$noise, 2)
}
answers <- lapply(stats::setNames(nm = names(fits)), function(name) {
  f <- fits[[name]]
  list(score = predict(f, new(name), type = "score"), response = predict(f, new(name)),
       prob = tryCatch(predict(f, new(name), type = "prob"), error = function(e) NULL),
       certificate = certificate(f), coef = coef(f))
})
path_answers <- lapply(paths, function(p) {
  list(score = predict(p, new(""), type = "score"), certificate = certificate(p))
})
saved <- list(fits = fits, answers = answers, paths = paths, path_answers = path_answers)
out <- commandArgs(TRUE)[1L]
saveRDS(saved, out, version = 2, compress = "xz")
