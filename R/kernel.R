# Kernels as small values the user composes. The known ones are computed in src/kernel/.

#' Kernels
#'
#' Choose how a kernel machine compares two rows. A kernel is given to [margin_kernel()] or
#' [margin_hard()] by its name, as in `kernel =
#' "linear"`, or as a value made by one of these functions where its parameters matter.
#'
#' - `kernel_rbf(sigma)`: \eqn{\exp(-\sigma |x - x'|_2^2)}{exp(-sigma |x - x'|^2)}.
#' - `kernel_laplace(sigma)`: \eqn{\exp(-\sigma |x - x'|_2)}{exp(-sigma |x - x'|)}, with the
#'   Euclidean norm.
#' - `kernel_polynomial(degree, scale, offset)`:
#'   \eqn{(\mathrm{scale}\; x'x' + \mathrm{offset})^{\mathrm{degree}}}{(scale x.x' +
#'   offset)^degree}.
#' - `"linear"`: \eqn{x \cdot x'}{x.x'}; the model is then that of [margin_linear()], but for
#'   the origin of the columns where the intercept is not free (see `center` of [margin_kernel()]).
#' - [kernel_ntk()]: the tangent kernel of a neural network with one hidden layer, on a page of its
#'   own.
#' - `kernel_precomputed(check, repair)`: `x` is itself the square matrix of kernel values between
#'   the rows to be fitted, and `newdata` of a prediction the matrix of kernel values between new
#'   rows and those.
#' - `kernel_custom(f, check)`: an R function `f(a, b)` of two blocks of rows, which must return the
#'   `nrow(a)` x `nrow(b)` matrix of kernel values. The function alone means `kernel_custom(f)`.
#'
#' Parameters have the meaning they have in package kernlab, and a kernel object of that package (as
#' made by `kernlab::rbfdot()`) is taken as well; it is judged as a function is.
#'
#' @section Positive semidefinite:
#' All certificates rest on \eqn{a'Ka \ge 0}{a'Ka >= 0} for the matrix K of kernel values and every
#' vector a: it is the square of a length. Without it (sigmoid kernels, thresholded correlations,
#' edit distances) the objective has no minimum. The kernels of this package are positive
#' semidefinite; those that are given to it are judged:
#'
#' * `check = "auto"` looks at the diagonal and at all pairs of rows (\eqn{k_{ij}^2 \le k_{ii}
#'   k_{jj}}{k_ij^2 <= k_ii k_jj}), and up to 2,000 rows makes a Cholesky factorisation of the whole
#'   matrix, once for all points of a path and all folds; `"full"` makes it for any number of rows;
#'   `"none"` looks at nothing. Values of a function are factorised if they fit into half of
#'   `cache_mb` (see [margin_kernel()]): else `"full"` is an error, and `"auto"` looks at pairs.
#' * What does not pass is an error, of class `dualmargin_input_error`, with what shows it: in its
#'   message and in its elements `rows`, `value` and `vector`. An \eqn{a'Ka < 0} that a fit meets on
#'   its way is the same error, whatever `check` is.
#' * A matrix is known up to the rounding of its values, and so is its smallest eigenvalue: with
#'   \eqn{S^2}{S^2} the diagonal of K, what is proved is that \eqn{K + t S^2}{K + t S^2} is positive
#'   semidefinite, with \eqn{t} about \eqn{5 \cdot 10^{-16} n^{3/2}}{5e-16 n^(3/2)}, and up to 1e-8
#'   where values have lost more digits. The optimum that is meant is that of any positive
#'   semidefinite matrix between the two, and the bound is lowered by \eqn{\frac32 \lambda t
#'   |S\beta|^2}{3/2 lambda t |S beta|^2}, so that it is below all of them.
#' * Where no factorisation was made, the column `assumes` of [certificate()] is `"positive
#'   semidefinite kernel"`, and the fit says so when it is printed.
#'
#' `repair = "shift"` adds to the diagonal of a matrix that is not positive semidefinite what its
#' smallest eigenvalue is below 0, and says how much: a ridge for matrices that nearly are, such as
#' thresholded correlations. The matrix of a prediction stays as it is given. A matrix of distances
#' D is no kernel; `exp(-sigma * D^2)` is one for Euclidean distances.
#'
#' @section The width:
#' With `sigma = NULL` the width is chosen from the data by the median heuristic: `sigma` is one
#' over the median squared distance (for the Laplace kernel: over the median distance) between
#' distinct rows, on the columns as they are fitted, where a pair counts by the product of its
#' weights. A weight of 2 is the row twice and one of 0 no row; the order of the rows and columns
#' that are constant change nothing. Up to 2,000 distinct rows all pairs are taken, of more rows
#' those of 2,000, which a hash of their values draws. Up to rounding it draws the same rows
#' where columns are multiplied by positive numbers or shifted. Where they change sign it draws
#' others; other draws moved `1 / sqrt(sigma)` by 0.3 to 3 % on nine data sets (medians of 20), and by
#' 7 % at most (`inst/bench/kernel_width.R`). The value found is in `fit$settings$kernel$sigma`.
#' It is a start for tuning and no more.
#'
#' @param sigma Inverse width, one positive number, in units of one over the squared distance
#'   (Laplace: over the distance) between rows; `NULL` chooses it from the data.
#' @param degree Degree of the polynomial, a whole number from 1 on.
#' @param scale Positive factor of the inner product.
#' @param offset Constant added to it, 0 or more.
#' @param f An R function of two blocks of rows, dense or sparse as `x` is.
#' @param check `"auto"`, `"full"` or `"none"`: what is looked at before the fit, see the section on
#'   positive semidefinite kernels.
#' @param repair `"none"`, or `"shift"` to add to the diagonal what is missing.
#' @param x A kernel.
#' @param ... Not used; an unknown argument is an error.
#' @return A list of class `"kernel_function"` with elements `name`, `sigma`, `degree`, `scale` and
#'   `offset` (`NA` where a kernel has none); for kernels that are given `check`, and `repair`. That
#'   of a fit, in `fit$settings$kernel`, has what was added to the diagonal as `shift`.
#' @section Errors:
#' A parameter out of its range is an error of class `dualmargin_input_error`, and so is a kernel
#' that is not symmetric and positive semidefinite.
#' @references
#' Higham NJ (2002). *Accuracy and Stability of Numerical Algorithms*, 2nd edition, Theorems 10.3
#' and 10.7. SIAM. \doi{10.1137/1.9780898718027}. (Rounding in a Cholesky factorisation.)
#'
#' Schoelkopf B, Smola AJ (2002). *Learning with Kernels*. MIT Press.
#'
#' Caputo B, Sim K, Furesjo F, Smola A (2002). Appearance-based object recognition using SVMs: which
#' kernel should I use? *NIPS workshop on statistical methods for computational experiments in
#' visual processing and computer vision*. (The range of useful widths around the median distance.)
#' @seealso [margin_kernel()], [margin_hard()], [kernel_ntk()].
#' @examples
#' kernel_rbf(sigma = 0.1)
#' margin_kernel(Species ~ ., data = iris, kernel = kernel_polynomial(degree = 2))
#'
#' # values of a kernel, between training rows and of test rows with those
#' D <- as.matrix(dist(scale(iris[1:4])))
#' train <- seq(1, 150, by = 2)
#' K <- exp(-0.3 * D^2)
#' fit <- margin_kernel(K[train, train], iris$Species[train], kernel = kernel_precomputed())
#' mean(predict(fit, K[-train, train]) == iris$Species[-train])
#'
#' # a sigmoid is no kernel
#' sigmoid <- function(a, b) tanh(0.1 * tcrossprod(as.matrix(a), as.matrix(b)) - 1)
#' try(margin_kernel(Species ~ ., data = iris, kernel = sigmoid))
#' @name kernels
NULL

