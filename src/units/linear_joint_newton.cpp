// Newton's method for one problem of all classes.
#include "linear/joint_newton.cpp"
#include "linear/joint_preconditioner.cpp"
