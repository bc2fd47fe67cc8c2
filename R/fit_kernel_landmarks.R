# How many landmarks a kernel fit needs: twice as many each time, until the excess over the optimum
# of the whole kernel is proven to be small enough (R/audit_nystrom.R).

fit_landmarks <- function(design, settings) {
  assert_landmarks_auto(design, settings)
  tol <- settings$nystrom_tol
  used <- if (is.null(design$weights)) nrow(design$x) else sum(design$weights > 0)
  most <- min(used, most_landmarks)
  settings$nystrom <- min(first_landmarks, most)
  tries <- NULL
  began <- seconds_now()
  repeat {
    fit <- fit_kernel(design, settings)
    mapping <- mapping_of_rows(fit, design$x, fit$response, fit$weights)
    promised <- landmark_promise(mapping, fit)
    last <- settings$nystrom == most || !landmarks_fit(2 * settings$nystrom, nrow(design$x)) ||
      seconds_now() - began > settings$control$max_seconds
    proven <- if (promised <= tol || last) landmark_proof(mapping, fit) else NA_real_
    tries <- rbind(tries, data.frame(landmarks = settings$nystrom,
                                     value = worst_certificate(fit$certificate)$value,
                                     promised = promised, proven = proven))
    if (isTRUE(proven <= tol) || last || sum(!is.na(tries$proven)) == most_proofs) break
    settings$nystrom <- min(2 * settings$nystrom, most)
    settings$control$start <- offered_start(fit)
  }
  fit$landmarks <- tries
  if (!isTRUE(proven <= tol)) warn_landmarks(fit, proven, tol)
  fit
}
first_landmarks <- 100
most_landmarks <- 20000
most_proofs <- 3L

landmarks_fit <- function(landmarks, rows) {
  tryCatch(is.null(assert_landmark_memory(landmarks, rows)),
           dualmargin_input_error = function(condition) FALSE)
}

# Of the whole kernel, as certificates have it.
landmark_proof <- function(mapping, fit) {
  mapping$fits <- landmark_fits(fit, mapping)
  max(vapply(audited_excess(mapping, NULL), `[[`, 0, "relative"))
}

# What the proof will say, estimated from some rows: beside the fit's own gap lambda/2 |f_a - f|^2,
# where f is the fit, and f_a - f, the function of its dual point less f, is 0 at the landmarks.
landmark_promise <- function(mapping, fit, rows = 300L) {
  duals <- as.matrix(fit$dual)
  rest <- Map(function(problem, solution, k) {
    n <- nrow(problem$x)
    at <- unique(round(seq(1, n, length.out = min(n, rows))))
    beta <- -problem$weights * duals[, k] / (problem$lambda * sum(problem$weights))
    value <- function(points, coefficients) {
      kernel_expansion(problem$kernel, stack_rows(problem$x[at, , drop = FALSE], points), length(at),
                       as.matrix(coefficients))
    }
    far <- value(problem$x, beta) - value(solution$points, solution$coefficients)
    problem$lambda / 2 * n / length(at) * sum(beta[at] * far)
  }, mapping$problems, mapping$solutions, seq_along(mapping$problems))
  max((fit$certificate$gap + unlist(rest)) / fit$certificate$value)
}

assert_landmarks_auto <- function(design, settings) {
  soft <- inherits(design$y, "soft_labels")
  if (is.null(settings$mixup) && !soft) {
    return(invisible())
  }
  abort_input(sprintf(
    "`nystrom` is \"auto\", whose proof is not made for %s yet; give the number of landmarks.",
    if (soft) "soft labels" else "mixed rows"
  ), "nystrom")
}

warn_landmarks <- function(fit, proven, tol) {
  warning(structure(
    class = c("dualmargin_not_certified", "warning", "condition"),
    list(message = sprintf(paste(
      "With %d landmarks the fit is proven to be within %s of the optimum of the whole kernel, not",
      "within nystrom_tol = %s; %s."
    ), as.integer(fit$settings$nystrom), percent_words(proven), format(tol),
    "give a larger tolerance, or more landmarks as a number"), call = NULL)
  ))
}
