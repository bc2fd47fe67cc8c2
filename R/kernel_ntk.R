# The tangent kernel of a network with one hidden layer, in closed form.

#' Neural tangent kernel of a network with one hidden layer
#'
#' Makes a kernel machine behave as a wide neural network with one hidden layer does near its first
#' weights, without training one. With the weights of a trained network it uses the features that
#' the network has learnt.
#'
#' It is the kernel of the gradients, with respect to all weights, of the network
#' \deqn{f(x) = \sum_{j=1}^m a_j \max(w_j \cdot x, 0).}{f(x) = sum_j a_j max(w_j.x, 0).}
#' It has the closed form
#' \deqn{K(x, x') = \sum_j \max(w_j \cdot x, 0) \max(w_j \cdot x', 0) +
#'   (x \cdot x') \sum_j a_j^2\, 1\{w_j \cdot x > 0\}\, 1\{w_j \cdot x' > 0\},}{
#'   K(x, x') = sum_j max(w_j.x, 0) max(w_j.x', 0) +
#'   (x.x') sum_j a_j^2 1(w_j.x > 0) 1(w_j.x' > 0),}
#' which is computed by three matrix products; the gradients, m (d + 1) numbers a row, are never
#' made. For a network of k outputs, `a` a k x m matrix, it is the kernel of the Jacobians written
#' as one vector: the first sum then counts k times, and \eqn{a_j^2} is the squared length of
#' column j.
#'
#' With `weights = NULL` the fit draws them as a network is initialised, once it knows the number d
#' of columns: all entries of the w_j are independent and normal with variance 1/m, and
#' \eqn{|a_j| = 1 / \sqrt m}{|a_j| = 1 / sqrt(m)} (their signs do not change the kernel). The
#' kernel in `fit$settings$kernel` holds the `weights` and the `seed` that were used; its size is
#' that of m d numbers. Weights of a trained network give the kernel of the features it has learned.
#'
#' With `normalize = TRUE` every gradient is divided by its length, the kernel by
#' \eqn{\sqrt{K(x, x) K(x', x')}}{sqrt(K(x, x) K(x', x'))}, as Ji, Srebro and Telgarsky do; a row
#' whose gradient is zero has kernel value 0 with all others.
#'
#' It works in [margin_hard()] and [margin_kernel()], with mixed rows too, and not with `nystrom`.
#' Sparse rows stay sparse; beside them the fit holds 2 m numbers a row.
#'
#' @param width Number m of hidden units, where the weights are to be drawn; 128 unless given.
#' @param seed Seed of the draw, one whole number, which leaves R's random numbers alone; `NULL`
#'   is that of [margin_control()], or one from R's stream, so that [set.seed()] rules. Each fit draws
#'   anew: give a seed where fits are to be compared.
#' @param weights `NULL`, or `list(W = , a = )`: the m x d matrix whose rows are the w_j, for the
#'   columns as they are fitted (after `center` and `scale`), and the m numbers a_j or, for k
#'   outputs, a k x m
#'   matrix. Without `width` and `seed`.
#' @param normalize Divide by the lengths of the gradients?
#' @param ... Not used; an unknown argument is an error.
#' @return A kernel, see [kernels], with elements `width`, `seed`, `weights` and `normalize`.
#' @section Errors:
#' An error of class `dualmargin_input_error` where an argument is out of its range, `weights` comes
#' with `width` or `seed`, its parts do not fit one another or the columns of the data.
#' @references
#' Jacot A, Gabriel F, Hongler C (2018). Neural tangent kernel: convergence and generalization in
#' neural networks. *Advances in Neural Information Processing Systems* 31. arXiv:1806.07572.
#'
#' Ji Z, Srebro N, Telgarsky M (2021). Fast margin maximization via dual acceleration.
#' *International Conference on Machine Learning*, PMLR 139, 4860-4869. Section 6.
#' arXiv:2107.00595.
#' @seealso [kernels], [margin_hard()], [margin_kernel()].
#' @examples
#' # two rings, which no line separates
#' angle <- seq(0, 2 * pi, length.out = 41)[-1]
#' x <- cbind(cos(angle), sin(angle)) * rep(c(1, 2), 20)
#' x <- cbind(x, 1) # a constant, for units with an offset
#' y <- factor(rep(c("inner", "outer"), 20))
#' fit <- margin_hard(x, y, kernel = kernel_ntk(width = 64, seed = 1, normalize = FALSE))
#' fit
#' dim(fit$settings$kernel$weights$W)
#' @export
kernel_ntk <- function(width = NULL, seed = NULL, weights = NULL, normalize = TRUE, ...) {
  assert_no_extra("kernel_ntk()", ...)
  assert_flag(normalize, "normalize")
  if (!is.null(weights)) {
    for (name in c("width", "seed")) {
      if (!is.null(get(name))) {
        abort_input(sprintf("`%s` is given, but `weights` are not drawn then; leave it out.", name),
                    name)
      }
    }
    weights <- assert_network(weights)
    width <- nrow(weights$W)
  } else {
    if (is.null(width)) width <- 128
    assert_number(width, "width", lower = 1, upper = 1e6, open = FALSE, whole = TRUE,
                  remedy = "the default is 128")
    assert_seed(seed)
  }
  kernel <- new_kernel("ntk")
  kernel[c("width", "seed", "weights", "normalize")] <-
    list(as.integer(width), seed, weights, normalize)
  kernel
}

