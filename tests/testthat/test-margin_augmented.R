# What a user of margin_augmented() meets: interfaces, methods, argument errors.

few <- few_columns()
control <- margin_control(tol = 1e-2, seed = 1)

test_that("a fit is what its parts say: kind, value, noise, scores of the rows as they are", {
  # more masks than are summed
  few <- few_columns(p = 8L)
  fit <- quiet_augmented(few$x, few$y, perturb_dropout(0.2), lambda = 0.1, control = control)
  expect_s3_class(fit, c("margin_augmented", "margin_fit"), exact = TRUE)
  expect_identical(fit$certificate$kind, "confidence bound")
  expect_equal(predict(fit, few$x, type = "score"), drop(few$x %*% coef(fit)))
  expect_equal(fit$scores, unname(drop(few$x %*% coef(fit))))
  value <- dropout_objective(few$x, few$y, coef(fit), 0.2, plain_losses$logistic, 0.1)
  expect_lt(abs(fit$certificate$value - value), 5 * fit$value_se)
  expect_identical(names(fit$noise), c("class", "epoch", "sigma_p2", "sigma_tot2"))
  expect_true(all(fit$noise$sigma_p2 > 0 & fit$noise$sigma_tot2 > fit$noise$sigma_p2))
  expect_gt(fit$certificate_epochs, 0)
  # bound and gap allow for the error of the value, the limit of F(w) - F* need not
  expect_equal(fit$certificate$gap, fit$certificate$value - fit$certificate$bound)
  expect_equal(fit$certificate$gap - fit$suboptimality,
               unname(fit$value_se) * qt(1 - 0.05 / 4, 9), tolerance = 1e-6)
  expect_null(fit$dual)
})

test_that("the noise at a point is that of the definition", {
  # one row, so that the fit can say nothing but what the definition says of it
  set.seed(2)
  x <- matrix(rnorm(200 * 6), 200)
  y <- ifelse(x[, 1] > 0, 1, -1)
  fit <- quiet_augmented(x, y, perturb_dropout(0.3), loss = "squared_hinge", lambda = 0.5,
                         control = margin_control(tol = 1e-3, seed = 1))
  w <- coef(fit)
  masks <- as.matrix(expand.grid(rep(list(0:1), 6)))
  prob <- apply(masks, 1L, function(m) prod(ifelse(m == 1, 0.7, 0.3)))
  moments <- vapply(seq_len(200), function(i) {
    seen <- sweep(masks, 2L, x[i, ] / 0.7, `*`)
    slope <- -y[i] * pmax(1 - y[i] * drop(seen %*% w), 0)
    g <- slope * seen
    c(sum(prob * rowSums(g^2)) - sum(colSums(prob * g)^2),
      sum(prob * rowSums(sweep(g, 2L, 0.5 * w, `+`)^2)))
  }, numeric(2))
  last <- fit$noise[nrow(fit$noise), ]
  expect_equal(last$sigma_p2, mean(moments[1, ]), tolerance = 0.25)
  expect_equal(last$sigma_tot2, mean(moments[2, ]), tolerance = 0.25)
})

test_that("a path over the rate has the fits of its rates", {
  path <- margin_path(few$x, factor(few$y), family = "augmented", rate = c(0.3, 0, 0.1),
                      lambda = 0.1, loss = "squared",
                      control = margin_control(tol = 1e-8, seed = 1),
                      intercept = "none", center = FALSE, scale = FALSE)
  expect_identical(path$rate, c(0, 0.1, 0.3))
  for (rate in path$rate) {
    fit <- margin_augmented(few$x, factor(few$y), perturb_dropout(rate), loss = "squared",
                            lambda = 0.1, control = margin_control(tol = 1e-8),
                            intercept = "none", center = FALSE, scale = FALSE)
    expect_equal(drop(coef(path, rate = rate)), coef(fit), tolerance = 1e-3)
    at <- which(path$rate == rate)
    expect_equal(path$certificate$value[at], fit$certificate$value, tolerance = 1e-7)
  }
  # an expected squared loss rises with its variance
  expect_true(all(diff(path$certificate$value) > 0))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  drawn <- plot(path, which = "risk", data = few$x, y = few$y)
  expect_identical(names(drawn), c("rate", "objective", "held_out_error"))
  expect_identical(plot(path, which = "gap")$rate, path$rate)
  expect_identical(unique(plot(path)$rate), path$rate)
  expect_output(print(path), "3 values from 0 up to 0.3")
  expect_output(print(summary(path)), "rate")
  expect_identical(dim(predict(path, few$x, rate = 0.1, type = "score")), c(60L, 1L))
  noisy <- margin_path(few$x, few$y, family = "augmented", rate = 0.2, perturbation = function(r) {
    perturb_gaussian(r)
  }, lambda = 0.1, control = margin_control(tol = 1e-2), intercept = "none",
                       center = FALSE, scale = FALSE)
  expect_output(print(noisy), "gaussian(0.2)", fixed = TRUE)
})

test_that("what cannot be fitted is refused by name, value and remedy", {
  refused <- function(code, message, arg) {
    condition <- expect_error(code, class = "dualmargin_input_error")
    expect_match(conditionMessage(condition), message, fixed = TRUE)
    expect_identical(condition$arg, arg)
  }
  augmented <- function(...) margin_augmented(few$x, few$y, ..., center = FALSE)
  refused(augmented(loss = "hinge"), "needs a smooth loss and \"hinge\" is not", "loss")
  refused(augmented(intercept = "free"), "cannot fit intercept = \"free\"", "intercept")
  refused(augmented(mixture = 1), "use a mixture below 1", "mixture")
  refused(augmented(perturbation = 0.1), "made by perturb_dropout()", "perturbation")
  refused(augmented(perturbation = perturb_image(c(3, 2))), "images of 3 x 2 pixels",
          "perturbation")
  refused(augmented(rate = 0.1), "`rate` is not an argument of margin_augmented()", "rate")
  refused(augmented(lambda = 1, cost = 1), "give one", "lambda")
  refused(augmented(solver = "misso"), "did you mean", "solver")
  refused(augmented(control = margin_control(solver_options = list(cycles = 1)), solver = "smiso"),
          "`cycles`", "cycles")
  sparse <- Matrix::Matrix(few$x, sparse = TRUE)
  for (dense in list(perturb_gaussian(0.1), perturb_image(c(5, 1)))) {
    refused(margin_augmented(sparse, few$y, dense, intercept = "none", scale = FALSE),
            "does not keep the zeros", "perturbation")
  }
  path <- function(...) margin_path(few$x, few$y, family = "augmented", ...)
  refused(path(perturbation = perturb_dropout(0.1)), "a function of the rate", "perturbation")
  refused(path(rate = c(0.1, 0.1)), "twice", "rate")
  refused(path(rate = -1), "from 0 on", "rate")
  refused(path(rate = 1), "without, 1", "rate")
  refused(path(radius = 1), "`radius` is not an argument", "radius")
  start <- margin_linear(few$x, few$y, loss = "smooth_hinge")
  refused(augmented(control = margin_control(start = start)), "can only start from", "start")
})
