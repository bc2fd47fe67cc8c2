#' Report of a fit, as HTML or PDF
#'
#' Writes one file about a fit that can be sent to others: the problem that was solved as a formula,
#' its data and settings, the certificate, coefficients or support vectors, and, where they are
#' given, how held-out rows are predicted with intervals, the search for the settings, a comparison
#' with other models and its tests, prediction sets and their coverage; at the end session and
#' seeds. A fit that is not certified says so in a red box at the top; a certificate says that the
#' optimum of the training problem was reached, and nothing about predictive error.
#'
#' The report is the R Markdown template `"margin-report"` of this package, knitted with the fit as
#' its parameter. To change it, make a copy of it,
#' `rmarkdown::draft("report.Rmd", template = "margin-report", package = "dualmargin", edit =
#' FALSE)`, which knits as it is, with an example, and put your own fit in its first chunk.
#'
#' @param fit A fit of any family.
#' @param output_file The file to write, in a folder that exists: its end, `.html` or `.pdf`, tells
#'   the format. HTML holds its figures and needs no network; PDF needs LaTeX.
#' @param title The heading; `NULL` names the family.
#' @param cv `NULL`, or the result of [margin_cv()] by which the settings were chosen.
#' @param comparison `NULL`, or the result of [margin_compare()] or [compare_solvers()].
#' @param test `NULL`, or rows that the fit has not seen, with their response: a data frame for a
#'   fit from a formula, else `list(x = , y = )`, or rows in a file, whose weights then count. Their
#'   metrics have 95 % intervals of 200 draws of these rows with replacement, the fit held fixed.
#' @param conformal `NULL`, or what [margin_conformal()] returned for this fit: what its sets
#'   guarantee, and with `test` how often they hold these rows.
#' @param newoffset The offset of the rows of `test`, as in [margin_performance()].
#' @param overwrite May an existing file be replaced?
#' @param open Show the report in the browser when it is done?
#' @param ... Not used; an unknown argument is an error.
#' @return The path of the file, invisibly.
#' @section Errors:
#' Of class `dualmargin_input_error`: rows of the fit as `test`, a file that exists or a folder that
#' does not, no pandoc or LaTeX, packages rmarkdown or knitr absent.
#' @seealso [summary.margin_fit()] for the console.
#' @examples
#' train <- seq(1, nrow(spambase), by = 2)
#' fit <- margin_linear(type ~ ., data = spambase[train, ], loss = "logistic")
#' \donttest{
#' if (requireNamespace("rmarkdown", quietly = TRUE) && rmarkdown::pandoc_available("2.0")) {
#'   file <- margin_report(fit, tempfile(fileext = ".html"), test = spambase[-train, ])
#'   file.size(file)
#' }
#' }
#' @export
margin_report <- function(fit, output_file = "margin-report.html", title = NULL, cv = NULL,
                          comparison = NULL, overwrite = FALSE, open = FALSE, test = NULL,
                          conformal = NULL, ..., newoffset = NULL) {
  assert_no_extra("margin_report()", ...)
  assert_fit(fit, "fit")
  refuse_quantiles(fit, "margin_report()")
  assert_flag(overwrite, "overwrite")
  assert_flag(open, "open")
  assert_title(title)
  assert_results(cv, comparison)
  assert_reported_sets(conformal, fit)
  target <- assert_target(output_file, overwrite)
  held_out(fit, test, newoffset, draws = 0L)
  pdf <- grepl("pdf$", target, ignore.case = TRUE)
  assert_can_render(pdf)
  if (is.null(title)) title <- sprintf("Report on a fit of %s()", class(fit)[1L])
  params <- list(fit = fit, title = title, cv = cv, comparison = comparison, test = test,
                 conformal = conformal, newoffset = newoffset)
  page <- render_report(params[!vapply(params, is.null, NA)], pdf)
  on.exit(unlink(dirname(page), recursive = TRUE))
  if (!file.copy(page, target, overwrite = overwrite)) {
    abort_input(sprintf("`output_file` \"%s\" could not be written; may you write there?",
                        target), "output_file")
  }
  if (open) utils::browseURL(target)
  invisible(target)
}

