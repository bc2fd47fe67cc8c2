# Clocks that the tests set, so that no expectation hangs on how fast or how busy the machine is.

# `expression` with a clock of ours in the place of R's: f() says what time it is, in seconds.
at_time <- function(f, expression) with_own("seconds_now", f, expression)

# `expression` with fits that count looks at the clock, each a second later than the last: then
# `max_seconds` is a number of looks and `status$seconds` how many there were.
counting_looks <- function(expression) {
  old <- options(dualmargin.looks = TRUE)
  on.exit(options(old))
  expression
}

# Waits until an event has come, however long it takes; FALSE: it cannot come any more, or has not
# in an hour.
wait_until <- function(come, possible = function() TRUE) {
  for (i in 1:72000) {
    if (come()) return(TRUE)
    if (!possible()) return(come())
    Sys.sleep(0.05)
  }
  FALSE
}
