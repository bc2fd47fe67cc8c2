x <- cbind(1, a1a$x)

# --

x <- Matrix::Diagonal(x = 1 / sqrt(Matrix::rowSums(x^2))) %*% x

# --

refused <- tryCatch(
  margin_linear(x, factor(a1a$y), loss = loss_smooth_hinge(1), lambda = 1e-5,
                intercept = "none", scale = FALSE, solver = "aspdc"),
  dualmargin_input_error = conditionMessage
)

# --

cat(strwrap(refused, 80), sep = "\n")

# --

comparison <- compare_solvers(x, factor(a1a$y), solvers = c("sdca", "aspdc_i", "asdca", "auto"),
                              loss = loss_smooth_hinge(1), lambda = 1e-5, intercept = "none",
                              scale = FALSE,
                              control = margin_control(max_epochs = 150, seed = 1))

# --

summary(comparison, gaps = c(1e-3, 1e-6))[c(1, 4:6, 8)]

# --

plot(comparison)
