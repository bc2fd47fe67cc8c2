// What kernels are functions of, their values row by row, and functions that are made of them.
#include "kernel/arguments.cpp"
#include "kernel/kernel_function.cpp"
#include "kernel/mixture_kernel.cpp"
