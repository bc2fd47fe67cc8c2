# How far from the optimum do linear classifiers stop on unscaled columns, and do they say so?
# Gaussian classes, 1000 rows, 30 columns, scaled (all 1) or raw (0.1 to 30), twenty seeds. dualmargin
# with scale = FALSE beside LiblineaR at its default tolerance and at 1e-6. LiblineaR's distance is
# measured against our certified bound, so it is never overstated.
# Usage: Rscript unscaled_columns.R [folder for the results]
# writes: unscaled_columns.csv
# depends: core src/linear R/margin_linear.R
# seeds: 1 to 20 (data), 1 (solvers)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "_driver.R"))

problem <- function(seed, raw) {
  set.seed(seed)
  n <- 1000L
  p <- 30L
  label <- rbinom(n, 1L, 0.5)
  x <- matrix(rnorm(n * p), n) + outer(label, rnorm(p, 0, 0.25))
  if (raw) x <- x %*% diag(exp(seq(log(0.1), log(30), length.out = p)))
  list(x = x, y = factor(label, labels = c("a", "b")))
}

objective <- function(data, loss, cost, w) {
  m <- ifelse(data$y == "b", 1, -1) * drop(data$x %*% w[-length(w)] + w[length(w)])
  phi <- switch(loss, hinge = pmax(0, 1 - m), squared_hinge = pmax(0, 1 - m)^2,
                logistic = pmax(0, -m) + log1p(exp(-abs(m))))
  mean(phi) + sum(w^2) / (2 * length(m) * cost)
}

types <- list(hinge = 3L, squared_hinge = c(1L, 2L), logistic = c(7L, 0L))
ours <- function(data, loss, cost, intercept) {
  value <- if (loss == "squared_hinge") loss_squared_hinge(0.5) else loss
  fit <- margin_linear(data$x, data$y, loss = value, cost = cost, mixture = 0,
                       intercept = intercept, scale = FALSE, solver = "auto",
                       control = margin_control(tol = 1e-6, seed = 1, progress = FALSE))
  list(fit = fit, certificate = certificate(fit))
}
peer <- function(data, loss, cost, type, eps) {
  warned <- FALSE
  model <- withCallingHandlers(
    LiblineaR::LiblineaR(data$x, data$y, type = type, cost = cost, epsilon = eps, bias = 1),
    warning = function(condition) {
      warned <<- TRUE
      invokeRestart("muffleWarning")
    }
  )
  # LiblineaR's weights point to the class it met first
  w <- drop(model$W) * if (model$ClassNames[1L] == "b") 1 else -1
  list(value = objective(data, loss, cost, w), warned = warned)
}

rows <- list()
costs <- if (spotting) 1 else c(1, 100, 1e4)
if (spotting) types <- types["logistic"]
for (raw in if (spotting) FALSE else c(FALSE, TRUE)) for (loss in names(types)) for (cost in costs) {
  for (seed in 1:20) {
    data <- problem(seed, raw)
    best <- NULL
    for (intercept in c("free", "none", "penalized")) {
      best <- ours(data, loss, cost, intercept)
      rows[[length(rows) + 1L]] <- data.frame(
        columns = if (raw) "0.1 to 30" else "1", loss, cost, seed,
        method = paste0("dualmargin, intercept ", intercept), tolerance = best$certificate$tol,
        excess = best$certificate$relative_gap, said_so = !best$certificate$certified,
        steps = best$fit$status$steps
      )
    }
    # its draws depend on the models before
    if (!spotting && requireNamespace("LiblineaR", quietly = TRUE)) {
      for (type in types[[loss]]) for (eps in c(0.01, 1e-6)) {
        found <- peer(data, loss, cost, type, eps)
        rows[[length(rows) + 1L]] <- data.frame(
          columns = if (raw) "0.1 to 30" else "1", loss, cost, seed,
          method = paste("LiblineaR, type", type), tolerance = eps,
          excess = found$value / best$certificate$bound - 1, said_so = found$warned, steps = NA
        )
      }
    }
  }
}
rows <- do.call(rbind, rows)
middle <- aggregate(cbind(excess, steps) ~ method + tolerance + loss + cost + columns, rows, median,
                    na.action = na.pass)
said <- aggregate(said_so ~ method + tolerance + loss + cost + columns, rows, sum)
table <- merge(middle, said)
names(table)[names(table) == "excess"] <- "median_excess"
names(table)[names(table) == "said_so"] <- "warned"
table$runs <- length(unique(rows$seed))
table$median_excess <- signif(table$median_excess, 3)
table <- table[order(table$columns, table$loss, table$cost, table$method, table$tolerance), ]
table[names(origin)] <- origin
record(table, file.path(folder, "unscaled_columns.csv"),
       keys = c("method", "tolerance", "loss", "cost", "columns"), skip = "steps",
       floor = 1e-6, tolerance = 0.02)
options(width = 140)
print(table[c("columns", "loss", "cost", "method", "tolerance", "median_excess", "warned", "runs",
              "steps")], row.names = FALSE)
