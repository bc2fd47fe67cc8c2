// One problem of all classes, its default, dual coordinate ascent and FISTA.
#include "linear/joint_auto.cpp"
#include "linear/joint_dual_cd.cpp"
#include "linear/joint_fista.cpp"
#include "linear/joint_problem.cpp"
