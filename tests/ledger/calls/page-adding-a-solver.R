rows <- dualmargin:::families()

# --

rows$oneclass["metric"] <- NULL

# --

rows$oneclass$path["grid"] <- NULL

# --

dualmargin:::missing_fields(rows)

# --

a1a <- margin_data("a1a")

# --

comparison <- compare_solvers(a1a$x, factor(a1a$y), solvers = c("fista", "svrg", "saga"),
                              loss = "smooth_hinge", lambda = 1e-3, scale = FALSE,
                              intercept = "none",
                              control = margin_control(seed = 1, max_epochs = 600))

# --

comparison

# --

plot(comparison)

# --

tau <- c(0.05, 0.5, 0.95)

# --

fits <- lapply(tau, function(tau) {
  margin_linear(dist ~ speed, data = cars, loss = loss_quantile(tau), lambda = 1e-4)
})

# --

below <- sapply(fits, function(fit) mean(residuals(fit) < -1e-3))

# --

data.frame(tau, below, gap = sapply(fits, function(fit) certificate(fit)$relative_gap))

# --

plot(dist ~ speed, data = cars, pch = 16, col = "grey50")

# --

for (k in 1:3) abline(coef(fits[[k]]), lty = c(2, 1, 2)[k], lwd = 2)
