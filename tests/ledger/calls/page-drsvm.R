fit <- margin_robust(a1a$x, factor(a1a$y), norm = "l1", radius = 0.1, label_cost = 1,
                     intercept = "none", scale = FALSE)

# --

certificate(fit)[c("value", "bound", "relative_gap", "certified")]

# --

isg <- margin_robust(a1a$x, factor(a1a$y), norm = "l1", radius = 0.1, label_cost = 1, solver = "isg",
                     control = margin_control(seed = 1), intercept = "none", scale = FALSE)

# --

certificate(isg)[c("value", "bound", "relative_gap", "certified")]
