row_of <- function(problem, peers, ratios) {
  data.frame(problem = problem, peers = peers, cells = length(ratios),
             "geometric mean" = short(geometric(ratios)), largest = short(max(ratios)),
             check.names = FALSE)
}

# --

of <- function(what, method = "dualmargin") total[total$method == method, what]

# --

peers <- c("LiblineaR", "e1071", "kernlab")

# --

spread <- function(family) {
  paste(short(range(memory$ratio[memory$family == family])), collapse = " to ")
}

# --

a_row <- function(family, settings) {
  at <- memory$family == family & memory$data == "400,000 x 50" & grepl(settings, memory$settings)
  round((memory$extra_mb[at][1L] - memory$matrix_mb[at][1L]) * 1e6 / 8 / 4e5)
}
