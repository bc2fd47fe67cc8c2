// Newton's method and L-BFGS for one problem of all classes.
#include "linear/balanced_gap.cpp"
#include "linear/joint_lbfgs.cpp"
#include "linear/joint_newton.cpp"
#include "linear/joint_preconditioner.cpp"
