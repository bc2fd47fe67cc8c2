// The problem of the kernel family, its losses, a dual point with its scores, and what leaves it.
#include "kernel/kernel_problem.cpp"

#include "kernel/dual_state.cpp"
#include "kernel/softmax_losses.cpp"
