path <- tempfile(fileext = ".txt")

# --

writeLines(c("1 2:0.5 7:1", "2 1:-3.25e-2", "1 # a row of zeros"), path)

# --

read_libsvm(path)

# --

factor(read_libsvm(path)$y, labels = c("edible", "poisonous"))
