# What results refuse to answer, and why, with what answers it.

refuse <- function(caller, object, why, arg = "object") {
  stop(structure(
    class = c("dualmargin_input_error", "dualmargin_error", "error", "condition"),
    list(message = sprintf("%s has no answer for a %s: %s.", caller, class(object)[1L], why),
         call = NULL, arg = arg)
  ))
}

# By class, then by generic. Registered when the package is loaded, since each is the same one line.
refused_methods <- function() {
  penalized <- paste("the estimate is penalised, so it does not maximise a likelihood and its",
                     "degrees of freedom are not the number of coefficients")
  sampling <- paste("a penalised estimate has no sampling distribution that the fit would know;",
                    "use margin_bootstrap()")
  of_row <- c("rstandard", "rstudent", "hatvalues", "cooks.distance", "influence", "dfbetas")
  choose <- paste0(penalized, "; compare models by margin_cv()")
  rows <- paste("it is no projection of its response, of which a row would have a leverage; what",
                "becomes of the fit without a row says margin_loo()")
  fit <- c(sigma = paste0(penalized, "; sqrt(mean(residuals(fit)^2)) is the training error"),
           df.residual = penalized, logLik = choose, extractAIC = choose, vcov = sampling,
           confint = paste0(sampling, ", whose confint() has intervals of the penalised estimate"),
           anova = choose,
           simulate = paste("its loss says how a response is judged and not how it is drawn;",
                            "margin_bootstrap() refits draws of the rows"),
           stats::setNames(rep(rows, length(of_row)), of_row))
  of_rows <- "its coefficients are of rows, and the fit knows no sampling distribution of them; "
  resampled <- paste0(of_rows, "margin_bootstrap() has intervals of its metrics, and ",
                      "margin_conformal() has sets for new responses")
  numerical <- paste("its intervals hold the exact optimum and say nothing about the population;",
                     "they are coef(), and those of the estimate are margin_bootstrap() of the fit")
  accessors <- c("coef", "fitted", "residuals", "weights", "formula", "nobs", "deviance",
                 "model.matrix", "variable.names", "case.names", "family", "terms", names(fit))
  of_many <- function(why, but = character(), ...) {
    generics <- setdiff(accessors, but)
    c(stats::setNames(rep(why, length(generics)), generics), ...)
  }
  refit <- "it is for the result of margin_cv(); use update()"
  no_fit <- "it holds scores and no fit"
  list(
    margin_fit = c(fit, refit = refit,
                   as.data.frame = "say which table: tidy(), glance() or augment()"),
    margin_kernel = c(vcov = resampled, confint = resampled),
    margin_certain = c(vcov = numerical, confint = numerical),
    margin_oneclass = c(
      sigma = penalized,
      vcov = paste0(of_rows, "new rows are judged by predict(object, newdata)"),
      confint = paste0(of_rows, "new rows are judged by predict(object, newdata)"),
      simulate = "its rows have no response that could be drawn",
      stats::setNames(
        rep(paste("its rows have no response, of which one would have a leverage; the support",
                  "vectors are support_rows()"), length(of_row)), of_row
      ),
      residuals = paste("its rows have no response; the decision values are",
                        "predict(object, type = \"score\")"),
      deviance = paste("its rows have no response and so no likelihood; the value of the objective",
                       "is certificate(fit)$value"),
      family = "its rows have no response, of which a family would be the distribution"
    ),
    margin_path = of_many(
      paste("it is many fits, of which it holds the coefficients alone; fit the point that is",
            "wanted"), c("coef", "nobs", "formula", "variable.names", "terms"), refit = refit
    ),
    margin_cv = of_many(
      "it is many fits; ask the one that it keeps, refit(cv)", "coef",
      augment = "it is many fits; use augment(refit(cv), newdata = )"
    ),
    margin_nested = of_many(
      paste0(no_fit, "; use refit() of a margin_cv() of all rows"),
      predict = paste0(no_fit, "; predict by refit() of a margin_cv() of all rows"),
      augment = paste0(no_fit, "; use refit() of a margin_cv() of all rows"),
      refit = "its folds choose different settings; use refit() of a margin_cv() of all rows"
    ),
    margin_tune = of_many(
      "it is many fits; ask the one that it keeps, refit(tune)",
      predict = "it is many fits; use predict(refit(tune), newdata)",
      augment = "it is many fits; use augment(refit(tune), newdata = )"
    ),
    margin_bootstrap = of_many(
      "it holds the numbers of refits and no fit; ask the fit that was given", "confint",
      predict = "it holds the numbers of refits and no fit; ask the fit that was given",
      augment = "it holds the numbers of refits and no fit; ask the fit that was given",
      refit = "it chooses no setting; use update() of the fit"
    ),
    model_comparison = of_many(
      paste0(no_fit, "; fit the model that is wanted"), predict = paste0(no_fit, "; fit the model"),
      augment = "it holds no fit; what was predicted for rows held out is x$predictions",
      refit = "it chooses no setting; fit the model that is wanted"
    ),
    margin_comparison = of_many(
      "it compares solvers on one problem; fit with the one wanted",
      predict = "it compares solvers on one problem; its fits are x$fits",
      augment = "it compares solvers on one problem; its fits are x$fits", refit = refit
    )
  )
}

# Where a generic is that is not one of stats.
generic_homes <- c(augment = "generics", refit = "generics", as.data.frame = "base")

register_refusals <- function() {
  table <- refused_methods()
  for (class in names(table)) {
    for (generic in names(table[[class]])) {
      home <- if (generic %in% names(generic_homes)) generic_homes[[generic]] else "stats"
      method <- refusal(paste0(generic, "()"), table[[class]][[generic]])
      registerS3method(generic, class, method, envir = asNamespace(home))
    }
  }
}

refusal <- function(caller, why) {
  force(caller)
  force(why)
  # the generic may call its first argument by another name
  function(object, ...) refuse(caller, if (missing(object)) ..1 else object, why)
}