new_kernel <- function(name, sigma = NA_real_, degree = NA_real_, scale = NA_real_,
                       offset = NA_real_, evaluate = NULL) {
  structure(
    list(name = name, sigma = sigma, degree = degree, scale = scale, offset = offset,
         evaluate = evaluate),
    class = "kernel_function"
  )
}

#' @rdname kernels
#' @export
kernel_rbf <- function(sigma = NULL, ...) {
  assert_no_extra("kernel_rbf()", ...)
  new_kernel("rbf", sigma = width_of(sigma))
}

#' @rdname kernels
#' @export
kernel_laplace <- function(sigma = NULL, ...) {
  assert_no_extra("kernel_laplace()", ...)
  new_kernel("laplace", sigma = width_of(sigma))
}

#' @rdname kernels
#' @export
kernel_polynomial <- function(degree = 2, scale = 1, offset = 1, ...) {
  assert_no_extra("kernel_polynomial()", ...)
  assert_number(degree, "degree", lower = 1, upper = 1000, open = FALSE, whole = TRUE,
                remedy = "the default is 2")
  assert_number(scale, "scale", lower = 0, remedy = "the default is 1")
  assert_number(offset, "offset", lower = 0, open = FALSE, remedy = "the default is 1")
  assert_size_of(scale, "scale")
  assert_size_of(offset, "offset")
  new_kernel("polynomial", degree = as.double(degree), scale = as.double(scale),
             offset = as.double(offset))
}

