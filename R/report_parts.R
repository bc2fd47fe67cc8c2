# What a report shows, as tables and text; the template only sets it.

# Of margin_report(), whose arguments these are; what does not apply is NULL.
report_parts <- function(fit, data = NULL, cv = NULL, comparison = NULL, test = NULL,
                         conformal = NULL, ..., newoffset = NULL) {
  assert_no_extra("report_parts()", ...)
  assert_fit(fit, "fit")
  assert_results(cv, comparison)
  assert_reported_sets(conformal, fit)
  rows <- if (!is.null(data)) report_rows(fit, data)
  features <- if (!is.null(data)) feature_table(fit, data, rows)
  certified <- all(fit$certificate$certified)
  list(
    data = data_table(fit, features$constant), classes = class_table(fit),
    features = features$shown, n_features = length(fit$features),
    scale_note = scale_note(fit, features$ratio),
    headline = headline(fit), predictive = predictive_table(fit, cv, test, newoffset),
    cv = if (!is.null(cv)) cv_report(fit, cv),
    comparison = if (!is.null(comparison)) comparison_report(comparison),
    conformal = if (!is.null(conformal)) conformal_report(fit, conformal, test),
    task = describe_task(fit), problem = problem_formula(fit), model = setting_table(fit),
    call = call_text(fit), certified = certified, verdict = certificate_sentence(fit),
    remedy = if (!certified) report_remedy(fit),
    certificate = possible_numbers(certificate(fit, by = "class")), solved = solved_sentence(fit),
    status = without_row_names(fit$status),
    coefficients = if (!has_kernel(fit)) sorted_coefficients(fit),
    support = if (has_kernel(fit)) support_counts(fit), performance = training_performance(fit),
    session = session_table(fit)
  )
}

# What was fitted, in a sentence.
headline <- function(fit) {
  rows <- model_rows(fit, 4L)
  shown <- setdiff(names(rows), c("data", "classes", "intercept", "columns", "probabilities",
                                  "class weights", "margin", "support", "threshold",
                                  "agreement"))
  setting <- paste(sprintf("%s: %s", shown, rows[shown]), collapse = "; ")
  sprintf("A %s, on %s.%s", describe_task(fit),
          describe_data(fit, sum(fit$weights > 0), sum(fit$weights == 0)),
          if (length(shown) == 0L) "" else
            sprintf(" %s%s.", toupper(substr(setting, 1L, 1L)), substring(setting, 2L)))
}

# ---- Data ----

# The rows of `data` that were fitted, after the check that they are those.
report_rows <- function(fit, data) {
  given <- split_data(fit, data)
  assert_matrix(given$x, "data")
  tryCatch(
    if (is_rows(given$x) && isTRUE(given$x$labels)) {
      training_rows(fit, given$x)
    } else if (inherits(fit$response, "soft_labels") || is.null(given$y) && !is_formula_fit(fit)) {
      unlabelled_rows(fit, given$x)
    } else if (is_formula_fit(fit)) {
      training_rows(fit, given$x)
    } else {
      training_rows(fit, given$x, given$y)
    },
    dualmargin_input_error = function(condition) {
      said <- conditionMessage(condition)
      if (!is_formula_fit(fit) && !is_rows(data)) {
        said <- gsub("`data`", "`data$x`", said, fixed = TRUE)
      }
      abort_input(gsub("`y`", "`data$y`", said, fixed = TRUE), "data")
    }
  )
}

is_formula_fit <- function(fit) identical(fit$interface, "formula")

split_data <- function(fit, data) {
  assert_matrix(data, "data")
  if (is_rows(data)) {
    return(list(x = data))
  }
  if (is_formula_fit(fit) || is.data.frame(data) || !is.list(data) || is.object(data)) {
    if (!is_formula_fit(fit) && is.null(dim(data))) {
      abort_input(sprintf("`data` is %s, but the fit was made from x and y; give list(x = , y = ).",
                          show_value(data)), "data")
    }
    return(list(x = data))
  }
  if (is.null(data[["x"]])) {
    abort_input("`data` is a list without `x`, from which the fit was made; add it by that name.",
                "data")
  }
  data[intersect(c("x", "y"), names(data))]
}

# Labels that are shares, or none: the scores alone tell.
unlabelled_rows <- function(fit, x) {
  rows <- fitted_places(fit, x)
  assert_as_many_rows(fit, x, rows)
  coded_training(fit, x, rows)$rows
}

