// One problem of all classes, and the methods for it.
#include "linear/joint_auto.cpp"
#include "linear/joint_dual_cd.cpp"
#include "linear/joint_fista.cpp"
#include "linear/joint_net.cpp"
#include "linear/joint_newton.cpp"
#include "linear/joint_preconditioner.cpp"
#include "linear/joint_problem.cpp"
