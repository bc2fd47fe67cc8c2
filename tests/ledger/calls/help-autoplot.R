if (requireNamespace("ggplot2", quietly = TRUE)) {
  fit <- margin_linear(mpg ~ wt + hp + factor(cyl), data = mtcars)
  print(ggplot2::autoplot(fit))
  ggplot2::autoplot(fit, mtcars) + ggplot2::theme_minimal()
}