data_table <- function(fit, constant) {
  if (is.null(constant)) constant <- 0L
  left_out <- length(fit$na.action)
  weights <- fit$weights[fit$weights > 0]
  zero_weights <- length(fit$weights) - length(weights)
  rows <- c(
    "rows fitted" = format(length(weights), big.mark = ","),
    "rows with missing values, left out" = if (left_out > 0L) format(left_out, big.mark = ","),
    "rows of weight 0, left out" = if (zero_weights > 0L) format(zero_weights, big.mark = ","),
    "rows mixed from others" = if (NROW(fit$mixed) > 0L) format(nrow(fit$mixed), big.mark = ","),
    "columns after coding" = format(length(fit$features), big.mark = ","),
    "of these constant" = if (constant > 0L) format(constant, big.mark = ","),
    storage = if (isTRUE(fit$sparse)) "sparse" else "dense",
    response = describe_response(fit),
    "weights of the rows" = if (all(weights == 1)) "all 1" else
      sprintf("from %s to %s, sum %s", format(min(weights), digits = 4),
              format(max(weights), digits = 4), format(sum(weights), digits = 6))
  )
  data.frame(what = names(rows), value = unname(rows))
}

describe_response <- function(fit) {
  if (fit$task == "one_class") {
    return("none")
  }
  if (fit$task == "regression") {
    used <- fit$weights > 0
    values <- fit$response[used]
    weights <- fit$weights[used]
    mean <- stats::weighted.mean(values, weights)
    return(sprintf("numbers from %s to %s, mean %s, standard deviation %s",
                   format(min(values), digits = 4), format(max(values), digits = 4),
                   format(mean, digits = 4),
                   format(sqrt(mse_of(values, mean, weights)), digits = 4)))
  }
  if (inherits(fit$response, "soft_labels")) {
    return(sprintf("shares of %d classes", length(fit$levels)))
  }
  describe_levels(fit)
}

class_table <- function(fit) {
  if (fit$task != "classification") {
    return(NULL)
  }
  response <- factor(hard_response(fit), levels = fit$levels)
  mass <- as.vector(tapply(fit$weights, response, sum, default = 0))
  table <- data.frame(class = fit$levels, rows = as.vector(table(response[fit$weights > 0])),
                      share = mass / sum(mass))
  class_weights <- fit$settings$class_weights
  if (!is.null(class_weights)) table$class_weight <- as.vector(unlist(class_weights)[fit$levels])
  table
}

# ---- Model, support, session ----

setting_table <- function(fit) {
  rows <- model_rows(fit, 6L)
  rows <- rows[setdiff(names(rows), c("data", "classes"))]
  control <- fit$settings$control
  rows <- c(rows, solver = solvers_text(fit), tolerance = format(fit$settings$tol),
            limits = sprintf("%s, %s", count(control$max_epochs, "epoch"),
                             if (is.infinite(control$max_seconds)) "any time" else
                               count(control$max_seconds, "second")),
            seed = format_seed(control$seed))
  data.frame(setting = names(rows), value = unname(rows))
}

solvers_text <- function(fit) {
  ran <- paste(unique(fit$status$solver), collapse = ", ")
  asked <- fit$settings$solver
  if (identical(asked, ran)) ran else sprintf("%s: %s", asked, ran)
}

call_text <- function(fit) paste(deparse(fit$call, width.cutoff = 70L), collapse = "\n")

support_counts <- function(fit) {
  beta <- kernel_coefficients(fit)
  n <- sum(fit$weights > 0)
  counts <- function(rows) unname(colSums(beta[rows, , drop = FALSE] != 0))
  own <- fit$support$at <= NROW(fit$scores)
  table <- data.frame(class = if (is.null(problem_classes(fit))) NA_character_ else colnames(beta),
                      rows = counts(own), of = n, share = counts(own) / n)
  # rows that mixup made are none of the data
  if (NROW(fit$mixed) > 0L) {
    table <- cbind(table, mixed = counts(!own), of_mixed = nrow(fit$mixed))
  }
  table
}

session_table <- function(fit) {
  rows <- c(date = format(Sys.time(), "%Y-%m-%d %H:%M %Z"), R = R.version.string,
            dualmargin = own_version(),
            Matrix = as.character(utils::packageVersion("Matrix")), platform = R.version$platform,
            "seconds of the fit" = format(sum(fit$status$seconds), digits = 3))
  data.frame(what = names(rows), value = unname(rows))
}
