// One problem of all classes, its dual coordinate ascent and its default.
#include "linear/joint_auto.cpp"
#include "linear/joint_dual_cd.cpp"
#include "linear/joint_problem.cpp"
