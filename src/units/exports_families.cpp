// Functions that R calls: what all families have, risks under perturbations, the largest margin.
#include "augmented.cpp"
#include "border.cpp"
#include "hard.cpp"
