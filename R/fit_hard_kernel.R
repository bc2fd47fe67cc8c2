# From a design and settings to a hard fit on a kernel: ONE call into C++, support rows.

fit_hard_kernel <- function(design, settings) {
  assert_kernel_matrix(settings$kernel, design)
  settings$kernel <- settle_kernel(settings$kernel, ncol(design$x), nrow(design$x))
  problem <- prepare_hard(design, settings)
  given <- kernel_rows(problem)
  result <- in_core(fit_hard_kernel_cpp(given$x, problem$response$codes, problem$omega,
                                        c(core_hard(problem), list(kernel = given$kernel)),
                                        core_control(settings, NULL)))
  if (!is.null(given$scales)) result$scales <- given$scales
  result <- at_own_origin(result, given$x, settings$kernel)
  signal_outcome(new_expansion("margin_hard", problem, result, function(columns) {
    c(hard_elements(problem, result), list(bytes = result$bytes))
  }))
}

# An affine kernel was computed of rows less a centre c, where the intercept is free: of the rows as
# they are sum_i beta_i k(x_i, x) is larger by scale c'sum_i beta_i x_i, since sum_i beta_i = 0.
at_own_origin <- function(result, x, kernel) {
  if (length(result$centre) == 0L || all(result$centre == 0)) {
    return(result)
  }
  moved <- which(result$centre != 0)
  solution <- result$solutions[[1L]]
  direction <- drop(Matrix::crossprod(x[, moved, drop = FALSE], solution$coefficients))
  scale <- if (kernel$name == "polynomial") kernel$scale else 1
  shift <- scale * sum(direction * result$centre[moved] / result$scales[moved]^2)
  result$solutions[[1L]]$intercept <- solution$intercept - shift
  result
}
