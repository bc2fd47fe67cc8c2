// Other weights, labels and rows of a fit.
#include "decide/asked_functions.cpp"
#include "decide/asked_rows.cpp"
#include "decide/change.cpp"
#include "decide/change_columns.cpp"
#include "decide/change_functions.cpp"
#include "decide/refit_functions.cpp"
#include "decide/settle.cpp"
