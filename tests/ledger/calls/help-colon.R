dim(colon$x)

# --

table(colon$y)

# --

range(colon$x)
