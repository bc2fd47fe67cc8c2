// Functions that R calls: decisions of one fit.
#include "along.cpp"
#include "change.cpp"
#include "decide.cpp"
#include "flips.cpp"
#include "remove.cpp"
