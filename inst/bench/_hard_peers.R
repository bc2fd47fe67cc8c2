# Part of hard.R: the data sets and the peers.
#
# A set is list(x, y, factor): x the rows, or kernel and the network's weights for the last one,
# `factor` then rows f_i with f_i'f_j the kernel, for peers that know no such kernel.

standardised <- function(x) {
  x <- scale(x)
  unname(x[, !is.nan(x[1L, ])])
}
expression <- function(name) {
  data <- data_or_null(name)
  if (!is.null(data)) list(x = standardised(as.matrix(data$x)), y = factor(data$y))
}
# What is used of the digits, and not the whole of them, which every fork would carry along.
digits <- local({
  sets <- NULL
  read <- function() {
    train <- read_digits("train")
    test <- read_digits("t10k")
    if (is.null(train) || is.null(test)) return(list())
    list("0 v 1" = digits_of(train, 0:1, if (small) 500 else Inf),
         "3 v 5" = digits_of(test, c(3, 5), if (small) 500 else Inf),
         first = digits_of(train, most = if (small) 200 else 1500))
  }
  function(name) {
    if (is.null(sets)) sets <<- read()
    sets[[name]]
  }
})

# The kernel of a network of 128 relu units that is drawn with seed 1, on the first digits; with
# h = relu(Wx), 1 = [Wx > 0] and k outputs it is k h'h' + x'x' sum_j |V_j|^2 1_j 1'_j, divided
# by the lengths of the gradients.
network_set <- function(units = 128) {
  data <- digits("first")
  if (is.null(data)) {
    return(NULL)
  }
  x <- data$x
  set.seed(1)
  W <- matrix(rnorm(units * ncol(x), sd = sqrt(2 / ncol(x))), units)
  V <- matrix(rnorm(10 * units, sd = sqrt(1 / units)), 10)
  list(x = x, y = data$y, kernel = kernel_ntk(weights = list(W = W, a = V)), W = W, V = V)
}
kernel_values <- function(set) {
  before <- tcrossprod(set$x, set$W)
  on <- (before > 0) + 0
  values <- nrow(set$V) * tcrossprod(pmax(before, 0)) +
    tcrossprod(set$x) * tcrossprod(on * rep(colSums(set$V^2), each = nrow(on)), on)
  values / tcrossprod(sqrt(diag(values)))
}

sets <- list(
  "MNIST 0 v 1" = function() digits("0 v 1"),
  "MNIST 3 v 5, test images" = function() digits("3 v 5"),
  "golub" = function() expression("golub"),
  "gravier" = function() expression("gravier"),
  "synthetic" = function() {
    set.seed(1)
    n <- if (small) 400 else 4000
    x <- matrix(rnorm(n * 200), n)
    u <- rnorm(200)
    u <- u / sqrt(sum(u^2))
    side <- ifelse(x %*% u > 0, 1, -1)
    list(x = x + side %*% t(u), y = factor(drop(side)))  # a margin of 1 at least
  },
  "network kernel, ten digits" = function() {
    if (exists("kernel_ntk", asNamespace("dualmargin"))) network_set()
  }
)

# The margin of a direction, in the unit of ours: two classes with the best intercept or none, or
# one column of w for each class.
margin_of <- function(x, y, w, intercept) {
  scores <- x %*% w
  if (nlevels(y) > 2L) {
    own <- scores[cbind(seq_along(y), as.integer(y))]
    scores[cbind(seq_along(y), as.integer(y))] <- -Inf
    return(min(own - apply(scores, 1L, max)) / sqrt(2 * sum(w^2)))
  }
  second <- as.integer(y) == 2L
  value <- function(f) {
    if (intercept == "free") (min(f[second]) - max(f[!second])) / 2 else
      min(ifelse(second, f, -f))
  }
  max(value(scores), value(-scores)) / sqrt(sum(w^2))
}

# run(x, y, cost, tol): w. Which class is positive is settled by the margin.
peers <- list(
  e1071 = list(intercept = "free", classes = 2, ladder = 10^-(2:10),
               run = function(x, y, cost, tol) {
    fit <- e1071::svm(x, y, scale = FALSE, kernel = "linear", cost = cost, tolerance = tol,
                      cachesize = 1000, fitted = FALSE)
    list(fit = fit, w = function(fit) crossprod(x[fit$index, ], fit$coefs))
  }),
  kernlab = list(intercept = "free", classes = 2, ladder = 10^-(2:10),
                 run = function(x, y, cost, tol) {
    fit <- kernlab::ksvm(x, y, scaled = FALSE, type = "C-svc", kernel = "vanilladot", kpar = list(),
                         C = cost, tol = tol, cache = 1000, fit = FALSE)
    list(fit = fit, w = function(fit) {
      crossprod(x[kernlab::alphaindex(fit)[[1L]], ], kernlab::coef(fit)[[1L]])
    })
  }),
  LiblineaR = list(intercept = "none", classes = c(2, 10), ladder = 10^-(1:9),
                   run = function(x, y, cost, tol) {
    fit <- LiblineaR::LiblineaR(x, y, type = if (nlevels(y) > 2L) 4 else 3, cost = cost,
                                epsilon = tol, bias = 0)
    list(fit = fit, w = function(fit) {
      w <- fit$W[, seq_len(ncol(x)), drop = FALSE]
      t(if (nlevels(y) > 2L) w[match(levels(y), fit$ClassNames), ] else w)
    })
  })
)
peers <- peers[vapply(names(peers), requireNamespace, NA, quietly = TRUE)]
