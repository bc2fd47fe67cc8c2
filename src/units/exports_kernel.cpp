// Functions that R calls: kernel fits and their decisions.
#include "decide_kernel.cpp"
#include "kernel.cpp"
