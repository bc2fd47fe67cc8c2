# What rounding can do to a sum, by the model of src/base/rounding.h: each is a share of the sum of
# the sizes of the terms.

unit_roundoff <- 2^-53

# gamma_k = k u / (1 - k u): k roundings of one number.
roundings <- function(k) k * unit_roundoff / (1 - k * unit_roundoff)

# Of a score x'w + b of so many entries, and of the one that it is compared with.
score_roundings <- function(entries) roundings(2 * (entries + 3))