#' @rdname kernels
#' @export
kernel_precomputed <- function(check = c("auto", "full", "none"), repair = c("none", "shift"),
                               ...) {
  assert_no_extra("kernel_precomputed()", ...)
  kernel <- new_kernel("precomputed")
  kernel$check <- one_of(check, kernel_checks, "check")
  kernel$repair <- one_of(repair, kernel_repairs, "repair")
  kernel
}

#' @rdname kernels
#' @export
kernel_custom <- function(f, check = c("auto", "full", "none"), ...) {
  assert_no_extra("kernel_custom()", ...)
  if (!is.function(f)) {
    abort_input(sprintf("`f` is %s, but must be a function of two blocks of rows.", show_value(f)),
                "f")
  }
  assert_takes(f, "f", c("a", "b"))
  kernel <- new_kernel("evaluated", evaluate = f)
  kernel$check <- one_of(check, kernel_checks, "check")
  kernel
}

width_of <- function(sigma) {
  if (is.null(sigma)) {
    return(NA_real_)
  }
  assert_number(sigma, "sigma", lower = 0, remedy = "NULL chooses it by the median heuristic")
  assert_size_of(sigma, "sigma")
  as.double(sigma)
}

kernel_makers <- function() {
  list(rbf = kernel_rbf, laplace = kernel_laplace, polynomial = kernel_polynomial,
       linear = function() new_kernel("linear"), ntk = kernel_ntk, precomputed = kernel_precomputed)
}

# A name, a kernel value, a kernlab object or a function of two blocks -> a kernel value.
as_kernel <- function(x) {
  if (inherits(x, "kernel_function")) {
    x$shift <- NULL
    return(x)
  }
  if (isS4(x) && methods::is(x, "kernel")) {
    assert_kernlab()
    kernel <- kernel_custom(function(a, b) {
      kernlab::kernelMatrix(x, as.matrix(a), as.matrix(b))@.Data
    })
    # functions of inner products, which are centred as ours are
    inner <- c("polykernel", "vanillakernel", "tanhkernel")
    if (any(vapply(inner, function(class) methods::is(x, class), NA))) kernel$inner <- TRUE
    return(kernel)
  }
  if (is.function(x)) {
    made <- vapply(c(kernel_makers(), custom = kernel_custom), identical, NA, x)
    if (any(made)) {
      abort_input(sprintf("`kernel` is a function; call it, as in kernel_%s(%s).",
                          names(made)[made], if (made[["custom"]]) "f" else ""), "kernel")
    }
    assert_takes(x, "kernel", c("a", "b"))
    return(kernel_custom(x))
  }
  if (!is.character(x)) {
    abort_input(sprintf(paste(
      "`kernel` is %s, but must be one of the kernel_*() functions' values, their name,",
      "a kernlab kernel, or a function of two blocks of rows."
    ), show_value(x)), "kernel")
  }
  if (length(x) == 1L && x %in% names(kernel_aliases)) {
    abort_input(sprintf("`kernel` is \"%s\", which is called \"%s\" here: kernel = kernel_%s().", x,
                        kernel_aliases[[x]], kernel_aliases[[x]]), "kernel")
  }
  assert_choice(x, names(kernel_makers()), "kernel")
  kernel_makers()[[x]]()
}

