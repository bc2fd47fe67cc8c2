// Kernels and their matrices across the border.
#include "border/dispatch_kernel.cpp"
#include "border/function_rows.cpp"
#include "border/kernel_rows.cpp"
#include "border/kernel_store.cpp"
