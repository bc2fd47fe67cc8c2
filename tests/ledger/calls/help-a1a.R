dim(a1a$x)

# --

table(a1a$y)
