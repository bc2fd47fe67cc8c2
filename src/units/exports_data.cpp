// Functions that R calls: rows and matrices.
#include "data.cpp"
#include "disk.cpp"
#include "matrix.cpp"
#include "on_disk.cpp"
