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
    ), format(n, big.mark = ","), enough, format(cache_mb), enough), "check")
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
