# Part of margin.R: the experiment of Figure 4 of the paper on a network that a laptop can train. A
# network of one hidden layer of 128 relu units, f(x) = V relu(W x), is trained on 128 images by
# stochastic gradient descent (cross entropy, batches of 16, step 1/2); the gradients of f in its
# weights after some epochs are the features of the maximum-margin classifier, whose errors are
# compared with those of the network. Thirty seeds, the two of the paper first:
#   mnist    128 of the training images, 4,000 of the 10,000 test images. Images have length 1.
#   cifar10  of the paper's data the 5,000 images there are, 128 to train on, 1,500 others to test.
#            The mean image of the 128 is taken off, then images have length 1.
# No two seeds train on a common image. Some of the test images of a seed (333 of mnist, 38 of
# cifar10) are no other seed's, the others are common to all of them.
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
all_seeds <- c(100, 13579, 1:28)
# All images in one order: the block of the k-th of the seeds.
block <- function(count, k, size) {
  set.seed(1)
  sample(count)[(k - 1L) * size + seq_len(size)]
}
images_of <- list(
  mnist = function(k, seed) {
    train <- block(nrow(digits$train$x), k, images)
    own <- block(nrow(digits$test$x), k, nrow(digits$test$x) %/% length(all_seeds))
    set.seed(seed)
    more <- sample(setdiff(seq_len(nrow(digits$test$x)), own), test_count - length(own))
    test <- c(own, more)
    list(x = lengths_one(digits$train$x[train, ]), y = digits$train$y[train],
         new_x = lengths_one(digits$test$x[test, ]), new_y = digits$test$y[test])
  },
  cifar10 = function(k, seed) {
    mine <- block(nrow(cifar$x), k, nrow(cifar$x) %/% length(all_seeds))
    train <- mine[seq_len(images)]
    own <- setdiff(mine, train)
    set.seed(seed)
    more <- sample(setdiff(seq_len(nrow(cifar$x)), mine), min(test_count, 1500L) - length(own))
    mean <- colMeans(cifar$x[train, ])
    taken <- function(rows) lengths_one(sweep(cifar$x[rows, ], 2L, mean))
    list(x = taken(train), y = cifar$y[train], new_x = taken(c(own, more)),
         new_y = cifar$y[c(own, more)])
  }
)
chosen <- intersect(names(images_of), arguments)
if (!length(chosen)) chosen <- if (spotting) "mnist" else names(images_of)
cifar <- if ("cifar10" %in% chosen) read_cifar()
if (is.null(cifar)) chosen <- setdiff(chosen, "cifar10")
if (spotting) epochs <- epochs[1:2]
seeds <- if (spotting) 100 else all_seeds
one_seed <- function(data, seed) {
  drawn <- images_of[[data]](match(seed, all_seeds), seed)
  x <- drawn$x
  y <- drawn$y
  set.seed(seed)
  net <- new_network(ncol(x), nlevels(y))
  target <- outer(as.integer(y), seq_len(nlevels(y)), `==`) + 0
  measured <- list()
  for (epoch in 0:max(epochs)) {
    if (epoch > 0) net <- train_epoch(net, x, target)
    if (!epoch %in% epochs) next
    missed <- function(x, y) max.col(outputs_of(net, x), "first") != as.integer(y)
    fit <- hard_fit(x, y, kernel = kernel_ntk(weights = list(W = net$W, a = net$V)))
    by_kernel <- predict(fit, drawn$new_x) != drawn$new_y
    by_network <- missed(drawn$new_x, drawn$new_y)
    measured[[length(measured) + 1L]] <- data.frame(
      data, seed, epoch, margin = signif(certificate(fit)$value, 6),
      relative_gap = signif(certificate(fit)$relative_gap, 2),
      certified = certificate(fit)$certified,
      kernel_error = signif(mean(by_kernel), 5), network_error = signif(mean(by_network), 5)
    )
  }
  do.call(rbind, measured)
}
for (data in chosen) {
  measured <- list()
  for (seed in seeds) {
    measured[[length(measured) + 1L]] <- one_seed(data, seed)
    save_results(do.call(rbind, measured), "network", fresh = measured[[length(measured)]],
                 replaced = "data",
                 keys = c("data", "seed", "epoch"), skip = "relative_gap",
                 seeds = seeds[seq_len(match(seed, seeds))])
  }
}
