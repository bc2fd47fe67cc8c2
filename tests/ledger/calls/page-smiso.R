fit <- margin_augmented(type ~ ., data = spambase, perturbation = perturb_dropout(0.1),
                        lambda = 0.01, scale = TRUE, control = margin_control(seed = 1),
                        intercept = "none")

# --

summary(fit)
