# Part of margin.R: Figure 2 of the paper, digits 3 and 5: share of the test images that are wrong,
# against passes over the data. No plane separates all 11,552 training images, so that beside them
# there is no exact maximum margin, only the soft margin (hinge loss) at some costs. The first 2,000
# images can be separated: there the exact maximum margin is a line. Split 0 is MNIST's own, as in
# the paper; splits 1 to 10 draw as many training and test images from all of both.
#
# Of each method twice: the fit of margin_hard() that so many passes give (`iterate` "fit"), which
# has the direction of the largest margin so far and ends by the stagnation rule where no margin
# becomes positive; and the last iterate as such, as the paper draws it, in plain R ("last").
# writes: margin_error.csv
# depends: core src/hard R/margin_hard.R src/linear R/margin_linear.R
# seeds: 1 to 10 (splits; 0 is MNIST's own), 1 (solvers)

passes <- if (quick) c(2, 20, 200) else c(4, 10, 20, 40, 80, 160, 320, 640, 1280)
if (spotting) passes <- passes[1:4]
first_count <- if (quick) 500 else 2000
own <- list(train = digits_of(digits$train, c(3, 5), if (quick) 3000 else Inf),
            test = digits_of(digits$test, c(3, 5)))
pool <- list(x = rbind(own$train$x, own$test$x), y = unlist(list(own$train$y, own$test$y)))
split_of <- function(split) {
  if (split == 0L) {
    return(own)
  }
  set.seed(split)
  train <- sample(nrow(pool$x), nrow(own$train$x))
  list(train = list(x = pool$x[train, ], y = pool$y[train]),
       test = list(x = pool$x[-train, ], y = pool$y[-train]))
}
first_of <- function(data, count) list(x = data$x[seq_len(count), ], y = data$y[seq_len(count)])
signed <- function(data) {
  rows <- data$x * ifelse(data$y == levels(data$y)[2L], 1, -1)
  rows / sqrt(max(rowSums(rows^2)))
}

# f(passes, w) at each of `passes`. A step reads the rows twice, that of the perceptron once.
walk <- function(a, method, passes, f) {
  n <- nrow(a)
  w <- g <- numeric(ncol(a))
  q <- rep(1 / n, n)
  risk <- 1
  p <- numeric(n)
  price <- if (method == "perceptron") 1 else 2
  for (t in seq_len(max(passes) / price) - 1) {
    if (method == "perceptron") {
      w <- w + a[which.min(p), ]
    } else {
      s <- drop(crossprod(a, q))
      g <- t / (t + 1) * (g + s)
      w <- w + switch(method, momentum = g + s, ngd = s, gd = risk * s)
    }
    p <- drop(a %*% w)
    q <- exp(min(p) - p)
    risk <- exp(-min(p)) * mean(q)
    q <- q / sum(q)
    epoch <- (t + 1) * price
    if (epoch %in% passes) f(epoch, w)
  }
}

measured <- list()
add <- function(...) measured[[length(measured) + 1L]] <<- data.frame(...)
measure_split <- function(split) {
  parts <- split_of(split)
  test <- parts$test
  pair <- list(all = parts$train, first = first_of(parts$train, first_count))
  for (which in if (spotting) "first" else names(pair)) {
    x <- pair[[which]]$x
    y <- pair[[which]]$y
    n <- nrow(x)
    a <- signed(pair[[which]])
    new <- signed(test)
    unit <- sqrt(max(rowSums(x^2)))  # margins are in that of the rows of `a`
    for (method in c("momentum", "ngd", "gd", "perceptron")) {
      walk(a, method, passes, function(epoch, w) {
        add(split, rows = which, n, solver = method, iterate = "last", cost = NA, epoch,
            train_error = mean(a %*% w <= 0), test_error = mean(new %*% w <= 0),
            margin = min(a %*% w) / sqrt(sum(w^2)), bound = NA, status = NA, cpu = NA)
      })
      for (most in passes) {
        taken <- system.time(fit <- hard_fit(x, y, method, max_epochs = most))
        add(split, rows = which, n, solver = method, iterate = "fit", cost = NA, epoch = most,
            train_error = error_of(fit, x, y), test_error = error_of(fit, test$x, test$y),
            margin = certificate(fit)$value / unit, bound = certificate(fit)$bound / unit,
            status = fit$status$status, cpu = sum(taken[1:2]))
      }
      message(format(Sys.time(), "%T "), "split ", split, ", ", which, ", ", method)
    }
    taken <- system.time(fit <- hard_fit(x, y, max_seconds = 120))
    add(split, rows = which, n, solver = "auto", iterate = "fit", cost = NA,
        epoch = fit$status$epochs, train_error = error_of(fit, x, y),
        test_error = error_of(fit, test$x, test$y), margin = certificate(fit)$value / unit,
        bound = certificate(fit)$bound / unit, status = fit$status$status, cpu = sum(taken[1:2]))
    for (cost in if (spotting) 0.01 else c(0.01, 0.1, 1, 10)) {
      taken <- system.time({
        fit <- margin_linear(x, y, loss = "hinge", cost = cost, mixture = 0, intercept = "none",
                             scale = FALSE, solver = "auto", control = margin_control(
                               tol = 1e-3, seed = 1, progress = FALSE, max_seconds = 60))
      })
      add(split, rows = which, n, solver = "soft margin", iterate = "fit", cost,
          epoch = fit$status$epochs, train_error = error_of(fit, x, y),
          test_error = error_of(fit, test$x, test$y), margin = NA, bound = NA,
          status = fit$status$status, cpu = sum(taken[1:2]))
    }
    message(format(Sys.time(), "%T "), "split ", split, ", ", which, ", exact and soft margins")
  }
}
for (split in if (quick || spotting) 0L else 0:10) measure_split(split)
measured <- do.call(rbind, measured)
numbers <- c("train_error", "test_error", "margin", "bound", "epoch", "cpu")
measured[numbers] <- lapply(measured[numbers], signif, 6)
save_results(measured, "error", keys = c("split", "rows", "solver", "iterate", "cost", "epoch"))
