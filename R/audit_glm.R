# Fits of glm(): half of the deviance is the sum of weights times logistic or squared losses,
# without a penalty. Proportions are two rows, one for each class.

#' @rdname margin_audit
#' @export
margin_audit.glm <- function(fit, x = NULL, y = NULL, newx = NULL, newy = NULL, newoffset = NULL,
                             tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  assert_glm_kind(fit)
  design <- refitted_design(fit, x, y, stats::coef(fit), "glm()")
  newoffset <- offset_of_new(design, newx, newoffset)
  run_audit(glm_mapping(fit, design), newx, newy, tol, control, newoffset)
}

glm_kinds <- c("binomial logit", "gaussian identity")

# Packages whose fits are a glm besides (gam, brglm, svyglm) have other objectives.
assert_glm_kind <- function(fit) {
  if (!identical(class(fit), c("glm", "lm")) || !identical(fit$method, "glm.fit")) {
    abort_input(sprintf(paste("`fit` is a %s by method %s, whose objective is its own, which is",
                              "not mapped; fits of glm() by method \"glm.fit\" are."),
                        class(fit)[1L], show_value(fit$method)), "fit")
  }
  kind <- paste(fit$family$family, fit$family$link)
  if (!kind %in% glm_kinds) {
    abort_input(sprintf(paste("`fit` is of family %s with link %s, for which there is no loss",
                              "here; binomial with logit and gaussian with identity are mapped."),
                        fit$family$family, fit$family$link), "fit")
  }
}

glm_mapping <- function(fit, design) {
  binomial <- fit$family$family == "binomial"
  assert_kept(design$z, fit$linear.predictors, "glm()")
  response <- design$response
  levels <- NULL
  if (binomial) {
    levels <- if (is.factor(response) && nlevels(response) == 2L) levels(response) else
      if (is.logical(response)) c("FALSE", "TRUE") else c("0", "1")
    if (is.matrix(response)) {
      response <- replace(response[, 1L] / rowSums(response), rowSums(response) == 0, 0)
    }
    if (is.factor(response)) response <- response != levels(response)[1L]
  }
  design$response <- as.double(response)
  # the prior weights of rows of counts are their sums already
  deviance <- sum(fit$family$dev.resids(design$response, fit$family$linkinv(design$z),
                                        design$weights))
  if (!isTRUE(abs(deviance - fit$deviance) <= 1e-8 * (1 + fit$null.deviance))) {
    abort_other_rows("glm()")
  }
  title <- sprintf("glm %s", fit$family$family)
  remedy <- "give a smaller `epsilon` and a larger `maxit` of glm.control()"
  if (!binomial) {
    design <- counted_rows(design)
    problem <- free_problem(design, design$response, as_loss("squared"), unit = 2 * sum(design$weights))
    return(new_mapping("stats", title, list(problem), list(design$solution), design$response,
                       x = design$x, columns = design$spec, remedy = remedy))
  }
  design <- counted_rows(two_rows(design))
  y <- design$response + 1
  problem <- free_problem(design, 2 * y - 3, as_loss("logistic"), levels = levels,
                          unit = 2 * sum(design$weights))
  new_mapping("stats", title, list(problem), list(design$solution), y, x = design$x,
              columns = design$spec, levels = levels, vote = "sign", link = "logistic",
              remedy = remedy)
}

# A row for each class, where a response is a proportion.
two_rows <- function(design) {
  share <- design$response
  if (all(share %in% 0:1)) {
    return(design)
  }
  n <- length(share)
  twice <- rep(seq_len(n), 2L)
  design$x <- design$x[twice, , drop = FALSE]
  design$z <- design$z[twice]
  design$offset <- design$offset[twice]
  design$weights <- c(design$weights * share, design$weights * (1 - share))
  design$response <- rep(1:0, each = n)
  design
}
