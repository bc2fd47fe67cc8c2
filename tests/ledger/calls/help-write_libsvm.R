path <- tempfile(fileext = ".gz")

# --

write_libsvm(as.matrix(iris[, 1:4]), iris$Species, path)

# --

back <- read_libsvm(path)

# --

identical(back$y, as.numeric(iris$Species))

# --

all(back$x == as.matrix(iris[, 1:4]))
