// Kernels and their matrices across the border.
#include "border/function_rows.cpp"
#include "border/kernel_store.cpp"
