#' HTML report of a fit
#'
#' Writes one HTML file about a fit that can be sent to others: its data, the problem that was
#' solved as a formula, the certificate in words and numbers, the convergence, coefficients or
#' support vectors, decision values, calibration, and, where they are given, a cross-validation and
#' a comparison with other models, as tables. The file holds its figures and needs no network. It
#' begins with what was fitted and with the metrics of rows that were held out, where `test`, `cv`
#' or a calibration gives some, or says that there are none. A fit that is not certified says so in
#' a red box at the top, with its gap and what to try; a certificate says that the optimum of the
#' training problem was reached, and nothing about predictive error.
#'
#' The page is the R Markdown template `"margin-report"` of this package, knitted with the fit as
#' its parameter. To change the text, make a copy of it,
#' `rmarkdown::draft("report.Rmd", template = "margin-report", package = "dualmargin", edit =
#' FALSE)`, which knits as it is, with an example, and put your own fit in its first chunk.
#'
#' @param fit A fit of any family.
#' @param data What the fit was made from: for a fit from a formula the data frame; for one from `x`
#'   and `y` the list `list(x = , y = )`, or `x` alone. It is checked to give the labels and
#'   decision values that the fit has; a `subset` in its call is evaluated in it. For a fit of
#'   rows in a file, what [read_rows()] returned: the table of features comes from passes over
#'   them. `NULL` leaves that table out.
#' @param output_file The file to write, in a folder that exists. Nothing else is written there.
#' @param title The heading of the page; `NULL` names the family.
#' @param cv `NULL`, or the result of [margin_cv()] by which the settings were chosen.
#' @param comparison `NULL`, or the result of [margin_compare()] or [compare_solvers()].
#' @param test `NULL`, or rows that the fit has not seen, with their response, in the form of
#'   `data`, or in a file, whose weights then count: the page begins with how they are predicted.
#' @param conformal `NULL`, or what [margin_conformal()] returned for this fit: what its sets
#'   guarantee, and with `test` how often they hold these rows.
#' @param newoffset The offset of the rows of `test`, as in [margin_performance()].
#' @param overwrite May an existing file be replaced?
#' @param open Show the page in the browser when it is done?
#' @param ... Not used; an unknown argument is an error.
#' @return The path of the file, invisibly.
#' @section Errors:
#' Of class `dualmargin_input_error`: data that are not those of the fit, a file that exists or a
#' folder that does not, no pandoc, packages rmarkdown or knitr absent.
#' @seealso [summary.margin_fit()] for the console.
#' @examples
#' train <- seq(1, nrow(spambase), by = 2)
#' fit <- margin_linear(type ~ ., data = spambase[train, ], loss = "logistic")
#' \donttest{
#' if (requireNamespace("rmarkdown", quietly = TRUE) && rmarkdown::pandoc_available("2.0")) {
#'   file <- margin_report(fit, spambase[train, ], tempfile(fileext = ".html"),
#'                         test = spambase[-train, ])
#'   file.size(file)
#' }
#' }
#' @export
margin_report <- function(fit, data = NULL, output_file = "margin-report.html", title = NULL,
                          cv = NULL, comparison = NULL, overwrite = FALSE, open = FALSE,
                          test = NULL, conformal = NULL, ..., newoffset = NULL) {
  assert_no_extra("margin_report()", ...)
  assert_fit(fit, "fit")
  refuse_quantiles(fit, "margin_report()")
  assert_flag(overwrite, "overwrite")
  assert_flag(open, "open")
  assert_title(title)
  assert_results(cv, comparison)
  assert_reported_sets(conformal, fit)
  target <- assert_target(output_file, overwrite)
  if (!is.null(data)) report_rows(fit, data)
  test_metrics(fit, test, newoffset)
  assert_can_render()
  if (is.null(title)) title <- sprintf("Report on a fit of %s()", class(fit)[1L])
  params <- list(fit = fit, data = data, title = title, cv = cv, comparison = comparison,
                 test = test, conformal = conformal, newoffset = newoffset)
  page <- render_report(params[!vapply(params, is.null, NA)])
  on.exit(unlink(dirname(page), recursive = TRUE))
  if (!file.copy(page, target, overwrite = overwrite)) {
    abort_input(sprintf("`output_file` \"%s\" could not be written; may you write there?",
                        target), "output_file")
  }
  if (open) utils::browseURL(target)
  invisible(target)
}

# In a folder of its own, so that nothing else appears where the page goes; options and R's stream
# of random numbers are put back, which the page sets and a figure may draw from.
render_report <- function(params) {
  folder <- tempfile("margin-report-")
  dir.create(folder)
  source <- file.path(folder, "report.Rmd")
  file.copy(report_skeleton(), source)
  old <- options()
  on.exit(options(old))
  with_seed(1L, rmarkdown::render(
    source, output_file = "report.html", output_dir = folder, intermediates_dir = folder,
    knit_root_dir = folder, params = params, envir = new.env(parent = globalenv()), quiet = TRUE
  ))
}

report_skeleton <- function() {
  system.file("rmarkdown", "templates", "margin-report", "skeleton", "skeleton.Rmd",
              package = "dualmargin", mustWork = TRUE)
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
  if (!grepl("[.]html?$", readable(output_file), ignore.case = TRUE)) {
    abort_input(sprintf("`output_file` is \"%s\", but the page is HTML; end its name in .html.",
                        output_file), "output_file")
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

assert_can_render <- function() {
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
}
