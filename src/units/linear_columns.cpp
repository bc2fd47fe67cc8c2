// Working sets of columns, gradient steps and the default.
#include "linear/auto.cpp"
#include "linear/fista.cpp"
#include "linear/lasso.cpp"
#include "linear/lbfgs.cpp"
#include "linear/working_set.cpp"
