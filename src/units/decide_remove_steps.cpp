// The optimum of a linear fit without some rows.
#include "decide/eigenvalues.cpp"
#include "decide/removal_pair.cpp"
#include "decide/removal_steps.cpp"
