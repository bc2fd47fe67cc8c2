// Kernel matrices: how they are kept, and what is known of them.
#include "kernel/kernel_store.cpp"
#include "kernel/semidefinite.cpp"
#include "kernel/stored_arguments.cpp"
#include "kernel/stored_kernel.cpp"
