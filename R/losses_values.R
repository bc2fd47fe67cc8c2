# What the list of losses (R/losses.R) is made of, and what is asked of a loss that a user gave.

# The fields of a row, each with who asks for it.
loss_fields <- c(
  make = "the constructor; its first argument is the number that the loss has, if it has one",
  task = "what it can be fitted to: classification, regression, both",
  gamma = "the loss is 1/gamma-smooth, 0: not smooth; NULL: gamma is the number",
  tex = "a function (score, margin, number): the formula in LaTeX, for reports; NULL: phi",
  bound = paste("a function (number, above): the largest size of a slope, of rows above the fit or",
                "below it; NULL: none, or none that a row gets to"),
  sized = "FALSE: a regression needs no unit of the response; else it is the spread of that",
  metric = "the metric of a regression that is this loss; NULL: it is for no regression",
  value = paste("a function (r, reach, number): the loss of residuals r, `reach` the number in",
                "their unit; NULL: that is a metric of all regressions"),
  margin = "a function (m, number): the loss at margins m; NULL: it is for no classes",
  conjugate = paste("a function (a, y, number): phi* at the slope a in the score, of a feasible one; audits",
                    "ask for it (R/audit_ends.R, R/audit_nystrom.R)"),
  squares = "TRUE: `value` is in squares of the unit, as the loss of small residuals is"
)

# Of every loss one field, by name.
loss_field <- function(field) lapply(loss_list, `[[`, field)

new_loss <- function(name, parameter = NA_real_) {
  row <- loss_list[[name]]
  gamma <- if (is.null(row$gamma)) parameter[[1L]] else row$gamma
  structure(
    list(name = name, gamma = gamma, smooth = gamma > 0, parameter = parameter, task = row$task),
    class = "margin_loss"
  )
}

#' @rdname losses
#' @export
format.margin_loss <- function(x, ...) {
  found <- x$found
  if (is.na(x$parameter[[1L]])) {
    return(x$name)
  }
  number <- function(value) format(value, digits = 4)
  held <- found$scale
  unit <- if (!is.null(held)) paste(", unit =", number(held)) else
    if (is.numeric(x$unit)) paste(", unit =", number(x$unit)) else
      if (!is.null(x$unit)) sprintf(", unit = \"%s\"", x$unit)
  size <- if (is.null(found)) x$parameter else found$delta
  sprintf("%s (%s = %s%s)", x$name, names(x$parameter)[1L],
          paste(vapply(size, number, ""), collapse = ", "),
          if (is.null(unit)) "" else unit)
}

#' @rdname losses
#' @export
print.margin_loss <- function(x, ...) {
  kind <- if (x$smooth) sprintf("%s-smooth", format(1 / x$gamma, digits = 4)) else "not smooth"
  cat(sprintf("<margin_loss> %s: %s, for %s\n", format(x), kind,
              if (x$task == "both") "regression and classification" else x$task))
  invisible(x)
}

# The makers, by name.
loss_makers <- function() loss_field("make")

# The losses that take any number for a response.
regression_losses <- function() {
  names(Filter(function(maker) takes_numbers(maker()), loss_makers()))
}

# The names of those for a task, as the help of margin_linear() lists them; for a regression those
# for both.
said_losses <- function(task = NULL) {
  tasks <- unlist(loss_field("task"))
  of <- c(task, if (identical(task, "regression")) "both")
  shown <- names(tasks)[is.null(task) | tasks %in% of]
  words <- sprintf("`\"%s\"`", shown)
  paste(paste(words[-length(words)], collapse = ", "), "and", words[length(words)])
}

# The losses that are linear but for kinks.
kinked_losses <- function() names(Filter(function(row) identical(row$gamma, 0), loss_list))

# Is the response of a regression put to it in units of its spread?
is_sized <- function(loss) takes_numbers(loss) && !isFALSE(loss_list[[loss$name]]$sized)

takes_numbers <- function(loss) !is.null(loss) && loss$task != "classification"

# NULL, where the response is to say which.
named_loss <- function(x, several = FALSE) if (!is.null(x)) as_loss(x, several)

# A name or a loss value -> a loss value. several: may it be of several tau?
as_loss <- function(x, several = FALSE) {
  if (inherits(x, "margin_loss")) {
    x$found <- NULL
    if (!several && !is.null(taus_of(x))) {
      abort_input(sprintf(paste(
        "`loss` has %d values of tau, which single fits of margin_linear() and margin_cv() take;",
        "here give one, as in loss_quantile(%s)."
      ), length(x$parameter), format(x$parameter[[1L]])), "loss")
    }
    return(x)
  }
  if (is.function(x)) {
    abort_input(
      "`loss` is a function; call it, as in loss_huber(), or give its name, as in \"hinge\".",
      "loss"
    )
  }
  assert_choice(x, names(loss_makers()), "loss", loss_aliases)
  loss_makers()[[x]]()
}
