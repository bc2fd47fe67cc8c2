# Support vector machines of kernlab, by the slots of the fit; see R/audit_svm.R.

#' @rdname margin_audit
#' @export
margin_audit.ksvm <- function(fit, x, y, class.weights = NULL, newx = NULL, newy = NULL,
                              tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  mapping <- ksvm_mapping(ksvm_parts(fit), x, if (!missing(y)) y, class.weights)
  run_audit(mapping, newx, newy, tol, control)
}

# The slots that are read, without the functions among them.
ksvm_parts <- function(fit) {
  names <- c("type", "param", "scaling", "terms", "lev", "xmatrix", "alphaindex", "coef", "b",
             "kcall")
  parts <- stats::setNames(lapply(names, function(name) methods::slot(fit, name)), names)
  # of a kernelMatrix the function is a sentence
  of_values <- is.character(fit@kernelf)
  c(parts, list(kernel = if (of_values) list(class = "kernelMatrix") else
    list(class = class(fit@kernelf)[1L], kpar = fit@kernelf@kpar)))
}

ksvm_mapping <- function(fit, x, y, class.weights = NULL) {
  type <- fit$type
  row <- peer_model("kernlab", type, list(epsilon = fit$param$epsilon))
  if (is.null(row)) {
    abort_input(sprintf(paste(
      "`fit` is of type \"%s\", whose problem is none of ours or not tried; C-svc, C-bsvc and",
      "eps-svr are mapped."
    ), type), "fit")
  }
  kernel <- ksvm_kernel(fit$kernel)
  scaling <- fit$scaling
  scaling <- if (is.list(scaling)) scaling
  spec <- c(formula_columns(fit$terms), scaled_columns(
    scaling$scaled, scaling$x.scale$`scaled:center`, scaling$x.scale$`scaled:scale`
  ))
  given <- is_given(kernel)
  if (inherits(x, "kernelMatrix")) x <- x@.Data
  data <- svm_data(spec, x, y, NULL, "kernlab")
  if (given) assert_square_values(data$x, if (type != "eps-svr") fit$lev)
  cost <- fit$param$C
  title <- sprintf("kernlab %s, %s kernel, C %s", type,
                   if (is.null(kernel)) "linear" else kernel$name, format(cost))
  if (type == "eps-svr") {
    index <- unlist(fit$alphaindex)
    points <- if (given) data$x[index, , drop = FALSE] else as.matrix(fit$xmatrix)
    assert_support_vectors(data$x, points, index)
    scale <- scaling$y.scale
    return(svm_regression(
      "kernlab", title, row, spec, data, kernel, cost, list(points, fit$coef, -fit$b), index,
      if (!is.null(scale)) list(center = scale$`scaled:center`, scale = scale$`scaled:scale`)
    ))
  }
  levels <- as.character(fit$lev)
  class <- audit_labels(data$y, levels, nrow(data$x))
  pairs <- t(utils::combn(length(levels), 2L))
  for (q in seq_len(nrow(pairs))) {
    if (!given) {
      assert_support_vectors(data$x, as.matrix(fit$xmatrix[[q]]), fit$alphaindex[[q]])
    }
    second <- class[fit$alphaindex[[q]]] == pairs[q, 2L]
    if (!identical(second, as.vector(fit$coef[[q]] > 0))) abort_other_labels()
  }
  weights <- svm_class_weights(class.weights, fit$kcall$class.weights, levels, class)
  pair <- function(i, j) {
    q <- which(pairs[, 1L] == i & pairs[, 2L] == j)
    at <- fit$alphaindex[[q]]
    list(if (given) data$x[at, , drop = FALSE] else as.matrix(fit$xmatrix[[q]]), fit$coef[[q]], at)
  }
  svm_classes("kernlab", title, row, spec, data, kernel, cost, levels, class, weights, pair,
              -fit$b, first_positive = FALSE, penalised = type == "C-bsvc")
}

ksvm_kernel <- function(kernel) {
  values <- kernel$kpar
  switch(kernel$class, vanillakernel = NULL, rbfkernel = kernel_rbf(values$sigma),
         laplacekernel = kernel_laplace(values$sigma),
         kernelMatrix = kernel_precomputed(),
         polykernel = kernel_polynomial(values$degree, values$scale, values$offset),
         abort_input(sprintf(paste(
           "`fit` has a kernel of class %s, which is not mapped; vanilladot, rbfdot, laplacedot,",
           "polydot and a kernelMatrix are."
         ), kernel$class), "fit"))
}

# Of a kernelMatrix: a square one, whose rows have columns in their order.
assert_square_values <- function(x, levels) {
  if (nrow(x) != ncol(x)) {
    abort_input(sprintf("`x` is %d x %d, but must be the square kernelMatrix of the fit.", nrow(x),
                        ncol(x)), "x")
  }
  if (length(levels) > 2L) {
    abort_input(paste("`fit` is of a kernelMatrix and three or more classes, pairs of which have",
                      "other columns; it is not mapped."), "fit")
  }
}
