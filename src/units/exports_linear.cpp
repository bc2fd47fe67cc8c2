// Functions that R calls: linear fits.
#include "linear.cpp"
#include "losses.cpp"
#include "multiclass.cpp"
