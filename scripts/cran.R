# Judges the figures of scripts/cran.sh. Usage: Rscript scripts/cran.R <figures>

found <- utils::read.csv(commandArgs(trailingOnly = TRUE)[1L])
limits <- c(install = 400, examples = 40, tests = 60, pages = 60, all = 600, tarball = 5,
            "data and documentation" = 5, "installed stripped" = 12, "installed with -g" = 60)

# On a machine and at a load where the reference takes what it took when scripts/size.csv was recorded.
recorded <- utils::read.csv(file.path("scripts", "size.csv"))
found$size <- found$size * ifelse(found$kind == "seconds",
                                  min(recorded$seconds[recorded$kind == "reference"]) / found$clock, 1)
seconds <- found[found$kind == "seconds", ]
if (nrow(seconds) == 4L) {
  found <- rbind(found, data.frame(part = "all", kind = "seconds", size = sum(seconds$size), clock = NA))
}
limit <- limits[found$part]
above <- found$size > limit
cat(sprintf("%-24s %7.1f %-9s of %3.0f%s\n", found$part, found$size, found$kind, limit,
            ifelse(above, sprintf(", passed by %.1f", found$size - limit), "")), sep = "")
cat(if (any(above)) "cran: FAILED\n" else "cran: OK\n")
quit(status = as.integer(any(above)))
