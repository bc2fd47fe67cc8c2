// Newton's methods of the linear family.
#include "linear/l1_model.cpp"
#include "linear/newton.cpp"
#include "linear/proximal_newton.cpp"
#include "linear/row_view.cpp"
#include "linear/ssnal.cpp"
#include "linear/subsample.cpp"
