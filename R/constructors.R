# What the constructors of the families share.

formula_arguments <- c("data", "subset", "na.action", "contrasts", "sparse")

assert_response_given <- function(missing) {
  if (missing) {
    abort_input("`y` is missing; give the response, one label a row.", "y")
  }
}

# What `- 1` in a formula makes of the argument.
formula_intercept <- function(design, intercept, missing) {
  if (design$intercept) {
    return(intercept)
  }
  if (!missing && !identical(intercept, "none")) {
    abort_input(sprintf("`intercept` is %s, but `formula` removes it; drop one of the two.",
                        show_value(intercept)), "intercept")
  }
  "none"
}

# The call as the user would write it again.
public_call <- function(call, name = quote(margin_linear)) {
  call[[1L]] <- name
  call
}
