# What the methods of all fits ask of a fit of perturbed rows, and what its summary adds.

#' @exportS3Method
describe_problem.margin_augmented <- function(fit, digits) {
  c(perturbation = format(fit$settings$perturbation), describe_problem.margin_linear(fit, digits))
}

#' @exportS3Method
problem_columns.margin_augmented <- function(fit) {
  cbind(perturbation = format(fit$settings$perturbation), problem_columns.margin_linear(fit))
}

#' @exportS3Method
summary.margin_augmented <- function(object, ...) {
  assert_no_extra("summary()", ...)
  made <- NextMethod()
  made$noise <- object$noise
  made$value_se <- object$value_se
  made$suboptimality <- if (is.null(object$suboptimality)) object$certificate$gap else
    object$suboptimality
  made$certificate_epochs <- object$certificate_epochs
  # the ridge's strong convexity, and the suboptimality that was asked for
  made$mu <- object$settings$lambda * (1 - object$settings$mixture)
  structure(made, class = c("summary.margin_augmented", class(made)))
}

#' @exportS3Method
print.summary.margin_augmented <- function(x, digits = max(3L, getOption("digits") - 3L),
                                           top = 10L, ...) {
  assert_no_extra("print()", ...)
  NextMethod()
  if (length(x$model$settings$perturbation$steps) > 0L) {
    cat(fold_lines(describe_noise(x$noise, x$mu, x$certificate, min(digits, 3L))), sep = "\n")
  }
  sampled <- x$certificate$kind == "confidence bound"
  if (any(sampled)) {
    listed <- function(numbers) paste(format(numbers, digits = 2L), collapse = ", ")
    cat(fold_lines(c(
      sprintf(paste("certificate: %s epochs beside those of the work;",
                    "standard error of the value, as sampled, %s"),
              format(sum(x$certificate_epochs), digits = digits), listed(x$value_se)),
      sprintf("  without that error the objective is above its optimum by at most %s",
              listed(pmin(x$suboptimality, x$certificate$value)))
    )), sep = "\n")
  }
  invisible(x)
}

# How noisy the gradients of rows are, and what follows for stochastic methods: S-MISO needs some
# 16 sigma_p^2 / (mu eps) draws for a suboptimality eps, SGD sigma_tot^2 / sigma_p^2 times as many.
describe_noise <- function(noise, mu, certificate, digits) {
  shown <- function(value) format(value, digits = digits)
  several <- length(unique(noise$class)) > 1L
  table <- data.frame(noise[if (several) c("class", "epoch") else "epoch"],
                      sigma_p2 = noise$sigma_p2, sigma_tot2 = noise$sigma_tot2,
                      gain = noise$sigma_tot2 / noise$sigma_p2)
  last <- !duplicated(noise$class, fromLast = TRUE)
  eps <- certificate$tol * abs(certificate$value)
  draws <- 16 * noise$sigma_p2[last] / (mu * eps)
  c("", "Noise of the gradients: of perturbations, in all, and the gain over SGD to be expected",
    utils::capture.output(print(table, digits = digits, row.names = FALSE)),
    if (any(certificate$kind == "confidence bound")) {
      sprintf("single rows that smiso has to draw for a gap of %s, by its theory: %s", shown(eps),
              shown(draws))
    })
}

describe_augmented_points <- function(path, number) {
  rising <- sprintf("%s from %s up to %s", count(length(path$rate), "value"),
                    number(min(path$rate)), number(max(path$rate)))
  lines <- describe_problem.margin_augmented(path, 5L)
  c(rate = if (length(path$rate) == 1L) number(path$rate) else rising,
    replace(lines, "perturbation", paste("at the last,", lines[["perturbation"]])))
}
