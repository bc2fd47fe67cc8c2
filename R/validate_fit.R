# Is a fit still what the constructor made? One that was read from a file may be damaged, or of
# another version: what the methods rely on is checked where they are entered, and no method fails
# further in. O(n + coefficients); the rows of an expansion are not read.

assert_fit <- function(fit, arg = "object") {
  if (!inherits(fit, "margin_fit")) {
    abort_input(sprintf("`%s` is %s, but must be a fit, as of margin_linear().", arg,
                        show_value(fit)), arg)
  }
  fail <- damage_teller(fit, arg, "fit")
  family <- class(fit)[1L]
  if (!family %in% paste0("margin_", names(families()))) fail("its class is of no family")
  if (!is.list(fit)) fail("it is no list")
  fit <- unclass(fit)
  check_columns_of(fit, fail)
  check_settings_of(fit, family, fail)
  check_coefficients_of(fit, family, fail)
  check_rows_of(fit, fail)
  check_certificates_of(fit, fail)
  check_extras_of(fit, family, fail)
  if (!is.null(fit$calibration)) check_calibration_of(fit, fail)
  if (!is.null(fit[["threshold"]])) check_threshold_of(fit, fail)
  invisible()
}

damage_teller <- function(object, arg, noun) {
  function(fault) {
    abort_input(sprintf(paste(
      "`%s` is a damaged %s, or one of another version of this package: %s; fit it again."
    ), arg, noun, sub("[.]$", "", fault)), arg)
  }
}

# A result of `maker`, as the list that it is.
opened_result <- function(object, arg, class, maker) {
  if (!inherits(object, class)) {
    abort_input(sprintf("`%s` is %s, but must be a result of %s.", arg, show_value(object), maker),
                arg)
  }
  fail <- damage_teller(object, arg, paste("result of", maker))
  if (!is.list(object)) fail("it is no list")
  list(parts = unclass(object), fail = fail)
}

# ---- Words for what a part must be ----

is_text <- function(value) is.character(value) && length(value) > 0L && !anyNA(value)
is_one_text <- function(value) is_text(value) && length(value) == 1L
is_flag <- function(value) is.logical(value) && length(value) == 1L && !is.na(value)
is_number <- function(value) is.numeric(value) && length(value) == 1L && !is.na(value)
is_positive <- function(value) is_number(value) && value > 0
is_numbers <- function(value) is.numeric(value) && !is.object(value) && all(is.finite(value))
is_null_or <- function(value, is) is.null(value) || is(value)
is_table <- function(value, columns) {
  is.data.frame(value) && is.list(value) && all(columns %in% names(value)) &&
    all(lengths(unclass(value)) == nrow(value))
}

# parts: TRUE where a part is as it must be, by its name; the first that is not is told.
tell_first <- function(parts, fail, of = "") {
  bad <- names(parts)[!vapply(parts, isTRUE, NA)]
  if (length(bad) > 0L) fail(sprintf("its `%s%s` is missing or wrong", of, bad[1L]))
}

check_columns_of <- function(fit, fail) {
  classes <- !identical(fit$task, "regression")
  p <- length(fit$features)
  tell_first(list(
    task = is_one_text(fit$task) && fit$task %in% c("classification", "regression", "one_class"),
    features = is_text(fit$features) && anyDuplicated(fit$features) == 0L,
    levels = if (classes) is_text(fit$levels) && length(fit$levels) > 1L else is.null(fit$levels),
    response_type = is_one_text(fit$response_type) &&
      fit$response_type %in% c("factor", "logical", "character", "sign", "binary", "numeric"),
    scales = is_numbers(fit$scales) && length(fit$scales) == p && all(fit$scales > 0),
    response_center = is_null_or(fit$response_center, is_number),
    origin = is_null_or(fit$origin, function(origin) is_origin(origin, p)),
    interface = is_one_text(fit$interface) &&
      fit$interface %in% c("matrix", "data.frame", "formula"),
    terms = is_null_or(fit$terms, function(t) inherits(t, "terms")) &&
      !(identical(fit$interface, "formula") && is.null(fit$terms)),
    xlevels = is_null_or(fit$xlevels, is.list), contrasts = is_null_or(fit$contrasts, is.list),
    na.action = is_null_or(fit$na.action, is.numeric), cause = is_null_or(fit$cause, is.list),
    version = is_null_or(fit$version, is_one_text),
    sparse = is_flag(fit$sparse), fingerprint = is_null_or(fit$fingerprint, is_fingerprint),
    call = is.call(fit$call)
  ), fail)
}

