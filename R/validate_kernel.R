# What is wrong with the arguments of a kernel fit: those known at once, and those that wait for the
# data.

# tol: NULL where the number is not looked for, as of a path.
assert_nystrom <- function(nystrom, kernel, solver, tol = NULL) {
  auto <- identical(nystrom, "auto") && !is.null(tol)
  if (auto) {
    assert_number(tol, "nystrom_tol", lower = 0, remedy = "the default is 1e-3")
  } else {
    assert_number(nystrom, "nystrom", lower = 2, upper = most_landmarks, open = FALSE, whole = TRUE,
                  remedy = "NULL uses the full kernel")
  }
  if (!kernel$name %in% formula_kernels) {
    abort_input(sprintf(paste(
      "`nystrom` is %s, which takes a kernel known by a formula and not %s;",
      "use kernel_rbf(), kernel_laplace(), kernel_polynomial() or \"linear\", or leave it out."
    ), show_value(nystrom), format(kernel)), "nystrom")
  }
  if (!identical(solver, "auto")) {
    abort_input(sprintf(
      "`solver` is %s, but with `nystrom` it must be \"auto\"; leave one of the two out.",
      show_value(solver)
    ), "solver")
  }
}

assert_mixup <- function(mixup, kernel) {
  if (is.null(mixup)) {
    return(invisible())
  }
  if (!inherits(mixup, "mixup_pairs")) {
    abort_input(sprintf("`mixup` is %s, but must be NULL or made by mixup_pairs().",
                        show_value(mixup)), "mixup")
  }
  if (kernel$name == "precomputed") {
    abort_input(paste(
      "`mixup` cannot mix the rows of a precomputed kernel;",
      "give the data and a kernel, or compute the kernel of mixup_data()."
    ), "mixup")
  }
}

assert_unscaled <- function(kernel, scale) {
  if (scale && identical(kernel$name, "precomputed")) {
    abort_input(
      "`scale` is TRUE, but a precomputed kernel has no columns to scale; leave it out.", "scale"
    )
  }
}

assert_center <- function(center) {
  if (!is.null(center)) assert_flag(center, "center")
}

assert_uncentred <- function(kernel, center) {
  if (isTRUE(center) && identical(kernel$name, "precomputed")) {
    abort_input(paste(
      "`center` is TRUE, but a precomputed kernel has no columns to centre; use center = FALSE",
      "and compute the kernel of centred columns."
    ), "center")
  }
}

# ---- With the data ----

# Are column means subtracted? Where they change nothing they are not, and where the kernel is a
# function of the user's they are if that is asked for, since its rows may have to be positive.
settle_center <- function(center, kernel, sparse) {
  if (is_isotropic(kernel) || kernel$name == "precomputed") {
    return(FALSE)
  }
  if (isTRUE(center) && kernel$name == "evaluated" && sparse) {
    abort_input(paste(
      "`center` is TRUE, but `x` is sparse and the kernel a function of its rows, which centred",
      "have no zeros; use center = FALSE, or make `x` dense (as.matrix())."
    ), "center")
  }
  if (is.null(center)) !sparse && (kernel$name != "evaluated" || isTRUE(kernel$inner)) else center
}

assert_landmarks <- function(nystrom, rows, which = "") {
  if (!is.null(nystrom) && nystrom > rows) {
    abort_input(sprintf(
      "`nystrom` is %d, but the data have %d rows%s to draw landmarks from; give fewer, or NULL.",
      as.integer(nystrom), rows, which
    ), "nystrom")
  }
}

assert_kernel_matrix <- function(kernel, design) {
  if (kernel$name != "precomputed") {
    return(invisible())
  }
  if (design$interface != "matrix" || isS4(design$x)) {
    abort_input("`x` must be a base matrix of kernel values for kernel_precomputed().", "x")
  }
  assert_kernel_values(design$x)
}

assert_kernel_values <- function(x) {
  if (nrow(x) != ncol(x)) {
    abort_input(sprintf("`x` is %d x %d, but a precomputed kernel is square.", nrow(x), ncol(x)),
                "x")
  }
  if (!is_symmetric(x) || any(diag(x) < 0)) {
    abort_input("`x` is not a kernel matrix: it must be symmetric, with no negative diagonal.", "x")
  }
}

# As isSymmetric() has it, but a block of columns at a time: that one takes five times the memory of
# a matrix that may fill most of it.
is_symmetric <- function(x) {
  all(vapply(seq(1L, ncol(x), by = 256L), function(from) {
    columns <- seq(from, min(from + 255L, ncol(x)))
    block <- x[, columns, drop = FALSE]
    max(abs(block - t(x[columns, , drop = FALSE]))) <= 100 * .Machine$double.eps * max(abs(block))
  }, NA))
}

# Known only to the core: what the values of the kernel between the fitted rows reach, and what
# they are.
assert_kernel_range <- function(result, kernel) {
  assert_semidefinite(result, kernel)
  beyond <- result$beyond
  if (is.null(beyond)) {
    return(invisible())
  }
  reach <- if (is.finite(beyond)) sprintf("values up to %s", format(beyond, digits = 2)) else
    "values beyond the largest number"
  remedy <- switch(kernel$name,
    polynomial = "use a smaller degree or scale, or columns of smaller numbers (scale = TRUE)",
    linear = , ntk = "use columns of smaller numbers (scale = TRUE)",
    "divide it by its largest value"
  )
  stop(structure(
    class = c("dualmargin_numerical_error", "dualmargin_error", "error", "condition"),
    list(message = sprintf("`kernel` has %s on these rows, and a fit works up to 1e150; %s.", reach,
                           remedy), call = NULL)
  ))
}

# What a user's function returned.
check_block <- function(values, rows, columns) {
  if (is.numeric(values) || is.data.frame(values) || methods::is(values, "Matrix")) {
    values <- as.matrix(values)
  }
  if (!is.numeric(values) || !identical(dim(values), c(rows, columns))) {
    abort_input(sprintf(
      "`kernel` returned %s, but must return the %d x %d matrix of values between its two blocks.",
      if (is.numeric(values)) paste(c("a matrix of", dim(values)[1L], "x", dim(values)[2L]),
                                    collapse = " ") else show_value(values), rows, columns
    ), "kernel")
  }
  if (!all(is.finite(values))) {
    abort_input("`kernel` returned a value that is not finite; check it and the columns of `x`.",
                "kernel")
  }
  storage.mode(values) <- "double"
  values
}
