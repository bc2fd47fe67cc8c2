# Judges the figures of scripts/size.sh. Usage: Rscript scripts/size.R <figures> <record: yes, no>

args <- commandArgs(trailingOnly = TRUE)
stored <- file.path("scripts", "size.csv")
found <- utils::read.csv(args[1L])

# Seconds are compared in units of the reference's, which does not stand still on a busy machine: half
# as much again for one unit, a fifth for all, are its noise; 3 per cent that of the memory.
reference_of <- function(x) min(x$seconds[x$kind == "reference"])
budget <- list(mb = 1000, header_mb = 1200, header_ratio = 15)
units <- found[found$kind == "unit", ]
headers <- found[found$kind == "header", ]
problems <- sprintf("%s takes %.0f MB, more than %.0f", units$name, units$mb, budget$mb)[units$mb > budget$mb]
if (nrow(headers)) {
  eigen <- headers$seconds[headers$name == "Eigen/Core"]
  problems <- c(problems, sprintf("%s takes %.0f MB and %.1f s", headers$name, headers$mb, headers$seconds)[
    headers$mb > budget$header_mb | headers$seconds > budget$header_ratio * eigen])
}
if (file.exists(stored)) {
  last <- utils::read.csv(stored)
  both <- merge(found, last, by = c("kind", "name"), suffixes = c("", ".last"))
  both <- both[both$kind != "reference", ]
  now <- both$seconds / reference_of(found)
  before <- both$seconds.last / reference_of(last)
  all_units <- both$kind == "unit"
  if (sum(now[all_units]) > 1.2 * sum(before[all_units])) {
    problems <- c(problems, sprintf("all units take %.0f times the reference, and took %.0f", sum(now[all_units]),
                                    sum(before[all_units])))
  }
  slower <- now > 1.5 * before + 0.2
  larger <- both$mb > 1.03 * both$mb.last + 5
  problems <- c(problems, sprintf("%s: %.1f s and %.0f MB, was %.1f s and %.0f MB", both$name, both$seconds,
                                  both$mb, both$seconds.last, both$mb.last)[slower | larger])
}
cat(sprintf("%d units: %.0f s (%.0f times the reference), at most %.0f MB, %.0f kB of code\n", nrow(units),
            sum(units$seconds), sum(units$seconds) / reference_of(found), max(units$mb), sum(units$kb)))
if (args[2L] == "yes") {
  kept <- if (file.exists(stored)) utils::read.csv(stored)
  there <- kept$kind == "reference" | kept$name == "Eigen/Core" | file.exists(file.path("src", kept$name))
  kept <- kept[there & !paste(kept$kind, kept$name) %in% paste(found$kind, found$name), ]
  utils::write.csv(rbind(found, kept), stored, row.names = FALSE, quote = FALSE)
} else if (length(problems)) {
  writeLines(problems)
  quit(status = 1L)
}
