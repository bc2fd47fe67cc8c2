// The optimum of a linear fit once rows leave or come.
#include "decide/altered.cpp"
#include "decide/altered_metric.cpp"
#include "decide/altered_step.cpp"
#include "decide/eigenvalues.cpp"