# In a folder of its own, so that nothing else appears where the report goes; options and R's stream
# of random numbers are put back, which the report sets and a figure may draw from.
render_report <- function(params, pdf) {
  folder <- tempfile("margin-report-")
  dir.create(folder)
  source <- file.path(folder, "report.Rmd")
  file.copy(system.file("rmarkdown", "templates", "margin-report", "skeleton", "skeleton.Rmd",
                        package = "dualmargin", mustWork = TRUE), source)
  old <- options()
  on.exit(options(old))
  with_seed(1L, rmarkdown::render(
    source, if (pdf) "pdf_document" else "html_document", output_dir = folder,
    intermediates_dir = folder, knit_root_dir = folder, params = params,
    envir = new.env(parent = globalenv()), quiet = TRUE
  ))
}

# Metrics of rows that the fit has not seen, with percentile intervals of draws of the rows.
held_out <- function(fit, test, newoffset = NULL, draws = 200L) {
  if (is.null(test)) {
    if (!is.null(newoffset)) {
      abort_input("`newoffset` is given without `test`, whose rows it is of; give both.",
                  "newoffset")
    }
    return(NULL)
  }
  assert_matrix(test, "test")
  given <- if (is.list(test) && !is.object(test)) test else list(x = test)
  metrics <- performance_metrics(fit, NULL, fit$task != "one_class" || !is.null(given$y))
  metrics <- metrics[names(metrics) %in% c(names(metrics)[1L], "accuracy", "auroc", "brier", "rmse",
                                           "mae")]
  rows <- tryCatch(judged_rows(fit, given$x, given$y, NULL, "test", newoffset),
                   dualmargin_input_error = function(condition) {
    abort_input(gsub("`y`", "`test$y`", conditionMessage(condition), fixed = TRUE),
                if (identical(condition$arg, "newoffset")) "newoffset" else "test")
  })
  if (is.na(rows$fitted)) warn_maybe_training("test", "they are predicted better than new rows")
  if (isTRUE(rows$fitted)) {
    abort_input(paste("`test` are the rows that the fit was made from; give rows that it has not",
                      "seen, or leave it out."), "test")
  }
  needs <- unique(vapply(metrics, function(metric) metric$needs, ""))
  predicted <- lapply(stats::setNames(nm = needs), read_scores, model = fit, scores = rows$score)
  judged <- function(weights) {
    judge(metrics, rows$truth, function(needs) predicted[[needs]], weights)
  }
  n <- length(rows$at)
  drawn <- vapply(seq_len(draws), function(k) {
    judged(rows$weights * tabulate(sample.int(n, replace = TRUE), n))
  }, numeric(length(metrics)))
  ends <- apply(matrix(drawn, length(metrics)), 1L, stats::quantile, c(0.025, 0.975), na.rm = TRUE)
  data.frame(metric = names(metrics), estimate = unname(judged(rows$weights)), low = ends[1L, ],
             high = ends[2L, ], rows = n)
}

report_remedy <- function(fit) {
  if (isFALSE(fit$separable)) {
    return(sprintf("For classes that overlap use %s(loss = \"hinge\").", soft_family(fit)))
  }
  remedy_for(fit$status[worst_of(fit$certificate), ], fit)
}

# ---- Checks ----

assert_title <- function(title) {
  one <- is.character(title) && length(title) == 1L && !is.na(title)
  if (!is.null(title) && !one) {
    abort_input(sprintf("`title` is %s, but must be one text, or NULL.", show_value(title)),
                "title")
  }
}

assert_results <- function(cv, comparison) {
  if (!is.null(cv) && !inherits(cv, "margin_cv")) {
    abort_input(sprintf("`cv` is %s, but must be a result of margin_cv().", show_value(cv)), "cv")
  }
  if (!is.null(comparison) && !inherits(comparison, c("model_comparison", "margin_comparison"))) {
    abort_input(sprintf(
      "`comparison` is %s, but must be a result of margin_compare() or compare_solvers().",
      show_value(comparison)
    ), "comparison")
  }
  if (!is.null(cv)) assert_cv(cv, "cv")
  if (inherits(comparison, "model_comparison")) assert_model_comparison(comparison, "comparison")
  if (inherits(comparison, "margin_comparison")) assert_solver_comparison(comparison, "comparison")
}

assert_reported_sets <- function(conformal, fit) {
  if (is.null(conformal)) {
    return(invisible())
  }
  assert_conformal(conformal, "conformal")
  if (!identical(conformal$fit$certificate, fit$certificate)) {
    abort_input("`conformal` is of another fit; give what margin_conformal() makes of this one.",
                "conformal")
  }
}

