# Part of margin.R: Figure 2 of the paper, digits 3 and 5: share of the test images that are wrong,
# against passes over the data. No plane separates all 11,552 training images, so that beside them
# there is no exact maximum margin, only "auto"'s proof of that and the soft margin (hinge loss) at
# some costs. The first 2,000 images can be separated: there the exact maximum margin is a line.

passes <- if (quick) c(2, 20, 200) else
  c(4, 10, 20, 40, 80, 160, 320, 640, 1280, 2560)
pair <- list(
  all = digits_of(digits$train, c(3, 5), if (quick) 3000 else Inf),
  first = digits_of(digits$train, c(3, 5), if (quick) 500 else 2000)
)
test <- digits_of(digits$test, c(3, 5))
measured <- list()
add <- function(...) measured[[length(measured) + 1L]] <<- data.frame(...)
for (which in names(pair)) {
  x <- pair[[which]]$x
  y <- pair[[which]]$y
  for (solver in solvers_among(c("momentum", "ngd", "gd", "perceptron"))) {
    for (most in passes) {
      fit <- hard_fit(x, y, solver, max_epochs = most)
      add(rows = which, n = nrow(x), solver, cost = NA, epoch = fit$status$epochs,
          train_error = error_of(fit, x, y), test_error = error_of(fit, test$x, test$y),
          margin = certificate(fit)$value, bound = certificate(fit)$bound, separable = NA,
          cpu = NA)
    }
    message(format(Sys.time(), "%T "), which, ", ", solver)
  }
  taken <- system.time(fit <- hard_fit(x, y))
  add(rows = which, n = nrow(x), solver = "auto", cost = NA, epoch = fit$status$epochs,
      train_error = error_of(fit, x, y), test_error = error_of(fit, test$x, test$y),
      margin = certificate(fit)$value, bound = certificate(fit)$bound, separable = fit$separable,
      cpu = sum(taken[1:2]))
  for (cost in c(0.01, 0.1, 1, 10)) {
    taken <- system.time({
      fit <- margin_linear(x, y, loss = "hinge", cost = cost, intercept = "none", scale = FALSE,
                           control = margin_control(tol = 1e-3, seed = 1, progress = FALSE,
                                                    max_seconds = 60))
    })
    add(rows = which, n = nrow(x), solver = "soft margin", cost = cost, epoch = fit$status$epochs,
        train_error = error_of(fit, x, y), test_error = error_of(fit, test$x, test$y), margin = NA,
        bound = NA, separable = NA, cpu = sum(taken[1:2]))
  }
  message(format(Sys.time(), "%T "), which, ", exact and soft margins")
}
measured <- do.call(rbind, measured)
numbers <- c("train_error", "test_error", "margin", "bound", "epoch", "cpu")
measured[numbers] <- lapply(measured[numbers], signif, 6)
save_results(measured, "error")
