path <- tempfile(fileext = ".rows")

# --

write_rows(a1a$x, path, y = factor(a1a$y))

# --

rows <- read_rows(path)

# --

rows

# --

dim(rows)

# --

rows[c(1, 1000), 1:8]

# --

summary(rows)
