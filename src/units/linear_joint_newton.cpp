// Newton's methods for one problem of all classes.
#include "linear/joint_net.cpp"
#include "linear/joint_newton.cpp"
#include "linear/joint_preconditioner.cpp"
