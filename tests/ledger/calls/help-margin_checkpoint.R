file <- tempfile(fileext = ".rds")

# --

short <- margin_control(max_epochs = 2, seed = 1, checkpoint = margin_checkpoint(file))

# --

fit <- suppressWarnings(
  margin_linear(a1a$x, a1a$y, loss = "hinge", lambda = 1e-4, control = short)
)

# --

certificate(fit)$certified

# --

again <- margin_control(seed = 1, start = margin_checkpoint(file))

# --

certificate(margin_linear(a1a$x, a1a$y, loss = "hinge", lambda = 1e-4, control = again))
