# Errors in the data themselves: x, its names, the weights. The labels are in response.R.

# What a pass over the stored numbers of a vector, matrix or compressed sparse matrix finds: rows with
# an entry that is not finite, the `largest` size, the first entry that is `bad` or `beyond` all sizes.
# hash: is `hash` wanted, what the fingerprint of the rows is made of?
scan_entries <- function(x, hash = FALSE) scan_entries_cpp(x, largest_size, hash)

# "row 3", or "row 3 (\"s3\")" where the row has a name that says more than its number.
row_label <- function(row, names) {
  name <- if (is.null(names)) "" else names[row]
  if (name %in% c("", NA, row)) sprintf("row %d", row) else sprintf("row %d (\"%s\")", row, name)
}

# found: what a scan of x found.
assert_finite_matrix <- function(x, found, features, dropped_by_na_action = FALSE) {
  bad <- found$bad
  if (is.null(bad)) {
    return(invisible(x))
  }
  remedy <- if (is.infinite(bad$value)) {
    "replace it by a finite number or remove the row"
  } else if (dropped_by_na_action) {
    "use na.action = na.omit, impute it or remove the row"
  } else {
    "impute it or remove the row (the formula method can, by its na.action)"
  }
  arg <- if (dropped_by_na_action) "data" else "x"
  abort_input(sprintf("`%s` has %s in %s, column \"%s\"; %s.", arg, format(bad$value),
                      row_label(bad$row, rownames(x)), features[bad$column], remedy), arg)
}

# part: there may be rows elsewhere.
assert_size <- function(x, part = FALSE) {
  if (nrow(x) == 0L && !part) {
    abort_input("`x` has 0 rows; a fit needs at least one.", "x")
  }
  if (ncol(x) == 0L) {
    abort_input("`x` has 0 columns; a fit needs at least one feature besides the intercept.", "x")
  }
}

# Column names as features: V1, V2, ... where there are none. Prediction goes by these names.
feature_names <- function(names, p) {
  if (length(names) == 0L) {
    return(sprintf("V%d", seq_len(p)))
  }
  empty <- which(is.na(names) | names == "")
  names[empty] <- sprintf("V%d", empty)
  names
}

assert_features <- function(features) {
  twice <- anyDuplicated(features)
  if (twice > 0L) {
    abort_input(sprintf(
      "`x` has two columns named \"%s\" (the second is column %d); rename one, see make.unique().",
      features[twice], twice
    ), "x")
  }
  if ("(Intercept)" %in% features) {
    abort_input(paste(
      "`x` has a column named \"(Intercept)\"; remove it, the intercept is added",
      "by the argument `intercept`."
    ), "x")
  }
}

# A list that says it is a data frame, with columns of other lengths than it has rows, as no
# function of R makes one.
assert_frame <- function(frame, arg) {
  rows <- .row_names_info(frame, 2L)
  sound <- is.list(frame) && length(names(frame)) == length(frame) &&
    all(vapply(unclass(frame), function(column) NROW(column) == rows, NA))
  if (!sound) {
    abort_input(sprintf("`%s` is a damaged data frame: not every column has a name and %d values.",
                        arg, rows), arg)
  }
}

# Contrasts need two levels; stats' own message for this does not name the factor.
assert_factors_vary <- function(frame, arg) {
  one_level <- vapply(frame, function(column) is.factor(column) && nlevels(column) < 2L, NA)
  if (any(one_level)) {
    abort_input(sprintf("`%s` has the factor \"%s\" with one level only; remove it.",
                        arg, names(frame)[one_level][1L]), arg)
  }
}

# NA in a data frame, before factors are coded (model.matrix would drop the row in silence).
assert_frame_complete <- function(frame) {
  for (j in seq_along(frame)) {
    if (anyNA(frame[[j]])) {
      missing <- is.na(frame[[j]])
      row <- (which(missing)[1L] - 1L) %% nrow(frame) + 1L
      abort_input(sprintf(
        "`x` has NA in %s, column \"%s\"; impute it, remove the row, or use the formula method.",
        row_label(row, row.names(frame)), names(frame)[j]
      ), "x")
    }
  }
}

