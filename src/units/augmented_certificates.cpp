// Risks under perturbations of the rows: certificates.
#include "augmented/assessment.cpp"
#include "augmented/confidence.cpp"
#include "augmented/exact.cpp"
#include "augmented/masks.cpp"
#include "augmented/report.cpp"
#include "augmented/rounding.cpp"
#include "augmented/stand_in.cpp"
