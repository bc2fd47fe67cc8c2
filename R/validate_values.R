# Small values that the user composes (losses, kernels, perturbations, controls, pairs, metrics,
# models) are plain lists, which anyone can change or forge. Where one enters a fit it is made again
# from its parts by the function that makes it, so that there is one check a kind.

# x: what claims to be of that class; make: a function of its parts; remedy: who makes it.
remade <- function(x, arg, make, remedy) {
  class <- class(x)[1L]
  fail <- function(fault) {
    abort_input(sprintf("`%s` is a damaged %s: %s; make it again by %s.", arg, class, fault,
                        remedy), arg)
  }
  if (!is.list(x)) fail("it is no list")
  parts <- unclass(x)
  made <- tryCatch(make(parts), error = function(condition) {
    fail(sub("[.]$", "", conditionMessage(condition)))
  })
  for (name in names(made)) {
    if (!name %in% names(parts)) fail(sprintf("it has no `%s`", name))
    if (!same_part(parts[[name]], unclass(made)[[name]])) {
      fail(sprintf("its `%s` is %s, which does not go with the rest", name,
                   show_value(parts[[name]])))
    }
  }
  made
}

same_part <- function(one, other) {
  identical(one, other) ||
    (is.numeric(one) && is.numeric(other) && isTRUE(all.equal(one, other, tolerance = 0)))
}

# The one function whose name is the part `name`.
maker_of <- function(parts, makers) {
  assert_choice(parts[["name"]], names(makers), "name")
  makers[[parts[["name"]]]]
}

checked_loss <- function(x) {
  remade(x, "loss", function(parts) {
    maker <- maker_of(parts, loss_makers())
    parameter <- unname(parts[["parameter"]])
    if (length(formals(maker)) == 0L) maker() else
      if ("unit" %in% names(formals(maker))) maker(parameter, parts[["unit"]]) else maker(parameter)
  }, "loss_huber() or another function of ?losses")
}

checked_kernel <- function(x) {
  remade(x, "kernel", function(parts) {
    width <- function(maker) if (identical(parts$sigma, NA_real_)) maker() else maker(parts$sigma)
    maker_of(parts, list(
      rbf = function() width(kernel_rbf), laplace = function() width(kernel_laplace),
      polynomial = function() kernel_polynomial(parts$degree, parts$scale, parts$offset),
      linear = function() new_kernel("linear"),
      precomputed = function() {
        made <- kernel_precomputed(parts$check, parts$repair)
        if (is.list(parts$judged)) made$judged <- parts$judged
        made
      },
      evaluated = function() {
        if (!is.function(parts$evaluate)) stop("its `evaluate` is no function")
        made <- kernel_custom(parts$evaluate, parts$check)
        if (!is.null(parts$inner)) {
          assert_flag(parts$inner, "inner")
          made$inner <- parts$inner
        }
        made
      },
      ntk = function() checked_tangent(parts)
    ))()
  }, "kernel_rbf() or another function of ?kernels")
}

# Weights that were drawn stay beside the seed that they were drawn with.
checked_tangent <- function(parts) {
  if (is.null(parts$weights) || is.null(parts$seed)) {
    return(kernel_ntk(if (is.null(parts$weights)) parts$width, parts$seed, parts$weights,
                      parts$normalize))
  }
  made <- kernel_ntk(parts$width, parts$seed, normalize = parts$normalize)
  weights <- assert_network(parts$weights)
  if (nrow(weights$W) != made$width) stop("its `weights` are of another width")
  made["weights"] <- list(weights)
  made
}

checked_perturbation <- function(x, arg = "perturbation") {
  remade(x, arg, function(parts) {
    if (!is.list(parts$steps)) stop("its `steps` are no list")
    steps <- lapply(parts$steps, function(step) {
      if (!is.list(step)) stop("one of its `steps` is no list")
      maker_of(step, list(
        dropout = function() perturb_dropout(step$rate),
        gaussian = function() perturb_gaussian(step$sd),
        rescale = function() perturb_rescale(step$width),
        image = function() perturb_image(step$dim, step$shift),
        custom = function() perturb_custom(step$f)
      ))()$steps
    })
    new_perturbation(c(list(), unlist(steps, recursive = FALSE)))
  }, "perturb_dropout() or another function of ?perturbations")
}

checked_control <- function(x) {
  remade(x, "control", function(parts) {
    do.call(margin_control, parts[setdiff(names(formals(margin_control)), "...")], quote = TRUE)
  }, "margin_control()")
}

checked_mixup <- function(x) {
  remade(x, "mixup", function(parts) mixup_pairs(parts$n, parts$alpha, parts$pairs),
         "mixup_pairs()")
}

checked_metric <- function(x) {
  remade(x, "metric", function(parts) {
    margin_metric(parts$compute, parts$name, parts$maximize, parts$needs)
  }, "margin_metric()")
}

checked_spec <- function(x) {
  made <- remade(x, "specs", function(parts) {
    model_spec(parts$fit_fun, parts$predict_fun, parts$name, parts$gap_fun)
  }, "spec_margin() or model_spec()")
  # of spec_margin() alone, where a loss was named
  made$loss <- named_loss(unclass(x)$loss)
  made
}

# The values stay as they are, but for levels that have no names yet.
checked_soft_labels <- function(y) {
  values <- unclass(y)
  made <- tryCatch(soft_labels(values), dualmargin_input_error = function(condition) {
    abort_input(sprintf("`y` is no longer what soft_labels() makes: %s",
                        conditionMessage(condition)), "y")
  })
  if (is.matrix(values)) {
    colnames(values) <- colnames(made)
    if (anyDuplicated(colnames(values))) {
      abort_input(sprintf("`y` has two columns of soft labels named \"%s\"; rename one.",
                          colnames(values)[anyDuplicated(colnames(values))]), "y")
    }
  }
  structure(values, class = "soft_labels")
}
