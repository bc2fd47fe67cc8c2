# The arguments of plot methods: their own, and the graphical parameters that every picture follows.

# Those of the frame, its words and the colours of what is drawn. What tells the parts of a picture
# apart (line types, symbols) or belongs to an axis that it draws itself is not among them.
frame_parameters <- c(
  "main", "sub", "xlab", "ylab", "xlim", "ylim", "col", "las", "bty", "family",
  paste0("cex.", c("main", "sub", "lab", "axis")), paste0("col.", c("main", "sub", "lab", "axis")),
  paste0("font.", c("main", "sub", "lab", "axis"))
)

# Any other argument would change nothing, or end in a warning of graphics that does not know it.
# also: what one picture follows besides.
assert_plot_arguments <- function(caller, ..., also = character()) {
  if (...length() == 0L) {
    return(invisible())
  }
  own <- setdiff(names(formals(sys.function(sys.parent()))), c("x", "..."))
  known <- c(frame_parameters, also)
  given <- names(substitute(list(...)))[-1L]
  if (is.null(given)) given <- rep("", ...length())
  wrong <- setdiff(given, known)
  if (length(wrong) == 0L) {
    return(invisible())
  }
  takes <- paste0(if (length(own) > 0L) paste0(paste0("`", own, "`, ", collapse = ""), "and "),
                  "the graphical parameters ", paste0("`", known, "`", collapse = ", "))
  if (wrong[1L] == "") {
    abort_input(sprintf("%s was given an argument without a name that it has no place for; %s %s.",
                        caller, "it takes", takes), "...")
  }
  guess <- nearest(wrong[1L], c(own, known))
  abort_input(sprintf("`%s` is not an argument of %s%s; it takes %s.", wrong[1L], caller,
                      if (is.null(guess)) "" else sprintf(" (did you mean `%s`?)", guess), takes),
              wrong[1L])
}
