# What is a square in exact arithmetic, a squared length or distance or a'Ka, from a difference
# of terms, as src/base/square.h has it. Below zero it is 0 as far as its rounding goes. Beyond
# that, or without a number, nothing is known of it: Inf, of which no statement follows.
judged_square <- function(computed, rounding) {
  square <- pmax(computed, 0)
  square[!(computed >= -rounding) %in% TRUE] <- Inf
  square
}
