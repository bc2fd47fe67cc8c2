# Part of margin.R: the experiment of Figure 4 of the paper on a network that a laptop can train. A
# network of one hidden layer of 128 relu units, f(x) = V relu(W x), is trained on 128 images by
# stochastic gradient descent (cross entropy, batches of 16, step 1/2); the gradients of f in its
# weights after some epochs are the features of the maximum-margin classifier, whose errors are
# compared with those of the network. Thirty seeds, the two of the paper first; each draws its own
# images:
#   mnist    from the training images; 4,000 of the 10,000 test images. Images have length 1.
#   cifar10  of the paper's data the 5,000 images there are, 128 to train on, 1,500 others to test.
#            The mean image of the 128 is taken off, then images have length 1.
# Both unless one is named. The table is written after each seed.
# writes: margin_network.csv
# depends: core src/hard R/margin_hard.R R/kernel_ntk.R
# seeds: 100, 13579, 1 to 28

images <- 128L
units <- 128L
epochs <- if (quick) c(0, 5) else c(0, 1, 5, 20, 60, 200)
test_count <- if (quick) 500L else 4000L
step <- 0.5
batch <- 16L

new_network <- function(inputs, outputs) {
  list(W = matrix(rnorm(units * inputs, sd = 3 * sqrt(2 / inputs)), units),
       V = matrix(rnorm(outputs * units, sd = sqrt(1 / units)), outputs))
}
outputs_of <- function(net, x) tcrossprod(pmax(tcrossprod(x, net$W), 0), net$V)
# One pass in a new order; `target` has a column of zeros and ones for each class.
train_epoch <- function(net, x, target) {
  for (rows in split(sample(nrow(x)), (seq_len(nrow(x)) - 1L) %/% batch)) {
    here <- x[rows, , drop = FALSE]
    hidden <- pmax(tcrossprod(here, net$W), 0)
    scores <- tcrossprod(hidden, net$V)
    shares <- exp(scores - apply(scores, 1L, max))
    slope <- (shares / rowSums(shares) - target[rows, ]) / length(rows)
    back <- (slope %*% net$V) * (hidden > 0)
    net$V <- net$V - step * crossprod(slope, hidden)
    net$W <- net$W - step * crossprod(back, here)
  }
  net
}

lengths_one <- function(x) x / sqrt(rowSums(x^2))
images_of <- list(
  mnist = function() {
    train <- sample(nrow(digits$train$x), images)
    test <- sample(nrow(digits$test$x), test_count)
    list(x = lengths_one(digits$train$x[train, ]), y = digits$train$y[train],
         new_x = lengths_one(digits$test$x[test, ]), new_y = digits$test$y[test])
  },
  cifar10 = function() {
    train <- sample(nrow(cifar$x), images)
    test <- sample(setdiff(seq_len(nrow(cifar$x)), train), min(test_count, 1500L))
    mean <- colMeans(cifar$x[train, ])
    taken <- function(rows) lengths_one(sweep(cifar$x[rows, ], 2L, mean))
    list(x = taken(train), y = cifar$y[train], new_x = taken(test), new_y = cifar$y[test])
  }
)
chosen <- intersect(names(images_of), arguments)
if (!length(chosen)) chosen <- if (spotting) "mnist" else names(images_of)
cifar <- if ("cifar10" %in% chosen) read_cifar()
if (is.null(cifar)) chosen <- setdiff(chosen, "cifar10")
if (spotting) epochs <- epochs[1:2]
seeds <- if (spotting) 100 else c(100, 13579, 1:28)
one_seed <- function(data, seed) {
  set.seed(seed)
  drawn <- images_of[[data]]()
  x <- drawn$x
  y <- drawn$y
  net <- new_network(ncol(x), nlevels(y))
  target <- outer(as.integer(y), seq_len(nlevels(y)), `==`) + 0
  measured <- list()
  for (epoch in 0:max(epochs)) {
    if (epoch > 0) net <- train_epoch(net, x, target)
    if (!epoch %in% epochs) next
    wrong <- function(x, y) mean(max.col(outputs_of(net, x), "first") != as.integer(y))
    fit <- hard_fit(x, y, kernel = kernel_ntk(weights = list(W = net$W, a = net$V)))
    measured[[length(measured) + 1L]] <- data.frame(
      data, seed, epoch, margin = signif(certificate(fit)$value, 10),
      relative_gap = signif(certificate(fit)$relative_gap, 2),
      certified = certificate(fit)$certified,
      kernel_error = error_of(fit, drawn$new_x, drawn$new_y),
      network_error = wrong(drawn$new_x, drawn$new_y), network_train_error = wrong(x, y),
      seconds = signif(fit$status$seconds, 3)
    )
  }
  do.call(rbind, measured)
}
for (data in chosen) {
  measured <- list()
  for (seed in seeds) {
    measured[[length(measured) + 1L]] <- one_seed(data, seed)
    rows <- do.call(rbind, measured)
    before <- if (!spotting) rows_before(file.path(folder, "margin_network.csv"), rows)
    save_results(rbind(before[!before$data %in% data, ], rows), "network",
                 fresh = measured[[length(measured)]],
                 keys = c("data", "seed", "epoch"), skip = "relative_gap",
                 seeds = seeds[seq_len(match(seed, seeds))])
  }
}