# rows: what the caller calls them.
assert_weights <- function(weights, n, part = FALSE, rows = "x") {
  if (!is.numeric(weights) || is.object(weights) || NCOL(weights) != 1L) {
    abort_input(sprintf("`weights` is %s, but must be a numeric vector, one weight a row%s.",
                        show_value(weights), integer64_remedy(weights)), "weights")
  }
  if (length(weights) != n) {
    abort_input(sprintf("`weights` has length %d, but `%s` has %d rows; give one weight a row.",
                        length(weights), rows, n), "weights")
  }
  bad <- scan_entries(as.vector(weights))$bad
  if (!is.null(bad)) {
    abort_input(sprintf("`weights` has %s at position %d; a row to leave out has weight 0.",
                        format(bad$value), bad$row), "weights")
  }
  if (any(weights < 0)) {
    k <- which(weights < 0)[1L]
    abort_input(sprintf("`weights` has %s at position %d; weights must not be negative.",
                        format(weights[k], digits = 4), k), "weights")
  }
  if (!any(weights > 0) && !part) {
    abort_input("`weights` are all 0; at least one row must count.", "weights")
  }
  assert_total_weight(weights, "weights")
  invisible(weights)
}

# A matrix as the user gave it, before anything reads it: the slots of package Matrix, and whether
# what a fit makes of its size fits into memory.

# Every matrix comes in here, before the first method of package Matrix is called on it: those
# methods index by the slots as unchecked as the core does. O(stored entries). Of what the core takes as
# it is (core_matrix()) the pass is that of scan_entries(x, hash), which is returned.
assert_matrix <- function(x, arg, hash = FALSE) {
  if (!isS4(x)) {
    return(invisible())
  }
  kind <- matrix_kind(x)
  if (is.null(kind)) {
    abort_input(sprintf("`%s` is %s, which is none of package Matrix; convert it to one of those.",
                        arg, show_value(x)), arg)
  }
  found <- check_slots_cpp(x, kind$storage, kind$shape, kind$type, largest_size, hash)
  if (!is.null(found$fault)) abort_slot(x, arg, found$slot, found$fault)
  if (kind$storage %in% c("diagonal", "index")) {
    said <- methods::validObject(x, test = TRUE)
    if (!isTRUE(said)) abort_slot(x, arg, "perm", paste("is not valid:", said[1L]))
  }
  invisible(found)
}

abort_slot <- function(x, arg, slot, fault) {
  abort_input(sprintf("`%s` is a damaged %s, whose slot `%s` %s; rebuild it with Matrix::%s().",
                      arg, class(x)[1L], slot, fault,
                      if (methods::is(x, "denseMatrix")) "Matrix" else "sparseMatrix"), arg)
}

# How the slots of a class of package Matrix are to be read; NULL for a class of others.
matrix_kind <- function(x) {
  as_it_is <- c(dgCMatrix = "C", dgRMatrix = "R")[class(x)[1L]]
  if (!is.na(as_it_is)) {
    return(list(storage = as_it_is[[1L]], shape = "g", type = "d"))
  }
  first <- function(classes) {
    names(classes)[vapply(classes, function(class) methods::is(x, class), NA)][1L]
  }
  storage <- first(c(C = "CsparseMatrix", R = "RsparseMatrix", T = "TsparseMatrix",
                     diagonal = "diagonalMatrix", index = "indMatrix", dense = "denseMatrix"))
  if (is.na(storage)) {
    return(NULL)
  }
  shape <- if (storage %in% c("diagonal", "index")) "g" else
    first(c(s = "symmetricMatrix", t = "triangularMatrix", g = "Matrix"))
  type <- first(c(d = "dMatrix", l = "lMatrix", n = "nMatrix"))
  packed <- storage == "dense" && shape != "g" && any(vapply(
    c("dspMatrix", "dtpMatrix", "lspMatrix", "ltpMatrix", "nspMatrix", "ntpMatrix"),
    function(class) methods::is(x, class), NA
  ))
  list(storage = if (packed) "packed" else storage, shape = shape,
       type = if (is.na(type)) "n" else type)
}

# A matrix of at least one row and column whose fit fits into memory, whatever it stores: some
# sixteen vectors along rows and along columns, and the entries once more.
assert_matrix_memory <- function(x, arg) {
  size <- as.double(dim(x))
  stored <- if (isS4(x) && methods::is(x, "sparseMatrix")) 0 else prod(size)
  assert_memory(8 * (stored + 16 * sum(size)), arg, sprintf(
    "has %s rows and %s columns", grouped(size[1L]),
    grouped(size[2L])
  ), "give fewer, for instance the columns that are not all zero")
}

# What is wrong with the arguments of a kernel fit: those known at once, and those that wait for the
# data.

# tol: NULL where the number is not looked for, as of a path.
assert_nystrom <- function(nystrom, kernel, solver, tol = NULL) {
  if (!identical(nystrom, "auto") || is.null(tol)) {
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