# The unit of the response, of fits and paths; families without a loss have none.
check_unit_of <- function(fit, fail) {
  asked <- fit$settings$response_scale
  if (!is_null_or(asked, is_flag)) fail("its `settings$response_scale` is no TRUE or FALSE")
  unit <- fit$response_scale
  sound <- if (is.null(asked)) is.null(unit) else is_number(unit) && is.finite(unit) && unit > 0
  if (!sound) fail("its `response_scale` is missing or wrong")
  found <- fit$residual_scale
  if (!is_null_or(found, function(s) is_numbers(s) && all(s > 0))) {
    fail("its `residual_scale` is wrong")
  }
}

check_settings_of <- function(fit, family, fail) {
  s <- fit$settings
  if (!is.list(s)) fail("its `settings` are no list")
  check_unit_of(fit, fail)
  values <- function(...) {
    tryCatch(list(...), dualmargin_input_error = function(condition) {
      fail(conditionMessage(condition))
    })
  }
  of_loss <- has_loss(sub("margin_", "", family))
  expands <- family %in% c("margin_kernel", "margin_oneclass") ||
    (family == "margin_hard" && !is.null(s$kernel))
  parts <- list(
    intercept = is_one_text(s$intercept) && s$intercept %in% intercept_kinds,
    scale = is_flag(s$scale), solver = is_one_text(s$solver), tol = is_positive(s$tol),
    control = inherits(s$control, "margin_control") && is.list(s$control),
    center = is_null_or(s$center, is_flag),
    class_weights = is_null_or(s$class_weights, is_numbers),
    mixture = is_null_or(s$mixture, is_number),
    loss = if (of_loss) inherits(s$loss, "margin_loss") else is.null(s$loss),
    kernel = if (expands) inherits(s$kernel, "kernel_function") else is.null(s$kernel)
  )
  tell_first(c(parts, families()[[sub("margin_", "", family)]]$sound(s)), fail, "settings$")
  check_centre_of(fit, fail)
  values(find_solver(s$solver, sub("margin_", "", family)), assert_control(s$control),
         if (of_loss) as_loss(s$loss, several = family == "margin_linear"),
         if (expands) as_kernel(s$kernel),
         if (family == "margin_augmented") as_perturbation(s$perturbation),
         if (!is.null(s$mixup)) checked_mixup(s$mixup))
}

check_centre_of <- function(fit, fail) {
  tell_first(list(center = if (isTRUE(fit$settings$center)) {
    is_numbers(fit$center) && length(fit$center) == length(fit$features)
  } else {
    is.null(fit$center)
  }), fail)
}

check_coefficients_of <- function(fit, family, fail) {
  beta <- fit$coefficients
  expands <- !is.null(fit$settings$kernel)
  if (expands && !is.list(fit$support)) fail("its `support` is missing or wrong")
  if (!is_numbers(beta)) fail("its `coefficients` are missing or not finite numbers")
  names_of <- problem_classes(fit)
  several <- !is.null(names_of)
  columns <- max(length(names_of), 1L)
  rows <- (if (expands) length(fit$support$at) else length(fit$features)) +
    has_constant(fit$settings)
  shape <- if (several) identical(dim(beta), c(rows, columns)) else
    is.null(dim(beta)) && length(beta) == rows
  if (!shape) {
    fail(sprintf("its `coefficients` are not %s", if (several) sprintf("%d x %d", rows, columns)
                 else sprintf("%d numbers", rows)))
  }
  names <- if (several) rownames(beta) else names(beta)
  if (rows > 0L && length(names) != rows) fail("its `coefficients` have lost their names")
  if (several && !identical(colnames(beta), names_of)) {
    fail("its `coefficients` have other columns than levels")
  }
  if (expands) check_support_of(fit, rows - has_constant(fit$settings), fail)
}

