// Rows that could give a prediction another class.
#include "decide/fitted.cpp"
#include "decide/fitted_function.cpp"
#include "decide/flip_bounds.cpp"
#include "decide/flip_columns.cpp"
#include "decide/flip_functions.cpp"
#include "decide/flip_sums.cpp"
#include "decide/flips.cpp"
