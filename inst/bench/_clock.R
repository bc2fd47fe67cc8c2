# What the scripts that time peers share: source() it from their folder.

clock <- function() as.numeric(Sys.time())
# Seconds of computing: they stand still while another program has the processor.
cpu_clock <- function() sum(proc.time()[c("user.self", "sys.self")])

timed <- function(code) {
  cpu <- cpu_clock()
  start <- clock()
  value <- tryCatch(suppressWarnings(code), error = function(e) e)
  time <- list(seconds = clock() - start, cpu = cpu_clock() - cpu)
  c(time, if (inherits(value, "error")) list(error = conditionMessage(value)) else
    list(value = value))
}