assert_network <- function(weights) {
  if (!is.list(weights) || !setequal(names(weights), c("W", "a"))) {
    abort_input(sprintf(paste(
      "`weights` is %s, but must be list(W = , a = ), the weights of the hidden and of the output",
      "layer."
    ), show_value(weights)), "weights")
  }
  W <- weights$W
  a <- weights$a
  for (name in c("W", "a")) {
    if (!is.numeric(weights[[name]]) || !all(is.finite(weights[[name]]))) {
      abort_input(sprintf("`weights$%s` must hold finite numbers and nothing else.", name),
                  "weights")
    }
  }
  if (!is.matrix(W) || length(W) == 0L) {
    abort_input("`weights$W` must be a matrix with a row for each hidden unit.", "weights")
  }
  units <- if (is.matrix(a)) ncol(a) else length(a)
  if (units != nrow(W) || length(a) == 0L) {
    abort_input(sprintf(
      "`weights$a` is for %d hidden units, but `weights$W` has %d rows; give one for each.",
      units, nrow(W)
    ), "weights")
  }
  storage.mode(W) <- "double"
  storage.mode(a) <- "double"
  list(W = unname(W), a = unname(a))
}

format_tangent <- function(kernel) {
  drawn <- if (!is.null(kernel$seed)) sprintf("seed = %s", format(kernel$seed)) else
    if (is.null(kernel$weights)) "weights to be drawn" else "given weights"
  sprintf("ntk (width = %d, %s%s)", kernel$width, drawn,
          if (kernel$normalize) ", normalised" else "")
}

# A kernel that is complete once the number of columns is known. Weights that were drawn for another
# number are drawn again; given ones must fit. seed: of the fit, for a kernel without one.
settle_kernel <- function(kernel, columns, rows = 0, seed = NULL) {
  if (kernel$name == "ntk") assert_network_memory(kernel$width, rows, columns)
  if (kernel$name != "ntk" || identical(ncol(kernel$weights$W), columns)) {
    return(kernel)
  }
  if (!is.null(kernel$weights) && is.null(kernel$seed)) {
    abort_input(sprintf(
      "`kernel` has weights for %d columns, but `x` has %d; give weights for these.",
      ncol(kernel$weights$W), columns
    ), "kernel")
  }
  m <- kernel$width
  kernel["seed"] <- list(resolve_seed(if (is.null(kernel$seed)) seed else kernel$seed))
  W <- with_seed(kernel$seed, matrix(stats::rnorm(m * columns), m, columns)) / sqrt(m)
  kernel["weights"] <- list(list(W = W, a = rep(1 / sqrt(m), m)))
  kernel
}

# ---- Values ----

# Of rows less `rest`: x, the hidden layer, which of its units are on (times |a_j|), and the length
# of the gradient, 1 where it is not asked for or zero.
tangent_features <- function(kernel, x, rest = NULL) {
  rows <- list(x = x, rest = rest)
  a <- kernel$weights$a
  a <- if (is.matrix(a)) a else matrix(a, 1L)
  hidden <- inner_products(rows, list(x = kernel$weights$W))
  hidden[hidden < 0] <- 0
  gate <- sweep(hidden > 0, 2L, sqrt(colSums(a^2)), `*`)
  square <- nrow(a) * rowSums(hidden^2) + squared_lengths(rows) * rowSums(gate^2)
  length <- if (kernel$normalize) sqrt(square) else rep(1, nrow(x))
  list(x = x, rest = rest, hidden = hidden, gate = gate, outputs = nrow(a), square = square,
       length = replace(length, length == 0, 1))
}

# Between the rows of two sets of features.
tangent_values <- function(kernel, rows, points) {
  values <- rows$outputs * tcrossprod(rows$hidden, points$hidden) +
    inner_products(rows, points) * tcrossprod(rows$gate, points$gate)
  if (kernel$normalize) values / outer(rows$length, points$length) else values
}

# The kernel of rows as the core asks for it: its diagonal, and some of its columns.
tangent_rows <- function(kernel, x, rest = NULL) {
  all <- tangent_features(kernel, x, rest)
  block <- function(which) {
    some <- list(x = x[which, , drop = FALSE], rest = rest,
                 hidden = all$hidden[which, , drop = FALSE],
                 gate = all$gate[which, , drop = FALSE], length = all$length[which])
    tangent_values(kernel, all, some)
  }
  list(kernel = list(name = "evaluated", diagonal = all$square / all$length^2, evaluate = block,
                     check = "own"))
}
