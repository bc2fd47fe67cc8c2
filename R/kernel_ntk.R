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

# Kernels that the user gives, as values or as a function: are they positive semidefinite? The
# mathematics is in src/kernel/semidefinite.h.

kernel_checks <- c("auto", "full", "none")
kernel_repairs <- c("none", "shift")

# Up to here one factorisation of the matrix costs little beside a fit.
most_checked_rows <- 2000

# What the core looks at of n rows: "whole", the factorisation, "minors" of two rows, or "nothing".
# cache_mb: the memory that the values and their factor are to fit in, where they are computed.
check_of <- function(kernel, n, cache_mb = Inf) {
  needed <- 2 * 8 * as.double(n)^2 / 1e6
  if (kernel$check == "full" && needed > cache_mb) {
    enough <- format(signif(1.01 * needed, 3), scientific = FALSE)
    abort_input(sprintf(paste(
      "`check` is \"full\", whose factorisation of %s rows takes %s MB, but `cache_mb` is %s; use",
      "check = \"auto\", or control = margin_control(solver_options = list(cache_mb = %s))."
    ), grouped(n), enough, format(cache_mb), enough), "check")
  }
  switch(kernel$check, none = "nothing", full = "whole",
         if (n <= most_checked_rows && needed <= cache_mb) "whole" else "minors")
}

# A precomputed kernel with `judged`, what is known of its matrix x: `allowance`, by which it may
# lack of being semidefinite (NA: not known), and `shift`, what is added to the diagonal. Once for a
# matrix: its rows and columns in a fold are as good as all. Recorded fits do not have it.
judged_kernel <- function(kernel, x) {
  if (kernel$name != "precomputed" || !is.null(kernel$judged)) {
    return(kernel)
  }
  assert_no_distances(x)
  storage.mode(x) <- "double"
  check <- check_of(kernel, nrow(x))
  if (check == "nothing" && kernel$repair == "none") {
    kernel$judged <- list(allowance = NA_real_, shift = 0)
    return(kernel)
  }
  judge <- function(x) judge_values(x, whole = check == "whole" || kernel$repair == "shift")
  found <- judge(x)
  shift <- 0
  if (!is.null(found$indefinite) && kernel$repair == "shift") {
    shift <- least_shift(x)
    found <- judge(shifted(x, shift))
    inform(sprintf("`x` is not positive semidefinite: %s is added to its diagonal (%s of the mean).",
                   format(shift, digits = 4),
                   format(shift / mean(abs(diag(x))), digits = 2)))
  }
  if (!is.null(found$indefinite)) abort_indefinite(found$indefinite, kernel, "x")
  allowance <- if (check == "whole" || kernel$repair == "shift") found$allowance else NA_real_
  kernel$judged <- list(allowance = allowance, shift = shift)
  kernel
}

judge_values <- function(x, whole) judge_kernel_cpp(x, whole)

# For many fits on rows and columns of one matrix: its judgement goes with the kernel.
with_judged_kernel <- function(arguments, x) {
  if (is_precomputed(arguments)) {
    kernel <- as_kernel(arguments$kernel)
    assert_kernel_values(x)
    arguments$kernel <- judged_kernel(kernel, x)
  }
  arguments
}

shifted <- function(x, shift) {
  if (shift != 0) diag(x) <- diag(x) + shift
  x
}

# -lambda_min(x), and the rounding of the eigenvalues.
least_shift <- function(x) {
  values <- eigen(x, symmetric = TRUE, only.values = TRUE)$values
  max(0, -min(values)) + 4 * nrow(x) * unit_roundoff * max(abs(values))
}

# What a fit remembers of a kernel.
recorded_kernel <- function(kernel) {
  if (!is.null(kernel$judged)) {
    shift <- kernel$judged$shift
    kernel$judged <- NULL
    kernel$shift <- if (shift != 0) shift
  }
  kernel
}

# The last column of a certificate: what it takes for granted.
certificate_assumes <- function(kernel, result) {
  assumed <- if (is.null(kernel)) FALSE else
    switch(kernel$name, precomputed = is.na(kernel$judged$allowance),
           evaluated = !isTRUE(result$judged), FALSE)
  if (assumed) "positive semidefinite kernel" else ""
}

describe_assumes <- function(certificate) {
  assumed <- setdiff(certificate$assumes, "")
  if (length(assumed) > 0L) "  given that the kernel is positive semidefinite, which was not checked"
}

# ---- What is wrong with it ----

# What the core has found in the values of a kernel, or in a run.
assert_semidefinite <- function(result, kernel) {
  if (!is.null(result$indefinite)) abort_indefinite(result$indefinite, kernel, "kernel")
  one <- result[["solution"]]
  solutions <- if (is.null(one)) result[["solutions"]] else list(one)
  if (length(solutions) > 0L && is.null(names(solutions[[1L]]))) {
    solutions <- unlist(solutions, recursive = FALSE)
  }
  for (solution in solutions) {
    if (is.null(solution$negative_square)) next
    abort_indefinite(list(kind = "square", value = solution$negative_square,
                          support = solution$negative_support), kernel, "kernel")
  }
}

abort_indefinite <- function(shown, kernel, arg) {
  number <- function(value) format(value, digits = 4)
  if (shown$kind == "sides") {
    abort_input(sprintf(
      "`kernel` is not symmetric: rows %d and %d have the value %s one way and %s the other.",
      as.integer(shown$i), as.integer(shown$j), number(shown$value), number(shown$other)
    ), "kernel")
  }
  arg <- if (kernel$name == "precomputed") "x" else "kernel"
  of_vector <- function(size) {
    sprintf("weights a of %s with |a| = 1 have a'Ka = %s", count(size, "row"), number(shown$value))
  }
  told <- switch(
    shown$kind,
    diagonal = sprintf("row %d has the value %s with itself, and no square is negative",
                       as.integer(shown$i), number(shown$value)),
    minor = sprintf("rows %d and %d have the value %s, larger than those with themselves allow",
                   as.integer(shown$j), as.integer(shown$i), number(shown$value)),
    vector = of_vector(sum(shown$vector != 0)), square = of_vector(shown$support)
  )
  remedy <- if (kernel$name == "precomputed") {
    "kernel_precomputed(repair = \"shift\") adds to its diagonal what is missing"
  } else {
    paste("give one that is, as kernel_rbf(), or its matrix and",
          "kernel_precomputed(repair = \"shift\")")
  }
  stop(structure(
    class = c("dualmargin_input_error", "dualmargin_error", "error", "condition"),
    list(message = sprintf("`%s` is not positive semidefinite: %s; %s.", arg, told, remedy),
         call = NULL, arg = arg, rows = unique(c(shown$j, shown$i)), value = shown$value,
         vector = shown$vector)
  ))
}

# Zeros on the diagonal and nothing negative beside it are distances, or dissimilarities.
assert_no_distances <- function(x) {
  largest <- max(x)
  if (!(largest > 0) || max(abs(diag(x))) > 1e-12 * largest || min(x) < 0) {
    return(invisible())
  }
  abort_input(sprintf(paste(
    "`x` has a diagonal of zeros and looks like distances D (up to %s), not kernel values; use",
    "exp(-sigma * D^2), for Euclidean distances positive semidefinite, with sigma = %s."
  ), format(largest, digits = 4), format(1 / stats::median(x[lower.tri(x)]^2), digits = 2)), "x")
}
