# Names and orders of arguments that were. They keep working until version 1.0 and say what to write
# instead, in a message of class "dualmargin_deprecated".

inform_deprecated <- function(text, caller) {
  message(structure(
    class = c("dualmargin_deprecated", "message", "condition"),
    list(message = paste0(text, "\n"), call = NULL, caller = caller)
  ))
}

# The call of the function that asks, with arguments of old names under their new ones, to be
# evaluated where that was called; NULL if it has none of them. renamed: new names by old ones.
# Arguments without a name have the places that they had beside the old names.
call_in_new_names <- function(renamed, caller) {
  call <- sys.call(sys.parent())
  where <- parent.frame(2L)
  given <- names(match.call(function(...) NULL, call, expand.dots = TRUE, envir = where))
  old <- intersect(names(renamed), given)
  if (length(old) == 0L) {
    return(NULL)
  }
  for (name in old) {
    if (renamed[[name]] %in% given) {
      abort_input(sprintf(
        "`%s` is the old name of `%s` in %s, and both are given; leave `%s` out.", name,
        renamed[[name]], caller, name
      ), name)
    }
  }
  was <- sys.function(sys.parent())
  at <- match(renamed[old], names(formals(was)))
  names(formals(was))[at] <- old
  call <- match.call(was, call, expand.dots = TRUE, envir = where)
  at <- match(old, names(call))
  names(call)[at] <- unname(renamed[old])
  inform_deprecated(sprintf(
    "%s: %s.", caller, paste(sprintf("`%s` is now `%s`", old, renamed[old]), collapse = "; ")
  ), caller)
  call
}

# An argument's value by its present name. renamed: new values by old ones.
in_new_words <- function(value, renamed, arg, caller) {
  if (!is.character(value) || length(value) != 1L || !value %in% names(renamed)) {
    return(value)
  }
  inform_deprecated(sprintf("%s: %s = \"%s\" is now \"%s\".", caller, arg, value,
                            renamed[[value]]), caller)
  renamed[[value]]
}