check_rows_of <- function(fit, fail) {
  n <- length(fit$weights)
  numbers <- function(value, rows, columns) {
    is.numeric(value) && !anyNA(value) &&
      (if (columns > 1L) identical(dim(value), c(rows, columns)) else
        is.null(dim(value)) && length(value) == rows)
  }
  response <- fit$response
  soft <- inherits(response, "soft_labels")
  dual <- fit$dual
  tell_first(list(
    weights = is_numbers(fit$weights) && (n > 0L || !is.null(fit$exchanged)) &&
      all(fit$weights >= 0),
    scores = numbers(fit$scores, n, max(length(problem_classes(fit)), 1L)),
    response = if (fit$task == "one_class") {
      is.null(response)
    } else if (fit$task == "regression") {
      is.numeric(response) && numbers(response, n, 1L)
    } else if (soft) {
      is.numeric(unclass(response)) && NROW(unclass(response)) == n && !anyNA(unclass(response))
    } else {
      is.factor(response) && length(response) == n && identical(levels(response), fit$levels) &&
        !anyNA(response)
    },
    offset = is_null_or(fit$offset, function(o) is_numbers(o) && length(o) == n),
    dual = is.null(dual) || (is.numeric(dual) && !anyNA(dual) && NROW(dual) >= n)
  ), fail)
}

check_certificates_of <- function(fit, fail) {
  table <- fit$certificate
  joint <- class_model(fit)$one_problem || !is.null(fit$separable)
  size <- if (joint) 1L else max(length(problem_classes(fit)), 1L)
  numbers <- c("value", "bound", "gap", "relative_gap", "tol")
  if (!is_table(table, c("kind", "class", numbers, "certified")) || nrow(table) != size) {
    fail("its `certificate` is missing or has lost rows or columns")
  }
  for (name in numbers) {
    if (!is.numeric(table[[name]]) || anyNA(table[[name]])) {
      fail(sprintf("its `certificate$%s` does not hold numbers", name))
    }
  }
  if (!is.logical(table$certified) || anyNA(table$certified) || !is_text(table$kind)) {
    fail("its `certificate` does not say what is certified")
  }
  status <- fit$status
  worked <- c("rounding_floor", "epochs", "steps", "seconds")
  if (!is_table(status, c("class", "status", "solver", worked)) || nrow(status) != size ||
        !is_text(status$status) || !is_text(status$solver) ||
        !all(vapply(worked, function(name) is.numeric(status[[name]]), NA))) {
    fail("its `status` is missing or has lost rows or columns")
  }
  trace <- fit$trace
  curve <- c("epoch", "seconds", "value", "bound", "gap")
  if (!is.null(trace) && !(is_table(trace, c("class", curve)) && nrow(trace) > 0L &&
                             all(vapply(curve, function(name) is.numeric(trace[[name]]), NA)))) {
    fail("its `trace` has lost columns")
  }
}

# What only fits of the family have.
check_extras_of <- function(fit, family, fail) {
  tell_first(switch(
    family,
    margin_hard = list(separable = is.logical(fit$separable) && length(fit$separable) == 1L,
                       residual = is.numeric(fit$residual) && length(fit$residual) == 1L,
                       dual = !is.null(fit$dual)),
    margin_robust = list(norm_bound = is_numbers(fit$norm_bound),
                         rule = is_null_or(fit$rule, is_one_text),
                         dual = !is.null(fit$dual), dual_flip = is_numbers(fit$dual_flip)),
    margin_kernel = list(
      multiclass = is.atomic(fit$multiclass) && length(fit$multiclass) == 1L,
      total_weight = is_number(fit$total_weight), bytes = is_number(fit$bytes),
      mixed = is_null_or(fit$mixed, function(m) is_table(m, c("first", "second", "share")))
    ),
    margin_oneclass = list(
      dual = !is.null(fit$dual), rho = is_number(fit$rho), square = is_number(fit$square),
      radius = is.numeric(fit$radius) && length(fit$radius) == 1L,
      boundary = is_number(fit$boundary) && fit$boundary >= 0, bytes = is_number(fit$bytes),
      on_boundary = is_number(fit$on_boundary), outside = is_number(fit$outside)
    ),
    margin_augmented = list(
      noise = is_table(fit$noise, c("class", "epoch", "sigma_p2", "sigma_tot2")),
      value_se = is.numeric(fit$value_se), certificate_epochs = is.numeric(fit$certificate_epochs),
      suboptimality = is.numeric(fit$suboptimality)
    ),
    list(dual = !is.null(fit$dual))
  ), fail)
}
