# A squared loss knows no unit: in one of 2^-40 or 2^-330 the response gives the same fit, in that
# unit. A residual must not be added to a number of another size on its way through a loss.

test_that("fits of squared and Huber losses have the unit of the response", {
  set.seed(8)
  n <- 40L
  x <- matrix(rnorm(n * 3L), n)
  y <- x[, 1L] + rnorm(n)
  control <- margin_control(seed = 4, max_epochs = 60)
  kernel <- kernel_rbf(0.3)
  drop <- perturb_custom(function(v, u) v * (u >= 0.2) / 0.8)
  of <- function(f, ...) {
    withCallingHandlers(f(x, ..., response_scale = FALSE, control = control),
                        dualmargin_not_certified = function(w) invokeRestart("muffleWarning"))
  }
  fits <- list(
    function(y, loss) of(margin_augmented, y, drop, loss = loss, lambda = 0.1),
    function(y, loss) of(margin_augmented, y, perturb_none(), loss = loss, lambda = 0.1),
    function(y, loss) of(margin_augmented, y, perturb_dropout(0.2), loss = loss, lambda = 0.1,
                         intercept = "penalized"),
    function(y, loss) of(margin_kernel, y, kernel = kernel, loss = loss, lambda = 0.1,
                         solver = "newton", intercept = "none"),
    function(y, loss) of(margin_kernel, y, kernel = kernel, loss = loss, lambda = 0.1,
                         solver = "block_sdca", intercept = "none"),
    function(y, loss) of(margin_linear, y, loss = loss, lambda = 0.1, solver = "newton")
  )
  for (fit in fits) {
    for (huber in c(FALSE, TRUE)) {
      loss <- function(unit) if (huber) loss_huber(unit) else "squared"
      plain <- fit(y, loss(1))
      for (unit in 2^c(-40, 40)) {
        other <- fit(unit * y, loss(unit))
        expect_equal(fitted(other) / unit, fitted(plain), tolerance = 1e-7)
        expect_equal(other$certificate$value / unit^2, plain$certificate$value, tolerance = 1e-9)
      }
    }
  }
})
