// The storages of rows and the passes over them.
#include "rows/rows.cpp"

#include "rows/dense.cpp"
#include "rows/gram.cpp"
#include "rows/row_bounds.cpp"
#include "rows/sparse.cpp"
#include "rows/weighted_gram.cpp"