# The path to write to, as an absolute one.
assert_target <- function(output_file, overwrite) {
  assert_file_name(output_file, "output_file")
  if (!grepl("[.](html?|pdf)$", readable(output_file), ignore.case = TRUE)) {
    abort_input(sprintf("`output_file` is \"%s\"; end its name in .html or .pdf.", output_file),
                "output_file")
  }
  folder <- dirname(path.expand(output_file))
  if (!dir.exists(folder)) {
    abort_input(sprintf("`output_file` is to go to \"%s\", which is no folder; make it first.",
                        folder), "output_file")
  }
  target <- file.path(normalizePath(folder), basename(output_file))
  if (dir.exists(target)) {
    abort_input(sprintf("`output_file` \"%s\" is a folder; add the name of a file.", output_file),
                "output_file")
  }
  if (file.exists(target) && !overwrite) {
    abort_input(sprintf("`output_file` \"%s\" exists; use another name or overwrite = TRUE.",
                        output_file), "output_file")
  }
  target
}

assert_can_render <- function(pdf) {
  for (package in c("rmarkdown", "knitr")) {
    if (!requireNamespace(package, quietly = TRUE)) {
      abort_input(sprintf(
        "`margin_report()` needs package %s; install it with install.packages(\"%s\").", package,
        package
      ), "output_file")
    }
  }
  if (!rmarkdown::pandoc_available("2.0")) {
    abort_input(paste(
      "`margin_report()` needs pandoc 2.0 or newer, which is not found; install it from",
      "pandoc.org (Debian: apt install pandoc), or set RSTUDIO_PANDOC to its folder."
    ), "output_file")
  }
  if (pdf && !nzchar(Sys.which("pdflatex"))) {
    abort_input(paste(
      "`output_file` ends in .pdf, which needs LaTeX, and pdflatex is not found; install it",
      "(tinytex::install_tinytex(), or Debian: apt install texlive-latex-recommended), or end the",
      "name in .html."
    ), "output_file")
  }
}

# The problem of a fit in LaTeX, by its family.

problem_formula <- function(fit) family_of(fit)$formula(fit)

linear_formula <- function(fit) {
  loss <- class_model(fit)$formula
  if (!is.null(loss)) {
    return(paste0("\\min_{w_1,\\dots,w_k", if (has_intercept(fit)) ",\\,b", "}\\; ",
                  "\\frac1W \\sum_i \\omega_i\\, \\Big[", loss, "\\Big] + ",
                  "\\frac\\lambda2 \\sum_c \\|w_c\\|^2, \\quad z_{ic} = w_c^\\top x_i",
                  if (has_intercept(fit)) " + b_c"))
  }
  paste0("\\min_{w", if (has_intercept(fit)) ",\\,b", "}\\; ", "\\frac1W \\sum_i \\omega_i\\, ",
         loss_formula(fit, score_formula(fit)), " + ", penalty_formula(fit),
         if (has_bounds(fit$settings)) "\\quad (l_j \\le w_j \\le u_j)")
}

augmented_formula <- function(fit) {
  row <- if (isTRUE(fit$settings$center)) "(x_i - \\bar x)" else "x_i"
  fitted <- fit$settings$intercept != "none"
  score <- paste0("w^\\top(\\rho\\,", row, ")", if (fitted) " + b")
  paste0("\\min_{w", if (fitted) ",\\,b", "}\\; \\frac1W \\sum_i \\omega_i\\, ",
         "\\mathrm{E}_\\rho\\, ", loss_formula(fit, score), " + ", penalty_formula(fit))
}

kernel_formula <- function(fit) {
  loss <- class_model(fit)$kernel_formula
  if (!is.null(loss)) {
    return(paste0("\\min_{f_1,\\dots,f_k", if (has_intercept(fit)) ",\\,b", "}\\; ",
                  "\\frac\\lambda2 \\sum_k \\|f_k\\|_H^2 + \\frac1W \\sum_i \\omega_i ",
                  sprintf("\\Big[%s\\Big], \\quad z_{ik} = f_k(x_i)", loss),
                  if (has_intercept(fit)) " + b_k"))
  }
  score <- paste0("f(x_i)", if (has_intercept(fit)) " + b")
  paste0("\\min_{f", if (has_intercept(fit)) ",\\,b", "}\\; \\frac\\lambda2 \\|f\\|_H^2 + ",
         "\\frac1W \\sum_i \\omega_i\\, ",
         if (has_shares(fit)) soft_formula(fit, score) else loss_formula(fit, score))
}

