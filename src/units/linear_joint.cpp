// Dual coordinate ascent of one problem of all classes, and its default.
#include "linear/joint_auto.cpp"
#include "linear/joint_dual_cd.cpp"
