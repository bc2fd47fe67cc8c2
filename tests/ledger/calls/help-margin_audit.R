x <- scale(as.matrix(spambase[1:57]))

# --

y <- spambase$type

# --

sign <- ifelse(y == "spam", 1, -1)

# --

w <- numeric(57)

# --

for (step in 1:2) w <- w + crossprod(x, sign * plogis(-sign * drop(x %*% w))) / nrow(x)

# --

audit <- margin_audit(drop(w), x, y, loss = "logistic", lambda = 1e-3, intercept = "none")

# --

audit

# --

certificate(audit)

# --

best <- refit(audit)

# --

for (step in 1:50) w <- w + crossprod(x, sign * plogis(-sign * drop(x %*% w))) / nrow(x)

# --

later <- margin_audit(drop(w), x, y, loss = "logistic", lambda = 1e-3, intercept = "none")

# --

plot(c("2 steps" = audit, "52 steps" = later))
