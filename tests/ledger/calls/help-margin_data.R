known <- margin_data()

# --

known[known$available, c("name", "rows", "columns")]

# --

adult <- margin_data("a1a")

# --

dim(adult$x)

# --

table(adult$y)

# --

adult$licence
