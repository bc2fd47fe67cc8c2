// Methods of the kernel family by blocks of rows and by Newton's steps.
#include "kernel/auto.cpp"
#include "kernel/block_sdca.cpp"
#include "kernel/newton.cpp"
#include "kernel/softmax_newton.cpp"