assert_kernlab <- function() {
  if (!requireNamespace("kernlab", quietly = TRUE)) {
    abort_input("`kernel` is a kernlab kernel, but that package is not installed; install it.",
                "kernel")
  }
}

is_isotropic <- function(kernel) kernel$name %in% c("rbf", "laplace")

# In R and not in src/kernel/, on rows that may be mixtures.
is_evaluated <- function(kernel) kernel$name %in% c("evaluated", "ntk")

#' @rdname kernels
#' @export
format.kernel_function <- function(x, ...) {
  assert_no_extra("format()", ...)
  number <- function(value) format(value, digits = 4)
  switch(
    x$name,
    rbf = , laplace = sprintf("%s (sigma = %s)", x$name, if (is.na(x$sigma)) "chosen from the data"
                              else number(x$sigma)),
    polynomial = sprintf("polynomial (degree = %s, scale = %s, offset = %s)", number(x$degree),
                         number(x$scale), number(x$offset)),
    ntk = format_tangent(x),
    evaluated = "a function of two blocks of rows",
    precomputed = if (is.null(x$shift)) "precomputed" else
      sprintf("precomputed, with %s added to the diagonal", number(x$shift)),
    x$name
  )
}

#' @rdname kernels
#' @export
print.kernel_function <- function(x, ...) {
  assert_no_extra("print()", ...)
  cat(sprintf("<kernel_function> %s\n", format(x)))
  invisible(x)
}

# ---- Values, for predictions ----

# sum_k beta_k k(x_k, .) at the first `count` of these rows, of the others of which, or of mixtures
# of them, it is made; all less `rest`. A column for each of beta. In src/kernel/kernel_function.h.
kernel_expansion <- function(kernel, rows, count, beta, mixed = NULL, rest = NULL, threads = NULL) {
  if (is.null(mixed)) mixed <- list(first = integer(), second = integer(), share = numeric())
  storage.mode(beta) <- "double"
  expand_kernel_cpp(in_core_form(rows), count, unclass(kernel)[formula_parameters], mixed,
                    as.numeric(rest), beta, resolve_threads(threads), chunk_entries())
}
formula_parameters <- c("name", "sigma", "degree", "scale", "offset")

# Those of a kernel that is computed in R: a, rows, dense or sparse, less `rest` (see
# centred_rows()); points: what kernel_points() made.
kernel_values <- function(kernel, a, points, rest = NULL) {
  if (kernel$name == "ntk") {
    return(tangent_values(kernel, tangent_features(kernel, a, rest), points))
  }
  check_block(kernel$evaluate(a, points$x), nrow(a), nrow(points$x))
}
kernel_points <- function(kernel, x, rest = NULL) {
  if (kernel$name == "ntk") tangent_features(kernel, x, rest) else list(x = x)
}

# Rows as kernels see them in a prediction, and those computed in R in a fit: scaled and moved. As
# in src/.

# Weighted means and population standard deviations of columns, and what they are divided by:
# `mean`, `sd` and `scale`, as src/rows/column_scale.h has them for every fit.
column_frame <- function(x, omega) {
  if (is_rows(x)) {
    return(from_rows_file(column_frame_rows_cpp(rows_of_core(x), omega), "x"))
  }
  column_frame_cpp(in_core_form(x), omega)
}