robust_formula <- function(fit) {
  norm <- c(l1 = "1", l2 = "2", linf = "\\infty")[[fit$settings$norm]]
  free <- is.infinite(fit$settings$label_cost)
  loss <- if (free) "\\max(1 - u_i,\\, 0)" else
    "\\max(1 - u_i,\\; 1 + u_i - \\kappa t,\\; 0)"
  paste0("\\min_{\\|w\\|_", norm, " \\le t}\\; t\\,\\varepsilon + \\frac1W \\sum_i \\omega_i\\, ",
         loss, if (fit$settings$ridge > 0) " + \\frac c2 \\|w\\|_2^2",
         ", \\qquad u_i = y_i\\,(", score_formula(fit), ")")
}

hard_formula <- function(fit) {
  kernel <- has_kernel(fit)
  score <- if (kernel) "f(x_i)" else "w^\\top x_i"
  if (length(fit$levels) > 2L) {
    return(paste("\\max_{\\sum_c \\|u_c\\|^2 = 1/2}\\; \\min_{i,\\; j \\ne c_i}\\;",
                 if (kernel) "\\langle u_{c_i} - u_j,\\, \\varphi(x_i)\\rangle" else
                   "x_i^\\top(u_{c_i} - u_j)"))
  }
  paste0("\\max_{\\|", if (kernel) "f\\|_H" else "w\\|_2", " = 1",
         if (has_intercept(fit)) ",\\; b", "}\\; \\min_i\\; y_i\\,(", score,
         if (has_intercept(fit)) " + b", ")")
}

score_formula <- function(fit) {
  paste0("w^\\top x_i", if (has_intercept(fit)) " + b", if (has_offset(fit)) " + o_i")
}

# Labels between the classes: given as shares, or made by mixup.
has_shares <- function(fit) {
  fit$task == "classification" && fit$settings$loss$name != "squared" &&
    (inherits(fit$response, "soft_labels") || NROW(fit$mixed) > 0L)
}

# Each class by its share, (1 + y)/2 and (1 - y)/2.
soft_formula <- function(fit, score) {
  if (has_intercept(fit)) score <- sprintf("(%s)", score)
  of_class <- function(sign) {
    text <- loss_formula(fit, score, "@", if (sign > 0) "1" else "-1")
    if (sign > 0) {
      return(gsub("@", score, text, fixed = TRUE))
    }
    gsub("-@", score, gsub("- @", paste("+", score), text, fixed = TRUE), fixed = TRUE)
  }
  paste0("\\Big[\\tfrac{1 + y_i}2\\, ", of_class(1), " + \\tfrac{1 - y_i}2\\, ", of_class(-1),
         "\\Big], \\quad y_i \\in [-1, 1]")
}

# The loss of a score. With m = y z, except for those of a difference.
loss_formula <- function(fit, score, margin = sprintf("y_i(%s)", score), label = "y_i") {
  loss <- fit$settings$loss
  tex <- loss_list[[loss$name]]$tex
  if (is.null(tex)) sprintf("\\phi\\bigl(%s,\\, %s\\bigr)", score, label) else
    tex(score, margin, loss$parameter[[1L]])
}

penalty_formula <- function(fit) {
  mixture <- fit$settings$mixture
  factors <- any(fit$settings$penalty_factor != 1)
  if (mixture == 0) {
    return(if (factors) "\\frac\\lambda2 \\sum_j f_j w_j^2" else "\\frac\\lambda2 \\|w\\|_2^2")
  }
  if (mixture == 1) {
    return(if (factors) "\\lambda \\sum_j f_j |w_j|" else "\\lambda \\|w\\|_1")
  }
  norms <- if (factors) c("\\sum_j f_j w_j^2", "\\sum_j f_j |w_j|") else
    c("\\|w\\|_2^2", "\\|w\\|_1")
  sprintf("\\lambda \\Big[\\frac{%s}{2} %s + %s %s\\Big]", format(1 - mixture, digits = 4),
          norms[1L], format(mixture, digits = 4), norms[2L])
}
