folder <- tempfile()

# --

dir.create(folder)

# --

parts <- split(spambase, rep(1:4, length.out = nrow(spambase)))

# --

for (k in names(parts)) {
  write.csv(parts[[k]], file.path(folder, paste0(k, ".csv")), row.names = FALSE)
}

# --

path <- tempfile(fileext = ".rows")

# --

write_rows(folder, path, formula = type ~ ., chunk = 500)

# --

read_rows(path)

# --

days <- split(warpbreaks, warpbreaks$tension)

# --

next_day <- function() {
  day <- days[[1]]
  days <<- days[-1]
  day
}

# --

days <- c(days, list(NULL))

# --

write_rows(next_day, path, y = "breaks", overwrite = TRUE,
           levels = list(wool = c("A", "B"), tension = c("L", "M", "H")))

# --

head(read_rows(path))