# The numbers of distinct rows with weight, and of columns that are not constant in these: what is
# found from data counts no others. Copies are not looked for in a file.
distinct_size <- function(x, omega) {
  if (is_rows(x)) {
    return(list(rows = sum(omega > 0), columns = sum(column_frame(x, omega)$sd > 0)))
  }
  distinct_size_cpp(in_core_form(x), omega)
}

# What can be taken from the columns without rounding, see src/rows/column_scale.h.
exact_centres <- function(x) exact_centres_cpp(in_core_form(x))

# Subsets of sparse rows may come in another form than those of the core.
in_core_form <- function(x) {
  if (!isS4(x) || inherits(x, c("dgCMatrix", "dgRMatrix"))) x else methods::as(x, "CsparseMatrix")
}

# Two blocks of rows, sparse if one of them is.
stack_rows <- function(a, b) {
  if (!isS4(a) && !isS4(b)) {
    return(rbind(unname(a), unname(b)))
  }
  general <- function(x) {
    x <- methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
    dimnames(x) <- list(NULL, NULL) # of NULL alone, which unname() takes, Matrix tells the user
    x
  }
  rbind(general(a), general(b))
}

# Divided and not multiplied by an inverse: the same digits as in src/rows/row_store.h.
scale_columns <- function(x, scales) {
  if (all(scales == 1)) {
    return(x)
  }
  if (!isS4(x)) {
    return(sweep(x, 2L, scales, `/`))
  }
  x <- methods::as(x, "CsparseMatrix")
  x@x <- x@x / rep(scales, diff(x@p))
  x
}

# Rows less a centre, then divided: a list of `x`, and of `rest`, what is to be subtracted from its
# rows beside (NULL: nothing). Sparse rows stay sparse; in a column without zeros the centre is
# subtracted where it is exact, in the others it is left to the inner products.
centred_rows <- function(x, centre, scales) {
  if (!isS4(x)) {
    return(list(x = scale_columns(sweep(x, 2L, centre), scales), rest = NULL))
  }
  x <- methods::as(x, "CsparseMatrix")
  stored <- diff(x@p)
  full <- stored == nrow(x)
  x@x <- x@x - rep(ifelse(full, centre, 0), stored)
  rest <- ifelse(full, 0, centre) / scales
  list(x = scale_columns(x, scales), rest = if (any(rest != 0)) rest)
}

# (a - rest_a).(b - rest_b) of all pairs of rows of two such lists.
inner_products <- function(a, b) {
  values <- unname(as.matrix(Matrix::tcrossprod(a$x, b$x)))
  along <- function(rows, rest) as.vector(as.matrix(rows %*% rest))
  if (!is.null(b$rest)) values <- values - along(a$x, b$rest)
  if (!is.null(a$rest)) values <- sweep(values, 2L, along(b$x, a$rest))
  if (is.null(a$rest) || is.null(b$rest)) values else values + sum(a$rest * b$rest)
}

# |a - rest|^2
squared_lengths <- function(rows) {
  terms <- unname(Matrix::rowSums(rows$x^2))
  if (is.null(rows$rest)) {
    return(terms)
  }
  terms <- terms + sum(rows$rest^2)
  along <- as.vector(as.matrix(rows$x %*% rows$rest))
  rounding <- 2 * unit_roundoff * (ncol(rows$x) + 4) * terms
  judged_square(terms - 2 * along, rounding)
}

subtract_columns <- function(x, centre) {
  moved <- which(centre != 0)
  if (length(moved) == 0L || nrow(x) == 0L) {
    return(x)
  }
  if (!isS4(x)) {
    return(sweep(x, 2L, centre))
  }
  n <- nrow(x)
  x - Matrix::sparseMatrix(rep(seq_len(n), length(moved)), rep(moved, each = n),
                           x = rep(centre[moved], each = n), dims = dim(x))
}
