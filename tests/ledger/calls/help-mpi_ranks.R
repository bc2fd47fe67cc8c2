path <- tempfile(fileext = ".rows")

# --

write_rows(a1a$x, path, y = factor(a1a$y))

# --

read_rows(path, share = c(2, 4))
