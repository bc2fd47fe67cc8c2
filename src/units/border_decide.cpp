// Questions on the optimum across the border.
#include "border/certain.cpp"
#include "border/certain_joint.cpp"
#include "border/change.cpp"
#include "border/conformal.cpp"
#include "border/removal.cpp"
#include "border/search.cpp"
