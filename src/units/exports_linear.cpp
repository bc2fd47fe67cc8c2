// Functions that R calls: linear fits, rows and matrices.
#include "data.cpp"
#include "disk.cpp"
#include "linear.cpp"
#include "losses.cpp"
#include "matrix.cpp"
#include "multiclass.cpp"
#include "on_disk.cpp"
