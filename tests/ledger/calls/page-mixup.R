set.seed(2)

# --

angle <- runif(60, 0, pi)

# --

upper <- rep(c(TRUE, FALSE), 30)

# --

moons <- data.frame(
  x1 = ifelse(upper, cos(angle), 1 - cos(angle)) + rnorm(60, 0, 0.25),
  x2 = ifelse(upper, sin(angle), 0.5 - sin(angle)) + rnorm(60, 0, 0.25),
  moon = factor(ifelse(upper, "upper", "lower"))
)

# --

plain <- margin_kernel(moon ~ ., data = moons, kernel = kernel_rbf(1), lambda = 1e-4,
                       intercept = "none")

# --

mixed <- margin_kernel(moon ~ ., data = moons, kernel = kernel_rbf(1), lambda = 1e-4,
                       mixup = mixup_pairs(200), control = margin_control(seed = 1),
                       intercept = "none")

# --

par(mfrow = c(1, 2))

# --

plot(plain, which = "boundary", data = moons, main = "no mixup")

# --

plot(mixed, which = "boundary", data = moons, main = "200 mixed rows")

# --

set.seed(1)

# --

rows <- sample(nrow(spambase), 500)

# --

fit <- margin_kernel(type ~ ., data = spambase[rows, ], mixup = mixup_pairs(200),
                     intercept = "none")

# --

certificate(fit)[c("value", "bound", "relative_gap", "certified")]

# --

head(fit$mixed, 3)

# --

head(predict(fit, spambase[-rows, ], type = "prob"), 3)
