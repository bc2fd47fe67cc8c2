library(dualmargin)

# --

fit <- margin_linear(type ~ ., data = spambase, loss = "logistic")

# --

fit

# --

certificate(fit)

# --

plot(fit, which = "convergence")

# --

summary(fit)

# --

plot(fit, which = "coefficients", top = 15)

# --

new <- spambase[c(1, 2000, 4000), ]

# --

predict(fit, new)

# --

predict(fit, new, type = "score")

# --

predict(fit, new, type = "prob")

# --

soft <- margin_linear(type ~ ., data = spambase, loss = "smooth_hinge", lambda = 0.01)

# --

calibrated <- margin_calibrate(soft, spambase, method = "isotonic", seed = 1)

# --

predict(calibrated, new, type = "prob")

# --

plot(calibrated, which = "calibration")

# --

nrow(summary(calibrated)$calibration$differing)

# --

svm <- margin_linear(a1a$x, factor(a1a$y), loss = "hinge", cost = 1)

# --

certificate(svm)

# --

poor <- margin_linear(a1a$x, factor(a1a$y), loss = "hinge", lambda = 1e-5, intercept = "none",
                      solver = "sdca", control = margin_control(max_epochs = 20, seed = 1))

# --

poor

# --

better <- margin_linear(a1a$x, factor(a1a$y), loss = "hinge", lambda = 1e-5, intercept = "none")

# --

rbind(poor = certificate(poor), better = certificate(better))

# --

mean(predict(poor) == predict(better))

# --

comparison <- compare_solvers(a1a$x, factor(a1a$y), solvers = c("newton", "ssnal", "sdca"),
                              loss = "smooth_hinge", lambda = 1e-3, intercept = "none",
                              control = margin_control(max_epochs = 100, seed = 1))

# --

comparison

# --

plot(comparison)

# --

flowers <- margin_linear(Species ~ ., data = iris, loss = "smooth_hinge")

# --

certificate(flowers, by = "class")

# --

even <- margin_linear(type ~ ., data = spambase, class_weights = "balanced", loss = "smooth_hinge")

# --

table(observed = spambase$type, predicted = predict(even))

# --

coef(margin_linear(mpg ~ ., data = mtcars, loss = "squared", lambda = 0.3, mixture = 0.9))

# --

robust <- margin_robust(type ~ ., data = spambase, norm = "l2", radius = 0.02, label_cost = 1,
                        intercept = "free", scale = TRUE)

# --

certificate(robust)

# --

worst <- worst_case(robust, spambase)

# --

c(worst_risk = attr(worst, "risk"), relabelled = sum(worst$mass[worst$flipped]),
  mean_distance = sum(worst$mass * worst$distance))

# --

cv <- margin_cv(type ~ ., data = spambase, loss = "logistic", folds = 5, seed = 1,
                grid = list(lambda = 10^-seq(1, 5, by = 0.25), mixture = c(0, 1)),
                metric = c("log_loss", "accuracy"))

# --

plot(cv)

# --

rbind(best_setting(cv), best_setting(cv, rule = "one_se"))

# --

fit <- refit(cv, rule = "one_se")
